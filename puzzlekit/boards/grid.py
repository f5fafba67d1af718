"""A board: its cells, what stands in them, and the lines, boxes and neighbours that rules speak of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from puzzlekit.boards.cells import Cell, Cells
from puzzlekit.errors import InputError

KING = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))
ROOK = ((-1, 0), (0, -1), (0, 1), (1, 0))
MOST_IN_WINDOWS = 1_000_000  # cells in all windows of one size together
KNIGHT = tuple((r, c) for r in (-2, -1, 1, 2) for c in (-2, -1, 1, 2) if abs(r) != abs(c))


class Grid:
    """Data and geometry in one: a value for every cell (None where it is left out); a hole is no cell."""

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
    def height(self) -> int:
        """The number of the last row."""
        return max((cell.row for cell in self.cells), default=0)

    @cached_property
    def width(self) -> int:
        """The number of the last column."""
        return max((cell.column for cell in self.cells), default=0)

    @cached_property
    def given(self) -> Cells:
        """The cells that have a value."""
        return Cells((cell for cell, value in self.values.items() if value is not None), "given cells")

    @cached_property
    def rows(self) -> tuple[Cells, ...]:
        """The cells of each row, from the top."""
        return self._lines("row", 0, self.height)

    @cached_property
    def columns(self) -> tuple[Cells, ...]:
        """The cells of each column, from the left."""
        return self._lines("column", 1, self.width)

    def _lines(self, name: str, axis: int, count: int) -> tuple[Cells, ...]:
        lines: list[list[Cell]] = [[] for _ in range(count)]
        for cell in self.cells:
            lines[cell[axis] - 1].append(cell)
        return tuple(Cells(line, f"{name} {number}") for number, line in enumerate(lines, 1))

    @cached_property
    def diagonals(self) -> tuple[Cells, ...]:
        """The two long diagonals of a square board."""
        side = self.height
        falling = Cells((c for c in self.cells if c.row == c.column), "falling diagonal")
        rising = Cells((c for c in self.cells if c.row + c.column == side + 1), "rising diagonal")
        return falling, rising

    def boxes(self, size: tuple[int, int]) -> tuple[Cells, ...]:
        """The boxes, rows × columns in `size`, that tile the board; the last ones are smaller where it does not divide."""
        high, wide = _sides(size)
        found: dict[tuple[int, int], list[Cell]] = {}
        for cell in self.cells:
            found.setdefault(((cell.row - 1) // high, (cell.column - 1) // wide), []).append(cell)
        return tuple(Cells(box, f"box {box[0]}") for _, box in sorted(found.items()))

    def windows(self, high: int, wide: int) -> tuple[Cells, ...]:
        """Every block of high × wide cells without a hole, at every place. InputError where they are too many."""
        high, wide = _sides((high, wide))
        corners = [c for c in self.cells if Cell(c.row + high - 1, c.column + wide - 1) in self.values]
        if len(corners) * high * wide > MOST_IN_WINDOWS:
            raise InputError(f"windows of {high} x {wide} are too many on this board: more than {MOST_IN_WINDOWS:,} cells")
        blocks = ([Cell(c.row + r, c.column + k) for r in range(high) for k in range(wide)] for c in corners)
        return tuple(Cells(block, f"window {block[0]}") for block in blocks if all(c in self.values for c in block))

    @cached_property
    def regions(self) -> tuple[Cells, ...]:
        """The cells grouped by equal value, in the order in which the values first stand."""
        found: dict[Any, list[Cell]] = {}
        for cell, value in self.values.items():
            if value is not None:
                found.setdefault(value, []).append(cell)
        return tuple(Cells(cells, f"region {value}") for value, cells in found.items())

    def slots(self, shortest: int = 2) -> tuple[Cells, ...]:
        """The longest straight runs of at least `shortest` cells: those across first, then those down."""
        if not isinstance(shortest, int):
            raise InputError(f"the shortest length of a slot is a number, not {shortest}")
        return (*self._runs("across", (0, 1), shortest), *self._runs("down", (1, 0), shortest))

    def _runs(self, name: str, step: tuple[int, int], shortest: int) -> Iterator[Cells]:
        for cell in self.cells:
            if Cell(cell.row - step[0], cell.column - step[1]) in self.values:
                continue
            run = []
            at = cell
            while at in self.values:
                run.append(at)
                at = Cell(at.row + step[0], at.column + step[1])
            if len(run) >= shortest:
                yield Cells(run, f"{cell} {name}")

    def _near(self, name: str, cell: Cell, steps: Iterable[tuple[int, int]]) -> Cells:
        found = self._around.get((name, cell))
        if found is None:
            if not isinstance(cell, Cell):
                raise InputError(f"a cell is wanted, and this is {cell if isinstance(cell, int | str) else 'none'}")
            row, column = cell
            near = (Cell(row + r, column + c) for r, c in steps)
            found = self._around[name, cell] = Cells((c for c in near if c in self.values), f"{name} {cell}")
        return found

    def neighbours(self, cell: Cell) -> Cells:
        """The cells that share a side with this one."""
        return self._near("beside", cell, ROOK)

    def around(self, cell: Cell) -> Cells:
        """The cells that share a side or a corner with this one."""
        return self._near("around", cell, KING)

    def knight(self, cell: Cell) -> Cells:
        """The cells a knight's move away."""
        return self._near("a knight's move from", cell, KNIGHT)

    @cached_property
    def adjacent(self) -> tuple[Cells, ...]:
        """Each pair of cells that share a side, once."""
        return self._pairs(ROOK)

    @cached_property
    def touching(self) -> tuple[Cells, ...]:
        """Each pair of cells that share a side or a corner, once."""
        return self._pairs(KING)

    def _pairs(self, steps: Iterable[tuple[int, int]]) -> tuple[Cells, ...]:
        later = [step for step in steps if step > (0, 0)]
        return tuple(
            Cells((cell, other), f"{cell}–{other}")
            for cell in self.cells
            for r, c in later
            if (other := Cell(cell.row + r, cell.column + c)) in self.values
        )


def _sides(size: tuple[int, int]) -> tuple[int, int]:
    if not isinstance(size, tuple) or len(size) != 2 or not all(isinstance(side, int) and side > 0 for side in size):
        raise InputError("a size is rows and columns, each a number from 1")
    return size


def board(rows: int, columns: int) -> Grid:
    """A board without data.

    >>> len(board(3, 4))
    12
    """
    return Grid({Cell(r, c): None for r in range(1, rows + 1) for c in range(1, columns + 1)})
