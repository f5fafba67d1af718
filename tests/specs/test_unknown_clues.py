"""`?` in a cell of a board: a clue that is there and not told."""

import re

import pytest

import puzzlekit
from puzzlekit import links
from puzzlekit.boards import Cell, Grid
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


# specs in which these counts differ with ? or . at a cell of a field
CELLS = {
    "araf": ("tiny", "clues", Cell(1, 1)),
    "battleships": ("untold", "given", Cell(1, 1)),
    "canal_view": ("tiny", "clues", Cell(1, 2)),
    "cave": ("tiny", "clues", Cell(1, 5)),
    "geradeweg": ("turn", "clues", Cell(1, 1)),
    "hakoiri_masashi": ("untold", "givens", Cell(1, 1)),
    "hashi": ("three", "islands", Cell(1, 1)),
    "koburin": ("tiny", "clues", Cell(1, 1)),
    "kuroshuto": ("unknown", "clues", Cell(1, 1)),
    "minesweeper": ("tiny", "clues", Cell(1, 1)),
    "nanro": ("tiny", "givens", Cell(1, 1)),
    "nawabari": ("tiny", "clues", Cell(1, 1)),
    "shugaku": ("tiny", "posts", Cell(1, 1)),
    "sukoro": ("untold", "givens", Cell(1, 1)),
    "tatamibari": ("tiny", "signs", Cell(1, 1)),
    "usoone": ("tiny", "clues", Cell(1, 1)),
}


def count(name: str, spec: str) -> int:
    return len(list(puzzlekit.load(str(TYPES[name]), spec).solve(limit=1000)))


@pytest.mark.parametrize("name", DIFFER)
def test_an_unknown_clue_and_an_empty_cell_differ(name: str) -> None:
    unknown, empty = DIFFER[name]
    assert count(name, unknown) != count(name, empty)


@pytest.mark.parametrize("name", CELLS)
def test_an_unknown_clue_and_an_empty_cell_of_a_spec_differ(name: str) -> None:
    stem, field, cell = CELLS[name]
    path = SPECS[f"{name}/{stem}"]
    board = puzzlekit.load(None, path).instance.data[field]
    counts = []
    for text in ("?", "."):
        rows = rows_of(board)
        rows[cell.row - 1][cell.column - 1] = text
        puzzle = puzzlekit.load(name, path, settings={field: rows})
        counts.append(len(list(puzzle.solve(limit=40))))
    assert counts[0] != counts[1]


def rows_of(board: Grid, blank: str = ".") -> list[list[str]]:
    """Return the texts of a board; `blank` for empty cells."""
    columns = range(1, board.width + 1)
    rows = [[Cell(row, column) for column in columns] for row in range(1, board.height + 1)]
    values = [[board.values.get(cell, "_") for cell in row] for row in rows]
    return [[blank if value is None else str(value) for value in row] for row in values]


def alike(name: str) -> list[str]:
    """Return the fields of a type for which it says that ? is an empty cell."""
    fields = read_type(TYPES[name]).fields.values()
    return [field.name for field in fields if field.unknown == "."]


ALIKE = [name for name in TYPES if alike(name)]


def test_so_many_types_have_unknown_clues() -> None:
    assert len(TYPES) >= 74
    assert len(DIFFER.keys() | CELLS.keys()) >= 31
    assert len(ALIKE) >= 40


@pytest.mark.parametrize("name", ALIKE)
def test_an_unknown_clue_that_says_nothing_is_an_empty_cell(name: str) -> None:
    path = next(path for spec, path in SPECS.items() if spec.split("/")[0] == name)
    puzzle = puzzlekit.load(None, path)
    for field in alike(name):
        board = puzzle.instance.data[field]
        texts = rows_of(board, blank="?")
        assert any("?" in row for row in texts) or name in ("hitori", "sudoku")
        again = puzzlekit.load(None, path, settings={field: texts})
        assert again.instance.data[field] == board


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
