"""How many covers there are, with a memo on what is left to be covered; and covers drawn at random by these numbers."""

from __future__ import annotations

from random import Random

from puzzlekit.backends.base import Budget, allow_depth
from puzzlekit.backends.covering import MEMO, Engine, Options, bits
from puzzlekit.backends.frontier import Frontier

STEPS = 5_000  # steps of the search before the frontier is tried
PACE = 150  # states that the frontier makes in the time of one step


def count(engine: Engine, budget: Budget) -> int:
    """The number of covers: by search with a memo and along a frontier, by turns, each twice as far as before."""
    counter = Counter(engine, budget)
    frontier: Frontier | None = None
    steps = STEPS
    while True:
        total = counter.total(steps if frontier is None or frontier.possible else None)
        if total is None:
            frontier = frontier or Frontier(engine.cover, budget)
            total = frontier.advance(steps * PACE)
        if total is not None:
            return total
        steps *= 2


class Counter:
    """Counts what is left to be covered, and remembers it."""

    def __init__(self, engine: Engine, budget: Budget) -> None:
        self.engine = engine
        self.budget = budget
        self.memo: dict[int, int] = {}
        self.left: int | None = None
        self.everything = list(range(engine.cover.primary))
        allow_depth(engine.cover.primary)

    def total(self, steps: int | None = None) -> int | None:
        """The number of covers; None if so many steps do not tell."""
        self.left = steps
        try:
            return self.ways(self.engine.all, self.everything)
        except _Enough:
            return None

    def ways(self, live: int, todo: list[int]) -> int:
        """The number of ways to cover these items with live options."""
        settled = self.engine.settle(live, todo)
        if settled is None:
            return 0
        live, todo, _, choices = settled
        if not todo:
            return 1
        known = self.memo.get(live)
        if known is not None:
            return known
        self.budget.step()
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise _Enough
        total = 0
        for option in bits(choices):
            total += self.ways(*self._after(live, todo, option))
        if len(self.memo) < MEMO:
            self.memo[live] = total
        return total

    def _after(self, live: int, todo: list[int], option: int) -> tuple[int, list[int]]:
        covered = self.engine.covered[option]
        return self.engine.choose(live, option), [item for item in todo if not covered >> item & 1]

    def drawn(self, random: Random) -> Options:
        """A cover, each with the same probability. There must be one."""
        live, todo = self.engine.all, self.everything
        chosen: list[int] = []
        while True:
            settled = self.engine.settle(live, todo)
            assert settled is not None, "what has ways to be covered does not fail"
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
