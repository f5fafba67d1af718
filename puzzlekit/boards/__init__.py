"""Cells, grids and graphs: the geometry that rules speak of. It knows nothing of unknowns."""

from puzzlekit.boards.cells import Cell, Cells
from puzzlekit.boards.graphs import Cycle, Exchange, Pieces, exchanges, simple_cycles
from puzzlekit.boards.grid import Grid, board

__all__ = ["Cell", "Cells", "Cycle", "Exchange", "Grid", "Pieces", "board", "exchanges", "simple_cycles"]
