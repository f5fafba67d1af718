"""Infers the picture of a type that has none.

It draws what a person would draw of the fields and the unknowns: a `grid` whose `.regions` the
rules use is borders, a list named for rows stands outside, a condition for each cell is a shade.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

from yaml.error import Mark
from yaml.nodes import ScalarNode

from puzzlekit.boards import Cell, Corner, Grid
from puzzlekit.dataclass import dataclass
from puzzlekit.lang import (
    Choice,
    DataType,
    Expression,
    Field,
    GridOf,
    ListOf,
    OptionalType,
    Picture,
    PictureLayer,
    PuzzleType,
    ShowEntry,
    TupleOf,
    Union,
    VariableArray,
    VariableDecl,
    compile_expression,
    value_type,
)
from puzzlekit.source import SourceFile, Text

if TYPE_CHECKING:
    from puzzlekit.lang import Instance

Over = Literal["cells", "links", "groups", ""]
LayerEntry = tuple[str, str, str]  # the name of a layer, its variant, its expression
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
    """Return the pictures of a bound puzzle: those of its type, or the inferred ones."""
    if instance.type.pictures:
        return instance.type.pictures
    if instance not in _INFERRED:
        domains = instance.model.domains
        indexed = {}
        for family in instance.families.values():
            first = next(iter(family), None)
            domain = () if first is None else domains[first]
            indexed[family.name] = over_of(family, domain)
        pictures = inferred(instance.type, indexed)
        _INFERRED[instance] = _fitting(pictures, instance)
    return _INFERRED[instance]


def _fitting(pictures: tuple[Picture, ...], instance: Instance) -> tuple[Picture, ...]:
    """Return pictures without boards of the data whose size is not that of the unknowns' board."""
    cells = _cells_of_unknowns(instance)
    home = _home(instance, cells)
    if not cells or home is None:
        return pictures
    size = (home.height, home.width)
    misfits = {
        name
        for name, field in instance.data.items()
        if isinstance(field, Grid) and (field.height, field.width) != size
    }
    fitting = []
    for picture in pictures:
        layers = [layer for layer in picture.layers if _text_of(layer) not in misfits]
        if layers:
            fitting.append(replace(picture, layers=tuple(layers)))
    return tuple(fitting)


def _cells_of_unknowns(instance: Instance) -> set[Cell]:
    """Return the cells of the indexes of unknowns that are on a board."""
    cells = set[Cell]()
    for family in instance.families.values():
        keys = list(family.members)
        if not _over(keys):
            continue
        for key in keys:
            members = (key,) if isinstance(key, Cell) else getattr(key, "cells", key)
            cells.update(cell for cell in members if isinstance(cell, Cell))
    return cells


def _home(instance: Instance, cells: set[Cell]) -> Grid | None:
    """Return the board that has exactly these cells, or else the first that has all of them."""
    boards = [board for board in instance.grids if cells <= board.values.keys()]
    for board in boards:
        if cells == board.values.keys():
            return board
    return boards[0] if boards else None


def _text_of(layer: PictureLayer) -> str:
    return layer.expression.text.text


_INFERRED: WeakKeyDictionary[Instance, tuple[Picture, ...]] = WeakKeyDictionary()


def inferred(
    puzzle_type: PuzzleType, indexed: Mapping[str, Indexed] | None = None
) -> tuple[Picture, ...]:
    """Return the pictures of a type that has none; none if nothing of it is on a board.

    A board of texts that is `like` another board of texts is a picture of its own, as both share
    their cells.

    Args:
        puzzle_type: The type.
        indexed: What its unknowns are over, as a spec shows; without it, they are left out.
    """
    entries = [*_of_fields(puzzle_type), *_of_unknowns(puzzle_type, indexed or {})]
    entries.sort(key=_layer_order)
    fields = puzzle_type.fields
    texts = [text for layer, _, text in entries if layer == "text" and text in fields]
    likes = {text: fields[text].like for text in texts if fields[text].like in texts}
    main_entries = [entry for entry in entries if entry[2] not in likes]
    main_title = next(iter(likes.values()), None) or ""
    pictures = [_picture(puzzle_type, main_entries, main_title)]
    pictures += [_picture(puzzle_type, [("text", "", text)], text) for text in likes]
    return tuple(picture for picture in pictures if picture.layers)


def _layer_order(entry: LayerEntry) -> int:
    layer, _, _ = entry
    order = ("shade", "text", "borders")
    return order.index(layer) if layer in order else len(order)


def _picture(puzzle_type: PuzzleType, entries: Sequence[LayerEntry], title: str) -> Picture:
    """Return a picture of layers, without those whose expression has other names."""
    layers = []
    for layer, variant, text in entries:
        expression = _compiled(puzzle_type, text)
        if expression is not None:
            layers.append(PictureLayer(layer, variant, expression))
    return Picture(tuple(layers), title=title)


def fields_below(puzzle_type: PuzzleType, pictures: Sequence[Picture]) -> list[str]:
    """Return the fields that are printed below the picture of a puzzle, if the type has no list.

    They are the fields that the pictures do not draw, except switches (conditions and choices) and
    what only gives a board its size.
    """
    drawn = set[str]()
    for picture in pictures:
        for expression in picture.expressions:
            drawn.update(expression.names)
    loop_names = set[str]()
    for unknowns in puzzle_type.unknowns:
        if unknowns.name in drawn:
            loop_names.update(_loop_names(unknowns))
    fields = puzzle_type.fields
    behind = puzzle_type.fields_behind(drawn)
    sizes = set[str]()  # fields that only give a board its size or its form
    for name in puzzle_type.fields_behind(drawn | loop_names):
        if _type_text(fields[name]) in ("int", "size"):
            sizes.add(name)
    for field in fields.values():
        if field.columns is not None:
            sizes.add(field.columns)
        if pictures and _is_form(_item(field)):
            sizes.add(field.name)
    return [field.name for field in fields.values() if _is_below(field, behind, sizes)]


def _is_below(field: Field, behind: Collection[str], sizes: Collection[str]) -> bool:
    if holds_shapes(field):
        return True
    type_text = _type_text(field)
    is_switch = isinstance(_required(field.type), Choice) or type_text == "bool"
    if field.name in sizes or is_switch:
        return False
    # of a text, a picture may show only the length
    return field.name not in behind or type_text in TEXTS


def _required(data_type: object) -> object:
    """Return a type without None."""
    return data_type.item if isinstance(data_type, OptionalType) else data_type


def holds_shapes(field: Field) -> bool:
    """Return whether the values of a field are shapes."""
    return re.search(r"\bshape\b", str(field.type)) is not None


def _type_text(field: Field) -> str:
    """Return the type of a field, without its domain and without None."""
    return str(_required(field.type))


def _loop_names(unknowns: VariableDecl) -> Iterator[str]:
    """Yield the names in the collections that the indexes of unknowns run over."""
    domain = unknowns.domain.text.text
    for collection in re.findall(r"\bin\b(.*?)(?:\bfor\b|\bif\b|$)", domain, re.DOTALL):
        yield from re.findall(r"\w+", collection)


def as_section(pictures: Sequence[Picture], below: Sequence[ShowEntry] = ()) -> str:
    """Return pictures, and what stands below them, as the section `show` of a type."""
    lines = ["show:", "  picture:"]
    if below and not pictures:
        return "\n".join([*lines, *(f"    {line}" for line in _below_lines(below))])
    for picture in pictures:
        picture_lines = [*_options(picture), *_layer_lines(picture)]
        if picture is pictures[-1]:
            picture_lines += _below_lines(below)
        lead = "- " if len(pictures) > 1 else "  "
        for line in picture_lines:
            lines.append(f"  {lead}{line}")
            lead = "  "
    return "\n".join(lines)


def _below_lines(below: Sequence[ShowEntry]) -> Iterator[str]:
    texts = {}
    for entry in below:
        expression = entry.expression
        texts[entry.name] = entry.name if expression is None else expression.text.text
    if not texts:
        return
    if all(name == text.strip() for name, text in texts.items()):
        yield f"below: [{', '.join(texts)}]"
        return
    yield "below:"
    for name, text in texts.items():
        folded = " ".join(text.split())
        yield f"  {name}: {_written([folded])}"


def _options(picture: Picture) -> Iterator[str]:
    if picture.title:
        yield f"title: {picture.title}"
    if picture.board is not None:
        yield f"board: {_written([picture.board.text.text])}"
    if picture.coordinates:
        yield "coordinates: yes"


def _layer_lines(picture: Picture) -> Iterator[str]:
    texts_by_layer: dict[str, dict[str, list[str]]] = {}
    for layer in picture.layers:
        variants = texts_by_layer.setdefault(layer.name, {})
        variants.setdefault(layer.variant, []).append(_text_of(layer))
    for name, variants in texts_by_layer.items():
        if list(variants) == [""]:
            yield f"{name}: {_written(variants[''])}"
        else:
            yield f"{name}:"
            for variant, texts in variants.items():
                yield f"  {variant or 'middle'}: {_written(texts)}"


def _written(texts: list[str]) -> str:
    """Return texts as YAML: one as a scalar, several as a list."""
    scalars = list(map(_scalar, texts))
    if len(scalars) == 1:
        return scalars[0]
    return f"[{', '.join(scalars)}]"


def _scalar(text: str) -> str:
    """Return a text as a scalar of YAML, in quotes if it needs them."""
    return f'"{text}"' if re.search(r"^[\[{'\"]|: |#", text) else text


def over_of(family: VariableArray, domain: Sequence[object]) -> Indexed:
    """Return what the unknowns of a family are over; `domain` has the values of one of them."""
    keys = list(family.members)
    over: Over = ""
    if family.arity == 1 and keys:
        over = _over(keys)
    truths = all(type(value) is bool for value in domain)
    first_type = value_type(domain[0]) if domain else None
    colours = first_type is not None and first_type.colour is not None
    return Indexed(over, truths, colours)


def _over(keys: list[object]) -> Over:
    if all(isinstance(key, Cell) for key in keys):
        return "cells"
    if all(map(_is_link, keys)):
        return "links"
    if all(map(_is_group, keys)):
        return "groups"
    return ""


def _is_group(key: object) -> bool:
    """Return whether a key is a group of cells, or has one."""
    group = getattr(key, "cells", key)
    if isinstance(group, Cell) or not isinstance(group, tuple | frozenset):
        return False
    return all(isinstance(cell, Cell) for cell in group)


def _is_link(key: object) -> bool:
    """Return whether the key joins two corners, or two neighbouring cells."""
    match key:
        case (Corner(), Corner()):
            return True
        case (Cell() as first, Cell() as second):
            rows = abs(first.row - second.row)
            columns = abs(first.column - second.column)
            return max(rows, columns) == 1
        case _:
            return False


def _of_unknowns(puzzle_type: PuzzleType, indexed: Mapping[str, Indexed]) -> Iterator[LayerEntry]:
    """Yield the layers of the unknowns that are on a board."""
    for entry in puzzle_type.show:
        unknowns = indexed.get(entry.name)
        if unknowns is None or entry.expression is not None:
            continue
        if unknowns.over == "cells":
            layer = "shade" if unknowns.truths or unknowns.colours else "text"
            yield layer, "", entry.name
            if entry.colour is not None:
                yield "shade", "", entry.colour.text.text
        elif unknowns.over == "links":
            yield "lines", "", entry.name
        elif unknowns.over == "groups" and unknowns.truths:
            yield "pieces", "", entry.name


def _of_fields(puzzle_type: PuzzleType) -> Iterator[LayerEntry]:
    """Yield the layers of the fields that are on a board."""
    statements = (*puzzle_type.requirements, *puzzle_type.lets, *puzzle_type.rules)
    statement_text = "\n".join(statement.expression.text.text for statement in statements)
    domains = "\n".join(unknowns.domain.text.text for unknowns in puzzle_type.unknowns)
    for field in puzzle_type.fields.values():
        name = field.name
        item = _item(field)
        if item is None:
            side = _side_of(name)
            if side and isinstance(field.type, ListOf) and _holds_clues(field.type):
                yield "outside", side, name
        elif re.search(rf"\b{name}\.regions\b", statement_text):
            yield "borders", "", name
        elif str(item) in ("mark", "bool"):
            yield "shade", "", name
        elif isinstance(item, TupleOf):
            continue
        elif not _is_form(item) or f" {name}.cells" in domains:
            yield "text", "", name
            boxes = rf"\b{name}\.boxes\((?:\w+|\(\d+, ?\d+\))\)"
            for text in dict.fromkeys(re.findall(boxes, statement_text)):
                yield "borders", "", text


def _is_form(item: object) -> bool:
    """Return whether a board with cells of this type only has a form: there is one value."""
    return isinstance(item, Choice) and len(item.names) == 1


def _item(field: Field) -> DataType | None:
    """Return the type of the cells of a board; None of other fields."""
    if not isinstance(field.type, GridOf):
        return None
    item = _required(field.type.item)
    return item if isinstance(item, DataType) else None


def _side_of(name: str) -> str:
    """Return the side of the board that a word of a name means; empty without one."""
    for word in name.lower().split("_"):
        if word in SIDES:
            return SIDES[word]
    return ""


def _holds_clues(list_type: ListOf) -> bool:
    item: object = list_type.item
    if isinstance(item, OptionalType | ListOf):
        item = item.item
    item = _required(item)
    return isinstance(item, Union) or str(item) in ("int", "symbol", "letter")


def _compiled(puzzle_type: PuzzleType, text: str) -> Expression | None:
    """Return an expression of the names of a type; None if it has others."""
    source = SourceFile(puzzle_type.source.path, text)
    start = Mark("", 0, 0, 0, None, 0)
    end = Mark("", len(text), 0, len(text), None, 0)
    node = ScalarNode("tag:yaml.org,2002:str", text, start, end)
    language = puzzle_type.language
    names = {*language.names, *puzzle_type.fields}
    names.update(let.name for let in puzzle_type.lets)
    names.update(unknowns.name for unknowns in puzzle_type.unknowns)
    return compile_expression(Text(source, node), names, False, language)
