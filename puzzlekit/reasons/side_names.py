"""Sides and corners of cells in words, from the cells that a sentence speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

from puzzlekit.boards import Cell, Corner, Grid, Side, corner_name, side_name
from puzzlekit.sentences import Located

PREPOSITIONS = {"top": "above", "bottom": "below"}  # others as `left of`, `upper left of`


class SideNames:
    """Names sides and corners, which belong to several cells.

    Within a sentence, each has one name: from the first of the cells that the sentence speaks of,
    or else from the cell below or right of it.

    Args:
        sides: The sides that unknowns are about.
        boards: The boards.
    """

    def __init__(self, sides: Iterable[Side], boards: Sequence[Grid] = ()) -> None:
        self._sides, self._boards = list(sides), boards
        self._cells: tuple[Cell, ...] = ()  # that the sentence speaks of

    @contextmanager
    def speaking_of(self, cells: Iterable[Cell]) -> Iterator[None]:
        """Name sides and corners from these cells, the first ones first."""
        self._cells = tuple(dict.fromkeys(cells))
        try:
            yield
        finally:
            self._cells = ()

    def side(self, side: Side) -> Located:
        """Return where a side is: `above r1c2`, `upper left of r1c2`."""
        for cell in self._cells:
            direction = side_name(cell, side)
            if direction:
                return _located(direction, cell)
        return _located(side.direction, side.cell)

    def all_names(self, side: Side) -> Iterator[str]:
        """Yield where a side is from each cell that has it: `above r2c1`, `bottom of r1c1`, and
        the cells themselves.
        """
        cells = {side.cell}
        for board in self._boards:
            first, second = (_cells_on(board, corner) for corner in side)
            cells |= first & second
        for cell in sorted(cells):
            direction = side_name(cell, side)
            if direction:
                yield f"{direction} of {cell}"
                yield str(_located(direction, cell))
                yield str(cell)

    def corner(self, corner: Corner) -> str:
        """Return the name of a corner: `the upper left corner of r1c2`."""
        return str(self.location(corner)).removeprefix("at ")

    def location(self, corner: Corner) -> Located:
        """Return where a corner is: `at the upper left corner of r1c2`."""
        for cell in (*self._cells, *self._cells_with(corner)):
            name = corner_name(cell, corner)
            if name:
                return Located(f"at the {name} corner of", str(cell))
        return Located("at", str(corner))

    def _cells_with(self, corner: Corner) -> Sequence[Cell]:
        """Return the cells with a corner, the one below or right of it first."""
        if corner in self._by_corner:
            return sorted(self._by_corner[corner], reverse=True)
        for board in self._boards:
            if cells := _cells_on(board, corner):
                return sorted(cells, reverse=True)
        return ()

    @cached_property
    def _by_corner(self) -> dict[Corner, set[Cell]]:
        """The cells of the sides that meet at each corner."""
        cells: dict[Corner, set[Cell]] = {}
        for side in self._sides:
            for corner in side:
                cells.setdefault(corner, set()).add(side.cell)
        return cells


def _cells_on(board: Grid, corner: Corner) -> set[Cell]:
    """Return the cells of a board with a corner; none if the board does not have it."""
    has_corner = board.form == corner.form and corner in board.corners
    return {*board.around(corner)} if has_corner else set()


def _located(direction: str, cell: Cell) -> Located:
    return Located(PREPOSITIONS.get(direction, f"{direction} of"), str(cell))
