"""Each method of a puzzle takes its time as `timeout` or as a running `clock`, in the same way."""

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import puzzlekit
from puzzlekit import Clock, InputError, Puzzle, Query, Stopped
from puzzlekit.api.exporting import export

ROOT = Path(__file__).resolve().parents[2]
QUEENS = ROOT / "specs" / "queens" / "n4.yaml"
GOAL = {
    "puzzle": "three",
    "variables": {"x[i]": "between(1, 9) for i in range(3)"},
    "rules": {"they differ": "all_different(x)", "they are few": "sum(x) == 9"},
    "goals": {"high": "maximise(x[0])"},
}

Ask = Callable[..., object]

ASKED: dict[str, Ask] = {
    "run": lambda puzzle, **time: _exhausted(puzzle.run(Query(), **time)),
    "solve": lambda puzzle, **time: list(puzzle.solve(**time)),
    "count": lambda puzzle, **time: puzzle.count(**time),
    "sample": lambda puzzle, **time: puzzle.sample(1, **time),
    "best": lambda puzzle, **time: puzzle.best("high", **time),
    "check": lambda puzzle, **time: puzzle.check({}, **time),
    "hint": lambda puzzle, **time: puzzle.hint({}, **time),
    "explain": lambda puzzle, **time: list(puzzle.explain({}, **time)),
    "conflict": lambda puzzle, **time: puzzle.conflict(**time),
    "rate": lambda puzzle, **time: _finished(puzzle.rate(**time)),
    "is_solved_at": lambda puzzle, **time: puzzle.is_solved_at("hard", **time),
    "backbone": lambda puzzle, **time: _exhausted(puzzle.backbone(**time)),
    "export": lambda puzzle, **time: export(puzzle, "dimacs", "none", **time),
    "load": lambda puzzle, **time: puzzlekit.load("queens", QUEENS, **time),
}


def _exhausted(run: Any) -> None:
    """Raise what ended a run or a backbone early."""
    if isinstance(run, Iterable):
        list(run)
    if run.reason is not None:
        raise run.reason


def _finished(rating: puzzlekit.Rating) -> None:
    if rating.status == "running":
        raise Stopped("a rating keeps the steps so far")


@pytest.fixture
def puzzle() -> Puzzle:
    return puzzlekit.load(GOAL)


@pytest.mark.parametrize("name", ASKED)
def test_a_clock_whose_time_is_up_ends_the_work(name: str, puzzle: Puzzle) -> None:
    clock = Clock(0.0, began=0.0)
    with pytest.raises(Stopped):
        ASKED[name](puzzle, clock=clock)


@pytest.mark.parametrize("name", ASKED)
def test_a_clock_with_time_left_is_not_replaced(name: str, puzzle: Puzzle) -> None:
    looks = 0

    class Counting(Clock):
        def check(self) -> None:
            nonlocal looks
            looks += 1
            super().check()

    ASKED[name](puzzle, clock=Counting(60.0))
    assert looks


@pytest.mark.parametrize("name", ASKED)
def test_a_timeout_beside_a_clock_is_an_error(name: str, puzzle: Puzzle) -> None:
    with pytest.raises(InputError, match="a timeout and a clock cannot be combined"):
        ASKED[name](puzzle, timeout=1.0, clock=Clock(1.0))


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("timeout", [-1.0, float("nan")])
def test_a_timeout_is_a_number_from_0(name: str, timeout: float, puzzle: Puzzle) -> None:
    with pytest.raises(InputError, match="timeout requires a number of seconds from 0"):
        ASKED[name](puzzle, timeout=timeout)


def test_every_method_that_takes_a_timeout_takes_a_clock() -> None:
    methods = {
        name: inspect.signature(method).parameters
        for name, method in inspect.getmembers(Puzzle, inspect.isfunction)
        if not name.startswith("_") and name != "draw"  # whose picture says that the time was up
    }
    timed = {name for name, parameters in methods.items() if "timeout" in parameters}
    assert timed == {name for name, parameters in methods.items() if "clock" in parameters}
    assert timed == ASKED.keys() & methods.keys()
