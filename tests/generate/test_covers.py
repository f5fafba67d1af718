"""Boards that words tile in one way: what is made, that it comes again, and what cannot be made."""

from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import puzzlekit
from puzzlekit.api.checks import unmet
from puzzlekit.boards import board
from puzzlekit.cli.generation import parser_of
from puzzlekit.libraries.words import load
from puzzlekit.making.generators import Tools, load_generator
from tests.commands import started
from tests.generate.test_generate import generate as run_generator

generate = partial(run_generator, kind="sanalouhos")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("arguments", "rows", "columns", "words"),
    [
        (("--count", "2"), 6, 5, 5),
        (
            ("--size", "4x4", "--moves", "rook", "--lexicon", "english", "--words-wanted", "3"),
            4,
            4,
            3,
        ),
        (
            ("--size", "5x6", "--words-wanted", "6", "--lexicon", "english", "--common", "2000"),
            5,
            6,
            6,
        ),
        (("--size", "3x4", "--shortest", "3", "--words-wanted", "4"), 3, 4, 4),
    ],
)
def test_boards_have_one_cover_of_the_words_asked_for(
    arguments: tuple[str, ...], rows: int, columns: int, words: int, tmp_path: Path
) -> None:
    done = generate("--seed", "5", "--out", str(tmp_path), *arguments)
    assert done.returncode == 0, done.stderr
    files = sorted(tmp_path.iterdir())
    assert len(files) == (2 if "--count" in arguments else 1)
    for file in files:
        puzzle = puzzlekit.load("sanalouhos", file)
        assert unmet(puzzle) == []
        assert puzzle.count("sat") == 1
        (solution,) = puzzle.solve()
        assert len(solution["use"]) == words
        letters = puzzle.instance.data["letters"]
        assert (len(letters.rows), len(letters.columns)) == (rows, columns)


@pytest.mark.slow
def test_the_same_seed_makes_the_same_whatever_the_hashes() -> None:
    command = ("generate", "sanalouhos", "--seed", "9", "--count", "2", "--size", "5x5")
    made = [started(*command, PYTHONHASHSEED=seed).stdout for seed in ("1", "2")]
    assert made[0] == made[1]
    assert made[0].count("puzzle: sanalouhos") == 2
    assert generate("--seed", "10", "--count", "2", "--size", "5x5").stdout != made[0]


@pytest.mark.parametrize("moves", ["king", "rook"])
@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (6, 5), (3, 7)])
def test_a_walk_meets_every_cell_once(rows: int, columns: int, moves: str) -> None:
    generator: Any = load_generator("sanalouhos")[0]
    grid = board(rows, columns)
    near = grid.around if moves == "king" else grid.neighbours
    walks = [generator.random_walk(rows, columns, moves, Random(seed)) for seed in range(20)]
    for walk in walks:
        assert sorted(walk) == list(grid.cells)
        assert all(other in near(cell) for cell, other in pairwise(walk))
    assert len(set(map(tuple, walks))) > 1


@pytest.mark.slow
def test_words_are_exchanged_until_few_can_be_traced() -> None:
    module: Any
    module, kind = load_generator("sanalouhos")
    given = ["--size", "8x8", "--lexicon", "english", "--common", "3000", "--words-wanted", "11"]
    maker = module._BoardGenerator(
        parser_of("sanalouhos", module, False).parse_args(given), Tools(kind, 1, print)
    )
    paths = maker._paths(Random(1))
    words = maker._sparse(paths, Random(1))
    assert list(map(len, words)) == list(map(len, paths)) and all(
        word in maker.words[len(word)] for word in words
    )
    drawn = [maker._drawn(len(path), Random(1)) for path in paths]
    assert maker._tiles(paths, words) <= module.TILES * 64 < maker._tiles(paths, drawn)


@pytest.mark.slow
def test_a_large_board_of_short_words_is_found(tmp_path: Path) -> None:
    arguments = [
        "--size",
        "10x10",
        "--words-wanted",
        "17",
        "--lexicon",
        "english",
        "--common",
        "3000",
        "--seed",
        "1",
    ]
    done = generate(*arguments, "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    (file,) = tmp_path.iterdir()
    assert unmet(puzzlekit.load("sanalouhos", file)) == []


def test_boards_whose_words_and_paths_are_unique(tmp_path: Path) -> None:
    """Seed 4 has a board with *lumi*, *limu* and *muli* on the same cells,
    unless paths must be unique.
    """
    for unique in ("cells", "paths"):
        done = generate(
            "--seed", "4", "--count", "5", "--unique", unique, "--out", str(tmp_path / unique)
        )
        assert done.returncode == 0, done.stderr
    ambiguous = dict.fromkeys(("cells", "paths"), 0)
    for unique in ambiguous:
        for file in sorted((tmp_path / unique).iterdir()):
            letters = puzzlekit.load("sanalouhos", file).instance.data["letters"]
            (solution,) = puzzlekit.load("sanalouhos", file).solve()
            for tile in solution["use"]:
                paths = all_paths(letters, set(tile["cells"]))
                spelled = ["".join(letters.values[cell] for cell in path) for path in paths]
                ambiguous[unique] += sum(word in load("finnish") for word in spelled) > 1
    assert ambiguous["paths"] == 0 < ambiguous["cells"]


def all_paths(letters: Any, cells: set[str]) -> list[list[Any]]:
    """All ways through all of these cells, by trying every next neighbour."""
    own = [cell for cell in letters.cells if str(cell) in cells]
    paths = [[cell] for cell in own]
    for _ in own[1:]:
        near = lambda a, b: max(abs(a.row - b.row), abs(a.column - b.column)) == 1  # noqa: E731
        paths = [
            [*path, cell]
            for path in paths
            for cell in own
            if cell not in path and near(path[-1], cell)
        ]
    return paths
