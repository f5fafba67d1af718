"""Writes values of a solution as the data of a spec, which is then read and checked as usual."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.boards import Cell, Corner, Grid, Shape
from puzzlekit.errors import Place
from puzzlekit.lang.binding import Spec
from puzzlekit.lang.data.collections import ListOf, MapOf, TupleOf
from puzzlekit.lang.data.grids import HOLES, GridOf
from puzzlekit.lang.data.scalars import DataType, KnownNode
from puzzlekit.lang.expressions.values import ExpressionError, Family, Size, shown, value_type
from puzzlekit.lang.puzzle_type import PuzzleType, Rule
from puzzlekit.source import Source

SPAN = 1 << 32  # the indexes in a value begin at a multiple of this


class _Written(Source):
    """The text of a type. Every part of a written value has the place of its expression."""

    def __init__(self, source: Source) -> None:
        super().__init__(source.path, source.text)
        self.at: list[Place] = [source.place(0, 0)]

    def position(self, index: int) -> tuple[int, int]:
        place = self.at[index // SPAN]
        return place.line - 1, place.column - 1


def spec_of(kind: PuzzleType, source: Source, values: Iterable[tuple[Rule, Any]]) -> Spec:
    """Return a spec of the type with values that expressions of another type gave.

    Args:
        kind: The type of the spec.
        source: The text of the other type.
        values: Each rule of the other type, named after the field, with its value.

    Raises:
        Problems: All values that cannot be data.
    """
    spec = Spec(_Written(source))
    for rule, value in values:
        if value is None:  # it is left out
            continue
        written = rule.expression.text.node
        writer = Writer(written, spec.source)
        field = kind.fields.get(rule.name)
        try:
            node = writer.node(value, field.type if field else None)
        except ExpressionError as error:
            spec.source.problem(str(error), written)
        else:
            spec.nodes[rule.name] = (writer.scalar(rule.name), node)
    spec.source.raise_problems()
    return spec


class Writer:
    """Writes one value as nodes, which all have the place of its expression."""

    def __init__(self, expression: ScalarNode, source: Source) -> None:
        assert isinstance(source, _Written)
        begin = expression.start_mark
        self.mark = yaml.Mark("", SPAN * len(source.at), begin.line, begin.column, None, 0)
        source.at.append(source.start(expression))

    def scalar(self, text: str, style: str | None = '"') -> ScalarNode:
        return ScalarNode("", text, self.mark, self.mark, style=style)

    def sequence(self, parts: Iterable[Node]) -> SequenceNode:
        mark = self.mark
        return SequenceNode("", list(parts), mark, mark)

    def part(self, step: Any, value: Any, kind: DataType | None) -> Node:
        """Return the node of the part at this position, or under this key, of the written value."""
        return self.node(value, kind)

    def node(self, value: Any, kind: DataType | None) -> Node:
        """Return the node of a value for a field of this type. Raises ExpressionError."""
        known = value_type(value)
        if known is not None and known.handed_on:
            return KnownNode("", shown(value), self.mark, self.mark, known=value)
        if known is not None and known.spec is not None:
            return self.scalar(known.spec(value))
        if kind is not None and (text := kind.spelled(value)) is not None:
            return self.scalar(text)
        match value:
            case None:
                return self.scalar("", None)
            case bool():
                return self.scalar(str(value).lower())
            case Grid():
                return self.board(value, kind)
            case Family() if value.over_cells() and not isinstance(kind, MapOf):
                return self.board(value.as_grid(), kind)
            case Family():
                return self.node(value.members if isinstance(kind, MapOf) else tuple(value), kind)
            case Shape():
                return self.sequence(self.scalar("." * value.odd + row) for row in str(value).split("/"))
            case str():
                return self.scalar(value, "|" if "\n" in value else '"')
            case int() | Size() | Cell() | Corner():
                return self.scalar(str(value))
            case Mapping():
                inner = kind.value if isinstance(kind, MapOf) else None
                pairs = [(self.scalar(str(key)), self.node(item, inner)) for key, item in value.items()]
                return MappingNode("", pairs, self.mark, self.mark)
            case tuple() | range():
                inners = kind.items if isinstance(kind, TupleOf) else ()
                item = kind.item if isinstance(kind, ListOf) else None
                return self.sequence(
                    self.part(place, part, inners[place] if place < len(inners) else item) for place, part in enumerate(value)
                )
            case _:
                raise ExpressionError(f"{shown(value)} cannot be used as data of another type")

    def board(self, board: Grid, kind: DataType | None) -> Node:
        """Return the node of a board: the list of its rows."""
        if not isinstance(kind, GridOf):
            raise ExpressionError(f"expected {kind}, got {shown(board)}")
        last = Cell(max(c.row for c in board.cells), max(c.column for c in board.cells)) if board.cells else Cell(0, 0)
        columns = range(1, max(last.column, 2) + 1)  # two at least: `12` would be two cells
        rows = (" ".join(self.cell(board, Cell(row, column), kind) for column in columns) for row in range(1, last.row + 1))
        return self.sequence(map(self.scalar, rows))

    def cell(self, board: Grid, cell: Cell, kind: GridOf) -> str:
        if cell not in board.values:
            return "_"
        value = board.values[cell]
        if value is None and kind.empty:
            return "."
        text = str(value).lower() if isinstance(value, bool) else str(value)
        if value is None or text in HOLES or len(text.split()) != 1 or not isinstance(value, str | int):
            raise ExpressionError(f"expected {kind}, but {cell} holds {shown(value)}")
        return text
