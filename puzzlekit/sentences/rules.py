"""The names of rules in sentences, of their clues and of groups."""

from __future__ import annotations

from puzzlekit.sentences.sentence import Phrase, Sentence


class GraphReason(Phrase):
    """Why a rule about a graph says more than its name: of one fact, and of several."""

    PART_CUT_OFF = ("a part is cut off",)
    CUT_OFF = "it would be cut off", "they would be cut off"
    PASSED = ("without it a part would be cut off",)
    LEADS_TO_DEAD_END = "it leads to a dead end", "they lead to a dead end"
    WOULD_LEAD_TO_DEAD_END = "it would lead to a dead end", "they would lead to a dead end"
    CLOSES_SMALL_LOOP = ("a small loop is closed",)
    WOULD_CLOSE_SMALL_LOOP = "it would close a small loop", "they would close a small loop"
    LOOP_IS_CLOSED = ("the loop is closed",)
    CLOSE_LOOP = ("they close a loop",)
    WOULD_CLOSE_LOOP = "it would close a loop", "they would close a loop"
    SO_MANY_JOINED = ("so many are joined already",)
    NO_MORE_REACHED = ("too few can be reached",)
    ONE_SIZE = ("a region has one size",)
    GROWS_ONLY_THERE = "it can grow only there", "they can grow only there"
    TOO_LARGE = ("the region would be too large",)
    DIFFERENT_SIZES = ("the regions have different sizes",)
    COMPLETE = ("the region is complete",)
    ROOM = ("there is too little room",)
    NO_ROOM = "it has no room", "they have no room"
    TOO_FAR = "it is too far away", "they are too far away"


class RulePart(Phrase):
    """A part of a rule that is told by itself: that it holds, and that it is broken."""

    AT_A_VERTEX = "the line neither ends nor forks", "the line ends or forks"

    def __init__(self, holding: str, broken: str) -> None:
        super().__init__(holding)
        self.broken = broken


class RuleName(Sentence):
    """A rule, and where it stands."""

    template = "{rule}[ ({where})]"
    rule: str
    where: str = ""


class AndSoOn(Sentence):
    """The last rule that is told of many that differ in their values."""

    template = "{rule} and so on"
    rule: str


class RuleInside(Sentence):
    """A rule, and where it stands, within parentheses."""

    template = "{rule}[: {where}]"
    rule: str
    where: str = ""


class PartAt(Sentence):
    """A part of a rule, and where."""

    template = "{rule_part}[ at {where}]"
    rule_part: str
    where: str = ""


class TheClue(Sentence):
    """A rule that is named by its clue alone, as it was told in full before."""

    template = "{clue}"
    clue: str


class CluesAt(Sentence):
    """Clues, and where they stand."""

    template = "{clues} at {index}"
    clues: str
    index: str


class GroupAt(Sentence):
    """One of several groups of the same name."""

    template = "{name} at {cell}"
    name: str
    cell: str


class NumberIn(Sentence):
    """A number that a rule is about, and the row or the group it is about."""

    template = "{number} in {group}"
    number: str
    group: str


class NumberBeside(Sentence):
    """A number at an end of the line that it is about."""

    template = "{number} {side} {line}"
    number: str
    side: str
    line: str


class NumberAt(Sentence):
    """A number that a rule is about, and the cells it is about."""

    template = "{number} at {cells}"
    number: str
    cells: str
