"""Values as the nodes that YAML would give: those of programs, and those of a solution that another
type takes.

The place of a value is the expression that leads to it, such as `spec['givens'][2]`, or the rule of
a type.
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
        self._length = self._count = 0
        self._begins: list[int] = []  # the index at which each piece begins
        self._texts: list[
            tuple[int, str | SourcePos]
        ] = []  # the same of its text, and its expression or place

    def add(self, text: str, where: str | SourcePos, sign: str = "") -> tuple[yaml.Mark, yaml.Mark]:
        """Add a text on lines of its own. Return the marks of its begin and end."""
        piece = f"{sign}{text}\n"
        lines = len(piece.splitlines())
        begin = yaml.Mark("", self._length, self._count, 0, None, 0)
        self._begins.append(self._length)
        self._texts.append((self._length + len(sign), where))
        self._pieces.append(piece)
        self._length += len(piece)
        self._count += lines
        most = FILE_CHARACTERS
        if self.bounded and self._length > most:
            raise InputError(f"{self.path}: a type or spec has at most {most:,} characters")
        return begin, yaml.Mark("", self._length - 1, begin.line + lines - 1, 0, None, 0)

    def close(self) -> None:
        """Join the pieces to the text."""
        self.text = "".join(self._pieces)
        self.lines = self.text.splitlines()

    def position(self, line: int, column: int) -> SourcePos:
        """Return the place of a character in the value that it belongs to."""
        index = self._starts[min(line, len(self._starts) - 1)] + column
        at = max(bisect_right(self._begins, index) - 1, 0)
        text, where = self._texts[at]
        if isinstance(where, SourcePos):
            return where
        if index < text:
            return SourcePos(where, 0, 1)
        whole = self.text[
            text : self._begins[at + 1] if at + 1 < len(self._begins) else None
        ].removesuffix("\n")
        before = whole[: index - text]
        lines = whole.split("\n")
        row = before.count("\n")
        return SourcePos(
            where, row + 1 if len(lines) > 1 else 0, len(before) - before.rfind("\n"), lines[row]
        )

    def whereabouts(self, node: Node) -> str:
        return self.start(node).path


PythonValue: TypeAlias = Any
"""A value of a field as a program gives it: None, a number, a bool, a str or a path; a list, a
tuple or a dict of such values; an array or a number of numpy; or a `DataValue` of the language.
"""


class _Writer:
    """Writes values as nodes and lays them out in a source.

    Args:
        source: The source.
        at: The place of all values; None for the keys that lead to each.
    """

    def __init__(self, source: ValueSource, at: SourcePos | None = None) -> None:
        self.source = source
        self.at = at
        self.path: tuple[Any, ...] = ()
        self.nodes = 0
        self.mark = yaml.Mark("", 0, 0, 0, None, 0)

    @property
    def where(self) -> str | SourcePos:
        """What the value that is being written is called, or its place."""
        return self.at or self.source.path + "".join(f"[{repr(step)[:60]}]" for step in self.path)

    @contextmanager
    def _inside(self, step: Any) -> Iterator[None]:
        self.path += (step,)
        try:
            yield
        finally:
            self.path = self.path[:-1]

    def problem(self, message: str, help: str = "") -> None:
        """Note a problem of the value that is being written."""
        where = self.where
        self.source.problem(
            message, where if isinstance(where, SourcePos) else SourcePos(where, 0, 1), help
        )

    def scalar(self, text: str, style: str | None = '"') -> ScalarNode:
        text = text.replace("\r\n", "\n")
        if found := CONTROL.search(text):
            self.problem(f"a control character (U+{ord(found[0]):04X}) is not part of the language")
            text = ""
        if "\n" in text:
            return ScalarNode("", text, *self.source.add(text, self.where, "|\n"), style="|")
        return ScalarNode(
            "", text, *self.source.add(text, self.where), style=None if text else style
        )

    def node(self, value: PythonValue, kind: DataType | None) -> Node:
        """Return the node of a value; an empty one, after a problem, if it cannot be data."""
        self.nodes += 1
        deep = len(self.path) > LEVELS
        if self.source.bounded and (deep or self.nodes > NODES):
            self.problem(
                f"this is nested more than {LEVELS} levels deep"
                if deep
                else f"there are more than {NODES:,} values"
            )
            self.source.raise_problems()
        value = _without_numpy(value)
        sign, end = (
            ("{", "}")
            if isinstance(value, Mapping)
            else ("[", "]")
            if isinstance(value, list | tuple)
            else ("=", "")
        )
        self.mark, _ = self.source.add("", self.where, sign)
        node = self._node(value, kind)
        if end:
            self.source.add("", self.where, end)
        return node

    def _node(self, value: PythonValue, kind: DataType | None) -> Node:
        try:
            return self._known(value, kind) or self._plain(value, kind)
        except ExpressionError:
            if self.at is not None:
                raise
            self.problem(
                f"expected text, a number, a list or a mapping, found {type(value).__name__}"
            )
            return self.scalar("", None)

    def _known(self, value: PythonValue, kind: DataType | None) -> ScalarNode | None:
        """Return the node of a value of a library, or of one that the type spells as one text; else
        None.
        """
        known = value_type(value)
        if known is not None and known.handed_on:
            return ValueNode("", display_text(value), self.mark, self.mark, known=value)
        if known is not None and known.spec is not None:
            return self.scalar(known.spec(value))
        text = None if kind is None else kind.spelled(value)
        return None if text is None else self.scalar(text)

    def _plain(self, value: PythonValue, kind: DataType | None) -> Node:
        """Return the node of another value. Raises ExpressionError if it cannot be data."""
        match value:
            case None:
                return self.scalar("", None)
            case bool():
                return self.scalar(str(value).lower())
            case float():
                return self.scalar(repr(value))
            case str() if isinstance(kind, ShapeType) and "/" in value:
                return self.rows(value.split("/"))  # a shape as messages show it
            case str() | PurePath():
                return self.scalar(str(value))
            case Grid():
                return self.board(value, kind)
            case VariableArray() if value.over_cells() and not isinstance(kind, MapOf):
                return self.board(value.as_grid(), kind)
            case VariableArray():
                return self.node(value.members if isinstance(kind, MapOf) else tuple(value), kind)
            case Mapping():
                return self.mapping(value, kind)
            case Shape():
                return self.rows(["." * value.odd + row for row in str(value).split("/")])
            case int() | Size() | Cell() | Corner():
                return self.scalar(str(value))
            case (int(), int()) if kind is SCALARS["size"]:
                return self.scalar("x".join(map(str, value)))
            case (int() as row, int() as column) if kind is SCALARS["cell"]:
                return self.scalar(f"r{row}c{column}")
            case list() | tuple() if isinstance(kind, GridOf) and type(value) in (list, tuple):
                return self.rows(value)
            case [str(), *_] if isinstance(kind, ScalarType) and all(
                isinstance(item, str) for item in value
            ):
                return self.scalar("".join(value))  # a text that is given as its characters
            case list() | tuple() | range():
                inners = kind.items if isinstance(kind, TupleOf) else ()
                item = kind.item if isinstance(kind, ListOf) else None
                mark, parts = self.mark, []
                for at, part in enumerate(value):
                    with self._inside(at):
                        parts.append(self.node(part, inners[at] if at < len(inners) else item))
                return SequenceNode("", parts, mark, mark)
            case _:
                raise ExpressionError(
                    f"{display_text(value)} cannot be used as data of another type"
                )

    def mapping(
        self,
        values: Mapping[Any, Any],
        kind: DataType | None,
        fields: Mapping[str, Field] | None = None,
    ) -> MappingNode:
        """Return the node of a mapping. With `fields`, each value is written for its field."""
        mark, pairs, seen = self.mark, [], dict[str, Any]()
        own = kind.value if isinstance(kind, MapOf) else None
        for key, value in values.items():
            text = str(key)
            with self._inside(key):
                if text in seen:
                    self.problem(
                        f"the key `{text}` is given twice, as {seen[text]!r} and as {key!r}",
                        "keep one of them",
                    )
                    continue
                seen[text] = key
                name = self.scalar(text)
                inner = own if fields is None else fields[text].type if text in fields else None
                pairs.append((name, self.node(value, inner)))
        return MappingNode("", pairs, mark, mark)

    def board(self, board: Grid, kind: DataType | None) -> Node:
        """Return the node of a board: the list of its rows."""
        if not isinstance(kind, GridOf):
            raise ExpressionError(f"expected {kind}, got {display_text(board)}")
        last = (
            Cell(max(c.row for c in board.cells), max(c.column for c in board.cells))
            if board.cells
            else Cell(0, 0)
        )
        columns = range(1, max(last.column, 2) + 1)  # two at least: `12` would be two cells
        rows = (
            " ".join(self._cell(board, Cell(row, column), kind) for column in columns)
            for row in range(1, last.row + 1)
        )
        return self.rows([*rows])

    def _cell(self, board: Grid, cell: Cell, kind: GridOf) -> str:
        if cell not in board.values:
            return "_"
        value = board.values[cell]
        if value is None and kind.empty:
            return "."
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if (
            value is None
            or text in HOLES
            or len(text.split()) != 1
            or not isinstance(value, str | int)
        ):
            raise ExpressionError(f"expected {kind}, but {cell} holds {display_text(value)}")
        return text

    def rows(self, rows: Sequence[Any]) -> SequenceNode:
        """Return the node of a board given as rows: lines of text, or the values of cells."""
        mark, written = self.mark, []
        # a single column gets a second one of holes: a line `12` alone would be read as two cells
        narrow = all(isinstance(row, list | tuple) and len(row) == 1 for row in rows)
        for at, row in enumerate(map(_without_numpy, rows)):
            with self._inside(at):
                if isinstance(row, str):
                    written.append(self.scalar(row))
                elif isinstance(row, list | tuple):
                    texts = [
                        _plain_text(value) or self.cell_text(column, value)
                        for column, value in enumerate(row)
                    ]
                    written.append(self.scalar(" ".join([*texts, *["_"] * narrow])))
                else:
                    self.problem(
                        f"expected a row of a board, text or a list, found {type(row).__name__}"
                    )
        return SequenceNode("", written, mark, mark)

    def cell_text(self, column: int, value: PythonValue) -> str:
        """Return the text of a cell: a dot for None."""
        with self._inside(column):
            match _without_numpy(value):
                case None:
                    return "."
                case bool():
                    return str(value).lower()
                case list() | tuple() if not any(isinstance(part, list | tuple) for part in value):
                    return "\\".join(self.cell_text(at, part) for at, part in enumerate(value))
                case str() | int() | float():
                    text = str(value)
                    if len(text.split()) == 1:
                        return text
                    self.problem(
                        f"a cell holds one value without blanks, found {text[:40]!r}",
                        "None leaves a cell empty",
                    )
                    return "."
                case _:
                    self.problem(
                        f"expected text, a number or None in a cell, found {type(value).__name__}"
                    )
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
    written = ValueSource(source.path, bounded=False)
    written.add("", source.position(0, 0))  # what is missing is missing in the whole type
    spec = Spec(written)
    for rule, value in values:
        if value is None:  # it is left out
            continue
        at = rule.expression.text.node
        writer = _Writer(written, source.start(at))
        field = type_.fields.get(rule.name)
        try:
            spec.nodes[rule.name] = (
                writer.scalar(rule.name),
                writer.node(value, field.type if field else None),
            )
        except ExpressionError as error:
            written.problem(str(error), source.start(at))
    written.close()
    written.raise_problems()
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
    """
    given: dict[str, Setting] = {}
    for name, value in settings.items():
        given[name] = value
        if not isinstance(value, str):
            source = ValueSource(f"settings[{name!r}]")
            node = _Writer(source).node(value, fields[name].type if name in fields else None)
            source.close()
            source.raise_problems()
            given[name] = source, node
    return given


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


def _plain_text(value: PythonValue) -> str:
    """Return the text of a cell if it is of the most frequent kinds, else nothing."""
    if value is None:
        return "."
    return (
        str(value)
        if type(value) is int
        else value
        if type(value) is str and value.isalnum()
        else ""
    )


def _without_numpy(value: PythonValue) -> PythonValue:
    """Return an array or a number of numpy as lists and numbers of Python."""
    return value.tolist() if hasattr(value, "tolist") else value
