"""Layers whose values belong to cells, corners, edges or regions of boards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import InputError
from puzzlekit.lang.data.grids import GridOf
from puzzlekit.lang.link_forms import HOLES
from puzzlekit.links.places import Board, Filling, Given, Place, Places, WrongPart

PARTS = (("centre", "right"), ("below", "corner"))  # of a cell where dots may be, by odd row and odd column
COLOURS = {1: "", 2: "black "}  # of dots


class Cells(Places):
    """The cells of boards, of which each value has one part for each field."""

    more = 0  # rows and columns beyond those of the cells

    def size(self, data: Mapping[str, Any]) -> tuple[int, int] | None:
        board = data.get(self.fields[0]) if self.fields else None
        return (board.width - self.more, board.height - self.more) if isinstance(board, Grid) else None

    def count(self, board: Board) -> int:
        return len(board.cells(self.more))

    def fill(self, values: Sequence[Any], puzzle: Filling) -> None:
        if not self.fields:
            return self.blank(values)
        places = puzzle.cells(self.more)
        values = [*values, *[None] * (len(places) - len(values))]
        if self.fields == (HOLES,):
            puzzle.holes |= {place for place, value in zip(places, values) if value is not None}
            return None
        for at, (place, value) in enumerate(zip(places, values)):
            self.cell(place, value, at, puzzle)
        return None

    def cell(self, place: Place, value: Any, at: int, puzzle: Filling) -> None:
        """Put one value into the cells of all fields."""
        parts = value if isinstance(value, tuple) else [value] * len(self.fields)
        for name, part in zip(self.fields, parts):
            text = self.ours(name, part, at)
            if text is None and not self.may_be_blank(name):
                raise WrongPart(f"{name} of {self.kind.name} has a value in every cell", at)
            if text == HOLES:
                puzzle.holes.add(place)
            puzzle.boards[name][place] = text

    def where(self, at: int, board: Board) -> str:
        return f" at {cell_at(board.cells(self.more)[at])}"

    def may_be_blank(self, name: str) -> bool:
        """Return whether a cell of a field may hold nothing."""
        kind = self.kind.fields[name].type
        return isinstance(kind, GridOf) and kind.empty

    def take(self, puzzle: Given) -> list[Any]:
        return [self.value(place, puzzle) for place in puzzle.cells(self.more)]

    def value(self, place: Place, puzzle: Given) -> Any:
        """Return the value of one place."""
        if not self.fields:
            return None
        if self.fields == (HOLES,):
            boards = [board for board in puzzle.data.values() if isinstance(board, Grid)]
            return 1 if cell_at(place) not in boards[0].values else None
        texts = [puzzle.text(name, place) for name in self.fields]
        texts = [None if text == HOLES and not self.holes(name) else text for name, text in zip(self.fields, texts)]
        parts = [self.theirs(name, text) for name, text in zip(self.fields, texts)]
        return parts[0] if len(parts) == 1 else None if texts == [None] * len(texts) else tuple(parts)

    def holes(self, name: str) -> bool:
        """Return whether the layer has a value for holes."""
        return HOLES in self.layer.values.get(name, {})


class Corners(Cells):
    """The corners of cells."""

    more = 1


class Rim(Corners):
    """The cells, and a row above and a column to the left; a second field says whether runs lack their sums."""

    def fill(self, values: Sequence[Any], puzzle: Filling) -> None:
        name, *flags = self.fields
        for at, (place, value) in enumerate(zip(puzzle.cells(1), values)):
            puzzle.boards[name][place] = self.ours(name, value, at)
        for flag in flags:
            if self._lacks(values, puzzle.width + 1):
                puzzle.values[flag] = True

    def _lacks(self, values: Sequence[Any], width: int) -> bool:
        """Return whether a run of two white cells or more has no sum."""
        for at, value in enumerate(values):
            for part, step, last in ((0, width, len(values)), (1, 1, at - at % width + width)):
                run = [values[place] for place in range(at + step, min(last, at + 2 * step + 1), step)]
                if value is not None and value[part] is None and len(run) == 2 and run == [None, None]:
                    return True
        return False

    def value(self, place: Place, puzzle: Given) -> Any:
        board = puzzle.data[self.fields[0]]
        return board.values.get(cell_at(place), (None, None))


class Dots(Cells):
    """The centres of cells, the middles of their sides and their corners, inside the board."""

    def places(self, board: Board) -> list[Place]:
        """Return the places of dots, twice as close as cells."""
        return [(r, c) for r in range(2 * board.height - 1) for c in range(2 * board.width - 1)]

    def count(self, board: Board) -> int:
        return len(self.places(board))

    def fill(self, values: Sequence[Any], puzzle: Filling) -> None:
        (name,) = self.fields
        board = puzzle.boards[name]
        board.update(dict.fromkeys(puzzle.cells()))
        for at, ((r, c), value) in enumerate(zip(self.places(puzzle), values)):
            if value is not None:
                text = self.ours(name, COLOURS[value] + PARTS[r % 2][c % 2], at)
                if board[r // 2, c // 2] is not None:
                    raise WrongPart("there are two dots at one cell", at)
                board[r // 2, c // 2] = text

    def take(self, puzzle: Given) -> list[Any]:
        (name,) = self.fields
        found = {}
        for r, c in puzzle.cells():
            text = puzzle.text(name, (r, c))
            if text is not None and text != HOLES:
                *black, part = str(self.theirs(name, text)).split()
                down, right = next((d, e) for d in (0, 1) for e in (0, 1) if PARTS[d][e] == part)
                found[2 * r + down, 2 * c + right] = 2 if black else 1
        return [found.get(place) for place in self.places(puzzle)]


class Edges(Cells):
    """The edges between neighbours: those between regions have the value 1."""

    def count(self, board: Board) -> int:
        return len(board.edges())

    def fill(self, values: Sequence[Any], puzzle: Filling) -> None:
        if not self.fields:
            return self.blank(values)
        borders = [*values, *[None] * (self.count(puzzle) - len(values))]
        puzzle.regions = regions_of(puzzle, [pair for pair, border in zip(puzzle.edges(), borders) if border is None])
        return None

    def take(self, puzzle: Given) -> list[Any]:
        if not self.fields:
            return [None] * self.count(puzzle)
        return [1 if puzzle.regions[one] != puzzle.regions[other] else None for one, other in puzzle.edges()]


class Rooms(Cells):
    """The regions that the borders make; in a spec, a value stands in one cell of its region."""

    def count(self, board: Board) -> int:
        return len(board.first_cells)

    def fill(self, values: Sequence[Any], puzzle: Filling) -> None:
        (name,) = self.fields
        board = puzzle.boards[name]
        board.update(dict.fromkeys(puzzle.cells()))
        for at, (place, value) in enumerate(zip(puzzle.first_cells, values)):
            board[place] = self.ours(name, value, at)

    def take(self, puzzle: Given) -> list[Any]:
        (name,) = self.fields
        found: dict[int, str | None] = {}
        for place in puzzle.cells():
            text = puzzle.text(name, place)
            if text not in (None, HOLES) and found.setdefault(puzzle.regions[place], text) != text:
                raise InputError(f"a region has two values in {name}, and a link has room for one")
        rooms = [puzzle.regions[place] for place in puzzle.first_cells]
        return [self.theirs(name, found.get(room)) for room in rooms]


def cell_at(place: Place) -> Cell:
    """Return the cell at a place."""
    return Cell(place[0] + 1, place[1] + 1)


def regions_of(board: Board, joins: Iterable[tuple[Place, Place]]) -> dict[Place, int]:
    """Return the number of each cell's region, counted in reading order, where pairs of cells are joined."""
    joined: dict[Place, list[Place]] = {place: [] for place in board.cells()}
    for one, other in joins:
        joined[one].append(other)
        joined[other].append(one)
    regions: dict[Place, int] = {}
    number = 0
    for place in joined:
        if place not in regions:
            regions[place] = number
            reached = [place]
            for cell in reached:
                new = [other for other in joined[cell] if other not in regions]
                regions.update(dict.fromkeys(new, number))
                reached += new
            number += 1
    return regions
