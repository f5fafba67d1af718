"""An engine in a process of its own: the same answers, and one clear error when it dies."""

import os
import signal
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from random_models import models, shown, visible_answers

from puzzlekit.api.search import Search
from puzzlekit.backends import Budget, backend
from puzzlekit.backends.base import Backend
from puzzlekit.backends.isolated import Isolated
from puzzlekit.errors import Refused, Stopped
from puzzlekit.model import Model, Values, Variable

TWO = Variable("two")
MODEL = Model({TWO: (1, 2)}, ())


class Failing(Backend):
    name = "failing"
    about = "gives an answer, then comes to its end as it is told"

    def __init__(self, end: str) -> None:
        self.end = end

    def answers(self, model: Model, budget: Budget) -> Iterator[Values]:
        yield {TWO: 1}
        match self.end:
            case "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "exits":
                os._exit(7)
            case "memory":
                raise MemoryError
            case "refuses":
                raise Refused("rule seven")
            case "hangs":
                time.sleep(3600)


@pytest.mark.parametrize(
    ("end", "error", "said"),
    [
        ("killed", Stopped, "died of SIGKILL"),
        ("exits", Stopped, "died"),
        ("memory", Stopped, "the memory is used up"),
        ("refuses", Refused, "rule seven"),
        ("hangs", Stopped, "the time is up"),
    ],
)
def test_the_end_of_an_engine_is_told(end: str, error: type[Exception], said: str) -> None:
    began = time.monotonic()
    with pytest.raises(error, match=said):
        list(Isolated(Failing(end)).answers(MODEL, Budget.of(0.5)))
    assert time.monotonic() - began < 10


def test_what_was_found_before_an_engine_died_is_kept() -> None:
    stream = Isolated(Failing("hangs")).answers(MODEL, Budget.of(5))
    assert next(stream) == {TWO: 1}
    stream.close()  # type: ignore[attr-defined]


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(model=models())
def test_the_answers_are_the_same(model: Model) -> None:
    search = Search(model, backend("exact-cover", isolated=True), Budget())
    found = [shown(model, values) for values in search.answers()]
    assert len(found) == len(set(found))
    assert set(found) == visible_answers(model)
