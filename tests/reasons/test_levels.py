"""Levels beside those of Simon Tatham's collection, and the patterns on which they rest."""

from pathlib import Path

import pytest

import puzzlekit
from puzzlekit.reasons import LEVELS
from puzzlekit.reasons.deductions import Pattern

# a type, the level that agrees with that of the collection, and its game ID
LINES = Path(__file__).with_name("graded.txt").read_text().splitlines()
GRADED = [line.split(maxsplit=2) for line in LINES]

PLACES = (Pattern.HIDDEN_SINGLE, Pattern.LAST_PLACE)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("name", "level", "game_id"), GRADED)
def test_a_puzzle_of_a_collection_has_its_level(name: str, level: str, game_id: str) -> None:
    puzzle = puzzlekit.load(name, game_id)
    assert puzzle.is_solved_at(level)
    below = LEVELS[: LEVELS.index(level)]
    assert not any(map(puzzle.is_solved_at, below))


def graded(name: str, level: str) -> puzzlekit.Puzzle:
    """Return the first of the puzzles of a type with a level."""
    (game_id, *_) = (line[2] for line in GRADED if line[:2] == [name, level])
    return puzzlekit.load(name, game_id)


def texts(puzzle: puzzlekit.Puzzle, pattern: str) -> list[str]:
    return [str(step) for step in puzzle.explain() if step.pattern.text == pattern]


def test_a_line_is_looked_at_with_the_vertices_in_it() -> None:
    """A cell that the track must visit has just two ways out."""
    steps = texts(graded("tracks", "easy"), "one rule")
    assert any("the line neither ends nor forks" in step for step in steps)


def test_counts_of_all_values_but_one_give_that_of_the_last() -> None:
    """Three plus and three minus poles in a row of eight leave two neutral cells."""
    steps = texts(graded("magnets", "easy"), "no other place")
    assert any(" X" in step for step in steps)


def test_a_clue_says_at_a_look_what_needs_no_marks() -> None:
    easy, medium = (graded("skyscrapers", level) for level in ("easy", "medium"))
    assert easy.rate().patterns.keys() == {Pattern.ONE_RULE, *PLACES}
    assert Pattern.WIDE_RULE in medium.rate().patterns


def test_a_set_of_values_is_seen_before_their_order() -> None:
    """40 in three cells is 2, 4 and 5, which is easy; where each of them stands, is not."""
    assert texts(graded("kenken", "easy"), "small sum")
    assert texts(graded("kenken", "medium"), "only combination")


LOOP = "8x8t0:a2222g2a22b231212a3d2a3c201b032a23d1212a2g"


def test_a_loop_does_not_close_before_all_clues_have_their_lines() -> None:
    steps = texts(puzzlekit.load("slitherlink", LOOP), "small loop")
    assert any("the loop is closed" in step for step in steps)


def test_a_step_is_as_hard_as_what_excludes_places_for_it() -> None:
    """That a domino has no place is not a step, but told with the one that rests on it."""
    rating = graded("dominosa", "hard").rate()
    assert rating.level == "hard"
    assert rating.patterns.keys() >= {Pattern.SHORT_CHAIN, Pattern.LAST_CHANCE}
