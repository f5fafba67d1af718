"""Exact cover with colours by the package xcover: Knuth's dancing cells, compiled by numba.

`covers_zdd(use_memo_cache=True)` is never used: of the 14,200 covers of the rows, columns and
diagonals of a 12 × 12 board, xcover 0.2.6 counts 14,201.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from array import array
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends.base import Backend, Budget
from puzzlekit.backends.exact_cover import COVER_FORMS
from puzzlekit.backends.streams import streamed
from puzzlekit.lowering import Cover, Ints, SolutionBlocks, Supports, to_cover
from puzzlekit.model import Model
from puzzlekit.query import Query, Task

NOTICE = "xcover is being compiled, once after it was installed: this takes some ten seconds …"
INLINE_OPTIONS = 40  # of a cover that xcover searches in process, in under a second
BLOCK_OPTIONS = 50_000  # of the covers that xcover yields together, or a few more
BLOCK_SECONDS = 0.05  # for which a cover may wait for others
algorithm_c: Any = None  # the compiled search, once loaded


def _is_compiled() -> bool:
    """Return whether numba has cached xcover's machine code, without loading either."""
    package = find_spec("xcover")
    if package is None or package.origin is None:
        return True  # reported as missing elsewhere
    index = "dancing_cells.algorithm_c*.nbi"
    configured = os.environ.get("NUMBA_CACHE_DIR")
    if configured:  # numba then looks nowhere else
        return any(Path(configured).glob(f"xcover_*/{index}"))
    cache_home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    beside_source = Path(package.origin).parent.glob(f"__pycache__/{index}")
    of_user = Path(cache_home, "numba").glob(f"xcover_*/{index}")
    return any((*beside_source, *of_user))


def _load() -> None:
    """Load the compiled search; the first time after installation, this compiles it."""
    global algorithm_c
    notice = Timer(3.0, print, (NOTICE,), {"file": sys.stderr, "flush": True})
    notice.daemon = True
    if sys.stderr.isatty():
        notice.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numba warns about xcover's code
        algorithm_c = import_module("xcover").algorithm_c
        # the very first call takes 8 ms
        items, starts, colours = np.array([[0, 1], [0, 2], [0, 0]], dtype=np.uint32)
        list(algorithm_c(items, starts, colours, 2, 0))
    notice.cancel()


def _loaded() -> Iterator[None]:
    _load()
    yield None


if _is_compiled():
    _load()


class DancingCells(Backend):
    """Knuth's dancing cells, with colours.

    They run in another process, because compiled code ignores the clock and Ctrl-C.
    """

    name = "xcover"
    about = (
        "dancing cells by the package xcover, compiled by numba; "
        "lists solutions, also to find the best"
    )
    supports = Supports(
        forms=COVER_FORMS,
        queries=frozenset({Task.ENUMERATE, Task.COUNT}),
        listing=True,
        product="cover with colours",
        reports=frozenset({"items", "options"}),
    )

    def prepare(self, budget: Budget) -> None:
        """Compile and load the search.

        Another process compiles it, because numba ignores the clock.
        """
        if algorithm_c is None:
            list(streamed(_loaded, (), budget))
            _load()

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        """Enumerate the covers, also to count them: up to millions, this is faster than cases."""
        with budget.building():
            self.prepare(budget)
            cover, decoder = to_cover(model)
        budget.note_sizes(items=cover.items, options=cover.options)
        if query.task is Task.COUNT:
            return streamed(_number, (cover,), budget, reuse=True)
        if cover.options <= INLINE_OPTIONS:
            blocks = _in_blocks(cover)
        else:
            blocks = streamed(_in_blocks, (cover,), budget, reuse=True)
        return SolutionBlocks(decoder, _stepped(blocks, budget))


def _stepped(blocks: Iterator[Ints], budget: Budget) -> Iterator[Ints]:
    for block in blocks:
        if budget.steps is not None:
            for _ in block:
                budget.step()
        yield block


def _in_blocks(cover: Cover) -> Iterator[Ints]:
    """Yield covers as arrays, one per row: the first at once, then as many as arrive in a moment.

    Shorter covers are padded with an option that assigns nothing.
    """
    block: list[int] = []
    width = 0
    last = 0.0
    for chosen in covers(cover):  # one by one: the next may take long
        if len(chosen) > width:
            if block:
                yield _rows(block, width)
                block = []
            width = len(chosen)
        elif len(chosen) < width:
            chosen += [cover.options] * (width - len(chosen))
        block += chosen
        waited = time.monotonic() - last
        if len(block) >= BLOCK_OPTIONS or waited > BLOCK_SECONDS:
            yield _rows(block, width)
            block, last = [], time.monotonic()
    if block:
        yield _rows(block, width)


def _rows(block: list[int], width: int) -> Ints:
    options = np.frombuffer(array("I", block), dtype=np.uint32)
    return options.reshape(-1, width)


def _number(cover: Cover) -> Iterator[int]:
    yield sum(1 for _ in covers(cover))


def covers(cover: Cover) -> Iterator[list[int]]:
    """Return the covers that xcover finds, as options, with a dummy option if it needs help.

    The dummy option has two items of its own. Without it, xcover 0.2.6 misses an item that is the
    only one of every option, and fails if no item is primary. Among the items with the fewest
    options it takes the first, so items whose options clash with most others come first: 14,200
    placements take 0.07 seconds, in their original order 0.09.
    """
    position = np.arange(cover.items)
    position[_most_clashing(cover)] = np.arange(cover.primary)
    colours = (cover.colour + 1).astype(np.uint32)  # 0 means no colour
    starts = cover.starts.astype(np.uint32)
    items = position[cover.item].astype(np.uint32)
    dummy_items = 0
    if not cover.primary or not cover.options or np.diff(starts).min() < 2:
        dummy_items = 2
        items = np.append(items + dummy_items, [0, 1]).astype(np.uint32)
        colours = np.append(colours, [0, 0]).astype(np.uint32)
        starts = np.append(starts, len(items)).astype(np.uint32)
    secondary = cover.items - cover.primary
    chosen: Iterator[list[int]] = algorithm_c(
        items, starts, colours, cover.items + dummy_items, secondary
    )
    return chosen


def _most_clashing(cover: Cover) -> NDArray[np.intp]:
    """Return the primary items, sorted by how many others they share options with, most first."""
    users = np.bincount(cover.item, minlength=cover.items)
    clashes = np.bincount(cover.option, weights=users[cover.item], minlength=cover.options)
    weights = np.bincount(cover.item, weights=clashes[cover.option], minlength=cover.items)
    return np.argsort(-weights[: cover.primary], stable=True)
