"""`?` in a cell of a board: a clue that is there and not told."""

import re

import pytest

import puzzlekit
from puzzlekit import links
from puzzlekit.boards import Cell
from puzzlekit.errors import Problems
from puzzlekit.lang import PuzzleType, read_type, type_of_text
from puzzlekit.links.link_format import links_of
from tests.shipped import ROOT, SPECS

TYPES = {
    path.stem: path
    for path in sorted((ROOT / "puzzles").glob("*.yaml"))
    if re.search(r"unknown: |choice\([^)]*\?", path.read_text("utf-8"))
}
# specs in which a cell with ? and an empty one differ in their numbers of solutions
DIFFER = {
    "akari": ("walls: |\n  ?.\n", "walls: |\n  ..\n"),
    "bright_light": ("clues: |\n  ?.\n", "clues: |\n  ..\n"),
    "fuzuli": ("highest: 1\ngivens: |\n  ?.\n  ..\n", "highest: 1\ngivens: |\n  ..\n  ..\n"),
    "hanare_gumi": (
        "givens: |\n  ?.\nregions: |\n  AA\n",
        "givens: |\n  ..\nregions: |\n  AA\n",
    ),
    "kakkuru": ("sums: |\n  ?.\n", "sums: |\n  ..\n"),
    "kurotto": ("circles: |\n  ?.\n", "circles: |\n  ..\n"),
    "kuromasu": ("clues: |\n  ?.\n", "clues: |\n  ..\n"),
    "linesweeper": (
        "clues: |\n  ?..\n  ...\n  ...\n",
        "clues: |\n  ...\n  ...\n  ...\n",
    ),
    "number_ball": ("highest: 1\ngivens: |\n  ?.\n  ..\n", "highest: 1\ngivens: |\n  ..\n  ..\n"),
    "nurikabe": ("clues: |\n  ?.\n", "clues: |\n  ..\n"),
    "nurimisaki": ("capes: |\n  ?.\n  ..\n", "capes: |\n  ..\n  ..\n"),
    "putteria": (
        "givens: |\n  ?.\nregions: |\n  AA\n",
        "givens: |\n  ..\nregions: |\n  AA\n",
    ),
    "recto": ("clues: |\n  ?.\n", "clues: |\n  ..\n"),
    "shakashaka": ("walls: |\n  ?.\n  ..\n", "walls: |\n  ..\n  ..\n"),
    "shikaku": ("clues: |\n  ?.?\n", "clues: |\n  ?..\n"),
}


def count(name: str, spec: str) -> int:
    return len(list(puzzlekit.load(str(TYPES[name]), spec).solve(limit=1000)))


@pytest.mark.parametrize("name", DIFFER)
def test_an_unknown_clue_and_an_empty_cell_differ(name: str) -> None:
    unknown, empty = DIFFER[name]
    assert count(name, unknown) != count(name, empty)


def alike(name: str) -> list[str]:
    """Return the fields of a type for which it says that ? is an empty cell."""
    fields = read_type(TYPES[name]).fields.values()
    return [field.name for field in fields if field.unknown == "."]


ALIKE = [name for name in TYPES if alike(name)]


def test_so_many_types_have_unknown_clues() -> None:
    assert len(TYPES) >= 60
    assert len(ALIKE) >= 35


@pytest.mark.parametrize("name", ALIKE)
def test_an_unknown_clue_that_says_nothing_is_an_empty_cell(name: str) -> None:
    path = next(path for spec, path in SPECS.items() if spec.split("/")[0] == name)
    puzzle = puzzlekit.load(None, path)
    for field in alike(name):
        board = puzzle.instance.data[field]
        columns = range(1, board.width + 1)
        rows = [[Cell(row, column) for column in columns] for row in range(1, board.height + 1)]
        texts = [[text_of(board.values.get(cell, "_")) for cell in row] for row in rows]
        assert any("?" in row for row in texts) or name in ("hitori", "sudoku")
        again = puzzlekit.load(None, path, settings={field: texts})
        assert again.instance.data[field] == board


def text_of(value: object) -> str:
    return "?" if value is None else str(value)


TYPE = """
puzzle: p
data: {{clues: {{type: "{}", unknown: {}}}}}
variables: {{"x[c]": bool for c in clues.cells}}
rules: {{all: "all(x[c] for c in clues.given)"}}
"""


def made(type_text: str, unknown: str) -> PuzzleType:
    return type_of_text("<type>", TYPE.format(type_text, unknown))


@pytest.mark.parametrize(
    ("type_text", "unknown", "message"),
    [
        ("list[int | None]", ".", "only a board has cells with"),
        ("grid[int]", ".", "not a whole number"),
        ("grid[int | None]", "x", "not a whole number"),
    ],
)
def test_what_a_type_may_not_say(type_text: str, unknown: str, message: str) -> None:
    with pytest.raises(Problems, match=message):
        made(type_text, unknown)


@pytest.mark.parametrize(
    ("name", "link"), [("heyawake", "2/2/00."), ("slant", "1/1/.g"), ("akari", "2/2/.h")]
)
def test_links_have_unknown_clues(name: str, link: str) -> None:
    type_ = read_type(TYPES[name])
    link_format = links_of(type_).puzzlink
    assert link_format is not None
    site = next(iter(link_format.names))
    assert links.read_one(f"https://puzz.link/p?{site}/{link}").type == name
