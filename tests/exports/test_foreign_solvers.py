"""Each format is solved by another solver, and read back: solutions, goals,
and that there is none.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit import Puzzle
from puzzlekit.api.exporting import export
from puzzlekit.api.model_file import ReadBack, read_solution
from puzzlekit.exports import FORMATS, load_format
from puzzlekit.exports.file_format import Claim
from tests.exports.foreign import MINIZINC, SOLVERS

NONE = """
puzzle: none
variables: {x: 'between(1, 3)', y: 'between(1, 3)', z: 'between(1, 3)', w: 'between(1, 3)'}
rules: {different: 'all_different([x, y, z, w])', sums: 'x + y + z != w + 1'}
"""
GOAL = """
puzzle: knapsack
variables: {a: 'between(0, 3)', b: 'between(0, 3)', c: 'between(0, 3)'}
rules: {weight: '3 * a + 4 * b + 5 * c <= 13', some: 'a != b'}
goals: {worth: 'maximise(4 * a + 5 * b + 7 * c - 2)'}
"""
BEST = 16
CASES = [
    pytest.param(
        name,
        solver,
        id=f"{name}-{solver.__name__}",
        marks=() if name != "mzn" or MINIZINC else pytest.mark.skip("no MiniZinc"),
    )
    for name, (_, solvers) in SOLVERS.items()
    for solver in solvers
]


@cache
def shipped(spec: str) -> Puzzle:
    return puzzlekit.load(None, Path(__file__).parents[2] / "specs" / f"{spec}.yaml")


def solved(puzzle: Puzzle, name: str, solver: Callable[[Path], str], folder: Path) -> ReadBack:
    """What the solver found for the exported puzzle."""
    lines = str(export(puzzle, name)).splitlines()
    path = folder / f"model{SOLVERS[name][0]}"
    path.write_text("".join(f"{line}\n" for line in lines))
    return read_solution(lines, solver(path), puzzle)


def test_every_format_is_solved() -> None:
    assert SOLVERS.keys() == FORMATS.keys()


@pytest.mark.parametrize(("name", "solver"), CASES)
@pytest.mark.parametrize("spec", ["queens/n4", "simple_loop/tiny", "cryptarithm/two"])
def test_a_foreign_solution_is_read_back(
    name: str, solver: Callable[[Path], str], spec: str, tmp_path: Path
) -> None:
    found = solved(shipped(spec), name, solver, tmp_path)
    assert found.claim in (Claim.SOLUTION, Claim.OPTIMAL)
    (solution,) = found.solutions
    assert solution in [*shipped(spec).solve()]


@pytest.mark.parametrize(("name", "solver"), CASES)
def test_no_solution_is_read_back(name: str, solver: Callable[[Path], str], tmp_path: Path) -> None:
    found = solved(puzzlekit.load(NONE), name, solver, tmp_path)
    assert (found.claim, found.solutions) == (Claim.NONE, ())


@pytest.mark.parametrize(("name", "solver"), CASES)
def test_goals_are_optimised(name: str, solver: Callable[[Path], str], tmp_path: Path) -> None:
    found = solved(puzzlekit.load(GOAL), name, solver, tmp_path)
    assert len(found.solutions) == 1
    if load_format(name).goals:
        assert found.value == BEST
    else:
        assert found.goal is None


def test_the_best_value_is_that_of_our_own_backends() -> None:
    puzzle = puzzlekit.load(GOAL)
    run = puzzle.run(puzzlekit.Query(limit=1))
    assert (len(list(run)), run.value) == (1, BEST)
