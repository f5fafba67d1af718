"""Worker processes and their streams: how they end, and when one answers again."""

import errno
import gc
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from threading import Thread

import pytest

from puzzlekit.backends import Budget, streams
from puzzlekit.backends.streams import streamed
from puzzlekit.errors import Problem, Problems, Stopped
from puzzlekit.processes import worker_process
from puzzlekit.processes.worker_process import Worker, WorkerCrashed

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="a new process does not see what is patched"
)


def places() -> Iterator[int]:
    yield os.getpid()


def rests(seconds: float) -> Iterator[int]:
    time.sleep(seconds)
    yield 1


def dies() -> Iterator[int]:
    yield 1
    os.kill(os.getpid(), signal.SIGKILL)


def endless() -> Iterator[int]:
    yield from count()


def refuses() -> Iterator[int]:
    yield os.getpid()
    raise Problems([Problem("no")])


def works(seconds: float) -> Iterator[int]:
    """Say nothing for so many seconds of work, then something again and again."""
    while time.process_time() < seconds:
        pass
    yield from count()


def place(again: bool = True) -> int:
    """The process that gave a stream."""
    (found,) = streamed(places, (), Budget(), again)
    return found


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing that an earlier test left rests,
    and what rests waits for as long as a busy machine takes.
    """
    monkeypatch.setattr(worker_process, "IDLE_SECONDS", 30.0)
    streams._idle.worker = None
    yield
    if (worker := streams._idle.take()) is not None:
        worker.end()


def until(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def runs(pid: int) -> bool:
    """Whether it runs, and is no mere entry that nobody has asked for."""
    for worker in worker_process._workers:
        if worker._process is not None and worker._process.pid == pid:
            return worker._process.poll() is None
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def running() -> list[Worker]:
    return [
        worker
        for worker in worker_process._workers
        if worker._process is not None and worker._process.poll() is None
    ]


def test_a_process_that_dies_is_never_the_end_of_the_solutions() -> None:
    for again in (False, True):
        with pytest.raises(Stopped, match="died of SIGKILL"):
            list(streamed(dies, (), Budget(), again))


def test_that_there_is_no_process_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> int:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", full)
    with pytest.raises(
        Stopped, match="cannot start a process for the backend: Resource temporarily unavailable"
    ):
        place()


def test_a_process_ends_with_its_stream_or_serves_again() -> None:
    alone = place(again=False)
    assert alone != os.getpid()
    assert not runs(alone)
    first = place()
    assert place() == first
    assert place(again=False) != first
    assert place() == first


def test_a_process_that_is_not_asked_again_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "IDLE_SECONDS", 0.3)
    first = place()
    assert until(lambda: not runs(first))
    assert place() != first


def test_a_process_that_rests_too_long_is_not_asked() -> None:
    first = place()
    assert streams._idle.worker is not None
    streams._idle.worker.idle_seconds = 0.0
    assert place() != first
    assert not runs(first)


def test_a_process_that_died_at_rest_is_replaced() -> None:
    first = place()
    os.kill(first, signal.SIGKILL)
    assert until(lambda: not runs(first))
    assert place() != first


def test_a_process_that_dies_just_before_it_is_asked_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = place()
    os.kill(first, signal.SIGKILL)
    assert until(lambda: not runs(first))
    monkeypatch.setattr(Worker, "ready", True)
    with pytest.raises(Stopped, match="died of SIGKILL"):
        place()


def test_a_closed_stream_leaves_no_process() -> None:
    stream = streamed(endless, (), Budget(), reuse=True)
    assert next(stream) == 0
    stream.close()  # type: ignore[attr-defined]
    assert not running()


def test_a_process_that_failed_is_not_asked_again() -> None:
    stream = streamed(refuses, (), Budget(), reuse=True)
    first = next(stream)
    with pytest.raises(Problems):
        next(stream)
    assert not runs(first)
    assert place() != first


def test_streams_side_by_side_have_processes_of_their_own() -> None:
    one, other = (streamed(places, (), Budget(), reuse=True) for _ in range(2))
    assert len({next(one), next(other)}) == 2
    assert not list(one) + list(other)
    assert len(running()) == 1


def test_a_thread_has_a_process_of_its_own() -> None:
    first = place()
    found: list[int] = []
    thread = Thread(target=lambda: found.append(place()))
    thread.start()
    thread.join()
    assert found != [first]
    assert place() == first


@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_fork_of_the_user_does_not_take_what_rests() -> None:
    first = place()
    here, there = os.pipe()
    fork = os.fork()
    if not fork:
        os.write(there, str(place()).encode())
        os._exit(0)
    assert int(os.read(here, 20)) not in (first, fork)
    os.waitpid(fork, 0)
    assert place() == first


def test_a_stream_that_is_garbage_closes_its_line_once() -> None:
    first = place()
    stream: list[object] = [streamed(endless, (), Budget(), reuse=True)]
    assert next(stream[0]) == 0  # type: ignore[call-overload]
    stream.append(stream)
    assert runs(first)
    del stream
    gc.collect()  # it takes the line, which is older, before the stream
    assert not runs(first)


def test_a_stream_goes_on_when_the_thread_that_began_it_has_ended() -> None:
    streams: list[Iterator[int]] = []

    def begin() -> None:
        streams.append(streamed(endless, (), Budget()))
        next(streams[0])

    thread = Thread(target=begin)
    thread.start()
    thread.join()
    (stream,) = streams
    assert next(islice(stream, 50_000, None)) == 50_001
    stream.close()  # type: ignore[attr-defined]
    assert not running()


@pytest.mark.parametrize("again", [False, True])
def test_the_work_of_a_process_counts_for_a_trial(again: bool) -> None:
    with pytest.raises(Stopped, match="the trial is over"):
        next(streamed(works, (60.0,), Budget().with_slice_of(0.2), again))


def test_waiting_for_a_process_that_does_not_work_is_no_work() -> None:
    budget = Budget().with_slice_of(0.5)
    assert list(streamed(rests, (1.0,), budget)) == [1]
    assert not budget.slice_is_over()


def test_a_trial_that_is_lifted_goes_on_in_the_other_process() -> None:
    budget = Budget().with_slice_of(0.2)
    numbers = streamed(works, (0.04,), budget.with_slice_of(0.2))
    budget.lift_slice()
    next(numbers)
    with pytest.raises(Stopped, match="the trial is over"):
        list(numbers)
    trial = budget.with_slice_of(0.2)
    numbers = streamed(works, (0.04,), trial)
    next(numbers)
    trial.lift_slice()
    while trial.clock.elsewhere < 0.5:
        next(numbers)
    numbers.close()


def test_a_process_that_has_no_memory_to_begin_ends_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def short(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(worker_process, "_end_with_parent", short)
    monkeypatch.setattr(worker_process, "memory_is_bounded", lambda: True)
    with pytest.raises(Stopped, match="not enough memory"):
        place(again=False)
    assert capfd.readouterr().err == ""


# Fresh workers ------------------------------------------------------------------------------------


def test_a_fresh_worker_answers_again_and_has_workers_itself() -> None:
    worker = Worker(fresh=True)
    found = []
    for _ in range(2):
        worker.ask(nested, ())
        found.append(worker.only_item(60.0))
    (first, inner), (again, _) = found
    assert first == again != inner and os.getpid() not in (first, inner)
    assert worker.end() == "died of SIGKILL"
    assert until(lambda: not runs(first))


def nested() -> Iterator[tuple[int, int]]:
    (inner,) = streamed(places, (), Budget())
    yield os.getpid(), inner


def test_what_a_fresh_worker_has_started_ends_with_it() -> None:
    worker = Worker(fresh=True)
    worker.ask(sleepers, ())
    message = worker.receive(60.0)
    assert message is not None
    ((sleeper,), _, _) = message
    assert runs(sleeper)
    worker.end()
    assert until(lambda: not runs(sleeper))


def sleepers() -> Iterator[int]:
    yield subprocess.Popen(["sleep", "600"]).pid
    time.sleep(600)


def test_a_fresh_worker_ends_when_nobody_asks_it() -> None:
    worker = Worker(fresh=True, idle_seconds=0.1)
    worker.ask(places, ())
    pid = worker.only_item(60.0)
    assert until(lambda: not runs(pid))
    assert not worker.ready and worker.end() == "ended with exit code 0"


def test_a_worker_that_is_killed_is_not_ready_though_it_still_dies() -> None:
    worker = Worker(fresh=True)
    worker.ask(places, ())
    worker.only_item(60.0)
    worker.idle_since = time.monotonic()
    assert worker.ready
    worker.kill()
    assert not worker.ready
    worker.end()
    worker.ask(places, ())
    assert worker.only_item(60.0) and worker.ready
    worker.end()


def test_a_worker_that_dies_says_how() -> None:
    worker = Worker(fresh=True)
    worker.ask(dies, ())
    with pytest.raises(WorkerCrashed, match="died of SIGKILL"):
        worker.only_item(60.0)
    with pytest.raises(WorkerCrashed):
        worker.only_item(60.0)
