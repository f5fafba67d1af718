"""How the command's process handles Ctrl-C.

Before and after the work of a command, Ctrl-C ends the process at once. During the work it raises
KeyboardInterrupt. The exception is delayed while a module is imported, because libraries turn it
into other errors or drop it, while a process is started, which would be lost, and during a write,
which would be repeated. An exception that Python drops in a destructor is raised again.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import CodeType, FrameType
from typing import Any, NoReturn

from puzzlekit.cli.process.shared_page import Page
from puzzlekit.interpreter import start_process

AGAIN = 0.01  # seconds until a delayed interrupt is tried again
LONGEST_WRITE = 0.3  # seconds a write may delay it; after that the write waits for its reader
LONGEST = 2.0  # seconds an import or a start may delay it; then the process ends
IMPORTING = "<frozen importlib._bootstrap>"
WRITING = Page.note.__code__
STARTING = start_process.__code__


class Interrupts:
    """The signal handlers. `heard` is true after an interrupt."""

    def __init__(self) -> None:
        self.heard = False
        self._working = False
        self._since = 0.0
        self._process = 0
        self._page: Page | None = None
        self._supervisor = 0
        self._obeyed = 0

    def begin(self, page: Page | None = None, supervisor: int = 0) -> None:
        """Handle Ctrl-C in the main thread; with a page, only those the supervisor counts there.

        A process that ignores the signal, such as a background job, continues to ignore it.
        """
        if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None):
            return
        self._process, self._page, self._supervisor = os.getpid(), page, supervisor
        signal.signal(signal.SIGALRM, self._again)
        signal.signal(signal.SIGINT, self._on_signal)
        self._report = sys.unraisablehook
        sys.unraisablehook = self._dropped

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if os.getpid() != self._process:  # a forked child that has not set its handlers yet
            return
        if self._page is not None:
            if self._page.asked == self._obeyed:  # the supervisor passes it on
                with suppress(ProcessLookupError):
                    os.kill(self._supervisor, signal.SIGINT)
                return
            self._obeyed = self._page.asked
        self._interrupt(frame)

    def _interrupt(self, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt now or soon, or end if there is no work."""
        if not self._working:
            _end()
        now = time.monotonic()
        if not self.heard:
            self.heard, self._since = True, now
        within = _within(frame)
        if within is None or (within is WRITING and now - self._since > LONGEST_WRITE):
            raise KeyboardInterrupt
        if now - self._since > LONGEST:
            _end()
        signal.setitimer(signal.ITIMER_REAL, AGAIN)

    def _again(self, number: int, frame: FrameType | None) -> None:
        if os.getpid() == self._process:
            self._interrupt(frame)

    def _dropped(self, unraisable: Any) -> None:
        if isinstance(unraisable.exc_value, KeyboardInterrupt) and os.getpid() == self._process:
            signal.setitimer(signal.ITIMER_REAL, AGAIN)
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


def _within(frame: FrameType | None) -> CodeType | None:
    """The code of the current import, start of a process, or write to standard output, if any."""
    while frame is not None:
        code = frame.f_code
        if code in (STARTING, WRITING) or code.co_filename == IMPORTING:
            return code
        frame = frame.f_back
    return None


interrupts = Interrupts()
