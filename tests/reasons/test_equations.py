"""Sums as equations, and sums that follow from two others."""

import pytest

import puzzlekit
from puzzlekit.model import Linear, Variable
from puzzlekit.reasons import Pattern
from puzzlekit.reasons.equations import equation_of
from puzzlekit.reasons.instances import GroundRule

E, N, CARRY = Variable("E"), Variable("N"), Variable("the carry")
TYPE = """
puzzle: two_sums
variables:
  x: between(0, 9)
  y: between(0, 9)
  z: between(0, 9)
  u: between(0, 1)
  v: between(0, 6)
rules:
  first: x + y + u == z + 7
  second: x + y == z + v
"""


def rule(weighted: tuple[tuple[int, Variable], ...], total: int) -> GroundRule:
    return GroundRule(0, (), 1, conditions=(Linear(weighted, total, total),))


@pytest.mark.parametrize(
    ("total", "values", "text"),
    [
        (0, {}, "E + the carry = N"),
        (0, {E: 0}, "0 + the carry = N"),
        (0, {E: 4, CARRY: 1}, "4 + 1 = N"),
        (0, {N: 7}, "E + the carry = 7"),
        (0, {N: 0}, "E + the carry = 0"),
        (10, {}, "E + the carry = 10 + N"),
        (10, {N: 3}, "E + the carry = 13"),
        (-10, {}, "E + the carry + 10 = N"),
        (0, {E: 4, CARRY: 1, N: 5}, "4 + 1 = 5"),
    ],
)
def test_a_sum_is_written_with_the_values_that_are_known(
    total: int, values: dict[Variable, int], text: str
) -> None:
    column = rule(((1, E), (1, CARRY), (-1, N)), total)
    assert equation_of(column, lambda unknown: unknown.name, values.get) == text


def test_zeros_are_left_out_of_a_sum_that_follows() -> None:
    column = rule(((1, E), (1, CARRY), (-10, N)), 0)
    values = {E: 0, N: 1}
    assert equation_of(column, lambda unknown: unknown.name, values.get, True) == "the carry = 10"


def test_weights_are_written_as_products() -> None:
    column = rule(((2, E), (-1, N), (-10, CARRY)), 0)
    text = "2 × E = N + 10 × the carry"
    assert equation_of(column, lambda unknown: unknown.name, {}.get) == text


def test_a_sum_of_unknowns_without_names_is_no_equation() -> None:
    column = rule(((1, E), (1, CARRY), (-1, N)), 0)
    assert equation_of(column, lambda unknown: "", {}.get) == ""


def test_two_sums_give_a_third() -> None:
    """Neither sum alone says that u is 1 and v is 6."""
    puzzle = puzzlekit.load(TYPE, {})
    steps = list(puzzle.explain())
    first = steps[0]
    assert first.pattern is Pattern.SUMS_TOGETHER
    assert {fact.text for fact in first.placed} == {"u is 1", "v is 6"}
    assert first.text.endswith("give u + v = 7")
    assert {rule.rule for rule in first.rules} == {"first", "second"}
