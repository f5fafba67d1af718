"""Boards and shapes as block text: the lines of a value, and shapes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from yaml.nodes import Node, ScalarNode, SequenceNode

from puzzlekit.boards import Shape
from puzzlekit.errors import SourcePos
from puzzlekit.lang.aliases import DataValue
from puzzlekit.lang.data.scalars import BLANK, DataType, ReadContext, quoted
from puzzlekit.source import SourceFile, Text, is_empty


@dataclass(frozen=True)
class BoardLine:
    """A line of a board: its text, and a function from a column to its place."""

    text: str
    position: Callable[[int], SourcePos]


@dataclass(frozen=True)
class ShapeType(DataType):
    """A shape as block text, or as rows with blanks between: `#` is a cell of it, `.` is not."""

    def read(self, node: Node, reading: ReadContext) -> DataValue:
        found = _on_one_line(node, reading.source) or _lines(node, reading.source, "a shape")
        lines = _trimmed(found) or []
        before = len(reading.source.problems)
        for number, line in enumerate(lines, 1):
            self._check(number, line, len(lines[0].text.rstrip()), reading.source)
        if found is None or len(reading.source.problems) > before or reading.source.full:
            return None
        shape = Shape(
            (row, column)
            for row, line in enumerate(lines)
            for column, char in enumerate(line.text)
            if char == "#"
        )
        if not shape:
            reading.source.problem("this shape has no cells: mark them with #", node)
            return None
        return shape

    def _check(self, number: int, line: BoardLine, width: int, source: SourceFile) -> None:
        text = line.text.rstrip()
        other = next((at for at, char in enumerate(text) if char not in "#."), None)
        if other is not None:
            source.problem(
                f"{quoted(text[other])} is not part of a shape: write # for a cell, . for a gap",
                line.position(other),
            )
        elif not text:
            source.problem(BLANK, line.position(0), "write . for a gap")
        elif len(text) != width:
            source.problem(
                f"row {number} of this shape has {cell_count(len(text))}, but row 1 has {width}",
                line.position(0),
            )

    @property
    def example(self) -> str:
        return "##\n#.\n"

    def __str__(self) -> str:
        return "shape"


def _lines(node: Node, source: SourceFile, what: str = "a board") -> list[BoardLine] | None:
    if isinstance(node, SequenceNode):
        lines = []
        for row in node.value:
            if not isinstance(row, ScalarNode) or "\n" in row.value:
                source.problem(f"expected each row of {what} as one line of text", row)
                return None
            lines.append(BoardLine(row.value, Text(source, row).position))
        return lines
    if not isinstance(node, ScalarNode) or is_empty(node):
        source.problem(f"expected {what} as block text, each row on a line (begin with |)", node)
        return None
    if node.style != "|" and node.end_mark.line > node.start_mark.line:
        source.problem(
            f"the rows of {what} are on one line", node, "begin with |, each row on a line"
        )
        return None
    text, lines, start = Text(source, node), [], 0
    for line in text.value.splitlines(keepends=True):
        lines.append(BoardLine(line.rstrip("\r\n"), partial(_place_in, text, start)))
        start += len(line)
    return lines


def _on_one_line(node: Node, source: SourceFile) -> list[BoardLine]:
    """Return the rows of a shape that is written on one line; none if it is not."""
    if (
        not isinstance(node, ScalarNode)
        or node.style == "|"
        or "\n" in node.value
        or len(node.value.split()) < 2
    ):
        return []
    text = Text(source, node)
    return [
        BoardLine(row[0], partial(_place_in, text, row.start()))
        for row in re.finditer(r"\S+", text.value)
    ]


def _place_in(text: Text, start: int, column: int) -> SourcePos:
    return text.position(start + column)


def board_lines(node: Node, source: SourceFile) -> list[BoardLine] | None:
    """Return the lines of a board, without blank ones around it; None after noting a problem."""
    return _trimmed(_lines(node, source))


def row_position(source: SourceFile, node: Node, row: int) -> SourcePos | Node:
    """Return the place of a row, counted from 1; the node of the board if it is on one line."""
    lines = board_lines(node, source) or []
    return lines[row - 1].position(0) if row <= len(lines) else node


def _trimmed(lines: list[BoardLine] | None) -> list[BoardLine] | None:
    """Return the lines without blank ones at the beginning and the end."""
    if lines is None:
        return None
    full = [place for place, line in enumerate(lines) if line.text.strip()]
    return lines[full[0] : full[-1] + 1] if full else []


def cell_count(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"
