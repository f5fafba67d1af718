"""Colours that mean something different stay apart for the colour-blind,
as colorspacious simulates what they see.

The distance of two colours is that of CAM02-UCS, in which 1 is about the least that a person
notices. The terminal has the colours of pieces from the theme; for marks and for what is found it
takes its own.

Colour alone says nothing on a board of pieces, either: lines run between them,
or along the letters of each.
"""

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from colorspacious import cspace_convert, deltaE

from puzzlekit.api import load
from puzzlekit.api.pictures import sections
from puzzlekit.render import theme
from puzzlekit.render.layout import draw
from puzzlekit.render.svg_layers import scene_svg
from puzzlekit.render.theme import STYLES
from puzzlekit.scene import Paths, Pieces, Scene, outline
from tests.commands import ROOT

APART = 9.0
SIGHTS = (None, "deuteranomaly", "protanomaly", "tritanomaly")
MEANINGS = {
    **{f"{a} and {b}": (theme.MARKS[a], theme.MARKS[b]) for a, b in combinations(theme.MARKS, 2)},
    **{f"{mark} and no mark": (colour, theme.CELL) for mark, colour in theme.MARKS.items()},
    **{
        f"{mark} and no mark, dark": (colour, theme.DARK_CELL)
        for mark, colour in theme.MARKS.items()
    },
    "found shade and none": (theme.SHADE, theme.CELL),
    "found shade and none, dark": (theme.DARK_SHADE, theme.DARK_CELL),
    "given and found shade": (theme.BLOCK, theme.SHADE),
    "given and found shade, dark": (theme.DARK_BLOCK, theme.DARK_SHADE),
    "given shade and none": (theme.BLOCK, theme.CELL),
    "given shade and none, dark": (theme.DARK_BLOCK, theme.DARK_CELL),
    "given and found ink": (theme.INK, theme.FOUND),
    "given and found ink, dark": (theme.DARK_INK, theme.DARK_FOUND),
    "clue and rim": (theme.INK, theme.RIM),
    "clue and rim, dark": (theme.DARK_INK, theme.DARK_RIM),
    **{
        f"pieces {a} and {b}": (theme.REGIONS[a], theme.REGIONS[b])
        for a, b in combinations(range(len(theme.REGIONS)), 2)
    },
}


def seen(colour: str, sight: str | None) -> list[float]:
    """A colour as it is seen, as sRGB from 0 to 1."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    if sight is None:
        return parts
    simulated = cspace_convert(
        parts, {"name": "sRGB1+CVD", "cvd_type": sight, "severity": 100}, "sRGB1"
    )
    return [min(1.0, max(0.0, part)) for part in simulated]


@pytest.mark.parametrize("sight", SIGHTS)
def test_colours_that_differ_in_meaning_stay_apart(sight: str | None) -> None:
    far = {
        name: deltaE(*(seen(colour, sight) for colour in pair), input_space="sRGB1")
        for name, pair in MEANINGS.items()
    }
    assert {
        name: round(float(distance), 1) for name, distance in far.items() if distance < APART
    } == {}


def test_two_colours_that_the_colour_blind_confuse_are_noticed() -> None:
    red, green = "#b35900", "#7a7a00"
    assert deltaE(seen(red, None), seen(green, None), input_space="sRGB1") > 2 * APART
    assert (
        deltaE(seen(red, "deuteranomaly"), seen(green, "deuteranomaly"), input_space="sRGB1")
        < APART
    )


def test_the_terminal_paints_pieces_in_these_colours() -> None:
    assert [STYLES[f"region {number}"] for number in range(12)] == [
        f"black on {colour}" for colour in theme.REGIONS
    ]


def drawn(spec: str) -> list[Scene]:
    """The boards of the first solution of a spec."""
    solution = next(iter(load(None, ROOT / "specs" / spec).solve(limit=1)))
    parts = [part for _, own in sections(solution) for part in own]
    return [part for part in parts if isinstance(part, Scene)]


def test_lines_run_between_pieces() -> None:
    (scene,) = drawn("pentominoes/6x10.yaml")
    (pieces,) = scene.of_type(Pieces)
    assert isinstance(pieces, Pieces)
    between = outline(piece.cells for piece in pieces.pieces)
    (seam,) = re.findall(r'class="seam"[^>]* d="([^"]*)"', scene_svg(scene, 40.0)[2])
    assert seam.count("M") == len(between) > 2 * (6 + 10)
    lettered = "".join(map(str, draw([scene], colour=True))).replace(" ", "")
    assert Counter(lettered) == {piece.name: 5 for piece in pieces.pieces}
    nameless = replace(
        scene, layers=[replace(pieces, pieces=[piece._replace(name="") for piece in pieces.pieces])]
    )
    bordered = "".join(map(str, draw([nameless], colour=True)))
    assert set("┌┐└┘├┤┬┴│─") <= set(bordered)


def test_lines_run_along_the_letters_of_words() -> None:
    (scene,) = drawn("strands/first.yaml")
    (paths,), (pieces,) = scene.of_type(Paths), scene.of_type(Pieces)
    assert isinstance(paths, Paths) and isinstance(pieces, Pieces)
    assert [path.cells for path in paths.paths] == [piece.cells for piece in pieces.pieces]
    lines = re.findall(r'<path class="walk dark"[^>]* d="([^"]*)"', scene_svg(scene, 40.0)[2])
    assert [line.count("M") for line in lines] == [len(path.cells) - 1 for path in paths.paths]
