"""Calls of foreign backends that hear the clock and Ctrl-C."""

from __future__ import annotations

import atexit
import time
from _thread import start_new_thread
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any, Generic, TypeVar

from puzzlekit.backends.base import Budget
from puzzlekit.clock import undisturbed
from puzzlekit.interpreter import collector_at_rest

T = TypeVar("T")
LATEST = 10.0  # seconds after which a thread that has not begun never will


@undisturbed
def watched(call: Callable[[], T], interrupt: Callable[[], object], budget: Budget) -> T:
    """What `call()` gives, run in a thread of its own, so that the clock and Ctrl-C are heard meanwhile.

    When either comes, `interrupt()` is called until the call has ended. A backend's own timer and signal handler are not
    used: a Ctrl-C that falls between two short calls, or at the end of one, gets lost there.
    Raises: what the call raises; Stopped when the time is up.
    """
    task = Task(call)
    with collector_at_rest():  # what it would free may belong to the backend that is at work in the other thread
        try:
            task.begin(interrupt)
            while not task.ended:
                budget.check()
                task.require_begun()
                left = budget.left()
                task.wait(0.1 if left is None else min(0.1, left + 0.001))
        finally:
            task.end(interrupt)
    return task.result()


@undisturbed
class Task(Generic[T]):
    """A call in a thread of its own. A Ctrl-C at any point leaves no lock behind that someone waits for.

    Whoever begins it ends it, whatever happens: what the call works on may be deleted only after that.
    """

    def __init__(self, call: Callable[[], T]) -> None:
        self.call = call
        self.ended = False
        self._found: list[T] = []
        self._failure: BaseException | None = None
        self._claim = Lock()  # whoever takes it first: the thread, to begin, or the caller, so that it never does
        self._running = Lock()
        self._running.acquire()
        self._begun = 0.0

    def begin(self, interrupt: Callable[[], object]) -> None:
        """Run the call. Where Python ends first, `interrupt()` ends it: native code must not call a Python that is gone."""
        _under_way[self] = interrupt
        self._begun = time.monotonic()
        try:
            start_new_thread(self._run, ())  # `Thread.start` waits for ever where memory is too short for the thread
        except RuntimeError as reason:
            self.ended = True
            raise MemoryError(str(reason)) from None

    def require_begun(self) -> None:
        """Raise MemoryError where the thread ended before it made the call: there was no memory for it."""
        if not self.ended and time.monotonic() - self._begun > LATEST and self._claim.acquire(blocking=False):
            self.ended = True
            raise MemoryError("a thread could not begin")

    def _run(self) -> None:
        if not self._claim.acquire(blocking=False):
            return
        try:
            self._found.append(self.call())
        except BaseException as failure:
            self._failure = failure
        finally:
            self.ended = True
            self._running.release()

    def wait(self, seconds: float) -> None:
        """Until it has ended, or so long."""
        if self._running.acquire(timeout=seconds):
            self._running.release()

    def end(self, interrupt: Callable[[], object]) -> None:
        """See that the call does not begin, or has ended; it is interrupted for that."""
        while not self.ended and not self._claim.acquire(blocking=False):
            with suppress(KeyboardInterrupt):  # one more: the first is on its way
                interrupt()  # again and again: what is asked before the backend begins is not heard
                self.wait(0.01)
        _under_way.pop(self, None)

    def result(self) -> T:
        """What the call gave, or raises what it raised."""
        if self._failure is not None:
            raise self._failure
        return self._found[0]


_under_way: dict[Task[Any], Callable[[], object]] = {}


@atexit.register
def _end_all() -> None:
    """End what is under way while threads still run."""
    for task, interrupt in list(_under_way.items()):
        task.end(interrupt)
