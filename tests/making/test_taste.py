"""What types prefer among their puzzles: `prefer` of `make`."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

import puzzlekit
from puzzlekit.boards import Cell
from puzzlekit.catalogue import find
from puzzlekit.lang import making_of, read_type
from puzzlekit.lang.type_reader import type_of_text
from puzzlekit.making.quality import quality, symmetries
from puzzlekit.making.taste import Taste
from tests.commands import called
from tests.making.test_make_section import TOTALS
from tests.shipped import ROOT

COUNTS = """
puzzle: counts
data: {clues: "grid[int | None]"}
let: {corners: "[c for c in clues.cells if len(clues.neighbours(c)) == 2]"}
variables:
  black[c]: bool for c in clues.cells
rules:
  a number counts: sum(black[clues.neighbours(c)]) + black[c] == clues[c] for c in clues.numbers
make:
  size: 4x4
"""
PREFER = """\
  prefer:
    avoid:
      corners: clues[c] != None for c in corners
      zeros: 2 * (clues[c] == 0) for c in clues.numbers
    want: {many clues: len(clues.given)}
"""


def taste_of(text: str) -> Taste:
    return Taste(making_of(type_of_text("counts.yaml", text)).prefer, Random(1))


def test_flaws_have_cells_and_weights() -> None:
    puzzle = puzzlekit.load(COUNTS, {"clues": ["0.", ".2"]})
    taste = taste_of(COUNTS + PREFER)
    flaws = [(flaw.cells, flaw.weight) for flaw in taste.flaws(puzzle.instance.data)]
    first, last = frozenset([Cell(1, 1)]), frozenset([Cell(2, 2)])
    assert flaws == [(first, 1), (last, 1), (first, 2)]
    assert taste.score(puzzle.instance.data) == 2 - 4
    assert taste_of(COUNTS).score(puzzle.instance.data) == 0


def test_quality_has_the_taste_of_a_puzzle() -> None:
    spec = {"clues": ["0...", "....", ".3..", "...3"]}
    assert quality(puzzlekit.load("slitherlink", spec), 60)["taste"] == -1
    spec = {"clues": ["00..", "....", ".3..", "...3"]}
    assert quality(puzzlekit.load("slitherlink", spec), 60)["taste"] == -3
    assert (
        quality(puzzlekit.load("sudoku", {"box": [2, 2], "givens": ["1...", *["...."] * 3]}), 1)[
            "taste"
        ]
        is None
    )


@pytest.mark.parametrize(
    ("prefer", "message"),
    [
        ("  prefer: {hate: {a: 1}}\n", "counts.yaml:10:12: prefer has no key hate"),
        ("  prefer: 5\n", "counts.yaml:10:11: expected prefer to be a mapping, got text"),
        ("  prefer: {avoid: {a: nothing_here}}\n", "counts.yaml:10:23: nothing_here is not known"),
        ("  prefer: {avoid: {a: black}}\n", "black is not known here"),
    ],
)
def test_what_is_wrong_in_prefer_is_told_with_its_line(
    prefer: str, message: str, tmp_path: Path
) -> None:
    file = tmp_path / "counts.yaml"
    file.write_text(COUNTS.lstrip() + prefer, encoding="utf-8")
    for command in ("check", "generate"):
        done = called(command, str(file))
        assert done.returncode != 0
        assert message in done.stderr


def test_a_preference_that_is_no_condition_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "counts.yaml"
    file.write_text(f"{COUNTS.lstrip()}  prefer: {{avoid: {{a: clues}}}}\n", encoding="utf-8")
    done = called("generate", str(file), "--seed", "1")
    assert done.returncode == 2
    assert done.stderr.startswith(f"{file}:10:23: expected a condition or a number, got a board")


def test_clues_that_make_flaws_go_first(tmp_path: Path) -> None:
    corners = [Cell(1, 1), Cell(1, 4), Cell(4, 1), Cell(4, 4)]
    in_corners = []
    for text in (COUNTS, COUNTS + PREFER):
        file = tmp_path / "counts.yaml"
        file.write_text(text, encoding="utf-8")
        puzzles = puzzlekit.generate(file, 10, seed=1)
        boards = [puzzle.instance.data["clues"] for puzzle in puzzles]
        in_corners.append(sum(board[c] is not None for board in boards for c in corners))
    assert in_corners[1] < in_corners[0]


def test_a_type_wants_clues(tmp_path: Path) -> None:
    file = tmp_path / "counts.yaml"
    means = []
    for key in ("avoid", "want"):
        expression = "clues[c] != None for c in clues.rows[0]"
        prefer = f"  prefer:\n    {key}:\n      the first row: {expression}\n"
        file.write_text(COUNTS + prefer, encoding="utf-8")
        boards = [puzzle.instance.data["clues"] for puzzle in puzzlekit.generate(file, 10, seed=1)]
        means.append(sum(board[c] is not None for board in boards for c in board.rows[0]))
    assert means[0] < means[1]


def test_a_loop_has_few_zeros_and_none_side_by_side() -> None:
    puzzles = list(puzzlekit.generate("slitherlink", 6, seed=1, size="8x8"))
    zeros = [list(puzzle["clues"]) for puzzle in puzzles]
    assert sum(str(rows).count("0") for rows in zeros) <= 4 * len(puzzles)
    scores = [quality(puzzle, 0)["taste"] for puzzle in puzzles]
    assert sum(scores) >= -len(puzzles)


def test_the_best_of_several_layouts_is_taken(tmp_path: Path) -> None:
    text = (ROOT / "puzzles" / "akari.yaml").read_text("utf-8")
    start = text.index("  prefer:")
    careless = tmp_path / "akari.yaml"
    careless.write_text(text[:start] + text[text.index("\n\n", start) :], "utf-8")
    preferences = making_of(read_type(find("akari"))).prefer
    scores = []
    for type_ in (careless, "akari"):
        boards = puzzlekit.generate(type_, 6, seed=1, size="6x6")
        of_boards = [Taste(preferences, Random(1)).score(board.instance.data) for board in boards]
        scores.append(sum(of_boards))
    assert scores[0] < scores[1] <= 0


def test_a_search_of_designs_avoids_flaws(tmp_path: Path) -> None:
    totals = []
    for prefer in ("", "  prefer: {avoid: {a large total: 3 * total}}\n"):
        file = tmp_path / "totals.yaml"
        file.write_text(TOTALS + prefer, "utf-8")
        puzzles = [next(puzzlekit.generate(file, seed=seed)) for seed in range(8)]
        totals.append(sum(puzzle["total"] for puzzle in puzzles))
    assert totals[1] < totals[0]


def test_clues_that_a_type_keeps_stay(tmp_path: Path) -> None:
    file = tmp_path / "counts.yaml"
    file.write_text(COUNTS + "  keep: {clues: 'clues.rows[0]'}\n", encoding="utf-8")
    for minimal in (False, True):
        puzzles = puzzlekit.generate(file, 6, seed=1, minimal=minimal)
        boards = [puzzle.instance.data["clues"] for puzzle in puzzles]
        stay = all(board[cell] is not None for board in boards for cell in board.rows[0])
        assert stay


def test_a_hidato_has_its_first_and_last_number_and_is_turned() -> None:
    for puzzle in puzzlekit.generate("hidato", 2, seed=1, size="4x4"):
        givens = puzzle.instance.data["givens"]
        assert {1, 16} <= {givens[cell] for cell in givens.given}
        assert "rotate" in symmetries(givens.given, givens.cells)


def test_a_futoshiki_has_signs_and_few_numbers() -> None:
    for puzzle in puzzlekit.generate("futoshiki", 4, seed=1, size="5x5"):
        assert len(puzzle["signs"]) == 10
        assert len(puzzle.instance.data["givens"].given) <= 6


def test_cages_of_a_kenken_are_small_and_rarely_single_cells() -> None:
    sizes = Counter[int]()
    for puzzle in puzzlekit.generate("kenken", 4, seed=1, size="6x6"):
        sizes.update(map(len, puzzle.instance.data["cages"].regions))
    assert max(sizes) <= 5
    assert sizes[1] <= 8


def test_black_cells_are_no_clues_of_a_crossword() -> None:
    (puzzle,) = puzzlekit.generate("crossword", seed=1, number="9")
    board = puzzle.instance.data["board"]
    assert all(board[cell] == "#" for cell in board.given)


def test_regions_of_a_suguru_have_several_cells() -> None:
    for puzzle in puzzlekit.generate("suguru", 3, seed=1, size="6x6"):
        regions = puzzle.instance.data["regions"]
        assert min(Counter(regions.values.values()).values()) > 1


def test_black_cells_of_a_kurotto_are_in_several_groups() -> None:
    for puzzle in puzzlekit.generate("kurotto", 3, seed=1):
        circles = puzzle.instance.data["circles"]
        numbers = [circles[cell] for cell in circles.numbers]
        assert numbers.count(0) <= 3 and max(numbers) < 12
