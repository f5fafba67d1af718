"""A backend in a process of its own: the same solutions, and one clear error when it dies."""

import os
import signal
import time
from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from random_models import models, shown, visible_solutions

from puzzlekit.backends import Budget, load_backend
from puzzlekit.backends.auto import Auto
from puzzlekit.backends.base import Backend
from puzzlekit.backends.isolated import Isolated
from puzzlekit.errors import Stopped, Unsupported
from puzzlekit.model import Model, Values, Variable
from puzzlekit.solve.search import Search

TWO = Variable("two")
MODEL = Model({TWO: (1, 2)}, ())


class Failing(Backend):
    name = "failing"
    about = "gives a solution, then comes to its end as it is told"

    def __init__(self, end: str) -> None:
        self.end = end

    def solutions(self, model: Model, budget: Budget) -> Iterator[Values]:
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
def test_the_end_of_an_backend_is_told(end: str, error: type[Exception], said: str) -> None:
    began = time.monotonic()
    with pytest.raises(error, match=said):
        list(Isolated(Failing(end)).solutions(MODEL, Budget.of(0.5)))
    assert time.monotonic() - began < 10


def test_what_was_found_before_an_backend_died_is_kept() -> None:
    stream = Isolated(Failing("hangs")).solutions(MODEL, Budget.of(5))
    assert next(stream) == {TWO: 1}
    stream.close()  # type: ignore[attr-defined]


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(model=models())
def test_the_solutions_are_the_same(model: Model) -> None:
    search = Search(model, load_backend("exact-cover", isolated=True), Budget())
    found = [shown(model, values) for values in search.solutions()]
    assert len(found) == len(set(found))
    assert set(found) == visible_solutions(model)


@pytest.mark.parametrize("wrapper", [Isolated, Auto])
def test_a_wrapper_passes_on_all_that_an_backend_may_do_in_its_own_way(wrapper: type[Backend]) -> None:
    """What a wrapper forgets is done by the plain default, which lists: three billion solutions, for one."""
    overridable = {name for name, what in vars(Backend).items() if callable(what) and not name.startswith("_")}
    assert overridable >= {"solutions", "improve", "count", "draws", "optima", "within", "count_optima"}
    assert overridable <= vars(wrapper).keys()


class Drawing(Failing):
    """Draws, and cannot list."""

    def draws(self, model: Model, seed: int, budget: Budget) -> Iterator[Values]:
        while seed:
            seed = seed * 5 % 7
            yield {TWO: 1 + seed % 2}


def test_draws_are_those_of_the_backend_and_nothing_is_listed() -> None:
    for seed in (0, 1, 2, 3):
        own, isolated = (
            [dict(values) for values in islice(backend.draws(MODEL, seed, Budget.of(30)), 5)]
            for backend in (Drawing("refuses"), Isolated(Drawing("refuses")))
        )
        assert own == isolated
        assert len(own) == (5 if seed else 0)
