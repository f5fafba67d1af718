"""The project's own backend: exact cover with colours, for every finite model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

from puzzlekit.backends.base import Backend, Budget, goal_of
from puzzlekit.backends.exact_cover.branch_and_bound import BranchAndBound
from puzzlekit.backends.exact_cover.cover_search import CoverSearch, Options, bits
from puzzlekit.backends.exact_cover.frontier import Frontier, Purpose
from puzzlekit.backends.exact_cover.listing import listed
from puzzlekit.interpreter import depth_for
from puzzlekit.limits import limits
from puzzlekit.lowering.cover import Cover, to_cover
from puzzlekit.lowering.cover_decoder import CoverDecoder
from puzzlekit.lowering.planner import Form, Supports
from puzzlekit.model import Model
from puzzlekit.query import Kind, Query

COVER_FORMS = frozenset({Form.TABLE, Form.ALL_DIFFERENT, Form.CHOICE})  # the input of `to_cover`


class ExactCover(Backend):
    """Exact cover with colours (Knuth 7.2.2.1) on the bits of integers."""

    name = "exact-cover"
    about = "puzzlekit's own exact cover with colours; lists, counts and proves optima"
    supports = Supports(
        forms=COVER_FORMS,
        queries=frozenset({Kind.ENUMERATE, Kind.OPTIMISE, Kind.COUNT, Kind.SAMPLE}),
        bounds=True,
        product="cover with colours",
        reports=frozenset({"items", "options", "nodes", "propagations"}),
    )

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        search, decoder = _built(model, budget)
        budget.given(items=search.cover.items, options=search.cover.options)
        found = self._found(search, decoder, model, query, budget)
        return budget.noted(found, lambda: {"nodes": search.nodes, "propagations": search.forced})

    def _found(self, search: CoverSearch, decoder: CoverDecoder, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        if query.kind is Kind.SAMPLE:
            return map(decoder.values, _drawn(search, query.seed, budget))
        if query.kind is Kind.COUNT:
            return _counted(search, model, query, budget)
        if query.kind is Kind.OPTIMISE:
            return map(decoder.values, _cheapest(search, budget).improving())
        if query.bound is not None:
            return map(decoder.values, _cheapest(search, budget).costing(_cost_of(search.cover, query.bound.value, model)))
        return map(decoder.values, listed(search, budget))


def _built(model: Model, budget: Budget) -> tuple[CoverSearch, CoverDecoder]:
    with budget.building():
        cover, decoder = to_cover(model)
        budget.check()
        return CoverSearch(cover, budget.check), decoder


def _counted(search: CoverSearch, model: Model, query: Query, budget: Budget) -> Iterator[int]:
    if query.bound is not None:
        yield _cheapest(search, budget).count(_cost_of(search.cover, query.bound.value, model))
    else:
        yield counted(search, budget).total or 0


def _drawn(search: CoverSearch, seed: int | None, budget: Budget) -> Iterator[Any]:
    known, random = counted(search, budget, drawing=True), Random(seed)
    while known.total:
        yield known.drawn(random)


def _cheapest(search: CoverSearch, budget: Budget) -> BranchAndBound:
    return BranchAndBound(search, search.cover.costs or (0,) * search.cover.options, budget)


def _cost_of(cover: Cover, value: int, model: Model) -> int:
    """Return the cost of a cover whose goal has this value: without the constant, and minimised."""
    return (-value if goal_of(model).maximise else value) - cover.offset


def counted(cover_search: CoverSearch, budget: Budget, drawing: bool = False) -> Counter | Frontier:
    """Count the covers; if `drawing`, the result can also sample them.

    A search with a memo and a frontier take turns, each twice as long as the one before.
    """
    counter = Counter(cover_search, budget)
    frontier: Frontier | None = None
    steps = limits().counting.counter_steps
    while True:
        counter.advance(steps if frontier is None or frontier.possible else None)
        if counter.total is not None:
            return counter
        frontier = frontier or Frontier(cover_search.cover, budget, Purpose.DRAW if drawing else Purpose.COUNT)
        frontier.advance(limits().counting.frontier_pace * steps)
        if frontier.total is not None:
            return frontier
        steps = 2 * max(steps, 1)


class Counter:
    """Counts the covers of the remaining items, with a memo."""

    def __init__(self, cover_search: CoverSearch, budget: Budget) -> None:
        self.cover_search = cover_search
        self.budget = budget
        self.memo: dict[int, int] = {}
        self._most = limits().searching.cover_memo_entries
        self.total: int | None = None
        self._left: int | None = None
        self.everything = list(range(cover_search.cover.primary))
        self._depth = 4 * cover_search.cover.primary

    def advance(self, steps: int | None = None) -> None:
        """Continue for at most this many steps; `total` is set once it is known."""
        self._left = steps
        with suppress(_Enough), depth_for(self._depth):
            self.total = self.ways(self.cover_search.all, self.everything)
        self._left = None

    def ways(self, live: int, todo: list[int]) -> int:
        """Return the number of ways to cover these items with live options."""
        settled = self.cover_search.settle(live, todo)
        if settled is None:
            return 0
        live, todo, _, choices = settled
        if not todo:
            return 1
        known = self.memo.get(live)
        if known is not None:
            return known
        self.budget.step()
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise _Enough
        total = 0
        for option in bits(choices):
            live_then, todo_then = self._after(live, todo, option)
            total += self.ways(live_then, todo_then)  # Python 3.12 goes deep only where a call unpacks nothing
        if len(self.memo) < self._most:
            self.memo[live] = total
        return total

    def _after(self, live: int, todo: list[int], option: int) -> tuple[int, list[int]]:
        covered = self.cover_search.covered[option]
        return self.cover_search.choose(live, option), [item for item in todo if not covered >> item & 1]

    def drawn(self, random: Random) -> Options:
        """Return a uniformly random cover. There must be one."""
        with depth_for(self._depth):
            return self._drawn(random)

    def _drawn(self, random: Random) -> Options:
        live, todo = self.cover_search.all, self.everything
        chosen: list[int] = []
        while True:
            settled = self.cover_search.settle(live, todo)
            assert settled is not None, "a branch with a positive count does not fail"
            live, todo, forced, choices = settled
            chosen += forced
            if not todo:
                return tuple(chosen)
            place = random.randrange(self.ways(live, todo))
            for option in bits(choices):
                after = self._after(live, todo, option)
                place -= self.ways(*after)
                if place < 0:
                    break
            chosen.append(option)
            live, todo = after


class _Enough(Exception):
    """The steps are used up."""
