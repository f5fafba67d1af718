"""Exact cover with colours by the package xcover: Knuth's dancing cells, compiled by numba.

`covers_zdd(use_memo_cache=True)` is never used: of the 14,200 covers of the rows, columns and diagonals of a 12 × 12 board
xcover 0.2.6 counts 14,201 there.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterable, Iterator
from threading import Timer

import numpy as np

from puzzlekit.backends.base import Budget
from puzzlekit.backends.exact_cover import lower
from puzzlekit.backends.listing import Lister
from puzzlekit.backends.processes import streamed
from puzzlekit.model import Model, Values
from puzzlekit.passes.cover import Cover
from puzzlekit.passes.lazily import has_shapes
from puzzlekit.passes.split import determined

SMALL = 40  # options of a cover that is searched in this very process: the longest search takes less than a second
NOTICE = "xcover is being compiled, once after it was installed: this takes some ten seconds …"
_notice = Timer(3.0, print, (NOTICE,), {"file": sys.stderr, "flush": True})
_notice.daemon = True
if sys.stderr.isatty():
    _notice.start()
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # numba finds fault with xcover's code
    from xcover import algorithm_c
_notice.cancel()


class DancingCells(Lister):
    """Knuth's dancing cells, with colours; in a process of its own, for compiled code hears neither clock nor Ctrl-C."""

    name = "xcover"
    about = "dancing cells by the package xcover, compiled by numba; lists answers, also to find the best"

    def covers(self, model: Model, budget: Budget) -> Iterator[Values]:
        began = time.monotonic()
        cover, meaning = lower(model, budget)
        budget.built += time.monotonic() - began
        for chosen in covers(cover) if cover.options <= SMALL else streamed(covers, (cover,), budget):
            budget.step()
            yield meaning.values(chosen)

    def count(self, model: Model, budget: Budget) -> int:
        """All covers are searched for: in compiled code that is quicker, up to millions, than to count by cases."""
        if has_shapes(model) or not determined(model):
            return sum(1 for _ in self.answers(model, budget))
        began = time.monotonic()
        cover, _ = lower(model, budget)
        budget.built += time.monotonic() - began
        return next(streamed(_number, (cover,), budget))


def covers(cover: Cover) -> Iterator[list[int]]:
    """The options of each cover."""
    for chosen in _found(cover):
        yield [option for option in chosen if option < cover.options]


def _number(cover: Cover) -> Iterator[int]:
    yield sum(1 for _ in _found(cover))


def _found(cover: Cover) -> Iterator[Iterable[int]]:
    """What xcover finds: the options of each cover, and one of our own.

    This option and two items of its own stand beside the others: xcover 0.2.6 does not see an item that is the only one of
    every option, and fails where no item is primary.
    """
    items = np.append(cover.item + 2, [0, 1]).astype(np.uint32)
    colours = np.append(cover.colour + 1, [0, 0]).astype(np.uint32)  # 0 is no colour
    starts = np.append(cover.starts, len(items)).astype(np.uint32)
    found: Iterator[Iterable[int]] = algorithm_c(items, starts, colours, cover.items + 2, cover.items - cover.primary)
    return found
