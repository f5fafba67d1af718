"""Patterns that assume that a puzzle has one solution."""

from __future__ import annotations

from typing import Any

import pytest

import puzzlekit
from puzzlekit import InputError
from puzzlekit.reasons import ExplainedStep

# By the type of the unique rectangle that it needs beside easier patterns.
GIVENS = {
    1: "8.......2 .....5.43 3.7.2..9. .3.29.... 7...4...6 ....83.1. .9..6.3.8 27.8..... 5.......4",
    4: ".6...8... 3.425...1 .1..7.... ...5....7 74..2..59 6....4... ....4..1. 2...159.4 ...3...6.",
}
EXCHANGE = "could be exchanged in {}, and there would be a second solution (unique rectangle)"


def assumptions(spec: dict[str, Any]) -> list[ExplainedStep]:
    """Return the steps of a sudoku that assume one solution; all steps lead to the solution."""
    puzzle = puzzlekit.load("sudoku", spec)
    explanation = puzzle.explain(assume_unique=True)
    steps = list(explanation)
    by_rules = puzzle.explain()
    assert [step.number for step in by_rules] and by_rules.values() == explanation.values()
    return [step for step in steps if step.assumes_unique]


@pytest.mark.parametrize(
    ("number", "struck", "corners"),
    [
        (1, "R1c4 is not 1 or 3", "r1c4, r1c5, r9c4 and r9c5"),
        (4, "R7c7 and r9c7 are not 2", "r7c6, r7c7, r9c6 and r9c7"),
    ],
)
def test_a_unique_rectangle_is_told(number: int, struck: str, corners: str) -> None:
    givens = GIVENS[number].split()
    (step,) = assumptions({"givens": givens})
    assert step.text.lower().startswith(struck.lower())
    assert EXCHANGE.format(corners) in step.text
    assert step.json()["assumes_unique"] and step.level == "hard"


def test_without_the_assumption_no_step_needs_it() -> None:
    for givens in GIVENS.values():
        steps = puzzlekit.load("sudoku", {"givens": givens.split()}).explain()
        assert not any(step.assumes_unique for step in steps)


def test_cells_of_further_rules_take_no_part() -> None:
    """A cell with a mark for odd is no corner, even if both values are odd."""
    rows = GIVENS[1].split()
    rows[8] = "5..oo...4"
    assert not any("r9c4" in step.text for step in assumptions({"givens": rows}))


def test_several_solutions_are_refused() -> None:
    puzzle = puzzlekit.load("sudoku", {"givens": ["." * 9] * 9})
    with pytest.raises(InputError, match="assume_unique: the puzzle has several solutions"):
        next(iter(puzzle.explain(assume_unique=True)))
