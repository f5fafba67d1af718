"""What backends without a counter of their own count by cases: the same as they list, within the budget."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from puzzlekit.api import load
from puzzlekit.backends import BACKENDS, Budget
from puzzlekit.counting.by_cases import CaseCounter
from puzzlekit.errors import Stopped
from puzzlekit.limits import replaced
from puzzlekit.model import Cardinality, Constraint, Model, Origin, Variable
from puzzlekit.query import Kind, Query
from puzzlekit.solve.solver import solver
from tests.model.asking import search
from tests.model.drawn import solved
from tests.model.random_models import story, visible_solutions


def board(wide: int, high: int) -> Model:
    """Rows and columns of which each has one or two of its cells chosen."""
    cells = {(row, column): Variable(f"r{row}c{column}") for row in range(high) for column in range(wide)}
    lines = [[v for (r, _), v in cells.items() if r == row] for row in range(high)]
    lines += [[v for (_, c), v in cells.items() if c == column] for column in range(wide)]
    rules = [Cardinality(tuple((v, True) for v in line), 1, 2) for line in lines]
    return Model(dict.fromkeys(cells.values(), (False, True)), tuple(Constraint(rule, Origin("line")) for rule in rules))


@pytest.mark.parametrize("name", ["z3", "dlx"])
@pytest.mark.parametrize("few", [0, 2])
def test_the_count_is_that_of_plain_search(name: str, few: int) -> None:
    for model, solutions in solved(100):
        with replaced(tried_solutions=few), replaced(case_values=5):
            assert search(model, name).count() == len(solutions), story(model)


def test_more_is_counted_than_can_be_listed() -> None:
    model = board(4, 4)
    with replaced(tried_solutions=100):
        counts = {name: search(model, name).count() for name in ("exact-cover", "z3")}
    assert counts["z3"] == counts["exact-cover"] > 1_000


@pytest.mark.parametrize("name", ["z3", "dlx"])
def test_the_clock_stops_a_count_by_cases(name: str) -> None:
    began = time.monotonic()
    with pytest.raises(Stopped, match="the time is up"), replaced(tried_seconds=0.2):  # before it counts by cases
        search(board(14, 14), name, Budget.of(0.6)).count()
    assert 0.5 < time.monotonic() - began < 0.6 + 2  # it is to be one second, on a machine that does nothing else


@pytest.mark.parametrize("name", ["z3", "dlx"])
def test_steps_stop_a_count_by_cases(name: str) -> None:
    with pytest.raises(Stopped, match="the step budget is used up"):
        search(board(8, 8), name, Budget(steps=200)).count()


@pytest.mark.parametrize("name", ["z3", "dlx"])
@pytest.mark.parametrize(("seconds", "by_cases"), [(1_000.0, False), (0.0, True)])
def test_a_backend_that_dawdles_is_not_waited_for(
    name: str, seconds: float, by_cases: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A listing that takes too long is given up for cases; the budget has what the listing used."""
    made: list[CaseCounter] = []

    def counter(*arguments: Any) -> CaseCounter:
        made.append(CaseCounter(*arguments))
        return made[-1]

    monkeypatch.setattr("puzzlekit.solve.solver.CaseCounter", counter)
    budget = Budget(steps=100_000)
    with replaced(tried_seconds=seconds, tried_solutions=100_000):
        (found,) = solver(name).ask(board(3, 3), Query(Kind.COUNT), budget)
    assert found == len(visible_solutions(board(3, 3)))
    assert bool(made) == by_cases
    assert budget.steps is not None and budget.steps < 100_000


REPEATED = "puzzle: repeated\nvariables:\n  flag[i]: bool for i in range(2)\nrules:\n  a run: runs(flag[(1, 0, 1)]) != [0]\n"
NOT_ALONE = (
    "puzzle: together\nlet:\n  b: board(3, 2)\nvariables:\n  shade[c]: bool for c in b.cells\n"
    "rules:\n  none alone: implies(shade[c], any(shade[d] for d in b.around(c))) for c in b.cells\n"
)


@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize(("text", "number"), [(REPEATED, 3), (NOT_ALONE, 50)], ids=["repeated", "together"])
def test_counts_and_lists_agree(name: str, text: str, number: int, tmp_path: Path) -> None:
    """An unknown that is read twice, and a rule that is met already in one case but not in another with as much left open."""
    (tmp_path / "type.yaml").write_text(text)
    puzzle = load(str(tmp_path / "type.yaml"))
    assert (puzzle.count(name), len(list(puzzle.solve(name)))) == (number, number)
