"""The sentences of explanations: what follows, from which facts, by which rules."""

from __future__ import annotations

from puzzlekit.sentences.sentence import Phrase, Sentence


class GraphReason(Phrase):
    """Why a rule about a graph says more than its name: of one fact, and of several."""

    CANNOT_MEET = ("they cannot meet",)
    CUT_OFF = "it would be cut off", "they would be cut off"
    PASSED = ("without it two parts could not meet",)
    LEADS_TO_DEAD_END = "it leads to a dead end", "they lead to a dead end"
    WOULD_LEAD_TO_DEAD_END = "it would lead to a dead end", "they would lead to a dead end"
    CLOSES_SMALL_LOOP = "it closes a small loop", "they close a small loop"
    WOULD_CLOSE_SMALL_LOOP = "it would close a small loop", "they would close a small loop"
    LOOP_IS_CLOSED = ("the loop is closed",)
    CLOSE_LOOP = ("they close a loop",)
    WOULD_CLOSE_LOOP = "it would close a loop", "they would close a loop"
    SO_MANY_JOINED = ("so many are joined already",)
    NO_MORE_REACHED = ("no more can be reached",)
    ONE_SIZE = ("a region has one size",)
    GROWS_ONLY_THERE = "it can grow only there", "they can grow only there"
    TOO_LARGE = ("the region would be too large",)
    DIFFERENT_SIZES = ("the regions have different sizes",)


class RulePart(Phrase):
    """A part of a rule that is told by itself."""

    AT_A_VERTEX = ("it neither ends nor forks",)


class AtVertex(Phrase):
    """What a loop does not do at a vertex, with one line or with several."""

    LOOP = "a loop does not end there", "a loop does not fork"


class BrokenRules(Phrase):
    """What is broken if a fact does not hold."""

    BROKEN = "this rule", "one of these rules"


# Rules --------------------------------------------------------------------------------------------


class RuleName(Sentence):
    """A rule, and where it stands."""

    template = "{rule}[ ({where})]"
    rule: str
    where: str = ""


class RuleInParentheses(Sentence):
    """A rule, and where it stands, within parentheses."""

    template = "{rule}[: {where}]"
    rule: str
    where: str = ""


class PartAt(Sentence):
    """A part of a rule, and where."""

    template = "{rule_part}[ at {where}]"
    rule_part: str
    where: str = ""


class CluesAt(Sentence):
    """Clues, and where they stand."""

    template = "{clues} at {index}"
    clues: str
    index: str


class NumberIn(Sentence):
    """A number that a rule is about, and the row or the group it is about."""

    template = "{number} in {group}"
    number: str
    group: str


class NumberAt(Sentence):
    """A number that a rule is about, and the cells it is about."""

    template = "{number} at {cells}"
    number: str
    cells: str


# Steps --------------------------------------------------------------------------------------------


class Follows(Sentence):
    """Facts that follow from rules and earlier facts."""

    template = "{facts}[, since {given}]: {rules}"
    capitalized = True
    facts: str
    rules: tuple[Sentence, ...]
    given: str | Sentence = ""


class FollowsFromGraph(Sentence):
    """Facts that follow from a rule about a graph, with the reason why."""

    template = "{facts}, since {reason}: {rules}"
    capitalized = True
    facts: str
    reason: str
    rules: tuple[Sentence, ...]


class FollowsAtVertex(Sentence):
    """Lines that follow from others at a vertex of a loop."""

    template = "{facts}, since {given}, and {loop}: {rules}"
    capitalized = True
    facts: str
    given: str
    loop: str
    rules: tuple[str | Sentence, ...]


class FollowsByTrial(Sentence):
    """Facts whose opposite breaks rules."""

    template = "{facts}, since otherwise {broken} would be broken[, given that {given}]: {rules}"
    capitalized = True
    facts: str
    broken: str
    rules: tuple[Sentence, ...]
    given: str = ""


class OnlyPlace(Sentence):
    """The only place of a value in a row or another group."""

    template = "{fact}, since nothing else in {group} can be {value}: {given} ({rules})"
    capitalized = True
    fact: str
    group: str
    value: str
    given: str
    rules: str


class GroupHas(Sentence):
    """The values that are in a row or another group."""

    template = "{group} has {values}"
    group: str
    values: str


class NothingElseLeft(Sentence):
    """The last value of an unknown."""

    template = "{fact}, since nothing else is left: {because}[ ({rules})]"
    capitalized = True
    fact: str
    because: tuple[str | Sentence, ...]
    rules: str = ""


class GivenAndSo(Sentence):
    """Earlier facts, and what follows from them one after the other."""

    template = "{given}, and so {conclusions}"
    given: str
    conclusions: str


class FactsByRules(Sentence):
    """Facts on the way to a contradiction, with their rules."""

    template = "{facts} ({rules})"
    facts: str
    rules: tuple[str | Sentence, ...]


class BrokenBecause(Sentence):
    """How a rule is broken."""

    template = "{reason} ({rules})"
    reason: str
    rules: tuple[str | Sentence, ...]


class LeadsToContradiction(Sentence):
    """A fact whose opposite leads to a broken rule, one rule after the other."""

    template = "{fact}[, since {given}]: otherwise {chain}, but {broken}"
    capitalized = True
    fact: str
    chain: str
    broken: str | Sentence
    given: str | Sentence = ""


class WithMeaning(Sentence):
    """A step, and what its facts mean for other unknowns of the same place."""

    template = "{step}; so {facts} ({rules})"
    step: Sentence
    facts: str
    rules: str


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


class StepsContradicted(Sentence):
    """The end of an explanation of a puzzle without a solution."""

    template = "{steps}; there is no solution[ {continuing}][: {rule} cannot hold]."
    steps: str
    continuing: str = ""
    rule: str = ""


class StepsStopped(Sentence):
    """An explanation that was stopped."""

    template = "{steps}; stopped: {reason}."
    steps: str
    reason: str
