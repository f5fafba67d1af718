"""The collector, the recursion limit and the hooks of the process are the caller's,
except while a call needs others.
"""

import gc
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import puzzlekit
from puzzlekit import python_settings
from puzzlekit.api import Puzzle
from puzzlekit.backends import BACKENDS, Budget
from puzzlekit.model import Cardinality, Constraint, Model, Objective, Origin, Sum, Variable
from puzzlekit.query import ObjectiveBound, Query, Task
from puzzlekit.solve.auto import solver

LISTING = (
    "puzzle: listing\nvariables:\n  x[i]: range(4) for i in range(4)\nrules:\n"
    "  differ: all_different(x)\n"
)
COSTING = LISTING + "goals:\n  least: minimise(x[0] * 3 + x[1])\n"
Process = tuple[bool, int, Any]


def process() -> Process:
    """What the process is set to."""
    return gc.isenabled(), sys.getrecursionlimit(), sys.unraisablehook


@pytest.fixture
def own() -> Iterator[Process]:
    """A recursion limit and a hook that only the caller can have set."""
    before = process()

    def hook(unraisable: Any) -> None:
        """The caller's."""

    sys.setrecursionlimit(before[1] + 7)
    sys.unraisablehook = hook
    yield process()
    assert process() == (before[0], before[1] + 7, hook)
    sys.setrecursionlimit(before[1])
    sys.unraisablehook = before[2]


def loaded(text: str, folder: Path) -> Puzzle:
    path = folder / "type.yaml"
    path.write_text(text)
    return puzzlekit.load(str(path))


def test_loading_leaves_the_process_as_it_was(own: Process, tmp_path: Path) -> None:
    loaded(LISTING, tmp_path)
    assert process() == own
    with pytest.raises(puzzlekit.errors.InputError):
        loaded("puzzle: wrong\nvariables:\n  x: nothing\n", tmp_path)
    assert process() == own


@pytest.mark.parametrize("collecting", [True, False])
@pytest.mark.parametrize("name", BACKENDS)
def test_the_process_is_the_caller_s_between_solutions(
    name: str, collecting: bool, own: Process, tmp_path: Path
) -> None:
    puzzle = loaded(COSTING, tmp_path)
    gc.enable() if collecting else gc.disable()
    own = process()
    try:
        for goal, timeout in ((None, None), (None, 60.0), ("least", None)):
            stream = puzzle.solve(name, goal=goal, timeout=timeout)
            assert process() == own
            for _ in stream:
                assert process() == own
            assert process() == own
            left_open = puzzle.solve(name, goal=goal, timeout=timeout)
            next(left_open)
            assert process() == own
            left_open.close()  # type: ignore[attr-defined]
            assert process() == own
        assert puzzle.count(name) == 24
        assert len(puzzle.sample(3, seed=1, backend=name)) == 3
        assert process() == own
    finally:
        gc.enable()


def ask(name: str, model: Model, query: Query) -> Iterator[Any]:
    """What a backend answers."""
    return solver(name).ask(model, query, Budget.of())


def pairs(number: int) -> Model:
    """Pairs of which one is true: a search for a solution calls itself once for each pair at
    least.
    """
    names = [(Variable(f"x{place}"), Variable(f"y{place}")) for place in range(number)]
    conditions = [Cardinality(tuple((variable, True) for variable in pair), 1, 1) for pair in names]
    goal = Objective(
        "least", Sum(tuple((place % 3 + 1, pair[0]) for place, pair in enumerate(names)))
    )
    domains = {variable: (False, True) for pair in names for variable in pair}
    return Model(
        domains, tuple(Constraint(condition, Origin("a rule")) for condition in conditions), goal
    )


def test_deep_searches_are_open_at_once_and_closed_in_any_order(own: Process) -> None:
    """Each goes deeper than the caller may, and on from where it was,
    whether others go on or have ended.
    """
    model = replace(pairs(1_000), goal=None)
    streams: list[Any] = [ask("dlx", model, Query()) for _ in range(3)]
    found = [next(stream) for stream in streams]
    assert process() == own
    streams[1].close()
    assert process() == own
    found += [next(streams[0]), next(streams[2])]
    assert process() == own
    streams[2].close()
    found.append(next(streams[0]))
    assert process() == own
    assert all(model.violated(values) is None for values in found)
    del streams
    assert process() == own


def test_deep_counts_and_optima_need_depth_no_longer_than_they_run(own: Process) -> None:
    name, model = "exact-cover", pairs(550)
    assert next(ask(name, pairs(1_000), Query(Task.COUNT))) == 2**1_000
    assert process() == own
    values = []
    for better in ask(name, model, Query(Task.OPTIMISE)):
        assert process() == own
        values.append(model.goal.term.value(better))
    assert values[-1] == 0
    assert next(ask(name, model, Query(Task.COUNT, bound=ObjectiveBound(0, optimal=True)))) == 1
    best = ask(name, model, Query(bound=ObjectiveBound(1)))
    for _ in islice(best, 5):
        assert process() == own
    assert next(ask(name, model, Query(Task.SAMPLE, 1, seed=1)))
    assert process() == own


def test_a_deep_search_in_another_thread_keeps_its_depth(own: Process) -> None:
    """What ends in one thread takes nothing from another."""
    inside, go_on, seen = threading.Event(), threading.Event(), []

    def deep(calls: int) -> int:
        return deep(calls - 1) if calls else 0

    def other() -> None:
        with python_settings.depth_for(2_000), python_settings.gc_paused():
            inside.set()
            go_on.wait(60)
            seen.append((deep(1_800), gc.isenabled()))

    thread = threading.Thread(target=other)
    thread.start()
    inside.wait(60)
    with python_settings.depth_for(100), python_settings.gc_paused():
        assert sys.getrecursionlimit() == 3_000
    go_on.set()
    thread.join()
    assert seen == [(0, False)]


def test_what_the_caller_sets_meanwhile_is_kept() -> None:
    before = process()
    with python_settings.depth_for(2_000):
        sys.setrecursionlimit(before[1] + 50)
    assert sys.getrecursionlimit() == before[1] + 50
    sys.setrecursionlimit(before[1])
    assert process() == before
