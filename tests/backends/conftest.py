"""What the tests of backends share."""

from collections.abc import Callable, Iterator

import pytest


@pytest.fixture(scope="module")
def unwatched() -> Iterator[None]:
    """Solvers are called directly, without a thread each time:
    for tests that ask thousands of times and stop nothing.

    `test_stopping.py` has the watch over such calls.
    """

    def directly(call: Callable[[], object], interrupt: object, budget: object) -> object:
        return call()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzlekit.backends.sat.watched", directly)
        patch.setattr("puzzlekit.backends.z3_backend.watched", directly)
        yield
