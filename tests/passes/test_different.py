"""An all-different that stands alone, counted without listing: against plain search, and only where it stands alone."""

from itertools import product
from math import perm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlekit.model import AllDifferent, Comparison, Constant, Constraint, Goal, Model, Origin, Variable
from puzzlekit.passes.different import different


def model(domains: list[list[int]]) -> Model:
    named = {Variable(f"x{place}"): tuple(dict.fromkeys(domain)) for place, domain in enumerate(domains)}
    return Model(named, (Constraint(AllDifferent(tuple(named)), Origin("all differ")),))


@given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=5), min_size=1, max_size=5))
def test_as_many_as_plain_search_finds(domains: list[list[int]]) -> None:
    counted = sum(len(set(values)) == len(values) for values in product(*map(set, domains)))
    assert different(model(domains)) == counted


def test_large_domains() -> None:
    assert different(model([list(range(1000))] * 3)) == perm(1000, 3)
    assert different(model([list(range(12))] * 10)) == perm(12, 10)


@pytest.mark.parametrize("change", ["another condition", "a goal", "auxiliary", "a variable more", "eleven variables", "twice"])
def test_only_where_it_stands_alone(change: str) -> None:
    plain = model([[0, 1, 2]] * (11 if change == "eleven variables" else 3))
    domains, constraints = dict(plain.domains), plain.constraints
    first = next(iter(domains))
    if change == "another condition":
        constraints = (*constraints, Constraint(Comparison("==", first, Constant(0)), Origin("first")))
    if change == "a variable more":
        domains[Variable("y")] = (0, 1)
    if change == "twice":
        constraints = (Constraint(AllDifferent((*domains, first)), Origin("all differ")),)
    goal = Goal("least", first, False) if change == "a goal" else None
    auxiliary = frozenset({first}) if change == "auxiliary" else frozenset()
    assert different(Model(domains, constraints, goal, auxiliary)) is None
