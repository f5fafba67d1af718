"""The terminal's pen: pictures as rich text. Without colour a mark is told by signs: green [A], yellow (A), grey plain."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from puzzlekit.render.colours import REGIONS
from puzzlekit.render.layout import text_lines
from puzzlekit.render.picture import Line, Part, Spot

STYLES = {
    "green": "bold white on green",
    "yellow": "bold black on yellow",
    "grey": "white on bright_black",
    **{f"region {number}": f"black on {colour}" for number, colour in enumerate(REGIONS)},
    **{f"line {number}": f"bold {colour}" for number, colour in enumerate(REGIONS)},
}
SIGNS = {"green": "[{}]", "yellow": "({})"}


def draw(parts: Iterable[Part], colour: bool, wide: int = 80) -> list[Text]:
    """A picture as rich text, two blanks in from the left, for a terminal that is so many characters wide."""
    drawn = [Text("  ").append_text(_line(line, colour)) for line in text_lines(parts, wide - 2)]
    for text in () if colour else drawn:
        text.rstrip()
    return drawn


def _line(line: Line, colour: bool) -> Text:
    if not colour:
        return Text("".join(map(_signed, line)).rstrip())
    return Text.assemble(*((spot.text, STYLES.get(spot.colour, "")) for spot in line))


def _signed(spot: Spot) -> str:
    sign = SIGNS.get(spot.colour)
    return sign.format(spot.text[1:-1]) if sign else spot.text
