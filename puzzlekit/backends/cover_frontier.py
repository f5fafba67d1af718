"""Sweep over an exact cover without colours item by item: all partial covers of a step at once, as
bits.

The items are ordered. Step i covers item i, if it is open, by the options that have no earlier
item. Only the items that earlier choices cover from i on matter: these bits are a state, and each
state has the number of ways that lead to it. So the work is proportional to the number of distinct
states, however many covers there are. An order in which options are short keeps the states few,
such as the cells of a board column by column. Covers are read backwards through the states.

The states are the nodes of a zero-suppressed decision diagram (Knuth 7.1.4), level by level from
the top, before reduction: frontier-based search (Kawahara, Inoue, Iwashita and Minato, 2017).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import reduce
from heapq import heappop, heappush
from itertools import accumulate
from operator import or_
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends.cover_search import CoverSearch, Options, bits
from puzzlekit.lowering.cover import PLAIN, Cover

WORD = 64
TRIAL_STATES = 500_000  # made in each order before one is preferred
TRIAL_STEP_STATES = 300_000  # made in one step of such a trial
STEP_STATES = 30_000_000  # made in one step before merging; more would risk memory
LISTED_STEP_STATES = 4_000_000  # the same for covers to list, which a search can list, too
KEPT_WORDS = 100_000_000  # of states that are kept to draw covers
LISTED_KEPT_WORDS = 30_000_000  # of states that are kept to list covers
LISTED_WAYS = 20_000  # that are read backwards together
ORDERED_ITEMS = 400  # up to which neighbours are put beside each other: some 0.1 s
Bits = NDArray[np.uint64]  # one column per state
Ways = NDArray[np.generic]
Covers = NDArray[np.uint32]  # one row of options per cover


class Mode(Enum):
    """What a frontier is for: it keeps states to list or draw covers, and ways to count or draw
    them.
    """

    COUNT = "count"
    DRAW = "draw"
    LIST = "list"


def begun(search: CoverSearch, purpose: Mode) -> Frontier | None:
    """Return the sweep along the order of the items that keeps states few, after a trial of each
    order.

    Return None for a cover that has colours.
    """
    cover = search.cover
    if (cover.colour != PLAIN).any() or not np.diff(cover.starts).all():
        return None
    sweeps = [Frontier(search, order, purpose) for order in (search.items, _nearest_first(search))]
    for sweep in sweeps:
        if sweep.advance(TRIAL_STATES, TRIAL_STEP_STATES):
            return sweep
    return min(sweeps, key=lambda sweep: sweep.growth)


class Frontier:
    """A sweep along one order of the items that can be interrupted.

    Once it is done, `total` is the number of covers; when listing, only whether there is one.
    """

    def __init__(self, search: CoverSearch, order: Sequence[int], purpose: Mode) -> None:
        cover = search.cover
        self.budget = search.budget
        self.total = 0
        self.nothing = cover.options  # an option that pads covers
        self.places, first = _places(cover, order)
        self.primary = [False] * cover.items
        for item in range(cover.primary):
            self.primary[self.places[item]] = True
        places = self.places[cover.item]
        seen = np.arange(cover.items)  # of each item, the first place at which it may be covered
        np.minimum.at(seen, places, first[cover.option])
        self.bit = _slots(seen.tolist())
        self.words = -(-max((bit.bit_length() for bit in self.bit), default=1) // WORD)
        # options by their first place, as bits
        self.starting: list[list[tuple[int, int]]] = [[] for _ in range(cover.items)]
        for option, covered in enumerate(np.split(places, cover.starts[1:-1])):
            self.starting[first[option]].append(
                (sum([self.bit[place] for place in covered.tolist()]), option)
            )
        self.place = 0
        self.work = 0  # states made so far
        self.is_wide = False  # the next step would make too many, or too many are kept
        self.states: Bits = np.zeros((self.words, 1), dtype=np.uint64)
        self.ways: Ways | None = None if purpose is Mode.LIST else np.ones(1, dtype=np.uint64)
        self._most_states = LISTED_STEP_STATES if purpose is Mode.LIST else STEP_STATES
        self._most_words = LISTED_KEPT_WORDS if purpose is Mode.LIST else KEPT_WORDS
        # the states before each step
        self.layers: list[tuple[Bits, Ways | None]] | None = None if purpose is Mode.COUNT else []

    @property
    def growth(self) -> float:
        """The average growth of the number of states per step, as a logarithm."""
        return math.inf if self.is_wide else math.log(self.states.shape[1] + 1) / (self.place + 1)

    def advance(self, work: float, step_states: float = math.inf) -> bool:
        """Go on until so many states were made; return whether the sweep is done."""
        self.is_wide = False
        while self.place < len(self.places) and self.states.shape[1]:
            if self.work >= work or not self._step(min(step_states, self._most_states)):
                return False
        if self.states.shape[1]:
            self.total = 1 if self.ways is None else sum(map(int, self.ways.tolist()))
        return True

    def _step(self, most_states: float) -> bool:
        """Cover the next item, unless that makes too many states."""
        self.budget.step()
        self.is_wide = self.layers is not None and self.work * self.words > self._most_words
        before = self.states, self.ways
        if not self.is_wide and self.primary[self.place]:
            self.is_wide = not self._cover(self.starting[self.place], most_states)
        if self.is_wide:
            return False
        if self.layers is not None:
            self.layers.append(before)
        self.work += self.states.shape[1] + 1
        self.states, self.ways = _merged(
            self.states & ~self._words(self.bit[self.place]), self.ways
        )
        self.place += 1
        return True

    def covers(self) -> Iterator[Covers]:
        """Yield all covers in blocks, found backwards: every state of a step is part of some way."""
        assert self.layers is not None, "listing requires that states are kept"
        if not self.total:
            return
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
            for one, option in self._before(place):
                ways = states | self._words(self.bit[place])
                covered = self._words(one)
                rows = np.flatnonzero(((ways & covered) == covered).all(axis=0))
                ways = ways[:, rows] ^ covered
                there = _are_among(ways, known)
                if there.any():
                    found.append((ways[:, there], rows[there], option))
            states = np.concatenate([ways for ways, _, _ in found], axis=1)
            chosen = chosen[np.concatenate([rows for _, rows, _ in found])]
            if any(option < self.nothing for _, _, option in found):
                column = np.repeat(
                    [option for *_, option in found], [len(rows) for _, rows, _ in found]
                )
                chosen = np.column_stack((chosen, column.astype(np.uint32)))
            pieces = (
                slice(start, start + LISTED_WAYS) for start in range(0, len(chosen), LISTED_WAYS)
            )
            stack += [(place, states[:, piece], chosen[piece]) for piece in pieces]

    def drawn(self, random: Random) -> Options:
        """Sample a cover backwards, with the numbers of ways as weights of the predecessors."""
        assert self.layers is not None, "sampling requires that states are kept"
        state, chosen = 0, []
        for place in reversed(range(len(self.layers))):
            full = state | self.bit[place]
            before = [
                (full ^ bits, option) for bits, option in self._before(place) if bits & full == bits
            ]
            ways = list(accumulate(self._ways_to(place, one) for one, _ in before))
            state, option = before[bisect_right(ways, random.randrange(ways[-1]))]
            if option < self.nothing:
                chosen.append(option)
        return tuple(chosen)

    def _before(self, place: int) -> list[tuple[int, int]]:
        """Return what a step may have covered, with the option; the item of a state after it is
        covered.
        """
        others = self.starting[place] if self.primary[place] else [(self.bit[place], self.nothing)]
        return [(0, self.nothing), *others]

    def _ways_to(self, place: int, state: int) -> int:
        """Return the number of ways to a state before a step; states are sorted by last word."""
        assert self.layers is not None, "sampling requires that states are kept"
        states, ways = self.layers[place]
        assert ways is not None, "sampling requires a count"
        low, high = 0, len(ways)
        for word, part in reversed([*enumerate(self._words(state)[:, 0])]):
            low, high = (
                low + int(np.searchsorted(states[word, low:high], part, side))
                for side in ("left", "right")
            )
        return int(ways[low]) if low < high else 0

    def _cover(self, options: list[tuple[int, int]], most_states: float) -> bool:
        """Cover the item of this step by these options; return False if that makes more states."""
        done = (self.states & self._words(self.bit[self.place])).any(axis=0)
        open_ = np.flatnonzero(~done)
        rows = [np.flatnonzero(done)]
        parts = [self.states[:, rows[0]]]
        states = self.states[:, open_]
        made = len(rows[0])
        for one, _ in options:
            self.budget.check()
            option = self._words(one)
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


def _nearest_first(search: CoverSearch) -> list[int]:
    """Return the items from one at the rim on: next comes one with the fewest new neighbours.

    Neighbours share an option. Items that are beside nearly all, such as the piece that each option
    uses, come last by themselves.
    """
    if len(search.items) > ORDERED_ITEMS:
        return search.items[::-1]
    beside = [
        reduce(or_, (search.covered[option] for option in bits(users)), 0) for users in search.users
    ]
    waiting = dict.fromkeys(sorted(search.items, key=lambda item: beside[item].bit_count()))
    order: list[int] = []
    seen = 0  # the items so far and their neighbours
    while waiting:
        near = [item for item in waiting if seen >> item & 1] or list(waiting)[:1]
        item = min(near, key=lambda item: (beside[item] & ~seen).bit_count())
        del waiting[item]
        order.append(item)
        seen |= beside[item] | 1 << item
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
    return places, np.minimum.reduceat(
        places[cover.item], cover.starts[:-1]
    ) if cover.options else first


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
    keys: NDArray[Any] = (
        np.ascontiguousarray(states[::-1].T.astype(">u8")).view(f"S{8 * len(states)}").ravel()
    )
    return keys
