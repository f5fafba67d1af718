"""What stands below the picture of a puzzle alone."""

from typing import Any

import pytest

from puzzlekit import Problems, load
from puzzlekit.api.pictures import puzzle_parts, solution_parts
from puzzlekit.render.default_picture import fields_below, inferred, pictures_of
from puzzlekit.render.layout import plain_text, text_lines
from puzzlekit.scene import Group

TYPE = """
puzzle: fields
libraries: [words]
data:
  clues: grid[int | None]
  size: int = 2
  words: lexicon | None
  stars: int = 1
  crossing: bool = no
  moves: choice(king, rook) = king
  piece: {{type: shape, default: "##"}}
let:
  square: board(size, size)
variables:
  shaded[c]: bool for c in square.cells
rules:
  no number is shaded: not shaded[c] for c in clues.given
{show}
"""
SPEC = {
    "clues": "1 .\n. 2",
    "size": 2,
    "words": "english",
    "stars": 2,
    "crossing": True,
    "moves": "rook",
}


def below(show: str = "", **more: Any) -> list[str]:
    puzzle = load(TYPE.format(show=show), {**SPEC, **more})
    lines = plain_text(text_lines(puzzle_parts(puzzle.instance))).split("\n")
    return [line.strip() for line in lines[2:] if line.strip()]


PIECE = ["piece:", "┏━━━━━━┓", "┃      ┃", "┗━━━━━━┛"]


def test_what_only_switches_rules_or_is_drawn_is_not_printed() -> None:
    assert below() == ["stars: 2", *PIECE]


def test_a_lexicon_that_lists_its_words_is_printed() -> None:
    assert below(words=["cat", "dog"]) == ["words: cat dog", "stars: 2", *PIECE]


@pytest.mark.parametrize(
    ("stated", "lines"),
    [
        ("[]", []),
        ("", []),
        ("stars", ["stars: 2"]),
        ("[crossing, moves, words]", ["crossing: yes", "moves: rook"]),
        ("{all: size + stars, stars: stars}", ["all: 4", "stars: 2"]),
    ],
)
def test_a_type_says_what_is_printed(stated: str, lines: list[str]) -> None:
    show = f"show:\n  picture:\n    below: {stated}"
    assert below(show) == lines
    assert below(show.replace("below", "text: clues\n    below")) == lines


@pytest.mark.parametrize(
    ("over", "layers"), [("b.cells", ["shade", "text"]), ("b.having(None)", ["shade"])]
)
def test_marks_of_one_name_are_drawn_where_cells_with_them_have_unknowns(
    over: str, layers: list[str]
) -> None:
    text = (
        f'puzzle: p\ndata: {{b: "grid[choice(x) | None]"}}\n'
        f'variables: {{"v[c]": "bool for c in {over}"}}'
    )
    instance = load(text, {"b": ["x.", ".."]}).instance
    assert [layer.name for picture in pictures_of(instance) for layer in picture.layers] == layers


def test_a_picture_that_has_only_below_is_otherwise_inferred() -> None:
    instance = load(TYPE.format(show="show:\n  picture:\n    below: []"), SPEC).instance
    pictures = pictures_of(instance)
    assert [layer.name for picture in pictures for layer in picture.layers] == ["shade", "text"]
    assert [layer.name for picture in inferred(instance.type) for layer in picture.layers] == [
        "text"
    ]
    assert fields_below(instance.type, pictures) == ["words", "stars", "piece"]


def test_unknowns_cannot_stand_below_the_puzzle_alone() -> None:
    with pytest.raises(Problems, match="expected a value of the data for below, got unknowns"):
        below("show:\n  picture:\n    below: {shaded: shaded}")


def test_pieces_of_a_mapping_have_their_names() -> None:
    parts = puzzle_parts(load("pentominoes", "specs/pentominoes/8x8.yaml").instance)
    (group,) = [part for part in parts if isinstance(part, Group)]
    assert "".join(scene.title.text for scene in group.scenes) == "FILNPTUVWXYZ"
    assert {len(scene.cells) for scene in group.scenes} == {5}


def test_a_picture_that_is_alone_has_no_title() -> None:
    puzzle = load("waffle", "specs/waffle/first.yaml")
    assert "start" not in plain_text(text_lines(puzzle_parts(puzzle.instance)))
    assert "start" in plain_text(text_lines(solution_parts(next(puzzle.solve()))))


HEXAGONS = """
puzzle: hexagons
data:
  board: grid[int]
let:
  h: hexagons(board)
variables:
  x[c]: between(board[c], board[c]) for c in h.cells
show:
  x: {}
  twice: "{c: 2 * x[c] for c in h.cells}"
"""


def test_a_value_for_each_hexagon_is_drawn_on_hexagons() -> None:
    puzzle = load(HEXAGONS, {"board": "_ 1 2\n3 4 _"})
    solution = next(iter(puzzle.solve()))
    lines = plain_text(text_lines(solution_parts(solution))).split("\n")
    assert [line.rstrip() for line in lines if line.strip()] == [
        "  1   2",
        "3   4",
        "  twice:",
        "  2   4",
        "6   8",
    ]
