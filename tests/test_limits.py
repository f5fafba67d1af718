"""Limits are typed, each has a name and a reader of its own, and others hold for as long as a test says."""

import re
import threading
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit.limits import Limits, limits, replaced

PACKAGE = Path(puzzlekit.__file__).parent


def every() -> list[str]:
    """The names of all limits."""
    return [name for stage in limits().names() for name in getattr(limits(), stage).names()]


def test_no_two_limits_have_one_name() -> None:
    assert len(every()) == len(set(every()))


def test_each_limit_is_read_where_something_is_bounded() -> None:
    code = "".join(path.read_text() for path in PACKAGE.rglob("*.py") if path.name != "limits.py")
    assert [name for name in every() if not re.search(rf"\.{name}\b", code)] == []


def test_each_limit_says_what_it_counts() -> None:
    """In its comment or, where that would say it again, by its name alone; and its value is one that bounds."""
    for stage in limits().names():
        assert type(getattr(limits(), stage)).__doc__
        for name in getattr(limits(), stage).names():
            assert getattr(getattr(limits(), stage), name) > 0 or name == "steps"  # 0 for no bound


def test_others_hold_for_a_time_and_then_those_before() -> None:
    before = limits()
    with replaced(cycles=7, board_side=3) as inside:
        assert limits() is inside
        assert (limits().boards.cycles, limits().reading.board_side) == (7, 3)
        assert limits().boards.cycle_arcs == before.boards.cycle_arcs
        with pytest.raises(ZeroDivisionError), replaced(cycles=8):
            assert (limits().boards.cycles, limits().reading.board_side) == (8, 3)
            raise ZeroDivisionError
        assert limits() is inside
    assert limits() is before
    assert Limits().boards.cycles == limits().boards.cycles == 200_000


def test_they_hold_in_all_threads() -> None:
    seen: list[int] = []
    with replaced(cycles=7):
        thread = threading.Thread(target=lambda: seen.append(limits().boards.cycles))
        thread.start()
        thread.join()
    assert seen == [7]


def test_a_limit_that_is_not_there_or_is_set_is_an_error() -> None:
    with pytest.raises(TypeError, match="there is no limit patience, trys"), replaced(trys=1, patience=2, cycles=3):
        pass
    with pytest.raises(AttributeError, match="cycles is a read-only limit"):
        limits().boards.cycles = 7
    assert limits().boards.cycles == 200_000


def test_what_is_derived_follows() -> None:
    with replaced(file_characters=10):
        assert limits().reading.file_bytes == 43
