"""Reads the fields of a type from the marks of a drawing.

Where a field stands is inferred from the picture of its type, or said by the type. It is one of the
`READERS`, or a mapping from marks of a cell (the name of a sign, `shade`, a character of a text) to
values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from puzzlekit.lang.data.collections import GridOf, ListOf, MapOf
from puzzlekit.lang.data.scalars import Choice, Reading, Union, WrongValueError
from puzzlekit.lang.picture_inference import inferred
from puzzlekit.lang.puzzle_type import Field, PuzzleType
from puzzlekit.links.drawing import SHADE, Drawing, marks_at
from puzzlekit.render.scene import At, Point, centre
from puzzlekit.source import Source

Where = str | Mapping[str, list[str]]  # a place, or the values of marks
Plain = str | list[str] | dict[str, str]  # a value as specs give it; a list has the lines of a block
SIDES = ("top", "bottom", "left", "right")
LAYERS = {  # where a field stands that is a layer of the picture
    "borders": "regions",
    "text": "texts",
    "text corner": "corner",
    "cages": "cages",
    "cages cells": "cages",
    "cages clues": "clues",
    "paths": "paths",
    "paths bulb": "bulbs",
    "paths arrow": "arrows",
    **{f"outside {side}": side for side in SIDES},
}
GIVEN = re.compile(r"(\w+)\.given")
HAVING = re.compile(r"(\w+)\.having\('(.+)'\)")
EMPTY, HOLE = ".", "_"
ARROWS = {"up": "↑", "right": "→", "down": "↓", "left": "←"}


def wheres(kind: PuzzleType) -> dict[str, Where]:
    """Return where each field stands, as far as the type says it or its picture shows it."""
    found: dict[str, Where] = {}
    marks: dict[str, dict[str, Any]] = {}
    for picture in kind.pictures or inferred(kind):
        for layer in picture.layers:
            text = str(layer.expression.text.text).strip()
            name = f"{layer.kind} {layer.part}".strip()
            if text in kind.fields:
                found.setdefault(text, LAYERS.get(name.removesuffix(" middle"), ""))
            elif layer.kind in ("signs", "shade") and (one := GIVEN.fullmatch(text) or HAVING.fullmatch(text)):
                marks.setdefault(one[1], {})[layer.part or SHADE] = one[2] if one.re is HAVING else None
    for name, field in kind.fields.items():
        if isinstance(field.type, GridOf) and not found.get(name):
            found[name] = "texts"
        if isinstance(field.type, MapOf) and any(field.spelled.startswith(f"map[symbol in {board}") for board in found):
            found.setdefault(name, "clues")
    for name, own in marks.items():
        if name in kind.fields and (signs := dict(_with_values(own, kind.fields[name]))):
            found[name] = signs
    return {name: where for name, where in {**found, **kind.drawn}.items() if where and name in kind.fields}


def _with_values(marks: Mapping[str, str | None], field: Field) -> Iterator[tuple[str, list[str]]]:
    """Yield marks with their values: a mark of all given cells stands for the only name that a cell may have."""
    names = list(_names(field.type.item)) if isinstance(field.type, GridOf) else []
    for mark, value in marks.items():
        if value in names:
            yield mark, [str(value)]
        elif value is None and len(names) == 1:
            yield mark, names


def _names(item: Any) -> Iterator[str]:
    for part in item.items if isinstance(item, Union) else (item,):
        if isinstance(part, Choice):
            yield from part.names


def fields_of(kind: PuzzleType, drawing: Drawing) -> dict[str, Plain]:
    """Return the values of the fields that a drawing shows; optional ones only where it has marks of them."""
    found: dict[str, Plain] = {}
    places = wheres(kind)
    corners = "corner" in places.values() and any(0 in texts for texts in drawing.small.values())
    for name, where in places.items():
        field = kind.fields[name]
        reader = READERS[where] if isinstance(where, str) else _by_marks
        value = reader(drawing, field, "texts" if where == "corner" and not corners else where)
        optional = field.optional or field.default is not None
        if value is not None and not (optional and _is_blank(value)):
            found[name] = value
    return found


def _is_blank(value: Plain) -> bool:
    return not set("".join(value)) - {*f"{EMPTY}{HOLE} 0"} if isinstance(value, list | str) else not value


def _board(drawing: Drawing, value: Callable[[Point], str]) -> list[str]:
    rows = ([value((row, column)) for column in range(1, drawing.width + 1)] for row in range(1, drawing.height + 1))
    return [" ".join([*row, *[HOLE] * (len(row) == 1)]) for row in rows]


def _texts(drawing: Drawing, field: Field, where: Where) -> list[str] | None:
    return _by_marks(drawing, field, {})


def _corner(drawing: Drawing, field: Field, where: Where) -> list[str] | None:
    return _by_marks(drawing, field, where if isinstance(where, str) else {})


def _by_marks(drawing: Drawing, field: Field, where: Where) -> list[str] | None:
    """Read a board: a cell has the value of its text if the field takes it, else that of its first known mark."""
    if not isinstance(field.type, GridOf):
        return None
    marks = where if isinstance(where, Mapping) else {}
    letters = {mark: values[0] for mark, values in marks.items() if len(mark) == 1}
    takes = _Takes(field.type.item, field.type.empty)

    def value(cell: Point) -> str:
        if cell in drawing.holes:
            return HOLE
        small = drawing.small.get(cell, {})
        text = small.get(0, "") if where == "corner" else drawing.texts.get(centre(cell), "")
        arrows = (ARROWS[sign] for sign in drawing.signs.get(centre(cell), ()) if sign in ARROWS and ARROWS[sign] in letters)
        text = "".join(letters.get(char, char) for char in text + next(arrows, ""))
        for known in (text, text.lower()):
            if known and takes(known):
                return known
        return next(_values_at(drawing, cell, marks), EMPTY if takes.empty else HOLE)

    return _board(drawing, value)


def _values_at(drawing: Drawing, cell: Point, marks: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield the values of the marks of a cell; of four values, those of its centre, right side, lower side and corner."""
    for mark in marks_at(drawing, cell):
        if mark in marks:
            yield marks[mark][0]
    y, x = centre(cell)
    for number, place in enumerate(((y, x + 1), (y + 1, x), (y + 1, x + 1)), 1):
        for sign in drawing.signs.get(place, ()):
            if len(marks.get(sign, ())) == 4:
                yield marks[sign][number]


class _Takes:
    """Whether a cell of a board may hold a text."""

    def __init__(self, item: Any, empty: bool) -> None:
        self.item = item
        self.empty = empty
        self.reading = Reading(Source("", ""))
        self.known: dict[str, bool] = {}

    def __call__(self, text: str) -> bool:
        if text not in self.known:
            try:
                self.item.value(text, self.reading)
                self.known[text] = len(text.split()) == 1 and text not in (EMPTY, HOLE)
            except WrongValueError:
                self.known[text] = False
        return self.known[text]


LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _label(number: int) -> str:
    return LABELS[number] if number < len(LABELS) else f"R{number}"


def _regions(drawing: Drawing, field: Field, where: Where) -> list[str] | None:
    regions = drawing.regions()
    if field.optional and not any(regions.values()):  # without borders
        return None
    return _board(drawing, lambda cell: _label(regions[cell]) if cell in regions else HOLE)


def _cages(drawing: Drawing, field: Field, where: Where) -> list[str] | None:
    """Read cages as a board of labels, or as the cells of each."""
    if isinstance(field.type, ListOf):
        return _lines_of(drawing.cages)
    labels = {cell: _label(number) for number, cage in enumerate(drawing.cages) for cell in cage}
    return _board(drawing, lambda cell: labels.get(cell, EMPTY)) if labels else _regions(drawing, field, where)


def _clues(drawing: Drawing, field: Field, where: Where) -> dict[str, str]:
    """Read the clue of each cage or region, which stands in one of its cells."""
    labels = {cell: number for number, cage in enumerate(drawing.cages) for cell in cage} or drawing.regions()
    found: dict[str, str] = {}
    for cell in sorted(labels):
        text = drawing.small.get(cell, {}).get(0) or drawing.texts.get(centre(cell))
        if text:
            found.setdefault(_label(labels[cell]), text)
    return found


def _side(drawing: Drawing, field: Field, where: Where) -> str | list[str]:
    assert isinstance(where, str)
    lines = drawing.outside(where)
    several = isinstance(field.type, ListOf) and isinstance(field.type.item, ListOf)
    return [" ".join(line) for line in lines] if several else " ".join(line[-1] if line else EMPTY for line in lines)


def _lines_of(groups: Sequence[Sequence[Point]]) -> list[str]:
    return [" ".join(f"r{row}c{column}" for row, column in group) for group in groups]


def _corners(drawing: Drawing, field: Field, where: Where) -> list[str]:
    """Read a board with a cell for each corner of the cells."""

    def value(place: At) -> str:
        digits = (sign for sign in drawing.signs.get(place, ()) if sign.isdigit())
        return drawing.texts.get(place) or next(digits, EMPTY)

    rows, columns = range(drawing.height + 1), range(drawing.width + 1)
    return [" ".join(value((2 * row + 1, 2 * column + 1)) for column in columns) for row in rows]


def _inequalities(drawing: Drawing, field: Field, where: Where) -> list[str]:
    return [
        f"r{y // 2}c{x // 2} {'<' if sign == 'less' else '>'} r{(y + 1) // 2}c{(x + 1) // 2}"
        for (y, x), signs in sorted(drawing.signs.items())
        for sign in signs
        if sign in ("less", "greater")
    ]


WAYS = {(-1, 0): "n", (1, 0): "s", (0, 1): "e", (0, -1): "w"}


def _ways(drawing: Drawing, field: Field, where: Where) -> list[str]:
    """Read for each cell the directions in which lines leave it."""
    found: dict[Point, set[str]] = {}
    for one, other in drawing.lines:
        for (y, x), (to_y, to_x) in ((one, other), (other, one)):
            if y % 2 == 0 and x % 2 == 0 and (way := WAYS.get(((to_y > y) - (to_y < y), (to_x > x) - (to_x < x)))):
                found.setdefault((y // 2, x // 2), set()).add(way)
    return _board(drawing, lambda cell: "".join(way for way in "nsew" if way in found.get(cell, ())) or EMPTY)


def _pairs(drawing: Drawing, field: Field, where: Where) -> list[str]:
    """Read black cells with a sum for what is below, and one for what is on the right."""

    def value(cell: Point) -> str:
        small = drawing.small.get(cell, {})
        if SHADE not in marks_at(drawing, cell) and not small:
            return EMPTY
        return f"{small.get(2, '')}\\{small.get(1, '')}"

    return _board(drawing, value)


READERS: dict[str, Callable[[Drawing, Field, Where], Any]] = {
    "texts": _texts,
    "corner": _corner,
    "regions": _regions,
    "cages": _cages,
    "clues": _clues,
    **dict.fromkeys(SIDES, _side),
    "bulbs": lambda drawing, field, where: _lines_of(drawing.bulbs),
    "arrows": lambda drawing, field, where: _lines_of(drawing.arrows),
    "paths": lambda drawing, field, where: _lines_of(drawing.paths),
    "corners": _corners,
    "inequalities": _inequalities,
    "ways": _ways,
    "pairs": _pairs,
}
