"""Reads specs, and binds types to them."""

from __future__ import annotations

import copyreg
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode

from puzzlekit import renamed
from puzzlekit.boards import Grid
from puzzlekit.errors import InputError
from puzzlekit.folding import fold
from puzzlekit.lang.aliases import DataValue
from puzzlekit.lang.data.board_text import row_place
from puzzlekit.lang.data.collections import GridOf
from puzzlekit.lang.data.scalars import DataType, Places, Reading
from puzzlekit.lang.discovery import language
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.instance import Instance
from puzzlekit.lang.library import SpecNotation
from puzzlekit.lang.puzzle_type import Field, PuzzleType
from puzzlekit.lang.rebinding import KeptShape, Watch, shapes_of
from puzzlekit.lang.type_reader import SPEC_KEYS
from puzzlekit.sentences.formatting import counted
from puzzlekit.source import LINK, SourceFile, is_empty, parse


@dataclass
class Spec:
    """A spec as its file states it.

    Attributes:
        source: The text of the spec.
        nodes: The nodes of the name and of the value of each field.
        about: The nodes of the keys that are not fields (`puzzle`, `title`, …).
        notation: The notation in which it is written; None for YAML.
    """

    source: SourceFile
    nodes: dict[str, tuple[ScalarNode, Node]] = field(default_factory=dict)
    about: dict[str, Node] = field(default_factory=dict)
    notation: SpecNotation | None = None

    def text(self, key: str) -> str:
        """Return the text of `puzzle`, `title`, `source` or `note`; empty if there is none."""
        node = self.about.get(key)
        return str(node.value).strip() if isinstance(node, ScalarNode) else ""

    @property
    def generated_by(self) -> Mapping[str, str]:
        """How the puzzle was generated, as its generator says under `generated_by`."""
        node = self.about.get("generated_by")
        pairs = node.value if isinstance(node, MappingNode) else ()
        return {key.value: value.value for key, value in pairs if isinstance(value, ScalarNode)}


def read_spec(path: str, text: str) -> Spec:
    """Return the spec that a text states, as YAML or in a notation of a library.

    Args:
        path: What problems call the text.
        text: The text.

    Raises:
        Problems: All problems of the text.
    """
    notations = (notation for library in language().libraries for notation in library.notations)
    if (
        own := next((notation for notation in notations if notation.is_written(text)), None)
    ) is not None:
        source = SourceFile(path, text)
        title = own.title(source)
        return Spec(source, about={} if title is None else {"title": title}, notation=own)
    return spec_of_node(*parse(path, text))


def spec_of_node(source: SourceFile, root: MappingNode) -> Spec:
    """Return the spec that a mapping of its keys states. Raises Problems."""
    spec = Spec(source)
    for key, place, node in source.entries(root, "a spec"):
        if key not in SPEC_KEYS:
            spec.nodes[key] = (place, node)
        elif key in ("expect", "generated_by", "progress") or source.text_of(node, key) is not None:
            spec.about[key] = node
    source.raise_problems()
    return spec


def no_spec() -> Spec:
    """Return an empty spec: every field is set by `bind`, has a default or is left out."""
    return Spec(SourceFile("", ""))


NOTHING: tuple[Any, ...] = (None, (), {})
Setting = str | tuple[SourceFile, Node]  # text, or the node of a value that a program gives


def bind(
    puzzle: PuzzleType,
    spec: Spec,
    settings: Mapping[str, Setting] | None = None,
    folder: Path | None = None,
    max_evaluations: int | None = None,
    **options: Any,
) -> Instance:
    """Return the type with the data of the spec.

    Args:
        puzzle: The type.
        spec: The spec.
        settings: Fields that are given beside the spec. They replace those of the spec.
        folder: The folder of files that the spec names.
        max_evaluations: The most evaluations of all expressions together; None for the limit on
            rules.
        options: What libraries take beside the spec (`Library.options`). An option that is None or
            False counts as not given.

    Raises:
        Problems: All problems of the data.
        InputError: No field takes an option that is given.
    """
    given = {
        name: value for name, value in options.items() if value is not None and value is not False
    }
    taken = {
        name: kind
        for library in puzzle.language.libraries
        for name, kind in library.options.items()
    }
    for name in given:
        required = taken.get(name, "field of a library")
        if required and not any(
            entry.type is puzzle.language.data_types.get(required)
            for entry in puzzle.fields.values()
        ):
            raise InputError(f"--{name}: {puzzle.name} has no field of type {required}")
    binder = _Binder(puzzle, spec, settings or {}, folder, given)
    bound = bound_alike(puzzle, binder.read(), binder.places, max_evaluations)
    bound.bound_from = (
        puzzle,
        spec,
        settings,
        None if folder is None else folder.absolute(),
        given,
    )
    return bound


def bound_alike(
    puzzle: PuzzleType,
    data: Mapping[str, Any],
    positions: Places | None = None,
    max_evaluations: int | None = None,
    checked: bool = True,
) -> Instance:
    """Return the type bound to data; what an earlier board of the same shape states alike is taken
    from that.

    Args:
        puzzle: The type.
        data: The value of each field.
        places: Where the values are written.
        max_evaluations: The most evaluations of all expressions together.
        checked: Whether the data are checked.

    Raises:
        Problems: All problems of the data and the rules.
    """
    if max_evaluations is not None:  # they are counted
        return Instance(puzzle, data, positions, Interpreter(max_evaluations), checked)
    shapes = shapes_of(puzzle)
    like = shapes.like(data)
    bound = Instance(puzzle, data, positions, Interpreter(), checked, like)
    if like is None and checked:
        shapes.saw(bound, lambda: watched(bound))
    return bound


def watched(bound: Instance) -> KeptShape:
    """Return the shape of a board, bound again with its fields watched. Raises Problems."""
    watch = Watch(bound.type, bound.data)
    again = Instance(bound.type, watch.data, bound.positions, plan=watch)
    return KeptShape(again, watch.reads, bound.data)


def data_of(puzzle: PuzzleType, spec: Spec) -> dict[str, DataValue]:
    """Return the value of each field of a spec, which need not meet the requirements of the type.
    Raises Problems.
    """
    return _Binder(puzzle, spec, {}, None, {}).read()


_PICKLED: WeakValueDictionary[bytes, Instance] = WeakValueDictionary()  # by token


def _reduced(bound: Instance) -> tuple[Callable[..., Instance], tuple[Any, ...]]:
    """Pickle a bound puzzle as the arguments of `bind`: compiled code cannot be pickled."""
    if bound.bound_from is None:
        raise TypeError(f"this {bound.type.name} was not made by bind, and cannot be pickled")
    if bound.token is None:
        bound.token = os.urandom(16)
    _PICKLED[bound.token] = bound
    return _bound_again, (bound.token, *bound.bound_from)


def _bound_again(
    token: bytes,
    puzzle: PuzzleType,
    spec: Spec,
    settings: Mapping[str, Setting] | None,
    folder: Path | None,
    options: Mapping[str, Any],
) -> Instance:
    """Return the pickled puzzle if this process still has it, else bind it again."""
    bound = _PICKLED.get(token)
    if bound is None:
        bound = _PICKLED[token] = bind(puzzle, spec, settings, folder, **options)
        bound.token = token
    return bound


copyreg.pickle(Instance, _reduced)


@dataclass(frozen=True)
class _Binder:
    """Reads the data of a type from a spec."""

    puzzle: PuzzleType
    spec: Spec
    settings: Mapping[str, Setting]
    folder: Path | None
    options: Mapping[str, Any]
    places: Places = field(default_factory=Places)

    def _reading(self, source: SourceFile, name: str) -> Reading:
        return Reading(source, self.folder, options=self.options, path=(name,), places=self.places)

    def read(self) -> dict[str, DataValue]:
        """Return the value of every field. Raises Problems."""
        source, fields = self.spec.source, list(self.puzzle.fields)
        own = self.spec.notation
        if own is not None and self._of_notation(own) is None:
            source.problem(
                f"this is {own.text_name}, but {self.puzzle.name} has no {own.field_name}",
                source.position(0, 0),
            )
            source.raise_problems()
        for key, (place, _) in self.spec.nodes.items():
            if key not in fields:
                source.unknown_key(
                    key,
                    place,
                    f"{self.puzzle.name} has no field",
                    [*fields, *SPEC_KEYS],
                    renamed.SPEC_KEYS,
                )
        for key in self.settings:
            if key not in fields:
                source.unknown_key(key, None, f"--set: {self.puzzle.name} has no field", fields)
        data: dict[str, Any] = {}
        given = self.spec.nodes.keys() | self.settings.keys()
        defaults = self.puzzle.cache.setdefault("defaults", {})
        for entry in self.puzzle.fields.values():
            if entry.name in data:
                continue
            if entry.name in defaults and entry.name not in given and own is None:
                data[entry.name] = defaults[entry.name]
                self.places.note((entry.name,), self.puzzle.source.start, entry.default)
            else:
                both = self._with_another(entry, given) if entry.name in given else None
                data.update(both or {entry.name: self._field(entry, data)})
        source.raise_problems()
        return data

    def _of_notation(self, notation: SpecNotation) -> str | None:
        """Return the field whose value a notation gives: the first of its type."""
        return next(
            (
                entry.name
                for entry in self.puzzle.fields.values()
                if str(entry.type) == notation.field
            ),
            None,
        )

    def _with_another(self, entry: Field, given: Collection[str]) -> dict[str, DataValue] | None:
        """Return the boards of this field, which is given, and of one that is like it, if one block
        has both.
        """
        if not isinstance(entry.type, GridOf):
            return None
        for other in self.puzzle.fields.values():
            if (
                other.like == entry.name
                and other.name not in given
                and isinstance(other.type, GridOf)
            ):
                found = self._both(entry, other, entry.type, other.type)
                if found is not None:
                    return found
        return None

    def _both(
        self, entry: Field, other: Field, board: GridOf, own: GridOf
    ) -> dict[str, DataValue] | None:
        """Return the values of two boards in one block; None if it does not have both."""
        node, reading = self._node(entry) or (None, None)
        if not isinstance(own.item, DataType) or node is None or reading is None:
            return None
        found = own.item.read_pair(board, own, node, reading, replace(reading, path=(other.name,)))
        for name in (entry.name, other.name) if found is not None else ():
            self.places.note((name,), reading.source.start, node)
        if reading.source is not self.spec.source:
            self.spec.source.take_problems(reading.source)
        return None if found is None else dict(zip((entry.name, other.name), found))

    def _field(self, entry: Field, data: Mapping[str, Any]) -> DataValue:
        found = self._node(entry)
        if found is None:
            return None
        node, reading = found
        self.places.note((entry.name,), reading.source.start, node)
        if entry.columns:
            reading = replace(reading, columns=data[entry.columns])
        value = None if entry.optional and is_empty(node) else entry.type.read(node, reading)
        if entry.columns:
            self._folded(entry, value, data[entry.columns])
        if entry.like and value is not None and data.get(entry.like) is not None:
            _alike(entry, value, data[entry.like], reading.source, node)
        plain = value in NOTHING or type(value) in (bool, int)
        if node is entry.default and plain and not entry.columns and not reading.source.problems:
            self.puzzle.cache["defaults"][entry.name] = (
                value  # which no option changes, and which has no places inside
            )
        if reading.source is not self.spec.source:
            self.spec.source.take_problems(reading.source)
        return value

    def _folded(self, entry: Field, board: DataValue, columns: DataValue) -> None:
        """Note a board that does not have the width that the spec gives."""
        given = entry.columns in (*self.spec.nodes, *self.settings)
        if given and isinstance(board, Grid) and columns is not None and board.width != columns:
            wide = counted(board.width, "column")
            message = f"{entry.columns} is {columns}, but {entry.name} has {wide}"
            self.spec.source.problem(message, self.places((entry.columns or "",)))

    def _node(self, entry: Field) -> tuple[Node, Reading] | None:
        """Return the node of the field's value from the settings, spec or type; else None."""
        if entry.name in self.settings:
            given = self.settings[entry.name]
            source, node = _setting(entry.name, given) if isinstance(given, str) else given
            return node, replace(self._reading(source, entry.name), by_name=True)
        from_link = self.spec.source.path == LINK
        given_node = self.spec.nodes.get(entry.name)
        not_shown = from_link and given_node is not None and is_empty(given_node[1])
        if given_node is not None and not not_shown:
            return given_node[1], self._reading(self.spec.source, entry.name)
        if (own := self.spec.notation) is not None and entry.name == self._of_notation(own):
            return own.value(self.spec.source), self._reading(self.spec.source, entry.name)
        if entry.default is not None and not not_shown:
            return entry.default, self._reading(self.puzzle.source, entry.name)
        if not_shown or not entry.optional:
            about = f": {entry.about}" if entry.about else ""
            place = self.spec.source.position(0, 0) if self.spec.source.path else None
            cure = (
                f"; the link does not tell it, and --set {entry.name}=… supplies it"
                if from_link
                else ""
            )
            help = f"{self.puzzle.name} requires {entry}{cure}"
            self.spec.source.problem(f"the field {entry.name} is missing{about}", place, help)
        return None


def _setting(name: str, text: str) -> tuple[SourceFile, Node]:
    """Return a field given on the command line as a node of its own source: `name=text`."""
    path = f"--set {name}"
    if text[:1] in ("[", "{"):
        source, root = parse(path, f"value: {text}")
        return source, root.value[0][1]
    several = "\n" in text
    source = SourceFile(path, f"{name}={'|' if several else ''}{chr(10) if several else ''}{text}")
    start = yaml.Mark("", len(name) + 1, 0, len(name) + 1, None, 0)
    end = yaml.Mark("", len(source.text), 0, len(source.text), None, 0)
    return source, ScalarNode("", text, start, end, style="|" if several else None)


def _parts(value: DataValue) -> Iterator[DataValue]:
    """Yield the single values in a value, and the folded characters of its texts."""
    if isinstance(value, tuple):
        for part in value:
            yield from _parts(part)
    else:
        yield value
        if isinstance(value, str):
            yield from fold(value)


def _alike(entry: Field, own: DataValue, other: DataValue, source: SourceFile, node: Node) -> None:
    """Note cells or keys of a value that do not match the field that it is like."""
    if isinstance(own, Mapping) and isinstance(node, MappingNode) and len(own) == len(node.value):
        there = set(_parts(other))
        for key, (place, _) in zip(own, node.value):
            if key is not None and key not in there:
                source.problem(f"{entry.name} has {key}, but {entry.like} does not", place)
    if (
        not isinstance(other, Grid)
        or not isinstance(own, Grid)
        or set(own.cells) == set(other.cells)
    ):
        return
    help = f"{entry.name} and {entry.like} must have the same cells"
    for what, a, b in (("row", own.height, other.height), ("column", own.width, other.width)):
        if a != b:
            source.problem(
                f"{entry.name} has {counted(a, what)}, but {entry.like} has {b}", node, help
            )
            return
    odd = min(set(own.cells) ^ set(other.cells))
    has, lacks = (entry.name, entry.like) if odd in own.values else (entry.like, entry.name)
    place = row_place(source, node, odd.row)
    source.problem(
        f"{has} has a cell at {odd}, but {lacks} has none", place, f"{help}; write _ for a hole"
    )
