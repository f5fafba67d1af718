"""Every backend against plain search over the product of the domains,
on random small models over every node.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, seed, settings, strategies as st

from puzzlekit.backends import BACKENDS
from puzzlekit.errors import Unsupported
from puzzlekit.model import Model
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.query import ObjectiveBound, Query, Task
from tests.limits import replaced
from tests.model.asking import counted, search, solutions
from tests.model.drawn import applies, drawn, require_fit
from tests.model.random_models import (
    NODES,
    best,
    drawings,
    models,
    shown,
    visible_solutions,
    whole_solutions,
)

LONG = settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
FEW = 50  # models for all backends and each of the questions, in `make test`
MANY = 2_100  # models for each backend and each of the questions, in the long run
BOUNDS = st.sampled_from(
    [(4_096, 20_000), (4, 17), (16, 40)]
)  # combinations for presolve's and for flatten's tables
Bounds = tuple[int, int]
pytestmark = pytest.mark.usefixtures("unwatched")


def within(name: str, bounds: Bounds, run: Callable[[], None]) -> None:
    """Run under these bounds.

    No node is refused, but what small bounds make too large for the exact covers.
    """
    try:
        with replaced(tracked_combinations=bounds[0]), replaced(table_combinations=bounds[1]):
            run()
    except Unsupported as refusal:
        assert name != "z3" and bounds[1] < 20_000, refusal
        require_fit(False)


def same_solutions(name: str, model: Model, bounds: Bounds, wanted: set[Any]) -> None:
    model = replace(model, goal=None)

    def run() -> None:
        found = [shown(model, values) for values in search(model, name).run(Query())]
        assert len(found) == len(set(found))
        assert set(found) == wanted
        assert search(model, name).count() == len(wanted)

    within(name, bounds, run)


def same_optimum(name: str, model: Model, bounds: Bounds, wanted: int | None) -> None:
    goal = model.goal
    assert goal is not None

    def run() -> None:
        found = [
            goal.term.value(values) for values in search(model, name).run(Query(Task.OPTIMISE))
        ]
        assert (found[-1] if found else None) == wanted
        assert all(goal.better(after, before) for before, after in pairwise(found))

    within(name, bounds, run)


def same_optima(
    name: str, model: Model, bounds: Bounds, wanted: tuple[int | None, set[Any]]
) -> None:
    """The backend alone, on the whole model: all solutions that reach the optimum,
    and how many they are.
    """
    value, optimal = wanted
    require_fit(value is not None)
    assert value is not None

    def run() -> None:
        simple, best = presolve(model), ObjectiveBound(value, optimal=True)
        found = [shown(model, values) for values in solutions(name, simple, bound=best)]
        assert len(found) == len(set(found))
        assert set(found) == optimal
        assert counted(name, simple, best) == len(optimal)

    within(name, bounds, run)


def optima(model: Model) -> tuple[int | None, set[Any]]:
    """The optimum, and the solutions that reach it, by plain search."""
    assert model.goal is not None
    value = best(model)
    return value, {
        shown(model, v) for v in whole_solutions(model) if model.goal.term.value(v) == value
    }


REFEREE: dict[Callable[..., None], Callable[[Model], Any]] = {
    same_solutions: visible_solutions,
    same_optimum: best,
    same_optima: optima,
}
PLAIN = st.tuples(models(), BOUNDS)
SHAPES = st.tuples(drawings(), BOUNDS)
AIMED = st.tuples(models(goal=True), BOUNDS)
REACHED = AIMED.filter(lambda drawn: best(drawn[0]) is not None)


@cache
def refereed(
    models: st.SearchStrategy[tuple[Model, Bounds]], check: Callable[..., None]
) -> list[tuple[Model, Bounds, Any]]:
    """A few models with what plain search finds: the same for all backends."""
    return [(model, bounds, REFEREE[check](model)) for model, bounds in drawn(models, FEW)]


def few_models(
    name: str, models: st.SearchStrategy[tuple[Model, Bounds]], check: Callable[..., None]
) -> None:
    fit = [
        applies(model, partial(check, name, model, bounds, wanted))
        for model, bounds, wanted in refereed(models, check)
    ]
    assert sum(fit) >= FEW / 2


@pytest.mark.parametrize("name", BACKENDS)
def test_the_solutions_are_those_of_plain_search(name: str) -> None:
    few_models(name, PLAIN, same_solutions)


@pytest.mark.parametrize("name", BACKENDS)
def test_shapes_are_those_of_plain_search(name: str) -> None:
    few_models(name, SHAPES, same_solutions)


@pytest.mark.parametrize("name", BACKENDS)
def test_the_optimum_is_that_of_plain_search(name: str) -> None:
    few_models(name, AIMED, same_optimum)


@pytest.mark.parametrize("name", BACKENDS)
def test_the_optima_are_those_of_plain_search(name: str) -> None:
    few_models(name, REACHED, same_optima)


@pytest.mark.slow
@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("node", NODES)
def test_many_models(node: str, name: str) -> None:
    """So that each node is met often: what is drawn at random without more repeats itself."""
    for place, check in enumerate(REFEREE):

        @seed(len(NODES) * place + list(NODES).index(node))
        @settings(LONG, max_examples=MANY // len(NODES), derandomize=False, database=None)
        @given(model=models(goal=check is not same_solutions, node=node), bounds=BOUNDS)
        def run(model: Model, bounds: Bounds) -> None:
            asked = partial(check, name, model, bounds, REFEREE[check](model))  # noqa: B023  it runs at once
            assume(applies(model, asked))

        run()


@pytest.mark.slow
@pytest.mark.parametrize("name", BACKENDS)
@settings(LONG, max_examples=MANY // 4)
@given(model=drawings(), bounds=BOUNDS)
def test_many_shapes(name: str, model: Model, bounds: Bounds) -> None:
    assume(applies(model, partial(same_solutions, name, model, bounds, visible_solutions(model))))
