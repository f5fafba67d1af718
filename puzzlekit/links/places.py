"""The kinds of places that the layers of a link have, by the name that `links` of a type gives
them.
"""

from __future__ import annotations

from puzzlekit.lang import PuzzleType
from puzzlekit.lang.data.board_text import ShapeType
from puzzlekit.lang.data.collections import MapOf
from puzzlekit.links.form import HOLES, LinkLayer
from puzzlekit.links.layers import (
    Corners,
    Dots,
    Edges,
    FrameClues,
    Holes,
    Inner,
    Number,
    Places,
    Rooms,
    Sides,
)
from puzzlekit.links.pieces import Lengths, Shapes

PLACES: dict[str, type[Places]] = {
    "cells": Places,
    "corners": Corners,
    "inner": Inner,
    "rim": FrameClues,
    "dots": Dots,
    "edges": Edges,
    "rooms": Rooms,
    "sides": Sides,
    "number": Number,
    "pieces": Lengths,
}


def places_of(layer: LinkLayer, kind: PuzzleType) -> Places:
    """Return the places of a layer of a type."""
    if layer.fields == (HOLES,):
        return Holes(layer, kind)
    field = kind.fields[layer.fields[0]].type if layer.fields else None
    if layer.places == "pieces" and isinstance(field, MapOf) and isinstance(field.value, ShapeType):
        return Shapes(layer, kind)
    return PLACES[layer.places](layer, kind)
