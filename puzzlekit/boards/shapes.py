"""Shapes, their placements on a board, and rectangles."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, cast

from puzzlekit.boards.cells import Cell, Cells, Form, Size
from puzzlekit.boards.graphs import no_steps
from puzzlekit.boards.grid import Grid
from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError

Offset = tuple[int, int]

PLACEMENTS = 200_000  # of shapes on a board
PLACEMENT_CELLS = 1_000_000  # in all placements together
CACHED_SHAPES = 64  # whose placements are cached
CACHED_BOARD = 400  # cells of the largest board for which they are


class Shape(tuple[Offset, ...]):
    """The cells of a rigid shape, as (row, column) from the upper left of its bounding box.

    Attributes:
        odd: Whether that corner is an odd number of steps from where the shape was given. Triangles
            at such a distance point the other way; other cells do not differ.

    Examples:
        >>> str(Shape([(2, 5), (2, 6), (3, 5)]))
        '##/#.'
    """

    odd: bool

    def __new__(cls, offsets: Iterable[Offset]) -> Shape:
        cells = sorted(set(offsets))
        top = min((row for row, _ in cells), default=0)
        left = min((column for _, column in cells), default=0)
        moved = tuple((row - top, column - left) for row, column in cells)
        shape = super().__new__(cls, moved)
        shape.odd = (top + left) % 2 == 1
        return shape

    def __str__(self) -> str:
        height, width = self.extent
        rows = [["."] * width for _ in range(height)]
        for row, column in self:
            rows[row][column] = "#"
        return "/".join(map("".join, rows))

    @property
    def extent(self) -> tuple[int, int]:
        """The numbers of rows and columns of the bounding box."""
        last_row = max((row for row, _ in self), default=0)
        last_column = max((column for _, column in self), default=0)
        return last_row + 1, last_column + 1

    def turns(
        self, rotate: bool = True, reflect: bool = True, form: Form = "square"
    ) -> tuple[Shape, ...]:
        """The distinct rotations and reflections of the shape: by 90 degrees, or by 60.

        Examples:
            >>> corner = Shape([(0, 0), (0, 1), (1, 0)])
            >>> len(Shape([(0, 0), (0, 1)]).turns()), len(corner.turns(rotate=False))
            (2, 2)
            >>> len(corner.turns(form="hexagon")), len(corner.turns(form="triangle"))
            (2, 6)
        """
        turn, mirror, number = TURNS[form]
        original = [(row, column + self.odd) for row, column in self]
        sides = [original]
        if reflect:
            sides.append([mirror(*cell) for cell in original])
        shapes: dict[tuple[Shape, bool], Shape] = {}
        for cells in sides:
            for _ in range(number if rotate else 1):
                shape = Shape(cells)
                key = shape, form == "triangle" and shape.odd
                shapes.setdefault(key, shape)
                cells = [turn(*cell) for cell in cells]
        return tuple(shapes.values())


def _turned_triangle(row: int, column: int) -> Offset:
    """Rotate a triangle by 60 degrees.

    It lies in one strip of each of the three directions: a, b (its row) and c. Their sum is 1 if it
    points up and 2 if it points down, and each rotation exchanges these.
    """
    total = 1 + (row + column) % 2
    a = (total - row + column + 1) // 2
    c = (total - row - column - 1) // 2
    turned_a, turned_c = 1 - row, 1 - a
    turned_row = 1 - c
    return turned_row, turned_a - turned_c - 1


# For each form of cells: a rotation by the least angle, a reflection, and how many such rotations
# there are.
TURNS: dict[Form, tuple[Callable[[int, int], Offset], Callable[[int, int], Offset], int]] = {
    "square": (lambda row, column: (column, -row), lambda row, column: (row, -column), 4),
    "hexagon": (
        lambda row, column: (row + column, -row),
        lambda row, column: (row, -row - column),
        6,
    ),
    "triangle": (_turned_triangle, lambda row, column: (row, -column), 6),
}


@dataclass(frozen=True, slots=True)
class Placement:
    """A piece and the cells that it covers.

    Examples:
        >>> str(Placement("L", Cells([Cell(1, 1), Cell(1, 2)])))
        'L at r1c1 r1c2'
    """

    piece: Any
    cells: Cells

    def __str__(self) -> str:
        return f"{self.piece} at {' '.join(map(str, self.cells))}"


def placements(
    shapes: Mapping[Hashable, Shape],
    grid: Grid,
    rotate: bool = True,
    reflect: bool = True,
    spend: Callable[[int], None] = no_steps,
) -> tuple[Placement, ...]:
    """Find every placement of every shape on a board.

    Args:
        shapes: The shape of each piece.
        grid: The board, whose holes cannot be covered.
        rotate: Whether shapes may be rotated.
        reflect: Whether shapes may be reflected.
        spend: Counts steps.

    Raises:
        InputError: The placements, or the cells in them, are more than the limits on boards allow.
    """
    pieces: list[Placement] = []
    size = 0
    find = _positions if len(grid) > CACHED_BOARD else _cached_positions
    for piece, shape in shapes.items():
        for turned in shape.turns(rotate, reflect, grid.form):
            height, width = turned.extent
            corners = Size(max(grid.height - height + 1, 0), max(grid.width - width + 1, 0))
            for _ in range(corners.rows):
                spend(grid.width * len(turned))
            parity = turned.odd if grid.form == "triangle" else None
            positions = find(turned, corners, parity, grid.cells)
            pieces += [Placement(piece, cells) for cells in positions]
            size += len(turned) * len(positions)
            _check_limits(len(pieces), size, "placements")
    return tuple(pieces)


def _positions(shape: Shape, corners: Size, parity: bool | None, cells: Cells) -> tuple[Cells, ...]:
    """Return the cells of the shape wherever it fits, as it is turned.

    Args:
        shape: The shape.
        corners: The rows and columns in which its upper left corner may be.
        parity: Whether the row and the column of that corner have an odd sum: other triangles point
            the opposite way. None if it does not matter.
        cells: The cells of the board.
    """
    by_position: dict[Offset, Cell] = {cell: cell for cell in cells}
    positions: list[Cells] = []
    for row in range(1, corners.rows + 1):
        for column in range(1, corners.columns + 1):
            if parity is not None and (row + column) % 2 != parity:
                continue
            covered = [by_position.get((row + down, column + right)) for down, right in shape]
            if None not in covered:
                positions.append(Cells(cast(list[Cell], covered)))
        _check_limits(len(positions), len(positions) * len(shape), "placements")
    return tuple(positions)


# boards of one size have the same placements, whatever their values are
_cached_positions = lru_cache(maxsize=CACHED_SHAPES)(_positions)


def rectangles(
    grid: Grid,
    largest: int | None = None,
    around: Mapping[Cell, int | None] | None = None,
    spend: Callable[[int], None] = no_steps,
) -> tuple[Cells, ...]:
    """Find every rectangle of cells of a board, ordered by its cells.

    Args:
        grid: The board, whose holes are in no rectangle.
        largest: The most cells of a rectangle; None for no bound.
        around: Cells of which each rectangle has exactly one, with the number of cells of its
            rectangle, or None for any; without a mapping, rectangles have any of all cells.
        spend: Counts steps.

    Raises:
        InputError: The rectangles, or the cells in them, are more than the limits on boards allow.
    """
    most = len(grid) if largest is None else largest
    if around is None:
        candidates = _blocks(grid, most)
    else:
        candidates = _blocks_around(grid, most, around)
    blocks: list[Cells] = []
    size = 0
    for cells in candidates:
        blocks.append(cells)
        size += len(cells)
        spend(len(cells))
        _check_limits(len(blocks), size, "rectangles")
    return tuple(sorted(blocks))


def _blocks(grid: Grid, most: int) -> Iterator[Cells]:
    """Yield the rectangles of at most so many cells."""
    for corner in grid.cells:
        widest = grid.width
        row = corner.row
        while widest and row - corner.row < most:
            height = row - corner.row + 1
            widest = min(widest, most // height, _run(grid, Cell(row, corner.column)))
            for width in range(1, widest + 1):
                yield _block(corner.row, row, corner.column, corner.column + width - 1)
            row += 1


def _blocks_around(grid: Grid, most: int, only: Mapping[Cell, int | None]) -> Iterator[Cells]:
    """Yield the rectangles of at most so many cells that have exactly one of these cells.

    If the cell has a number, they have that many cells.
    """
    for middle, number in only.items():
        if number is not None and number > most:
            continue
        above = _spans(grid, middle, only, range(middle.row, 0, -1))
        below = _spans(grid, middle, only, range(middle.row, grid.height + 1))
        for (top, left, right), (bottom, lower_left, lower_right) in product(above, below):
            height = bottom - top + 1
            first_column = max(left, lower_left)
            last_column = min(right, lower_right)
            for width in _widths(number, height, most):
                leftmost = max(first_column, middle.column - width + 1)
                rightmost = min(middle.column, last_column - width + 1)
                for column in range(leftmost, rightmost + 1):
                    yield _block(top, bottom, column, column + width - 1)


def _widths(number: int | None, height: int, most: int) -> Sequence[int]:
    """Return the widths of rectangles of this height: of at most so many cells, or of `number`."""
    if number is None:
        return range(1, most // height + 1)
    return [number // height] if number % height == 0 else []


def _spans(
    grid: Grid, middle: Cell, only: Container[Cell], rows: Iterable[int]
) -> list[tuple[int, int, int]]:
    """Return each row that rectangles with this cell can reach, and their possible columns there.

    A span is the row, its first column and its last column.
    """
    spans = []
    left, right = 1, grid.width
    for row in rows:
        if not _free(grid, Cell(row, middle.column), middle, only):
            break
        ends = []
        for step, end in ((-1, left), (1, right)):
            column = middle.column
            while column != end and _free(grid, Cell(row, column + step), middle, only):
                column += step
            ends.append(column)
        left, right = ends
        spans.append((row, left, right))
    return spans


def _free(grid: Grid, cell: Cell, middle: Cell, only: Container[Cell]) -> bool:
    """Return whether a rectangle with the middle cell may have this cell."""
    if cell not in grid.values:
        return False
    return cell == middle or cell not in only


def _block(top: int, bottom: int, left: int, right: int) -> Cells:
    columns = range(left, right + 1)
    return Cells([Cell(row, column) for row in range(top, bottom + 1) for column in columns])


def polyominoes(
    grid: Grid, size: int, spend: Callable[[int], None] = no_steps
) -> tuple[Cells, ...]:
    """Find every connected group of so many cells of a board, ordered by its cells.

    Source:
        The algorithm of D. H. Redelmeier, "Counting polyominoes: yet another attack", Discrete
        Mathematics 36 (1981).

    Raises:
        InputError: The groups, or the cells that were tried for them, are more than the limits on
            boards allow.
    """
    if size <= 0:
        return ()
    neighbours = {cell: tuple(dict.fromkeys(grid.neighbours(cell))) for cell in grid.cells}
    groups: list[Cells] = []
    tried = 0
    for first in grid.cells:
        # groups in which no cell comes before the first, each with the cells that may be added to
        # it, and those that may not be added any more
        partial: list[tuple[tuple[Cell, ...], list[Cell], frozenset[Cell]]] = []
        partial.append(((), [first], frozenset((first,))))
        while partial:
            group, untried, seen = partial[-1]
            if not untried:
                partial.pop()
                continue
            cell = untried.pop()
            tried += 1
            spend(size)
            larger = (*group, cell)
            if len(larger) == size:
                groups.append(Cells(sorted(larger)))
            else:
                new = [next_ for next_ in neighbours[cell] if next_ > first and next_ not in seen]
                partial.append((larger, untried + new, seen.union(new)))
            _check_limits(len(groups), tried, "polyominoes")
    return tuple(sorted(groups))


def _run(grid: Grid, cell: Cell) -> int:
    """The length of the run of cells from this one to the right."""
    length = 0
    while Cell(cell.row, cell.column + length) in grid.values:
        length += 1
    return length


def _check_limits(count: int, size: int, groups: str) -> None:
    check()
    if count > PLACEMENTS or size > PLACEMENT_CELLS:
        raise InputError(
            f"too many {groups} on this board: "
            f"more than {PLACEMENTS:,}, or {PLACEMENT_CELLS:,} cells in them"
        )
