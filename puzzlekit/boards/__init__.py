"""Cells, grids and graphs: the geometry that rules use. It is independent of unknowns."""

from puzzlekit.boards.cells import (
    WAYS,
    Cell,
    Cells,
    Corner,
    Form,
    Side,
    Size,
    edge,
    rows_over,
    turned,
)
from puzzlekit.boards.graphs import Cycle, simple_cycles
from puzzlekit.boards.grid import (
    Grid,
    HexBoard,
    board,
    hex_board,
    hexagons,
    torus,
    triangle_board,
    triangles,
)
from puzzlekit.boards.outlines import Faces, faces
from puzzlekit.boards.shapes import Placement, Shape, placements, polyominoes, rectangles

__all__ = [
    "WAYS",
    "Cell",
    "Cells",
    "Corner",
    "Cycle",
    "Faces",
    "Form",
    "Grid",
    "HexBoard",
    "Placement",
    "Shape",
    "Side",
    "Size",
    "board",
    "edge",
    "faces",
    "hex_board",
    "hexagons",
    "placements",
    "polyominoes",
    "rectangles",
    "rows_over",
    "simple_cycles",
    "torus",
    "triangle_board",
    "triangles",
    "turned",
]
