"""Backends without a counter of their own list what they count, within the budget."""

import time
from pathlib import Path

import pytest

from puzzlekit.api import load
from puzzlekit.backends import BACKENDS, Budget
from puzzlekit.errors import Stopped
from puzzlekit.model import Cardinality, Constraint, Model, Origin, Variable
from tests.model.asking import search
from tests.model.drawn import solved
from tests.model.random_models import story


def board(wide: int, high: int) -> Model:
    """Rows and columns of which each has one or two of its cells chosen."""
    cells = {
        (row, column): Variable(f"r{row}c{column}") for row in range(high) for column in range(wide)
    }
    lines = [[v for (r, _), v in cells.items() if r == row] for row in range(high)]
    lines += [[v for (_, c), v in cells.items() if c == column] for column in range(wide)]
    rules = [Cardinality(tuple((v, True) for v in line), 1, 2) for line in lines]
    return Model(
        dict.fromkeys(cells.values(), (False, True)),
        tuple(Constraint(rule, Origin("line")) for rule in rules),
    )


@pytest.mark.parametrize("name", ["z3", "dlx"])
def test_the_count_is_that_of_plain_search(name: str) -> None:
    for model, solutions in solved(100):
        assert search(model, name).count() == len(solutions), story(model)


@pytest.mark.parametrize("name", ["z3", "dlx"])
def test_the_clock_stops_a_count(name: str) -> None:
    began = time.monotonic()
    with pytest.raises(Stopped, match="the time is up"):
        search(board(14, 14), name, Budget.of(0.6)).count()
    assert (
        0.5 < time.monotonic() - began < 0.6 + 10
    )  # it is to be one second, on a machine that does nothing else


def test_steps_stop_a_count() -> None:
    with pytest.raises(Stopped, match="the step budget is used up"):
        search(board(8, 8), "z3", Budget(steps=200)).count()


REPEATED = (
    "puzzle: repeated\nvariables:\n  flag[i]: bool for i in range(2)\nrules:\n"
    "  a run: runs(flag[(1, 0, 1)]) != [0]\n"
)
NOT_ALONE = (
    "puzzle: together\nlet:\n  b: board(3, 2)\nvariables:\n  shade[c]: bool for c in b.cells\n"
    "rules:\n  none alone: implies(shade[c], any(shade[d] for d in b.around(c))) for c in b.cells\n"
)


@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize(
    ("text", "number"), [(REPEATED, 3), (NOT_ALONE, 50)], ids=["repeated", "together"]
)
def test_counts_and_lists_agree(name: str, text: str, number: int, tmp_path: Path) -> None:
    """An unknown that is read twice, and a rule that is met already in one case but not in another
    with as much left open.
    """
    (tmp_path / "type.yaml").write_text(text)
    puzzle = load(str(tmp_path / "type.yaml"))
    assert (puzzle.count(name), len(list(puzzle.solve(name)))) == (number, number)
