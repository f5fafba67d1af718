"""Exact cover with colours on the bits of integers (Knuth 7.2.2.1, Algorithm C, without links).

Legend. `live` is an int with one bit per option that may still be chosen. `users[i]` has the bits
of the options that cover item i. Choosing an option keeps, for each of its items, only the options
that do not clash there: none that use the item, or, if it is coloured, none that give it another
colour. So `live` alone determines the rest of the search: an item that is still open has all its
live options in it, a covered one has none. Hence `live` is the key of the memo.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby
from math import inf, lcm
from operator import or_
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends.base import Budget
from puzzlekit.lowering.cover import PLAIN, Cover
from puzzlekit.presolve.bit_graph import bits_of
from puzzlekit.python_settings import deeply, depth_for

CACHED_OPTIONS = 12_000  # of a cover up to which the effect of each is cached as a mask
MEMO_ENTRIES = 2_000_000  # beyond which a search continues without new ones
Options = tuple[int, ...]


class LeastCost(NamedTuple):
    """The least cost of the covers of some items, and the number of covers that cost so much.

    The number is 0 if there is none within a limit; then all cost at least `cost`.
    """

    cost: int
    number: int


class Node(NamedTuple):
    """A node of the listing: an open item is next covered by one of the options in `ways`."""

    live: int
    todo: list[int]  # the open items
    ways: int
    chosen: Options
    left: int | None  # what the other options may cost


class StepBudgetExceeded(Exception):
    """The steps that a count may take are used up; what was found is kept in the memo."""


class CoverSearch:
    """The search in one cover: it lists covers, and with a memo it counts them or finds the
    cheapest.

    The memo keeps the number of the cheapest covers; without `ties`, only that there are some, as
    branches that can only be as good are then cut off. Without costs, all covers are the cheapest.

    For lower bounds, an option's cost is shared evenly by its primary items: a cover costs at least
    the sum, over the open items, of the least share that an option can give the item. Costs are
    scaled to make every share an integer.
    """

    def __init__(self, cover: Cover, budget: Budget, ties: bool = True) -> None:
        self.cover = cover
        self.budget = budget
        self.nodes = 0  # of the search tree
        self.forced = 0  # options that were the only one of an item
        self.all = (1 << cover.options) - 1
        self.items = list(range(cover.primary))
        self.users = [0] * cover.primary
        self.total = 0  # of the covers, once they are counted
        self.waiting: list[Node] = []  # of the listing, the next one last
        self._starts = cover.starts.tolist()
        self._groups, self._keeps = self._effects()
        self._cached = cover.options <= CACHED_OPTIONS
        self._cache: dict[int, int] = {}
        primary = cover.item < cover.primary
        self.covered = [0] * cover.options  # the primary items of each option, one bit per item
        for option, item in zip(cover.option[primary].tolist(), cover.item[primary].tolist()):
            self.covered[option] |= 1 << item
        self._ties = ties
        self._unit = (
            lcm(*(covered.bit_count() for covered in self.covered if covered), 1)
            if cover.costs
            else 1
        )
        self._costs = [cost * self._unit for cost in cover.costs or [0] * cover.options]
        # of each item, the least share of an option's cost
        self._shares = [self._share(users) for users in self.users] if cover.costs else []
        self._memo: dict[int, LeastCost] = {}
        self._depth = 4 * cover.primary
        self._steps = inf

    def _share(self, users: int) -> int:
        return min(
            (self._costs[option] // self.covered[option].bit_count() for option in bits(users)),
            default=0,
        )

    def _effects(self) -> tuple[NDArray[np.int32], list[int]]:
        """Return the group of each entry, and the options that stay when one of a group is chosen.

        A group is the entries that give one item one colour. This also fills `users`.
        """
        cover = self.cover
        groups, keeps = np.empty(len(cover.item), dtype=np.int32), list[int]()
        if not len(cover.item):
            return groups, keeps
        shades = int(cover.colour.max()) + 2
        key = cover.item * shades + (cover.colour + 1)
        key = key.astype(
            np.min_scalar_type(key.max())
        )  # small ones are sorted several times as fast
        order = np.argsort(key, kind="stable")
        ordered, options = key[order], cover.option[order]
        begins = np.ones(len(order), dtype=bool)
        np.not_equal(ordered[1:], ordered[:-1], out=begins[1:])
        starts = begins.nonzero()[0]
        groups[order] = begins.cumsum(dtype=np.int32) - 1
        spans = zip(ordered[starts].tolist(), starts.tolist(), [*starts[1:].tolist(), len(order)])
        for item, of_item in groupby(spans, lambda span: span[0] // shades):
            self.budget.check()
            shaded = [
                (key % shades == PLAIN + 1, _mask(options[begin:end], cover.options))
                for key, begin, end in of_item
            ]
            every = reduce(or_, (mask for _, mask in shaded))
            if item < cover.primary:
                self.users[item] = every
            others = self.all ^ every
            keeps += [others if plain else others | mask for plain, mask in shaded]
        return groups, keeps

    def choose(self, live: int, option: int) -> int:
        """Return the live options after this one is chosen."""
        keep = self._cache.get(option)
        if keep is not None:
            return live & keep
        groups = self._groups[self._starts[option] : self._starts[option + 1]].tolist()
        if not self._cached:
            for group in groups:
                live &= self._keeps[group]
            return live
        keep = self.all
        for group in groups:
            keep &= self._keeps[group]
        self._cache[option] = keep
        return live & keep

    def propagate(self, live: int, todo: list[int]) -> tuple[int, list[int], list[int], int] | None:
        """Choose forced options until every open item has at least two.

        Returns the live options, the open items, the forced options, and the live options of the
        item with the fewest (0 if no item is open). Returns None if an item has no option left.
        """
        forced: list[int] = []
        users, covered = self.users, self.covered
        self.nodes += 1
        while True:
            done = 0
            fewest, least = 0, 1 << 60
            for item in todo:
                if done >> item & 1:
                    continue
                ways = live & users[item]
                number = ways.bit_count()
                if number < least:
                    if number > 1:
                        fewest, least = ways, number
                    elif number:
                        option = ways.bit_length() - 1
                        forced.append(option)
                        live = self.choose(live, option)
                        done |= covered[option]
                    else:
                        return None
            if not done:
                self.forced += len(forced)
                return live, todo, forced, fewest
            todo = [item for item in todo if not done >> item & 1]

    def count(self, cost: int = 0, steps: float = inf) -> int:
        """Return the number of covers; with costs, of those that cost this, which must be the
        least.

        Raises StepBudgetExceeded if that takes more steps. The memo keeps what was found.
        """
        self._steps = steps
        with depth_for(self._depth):
            self.total = self._best(self.all, self.items, cost * self._unit).number
        return self.total

    def drawn(self, random: Random) -> Options:
        """Return a uniformly random cover. There must be one, and there must be no costs."""
        with depth_for(self._depth):
            return self._one_of_best(0, random)

    def improving(self) -> Iterator[Options]:
        """Yield covers of decreasing cost; when the stream ends, the last is the cheapest."""
        first = next(self.covers(), None)
        if first is None:
            return
        yield first
        with depth_for(self._depth):
            best = self._best(self.all, self.items, self._cost(first) - 1)
            better = self._one_of_best(best.cost) if best.number else None
        if better is not None:
            yield better

    def covers(self, most_nodes: float = inf) -> Iterator[Options]:
        """Yield every cover, as a tuple of options, until this many nodes were searched.

        All are found if no nodes are `waiting` then.
        """
        return self._listed(None, most_nodes)

    def covers_within(self, cost: int) -> Iterator[Options]:
        """Yield every cover of at most this cost; enter no branch that cannot be completed."""
        return deeply(self._listed(cost * self._unit, inf), self._depth)

    def _listed(self, limit: int | None, most_nodes: float) -> Generator[Options, None, None]:
        self.waiting = []
        if (cover := self._entered(self.all, self.items, (), limit)) is not None:
            yield cover
        while self.waiting and self.nodes < most_nodes:
            self.budget.step()
            live, todo, ways, chosen, left = self.waiting.pop()
            way = ways & -ways
            option = way.bit_length() - 1
            if ways ^ way:
                self.waiting.append(Node(live ^ way, todo, ways ^ way, chosen, left))
            live, todo = self._after(live, todo, option)
            left = None if left is None else left - self._costs[option]
            if (cover := self._entered(live, todo, (*chosen, option), left)) is not None:
                yield cover

    def _entered(
        self, live: int, todo: list[int], chosen: Options, left: int | None
    ) -> Options | None:
        """Enter a node of the listing, if it can be completed; return the cover if it is complete."""
        if left is not None and not self._best(live, todo, left).number:
            return None
        propagated = self.propagate(live, todo)
        if propagated is None:
            return None
        live, todo, forced, ways = propagated
        chosen = (*chosen, *forced)
        if not todo:
            return chosen
        self.waiting.append(
            Node(live, todo, ways, chosen, None if left is None else left - self._cost(forced))
        )
        return None

    def _best(self, live: int, todo: list[int], limit: int) -> LeastCost:
        """Return the cheapest ways to cover these items by live options, among those within the
        limit.
        """
        propagated = self.propagate(live, todo)
        if propagated is None:
            return LeastCost(limit + 1, 0)
        live, todo, forced, ways = propagated
        spent = self._cost(forced) if forced else 0
        found = self._best_of(live, todo, ways, limit - spent) if todo else LeastCost(0, 1)
        if found.cost + spent > limit:
            return LeastCost(found.cost + spent, 0)
        return LeastCost(found.cost + spent, found.number) if spent else found

    def _best_of(self, live: int, todo: list[int], ways: int, limit: int) -> LeastCost:
        """Do the same where nothing is forced; the item with the fewest options has these ways."""
        known = self._memo.get(live)
        if known is not None and (known.number or known.cost > limit):
            return known
        if self._shares:
            bound = -(-sum([self._shares[item] for item in todo]) // self._unit) * self._unit
            if bound > limit:
                return LeastCost(bound, 0)
        self.budget.step()
        self._steps -= 1
        if self._steps < 0:
            raise StepBudgetExceeded
        cost, number = limit + 1, 0
        for option in self._by_cost(ways):
            live_then, todo_then = self._after(live, todo, option)
            found = self._best(live_then, todo_then, limit - self._costs[option])
            if found.number:
                paid = found.cost + self._costs[option]
                number = found.number + (number if paid == cost else 0)
                cost, limit = paid, paid if self._ties else paid - 1
        best = LeastCost(cost, number)
        if len(self._memo) < MEMO_ENTRIES:
            self._memo[live] = best
        return best

    def _one_of_best(self, cost: int, random: Random | None = None) -> Options:
        """Return a cover of the least cost, which is known: the first one, or a random one."""
        live, todo = self.all, self.items
        chosen: list[int] = []
        while True:
            propagated = self.propagate(live, todo)
            assert propagated is not None, "a branch with a cover does not fail"
            live, todo, forced, ways = propagated
            chosen += forced
            if not todo:
                return tuple(chosen)
            cost -= self._cost(forced)
            place = (
                0
                if random is None
                else random.randrange(self._best_of(live, todo, ways, cost).number)
            )
            for option in self._by_cost(
                ways
            ):  # in the order of the search, which left these in the memo
                after = self._after(live, todo, option)
                place -= self._best(*after, cost - self._costs[option]).number
                if place < 0:
                    break
            chosen.append(option)
            cost -= self._costs[option]
            live, todo = after

    def _after(self, live: int, todo: list[int], option: int) -> tuple[int, list[int]]:
        covered = self.covered[option]
        return self.choose(live, option), [item for item in todo if not covered >> item & 1]

    def _by_cost(self, ways: int) -> Iterable[int]:
        return sorted(bits(ways), key=self._costs.__getitem__) if self._shares else bits(ways)

    def _cost(self, options: Sequence[int]) -> int:
        return sum([self._costs[option] for option in options])


def _mask(options: NDArray[np.int64], count: int) -> int:
    if len(options) < 20:
        mask = 0
        for option in options.tolist():
            mask |= 1 << option
        return mask
    held = np.zeros(count, dtype=bool)
    held[options] = True
    return bits_of(held)


def bits(mask: int) -> Iterator[int]:
    while mask:
        option = mask.bit_length() - 1
        yield option
        mask ^= 1 << option
