"""How the command's own process hears a Ctrl-C.

Before and after a command's work it ends the process at once: there is nothing to keep. During the work it raises
KeyboardInterrupt, but not while a module is imported (libraries turn it into other errors, or drop it) nor in the middle of
a write, which would then be done twice: it waits until that is done. One that falls into a destructor, where Python drops it,
is raised again.
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

AGAIN = 0.01  # seconds until an interrupt that cannot be raised is tried again
LONGEST_WRITE = 0.3  # seconds for which a write may delay it: then it waits for its reader, and nothing is written twice
LONGEST = 2.0  # seconds for which an import may delay it; then the process ends
IMPORTING = "<frozen importlib._bootstrap>"
WRITING = Page.note.__code__


class Interrupts:
    """The signal handlers. `heard` tells whether there was an interrupt."""

    def __init__(self) -> None:
        self.heard = False
        self._working = False
        self._since = 0.0
        self._process = 0
        self._page: Page | None = None
        self._supervisor = 0
        self._obeyed = 0

    def begin(self, page: Page | None = None, supervisor: int = 0) -> None:
        """Hear Ctrl-C from now on, in the main thread; with a page, those that the supervisor counts there.

        A process that is told to ignore it, as a job in the background is, goes on to ignore it.
        """
        if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None):
            return
        self._process, self._page, self._supervisor = os.getpid(), page, supervisor
        signal.signal(signal.SIGALRM, self._again)
        signal.signal(signal.SIGINT, self._on_signal)
        self._report = sys.unraisablehook
        sys.unraisablehook = self._dropped

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if os.getpid() != self._process:  # the first instants of a process that this one forked
            return
        if self._page is not None:
            if self._page.asked == self._obeyed:  # the supervisor will pass it on, or has not got it
                with suppress(ProcessLookupError):
                    os.kill(self._supervisor, signal.SIGINT)
                return
            self._obeyed = self._page.asked
        self._interrupt(frame)

    def _interrupt(self, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt, now or soon; or end, where no work is under way."""
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
    """End now; what was printed so far is handed over."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):  # among them: it is being flushed already
            stream.flush()
    os._exit(130)


def _within(frame: FrameType | None) -> CodeType | None:
    """The code of an import or a write to standard output that is under way."""
    while frame is not None and frame.f_code is not WRITING and frame.f_code.co_filename != IMPORTING:
        frame = frame.f_back
    return None if frame is None else frame.f_code


interrupts = Interrupts()
