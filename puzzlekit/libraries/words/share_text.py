"""Results as people share them: rows of squares, and other lines above and below, such as a heading with `4/6`."""

from __future__ import annotations

import re
from collections.abc import Sequence

import yaml
from yaml.nodes import ScalarNode

from puzzlekit.errors import UNPRINTABLE
from puzzlekit.lang.source import Source
from puzzlekit.libraries.words.marks import SQUARES

HEADING = re.compile(r"(?<![\w/.,])([0-9]{1,2}|[Xx])/([0-9]{1,2})(?![\w/])")
AS_DRAWN = "\ufe0e\ufe0f"  # only says how the character before is drawn


def is_shared(text: str) -> bool:
    """Whether the text is a shared result and no YAML: a line of squares stands at its margin."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\t", " ").split("\n")
    return any(map(_is_row, lines)) and not any(map(UNPRINTABLE.search, lines))


def _is_row(line: str) -> bool:
    return line[:1] in SQUARES and all(char.isspace() or char in SQUARES + AS_DRAWN for char in line) and line != ""


def as_scalar(source: Source) -> ScalarNode:
    """The whole text as block text."""
    end = yaml.Mark("", len(source.text), len(source.lines), 0, None, 0)
    return ScalarNode("", source.text, yaml.Mark("", 0, 0, 0, None, 0), end, style="|")


def heading(source: Source) -> ScalarNode | None:
    """The first line, if it is no row of squares."""
    line = source.lines[0].strip() if source.lines else ""
    if not line or _is_row(line):
        return None
    return ScalarNode("", line, yaml.Mark("", 0, 0, 0, None, 0), yaml.Mark("", len(line), 0, len(line), None, 0))


def only_rows(lines: Sequence[ScalarNode], source: Source) -> Sequence[ScalarNode]:
    """The lines without those that say something else: where there are squares, a row has one.

    A problem is noted where a heading such as `4/6`, or `X/6` for a game that was lost, says another number of rows.
    """
    rows = [line for line in lines if any(char in SQUARES for char in line.value)]
    if not rows:
        return lines
    for line in lines[: lines.index(rows[0])]:
        if found := HEADING.search(line.value):
            said = int(found[2] if found[1] in "Xx" else found[1])
            if said != len(rows):
                source.problem(f"{found[0]} announces {said} rows, but there are {len(rows)}", line)
    return rows


class SharedResult:
    """A spec that is a result as people share it."""

    what = "a shared result"
    field = "list[marks]"
    wanted = "field of rows of marks"

    def is_written(self, text: str) -> bool:
        """Whether the text is such a result."""
        return is_shared(text)

    def value(self, source: Source) -> ScalarNode:
        """The whole text as block text."""
        return as_scalar(source)

    def title(self, source: Source) -> ScalarNode | None:
        """The first line, if it is no row of squares."""
        return heading(source)
