"""Where the solutions of a puzzle differ, beside the list of all solutions."""

import pytest

import puzzlekit
from puzzlekit import Query
from puzzlekit.backends.incremental_solver import ConflictBudgetExceeded
from puzzlekit.making import alternatives
from puzzlekit.making.alternatives import Alternatives, UnknownKey

FREE = "puzzle: free\nvariables: {a: bool, b: bool, n: 'between(1, 3)'}\nrules: {r: n > 1}\n"
SUDOKU = "puzzle: sudoku\nbox: 2x2\ngivens: [1..., .2.., ..3., ....]\n"
LOOPS = "puzzle: slitherlink\nclues: [..., .2., ...]\n"
WALLS = "puzzle: nurikabe\nclues: [.3.., ...., ...., 4...]\n"


def listed(puzzle: puzzlekit.Puzzle) -> list[dict[UnknownKey, object]]:
    """All solutions, as values of places."""
    families = puzzle.instance.families
    names = [unknowns.name for unknowns in puzzle.type.unknowns if not unknowns.auxiliary]
    places = {
        (name, key): variable for name in names for key, variable in families[name].members.items()
    }
    return [
        {at: one.assignment[v] for at, v in places.items()}
        for one in puzzle.run(Query(limit=5_000, ordered=False))
    ]


@pytest.mark.parametrize("text", [SUDOKU, LOOPS, WALLS])
def test_differences_are_those_of_all_solutions(text: str) -> None:
    puzzle = puzzlekit.load(None, text)
    solutions = listed(puzzle)
    found = Alternatives(puzzle)
    assert found.solution in solutions and len(solutions) < 5_000
    assert set().union(*found.differences()) == {
        at for at in solutions[0] if len({one[at] for one in solutions}) > 1
    }


def test_an_unknown_that_no_rule_is_about_differs() -> None:
    puzzle = puzzlekit.load(FREE, "puzzle: free\n")
    assert {name for name, _ in set().union(*Alternatives(puzzle).differences())} == {"a", "b", "n"}


def test_a_puzzle_without_a_solution_has_none() -> None:
    assert (
        Alternatives(
            puzzlekit.load(None, "puzzle: sudoku\nbox: 2x2\ngivens: [11.., ...., ...., ....]\n")
        ).solution
        is None
    )


def test_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alternatives, "WORK", 0)
    with pytest.raises(ConflictBudgetExceeded):
        list(Alternatives(puzzlekit.load("yin_yang", {"stones": ["......"] * 6})).differences())
