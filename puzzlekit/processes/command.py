"""The process of a command: its reports to the supervisor, Ctrl-C, and `--memory`.

Outside a supervised command, `end_after` and `report_if_ended` do nothing.

Before and after the work of a command, Ctrl-C ends the process at once. During the work it raises
KeyboardInterrupt. The exception is delayed while a module is imported, because libraries turn it
into other errors or drop it, during a write, which would be repeated, and in `uninterrupted`
functions. An exception that Python drops in a destructor is raised again.
"""

from __future__ import annotations

import io
import mmap
import os
import signal
import struct
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import CodeType, FrameType
from typing import Any, NoReturn

from puzzlekit.errors import InputError
from puzzlekit.processes.system import bound_memory, bytes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ParamSpec, TypeVar

    from _typeshed import ReadableBuffer

    P = ParamSpec("P")
    R = TypeVar("R")

BEGAN = time.monotonic()  # when the command began
LATE = 0.6  # seconds allowed beyond the time limit
LATE_LOADING = 1.6  # the same, if a library is loaded first
LEAST_SECONDS = 1.3  # allowed after the limit is read, for a busy machine
REASON, TOTAL = '"@reason@"', '"@total@"'  # placeholders in a report, filled in by the supervisor
NEWLINE = ord("\n")
RETRY_SECONDS = 0.01  # until a delayed interrupt is tried again
LONGEST_WRITE = 0.3  # seconds a write may delay it; after that the write waits for its reader
LONGEST_DELAY = 0.3  # seconds an import or a function may delay it; then the process ends
IMPORTING = "<frozen importlib._bootstrap>"


# Memory shared with the supervisor ----------------------------------------------------------------


class _Field:
    """A number in the shared memory."""

    def __init__(self, offset: int, form: str) -> None:
        self.offset = offset
        self.form = form

    def __get__(self, shared: SharedMemory, owner: type) -> Any:
        (number,) = struct.unpack_from(self.form, shared.memory, self.offset)
        return number

    def __set__(self, shared: SharedMemory, value: float) -> None:
        struct.pack_into(self.form, shared.memory, self.offset, value)


class SharedMemory:
    """The memory that the supervisor shares with the command's process; filled with zeros at first.

    Attributes:
        deadline: The time of `time.monotonic` at which the supervisor ends the command; 0 for
            never.
        interrupts: How often the supervisor has passed Ctrl-C on.
        writing: Whether the command is writing to standard output and may wait for its reader.
        written: Whether anything was written to standard output.
        open_line: Whether the last line on standard output is unfinished.
        own_bound: Whether `--memory` bounds the command.
    """

    SIZE = 1 << 16  # bytes
    TEXT = 32  # where the report begins
    deadline = _Field(0, "d")
    interrupts = _Field(8, "I")
    _length = _Field(12, "I")
    writing = _Field(16, "?")
    written = _Field(17, "?")
    open_line = _Field(18, "?")
    own_bound = _Field(19, "?")

    def __init__(self) -> None:
        self.memory = mmap.mmap(-1, self.SIZE)

    def write(self, data: memoryview, write: Callable[[memoryview], int]) -> int:
        """Write to standard output, and record the state of the output."""
        self.writing = True
        try:
            self.written = True
            number = write(data)
            if number:
                self.open_line = data[number - 1] != NEWLINE
        finally:
            self.writing = False
        return number

    @property
    def report(self) -> str:
        """The text to print if the command is ended before it writes anything; may be empty."""
        return self.memory[self.TEXT : self.TEXT + self._length].decode()

    @report.setter
    def report(self, text: str) -> None:
        data = text.encode()
        self._length = 0
        if len(data) <= self.SIZE - self.TEXT:
            self.memory[self.TEXT : self.TEXT + len(data)] = data
            self._length = len(data)


WRITING = SharedMemory.write.__code__
_uninterrupted = {WRITING}


def uninterrupted(function: Callable[P, R]) -> Callable[P, R]:
    """Delay Ctrl-C until a function has returned, which removes its temporary file."""
    _uninterrupted.add(function.__code__)
    return function


class _Output(io.FileIO):
    """Standard output that records what is written."""

    def __init__(self, shared: SharedMemory) -> None:
        super().__init__(1, "w", closefd=False)
        self.shared = shared

    def write(self, data: ReadableBuffer) -> int:
        return self.shared.write(memoryview(data).cast("B"), super().write)


_shared: SharedMemory | None = None


def begin(shared: SharedMemory) -> None:
    """Record writes to standard output, and enable the functions below."""
    global _shared
    _shared = shared
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper) and out.fileno() == 1:
        buffer = io.BufferedWriter(_Output(shared))
        sys.stdout = io.TextIOWrapper(
            buffer,
            encoding=out.encoding,
            errors=out.errors,
            line_buffering=out.line_buffering,
            write_through=out.write_through,
        )


def command_start() -> float:
    """Return when the command began: the start of its process if supervised, else now."""
    return time.monotonic() if _shared is None else BEGAN


def end_command_after(seconds: float | None, anew: bool = False) -> None:
    """Have the supervisor end the command if it does not stop soon after this many seconds.

    The seconds count from the start of the command, with `anew` from now plus the loading of a
    library. None removes the limit: the command has stopped and is printing its result.
    """
    if _shared is not None:
        now = time.monotonic()
        if seconds is None:
            _shared.deadline = 0.0
        elif anew:
            _shared.deadline = now + LATE_LOADING + seconds
        else:
            _shared.deadline = max(BEGAN + LATE + seconds, now + LEAST_SECONDS)


def report_if_ended(report: Mapping[str, object]) -> None:
    """Set the `--json` report that is printed if the supervisor ends the command."""
    if _shared is not None:
        import json

        _shared.report = json.dumps(report, ensure_ascii=False)


def limit_memory(size: str) -> None:
    """Limit the memory of this process and of each child: `500M`, `2G`, or a number of bytes.

    Raises InputError for an invalid size, and if the platform has no such limit.
    """
    try:
        bound_memory(bytes_of(size))
    except (ValueError, OSError) as error:
        raise InputError(f"--memory {size}: {error}") from None
    if _shared is not None:
        _shared.own_bound = True
    import logging  # here, as most commands bound no memory

    # Python itself logs hashes that cannot be loaded; what fails for them is reported
    logging.disable()
    sys.unraisablehook = _drop_memory_errors


def _drop_memory_errors(unraisable: sys.UnraisableHookArgs) -> None:
    """Report no MemoryError that a destructor of a library drops: the command reports its own."""
    if not isinstance(unraisable.exc_value, MemoryError):
        sys.__unraisablehook__(unraisable)


# Ctrl-C -------------------------------------------------------------------------------------------


class Interrupts:
    """The signal handlers. `interrupted` is true after an interrupt."""

    def __init__(self) -> None:
        self.interrupted = False
        self._working = False
        self._since = 0.0
        self._process = 0
        self._shared: SharedMemory | None = None
        self._supervisor = 0
        self._obeyed = 0

    def begin(self, shared: SharedMemory | None = None, supervisor: int = 0) -> None:
        """Handle Ctrl-C in the main thread; under a supervisor, only those that it counts.

        A process that ignores the signal, such as a background job, continues to ignore it.
        """
        if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None):
            return
        self._process = os.getpid()
        self._shared = shared
        self._supervisor = supervisor
        signal.signal(signal.SIGALRM, self._again)
        signal.signal(signal.SIGINT, self._on_signal)
        self._report = sys.unraisablehook
        sys.unraisablehook = self._dropped

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if os.getpid() != self._process:  # a forked child that has not set its handlers yet
            return
        if self._shared is not None:
            if self._shared.interrupts == self._obeyed:  # the supervisor passes it on
                with suppress(ProcessLookupError):
                    os.kill(self._supervisor, signal.SIGINT)
                return
            self._obeyed = self._shared.interrupts
        self._interrupt(frame)

    def _interrupt(self, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt now or soon, or end if there is no work."""
        if not self._working:
            _end()
        now = time.monotonic()
        if not self.interrupted:
            self.interrupted = True
            self._since = now
        waited = now - self._since
        delaying = _delaying_code(frame)
        if delaying is None or (delaying is WRITING and waited > LONGEST_WRITE):
            raise KeyboardInterrupt
        if waited > LONGEST_DELAY:
            _end()
        signal.setitimer(signal.ITIMER_REAL, RETRY_SECONDS)

    def _again(self, number: int, frame: FrameType | None) -> None:
        if os.getpid() != self._process:
            return
        if signal.getsignal(signal.SIGINT) == self._on_signal:
            self._interrupt(frame)
        else:  # Ctrl-C is delayed while a worker starts
            signal.setitimer(signal.ITIMER_REAL, RETRY_SECONDS)

    def _dropped(self, unraisable: Any) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt) and os.getpid() == self._process:
            signal.setitimer(signal.ITIMER_REAL, RETRY_SECONDS)
        else:
            self._report(unraisable)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """During this, an interrupt raises KeyboardInterrupt."""
        self._working = True
        try:
            yield
        finally:
            self._working = False


def _end() -> NoReturn:
    """Flush the output and end."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):  # such as a flush that is already running
            stream.flush()
    os._exit(130)


def _delaying_code(frame: FrameType | None) -> CodeType | None:
    """Return the code of the current import, write or uninterrupted function, if any."""
    while frame is not None:
        code = frame.f_code
        if code in _uninterrupted or code.co_filename == IMPORTING:
            return code
        frame = frame.f_back
    return None


interrupts = Interrupts()
