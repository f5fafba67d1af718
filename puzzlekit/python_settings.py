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
HAS_THREADS = sys.platform != "emscripten"  # a web page has none
CALLERS_DEPTH = 1_000  # stack depth for the caller and other code: Python's default limit


class _Collector:
    """Pauses the garbage collector while somebody needs it off.

    Attributes:
        users: How many need it off.
        was_enabled: Whether it was on before the first of them.
    """

    def __init__(self) -> None:
        self.users = 0
        self.was_enabled = False

    def pause(self) -> None:
        with _lock:
            if not self.users:
                self.was_enabled = gc.isenabled()
            self.users += 1
            gc.disable()

    def resume(self) -> None:
        with _lock:
            self.users -= 1
            if self.was_enabled and not self.users:
                gc.enable()


class _Depths:
    """Sets the recursion limit to the greatest that is needed.

    Attributes:
        needed: The limits that are needed now.
        limit: The limit that was set last.
        callers_limit: The limit of the caller, which is the least.
    """

    def __init__(self) -> None:
        self.needed: list[int] = []
        self.limit = 0
        self.callers_limit = 0

    def add(self, limit: int) -> None:
        with _lock:
            self.needed.append(limit)
            self._update()

    def remove(self, limit: int) -> None:
        with _lock:
            self.needed.remove(limit)
            self._update()

    def _update(self) -> None:
        before = sys.getrecursionlimit()
        if before != self.limit:  # the caller has changed it since
            self.callers_limit = before
        self.limit = max([self.callers_limit, *self.needed])
        if self.limit != before:
            sys.setrecursionlimit(self.limit)


_lock = RLock()  # reentrant, as a destructor may run while the lock is held
_collector = _Collector()
_depths = _Depths()


@contextmanager
def gc_paused() -> Iterator[None]:
    """Switch the garbage collector off, for code that makes many objects and no cyclic garbage."""
    _collector.pause()
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
