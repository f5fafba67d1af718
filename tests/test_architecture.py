"""The walk through ARCHITECTURE.md prints what it says,
and no module has grown too long to read at one go.
"""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_a_puzzle_goes_the_way_that_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / "ARCHITECTURE.md"), module_relative=False)
    assert failed == 0 and tried > 15


def test_no_module_has_more_than_400_lines() -> None:
    long = [
        path.name
        for path in (ROOT / "puzzlekit").rglob("*.py")
        if path.read_text("utf-8").count("\n") > 400
    ]
    assert long == [], "move what belongs together into a module of its own"
    assert (ROOT / "ARCHITECTURE.md").read_text("utf-8").count("\n") <= 150, (
        "say it shorter, or in docs/decisions/"
    )
