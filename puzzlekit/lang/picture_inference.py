"""Infers the picture of a type that states none.

The fields and the unknowns of a type say what a person would draw: a `grid` whose `.regions` are
asked for is borders, a list named for rows stands outside, a condition for each cell is a shade.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

from yaml.error import Mark
from yaml.nodes import ScalarNode

from puzzlekit.boards import Cell, Corner, Grid
from puzzlekit.lang.data.collections import GridOf, ListOf, MapOf, TupleOf
from puzzlekit.lang.data.scalars import Choice, DataType, Maybe, Union
from puzzlekit.lang.expressions import Expression, compile_expression
from puzzlekit.lang.expressions.values import Family, value_type
from puzzlekit.lang.puzzle_type import Field, Picture, PictureLayer, PuzzleType, Shown, Unknowns
from puzzlekit.source import Source, Text

if TYPE_CHECKING:
    from puzzlekit.lang.instance import BoundPuzzle

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
OVER: dict[str, Over] = {
    **dict.fromkeys(("cells", "given"), "cells"),
    **dict.fromkeys(("edges", "adjacent", "touching", "sides"), "links"),
    **dict.fromkeys(
        ("placements", "rectangles", "polyominoes", "word_paths", "regions", "rows", "columns", "slots", "boxes"), "groups"
    ),
}


@dataclass(frozen=True)
class Indexed:
    """What the unknowns of one name are over, and whether they are true or false, or colours."""

    over: Over
    truths: bool
    colours: bool = False


def pictures_of(instance: BoundPuzzle) -> tuple[Picture, ...]:
    """Return the pictures of a bound puzzle: those of its type, or the one that is inferred."""
    if instance.puzzle.pictures:
        return instance.puzzle.pictures
    if instance in _INFERRED:
        return _INFERRED[instance]
    domains = instance.model.domains
    members = ((family, next(iter(family), None)) for family in instance.families.values())
    own = {f.name: over_of(f, () if first is None else domains[first]) for f, first in members}
    found = _INFERRED[instance] = _fitting(inferred(instance.puzzle, own), instance)
    return found


def _fitting(pictures: tuple[Picture, ...], instance: BoundPuzzle) -> tuple[Picture, ...]:
    """Return pictures without boards of the data whose size differs from that of the unknowns' board."""
    keys = [key for family in instance.families.values() if _over(list(family.members)) for key in family.members]
    places = (place for key in keys for place in ((key,) if isinstance(key, Cell) else getattr(key, "cells", key)))
    cells = {place for place in places if isinstance(place, Cell)}
    boards = [board for board in instance.grids if cells <= board.values.keys()]
    home = next((board for board in boards if cells == board.values.keys()), boards[0] if boards else None)
    if not cells or home is None:
        return pictures
    size = (home.height, home.width)
    others = {name for name, value in instance.data.items() if isinstance(value, Grid) and (value.height, value.width) != size}
    kept = ([layer for layer in own.layers if layer.expression.text.text not in others] for own in pictures)
    return tuple(replace(own, layers=tuple(layers)) for own, layers in zip(pictures, kept) if layers)


_INFERRED: WeakKeyDictionary[BoundPuzzle, tuple[Picture, ...]] = WeakKeyDictionary()


def inferred(kind: PuzzleType, unknowns: Mapping[str, Indexed] | None = None) -> tuple[Picture, ...]:
    """Return the pictures of a type that states none; none if nothing of it is on a board.

    A board of texts that is `like` another one stands beside it, as they share the cells.

    Args:
        kind: The type.
        unknowns: What its unknowns are over, as a spec shows. By default, it is what their
            declarations say.
    """
    known = declared(kind) if unknowns is None else unknowns
    lines = [*_of_fields(kind), *_of_unknowns(kind, known)]
    order = ("shade", "text", "borders", "cages")
    lines.sort(key=lambda line: order.index(line[0]) if line[0] in order else len(order))
    names = {*kind.language.names, *kind.fields, *(let.name for let in kind.lets), *(u.name for u in kind.unknowns)}
    texts = [text for layer, _, text in lines if layer == "text" and text in kind.fields]
    beside = {text: like for text in texts if (like := kind.fields[text].like) in texts}
    boards = [("", [line for line in lines if line[2] not in beside]), *((t, [("text", "", t)]) for t in beside)]
    found = []
    for name, board in boards:
        layers = ((layer, part, _compiled(kind, text, names)) for layer, part, text in board)
        stated = tuple(PictureLayer(layer, part, made) for layer, part, made in layers if made is not None)
        title = name or next(iter(beside.values()), None) or ""
        found += [Picture(stated, title=title)] if stated else []
    return tuple(found)


def fields_below(kind: PuzzleType, pictures: Sequence[Picture]) -> list[str]:
    """Return the fields that are printed below the picture of a puzzle, if the type does not say it.

    They are the fields that the pictures do not draw, except switches (conditions and choices) and
    what only gives a board its size.
    """
    drawn = {name for picture in pictures for expression in picture.expressions for name in expression.names}
    loops = {name for unknowns in kind.unknowns if unknowns.name in drawn for name in _looped(unknowns)}
    behind = kind.fields_behind(drawn)
    sizes = [name for name in kind.fields_behind(drawn | loops) if _spelled(kind.fields[name]) in ("int", "size")]
    sizes += [field.columns for field in kind.fields.values() if field.columns is not None]
    forms = [name for name, field in kind.fields.items() if _is_form(_item(field))] if pictures else []
    return [field.name for field in kind.fields.values() if _is_below(field, behind, [*sizes, *forms])]


def _is_below(field: Field, behind: Collection[str], sizes: Collection[str]) -> bool:
    if holds_shapes(field):
        return True
    kind = field.type.item if isinstance(field.type, Maybe) else field.type
    if field.name in sizes or isinstance(kind, Choice) or _spelled(field) == "bool":
        return False
    return field.name not in behind or _spelled(field) in TEXTS  # of a text, a picture may show only the length


def holds_shapes(field: Field) -> bool:
    """Return whether the values of a field are shapes."""
    return re.search(r"\bshape\b", str(field.type)) is not None


def _spelled(field: Field) -> str:
    """Return the type of a field, without its domain and without None."""
    return str(field.type.item if isinstance(field.type, Maybe) else field.type)


def _looped(unknowns: Unknowns) -> Iterator[str]:
    """Yield the names in the collections that the indexes of unknowns run over."""
    tree = _tree(unknowns.domain)
    for loop in tree.generators if isinstance(tree, ast.GeneratorExp) else ():
        yield from (node.id for node in ast.walk(loop.iter) if isinstance(node, ast.Name))


def as_section(pictures: Sequence[Picture], below: Sequence[Shown] = ()) -> str:
    """Return pictures, and what stands below them, as the section of a type that states them."""
    lines = ["show:", "  picture:"]
    if below and not pictures:
        return "\n".join([*lines, *(f"    {line}" for line in _below_lines(below))])
    for picture in pictures:
        own = [*_options(picture), *_layer_lines(picture), *(_below_lines(below) if picture is pictures[-1] else ())]
        lead = ["- ", "  "] if len(pictures) > 1 else ["  ", "  "]
        lines += [f"  {lead[number > 0]}{line}" for number, line in enumerate(own)]
    return "\n".join(lines)


def _below_lines(below: Sequence[Shown]) -> Iterator[str]:
    texts = {shown.name: shown.expression.text.text if shown.expression is not None else shown.name for shown in below}
    if all(name == text.strip() for name, text in texts.items()):
        yield from [f"below: [{', '.join(texts)}]"] if texts else []
    else:
        yield "below:"
        yield from (f"  {name}: {_written([' '.join(text.split())])}" for name, text in texts.items())


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
        found.setdefault(layer.kind, {}).setdefault(layer.part, []).append(layer.expression.text.text)
    for kind, parts in found.items():
        if list(parts) == [""]:
            yield f"{kind}: {_written(parts[''])}"
        else:
            yield f"{kind}:"
            yield from (f"  {part or 'middle'}: {_written(texts)}" for part, texts in parts.items())


def _written(texts: list[str]) -> str:
    quoted = [f'"{text}"' if re.search(r"^[\[{'\"]|: |#", text) else text for text in texts]
    return quoted[0] if len(quoted) == 1 else f"[{', '.join(quoted)}]"


def over_of(family: Family, domain: Sequence[object]) -> Indexed:
    """Return what the unknowns of a family are over; `domain` has the values of one of them."""
    keys = list(family.members)
    known = value_type(domain[0]) if domain else None
    colours = known is not None and known.colour is not None
    return Indexed(_over(keys) if family.arity == 1 and keys else "", all(type(v) is bool for v in domain), colours)


def _over(keys: list[object]) -> Over:
    if all(isinstance(key, Cell) for key in keys):
        return "cells"
    if all(_is_link(key) for key in keys):
        return "links"
    parts = [getattr(key, "cells", key) for key in keys]
    grouped = (isinstance(part, tuple | frozenset) and all(isinstance(cell, Cell) for cell in part) for part in parts)
    return "groups" if all(grouped) and not any(isinstance(part, Cell) for part in parts) else ""


def _is_link(key: object) -> bool:
    """Return whether the key joins two corners, or two cells beside each other."""
    if not isinstance(key, tuple) or len(key) != 2:
        return False
    a, b = key
    if isinstance(a, Corner) and isinstance(b, Corner):
        return True
    return isinstance(a, Cell) and isinstance(b, Cell) and max(abs(a.row - b.row), abs(a.column - b.column)) == 1


def declared(kind: PuzzleType) -> dict[str, Indexed]:
    """Return what the unknowns of a type are over, as far as their declarations say."""
    lets = {let.name: tree for let in kind.lets if (tree := _tree(let.expression)) is not None}
    found = {}
    for unknowns in kind.unknowns:
        tree = _tree(unknowns.domain)
        loops = {ast.unparse(loop.target): loop.iter for loop in tree.generators} if isinstance(tree, ast.GeneratorExp) else {}
        own = loops.get(unknowns.indexes[0]) if len(unknowns.indexes) == 1 else None
        domain = tree.elt if isinstance(tree, ast.GeneratorExp) else tree
        name = domain.id if isinstance(domain, ast.Name) else ""
        over = "" if own is None else _over_of_tree(own, lets)
        found[unknowns.name] = Indexed(over, name == "bool", name == "mark")
    return found


def _tree(expression: Expression) -> ast.expr | None:
    try:
        return ast.parse(f"({expression.text.text})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # a name that Python reserves


def _over_of_tree(tree: ast.expr, lets: Mapping[str, ast.expr], depth: int = 20) -> Over:
    """Return what the members of a collection are."""
    match tree:
        case ast.Attribute(attr=name) | ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return OVER.get(name, "")
        case ast.Name(id=name) if name in lets and depth:
            return _over_of_tree(lets[name], lets, depth - 1)
        case ast.IfExp(body=body) if depth:
            return _over_of_tree(body, lets, depth - 1)
        case ast.ListComp(elt=ast.Name(id=name)) | ast.GeneratorExp(elt=ast.Name(id=name)) if depth:
            own = next((loop.iter for loop in tree.generators if ast.unparse(loop.target) == name), None)
            return "" if own is None else _over_of_tree(own, lets, depth - 1)
    return ""


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
    asked = list(_asked(kind))
    divided = {name for name, attribute, _ in asked if attribute == "regions"}
    clued = {members: name for name, members in _clues_by_label(kind) if members in divided}
    coloured = {shown.colour.text.text.strip() for shown in kind.show if shown.colour is not None}
    whole = {*_boards_of_unknowns(kind)}
    for field in kind.fields.values():
        item = _item(field)
        if item is not None and field.name not in coloured:
            yield from _of_grid(field, item, divided, clued, field.name in whole)
        elif isinstance(field.type, ListOf) and (side := _side_of(field.name)) and _holds_clues(field.type):
            yield "outside", side, field.name
    for text in dict.fromkeys(text for name, attribute, text in asked if attribute == "boxes" and text.endswith(")")):
        yield "borders", "", text


def _of_grid(
    field: Field, item: DataType, divided: set[str], clued: Mapping[str, str], whole: bool
) -> Iterator[tuple[str, str, str]]:
    """Yield the layer of a field; `whole`: all its cells have unknowns, also those with a value."""
    name = field.name
    if name in clued:
        yield "cages", "cells", name
        yield "cages", "clues", clued[name]
    elif name in divided:
        yield "borders", "", name
    elif isinstance(item, TupleOf):
        if len(item.items) == 2:
            yield "split", "", name
    elif str(item) in ("mark", "bool"):
        yield "shade", "", name
    elif whole or not _is_form(item):
        yield "text", "", name


def _boards_of_unknowns(kind: PuzzleType) -> Iterator[str]:
    """Yield the fields of whose cells each has an unknown."""
    for tree in (_tree(unknowns.domain) for unknowns in kind.unknowns):
        for loop in tree.generators if isinstance(tree, ast.GeneratorExp) else ():
            over = loop.iter
            if isinstance(over, ast.Attribute) and over.attr == "cells" and isinstance(over.value, ast.Name):
                yield over.value.id


def _is_form(item: DataType | None) -> bool:
    """Return whether a board with cells of this type only has a form: there is one value."""
    return isinstance(item, Choice) and len(item.names) == 1


def _item(field: Field) -> DataType | None:
    """Return the type of the cells of a board; None of other fields."""
    item = field.type.item if isinstance(field.type, GridOf) else None
    item = item.item if isinstance(item, Maybe) else item
    return item if isinstance(item, DataType) else None


def _side_of(name: str) -> str:
    """Return the side of the board that a name speaks of; empty without one."""
    words = [word for word in name.lower().split("_") if word in SIDES]
    return SIDES[words[0]] if words else ""


def _holds_clues(kind: ListOf) -> bool:
    item = kind.item.item if isinstance(kind.item, Maybe | ListOf) else kind.item
    item = item.item if isinstance(item, Maybe) else item
    return isinstance(item, Union) or str(item) in ("int", "symbol", "letter")


def _clues_by_label(kind: PuzzleType) -> Iterator[tuple[str, str]]:
    """Yield the mappings whose keys are the values of another field, with that field."""
    for within in kind.within:
        field = kind.fields.get(within.field)
        if field is not None and isinstance(field.type, MapOf) and len(within.ends) == 1 and within.text.strip() in kind.fields:
            yield within.field, within.text.strip()


def _asked(kind: PuzzleType) -> Iterator[tuple[str, str, str]]:
    """Yield the attributes that expressions ask fields for: the field, the attribute, the text."""
    stated = (*kind.checks, *kind.lets, *kind.rules)
    for tree in (_tree(rule.expression) for rule in stated):
        for node in ast.walk(tree) if tree is not None else ():
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute), args=[size]):
                    read = {part.id for part in ast.walk(size) if isinstance(part, ast.Name)}
                    if name in kind.fields and read <= kind.fields.keys():
                        yield name, attribute, ast.unparse(node)
                case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in kind.fields:
                    yield name, attribute, ast.unparse(node)


def _compiled(kind: PuzzleType, text: str, names: set[str]) -> Expression | None:
    source = Source(kind.source.path, text)
    node = ScalarNode("tag:yaml.org,2002:str", text, Mark("", 0, 0, 0, None, 0), Mark("", len(text), 0, len(text), None, 0))
    return compile_expression(Text(source, node), names, False, kind.language)
