"""An all-different counted without listing: against plain search,
alone and beside other conditions.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise, product
from math import perm

import pytest
from hypothesis import given, strategies as st

from puzzlekit.model import (
    AllDifferent,
    Comparison,
    Constant,
    Constraint,
    Model,
    Objective,
    Origin,
    Sum,
    Value,
    Variable,
)
from puzzlekit.query import Query, Task
from puzzlekit.solve.counting import count_all_different
from tests.model.asking import search


def model(domains: list[list[int]]) -> Model:
    named = {
        Variable(f"x{place}"): tuple(dict.fromkeys(domain)) for place, domain in enumerate(domains)
    }
    return Model(named, (Constraint(AllDifferent(tuple(named)), Origin("all differ")),))


@given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=5), min_size=1, max_size=5))
def test_as_many_as_plain_search_finds(domains: list[list[int]]) -> None:
    counted = sum(len(set(values)) == len(values) for values in product(*map(set, domains)))
    assert count_all_different(model(domains)) == counted


def test_large_domains() -> None:
    assert count_all_different(model([list(range(1000))] * 3)) == perm(1000, 3)
    assert count_all_different(model([list(range(12))] * 10)) == perm(12, 10)


@pytest.mark.parametrize(
    "change",
    ["another condition", "a goal", "auxiliary", "a variable more", "eleven variables", "twice"],
)
def test_only_where_it_stands_alone(change: str) -> None:
    plain = model([[0, 1, 2]] * (11 if change == "eleven variables" else 3))
    domains, constraints = dict(plain.domains), plain.constraints
    first = next(iter(domains))
    if change == "another condition":
        constraints = (
            *constraints,
            Constraint(Comparison("==", first, Constant(0)), Origin("first")),
        )
    if change == "a variable more":
        domains[Variable("y")] = (0, 1)
    if change == "twice":
        constraints = (Constraint(AllDifferent((*domains, first)), Origin("all differ")),)
    goal = Objective("least", first, False) if change == "a goal" else None
    auxiliary = frozenset({first}) if change == "auxiliary" else frozenset()
    assert count_all_different(Model(domains, constraints, goal, auxiliary)) is None


def linked(domains: list[list[int]], most: int) -> tuple[Model, list[Mapping[Variable, Value]]]:
    """An all-different beside sums of neighbours that are bounded,
    with its solutions by plain search.
    """
    plain = model(domains)
    variables = list(plain.domains)
    sums = [Sum(((1, one), (2, other))) for one, other in pairwise(variables)]
    bounds = tuple(
        Constraint(Comparison("<=", total, Constant(most)), Origin("no more")) for total in sums
    )
    whole = Model(plain.domains, (*plain.constraints, *bounds))
    every = (dict(zip(variables, values)) for values in product(*plain.domains.values()))
    return whole, [
        values for values in every if all(c.condition.value(values) for c in whole.constraints)
    ]


@given(
    st.lists(st.lists(st.integers(0, 6), min_size=2, max_size=6), min_size=2, max_size=4),
    st.integers(3, 16),
)
def test_beside_other_conditions(domains: list[list[int]], most: int) -> None:
    whole, solutions = linked(domains, most)
    assert search(whole, "auto").count() == len(solutions)


def test_drawn_beside_other_conditions() -> None:
    whole, solutions = linked([[0, 1, 2, 3]] * 3, 6)
    drawn = search(whole, "auto").run(Query(Task.SAMPLE, 200 * len(solutions), seed=1))
    counts = Counter(tuple(values[variable] for variable in whole.domains) for values in drawn)
    assert set(counts) == {
        tuple(values[variable] for variable in whole.domains) for values in solutions
    }
    assert all(120 < count < 280 for count in counts.values())


def test_no_solution_is_drawn_where_there_is_none() -> None:
    whole, solutions = linked([[4, 5], [4, 5, 6], [3, 5]], 12)
    assert not solutions
    assert list(search(whole, "auto").run(Query(Task.SAMPLE, 3, seed=1))) == []


@pytest.mark.parametrize("values", [40, 5])
def test_drawn_alone(values: int) -> None:
    drawn = search(model([[*range(values)]] * 3), "auto").run(Query(Task.SAMPLE, 2_000, seed=1))
    firsts = Counter(next(iter(each.values())) for each in drawn)
    assert all(0.5 < count * values / 2_000 < 1.6 for count in firsts.values())
    assert len(firsts) == values
