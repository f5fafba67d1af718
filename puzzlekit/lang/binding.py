"""Reads specs, and binds types to them."""

from __future__ import annotations

import copyreg
import dataclasses
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode

from puzzlekit import renamed
from puzzlekit.boards import Grid
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, option, setting as setting_name
from puzzlekit.folding import fold
from puzzlekit.lang.aliases import DataValue
from puzzlekit.lang.data.board_text import row_position
from puzzlekit.lang.data.collections import GridOf
from puzzlekit.lang.data.scalars import DataType, ReadContext, ValuePositions
from puzzlekit.lang.discovery import language
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.instance import Instance
from puzzlekit.lang.library import SpecNotation
from puzzlekit.lang.puzzle_type import Field, PuzzleType
from puzzlekit.lang.rebinding import KeptShape, Watch, shapes_of
from puzzlekit.lang.type_reader import SPEC_KEYS
from puzzlekit.sentences import counted
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
    nodes: dict[str, tuple[ScalarNode, Node]] = dataclasses.field(default_factory=dict)
    about: dict[str, Node] = dataclasses.field(default_factory=dict)
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
    notation = None if YAML_SPEC.search(text) else _notation_of(text)
    if notation is None:
        return spec_of_node(*parse(path, text))
    source = SourceFile(path, text)
    title = notation.title(source)
    about: dict[str, Node] = {} if title is None else {"title": title}
    return Spec(source, about=about, notation=notation)


def _notation_of(text: str) -> SpecNotation | None:
    """Return the notation of a library in which a spec is written; None for YAML."""
    for library in language().libraries:
        for notation in library.notations:
            if notation.is_written(text):
                return notation
    return None


def spec_of_node(source: SourceFile, root: MappingNode) -> Spec:
    """Return the spec that a mapping of its keys states. Raises Problems."""
    spec = Spec(source)
    for name, key, node in source.entries(root, "a spec"):
        if name not in SPEC_KEYS:
            spec.nodes[name] = (key, node)
        elif name in STRUCTURED_KEYS or source.text_of(node, name) is not None:
            spec.about[name] = node
    source.raise_problems()
    return spec


def no_spec() -> Spec:
    """Return an empty spec: every field is set by `bind`, has a default or is left out."""
    return Spec(SourceFile("", ""))


YAML_SPEC = re.compile(r"^puzzle:", re.MULTILINE)  # in no other notation
STRUCTURED_KEYS = ("expect", "generated_by", "progress")  # keys of specs that are not texts
EMPTY_VALUES: tuple[Any, ...] = (None, (), {})
Setting = str | tuple[SourceFile, Node]  # text, or the node of a value that a program gives


def bind(
    type_: PuzzleType,
    spec: Spec,
    settings: Mapping[str, Setting] | None = None,
    folder: Path | None = None,
    max_evaluations: int | None = None,
    **options: Any,
) -> Instance:
    """Return the type with the data of the spec.

    Args:
        type_: The type.
        spec: The spec.
        settings: Fields that are given in addition to the spec. They replace those of the spec.
        folder: The folder of files that the spec names.
        max_evaluations: The most evaluations of all expressions together; None for the limit on
            rules.
        options: The options of libraries (`Library.options`). An option that is None or False
            counts as not given.

    Raises:
        Problems: All problems of the data.
        InputError: No field takes an option that is given.
    """
    used_options = {
        name: value for name, value in options.items() if value is not None and value is not False
    }
    _require_fields_for(type_, used_options)
    binder = _Binder(type_, spec, settings or {}, folder, used_options)
    instance = bound_alike(type_, binder.read(), binder.positions, max_evaluations)
    absolute = None if folder is None else folder.absolute()
    instance.bound_from = (type_, spec, settings, absolute, used_options)
    return instance


def _require_fields_for(type_: PuzzleType, options: Mapping[str, Any]) -> None:
    """Raise InputError for an option that no field takes."""
    required_types: dict[str, str] = {}
    for library in language().libraries if options else ():
        required_types |= library.options
    for name in options:
        required = required_types.get(name, "field of a library")
        if not required:
            continue
        data_type = type_.language.data_types.get(required)
        if not any(field.type is data_type for field in type_.fields.values()):
            raise InputError(f"{option(name)}: {type_.name} has no field of type {required}")


def bound_alike(
    type_: PuzzleType,
    data: Mapping[str, Any],
    positions: ValuePositions | None = None,
    max_evaluations: int | None = None,
    checked: bool = True,
) -> Instance:
    """Return the type bound to data.

    What an earlier board of the same shape states alike is taken from that board.

    Args:
        type_: The type.
        data: The value of each field.
        positions: Where the values are written.
        max_evaluations: The most evaluations of all expressions together.
        checked: Whether the data are checked.

    Raises:
        Problems: All problems of the data and the rules.
    """
    if max_evaluations is not None:  # they are counted
        return Instance(type_, data, positions, Interpreter(max_evaluations), checked)
    shapes = shapes_of(type_)
    like = shapes.like(data)
    instance = Instance(type_, data, positions, Interpreter(), checked, like)
    if like is None and checked:
        shapes.saw(instance, lambda: watched(instance))
    return instance


def watched(instance: Instance) -> KeptShape:
    """Return the shape of a board, bound again with its fields watched. Raises Problems."""
    watch = Watch(instance.type, instance.data)
    again = Instance(instance.type, watch.data, instance.positions, plan=watch)
    return KeptShape(again, watch.reads, instance.data)


def data_of(type_: PuzzleType, spec: Spec) -> dict[str, DataValue]:
    """Return the value of each field of a spec, which need not meet the requirements of the type.

    Raises Problems.
    """
    return _Binder(type_, spec, {}, None, {}).read()


_PICKLED: WeakValueDictionary[bytes, Instance] = WeakValueDictionary()  # by token


def _reduced(instance: Instance) -> tuple[Callable[..., Instance], tuple[Any, ...]]:
    """Pickle an instance as the arguments of `bind`: compiled code cannot be pickled."""
    if instance.bound_from is None:
        raise TypeError(f"this {instance.type.name} was not made by bind, and cannot be pickled")
    if instance.token is None:
        instance.token = os.urandom(16)
    _PICKLED[instance.token] = instance
    return _bound_again, (instance.token, *instance.bound_from)


def _bound_again(
    token: bytes,
    type_: PuzzleType,
    spec: Spec,
    settings: Mapping[str, Setting] | None,
    folder: Path | None,
    options: Mapping[str, Any],
) -> Instance:
    """Return the pickled instance if this process still has it, else bind it again."""
    instance = _PICKLED.get(token)
    if instance is None:
        instance = bind(type_, spec, settings, folder, **options)
        instance.token = token
        _PICKLED[token] = instance
    return instance


copyreg.pickle(Instance, _reduced)


@dataclass(frozen=True)
class _Binder:
    """Reads the data of a type from a spec."""

    type_: PuzzleType
    spec: Spec
    settings: Mapping[str, Setting]
    folder: Path | None
    options: Mapping[str, Any]
    positions: ValuePositions = dataclasses.field(default_factory=ValuePositions)

    def _reading(self, source: SourceFile, name: str) -> ReadContext:
        return ReadContext(
            source,
            self.folder,
            options=self.options,
            path=(name,),
            positions=self.positions,
            unknown=self.type_.fields[name].unknown,
        )

    def read(self) -> dict[str, DataValue]:
        """Return the value of every field. Raises Problems."""
        self._check_notation()
        self._check_keys()
        data: dict[str, Any] = {}
        present = self.spec.nodes.keys() | self.settings.keys()
        defaults = self.type_.cache.setdefault("defaults", {})
        for name, field in self.type_.fields.items():
            if name in data:
                continue
            if name in defaults and name not in present and self.spec.notation is None:
                data[name] = defaults[name]
                self.positions.note((name,), self.type_.source.start, field.default)
                continue
            pair = self._pair(field, present) if name in present else None
            if pair:
                data.update(pair)
            else:
                data[name] = self._value(field, data)
        self.spec.source.raise_problems()
        return data

    def _check_notation(self) -> None:
        """Raise Problems if the spec is in a notation that no field takes."""
        notation = self.spec.notation
        if notation is None or self._field_of(notation) is not None:
            return
        source = self.spec.source
        message = f"this is {notation.text_name}, but {self.type_.name} has no "
        source.problem(message + notation.field_name, source.position(0, 0))
        source.raise_problems()

    def _check_keys(self) -> None:
        """Note the keys of the spec and of settings that are no fields."""
        source = self.spec.source
        fields = list(self.type_.fields)
        message = f"{self.type_.name} has no field"
        for name, (key, _) in self.spec.nodes.items():
            if name not in fields:
                keys = [*fields, *SPEC_KEYS]
                source.unknown_key(name, key, message, keys, renamed.SPEC_KEYS)
        for name in self.settings:
            if name not in fields:
                source.unknown_key(name, None, f"{option('settings')}: {message}", fields)

    def _field_of(self, notation: SpecNotation) -> str | None:
        """Return the field whose value a notation gives: the first of its type."""
        for name, field in self.type_.fields.items():
            if str(field.type) == notation.field:
                return name
        return None

    def _pair(self, field: Field, present: Collection[str]) -> dict[str, DataValue] | None:
        """Return the boards of this field, and of one that is like it, if one block has both.

        Args:
            field: The field, which is present.
            present: The names of all fields that the spec or the settings state.
        """
        if not isinstance(field.type, GridOf):
            return None
        for second in self.type_.fields.values():
            is_free = second.like == field.name and second.name not in present
            if is_free and isinstance(second.type, GridOf):
                pair = self._read_pair(field, second, field.type, second.type)
                if pair is not None:
                    return pair
        return None

    def _read_pair(
        self, first: Field, second: Field, first_type: GridOf, second_type: GridOf
    ) -> dict[str, DataValue] | None:
        """Return the values of two boards in one block; None if it does not have both."""
        node_and_reading = self._node(first)
        if node_and_reading is None or not isinstance(second_type.item, DataType):
            return None
        node, reading = node_and_reading
        second_reading = replace(reading, path=(second.name,))
        boards = second_type.item.read_pair(first_type, second_type, node, reading, second_reading)
        names = (first.name, second.name)
        if boards is not None:
            for name in names:
                self.positions.note((name,), reading.source.start, node)
        if reading.source is not self.spec.source:
            self.spec.source.take_problems(reading.source)
        return None if boards is None else dict(zip(names, boards))

    def _value(self, field: Field, data: Mapping[str, Any]) -> DataValue:
        """Return the value of a field, given those of the fields before it."""
        node_and_reading = self._node(field)
        if node_and_reading is None:
            return None
        node, reading = node_and_reading
        source = reading.source
        self.positions.note((field.name,), source.start, node)
        if field.columns:
            reading = replace(reading, columns=data[field.columns])
        value = None if field.optional and is_empty(node) else field.type.read(node, reading)
        if field.columns:
            self._check_width(field, field.columns, value, data[field.columns])
        if field.like and value is not None and data.get(field.like) is not None:
            _check_alike(field, value, data[field.like], source, node)
        # no option changes such a value, and nothing inside it has a position
        is_simple = value in EMPTY_VALUES or type(value) in (bool, int)
        if node is field.default and is_simple and not field.columns and not source.problems:
            self.type_.cache["defaults"][field.name] = value
        if source is not self.spec.source:
            self.spec.source.take_problems(source)
        return value

    def _check_width(
        self, field: Field, columns_field: str, board: DataValue, columns: DataValue
    ) -> None:
        """Note a board that does not have the width that the spec gives."""
        if columns_field not in self.spec.nodes and columns_field not in self.settings:
            return
        if isinstance(board, Grid) and columns is not None and board.width != columns:
            width = counted(board.width, "column")
            message = f"{columns_field} is {columns}, but {field.name} has {width}"
            self.spec.source.problem(message, self.positions((columns_field,)))

    def _node(self, field: Field) -> tuple[Node, ReadContext] | None:
        """Return the node of the field's value from the settings, spec or type; else None."""
        name = field.name
        if name in self.settings:
            setting = self.settings[name]
            source, node = _setting(name, setting) if isinstance(setting, str) else setting
            return node, replace(self._reading(source, name), by_name=True)
        source = self.spec.source
        from_link = source.path == LINK
        is_hidden = False  # a link may leave a field out by an empty value
        if name in self.spec.nodes:
            _, node = self.spec.nodes[name]
            is_hidden = from_link and is_empty(node)
            if not is_hidden:
                return node, self._reading(source, name)
        notation = self.spec.notation
        if notation is not None and name == self._field_of(notation):
            return notation.value(source), self._reading(source, name)
        if field.default is not None and not is_hidden:
            return field.default, self._reading(self.type_.source, name)
        if is_hidden or not field.optional:
            self._missing(field, from_link)
        return None

    def _missing(self, field: Field, from_link: bool) -> None:
        """Note a field that is missing."""
        source = self.spec.source
        message = f"the field {field.name} is missing"
        if field.about:
            message += f": {field.about}"
        help = f"{self.type_.name} requires {field}"
        if from_link:
            help += f"; the link does not state it, and {setting_name(field.name)} supplies it"
        source.problem(message, source.position(0, 0) if source.path else None, help)


def _setting(name: str, text: str) -> tuple[SourceFile, Node]:
    """Return a field that text sets as a node of a separate source: `name=text`."""
    path = setting_name(name)
    if text[:1] in ("[", "{"):
        source, root = parse(path, f"value: {text}")
        _, node = root.value[0]
        return source, node
    is_block = "\n" in text
    sign = "|\n" if is_block else ""
    source = SourceFile(path, f"{name}={sign}{text}")
    start = yaml.Mark("", len(name) + 1, 0, len(name) + 1, None, 0)
    end = yaml.Mark("", len(source.text), 0, len(source.text), None, 0)
    return source, ScalarNode("", text, start, end, style="|" if is_block else None)


def _keys_in(value: DataValue) -> Iterator[DataValue]:
    """Yield the single values in a value, and the folded characters of its texts."""
    if isinstance(value, tuple):
        for member in value:
            yield from _keys_in(member)
    else:
        yield value
        if isinstance(value, str):
            yield from fold(value)


def _check_alike(
    field: Field, value: DataValue, model: DataValue, source: SourceFile, node: Node
) -> None:
    """Note cells or keys of a value that do not match `model`, the field that it is like."""
    if isinstance(value, Mapping) and isinstance(node, MappingNode):
        _check_keys(field, value, model, source, node)
    if isinstance(model, Grid) and isinstance(value, Grid):
        _check_cells(field, value, model, source, node)


def _check_keys(
    field: Field,
    mapping: Mapping[Any, Any],
    model: DataValue,
    source: SourceFile,
    node: MappingNode,
) -> None:
    """Note the keys of a mapping that the field which it is like does not have."""
    if len(mapping) != len(node.value):
        return  # a key was refused
    allowed = set(_keys_in(model))
    for key, (key_node, _) in zip(mapping, node.value):
        if key is not None and key not in allowed:
            source.problem(f"{field.name} has {key}, but {field.like} does not", key_node)


def _check_cells(field: Field, board: Grid, model: Grid, source: SourceFile, node: Node) -> None:
    """Note a board that does not have the cells of the board that it is like."""
    difference = set(board.cells) ^ set(model.cells)
    if not difference:
        return
    help = f"{field.name} and {field.like} must have the same cells"
    sizes = (("row", board.height, model.height), ("column", board.width, model.width))
    for noun, size, expected in sizes:
        if size != expected:
            text = counted(size, noun)
            message = f"{field.name} has {text}, but {field.like} has {expected}"
            source.problem(message, node, help)
            return
    cell = min(difference)
    names = field.name, field.like
    has, lacks = names if cell in board.values else reversed(names)
    position = row_position(source, node, cell.row)
    message = f"{has} has a cell at {cell}, but {lacks} has none"
    source.problem(message, position, f"{help}; write _ for a hole")
