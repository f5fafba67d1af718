"""A few of the changed files that `fuzz_files.py` runs by the thousand."""

import pytest

from tests.lang.fuzz_files import fuzz


@pytest.mark.parametrize(
    ("number", "seed"), [(30, 1), pytest.param(3_000, 2, marks=pytest.mark.slow)]
)
def test_changed_files_end_in_a_message_and_a_code(number: int, seed: int) -> None:
    ends = set()
    for how, wrong in fuzz(number, seed):
        assert not wrong, wrong
        ends.add(how)
    assert len(ends) > 3
