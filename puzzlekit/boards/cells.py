"""Cells, groups of cells, corners and sides, named as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from puzzlekit.boards.lines import Lines
from puzzlekit.errors import InputError


class Cell(NamedTuple):
    """A place on a board; `row` and `column` count from 1.

    >>> str(Cell(1, 2))
    'r1c2'
    """

    row: int
    column: int

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}"

    def __repr__(self) -> str:
        return str(self)


class Cells(tuple[Cell, ...]):
    """Cells in order, with the name of what they are together: `row 3`, `box r1c4`."""

    label: str

    def __new__(cls, cells: Iterable[Cell], label: str = "") -> Cells:
        made = super().__new__(cls, tuple(cells))
        made.label = label
        return made

    def __str__(self) -> str:
        return self.label or f"{self[0]}–{self[-1]}" if self else "no cells"


class Corner(NamedTuple):
    """A point where cells meet: the upper left one of the cell of the same row and column, whether or not there is one.

    >>> str(Corner(1, 2))
    '+r1c2'
    """

    row: int
    column: int
    kind: str = "corner"  # so that none is equal to the cell of the same row and column

    def __str__(self) -> str:
        return f"+r{self.row}c{self.column}"

    def __repr__(self) -> str:
        return str(self)


class Side(tuple[Corner, Corner]):
    """A side of a cell: the two corners that it joins, the upper or left one first.

    >>> str(Side(Corner(1, 1), Corner(1, 2))), str(Side(Corner(1, 1), Corner(2, 1)))
    ('top of r1c1', 'left of r1c1')
    """

    label: str

    def __new__(cls, first: Corner, second: Corner, label: str = "") -> Side:
        made = super().__new__(cls, (first, second))
        made.label = label
        return made

    def __str__(self) -> str:
        return self.label or f"{'top' if self[0].row == self[1].row else 'left'} of {Cell(*self[0][:2])}"


def edge(a: Any, b: Any) -> tuple[Any, Any]:
    """The pair of two nodes in the order of boards: the lesser first.

    >>> edge(Cell(1, 2), Cell(1, 1))
    (r1c1, r1c2)
    """
    first, second = (a, b) if a <= b else (b, a)
    if isinstance(first, Cell) and isinstance(second, Cell):
        return Cells((first, second), f"{first}–{second}")  # type: ignore[return-value]
    return first, second


class Sides(Lines):
    """The sides and corners of a board."""

    @cached_property
    def edges(self) -> tuple[Side, ...]:
        """The sides of all cells, each once, in the order of their corners."""
        return tuple(sorted({side for sides in self._sides_of.values() for side in sides}))

    @cached_property
    def corners(self) -> tuple[Corner, ...]:
        """The corners of all cells, each once, row by row."""
        return tuple(sorted(self._sides_at))

    def sides(self, place: Cell | Corner) -> tuple[Side, ...]:
        """The sides of a cell: top, right, bottom, left. Of a corner, the sides that meet there, in the same order.

        InputError where the board has no such cell or corner.
        """
        if isinstance(place, Corner):
            if place not in self._sides_at:
                raise InputError(f"this board has no corner {place}")
            return self._sides_at[place]
        return self._sides_of[self.on_board(place)]

    @cached_property
    def _sides_of(self) -> Mapping[Cell, tuple[Side, ...]]:
        """The four sides of each cell; one is named after the cell that lies below or right of it, if there is one."""
        tops, lefts = {}, {}
        for row, column in self.cells:
            start = Corner(row, column)
            tops[row, column] = Side(start, Corner(row, column + 1))
            lefts[row, column] = Side(start, Corner(row + 1, column))
        found = {}
        for cell in self.cells:
            row, column = cell
            right, below = lefts.get((row, column + 1)), tops.get((row + 1, column))
            if right is None:
                right = Side(Corner(row, column + 1), Corner(row + 1, column + 1), f"right of {cell}")
            if below is None:
                below = Side(Corner(row + 1, column), Corner(row + 1, column + 1), f"bottom of {cell}")
            found[cell] = (tops[cell], right, below, lefts[cell])
        return found

    @cached_property
    def _sides_at(self) -> Mapping[Corner, tuple[Side, ...]]:
        found: dict[Corner, dict[int, Side]] = {}
        for side in self.edges:
            first, second = side
            across = first.row == second.row
            found.setdefault(first, {})[1 if across else 2] = side
            found.setdefault(second, {})[3 if across else 0] = side
        return {corner: tuple(side for _, side in sorted(sides.items())) for corner, sides in found.items()}
