"""The sentences of commands: how a search ended, what a check found, how far a batch is."""

from __future__ import annotations

from puzzlekit.sentences.formatting import counted
from puzzlekit.sentences.sentence import Phrase, Sentence

# The end of a search ------------------------------------------------------------------------------


class Ending(Sentence):
    """The last line of a search."""

    template = "{outcome} · {backend}, {seconds} s"
    outcome: str | Sentence
    backend: str
    seconds: str


class Interrupted(Sentence):
    """A search ended before its end."""

    template = "{status}: {reason}[; {solutions}]"
    status: str
    reason: str
    solutions: str | Sentence = ""


class SoFar(Sentence):
    """The solutions that were found before a search was stopped."""

    template = "{solutions} so far"
    solutions: str


class Counted(Sentence):
    """The number of solutions."""

    template = "{solutions}[ {best}]"
    solutions: str
    best: Sentence | None = None


class WithBest(Sentence):
    """All solutions that are meant have the best value of a goal."""

    template = "with the best {goal}: {value}"
    goal: str
    value: str


class Drawn(Sentence):
    """The number of solutions that were drawn at random."""

    template = "{solutions} drawn at random[, each {best}]"
    solutions: str
    best: Sentence | None = None


class Optimal(Sentence):
    """The best value of a goal."""

    template = "{goal}: {value}, proven optimal[, {solutions} in all]"
    goal: str
    value: str
    solutions: str = ""


class NoSolutionProven(Sentence):
    """There is no solution."""

    template = "no solution, proven[: {conflict}]"
    conflict: str = ""


class GoalExcludes(Sentence):
    """Solutions without a value of the goal are left out."""

    template = (
        "this excludes solutions in which the goal {goal} has no value; --goal none includes them"
    )
    goal: str


class AllRanked(Sentence):
    """All solutions are shown."""

    template = "{solutions}[, ranked by {ranking}]"
    solutions: str
    ranking: str = ""


class ThereAreMore(Sentence):
    """Several solutions are shown, and there are others."""

    template = "{solutions}; there are more"
    solutions: str


class FirstRanked(Sentence):
    """The first solutions are shown."""

    template = "the first {solutions}, ranked by {ranking}; {others}"
    solutions: str
    ranking: str
    others: str


def every_solution(number: int) -> str:
    """Return all of several solutions in words.

    Examples:
        >>> every_solution(2), every_solution(3000)
        ('both solutions', 'all 3,000 solutions')
    """
    return "both solutions" if number == 2 else f"all {counted(number, 'solution')}"


class Lexicons(Phrase):
    """The lexicons of a puzzle without a solution."""

    WERE = "lexicon was", "lexicons were"


class LexiconsWere(Sentence):
    """The lexicons that were used, and a larger one."""

    template = "the {were} {names}[; the next larger lexicon is {larger}: --lexicon {larger}]"
    were: str
    names: str
    larger: str = ""


# What all solutions share -------------------------------------------------------------------------


class Settled(Sentence):
    """How many unknowns are the same in all solutions."""

    template = "in all solutions[ {best}]: {fixed} fixed, {open} open ({sign})[, {unsettled}]"
    fixed: str
    open: str
    sign: str
    unsettled: str | Sentence = ""
    best: Sentence | None = None


class NotSettled(Sentence):
    """How many unknowns were not settled."""

    template = "{count} not settled ({sign})"
    count: str
    sign: str


class NamedMembers(Sentence):
    """Members of an array of unknowns."""

    template = "{name}, {state}: {indexes}"
    name: str
    state: str
    indexes: str


# Checks -------------------------------------------------------------------------------------------


class Expected(Sentence):
    """What was expected, and what was found instead."""

    template = "expected {expected}, found {actual}"
    expected: str
    actual: str


class SizedBoard(Sentence):
    """A board with so many rows, or with so many cells in a row."""

    template = "{name} with {size}[ in row {row}]"
    name: str
    size: str
    row: int | None = None


class NotAsExpected(Sentence):
    """How a value differs from what was expected."""

    template = "{name} is not as expected: {differences}[; {others}]"
    name: str
    differences: str | Sentence
    others: str = ""


class IsNot(Sentence):
    """A thing is another one than was expected."""

    template = "{name} is {actual}, not {expected}"
    name: str
    actual: str
    expected: str


class ValidType(Sentence):
    """What a type has, and on what its rules were run."""

    template = "{verdict}: fields {fields}; unknowns {unknowns}; {rules}{run}"
    verdict: str
    fields: str
    unknowns: str
    rules: str
    run: str


class KeepsRules(Sentence):
    """What another solver printed is a solution."""

    template = "[{goal}; ]the solution keeps all rules[; {claim}]"
    goal: str = ""
    claim: str = ""


class KeepRules(Sentence):
    """Several solutions keep all rules."""

    template = "{count} different solutions, which keep all rules"
    count: str


# Batches, comparisons and lists -------------------------------------------------------------------


class PuzzlesDone(Sentence):
    """How many puzzles of a batch are done."""

    template = "{done}[ of {total}] puzzles done[, {others}]"
    done: str
    total: str = ""
    others: str = ""


class BatchRate(Sentence):
    """How far a batch is, how fast, and how long it takes."""

    template = "{done} · {rate}[, {time} left]"
    done: Sentence
    rate: str
    time: str = ""


class BatchEnd(Sentence):
    """The last line of a batch."""

    template = "{puzzles}[ ({notes})] · {path}; seconds of each puzzle"
    puzzles: str
    path: str
    notes: str = ""


class GroupFound(Sentence):
    """What a group of backends found."""

    template = "{backends} found {solutions}[, {others}]"
    backends: str
    solutions: str
    others: str | Sentence = ""


class NotFoundBy(Sentence):
    """How many solutions a backend did not find."""

    template = "{count} of them not found by {backend}"
    count: str
    backend: str


class Compilation(Sentence):
    """Whether boards of a shape are compiled once."""

    template = "boards of this shape are {manner}[: {obstacle}]"
    manner: str
    obstacle: str = ""


class PartsLeft(Sentence):
    """The parts that a search has to look at."""

    template = "{components} left to search"
    components: str


class Watching(Sentence):
    """The files that are watched."""

    template = "watching {file}[ and {others}]; Ctrl-C ends"
    file: str
    others: str = ""


class NumberOfTypes(Sentence):
    """How many types there are."""

    template = "{types}; puzzlekit list WORD… finds types, puzzlekit show TYPE describes one"
    types: str


class NoTypeFor(Sentence):
    """No type fits some words."""

    template = "there is no type for {words}[; {hint}]"
    words: str
    hint: str = ""


class GoalSoFar(Sentence):
    """The best value of a goal, while a better one is searched."""

    template = "{name}: {value} so far[, {side} {bound}]"
    name: str
    value: int
    side: str
    bound: int | None = None


class SetIsShort(Sentence):
    """Fewer puzzles were generated than the command asked for."""

    template = "{type}: {number} of {count} puzzles"
    type: str
    number: int
    count: int


class CluesWithoutPartner(Sentence):
    """Some clues of a puzzle lack the symmetry that the command asked for."""

    template = (
        "{puzzle}: {number} of {count} clues have no partner by {symmetry}, since its solution"
        " decides where clues stand"
    )
    puzzle: str
    number: int
    count: int
    symmetry: str


class RowsWritten(Sentence):
    """The puzzles that were generated into a file."""

    template = "{path}: {rows}[; {notes}]"
    path: str
    rows: str
    notes: tuple[str, ...] = ()


# Boards that are read aloud -----------------------------------------------------------------------


class SpokenCage(Sentence):
    """A cell of a cage."""

    template = "cage {number}[ of {clue}]"
    number: int
    clue: str = ""


class SpokenPiece(Sentence):
    """A cell of a piece."""

    template = "piece {name}"
    name: str


class SpokenPath(Sentence):
    """A cell of a path."""

    template = "path {number}, {index} of {length}"
    number: int
    index: int
    length: int


class SpokenRegion(Sentence):
    """A cell of a region."""

    template = "region {number}"
    number: int
