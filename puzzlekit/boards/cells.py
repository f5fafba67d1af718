"""Cells and groups of cells, named as people write them."""

from collections.abc import Iterable
from typing import NamedTuple


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

    def __new__(cls, cells: Iterable[Cell], label: str = "") -> "Cells":
        made = super().__new__(cls, tuple(cells))
        made.label = label
        return made

    def __str__(self) -> str:
        return self.label or f"{self[0]}–{self[-1]}" if self else "no cells"
