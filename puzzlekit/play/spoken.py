"""What the picture of a puzzle shows, in words at each of its cells, for those who cannot see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from puzzlekit.scene import (
    Borders,
    Cages,
    CellPos,
    ClueCell,
    Diagonals,
    Fill,
    Lines,
    Paths,
    PencilMarks,
    Pieces,
    Point,
    Scene,
    SideLabels,
    Symbols,
    Text,
    areas,
    cells_beside,
    centre,
    middle,
    outside_of,
)
from puzzlekit.sentences.reports import SpokenCage, SpokenPath, SpokenPiece, SpokenRegion

WHERE = {  # a place in a cell, by how far it is below and right of the middle
    (-1, -1): "at the upper left", (-1, 0): "above", (-1, 1): "at the upper right",
    (0, -1): "on the left", (0, 0): "", (0, 1): "on the right",
    (1, -1): "at the lower left", (1, 0): "below", (1, 1): "at the lower right",
}  # fmt: skip


def spoken(scene: Scene) -> dict[str, Any]:
    """Return what a scene shows.

    Returns:
        `cells`: for each cell, in their order, what is in it and at its sides and corners. `rows`
            and
        `columns`: the clues outside the board, by the number of the row or column.
    """
    said: dict[CellPos, list[str]] = {cell: [] for cell in scene.cells}
    for place, text in _shown(scene):
        for cell, where in _cells_at(place, said):
            said[cell].append(f"{text} {where}".rstrip())
    top, _, left, _ = scene.extent
    return {
        "cells": ["; ".join(dict.fromkeys(own)) for own in said.values()],
        "rows": _outside(scene, ("left", "right"), top),
        "columns": _outside(scene, ("top", "bottom"), left),
    }


def _shown(scene: Scene) -> Iterator[tuple[Point, str]]:
    """Yield what is given, with its place."""
    for layer in sorted(scene.layers, key=lambda layer: isinstance(layer, Borders)):  # regions last
        if not layer.is_given:
            continue
        match layer:
            case Text():
                yield from ((centre(cell), text) for cell, text in layer.texts.items() if text)
            case PencilMarks():
                yield from (
                    (centre(cell), " ".join(texts)) for cell, texts in layer.texts.items() if texts
                )
            case SideLabels():
                yield from ((place, text) for place, text in layer.texts.items() if text)
            case Symbols():
                yield from (
                    (place, name.replace("_", " ")) for place, name in layer.symbols.items() if name
                )
            case Fill():
                yield from (
                    (centre(cell), "black" if tone == "full" else tone)
                    for cell, tone in layer.tones.items()
                    if tone
                )
            case ClueCell():
                yield from _split(layer)
            case Diagonals():
                yield from (
                    (centre(cell), "\\" if falls else "/") for cell, falls in layer.falling.items()
                )
            case Cages():
                for number, (cells, clue) in enumerate(layer.groups, 1):
                    yield from (
                        (centre(cell), str(SpokenCage(number, str(clue)))) for cell in cells
                    )
            case Pieces():
                for number, piece in enumerate(layer.pieces, 1):
                    yield from (
                        (centre(cell), str(SpokenPiece(str(piece.name or number))))
                        for cell in piece.cells
                    )
            case Paths():
                for number, path in enumerate(layer.paths, 1):
                    long = len(path.cells)
                    yield from (
                        (centre(cell), str(SpokenPath(number, place, long)))
                        for place, cell in enumerate(path.cells, 1)
                    )
            case Lines():
                yield from ((middle(*link), "line") for link, count in layer.links.items() if count)
            case Borders() if scene.form == "square":
                yield from _regions(scene, layer.sides)
            case _:
                pass


def _split(layer: ClueCell) -> Iterator[tuple[Point, str]]:
    for cell, clues in layer.clues.items():
        said = [f"{clue} {way}" for clue, way in zip(clues, ("below", "on the right")) if clue]
        yield centre(cell), ", ".join(said) or "black"


def _regions(scene: Scene, borders: frozenset[Point]) -> Iterator[tuple[Point, str]]:
    """Yield the number of the region of each cell if borders make several, and the borders that lie
    inside of one.
    """
    found = areas(scene.cells, borders)
    region = {cell: number for number, area in enumerate(found, 1) for cell in area}
    if len(found) > 1:
        yield from ((centre(cell), str(SpokenRegion(number))) for cell, number in region.items())
    for side in sorted(borders):
        one, other = (region.get(cell) for cell in cells_beside(side))
        if one is not None and one == other:
            yield side, "border"


def _cells_at(place: Point, cells: Mapping[CellPos, Any]) -> Iterator[tuple[CellPos, str]]:
    """Yield the cells that a place is in, or at whose side or corner it lies, and where it lies
    there.
    """
    rows, columns = (
        [(n // 2, 0)] if n % 2 == 0 else [(n // 2, 1), (n // 2 + 1, -1)] for n in place
    )
    for row, down in rows:
        for column, right in columns:
            if (row, column) in cells:
                yield (row, column), WHERE[down, right]


def _outside(scene: Scene, where: tuple[str, str], first: int) -> dict[int, str]:
    """Return the clues outside of rows or columns, in words."""
    found: dict[int, list[str]] = {}
    for side in where:
        for number, clues in enumerate(outside_of(scene, side), first):
            texts = [text for text, rim in clues if text and not rim]
            if texts:
                found.setdefault(number, []).append(f"{side} {' '.join(texts)}")
    return {number: ", ".join(own) for number, own in found.items()}
