"""The clock of a run: its time limit, how the limit is enforced, and the time of each stage.

Code with a natural place for it calls `check`. All other Python code runs under a watch, by `hear`
or `hear_stream`: a thread sleeps until the time is up and then raises `Stopped` in the watched
thread, the way Ctrl-C is raised in the main thread. This needs no signal, so it does not interfere
with the caller's SIGALRM and works in any thread.

The watch raises only where it is safe. The innermost frame must belong to this package, or after
some waiting to a library that it calls. No frame up to the scope of the watch may belong to an
import, a destructor, the end of a `with`, the construction of a library object, or a function
marked `undisturbed`, which checks the clock itself.
"""

from __future__ import annotations

import sys
import time
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Lock, Thread, get_ident, local
from types import CodeType, FrameType
from typing import Any, NoReturn, TypeVar

from puzzlekit import interpreter
from puzzlekit.errors import Stopped
from puzzlekit.limits import limits

T = TypeVar("T")
F = TypeVar("F")
# The stages, as `--json` names them
LOADING, PRESOLVE, BUILDING, SEARCH = "read", "presolve", "build", "search"
WORDS = {LOADING: "loading", PRESOLVE: "presolve", BUILDING: "building", SEARCH: "search"}
PACKAGE = str(Path(__file__).parent)
EXPRESSION = "<expression>"  # the file name of compiled rules
NEVER_AT_WORK = frozenset({__file__, interpreter.__file__})  # files whose code is not interrupted
NEVER_IN = frozenset({"__del__", "__enter__", "__exit__"})
NEVER_IN_LIBRARIES = NEVER_IN | {"__init__", "__new__", "from_param"}  # reference counts, ctypes

_undisturbed: set[CodeType] = set()


def undisturbed(marked: F) -> F:
    """Mark a function or the methods of a class: the watch never raises in them."""
    for function in vars(marked).values() if isinstance(marked, type) else (marked,):
        code = getattr(function, "__code__", None)
        if code is not None:
            _undisturbed.add(code)
    return marked


class Clock:
    """The time of one run: its start (`time.monotonic`) and its limit in seconds, if any."""

    def __init__(self, seconds: float | None = None, began: float | None = None) -> None:
        self.began = time.monotonic() if began is None else began
        self.deadline = None if seconds is None else self.began + seconds
        self.seconds = dict.fromkeys((LOADING, PRESOLVE, BUILDING), 0.0)  # search takes the rest
        self.at = SEARCH  # the current stage
        self.elsewhere = 0.0  # the processor time of the backends' own processes
        self.next_look = 0.0  # when trials are looked at again, by `time.monotonic`
        self.hearing_out = 0.0  # the seconds in which they ended, for the sake of their statistics
        self.stopped = float("-inf")  # when `stop` was called last
        self._since = self.began
        self._watch: _Watch | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_watch": None}

    def left(self) -> float | None:
        """The remaining seconds, never negative; None without a limit."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def check(self) -> None:
        """Raise Stopped when the time is up."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            self.stop()

    def stop(self) -> NoReturn:
        """Raise Stopped. The watch leaves time to those that catch it, such as for the best solution so far."""
        self.stopped = time.monotonic()
        raise Stopped(self.reason)

    @property
    def reason(self) -> str:
        """The message if the time is up now."""
        return f"the time is up during {WORDS[self.at]}"

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the time of this block for a stage; a nested stage counts its own time."""
        outer = self._enter(name)
        try:
            yield
        finally:
            self._enter(outer)

    def _enter(self, name: str) -> str:
        outer, now = self.at, time.monotonic()
        if outer in self.seconds:
            self.seconds[outer] += now - self._since
        self.at, self._since = name, now
        return outer

    def hear(self, work: Callable[[], T]) -> T:
        """Return `work()`, run under the watch. Raises Stopped when the time is up."""
        if self.deadline is None or self._watch is not None:
            return work()
        watch = self._watch = _Watch(self, sys._getframe())
        outer, _thread.clock = _thread.clock, self
        try:
            try:
                self.check()
                return work()
            finally:
                watch.over = True  # no exception can occur before this
        finally:
            _thread.clock = outer
            self._end(watch)

    def hear_stream(self, items: Iterator[T]) -> Iterator[T]:
        """Yield the items, each computed under the watch. Raises Stopped when the time is up."""
        if self.deadline is None or self._watch is not None:
            yield from items
            return
        watch = self._watch = _Watch(self, sys._getframe())
        try:
            try:
                for item in items:
                    _arrive()
                    watch.inside = False
                    if watch.due:
                        watch.leave()
                    yield item
                    watch.inside = True
            finally:
                watch.over = True
        finally:
            self._end(watch)

    def _end(self, watch: _Watch) -> None:
        self._watch = None
        watch.end()


def _arrive() -> None:
    """A call at which Python raises a pending exception, before control returns to the caller."""


class _Arrived(Exception):
    """Raised by a thread in itself, so that Python stops looking for a withdrawn exception."""


class _Watch:
    """A thread that raises Stopped in its creator when the time is up and the scope is running."""

    def __init__(self, clock: Clock, scope: FrameType) -> None:
        import ctypes

        self.clock = clock
        self.scope: FrameType | None = scope
        self.over = False
        self.inside = True  # whether the work runs; false while the caller has an item of a stream
        self.due = False  # whether the time is up
        # taken first by the thread, to begin, or by its creator, to prevent that
        self._claim = Lock()
        self._ended, self._running = Lock(), Lock()  # released by the creator, and by the thread when it ends
        self._ended.acquire()
        self._running.acquire()
        self._raising = False
        self._raised_some = False
        self._taking = ExitStack()  # takes raised exceptions that Python drops
        self._raise: Any = getattr(getattr(ctypes, "pythonapi", None), "PyThreadState_SetAsyncExc", None)
        self._ctypes, self._id = ctypes, ctypes.c_ulong(get_ident())
        with suppress(RuntimeError):  # no more threads: only `check` enforces the limit
            # `Thread.start` waits for the thread, which takes longer than the work of a small puzzle
            start_new_thread(self._run, ()) if self._raise is not None else None

    def end(self) -> None:
        """Stop raising, and withdraw a pending exception.

        The thread has ended then: the collector must not run in it while a library runs in another one.
        """
        self._ended.release()
        if not self._claim.acquire(blocking=False):
            self._running.acquire()
        self._take_back()
        self.scope = None

    def leave(self) -> None:
        """Withdraw what was raised before the caller gets an item; `inside` prevents more."""
        while self._raising:
            time.sleep(limits().clock.first_look_seconds)
        self._take_back()

    def _take_back(self) -> None:
        if self._raised_some:
            thread = Thread(target=self._withdraw)
            try:
                thread.start()
            except RuntimeError:  # no more threads
                self._withdraw()
            else:
                thread.join()
        self._taking.close()

    def _withdraw(self) -> None:
        """Withdraw the exception, and raise one in this thread.

        Once an exception is withdrawn, Python 3.11 and 3.12 look for it at each call until another
        one arrives in any thread. Python 3.11 cannot leave such a call while it is traced.
        """
        try:
            self._raise(self._id, None)
            self._raise(self._ctypes.c_ulong(get_ident()), self._ctypes.py_object(_Arrived))
            _arrive()
        except _Arrived:
            pass

    def _run(self) -> None:
        if self._claim.acquire(blocking=False):
            try:
                self._wait_and_raise()
            finally:
                self._running.release()

    def _wait_and_raise(self) -> None:
        assert self.clock.deadline is not None, "a watch requires a deadline"
        wait = limits().clock
        while (left := self.clock.deadline - time.monotonic()) > 0:
            if self._ended.acquire(timeout=min(left, wait.sleep_seconds)):
                return
        self.due = True
        looks = 0
        while not self.over:
            looks += 1
            seconds = min(wait.first_look_seconds * looks, wait.last_look_seconds)
            if self._raised(looks > wait.looks_in_libraries):
                seconds, looks = wait.raised_again_seconds, 0
            if self._ended.acquire(timeout=seconds):
                return

    def _raised(self, in_libraries: bool) -> bool:
        """Raise Stopped in the watched thread if that is safe, and return whether it was.

        If Python drops the exception, it is not reported, as it is raised again.
        """
        self._raising = True
        try:
            heard = time.monotonic() < self.clock.stopped + limits().clock.raised_again_seconds
            safe = self.inside and not heard and self._is_safe(in_libraries)
            if safe:
                self._taking.enter_context(interpreter.dropped_seen_by(_is_stopped))
                self._raise(self._id, self._ctypes.py_object(_stopped(self.clock.reason)))
                self._raised_some = True
            return safe
        finally:
            self._raising = False

    def _is_safe(self, in_libraries: bool) -> bool:
        """Whether Stopped may be raised at the current place of the watched thread."""
        frame = sys._current_frames().get(self._id.value)
        if frame is None or frame.f_code.co_filename in NEVER_AT_WORK or not (_is_ours(frame.f_code) or in_libraries):
            return False
        while frame is not None and frame is not self.scope:
            code = frame.f_code
            if code in _undisturbed or code.co_name in (NEVER_IN if _is_ours(code) else NEVER_IN_LIBRARIES):
                return False
            if "importlib" in code.co_filename:
                return False
            frame = frame.f_back
        return frame is not None and not self.over


def _is_ours(code: CodeType) -> bool:
    return code.co_filename == EXPRESSION or code.co_filename.startswith(PACKAGE)


def _is_stopped(unraisable: Any) -> bool:
    return isinstance(unraisable.exc_value, Stopped)


def _stopped(reason: str) -> type[Stopped]:
    """A subclass of Stopped with this message: another thread constructs it without arguments.

    A copy is a plain Stopped.
    """

    def __init__(self: Stopped) -> None:  # noqa: N807
        super(Stopped, self).__init__(reason)

    def __reduce__(self: Stopped) -> tuple[type[Stopped], tuple[str]]:  # noqa: N807
        return Stopped, (reason,)

    return type("Stopped", (Stopped,), {"__init__": __init__, "__reduce__": __reduce__})


class _Thread(local):
    """The clock that a thread runs under."""

    clock: Clock | None = None


_thread = _Thread()


def check() -> None:
    """Raise Stopped when the time of the clock that runs in this thread is up."""
    clock = _thread.clock
    if clock is not None:
        clock.check()
