"""A backend in a process of its own: the same solutions, and one clear error when it dies."""

import os
import signal
import time
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings

from puzzlekit.backends import Budget
from puzzlekit.backends.base import Backend
from puzzlekit.errors import Stopped, Unsupported
from puzzlekit.lowering.planner import PRESOLVED, Supports
from puzzlekit.model import Model, Values, Variable
from puzzlekit.query import Query, Task
from puzzlekit.solve.solvers import LoweredSolver, SandboxedSolver
from tests.model.asking import search
from tests.model.random_models import models, shown, visible_solutions

TWO = Variable("two")
MODEL = Model({TWO: (1, 2)}, ())


class Failing(Backend):
    name = "failing"
    about = "gives a solution, then comes to its end as it is told"
    supports = Supports(PRESOLVED, frozenset({Task.ENUMERATE, Task.SAMPLE}))

    def __init__(self, end: str) -> None:
        self.end = end

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Values]:
        yield {TWO: 1}
        match self.end:
            case "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "exits":
                os._exit(7)
            case "memory":
                raise MemoryError
            case "refuses":
                raise Unsupported("rule seven")
            case "hangs":
                time.sleep(3600)


@pytest.mark.parametrize(
    ("end", "error", "said"),
    [
        ("killed", Stopped, "died of SIGKILL"),
        ("exits", Stopped, "died"),
        ("memory", Stopped, "the memory is used up"),
        ("refuses", Unsupported, "rule seven"),
        ("hangs", Stopped, "the time is up"),
    ],
)
def test_the_end_of_a_backend_is_told(end: str, error: type[Exception], said: str) -> None:
    began = time.monotonic()
    with pytest.raises(error, match=said):
        list(SandboxedSolver(LoweredSolver(Failing(end))).ask(MODEL, Query(), Budget.of(0.5)))
    assert time.monotonic() - began < 10


def test_what_was_found_before_a_backend_died_is_kept() -> None:
    stream = SandboxedSolver(LoweredSolver(Failing("hangs"))).ask(MODEL, Query(), Budget.of(5))
    assert next(stream) == {TWO: 1}
    stream.close()  # type: ignore[attr-defined]


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(model=models())
def test_the_solutions_are_the_same(model: Model) -> None:
    running = search(model, "exact-cover", isolated=True)
    found = [shown(model, values) for values in running.run(Query())]
    assert len(found) == len(set(found))
    assert set(found) == visible_solutions(model)


class Drawing(Failing):
    """Draws, and cannot list."""

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Values]:
        assert query.task is Task.SAMPLE and query.seed is not None
        seed = query.seed
        while seed:
            seed = seed * 5 % 7
            yield {TWO: 1 + seed % 2}


def test_a_query_reaches_the_backend_whole_and_nothing_is_listed() -> None:
    drawing = LoweredSolver(Drawing("refuses"))
    for seed in (0, 1, 2, 3):
        query = Query(Task.SAMPLE, 5, seed=seed)
        own, isolated = (
            [dict(values) for values in islice(one.ask(MODEL, query, Budget.of(30)), 5)]
            for one in (drawing, SandboxedSolver(drawing))
        )
        assert own == isolated
        assert len(own) == (5 if seed else 0)
