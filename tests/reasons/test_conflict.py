"""Conflicts: what clashes has no solution, and nothing of it can be left out; where solutions differ, and what decides."""

import pytest
from understanding import changed

import puzzlekit
from puzzlekit.reasons.conflict import conflict
from puzzlekit.reasons.understanding import Understanding
from tests.shipped import SMALLEST, SPECS

SOME = ["sudoku/first", "slitherlink/tiny", "nurikabe/6x6", "akari/tiny", "heyawake/tiny", "hitori/tiny", "suguru/tiny"]


def check(name, seeds):
    puzzle = puzzlekit.load(None, SPECS[name])
    tried = [wrong for seed in seeds if (wrong := changed(puzzle, seed)) is not None]
    if not tried:
        pytest.skip("no changed clue leaves the puzzle without a solution")
    for wrong in tried:
        own = Understanding(wrong)
        selectors = own.conflicting(())
        assert selectors is not None
        assert not own.asking.possible(selectors)
        for left in selectors:
            assert own.asking.possible([one for one in selectors if one != left])
        found = conflict(own)
        assert found.solutions == "none"
        assert found.conflicts[0]


@pytest.mark.parametrize("name", SOME)
def test_a_conflict_is_minimal(name):
    check(name, range(2))


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALLEST)
def test_a_conflict_is_minimal_in_all_types(name):
    check(name, range(4))


def test_two_solutions_that_differ_little_and_what_decides():
    puzzle = puzzlekit.load("sudoku", {"box": "2x2", "givens": ["12..", "34..", "..43", "...."]})
    found = puzzle.conflict()
    assert found.solutions == "several" and found
    assert found.differences and all(one.index == other.index for one, other in found.differences)
    assert found.decides is not None
    row, column = found.decides.index
    givens = [list(row) for row in ("12..", "34..", "..43", "....")]
    givens[row - 1][column - 1] = str(found.decides.value)
    assert puzzlekit.load("sudoku", {"box": "2x2", "givens": ["".join(row) for row in givens]}).count() == 1


def test_one_solution_is_no_conflict():
    assert not puzzlekit.load(None, SPECS["sudoku/first"]).conflict()
