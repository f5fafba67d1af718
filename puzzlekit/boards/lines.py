"""Groups of the cells of a board: rows, diagonals, boxes, windows, runs, rays and sides."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from math import atan2, tau
from typing import Any

from puzzlekit.boards.cells import Cell, Cells, Corner, Form, Side
from puzzlekit.boards.outlines import corners_of, outline
from puzzlekit.clock import check
from puzzlekit.errors import InputError

WINDOW_CELLS = 1_000_000  # in all windows of one size together
# Name, axis and step.
DIRECTIONS = (("upwards", 1, -1), ("rightwards", 0, 1), ("downwards", 1, 1), ("leftwards", 0, -1))


class BoardLines:
    """The groups of cells of a board. `values` has a key for every cell; a hole is not a cell."""

    values: Mapping[Cell, Any]
    cells: Cells

    @cached_property
    def height(self) -> int:
        """The number of the last row."""
        return max((cell.row for cell in self.cells), default=0)

    @cached_property
    def width(self) -> int:
        """The number of the last column."""
        return max((cell.column for cell in self.cells), default=0)

    @cached_property
    def rows(self) -> tuple[Cells, ...]:
        """The cells of each row, from top to bottom."""
        return self._lines("row", 0, self.height)

    @cached_property
    def columns(self) -> tuple[Cells, ...]:
        """The cells of each column, from left to right."""
        return self._lines("column", 1, self.width)

    def _lines(self, name: str, axis: int, count: int) -> tuple[Cells, ...]:
        lines: list[list[Cell]] = [[] for _ in range(count)]
        for cell in self.cells:
            lines[cell[axis] - 1].append(cell)
        return tuple(Cells(line, f"{name} {number}") for number, line in enumerate(lines, 1))

    @property
    def diagonals(self) -> tuple[Cells, ...]:
        """The two long diagonals of a square board."""
        side = max((cell.row for cell in self.cells), default=0)
        falling = Cells((c for c in self.cells if c.row == c.column), "falling diagonal")
        rising = Cells((c for c in self.cells if c.row + c.column == side + 1), "rising diagonal")
        return falling, rising

    @cached_property
    def all_diagonals(self) -> tuple[Cells, ...]:
        """Every diagonal, of one cell or more: first the falling ones, then the rising ones."""
        found: dict[tuple[str, int], list[Cell]] = {}
        for cell in self.cells:
            found.setdefault(("falling", cell.column - cell.row), []).append(cell)
            found.setdefault(("rising", cell.row + cell.column), []).insert(0, cell)
        return tuple(
            Cells(line, f"{name} diagonal from {line[0]}")
            for (name, _), line in sorted(found.items())
        )

    def boxes(self, size: tuple[int, int]) -> tuple[Cells, ...]:
        """The boxes that tile the board.

        Args:
            size: The numbers of rows and columns of a box. If the board is no multiple of them,
                the last boxes are smaller.

        Raises:
            InputError: The size is not two positive numbers.
        """
        high, wide = _sides(size)
        found: dict[tuple[int, int], list[Cell]] = {}
        for cell in self.cells:
            found.setdefault(((cell.row - 1) // high, (cell.column - 1) // wide), []).append(cell)
        return tuple(Cells(box, f"box {box[0]}") for _, box in sorted(found.items()))

    def windows(self, high: int, wide: int) -> tuple[Cells, ...]:
        """Every block of high × wide cells without a hole, at every position.

        Raises:
            InputError: The blocks have more cells than the limit on boards, or a side is not a
                positive number.
        """
        high, wide = _sides((high, wide))
        corners = [
            c for c in self.cells if Cell(c.row + high - 1, c.column + wide - 1) in self.values
        ]
        if len(corners) * high * wide > WINDOW_CELLS:
            raise InputError(
                f"too many windows of {high} x {wide} on this board: more than {WINDOW_CELLS:,} cells in them"
            )
        windows = []
        for row, column in corners:
            block = [
                Cell(row + down, column + right) for down in range(high) for right in range(wide)
            ]
            if self.values.keys() >= set(block):
                windows.append(Cells(block, f"window {block[0]}"))
        return tuple(windows)

    @cached_property
    def regions(self) -> tuple[Cells, ...]:
        """The cells grouped by value, in the order of the first cells, without empty cells."""
        found: dict[Any, list[Cell]] = {}
        for cell, value in self.values.items():
            if value is not None:
                found.setdefault(value, []).append(cell)
        return tuple(Cells(cells, f"region {value}") for value, cells in found.items())

    def slots(self, shortest: int = 2) -> tuple[Cells, ...]:
        """The maximal straight runs of at least `shortest` cells, first across, then down."""
        return (*self.across(shortest), *self.down(shortest))

    def across(self, shortest: int = 2) -> tuple[Cells, ...]:
        """The maximal runs of at least `shortest` cells in rows."""
        return tuple(self._runs("across", (0, 1), shortest))

    def down(self, shortest: int = 2) -> tuple[Cells, ...]:
        """The maximal runs of at least `shortest` cells in columns."""
        return tuple(self._runs("down", (1, 0), shortest))

    def _runs(self, name: str, step: tuple[int, int], shortest: int) -> Iterator[Cells]:
        if not isinstance(shortest, int):
            raise InputError(f"expected a number as the shortest length of a run, got {shortest}")
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

    def rays(self, cell: Cell, through_holes: bool = False) -> tuple[Cells, ...]:
        """The cells seen from a cell upwards, rightwards, downwards and leftwards, nearest first.

        Args:
            cell: A cell of the board.
            through_holes: Whether a ray continues behind a hole rather than ending there.

        Raises:
            InputError: The board has no such cell.
        """
        self.on_board(cell)
        key = cell, bool(through_holes)
        found = self._rays.get(key)
        if found is None:
            found = self._rays[key] = tuple(
                Cells(self._ray(cell, axis, step, through_holes), f"{name} from {cell}")
                for name, axis, step in DIRECTIONS
            )
        return found

    @cached_property
    def _rays(self) -> dict[tuple[Cell, bool], tuple[Cells, ...]]:
        return {}

    def _ray(self, cell: Cell, axis: int, step: int, through_holes: bool) -> tuple[Cell, ...]:
        """The part of the cell's row or column (axis 0 or 1) after it, in steps of 1 or -1."""
        line = (self.rows, self.columns)[axis][cell[axis] - 1]
        at = bisect_left(line, cell)
        ray = line[at + 1 :] if step > 0 else line[:at][::-1]
        if not ray or through_holes or abs(ray[-1][1 - axis] - cell[1 - axis]) == len(ray):
            return ray
        return tuple(c for far, c in enumerate(ray, 1) if abs(c[1 - axis] - cell[1 - axis]) == far)

    def line(self, a: Cell, b: Cell) -> Cells:
        """The cells from a to b, both included, along a row, a column or a diagonal.

        Holes are left out.

        Raises:
            InputError: The cells are not on one line, or not on the board.
        """
        for cell in (a, b):
            self.on_board(cell)
        down, right = b.row - a.row, b.column - a.column
        length = max(abs(down), abs(right))
        if min(abs(down), abs(right)) not in (0, length):
            raise InputError(f"{a} and {b} are not on one row, column or diagonal")
        steps = ((down // length * i, right // length * i) for i in range(1, length + 1))
        line = (Cell(a.row + r, a.column + c) for r, c in steps)
        return Cells((a, *(cell for cell in line if cell in self.values)), f"line {a}–{b}")

    def on_board(self, cell: Any) -> Cell:
        """Check that this is a cell of the board; raise InputError if not."""
        if a_cell(cell) not in self.values:
            raise InputError(f"this board has no cell {cell}")
        return a_cell(cell)


class BoardSides(BoardLines):
    """The sides and corners of a board."""

    form: Form = "square"  # of the cells

    @cached_property
    def edges(self) -> tuple[Side, ...]:
        """The sides of all cells, each once, in the order of their corners."""
        return tuple(sorted({side for sides in self._sides_of.values() for side in sides}))

    @cached_property
    def corners(self) -> tuple[Corner, ...]:
        """The corners of all cells, each once, row by row."""
        return tuple(sorted(self._cells_at))

    def on_corners(self, corner: Corner) -> Corner:
        """Check that this is a corner of the board; raise InputError if not."""
        if corner not in self._cells_at:
            raise InputError(f"this board has no corner {corner}")
        return corner

    def sides(self, place: Cell | Corner) -> tuple[Side, ...]:
        """The sides of a cell, or those that meet at a corner, clockwise from the top.

        Raises:
            InputError: The board has no such cell or corner.
        """
        if isinstance(place, Corner):
            return self._sides_at[self.on_corners(place)]
        return self._sides_of[self.on_board(place)]

    @cached_property
    def _cells_at(self) -> Mapping[Corner, Cells]:
        """The cells that have each corner. On a torus, corners at opposite edges differ."""
        found: dict[tuple[int, int], list[Cell]] = {}
        for cell in self.cells:
            check()
            for corner in corners_of(self.form, cell):
                found.setdefault(corner, []).append(cell)
        named = ((Corner(*corner, self.form), cells) for corner, cells in found.items())
        return {corner: Cells(cells, f"around {corner}") for corner, cells in named}

    @cached_property
    def _sides_of(self) -> Mapping[Cell, tuple[Side, ...]]:
        """The sides of each cell, named after the cell below or right of them, if any."""
        made: dict[Any, Side] = {}
        found = {}
        for cell in reversed(self.cells):
            check()
            sides = outline(self.form, cell)
            for name, _, ends in sides:
                if ends not in made:
                    (a, b), (c, d) = ends
                    first, second = Corner(a, b, self.form), Corner(c, d, self.form)
                    made[ends] = Side(first, second, name, cell)
            found[cell] = tuple(made[ends] for _, _, ends in sides)
        return found

    @cached_property
    def _sides_at(self) -> Mapping[Corner, tuple[Side, ...]]:
        found: dict[Corner, list[tuple[float, Side]]] = {}
        for side in self.edges:
            for here, there in (side, side[::-1]):
                found.setdefault(here, []).append(
                    (_angle(there.row - here.row, there.column - here.column), side)
                )
        return {corner: tuple(side for _, side in sorted(sides)) for corner, sides in found.items()}


@cache
def _angle(down: int, right: int) -> float:
    """Return the angle of a step, clockwise from the way up."""
    return atan2(right, -down) % tau


def a_cell(value: Any) -> Cell:
    """Check that this is a cell; raise InputError if not."""
    if not isinstance(value, Cell):
        raise InputError(
            f"expected a cell, got {value if isinstance(value, int | str) else 'another value'}"
        )
    return value


def _sides(size: tuple[int, int]) -> tuple[int, int]:
    if (
        not isinstance(size, tuple)
        or len(size) != 2
        or not all(isinstance(side, int) and side > 0 for side in size)
    ):
        raise InputError(
            "expected rows and columns as the size, each a number from 1, such as (3, 3)"
        )
    return size
