"""Pictures for paper: boards as SVG, and lines of text, at any scale and width.

Sizes are in points, except those of boards, which are in pixels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import ceil
from typing import Any
from unicodedata import category

from rich.cells import cell_len

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import printable
from puzzlekit.render.layout import folded, text_lines
from puzzlekit.render.svg import CELL, bare, description
from puzzlekit.render.svg_shapes import FORBIDDEN
from puzzlekit.render.theme import INK, MARKS, PAPER, REGIONS, STYLE
from puzzlekit.render.typeset import FONT
from puzzlekit.scene import Group, Line, PicturePart, Scene, Table

MONO = 0.6025  # the width of a letter for its size
APART = 10.0  # between boards
LEADING = 1.5  # the height of a line for its size
LONG = re.compile(r"\S{24}(?=\S)")  # of a word; typst breaks a word only where it knows how
FILLS = {**MARKS, **{f"region {number}": colour for number, colour in enumerate(REGIONS)}}
PALE_ON = {"green", "grey"}  # the backgrounds of pale letters
FONT_SIZE = re.compile(r'font-size="([0-9.]+)"')

Data = dict[str, Any]


@dataclass(frozen=True)
class PrintedPicture:
    """The picture of a puzzle or a solution: boards as SVG, and lines of text below each other.

    Attributes:
        blocks: The boards and the lines.
        letter: The size of the letters in lines.
    """

    blocks: Sequence[Data | Line]
    letter: float

    @property
    def boards(self) -> list[Data]:
        """The boards, with their sizes in pixels."""
        return [block for block in self.blocks if isinstance(block, dict)]

    @property
    def lines(self) -> list[Line]:
        """The lines of text."""
        return [block for block in self.blocks if not isinstance(block, dict)]

    @property
    def board_width(self) -> float:
        """The pixels of the widest board."""
        return max((board["wide"] for board in self.boards), default=1.0)

    @property
    def board_height(self) -> float:
        """The pixels of all boards, one below the other."""
        return sum(board["high"] for board in self.boards) or 1.0

    @property
    def line_width(self) -> float:
        """The width of the widest line."""
        longest = max(map(_columns_of, self.lines), default=0)
        return self.letter * MONO * longest

    @property
    def smallest(self) -> float:
        """The pixels of the smallest text on a board."""
        sizes: list[str] = []
        for board in self.boards:
            sizes += FONT_SIZE.findall(board["svg"])
        return min(map(float, sizes), default=CELL)

    def text_height(self, column: float) -> float:
        """Return the height of the lines in a column, and of the gaps between boards."""
        letters = max(1.0, column / (self.letter * MONO))
        line_height = LEADING * self.letter
        gaps = APART * max(0, len(self.boards) - 1)
        folded_lines = [ceil(_columns_of(line) / letters) for line in self.lines]
        heights = [line_height * max(1, count) for count in folded_lines]
        return gaps + sum(heights)

    def data(self, scale: float, column: float) -> list[Data]:
        """Return what typst draws at this scale in a column of this width."""
        letters = max(8, int(column / (self.letter * MONO)))
        blocks: list[Data] = []
        for block in self.blocks:
            if isinstance(block, dict):
                width = min(block["wide"] * scale, column)
                blocks.append({"svg": block["svg"], "alt": block["alt"], "width": width})
            else:
                blocks += map(_line, folded(block, letters))
        return blocks


def printed_picture(parts: Sequence[PicturePart], letter: float) -> PrintedPicture:
    """Return a picture for paper; `letter` is the size of letters in lines."""
    blocks: list[Data | Line] = []
    for block in parts:
        if isinstance(block, Scene | Group | Table):
            blocks.append(_board(block))
        else:
            blocks += text_lines([block])
    while blocks and _is_blank(blocks[-1]):
        blocks.pop()
    return PrintedPicture(blocks, letter)


def _is_blank(block: Data | Line) -> bool:
    if isinstance(block, dict):
        return False
    return _columns_of(block) == 0


def _board(block: Scene | Group | Table) -> Data:
    width, height, svg = bare(block, STYLE + FONT)
    alternative = FORBIDDEN.sub("\ufffd", description([block]))
    return {"svg": svg, "wide": width, "high": height, "alt": alternative}


def _columns_of(line: Line) -> int:
    return sum(cell_len(span.text) for span in line)


def _line(line: Line) -> Data:
    spans = []
    for span in line:
        ink = PAPER if span.colour in PALE_ON else INK
        fill = FILLS.get(span.colour, "")
        spans.append({"text": clean(span.text), "fill": fill, "ink": ink})
    return {"line": spans, "width": 0.0}


def clean(text: str) -> str:
    """Replace what cannot be printed, and let long words break."""
    existing = "".join(map(_existing, printable(text)))
    return LONG.sub("\\g<0>\u200b", FORBIDDEN.sub("\ufffd", existing))


def _existing(character: str) -> str:
    """Return a character, or a sign for one that does not exist: typst 0.15 panics at some."""
    return "\ufffd" if category(character) == "Cn" else character


def unbroken(title: str) -> str:
    """Keep sizes such as 9 × 9 on one line."""
    return clean(title).replace(" × ", "\u00a0×\u00a0")
