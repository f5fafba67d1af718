"""Count covers with a memo on the items left to cover, and sample covers by these counts."""

from __future__ import annotations

from contextlib import suppress
from random import Random

from puzzlekit.backends.base import Budget
from puzzlekit.backends.exact_cover.cover_search import CoverSearch, Options, bits
from puzzlekit.backends.exact_cover.frontier import Frontier
from puzzlekit.interpreter import depth_for
from puzzlekit.limits import limits


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
        frontier = frontier or Frontier(cover_search.cover, budget, drawing)
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
            total += self.ways(*self._after(live, todo, option))
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
