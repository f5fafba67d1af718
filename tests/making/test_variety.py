"""Puzzles that differ: solutions that are spread, regions that lean nowhere, and each puzzle made
again by its `source`.
"""

import re
import shlex
from collections import Counter, defaultdict
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
import yaml

import puzzlekit
from puzzlekit.boards import SYMMETRIES, Cell, Grid, images
from puzzlekit.catalogue import find
from puzzlekit.errors import InputError
from puzzlekit.lang import making_of, read_type
from puzzlekit.lang.expressions.values import ExpressionError
from puzzlekit.lang.functions.divisions import cut, divided, paths, side_neighbours
from puzzlekit.making import base_puzzle
from puzzlekit.making.by_rules import puzzle_number
from puzzlekit.making.symmetric_clues import require_removable_clues
from puzzlekit.making.variety import ALIKE, Outline, outline_of
from puzzlekit.model import reachable
from tests.commands import called
from tests.making.test_make_section import drawing
from tests.making.test_making import TYPES
from tests.shipped import MADE, ROOT

SYMMETRIC = ("--symmetry", "rotate", "--seed", "1")


def outline(*facts: str, alternatives: int = 100) -> Outline:
    return Outline(frozenset((fact, None, True) for fact in facts), alternatives)


def test_the_similarity_is_the_share_beyond_chance() -> None:
    assert outline(*"abcd").similarity(outline(*"abcd")) == 1
    assert outline(*"abcd").similarity(outline(*"efgh")) == pytest.approx(-0.16 / 3.84)
    assert outline(*"abcd").similarity(outline(*"abef")) == pytest.approx(1.84 / 3.84)
    # half of eight unknowns are true, of which two are common by chance
    assert outline(*"abcd", alternatives=8).similarity(outline(*"abef", alternatives=8)) == 0
    assert outline(*"abcd", alternatives=8).similarity(outline(*"efgh", alternatives=8)) == -1


@pytest.mark.parametrize("kind", ["shikaku", "slitherlink"])
def test_solutions_of_twelve_seeds_are_spread(kind: str) -> None:
    outlines = []
    for seed in range(12):
        (puzzle,) = puzzlekit.generate(kind, seed=seed, size="6x6")
        (solution,) = puzzle.solve()
        outlines.append(outline_of(solution))
    similarities = [first.similarity(second) for first, second in combinations(outlines, 2)]
    alike = sum(similarity > ALIKE for similarity in similarities)
    assert alike <= len(similarities) * 0.05


def test_solutions_of_one_run_are_kept_apart() -> None:
    puzzles = puzzlekit.generate("tents", 12, seed=1, size="5x5")
    outlines = [outline_of(solution) for puzzle in puzzles for solution in puzzle.solve()]
    pairs = combinations(outlines, 2)
    assert max(first.similarity(second) for first, second in pairs) <= ALIKE


def test_the_source_of_a_puzzle_makes_this_puzzle(tmp_path: Path) -> None:
    options = ("--size", "4x4", "--count", "6", "--seed", "1", "--out", str(tmp_path))
    assert called("generate", "tents", *options).returncode == 0
    numbers = []
    for path in sorted(tmp_path.iterdir()):
        text = path.read_text("utf-8")
        source = yaml.safe_load(text)["source"]
        program, *words = shlex.split(source)
        assert program == "puzzlekit"
        numbers.append(words[words.index("--number") + 1] if "--number" in words else "1")
        again = tmp_path / "again"
        assert called(*words, "--out", str(again)).returncode == 0
        (copy,) = again.iterdir()
        assert copy.read_text("utf-8") == text
        copy.unlink()
        again.rmdir()
    assert numbers[0] == "1"
    assert len(numbers) == 6
    assert any("." in number for number in numbers)  # one that was too much like an earlier puzzle


@pytest.mark.parametrize("text", ["0", "7.0", "7.41", "x", "7.", "-1", "1.5.2"])
def test_a_number_of_a_puzzle_is_from_one(text: str) -> None:
    with pytest.raises(InputError, match="expected a number from 1"):
        puzzle_number(text)


def test_rectangles_lean_to_no_corner() -> None:
    cells = tuple(Cell(row, column) for row in range(1, 9) for column in range(1, 9))
    areas: dict[Cell, list[int]] = defaultdict(list)
    rectangles = one_wide = 0
    for seed in range(40):
        labels = cut(Random(seed), cells, 8)
        assert labels.keys() == {*cells}
        sizes = Counter(labels.values())
        for cell, label in labels.items():
            areas[cell].append(sizes[label])
        for label, size in sizes.items():
            members = [cell for cell in cells if labels[cell] == label]
            height = len({cell.row for cell in members})
            width = len({cell.column for cell in members})
            assert height * width == size <= 8
            rectangles += 1
            one_wide += min(height, width) == 1
    means = [sum(sizes) / len(sizes) for sizes in areas.values()]
    assert max(means) < 1.35 * min(means)
    assert one_wide < rectangles / 2


@pytest.mark.parametrize("size", [2, 4, 8, 16])
def test_a_board_is_divided_into_regions_of_one_size(size: int) -> None:
    board = tuple(Cell(row, column) for row in range(1, 9) for column in range(1, 9))
    divisions = [divided(Random(seed), board, size) for seed in range(5)]
    for labels in divisions:
        assert labels.keys() == {*board}
        assert {*Counter(labels.values()).values()} == {size}
        for label in {*labels.values()}:
            assert _is_connected({cell for cell in board if labels[cell] == label})
    assert len({str(labels) for labels in divisions}) == len(divisions)


def _is_connected(region: set[Cell]) -> bool:
    reached = reachable(min(region), lambda cell: region.intersection(side_neighbours(cell)))
    return reached == region


def test_paths_share_no_cell_and_fill_most_of_a_board() -> None:
    board = [Cell(row, column) for row in range(1, 9) for column in range(1, 9)]
    drawn = [paths(Random(seed), board, 2, 5) for seed in range(5)]
    for of_board in drawn:
        cells = [cell for path in of_board for cell in path]
        assert len(cells) == len({*cells}) > 50
        assert all(2 <= len(path) <= 5 for path in of_board)
        steps = [step for path in of_board for step in pairwise(path)]
        assert all(after in side_neighbours(before) for before, after in steps)
    assert len({*drawn}) == 5
    with pytest.raises(ExpressionError, match="expected a length from 3, got 2"):
        drawing().paths(Grid(dict.fromkeys(board)), 3, 2)


def test_the_cells_that_are_left_over_are_a_region() -> None:
    cells = tuple(Cell(1, column) for column in range(1, 8))
    assert sorted(Counter(divided(Random(1), cells, 3).values()).values()) == [1, 3, 3]


@pytest.mark.parametrize("symmetry", [*SYMMETRIES])
def test_clues_have_the_symmetry_that_is_wished(symmetry: str) -> None:
    (puzzle,) = puzzlekit.generate("sudoku", seed=1, size="4", symmetry=symmetry)
    givens = puzzle.instance.data["givens"]
    clues = {cell for cell in givens.cells if givens[cell] is not None}
    assert all(images(cell, 4, 4, symmetry) <= clues for cell in clues)


def test_a_board_that_is_not_square_has_no_diagonal() -> None:
    done = called("generate", "slitherlink", "--size", "4x5", "--symmetry", "four")
    assert done.returncode == 2
    assert "--symmetry four requires a square board" in done.stderr


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("tents", "all clues on the board of tents stay"),
        ("skyscrapers", "skyscrapers has no clues in the cells of a board"),
        ("star_battle", "star_battle has no clues in the cells of a board"),
    ],
)
def test_a_symmetry_that_would_change_nothing_is_refused(name: str, reason: str) -> None:
    done = called("generate", name, "--symmetry", "rotate", "--seed", "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--symmetry rotate: {reason}, so it would change nothing" in done.stderr


def test_the_types_for_which_symmetry_is_refused_are_documented() -> None:
    refused = []
    for name in sorted({*TYPES, *MADE}):
        type_ = read_type(find(name))
        base = base_puzzle(type_, SimpleNamespace(size=None, like=None, set=[]))
        try:
            require_removable_clues("rotate", type_, base.data, making_of(type_).keep_all)
        except InputError:
            refused.append(name)
    text = (ROOT / "docs" / "making.md").read_text("utf-8")
    section = text.partition("for which it is refused:\n")[2].partition("\n## ")[0]
    documented = [name for name in re.findall(r"\w+", section) if name in {*TYPES, *MADE}]
    assert sorted(documented) == refused


def test_rows_with_a_symmetry_that_would_change_nothing_are_refused(tmp_path: Path) -> None:
    done = called("generate", "tents", *SYMMETRIC, "--out", str(tmp_path / "rows.jsonl"))
    assert done.returncode == 2 and "--symmetry rotate: all clues" in done.stderr
    assert "= omit --symmetry\n" in done.stderr


def test_clues_that_all_stay_are_symmetric_with_minimal() -> None:
    done = called("generate", "hitori", "--size", "4", "--minimal", *SYMMETRIC)
    assert done.returncode == 0 and done.stderr == ""


def test_clues_without_a_partner_are_reported() -> None:
    done = called("generate", "nurikabe", "--size", "5", *SYMMETRIC)
    assert done.returncode == 0
    assert "clues have no partner by --symmetry rotate" in done.stderr
    assert called("generate", "akari", "--size", "5", *SYMMETRIC).stderr == ""


def test_a_type_says_the_symmetry_of_its_clues(tmp_path: Path) -> None:
    text = (ROOT / "puzzles" / "slitherlink.yaml").read_text("utf-8")
    wrong = tmp_path / "loops.yaml"
    wrong.write_text(text.replace("symmetry: rotate", "symmetry: round"), "utf-8")
    done = called("generate", str(wrong), "--size", "4x5", "--seed", "1")
    assert done.returncode == 2
    assert "expected none, rotate, mirror, flip, diagonal, four, full as symmetry, got round" in (
        done.stderr
    )


def test_a_board_with_holes_is_not_divided() -> None:
    cells = [Cell(1, 1), Cell(1, 2), Cell(2, 1)]
    with pytest.raises(ExpressionError, match="divided takes a board without holes"):
        drawing().divided(Grid(dict.fromkeys(cells)), 3)
