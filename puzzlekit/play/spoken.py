"""The picture of a puzzle in words at each of its cells, for those who cannot see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from puzzlekit.scene import (
    FULL,
    Borders,
    Cages,
    CellPos,
    ClueCell,
    Diagonals,
    Fill,
    Layer,
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
from puzzlekit.sentences import SpokenCage, SpokenPath, SpokenPiece, SpokenRegion

WHERE = {  # a position in a cell, by how far it is below and right of the middle
    (-1, -1): "at the upper left", (-1, 0): "above", (-1, 1): "at the upper right",
    (0, -1): "on the left", (0, 0): "", (0, 1): "on the right",
    (1, -1): "at the lower left", (1, 0): "below", (1, 1): "at the lower right",
}  # fmt: skip


def spoken(scene: Scene) -> dict[str, Any]:
    """Return the given contents of a scene in words.

    Returns:
        `cells`: for each cell, in their order, what is in it and at its sides and corners. `rows`
        and `columns`: the clues outside the board, by the number of the row or column.
    """
    texts: dict[CellPos, list[str]] = {cell: [] for cell in scene.cells}
    for point, text in _point_texts(scene):
        for cell, where in _cells_at(point, texts):
            texts[cell].append(f"{text} {where}".rstrip())
    top, _, left, _ = scene.extent
    cells = [dict.fromkeys(cell_texts) for cell_texts in texts.values()]
    rows = _outside(scene, ("left", "right"), top)
    columns = _outside(scene, ("top", "bottom"), left)
    return {"cells": list(map("; ".join, cells)), "rows": rows, "columns": columns}


def _point_texts(scene: Scene) -> Iterator[tuple[Point, str]]:
    """Yield the texts of given layers, with their points; regions come last."""
    given = [layer for layer in scene.layers if layer.is_given]
    borders = [layer for layer in given if isinstance(layer, Borders)]
    for layer in given:
        for point, text in _layer_texts(layer):
            if text:
                yield point, text
    if scene.form == "square":
        for layer in borders:
            yield from _regions(scene, layer.sides)


def _layer_texts(layer: Layer) -> Iterator[tuple[Point, str]]:
    """Yield the texts of a layer, with their points; empty ones mean nothing."""
    match layer:
        case Text():
            for cell, text in layer.texts.items():
                yield centre(cell), text
        case PencilMarks():
            for cell, texts in layer.texts.items():
                yield centre(cell), " ".join(texts)
        case SideLabels():
            yield from layer.texts.items()
        case Symbols():
            for point, name in layer.symbols.items():
                yield point, name.replace("_", " ")
        case Fill():
            for cell, tone in layer.tones.items():
                yield centre(cell), "black" if tone == FULL else tone
        case ClueCell():
            for cell, clues in layer.clues.items():
                yield centre(cell), _clue_cell(clues)
        case Diagonals():
            for cell, falls in layer.falling.items():
                yield centre(cell), "\\" if falls else "/"
        case Lines():
            for (start, end), count in layer.links.items():
                yield middle(start, end), "line" if count else ""
        case Cages() | Pieces() | Paths():
            yield from _group_texts(layer)
        case _:
            pass


def _group_texts(layer: Cages | Pieces | Paths) -> Iterator[tuple[Point, str]]:
    """Yield for each cell the group that it belongs to."""
    match layer:
        case Cages():
            for number, (cells, clue) in enumerate(layer.groups, 1):
                text = str(SpokenCage(number, str(clue)))
                for cell in cells:
                    yield centre(cell), text
        case Pieces():
            for number, piece in enumerate(layer.pieces, 1):
                text = str(SpokenPiece(str(piece.name or number)))
                for cell in piece.cells:
                    yield centre(cell), text
        case Paths():
            for number, path in enumerate(layer.paths, 1):
                length = len(path.cells)
                for position, cell in enumerate(path.cells, 1):
                    text = str(SpokenPath(number, position, length))
                    yield centre(cell), text


def _clue_cell(clues: tuple[str, str]) -> str:
    """Return the clues of a blocked cell in words."""
    texts = []
    for clue, where in zip(clues, ("below", "on the right")):
        if clue:
            texts.append(f"{clue} {where}")
    return ", ".join(texts) or "black"


def _regions(scene: Scene, borders: frozenset[Point]) -> Iterator[tuple[Point, str]]:
    """Yield the regions of cells if there are several, and the borders inside of a region."""
    regions = areas(scene.cells, borders)
    numbers: dict[CellPos, int] = {}
    for number, area in enumerate(regions, 1):
        numbers |= dict.fromkeys(area, number)
    if len(regions) > 1:
        for cell, number in numbers.items():
            yield centre(cell), str(SpokenRegion(number))
    for side in sorted(borders):
        first, second = map(numbers.get, cells_beside(side))
        if first is not None and first == second:
            yield side, "border"


def _cells_at(point: Point, cells: Mapping[CellPos, Any]) -> Iterator[tuple[CellPos, str]]:
    """Yield the cells that a point is in, or at whose side or corner it lies, and where there."""
    y, x = point
    for row, down in _nearest(y):
        for column, right in _nearest(x):
            if (row, column) in cells:
                yield (row, column), WHERE[down, right]


def _nearest(half_steps: int) -> list[tuple[int, int]]:
    """Return the rows or columns at a number of half steps, and the direction from their middle."""
    number = half_steps // 2
    if half_steps % 2 == 0:
        return [(number, 0)]
    return [(number, 1), (number + 1, -1)]


def _outside(scene: Scene, sides: tuple[str, str], first: int) -> dict[int, str]:
    """Return the clues outside of rows or columns, in words."""
    words: dict[int, list[str]] = {}
    for side in sides:
        for number, clues in enumerate(outside_of(scene, side), first):
            texts = [text for text, rim in clues if text and not rim]
            if texts:
                line = " ".join([side, *texts])
                words.setdefault(number, []).append(line)
    return {number: ", ".join(texts) for number, texts in words.items()}
