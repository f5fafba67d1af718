"""The section `links` of a type: which notations have it, and where its fields stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from yaml.nodes import MappingNode, Node, ScalarNode

from puzzlekit.lang.data.board_text import ShapeType
from puzzlekit.lang.data.collections import GridOf, ListOf, MapOf, TupleOf
from puzzlekit.lang.data.scalars import (
    DataType,
    OptionalType,
    ReadContext,
    Scalar,
    ScalarType,
    WrongValueError,
)
from puzzlekit.lang.puzzle_type import PuzzleType
from puzzlekit.lang.type_sections import SectionReading, TypeSection
from puzzlekit.links.codecs import Layout, codec
from puzzlekit.links.form import (
    BLANK,
    HOLES,
    LinkForm,
    LinkLayer,
    LinkNotations,
    Settings,
    Table,
)
from puzzlekit.sentences.formatting import or_list
from puzzlekit.source import SourceFile, is_empty, node_type, several

if TYPE_CHECKING:
    from puzzlekit.lang.data.value_schema import Schema

# by their name: the places of the values, how they are written unless `as` says it, how many fields
# there may be
LAYERS = {
    "cells": ("cells", "", (1, 2, 3)),
    "number16": ("cells", "runs g of hex | (.)", (1,)),
    "number10": ("cells", "runs a of digit | (.)", (1,)),
    "four_cell": ("cells", "four_cell", (1,)),
    "four_cell_corners": ("corners", "four_cell", (1,)),
    "circle": ("cells", "circle", (1,)),
    "bits": ("cells", "bits", (1,)),
    "inner": ("inner", "", (1,)),
    "rim": ("rim", "", (1, 2)),
    "dots": ("dots", "dots", (1,)),
    "border": ("edges", "border", (1,)),
    "rooms": ("rooms", "runs g of hex | (.)", (1,)),
    "outside": ("sides", "runs g of hex | (.)", (2, 4)),
    "count": ("number", "decimal", (1,)),
    "bank": ("pieces", "bank", (1,)),
}
KEYS = ("type", "also", "flags", "sizes", "body", "file")
OPTIONS = ("as", "values", "optional", "except", "sets")  # of a layer
TYPES: Mapping[str, tuple[type[DataType], ...]] = {  # of the first field, by the places
    **dict.fromkeys(("cells", "corners", "inner", "rim", "dots", "edges"), (GridOf,)),
    "rooms": (GridOf, MapOf),
    "sides": (ListOf,),
    "number": (Scalar, ListOf),
    "pieces": (MapOf,),
}
WRITTEN = {GridOf: "a board, grid[…]", ListOf: "list[…]", Scalar: "a single value", MapOf: "map[…]"}
PIECE = re.compile(r"[1-9a-z]{2}[0-9a-v]{1,245}")  # its width and height, and its cells
NUMBER = re.compile(r"[0-9]{1,9}")
SITE_NAME = re.compile(r"[a-z][a-z0-9-]*")
LETTERS = {letter: (number,) for number, letter in enumerate("abcdefghijklmnopqrstuvwxyz", 1)}
BOARD_NOTATIONS = {  # with what the section says of them
    "ipuz": ("kind", "board"),
    "puz": ("board",),
    "line": ("board", "size", "candidates"),
}
SECTIONS = ("puzzlink", "penpa", *BOARD_NOTATIONS, "fpuzzles")  # of `links`
OUTSIDE = tuple(
    f"{side}{mark}"
    for side in ("top", "bottom", "left", "right")
    for mark in ("", " plus", " minus")
)
DRAWN = (  # where drawings show a field
    *(
        "texts",
        "corner",
        "regions",
        "boxes",
        "walls",
        "cages",
        "clues",
        "bulbs",
        "arrows",
        "paths",
        *OUTSIDE,
    ),
    *("corners", "inner corners", "inequalities", "ways", "split cells", "missing clues", "bank"),
    *("not shown", "not shown with clues outside"),
)
# of the data of f-puzzles: its own names; `diagonal` for both, `killersum`, `consecutive`, `pill`
# for values
BOARD_PARTS = (
    *(
        "grid",
        "size",
        "region",
        "givenPencilMarks",
        "odd",
        "even",
        "diagonal",
        "extraregion",
        "killercage",
        "killersum",
    ),
    *(
        "slowthermometer",
        "pill",
        "entropicline",
        "regionsumline",
        "zipperline",
        "rowindexer",
        "columnindexer",
        "boxindexer",
    ),
    *(
        "thermometer",
        "arrow",
        "palindrome",
        "renban",
        "whispers",
        "betweenline",
        "clone",
        "difference",
        "ratio",
        "xv",
    ),
    *(
        "negative",
        "nonconsecutive",
        "consecutive",
        "antiking",
        "antiknight",
        "disjointgroups",
        "minimum",
        "maximum",
    ),
    *(
        "quadruple",
        "littlekillersum",
        "skyscraper",
        "sandwichsum",
        "xsum",
        "top",
        "bottom",
        "left",
        "right",
    ),
)


class LinksSection(TypeSection):
    """The section `links` of a type."""

    about = (
        "How links of a site write the puzzles: its names of the type, and the layers of a link."
    )
    example: ClassVar[Any] = {
        "puzzlink": {"type": "name_of_the_site", "body": [{"number16": "clues"}]}
    }

    def __init__(self, reading: SectionReading) -> None:
        """Read the section. Problems are noted in the source of the type."""
        super().__init__(reading)
        source = reading.type_.source
        reader = _LinksReader(reading.type_)
        notations = self.notations = LinkNotations()
        for key, position, node in reading.entries():
            if key not in SECTIONS:
                source.unknown_key(key, position, "there is no notation", list(SECTIONS))
            elif key == "penpa":
                notations.drawn = dict(reader.drawn(node))
            elif key == "fpuzzles":
                notations.board_parts = dict(reader.board_parts(node))
            elif key in BOARD_NOTATIONS:
                notations.boards[key] = dict(reader.board(key, node))
            elif key == "puzzlink":
                notations.puzzlink = reader.form(node)

    @classmethod
    def json_schema(cls) -> Schema:
        """Return the JSON Schema of the section."""
        from puzzlekit.lang.data.value_schema import ANY_SCALAR, any_of, mapping_schema

        layers = any_of(ANY_SCALAR, {"type": "object"})
        body = {"body": {"type": "array", "items": layers}}
        notations: Schema = {
            "puzzlink": mapping_schema({key: {} for key in KEYS} | body, ["type", "body"]),
            "penpa": {"type": "object"},
            "fpuzzles": {"type": "object"},
            "line": {},
        }
        for name, keys in BOARD_NOTATIONS.items():
            notations[name] = mapping_schema(dict.fromkeys(keys, ANY_SCALAR), keys)
        return {**mapping_schema(notations), "type": ["object", "null"]}


class _LinksReader:
    """Reads the parts of the section of a type."""

    def __init__(self, kind: PuzzleType) -> None:
        self.kind = kind
        self.source: SourceFile = kind.source

    def drawn(self, node: Node) -> Iterator[tuple[str, str | list[str] | Mapping[str, list[str]]]]:
        """Yield where drawings show fields: places, or the values of marks of a cell; of `_`, the
        marks of holes.
        """
        for name, place, part in self.source.entries(node, "penpa"):
            if name == HOLES:
                yield name, [self._text(mark) for mark in several(part)]
            elif not self._known(name, place):
                continue
            elif isinstance(part, MappingNode):
                yield (
                    name,
                    {
                        mark: self._texts(value)
                        for mark, _, value in self.source.entries(part, f"the marks of {name}")
                    },
                )
            else:
                places = [(self._text(one, "a place"), one) for one in several(part)]
                for where, one in places:
                    if where and where not in DRAWN:
                        self.source.unknown_key(where, one, "there is no place", list(DRAWN))
                known = [where for where, _ in places if where in DRAWN]
                yield name, known[0] if len(known) == 1 else known

    def board_parts(self, node: Node) -> Iterator[tuple[str, tuple[str, str]]]:
        """Yield the field of each part of the data of f-puzzles, and the value that it stands for,
        or nothing.
        """
        for part, place, filled in self.source.entries(node, "fpuzzles"):
            if part not in BOARD_PARTS:
                self.source.unknown_key(part, place, "there is no part", list(BOARD_PARTS))
            named: list[tuple[str, Node, str]]
            if isinstance(filled, MappingNode):
                named = [
                    (name, at, self._text(value))
                    for name, at, value in self.source.entries(filled, part)
                ]
                if len(named) != 1:
                    self.source.problem(
                        f"expected one field and its value, got {len(named)}", filled
                    )
            else:
                named = [(self._text(filled, "a field"), filled, "")]
            for name, at, value in named[:1]:
                self._known(name, at)
                yield part, (name, value)

    def board(self, notation: str, node: Node) -> Iterator[tuple[str, str]]:
        """Yield the names that a notation of boards requires: its `kind`, and the fields of its
        parts.
        """
        keys = BOARD_NOTATIONS[notation]
        parts = {key: (place, part) for key, place, part in self.source.entries(node, notation)}
        for key, (place, part) in parts.items():
            if key not in keys:
                self.source.unknown_key(key, place, "there is no key", list(keys))
            elif key != "kind":
                self._known(self._text(part, "a field"), part)
        for key in keys:
            if key not in parts:
                self.source.problem(f"{notation} requires {key}:", node)
            yield key, self._text(parts[key][1], "a name") if key in parts else ""

    def form(self, node: Node) -> LinkForm | None:
        """Return the form of links of puzz.link; None if it lacks a part."""
        parts: dict[str, Node] = {}
        for key, place, part in self.source.entries(node, "links"):
            parts[key] = part
            if key not in KEYS:
                self.source.unknown_key(key, place, "there is no key", list(KEYS))
        if (
            missing := next((key for key in ("type", "body") if key not in parts), None)
        ) is not None:
            self.source.problem(f"links require {missing}:", node)
            return None
        form = LinkForm(
            dict(self._names(parts["type"])),
            tuple(filter(None, map(self._site_name, several(parts.get("also"))))),
            dict(self._flags(parts.get("flags"))),
            dict(self._sizes(parts.get("sizes"))),
            tuple(self._body(several(parts["body"]))),
            self._truth(parts.get("file")),
        )
        self._check(form, node)
        return form

    def _text(self, node: Node, what: str = "a value") -> str:
        return self.source.text_of(node, what) or ""

    def _texts(self, node: Node) -> list[str]:
        return [self._text(part) for part in several(node)]

    def _known(self, name: str, node: Node) -> bool:
        if name not in self.kind.fields:
            self.source.unknown_key(name, node, "there is no field", list(self.kind.fields))
        return name in self.kind.fields

    def _site_name(self, node: Node) -> str:
        name = self.source.text_of(node, "a name on the site")
        if name is not None and not SITE_NAME.fullmatch(name):
            self.source.problem(
                f"{name[:40]!r} is not a name on the site: use small letters, digits and -", node
            )
        return name or ""

    def _names(self, node: Node) -> Iterator[tuple[str, Settings]]:
        if not isinstance(node, MappingNode):
            yield self._site_name(node), {}
            return
        for _, place, part in self.source.entries(node, "type"):
            yield self._site_name(place), self._settings(part)

    def _flags(self, node: Node | None) -> Iterator[tuple[str, Settings]]:
        for key, place, part in self.source.entries(node, "flags"):
            if len(key) != 1 or not key.islower():
                self.source.problem(f"a flag is one small letter, got {key[:40]!r}", place)
            yield key, self._settings(part)

    def _sizes(self, node: Node | None) -> Iterator[tuple[int, Settings]]:
        for key, place, part in self.source.entries(node, "sizes"):
            if not re.fullmatch(r"[1-9][0-9]{0,2}", key):
                self.source.problem(f"expected the side of a board, got {key[:40]!r}", place)
            else:
                yield int(key), self._settings(part)

    def _settings(self, node: Node) -> Settings:
        """Return values of fields, after reading them."""
        found = {}
        for key, place, part in self.source.entries(node, "values of fields"):
            if self._known(key, place):
                self.kind.fields[key].type.read(part, ReadContext(self.source))
                found[key] = part
        return found

    def _body(self, nodes: list[Node]) -> Iterator[LinkLayer | None]:
        for node in nodes:
            if isinstance(node, ScalarNode) and node.value == "/":
                yield None
            elif isinstance(node, MappingNode):
                if (layer := self._layer(node)) is not None:
                    yield layer
            else:
                self.source.problem(
                    f"expected LAYER: FIELD or / as a layer, got {node_type(node)}", node
                )

    def _layer(self, node: MappingNode) -> LinkLayer | None:
        entries = {key: (place, part) for key, place, part in self.source.entries(node, "a layer")}
        options = {key: part for key, (_, part) in entries.items() if key in OPTIONS}
        names = [key for key in entries if key not in OPTIONS]
        known = next((key for key in names if key in LAYERS), None)
        for name in names:
            if name not in LAYERS:
                self.source.unknown_key(
                    name, entries[name][0], "there is no layer or key", [*LAYERS, *OPTIONS]
                )
            elif name != known:
                self.source.problem(
                    "a layer has one name",
                    entries[name][0],
                    "write each layer after a - of its own",
                )
        if known is None:
            if not names:
                self.source.problem("a layer requires a name: LAYER: FIELD", node)
            return None
        groups = self._groups(known, entries[known][1])
        fields = tuple(name for group in groups for name in group)
        return LinkLayer(
            known,
            LAYERS[known][0],
            self._layout(known, options.get("as"), node),
            fields,
            groups,
            self._values(fields, options.get("values")),
            self._truth(options.get("optional")),
            self._outside(options.get("except")),
            self._sets(fields, options.get("sets")),
        )

    def _layout(self, name: str, node: Node | None, layer: Node) -> Layout:
        words = LAYERS[name][1] if node is None else self._text(node, "how the values are written")
        if not words:
            self.source.problem(f"{name} requires as:, how its values are written", layer)
        try:
            return codec(words or "bits")
        except ValueError as error:
            self.source.problem(str(error), node or layer)
            return codec("bits")

    def _groups(self, layer: str, node: Node) -> tuple[tuple[str, ...], ...]:
        """Return the fields that a layer fills, in groups."""
        if is_empty(node):
            return ()
        places, _, numbers = LAYERS[layer]
        found: list[tuple[str, ...]] = []
        for part in several(node):
            names: list[str] = []
            for one in several(part):
                name = self._text(one, "a field")
                if name == HOLES and places == "cells":
                    return ((HOLES,),)
                if name and self._known(name, one):
                    kind = self.kind.fields[name].type
                    if not (found or names) and not isinstance(kind, TYPES[places]):
                        required = " or ".join(WRITTEN[possible] for possible in TYPES[places])
                        self.source.problem(
                            f"{layer} does not fill a {kind}: it requires {required}", one
                        )
                    names.append(name)
            found.append(tuple(names))
        count = sum(map(len, found))
        if count not in numbers:
            plural = "field" if numbers == (1,) else "fields"
            self.source.problem(
                f"{layer} fills {or_list(list(map(str, numbers)))} {plural}, got {count}", node
            )
        return tuple(found)

    def _truth(self, node: Node | None) -> bool:
        text = "no" if node is None else self._text(node, "yes or no").casefold()
        if text not in ("yes", "no", "true", "false"):
            self.source.problem(f"expected yes or no, got {text[:40]!r}", node)
        return text in ("yes", "true")

    def _values(self, fields: tuple[str, ...], node: Node | None) -> dict[str, Table]:
        """Return the tables of values, by field: one for all fields, or one for each."""
        if node is None:
            return {}
        if isinstance(node, ScalarNode):
            if node.value != "letters":
                self.source.problem(
                    "expected a mapping of values, or letters: a stands for 1, b for 2, …", node
                )
            return dict.fromkeys(fields, LETTERS)
        entries = list(self.source.entries(node, "values"))
        if len(fields) > 1 and all(key in fields for key, _, _ in entries):
            return {key: self._table(key, part) for key, _, part in entries}
        return {name: self._table(name, node) for name in fields}

    def _table(self, name: str, node: Node) -> Table:
        found = {}
        kind = self.kind.fields[name].type if name in self.kind.fields else None
        for key, place, part in self.source.entries(node, f"the values of {name}"):
            if kind is not None and key not in (HOLES, BLANK) and not accepts(kind, key):
                self.source.problem(
                    f"the field {name} does not take {key[:40]!r}: it is a {kind}", place
                )
            texts = self._texts(part)
            found[key] = tuple(
                None if text == BLANK else int(text) if NUMBER.fullmatch(text) else text
                for text in texts
            )
        return found

    def _outside(self, node: Node | None) -> tuple[str, tuple[str, ...]] | None:
        for key, place, part in self.source.entries(node, "except"):
            if self._known(key, place):
                return key, tuple(self._texts(part))
        return None

    def _sets(self, fields: tuple[str, ...], node: Node | None) -> dict[str, dict[str, str]]:
        """Return the sets of pieces by their letter: how many there are of each length, or the code
        of each piece.
        """
        found: dict[str, dict[str, str]] = {}
        kinds = [self.kind.fields[name].type for name in fields if name in self.kind.fields]
        shapes = any(
            isinstance(kind, MapOf) and isinstance(kind.value, ShapeType) for kind in kinds
        )
        for key, _, part in self.source.entries(node, "sets"):
            found[key] = {
                name: self._text(piece) for name, _, piece in self.source.entries(part, key)
            }
            if shapes and not all(PIECE.fullmatch(code) for code in found[key].values()):
                self.source.problem(
                    "expected the code of each piece by its name: {I: 14u, O: 22u}", part
                )
            elif not shapes and not all(
                NUMBER.fullmatch(text) for pair in found[key].items() for text in pair
            ):
                self.source.problem(
                    "expected how many pieces there are of each length: {1: 4, 2: 3}", part
                )
        return found

    def _check(self, form: LinkForm, node: Node) -> None:
        """Note fields that two layers fill or none does, and layers that another one must precede."""
        seen: set[str] = set()
        for layer in form.layers:
            for name in layer.fields[layer.places == "rim" :]:
                if name in seen:
                    self.source.problem(f"two layers fill {name}", node)
                seen.add(name)
            if layer.places == "rim" and layer.fields and layer.fields[0] not in seen:
                self.source.problem("rim requires a layer inner: of its field before it", node)
            if layer.places == "rooms" and not any(one.places == "edges" for one in form.layers):
                self.source.problem("rooms require a layer border: before them", node)
        for required in self.kind.required():
            if required.name not in form.filled:
                self.source.problem(
                    f"no layer fills the field {required.name}, which every spec has", node
                )


def accepts(kind: DataType, text: str) -> bool:
    """Return whether a part of a field of this type may be written like that."""
    item: object = (
        kind.item
        if isinstance(kind, GridOf | ListOf)
        else kind.value
        if isinstance(kind, MapOf)
        else kind
    )
    item = item.item if isinstance(item, OptionalType) else item
    if not isinstance(item, ScalarType | TupleOf):
        return True
    try:
        item.value(text, ReadContext(SourceFile("", "")))
    except WrongValueError:
        return False
    return True
