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

from puzzlekit.api.pictures import Section
from puzzlekit.errors import Stopped, printable
from puzzlekit.processes import command
from puzzlekit.processes.command import REASON, TOTAL
from puzzlekit.render.layout import draw
from puzzlekit.scene import PicturePart

USUAL = 80  # columns, if the terminal reports none
NARROW = 20  # the least number of columns assumed


class Screen(Console):
    """A console that prints no control characters and raises on a broken pipe."""

    def print(self, *objects: Any, **options: Any) -> None:
        super().print(*map(_printable, objects), **options)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _printable(shown: Any) -> Any:
    if isinstance(shown, Text):
        shown.plain = printable(shown.plain)  # of the same length: colours stay in place
        return shown
    return printable(shown) if isinstance(shown, str) else shown


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
    lines = draw(parts, coloured(screen), screen.width)
    if (
        lines
    ):  # at once: a print looks anew at the terminal, which takes long if there are many solutions
        screen.print(
            Text("\n").join(lines) if coloured(screen) else "\n".join(line.plain for line in lines)
        )


def as_words(drawn: Sequence[Section]) -> str:
    """The words of a solution that is nothing but words, one or a few; else an empty text."""
    lines = [part for part in drawn[0][1] if isinstance(part, list)]
    words = ["".join(spot.text for spot in line).strip() for line in lines]
    alone = (
        len(drawn) == 1
        and len(lines) == len(drawn[0][1])
        and all(word and " " not in word for word in words)
    )
    return "  ".join(words) if alone and sum(map(len, words)) <= USUAL // 2 else ""


def show_sections(screen: Console, drawn: Iterable[Section]) -> None:
    """Print a solution as the type shows it, and what follows from it."""
    for heading, parts in drawn:
        if heading:
            screen.print()
            screen.print(heading)
        show_lines(screen, parts)


@contextmanager
def progress(title: str) -> Iterator[None]:
    """Show the elapsed time on a terminal after a second; never in a pipe."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    began = time.monotonic()

    def show() -> None:
        if done.wait(1.0):
            return
        while not done.wait(0.2):
            print(
                f"\r\033[K{title} … {time.monotonic() - began:.0f} s (Ctrl-C stops)",
                end="",
                file=sys.stderr,
                flush=True,
            )
        print("\r\033[K", end="", file=sys.stderr, flush=True)

    printer = threading.Thread(target=show, daemon=True)
    printer.start()
    try:
        yield
    finally:
        done.set()
        printer.join()


def show_text(screen: Console, text: str, parts: Sequence[PicturePart] = ()) -> None:
    """Print sentences, wrapped, with a picture below; what goes on after the first line of an item
    is indented.
    """
    for line in text.split("\n"):
        head = re.match(r"(\d+\.|-) ", line)
        screen.print(
            textwrap.fill(
                line,
                screen.width,
                subsequent_indent=" " * len(head[0]) if head else "",
                break_on_hyphens=False,
            )
        )
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


def or_stopped(work: Callable[[], int], as_json: bool, **found: object) -> int:
    """Do the work of a command; with `--json`, print what was found before, and why it was stopped,
    if the time is up.
    """
    if not as_json:
        return work()
    report = {**STOPPED, **found}
    command.report_if_ended(report)
    try:
        return work()
    except Stopped as reason:
        command.end_after(None)
        print_json({**report, "reason": str(reason)})
        return 3


def of_solve(**found: object) -> dict[str, object]:
    """The report of a `solve`: what was found, and otherwise of one that was stopped before a
    solution.
    """
    return {**UNKNOWN, "info": {}, **STOPPED, **NONE_FOUND, "seconds": NO_SECONDS, **found}


def of_backbone(**found: object) -> dict[str, object]:
    """The report of a `solve --backbone`: what was found, and otherwise of one that was stopped
    before a solution.
    """
    return {**UNKNOWN, **STOPPED, **NONE_KNOWN, **NONE_COMPARED, "seconds": TOTALS, **found}


def of_compare(
    done: Sequence[dict[str, object]] = (),
    name: str | None = None,
    agreement: bool | None = None,
    status: str = "stopped",
) -> dict[str, object]:
    """The JSON report of a `compare` that was stopped while the backend `name` was running, or
    compiling.
    """
    if name is None:
        return {"agreement": agreement, "backends": list(done)}
    stopped = {
        "name": name,
        **STOPPED,
        "status": status,
        "count": None,
        "seconds": {},
        "unsupported": None,
    }
    return {"agreement": agreement, "backends": [*done, stopped]}


def of_check(done: Sequence[dict[str, object]] = (), path: str | None = None) -> dict[str, object]:
    """The JSON report of a `check` that was stopped while it checked the file `path`."""
    stopped = (
        []
        if path is None
        else [{"file": path, "status": "stopped", "message": REASONS, "progress": None}]
    )
    return {"files": [*done, *stopped]}
