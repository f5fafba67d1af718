"""The sentences about a board and its solutions: judgements, conflicts, and what pages say of
solutions.
"""

from __future__ import annotations

from puzzlekit.sentences.sentence import Phrase, Sentence


class SolutionsLeft(Phrase):
    """How many solutions continue what is on a board."""

    LEFT = "one solution is", "several solutions are"


class AllOfThis(Phrase):
    """The facts that no solution has."""

    FACTS = "this", "all of this"


class CannotHold(Phrase):
    """The head of a list of rules of which at least one is broken."""

    RULES = "This rule cannot hold:", "These cannot all hold:"


class GoalLeftOut(Sentence):
    """A goal is left out where all solutions count."""

    template = "All solutions count: the goal {goal} is left out."
    goal: str


class GoalsLeftOut(Sentence):
    """Several goals are left out where all solutions count."""

    template = "All solutions count: the goals {goals} are left out."
    goals: str


class BreaksRule(Sentence):
    """Marks break a rule."""

    template = "This breaks a rule: {rule}[, but {facts}][, and {further} from the start]."
    rule: str
    facts: str = ""
    further: str = ""


class IsSolution(Sentence):
    """Marks are a solution."""

    template = "This is a solution.[ {aside}]"
    aside: Sentence | None = None


class RightSoFar(Sentence):
    """Marks are continued by solutions."""

    template = "Right so far: {solutions} left.[ {aside}]"
    solutions: str
    aside: Sentence | None = None


class NeverPossible(Sentence):
    """A mark leaves no value that its unknown may have from the start."""

    template = "This is impossible from the start: {fact}. The clues allow only that {possible}."
    fact: str
    possible: str


class LeadsNowhere(Sentence):
    """Marks break no rule, and yet no solution continues them."""

    template = "This leads nowhere: no rule is broken yet, but no solution has {these}: {facts}."
    these: str
    facts: str


class NoSolutionAtAll(Sentence):
    """The puzzle has no solution, whatever is marked."""

    template = "This leads nowhere: the puzzle has no solution at all."


class DrawnRight(Sentence):
    """A drawing agrees with a solution."""

    template = "Right so far."


class DrawnWrong(Sentence):
    """A drawing agrees with no solution."""

    template = "This leads nowhere: no solution has all that is drawn."


class NotCompared(Sentence):
    """A drawing was not compared with all solutions."""

    template = "No rule is broken. It was not compared with all solutions: {reason}."
    reason: str


# Conflicts ----------------------------------------------------------------------------------------


class OneSolution(Sentence):
    """There is one solution."""

    template = "There is one solution."


class RuleItem(Sentence):
    """A rule in a list."""

    template = "- {rule}"
    rule: str


class RuleList(Sentence):
    """Rules of which at least one is broken."""

    template = "{rules}"
    separator = "\n"
    rules: tuple[RuleItem, ...]


class NorThese(Sentence):
    """Further rules of which at least one is broken."""

    template = "Nor can these:\n{rules}"
    rules: RuleList


class ClueChange(Phrase):
    """The head of a list of clues that may be wrong."""

    CLUES = (
        "A change of this clue leaves a solution:",
        "A change of any one of these clues leaves a solution:",
    )


class BlamedClues(Sentence):
    """The clues that may be wrong."""

    template = "{head} {clues}."
    head: str
    clues: str


class ConflictingRules(Sentence):
    """There is no solution, and which rules cannot all hold."""

    template = "There is no solution. {head}\n{rules}[\n{others}][\n{clues}]"
    separator = "\n"
    head: str
    rules: RuleList
    others: tuple[NorThese, ...] = ()
    clues: BlamedClues | None = None


class TwoSolutions(Sentence):
    """Where two solutions differ."""

    template = (
        "There are several solutions. Two of them differ in {differences}. "
        "In one, {first}; in the other, {second}.[\n{decides}][\n{aside}]"
    )
    differences: str
    first: str
    second: str
    decides: Sentence | None = None
    aside: Sentence | None = None


class Decides(Sentence):
    """Facts that leave one solution."""

    template = "One is left if {facts}."
    facts: str


# Solutions ----------------------------------------------------------------------------------------


class NoSolution(Sentence):
    """There is no solution."""

    template = "There is no solution[: {rule} cannot hold]."
    rule: str = ""


class OnlySolution(Sentence):
    """The solution that is shown is the only one."""

    template = "The only solution."


class AllSolutions(Sentence):
    """All solutions are shown."""

    template = "All {count} solutions."
    count: int


class FirstSolutions(Sentence):
    """Some of the solutions are shown."""

    template = "The first {count} solutions."
    count: int


class SearchStopped(Sentence):
    """A search was stopped."""

    template = "Stopped: {reason}."
    reason: str


class NotFoundOut(Sentence):
    """What all solutions share is not known."""

    template = "Not found out: {reason}."
    reason: str


class SharedValues(Sentence):
    """How many unknowns have the same values in all solutions."""

    template = "{fixed} of {unknowns} unknowns are the same in all solutions."
    fixed: int
    unknowns: int


class ThisIsOnlySolution(Sentence):
    """The steps have reached the only solution."""

    template = "This is the only solution."


class OnlySolutionOfBoard(Sentence):
    """The steps have reached the only solution that agrees with what the player has entered."""

    template = "This is the only solution that fits the board."


class StuckSteps(Sentence):
    """The steps end where there are several solutions."""

    template = "Nothing more follows: there are several solutions."


class FirstSteps(Sentence):
    """Only some steps are shown."""

    template = "These are the first {steps}."
    steps: str
