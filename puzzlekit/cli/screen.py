"""What reaches the terminal: coloured text, and a line of progress while a person waits."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.text import Text

from puzzlekit.api import Solution
from puzzlekit.api.pictures import sections
from puzzlekit.errors import printable
from puzzlekit.render import Part
from puzzlekit.render.layout import draw

USUAL = 80  # columns, where the terminal says that it has none
NARROW = 20  # columns that are taken to be there


class Screen(Console):
    """A console that shows no control characters, and leaves it to the command what to do when nobody reads any more."""

    def print(self, *objects: Any, **options: Any) -> None:
        super().print(*map(_printable, objects), **options)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _printable(shown: Any) -> Any:
    if isinstance(shown, Text):
        shown.plain = printable(shown.plain)  # of the same length: its colours stay
        return shown
    return printable(shown) if isinstance(shown, str) else shown


def console(no_color: bool) -> Console:
    """Standard output; in colour on a terminal, unless NO_COLOR or the option say otherwise."""
    plain = no_color or bool(os.environ.get("NO_COLOR"))
    screen = Screen(file=sys.stdout, no_color=plain or None, highlight=False, soft_wrap=True, markup=False, emoji=False)
    screen.width = max(screen.width or USUAL, NARROW)
    return screen


def coloured(screen: Console) -> bool:
    """Whether colours are seen."""
    return screen.is_terminal and not screen.no_color


def show_lines(screen: Console, parts: list[Part]) -> None:
    """Print a picture."""
    for text in draw(parts, coloured(screen), screen.width):
        screen.print(text)


def show_solution(screen: Console, solution: Solution) -> None:
    """Print what the type shows of a solution, and what follows from it."""
    for heading, parts in sections(solution):
        if heading:
            screen.print()
            screen.print(heading)
        show_lines(screen, parts)


@contextmanager
def progress(what: str, since: float = 1.0) -> Iterator[None]:
    """On a terminal, a line that tells how long the work has taken, from one second on. Never in a pipe."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    began = time.monotonic()

    def tell() -> None:
        if done.wait(since):
            return
        while not done.wait(0.2):
            print(f"\r\033[K{what} … {time.monotonic() - began:.0f} s (Ctrl-C stops)", end="", file=sys.stderr, flush=True)
        print("\r\033[K", end="", file=sys.stderr, flush=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
