"""Cells, grids and graphs: the geometry that rules speak of. It knows nothing of unknowns."""

from puzzlekit.boards.cells import Cell, Cells, Corner, Side, edge
from puzzlekit.boards.cycle_packing import BestCycles, Cut, best_cycles, most_cycles
from puzzlekit.boards.graphs import Cycle, Exchange, Pieces, exchanges, simple_cycles
from puzzlekit.boards.grid import Grid, HexBoard, board, hex_board, hexagons, torus
from puzzlekit.boards.shapes import Placement, Shape, placements, rectangles

__all__ = [
    "BestCycles",
    "Cell",
    "Cells",
    "Corner",
    "Cut",
    "Cycle",
    "Exchange",
    "Grid",
    "HexBoard",
    "Pieces",
    "Placement",
    "Shape",
    "Side",
    "best_cycles",
    "board",
    "edge",
    "exchanges",
    "hex_board",
    "hexagons",
    "most_cycles",
    "placements",
    "rectangles",
    "simple_cycles",
    "torus",
]
