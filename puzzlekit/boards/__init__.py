"""Cells, grids and graphs: the geometry that rules speak of. It knows nothing of unknowns."""

from puzzlekit.boards.cells import Cell, Cells, Corner, Side, edge
from puzzlekit.boards.graphs import Cycle, Exchange, Pieces, exchanges, simple_cycles
from puzzlekit.boards.grid import Grid, board
from puzzlekit.boards.shapes import Placement, Shape, placements, rectangles
from puzzlekit.boards.worlds import hex_board, torus

__all__ = [
    "Cell",
    "Cells",
    "Corner",
    "Cycle",
    "Exchange",
    "Grid",
    "Pieces",
    "Placement",
    "Shape",
    "Side",
    "board",
    "edge",
    "exchanges",
    "hex_board",
    "placements",
    "rectangles",
    "simple_cycles",
    "torus",
]
