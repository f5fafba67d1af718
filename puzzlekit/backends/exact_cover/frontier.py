"""Sweep over an exact cover without colours item by item: all partial covers of a step at once, as bits.

The items are ordered. Step i covers item i, if it is open, by the options that have no earlier
item. Only the items that earlier choices cover from i on matter: these bits are a state, and each
state has the number of ways that lead to it. So the work is proportional to the number of distinct
states, however many covers there are. An order in which options are short keeps the states few,
such as the cells of a board column by column. Covers are read backwards through the states.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum
from heapq import heappop, heappush
from itertools import accumulate
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends.base import Budget
from puzzlekit.backends.exact_cover.cover_search import Options
from puzzlekit.limits import limits
from puzzlekit.lowering.cover import PLAIN, Cover

WORD = 64
Bits = NDArray[np.uint64]  # one column per state
Ways = NDArray[np.generic]
Covers = NDArray[np.uint32]  # one row of options per cover


class Purpose(Enum):
    """What a frontier is for: it keeps states to list or draw covers, and ways to count or draw them."""

    COUNT = "count"
    DRAW = "draw"
    LIST = "list"


class Frontier:
    """An interruptible sweep along several orders of the items.

    Each order gets a short trial; then the one whose states grow least continues.
    """

    def __init__(self, cover: Cover, budget: Budget, purpose: Purpose = Purpose.COUNT) -> None:
        self.total: int | None = None  # once it is known; when listing, only whether there is a cover
        self.work = 0  # states created so far
        self._purpose = purpose
        self._sweeps: list[_Sweep] = []
        self._done: _Sweep | None = None
        if not (cover.colour != PLAIN).any() and np.diff(cover.starts).all():
            self._sweeps = [_Sweep(cover, budget, order, purpose) for order in _orders(cover)]

    @property
    def possible(self) -> bool:
        """Whether the sweep can continue: there are no colours, and some order stays small."""
        return bool(self._sweeps)

    @property
    def expected(self) -> float:
        """The states that will have been created, as if their number grew evenly with the steps."""
        return min((sweep.work * (len(sweep.order) / max(sweep.covered, 1)) ** 2 for sweep in self._sweeps), default=math.inf)

    def advance(self, work: int) -> None:
        """Continue for about this many states; `total` is set once it is known."""
        most = limits().counting
        most_states = most.listing_states if self._purpose is Purpose.LIST else most.frontier_states
        end = self.work + work
        while self.total is None and self.possible and self.work < end:
            tried = [sweep for sweep in self._sweeps if sweep.work < most.trial_states and not sweep.is_wide]
            if tried:
                self._step(tried[0], most.trial_step_states)
            else:
                self._step(min(self._sweeps, key=lambda sweep: sweep.growth), most_states)

    def drawn(self, random: Random) -> Options:
        """Return a uniformly random cover. There must be one, and `total` must be known."""
        assert self._done is not None, "sampling requires a finished count"
        return self._done.drawn(random)

    def covers(self) -> Iterator[Covers]:
        """Yield all covers in blocks, one cover per row; shorter ones are padded."""
        assert self.total is not None, "listing requires a finished sweep"
        return self._done.covers() if self._done is not None else iter(())

    def _step(self, sweep: _Sweep, most_states: int) -> None:
        before = sweep.work
        if not sweep.step(most_states):
            if sweep.is_wide:
                self._sweeps.remove(sweep)
            sweep.is_wide = True
        elif not sweep.states.shape[1]:
            self.total = 0
        elif sweep.place == len(sweep.places):
            self.total = 1 if sweep.ways is None else sum(map(int, sweep.ways.tolist()))
            self._done = sweep
        self.work += sweep.work - before


class _Sweep:
    """The work along one order of the items."""

    def __init__(self, cover: Cover, budget: Budget, order: Sequence[int], purpose: Purpose) -> None:
        self.budget = budget
        self.nothing = cover.options  # an option that pads covers
        self.order = order
        self.covered = 0  # of the primary items
        self.places, first = _places(cover, order)
        self.primary = [False] * cover.items
        for item in range(cover.primary):
            self.primary[self.places[item]] = True
        places = self.places[cover.item]
        seen = np.arange(cover.items)  # of each item, the first place at which it may be covered
        np.minimum.at(seen, places, first[cover.option])
        self.seen: list[int] = seen.tolist()
        self.bit = _slots(self.seen)
        self.words = -(-max((bit.bit_length() for bit in self.bit), default=1) // WORD)
        # Options by their first place, as bits; and by each of their places, with all of them.
        self.starting: list[list[tuple[int, int]]] = [[] for _ in range(cover.items)]
        self.through: list[list[list[int]]] = [[] for _ in range(cover.items)]
        for option, covered in enumerate(np.split(places, cover.starts[1:-1])):
            some = covered.tolist()
            self.starting[first[option]].append((sum([self.bit[place] for place in some]), option))
            for place in some:
                self.through[place].append(some)
        self.place = 0
        self.work = 0  # states created so far
        self.is_wide = False  # a step created too many: it is tried again once all others did
        self.states: Bits = np.zeros((self.words, 1), dtype=np.uint64)
        self.ways: Ways | None = None if purpose is Purpose.LIST else np.ones(1, dtype=np.uint64)
        kept = limits().counting
        self._most_words = kept.listing_words if purpose is Purpose.LIST else kept.frontier_words
        # the states before each step
        self.layers: list[tuple[Bits, Ways | None]] | None = None if purpose is Purpose.COUNT else []

    @property
    def growth(self) -> float:
        """The average growth of the number of states per step, as a logarithm."""
        return math.inf if self.is_wide else math.log(self.states.shape[1] + 1) / (self.place + 1)

    def step(self, most_states: int) -> bool:
        """Cover the next item; return False if that creates more states."""
        self.budget.step()
        if self.layers is not None and self.work * self.words > self._most_words:
            return False
        before = self.states, self.ways
        if self.primary[self.place] and not self._cover(self.starting[self.place], most_states):
            return False
        if self.layers is not None:
            self.layers.append(before)
        self.work += self.states.shape[1] + 1
        self.covered += self.primary[self.place]
        self.states, self.ways = _merged(self.states & ~self._words(self.bit[self.place]), self.ways)
        self.place += 1
        self._drop_dead_ends()
        return True

    def covers(self) -> Iterator[Covers]:
        """Yield all covers in blocks, found backwards: every state of a step is part of some way."""
        assert self.layers is not None, "listing requires that states are kept"
        most = limits().counting.listed_ways
        nothing_yet: Covers = np.empty((self.states.shape[1], 0), dtype=np.uint32)
        stack: list[tuple[int, Bits, Covers]] = [(self.place, self.states, nothing_yet)]
        while stack:
            self.budget.check()
            place, states, chosen = stack.pop()
            if not place:
                chosen.sort(axis=1)
                yield chosen[:, : int((chosen < self.nothing).sum(axis=1).max(initial=0))]
                continue
            place -= 1
            known, _ = self.layers[place]
            found: list[tuple[Bits, NDArray[np.intp], int]] = []
            for bits, option in self._before(place):
                ways = states | self._words(self.bit[place])
                rows = np.flatnonzero(((ways & self._words(bits)) == self._words(bits)).all(axis=0))
                ways = ways[:, rows] ^ self._words(bits)
                there = _are_among(ways, known)
                if there.any():
                    found.append((ways[:, there], rows[there], option))
            states = np.concatenate([ways for ways, _, _ in found], axis=1)
            chosen = chosen[np.concatenate([rows for _, rows, _ in found])]
            if any(option < self.nothing for _, _, option in found):
                column = np.repeat([option for *_, option in found], [len(rows) for _, rows, _ in found])
                chosen = np.column_stack((chosen, column.astype(np.uint32)))
            pieces = (slice(start, start + most) for start in range(0, len(chosen), most))
            stack += [(place, states[:, piece], chosen[piece]) for piece in pieces]

    def drawn(self, random: Random) -> Options:
        """Sample a cover backwards, with the numbers of ways as weights of the predecessors."""
        assert self.layers is not None, "sampling requires that states are kept"
        state, chosen = 0, []
        for place in reversed(range(len(self.layers))):
            full = state | self.bit[place]
            before = [(full ^ bits, option) for bits, option in self._before(place) if bits & full == bits]
            ways = list(accumulate(self._ways_to(place, one) for one, _ in before))
            state, option = before[bisect_right(ways, random.randrange(ways[-1]))]
            if option < self.nothing:
                chosen.append(option)
        return tuple(chosen)

    def _before(self, place: int) -> list[tuple[int, int]]:
        """Return what a step may have covered, with the option; the item of a state after it is covered."""
        others = self.starting[place] if self.primary[place] else [(self.bit[place], self.nothing)]
        return [(0, self.nothing), *others]

    def _ways_to(self, place: int, state: int) -> int:
        """Return the number of ways to a state before a step; states are sorted by last word."""
        assert self.layers is not None, "sampling requires that states are kept"
        states, ways = self.layers[place]
        assert ways is not None, "sampling requires a count"
        low, high = 0, len(ways)
        for word, part in reversed([*enumerate(self._words(state)[:, 0])]):
            low, high = (low + int(np.searchsorted(states[word, low:high], part, side)) for side in ("left", "right"))
        return int(ways[low]) if low < high else 0

    def _cover(self, options: list[tuple[int, int]], most_states: int) -> bool:
        done = (self.states & self._words(self.bit[self.place])).any(axis=0)
        open_ = np.flatnonzero(~done)
        rows = [np.flatnonzero(done)]
        parts = [self.states[:, rows[0]]]
        states = self.states[:, open_]
        made = len(rows[0])
        for bits, _ in options:
            self.budget.check()
            option = self._words(bits)
            fits = np.flatnonzero(_free(states, option))
            parts.append(states[:, fits] | option)
            rows.append(open_[fits])
            made += len(fits)
            if made > most_states:
                return False
        self.states = np.concatenate(parts, axis=1)
        if self.ways is not None:
            self.ways = self.ways[np.concatenate(rows)]
        return True

    def _words(self, bits: int) -> Bits:
        words = [bits >> (WORD * word) & (2**WORD - 1) for word in range(self.words)]
        return np.array(words, dtype=np.uint64).reshape(-1, 1)

    def _drop_dead_ends(self) -> None:
        """Drop the states in which an item ahead has few options and none of them fits."""
        most = limits().counting
        for place in range(self.place, min(self.place + most.steps_ahead, len(self.places))):
            options = [places for places in self.through[place] if min(places) >= self.place]
            if not self.primary[place] or len(options) > most.scarce_options or self.seen[place] >= self.place:
                continue
            self.budget.check()
            possible = (self.states & self._words(self.bit[place])).any(axis=0)
            for places in options:
                open_ = sum(self.bit[one] for one in places if self.seen[one] < self.place)
                possible |= _free(self.states, self._words(open_))
            if not possible.all():
                self.states = self.states[:, possible]
                self.ways = None if self.ways is None else self.ways[possible]


def _slots(seen: Sequence[int]) -> list[int]:
    """Return a bit of a state for each place, which is in use from the place that first sees it.

    A bit is free again after its place, so that states are as short as possible.
    """
    entering: list[list[int]] = [[] for _ in seen]
    for place, first in enumerate(seen):
        entering[first].append(place)
    bits = [0] * len(seen)
    free: list[int] = []
    used = 0
    for now, places in enumerate(entering):
        if now:
            heappush(free, bits[now - 1])
        for place in places:
            if free:
                bits[place] = heappop(free)
            else:
                bits[place] = 1 << used
                used += 1
    return bits


def _orders(cover: Cover) -> list[list[int]]:
    """Return item orders: as given, along the problem's longest extent, and by fewest new neighbours.

    The extent is the second eigenvector of the Laplacian of the graph in which items are joined by
    the options that they share (Fiedler). Items that share options with nearly all others, such as
    the piece that each option uses, say nothing about distance: they come last.
    """
    given = list(range(cover.primary))
    shared = _shared_options(cover)
    degrees = np.count_nonzero(shared, axis=1)
    most = limits().counting
    usual = np.flatnonzero(degrees <= most.common_share * cover.primary)
    if not len(usual) or len(usual) > most.ordered_items:
        return [given, given[::-1]]
    common = np.setdiff1d(given, usual).tolist()
    joined = shared[np.ix_(usual, usual)]
    laplacian = np.diag(joined.sum(axis=1)) - joined
    extent = np.linalg.eigh(laplacian)[1][:, min(1, len(usual) - 1)].round(6)
    along = usual[np.argsort(extent, kind="stable")].tolist()
    beside = {item: frozenset(usual[near].tolist()) for item, near in zip(usual.tolist(), joined > 0)}
    return [given, given[::-1], along + common, _nearest_first(beside) + common]


def _shared_options(cover: Cover) -> NDArray[np.float64]:
    """Return for each pair of primary items the number of options that cover both."""
    primary = cover.item < cover.primary
    shared = np.zeros((cover.primary, cover.primary))
    option, item = cover.option[primary], cover.item[primary]
    starts = np.flatnonzero(np.diff(option, prepend=-1))
    for items in np.split(item, starts[1:]):
        shared[np.ix_(items, items)] += 1
    return shared


def _nearest_first(beside: dict[int, frozenset[int]]) -> list[int]:
    """Return the items from one at the rim on: next comes one with the fewest new neighbours."""
    waiting = dict.fromkeys(sorted(beside, key=lambda item: len(beside[item])))
    order: list[int] = []
    seen: set[int] = set()  # the items so far and their neighbours
    while waiting:
        near = [item for item in waiting if item in seen] or list(waiting)[:1]
        item = min(near, key=lambda item: len(beside[item] - seen))
        del waiting[item]
        order.append(item)
        seen |= beside[item] | {item}
    return order


def _places(cover: Cover, order: Sequence[int]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the place of each item, and the first place of each option.

    A secondary item follows the first primary items of all its options.
    """
    rank = np.full(cover.items, cover.primary)
    rank[list(order)] = np.arange(cover.primary)
    first = np.minimum.reduceat(rank[cover.item], cover.starts[:-1]) if cover.options else rank[:0]
    last = np.full(cover.items, -1)
    np.maximum.at(last, cover.item, first[cover.option])
    is_secondary = np.arange(cover.items) >= cover.primary
    places = np.empty(cover.items, dtype=np.intp)
    places[np.lexsort((is_secondary, np.where(is_secondary, last, rank)))] = np.arange(cover.items)
    return places, np.minimum.reduceat(places[cover.item], cover.starts[:-1]) if cover.options else first


def _free(states: Bits, option: Bits) -> NDArray[np.bool_]:
    """Return which states have none of the option's bits."""
    clash: Bits = states[0] & option[0]
    for word in range(1, len(states)):
        if option[word, 0]:
            clash |= states[word] & option[word]
    return np.asarray(clash == 0)


def _merged(states: Bits, ways: Ways | None) -> tuple[Bits, Ways | None]:
    """Sort the states, merge equal ones, and add up their ways."""
    if states.shape[1] < 2:
        return states, ways
    if ways is None and len(states) == 1:
        states = np.sort(states, axis=1)
    else:
        order = np.argsort(states[0]) if len(states) == 1 else np.lexsort(states)
        states, ways = states[:, order], None if ways is None else ways[order]
    differs = np.ones(states.shape[1], dtype=bool)
    differs[1:] = (states[:, 1:] != states[:, :-1]).any(axis=0)
    new = np.flatnonzero(differs)
    if ways is None:
        return states[:, new], None
    if ways.dtype != object and float(ways.max()) * len(ways) > 2**62:
        ways = ways.astype(object)
    return states[:, new], np.add.reduceat(ways, new)


def _are_among(states: Bits, known: Bits) -> NDArray[np.bool_]:
    """Return which states are among the known ones, which are sorted by last word and not empty."""
    wanted, keys = _keys(states), _keys(known)
    place = np.searchsorted(keys, wanted)
    return np.asarray(keys[np.minimum(place, len(keys) - 1)] == wanted)


def _keys(states: Bits) -> NDArray[Any]:
    """Return one value for each state, in the same order: the words as bytes, the last one first."""
    if len(states) == 1:
        only: NDArray[Any] = states[0]
        return only
    keys: NDArray[Any] = np.ascontiguousarray(states[::-1].T.astype(">u8")).view(f"S{8 * len(states)}").ravel()
    return keys
