"""The class for each kind of place that a layer of a link has."""

from __future__ import annotations

from collections.abc import Callable

from puzzlekit.lang import LinkLayer, PuzzleType
from puzzlekit.links.board_layers import Cells, Corners, Dots, Edges, Rim, Rooms
from puzzlekit.links.line_layers import Letters, Number, Pairs, Pieces, Runs, Sides
from puzzlekit.links.places import Places

LAYERS: dict[str, Callable[[LinkLayer, PuzzleType], Places]] = {
    "cells": Cells,
    "corners": Corners,
    "rim": Rim,
    "dots": Dots,
    "edges": Edges,
    "rooms": Rooms,
    "sides": Sides,
    "pairs": Pairs,
    "runs": Runs,
    "number": Number,
    "letters": Letters,
    "pieces": Pieces,
}


def places_of(layer: LinkLayer, kind: PuzzleType) -> Places:
    """Return the places of a layer of a type."""
    return LAYERS[layer.places](layer, kind)
