"""The symbols of Penpa+: the signs that they stand for, and the symbols that stand for the signs of
pictures.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from puzzlekit.lang import ARROWS

FILLS = {  # of circles, squares and diamonds, by their style
    **dict.fromkeys((1, 4, 6, 7, 8, 10, 13), "white"),
    **dict.fromkeys((3, 5, 9), "grey"),
    0: "double",
    2: "black",
    11: "red",
    12: "green",
}
# from the left on, as the styles count
CLOCKWISE = [ARROWS[(number - 2) % 8] for number in range(8)]
HALVES = {1: "half_up_left", 2: "half_down_left", 3: "half_down_right", 4: "half_up_right"}
BARS = {1: "bar_across", 2: "bar_down", 3: "falling", 4: "rising", 5: "plus", 6: "cross"}
MATHS = (
    "at_least",
    "infinity",
    "plus",
    "minus",
    "times",
    "asterisk",
    "divide",
    "equal",
    "unequal",
    "at_most",
)
SHIPS = ("ship_one", "ship", "ship_left", "ship_top", "ship_right", "ship_bottom", "waves", "dot")
OX = ("white_circle", "triangle", "white_square", "cross", "falling", "rising", "cross", "dot")
# by the name of the symbol, without its size and colour, and the style
SIGNS: Mapping[str, Mapping[int, str]] = {
    **{
        shape: {style: f"{fill}_{shape}" for style, fill in FILLS.items()}
        for shape in ("circle", "square", "diamond")
    },
    "arrow": dict(enumerate(CLOCKWISE, 1)),
    "star": {0: "cross", **dict.fromkeys(range(1, 10), "star")},
    "tents": {1: "tree", 2: "tent", 3: "fish", 4: "waves"},
    "tri": {
        **HALVES,
        5: "black_square",
        **{style + 5: name for style, name in HALVES.items()},
        0: "grey_square",
    },
    "triup": dict.fromkeys(range(14), "triangle"),
    "inequality": {style: "less" if style in (1, 2, 5, 6) else "greater" for style in range(1, 9)},
    "sun_moon": {1: "sun", 2: "moon", 3: "bulb", 4: "mine"},
    "ox": dict(enumerate(OX, 1)),
    "bars": {1: "bar_down", 2: "bar_across", 3: "bar_down", 4: "bar_across"},
    "line": BARS,
    "math": dict(enumerate(MATHS)),
    "battleship": dict(enumerate(SHIPS, 1)),
    "kakuro": {style: "split_cell" if style % 2 else "full_cell" for style in range(1, 7)},
}
# of symbols with several parts that are on or off
SIGNS_OF_PARTS: Mapping[str, tuple[str, ...]] = {
    "arrow_eight": tuple(CLOCKWISE),
    "arrow_cross": ("left", "up", "right", "down"),
    "arrow_fouredge": ("right", "down", "left", "up", "left", "up", "right", "down"),
}
SURFACES = {  # the colours of surfaces, by their hexadecimal digits
    "444444": 1,
    "b3ffb3": 2,
    "cccccc": 3,
    "000000": 4,
    "c0e0ff": 5,
    "ffa3a3": 6,
    "ffffa3": 7,
    "999999": 8,
    "ffb3ff": 9,
    "ffcc80": 10,
    "cc99ff": 11,
    "eecab1": 12,
}
FIRST_UNUSUAL = 256  # the number of the first colour of a surface that has no style
GREYISH = 8  # up to this difference of its channels, a colour is grey
WHITISH, BLACKISH = 0xF0, 0x58  # the least channel of white, and the greatest one of black
USUAL = {"white": "ffffff", "black": "000000", "grey": "cccccc"}  # the colours of fills
ARMS = ((0, 1), (1, 0), (0, -1), (-1, 0))  # of a cross of lines, as steps from its centre
SEGMENTS = {  # of a digit: top, upper left and right, middle, lower left and right, bottom
    "1110111": "0",
    "0010010": "1",
    "1011101": "2",
    "1011011": "3",
    "0111010": "4",
    "1101011": "5",
    **dict.fromkeys(("1101111", "0101111"), "6"),
    **dict.fromkeys(("1010010", "1110010"), "7"),
    "1111111": "8",
    **dict.fromkeys(("1111011", "1111010"), "9"),
}

# how the signs of pictures are written: in cells, and on sides and corners where that differs
SYMBOLS: dict[str, tuple[int, str]] = {
    "white_circle": (1, "circle_L"),
    "black_circle": (2, "circle_L"),
    "grey_circle": (5, "circle_L"),
    "dot": (2, "circle_SS"),
    "star": (2, "star"),
    "bulb": (3, "sun_moon"),
    "mine": (4, "sun_moon"),
    "tree": (1, "tents"),
    "tent": (2, "tents"),
    "ship": (2, "square_M"),
    "queen": (2, "star"),
    "triangle": (2, "ox_B"),
    "cross": (4, "ox_B"),
    **{name: (style, "tri") for style, name in HALVES.items()},
    **{name: (style, "arrow_S") for style, name in enumerate(CLOCKWISE, 1)},
}


def signs_of(name: str, style: Any) -> list[str]:
    """Return the signs that a symbol of this name and style stands for; none if it is unknown."""
    if isinstance(style, list):
        return _signs_of_parts(name, style)
    if not isinstance(style, int):
        return []
    if name.endswith("+") or name.startswith(("arrow_fourtip", *SIGNS_OF_PARTS)):
        return []  # another shape of a family
    family = name if name in SIGNS else name.split("_")[0]
    sign = SIGNS.get(family, {}).get(style)
    return [] if sign is None else [sign]


def _signs_of_parts(name: str, style: list[Any]) -> list[str]:
    """Return the signs of the parts that are on."""
    family = name if name in SIGNS_OF_PARTS else name.rpartition("_")[0]
    signs = SIGNS_OF_PARTS.get(family, ())
    if len(signs) < len(style):
        return []
    return [sign for sign, on in zip(signs, style) if on == 1]


def digit_of(name: str, style: Any) -> str:
    """Return the digit whose segments a symbol shows; empty if it is none."""
    if not name.startswith("degital") or not isinstance(style, list):
        return ""
    return SEGMENTS.get("".join(map(str, style)), "")


def recoloured(colour: str, section: str, symbol: Any) -> Any:
    """Return a symbol whose colour is replaced, in the style that has this colour; None if no style
    has it.
    """
    digits = _hexadecimal(colour)
    if digits is None:
        return None
    if section == "surface":
        return surface_of(digits)
    if section != "symbol":
        return symbol if digits < "5" else None  # dark enough for a black line
    if isinstance(symbol, list) and len(symbol) > 1:
        style, name = symbol[:2]
        for sign in signs_of(str(name), style):
            fill = sign.partition("_")[0]
            if USUAL.get(fill, digits) != digits:
                return None
    return symbol


def surface_of(digits: str) -> int:
    """Return the number of the colour of a surface, by its hexadecimal digits.

    White is none, another grey the nearest of two, any other colour a number of its own.
    """
    if digits in SURFACES:
        return SURFACES[digits]
    channels = bytes.fromhex(digits)
    if max(channels) - min(channels) > GREYISH:
        return FIRST_UNUSUAL + int(digits, 16)
    if min(channels) >= WHITISH:
        return 0
    return SURFACES["000000"] if max(channels) < BLACKISH else SURFACES["999999"]


def _hexadecimal(colour: str) -> str | None:
    """Return the six hexadecimal digits of an opaque colour as CSS writes it."""
    pattern = r"rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,1)?\)|#([0-9a-f]{6})"
    match = re.fullmatch(pattern, colour.lower().replace(" ", ""))
    if match is None:
        return None
    *numbers, digits = match.groups()
    return digits or "".join(f"{int(number):02x}" for number in numbers)
