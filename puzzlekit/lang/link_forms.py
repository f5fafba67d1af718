"""How links of a site write the puzzles of a type: `puzzlink` in the section `links`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.encodings import ENCODINGS
from puzzlekit.lang.data.collections import ListOf, MapOf, TupleOf
from puzzlekit.lang.data.grids import GridOf
from puzzlekit.lang.data.scalars import DataType, Maybe, Reading, Scalar, Single, WrongValueError
from puzzlekit.source import Source, is_empty, kind_of

if TYPE_CHECKING:
    from puzzlekit.lang.puzzle_type import PuzzleType

KEYS = ("type", "also", "flags", "sizes", "body")
OPTIONS = ("values", "optional", "except", "sets")  # of a layer
HOLES = "_"  # the cells that a board does not have
BLANK = "."  # an empty cell
SITE_NAME = re.compile(r"[a-z][a-z0-9-]*")
LETTERS = {letter: (number,) for number, letter in enumerate("abcdefghijklmnopqrstuvwxyz", 1)}
Settings = Mapping[str, Node]  # values of fields
Table = Mapping[str, tuple[int | str, ...]]  # values of a field, each with those of a link; the first of them is written
TYPES: Mapping[str, tuple[type[DataType], ...]] = {
    **dict.fromkeys(("cells", "corners", "rim", "dots", "edges", "rooms"), (GridOf,)),
    **dict.fromkeys(("sides", "pairs", "runs", "letters"), (ListOf,)),
    "number": (Scalar,),
    "pieces": (MapOf,),
}  # of the first field of a layer


@dataclass(frozen=True)
class LinkLayer:
    """A layer of the body of a link.

    Attributes:
        encoding: The name of its encoding.
        fields: The fields that it fills; none if the layer must be blank. `_` stands for the holes.
        values: For each field what its values are in the link, where they differ.
        optional: Whether writers leave it out at the end of the body if it is blank.
        outside: The cells that belong to no region: those where a field has one of these values.
        sets: The pieces of known sets, by the letter of the set.
    """

    encoding: str
    fields: tuple[str, ...]
    values: Mapping[str, Table] = field(default_factory=dict)
    optional: bool = False
    outside: tuple[str, tuple[str, ...]] | None = None
    sets: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    @property
    def places(self) -> str:
        """What its values belong to, as in `ENCODINGS`."""
        return ENCODINGS[self.encoding].places


@dataclass(frozen=True)
class LinkForm:
    """How links write the puzzles of a type.

    Attributes:
        names: The names of the type on the site, the values of fields that each stands for.
        also: Other names that readers accept for the first one.
        flags: The flags that a link may have, with the values of fields that each stands for.
        sizes: The sides that a square board may have, with values of fields; empty for any size.
        body: The layers in their order; None is a slash.
    """

    names: Mapping[str, Settings]
    also: tuple[str, ...] = ()
    flags: Mapping[str, Settings] = field(default_factory=dict)
    sizes: Mapping[int, Settings] = field(default_factory=dict)
    body: tuple[LinkLayer | None, ...] = ()

    @property
    def layers(self) -> tuple[LinkLayer, ...]:
        """The layers, without slashes."""
        return tuple(layer for layer in self.body if layer is not None)

    def settings(self, name: str) -> Settings | None:
        """Return the values of fields that a name on the site stands for; None for an unknown name."""
        return self.names.get(next(iter(self.names)) if name in self.also else name)

    @property
    def filled(self) -> frozenset[str]:
        """The fields that a link gives."""
        given = (*self.names.values(), *self.flags.values(), *self.sizes.values())
        layers = (name for layer in self.layers for name in layer.fields if name != HOLES)
        return frozenset((*layers, *(name for settings in given for name in settings)))


class FormReader:
    """Reads how the links of one site write a type."""

    def __init__(self, kind: PuzzleType, node: Node) -> None:
        self.kind, self.node = kind, node
        self.source: Source = kind.source
        self.parts: dict[str, Node] = {}
        for key, place, part in self.source.entries(node, "links"):
            if key in KEYS:
                self.parts[key] = part
            else:
                self.source.unknown_key(key, place, "there is no key", list(KEYS))

    def read(self) -> LinkForm | None:
        missing = next((key for key in ("type", "body") if key not in self.parts), None)
        if missing is not None:
            self.source.problem(f"links require {missing}:", self.node)
            return None
        form = LinkForm(
            dict(self._names()),
            tuple(filter(None, map(self._site_name, self._items("also")))),
            dict(self._flags()),
            dict(self._sizes()),
            tuple(self._body()),
        )
        self._check(form)
        return form

    def _items(self, key: str) -> list[Node]:
        node = self.parts.get(key)
        return [] if node is None else list(node.value) if isinstance(node, SequenceNode) else [node]

    def _site_name(self, node: Node) -> str | None:
        name = self.source.text_of(node, "a name on the site")
        if name is not None and not SITE_NAME.fullmatch(name):
            self.source.problem(f"{name[:40]!r} is not a name on the site: use small letters, digits and -", node)
        return name

    def _names(self) -> Iterator[tuple[str, Settings]]:
        node = self.parts["type"]
        if not isinstance(node, MappingNode):
            yield self._site_name(node) or "", {}
            return
        for _, place, part in self.source.entries(node, "type"):
            yield self._site_name(place) or "", self._settings(part)

    def _flags(self) -> Iterator[tuple[str, Settings]]:
        for key, place, part in self.source.entries(self.parts.get("flags"), "flags"):
            if len(key) != 1 or not key.islower():
                self.source.problem(f"a flag is one small letter, got {key[:40]!r}", place)
            yield key, self._settings(part)

    def _sizes(self) -> Iterator[tuple[int, Settings]]:
        for key, place, part in self.source.entries(self.parts.get("sizes"), "sizes"):
            if not re.fullmatch(r"[1-9][0-9]{0,2}", key):
                self.source.problem(f"expected the side of a board, got {key[:40]!r}", place)
            else:
                yield int(key), self._settings(part)

    def _settings(self, node: Node) -> Settings:
        """Return values of fields, after reading them."""
        found = {}
        for key, place, part in self.source.entries(node, "values of fields"):
            if self._known(key, place):
                self.kind.fields[key].type.read(part, Reading(self.source))
                found[key] = part
        return found

    def _known(self, name: str, node: Node) -> bool:
        if name not in self.kind.fields:
            self.source.unknown_key(name, node, "there is no field", list(self.kind.fields))
        return name in self.kind.fields

    def _body(self) -> Iterator[LinkLayer | None]:
        for node in self._items("body"):
            if isinstance(node, ScalarNode) and node.value == "/":
                yield None
            elif isinstance(node, MappingNode):
                layer = self._layer(node)
                if layer is not None:
                    yield layer
            else:
                self.source.problem(f"expected ENCODING: FIELD or / as a layer, got {kind_of(node)}", node)

    def _layer(self, node: MappingNode) -> LinkLayer | None:
        entries = {key: (place, part) for key, place, part in self.source.entries(node, "a layer")}
        names = [key for key in entries if key not in OPTIONS]
        known = next((key for key in names if key in ENCODINGS), None)
        for name in names:
            if name not in ENCODINGS:
                self.source.unknown_key(name, entries[name][0], "there is no encoding", list(ENCODINGS))
            elif name != known:
                self.source.problem("a layer has one encoding", entries[name][0], "write each layer after a - of its own")
        if known is None:
            if not names:
                self.source.problem("a layer requires an encoding: ENCODING: FIELD", node)
            return None
        fields = self._fields(known, entries[known][1])
        options = {key: part for key, (_, part) in entries.items() if key in OPTIONS}
        return LinkLayer(
            known,
            fields,
            self._values(fields, options.get("values")),
            "optional" in options and self._truth(options["optional"]),
            self._outside(options["except"]) if "except" in options else None,
            self._sets(options.get("sets")),
        )

    def _fields(self, encoding: str, node: Node) -> tuple[str, ...]:
        """Return the fields that a layer fills."""
        if is_empty(node):
            return ()
        layer = ENCODINGS[encoding]
        names: list[str] = []
        for part in node.value if isinstance(node, SequenceNode) else [node]:
            name = self.source.text_of(part, "a field")
            if name == HOLES and layer.places == "cells":
                return (HOLES,)
            if name is None or not self._known(name, part):
                continue
            kind = self.kind.fields[name].type
            if not names and not isinstance(kind, TYPES[layer.places]):
                self.source.problem(f"{encoding} does not fill a {kind}", part)
            names.append(name)
        if len(names) not in layer.fields:
            several = " or ".join(map(str, layer.fields))
            self.source.problem(f"{encoding} fills {several} field{'s' * (several != '1')}, got {len(names)}", node)
        return tuple(names)

    def _truth(self, node: Node) -> bool:
        text = self.source.text_of(node, "yes or no") or ""
        if text.casefold() not in ("yes", "no", "true", "false"):
            self.source.problem(f"expected yes or no, got {text[:40]!r}", node)
        return text.casefold() in ("yes", "true")

    def _values(self, fields: tuple[str, ...], node: Node | None) -> dict[str, Table]:
        """Return the tables of values, by field: one for all fields, or one for each."""
        if node is None:
            return {}
        if isinstance(node, ScalarNode):
            if node.value != "letters":
                self.source.problem("expected a mapping of values, or letters: a stands for 1, b for 2, …", node)
            return dict.fromkeys(fields, LETTERS)
        entries = list(self.source.entries(node, "values"))
        if len(fields) > 1 and all(key in fields for key, _, _ in entries):
            return {key: self._table(key, part) for key, _, part in entries}
        return {name: self._table(name, node) for name in fields}

    def _table(self, name: str, node: Node) -> Table:
        found = {}
        kind = self.kind.fields[name].type if name in self.kind.fields else None
        for key, place, part in self.source.entries(node, f"the values of {name}"):
            theirs = [self.source.text_of(one, "a value") or "" for one in several(part)]
            if kind is not None and key not in (HOLES, BLANK) and not accepts(kind, key):
                self.source.problem(f"the field {name} does not take {key[:40]!r}: it is a {kind}", place)
            found[key] = tuple(int(text) if text.isdigit() else text for text in theirs)
        return found

    def _outside(self, node: Node) -> tuple[str, tuple[str, ...]] | None:
        for key, place, part in self.source.entries(node, "except"):
            if self._known(key, place):
                return key, tuple(self.source.text_of(one, "a value") or "" for one in several(part))
        return None

    def _sets(self, node: Node | None) -> dict[str, dict[int, int]]:
        """Return the sets of pieces: how many there are of each length, by the letter of the set."""
        found: dict[str, dict[int, int]] = {}
        for key, _, part in self.source.entries(node, "sets"):
            pieces = [
                (length, self.source.text_of(many, "a number") or "") for length, _, many in self.source.entries(part, key)
            ]
            if any(not text.isdigit() for pair in pieces for text in pair):
                self.source.problem("expected how many pieces there are of each length: {1: 4, 2: 3}", part)
            else:
                found[key] = {int(length): int(many) for length, many in pieces}
        return found

    def _check(self, form: LinkForm) -> None:
        """Note fields that two layers fill or none does, and rooms without borders."""
        seen: set[str] = set()
        for layer in form.layers:
            for name in layer.fields:
                if name in seen:
                    self.source.problem(f"two layers fill {name}", self.node)
                seen.add(name)
            if layer.places == "rooms" and not any(one.places == "edges" for one in form.layers):
                self.source.problem("rooms require a layer border: before them", self.node)
        for required in self.kind.required():
            if required.name not in form.filled:
                self.source.problem(f"no layer fills the field {required.name}, which every spec has", self.node)


def accepts(kind: DataType, text: str) -> bool:
    """Return whether a part of a field of this type may be written like that."""
    item: object = kind.item if isinstance(kind, GridOf | ListOf) else kind
    item = item.item if isinstance(item, Maybe) else item
    if not isinstance(item, Single | TupleOf):
        return True
    try:
        item.value(text, Reading(Source("", "")))
    except WrongValueError:
        return False
    return True


def several(node: Node) -> list[Node]:
    return list(node.value) if isinstance(node, SequenceNode) else [node]
