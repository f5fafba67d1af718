"""Texts are legible on every background, in light and dark."""

import pytest

from puzzlekit.render import theme


def luminance(colour: str) -> float:
    """The relative luminance of a colour, by WCAG 2."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


PAIRS = {
    "given": (theme.INK, theme.CELL),
    "given, dark": (theme.DARK_INK, theme.DARK_CELL),
    "found": (theme.FOUND, theme.CELL),
    "found, dark": (theme.DARK_FOUND, theme.DARK_CELL),
    "text": (theme.INK, theme.PAPER),
    "text, dark": (theme.DARK_INK, theme.DARK_PAPER),
    "rim": (theme.RIM, theme.PAPER),
    "rim, dark": (theme.DARK_RIM, theme.DARK_PAPER),
    "clue in a found shade": (theme.PAPER, theme.SHADE),
    "clue in a found shade, dark": (theme.PAPER, theme.DARK_SHADE),
    "clue in a given shade": (theme.PAPER, theme.BLOCK),
    "clue in a given shade, dark": (theme.PAPER, theme.DARK_BLOCK),
    "given on a sign": (theme.INK, theme.UNDER),
    "given on a sign, dark": (theme.DARK_INK, theme.DARK_UNDER),
    "found on a sign": (theme.FOUND, theme.UNDER),
    "found on a sign, dark": (theme.DARK_FOUND, theme.DARK_UNDER),
    "green": (theme.PAPER, theme.MARKS["green"]),
    "yellow": (theme.INK, theme.MARKS["yellow"]),
    "grey": (theme.PAPER, theme.MARKS["grey"]),
    **{f"region {number}": (theme.INK, colour) for number, colour in enumerate(theme.REGIONS)},
}


@pytest.mark.parametrize(("ink", "ground"), PAIRS.values(), ids=PAIRS.keys())
def test_a_text_has_enough_contrast(ink: str, ground: str) -> None:
    assert contrast(ink, ground) >= 4.5


@pytest.mark.parametrize(
    ("cell", "shades"),
    [
        (theme.CELL, (theme.SHADE, theme.BLOCK)),
        (theme.DARK_CELL, (theme.DARK_SHADE, theme.DARK_BLOCK)),
    ],
    ids=["light", "dark"],
)
def test_what_rules_call_black_is_darker_than_a_cell_to_fill(
    cell: str, shades: tuple[str, ...]
) -> None:
    assert all(luminance(shade) < luminance(cell) / 4 for shade in shades)
    assert all(f"fill:{colour}" in theme.STYLE for colour in (cell, *shades))
