"""The section `links` of a type: which notations have it, and where its fields stand there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from yaml.nodes import MappingNode, Node

from puzzlekit.lang.link_forms import FormReader, LinkForm, several

if TYPE_CHECKING:
    from puzzlekit.lang.puzzle_type import PuzzleType

BOARD_NOTATIONS = {"ipuz": ("kind", "board"), "puz": ("board",)}  # with what the section says of them
SECTIONS = ("puzzlink", "penpa", *BOARD_NOTATIONS, "fpuzzles", "line")  # of `links`; the last one is only named
PLACES = (  # where drawings show a field
    *("texts", "corner", "regions", "cages", "clues", "bulbs", "arrows", "paths", "top", "bottom", "left", "right"),
    *("corners", "inequalities", "ways", "pairs"),
)
BOARD_PARTS = (  # of the data of f-puzzles: its own names, `diagonal` for both, `killersum` and `consecutive` for values
    *("grid", "size", "region", "givenPencilMarks", "odd", "even", "diagonal", "extraregion", "killercage", "killersum"),
    *("thermometer", "arrow", "palindrome", "renban", "whispers", "betweenline", "clone", "difference", "ratio", "xv"),
    *("negative", "nonconsecutive", "consecutive", "antiking", "antiknight", "disjointgroups", "minimum", "maximum"),
    *("quadruple", "littlekillersum", "skyscraper", "sandwichsum", "xsum", "top", "bottom", "left", "right"),
)


def read_links(kind: PuzzleType, node: Node | None) -> LinkForm | None:
    """Return the form that the section `links` states. Problems are noted in the source of the type."""
    form = None
    for key, place, part in kind.source.entries(node, "links"):
        if key not in SECTIONS:
            kind.source.unknown_key(key, place, "there is no notation", list(SECTIONS))
        elif key == "penpa":
            kind.drawn = dict(_drawn(kind, part))
        elif key == "fpuzzles":
            kind.board_parts = dict(_board_parts(kind, part))
        elif key in BOARD_NOTATIONS:
            kind.boards[key] = dict(_board(kind, key, part))
        elif key == "puzzlink":
            form = FormReader(kind, part).read()
    return form


def _drawn(kind: PuzzleType, node: Node) -> Iterator[tuple[str, str | Mapping[str, list[str]]]]:
    """Yield where drawings show fields: the name of a place, or the values that marks of a cell stand for."""
    source = kind.source
    for name, place, part in source.entries(node, "penpa"):
        if name not in kind.fields:
            source.unknown_key(name, place, "there is no field", list(kind.fields))
        elif isinstance(part, MappingNode):
            marks = source.entries(part, f"the marks of {name}")
            yield name, {mark: [source.text_of(one, "a value") or "" for one in several(value)] for mark, _, value in marks}
        elif (where := source.text_of(part, "a place")) in PLACES:
            yield name, where or ""
        elif where is not None:
            source.unknown_key(where, part, "there is no place", list(PLACES))


def _board_parts(kind: PuzzleType, node: Node) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the field of each part of the data of f-puzzles, and the value that it stands for, or nothing."""
    source = kind.source
    for part, place, filled in source.entries(node, "fpuzzles"):
        if part not in BOARD_PARTS:
            source.unknown_key(part, place, "there is no part", list(BOARD_PARTS))
        named: list[tuple[str, Node, str | None]]
        if isinstance(filled, MappingNode):
            named = [(name, at, source.text_of(value, "a value")) for name, at, value in source.entries(filled, part)]
            if len(named) != 1:
                source.problem(f"expected one field and its value, got {len(named)}", filled)
        else:
            named = [(source.text_of(filled, "a field") or "", filled, "")]
        for name, at, value in named[:1]:
            if name not in kind.fields:
                source.unknown_key(name, at, "there is no field", list(kind.fields))
            yield part, (name, value or "")


def _board(kind: PuzzleType, notation: str, node: Node) -> Iterator[tuple[str, str]]:
    """Yield the names that a notation of boards of letters requires: its `kind`, and the field of its `board`."""
    source, keys = kind.source, BOARD_NOTATIONS[notation]
    parts = {key: (place, part) for key, place, part in source.entries(node, notation)}
    for key, (place, part) in parts.items():
        if key not in keys:
            source.unknown_key(key, place, "there is no key", list(keys))
        elif key == "board" and source.text_of(part, "a field") not in kind.fields:
            source.unknown_key(source.text_of(part, "a field") or "", part, "there is no field", list(kind.fields))
    for key in keys:
        if key not in parts:
            source.problem(f"{notation} requires {key}:", node)
        yield key, (source.text_of(parts[key][1], "a name") if key in parts else None) or ""
