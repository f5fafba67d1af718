"""Settings of the Python process that some work changes: the collector, the recursion limit, the hook for what is dropped.

They belong to the caller of this package. Each is changed only while code that needs it runs, also in several threads at once:
the first that needs it changes it, the last one puts it back. A generator that waits for its caller needs nothing.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, TypeVar

T = TypeVar("T")
Take = Callable[[Any], bool]  # whether an exception that Python cannot raise needs no report
CALLERS_DEPTH = 1_000  # calls that the caller, and a search beside its recursion, may take: as many as Python allows by default


class _Collector:
    """How many need the collector to rest, and whether it ran before the first of them."""

    def __init__(self) -> None:
        self.users = 0
        self.ran = False

    def rest(self) -> None:
        with _lock:
            if not self.users:
                self.ran = gc.isenabled()
            self.users += 1
            gc.disable()

    def resume(self) -> None:
        with _lock:
            self.users -= 1
            if self.ran and not self.users:
                gc.enable()


class _Depths:
    """The recursion limits that are needed now, the one that was set for them, and the caller's own."""

    def __init__(self) -> None:
        self.needed: list[int] = []
        self.set = 0
        self.callers = 0

    def add(self, limit: int) -> None:
        with _lock:
            self.needed.append(limit)
            self._settle()

    def remove(self, limit: int) -> None:
        with _lock:
            self.needed.remove(limit)
            self._settle()

    def _settle(self) -> None:
        now = sys.getrecursionlimit()
        if now != self.set:  # the caller has set it since
            self.callers = now
        self.set = max(self.callers, *self.needed) if self.needed else self.callers
        if self.set != now:
            sys.setrecursionlimit(self.set)


class _Dropped:
    """Those who look at what Python drops, and their hook. The caller's hook gets what they leave."""

    def __init__(self) -> None:
        self.takers: list[Take] = []
        self.hook: Callable[[Any], Any] | None = None
        self.callers: Callable[[Any], Any] = sys.unraisablehook

    def add(self, take: Take) -> None:
        with _lock:
            self.takers.append(take)
            if sys.unraisablehook is not self.hook:
                self.callers = sys.unraisablehook
                sys.unraisablehook = self.hook = self._before(self.callers)

    def remove(self, take: Take) -> None:
        with _lock:
            self.takers.remove(take)
            if not self.takers and sys.unraisablehook is self.hook:
                sys.unraisablehook, self.hook = self.callers, None

    def _before(self, callers: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """A new hook each time: one that the caller puts before it never leads back to itself."""

        def hook(unraisable: Any) -> None:
            if not any(take(unraisable) for take in reversed(self.takers)):
                callers(unraisable)

        return hook


_lock = RLock()  # a destructor may run inside the work that holds it
_collector = _Collector()
_depths = _Depths()
_dropped = _Dropped()


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Switch Python's garbage collector off meanwhile: for work that makes much, and nothing of it garbage."""
    _collector.rest()
    try:
        yield
    finally:
        _collector.resume()


@contextmanager
def depth_for(calls: int) -> Iterator[None]:
    """Let code call itself so many deep."""
    limit = CALLERS_DEPTH + calls
    _depths.add(limit)
    try:
        yield
    finally:
        _depths.remove(limit)


def deeply(items: Generator[T, None, None], calls: int) -> Iterator[T]:
    """The items of a generator that calls itself so many deep, also where it is closed before its end."""
    limit = CALLERS_DEPTH + calls
    try:
        while True:
            _depths.add(limit)
            try:
                item = next(items)
            except StopIteration:
                return
            finally:
                _depths.remove(limit)
            yield item
    finally:
        with depth_for(calls):
            items.close()


@contextmanager
def dropped_seen_by(take: Take) -> Iterator[None]:
    """Show `take` the exceptions that Python cannot raise, in a destructor or callback."""
    _dropped.add(take)
    try:
        yield
    finally:
        _dropped.remove(take)
