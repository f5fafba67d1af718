"""What several scenes of one picture share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from puzzlekit.scene import (
    CellPos,
    ClueCell,
    Diagonals,
    Fill,
    Layer,
    Path,
    Paths,
    PencilMarks,
    Piece,
    Pieces,
    Scene,
    Symbols,
    Text,
)


def shared(scenes: Sequence[Scene], signs: Mapping[CellPos, str], different: str) -> Scene:
    """Return what all scenes have, with a sign in each cell in which they differ.

    Args:
        scenes: Scenes of one picture with different solutions.
        signs: More signs, by cell.
        different: The sign where scenes differ.
    """
    layers, cells = [], set[CellPos]()
    for stack in zip(*(scene.layers for scene in scenes)):
        layer, differing = _shared(stack)
        layers.append(layer)
        cells |= differing
    marks = {**dict.fromkeys(sorted(cells), different), **signs}
    written = {
        cell
        for layer in layers
        if isinstance(layer, Text) and not layer.corner
        for cell in layer.texts
    }
    free = Text(False, {cell: sign for cell, sign in marks.items() if cell not in written})
    beside = Text(
        False, {cell: sign for cell, sign in marks.items() if cell in written}, corner=True
    )
    return replace(scenes[0], layers=(*layers, *(text for text in (free, beside) if text.texts)))


def _shared(stack: Sequence[Layer]) -> tuple[Layer, set[CellPos]]:
    """Return what layers of one type share, and the cells in which they differ."""
    first = stack[0]
    values = [layer.drawn for layer in stack]
    if all(value == values[0] for value in values):
        return first, set()
    if isinstance(values[0], Mapping):
        filled = [
            {k: v for k, v in value.items() if v or isinstance(first, Diagonals)}
            for value in values
        ]
        kept: Any = {
            key: what
            for key, what in filled[0].items()
            if all(other.get(key) == what for other in filled)
        }
        rest: Iterable[Any] = {key for value in filled for key in value} - kept.keys()
    else:
        kept = type(values[0])(item for item in values[0] if all(item in other for other in values))
        rest = [item for value in values for item in value if item not in kept]
    changed: Any = {first.content: kept}
    return replace(first, **changed), {cell for item in rest for cell in _cells(first, item)}


def _cells(layer: Layer, item: Any) -> Iterable[CellPos]:
    """Return the cells of an item of a layer; none of what lies between cells."""
    match layer, item:
        case ((Fill() | Text() | PencilMarks() | ClueCell() | Diagonals()), _):
            return [item]
        case Symbols(), (y, x):
            return [(y // 2, x // 2)] if y % 2 == 0 and x % 2 == 0 else []
        case ((Pieces() | Paths()), Piece(cells=cells) | Path(cells=cells)):
            return list(cells)
        case _:
            return []
