"""A page of memory that the supervisor shares with the command's process.

The command uses the functions of this module. Outside a supervised command they do nothing.
"""

from __future__ import annotations

import io
import mmap
import struct
import sys
import time
from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

BEGAN = time.monotonic()  # when the command began
LATE = 0.6  # seconds allowed beyond the time limit
LATE_LOADING = 1.6  # the same, if a library is loaded first
LEAST = 1.3  # seconds allowed after the limit is read, for a busy machine
SIZE = 1 << 16
REASON, TOTAL = '"@reason@"', '"@total@"'  # placeholders in a report, filled in by the supervisor
_DEADLINE, _ASKED, _LENGTH = (0, "d"), (8, "I"), (12, "I")
_WRITING, _WRITTEN, _OPEN_LINE, _OWN_BOUND = 16, 17, 18, 19
_TEXT = 32


class Page:
    """The page of memory, filled with zeros at first."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, SIZE)

    def _get(self, field: tuple[int, str]) -> float:
        value: float = struct.unpack_from(field[1], self._memory, field[0])[0]
        return value

    def _set(self, field: tuple[int, str], value: float) -> None:
        struct.pack_into(field[1], self._memory, field[0], value)

    @property
    def deadline(self) -> float:
        """The time of `time.monotonic` at which the supervisor ends the command; 0 for never."""
        return self._get(_DEADLINE)

    @deadline.setter
    def deadline(self, at: float) -> None:
        self._set(_DEADLINE, at)

    @property
    def asked(self) -> int:
        """How often the supervisor has interrupted the command."""
        return int(self._get(_ASKED))

    @asked.setter
    def asked(self, number: int) -> None:
        self._set(_ASKED, number)

    @property
    def own_bound(self) -> bool:
        """Whether `--memory` bounds the command."""
        return bool(self._memory[_OWN_BOUND])

    @own_bound.setter
    def own_bound(self, given: bool) -> None:
        self._memory[_OWN_BOUND] = given

    @property
    def writing(self) -> bool:
        """Whether the command is writing to standard output and may wait for its reader."""
        return bool(self._memory[_WRITING])

    @property
    def written(self) -> bool:
        """Whether anything was written to standard output."""
        return bool(self._memory[_WRITTEN])

    @property
    def open_line(self) -> bool:
        """Whether the last line on standard output is unfinished."""
        return bool(self._memory[_OPEN_LINE])

    def note(self, data: memoryview, write: object) -> int:
        """Write to standard output, and record the state of the output."""
        self._memory[_WRITING] = 1
        try:
            self._memory[_WRITTEN] = 1
            number: int = write(data)  # type: ignore[operator]
            if number:
                self._memory[_OPEN_LINE] = data[number - 1] != 10
        finally:
            self._memory[_WRITING] = 0
        return number

    @property
    def stand_in(self) -> str:
        """The text to print if the command is ended before it writes anything; may be empty."""
        length = int(self._get(_LENGTH))
        return self._memory[_TEXT : _TEXT + length].decode()

    @stand_in.setter
    def stand_in(self, text: str) -> None:
        data = text.encode()
        self._set(_LENGTH, 0)
        if len(data) <= SIZE - _TEXT:
            self._memory[_TEXT : _TEXT + len(data)] = data
            self._set(_LENGTH, len(data))


class _Output(io.FileIO):
    """Standard output that records on the page what is written."""

    def __init__(self, page: Page) -> None:
        super().__init__(1, "w", closefd=False)
        self.page = page

    def write(self, data: ReadableBuffer) -> int:
        return self.page.note(memoryview(data).cast("B"), super().write)


_page: Page | None = None


def begin(page: Page) -> None:
    """In the command: record writes to standard output, and enable the functions below."""
    global _page
    _page = page
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper) and out.fileno() == 1:
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(_Output(page)),
            encoding=out.encoding,
            errors=out.errors,
            line_buffering=out.line_buffering,
            write_through=out.write_through,
        )


def began() -> float:
    """When the command began: the start of its process if supervised, else now."""
    return time.monotonic() if _page is None else BEGAN


def stop_after(seconds: float | None, anew: bool = False) -> None:
    """Have the supervisor end the command if it does not stop soon after this many seconds.

    The seconds count from the start of the command, with `anew` from now plus the loading of a
    library. None removes the limit: the command has stopped and is printing its result.
    """
    if _page is not None:
        now = time.monotonic()
        late = now + LATE_LOADING if anew else max(BEGAN + LATE, now + LEAST - (seconds or 0.0))
        _page.deadline = 0.0 if seconds is None else late + seconds


def bounded() -> None:
    """Record that the user set a memory limit."""
    if _page is not None:
        _page.own_bound = True


def stand_in(report: Mapping[str, object]) -> None:
    """Set the `--json` report that is printed if the supervisor ends the command."""
    if _page is not None:
        import json

        _page.stand_in = json.dumps(report, ensure_ascii=False)
