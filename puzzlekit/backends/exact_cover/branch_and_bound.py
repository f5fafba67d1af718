"""Find the cheapest covers: one, all, or their number.

Depth-first branch and bound with a memo. An option's cost is shared evenly by its primary items;
the lower bound of a cover is the sum, over the open items, of the least share that an option can
give the item. Costs are scaled to make every share an integer.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from math import lcm

from puzzlekit.backends.base import Budget
from puzzlekit.backends.exact_cover.cover_search import CoverSearch, Options, bits
from puzzlekit.interpreter import deeply, depth_for
from puzzlekit.limits import limits


class BranchAndBound:
    """The search for cheapest covers of one problem; its memo serves later queries."""

    def __init__(self, cover_search: CoverSearch, costs: Sequence[int], budget: Budget) -> None:
        self._depth = 4 * cover_search.cover.primary
        self.cover_search = cover_search
        self.budget = budget
        self.unit = lcm(*(covered.bit_count() for covered in cover_search.covered if covered), 1)
        self.costs = [cost * self.unit for cost in costs]
        self.shares = [
            min((self.costs[option] // cover_search.covered[option].bit_count() for option in bits(users)), default=0)
            for users in cover_search.users
        ]
        # live options → the cheapest way to cover the rest
        self.exact: dict[int, tuple[int, Options]] = {}
        self._most = limits().searching.cover_memo_entries
        self.least: dict[int, int] = {}  # live options → a lower bound on the cost of the rest

    def below(self, cost: int) -> Options | None:
        """Return the cheapest cover that costs less than this, or None."""
        with depth_for(self._depth):
            found = self.search(self.cover_search.all, list(range(self.cover_search.cover.primary)), cost * self.unit)
        return None if found is None else found[1]

    def search(self, live: int, todo: list[int], limit: int) -> tuple[int, Options] | None:
        """Return the cheapest way to cover the rest below the limit, with its cost, or None."""
        settled = self.cover_search.settle(live, todo)
        if settled is None:
            return None
        live, todo, forced, ways = settled
        spent = sum(self.costs[option] for option in forced)
        found = self.branch(live, todo, ways, limit - spent) if todo else (0, ()) if spent < limit else None
        return None if found is None else (found[0] + spent, (*forced, *found[1]))

    def branch(self, live: int, todo: list[int], ways: int, limit: int) -> tuple[int, Options] | None:
        known = self.exact.get(live)
        if known is not None:
            return known if known[0] < limit else None
        shared = -(-sum(self.shares[item] for item in todo) // self.unit) * self.unit
        if max(shared, self.least.get(live, shared)) >= limit:
            return None
        self.budget.step()
        best: tuple[int, Options] | None = None
        for option in sorted(bits(ways), key=self.costs.__getitem__):
            covered = self.cover_search.covered[option]
            rest = [item for item in todo if not covered >> item & 1]
            found = self.search(self.cover_search.choose(live, option), rest, limit - self.costs[option])
            if found is not None:
                limit = found[0] + self.costs[option]
                best = (limit, (option, *found[1]))
        if len(self.exact) + len(self.least) < self._most:
            if best is None:
                self.least[live] = limit
            else:
                self.exact[live] = best
        return best

    def improving(self) -> Iterator[Options]:
        """Yield covers of decreasing cost; when the stream ends, the last is the cheapest."""
        first = next(self.cover_search.covers(self.budget), None)
        if first is None:
            return
        yield first
        better = self.below(sum(self.costs[option] for option in first) // self.unit)
        if better is not None:
            yield better

    def costing(self, cost: int) -> Iterator[Options]:
        """Yield every cover of at most this cost; enter no branch that cannot be completed."""
        return deeply(self._costing(cost), self._depth)

    def _costing(self, cost: int) -> Generator[Options, None, None]:
        stack: list[tuple[int, list[int], Options, int]] = [self._start(cost)]
        while stack:
            live, todo, chosen, left = stack.pop()
            for option in self._ways(live, todo, left):
                settled = self._after(live, todo, option)
                assert settled is not None, "an option that can be completed can be chosen"
                live_then, todo_then, forced, _ = settled
                cover = (*chosen, option, *forced)
                if todo_then:
                    stack.append((live_then, todo_then, cover, left - self._cost((option, *forced))))
                else:
                    yield cover
            if not todo and left >= 0:
                yield chosen

    def count(self, cost: int) -> int:
        """Return the number of covers of this cost, which must be the least."""
        memo: dict[int, int] = {}

        def covers(live: int, todo: list[int], left: int) -> int:
            if not todo:
                return 1
            if live not in memo:
                total = 0
                for option in self._ways(live, todo, left):
                    settled = self._after(live, todo, option)
                    assert settled is not None, "an option that can be completed can be chosen"
                    total += covers(settled[0], settled[1], left - self._cost((option, *settled[2])))
                memo[live] = total
            return memo[live]

        live, todo, _, left = self._start(cost)
        with depth_for(self._depth):
            return covers(live, todo, left)

    def _start(self, cost: int) -> tuple[int, list[int], Options, int]:
        settled = self.cover_search.settle(self.cover_search.all, list(range(self.cover_search.cover.primary)))
        assert settled is not None, "some cover has the least cost"
        live, todo, forced, _ = settled
        return live, todo, tuple(forced), cost * self.unit - self._cost(forced)

    def _after(self, live: int, todo: list[int], option: int) -> tuple[int, list[int], list[int], int] | None:
        covered = self.cover_search.covered[option]
        return self.cover_search.settle(
            self.cover_search.choose(live, option), [item for item in todo if not covered >> item & 1]
        )

    def _ways(self, live: int, todo: list[int], left: int) -> Iterator[int]:
        """Yield the options of the item with the fewest that can be completed within this cost."""
        if not todo:
            return
        self.budget.step()
        ways = min((live & self.cover_search.users[item] for item in todo), key=int.bit_count)
        for option in bits(ways):
            covered = self.cover_search.covered[option]
            rest = [item for item in todo if not covered >> item & 1]
            if self.search(self.cover_search.choose(live, option), rest, left - self.costs[option] + 1) is not None:
                yield option

    def _cost(self, options: Sequence[int]) -> int:
        return sum(self.costs[option] for option in options)
