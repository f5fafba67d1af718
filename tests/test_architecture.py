"""The walk through ARCHITECTURE.md prints what it says, and the page is short."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_a_puzzle_goes_the_way_that_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / "ARCHITECTURE.md"), module_relative=False)
    assert failed == 0 and tried > 15


def test_the_description_is_short() -> None:
    assert (ROOT / "ARCHITECTURE.md").read_text("utf-8").count("\n") <= 150, (
        "say it shorter, or in docs/decisions/"
    )
