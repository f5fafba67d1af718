"""The clock of a run: its time limit, and the time of each stage.

Long computations check now and then whether the time is up. Code that has a clock or a budget calls
its `check`. Functions of the language and of libraries have none: they call `check` of this module,
which checks the clock that their thread runs under (`Clock.running`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import local
from typing import TypeVar

from puzzlekit.errors import InputError, Stopped, option

T = TypeVar("T")
# the processor time of this thread, or of the process where threads have no clock of their own
thread_seconds = getattr(time, "thread_time", time.process_time)
BLOCK = 1_000  # items between two checks, where each takes little time
# The stages, as `--json` names them
LOADING, PRESOLVE, BUILDING, SEARCH = "read", "presolve", "build", "search"
WORDS = {LOADING: "loading", PRESOLVE: "presolve", BUILDING: "building", SEARCH: "search"}


class Clock:
    """The time of one run.

    Args:
        seconds: The limit; None for no limit.
        began: The start, by `time.monotonic`; by default now.

    Attributes:
        deadline: When the time is up, by `time.monotonic`; None without a limit.
        seconds: The time of each stage so far, in seconds. The search takes the remaining time.
        current_stage: The stage of the run.
        elsewhere: The processor time of the processes that backends start, in seconds.
        reporting: The seconds in which the run waited for the statistics of these processes.
        asked_to_stop: Whether another thread, or a signal, has asked the run to stop.
        goal_bound: A value that no solution of the component that is searched beats, if known.
        next_look: When trials are looked at again, by `time.monotonic`.
    """

    def __init__(self, seconds: float | None = None, began: float | None = None) -> None:
        self.began = time.monotonic() if began is None else began
        self.deadline = None if seconds is None else self.began + seconds
        self.seconds = dict.fromkeys((LOADING, PRESOLVE, BUILDING), 0.0)
        self.current_stage = SEARCH
        self.elsewhere = 0.0
        self.reporting = 0.0
        self.asked_to_stop = False
        self.next_look = 0.0
        self.goal_bound: int | None = None
        self._since = self.began

    def remaining(self) -> float | None:
        """Return the remaining seconds, never negative; None without a limit."""
        if self.deadline is None:
            return None
        return max(0.0, self.deadline - time.monotonic())

    def check(self) -> None:
        """Raise Stopped when the time is up, or the work is not needed any more."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise Stopped(f"the time is up during {WORDS[self.current_stage]}")
        if self.asked_to_stop:
            raise Stopped("the work is not needed any more")

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the time of this block for a stage; a nested stage counts its own time."""
        outer = self._enter(name)
        try:
            yield
        finally:
            self._enter(outer)

    def _enter(self, name: str) -> str:
        """Begin a stage, and return the one before."""
        outer = self.current_stage
        now = time.monotonic()
        if outer in self.seconds:
            self.seconds[outer] += now - self._since
        self.current_stage = name
        self._since = now
        return outer

    @contextmanager
    def running(self) -> Iterator[None]:
        """During this block, `check` of this module checks this clock in the current thread."""
        outer = _thread.clock
        _thread.clock = self
        try:
            yield
        finally:
            _thread.clock = outer

    def stream(self, items: Iterable[T]) -> Iterator[T]:
        """Yield the items, each computed while this clock is running."""
        if self.deadline is None:
            yield from items
            return
        iterator = iter(items)
        end = object()
        try:
            while True:
                outer = _thread.clock  # as `running` does, which takes longer
                _thread.clock = self
                try:
                    self.check()
                    item = next(iterator, end)
                finally:
                    _thread.clock = outer
                if item is end:
                    return
                yield item  # type: ignore[misc]
        finally:
            close = getattr(iterator, "close", None)
            if close is not None:
                close()


def choose_clock(timeout: float | None = None, clock: Clock | None = None) -> Clock:
    """Return the clock that is given, or a new one.

    Args:
        timeout: Seconds from now for the new clock; None for no limit.
        clock: A running clock, instead of `timeout`.

    Raises:
        InputError: Both are given, the timeout is not a number from 0, or the clock is none.
    """
    if clock is not None and timeout is not None:
        raise InputError("a timeout and a clock cannot be combined: a clock has its own limit")
    if clock is not None:
        if not isinstance(clock, Clock):
            raise InputError(f"{option('clock')} requires a Clock, got {clock!r}")
        return clock
    is_number = isinstance(timeout, (int, float)) and timeout >= 0  # not for NaN
    if timeout is not None and not is_number:
        raise InputError(
            f"{option('timeout')} requires a number of seconds from 0, got {timeout!r}"
        )
    return Clock(timeout)


class _Thread(local):
    """The clock that a thread runs under, and whether it is not checked now."""

    clock: Clock | None = None
    uninterrupted = False


_thread = _Thread()


def current() -> Clock:
    """Return the clock that runs in this thread; one without a limit if there is none."""
    return _thread.clock or Clock()


def check() -> None:
    """Raise Stopped when the time of the clock that runs in this thread is up."""
    clock = _thread.clock
    if clock is not None and not _thread.uninterrupted:
        clock.check()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """During this block, which is short and may not be left halfway, `check` raises nothing."""
    outer = _thread.uninterrupted
    _thread.uninterrupted = True
    try:
        yield
    finally:
        _thread.uninterrupted = outer


def ask_to_stop() -> None:
    """Ask the work of this thread to stop, by its clock: for the handler of a signal."""
    if _thread.clock is not None:
        _thread.clock.asked_to_stop = True


def checked(items: Iterable[T]) -> Iterator[T]:
    """Yield the items, and check the clock before each."""
    for item in items:
        check()
        yield item


def checked_blocks(items: Sequence[T]) -> Iterator[T]:
    """Yield the items, of which each takes little time, and check the clock now and then."""
    for start in range(0, len(items), BLOCK):
        check()
        yield from items[start : start + BLOCK]
