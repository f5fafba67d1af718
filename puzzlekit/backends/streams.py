"""Streams of items from workers, for backends whose libraries ignore the clock and Ctrl-C."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import local
from typing import Any, TypeVar

from puzzlekit.backends.base import Budget
from puzzlekit.clock import Clock
from puzzlekit.errors import Stopped
from puzzlekit.processes import Message, Worker, WorkerCrashed, is_worker

T = TypeVar("T")
REPORT = 0.3  # seconds for the report of a worker whose stream is closed early


def streamed(
    make: Callable[..., Iterator[T]],
    arguments: tuple[Any, ...],
    budget: Budget,
    reuse: bool = False,
    report: Callable[[T], None] | None = None,
) -> Iterator[T]:
    """Yield the items of `make(*arguments)` from a worker; within a worker, from here.

    The worker is killed when the stream is closed early, when the time is up, and by Ctrl-C. With
    `reuse`, it stays for the next stream of this thread, if that comes soon; the arguments must
    then be plain data. With `report`, a worker whose stream is closed early gets SIGTERM and has a
    moment to end by itself; the function gets the items that still come.

    Raises: Stopped if the time is up, and if the worker dies or cannot be started; whatever error
    of puzzlekit `make` raises.
    """
    if is_worker():
        yield from make(*arguments)
        return
    worker = (_idle.take() if reuse else None) or Worker()
    unread: Iterator[T] = iter(())
    ended = False
    is_complete = False
    try:
        _ask(worker, make, arguments)
        while not ended:
            items, ended, error = _next_message(worker, budget)
            unread = iter(items)
            yield from unread
            if error is not None:
                raise error
        is_complete = True
    except WorkerCrashed as death:
        reason = str(death) if str(death).startswith("died") else "died"
        raise Stopped(
            f"the backend's process {reason}: it was killed, or there was not enough memory"
        ) from None
    finally:
        if is_complete and reuse:
            _idle.put(worker)
        else:
            try:
                if report is not None:
                    for item in unread:
                        report(item)
                    if not ended:
                        _hear_report(worker, report, budget.clock)
            finally:
                worker.end()


def _ask(worker: Worker, make: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]) -> None:
    try:
        worker.ask(make, arguments)
    except OSError as error:
        raise Stopped(f"cannot start a process for the backend: {error.strerror}") from error


def _next_message(worker: Worker, budget: Budget) -> Message:
    """Return the next message. Raises Stopped if the time is up, and WorkerCrashed."""
    while True:
        budget.check()
        remaining = budget.remaining()
        seconds = 0.1 if remaining is None else min(0.1, remaining + 0.001)
        message = worker.receive(seconds)
        budget.clock.elsewhere += worker.worked()
        if message is not None:
            return message


def _hear_report(worker: Worker, report: Callable[[Any], None], clock: Clock) -> None:
    """Ask a worker to end by itself, and pass on the items that come within a moment."""
    began = time.monotonic()
    worker.signal(signal.SIGTERM)
    ended = False
    with suppress(WorkerCrashed):
        while not ended:
            remaining = began + REPORT - time.monotonic()
            if remaining <= 0:
                break
            items, ended, _ = worker.receive(remaining) or ([], True, None)
            for item in items:
                report(item)
    clock.elsewhere += worker.worked()
    clock.reporting += time.monotonic() - began


class _Idle(local):
    """The worker of each thread that waits for the next stream."""

    worker: Worker | None = None

    def take(self) -> Worker | None:
        """Return the worker if it can answer again."""
        worker, self.worker = self.worker, None
        if worker is None or worker.ready:
            return worker
        worker.end()
        return None

    def put(self, worker: Worker) -> None:
        """Keep it; end the one before it."""
        if self.worker is not None:
            self.worker.end()
        worker.idle_since = time.monotonic()
        self.worker = worker


_idle = _Idle()
