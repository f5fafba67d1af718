"""The walk through ARCHITECTURE.md prints what it says."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_a_puzzle_goes_the_way_that_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / "ARCHITECTURE.md"), module_relative=False)
    assert failed == 0 and tried > 15
