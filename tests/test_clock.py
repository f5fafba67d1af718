"""Work asks the clock in every stage, in every thread, and nowhere else;
each stage's seconds are its own.
"""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit import clock
from puzzlekit.api import Query
from puzzlekit.api.backbone import Backbone
from puzzlekit.backends import BACKENDS, base as base, load_backend, xcover_backend as dancing_cells
from puzzlekit.clock import BUILDING, PRESOLVE, Clock
from puzzlekit.errors import Stopped

# seconds that may pass on a machine that does much else; without the clock they would be sixty
SOON = 10.0
LOADING = (
    "puzzle: long\nvariables:\n  x: bool\nlet:\n"
    "  made: sum(i * j % 7 for i in range(990) for j in range(990))\n"
)
LARGE = (
    "puzzle: large\nvariables:\n  x[i]: range(2001) for i in range(2000)\nrules:\n"
    "  differ: all_different(x)\n"
)


def spin(seconds: float = 60.0) -> None:
    """Work that has no clock, and asks the one that it runs under."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        clock.check()


def stopped_after(work: Callable[[], object]) -> float:
    began = time.monotonic()
    with pytest.raises(Stopped, match="the time is up"):
        work()
    return time.monotonic() - began


def run_under(
    seconds: float | None, work: Callable[[], object] = spin, began: float | None = None
) -> None:
    with Clock(seconds, began).running():
        work()


def test_work_that_has_no_clock_asks_the_one_it_runs_under() -> None:
    assert 0.1 <= stopped_after(lambda: run_under(0.1)) < SOON
    spin(0.01)  # no clock runs here
    assert list(clock.checked(range(3))) == [0, 1, 2]
    with pytest.raises(Stopped):
        run_under(0.0, lambda: list(clock.checked(range(3))))


def test_a_clock_that_began_before_has_less_time_left() -> None:
    assert stopped_after(lambda: run_under(10, began=time.monotonic() - 9.8)) < SOON


def test_the_innermost_clock_is_asked() -> None:
    assert stopped_after(lambda: run_under(60, lambda: run_under(0.1))) < SOON

    def nested() -> None:
        run_under(60, lambda: None)
        spin()

    assert stopped_after(lambda: run_under(0.1, nested)) < SOON


def test_each_thread_has_a_clock_of_its_own() -> None:
    took: list[float] = []
    thread = threading.Thread(target=lambda: took.append(stopped_after(lambda: run_under(0.1))))
    thread.start()
    spin(0.3)  # the main thread runs under none
    thread.join()
    assert took[0] < SOON


def test_a_stream_asks_the_clock_while_it_makes_its_items_and_not_in_between() -> None:
    closed = []

    def items() -> Iterator[int]:
        try:
            yield 1
            spin()
        finally:
            closed.append(True)

    stream = Clock(0.1).stream(items())
    assert next(stream) == 1
    spin(0.3)
    assert stopped_after(lambda: next(stream)) < SOON
    stream = Clock(60).stream(items())
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    assert closed == [True, True]


def test_another_thread_may_ask_the_work_to_stop() -> None:
    asked = Clock()
    threading.Timer(0.1, lambda: setattr(asked, "asked_to_stop", True)).start()
    with pytest.raises(Stopped, match="not needed any more"), asked.running():
        spin()


def test_a_stage_keeps_its_own_seconds_whatever_ends_it() -> None:
    stages = Clock()
    with pytest.raises(ZeroDivisionError), stages.stage(PRESOLVE):
        spin(0.05)
        with stages.stage(BUILDING):
            spin(0.1)
            raise ZeroDivisionError
    assert 0.05 <= stages.seconds[PRESOLVE] < stages.seconds[BUILDING]


@pytest.mark.parametrize("steps", [None, 10**9])
def test_loading_is_stopped_in_a_program(steps: int | None, tmp_path: Path) -> None:
    (tmp_path / "long.yaml").write_text(LOADING)
    with pytest.raises(Stopped, match="the time is up during loading"):
        puzzlekit.load(str(tmp_path / "long.yaml"), timeout=0.1, max_evaluations=steps)


def test_what_a_run_did_is_booked_where_it_did_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "large.yaml").write_text(LARGE.replace("2000", "20").replace("2001", "21"))
    puzzle = puzzlekit.load(str(tmp_path / "large.yaml"))
    with monkeypatch.context() as slow:
        slow.setattr("puzzlekit.solve.search.presolve", lambda *_: spin())
        run = puzzle.run(Query(limit=1), "sat", 0.3)
        assert list(run) == []
        assert (run.status, str(run.reason)) == ("stopped", "the time is up during presolve")
        assert (
            run.seconds["presolve"] > 0.15 + run.seconds["build"]
            and run.seconds["presolve"] > run.seconds["search"]
        )
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
    command = [
        sys.executable,
        "-m",
        "puzzlekit",
        "solve",
        str(tmp_path / "long.yaml"),
        "--timeout",
        "0.2",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout.startswith("stopped: the time is up during loading; no solution yet")
    told = json.loads(subprocess.run([*command, "--json"], capture_output=True, check=False).stdout)
    assert (told["status"], told["reason"], told["solutions"]) == (
        "stopped",
        "the time is up during loading",
        [],
    )
    assert told["seconds"]["total"] >= 0.2 and told["seconds"]["search"] == 0.0


def test_a_search_that_is_not_compiled_yet_is_compiled_where_it_can_be_killed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def compiling() -> Iterator[None]:
        time.sleep(60)
        yield None

    monkeypatch.setattr(dancing_cells, "algorithm_c", None)
    monkeypatch.setattr(dancing_cells, "_loaded", compiling)
    assert stopped_after(lambda: dancing_cells.DancingCells().prepare(base.Budget.of(0.2))) < SOON


def test_what_is_short_is_done_whole_before_a_stop() -> None:
    with pytest.raises(Stopped), Clock(0).running():
        with clock.uninterrupted():
            clock.check()
        clock.check()
