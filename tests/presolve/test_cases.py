"""Counting by cases against plain search, and what the cases themselves promise."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from puzzlekit.counting.by_cases import CaseCounter
from puzzlekit.limits import replaced
from puzzlekit.model import AllDifferent, Cardinality, Comparison, Constraint, Linear, Model, Origin, Term, Variable
from tests.model.random_models import models, story, visible_solutions

QUICK = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
LONG = settings(QUICK, max_examples=5_000)
SIZES = st.tuples(
    st.sampled_from([0, 3, 6]), st.sampled_from([0, 1, 4]), st.sampled_from([0, 500_000]), st.sampled_from([4, 4_096])
)


@st.composite
def counted_models(draw: Callable[[st.SearchStrategy[int]], int]) -> Model:
    """Mostly cardinalities, over variables of two and three values, some of them auxiliary."""

    def number(low: int, high: int) -> int:
        return draw(st.integers(low, high))

    variables = [Variable(f"x{i}") for i in range(number(2, 9))]
    domains = {v: (False, True) if number(0, 3) else (0, 1, 2) for v in variables}
    literals = [(variable, value) for variable, domain in domains.items() for value in domain]

    def condition() -> Term:
        some = [variable for variable in variables if number(0, 1)]
        match number(0, 9):
            case 0:
                return AllDifferent(tuple(some[:3]))
            case 1:
                return Linear(tuple((number(-2, 3), v) for v in some), number(-2, 2), number(1, 5))
            case 2:
                return Comparison("!=", variables[0], variables[-1])
            case kind:
                chosen = tuple(literal for literal in literals if not number(0, 2))
                low = 1 if kind < 8 else number(0, 2)
                return Cardinality(chosen, low, low if kind < 8 else number(low, 3))

    constraints = tuple(Constraint(condition(), Origin(f"rule {i}")) for i in range(number(1, 5)))
    return Model(domains, constraints, None, frozenset(v for v in variables if not number(0, 4)))


def same_count(model: Model, sizes: tuple[int, int, int, int]) -> None:
    """The count by cases; a backend that is in haste says None beyond a few solutions."""
    note(story(model))
    leaf, few, memo, small = sizes

    def listed(part: Model, hasty: bool) -> int | None:
        assume(math.prod(len(domain) for domain in part.domains.values()) <= 20_000)
        found = len(visible_solutions(part))
        return None if hasty and found > few else found

    with replaced(case_values=leaf), replaced(case_memo_entries=memo), replaced(tracked_combinations=small):
        assert CaseCounter(listed, lambda: None).count(model) == len(visible_solutions(model))


@QUICK
@given(model=st.one_of(models(), counted_models()), sizes=SIZES)
def test_the_count_is_that_of_plain_search(model: Model, sizes: tuple[int, int, int, int]) -> None:
    same_count(model, sizes)


@pytest.mark.slow
@LONG
@given(model=st.one_of(models(), counted_models()), sizes=SIZES)
def test_many_models(model: Model, sizes: tuple[int, int, int, int]) -> None:
    same_count(model, sizes)


def dominoes(side: int) -> Model:
    """The ways to lay dominoes on a square board, one variable a place of a domino."""
    cells = [(row, column) for row in range(side) for column in range(side)]
    places = [p for p in combinations(cells, 2) if abs(p[0][0] - p[1][0]) + abs(p[0][1] - p[1][1]) == 1]
    use = {place: Variable(f"use {place}") for place in places}
    rules = [Cardinality(tuple((use[place], True) for place in places if cell in place), 1, 1) for cell in cells]
    return Model(dict.fromkeys(use.values(), (False, True)), tuple(Constraint(rule, Origin("once")) for rule in rules))


def test_what_recurs_is_counted_once() -> None:
    """Twelve million ways, some hundreds of parts that differ; the backend is asked only for small ones."""
    steps = []
    asked = []

    def listed(part: Model, hasty: bool) -> int | None:
        asked.append(sum(map(len, part.domains.values())))
        return len(visible_solutions(part)) if asked[-1] <= 16 else None

    with replaced(case_values=16):
        assert CaseCounter(listed, lambda: steps.append(1)).count(dominoes(8)) == 12_988_816
    assert len(steps) < 3_000
    assert max(asked) <= 16


def test_a_step_may_stop_the_count() -> None:
    class Enough(Exception):
        pass

    left = iter(range(20))

    def step() -> None:
        if next(left, None) is None:
            raise Enough

    with pytest.raises(Enough):
        CaseCounter(lambda part, hasty: None, step).count(dominoes(8))
