"""The sentences of explanations about lines at vertices: where they go on, end or meet."""

from __future__ import annotations

from puzzlekit.sentences.sentence import Phrase, Sentence


class LineEnd(Phrase):
    """An end of a line that was just named: at which it is."""

    LEFT = ("the left",)
    RIGHT = ("the right",)
    TOP = ("the top",)
    BOTTOM = ("the bottom",)


class OnlyWayOn(Sentence):
    """A loop that can only go on in one direction, from a vertex or after a line."""

    template = "{facts}: the only way on[ from {vertex}][ for {line}]"
    capitalized = True
    facts: str
    vertex: str = ""
    line: str = ""


class OnlyWaysOn(Sentence):
    """A loop that can only go on in one direction, at several vertices in a row."""

    template = "from {vertex}, there is only one way on: {facts}"
    capitalized = True
    vertex: str
    facts: str


class OnlyPath(Sentence):
    """A loop that can only go on along a path, by the cells at which it turns."""

    template = "from {vertex}, the line can only go {path}"
    capitalized = True
    vertex: str
    path: str


class NoOtherWay(Sentence):
    """Links of a loop at cells that it passes, and that leave no other way."""

    template = "{facts}: there is no other way at {cells}"
    capitalized = True
    facts: str
    cells: str


class WouldEndInTurn(Sentence):
    """Links of a loop that have no way on, one after the other."""

    template = "{facts}: each in turn would end, the first at {vertex}"
    capitalized = True
    facts: str
    vertex: str


class TwoMeet(Sentence):
    """A vertex at which a loop has both of its links."""

    template = "{facts}: two already meet at {vertex}"
    capitalized = True
    facts: str
    vertex: str


class LinesAtVertex(Sentence):
    """How many of the lines of a count are at a vertex."""

    template = "{group} has {number} at {vertex}[, {reason}]"
    group: str
    number: str
    vertex: str
    reason: str = ""


class CountsAtVertices(Sentence):
    """What counts and vertices say of the lines that they share."""

    template = "{shares}; so {facts}"
    capitalized = True
    separator = "; so "
    shares: tuple[Sentence, ...]
    facts: str


class WouldEnd(Sentence):
    """A link of a loop that has no way on."""

    template = "{facts}: it would end at {vertex}"
    capitalized = True
    facts: str
    vertex: str


class OnlyWayFrom(Sentence):
    """Why a loop goes on in a line of a chain, from a vertex or after a line."""

    template = "the only way on[ from {vertex}][ for {line}]"
    vertex: str = ""
    line: str = ""


class OnlyWaysFrom(Sentence):
    """Why a loop goes on in a line of a chain, at several vertices in a row."""

    template = "from {vertex}, there is only one way on"
    vertex: str


class NoOtherWayAt(Sentence):
    """Why a loop goes along the last links at a cell in a line of a chain."""

    template = "there is no other way at {cell}"
    cell: str


class EndInTurn(Sentence):
    """Why a loop does not go along several links in a line of a chain."""

    template = "each in turn would end, the first at {vertex}"
    vertex: str


class TwoMeetAt(Sentence):
    """Why a loop goes nowhere else in a line of a chain."""

    template = "two already meet at {vertex}"
    vertex: str


class TwoLinesMeet(Sentence):
    """Vertices at which a loop has both of its links."""

    template = "two lines meet at {vertices}"
    vertices: str


class WouldEndAt(Sentence):
    """Why a loop does not go somewhere in a line of a chain."""

    template = "it would end at {vertex}"
    vertex: str


class CannotGoOn(Sentence):
    """A loop that has no way on."""

    template = "the line cannot go on from {vertex}"
    vertex: str


class WaysOut(Sentence):
    """A cell that a loop passes, and how many ways it has out of there."""

    template = "{cell} {count} out"
    cell: str
    count: str


class DeadEnd(Sentence):
    """A cell of a loop with only one way out of it."""

    template = "{cell} would be a dead end"
    cell: str


class CannotPass(Sentence):
    """A cell that a loop has to pass, without a way in and out."""

    template = "the line cannot pass {cell}"
    cell: str


class CannotComeBack(Sentence):
    """An area in which a loop would come to a dead end."""

    template = "the line could not come back from {cells}"
    cells: str


class LoopIsClosed(Sentence):
    """A loop that is complete, so that nothing is left to be decided."""

    template = "No further line is drawn: the loop is closed"


class SmallLoop(Sentence):
    """A loop that is closed too soon, and where it is."""

    template = "{reason}[ {where}]"
    reason: str
    where: str = ""


class ThreeMeetAt(Sentence):
    """A loop that forks."""

    template = "three lines meet at {vertex}"
    vertex: str
