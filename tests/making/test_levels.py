"""Levels of puzzles that are made: the level is enough, and the level below is not."""

from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
import yaml

import puzzlekit
from puzzlekit.catalogue import find
from puzzlekit.lang import read_type
from puzzlekit.making import PuzzleNumber, RuleGenerator, Tools, base_puzzle, levels
from puzzlekit.making.leveller import Leveller
from puzzlekit.reasons import LEVELS, is_solved_at
from tests.commands import called
from tests.shipped import ROOT

CASES = ROOT.parent / "shared/cases/levels"
LEVEL_OF_CASE = {  # by the name of a puzzle of Simon Tatham's collection
    "sgt_slitherlink_easy": "easy",
    "sgt_sudoku_intermediate": "medium",
    "sgt_sudoku_extreme": "expert",
}


def generator(name: str, size: str, level: str | None, minimal: bool = False) -> RuleGenerator:
    type_ = read_type(find(name))
    options = SimpleNamespace(
        size=size, like=None, set=[], symmetry=None, density=None, minimal=minimal, level=None
    )
    options.level = levels(level) if level else None
    rules = RuleGenerator(base_puzzle(type_, options))
    rules.begin(options, Tools(type_, 1, lambda message: None))
    return rules


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "size", "level"),
    [
        ("sudoku", "6x6", "easy"),
        pytest.param("sudoku", "9x9", "hard", marks=pytest.mark.slow),
        ("slitherlink", "6x6", "medium"),
        ("slitherlink", "6x6", "hard"),
        ("akari", "7x7", "medium"),
        ("masyu", "6x6", "expert"),
        pytest.param("heyawake", "6x6", "hard", marks=pytest.mark.slow),
    ],
)
def test_a_level_solves_and_the_level_below_does_not(name: str, size: str, level: str) -> None:
    rules = generator(name, size, level)
    generated = rules.generated(PuzzleNumber(1))
    assert generated is not None and generated.rating is not None
    puzzle = puzzlekit.load(None, rules.spec(generated))
    solving = [each for each in LEVELS if puzzle.is_solved_at(each)]
    assert solving == list(LEVELS[LEVELS.index(level) :])
    assert generated.rating.level == level and puzzle.count() == 1


def test_without_a_level_clues_are_given_back_up_to_medium() -> None:
    minimal, eased = (
        generator("slitherlink", "7x7", None, is_minimal).generated(PuzzleNumber(1))
        for is_minimal in (True, False)
    )
    assert minimal is not None and eased is not None
    assert minimal.clues.items() < eased.clues.items()
    rules = generator("slitherlink", "7x7", None)
    hard, medium = (puzzlekit.load(None, rules.spec(each)) for each in (minimal, eased))
    assert medium.is_solved_at("medium") and not hard.is_solved_at("medium")


def test_what_a_board_with_some_clues_says_is_what_its_puzzle_says() -> None:
    """Trials go on from facts, on parts of one model; the puzzle is bound anew."""
    rules = generator("slitherlink", "6x6", None, True)
    candidate = rules.make(Random("levels"))
    assert candidate is not None and candidate.explainer is not None
    leveller = Leveller(candidate, lambda clues: rules.base.puzzle({}), Random(1))
    for level in LEVELS[:3]:
        clues = leveller.at_most(level)
        puzzle = rules.base.puzzle(candidate.with_clues(clues))
        explainer = candidate.explainer(clues)
        assert explainer is not None
        assert puzzle.is_solved_at(level) is is_solved_at(explainer, level)


def turned(rows: list[list[object]]) -> list[list[object]]:
    return [list(row) for row in zip(*rows[::-1])]


def test_a_candidate_has_other_sets_of_few_clues() -> None:
    rules = generator("sudoku", "4x4", None, True)
    candidate = rules.make(Random("again"))
    assert candidate is not None and candidate.again is not None
    second = candidate.again()
    assert second.clues != candidate.clues
    assert second.all_clues == candidate.all_clues
    assert second.clues.items() <= candidate.all_clues.items()
    assert rules.base.puzzle(second.with_clues(second.clues)).count() == 1


def test_more_clues_than_are_wished_make_no_puzzle_easier() -> None:
    rules = generator("slitherlink", "6x6", None, True)
    candidate = rules.make(Random("levels"))
    assert candidate is not None
    leveller = Leveller(candidate, lambda clues: rules.base.puzzle({}), Random(1))
    eased = leveller.at_most("easy")
    assert len(eased) > len(candidate.clues)
    leveller.random = Random(1)
    assert leveller.at_most("easy", len(eased)) == eased
    leveller.random = Random(1)
    assert leveller.at_most("easy", len(candidate.clues)) == candidate.clues


# where a single look ahead makes a puzzle medium, an image of it may be easy: docs/making.md
@pytest.mark.parametrize(
    ("name", "field", "number"), [("masyu", "pearls", 3), ("slitherlink", "clues", 1)]
)
def test_a_board_that_is_turned_has_the_same_level(name: str, field: str, number: int) -> None:
    rules = generator(name, "6x6", "medium")
    generated = rules.generated(PuzzleNumber(number))
    assert generated is not None
    puzzle = puzzlekit.load(None, rules.spec(generated))
    fields = dict(puzzle)
    for _ in range(4):
        fields[field] = turned(fields[field])
        assert puzzlekit.load(name, fields).rate().level == "medium"


@pytest.mark.parametrize("case", LEVEL_OF_CASE)
def test_puzzles_of_a_collection_have_its_levels(case: str) -> None:
    for path in CASES.glob(f"{case}*.yaml"):
        assert puzzlekit.load(None, Path(path)).rate().level == LEVEL_OF_CASE[case]


def test_levels_may_have_numbers_of_puzzles() -> None:
    options = ("slant", "--size", "5x5", "--seed", "1", "--count", "3", "--level", "easy:2,medium")
    done = called("generate", *options)
    specs = [yaml.safe_load(text) for text in done.stdout.split("---\n")]
    assert [spec["generated_by"]["level"] for spec in specs] == ["easy", "easy", "medium"]
    assert all("--level easy:2,medium" in spec["source"] for spec in specs)


@pytest.mark.parametrize("count", ["0", "x", "", "1000", "2:2"])
def test_a_number_of_puzzles_of_a_level_is_from_one(count: str) -> None:
    done = called("generate", "slant", "--level", f"easy:{count}")
    assert done.returncode == 2
    assert "expected a number of puzzles from 1 to 999" in done.stderr


@pytest.mark.parametrize("level", ["easy:2,easy", "easy,easy,easy", "easy:1,medium:2"])
def test_levels_say_how_many_puzzles_are_made(level: str) -> None:
    options = ("--size", "5x5", "--seed", "1", "--level", level)
    printed = called("generate", "slant", *options).stdout
    assert printed.count("puzzle: slant") == 3


def test_the_source_of_a_puzzle_of_several_levels_makes_just_that_puzzle() -> None:
    options = ("slant", "--size", "5x5", "--seed", "1", "--level", "easy,medium")
    specs = called("generate", *options).stdout.split("---\n")
    assert len(specs) == 2
    for spec in specs:
        words = yaml.safe_load(spec)["source"].split()
        assert yaml.safe_load(called(*words[1:]).stdout) == yaml.safe_load(spec)


def test_choices_are_looked_at_anew_when_cards_were_derived() -> None:
    """The seed of a puzzle whose difficulty ended in an IndexError."""
    done = called("generate", "battleships", "--size", "7x7", "--level", "hard", "--seed", "2")
    assert (done.returncode, done.stderr) == (0, "")


def test_the_sum_of_long_numbers_is_not_seen_at_a_look() -> None:
    rating = puzzlekit.load(None, ROOT / "specs/cryptarithm/send.yaml").rate()
    assert rating.level != "easy"
