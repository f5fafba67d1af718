"""Conditions of more unknowns than an array may have axes."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from puzzlekit.api import load
from puzzlekit.backends import BACKENDS
from puzzlekit.model import Comparison, Constant, Constraint, Model, Origin, Variable
from puzzlekit.model.formatting import term_text
from puzzlekit.presolve import Inconsistent, presolve, substitute
from puzzlekit.presolve.vector_eval import every_combination
from tests.presolve.test_literals import SIX, on_literals, on_pairs

TYPE = """
puzzle: parity
variables:
  x[i]: "(1,) if i < {single} else (1, 2, 3) for i in range({all})"
rules:
  odd: sum(x) % 2 == 1
"""


@pytest.mark.parametrize("backend", ["auto", *BACKENDS])
def test_most_of_forty_unknowns_have_one_value(backend: str, tmp_path: Path) -> None:
    """The array of all combinations had an axis for each, and numpy takes 32."""
    path = tmp_path / "parity.yaml"
    path.write_text(TYPE.format(single=37, all=40), encoding="utf-8")
    wanted = sum((37 + a + b + c) % 2 for a in (1, 2, 3) for b in (1, 2, 3) for c in (1, 2, 3))
    assert load(str(path)).count(backend) == wanted


def test_combinations_are_those_of_a_grid() -> None:
    axes = [np.arange(2), np.array([5]), np.arange(3), np.arange(2)]
    grid = [axis.ravel().tolist() for axis in np.meshgrid(*axes, indexing="ij")]
    assert [column.tolist() for column in every_combination(axes)] == grid
    assert [len(column) for column in every_combination([*axes, np.arange(0)])] == [0] * 5
    assert every_combination([]) == []
    assert {
        len(column) for column in every_combination([np.array([1])] * 100 + [np.arange(4)])
    } == {4}


@pytest.mark.parametrize("seed", range(40))
def test_a_table_that_conditions_share_says_what_one_of_each_says(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)
    variables = [Variable(name) for name in "uvwxyz"]
    dice = random.choice([on_literals, on_pairs])
    # shifted copies of one condition, over unknowns some of which have lost values
    sample = dice(random, variables[:3])
    constraints = [Constraint(sample, Origin("0"))]
    for shift in range(1, 4):
        moved = dict(zip(variables[:3], variables[shift:]))
        constraints.append(Constraint(substitute(sample, moved), Origin(str(shift))))
    domains = {each: tuple(sorted(random.sample(range(6), 5))) for each in variables}
    domains = dict.fromkeys(variables, SIX) if seed % 2 else domains
    constraints.append(Constraint(Comparison("<", variables[0], Constant(3)), Origin("less")))
    model = Model(domains, tuple(constraints))
    together = _told(model)
    monkeypatch.setattr("puzzlekit.presolve.state.SHARED_COMBINATIONS", 0)
    assert _told(model) == together


def _told(model: Model) -> object:
    try:
        small = presolve(model)
    except Inconsistent as conflict:
        return str(conflict)
    return small.domains, sorted(term_text(each.condition) for each in small.constraints)
