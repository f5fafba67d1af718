"""How many workers run the tests, which cases are skipped or left to `make test-slow`,
and the profiles of Hypothesis.
"""

import gc
import os
import signal
from collections import defaultdict
from collections.abc import Generator
from zlib import crc32

import pytest
from hypothesis import Phase, settings

from puzzlekit.backends import BACKENDS
from puzzlekit.errors import Unsupported

# The backends that refuse no model of these tests, but where a test says so. Another one may.
COMPLETE = ("exact-cover", "sat", "asp", "z3", "dlx", "csp", "cp-sat", "xcover")

# an example has no deadline: other work of the machine is no mistake
settings.register_profile("tests", deadline=None)
settings.load_profile("tests")
# what a wrong lowering breaks need not be made small
settings.register_profile(
    "mutants", deadline=None, phases=[Phase.explicit, Phase.generate], report_multiple_bugs=False
)


gc.disable()  # until all tests are collected: a quarter of the time of that


if (
    signal.getsignal(signal.SIGINT) == signal.SIG_IGN
):  # as in a background job: processes that tests start would ignore it, too
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)  # so that `-p no:xdist` works
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than processors: some tests wait for processes and clocks."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over the thousands of tests each time:
    a tenth of the processor time.
    """
    gc.enable()
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Skip a test of a backend that is not `COMPLETE` where the backend refuses the model."""
    try:
        return (yield)
    except Unsupported as reason:
        parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
        if any(
            isinstance(name, str) and name in BACKENDS and name not in COMPLETE
            for name in parameters
        ):
            pytest.skip(f"refused: {reason}")
        raise


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of the cases of a test with `@pytest.mark.sampled(n)`, mark all but n as slow:
    the same ones in each run.
    """
    cases = defaultdict(list)
    for item in items:
        mark = item.get_closest_marker("sampled")
        if mark is not None and item.get_closest_marker("slow") is None:
            cases[item.nodeid.partition("[")[0], *mark.args].append(item)
    for (_, number), alike in cases.items():
        for item in sorted(alike, key=lambda item: crc32(item.nodeid.encode()))[number:]:
            item.add_marker("slow")
