"""What is printed of a puzzle or a solution: boards as SVG, and lines of text, at any scale and
width.

Sizes are in points, but those of drawings, which are in pixels.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any
from unicodedata import category

from rich.cells import cell_len

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
class Drawn:
    """What a puzzle or a solution looks like: boards as SVG, and lines of text below each other.

    Attributes:
        parts: The boards, with their pixels, and the lines, with the size of their letters.
        wide: The pixels of the widest board.
        high: The pixels of all boards.
        letters: The width of the widest line.
        lines: The number of lines.
        smallest: The pixels of the smallest text on a board.
    """

    parts: Sequence[Data | Line]
    letter: float

    @property
    def boards(self) -> list[Data]:
        return [part for part in self.parts if isinstance(part, dict)]

    @property
    def lines(self) -> list[Line]:
        return [part for part in self.parts if not isinstance(part, dict)]

    @property
    def wide(self) -> float:
        return max((board["wide"] for board in self.boards), default=1.0)

    @property
    def high(self) -> float:
        return sum(board["high"] for board in self.boards) or 1.0

    @property
    def letters(self) -> float:
        return max((self.letter * MONO * _columns_of(line) for line in self.lines), default=0.0)

    @property
    def smallest(self) -> float:
        return min(
            (float(size) for board in self.boards for size in FONT_SIZE.findall(board["svg"])),
            default=CELL,
        )

    def below(self, wide: float) -> float:
        """The height of the lines in a column, and of what is between boards."""
        fitting = max(1.0, wide / (self.letter * MONO))
        apart = APART * max(0, len(self.boards) - 1)
        return apart + sum(
            LEADING * self.letter * max(1, ceil(_columns_of(line) / fitting)) for line in self.lines
        )

    def data(self, scale: float, wide: float) -> list[Data]:
        """What typst draws at this scale in a column of this width."""
        found: list[Data] = []
        for part in self.parts:
            if isinstance(part, dict):
                found.append(
                    {
                        "svg": part["svg"],
                        "alt": part["alt"],
                        "width": min(part["wide"] * scale, wide),
                    }
                )
            else:
                found += map(_line, folded(part, max(8, int(wide / (self.letter * MONO)))))
        return found


def drawn(parts: Sequence[PicturePart], letter: float) -> Drawn:
    """Draw parts; `letter` is the size of letters in lines."""
    found: list[Data | Line] = []
    for part in parts:
        if isinstance(part, Scene | Group | Table):
            wide, high, svg = bare(part, STYLE + FONT)
            found.append(
                {
                    "svg": svg,
                    "wide": wide,
                    "high": high,
                    "alt": FORBIDDEN.sub("\ufffd", description([part])),
                }
            )
        else:
            found += text_lines([part])
    while found and not isinstance(found[-1], dict) and not _columns_of(found[-1]):
        found.pop()
    return Drawn(found, letter)


def _columns_of(line: Line) -> int:
    return sum(cell_len(spot.text) for spot in line)


def _line(line: Line) -> Data:
    pieces = [
        {
            "text": clean(spot.text),
            "fill": FILLS.get(spot.colour, ""),
            "ink": PAPER if spot.colour in PALE_ON else INK,
        }
        for spot in line
    ]
    return {"line": pieces, "width": 0.0}


def clean(text: str) -> str:
    """Replace what cannot be printed, and let long words break."""
    # typst 0.15 panics at some characters that do not exist
    known = "".join(
        "\ufffd" if category(character) == "Cn" else character for character in printable(text)
    )
    return LONG.sub("\\g<0>\u200b", FORBIDDEN.sub("\ufffd", known))


def unbroken(title: str) -> str:
    """Keep sizes such as 9 × 9 on one line."""
    return clean(title).replace(" × ", "\u00a0×\u00a0")
