"""What the values of a link's layer belong to, by the name that `links` of a type gives it."""

from __future__ import annotations

from puzzlekit.lang import PuzzleType
from puzzlekit.links.layers import (
    CellLayer,
    ColumnLayer,
    ComparedLayer,
    CornerLayer,
    DominoLayer,
    DotLayer,
    EdgeLayer,
    ExitLayer,
    FrameLayer,
    HoleLayer,
    InnerLayer,
    NumberLayer,
    RoomCellLayer,
    RoomLayer,
    RowLayer,
    SideLayer,
    WayLayer,
)
from puzzlekit.links.link_format import LinkLayer
from puzzlekit.links.pieces import LengthLayer, ShapeLayer
from puzzlekit.links.section import has_shapes

TARGETS: dict[str, type[CellLayer]] = {
    "cells": CellLayer,
    "corners": CornerLayer,
    "inner": InnerLayer,
    "rim": FrameLayer,
    "dots": DotLayer,
    "edges": EdgeLayer,
    "rooms": RoomLayer,
    "room_cells": RoomCellLayer,
    "sides": SideLayer,
    "exits": ExitLayer,
    "columns": ColumnLayer,
    "rows": RowLayer,
    "dominoes": DominoLayer,
    "compared": ComparedLayer,
    "ways": WayLayer,
    "number": NumberLayer,
    "pieces": LengthLayer,
}


def cell_layer(layer: LinkLayer, puzzle_type: PuzzleType) -> CellLayer:
    """Return a layer together with the type whose fields it fills."""
    if layer.is_holes:
        return HoleLayer(layer, puzzle_type)
    if layer.target == "pieces" and layer.fields:
        field = puzzle_type.fields[layer.fields[0]]
        if has_shapes(field.type):
            return ShapeLayer(layer, puzzle_type)
    return TARGETS[layer.target](layer, puzzle_type)
