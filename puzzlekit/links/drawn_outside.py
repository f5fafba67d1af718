"""Readers of what stands outside the board of a drawing: clues of rows and columns, and pieces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from puzzlekit.lang import DataType, Field, ListOf, OptionalType
from puzzlekit.links.drawing import SHADE, Drawing, DrawnSymbol, cell_around
from puzzlekit.links.link_board import label_of
from puzzlekit.links.link_format import BLANK
from puzzlekit.links.section import has_shapes
from puzzlekit.model import connected_components
from puzzlekit.scene import CellPos, Point, centre

NO_RUNS = "[]"  # a line without a clue
# the first and the last letter, as (A-C)
RANGE = re.compile(r"[({\[]?\s*1\s*(?:[-–—~]|\.\.+|…|to)\s*(\d+)\s*[)}\]]?")  # as {1-6}
LETTER_ROW = re.compile(r"[({\[]?\s*([A-Za-z](?:[\s,/]*[A-Za-z])+)\s*[)}\]]?")  # as ABC
LETTERS = re.compile(r"[({\[]?\s*([A-Za-z])\s*(?:[-–—~]|\.\.+|…|to)\s*([A-Za-z])\s*[)}\]]?")
NUMBER = re.compile(r"\D*([0-9]{1,3})\D*")
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
    clue_type: DataType = field.type.item if isinstance(field.type, ListOf) else field.type
    may_be_missing = isinstance(clue_type, OptionalType)
    if isinstance(clue_type, OptionalType):
        clue_type = clue_type.item
    runs = isinstance(clue_type, ListOf)
    if not sign and OPPOSITE[side] not in positions:
        side, lines = _on_either_side(drawing, side, lines)
    if not runs and not sign:
        lines = _without_counting(drawing, side, lines)
    texts = []
    for line in lines:
        points = line if runs else _nearest(line, side)
        for point in points:
            drawing.consume("text", point)
        texts.append(" ".join(drawing.texts[point] for point in points))
    if runs and any(texts):
        return [text or (BLANK if may_be_missing else NO_RUNS) for text in texts]
    return " ".join(text or BLANK for text in texts)


def _on_either_side(
    drawing: Drawing, side: str, lines: list[list[Point]]
) -> tuple[str, list[list[Point]]]:
    """Return the lines on the opposite side, if only that has texts that do more than count."""
    opposite = drawing.outside(OPPOSITE[side])
    if not any(opposite):
        return side, lines
    if any(lines) and (_counts(drawing, opposite) or not _counts(drawing, lines)):
        return side, lines
    return OPPOSITE[side], opposite


def _counts(drawing: Drawing, lines: list[list[Point]]) -> bool:
    """Return whether lines have one text each, and these only count them."""
    if any(len(line) != 1 for line in lines):
        return False
    points = [point for line in lines for point in line]
    return is_counting(drawing, points)


def _without_counting(drawing: Drawing, side: str, lines: list[list[Point]]) -> list[list[Point]]:
    """Return lines without the texts of a row or column that only counts them, if there are more
    texts.
    """
    axis = 0 if side in ("top", "bottom") else 1
    depths = sorted({point[axis] for line in lines for point in line})
    for depth in depths if len(depths) > 1 else ():
        layer = [[point for point in line if point[axis] == depth] for line in lines]
        if _counts(drawing, layer):
            return [[point for point in line if point[axis] != depth] for line in lines]
    return lines


def is_counting(drawing: Drawing, points: Sequence[Point]) -> bool:
    """Return whether the texts at points are 1, 2, 3, …: they only count rows or columns."""
    texts = [drawing.texts[point] for point in points]
    return texts == [str(number) for number in range(1, len(points) + 1)]


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


def letters(drawing: Drawing) -> str | None:
    """Read the letters that there are, from a text outside such as (A-C)."""
    for point in _points_outside(drawing):
        text = drawing.texts[point].lower()
        names = re.findall("[a-z]", text)
        alphabet = _letters_from("a", len(names))
        match = LETTERS.fullmatch(text)
        if match is not None:
            count = ord(match[2]) - ord(match[1]) + 1
            names = _letters_from(match[1], count)
        elif LETTER_ROW.fullmatch(text) is None or names != alphabet:
            continue
        drawing.consume("text", point)
        return " ".join(names)
    return None


def _letters_from(first: str, count: int) -> list[str]:
    """Return so many letters of the alphabet, from this one on."""
    start = ord(first)
    return list(map(chr, range(start, start + count)))


def highest(drawing: Drawing) -> str | None:
    """Read the greatest number, from a text outside such as {1-4}."""
    for point in _points_outside(drawing):
        match = RANGE.fullmatch(drawing.texts[point])
        if match is not None and ("text", point) not in drawing.consumed:
            drawing.consume("text", point)
            return match[1]
    return None


def number(drawing: Drawing, field: Field) -> str | None:
    """Read the only number outside, and the signs beside it; or how many signs of one name there
    are, if there is no number. The number of an optional field needs a word or a sign beside it.
    """
    points = [point for point in _points_outside(drawing) if drawing.texts[point]]
    matches = [NUMBER.fullmatch(drawing.texts[point]) for point in points]
    values = {match[1] for match in matches if match is not None}
    signs: list[tuple[Point, str]] = []
    for point, names in drawing.signs.items():
        if not drawing.has(cell_around(point)):
            signs += [(point, name) for name in names]
    different = {name for _, name in signs}
    if len(different) > 1 or len(values) > 1 or None in matches:
        return None
    has_words = any(re.search("[^0-9]", drawing.texts[point]) for point in points)
    if field.optional and not (values and (signs or has_words)):
        return None
    for point in points:
        drawing.consume("text", point)
    for sign in signs:
        drawing.consume("sign", sign)
    if values:
        return min(values)
    return str(len(signs)) if signs else None


def _points_outside(drawing: Drawing) -> list[Point]:
    """Return the points of texts outside, row by row."""
    return [point for point in sorted(drawing.texts) if not drawing.has(cell_around(point))]


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
