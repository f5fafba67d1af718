"""A board: its cells, what stands in them, and their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from puzzlekit.boards.cells import Cell, Cells
from puzzlekit.boards.lines import a_cell
from puzzlekit.boards.sides import Sides

Steps = tuple[tuple[int, int], ...]
KING = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))
ROOK = ((-1, 0), (0, -1), (0, 1), (1, 0))
KNIGHT = tuple((r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c))


class Grid(Sides):
    """Data and geometry in one: a value for every cell (None where it is left out); a hole is no cell."""

    rook: Steps = ROOK  # the steps to what is beside a cell, and around it
    king: Steps = KING

    def __init__(self, values: Mapping[Cell, Any]) -> None:
        self.values = {cell: values[cell] for cell in sorted(values)}
        self.cells = Cells(self.values, "cells")
        self._around: dict[tuple[str, Cell], Cells] = {}

    @classmethod
    def of_rows(cls, rows: Iterable[Sequence[Any]], hole: Any = ".") -> Grid:
        """A grid from rows of values, with holes where `hole` stands.

        >>> Grid.of_rows(["ab", ".c"]).cells
        (r1c1, r1c2, r2c2)
        """
        return cls(
            {
                Cell(r, c): value
                for r, row in enumerate(rows, 1)
                for c, value in enumerate(row, 1)
                if value is not hole and value != hole
            }
        )

    def __getitem__(self, cell: Cell) -> Any:
        return self.values[cell]

    def __iter__(self) -> Iterator[Any]:
        """The values of the cells, in reading order."""
        return iter(self.values.values())

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and self.values == other.values

    def __hash__(self) -> int:
        return hash(tuple(self.values.items()))

    def __contains__(self, value: object) -> bool:
        return value in self.values.values()

    @cached_property
    def given(self) -> Cells:
        """The cells that have a value."""
        return Cells((cell for cell, value in self.values.items() if value is not None), "given cells")

    def _near(self, name: str, cell: Cell, steps: Iterable[tuple[int, int]]) -> Cells:
        found = self._around.get((name, cell))
        if found is None:
            near = dict.fromkeys(self.moved(a_cell(cell), step) for step in steps)
            found = self._around[name, cell] = Cells((c for c in near if c in self.values and c != cell), f"{name} {cell}")
        return found

    def moved(self, cell: Cell, step: tuple[int, int]) -> Cell:
        """Where so many rows and columns lead from a cell, on the board or not."""
        return Cell(cell.row + step[0], cell.column + step[1])

    def neighbours(self, cell: Cell) -> Cells:
        """The cells that share a side with this one."""
        return self._near("beside", cell, self.rook)

    def around(self, cell: Cell) -> Cells:
        """The cells that share a side or a corner with this one."""
        return self._near("around", cell, self.king)

    def knight(self, cell: Cell) -> Cells:
        """The cells a knight's move away."""
        return self._near("a knight's move from", cell, KNIGHT)

    @cached_property
    def adjacent(self) -> tuple[Cells, ...]:
        """Each pair of cells that share a side, once."""
        return self._pairs(self.rook)

    @cached_property
    def touching(self) -> tuple[Cells, ...]:
        """Each pair of cells that share a side or a corner, once."""
        return self._pairs(self.king)

    def _pairs(self, steps: Iterable[tuple[int, int]]) -> tuple[Cells, ...]:
        pairs = ((cell, self.moved(cell, step)) for cell in self.cells for step in steps)
        later = dict.fromkeys((cell, other) for cell, other in pairs if cell < other and other in self.values)
        return tuple(Cells(pair, f"{pair[0]}–{pair[1]}") for pair in later)


def board(rows: int, columns: int) -> Grid:
    """A board without data.

    >>> len(board(3, 4))
    12
    """
    return Grid({Cell(r, c): None for r in range(1, rows + 1) for c in range(1, columns + 1)})
