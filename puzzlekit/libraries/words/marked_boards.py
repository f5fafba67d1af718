"""Read boards of marks: letters with their marks in one block, and results as games share them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import yaml
from yaml.nodes import Node, ScalarNode

from puzzlekit.errors import UNPRINTABLE
from puzzlekit.lang.data.grids import HOLES, GridOf, board_lines
from puzzlekit.lang.data.scalars import SELECTORS, Reading, clusters, quoted
from puzzlekit.libraries.words.marks import SQUARES, read_mark
from puzzlekit.source import Source

HEADING = re.compile(r"(?<![\w/.,])([0-9]{1,2}|[Xx])/([0-9]{1,2})(?![\w/])")
AS_DRAWN = "\ufe0e\ufe0f"  # variation selectors: they say how the character before is drawn


def is_shared(text: str) -> bool:
    """Whether the text is a shared result rather than YAML: some line consists of squares."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\t", " ").split("\n")
    return any(map(_is_row, lines)) and not any(map(UNPRINTABLE.search, lines))


def _is_row(line: str) -> bool:
    return line[:1] in SQUARES and all(char.isspace() or char in SQUARES + AS_DRAWN for char in line) and line != ""


def as_scalar(source: Source) -> ScalarNode:
    """The whole text as a YAML block scalar."""
    end = yaml.Mark("", len(source.text), len(source.lines), 0, None, 0)
    return ScalarNode("", source.text, yaml.Mark("", 0, 0, 0, None, 0), end, style="|")


def heading(source: Source) -> ScalarNode | None:
    """The first line, unless it is a row of squares."""
    line = source.lines[0].strip() if source.lines else ""
    if not line or _is_row(line):
        return None
    return ScalarNode("", line, yaml.Mark("", 0, 0, 0, None, 0), yaml.Mark("", len(line), 0, len(line), None, 0))


def only_rows(lines: Sequence[ScalarNode], source: Source) -> Sequence[ScalarNode]:
    """The lines with squares, or all lines if none has any.

    Reports a problem if a heading such as `4/6`, or `X/6` for a lost game, announces another number
    of rows.
    """
    rows = [line for line in lines if any(char in SQUARES for char in line.value)]
    if not rows:
        return lines
    for line in lines[: lines.index(rows[0])]:
        if found := HEADING.search(line.value):
            announced = int(found[2] if found[1] in "Xx" else found[1])
            if announced != len(rows):
                source.problem(f"{found[0]} announces {announced} rows, but there are {len(rows)}", line)
    return rows


class SharedResult:
    """The notation of a spec that is a shared result."""

    what = "a shared result"
    field = "list[marks]"
    field_name = "field of rows of marks"

    def is_written(self, text: str) -> bool:
        """Whether the text is a shared result."""
        return is_shared(text)

    def value(self, source: Source) -> ScalarNode:
        """The whole text as a YAML block scalar."""
        return as_scalar(source)

    def title(self, source: Source) -> ScalarNode | None:
        """The first line, unless it is a row of squares."""
        return heading(source)


PAIR = re.compile(rf"(?P<hole>[._]{{1,2}}[{SQUARES}]?)|[^\s._{SQUARES}]*[{SQUARES}][{SELECTORS}]?|[^\s._{SQUARES}]+")


@dataclass(frozen=True)
class _Pair:
    """A cell with its mark, and the column where each begins; a hole is its own mark."""

    at: int
    text: str
    mark_at: int
    mark: str

    @property
    def lack(self) -> str:
        """What is wrong with the pair; empty if nothing is."""
        if not self.text:
            return "is a mark without a letter"
        return "" if self.mark in HOLES or read_mark(self.mark[:1]) is not None else "is a letter without a mark"


def read_with_marks(letters: GridOf, marks: GridOf, node: Node, reading: Reading, beside: Reading) -> tuple[Any, Any] | None:
    """Read a board and its marks from one block: `t🟩 r🟨 .` or `tg ry .`.

    Returns None if the node is not such a block. `reading` is for the board, `beside` for the
    marks.
    """
    if not isinstance(node, ScalarNode):
        return None
    if "\n" not in node.value:
        if not any(char in SQUARES for char in node.value):
            return None
        reading.source.problem("this board and its marks are on one line", node, "begin with |, each row on a line")
        return None, None
    lines = board_lines(node, Source(reading.source.path, reading.source.text)) or []
    rows = [_with_marks(line.text) for line in lines]
    squares = any(char in SQUARES for line in lines for char in line.text)
    if not squares and not (max(map(len, rows), default=0) > 1 and all(pair.mark for row in rows for pair in row)):
        return None
    broken = [(pair, line.place(pair.at)) for row, line in zip(rows, lines) for pair in row if pair.lack]
    for pair, place in broken:
        hint = "write a letter and its mark in each cell, such as e🟩 or eg; write _ for a hole"
        reading.source.problem(f"{quoted(pair.text + pair.mark)} {pair.lack}", place, hint)
    if broken:
        return None, None
    own = [[(pair.at, pair.text) for pair in row] for row in rows]
    of_marks = [[(pair.mark_at, pair.mark) for pair in row] for row in rows]
    board = letters.board(own, lines, node, reading)
    return board, None if board is None else marks.board(of_marks, lines, node, beside)


def _with_marks(line: str) -> list[_Pair]:
    """The cells of a line with their marks; a cell ends at a blank or after a square."""
    found = []
    for part in PAIR.finditer(line):
        *_, (at, last) = clusters(part.group())
        if part["hole"]:
            found.append(_Pair(part.start(), "_", part.start(), "_"))
        elif at or last in SQUARES:
            found.append(_Pair(part.start(), part.group()[:at], part.start() + at, last))
        else:
            found.append(_Pair(part.start(), last, part.start(), ""))
    return found
