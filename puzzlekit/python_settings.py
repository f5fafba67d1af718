"""Change settings of the Python process for a time: the garbage collector, the recursion limit.

The settings belong to the caller of this package. Each is changed only while code that needs it
runs. With several threads, the first one that needs a setting changes it, and the last one restores
it. A generator changes nothing while it waits for its caller.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import TypeVar

T = TypeVar("T")
CALLERS_DEPTH = 1_000  # stack depth for the caller and other code: Python's default limit


class _Collector:
    """The number of users that need the collector off, and whether it was on before the first."""

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
    """The recursion limits needed now, the one set for them, and the caller's own."""

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
        if now != self.set:  # the caller has changed it since
            self.callers = now
        self.set = max(self.callers, *self.needed) if self.needed else self.callers
        if self.set != now:
            sys.setrecursionlimit(self.set)


_lock = RLock()  # reentrant, as a destructor may run while the lock is held
_collector = _Collector()
_depths = _Depths()


@contextmanager
def gc_paused() -> Iterator[None]:
    """Switch the garbage collector off, for code that makes many objects and no cyclic garbage."""
    _collector.rest()
    try:
        yield
    finally:
        _collector.resume()


@contextmanager
def depth_for(calls: int) -> Iterator[None]:
    """Allow recursion of this depth."""
    limit = CALLERS_DEPTH + calls
    _depths.add(limit)
    try:
        yield
    finally:
        _depths.remove(limit)


def deeply(items: Generator[T, None, None], calls: int) -> Iterator[T]:
    """Yield the items of a generator that recurses this deep, also while it is closed early."""
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
