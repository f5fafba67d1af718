"""Conditions of more unknowns than an array may have axes."""

from pathlib import Path

import numpy as np
import pytest

from puzzlekit.api import load
from puzzlekit.backends import BACKENDS
from puzzlekit.presolve.vector_eval import every_combination

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
