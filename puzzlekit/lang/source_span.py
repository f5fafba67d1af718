"""The text of a scalar, with the place in the file of each of its characters."""

from __future__ import annotations

from functools import cached_property

import yaml
from yaml.nodes import ScalarNode

from puzzlekit.errors import Place
from puzzlekit.lang.source import Source

ESCAPED = {"x": 4, "u": 6, "U": 10}  # the length of an escape in double quotes, where it is not 2
BREAKS = "\r\n\x85\u2028\u2029"


class Text:
    """A scalar's value and where it stands. `text` is the value as one line."""

    def __init__(self, source: Source, node: ScalarNode) -> None:
        self.source = source
        self.node = node
        self.value = str(node.value)

    @cached_property
    def text(self) -> str:
        """The value as one line, each white space a blank; it has the offsets of the value."""
        return "".join(" " if char.isspace() else char for char in self.value).rstrip()

    @cached_property
    def indexes(self) -> list[int]:
        """The index in the source of each character of the value.

        Both are walked side by side: white space of any length matches white space, since YAML folds lines, and what YAML
        takes away (quotes, escapes, indentation) is passed over.
        """
        raw, style = self.source.text, self.node.style
        at, end = self.node.start_mark.index, min(self.node.end_mark.index, len(self.source.text))
        if style in ("|", ">"):
            while at and at < end and raw[at] not in BREAKS:  # what begins with the file has no line with the sign
                at += 1
        elif style:
            at += 1
        found = []
        for char in self.value:
            while style == '"' and raw[at : at + 1] == "\\" and raw[at + 1 : at + 2] in BREAKS and at + 1 < end:
                at = _after_space(raw, at + 1, end)
            if style == '"' and raw[at : at + 1] == "\\":
                found.append(at)
                at += ESCAPED.get(raw[at + 1 : at + 2], 2)
            elif char.isspace():
                found.append(at)
                at = _after_space(raw, at, end)
            else:
                at = _after_space(raw, at, end)
                found.append(at)
                at += 2 if style == "'" and char == "'" else 1
        return found

    def index(self, offset: int) -> int:
        """The index in the source of the character at this offset of the value, or of the nearest one that there is."""
        if not self.indexes:
            return int(self.node.start_mark.index)
        return self.indexes[min(max(offset, 0), len(self.indexes) - 1)]

    def place(self, offset: int) -> Place:
        """Where the character at this offset of the value stands in the file."""
        return self.source.place_at(self.index(offset))

    def part(self, offset: int, text: str) -> ScalarNode:
        """A part of the value as a scalar of its own, with its place."""
        at = self.index(offset)
        line, column = self.source.position(at)
        start = yaml.Mark("", at, line, column, None, 0)
        end = yaml.Mark("", at + len(text), line, column + len(text), None, 0)
        return ScalarNode(self.node.tag, text, start, end)


def _after_space(raw: str, at: int, end: int) -> int:
    while at < end and raw[at].isspace():
        at += 1
    return at
