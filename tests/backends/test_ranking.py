"""Solutions best first: the same as all solutions sorted,
however many there are and whichever backend finds them.
"""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import HealthCheck, given, note, settings, strategies as st

from puzzlekit.backends import BACKENDS, Budget
from puzzlekit.errors import Stopped
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
    Values,
    Variable,
)
from puzzlekit.query import Query, Task
from puzzlekit.solve import ranking
from puzzlekit.solve.auto import solver
from puzzlekit.solve.ranking import Ranked, combined
from tests.limits import replaced
from tests.model.asking import search, solutions
from tests.model.random_models import models, shown, story, whole_solutions

QUICK = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def ranked_by_trying_all(model: Model) -> dict[tuple[Value, ...], int]:
    """Each solution with the best value that it stands for."""
    goal = model.goal
    assert goal is not None
    known: dict[tuple[Value, ...], int] = {}
    for values in whole_solutions(model):
        key, value = shown(model, values), goal.term.value(values)
        if key not in known or goal.better(value, known[key]):
            known[key] = value
    return known


def in_order(model: Model, name: str) -> list[tuple[tuple[Value, ...], int]]:
    goal = model.goal
    assert goal is not None
    found = search(model, name).run(Query(Task.RANK, goal="g"))
    return [(shown(model, values), int(goal.term.value(values))) for values in found]


@QUICK
@given(models(goal=True), st.sampled_from([20_000, 3, 0]))
def test_ranked_is_all_solutions_sorted(model: Model, many: int) -> None:
    note(story(model))
    wanted = ranked_by_trying_all(model)
    with replaced(sorted_solutions=many), replaced(band_solutions=2):
        found = in_order(model, "auto")
    assert dict(found) == wanted and len(found) == len(wanted)
    values = [value for _, value in found]
    assert model.goal is not None
    assert values == sorted(values, reverse=model.goal.maximise)


def triples(maximise: bool) -> Model:
    """Three different numbers from 1 to 4, the first beside the second; the goal weighs them."""
    a, b, c = (Variable(name) for name in "abc")
    rules = (AllDifferent((a, b, c)), Comparison("<", Sum(((1, a), (-1, b))), Constant(2)))
    goal = Objective("weighed", Sum(((3, a), (-1, b), (2, c))), maximise)
    domain = (1, 2, 3, 4)
    return Model(
        {a: domain, b: domain, c: domain},
        tuple(Constraint(rule, Origin("r")) for rule in rules),
        goal,
    )


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("many", [20_000, 0])
@pytest.mark.parametrize("name", BACKENDS)
def test_every_backend_ranks(name: str, many: int, maximise: bool) -> None:
    model = triples(maximise)
    wanted = ranked_by_trying_all(model)
    with replaced(sorted_solutions=many), replaced(band_solutions=1):
        found = in_order(model, name)
    assert dict(found) == wanted and len(found) == len(wanted) > 10
    assert [value for _, value in found] == sorted(wanted.values(), reverse=maximise)


@given(st.lists(st.lists(st.integers(0, 9), max_size=4).map(sorted), min_size=1, max_size=4))
def test_combinations_come_once_and_in_order(costs: list[list[int]]) -> None:
    place = Variable("place")
    streams: list[Iterator[Ranked]] = [
        iter([(cost, {place: number}) for number, cost in enumerate(row)]) for row in costs
    ]
    found = [tuple(values[place] for values in combination) for combination in combined(streams)]
    assert sorted(found) == sorted(product(*(range(len(row)) for row in costs)))
    totals = [sum(row[number] for row, number in zip(costs, places)) for places in found]
    assert totals == sorted(totals)


def test_the_first_of_a_huge_number_are_quick() -> None:
    place = Variable("place")
    rows: list[Ranked] = [(number, {place: number}) for number in range(100)]
    streams: list[Iterator[Ranked]] = [iter(rows) for _ in range(20)]  # 100 ** 20 combinations
    found = combined(streams)
    totals = [sum(values[place] for values in next(found)) for _ in range(50)]
    assert totals == [0] + [1] * 20 + [2] * 29


def test_what_cannot_be_kept_in_order_is_told() -> None:
    place = Variable("place")
    streams: list[Iterator[Ranked]] = [
        iter([(number, {place: number}) for number in range(100)]) for _ in range(20)
    ]
    taken = 0
    with replaced(open_combinations=100), pytest.raises(Stopped, match="cannot be kept in order"):
        for _ in combined(streams):
            taken += 1
    assert 0 < taken <= 100


def test_the_best_so_far_is_kept_when_the_time_is_up() -> None:
    model = triples(False)

    def broken_off() -> Iterator[Values]:
        for number, values in enumerate(solutions("exact-cover", model)):
            if number == 5:
                raise Stopped("the time is up")
            yield values

    found: list[Ranked] = []
    with pytest.raises(Stopped):
        for ranked in ranking.in_order(model, broken_off(), solver("exact-cover"), Budget()):
            found.append(ranked)  # noqa: PERF402
    assert len(found) == 1
