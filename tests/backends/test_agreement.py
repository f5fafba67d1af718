"""Every backend against plain search over the product of the domains, on random small models over every node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, assume, given, note, seed, settings
from hypothesis import strategies as st

from puzzlekit.backends import BACKENDS
from puzzlekit.errors import Unsupported
from puzzlekit.limits import replaced
from puzzlekit.model import Model
from puzzlekit.presolve.presolve import presolve
from puzzlekit.query import Bound, Kind, Query
from tests.model.asking import counted, search, solutions
from tests.model.random_models import NODES, best, drawings, models, shown, story, visible_solutions, whole_solutions

QUICK = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
MANY = 2_100  # models for each backend and each of the questions, in the long run
BOUNDS = st.sampled_from([(4_096, 20_000), (4, 17), (16, 40)])  # combinations for presolve's and for flatten's tables
Bounds = tuple[int, int]
pytestmark = pytest.mark.usefixtures("unwatched")


def within(name: str, bounds: Bounds, run: Callable[[], None]) -> None:
    """Run under these bounds. No node is refused, but what small bounds make too large for the exact covers."""
    try:
        with replaced(tracked_combinations=bounds[0]), replaced(table_combinations=bounds[1]):
            run()
    except Unsupported as refusal:
        assert name != "z3" and bounds[1] < 20_000, refusal
        assume(False)


def same_solutions(name: str, model: Model, bounds: Bounds) -> None:
    note(story(model))
    wanted = visible_solutions(model)
    model = replace(model, goal=None)

    def run() -> None:
        found = [shown(model, values) for values in search(model, name).run(Query())]
        assert len(found) == len(set(found))
        assert set(found) == wanted
        assert search(model, name).count() == len(wanted)

    within(name, bounds, run)


def same_optimum(name: str, model: Model, bounds: Bounds) -> None:
    note(story(model))
    goal = model.goal
    assert goal is not None
    wanted = best(model)

    def run() -> None:
        found = [goal.term.value(values) for values in search(model, name).run(Query(Kind.OPTIMISE))]
        assert (found[-1] if found else None) == wanted
        assert all(goal.better(after, before) for before, after in pairwise(found))

    within(name, bounds, run)


def same_optima(name: str, model: Model, bounds: Bounds) -> None:
    """The backend alone, on the whole model: all solutions that reach the optimum, and how many they are."""
    note(story(model))
    goal, value = model.goal, best(model)
    assume(value is not None)
    assert goal is not None and value is not None
    wanted = {shown(model, values) for values in whole_solutions(model) if goal.term.value(values) == value}

    def run() -> None:
        simple, best = presolve(model), Bound(value, optimal=True)
        found = [shown(model, values) for values in solutions(name, simple, bound=best)]
        assert len(found) == len(set(found))
        assert set(found) == wanted
        assert counted(name, simple, best) == len(wanted)

    within(name, bounds, run)


@pytest.mark.parametrize("name", BACKENDS)
@QUICK
@given(model=models(), bounds=BOUNDS)
def test_the_solutions_are_those_of_plain_search(name: str, model: Model, bounds: Bounds) -> None:
    same_solutions(name, model, bounds)


@pytest.mark.parametrize("name", BACKENDS)
@QUICK
@given(model=drawings(), bounds=BOUNDS)
def test_shapes_are_those_of_plain_search(name: str, model: Model, bounds: Bounds) -> None:
    same_solutions(name, model, bounds)


@pytest.mark.parametrize("name", BACKENDS)
@QUICK
@given(model=models(goal=True), bounds=BOUNDS)
def test_the_optimum_is_that_of_plain_search(name: str, model: Model, bounds: Bounds) -> None:
    same_optimum(name, model, bounds)


@pytest.mark.parametrize("name", BACKENDS)
@QUICK
@given(model=models(goal=True), bounds=BOUNDS)
def test_the_optima_are_those_of_plain_search(name: str, model: Model, bounds: Bounds) -> None:
    same_optima(name, model, bounds)


@pytest.mark.slow
@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("node", NODES)
def test_many_models(node: str, name: str) -> None:
    """So that each node is met often: what is drawn at random without more repeats itself."""
    for place, check in enumerate((same_solutions, same_optimum, same_optima)):

        @seed(len(NODES) * place + list(NODES).index(node))
        @settings(QUICK, max_examples=MANY // len(NODES), derandomize=False, database=None)
        @given(model=models(goal=check is not same_solutions, node=node), bounds=BOUNDS)
        def run(model: Model, bounds: Bounds) -> None:
            check(name, model, bounds)  # noqa: B023  it runs at once

        run()


@pytest.mark.slow
@pytest.mark.parametrize("name", BACKENDS)
@settings(QUICK, max_examples=MANY // 4)
@given(model=drawings(), bounds=BOUNDS)
def test_many_shapes(name: str, model: Model, bounds: Bounds) -> None:
    same_solutions(name, model, bounds)
