"""Covers with multiplicities are counted as plain search counts them,
and any other model is left alone.
"""

from itertools import product

import pytest
from hypothesis import given, strategies as st

from puzzlekit.backends import Budget
from puzzlekit.errors import Stopped
from puzzlekit.model import (
    AllDifferent,
    Cardinality,
    Constraint,
    Domain,
    Linear,
    Model,
    Origin,
    Term,
    Variable,
)
from puzzlekit.solve.counting import count_multicover
from tests.model.asking import search

DOMAINS = st.sampled_from([(False, True), (0, 1), (0, 1, 2), (1, 2, 3), (3, 2, 1, 0)])
A, B, C, D = (Variable(name) for name in "abcd")


def model(
    domains: dict[Variable, Domain], *conditions: Term, auxiliary: frozenset[Variable] = frozenset()
) -> Model:
    return Model(
        domains,
        tuple(Constraint(condition, Origin("a rule")) for condition in conditions),
        auxiliary=auxiliary,
    )


def taken(variables: list[Variable], times: int, weight: int = 1) -> Linear:
    return Linear(
        tuple((weight, variable) for variable in variables), weight * times, weight * times
    )


def searched(some: Model) -> int:
    return sum(
        some.violated(dict(zip(some.domains, row))) is None
        for row in product(*some.domains.values())
    )


def counted(some: Model) -> int | None:
    return count_multicover(some, lambda: None)


@given(st.data(), st.integers(1, 6), st.integers(1, 4))
def test_the_count_is_that_of_plain_search(data: st.DataObject, columns: int, rows: int) -> None:
    domains = {Variable(f"x{place}"): data.draw(DOMAINS) for place in range(columns)}
    conditions = []
    for _ in range(rows):
        some = data.draw(st.lists(st.sampled_from([*domains]), min_size=1, unique=True))
        conditions.append(
            taken(some, data.draw(st.integers(0, 6)), data.draw(st.sampled_from((1, -1, 2))))
        )
    whole = model(domains, *conditions)
    found = counted(whole)
    assert found is None or found == searched(whole)
    assert search(whole, "exact-cover").count() == searched(whole)


def test_what_is_covered_more_than_once() -> None:
    three = dict.fromkeys((A, B, C, D), (0, 1, 2, 3))
    assert counted(model(three, taken([A, B, C, D], 3))) == 20  # three out of four, with repetition
    assert counted(model(three, taken([A, B], 3), taken([B, C, D], 2))) == 6
    flags = dict.fromkeys((A, B, C, D), (False, True))
    assert counted(model(flags, Cardinality(tuple((flag, True) for flag in flags), 2, 2))) == 6
    assert counted(model(dict.fromkeys((A, B), (2, 3)), taken([A, B], 6))) == 1
    assert counted(model(dict.fromkeys((A, B), (0, 1, 2)), taken([A, B], 2, 2))) == 3  # 2A + 2B = 4
    assert counted(model(dict.fromkeys((A, B), (0, 1, 2)), taken([A, B], 2, -1))) == 3
    assert (
        counted(model(dict.fromkeys((A, B), (2, 3)), taken([A, B], 3))) is None
    )  # no solution, and nothing twice


@pytest.mark.parametrize(
    "other",
    [
        model({A: (0, 1), B: (0, 1)}, taken([A, B], 1)),  # nothing twice
        model({A: (0, 2), B: (0, 1)}, taken([A, B], 2)),
        model({A: (0, 1, 2), B: ("a", "b")}, taken([A], 2), Cardinality(((B, "a"),), 1, 1)),
        model({A: (0, 1, 2), B: (0, 1, 2)}, Linear(((1, A), (2, B)), 3, 3)),
        model({A: (0, 1, 2), B: (0, 1, 2)}, Linear(((1, A), (1, B)), 2, 3)),
        model({A: (0, 1, 2), B: (0, 1, 2)}, taken([A, B], 2), AllDifferent((A, B))),
        model({A: (0, 1, 2), B: (0, 1, 2), C: (0, 1)}, taken([A, B], 2)),
        model({A: (0, 1, 2), B: (0, 1, 2)}, taken([A, B], 2), auxiliary=frozenset([B])),
        model(
            {A: (False, True), B: (False, True), C: (False, True)},
            Cardinality(((A, True), (B, True), (C, False)), 2, 2),
        ),
        model({A: tuple(range(2_002)), B: tuple(range(2_002))}, taken([A, B], 2_001)),
    ],
)
def test_other_models_are_left_alone(other: Model) -> None:
    assert counted(other) is None


def test_the_budget_is_heard() -> None:
    many = {Variable(f"x{place}"): tuple(range(5)) for place in range(39)}
    rows = [[*many][place : place + 12] for place in range(0, 30, 3)]
    with pytest.raises(Stopped):
        count_multicover(model(many, *(taken(row, 9) for row in rows)), Budget(steps=5).step)
