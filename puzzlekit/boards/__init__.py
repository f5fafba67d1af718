"""Cells, grids and graphs: the geometry that rules use. It is independent of unknowns."""

from typing import TYPE_CHECKING

from puzzlekit.boards.cells import (
    CIRCLE,
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
from puzzlekit.boards.symmetries import OF_SQUARES, SYMMETRIES, Symmetry, images
from puzzlekit.lazy_imports import door

__all__ = [
    "CIRCLE",
    "OF_SQUARES",
    "SYMMETRIES",
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
    "Symmetry",
    "board",
    "edge",
    "faces",
    "hex_board",
    "hexagons",
    "images",
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

if TYPE_CHECKING:
    from puzzlekit.boards.graphs import CYCLE_ARCS as CYCLE_ARCS, CYCLES as CYCLES, Arc as Arc
    from puzzlekit.boards.grid import Torus as Torus
    from puzzlekit.boards.outlines import (
        below as below,
        corner_name as corner_name,
        side_name as side_name,
    )
else:
    __getattr__ = door(
        __name__,
        {
            "graphs": ("Arc", "CYCLES", "CYCLE_ARCS"),
            "grid": ("Torus",),
            "outlines": ("below", "corner_name", "side_name"),
        },
    )
