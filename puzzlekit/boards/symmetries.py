"""The symmetries of a rectangle, and the cells that they carry a cell to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from puzzlekit.boards.cells import Cell

Symmetry = Literal["none", "rotate", "mirror", "flip", "diagonal", "four", "full"]
SYMMETRIES: tuple[str, ...] = get_args(Symmetry)
OF_SQUARES = ("diagonal", "four")  # which only square boards have

Map = Callable[[Cell, int, int], Cell]


def _half_turn(cell: Cell, height: int, width: int) -> Cell:
    return Cell(height + 1 - cell.row, width + 1 - cell.column)


def _mirrored(cell: Cell, height: int, width: int) -> Cell:
    return Cell(cell.row, width + 1 - cell.column)


def _flipped(cell: Cell, height: int, width: int) -> Cell:
    return Cell(height + 1 - cell.row, cell.column)


def _transposed(cell: Cell, height: int, width: int) -> Cell:
    return Cell(cell.column, cell.row)


def _quarter_turn(cell: Cell, height: int, width: int) -> Cell:
    return Cell(cell.column, height + 1 - cell.row)


# the maps that generate the group of each symmetry
GENERATORS: dict[str, tuple[Map, ...]] = {
    "none": (),
    "rotate": (_half_turn,),
    "mirror": (_mirrored,),
    "flip": (_flipped,),
    "diagonal": (_transposed,),
    "four": (_quarter_turn,),
    "full": (_half_turn, _mirrored),
}


def images(cell: Cell, height: int, width: int, symmetry: str) -> set[Cell]:
    """Return the cells that a symmetry carries a cell to, and the cell.

    Args:
        cell: A cell, from r1c1.
        height: The number of rows.
        width: The number of columns.
        symmetry: `rotate` by 180 degrees, `mirror` left to right, `flip` top to bottom,
            `diagonal` along the main diagonal, `four` quarter turns, `full` for all symmetries of
            the board, or `none`. A board that is not square has no diagonal and no quarter turns.

    Examples:
        >>> sorted(map(str, images(Cell(1, 2), 3, 3, "four")))
        ['r1c2', 'r2c1', 'r2c3', 'r3c2']
        >>> sorted(map(str, images(Cell(1, 2), 2, 4, "full")))
        ['r1c2', 'r1c3', 'r2c2', 'r2c3']
    """
    generators = GENERATORS[symmetry]
    if symmetry == "full" and height == width:
        generators = (_quarter_turn, _mirrored)
    reached = {cell}
    open_cells = [cell]
    while open_cells:
        member = open_cells.pop()
        for image in (generator(member, height, width) for generator in generators):
            if image not in reached:
                reached.add(image)
                open_cells.append(image)
    return reached
