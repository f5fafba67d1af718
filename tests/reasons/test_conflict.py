"""Conflicts: what clashes has no solution, and nothing of it can be left out;
where solutions differ, and what decides.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Any

import pytest
from conflicts import faults
from soundness import allowed
from understanding import changed

import puzzlekit
from puzzlekit.backends.hitting_sets import HittingSets
from puzzlekit.boards import Grid
from puzzlekit.errors import Stopped
from puzzlekit.lang import Instance
from puzzlekit.reasons.conflicts import conflict
from puzzlekit.reasons.explainer import Explainer
from tests.shipped import SMALLEST, SPECS

SOME = [
    "sudoku/first",
    "slitherlink/tiny",
    "nurikabe/6x6",
    "akari/tiny",
    "heyawake/tiny",
    "hitori/tiny",
    "suguru/tiny",
]


def check(name, seeds):
    puzzle = puzzlekit.load(None, SPECS[name])
    tried = [wrong for seed in seeds if (wrong := changed(puzzle, seed)) is not None]
    for wrong in tried:
        own = Explainer(wrong)
        turns, _ = own.mus(())
        conditions = [
            condition
            for one in own.selectors_of(turns)
            for condition in own.assumption_model.by_selector[one].conditions
        ]
        assert not allowed(own.assumption_model, conditions)  # by another backend
        for left in turns:
            assert own.solver.possible(own.selectors_of(one for one in turns if one != left))
        found = conflict(own)
        assert found.solutions == "none"
        assert found.conflicts[0]
    return len(tried)


@pytest.mark.parametrize("name", SOME)
def test_a_conflict_is_minimal(name):
    assert check(name, range(2)) == 2


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALLEST)
def test_a_conflict_is_minimal_in_all_types(name):
    if not check(name, range(4)):
        pytest.skip("no changed clue leaves the puzzle without a solution")


@pytest.mark.parametrize("name", ["sudoku/first", "heyawake/tiny", "akari/tiny"])
def test_a_conflict_is_a_smallest_one(name):
    wrong = changed(puzzlekit.load(None, SPECS[name]), 0)
    own = Explainer(wrong)
    turns, smallest = own.mus(())
    assert smallest and len(turns) <= 7
    if len(turns) == 3:  # no two clash
        assert all(
            own.solver.possible(own.selectors_of(pair)) for pair in combinations(own.turns, 2)
        )
    found = conflict(Explainer(wrong), 3)
    assert found.smallest and len(found.conflicts[0]) == min(map(len, found.conflicts)) == len(
        turns
    )


def test_two_solutions_that_differ_little_and_what_decides():
    puzzle = puzzlekit.load("sudoku", {"box": "2x2", "givens": ["12..", "34..", "..43", "...."]})
    found = puzzle.conflict()
    assert found.solutions == "several" and found
    assert found.differences and all(one.index == other.index for one, other in found.differences)
    (clue,) = found.decides
    row, column = clue.index
    givens = [list(row) for row in ("12..", "34..", "..43", "....")]
    givens[row - 1][column - 1] = str(clue.value)
    assert (
        puzzlekit.load("sudoku", {"box": "2x2", "givens": ["".join(row) for row in givens]}).count()
        == 1
    )


@pytest.mark.parametrize(
    "rows", [("12..", "34..", "....", "...."), ("1234", "....", "....", "....")]
)
def test_the_fewest_clues_that_decide(rows: tuple[str, ...]) -> None:
    puzzle = puzzlekit.load("sudoku", {"box": "2x2", "givens": list(rows)})
    clues = puzzle.conflict().decides
    assert len(clues) == 2
    givens = [list(row) for row in rows]
    for clue in clues:
        row, column = clue.index
        givens[row - 1][column - 1] = str(clue.value)
    decided = {"box": "2x2", "givens": ["".join(row) for row in givens]}
    assert puzzlekit.load("sudoku", decided).count() == 1
    counts = Counter[tuple[Any, Any]]()
    for solution in puzzle.solve():
        counts.update(solution.assignment.items())
    assert min(counts.values()) > 1  # no single clue decides


def test_a_conflict_is_told_where_there_is_no_time_for_a_smallest_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def smallest(self: HittingSets) -> list[int]:
        raise Stopped("the time is up")

    monkeypatch.setattr(HittingSets, "smallest", smallest)
    own = Explainer(changed(puzzlekit.load(None, SPECS["sudoku/first"]), 0))
    found = conflict(own)
    assert found.conflicts[0] and not found.smallest and not [*faults(own, found)]


def test_conflicts_that_were_found_are_told_where_there_is_no_time_for_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = Explainer.mus

    def conflicting(
        self: Explainer, literals: Sequence[int], without: Collection[int] = ()
    ) -> object:
        if without:
            raise Stopped("the time is up")
        return whole(self, literals, without)

    monkeypatch.setattr(Explainer, "mus", conflicting)
    wrong = changed(puzzlekit.load(None, SPECS["sudoku/first"]), 0)
    assert wrong is not None and len(conflict(Explainer(wrong), 3).conflicts) == 1


def test_marks_may_contradict_themselves_where_there_is_no_rule() -> None:
    puzzle = puzzlekit.load(
        {"puzzle": "free", "variables": {"x[n]": "between(1, 3) for n in [1, 2]"}}
    )
    found = puzzle.check({"not": {"x": {1: [1, 2, 3]}}})
    assert found.verdict == "dead_end" and not found.rules


def test_one_solution_is_no_conflict():
    assert not puzzlekit.load(None, SPECS["sudoku/first"]).conflict()


@pytest.mark.parametrize("name", ["country_road/tiny", "geradeweg/turn", "castle_wall/small"])
def test_each_rule_that_a_conflict_names_is_needed(name: str) -> None:
    wrong = next(
        made
        for seed in range(5)
        if (made := changed(puzzlekit.load(None, SPECS[name]), seed)) is not None
    )
    own = Explainer(wrong)
    assert not [*faults(own, conflict(own))]


@pytest.mark.parametrize(
    ("name", "field", "cell", "value"),
    [
        ("hidato/tiny", "givens", "r2c2", 2),  # acts through the values that cells may have
        ("nurikabe/6x6", "clues", "r4c4", 1),  # through a `let`
        ("dominosa/tiny", "numbers", "r2c5", 0),  # cannot be left out
    ],
)
def test_a_conflict_names_a_clue_that_no_rule_reads(
    name: str, field: str, cell: str, value: int
) -> None:
    puzzle = puzzlekit.load(None, SPECS[name])
    board = puzzle.instance.data[field]
    (place,) = [each for each in board.values if str(each) == cell]
    assert board.values[place] != value
    data = {**puzzle.instance.data, field: Grid({**board.values, place: value})}
    wrong = puzzlekit.Puzzle(puzzle.type, puzzle.spec, Instance(puzzle.type, data))
    reason = wrong.conflict()
    assert reason.solutions == "none"
    assert (field, place, value) in reason.clues
    assert f"{value} at {cell}" in reason.text.splitlines()[-1]
    assert {"field": field, "cell": cell, "value": str(value)} in reason.json()["clues"]
