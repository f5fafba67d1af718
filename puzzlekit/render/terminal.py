"""The terminal's pen: pictures as rich text. Without colour a mark is told by signs: green [A], yellow (A), grey plain."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from puzzlekit.render.picture import Line, Spot

STYLES = {
    "green": "bold white on green",
    "yellow": "bold black on yellow",
    "grey": "white on bright_black",
    **{
        f"region {number}": f"black on {colour}"
        for number, colour in enumerate(
            (
                "#8dd3c7",
                "#ffffb3",
                "#bebada",
                "#fb8072",
                "#80b1d3",
                "#fdb462",
                "#b3de69",
                "#fccde5",
                "#d9d9d9",
                "#bc80bd",
                "#ccebc5",
                "#ffed6f",
            )
        )
    },
}
SIGNS = {"green": "[{}]", "yellow": "({})"}


def draw(lines: Iterable[Line], colour: bool) -> list[Text]:
    """The lines as rich text, two blanks in from the left."""
    return [Text("  ").append_text(_line(line, colour)) for line in lines]


def _line(line: Line, colour: bool) -> Text:
    if not colour:
        return Text("".join(map(_signed, line)).rstrip())
    return Text.assemble(*((spot.text, STYLES.get(spot.colour, "")) for spot in line))


def _signed(spot: Spot) -> str:
    sign = SIGNS.get(spot.colour)
    return sign.format(spot.text[1:-1]) if sign else spot.text
