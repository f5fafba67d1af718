"""Readers of what stands outside the board of a drawing: clues of rows and columns, and pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from puzzlekit.lang import Field, ListOf
from puzzlekit.links.drawing import SHADE, Drawing, DrawnSymbol, cell_around
from puzzlekit.links.link_board import label_of
from puzzlekit.links.link_format import BLANK
from puzzlekit.links.section import has_shapes
from puzzlekit.model import connected_components
from puzzlekit.scene import CellPos, Point, centre

OPPOSITE = {"top": "bottom", "bottom": "top", "left": "right", "right": "left"}


def clues(
    drawing: Drawing, positions: Collection[str], field: Field, position: str
) -> str | list[str]:
    """Read clues of rows or columns; those on the opposite side if only that has some and no field
    stands there.

    Args:
        drawing: The drawing.
        positions: Where all fields of the type stand.
        field: The field.
        position: A side, or a side and the sign in the margin that marks a row or column of clues.
    """
    side, _, sign = position.partition(" ")
    lines = _marked(drawing, side, sign) if sign else drawing.outside(side)
    if not any(lines) and OPPOSITE[side] not in positions and not sign:
        side = OPPOSITE[side]
        lines = drawing.outside(side)
    runs = isinstance(field.type, ListOf) and isinstance(field.type.item, ListOf)
    texts = []
    for line in lines:
        points = line if runs else _nearest(line, side)
        for point in points:
            drawing.consume("text", point)
        texts.append(" ".join(drawing.texts[point] for point in points))
    return texts if runs else " ".join(text or BLANK for text in texts)


def _nearest(line: list[Point], side: str) -> list[Point]:
    """Return the point that is nearest to the board."""
    if side in ("top", "left"):
        return line[-1:]
    return line[:1]


def _marked(drawing: Drawing, side: str, sign: str) -> list[list[Point]]:
    """Return the points outside in the row or column of clues that a sign in the margin marks."""
    axis = 1 if side in ("left", "right") else 0
    outside = drawing.outside(side)
    for sign_point, names in drawing.signs.items():
        if sign not in names or drawing.has(cell_around(sign_point)):
            continue
        depth = sign_point[axis]
        lines = [[point for point in line if point[axis] == depth] for line in outside]
        if any(lines):
            drawing.consume("sign", (sign_point, sign))
            return lines
    return [[] for _ in outside]


def bank(drawing: Drawing, field: Field) -> dict[str, str] | None:
    """Read the pieces that are drawn: their shapes, or how many straight ones there are of each
    length.
    """
    symbols = dict(_piece_symbols(drawing))
    pieces = _pieces(sorted(symbols))
    of_shapes = has_shapes(field.type)
    if not pieces or not (of_shapes or all(map(_is_straight, pieces))):
        return None
    for category, key in symbols.values():
        drawing.consume(category, key)
    if of_shapes:
        return {label_of(number): _shape(piece) for number, piece in enumerate(pieces)}
    lengths = Counter(map(len, pieces))
    longest_first = sorted(lengths.items(), reverse=True)
    return {str(length): str(count) for length, count in longest_first}


def _piece_symbols(drawing: Drawing) -> Iterator[tuple[CellPos, DrawnSymbol]]:
    """Yield the cells of pieces outside the board, each with its symbols."""
    for cell in [*drawing.colours, *map(cell_around, drawing.signs)]:
        if drawing.has(cell) or centre(cell) in drawing.texts:
            continue
        for name, symbol in drawing.names_at(cell):
            if name in (SHADE, "black_circle") or name.startswith("ship"):
                yield cell, symbol


def _pieces(cells: Sequence[CellPos]) -> list[list[CellPos]]:
    """Return the connected groups of cells."""
    numbers = {cell: number for number, cell in enumerate(cells)}
    joins = []
    for (row, column), number in numbers.items():
        neighbours = ((row - 1, column), (row, column - 1))
        joins += [(number, numbers[cell]) for cell in neighbours if cell in numbers]
    components = connected_components(range(len(cells)), joins)
    return [[cells[number] for number in component] for component in components]


def _is_straight(cells: Sequence[CellPos]) -> bool:
    """Return whether cells lie in one row or in one column."""
    rows, columns = map(set, zip(*cells))
    return len(rows) == 1 or len(columns) == 1


def _shape(cells: Sequence[CellPos]) -> str:
    """Return a piece as specs write it: rows, with blanks between."""
    rows, columns = zip(*cells)
    width = range(min(columns), max(columns) + 1)
    lines = []
    for row in range(min(rows), max(rows) + 1):
        signs = ["#" if (row, column) in cells else "." for column in width]
        lines.append("".join(signs))
    return " ".join(lines)
