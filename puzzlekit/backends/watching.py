"""Interruptible calls of foreign backends: the clock and Ctrl-C stop them."""

from __future__ import annotations

import atexit
import time
from _thread import start_new_thread
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from typing import Any, Generic, TypeVar

from puzzlekit.backends.base import Budget
from puzzlekit.python_settings import HAS_THREADS, gc_paused

T = TypeVar("T")
# conflicts of a SAT solver between two looks at the clock where there are no threads: as a bound of
# time, it would make answers depend on the machine
LONGEST_TURN = 4_000
LATEST_BEGIN = 10.0  # seconds after which a thread that has not begun never will


def watched(call: Callable[[], T], interrupt: Callable[[], object], budget: Budget) -> T:
    """Return `call()`, run in a thread, so that the clock and Ctrl-C can stop it.

    If either does, `interrupt()` is called until the call has ended; Python code in it may also
    call `budget.check`, and `check` of the clock. The backend's own timer and signal handler are
    not used: they lose a Ctrl-C between two short calls or at the end of one. Where there are no
    threads, the call runs here, and nothing stops it but the end of this process.

    Raises: whatever the call raises; Stopped if the time is up.
    """

    def work() -> T:
        with budget.clock.running():
            return call()

    if not HAS_THREADS:
        return work()
    task = NativeCall(work)
    # garbage may belong to the backend that is running in the other thread
    with gc_paused():
        try:
            task.begin(interrupt)
            while not task.ended:
                budget.check()
                task.require_begun()
                remaining = budget.remaining()
                task.wait(0.1 if remaining is None else min(0.1, remaining + 0.001))
        finally:
            budget.clock.asked_to_stop = True
            task.end(interrupt)
            budget.clock.asked_to_stop = False
    return task.result()


class NativeCall(Generic[T]):
    """A call in a thread of its own. A Ctrl-C at any point leaves no lock that anybody waits for.

    Whoever begins it must end it, whatever happens: the objects that the call uses may be deleted
    only after that.
    """

    def __init__(self, call: Callable[[], T]) -> None:
        self.call = call
        self.ended = False
        self._returned: list[T] = []
        self._failure: BaseException | None = None
        # taken first by the thread, to begin, or by the caller, to prevent that
        self._claim = Lock()
        self._running = Lock()
        self._running.acquire()
        self._begun = 0.0

    def begin(self, interrupt: Callable[[], object]) -> None:
        """Start the call; if Python exits first, `interrupt()` ends it.

        Native code must not call an interpreter that is gone.
        """
        _running_calls[self] = interrupt
        self._begun = time.monotonic()
        try:
            # `Thread.start` waits forever if memory is too short for the thread
            start_new_thread(self._run, ())
        except RuntimeError as reason:
            self.ended = True
            raise MemoryError(str(reason)) from None

    def require_begun(self) -> None:
        """Raise MemoryError if the thread ended before the call for lack of memory."""
        is_late = time.monotonic() - self._begun > LATEST_BEGIN
        if self.ended or not is_late:
            return
        if self._claim.acquire(blocking=False):
            self.ended = True
            raise MemoryError("a thread could not begin")

    def _run(self) -> None:
        if not self._claim.acquire(blocking=False):
            return
        try:
            self._returned.append(self.call())
        except BaseException as failure:
            self._failure = failure
        finally:
            self.ended = True
            self._running.release()

    def wait(self, seconds: float) -> None:
        """Wait until the call has ended, at most this long."""
        if self._running.acquire(timeout=seconds):
            self._running.release()

    def end(self, interrupt: Callable[[], object]) -> None:
        """Prevent the call from beginning, or interrupt it and wait until it has ended."""
        while not self.ended and not self._claim.acquire(blocking=False):
            with suppress(KeyboardInterrupt):  # the first Ctrl-C is already being handled
                # repeated: the backend ignores an interrupt before it begins
                interrupt()
                self.wait(0.01)
        _running_calls.pop(self, None)

    def result(self) -> T:
        """Return the result of the call, or raise what it raised."""
        if self._failure is not None:
            raise self._failure
        return self._returned[0]


_running_calls: dict[NativeCall[Any], Callable[[], object]] = {}


@atexit.register
def _end_all() -> None:
    """End running calls while threads still run."""
    for task, interrupt in list(_running_calls.items()):
        task.end(interrupt)
