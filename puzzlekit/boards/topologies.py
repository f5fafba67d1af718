"""Boards whose cells lie otherwise: on a torus, and as hexagons."""

from __future__ import annotations

from typing import Any

from puzzlekit.boards.cells import Cell, Cells
from puzzlekit.boards.grid import Grid
from puzzlekit.errors import InputError

HEXAGON = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


class Torus(Grid):
    """A board whose neighbours go on at the opposite edge. Its rows, rays and sides do not."""

    def moved(self, cell: Cell, step: tuple[int, int]) -> Cell:
        return Cell((cell.row + step[0] - 1) % self.height + 1, (cell.column + step[1] - 1) % self.width + 1)


class HexBoard(Grid):
    """A hexagon of hexagons. Each has up to six neighbours; its lines in three directions are rows, columns and diagonals."""

    rook = HEXAGON
    king = HEXAGON

    @property
    def diagonals(self) -> tuple[Cells, ...]:
        """The lines of the third direction."""
        return tuple(line for line in self.all_diagonals if str(line).startswith("rising"))

    @property
    def edges(self) -> Any:
        raise InputError("the sides of hexagons are not known: only the pairs of cells, .adjacent")

    corners = edges

    def sides(self, place: Any) -> Any:
        raise InputError("the sides of hexagons are not known: only the pairs of cells, .adjacent")


def hexagons(grid: Grid) -> HexBoard:
    """The same cells and values as hexagons: the row below lies half a cell further to the right.

    >>> hexagons(Grid.of_rows(["abc", "def"])).neighbours(Cell(2, 2))
    (r1c2, r1c3, r2c1, r2c3)
    """
    return HexBoard(grid.values)


def torus(rows: int, columns: int) -> Torus:
    """A board without data that goes on at the opposite edge.

    >>> torus(3, 3).neighbours(Cell(1, 1))
    (r3c1, r1c3, r1c2, r2c1)
    """
    return Torus({Cell(r, c): None for r in range(1, rows + 1) for c in range(1, columns + 1)})


def hex_board(side: int) -> HexBoard:
    """A hexagon of hexagons with `side` cells along each side.

    >>> [len(row) for row in hex_board(2).rows], len(hex_board(2).neighbours(Cell(2, 2)))
    ([2, 3, 2], 6)
    """
    last = 2 * side - 1
    places = (Cell(r, c) for r in range(1, last + 1) for c in range(1, last + 1))
    return HexBoard({cell: None for cell in places if side < cell.row + cell.column <= last + side})
