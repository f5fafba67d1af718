"""Values as the nodes that YAML would give: values of a program, or of a solution of another type.

The position of a value is the expression that leads to it, such as `spec['givens'][2]`, or the rule
of a type.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any, TypeAlias

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.boards import Cell, Corner, Grid, Shape, Size
from puzzlekit.errors import InputError, SourcePos
from puzzlekit.lang.binding import Setting, Spec, spec_of_node
from puzzlekit.lang.data.board_text import ShapeType
from puzzlekit.lang.data.collections import HOLES, GridOf, ListOf, MapOf, TupleOf
from puzzlekit.lang.data.scalars import SCALARS, DataType, ScalarType, ValueNode
from puzzlekit.lang.expressions.values import (
    ExpressionError,
    VariableArray,
    display_text,
    value_type,
)
from puzzlekit.lang.puzzle_type import Field, PuzzleType, Rule
from puzzlekit.lang.type_reader import type_of_node
from puzzlekit.source import FILE_CHARACTERS, SourceFile
from puzzlekit.yaml_nodes import CONTROL, LEVELS, NODES


class ValueSource(SourceFile):
    """Values laid out as lines of text, which is complete after `close`.

    Args:
        name: What messages call the values.
        bounded: Whether they are as large as a file may be, at most.
    """

    def __init__(self, name: str, bounded: bool = True) -> None:
        super().__init__(name, "")
        self.bounded = bounded
        self._pieces: list[str] = []
        self._length = 0  # of all pieces
        self._line_count = 0
        self._begins: list[int] = []  # the index at which each piece begins
        # the index at which the text of each piece begins, and the keys that lead to it, or its
        # position
        self._texts: list[tuple[int, Keys | SourcePos]] = []

    def add(
        self, text: str, where: Keys | SourcePos, sign: str = ""
    ) -> tuple[yaml.Mark, yaml.Mark]:
        """Add a text on separate lines.

        Args:
            text: The text.
            where: The keys that lead to it, or its position.
            sign: What stands before the text.

        Returns:
            The marks of its beginning and its end.
        """
        piece = f"{sign}{text}\n"
        line_count = 1 if text.isprintable() and not sign else len(piece.splitlines())
        begin = yaml.Mark("", self._length, self._line_count, 0, None, 0)
        self._begins.append(self._length)
        self._texts.append((self._length + len(sign), where))
        self._pieces.append(piece)
        self._length += len(piece)
        self._line_count += line_count
        most = FILE_CHARACTERS
        if self.bounded and self._length > most:
            raise InputError(f"{self.path}: a type or spec has at most {most:,} characters")
        last_line = begin.line + line_count - 1
        end = yaml.Mark("", self._length - 1, last_line, 0, None, 0)
        return begin, end

    def close(self) -> None:
        """Join the pieces to the text."""
        self.text = "".join(self._pieces)
        self.lines = self.text.splitlines()

    def position(self, line: int, column: int) -> SourcePos:
        """Return the position of a character in the value that it belongs to."""
        index = self._starts[min(line, len(self._starts) - 1)] + column
        piece = max(bisect_right(self._begins, index) - 1, 0)
        start, keys = self._texts[piece]
        if isinstance(keys, SourcePos):
            return keys
        where = self.expression(keys)
        if index < start:  # at the sign
            return SourcePos(where, 0, 1)
        end = len(self.text)
        if piece + 1 < len(self._begins):
            end = self._begins[piece + 1]
        text = self.text[start:end].removesuffix("\n")
        before = text[: index - start]
        lines = text.split("\n")
        row = before.count("\n")
        number = row + 1 if len(lines) > 1 else 0
        return SourcePos(where, number, len(before) - before.rfind("\n"), lines[row])

    def expression(self, keys: Keys) -> str:
        """Return the expression that leads to a value."""
        indexes = [f"[{repr(key)[:60]}]" for key in keys]
        return self.path + "".join(indexes)

    def whereabouts(self, node: Node) -> str:
        return self.start(node).path


SINGLE = (bool, int, float, str, PurePath, Size, Cell, Corner)  # classes written as one text

Keys: TypeAlias = tuple[Any, ...]
PythonValue: TypeAlias = Any
"""A value of a field as a program gives it: None, a number, a bool, a str or a path; a list, a
tuple or a dict of such values; an array or a number of numpy; or a `DataValue` of the language.
"""


class _Writer:
    """Writes values as nodes and lays them out in a source.

    Args:
        source: The source.
        position: The position of all values; None for the keys that lead to each.
    """

    def __init__(self, source: ValueSource, position: SourcePos | None = None) -> None:
        self.source = source
        self.position = position
        self.path: Keys = ()
        self.nodes = 0
        self.mark = yaml.Mark("", 0, 0, 0, None, 0)

    @property
    def where(self) -> Keys | SourcePos:
        """The keys that lead to the value that is being written, or its position."""
        return self.path if self.position is None else self.position

    @contextmanager
    def _inside(self, step: Any) -> Iterator[None]:
        self.path += (step,)
        try:
            yield
        finally:
            self.path = self.path[:-1]

    def problem(self, message: str, help: str = "") -> None:
        """Note a problem of the value that is being written."""
        position = self.position
        if position is None:
            position = SourcePos(self.source.expression(self.path), 0, 1)
        self.source.problem(message, position, help)

    def scalar(self, text: str, style: str | None = '"') -> ScalarNode:
        """Return the node of a text. An empty text has this style."""
        text = text.replace("\r\n", "\n")
        if not text.isprintable() and (control := CONTROL.search(text)):
            code = ord(control[0])
            self.problem(f"a control character (U+{code:04X}) is not part of the language")
            text = ""
        if "\n" in text:
            begin, end = self.source.add(text, self.where, "|\n")
            return ScalarNode("", text, begin, end, style="|")
        begin, end = self.source.add(text, self.where)
        return ScalarNode("", text, begin, end, style=None if text else style)

    def node(self, value: PythonValue, data_type: DataType | None) -> Node:
        """Return the node of a value; an empty one, after a problem, if it cannot be data."""
        self.nodes += 1
        if self.source.bounded:
            self._require_bounds()
        value = _without_numpy(value)
        if isinstance(value, Mapping):
            sign, end = "{", "}"
        elif isinstance(value, list | tuple):
            sign, end = "[", "]"
        else:
            sign, end = "=", ""
        self.mark, _ = self.source.add("", self.where, sign)
        node = self._node(value, data_type)
        if end:
            self.source.add("", self.where, end)
        return node

    def _require_bounds(self) -> None:
        """Raise Problems for a value that is nested too deeply, or for too many values."""
        too_deep = len(self.path) > LEVELS
        if too_deep:
            self.problem(f"this is nested more than {LEVELS} levels deep")
        elif self.nodes > NODES:
            self.problem(f"there are more than {NODES:,} values")
        if too_deep or self.nodes > NODES:
            self.source.raise_problems()

    def _node(self, value: PythonValue, data_type: DataType | None) -> Node:
        try:
            return self._of_library(value, data_type) or self._plain(value, data_type)
        except ExpressionError:
            if self.position is not None:
                raise
            name = type(value).__name__
            self.problem(f"expected text, a number, a list or a mapping, found {name}")
            return self.scalar("", None)

    def _of_library(self, value: PythonValue, data_type: DataType | None) -> ScalarNode | None:
        """Return the node of a value whose class or type of data writes it; else None."""
        registered = value_type(value)
        if registered is not None and registered.handed_on:
            return ValueNode("", display_text(value), self.mark, self.mark, parsed=value)
        if registered is not None and registered.spec is not None:
            return self.scalar(registered.spec(value))
        text = None if data_type is None else data_type.spelled(value)
        return None if text is None else self.scalar(text)

    def _plain(self, value: PythonValue, data_type: DataType | None) -> Node:
        """Return the node of another value. Raises ExpressionError if it cannot be data."""
        if value is None:
            return self.scalar("", None)
        if isinstance(value, str) and isinstance(data_type, ShapeType) and "/" in value:
            return self.rows(value.split("/"))  # a shape as messages show it
        if isinstance(value, SINGLE):
            return self.scalar(_text_of_single(value))
        match value:
            case Grid():
                return self.board(value, data_type)
            case VariableArray():
                return self._array(value, data_type)
            case Mapping():
                return self.mapping(value, data_type)
            case Shape():
                return self.rows(["." * value.odd + row for row in str(value).split("/")])
            case list() | tuple() | range():
                return self._sequence(value, data_type)
            case _:
                text = display_text(value)
                raise ExpressionError(f"{text} cannot be used as data of another type")

    def _array(self, array: VariableArray, data_type: DataType | None) -> Node:
        """Return the node of the values of unknowns."""
        if isinstance(data_type, MapOf):
            return self.node(array.members, data_type)
        if array.over_cells():
            return self.board(array.as_grid(), data_type)
        return self.node(tuple(array), data_type)

    def _sequence(self, values: Sequence[Any], data_type: DataType | None) -> Node:
        """Return the node of a list: of its values, unless the type of data writes it shorter."""
        match values:
            case (int() as height, int() as width) if data_type is SCALARS["size"]:
                return self.scalar(f"{height}x{width}")
            case (int() as row, int() as column) if data_type is SCALARS["cell"]:
                return self.scalar(f"r{row}c{column}")
        if isinstance(data_type, GridOf) and type(values) in (list, tuple):
            return self.rows(values)
        characters = all(isinstance(value, str) for value in values) and len(values) > 0
        if isinstance(data_type, ScalarType) and characters:
            return self.scalar("".join(values))  # a text that is given as its characters
        mark = self.mark
        member_types = _member_types(data_type, len(values))
        nodes = []
        for index, (member, member_type) in enumerate(zip(values, member_types)):
            with self._inside(index):
                nodes.append(self.node(member, member_type))
        return SequenceNode("", nodes, mark, mark)

    def mapping(
        self,
        values: Mapping[Any, Any],
        data_type: DataType | None,
        fields: Mapping[str, Field] | None = None,
    ) -> MappingNode:
        """Return the node of a mapping. With `fields`, each value is written for its field."""
        mark = self.mark
        pairs: list[tuple[Node, Node]] = []
        seen: dict[str, Any] = {}
        member_type = data_type.value if isinstance(data_type, MapOf) else None
        for key, value in values.items():
            text = str(key)
            with self._inside(key):
                if text in seen:
                    twice = f"as {seen[text]!r} and as {key!r}"
                    self.problem(f"the key `{text}` is given twice, {twice}", "keep one of them")
                    continue
                seen[text] = key
                name = self.scalar(text)
                if fields is not None:
                    member_type = fields[text].type if text in fields else None
                pairs.append((name, self.node(value, member_type)))
        return MappingNode("", pairs, mark, mark)

    def board(self, board: Grid, data_type: DataType | None) -> Node:
        """Return the node of a board: the list of its rows."""
        if not isinstance(data_type, GridOf):
            raise ExpressionError(f"expected {data_type}, got {display_text(board)}")
        height = max((cell.row for cell in board.cells), default=0)
        width = max((cell.column for cell in board.cells), default=0)
        columns = range(1, max(width, 2) + 1)  # two at least: `12` would be two cells
        rows = []
        for row in range(1, height + 1):
            texts = [self._cell(board, Cell(row, column), data_type) for column in columns]
            rows.append(" ".join(texts))
        return self.rows(rows)

    def _cell(self, board: Grid, cell: Cell, data_type: GridOf) -> str:
        """Return the text of a cell of a board."""
        if cell not in board.values:
            return "_"
        value = board.values[cell]
        if value is None and data_type.empty:
            return "."
        text = _text_of_single(value)
        is_written = isinstance(value, str | int) and text not in HOLES and len(text.split()) == 1
        if not is_written:
            raise ExpressionError(f"expected {data_type}, but {cell} holds {display_text(value)}")
        return text

    def rows(self, rows: Sequence[Any]) -> SequenceNode:
        """Return the node of a board given as rows: lines of text, or the values of cells."""
        mark = self.mark
        nodes = []
        # a single column gets a second one of holes: a line `12` alone would be read as two cells
        narrow = all(isinstance(row, list | tuple) and len(row) == 1 for row in rows)
        for index, row in enumerate(map(_without_numpy, rows)):
            with self._inside(index):
                if isinstance(row, str):
                    nodes.append(self.scalar(row))
                elif isinstance(row, list | tuple):
                    texts = self._cell_texts(row)
                    if narrow:
                        texts.append("_")
                    nodes.append(self.scalar(" ".join(texts)))
                else:
                    name = type(row).__name__
                    self.problem(f"expected a row of a board, text or a list, found {name}")
        return SequenceNode("", nodes, mark, mark)

    def _cell_texts(self, row: Sequence[PythonValue]) -> list[str]:
        return [
            _frequent_text(value) or self.cell_text(column, value)
            for column, value in enumerate(row)
        ]

    def cell_text(self, column: int, value: PythonValue) -> str:
        """Return the text of a cell: a dot for None."""
        with self._inside(column):
            match _without_numpy(value):
                case None:
                    return "."
                case bool():
                    return str(value).lower()
                case list() | tuple() if not any(map(_is_list, value)):
                    texts = [self.cell_text(index, member) for index, member in enumerate(value)]
                    return "\\".join(texts)
                case str() | int() | float():
                    text = str(value)
                    if len(text.split()) == 1:
                        return text
                    message = f"a cell holds one value without blanks, found {text[:40]!r}"
                    self.problem(message, "None leaves a cell empty")
                    return "."
                case _:
                    name = type(value).__name__
                    self.problem(f"expected text, a number or None in a cell, found {name}")
                    return "."


def spec_of_values(
    values: Mapping[Any, Any], fields: Mapping[str, Field] | None = None, name: str = "spec"
) -> Spec:
    """Return the spec that a mapping of Python values states.

    Args:
        values: The values by key.
        fields: The fields of the type, by name. Boards are written as they declare.
        name: What messages call the spec.

    Raises:
        Problems: All problems of the values.
    """
    source = ValueSource(name)
    return spec_of_node(source, _root(source, values, fields or {}))


def type_of_values(values: Mapping[Any, Any]) -> PuzzleType:
    """Return the type that a mapping of its sections, by name, states. Raises Problems with all
    problems of the type.
    """
    source = ValueSource("type")
    return type_of_node(source, _root(source, values, {}))


def spec_of(type_: PuzzleType, source: SourceFile, values: Iterable[tuple[Rule, Any]]) -> Spec:
    """Return a spec of the type with values that expressions of another type gave.

    Args:
        kind: The type of the spec.
        source: The text of the other type.
        values: Each rule of the other type, named after the field, with its value.

    Raises:
        Problems: All values that cannot be data.
    """
    spec_source = ValueSource(source.path, bounded=False)
    # a field that is missing is missing at the beginning of the type
    spec_source.add("", source.position(0, 0))
    spec = Spec(spec_source)
    for rule, value in values:
        if value is None:  # the field is left out
            continue
        position = source.start(rule.expression.text.node)
        writer = _Writer(spec_source, position)
        field = type_.fields.get(rule.name)
        try:
            key = writer.scalar(rule.name)
            node = writer.node(value, field.type if field else None)
        except ExpressionError as error:
            spec_source.problem(str(error), position)
        else:
            spec.nodes[rule.name] = key, node
    spec_source.close()
    spec_source.raise_problems()
    return spec


def settings_of_values(
    settings: Mapping[str, Any], fields: Mapping[str, Field]
) -> dict[str, Setting]:
    """Return the fields that a program sets as settings for `bind`.

    Args:
        settings: Text or other values by the name of the field.
        fields: The fields of the type, by name.

    Raises:
        Problems: All problems of a value.
        InputError: A name is not text.
    """
    by_name: dict[str, Setting] = {}
    for name, value in settings.items():
        if not isinstance(name, str):
            raise InputError(f"settings: expected names of fields, got {name!r}")
        if isinstance(value, str):
            by_name[name] = value
            continue
        source = ValueSource(f"settings[{name!r}]")
        data_type = fields[name].type if name in fields else None
        node = _Writer(source).node(value, data_type)
        source.close()
        source.raise_problems()
        by_name[name] = source, node
    return by_name


def _root(
    source: ValueSource, values: Mapping[Any, Any], fields: Mapping[str, Field]
) -> MappingNode:
    writer = _Writer(source)
    writer.mark, _ = source.add("", writer.where, "{")
    root = writer.mapping(values, None, fields)
    source.close()
    source.raise_problems()
    assert isinstance(root, MappingNode)
    return root


def _member_types(data_type: DataType | None, length: int) -> list[DataType | None]:
    """Return the types of the members of a list of this length, as far as a type states them."""
    if isinstance(data_type, TupleOf):
        declared = data_type.items[:length]
        return [*declared, *[None] * (length - len(declared))]
    member_type = data_type.item if isinstance(data_type, ListOf) else None
    return [member_type] * length


def _text_of_single(value: PythonValue) -> str:
    """Return the text of a number, a condition, a text or another single value."""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, float) else str(value)


def _is_list(value: PythonValue) -> bool:
    return isinstance(value, list | tuple)


def _frequent_text(value: PythonValue) -> str:
    """Return the text of a cell if its class is one of the most frequent ones, else nothing."""
    if value is None:
        return "."
    if type(value) is int:
        return str(value)
    return value if type(value) is str and value.isalnum() else ""


def _without_numpy(value: PythonValue) -> PythonValue:
    """Return an array or a number of numpy as lists and numbers of Python."""
    return value.tolist() if hasattr(value, "tolist") else value
