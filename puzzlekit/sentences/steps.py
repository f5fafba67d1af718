"""The sentences of explanations: a step, what follows from which facts, and how the steps end."""

from __future__ import annotations

from puzzlekit.sentences.clauses import subject_of
from puzzlekit.sentences.sentence import Sentence


class LastOpenCell(Sentence):
    """The last cell of a group that has no value."""

    template = "{fact}: the last {noun}[ of {group}]"
    capitalized = True
    fact: str
    group: str = ""
    noun: str = "open cell"


class OnlyPlaceIn(Sentence):
    """The only place for a value in a group: a hidden single."""

    template = "{fact}: the only place for {value}[ in {group}][ ({clues})][, as {because}]"
    capitalized = True
    separator = " and "
    fact: str
    value: str
    group: str = ""
    because: tuple[Sentence, ...] = ()
    clues: str = ""


class OthersArePlaced(Sentence):
    """Facts about members of a group all others of which have a value."""

    template = "{facts} and the others are placed"
    facts: str


class OnlyPlaceBetween(Sentence):
    """The only place for a value beside another one, between two others, or not far from one."""

    template = (
        "{fact}: the only place for {value}[ beside {next_to}][ between {ends}]"
        "[ within reach of {end}]"
    )
    capitalized = True
    fact: str
    value: str
    ends: str = ""
    end: str = ""
    next_to: str = ""


class OnlyOpenBeside(Sentence):
    """A cell beside which too few are open for the values before and after its value."""

    template = "{cells}[ ({values})] is open beside {cell}"
    cells: str
    cell: str
    values: str = ""


class OnlyOneLeftFor(Sentence):
    """The only member for a value in a group of things that are no cells."""

    template = "{fact}, as {closed}[: {because}]"
    capitalized = True
    separator = ", "
    fact: str
    closed: str
    because: tuple[Sentence, ...] = ()


class OnlyValue(Sentence):
    """The last value of an unknown: a naked single."""

    template = "{fact}: no other value is left"
    capitalized = True
    fact: str


class OnlyValueBeside(Sentence):
    """The last value of an unknown, as a few facts exclude the others."""

    template = "{fact}, as {given}[: otherwise {breach}][: {because}]"
    capitalized = True
    separator = ", "
    fact: str
    given: str
    because: tuple[Sentence, ...] = ()
    breach: str = ""


class OnlyPosition(Sentence):
    """A fact about a thing that may be at several positions, all others of which are closed."""

    template = "{fact}, the only {noun} left for {thing}"
    capitalized = True
    fact: str
    noun: str
    thing: str = "it"

    def of_position(self, fact: str) -> OnlyPosition:
        """Return the same, told as a fact about the position."""
        return OnlyPosition(fact, self.noun, subject_of(self.fact))


class OnlyCandidates(Sentence):
    """Facts each of which is the only candidate for what a rule needs, from the start."""

    template = "{facts}[: {rules}]"
    capitalized = True
    separator = " and "
    facts: str
    rules: tuple[Sentence, ...]


class OnlyCellOf(Sentence):
    """Facts about groups of one cell each."""

    template = "{facts}: {groups} {statement}"
    capitalized = True
    facts: str
    groups: str
    statement: str = "has one cell"


class GroupsHaveShare(Sentence):
    """Groups each of which has all that it may have."""

    template = "{groups} {verb} {share}"
    groups: str
    share: str
    verb: str = "has its"


class NeedsAll(Sentence):
    """A group that needs all places that it ever had."""

    template = "{facts}: {group} needs all of them"
    capitalized = True
    facts: str
    group: str


class NoOtherPlace(Sentence):
    """A group that has just as many places as it needs."""

    template = "{facts}: {group} has no other place for its {needed}[, as {rules}]"
    capitalized = True
    facts: str
    group: str
    needed: str
    rules: str = ""


class GroupIsFull(Sentence):
    """A group that has all that it may have."""

    template = "{facts}: {group} has its {needed} already"
    capitalized = True
    facts: str
    group: str
    needed: str


class HoweverItLies(Sentence):
    """Facts that hold for each way to lay the runs of a clue."""

    template = "{facts}, however {clue} may lie"
    capitalized = True
    facts: str
    clue: str


class ClueSays(Sentence):
    """Facts that follow from a clue, and from earlier facts if these are few."""

    template = "{clue}: {facts}[, as {given}][; otherwise it would be {otherwise}]"
    capitalized = True
    clue: str
    facts: str
    given: str = ""
    otherwise: str = ""


class FollowsByRule(Sentence):
    """Facts that follow from a rule, and from earlier facts if these are few."""

    template = "{facts}[, as {given}][: {rules}][; otherwise it would be {otherwise}]"
    capitalized = True
    separator = " and "
    facts: str
    rules: tuple[Sentence, ...]
    given: str = ""
    otherwise: str = ""


class FollowsFromGraph(Sentence):
    """Facts that follow from a rule about a graph, with the reason why."""

    template = "{facts}, since {reason}[: {rules}]"
    capitalized = True
    separator = " and "
    facts: str
    reason: str | Sentence
    rules: tuple[Sentence, ...]


class LineCanOnlyBe(Sentence):
    """The rows of values that a rule leaves to a line, if they are few."""

    template = "[{clue}: ]{line} can only be {alternatives}[, as {given}][: {rules}][; so {facts}]"
    capitalized = True
    separator = " and "
    line: str
    alternatives: str
    clue: str = ""
    given: str = ""
    rules: tuple[Sentence, ...] = ()
    facts: str = ""


class OneOfMany(Sentence):
    """Alternatives that are too many to be told."""

    template = "one of {number} {noun}"
    number: int
    noun: str


class AndSo(Sentence):
    """A step, and the last values that it leaves."""

    template = "{step}; so {facts}[ ({was})]"
    step: Sentence
    facts: str
    was: Sentence | None = None


class SoFacts(Sentence):
    """What follows from the sentence before."""

    template = "so {facts}"
    capitalized = True
    facts: str


class BecauseOf(Sentence):
    """A step that rests on sums of groups."""

    template = "{note}. {step}"
    note: Sentence
    step: Sentence


class LookAt(Sentence):
    """Where to look for a step, and no more."""

    template = "Look at {location}."
    location: str


class NumberedStep(Sentence):
    """A step in a list."""

    template = "{number}. {step}."
    number: int
    step: str | Sentence


class FullStop(Sentence):
    """A step that stands alone."""

    template = "{step}."
    step: str | Sentence


class NothingFollows(Sentence):
    """There is no further step."""

    template = "Nothing follows any more."


class StepsSolve(Sentence):
    """The end of an explanation that reaches the solution."""

    template = "{steps}; this is the only solution[ {continuing}]."
    steps: str
    continuing: str = ""


class StepsStuck(Sentence):
    """The end of an explanation where nothing more follows."""

    template = "{steps}; nothing more follows: {solutions}.[ {aside}]"
    steps: str
    solutions: str
    aside: str | Sentence = ""


class StuckWithout(Sentence):
    """Nothing more follows by the patterns that are allowed."""

    template = "[{steps}; ]nothing more follows without {patterns}"
    steps: str
    patterns: str


class LookFor(Sentence):
    """Where to look, and for which pattern."""

    template = "Look at {location}: {pattern}."
    location: str
    pattern: str


class StepsContradicted(Sentence):
    """The end of an explanation of a puzzle without a solution."""

    template = "{steps}; there is no solution[: {rule} cannot hold].[ {advice}]"
    steps: str
    rule: str = ""
    advice: str = ""


class StepsStopped(Sentence):
    """An explanation that was stopped."""

    template = "{steps}; stopped: {reason}."
    steps: str
    reason: str
