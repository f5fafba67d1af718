"""Types that ask for more than anybody has end by themselves when the time is up,
on every backend.
"""

import re
import time

import pytest

from puzzlekit.api import QueryOptions, load
from puzzlekit.backends import BACKENDS, load_backend
from puzzlekit.clock import Clock
from puzzlekit.errors import Problems, Stopped
from tests.hostile.run import TYPES

SLACK = 10.0  # it is to be one second, on a machine that does nothing else
SAMPLE = [
    *(
        ("best-cycles", "auto"),
        ("next-guesses", "auto"),
        ("placements", "auto"),
        ("million-values", "auto"),
    ),
    *(
        ("all-different", "cp-sat"),
        ("in-order", "z3"),
        ("forest", "sat"),
        ("connected", "asp"),
        ("large-tables", "csp"),
    ),
    *(("crossing-words", "exact-cover"), ("pentominoes", "dlx"), ("magic-square", "xcover")),
]


def overrun(name: str, backend: str, timeout: float) -> float:
    """The seconds beyond the timeout after which loading and solving have ended."""
    if backend != "auto":
        load_backend(backend)  # its library is loaded
    asked = TYPES[name].read_text().splitlines()[0]
    clock = Clock(timeout)
    try:
        run = load(str(TYPES[name]), clock=clock).run(
            QueryOptions(counting="--count" in asked, everything="--all" in asked).query(),
            backend,
            clock=clock,
        )
        for _ in run:
            pass
        assert run.status in ("stopped", "complete", "unsupported")
    except Stopped:  # while it is loaded
        pass
    except (
        Problems
    ) as refused:  # a fast machine comes to a limit on steps or sizes before the time is up
        assert re.search(r"more than \d+,000", str(refused)), refused
    return time.monotonic() - clock.began - timeout


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("name", "backend"), SAMPLE)
def test_a_few_end_in_time(name: str, backend: str) -> None:
    assert overrun(name, backend, 0.7) < SLACK


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", TYPES)
def test_all_end_in_time(name: str, backend: str) -> None:
    assert overrun(name, backend, 2.0) < SLACK
