"""Reads the fields of a type from the marks of a drawing.

Where a field stands is inferred from the picture of its type, or said by the type. It is one of the
`READERS`, several of them of which the first with marks counts, or a mapping from marks of a cell
(the name of a sign, `shade`, `box`, a character of a text) to values. Each reader takes the marks
that it reads; what nothing takes, and is no decoration, is unread.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from puzzlekit.lang.data.collections import GridOf, MapOf
from puzzlekit.lang.puzzle_type import Field, PuzzleType
from puzzlekit.links.drawing import BOX, SHADE, SIDES, Drawing, Mark
from puzzlekit.links.drawn_readers import Plain, Reader, Where, is_blank, names_of, places_in
from puzzlekit.links.form import HOLES, links_of
from puzzlekit.render.default_picture import inferred
from puzzlekit.scene import Point, centre

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
BACKGROUND = re.compile(r"_(circle|square|diamond|cell)$")  # signs that may stand under a text
HAVING = re.compile(r"(\w+)\.having\('(.+)'\)")


def wheres(kind: PuzzleType) -> dict[str, Where]:
    """Return where each field stands, as far as the type says it or its picture shows it."""
    found: dict[str, Where] = {}
    marks: dict[str, dict[str, Any]] = {}
    for picture in kind.pictures or inferred(kind):
        for layer in picture.layers:
            text = str(layer.expression.text.text).strip()
            name = f"{layer.name} {layer.variant}".strip()
            if text in kind.fields:
                found.setdefault(text, LAYERS.get(name.removesuffix(" middle"), ""))
            elif layer.name in ("signs", "shade") and (
                one := GIVEN.fullmatch(text) or HAVING.fullmatch(text)
            ):
                marks.setdefault(one[1], {})[layer.variant or SHADE] = (
                    one[2] if one.re is HAVING else None
                )
    for name, field in kind.fields.items():
        if isinstance(field.type, GridOf) and not found.get(name):
            found[name] = "texts"
        if isinstance(field.type, MapOf) and any(
            field.type_text.startswith(f"map[symbol in {board}") for board in found
        ):
            found.setdefault(name, "clues")
    for name, own in marks.items():
        if name in kind.fields and (signs := dict(_with_values(own, kind.fields[name]))):
            found[name] = signs
    return {
        name: where
        for name, where in {**found, **links_of(kind).drawn}.items()
        if where and name in kind.fields
    }


def _with_values(marks: Mapping[str, str | None], field: Field) -> Iterator[tuple[str, list[str]]]:
    """Yield marks with their values: a mark of all given cells stands for the only name that a cell
    may have.
    """
    names = list(names_of(field.type.item)) if isinstance(field.type, GridOf) else []
    for mark, value in marks.items():
        if value in names:
            yield mark, [str(value)]
        elif value is None and len(names) == 1:
            yield mark, names


def fields_of(kind: PuzzleType, drawing: Drawing) -> dict[str, Plain]:
    """Return the values of the fields that a drawing shows; optional ones only where it has marks
    of them.

    The drawing knows then what was read.
    """
    for mark in links_of(kind).drawn.get(HOLES, ()):
        _take_holes(drawing, mark)
    places = wheres(kind)
    reader = Reader(drawing, {place for where in places.values() for place in places_in(where)})
    found: dict[str, Plain] = {}
    read: dict[str, set[Mark]] = {}
    for name, where in sorted(places.items(), key=_order):
        field = kind.fields[name]
        before = set(drawing.taken)
        value = reader.read(field, where)
        read[name] = drawing.taken - before
        if value is not None and not (
            (field.optional or field.default is not None) and is_blank(value)
        ):
            found[name] = value
    for name, marks in read.items():
        _take_backgrounds(drawing, marks, places[name])
    _take_decoration(drawing)
    return {name: found[name] for name in places if name in found}


def _order(field: tuple[str, Where]) -> int:
    """Return when a field is read: colours may only repeat the regions, and circles belong to
    arrows.
    """
    where = places_in(field[1])
    return 0 if "regions" in where else 2 if "texts" in where else 1


# Decoration ---------------------------------------------------------------------------------------


def _take_holes(drawing: Drawing, mark: str) -> None:
    """Take the cells with a mark out of the board."""
    for cell in list(drawing.cells()):
        if found := next((own for name, own in drawing.names_at(cell) if name == mark), None):
            drawing.take(*found)
            drawing.holes.add(cell)


def _take_backgrounds(drawing: Drawing, read: Collection[Mark], where: Where) -> None:
    """Take what stands where a field has values: boxes, and what is alike under all its texts,
    signs or colours.

    Under a single one, only a mark that the field knows says nothing.
    """
    places: dict[str, set[Point]] = {"text": set(), "sign": set(), "colour": set()}
    for mark in read:
        match mark:
            case ("text", place) if drawing.texts[place]:
                places["text"].add(place)
            case ("sign", (place, _)):
                places["sign"].add(place)
            case ("small", (cell, _)):
                places["text"].add(centre(cell))
            case ("colour", cell):
                places["colour"].add(centre(cell))
            case _:
                pass
    known = where if isinstance(where, Mapping) else {}  # what a field reads where a mark stands
    for own in places.values():
        alike: dict[str, list[Mark]] = {}
        for place in own:
            cell = (place[0] // 2, place[1] // 2)
            names = {mark for name, mark in drawing.names_at(cell) if name in known}
            if place == centre(cell):
                drawing.take(BOX, cell)
            for about, mark in _under(drawing, place):
                if len(own) > 1 or mark in names:
                    alike.setdefault(about, []).append(mark)
        for marks in alike.values():
            for mark in marks if len(marks) == len(own) else ():
                drawing.take(*mark)


def _under(drawing: Drawing, place: Point) -> Iterator[tuple[str, Mark]]:
    """Yield what may stand under a text: signs, a colour and a diagonal."""
    for name in drawing.signs.get(place, ()):
        if BACKGROUND.search(name):
            yield name, ("sign", (place, name))
    (y, x), cell = place, (place[0] // 2, place[1] // 2)
    if place == centre(cell) and cell in drawing.colours:
        yield f"colour {drawing.colours[cell]}", ("colour", cell)
    if place == centre(cell) and (diagonal := ((y - 1, x - 1), (y + 1, x + 1))) in drawing.lines:
        yield "diagonal", ("line", diagonal)


def _take_decoration(drawing: Drawing) -> None:
    """Take what says nothing: blank texts, lines beside holes, and numbers that only count rows or
    columns.
    """
    for place, text in drawing.texts.items():
        if not text and (
            place[0] % 2 or place[1] % 2 or not drawing.has((place[0] // 2, place[1] // 2))
        ):
            drawing.take("text", place)
    for middle in drawing.borders:
        if not drawing.is_inside(middle):
            drawing.take("border", middle)
    for side in SIDES:
        lines = [places[-1:] for places in drawing.outside(side)]
        if [drawing.texts[place] for places in lines for place in places] == [
            str(n) for n in range(1, len(lines) + 1)
        ]:
            for (place,) in lines:
                drawing.take("text", place)
