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
from puzzlekit.boards import Grid
from puzzlekit.errors import printable
from puzzlekit.lang import BoundPuzzle, Family
from puzzlekit.render import Part, Spot, board, chosen, rows, tiles, value
from puzzlekit.render.layout import draw
from puzzlekit.words import Tile

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


def sections(solution: Solution) -> Iterator[tuple[str, list[Part]]]:
    """The picture of a solution, and of what follows from it, each with its heading."""
    yield "", _own(solution)
    yield from _sequels(solution)


def _own(solution: Solution, in_heading: str = "") -> list[Part]:
    """The picture of a solution alone, but for what its heading tells."""
    own: list[Part] = []
    for shown in solution.instance.puzzle.show:
        if shown.expression is None:
            colours = solution.instance.evaluate(shown.colour, solution.values) if shown.colour else None
            own += picture(solution.families[shown.name], colours, solution.instance)
        elif shown.name != in_heading:
            own += value(shown.name, solution.shown[shown.name])
    return own


def _sequels(solution: Solution) -> Iterator[tuple[str, list[Part]]]:
    for sequel in solution.then.values():
        count = f"{sequel['count']}, " if "count" in sequel else ""
        yield f"{sequel.title}: {count}{sequel.outcome}", [] if sequel.solution is None else _own(sequel.solution, "count")
        if sequel.solution is not None:
            yield from _sequels(sequel.solution)


def picture(family: Family, colours: object, instance: BoundPuzzle) -> list[Part]:
    """The picture of one unknown."""
    members = family.members
    if not members:
        return []
    if family.over_cells():
        return board(members, colours.values if isinstance(colours, Grid) else None)
    if family.arity == 0:
        return value(family.name, members[()])
    if all(isinstance(item, bool) for item in members.values()):
        true = [index for index, item in members.items() if item]
        grids = instance.grids
        if all(isinstance(index, Tile) for index in members):
            return tiles(true, grids[0] if grids else None)
        return chosen(true, members, grids) or value(family.name, true)
    if list(members) == list(range(len(members))):
        texts = [str(item) for item in members.values()]
        if isinstance(colours, tuple) and list(map(len, colours)) == list(map(len, texts)):
            return rows(texts, colours)
        return [[Spot(text)] for text in texts]
    return value(family.name, {str(index): item for index, item in members.items()})


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
