"""Infers the picture of a type that states none.

The fields and the unknowns of a type say what a person would draw: a `grid` whose `.regions` are
asked for is borders, a list named for rows stands outside, a condition for each cell is a shade.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

from yaml.error import Mark
from yaml.nodes import ScalarNode

from puzzlekit.boards import Cell, Corner, Grid
from puzzlekit.lang.data.collections import GridOf, ListOf, TupleOf
from puzzlekit.lang.data.scalars import Choice, DataType, OptionalType, Union
from puzzlekit.lang.expressions import Expression, compile_expression
from puzzlekit.lang.expressions.values import VariableArray, value_type
from puzzlekit.lang.puzzle_type import Field, Picture, PictureLayer, PuzzleType, Shown, VariableDecl
from puzzlekit.source import SourceFile, Text

if TYPE_CHECKING:
    from puzzlekit.lang.instance import Instance

Over = Literal["cells", "links", "groups", ""]
SIDES = {
    "top": "top",
    "above": "top",
    "column": "top",
    "columns": "top",
    "cols": "top",
    "left": "left",
    "row": "left",
    "rows": "left",
    "right": "right",
    "bottom": "bottom",
    "below": "bottom",
}
TEXTS = ("word", "text", "symbol", "letter")


@dataclass(frozen=True)
class Indexed:
    """What the unknowns of one name are over, and whether they are true or false, or colours."""

    over: Over
    truths: bool
    colours: bool = False


def pictures_of(instance: Instance) -> tuple[Picture, ...]:
    """Return the pictures of a bound puzzle: those of its type, or the one that is inferred."""
    if instance.type.pictures:
        return instance.type.pictures
    if instance not in _INFERRED:
        domains = instance.model.domains
        members = ((family, next(iter(family), None)) for family in instance.families.values())
        known = {
            f.name: over_of(f, () if first is None else domains[first]) for f, first in members
        }
        _INFERRED[instance] = _fitting(inferred(instance.type, known), instance)
    return _INFERRED[instance]


def _fitting(pictures: tuple[Picture, ...], instance: Instance) -> tuple[Picture, ...]:
    """Return pictures without boards of the data whose size differs from that of the unknowns'
    board.
    """
    keys = [
        key
        for family in instance.families.values()
        if _over(list(family.members))
        for key in family.members
    ]
    places = (
        place
        for key in keys
        for place in ((key,) if isinstance(key, Cell) else getattr(key, "cells", key))
    )
    cells = {place for place in places if isinstance(place, Cell)}
    boards = [board for board in instance.grids if cells <= board.values.keys()]
    home = next(
        (board for board in boards if cells == board.values.keys()), boards[0] if boards else None
    )
    if not cells or home is None:
        return pictures
    size = (home.height, home.width)
    others = {
        name
        for name, value in instance.data.items()
        if isinstance(value, Grid) and (value.height, value.width) != size
    }
    kept = (
        [layer for layer in own.layers if layer.expression.text.text not in others]
        for own in pictures
    )
    return tuple(
        replace(own, layers=tuple(layers)) for own, layers in zip(pictures, kept) if layers
    )


_INFERRED: WeakKeyDictionary[Instance, tuple[Picture, ...]] = WeakKeyDictionary()


def inferred(puzzle_type: PuzzleType, indexed: Mapping[str, Indexed] | None = None) -> tuple[Picture, ...]:
    """Return the pictures of a type that states none; none if nothing of it is on a board.

    A board of texts that is `like` another one stands beside it, as they share the cells.

    Args:
        kind: The type.
        known: What its unknowns are over, as a spec shows; without it, they are left out.
    """
    lines = [*_of_fields(puzzle_type), *_of_unknowns(puzzle_type, indexed or {})]
    order = ("shade", "text", "borders")
    lines.sort(key=lambda line: order.index(line[0]) if line[0] in order else len(order))
    texts = [text for layer, _, text in lines if layer == "text" and text in puzzle_type.fields]
    beside = {text: like for text in texts if (like := puzzle_type.fields[text].like) in texts}
    boards = [
        ("", [line for line in lines if line[2] not in beside]),
        *((t, [("text", "", t)]) for t in beside),
    ]
    found = []
    for name, board in boards:
        layers = ((layer, part, _compiled(puzzle_type, text)) for layer, part, text in board)
        stated = tuple(
            PictureLayer(layer, part, made) for layer, part, made in layers if made is not None
        )
        found += (
            [Picture(stated, title=name or next(iter(beside.values()), None) or "")]
            if stated
            else []
        )
    return tuple(found)


def fields_below(puzzle_type: PuzzleType, pictures: Sequence[Picture]) -> list[str]:
    """Return the fields that are printed below the picture of a puzzle, if the type does not say
    it.

    They are the fields that the pictures do not draw, except switches (conditions and choices) and
    what only gives a board its size.
    """
    drawn = {
        name
        for picture in pictures
        for expression in picture.expressions
        for name in expression.names
    }
    loops = {
        name for unknowns in puzzle_type.unknowns if unknowns.name in drawn for name in _looped(unknowns)
    }
    behind = puzzle_type.fields_behind(drawn)
    sizes = [
        name
        for name in puzzle_type.fields_behind(drawn | loops)
        if _spelled(puzzle_type.fields[name]) in ("int", "size")
    ]
    sizes += [field.columns for field in puzzle_type.fields.values() if field.columns is not None]
    forms = (
        [name for name, field in puzzle_type.fields.items() if _is_form(_item(field))] if pictures else []
    )
    return [
        field.name for field in puzzle_type.fields.values() if _is_below(field, behind, [*sizes, *forms])
    ]


def _is_below(field: Field, behind: Collection[str], sizes: Collection[str]) -> bool:
    if holds_shapes(field):
        return True
    kind = field.type.item if isinstance(field.type, OptionalType) else field.type
    if field.name in sizes or isinstance(kind, Choice) or _spelled(field) == "bool":
        return False
    return (
        field.name not in behind or _spelled(field) in TEXTS
    )  # of a text, a picture may show only the length


def holds_shapes(field: Field) -> bool:
    """Return whether the values of a field are shapes."""
    return re.search(r"\bshape\b", str(field.type)) is not None


def _spelled(field: Field) -> str:
    """Return the type of a field, without its domain and without None."""
    return str(field.type.item if isinstance(field.type, OptionalType) else field.type)


def _looped(unknowns: VariableDecl) -> Iterator[str]:
    """Yield the names in the collections that the indexes of unknowns run over."""
    for text in re.findall(
        r"\bin\b(.*?)(?:\bfor\b|\bif\b|$)", unknowns.domain.text.text, re.DOTALL
    ):
        yield from re.findall(r"\w+", text)


def as_section(pictures: Sequence[Picture], below: Sequence[Shown] = ()) -> str:
    """Return pictures, and what stands below them, as the section of a type that states them."""
    lines = ["show:", "  picture:"]
    if below and not pictures:
        return "\n".join([*lines, *(f"    {line}" for line in _below_lines(below))])
    for picture in pictures:
        own = [
            *_options(picture),
            *_layer_lines(picture),
            *(_below_lines(below) if picture is pictures[-1] else ()),
        ]
        lead = ["- ", "  "] if len(pictures) > 1 else ["  ", "  "]
        lines += [f"  {lead[number > 0]}{line}" for number, line in enumerate(own)]
    return "\n".join(lines)


def _below_lines(below: Sequence[Shown]) -> Iterator[str]:
    texts = {
        shown.name: shown.expression.text.text if shown.expression is not None else shown.name
        for shown in below
    }
    if all(name == text.strip() for name, text in texts.items()):
        yield from [f"below: [{', '.join(texts)}]"] if texts else []
    else:
        yield "below:"
        yield from (
            f"  {name}: {_written([' '.join(text.split())])}" for name, text in texts.items()
        )


def _options(picture: Picture) -> Iterator[str]:
    if picture.title:
        yield f"title: {picture.title}"
    if picture.board is not None:
        yield f"board: {_written([picture.board.text.text])}"
    if picture.coordinates:
        yield "coordinates: yes"


def _layer_lines(picture: Picture) -> Iterator[str]:
    found: dict[str, dict[str, list[str]]] = {}
    for layer in picture.layers:
        found.setdefault(layer.name, {}).setdefault(layer.variant, []).append(
            layer.expression.text.text
        )
    for kind, parts in found.items():
        if list(parts) == [""]:
            yield f"{kind}: {_written(parts[''])}"
        else:
            yield f"{kind}:"
            yield from (f"  {part or 'middle'}: {_written(texts)}" for part, texts in parts.items())


def _written(texts: list[str]) -> str:
    quoted = [f'"{text}"' if re.search(r"^[\[{'\"]|: |#", text) else text for text in texts]
    return quoted[0] if len(quoted) == 1 else f"[{', '.join(quoted)}]"


def over_of(family: VariableArray, domain: Sequence[object]) -> Indexed:
    """Return what the unknowns of a family are over; `domain` has the values of one of them."""
    keys = list(family.members)
    known = value_type(domain[0]) if domain else None
    colours = known is not None and known.colour is not None
    return Indexed(
        _over(keys) if family.arity == 1 and keys else "",
        all(type(v) is bool for v in domain),
        colours,
    )


def _over(keys: list[object]) -> Over:
    if all(isinstance(key, Cell) for key in keys):
        return "cells"
    if all(_is_link(key) for key in keys):
        return "links"
    parts = [getattr(key, "cells", key) for key in keys]
    grouped = (
        isinstance(part, tuple | frozenset) and all(isinstance(cell, Cell) for cell in part)
        for part in parts
    )
    return "groups" if all(grouped) and not any(isinstance(part, Cell) for part in parts) else ""


def _is_link(key: object) -> bool:
    """Return whether the key joins two corners, or two cells beside each other."""
    if not isinstance(key, tuple) or len(key) != 2:
        return False
    a, b = key
    if isinstance(a, Corner) and isinstance(b, Corner):
        return True
    return (
        isinstance(a, Cell)
        and isinstance(b, Cell)
        and max(abs(a.row - b.row), abs(a.column - b.column)) == 1
    )


def _of_unknowns(kind: PuzzleType, known: Mapping[str, Indexed]) -> Iterator[tuple[str, str, str]]:
    """Yield the layer, the part and the expression of each unknown on a board."""
    for shown in kind.show:
        own = known.get(shown.name)
        if own is None or shown.expression is not None:
            continue
        if own.over == "cells":
            yield "shade" if own.truths or own.colours else "text", "", shown.name
            if shown.colour is not None:
                yield "shade", "", shown.colour.text.text
        elif own.over == "links":
            yield "lines", "", shown.name
        elif own.over == "groups" and own.truths:
            yield "pieces", "", shown.name


def _of_fields(kind: PuzzleType) -> Iterator[tuple[str, str, str]]:
    """Yield the layer, the part and the expression of each field that is on a board."""
    stated = "\n".join(
        rule.expression.text.text for rule in (*kind.requirements, *kind.lets, *kind.rules)
    )
    domains = "\n".join(unknowns.domain.text.text for unknowns in kind.unknowns)
    for field in kind.fields.values():
        name, item = field.name, _item(field)
        if item is None:
            if (
                isinstance(field.type, ListOf)
                and (side := _side_of(name))
                and _holds_clues(field.type)
            ):
                yield "outside", side, name
        elif re.search(rf"\b{name}\.regions\b", stated):
            yield "borders", "", name
        elif str(item) in ("mark", "bool"):
            yield "shade", "", name
        elif not isinstance(item, TupleOf) and (not _is_form(item) or f" {name}.cells" in domains):
            yield "text", "", name
            for boxes in dict.fromkeys(
                re.findall(rf"\b{name}\.boxes\((?:\w+|\(\d+, ?\d+\))\)", stated)
            ):
                yield "borders", "", boxes


def _is_form(item: DataType | None) -> bool:
    """Return whether a board with cells of this type only has a form: there is one value."""
    return isinstance(item, Choice) and len(item.names) == 1


def _item(field: Field) -> DataType | None:
    """Return the type of the cells of a board; None of other fields."""
    item = field.type.item if isinstance(field.type, GridOf) else None
    item = item.item if isinstance(item, OptionalType) else item
    return item if isinstance(item, DataType) else None


def _side_of(name: str) -> str:
    """Return the side of the board that a name speaks of; empty without one."""
    return next((SIDES[word] for word in name.lower().split("_") if word in SIDES), "")


def _holds_clues(kind: ListOf) -> bool:
    item = kind.item.item if isinstance(kind.item, OptionalType | ListOf) else kind.item
    item = item.item if isinstance(item, OptionalType) else item
    return isinstance(item, Union) or str(item) in ("int", "symbol", "letter")


def _compiled(kind: PuzzleType, text: str) -> Expression | None:
    """Return an expression of the names of a type; None if it has others."""
    source = SourceFile(kind.source.path, text)
    node = ScalarNode(
        "tag:yaml.org,2002:str",
        text,
        Mark("", 0, 0, 0, None, 0),
        Mark("", len(text), 0, len(text), None, 0),
    )
    names = {
        *kind.language.names,
        *kind.fields,
        *(let.name for let in kind.lets),
        *(u.name for u in kind.unknowns),
    }
    return compile_expression(Text(source, node), names, False, kind.language)
