"""Shapes, their placements on a board, and rectangles."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from puzzlekit.boards.cells import Cell, Cells
from puzzlekit.boards.graphs import Pieces
from puzzlekit.boards.grid import Grid
from puzzlekit.errors import InputError
from puzzlekit.limits import limits

Offset = tuple[int, int]


class Shape(tuple[Offset, ...]):
    """The cells of a rigid shape, as (row, column) from the upper left of its bounding box.

    Examples:
        >>> str(Shape([(2, 5), (2, 6), (3, 5)]))
        '##/#.'
    """

    def __new__(cls, offsets: Iterable[Offset]) -> Shape:
        cells = sorted(set(offsets))
        top, left = min((row for row, _ in cells), default=0), min((column for _, column in cells), default=0)
        return super().__new__(cls, tuple((row - top, column - left) for row, column in cells))

    def __str__(self) -> str:
        high, wide = (1 + max((offset[axis] for offset in self), default=0) for axis in (0, 1))
        return "/".join("".join("#" if (row, column) in self else "." for column in range(wide)) for row in range(high))

    def turns(self, rotate: bool = True, reflect: bool = True) -> tuple[Shape, ...]:
        """The distinct rotations and reflections of the shape.

        Examples:
            >>> corner = Shape([(0, 0), (0, 1), (1, 0)])
            >>> len(Shape([(0, 0), (0, 1)]).turns()), len(corner.turns(rotate=False))
            (2, 2)
        """
        found: dict[Shape, None] = {}
        for side in (self, Shape((row, -column) for row, column in self)) if reflect else (self,):
            for _ in range(4 if rotate else 1):
                found[side] = None
                side = Shape((column, -row) for row, column in side)
        return tuple(found)


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


def placements(shapes: Mapping[Hashable, Shape], grid: Grid, rotate: bool = True, reflect: bool = True) -> Pieces[Placement]:
    """Find every placement of every shape on a board.

    Args:
        shapes: The shape of each piece.
        grid: The board, whose holes cannot be covered.
        rotate: Whether shapes may be rotated.
        reflect: Whether shapes may be reflected.

    Raises:
        InputError: The placements, or the cells in them, are more than the limits on boards allow.
    """
    found: list[Placement] = []
    size = 0
    for piece, shape in shapes.items():
        for turned in shape.turns(rotate, reflect):
            for cells in _lying(turned, grid):
                found.append(Placement(piece, cells))
                size += len(cells)
                _bounded(len(found), size, "placements")
    return Pieces(found, lambda place: place.cells, lambda place: place.piece)


def _lying(shape: Shape, grid: Grid) -> Iterator[Cells]:
    high, wide = (1 + max((offset[axis] for offset in shape), default=0) for axis in (0, 1))
    for row in range(1, grid.height - high + 2):
        for column in range(1, grid.width - wide + 2):
            cells = [Cell(row + r, column + c) for r, c in shape]
            if all(cell in grid.values for cell in cells):
                yield Cells(cells)


def rectangles(grid: Grid, largest: int | None = None) -> Pieces[Cells]:
    """Find every rectangle of cells of a board, ordered by the upper left cell.

    Args:
        grid: The board, whose holes are in no rectangle.
        largest: The most cells of a rectangle; None for no bound.

    Raises:
        InputError: The rectangles, or the cells in them, are more than the limits on boards allow.
    """
    most = len(grid) if largest is None else largest
    found: list[Cells] = []
    size = 0
    for corner in grid.cells:
        wide = grid.width
        row = corner.row
        while wide and row - corner.row < most:
            wide = min(wide, most // (row - corner.row + 1), _run(grid, Cell(row, corner.column)))
            for width in range(1, wide + 1):
                cells = [Cell(r, corner.column + c) for r in range(corner.row, row + 1) for c in range(width)]
                found.append(Cells(cells))
                size += len(cells)
                _bounded(len(found), size, "rectangles")
            row += 1
    return Pieces(found, lambda cells: cells)


def _run(grid: Grid, cell: Cell) -> int:
    """The length of the run of cells from this one to the right."""
    wide = 0
    while Cell(cell.row, cell.column + wide) in grid.values:
        wide += 1
    return wide


def _bounded(count: int, size: int, what: str) -> None:
    most = limits().boards
    if count > most.placements or size > most.placement_cells:
        raise InputError(
            f"too many {what} on this board: more than {most.placements:,}, or {most.placement_cells:,} cells in them"
        )
