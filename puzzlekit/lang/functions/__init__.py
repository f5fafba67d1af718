"""The core language as a library: its functions, constants and types of data and value."""

from __future__ import annotations

from puzzlekit.boards import WAYS, Cell, Corner, Grid, Placement, Size
from puzzlekit.lang.data.board_text import ShapeType
from puzzlekit.lang.data.scalars import SCALARS
from puzzlekit.lang.expressions.values import ValueType
from puzzlekit.lang.functions.arithmetic import Counting, Goals
from puzzlekit.lang.functions.connectivity import Graphs
from puzzlekit.lang.functions.geometry import Geometry
from puzzlekit.lang.functions.sequences import Grouping, Rows, Sequences, Texts
from puzzlekit.lang.library import Library

# attributes and methods of boards
GROUPS_OF_CELLS = (
    "cells",
    "given",
    "numbers",
    "having",
    "rows",
    "columns",
    "diagonals",
    "all_diagonals",
    "boxes",
    "windows",
    "regions",
    "slots",
    "across",
    "down",
)
NEAR_A_CELL = (
    "neighbours",
    "around",
    "within",
    "knight",
    "adjacent",
    "touching",
    "links",
    "next",
    "ray",
    "rays",
    "line",
    "edges",
    "sides",
    "corners",
)

CORE = Library(
    "core",
    functions=(Counting, Sequences, Rows, Grouping, Graphs, Geometry, Texts, Goals),
    constants={"bool": (False, True), "king": "king", "rook": "rook", "ways": WAYS},
    data_types={**SCALARS, "shape": ShapeType()},
    value_types=(
        ValueType(Grid, (*GROUPS_OF_CELLS, *NEAR_A_CELL)),
        ValueType(Cell, ("row", "column", "step")),
        ValueType(Corner, ("row", "column")),
        ValueType(Size, ("rows", "columns")),
        ValueType(Placement, ("piece", "cells")),
    ),
)
CORE.register()
