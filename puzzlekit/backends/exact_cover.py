"""The project's own backend: exact cover with colours, for every finite model.

| query | way |
|---|---|
| the best, or all within a bound | the search, with its memo of costs |
| all | the search, node by node, then in blocks; a frontier if most nodes are dead ends |
| a count, samples | the search, with its memo, and a frontier in turns |

A frontier takes covers without colours. The measurements are in docs/decisions/exact-cover.md.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import inf
from random import Random
from typing import Any

import numpy as np

from puzzlekit.backends.base import Backend, Budget, goal_of
from puzzlekit.backends.cover_blocks import BlockSearch
from puzzlekit.backends.cover_frontier import Covers, Frontier, Mode, start_frontier
from puzzlekit.backends.cover_search import CACHED_OPTIONS, CoverSearch, StepBudgetExceeded
from puzzlekit.lowering import Form, Supports, to_cover
from puzzlekit.model import Model
from puzzlekit.query import Query, Task

COVER_FORMS = frozenset({Form.TABLE, Form.ALL_DIFFERENT, Form.CHOICE})  # the input of `to_cover`
# of the search before the frontier begins: 0.1 s; no clock, so that seeds reproduce
COUNTER_STEPS = 4_000
FRONTIER_PACE = 1_600  # states of the frontier per step of the search
TURN_GROWTH = 4  # of both after each turn
FIRST_NODES = 10  # of the search for all covers, before it goes on in blocks,
FIRST_OPTIONS = 8  # and one more for so many options
LISTED_NODES = 300_000  # of that search, before the frontier is tried: half a second
FEW_COVERS = 3_000  # that it has then listed, at most: most nodes are dead ends


class ExactCover(Backend):
    """Exact cover with colours (Knuth 7.2.2.1) on the bits of integers."""

    name = "exact-cover"
    about = "puzzlekit's own exact cover with colours; lists, counts and proves optima"
    supports = Supports(
        forms=COVER_FORMS,
        queries=frozenset({Task.ENUMERATE, Task.OPTIMISE, Task.COUNT, Task.SAMPLE}),
        bounds=True,
        product="cover with colours",
        reports=frozenset({"items", "options", "nodes", "propagations"}),
    )

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        with budget.building():
            cover, decoder = to_cover(model)
            budget.check()
            search = CoverSearch(cover, budget, ties=query.task in (Task.COUNT, Task.SAMPLE))
        budget.note_sizes(items=cover.items, options=cover.options)
        answers: Iterator[Any]
        if query.task is Task.COUNT:
            answers = _numbers(search, model, query)
        else:
            answers = map(decoder.values, _covers(search, model, query))
        efforts = lambda: {"nodes": search.nodes, "propagations": search.forced}  # noqa: E731
        return budget.note_efforts(answers, efforts)


def _covers(search: CoverSearch, model: Model, query: Query) -> Iterator[Sequence[int] | Covers]:
    if query.task is Task.SAMPLE:
        return _drawn(search, Random(query.seed))
    if query.task is Task.OPTIMISE:
        return search.improving()
    if query.bound is None:
        return list_covers(search)
    return search.covers_within(_cost(search, model, query.bound.value))


def _numbers(search: CoverSearch, model: Model, query: Query) -> Iterator[int]:
    if query.bound is None:
        yield count_covers(search, Mode.COUNT).total
    else:
        yield search.count(_cost(search, model, query.bound.value))


def _cost(search: CoverSearch, model: Model, value: int) -> int:
    """Return the cost of a cover whose goal has this value: without the constant, and minimised."""
    cost = -value if goal_of(model).maximise else value
    return cost - search.cover.offset


def _drawn(search: CoverSearch, random: Random) -> Iterator[Sequence[int]]:
    counter = count_covers(search, Mode.DRAW)
    while counter.total:
        yield counter.drawn(random)


def count_covers(search: CoverSearch, purpose: Mode) -> CoverSearch | Frontier:
    """Count the covers by the search and a frontier in turns; return the one that has the total."""
    frontier: Frontier | None = None
    steps: float = COUNTER_STEPS
    while True:
        with suppress(StepBudgetExceeded):
            search.count(steps=steps)
            return search
        if frontier is None:
            frontier = start_frontier(search, purpose)
        if frontier is not None and frontier.advance(FRONTIER_PACE * steps):
            return frontier
        steps = inf if frontier is None or frontier.is_wide else TURN_GROWTH * steps


def list_covers(search: CoverSearch) -> Iterator[Sequence[int] | Covers]:
    """Yield every cover once, as its options; when the stream ends, it is complete.

    The frontier has no cover before it is through, and then repeats those of the search. But it
    needs a fraction of the time where partial covers leave the same items open, as dead ends do.
    """
    options = search.cover.options
    yielded: list[Sequence[int] | Covers] = []

    def noted(covers: Iterator[Sequence[int] | Covers]) -> Iterator[Sequence[int] | Covers]:
        for chosen in covers:
            if len(yielded) <= FEW_COVERS:
                yielded.append(chosen)
            yield chosen

    most_nodes: float = inf
    if options <= CACHED_OPTIONS:
        most_nodes = FIRST_NODES + options // FIRST_OPTIONS
    yield from noted(search.covers(most_nodes))
    if not search.waiting:
        return
    blocks = BlockSearch(search)
    yield from noted(blocks.covers(LISTED_NODES))
    if not blocks.is_complete and len(yielded) <= FEW_COVERS:
        frontier = start_frontier(search, Mode.LIST)
        if frontier is not None and frontier.advance(inf):
            keys = {_key(chosen, options) for chosen in yielded}
            yield from _new_covers(frontier, keys, options)
            return
    yield from blocks.covers()


def _new_covers(frontier: Frontier, yielded: set[bytes], nothing: int) -> Iterator[Covers]:
    """Yield the covers that were not yielded before."""
    for block in frontier.covers():
        for row in block:
            if yielded:
                key = _key(row, nothing)
                if key in yielded:
                    yielded.remove(key)
                    continue
            yield row


def _key(chosen: Sequence[int] | Covers, nothing: int) -> bytes:
    options = chosen.tolist() if isinstance(chosen, np.ndarray) else chosen
    members = sorted([option for option in options if option < nothing])
    return array("I", members).tobytes()
