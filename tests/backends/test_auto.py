"""`auto`: the same solutions as plain search, whatever backend it takes,
and the next backend where one gives up.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings

from puzzlekit.backends import Budget
from puzzlekit.backends.base import Backend
from puzzlekit.errors import MissingExtra, Stopped, Unsupported
from puzzlekit.lowering.planner import PRESOLVED, Supports
from puzzlekit.model import (
    AllDifferent,
    Cardinality,
    Connected,
    Constraint,
    Linear,
    Model,
    Objective,
    Origin,
    Sum,
    Table,
    Values,
    Variable,
)
from puzzlekit.presolve.derived_tables import AWAY
from puzzlekit.query import Query, Task
from puzzlekit.solve import auto
from puzzlekit.solve.solvers import LoweredSolver, Solver
from tests.model.asking import search
from tests.model.random_models import best, drawings, models, shown, visible_solutions

QUICK = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
FLAGS = [Variable(name) for name in "abc"]
FREE = Model(dict.fromkeys(FLAGS, (False, True)), ())


def rule(condition: object) -> Constraint:
    return Constraint(condition, Origin("rule"))  # type: ignore[arg-type]


@QUICK
@given(model=models() | drawings())
def test_the_solutions_and_the_count_are_those_of_plain_search(model: Model) -> None:
    wanted = visible_solutions(model)
    found = [shown(model, values) for values in search(model, "auto").run(Query())]
    assert len(found) == len(set(found))
    assert set(found) == wanted
    assert search(model, "auto").count() == len(wanted)


@QUICK
@given(model=models(goal=True))
def test_the_optimum_is_that_of_plain_search(model: Model) -> None:
    assert model.goal is not None
    found = [
        model.goal.term.value(values) for values in search(model, "auto").run(Query(Task.OPTIMISE))
    ]
    assert (found[-1] if found else None) == best(model)


def test_what_a_part_holds() -> None:
    import numpy as np

    words = Table(tuple(FLAGS), np.array([[0, 1, 1]], dtype=np.uint8), ((False, True),) * 3)
    assert auto.classify(Model(FREE.domains, (rule(words),))) == auto.COVER
    assert (
        auto.classify(Model(FREE.domains, (rule(words), rule(AllDifferent(tuple(FLAGS[:2]))))))
        == auto.CODES
    )
    assert (
        auto.classify(Model(FREE.domains, (rule(words), rule(Connected(tuple(FLAGS), ())))))
        == auto.SHAPES
    )
    areas = [rule(Connected(tuple(FLAGS), ((0, 1),))) for _ in range(auto.REACHED_AREAS)]
    assert auto.classify(Model(FREE.domains, tuple(areas[1:]))) == auto.SHAPES
    assert auto.classify(Model(FREE.domains, tuple(areas))) == auto.AREAS
    assert (
        auto.classify(Model(FREE.domains, (rule(Linear(((1, FLAGS[0]), (2, FLAGS[1])), 1, None)),)))
        == auto.SUMS
    )
    assert (
        auto.classify(Model({**FREE.domains, Variable("shadow"): ("a", AWAY)}, (rule(words),)))
        == auto.CHOICES
    )
    assert (
        auto.classify(Model(FREE.domains, (rule(Linear(((9_000, FLAGS[0]),), 1, None)),)))
        == auto.LONG
    )


class Giving(Backend):
    """Gives so many solutions, then does what it is told."""

    name = "giving"
    about = "for tests"
    supports = Supports(PRESOLVED)

    def __init__(self, number: int, error: Exception | None = None) -> None:
        self.number = number
        self.error = error

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Values]:
        for number in range(self.number):
            yield {FLAGS[0]: number}
        if self.error is not None:
            raise self.error


def tried(*backends: Backend | Exception, again: bool = False) -> list[Values]:
    def made(name: str, isolated: bool) -> Solver:
        backend = backends[int(name)]
        if isinstance(backend, Exception):
            raise backend
        return LoweredSolver(backend)

    plan = tuple(
        (str(number), 5.0 if number < len(backends) - 1 else None)
        for number in range(len(backends))
    )
    with patch.object(auto, "planned", made):
        return list(auto.Auto()._tried(plan, FREE, Query(), Budget(), again))


def test_the_next_backend_is_asked_where_one_does_not_come_to_an_end() -> None:
    assert len(tried(Giving(0, Unsupported("rule")), Giving(2))) == 2
    assert len(tried(Giving(0, Stopped("the trial")), Giving(2))) == 2
    assert len(tried(MissingExtra("an extra"), Giving(2))) == 2
    assert len(tried(Giving(1, Stopped("the trial")), Giving(2), again=True)) == 3
    assert len(tried(Giving(2), Giving(3))) == 2


def test_what_cannot_be_begun_anew_is_not() -> None:
    with pytest.raises(Stopped, match="died"):
        tried(Giving(1, Stopped("died")), Giving(2))
    with pytest.raises(Unsupported, match="first"):
        tried(Giving(0, Unsupported("first")), Giving(0, Unsupported("second")))


def test_the_backend_that_was_stopped_is_named() -> None:
    backend = auto.Auto()
    assert backend.name == "exact-cover"
    with pytest.raises(Stopped):
        next(
            backend.ask(
                Model(FREE.domains, (rule(Linear(((1, FLAGS[0]), (2, FLAGS[1])), 1, None)),)),
                Query(),
                Budget.of(0.0),
            )
        )
    assert backend.name == "sat"


def test_a_cover_that_gets_lost_is_searched_by_sat_but_counts_go_on() -> None:
    one = Model(FREE.domains, (rule(Cardinality(tuple((flag, True) for flag in FLAGS), 1, 1)),))
    trials = {
        Task.ENUMERATE: ("exact-cover", 0.3, "sat"),
        Task.COUNT: ("exact-cover", None, "sat"),
        Task.OPTIMISE: ("exact-cover", 1.0, "cp-sat"),
    }
    for kind, expected in trials.items():
        goal = Objective("most", FLAGS[0], True) if kind is Task.OPTIMISE else None
        with patch.object(auto.Auto, "_tried", return_value=iter(())) as tried:
            list(auto.Auto().ask(replace(one, goal=goal), Query(kind), Budget.of(1.0)))
        (name, limit), (second, _), *_ = tried.call_args.args[0]
        assert (name, limit, second) == expected


class Poor(Solver):
    """Has a solution at once, and no better one, however long it searches."""

    name = "poor"

    def ask(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        yield dict.fromkeys(FLAGS, False)
        while True:
            budget.check()


def test_a_trial_for_a_goal_ends_though_it_has_a_solution() -> None:
    solvers = {"exact-cover": Poor(), "sat": auto.planned("sat")}
    goal = Objective("most", Sum(tuple((1, flag) for flag in FLAGS)), True)
    with (
        patch.object(auto, "planned", lambda name, isolated: solvers[name]),
        patch.object(auto, "classify", lambda _: "short"),
        patch.dict(auto.PLANS[Task.OPTIMISE], {"short": (("exact-cover", 0.05), ("sat", None))}),
    ):
        solver = auto.Auto()
        model = replace(FREE, goal=goal)
        values = [
            goal.term.value(solution)
            for solution in solver.ask(model, Query(Task.OPTIMISE), Budget.of(20.0))
        ]
    assert values[0] == 0 and values[-1] == 3 and values == sorted(set(values))
    assert solver.name == "exact-cover+sat"
