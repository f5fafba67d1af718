"""Output on the terminal: coloured text, and a progress line."""

from __future__ import annotations

import json
import os
import re
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.text import Text

from puzzlekit.api import Section
from puzzlekit.cli.messages import CLEAR_LINE, progress_line
from puzzlekit.errors import Stopped, printable
from puzzlekit.processes import REASON, TOTAL, end_command_after, report_if_ended
from puzzlekit.render import draw
from puzzlekit.scene import PicturePart

USUAL = 80  # columns, if the terminal reports none
NARROW = 20  # the least number of columns assumed


class Screen(Console):
    """A console that prints no control characters and raises on a broken pipe."""

    def print(self, *objects: Any, **options: Any) -> None:
        super().print(*map(_printable, objects), **options)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _printable(text: Any) -> Any:
    if isinstance(text, Text):
        text.plain = printable(text.plain)  # of the same length, so that colours stay in position
        return text
    return printable(text) if isinstance(text, str) else text


def console(no_color: bool) -> Console:
    """Standard output, in colour on a terminal unless NO_COLOR or --no-color is given."""
    plain = no_color or bool(os.environ.get("NO_COLOR"))
    screen = Screen(
        file=sys.stdout,
        no_color=plain or None,
        highlight=False,
        soft_wrap=True,
        markup=False,
        emoji=False,
    )
    screen.width = max(screen.width or USUAL, NARROW)
    return screen


def coloured(screen: Console) -> bool:
    """Whether colours are shown."""
    return screen.is_terminal and not screen.no_color


def show_lines(screen: Console, parts: Sequence[PicturePart]) -> None:
    """Print a picture."""
    show_all(screen, draw(parts, coloured(screen), screen.width))


def show_all(screen: Console, lines: Sequence[Text]) -> None:
    """Print lines."""
    if not lines:
        return
    # All lines at once, as each print examines the terminal, which is slow for many solutions
    if coloured(screen):
        screen.print(Text("\n").join(lines))
    else:
        screen.print("\n".join(line.plain for line in lines))


def as_words(drawn: Sequence[Section]) -> str:
    """Return the words of a solution that consists of one or a few words; else an empty text."""
    parts = drawn[0][1]
    lines = [piece for piece in parts if isinstance(piece, list)]
    if len(drawn) != 1 or len(lines) != len(parts):
        return ""
    words = ["".join(span.text for span in line).strip() for line in lines]
    if not all(word and " " not in word for word in words):
        return ""
    if sum(map(len, words)) > USUAL // 2:
        return ""
    return "  ".join(words)


def show_sections(screen: Console, drawn: Iterable[Section]) -> None:
    """Print a solution as the type shows it, and what follows from it."""
    for heading, parts in drawn:
        if heading:
            screen.print()
            screen.print(heading)
        show_lines(screen, parts)


@contextmanager
def progress(title: str, state: Callable[[], str] = str) -> Iterator[None]:
    """Show the elapsed time on a terminal after a second; never in a pipe.

    `state` says what is known so far; the empty text is left out.
    """
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    began = time.monotonic()

    def show() -> None:
        if done.wait(1.0):
            return
        progress_line.set()
        while not done.wait(0.2):
            seconds = time.monotonic() - began
            text = state()
            reached = f" {text}," if text else ""
            line = f"{CLEAR_LINE}{title} …{reached} {seconds:.0f} s (Ctrl-C stops)"
            print(line, end="", file=sys.stderr, flush=True)
        progress_line.clear()
        print(CLEAR_LINE, end="", file=sys.stderr, flush=True)

    printer = threading.Thread(target=show, daemon=True)
    printer.start()
    try:
        yield
    finally:
        done.set()
        printer.join()


def show_text(screen: Console, text: str, parts: Sequence[PicturePart] = ()) -> None:
    """Print sentences, wrapped, with a picture below.

    Further lines of an item of a list, and of what is indented, are indented.
    """
    for line in text.split("\n"):
        mark = re.match(r" *((\d+[.)]|[a-z]\)|-) )?", line)
        indent = " " * len(mark[0]) if mark else ""
        wrapped = textwrap.fill(
            line, screen.width, subsequent_indent=indent, break_on_hyphens=False
        )
        screen.print(wrapped)
    if parts:
        screen.print()
        show_lines(screen, parts)


def print_json(value: object) -> None:
    """Print an object as one line of JSON."""
    print(json.dumps(value, ensure_ascii=False))


# The reports that --json prints -------------------------------------------------------------------

REASONS, TOTALS = REASON.strip('"'), TOTAL.strip('"')
UNKNOWN: dict[str, object] = {"puzzle": None, "spec": None, "backend": "auto"}
STOPPED: dict[str, object] = {"status": "stopped", "reason": REASONS}
NO_SECONDS = {"read": 0.0, "presolve": 0.0, "build": 0.0, "search": 0.0, "total": TOTALS}
NONE_FOUND: dict[str, object] = {
    "count": 0,
    "counted": False,
    "uniform": None,
    "goal": None,
    "solutions": [],
}
NONE_KNOWN: dict[str, object] = {
    "goal": None,
    "any": False,
    "fixed": {},
    "open": {},
    "unsettled": {},
}
NONE_COMPARED: dict[str, object] = {"basis": "first", "solutions": 0, "tells": []}


def or_stopped(work: Callable[[], int], as_json: bool, **so_far: object) -> int:
    """Do the work of a command; return the exit code.

    With `--json`, a command whose time is up or that is interrupted prints what was done before,
    and why it was stopped.

    Args:
        work: The work.
        as_json: Whether the command prints JSON.
        so_far: The members of the report that say what was done before.
    """
    if not as_json:
        return work()
    report = {**STOPPED, **so_far}
    report_if_ended(report)
    try:
        return work()
    except Stopped as reason:
        end_command_after(None)
        print_json({**report, "reason": str(reason)})
        return 3
    except KeyboardInterrupt:
        end_command_after(None)
        print_json({**report, "reason": "interrupted"})
        return 130


def of_solve(**members: object) -> dict[str, object]:
    """Return the report of `solve`.

    Members that are not given are those of a run that was stopped before a solution.
    """
    return {**UNKNOWN, "info": {}, **STOPPED, **NONE_FOUND, "seconds": NO_SECONDS, **members}


def of_backbone(**members: object) -> dict[str, object]:
    """Return the report of `solve --backbone`.

    Members that are not given are those of a search that was stopped before a solution.
    """
    return {**UNKNOWN, **STOPPED, **NONE_KNOWN, **NONE_COMPARED, "seconds": TOTALS, **members}


def of_compare(
    done: Sequence[dict[str, object]] = (),
    name: str | None = None,
    agreement: bool | None = None,
    status: str = "stopped",
) -> dict[str, object]:
    """Return the report of `compare` when it is stopped.

    Args:
        done: The reports of the backends before.
        name: The backend that was running, or compiling.
        agreement: Whether the backends before agree.
        status: That of the backend.
    """
    if name is None:
        return {"agreement": agreement, "backends": list(done)}
    stopped: dict[str, object] = {"name": name, **STOPPED, "status": status}
    stopped |= {"count": None, "seconds": {}, "unsupported": None}
    return {"agreement": agreement, "backends": [*done, stopped]}


def of_check(done: Sequence[dict[str, object]] = (), path: str | None = None) -> dict[str, object]:
    """Return the report of `check` when it is stopped while it checks the file `path`."""
    files = list(done)
    if path is not None:
        files.append({"file": path, "status": "stopped", "message": REASONS, "progress": None})
    return {"files": files}
