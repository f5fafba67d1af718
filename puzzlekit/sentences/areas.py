"""The sentences of explanations about areas: what they reach, and what would be cut off."""

from __future__ import annotations

import re

from puzzlekit.sentences.sentence import Sentence

CELLS = re.compile(r"(\w) cell(s?)$")


class FollowsFromArea(Sentence):
    """Facts that follow from a look at an area."""

    template = "{facts}: {reason}"
    capitalized = True
    facts: str
    reason: Sentence


class FollowsByExclusion(Sentence):
    """To what a cell belongs, or that it belongs to nothing, where all else is excluded."""

    template = "{facts}[, as {given}][: {reason}]"
    capitalized = True
    facts: str
    given: str
    reason: str = ""


class Without(Sentence):
    """What would be if something did not hold."""

    template = "without {pronoun} {conflict}"
    pronoun: str
    conflict: Sentence


class HasRoom(Sentence):
    """An area that cannot have more cells."""

    template = "{area} {verb} room for only {room}"
    area: str
    verb: str
    room: str


class NoOtherRoom(Sentence):
    """An area that needs all the cells that it can have."""

    template = "{area} can only grow there"
    area: str


class NeedsIt(Sentence):
    """An area that lacks room without a cell."""

    template = "{area} {verb} {pronoun}"
    area: str
    verb: str
    pronoun: str


class NoneCanContain(Sentence):
    """Cells that can belong to nothing."""

    template = "no {noun} can contain {pronoun}"
    noun: str
    pronoun: str


class ButNot(Sentence):
    """That a cell belongs to an area, and another one does not."""

    template = "{facts}, but {cell} cannot"
    facts: str
    cell: str


class CornerOfBoard(Sentence):
    """A part of something connected, by the corner of the board in it."""

    template = "the {corner} corner"
    corner: str


class TwoReasons(Sentence):
    """Facts that follow from a look at areas, and others that follow from another look."""

    template = "{first}; {second}"
    first: Sentence
    second: Sentence


class ThingsAround(Sentence):
    """A part of something connected, by one of its cells."""

    template = "the {things} around {cell}"
    things: str
    cell: str


class Touches(Sentence):
    """A cell beside a region with the same number."""

    template = "{cell} touches {area}"
    cell: str
    area: str


class RoomThere(Sentence):
    """How many cells there are for numbers that would stand somewhere."""

    template = "{numbers} would have room for only {room}[ ({cells})][, as {touching}]"
    numbers: str
    room: str
    cells: str = ""
    touching: str = ""


class IsComplete(Sentence):
    """A region that has all its cells."""

    template = "{area} {verb} complete"
    area: str
    verb: str


class WouldMake(Sentence):
    """Cells that would make too large a region together."""

    template = "with {cells} it would make {many}"
    cells: str
    many: str


class AreJoined(Sentence):
    """Cells that are too large a region."""

    template = "{many} are joined[ ({cells})]"
    many: str
    cells: str = ""


class NotReached(Sentence):
    """Cells that areas are too far away from."""

    template = "{areas} cannot reach {pronoun}"
    areas: str
    pronoun: str


class WouldNeed(Sentence):
    """A cell that an area is too far away from, by how many cells it would have with it."""

    template = "{area} would need {number}"
    area: str
    number: str


class NothingLeftFor(Sentence):
    """A cell beside an area that needs all cells that it may still have elsewhere."""

    template = "{area} has no cell left for it"
    area: str


class TheLine(Sentence):
    """A line of a loop, and where it is."""

    template = "the line {where}"
    where: str


class IsCutOff(Sentence):
    """A part of something connected that is apart from the rest."""

    template = "{cells} {verb} cut off"
    cells: str
    verb: str


class ValuesAt(Sentence):
    """A value, and the cells that have it."""

    template = "the {values} at {cells}"
    values: str
    cells: str


def as_neighbours(number: str, them: str = "it") -> str:
    """Return so many things as they stand beside a cell.

    Examples:
        >>> as_neighbours("two shaded cells"), as_neighbours("no lamp")
        ('two shaded neighbours', 'no lamp beside it')
    """
    neighbours = CELLS.sub(r"\1 neighbour\2", number)
    return neighbours if neighbours != number else f"{number} beside {them}"


def all_neighbours(number: str, them: str = "it", its: str = "its") -> str:
    """Return all things that a cell may have beside it.

    Examples:
        >>> all_neighbours("two shaded cells"), all_neighbours("one shaded cell")
        ('its two shaded neighbours', 'its shaded neighbour')
    """
    text = as_neighbours(number, them)
    if text.endswith(them):
        return text
    return f"{its} {text.removeprefix('one ')}"


class HasBeside(Sentence):
    """A cell with too many or too few of something beside it."""

    template = "{cell} has {number}"
    cell: str
    number: str


class EachHasBeside(Sentence):
    """Cells that have as many of something beside them as they may have."""

    template = "{cells} each have {number}"
    cells: str
    number: str


class WouldHaveBeside(Sentence):
    """What a cell would have too many or too few of beside it."""

    template = "else it would have {number}"
    number: str


class WouldTouchBoth(Sentence):
    """Two cells that a cell would touch, of which it may touch only one."""

    template = "else it would touch both {first} and {second}"
    first: str
    second: str


class HasAllBeside(Sentence):
    """Facts that follow as a cell has all beside it that it may have."""

    template = "{facts}: {cell} has {number} already[ ({positions})]"
    capitalized = True
    facts: str
    cell: str
    number: str
    positions: str = ""


class NeedsBeside(Sentence):
    """A cell that needs something beside it."""

    template = "{cell} needs {number}"
    cell: str
    number: str


class OnlyPlaceBeside(Sentence):
    """The only place for what a cell needs beside it."""

    template = "{facts}: the only {noun} for {number} beside {cell}"
    capitalized = True
    facts: str
    noun: str
    number: str
    cell: str
