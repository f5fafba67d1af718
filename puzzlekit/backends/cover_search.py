"""Exact cover with colours on the bits of integers (Knuth 7.2.2.1, Algorithm C, without links).

Legend. `active` is an int with one bit per option that may still be chosen. `users[i]` has the bits
of the options that cover item i. Choosing an option keeps, for each of its items, only the options
that are compatible there: none that use the item, or, if it is coloured, none that give it another
colour. So `active` alone determines the rest of the search: an item that is still open has all its
active options in it, a covered one has none. Hence `active` is the key of the memo.
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
from puzzlekit.lowering import PLAIN, Cover
from puzzlekit.presolve import bits_of
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


NOTHING_TO_COVER = LeastCost(0, 1)


class Node(NamedTuple):
    """A node of the listing: an open item is next covered by one of the candidate options."""

    active: int
    todo: list[int]  # the open items
    candidates: int
    chosen: Options
    cost_limit: int | None  # what the other options may cost


class StepBudgetExceeded(Exception):
    """The steps that a count may take are used up; the memo has the counts of finished branches."""


class CoverSearch:
    """The search in one cover: it lists covers; with a memo, it counts them or finds the cheapest.

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
        self._unit = 1  # by which costs are scaled
        if cover.costs:
            self._unit = lcm(*(covered.bit_count() for covered in self.covered if covered), 1)
        self._costs = [cost * self._unit for cost in cover.costs or [0] * cover.options]
        # of each item, the least share of an option's cost
        self._shares = [self._share(users) for users in self.users] if cover.costs else []
        self._memo: dict[int, LeastCost] = {}
        self._depth = 4 * cover.primary
        self._steps = inf

    def _share(self, users: int) -> int:
        shares = [self._costs[option] // self.covered[option].bit_count() for option in bits(users)]
        return min(shares, default=0)

    def _effects(self) -> tuple[NDArray[np.int32], list[int]]:
        """Return the group of each entry, and the options that stay when one of a group is chosen.

        A group is the entries that give one item one colour. This also fills `users`.
        """
        cover = self.cover
        groups = np.empty(len(cover.item), dtype=np.int32)
        keeps: list[int] = []
        if not len(cover.item):
            return groups, keeps
        shades = int(cover.colour.max()) + 2
        keys = cover.item * shades + (cover.colour + 1)
        # small ones are sorted several times as fast
        keys = keys.astype(np.min_scalar_type(keys.max()))
        order = np.argsort(keys, stable=True)
        sorted_keys, options = keys[order], cover.option[order]
        is_first = np.ones(len(order), dtype=bool)
        np.not_equal(sorted_keys[1:], sorted_keys[:-1], out=is_first[1:])
        starts = is_first.nonzero()[0]
        groups[order] = is_first.cumsum(dtype=np.int32) - 1
        begins = starts.tolist()
        ends = [*begins[1:], len(order)]
        spans = zip(sorted_keys[starts].tolist(), begins, ends)
        for item, spans_of_item in groupby(spans, lambda span: span[0] // shades):
            self.budget.check()
            shaded = [
                (key % shades == PLAIN + 1, _mask(options[begin:end], cover.options))
                for key, begin, end in spans_of_item
            ]
            users = reduce(or_, [mask for _, mask in shaded])
            if item < cover.primary:
                self.users[item] = users
            others = self.all ^ users
            keeps += [others if is_plain else others | mask for is_plain, mask in shaded]
        return groups, keeps

    def choose(self, active: int, option: int) -> int:
        """Return the active options after this one is chosen."""
        keep = self._cache.get(option)
        if keep is not None:
            return active & keep
        groups = self._groups[self._starts[option] : self._starts[option + 1]].tolist()
        if not self._cached:
            for group in groups:
                active &= self._keeps[group]
            return active
        keep = self.all
        for group in groups:
            keep &= self._keeps[group]
        self._cache[option] = keep
        return active & keep

    def propagate(
        self, active: int, todo: list[int]
    ) -> tuple[int, list[int], list[int], int] | None:
        """Choose forced options until every open item has at least two.

        Returns the active options, the open items, the forced options, and the active options of
        the item with the fewest (0 if no item is open). Returns None if an item has no option left.
        """
        forced: list[int] = []
        users, covered = self.users, self.covered
        self.nodes += 1
        while True:
            closed = 0  # items that are covered in this pass
            candidates, least = 0, 1 << 60
            for item in todo:
                if closed >> item & 1:
                    continue
                options = active & users[item]
                number = options.bit_count()
                if number < least:
                    if number > 1:
                        candidates, least = options, number
                    elif number:
                        option = options.bit_length() - 1
                        forced.append(option)
                        active = self.choose(active, option)
                        closed |= covered[option]
                    else:
                        return None
            if not closed:
                self.forced += len(forced)
                return active, todo, forced, candidates
            todo = [item for item in todo if not closed >> item & 1]

    def count(self, cost: int = 0, steps: float = inf) -> int:
        """Return the number of covers; with costs, of those of this cost, which must be the least.

        Raises StepBudgetExceeded if that takes more steps; the next call continues from the memo.
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

        These are all covers if no nodes are `waiting` then.
        """
        return self._listed(None, most_nodes)

    def covers_within(self, cost: int) -> Iterator[Options]:
        """Yield every cover of at most this cost; enter no branch that cannot be completed."""
        return deeply(self._listed(cost * self._unit, inf), self._depth)

    def _listed(self, limit: int | None, most_nodes: float) -> Generator[Options, None, None]:
        self.waiting = []
        cover = self._entered(self.all, self.items, (), limit)
        if cover is not None:
            yield cover
        while self.waiting and self.nodes < most_nodes:
            self.budget.step()
            active, todo, candidates, chosen, cost_limit = self.waiting.pop()
            bit = candidates & -candidates
            option = bit.bit_length() - 1
            remaining = candidates ^ bit
            if remaining:
                self.waiting.append(Node(active ^ bit, todo, remaining, chosen, cost_limit))
            active, todo = self._after(active, todo, option)
            if cost_limit is not None:
                cost_limit -= self._costs[option]
            cover = self._entered(active, todo, (*chosen, option), cost_limit)
            if cover is not None:
                yield cover

    def _entered(
        self, active: int, todo: list[int], chosen: Options, cost_limit: int | None
    ) -> Options | None:
        """Enter a node of the listing if it can be completed; return the cover if that is one."""
        if cost_limit is not None and not self._best(active, todo, cost_limit).number:
            return None
        propagated = self.propagate(active, todo)
        if propagated is None:
            return None
        active, todo, forced, candidates = propagated
        chosen = (*chosen, *forced)
        if not todo:
            return chosen
        if cost_limit is not None:
            cost_limit -= self._cost(forced)
        self.waiting.append(Node(active, todo, candidates, chosen, cost_limit))
        return None

    def _best(self, active: int, todo: list[int], limit: int) -> LeastCost:
        """Return the least cost of covering these items by active options, within the limit."""
        propagated = self.propagate(active, todo)
        if propagated is None:
            return LeastCost(limit + 1, 0)
        active, todo, forced, candidates = propagated
        spent = self._cost(forced) if forced else 0
        if todo:
            best = self._best_of(active, todo, candidates, limit - spent)
        else:
            best = NOTHING_TO_COVER
        if not spent and best.cost <= limit:
            return best
        cost = best.cost + spent
        return LeastCost(cost, best.number if cost <= limit else 0)

    def _best_of(self, active: int, todo: list[int], candidates: int, limit: int) -> LeastCost:
        """Do the same where nothing is forced; one of the candidates covers the next item."""
        cached = self._memo.get(active)
        if cached is not None and (cached.number or cached.cost > limit):
            return cached
        if self._shares:
            shares = sum([self._shares[item] for item in todo])
            bound = -(-shares // self._unit) * self._unit
            if bound > limit:
                return LeastCost(bound, 0)
        self.budget.step()
        self._steps -= 1
        if self._steps < 0:
            raise StepBudgetExceeded
        cost, number = limit + 1, 0
        for option in self._by_cost(candidates):
            active_then, todo_then = self._after(active, todo, option)
            option_cost = self._costs[option]
            completion = self._best(active_then, todo_then, limit - option_cost)
            if completion.number:
                total = completion.cost + option_cost
                number = completion.number + (number if total == cost else 0)
                cost = total
                limit = total if self._ties else total - 1
        best = LeastCost(cost, number)
        if len(self._memo) < MEMO_ENTRIES:
            self._memo[active] = best
        return best

    def _one_of_best(self, cost: int, random: Random | None = None) -> Options:
        """Return a cover of this cost, the least one: the first such cover, or a random one."""
        active, todo = self.all, self.items
        chosen: list[int] = []
        while True:
            propagated = self.propagate(active, todo)
            assert propagated is not None, "a branch with a cover does not fail"
            active, todo, forced, candidates = propagated
            chosen += forced
            if not todo:
                return tuple(chosen)
            cost -= self._cost(forced)
            index = 0  # of the cover, among those that are left
            if random is not None:
                index = random.randrange(self._best_of(active, todo, candidates, cost).number)
            # in the order of the search, which left these in the memo
            for option in self._by_cost(candidates):
                active_then, todo_then = self._after(active, todo, option)
                completion = self._best(active_then, todo_then, cost - self._costs[option])
                index -= completion.number
                if index < 0:
                    break
            chosen.append(option)
            cost -= self._costs[option]
            active, todo = active_then, todo_then

    def _after(self, active: int, todo: list[int], option: int) -> tuple[int, list[int]]:
        """Return the active options and the open items after this option is chosen."""
        covered = self.covered[option]
        return self.choose(active, option), [item for item in todo if not covered >> item & 1]

    def _by_cost(self, candidates: int) -> Iterable[int]:
        options = bits(candidates)
        return sorted(options, key=self._costs.__getitem__) if self._shares else options

    def _cost(self, options: Sequence[int]) -> int:
        return sum([self._costs[option] for option in options])


def _mask(options: NDArray[np.int64], count: int) -> int:
    if len(options) < 20:
        mask = 0
        for option in options.tolist():
            mask |= 1 << option
        return mask
    is_member = np.zeros(count, dtype=bool)
    is_member[options] = True
    return bits_of(is_member)


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the bits of a mask, the highest first."""
    while mask:
        option = mask.bit_length() - 1
        yield option
        mask ^= 1 << option
