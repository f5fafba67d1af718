"""Streams from child processes.

They run code that ignores the clock and Ctrl-C, may crash, or may exhaust the memory.
"""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from multiprocessing import current_process, get_all_start_methods, get_context
from multiprocessing.connection import Connection
from threading import Thread, current_thread, local, main_thread
from typing import Any, Generic, TypeVar

from puzzlekit.backends.base import Budget
from puzzlekit.clock import Clock, undisturbed
from puzzlekit.errors import BackendBug, PuzzlekitError, Stopped
from puzzlekit.interpreter import start_process
from puzzlekit.limits import Limits, adopt, limits

T = TypeVar("T")
# items, whether they are the last, the error
Message = tuple[list[Any], bool, PuzzlekitError | None]
DEATH_SIGNAL = 1  # of prctl: the signal when the parent exits


@undisturbed
def streamed(
    make: Callable[..., Iterator[T]],
    arguments: tuple[Any, ...],
    budget: Budget,
    again: bool = False,
    last_words: Callable[[T], None] | None = None,
) -> Iterator[T]:
    """Yield the items of `make(*arguments)` from another process; within such a process, from here.

    The process is killed when the stream is closed, when the time is up, and by Ctrl-C; it ends
    when this one exits. With `again`, it stays idle after the stream and serves the next one, if
    that comes soon: a new process takes some 10 ms. The arguments must then be plain data. With
    `last_words`, a process whose stream is closed early has a moment to end by itself, and the
    function gets the items that still come.

    Raises: Stopped if the time is up, and if the process dies or cannot be started; whatever error
    of puzzlekit `make` raises.
    """
    if current_process().daemon:
        yield from make(*arguments)
        return
    helper = (_idle.take() if again else None) or _Helper()
    reusable = ended = False
    unread: Iterator[T] = iter(())
    try:
        helper.ask(make, arguments)
        while True:
            batch, ended, error = helper.message(budget)
            unread = iter(batch)
            yield from unread
            if error is not None:
                raise error
            if ended:
                reusable = again
                return
    finally:
        if reusable:
            _idle.put(helper)
        else:
            try:
                if last_words is not None:
                    for item in unread:
                        last_words(item)
                    if not ended:
                        helper.hear_out(last_words, budget.clock)
            finally:
                helper.end()


@undisturbed
class _Helper:
    """A process that serves streams one by one, and ends after a moment without a request."""

    def __init__(self) -> None:
        self.context: Any = get_context("fork" if "fork" in get_all_start_methods() else "spawn")
        self.maker = os.getpid()
        self.process: Any = None
        self.line: Any
        self.line, self._there = self.context.Pipe()
        self.idle_since = 0.0
        self.worked = 0.0  # its processor time that a budget has counted

    def ask(self, make: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]) -> None:
        """Request a stream."""
        if self.process is not None:
            with suppress(ConnectionError):  # if it is dead, there will be no message
                self.line.send((make, arguments, limits()))
            self.worked = _processor_time(self.process.pid)
            return
        steady = current_thread() is main_thread()
        self.process = self.context.Process(target=_serve, args=(make, arguments, limits(), self._there, steady), daemon=True)
        with warnings.catch_warnings():  # the child of a fork runs no code of our other threads
            warnings.simplefilter("ignore")
            try:
                start_process(self.process)
            except OSError as error:
                raise Stopped(f"cannot start a process for the backend: {error.strerror}") from error
        self._there.close()
        self.worked = _processor_time(self.process.pid)

    def message(self, budget: Budget) -> Message:
        """Return the next message. Raises Stopped if the time is up or the process is dead."""
        while True:
            budget.check()
            left = budget.left()
            message = self.message_within(0.1 if left is None else min(0.1, left + 0.001), budget)
            if message is not None:
                return message

    def message_within(self, seconds: float, budget: Budget) -> Message | None:
        """Return the next message if it comes soon. Raises Stopped if the process is dead."""
        arrived = self.line.poll(seconds)
        before, self.worked = self.worked, _processor_time(self.process.pid)
        budget.clock.elsewhere += max(0.0, self.worked - before)
        if not arrived:
            return None
        try:
            message: Message = self.line.recv()
        except (EOFError, ConnectionError):
            self.process.join()
            raise Stopped(_death(self.process.exitcode)) from None
        return message

    def hear_out(self, hear: Callable[[Any], None], clock: Clock) -> None:
        """Ask it to end by itself, and pass on the items that come within a moment."""
        began = time.monotonic()
        ends = began + limits().searching.last_words_seconds
        ended = False
        with suppress(Stopped, OSError, AttributeError):  # it is dead, or never began
            self.process.terminate()
            while not ended and (left := ends - time.monotonic()) > 0:
                message = self.message_within(left, Budget())
                for item in message[0] if message is not None else ():
                    hear(item)
                ended = message is None or message[1]
        clock.hearing_out += time.monotonic() - began

    @property
    def ready(self) -> bool:
        """Whether it can serve again: it is this process's own and not about to end by itself."""
        rested, most = time.monotonic() - self.idle_since, limits().searching.rest_seconds
        return self.maker == os.getpid() and rested < most / 2 and bool(self.process.is_alive())

    def end(self) -> None:
        """Kill it, except in the child of a fork, where it belongs to the parent."""
        if self.maker == os.getpid() and self.process is not None and self.process.pid is not None:
            self.process.kill()
            self.process.join()
        # the connection closes when it is released; the collector may have closed it before
        self.process = self.line = None

    def __del__(self) -> None:
        """End an idle helper whose thread has ended."""
        with suppress(Exception):  # at interpreter exit
            self.end()


@undisturbed
class Beside(Generic[T]):
    """A stream from another process that is read without waiting while this process works.

    Whoever makes it must end it. `items` are those that have come and are not read.

    Raises: Stopped if the process cannot be started.
    """

    def __init__(self, make: Callable[..., Iterator[T]], arguments: tuple[Any, ...], budget: Budget) -> None:
        self.items: deque[T] = deque()
        self.ended = False
        self.error: PuzzlekitError | None = None
        self._budget = budget
        self._helper = _Helper()
        self._helper.ask(make, arguments)

    def look(self) -> None:
        """Receive what has come."""
        while not self.ended:
            try:
                message = self._helper.message_within(0.0, self._budget)
            except Stopped as death:
                self.ended, self.error = True, death
                return
            if message is None:
                return
            self._take(message)

    def rest(self) -> Iterator[T]:
        """Yield all items that are not read. Raises what the stream raises."""
        while True:
            while self.items:
                yield self.items.popleft()
            if self.ended:
                break
            self._take(self._helper.message(self._budget))
        if self.error is not None:
            raise self.error

    def _take(self, message: Message) -> None:
        batch, self.ended, self.error = message
        self.items.extend(batch)

    def end(self) -> None:
        """Kill the process."""
        self._helper.end()


@undisturbed
class _Idle(local):
    """The idle helper of each thread."""

    helper: _Helper | None = None

    def take(self) -> _Helper | None:
        """Return the helper if it can serve again."""
        helper, self.helper = self.helper, None
        if helper is None or helper.ready:
            return helper
        helper.end()
        return None

    def put(self, helper: _Helper) -> None:
        """Keep it as the idle helper; end the previous one."""
        if self.helper is not None:
            self.helper.end()
        helper.idle_since = time.monotonic()
        self.helper = helper


_idle = _Idle()


def memory_is_bounded() -> bool:
    """Return whether the memory of this process and its children is limited."""
    if sys.platform == "win32":
        return False
    import resource

    return any(resource.getrlimit(kind)[0] != resource.RLIM_INFINITY for kind in (resource.RLIMIT_DATA, resource.RLIMIT_AS))


def _processor_time(process: int) -> float:
    """Return the seconds of processor time of a process, 0 if it has ended.

    Where the system has no such clock, this is the time on the wall.
    """
    clock_of = getattr(_libc(), "clock_getcpuclockid", None)
    if clock_of is None:
        return time.monotonic()
    clock = ctypes.c_int()
    if clock_of(process, ctypes.byref(clock)) == 0:
        with suppress(OSError):
            return time.clock_gettime(clock.value)
    return 0.0


@lru_cache
def _libc() -> ctypes.CDLL | None:
    return None if sys.platform == "win32" else ctypes.CDLL(None)


def _death(code: int | None) -> str:
    how = f" of {signal.Signals(-code).name}" if code is not None and code < 0 else ""
    return f"the backend's process died{how}: it was killed, or there was not enough memory"


def _serve(
    make: Callable[..., Iterator[Any]], arguments: tuple[Any, ...], held: Limits, there: Connection, steady: bool
) -> None:
    """Serve requests in the other process, and end without a word where memory is too short for that.

    `steady`: the thread that started it ends last.
    """
    try:
        _serve_requests(make, arguments, held, there, steady)
    except Exception:
        if not memory_is_bounded():
            raise
        os._exit(1)  # the reader of the stream reports it


def _serve_requests(
    make: Callable[..., Iterator[Any]], arguments: tuple[Any, ...], held: Limits, there: Connection, steady: bool
) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the reader of the stream handles a Ctrl-C
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _end_with_parent(os.getppid(), steady)
    gc.freeze()  # else the collector would touch, and so copy, everything inherited from the fork
    with suppress(EOFError, ConnectionError):  # the other side is gone
        adopt(held)
        _send(make, arguments, there)
        while there.poll(limits().searching.rest_seconds):
            make, arguments, held = there.recv()
            adopt(held)
            _send(make, arguments, there)


def _send(make: Callable[..., Iterator[Any]], arguments: tuple[Any, ...], there: Connection) -> None:
    """Send items in batches, the first one at once, then the end and any error."""
    most = limits().searching
    batch: list[Any] = []
    sent = 0.0
    error: PuzzlekitError | None = None
    try:
        for item in make(*arguments):
            batch.append(item)
            if len(batch) >= most.sent_items or time.monotonic() - sent > most.sent_seconds:
                there.send((batch, False, None))
                batch = []
                sent = time.monotonic()
    except PuzzlekitError as reason:
        error = reason
    except Exception as reason:  # from the backend's library: some have their own memory error
        batch, error = [], _failure(reason)
    there.send((batch, True, error))


def _failure(reason: Exception) -> PuzzlekitError:
    if isinstance(reason, MemoryError) or "memory" in str(reason):
        return Stopped("the memory is used up")
    if memory_is_bounded():
        return Stopped(f"the backend failed, perhaps for lack of memory: {reason!r}")
    return BackendBug(f"the backend failed: {reason!r}")


def _end_with_parent(parent: int, steady: bool) -> None:
    """End this process when its parent is gone, by the kernel or by a thread.

    Compiled code may never let the thread run. The kernel reacts when the thread that started this
    process ends, but others may continue to read its stream.
    """
    if sys.platform == "linux" and steady:
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)
    Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
