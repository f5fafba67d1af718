"""Shapes, their placements on a board, and rectangles."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from puzzlekit.boards.cells import Cell, Cells, Form
from puzzlekit.boards.graphs import no_steps
from puzzlekit.boards.grid import Grid
from puzzlekit.clock import check
from puzzlekit.errors import InputError

Offset = tuple[int, int]

PLACEMENTS = 200_000  # of shapes on a board
PLACEMENT_CELLS = 1_000_000  # in all placements together


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
        top, left = (
            min((row for row, _ in cells), default=0),
            min((column for _, column in cells), default=0),
        )
        made = super().__new__(cls, tuple((row - top, column - left) for row, column in cells))
        made.odd = (top + left) % 2 == 1
        return made

    def __str__(self) -> str:
        high, wide = (1 + max((offset[axis] for offset in self), default=0) for axis in (0, 1))
        return "/".join(
            "".join("#" if (row, column) in self else "." for column in range(wide))
            for row in range(high)
        )

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
        start = [(row, column + self.odd) for row, column in self]
        found: dict[tuple[Shape, bool], Shape] = {}
        for cells in (start, [mirror(*cell) for cell in start]) if reflect else (start,):
            for _ in range(number if rotate else 1):
                shape = Shape(cells)
                found.setdefault((shape, form == "triangle" and shape.odd), shape)
                cells = [turn(*cell) for cell in cells]
        return tuple(found.values())


def _turned_triangle(row: int, column: int) -> Offset:
    """Rotate a triangle by 60 degrees.

    It lies in one strip of each of the three directions: a, b (its row) and c. Their sum is 1 if it
    points up and 2 if it points down, and each rotation exchanges these.
    """
    total = 1 + (row + column) % 2
    a, c = (total - row + column + 1) // 2, (total - row - column - 1) // 2
    a, row, c = 1 - row, 1 - c, 1 - a
    return row, a - c - 1


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
    found: list[Placement] = []
    size = 0
    for piece, shape in shapes.items():
        for turned in shape.turns(rotate, reflect, grid.form):
            for cells in _lying(turned, grid, spend):
                found.append(Placement(piece, cells))
                size += len(cells)
                _bounded(len(found), size, "placements")
    return tuple(found)


def _lying(shape: Shape, grid: Grid, spend: Callable[[int], None]) -> Iterator[Cells]:
    high, wide = (1 + max((offset[axis] for offset in shape), default=0) for axis in (0, 1))
    for row in range(1, grid.height - high + 2):
        spend(grid.width * len(shape))
        for column in range(1, grid.width - wide + 2):
            if grid.form == "triangle" and (row + column) % 2 != shape.odd:
                continue  # they would point the other way
            cells = [Cell(row + r, column + c) for r, c in shape]
            if all(cell in grid.values for cell in cells):
                yield Cells(cells)


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
    found: list[Cells] = []
    size = 0
    for cells in _blocks(grid, most) if around is None else _blocks_around(grid, most, around):
        found.append(cells)
        size += len(cells)
        spend(len(cells))
        _bounded(len(found), size, "rectangles")
    return tuple(sorted(found))


def _blocks(grid: Grid, most: int) -> Iterator[Cells]:
    """Yield the rectangles of at most so many cells."""
    for corner in grid.cells:
        wide = grid.width
        row = corner.row
        while wide and row - corner.row < most:
            wide = min(wide, most // (row - corner.row + 1), _run(grid, Cell(row, corner.column)))
            for width in range(1, wide + 1):
                yield _block(corner.row, row, corner.column, corner.column + width - 1)
            row += 1


def _blocks_around(grid: Grid, most: int, only: Mapping[Cell, int | None]) -> Iterator[Cells]:
    """Yield the rectangles of at most so many cells that have exactly one of these cells, and as
    many as it says.
    """
    for middle, wanted in only.items():
        above = _spans(grid, middle, only, range(middle.row, 0, -1))
        below = _spans(grid, middle, only, range(middle.row, grid.height + 1))
        for (top, left, right), (bottom, low, high) in product(above, below):
            tall, left, right = bottom - top + 1, max(left, low), min(right, high)
            widths = (
                range(1, most // tall + 1)
                if wanted is None
                else [wanted // tall]
                if wanted % tall == 0
                else ()
            )
            for width in widths if wanted is None or wanted <= most else ():
                for first in range(
                    max(left, middle.column - width + 1), min(middle.column, right - width + 1) + 1
                ):
                    yield _block(top, bottom, first, first + width - 1)


def _spans(
    grid: Grid, middle: Cell, only: Container[Cell], rows: Iterable[int]
) -> list[tuple[int, int, int]]:
    """Return each row that rectangles with this cell can reach, and the columns that they can then
    cover.
    """
    spans = []
    left, right = 1, grid.width
    for row in rows:
        if not _free(grid, Cell(row, middle.column), middle, only):
            break
        ends = []
        for way, end in ((-1, left), (1, right)):
            column = middle.column
            while column != end and _free(grid, Cell(row, column + way), middle, only):
                column += way
            ends.append(column)
        left, right = ends
        spans.append((row, left, right))
    return spans


def _free(grid: Grid, cell: Cell, middle: Cell, only: Container[Cell]) -> bool:
    return cell in grid.values and (cell == middle or cell not in only)


def _block(top: int, bottom: int, left: int, right: int) -> Cells:
    return Cells(
        [Cell(row, column) for row in range(top, bottom + 1) for column in range(left, right + 1)]
    )


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
    neighbours = {cell: tuple(dict.fromkeys(grid.neighbours(cell))) for cell in grid.cells}
    found: list[Cells] = []
    tried = 0
    for first in grid.cells if size > 0 else ():
        # groups in which no cell comes before the first, each with the cells that may be added to
        # it, and those that may not be added any more
        begun: list[tuple[tuple[Cell, ...], list[Cell], frozenset[Cell]]] = [
            ((), [first], frozenset((first,)))
        ]
        while begun:
            group, next_to_it, seen = begun[-1]
            if not next_to_it:
                begun.pop()
                continue
            cell = next_to_it.pop()
            tried += 1
            spend(size)
            larger = (*group, cell)
            if len(larger) == size:
                found.append(Cells(sorted(larger)))
            else:
                new = [other for other in neighbours[cell] if other > first and other not in seen]
                begun.append((larger, next_to_it + new, seen.union(new)))
            _bounded(len(found), tried, "polyominoes")
    return tuple(sorted(found))


def _run(grid: Grid, cell: Cell) -> int:
    """The length of the run of cells from this one to the right."""
    wide = 0
    while Cell(cell.row, cell.column + wide) in grid.values:
        wide += 1
    return wide


def _bounded(count: int, size: int, what: str) -> None:
    check()
    if count > PLACEMENTS or size > PLACEMENT_CELLS:
        raise InputError(
            f"too many {what} on this board: more than {PLACEMENTS:,}, or {PLACEMENT_CELLS:,} cells in them"
        )
