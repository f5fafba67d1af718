"""The data types of several values: lists, tuples and mappings; and the walks over the parts of a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.lang.data.grids import GridOf, ShapeType
from puzzlekit.lang.data.scalars import (
    BLANK,
    SCALARS,
    Choice,
    DataType,
    Key,
    Maybe,
    Reading,
    Single,
    Union,
    ValuePath,
    WrongValueError,
    quoted,
)
from puzzlekit.source import Source, Text, is_empty


@dataclass(frozen=True)
class ListOf(DataType):
    """A YAML list.

    Items that are single scalars may also be lines of block text, or have blanks or commas between
    them.
    """

    item: DataType

    def read(self, node: Node, reading: Reading) -> Any:
        if isinstance(node, SequenceNode):
            return tuple([self._item(part, at, reading) for at, part in enumerate(node.value)])
        if isinstance(node, ScalarNode) and node.value.strip() == "[]":
            return ()
        block = isinstance(self.item, GridOf | ShapeType)
        if not isinstance(node, ScalarNode) or is_empty(node) or not (self.item.single or (node.style == "|" and not block)):
            self.wrong(node, reading)
            return None
        parts = self._parts(node, reading)
        if not parts:
            reading.source.problem("this list is empty", node)
        return tuple([self.item.read(part, reading.on(at, part)) for at, part in enumerate(parts)])

    def _item(self, part: Node, at: int, reading: Reading) -> Any:
        """Read an item of a YAML list. An empty item of a list of lists is an empty list."""
        inner = reading.on(at, part)
        return () if isinstance(self.item, ListOf) and is_empty(part) else self.item.read(part, inner)

    def _parts(self, node: ScalarNode, reading: Reading) -> Sequence[ScalarNode]:
        """Return the items of a list that is written as one scalar."""
        if (own := self.item.pieces(node, reading)) is not None:
            return own
        source = reading.source
        if self.item is SCALARS["text"]:
            return pieces(node, source, blank=True) if node.style == "|" else [node]
        hint = "write [] for an empty item" if isinstance(self.item, ListOf) else ""
        return pieces(node, source, isinstance(self.item, Maybe), hint)

    def __str__(self) -> str:
        return f"list[{self.item}]"


@dataclass(frozen=True)
class TupleOf(DataType):
    """A fixed number of values, each of its own type: a YAML list.

    Values that are single scalars may also have blanks or commas between them, or `\\` in a cell.
    """

    items: tuple[DataType, ...]

    def read(self, node: Node, reading: Reading) -> Any:
        if isinstance(node, SequenceNode):
            parts: Sequence[Node] = node.value
        elif isinstance(node, ScalarNode) and not is_empty(node) and all(item.single for item in self.items):
            parts = pieces(node, reading.source)
        else:
            self.wrong(node, reading)
            return None
        if len(parts) != len(self.items):
            number = f"{len(parts)} value{'s' * (len(parts) != 1)}"
            reading.source.problem(f"expected {self}, got {number}", node)
            return None
        return tuple([item.read(part, reading.on(at, part)) for at, (item, part) in enumerate(zip(self.items, parts))])

    def value(self, text: str, reading: Reading) -> tuple[Any, ...]:
        """Return the values that the text of a cell spells. Raises WrongValueError."""
        parts = text.split("\\")
        if len(parts) != len(self.items):
            number = len(self.items)
            numbers = [str(item).startswith("int") for item in self.items]
            example = "\\".join(str(at) if is_number else "ba"[at % 2] for at, is_number in enumerate(numbers, 1))
            raise WrongValueError(f"expected {number} values with \\ between them, such as {example}, got {quoted(text)}")
        return tuple([_part(item, part, reading) for item, part in zip(self.items, parts)])

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.items))}]"


def names_of(kind: Any, indexed: bool) -> tuple[str, ...] | None:
    """Return the texts that values of a type may be, or those at their indexes, if it lists them: `choice(a, b)`."""
    if isinstance(kind, Maybe):
        kind = kind.item
    if indexed:
        kind = kind.value if isinstance(kind, MapOf) else kind.item if isinstance(kind, ListOf | GridOf) else None
        return names_of(kind, False)
    items = kind.items if isinstance(kind, Union) else (kind,)
    listed = [item.names for item in items if isinstance(item, Choice)]
    if not listed or any(not isinstance(item, Choice) and str(item) != "int" for item in items):
        return None
    return tuple(name for names in listed for name in names)


def _part(item: DataType, text: str, reading: Reading) -> Any:
    """Return a part of the value of a cell; None if it may be left out and is."""
    if isinstance(item, Maybe):
        return None if text in ("", ".") else _part(item.item, text, reading)
    assert isinstance(item, Single), "a cell holds single values"
    return item.value(text, reading)


def pieces(node: ScalarNode, source: Source, blank: bool = False, hint: str = "") -> list[ScalarNode]:
    """Split a scalar into scalars: block text at line ends, other text at blanks and commas.

    A blank line, or nothing between two commas, is a part too. It is a problem, with this hint,
    unless parts may be `blank`. Blank lines at the end are no parts.
    """
    text = Text(source, node)
    lines = node.style == "|"
    pattern = r"[^\n]*\n?" if lines else r"[^\s,]+|,(?=\s*,)|^\s*,"
    parts = []
    for found in re.finditer(pattern, text.value.rstrip()):
        piece = found.group().strip() if lines else found.group().strip(" \t\n,")
        if not piece and not blank and found.group():
            source.problem(BLANK if lines else "an item is missing here", text.place(found.start()), hint)
        elif found.group():
            begin = len(found.group()) - len(found.group().lstrip()) if piece else 0
            parts.append(text.part(found.start() + begin, piece))
    return parts


@dataclass(frozen=True)
class MapOf(DataType):
    """A YAML mapping."""

    key: DataType
    value: DataType

    def read(self, node: Node, reading: Reading) -> Any:
        if not isinstance(node, MappingNode):
            self.wrong(node, reading)
            return None
        found: dict[Any, Any] = {}
        for text, at, part in reading.source.entries(node, "this mapping"):
            key = self.key.read(at, reading)
            if key in found and key is not None:
                reading.source.problem(f"the key {text} is given twice", at, "keep one of them")
            reading.on(Key(key), at)
            found[key] = self.value.read(part, reading.on(key, part))
        return found

    def __str__(self) -> str:
        return f"map[{self.key}, {self.value}]"


def parts(value: Any, path: ValuePath) -> Iterator[tuple[ValuePath, Any]]:
    """Yield the parts of a collection with their paths. A single value has no parts."""
    if isinstance(value, Grid):
        yield from (((*path, cell), part) for cell, part in value.values.items())
    elif isinstance(value, Mapping):
        yield from (((*path, key), part) for key, part in value.items())
    elif type(value) is tuple:
        yield from (((*path, at), part) for at, part in enumerate(value))


def singles(value: Any, path: ValuePath) -> Iterator[tuple[ValuePath, Any]]:
    """Yield the single values in a value with their paths, without the keys of mappings."""
    if not isinstance(value, Grid | Mapping) and type(value) is not tuple:
        yield path, value
    for inner, part in parts(value, path):
        yield from singles(part, inner)


def nested(value: Any, path: ValuePath) -> Iterator[tuple[ValuePath, Any]]:
    """Yield the value, all values in it, and the keys of mappings, with their paths."""
    yield path, value
    if isinstance(value, Mapping):
        yield from (((*path, Key(key)), key) for key in value)
    for inner, part in parts(value, path):
        yield from nested(part, inner)


def path_of(wanted: Sequence[Any], value: Any, path: ValuePath) -> ValuePath | None:
    """Return the path of the first part of a value that is in `wanted`, or at a cell in it.

    A group of cells counts as its first cell.
    """
    cells = {part if isinstance(part, Cell) else part[0] for part in wanted if isinstance(part, Cell | Cells) and part}
    others = [part for part in wanted if isinstance(part, str | tuple)]
    for inner, part in nested(value, path):
        if inner != path and (any(part is other for other in others) or inner[-1] in cells):
            return inner
    return None
