"""The section `links` of a type: which notations have it, and where its fields stand there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from yaml.nodes import MappingNode, Node, ScalarNode

from puzzlekit.lang import (
    DataType,
    GridOf,
    ListOf,
    MapOf,
    OptionalType,
    PuzzleType,
    ReadContext,
    Scalar,
    ScalarType,
    SectionReading,
    ShapeType,
    TupleOf,
    TypeSection,
    WrongValueError,
)
from puzzlekit.links.codecs import Codec, codec
from puzzlekit.links.link_format import (
    BLANK,
    EDGES,
    HOLES,
    GameFormat,
    LinkFormat,
    LinkLayer,
    LinkNotations,
    Settings,
    TextFormat,
    ValueTable,
)
from puzzlekit.sentences import or_list
from puzzlekit.source import SourceFile, is_empty, node_type, several

if TYPE_CHECKING:
    from puzzlekit.lang import Schema


class LayerType(NamedTuple):
    """What a name of a layer stands for.

    Attributes:
        target: What the values belong to.
        codec: How they are written unless `as` says it; empty if it must say it.
        counts: How many fields there may be.
    """

    target: str
    codec: str
    counts: tuple[int, ...] = (1,)


NUMBER_RUNS = "runs g of hex | (.)"
LAYERS = {
    "cells": LayerType("cells", "", (1, 2, 3)),
    "number16": LayerType("cells", NUMBER_RUNS),
    "number10": LayerType("cells", "runs a of digit | (.)"),
    "four_cell": LayerType("cells", "four_cell"),
    "four_cell_corners": LayerType("corners", "four_cell"),
    "circle": LayerType("cells", "circle"),
    "bits": LayerType("cells", "bits"),
    "inner": LayerType("inner", ""),
    "rim": LayerType("rim", "", (1, 2)),
    "dots": LayerType("dots", "dots"),
    "border": LayerType("edges", "border"),
    "rooms": LayerType("rooms", NUMBER_RUNS),
    "outside": LayerType("sides", NUMBER_RUNS, (2, 4)),
    "count": LayerType("number", "decimal"),
    "bank": LayerType("pieces", "bank"),
    "blocks": LayerType("edges", "blocks"),
    "room_cells": LayerType("room_cells", "numbers"),
    "columns": LayerType("columns", "each . of base36"),
    "rows": LayerType("rows", "each . of base36"),
    "dominoes": LayerType("dominoes", "each of (LRTB*)"),
    "compared": LayerType("compared", "compared", (2,)),
    "outside with exits": LayerType("exits", "listed , with S", (2,)),
    "ways": LayerType("ways", "runs a of (0123456789ABCDEF)"),
}
GAME_KEYS = ("game", "flags", "requires", "size", "box", "body")
GAME_SIZES = ("rectangle", "square", "box", "pairs")
KEYS = ("type", "also", "flags", "sizes", "body", "file")
OPTIONS = ("as", "values", "optional", "except", "sets", "flag")  # of a layer
TYPES: Mapping[str, tuple[type[DataType], ...]] = {  # of the first field, by the target
    **dict.fromkeys(("cells", "corners", "inner", "rim", "dots", "edges"), (GridOf,)),
    **dict.fromkeys(("dominoes", "compared", "ways"), (GridOf,)),
    **dict.fromkeys(("rooms", "room_cells"), (GridOf, MapOf)),
    **dict.fromkeys(("sides", "exits", "columns", "rows"), (ListOf,)),
    "number": (Scalar, ListOf),
    "pieces": (MapOf,),
}
TYPE_TEXTS = {
    GridOf: "a board, grid[…]",
    ListOf: "list[…]",
    Scalar: "a single value",
    MapOf: "map[…]",
}
PIECE = re.compile(r"[1-9a-z]{2}[0-9a-v]{1,245}")  # its width and height, and its cells
NUMBER = re.compile(r"[0-9]{1,9}")
SITE_NAME = re.compile(r"[a-z][a-z0-9-]*")
LETTERS = {letter: (number,) for number, letter in enumerate("abcdefghijklmnopqrstuvwxyz", 1)}
BOARD_NOTATIONS = {  # with what the section says of them
    "ipuz": ("kind", "board"),
    "puz": ("board",),
    "line": ("board", "size", "candidates"),
    "non": ("rows", "columns"),
    "webpbn": ("rows", "columns"),
}
TEXT_BOARDS = ("problem", "areas")  # sections of texts that are boards
TEXT_KEYS = ("puzzle", *TEXT_BOARDS, "labels", "values")
SECTIONS = ("puzzlink", "penpa", *BOARD_NOTATIONS, "janko", "tatham", "fpuzzles")  # of `links`
OUTSIDE = tuple(
    f"{side}{sign}"
    for side in ("top", "bottom", "left", "right")
    for sign in ("", " plus", " minus")
)
DRAWN = (  # where drawings show a field
    "texts",
    "inner texts",
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
    "corners",
    "inner corners",
    "inequalities",
    "ways",
    "split cells",
    "missing clues",
    "bank",
    "letters outside",
    "highest outside",
    "corner digits",
    "diagonals",
    "number outside",
    "not shown",
    "not shown with clues outside",
)
# of the data of f-puzzles: the names of the site; `diagonal` for both, `killersum`, `consecutive`,
# `pill` for values
BOARD_PARTS = (
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
    "slowthermometer",
    "pill",
    "entropicline",
    "regionsumline",
    "zipperline",
    "rowindexer",
    "columnindexer",
    "boxindexer",
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
    "negative",
    "nonconsecutive",
    "consecutive",
    "antiking",
    "antiknight",
    "disjointgroups",
    "minimum",
    "maximum",
    "quadruple",
    "littlekillersum",
    "skyscraper",
    "sandwichsum",
    "xsum",
    "top",
    "bottom",
    "left",
    "right",
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
        parser = _LinksParser(reading.type_)
        notations = self.notations = LinkNotations()
        for key, position, node in reading.entries():
            if key not in SECTIONS:
                source.unknown_key(key, position, "there is no notation", list(SECTIONS))
            elif key == "penpa":
                notations.drawn = dict(parser.drawn(node))
            elif key == "fpuzzles":
                notations.board_parts = dict(parser.board_parts(node))
            elif key in BOARD_NOTATIONS:
                notations.boards[key] = dict(parser.board(key, node))
            elif key == "janko":
                notations.texts[key] = parser.text_format(key, node)
            elif key == "tatham":
                notations.game = parser.game_format(node)
            elif key == "puzzlink":
                notations.puzzlink = parser.link_format(node)

    @classmethod
    def json_schema(cls) -> Schema:
        """Return the JSON Schema of the section."""
        from puzzlekit.lang import ANY_SCALAR, any_of, mapping_schema

        layers = any_of(ANY_SCALAR, {"type": "object"})
        body = {"body": {"type": "array", "items": layers}}
        game = mapping_schema({key: {} for key in GAME_KEYS} | body, ["game", "body"])
        link = mapping_schema({key: {} for key in KEYS} | body, ["type", "body"])
        text = mapping_schema({key: {} for key in TEXT_KEYS}, ["puzzle"])
        notations: Schema = {
            "tatham": game,
            "puzzlink": link,
            "penpa": {"type": "object"},
            "fpuzzles": {"type": "object"},
            "line": {},
            "janko": text,
        }
        for name, keys in BOARD_NOTATIONS.items():
            notations[name] = mapping_schema(dict.fromkeys(keys, ANY_SCALAR), keys)
        return {**mapping_schema(notations), "type": ["object", "null"]}


class _LinksParser:
    """Reads the parts of the section of a type."""

    def __init__(self, puzzle_type: PuzzleType) -> None:
        self.type = puzzle_type
        self.source: SourceFile = puzzle_type.source

    def drawn(self, node: Node) -> Iterator[tuple[str, str | list[str] | Mapping[str, list[str]]]]:
        """Yield where drawings show each field: the names of positions, or the values of symbols of
        a cell; for `_`, the symbols of holes.
        """
        for name, key_node, positions in self.source.entries(node, "penpa"):
            if name == HOLES:
                yield name, self._texts(positions)
            elif self._is_field(name, key_node):
                if isinstance(positions, MappingNode):
                    yield name, dict(self._values_of_symbols(name, positions))
                else:
                    yield name, self._positions(positions)

    def _values_of_symbols(self, name: str, node: Node) -> Iterator[tuple[str, list[str]]]:
        for symbol, _, values in self.source.entries(node, f"the marks of {name}"):
            yield symbol, self._texts(values)

    def _positions(self, node: Node) -> str | list[str]:
        positions = []
        for position_node in several(node):
            position = self._text(position_node, "a place")
            if position in DRAWN:
                positions.append(position)
            elif position:
                self._unknown(position, position_node, "place", DRAWN)
        return positions[0] if len(positions) == 1 else positions

    def board_parts(self, node: Node) -> Iterator[tuple[str, tuple[str, str]]]:
        """Yield the field of each part of the data of f-puzzles, and the value that it stands for,
        or nothing.
        """
        for part_name, key_node, field_node in self.source.entries(node, "fpuzzles"):
            if part_name not in BOARD_PARTS:
                self._unknown(part_name, key_node, "part", BOARD_PARTS)
            field = self._field_and_value(part_name, field_node)
            if field is not None:
                yield part_name, field

    def _field_and_value(self, part_name: str, node: Node) -> tuple[str, str] | None:
        """Return the field that a part fills, and the value that it stands for, or nothing."""
        if not isinstance(node, MappingNode):
            name = self._text(node, "a field")
            self._is_field(name, node)
            return name, ""
        entries = list(self.source.entries(node, part_name))
        texts = [self._text(value_node) for _, _, value_node in entries]
        if len(entries) != 1:
            self.source.problem(f"expected one field and its value, got {len(entries)}", node)
        if not entries:
            return None
        name, key_node, _ = entries[0]
        self._is_field(name, key_node)
        return name, texts[0]

    def board(self, notation: str, node: Node) -> Iterator[tuple[str, str]]:
        """Yield the names that a notation of boards requires: its `kind`, and the fields of its
        parts.
        """
        keys = BOARD_NOTATIONS[notation]
        nodes: dict[str, Node] = {}
        for key, key_node, value_node in self.source.entries(node, notation):
            nodes[key] = value_node
            if key not in keys:
                self._unknown(key, key_node, "key", keys)
            elif key != "kind":
                self._is_field(self._text(value_node, "a field"), value_node)
        for key in keys:
            if key in nodes:
                yield key, self._text(nodes[key], "a name")
            else:
                self.source.problem(f"{notation} requires {key}:", node)
                yield key, ""

    def text_format(self, notation: str, node: Node) -> TextFormat:
        """Return how texts write the puzzles: the names there, and the fields of their sections."""
        names: tuple[str, ...] = ()
        boards: dict[str, str] = {}
        labels: tuple[str, ...] = ()
        values: dict[str, tuple[str, ...]] = {}
        for key, key_node, value_node in self.source.entries(node, notation):
            if key == "puzzle":
                names = tuple(self._texts(value_node))
            elif key in TEXT_BOARDS:
                boards[key] = self._field_name(value_node)
            elif key == "labels":
                labels = tuple(map(self._field_name, several(value_node)))
            elif key == "values":
                entries = self.source.entries(value_node, key)
                values = {text: tuple(self._texts(words)) for text, _, words in entries}
            else:
                self._unknown(key, key_node, "key", TEXT_KEYS)
        if not names or not boards:
            self.source.problem(f"{notation} requires puzzle:, and problem: or areas:", node)
        if labels and len(labels) != 2:
            self.source.problem("labels are two fields: those of columns, and of rows", node)
        return TextFormat(names, boards, labels, values)

    def _field_name(self, node: Node) -> str:
        """Return the name of a field; note a problem if the type has none of this name."""
        name = self._text(node, "a field")
        self._is_field(name, node)
        return name

    def link_format(self, node: Node) -> LinkFormat | None:
        """Return the format of links of puzz.link; None if it lacks a required key."""
        nodes: dict[str, Node] = {}
        for key, key_node, value_node in self.source.entries(node, "links"):
            nodes[key] = value_node
            if key not in KEYS:
                self._unknown(key, key_node, "key", KEYS)
        for required in ("type", "body"):
            if required not in nodes:
                self.source.problem(f"links require {required}:", node)
                return None
        names = dict(self._names(nodes["type"]))
        also = tuple(filter(None, map(self._site_name, several(nodes.get("also")))))
        flags = dict(self._flags(nodes.get("flags")))
        sizes = dict(self._sizes(nodes.get("sizes")))
        body = tuple(self._body(several(nodes["body"])))
        has_files = self._truth(nodes.get("file"))
        link_format = LinkFormat(names, also, flags, sizes, body, has_files)
        self._check(link_format, node)
        return link_format

    def game_format(self, node: Node) -> GameFormat | None:
        """Return the format of game IDs; None if it lacks a required key."""
        nodes: dict[str, Node] = {}
        for key, key_node, value_node in self.source.entries(node, "tatham"):
            nodes[key] = value_node
            if key not in GAME_KEYS:
                self._unknown(key, key_node, "key", GAME_KEYS)
        for required in ("game", "body"):
            if required not in nodes:
                self.source.problem(f"tatham requires {required}:", node)
                return None
        numbers: dict[str, str] = {}
        flags: dict[str, Settings] = {}
        for flag, _, value_node in self.source.entries(nodes.get("flags"), "flags"):
            if isinstance(value_node, ScalarNode):
                numbers[flag] = self._field_name(value_node)
            else:
                flags[flag] = self._settings(value_node)
        size_node = nodes.get("size")
        size = "rectangle"
        if size_node is not None:
            size = self._text(size_node)
            if size not in GAME_SIZES:
                self._unknown(size, size_node, "size", GAME_SIZES)
        box = ""
        if "box" in nodes:
            box = self._field_name(nodes["box"])
        names = dict(self._names(nodes["game"]))
        body = tuple(self._body(several(nodes["body"])))
        requires: list[str] = []
        if "requires" in nodes:
            requires = self._texts(nodes["requires"])
        game_format = GameFormat(
            names=names,
            also=(),
            flags=flags,
            sizes={},
            body=body,
            file=False,
            numbers=numbers,
            requires=tuple(requires),
            size=size,
            box=box,
        )
        self._check(game_format, node)
        return game_format

    def _text(self, node: Node, expected: str = "a value") -> str:
        return self.source.text_of(node, expected) or ""

    def _texts(self, node: Node) -> list[str]:
        return list(map(self._text, several(node)))

    def _unknown(self, name: str, node: Node, category: str, names: Iterable[str]) -> None:
        self.source.unknown_key(name, node, f"there is no {category}", list(names))

    def _is_field(self, name: str, node: Node) -> bool:
        """Return whether the type has a field; note a problem if it does not."""
        is_field = name in self.type.fields
        if not is_field:
            self._unknown(name, node, "field", self.type.fields)
        return is_field

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
        for _, key_node, settings in self.source.entries(node, "type"):
            yield self._site_name(key_node), self._settings(settings)

    def _flags(self, node: Node | None) -> Iterator[tuple[str, Settings]]:
        for flag, key_node, settings in self.source.entries(node, "flags"):
            if len(flag) != 1 or not flag.islower():
                self.source.problem(f"a flag is one small letter, got {flag[:40]!r}", key_node)
            yield flag, self._settings(settings)

    def _sizes(self, node: Node | None) -> Iterator[tuple[int, Settings]]:
        for side, key_node, settings in self.source.entries(node, "sizes"):
            if not re.fullmatch(r"[1-9][0-9]{0,2}", side):
                self.source.problem(f"expected the side of a board, got {side[:40]!r}", key_node)
            else:
                yield int(side), self._settings(settings)

    def _settings(self, node: Node) -> Settings:
        """Return values of fields, after reading them."""
        settings = {}
        for name, key_node, value_node in self.source.entries(node, "values of fields"):
            if self._is_field(name, key_node):
                self.type.fields[name].type.read(value_node, ReadContext(self.source))
                settings[name] = value_node
        return settings

    def _body(self, nodes: list[Node]) -> Iterator[LinkLayer | None]:
        for node in nodes:
            if isinstance(node, ScalarNode) and node.value in ("/", ","):
                yield None
            elif isinstance(node, MappingNode):
                layer = self._layer(node)
                if layer is not None:
                    yield layer
            else:
                self.source.problem(
                    f"expected LAYER: FIELD or / as a layer, got {node_type(node)}", node
                )

    def _layer(self, node: MappingNode) -> LinkLayer | None:
        name: str | None = None
        fields_node: Node = node
        options: dict[str, Node] = {}
        names = []
        for key, key_node, value_node in self.source.entries(node, "a layer"):
            if key in OPTIONS:
                options[key] = value_node
            else:
                names.append((key, key_node))
                if key in LAYERS and name is None:
                    name, fields_node = key, value_node
        for key, key_node in names:
            if key not in LAYERS:
                self._unknown(key, key_node, "layer or key", [*LAYERS, *OPTIONS])
            elif key != name:
                help = "write each layer after a - of its own"
                self.source.problem("a layer has one name", key_node, help)
        if name is None:
            if not names:
                self.source.problem("a layer requires a name: LAYER: FIELD", node)
            return None
        groups = self._groups(name, fields_node)
        fields = tuple(field for group in groups for field in group)
        layer_codec = self._codec(name, options.get("as"), node)
        values = self._values(fields, options.get("values"))
        optional = self._truth(options.get("optional"))
        outside = self._outside(options.get("except"))
        sets = self._sets(fields, options.get("sets"))
        flag = self._text(options["flag"]) if "flag" in options else ""
        return LinkLayer(
            name,
            LAYERS[name].target,
            layer_codec,
            fields,
            groups,
            values,
            optional,
            outside,
            sets,
            flag,
        )

    def _codec(self, name: str, node: Node | None, layer: Node) -> Codec:
        words = LAYERS[name].codec
        if node is not None:
            words = self._text(node, "how the values are written")
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
        layer_type = LAYERS[layer]
        groups: list[tuple[str, ...]] = []
        for group_node in several(node):
            names: list[str] = []
            for name_node in several(group_node):
                name = self._text(name_node, "a field")
                if name == HOLES and layer_type.target == "cells":
                    return ((HOLES,),)
                if name and self._is_field(name, name_node):
                    if not (groups or names):
                        self._check_first_field(layer, name, name_node)
                    names.append(name)
            groups.append(tuple(names))
        count = sum(map(len, groups))
        if count not in layer_type.counts:
            plural = "field" if layer_type.counts == (1,) else "fields"
            counts = or_list(list(map(str, layer_type.counts)))
            self.source.problem(f"{layer} fills {counts} {plural}, got {count}", node)
        return tuple(groups)

    def _check_first_field(self, layer: str, name: str, node: Node) -> None:
        """Note a field that is of another type than the layer requires."""
        types = TYPES[LAYERS[layer].target]
        field_type = self.type.fields[name].type
        if not isinstance(field_type, types):
            required = " or ".join(TYPE_TEXTS[possible] for possible in types)
            self.source.problem(
                f"{layer} does not fill a {field_type}: it requires {required}", node
            )

    def _truth(self, node: Node | None) -> bool:
        if node is None:
            return False
        text = self._text(node, "yes or no").casefold()
        if text not in ("yes", "no", "true", "false"):
            self.source.problem(f"expected yes or no, got {text[:40]!r}", node)
        return text in ("yes", "true")

    def _values(self, fields: tuple[str, ...], node: Node | None) -> dict[str, ValueTable]:
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
        are_fields = all(key in fields for key, _, _ in entries)
        if len(fields) > 1 and are_fields:
            return {key: self._table(key, table) for key, _, table in entries}
        return {name: self._table(name, node) for name in fields}

    def _table(self, name: str, node: Node) -> ValueTable:
        table = {}
        field = self.type.fields.get(name)
        for text, key_node, numbers in self.source.entries(node, f"the values of {name}"):
            if text not in (HOLES, BLANK) and field is not None and not accepts(field.type, text):
                self.source.problem(
                    f"the field {name} does not take {text[:40]!r}: it is a {field.type}", key_node
                )
            table[text] = tuple(map(_link_value, self._texts(numbers)))
        return table

    def _outside(self, node: Node | None) -> tuple[str, tuple[str, ...]] | None:
        for name, key_node, values in self.source.entries(node, "except"):
            if self._is_field(name, key_node):
                return name, tuple(self._texts(values))
        return None

    def _sets(self, fields: tuple[str, ...], node: Node | None) -> dict[str, dict[str, str]]:
        """Return the sets of pieces by their letter: how many there are of each length, or the code
        of each piece.
        """
        sets: dict[str, dict[str, str]] = {}
        has_shapes = any(map(self._has_shapes, fields))
        for letter, _, set_node in self.source.entries(node, "sets"):
            entries = self.source.entries(set_node, letter)
            pieces = {name: self._text(piece) for name, _, piece in entries}
            sets[letter] = pieces
            if has_shapes:
                valid = all(map(PIECE.fullmatch, pieces.values()))
                expected = "the code of each piece by its name: {I: 14u, O: 22u}"
            else:
                valid = all(map(NUMBER.fullmatch, [*pieces, *pieces.values()]))
                expected = "how many pieces there are of each length: {1: 4, 2: 3}"
            if not valid:
                self.source.problem(f"expected {expected}", set_node)
        return sets

    def _has_shapes(self, name: str) -> bool:
        field = self.type.fields.get(name)
        return field is not None and has_shapes(field.type)

    def _check(self, link_format: LinkFormat, node: Node) -> None:
        """Note fields that two layers fill or none does, and layers that lack one before them."""
        layers = link_format.layers
        has_edges = any(layer.target in EDGES for layer in layers)
        seen: set[str] = set()
        for layer in layers:
            is_rim = layer.target == "rim"
            for name in layer.fields[is_rim:]:  # the layer `inner` fills the first field of `rim`
                if name in seen:
                    self.source.problem(f"two layers fill {name}", node)
                seen.add(name)
            if is_rim and layer.fields and layer.fields[0] not in seen:
                self.source.problem("rim requires a layer inner: of its field before it", node)
            if layer.target in ("rooms", "room_cells") and not has_edges:
                self.source.problem("rooms require a layer border: before them", node)
        for required in self.type.required():
            if required.name not in link_format.filled:
                self.source.problem(
                    f"no layer fills the field {required.name}, which every spec has", node
                )


def _link_value(text: str) -> int | str | None:
    """Return the value of a link that a table states."""
    if text == BLANK:
        return None
    return int(text) if NUMBER.fullmatch(text) else text


def has_shapes(field_type: DataType) -> bool:
    """Return whether a field of this type is a mapping of pieces."""
    return isinstance(field_type, MapOf) and isinstance(field_type.value, ShapeType)


def accepts(field_type: DataType, text: str) -> bool:
    """Return whether an element of a field of this type may be written like that."""
    element: object = field_type
    if isinstance(field_type, GridOf | ListOf):
        element = field_type.item
    elif isinstance(field_type, MapOf):
        element = field_type.value
    if isinstance(element, OptionalType):
        element = element.item
    if not isinstance(element, ScalarType | TupleOf):
        return True
    try:
        element.value(text, ReadContext(SourceFile("", "")))
    except WrongValueError:
        return False
    return True
