"""Contradictions: what is broken where an assumption leads no further."""

from __future__ import annotations

from puzzlekit.sentences.sentence import Sentence


class NoValueLeft(Sentence):
    """A cell without a value."""

    template = "{cell} has no value left"
    cell: str


class TwoValues(Sentence):
    """A cell with two values."""

    template = "{cell} has two values"
    cell: str


class NoPlaceFor(Sentence):
    """A group without a place for what it needs."""

    template = "{group} has no place for {needed}[ (only open: {positions})]"
    group: str
    needed: str
    positions: str = ""

    def naming(self, positions: str) -> NoPlaceFor:
        """Return the same with the places that are open until then."""
        return NoPlaceFor(self.group, self.needed, positions)


class NoneHolds(Sentence):
    """What does not hold of any of several things."""

    template = "{facts}"
    facts: str


class NoPlaceLeftFor(Sentence):
    """A value that has no place at all."""

    template = "{value} has no place left"
    value: str


class TooFewPlaces(Sentence):
    """A group with too few places for what it needs."""

    template = "{group} {statement} for {needed}"
    group: str
    needed: str
    statement: str = "lacks places"


class TooFewValues(Sentence):
    """Cells with fewer values than they are."""

    template = "{cells} have only {values} left"
    cells: str
    values: str


class HasTwice(Sentence):
    """A group that has a value twice."""

    template = "{group} has {value} twice"
    group: str
    value: str


class HasTooMany(Sentence):
    """A group with more than it may have."""

    template = "{group} has more than {needed}"
    group: str
    needed: str


class NoRoomFor(Sentence):
    """A group whose last places are too few, or lie where a rule or a clue allows fewer."""

    template = (
        "{group} has only {positions} left for {needed}[ ({rule})]"
        "[, of which {clue} allows {allowed}]"
    )
    group: str
    positions: str
    needed: str
    rule: str = ""
    clue: str = ""
    allowed: str = ""


class RuleBroken(Sentence):
    """A rule, and the facts that break it."""

    template = "{facts}, but {rule}"
    facts: str
    rule: str | Sentence


class WouldBreak(Sentence):
    """What would be so of several things, which a rule forbids."""

    template = "{breach}[ ({rule})]"
    breach: str
    rule: str | Sentence = ""


class ClueBroken(Sentence):
    """A clue that cannot be right."""

    template = "{clue} cannot be right[: {rule}]"
    clue: str
    rule: str = ""


class ClueMissed(Sentence):
    """A clue that cannot be right, and the numbers that could stand there."""

    template = "[{rows}, and ]{clue} would be {numbers}[: {rule}]"
    clue: str
    numbers: str
    rule: str = ""
    rows: Sentence | None = None


class LineCouldOnlyBe(Sentence):
    """The rows of values that would be left to a line."""

    template = "{line} could only be {rows}"
    line: str
    rows: str


class GraphBroken(Sentence):
    """How a rule about a graph is broken."""

    template = "{reason}[ ({rule})]"
    reason: str | Sentence
    rule: str | Sentence
