"""Boards and shapes as block text: the lines of a value, and shapes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from yaml.nodes import Node, ScalarNode, SequenceNode

from puzzlekit.boards import Shape
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import SourcePos
from puzzlekit.lang.aliases import DataValue
from puzzlekit.lang.data.scalars import BLANK, DataType, ReadContext, quoted
from puzzlekit.source import SourceFile, Text, is_empty


@dataclass(frozen=True)
class BoardLine:
    """A line of a board: its text, and a function from a column to its position in the file."""

    text: str
    position: Callable[[int], SourcePos]


@dataclass(frozen=True)
class ShapeType(DataType):
    """A shape as block text, or as rows with blanks between: `#` is a cell of it, `.` is not."""

    def read(self, node: Node, reading: ReadContext) -> DataValue:
        source = reading.source
        lines = _trimmed(_on_one_line(node, source) or _lines(node, source, "a shape"))
        if lines is None:
            return None
        before = len(source.problems)
        for number, line in enumerate(lines, 1):
            self._check(number, line, len(lines[0].text.rstrip()), source)
        if len(source.problems) > before or source.full:
            return None
        cells = (
            (row, column)
            for row, line in enumerate(lines)
            for column, char in enumerate(line.text)
            if char == "#"
        )
        shape = Shape(cells)
        if not shape:
            source.problem("this shape has no cells: mark them with #", node)
            return None
        return shape

    def _check(self, number: int, line: BoardLine, width: int, source: SourceFile) -> None:
        text = line.text.rstrip()
        for column, char in enumerate(text):
            if char not in "#.":
                message = f"{quoted(char)} is not part of a shape: write # for a cell, . for a gap"
                source.problem(message, line.position(column))
                return
        if not text:
            source.problem(BLANK, line.position(0), "write . for a gap")
        elif len(text) != width:
            count = cell_count(len(text))
            message = f"row {number} of this shape has {count}, but row 1 has {width}"
            source.problem(message, line.position(0))

    @property
    def example(self) -> str:
        return "##\n#.\n"

    def __str__(self) -> str:
        return "shape"


def _lines(node: Node, source: SourceFile, subject: str = "a board") -> list[BoardLine] | None:
    """Return the lines of a board; None after noting a problem, which calls it `subject`."""
    if isinstance(node, SequenceNode):
        return _lines_of_list(node, source, subject)
    if not isinstance(node, ScalarNode) or is_empty(node):
        source.problem(f"expected {subject} as block text, each row on a line (begin with |)", node)
        return None
    if node.style != "|" and node.end_mark.line > node.start_mark.line:
        message = f"the rows of {subject} are on one line"
        source.problem(message, node, "begin with |, each row on a line")
        return None
    text = Text(source, node)
    lines = []
    start = 0
    for line in text.value.splitlines(keepends=True):
        lines.append(BoardLine(line.rstrip("\r\n"), partial(_position_in, text, start)))
        start += len(line)
    return lines


def _lines_of_list(node: SequenceNode, source: SourceFile, subject: str) -> list[BoardLine] | None:
    lines = []
    for row in node.value:
        if not isinstance(row, ScalarNode) or "\n" in row.value:
            source.problem(f"expected each row of {subject} as one line of text", row)
            return None
        lines.append(BoardLine(row.value, Text(source, row).position))
    return lines


def _on_one_line(node: Node, source: SourceFile) -> list[BoardLine]:
    """Return the rows of a shape that is written on one line; none if it is not."""
    if not isinstance(node, ScalarNode) or node.style == "|" or "\n" in node.value:
        return []
    text = Text(source, node)
    rows = list(re.finditer(r"\S+", text.value))
    if len(rows) < 2:
        return []
    return [BoardLine(row[0], partial(_position_in, text, row.start())) for row in rows]


def _position_in(text: Text, start: int, column: int) -> SourcePos:
    return text.position(start + column)


def board_lines(node: Node, source: SourceFile) -> list[BoardLine] | None:
    """Return the lines of a board, without blank ones around it; None after noting a problem."""
    return _trimmed(_lines(node, source))


def row_position(source: SourceFile, node: Node, row: int) -> SourcePos | Node:
    """Return the position of a row, counted from 1; the node of the board if it is on one line."""
    lines = board_lines(node, source) or []
    if row <= len(lines):
        return lines[row - 1].position(0)
    return node


def _trimmed(lines: list[BoardLine] | None) -> list[BoardLine] | None:
    """Return the lines without blank ones at the beginning and the end."""
    if lines is None:
        return None
    written = [number for number, line in enumerate(lines) if line.text.strip()]
    if not written:
        return []
    return lines[written[0] : written[-1] + 1]


def cell_count(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"
