"""Groups of the cells of a board: rows, diagonals, boxes, windows, runs, rays and sides."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from itertools import product
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
        side = self.height
        falling = [cell for cell in self.cells if cell.row == cell.column]
        rising = [cell for cell in self.cells if cell.row + cell.column == side + 1]
        return Cells(falling, "falling diagonal"), Cells(rising, "rising diagonal")

    @cached_property
    def all_diagonals(self) -> tuple[Cells, ...]:
        """Every diagonal, of one cell or more: first the falling ones, then the rising ones."""
        lines: dict[tuple[str, int], list[Cell]] = {}
        for cell in self.cells:
            falling = "falling", cell.column - cell.row
            rising = "rising", cell.row + cell.column
            lines.setdefault(falling, []).append(cell)
            lines.setdefault(rising, []).insert(0, cell)
        return named_lines(lines, "diagonal")

    def boxes(self, size: tuple[int, int]) -> tuple[Cells, ...]:
        """The boxes that tile the board.

        Args:
            size: The numbers of rows and columns of a box. If the board is no multiple of them,
                the last boxes are smaller.

        Raises:
            InputError: The size is not two positive numbers.
        """
        height, width = _sides(size)
        boxes: dict[tuple[int, int], list[Cell]] = {}
        for cell in self.cells:
            band = (cell.row - 1) // height
            stack = (cell.column - 1) // width
            boxes.setdefault((band, stack), []).append(cell)
        ordered = [boxes[position] for position in sorted(boxes)]
        are_tiles = all(len(box) == height * width for box in ordered)
        names = [str(number if are_tiles else box[0]) for number, box in enumerate(ordered, 1)]
        return tuple(Cells(box, f"box {name}") for name, box in zip(names, ordered))

    def windows(self, high: int, wide: int) -> tuple[Cells, ...]:
        """Every block of high × wide cells without a hole, at every position.

        Raises:
            InputError: The blocks have more cells than the limit on boards, or a side is not a
                positive number.
        """
        high, wide = _sides((high, wide))
        down = high - 1
        right = wide - 1
        corners = [c for c in self.cells if Cell(c.row + down, c.column + right) in self.values]
        if len(corners) * high * wide > WINDOW_CELLS:
            raise InputError(
                f"too many windows of {high} x {wide} on this board: "
                f"more than {WINDOW_CELLS:,} cells in them"
            )
        steps = list(product(range(high), range(wide)))
        windows = []
        for row, column in corners:
            block = [Cell(row + down, column + right) for down, right in steps]
            if self.values.keys() >= set(block):
                windows.append(Cells(block, f"window {block[0]}"))
        return tuple(windows)

    @cached_property
    def regions(self) -> tuple[Cells, ...]:
        """The cells grouped by value, in the order of the first cells, without empty cells."""
        regions: dict[Any, list[Cell]] = {}
        for cell, value in self.values.items():
            if value is not None:
                regions.setdefault(value, []).append(cell)
        return tuple(
            Cells(cells, f"region {value}", f"the region of {cells[0]}")
            for value, cells in regions.items()
        )

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
        down, right = step
        for first in self.cells:
            if Cell(first.row - down, first.column - right) in self.values:
                continue
            run = []
            cell = first
            while cell in self.values:
                run.append(cell)
                cell = Cell(cell.row + down, cell.column + right)
            if len(run) >= shortest:
                yield Cells(run, f"{first} {name}")

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
        if key not in self._rays:
            rays = []
            for name, axis, step in DIRECTIONS:
                ray = self._ray(cell, axis, step, through_holes)
                rays.append(Cells(ray, f"{name} from {cell}"))
            self._rays[key] = tuple(rays)
        return self._rays[key]

    @cached_property
    def _rays(self) -> dict[tuple[Cell, bool], tuple[Cells, ...]]:
        return {}

    def _ray(self, cell: Cell, axis: int, step: int, through_holes: bool) -> tuple[Cell, ...]:
        """The rest of the cell's row or column (axis 0 or 1) after it, in steps of 1 or -1."""
        lines = self.columns if axis else self.rows
        line = lines[cell[axis] - 1]
        position = bisect_left(line, cell)
        ray = line[position + 1 :]
        if step < 0:
            ray = line[:position][::-1]
        if not ray or through_holes:
            return ray
        across = 1 - axis
        start = cell[across]
        distance = abs(ray[-1][across] - start)
        if distance == len(ray):  # there is no hole
            return ray
        numbered = enumerate(ray, 1)
        return tuple(member for far, member in numbered if abs(member[across] - start) == far)

    def line(self, a: Cell, b: Cell) -> Cells:
        """The cells from a to b, both included, along a row, a column or a diagonal.

        Holes are left out.

        Raises:
            InputError: The cells are not on one line, or not on the board.
        """
        self.on_board(a)
        self.on_board(b)
        down = b.row - a.row
        right = b.column - a.column
        length = max(abs(down), abs(right))
        if min(abs(down), abs(right)) not in (0, length):
            raise InputError(f"{a} and {b} are not on one row, column or diagonal")
        line = [a]
        row, column = a
        for _ in range(length):
            row += down // length
            column += right // length
            cell = Cell(row, column)
            if cell in self.values:
                line.append(cell)
        return Cells(line, f"line {a}–{b}")

    def on_board(self, cell: Any) -> Cell:
        """Check that this is a cell of the board; raise InputError if not."""
        checked = a_cell(cell)
        if checked not in self.values:
            raise InputError(f"this board has no cell {cell}")
        return checked


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

    def sides(self, position: Cell | Corner) -> tuple[Side, ...]:
        """The sides of a cell, or those that meet at a corner, clockwise from the top.

        Raises:
            InputError: The board has no such cell or corner.
        """
        if isinstance(position, Corner):
            return self._sides_at[self.on_corners(position)]
        return self._sides_of[self.on_board(position)]

    @cached_property
    def _cells_at(self) -> Mapping[Corner, Cells]:
        """The cells that have each corner. On a torus, corners at opposite edges differ."""
        around: dict[tuple[int, int], list[Cell]] = {}
        for cell in self.cells:
            check()
            for position in corners_of(self.form, cell):
                around.setdefault(position, []).append(cell)
        cells_at = {}
        for position, cells in around.items():
            corner = Corner(*position, self.form)
            cells_at[corner] = Cells(cells, f"around {corner}")
        return cells_at

    @cached_property
    def _sides_of(self) -> Mapping[Cell, tuple[Side, ...]]:
        """The sides of each cell, named after the cell below or right of them, if any."""
        side_between: dict[Any, Side] = {}  # by the positions of the corners that they join
        corner_at: dict[tuple[int, int], Corner] = {}
        sides_of = {}
        for cell in reversed(self.cells):
            check()
            sides = []
            for name, _, ends in outline(self.form, cell):
                if ends not in side_between:
                    for end in ends:
                        if end not in corner_at:
                            corner_at[end] = Corner(*end, self.form)
                    first, second = ends
                    side_between[ends] = Side(corner_at[first], corner_at[second], name, cell)
                sides.append(side_between[ends])
            sides_of[cell] = tuple(sides)
        return sides_of

    @cached_property
    def _sides_at(self) -> Mapping[Corner, tuple[Side, ...]]:
        """The sides that meet at each corner, clockwise from the top."""
        by_angle: dict[Corner, list[tuple[float, Side]]] = {}
        for side in self.edges:
            for here, there in (side, side[::-1]):
                angle = _angle(there.row - here.row, there.column - here.column)
                by_angle.setdefault(here, []).append((angle, side))
        sides_at = {}
        for corner, sides in by_angle.items():
            sides_at[corner] = tuple(side for _, side in sorted(sides))
        return sides_at


@cache
def _angle(down: int, right: int) -> float:
    """Return the angle of a step, clockwise from the way up."""
    return atan2(right, -down) % tau


def a_cell(value: Any) -> Cell:
    """Check that this is a cell; raise InputError if not."""
    if not isinstance(value, Cell):
        written = value if isinstance(value, int | str) else "another value"
        raise InputError(f"expected a cell, got {written}")
    return value


def named_lines(lines: Mapping[tuple[str, int], list[Cell]], name: str) -> tuple[Cells, ...]:
    """Return lines by direction and number, in this order, with their names."""
    named = []
    for direction, number in sorted(lines):
        line = lines[direction, number]
        named.append(Cells(line, f"{direction} {name} from {line[0]}"))
    return tuple(named)


def _sides(size: tuple[int, int]) -> tuple[int, int]:
    """Check that this is a pair of positive numbers; raise InputError if not."""
    is_pair = isinstance(size, tuple) and len(size) == 2
    if is_pair and all(isinstance(side, int) and side > 0 for side in size):
        return size
    raise InputError("expected rows and columns as the size, each a number from 1, such as (3, 3)")
