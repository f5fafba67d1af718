"""Reads the fields of a type from the symbols of a drawing.

Where a field stands is inferred from the picture of its type, or stated by the type. It is one of
the `READERS`, several of them of which the first with symbols counts, or a mapping from symbols of
a cell (the name of a sign, `shade`, `box`, a character of a text) to values. Each reader consumes
the symbols that it reads; what none consumes, and is no decoration, is unread.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from puzzlekit.lang import Field, GridOf, MapOf, PuzzleType
from puzzlekit.links.drawing import SHADE, SIDES, Drawing, DrawnSymbol, cell_around
from puzzlekit.links.drawn_decoration import (
    consume_backgrounds,
    consume_captions,
    consume_decoration,
)
from puzzlekit.links.drawn_readers import (
    FieldReader,
    Plain,
    Where,
    is_blank,
    names_of,
    positions_in,
)
from puzzlekit.links.link_format import HOLES, links_of
from puzzlekit.render import inferred

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
FIRST_READ = {"regions", "letters outside", "highest outside"}
GIVEN = re.compile(r"(\w+)\.given")
HAVING = re.compile(r"(\w+)\.having\('(.+)'\)")


def positions_of(puzzle_type: PuzzleType) -> dict[str, Where]:
    """Return where each field stands, as far as the type says it or its picture shows it."""
    fields = puzzle_type.fields
    positions, symbols = _in_pictures(puzzle_type)
    for name, field in fields.items():
        if isinstance(field.type, GridOf) and not positions.get(name):
            positions[name] = "texts"
        if isinstance(field.type, MapOf) and _is_by_symbol(field, positions):
            positions.setdefault(name, "clues")
    for name, values in symbols.items():
        if name in fields:
            signs = dict(_with_values(values, fields[name]))
            if signs:
                positions[name] = signs
    positions |= links_of(puzzle_type).drawn
    return {name: where for name, where in positions.items() if where and name in fields}


def _in_pictures(
    puzzle_type: PuzzleType,
) -> tuple[dict[str, Where], dict[str, dict[str, str | None]]]:
    """Return where pictures show fields, and the symbols that stand for values of fields: for a
    value, or for given cells.
    """
    positions: dict[str, Where] = {}
    symbols: dict[str, dict[str, str | None]] = {}
    for picture in puzzle_type.pictures or inferred(puzzle_type):
        for layer in picture.layers:
            text = str(layer.expression.text.text).strip()
            if text in puzzle_type.fields:
                layer_name = f"{layer.name} {layer.variant}".strip().removesuffix(" middle")
                positions.setdefault(text, LAYERS.get(layer_name, ""))
            elif layer.name in ("signs", "shade"):
                symbol = layer.variant or SHADE
                if given := GIVEN.fullmatch(text):
                    symbols.setdefault(given[1], {})[symbol] = None
                elif having := HAVING.fullmatch(text):
                    symbols.setdefault(having[1], {})[symbol] = having[2]
    return positions, symbols


def _is_by_symbol(field: Field, boards: Collection[str]) -> bool:
    """Return whether the keys of a mapping are the symbols of one of these boards."""
    return any(field.type_text.startswith(f"map[symbol in {board}") for board in boards)


def _with_values(values: Mapping[str, str | None], field: Field) -> Iterator[tuple[str, list[str]]]:
    """Yield symbols with their values: a symbol of all given cells stands for the only name that a
    cell may have.
    """
    if not isinstance(field.type, GridOf):
        return
    names = list(names_of(field.type.item))
    for symbol, value in values.items():
        if value in names:
            yield symbol, [str(value)]
        elif value is None and len(names) == 1:
            yield symbol, names


def fields_of(puzzle_type: PuzzleType, drawing: Drawing) -> dict[str, Plain]:
    """Return the values of the fields that a drawing shows; optional ones only where it has symbols
    of them.

    The drawing has noted then what was read.
    """
    where_by_field = positions_of(puzzle_type)
    positions = {position for where in where_by_field.values() for position in positions_in(where)}
    if not positions.isdisjoint(SIDES):
        _crop(drawing)
    for name in links_of(puzzle_type).drawn.get(HOLES, ()):
        _read_holes(drawing, name)
    consume_captions(drawing)
    reader = FieldReader(drawing, positions)
    values: dict[str, Plain] = {}
    consumed: dict[str, set[DrawnSymbol]] = {}
    for name, where in sorted(where_by_field.items(), key=_order):
        field = puzzle_type.fields[name]
        before = set(drawing.consumed)
        value = reader.read(field, where)
        consumed[name] = drawing.consumed - before
        may_be_missing = field.optional or field.default is not None
        if value is not None and not (may_be_missing and is_blank(value)):
            values[name] = value
    for name, symbols in consumed.items():
        consume_backgrounds(drawing, symbols, where_by_field[name])
    consume_decoration(drawing, positions)
    return {name: values[name] for name in where_by_field if name in values}


def _order(field: tuple[str, Where]) -> int:
    """Return when a field is read: colours may only repeat the regions, circles belong to arrows,
    and a text that names letters or numbers is no clue.
    """
    positions = positions_in(field[1])
    if not FIRST_READ.isdisjoint(positions):
        return 0
    return 2 if "texts" in positions else 1


def _crop(drawing: Drawing) -> None:
    """Let the framed cells be the board, if clues stand in the cells around and none outside."""
    points = [point for point, text in drawing.texts.items() if text]
    if not all(drawing.has(cell_around(point)) for point in points):
        return
    framed = drawing.framed()
    if framed is not None:
        drawing.crop(*framed)


def _read_holes(drawing: Drawing, hole_name: str) -> None:
    """Take the cells with a symbol of this name out of the board."""
    for cell in list(drawing.cells()):
        for name, symbol in drawing.names_at(cell):
            if name == hole_name:
                drawing.consume(*symbol)
                drawing.holes.add(cell)
                break
