"""Cells, groups of cells, corners and sides, named as people write them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple


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
