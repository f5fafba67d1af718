"""Merges several scenes of one picture into what they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from puzzlekit.scene import (
    CellPos,
    ClueCell,
    Diagonals,
    Fill,
    Layer,
    Path,
    PencilMarks,
    Piece,
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
    layers: list[Layer] = []
    differing = set[CellPos]()
    for stack in zip(*(scene.layers for scene in scenes)):
        layer, cells = _shared_layer(stack)
        layers.append(layer)
        differing |= cells
    marks = dict.fromkeys(sorted(differing), different) | dict(signs)
    written = set[CellPos]()
    for layer in layers:
        if isinstance(layer, Text) and not layer.corner:
            written.update(layer.texts)
    free = {cell: sign for cell, sign in marks.items() if cell not in written}
    occupied = {cell: sign for cell, sign in marks.items() if cell in written}
    if free:
        layers.append(Text(False, free))
    if occupied:
        layers.append(Text(False, occupied, corner=True))
    return replace(scenes[0], layers=tuple(layers))


def _shared_layer(stack: Sequence[Layer]) -> tuple[Layer, set[CellPos]]:
    """Return what layers of one type share, and the cells in which they differ."""
    first = stack[0]
    contents = [layer.elements for layer in stack]
    if all(content == contents[0] for content in contents):
        return first, set()
    if isinstance(contents[0], Mapping):
        if not isinstance(first, Diagonals):  # false is a diagonal, elsewhere nothing
            contents = [_nonempty(content) for content in contents]
        common, differing = _shared_mapping(contents)
    else:
        common, differing = _shared_elements(contents)
    cells = set[CellPos]()
    for element in differing:
        cells.update(_cells(first, element))
    changes: Any = {first.elements_field: common}
    return replace(first, **changes), cells


def _nonempty(mapping: Mapping[Any, Any]) -> dict[Any, Any]:
    return {key: content for key, content in mapping.items() if content}


def _shared_mapping(mappings: Sequence[Mapping[Any, Any]]) -> tuple[Any, Iterable[Any]]:
    """Return the entries that all mappings have, and the keys of the others."""
    first = mappings[0]
    common_keys = [key for key in first if _all_equal(mappings, key)]
    common = {key: first[key] for key in common_keys}
    keys = set[Any]().union(*mappings)
    return common, keys - common.keys()


def _all_equal(mappings: Sequence[Mapping[Any, Any]], key: Any) -> bool:
    content = mappings[0][key]
    return all(mapping.get(key) == content for mapping in mappings)


def _shared_elements(contents: Sequence[Any]) -> tuple[Any, Iterable[Any]]:
    """Return the elements that all collections have, and the others."""
    first = contents[0]
    common = [element for element in first if all(element in content for content in contents)]
    everything = chain.from_iterable(contents)
    return type(first)(common), [element for element in everything if element not in common]


def _cells(layer: Layer, element: Any) -> Iterable[CellPos]:
    """Return the cells of an element of a layer; none of what lies between cells."""
    if isinstance(layer, Fill | Text | PencilMarks | ClueCell | Diagonals):
        return [element]
    if isinstance(element, Piece | Path):
        return list(element.cells)
    if isinstance(layer, Symbols):
        y, x = element
        if y % 2 == x % 2 == 0:
            return [(y // 2, x // 2)]
    return []
