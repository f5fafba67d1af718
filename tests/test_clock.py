"""The clock is heard in every stage, by every thread, and nowhere else; each stage's seconds are its own."""

from __future__ import annotations

import gc
import json
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from copy import copy
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit import clock
from puzzlekit.api import Query
from puzzlekit.api.backbone import Backbone
from puzzlekit.backends import BACKENDS, load_backend
from puzzlekit.backends import base as base
from puzzlekit.backends import xcover_backend as dancing_cells
from puzzlekit.clock import BUILDING, PRESOLVE, Clock, undisturbed
from puzzlekit.errors import Stopped

SOON = 10.0  # seconds that may pass on a machine that does much else; without the clock they would be sixty
LOADING = "puzzle: long\nvariables:\n  x: bool\nlet:\n  made: sum(i * j % 7 for i in range(990) for j in range(990))\n"
LARGE = "puzzle: large\nvariables:\n  x[i]: range(2001) for i in range(2000)\nrules:\n  differ: all_different(x)\n"


def spin(seconds: float = 60.0) -> None:
    """Work that asks no clock."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def stopped_after(work: Callable[[], object]) -> float:
    began = time.monotonic()
    with pytest.raises(Stopped, match="the time is up"):
        work()
    return time.monotonic() - began


def test_work_that_asks_no_clock_is_stopped() -> None:
    assert 0.1 <= stopped_after(lambda: Clock(0.1).hear(spin)) < SOON


def test_what_catches_the_stop_of_a_check_has_time_to_end() -> None:
    ended = []
    limited = Clock(0.1)

    def work() -> None:
        try:
            while True:
                limited.check()
        except Stopped:
            spin(0.2)
            ended.append(True)
            raise

    assert stopped_after(lambda: limited.hear(work)) < SOON
    assert ended


def test_a_clock_that_began_before_has_less_time_left() -> None:
    assert stopped_after(lambda: Clock(10, time.monotonic() - 9.8).hear(spin)) < SOON


def test_a_thread_hears_it_and_signals_are_left_alone() -> None:
    took: list[float] = []
    before = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    thread = threading.Thread(target=lambda: took.append(stopped_after(lambda: Clock(0.1).hear(spin))))
    thread.start()
    spin(0.3)  # the main thread hears nothing
    thread.join()
    assert took[0] < SOON
    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == before


def test_a_stream_is_heard_while_it_makes_its_items_and_not_in_between() -> None:
    def items() -> Iterator[int]:
        yield 1
        spin()

    stream = Clock(0.1).hear_stream(items())
    assert next(stream) == 1
    spin(0.3)
    assert stopped_after(lambda: next(stream)) < SOON


def test_nothing_comes_after_the_end() -> None:
    for delay in range(60):
        try:
            Clock(0.004).hear(lambda delay=delay: spin(0.001 + delay / 10_000))  # type: ignore[misc]
        except Stopped:
            continue
        spin(0.002)
    spin(0.01)


@pytest.mark.parametrize("seconds", [0.1, 60])
def test_what_comes_after_the_end_may_be_traced(seconds: float) -> None:
    lines = [
        "import sys, time",
        "from puzzlekit.clock import Clock",
        "from puzzlekit.errors import Stopped",
        "def work():",
        f"    until = time.monotonic() + {2 * seconds if seconds < 1 else 0}",
        "    while time.monotonic() < until: pass",
        f"try: Clock({seconds}).hear(work)",
        "except Stopped: print('stopped')",
        "sys.settrace(lambda *_: None)",
        "work()",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, timeout=SOON, check=False)
    assert (done.stdout, done.stderr) == ("stopped\n" if seconds < 1 else "", "")


def test_what_asks_the_clock_itself_is_left_alone() -> None:
    ended = []

    @undisturbed
    def whole() -> None:
        spin(0.3)
        ended.append(True)

    class Thing:
        def __del__(self) -> None:
            whole_del()

    def whole_del() -> None:
        spin(0.3)
        ended.append(True)

    def destroyed() -> None:
        Thing()
        spin()

    assert stopped_after(lambda: Clock(0.1).hear(lambda: (whole(), spin()))) >= 0.3
    assert stopped_after(lambda: Clock(0.1).hear(destroyed)) >= 0.3
    assert ended == [True, True]


def test_what_python_drops_in_a_callback_comes_again_and_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", printed.append)

    until = time.monotonic() + 1

    def callback(phase: str, info: object) -> None:
        while time.monotonic() < until:
            pass

    def collecting() -> None:
        gc.callbacks.append(callback)
        try:
            gc.collect(0)
            spin()
        finally:
            gc.callbacks.remove(callback)

    assert stopped_after(lambda: Clock(0.1).hear(collecting)) < SOON
    assert not printed
    assert sys.unraisablehook == printed.append


def test_one_that_is_swallowed_comes_again() -> None:
    def deaf() -> None:
        try:
            spin()
        except Stopped:
            spin()

    assert stopped_after(lambda: Clock(0.1).hear(deaf)) < SOON


def test_a_stage_keeps_its_own_seconds_whatever_ends_it() -> None:
    clock = Clock()
    with pytest.raises(ZeroDivisionError), clock.stage(PRESOLVE):
        spin(0.05)
        with clock.stage(BUILDING):
            spin(0.1)
            raise ZeroDivisionError
    assert 0.05 <= clock.seconds[PRESOLVE] < clock.seconds[BUILDING]
    assert clock.reason == "the time is up during search"


def test_loading_is_stopped_in_a_program(tmp_path: Path) -> None:
    (tmp_path / "long.yaml").write_text(LOADING)
    with pytest.raises(Stopped, match="the time is up during loading"):
        puzzlekit.load(str(tmp_path / "long.yaml"), timeout=0.1)


def test_what_a_run_did_is_booked_where_it_did_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "large.yaml").write_text(LARGE.replace("2000", "20").replace("2001", "21"))
    puzzle = puzzlekit.load(str(tmp_path / "large.yaml"))
    with monkeypatch.context() as slow:
        slow.setattr("puzzlekit.solve.search.presolve", lambda *_: spin())
        run = puzzle.run(Query(limit=1), "sat", 0.3)
        assert list(run) == []
        assert (run.status, str(run.reason)) == ("stopped", "the time is up during presolve")
        assert run.seconds["presolve"] > 0.15 + run.seconds["build"] and run.seconds["presolve"] > run.seconds["search"]
        found = Backbone(puzzle, Query(limit=1), "sat", 0.1)
        assert (found.status, str(found.reason)) == ("stopped", "the time is up during presolve")
    monkeypatch.setattr("puzzlekit.backends.sat.Clauses", lambda *_, **__: spin())
    run = puzzle.run(Query(limit=1), "sat", 0.3)
    assert list(run) == []
    assert str(run.reason) == "the time is up during building"
    assert run.seconds["build"] > run.seconds["search"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", BACKENDS)
def test_large_models_are_stopped_wherever_they_are(name: str, tmp_path: Path) -> None:
    (tmp_path / "large.yaml").write_text(LARGE.replace("2000", "400").replace("2001", "401"))
    puzzle = puzzlekit.load(str(tmp_path / "large.yaml"))
    load_backend(name)  # its library is loaded
    assert stopped_after(lambda: list(puzzle.solve(backend=name, timeout=0.2))) < SOON


def test_the_command_s_clock_begins_with_the_command(tmp_path: Path) -> None:
    (tmp_path / "long.yaml").write_text(LOADING)
    command = [sys.executable, "-m", "puzzlekit", "solve", str(tmp_path / "long.yaml"), "--timeout", "0.2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout.startswith("stopped: the time is up during loading; no solution yet")
    told = json.loads(subprocess.run([*command, "--json"], capture_output=True, check=False).stdout)
    assert (told["status"], told["reason"], told["solutions"]) == ("stopped", "the time is up during loading", [])
    assert told["seconds"]["total"] >= 0.2 and told["seconds"]["search"] == 0.0


def test_a_search_that_is_not_compiled_yet_is_compiled_where_it_can_be_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    def compiling() -> Iterator[None]:
        time.sleep(60)
        yield None

    monkeypatch.setattr(dancing_cells, "algorithm_c", None)
    monkeypatch.setattr(dancing_cells, "_loaded", compiling)
    assert stopped_after(lambda: dancing_cells._ready(base.Budget.of(0.2))) < SOON


def test_a_copy_of_what_stops_a_thread_says_the_same() -> None:
    """A run raises a copy of its reason, and other processes send theirs."""
    raised = clock._stopped("the time is up")()
    for again in (copy(raised), pickle.loads(pickle.dumps(raised))):
        assert type(again) is Stopped and str(again) == "the time is up"
