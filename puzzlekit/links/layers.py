"""The layers of a link and the fields of a spec: which value belongs to which part of a field.

A layer has places, such as the cells of a board or the lines beside it. Each kind of place is a
subclass of `Places`, which leads both ways: it fills the parts of fields with the values of a link,
and takes the values from the data of a puzzle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from puzzlekit.boards import Grid
from puzzlekit.errors import InputError
from puzzlekit.lang import PuzzleType
from puzzlekit.lang.data.collections import GridOf, ListOf, MapOf
from puzzlekit.links.form import BLANK, HOLES, LinkLayer
from puzzlekit.links.link_board import Board, BoardIndex, cell_at, has_runs, written
from puzzlekit.links.section import accepts
from puzzlekit.links.tokens import UNKNOWN

Slot = tuple[str, BoardIndex]  # a part of a field
DOTS = (
    ("centre", "right"),
    ("below", "corner"),
)  # the parts of a cell where dots may be, by odd row and odd column
COLOURS = {1: "", 2: "black "}  # of dots


class WrongPart(Exception):
    """A value that a field or a layer cannot take; `at` is its index among the values of the layer,
    if known.
    """

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


class Places:
    """The places that the values of a layer belong to: by default the cells of boards, a part of
    the value in each.

    Args:
        layer: The layer.
        kind: The type, whose fields the layer fills.
    """

    rim = 0  # rows above and columns to the left that have no values
    more = 0  # further rows and columns

    def __init__(self, layer: LinkLayer, kind: PuzzleType) -> None:
        self.layer, self.kind = layer, kind
        self.fields = layer.fields

    @property
    def beyond(self) -> int:
        """How many rows and columns the board has beyond those of the cells of a link."""
        return self.rim + self.more

    def places(self, board: Board) -> list[BoardIndex]:
        """Return the place of each value on a board."""
        return [(r + self.rim, c + self.rim) for r, c in board.cells(self.more)]

    def count(self, board: Board) -> int:
        """Return how many values the layer has."""
        return len(self.places(board))

    def size(self, data: Mapping[str, Any]) -> tuple[int, int] | None:
        """Return the width and height of the board that the data has; None if this layer does not
        show it.
        """
        board = data.get(self.fields[0]) if self.fields else None
        return (
            (board.width - self.beyond, board.height - self.beyond)
            if isinstance(board, Grid)
            else None
        )

    def fill(self, values: Sequence[Any], board: Board) -> None:
        """Put the values of the layer, the last of which may be missing, into the fields. Raises
        WrongPart.
        """
        places = self.places(board)
        if len(values) < len(places) and any(self._names_blank(name) for name in self.fields):
            raise WrongPart(f"the link ends before the last value of {self.fields[0]}", len(values))
        for at, (place, value) in enumerate(zip(places, padded(values, len(places)))):
            several = isinstance(value, tuple) and len(self.fields) > 1
            for name, part in zip(self.fields, value if several else [value] * len(self.fields)):
                text = self.ours(name, part, at)
                kind = self.kind.fields[name].type
                if text is None and not (isinstance(kind, GridOf) and kind.empty):
                    raise WrongPart(f"{name} of {self.kind.name} has a value in every cell", at)
                if text == HOLES:
                    board.holes.add(place)
                board.parts[name][place] = text

    def take(self, board: Board) -> list[Any]:
        """Return the values of the layer. Raises InputError for a field that has no place in it."""
        return [self._taken(place, board) for place in self.places(board)]

    def _taken(self, place: BoardIndex, board: Board) -> Any:
        texts = [board.given(name, place) for name in self.fields]
        texts = [
            None if text == HOLES and not self.layer.has_holes(name) else text
            for name, text in zip(self.fields, texts)
        ]
        parts = [self.theirs(name, text) for name, text in zip(self.fields, texts)]
        return (
            parts[0] if len(parts) == 1 else None if texts == [None] * len(texts) else tuple(parts)
        )

    def where(self, at: int, board: Board) -> str:
        """Return where a value stands, for messages; empty if that is not said."""
        return f" at {cell_at(self.places(board)[at])}"

    def ours(self, name: str, value: Any, at: int) -> str | None:
        """Return the text of a value in a field. Raises WrongPart."""
        table = self.layer.values.get(name, {})
        found = next((text for text, theirs in table.items() if value in theirs), None)
        if found is not None or value is None:
            return None if found == BLANK else found
        text = written(value) or ""
        if not accepts(self.kind.fields[name].type, text):
            raise WrongPart(f"{self.kind.name} cannot have {text} in {name}", at)
        low, high = bounds_of(self.kind, name)
        if isinstance(value, int) and (
            (low is not None and value < low) or (high is not None and value > high)
        ):
            ends = " ".join(
                f"{word} {end}" for word, end in (("from", low), ("to", high)) if end is not None
            )
            raise WrongPart(f"{name} of {self.kind.name} takes numbers {ends}, got {text}", at)
        return text

    def theirs(self, name: str, text: Any) -> Any:
        """Return the value that a link has for a text."""
        table = self.layer.values.get(name, {})
        if text is None and self._names_blank(name):
            return table[BLANK][0]
        if text is None or isinstance(text, tuple):
            return text
        return table[text][0] if text in table else int(text) if text.isdecimal() else text

    def _names_blank(self, name: str) -> bool:
        """Return whether a blank of the link stands for a value of the field, and a value for a
        blank.
        """
        return any(None in theirs for theirs in self.layer.values.get(name, {}).values())


def bounds_of(kind: PuzzleType, name: str) -> tuple[int | None, int | None]:
    """Return the least and the greatest number that a field takes, where its type says them."""
    bounds = (within.bounds for within in kind.within if within.field == name)
    return next((ends for ends in bounds if ends != (None, None)), (None, None))


def padded(values: Sequence[Any], count: int) -> list[Any]:
    """Return values, with blanks for those that are missing."""
    return [*values, *[None] * (count - len(values))]


class Corners(Places):
    """The corners of cells."""

    more = 1


class Holes(Places):
    """The cells that no board of the puzzle has: those with a value."""

    def size(self, data: Mapping[str, Any]) -> None:
        return None

    def fill(self, values: Sequence[Any], board: Board) -> None:
        board.holes |= {
            place for place, value in zip(self.places(board), values) if value is not None
        }

    def take(self, board: Board) -> list[Any]:
        grid = next(value for value in board.data.values() if isinstance(value, Grid))
        return [1 if cell_at(place) not in grid.values else None for place in self.places(board)]


class Inner(Places):
    """The cells of a board whose first row and column are a rim, which a layer `rim` fills."""

    rim = 1


class FrameClues(Inner):
    """The sums on the rim: down at columns and right at rows that begin with a blank cell.

    A second field says whether cells that are blank side by side lack their sum.
    """

    def places(self, board: Board) -> list[BoardIndex]:
        starts = [((0, c + 1), (1, c + 1)) for c in range(board.width)] + [
            ((r + 1, 0), (r + 1, 1)) for r in range(board.height)
        ]
        name = self.fields[0]
        return [
            place
            for place, first in starts
            if (board.given(name, first) if name in board.data else board.parts[name][first])
            is None
        ]

    def fill(self, values: Sequence[Any], board: Board) -> None:
        name, *flags = self.fields
        parts = board.parts[name]
        parts.update(
            {place: self.ours(name, (None, None), 0) for place in board.cells(1) if 0 in place}
        )
        for at, (place, value) in enumerate(zip(self.places(board), values)):
            parts[place] = self.ours(name, (None, value) if place[0] else (value, None), at)
        if any(
            self._lacks(place, text, parts) for place, text in parts.items() if text is not None
        ):
            board.values.update(dict.fromkeys(flags, True))

    def _lacks(self, place: BoardIndex, text: str, parts: Mapping[BoardIndex, str | None]) -> bool:
        """Return whether two blank cells follow a cell below or on the right, and it has no sum for
        them.
        """
        (row, column), sums = place, text.split("\\")
        runs = ((row + 1, column), (row + 2, column)), ((row, column + 1), (row, column + 2))
        return any(
            not one and all(parts.get(cell, "") is None for cell in run)
            for one, run in zip(sums, runs)
        )

    def take(self, board: Board) -> list[Any]:
        name, places = self.fields[0], self.places(board)
        for place in (place for place in board.cells(1) if 0 in place):
            sums = board.data[name].values.get(cell_at(place), (None, None))
            if sums is None or sums[not place[0]] is not None:
                raise self._wrong(
                    place, "the first row and column have no white cells, and no sums along them"
                )
            if place not in places and sums != (None, None):
                raise self._wrong(place, "this sum stands before a black cell")
        return [board.data[name].values[cell_at(place)][place[0] != 0] for place in places]

    def _wrong(self, place: BoardIndex, message: str) -> InputError:
        return InputError(f"a link cannot carry {self.fields[0]} at {cell_at(place)}: {message}")


class Dots(Places):
    """The centres of cells, the middles of their sides and their corners, inside the board: twice
    as close as cells.
    """

    def places(self, board: Board) -> list[BoardIndex]:
        return [(r, c) for r in range(2 * board.height - 1) for c in range(2 * board.width - 1)]

    def fill(self, values: Sequence[Any], board: Board) -> None:
        (name,) = self.fields
        parts = board.parts[name] = dict.fromkeys(board.cells())
        for at, ((r, c), value) in enumerate(zip(self.places(board), values)):
            if value is not None:
                text = self.ours(name, COLOURS[value] + DOTS[r % 2][c % 2], at)
                if parts[r // 2, c // 2] is not None:
                    raise WrongPart("there are two dots at one cell", at)
                parts[r // 2, c // 2] = text

    def take(self, board: Board) -> list[Any]:
        (name,) = self.fields
        found = {}
        for r, c in board.cells():
            text = board.given(name, (r, c))
            if text is not None and text != HOLES:
                *black, part = str(self.theirs(name, text)).split()
                down, right = next((d, e) for d in (0, 1) for e in (0, 1) if DOTS[d][e] == part)
                found[2 * r + down, 2 * c + right] = 2 if black else 1
        return [found.get(place) for place in self.places(board)]


class Edges(Places):
    """The edges between neighbours: those between regions have the value 1."""

    def count(self, board: Board) -> int:
        return len(board.edges())

    def fill(self, values: Sequence[Any], board: Board) -> None:
        board.walls = {pair for pair, border in zip(board.edges(), values) if border is not None}
        board.find_regions()

    def take(self, board: Board) -> list[Any]:
        return [
            1 if board.regions[one] != board.regions[other] else None
            for one, other in board.edges()
        ]


class Rooms(Places):
    """The regions that the borders make; in a spec, a value stands in one cell of its region, or
    with its label.
    """

    @property
    def _by_label(self) -> bool:
        return isinstance(self.kind.fields[self.fields[0]].type, MapOf)

    def size(self, data: Mapping[str, Any]) -> tuple[int, int] | None:
        return None if self._by_label else super().size(data)

    def places(self, board: Board) -> list[BoardIndex]:
        return board.first_cells

    def fill(self, values: Sequence[Any], board: Board) -> None:
        (name,) = self.fields
        if self._by_label:
            known = [
                value for at, value in enumerate(values) if self.ours(name, value, at) is not None
            ]
            places = (place for place, value in zip(board.first_cells, values) if value is not None)
            board.of_regions[name] = dict(zip(places, known))
        else:
            board.parts[name].update(dict.fromkeys(board.cells()))
            super().fill(values, board)

    def take(self, board: Board) -> list[Any]:
        (name,) = self.fields
        if self._by_label:
            return [
                board.data[name].get(board.label_of[board.regions[place]])
                for place in board.first_cells
            ]
        found: dict[int, str] = {}
        for place in board.cells():
            text = board.given(name, place)
            if text not in (None, HOLES) and found.setdefault(board.regions[place], text) != text:
                raise InputError(f"a region has two values in {name}, and a link has room for one")
        return [self.theirs(name, found.get(board.regions[place])) for place in board.first_cells]


class Sides(Places):
    """The lines outside: those of columns, then those of rows. The fields of a group take turns,
    the nearest one first.

    A list of lists has as many values at each line as it may have runs, the last run first.
    Elsewhere an unknown value is none.
    """

    def size(self, data: Mapping[str, Any]) -> tuple[int, int] | None:
        return len(data[self.fields[0]]), len(data[self.fields[-1]])

    def slots(self, board: Board) -> list[Slot]:
        """Return the field, the line and the number of each value."""
        found: list[Slot] = []
        for number, names in enumerate(self.layer.groups):
            columns = number < len(self.layer.groups) // 2
            lines, across = (board.width, board.height) if columns else (board.height, board.width)
            most = {
                name: -(-across // 2) if has_runs(self.kind.fields[name].type) else 1
                for name in names
            }
            found += [
                (name, (line, n))
                for line in range(lines)
                for name in names
                for n in reversed(range(most[name]))
            ]
        return found

    def count(self, board: Board) -> int:
        return len(self.slots(board))

    def fill(self, values: Sequence[Any], board: Board) -> None:
        slots = self.slots(board)
        for at, ((name, place), value) in enumerate(zip(slots, padded(values, len(slots)))):
            unknown = value == UNKNOWN and not has_runs(self.kind.fields[name].type)
            board.parts[name][place] = None if unknown else self.ours(name, value, at)

    def take(self, board: Board) -> list[Any]:
        slots, found = self.slots(board), dict[Slot, Any]()
        for name in self.fields:
            places = [place for own, place in slots if own == name]
            values, length, most = board.data[name] or (), places[-1][0] + 1, places[0][1] + 1
            several = has_runs(self.kind.fields[name].type)
            if not several and len(values) != length and board.data[name] is not None:
                raise InputError(
                    f"{name} has {len(values)} values for a board of {board.width}×{board.height} cells"
                )
            for line, value in enumerate(values):
                if several and value is None:
                    raise InputError(
                        f"{name} has a line without a clue, and in a link such a line has no runs"
                    )
                runs = (
                    [run for run in value if run != 0]
                    if several
                    else [self.theirs(name, written(value))]
                )
                if len(runs) > most:
                    raise InputError(
                        f"a line of {name} has {len(runs)} runs, and a link has room for {most}"
                    )
                found |= {
                    (name, (line, most - number)): run
                    for number, run in enumerate(reversed(runs), 1)
                }
        return [found.get(slot) for slot in slots]

    def where(self, at: int, board: Board) -> str:
        return ""


class Number(Places):
    """A single number, or how many of the first letters of the alphabet a list has. Without it the
    field is empty.
    """

    def count(self, board: Board) -> int:
        return 1

    def size(self, data: Mapping[str, Any]) -> None:
        return None

    @property
    def _is_list(self) -> bool:
        return isinstance(self.kind.fields[self.fields[0]].type, ListOf)

    def fill(self, values: Sequence[Any], board: Board) -> None:
        (name,) = self.fields
        if not values:
            board.values[name] = None
            return
        if self._is_list and not 1 <= values[0] <= 26:
            raise WrongPart("a number of letters from 1 to 26 is expected")
        if not self._is_list:
            self.ours(name, values[0], 0)
        board.values[name] = _letters(values[0]) if self._is_list else values[0]

    def take(self, board: Board) -> list[Any]:
        value = board.data[self.fields[0]]
        if self._is_list and list(map(str, value)) != _letters(len(value)):
            raise InputError(
                f"{self.fields[0]} must be the first letters of the alphabet, in order"
            )
        return [len(value) if self._is_list else value]

    def where(self, at: int, board: Board) -> str:
        return ""


def _letters(count: int) -> list[str]:
    return [chr(ord("a") + number) for number in range(count)]
