"""What several scenes share, in the layers that a solution can change."""

import pytest

from puzzlekit.render.layout import plain_text, text_lines
from puzzlekit.render.svg_shared import shared
from puzzlekit.scene import (
    Borders,
    Diagonals,
    Fill,
    Layer,
    Lines,
    Path,
    Paths,
    Piece,
    Pieces,
    Scene,
    Symbols,
    Text,
    centre,
)

CELLS = ((1, 1), (1, 2), (1, 3))
A, B, C = CELLS


@pytest.mark.parametrize(
    ("one", "other", "line"),
    [
        (Text(False, {A: "1", B: "2"}), Text(False, {A: "1", B: "3"}), " 1  ?  ·"),
        (Fill(False, {A: "full", B: "full", C: ""}), Fill(False, {A: "full", C: ""}), " ■  ?  ·"),
        (
            Symbols(False, {centre(A): "star"}),
            Symbols(False, {centre(A): "star", centre(C): "star"}),
            " ★  ·  ?",
        ),
        (Diagonals(False, {A: True, B: False}), Diagonals(False, {A: True, B: True}), " ╲  ?  ·"),
        (
            Pieces(False, [Piece((A, B), "p", "region 1")]),
            Pieces(False, [Piece((B, C), "p", "region 1")]),
            " ?  ?  ?",
        ),
        (Paths(False, [Path((A, B))]), Paths(False, []), "?   ?   ·"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Layer) else "",
)
def test_what_differs_has_a_sign(one: Layer, other: Layer, line: str) -> None:
    (drawn,) = plain_text(
        text_lines([shared([Scene(CELLS, (one,)), Scene(CELLS, (other,))], {}, "?")])
    ).split("\n")
    assert drawn == line


def test_lines_and_borders_are_those_of_all() -> None:
    join = (centre(A), centre(B))
    scenes = [
        Scene(CELLS, (Lines(False, {join: 1, **more}), Borders(False, sides)))
        for more, sides in (
            ({}, frozenset({(2, 3), (2, 5)})),
            ({(centre(B), centre(C)): 1}, frozenset({(2, 3)})),
        )
    ]
    lines, borders = shared(scenes, {}, "?").layers
    assert isinstance(lines, Lines) and dict(lines.links) == {join: 1}
    assert isinstance(borders, Borders) and borders.sides == {(2, 3)}


def test_a_sign_stands_in_the_corner_of_a_cell_with_a_text() -> None:
    given = Text(True, {A: "5", B: "6"})
    scenes = [Scene(CELLS, (given, Fill(False, {A: tone}))) for tone in ("full", "")]
    assert shared(scenes, {C: "~"}, "?").layers[2:] == (
        Text(False, {C: "~"}),
        Text(False, {A: "?"}, corner=True),
    )
