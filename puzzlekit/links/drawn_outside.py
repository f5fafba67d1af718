"""Readers of what stands outside the board of a drawing: clues of rows and columns, and pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from puzzlekit.lang.data.board_text import ShapeType
from puzzlekit.lang.data.collections import ListOf, MapOf
from puzzlekit.lang.puzzle_type import Field
from puzzlekit.links.drawing import SHADE, Drawing, Mark
from puzzlekit.links.form import BLANK
from puzzlekit.links.link_board import label_of
from puzzlekit.model.graphs import connected_components
from puzzlekit.scene import CellPos, Point, centre

OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


def clues(drawing: Drawing, taken: set[str], field: Field, place: str) -> str | list[str]:
    """Read clues of rows or columns; those on the opposite side if only that has some and no field
    stands there.
    """
    side, _, sign = place.partition(" ")
    lines = _marked(drawing, side, sign) if sign else drawing.outside(side)
    if not any(lines) and OPPOSITE[side] not in taken and not sign:
        side = OPPOSITE[side]
        lines = drawing.outside(side)
    several = isinstance(field.type, ListOf) and isinstance(field.type.item, ListOf)
    nearest = (
        slice(None) if several else slice(-1, None) if side in ("top", "left") else slice(0, 1)
    )
    texts = []
    for line in lines:
        for at in line[nearest]:
            drawing.take("text", at)
        texts.append(" ".join(drawing.texts[at] for at in line[nearest]))
    return texts if several else " ".join(text or BLANK for text in texts)


def _marked(drawing: Drawing, side: str, sign: str) -> list[list[Point]]:
    """Return the places outside in the row or column of clues that a sign in the margin marks."""
    across = side in ("left", "right")
    for place, names in drawing.signs.items():
        if sign in names and not drawing.has((place[0] // 2, place[1] // 2)):
            lines = [
                [at for at in line if at[across] == place[across]] for line in drawing.outside(side)
            ]
            if any(lines):
                drawing.take("sign", (place, sign))
                return lines
    return [[] for _ in drawing.outside(side)]


def bank(drawing: Drawing, field: Field) -> dict[str, str] | None:
    """Read the pieces that are drawn: their shapes, or how many straight ones there are of each
    length.
    """
    found: dict[CellPos, Mark] = {}
    for cell in [*drawing.colours, *((y // 2, x // 2) for y, x in drawing.signs)]:
        if not drawing.has(cell) and centre(cell) not in drawing.texts:
            names = drawing.names_at(cell)
            found |= [
                (cell, mark)
                for name, mark in names
                if name in (SHADE, "black_circle") or name.startswith("ship")
            ]
    cells = sorted(found)
    numbers = {cell: number for number, cell in enumerate(cells)}
    joins = (
        (numbers[r, c], numbers[near])
        for r, c in cells
        for near in ((r - 1, c), (r, c - 1))
        if near in numbers
    )
    groups = [
        [cells[number] for number in piece]
        for piece in connected_components(range(len(cells)), joins)
    ]
    of_shapes = isinstance(field.type, MapOf) and isinstance(field.type.value, ShapeType)
    if not groups or not (
        of_shapes or all(1 in map(len, map(set, zip(*group))) for group in groups)
    ):
        return None
    for mark in found.values():
        drawing.take(*mark)
    if of_shapes:
        return {label_of(number): _shape(group) for number, group in enumerate(groups)}
    lengths = Counter(map(len, groups))
    return {str(length): str(lengths[length]) for length in sorted(lengths, reverse=True)}


def _shape(cells: Sequence[CellPos]) -> str:
    """Return a piece as specs write it: rows, with blanks between."""
    top, left = (min(part) for part in zip(*cells))
    bottom, right = (max(part) for part in zip(*cells))
    rows = (
        ["#" if (row, column) in cells else "." for column in range(left, right + 1)]
        for row in range(top, bottom + 1)
    )
    return " ".join("".join(row) for row in rows)
