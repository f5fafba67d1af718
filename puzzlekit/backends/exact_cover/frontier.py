"""Count exact covers without colours item by item: all partial covers of a step at once, as bits.

The items are ordered. Step i covers item i, if it is open, by the options that have no earlier
item. Only the items that earlier choices cover from i on matter: these bits are a state, and each
state has the number of ways that lead to it. So the work is proportional to the number of distinct
states, however many covers there are. An order in which options are short keeps the states few,
such as the cells of a board row by row.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from random import Random

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends.base import Budget
from puzzlekit.backends.exact_cover.cover_search import Options
from puzzlekit.limits import limits
from puzzlekit.lowering.cover import PLAIN, Cover

WORD = 64
Bits = NDArray[np.uint64]


class Frontier:
    """An interruptible count along several orders of the items.

    Each order gets a short trial; then the one whose states grow least continues. With `drawing`,
    all states are kept, so that covers can be sampled.
    """

    def __init__(self, cover: Cover, budget: Budget, drawing: bool = False) -> None:
        self.total: int | None = None
        self._sweeps: list[_Sweep] = []
        self._done: _Sweep | None = None
        if not (cover.colour != PLAIN).any():
            self._sweeps = [_Sweep(cover, budget, order, drawing) for order in _orders(cover)]

    @property
    def possible(self) -> bool:
        """Whether the count can continue: there are no colours, and some order stays small."""
        return bool(self._sweeps)

    def advance(self, work: int) -> None:
        """Continue for about this many states; `total` is set once it is known."""
        trial = limits().counting.trial_states
        while self.total is None and self.possible and work > 0:
            tried = [sweep for sweep in self._sweeps if sweep.work < trial]
            work -= self._step(tried[0] if tried else min(self._sweeps, key=lambda sweep: sweep.growth))

    def drawn(self, random: Random) -> Options:
        """Return a uniformly random cover. There must be one, and `total` must be known."""
        assert self._done is not None, "sampling requires a finished count"
        return self._done.drawn(random)

    def _step(self, sweep: _Sweep) -> int:
        before = sweep.work
        if not sweep.step():
            self._sweeps.remove(sweep)
        elif not len(sweep.ways):
            self.total = 0
        elif sweep.place == len(sweep.places):
            self.total = sum(map(int, sweep.ways.tolist()))
            self._done = sweep
        return sweep.work - before


class _Sweep:
    """The count along one order of the items."""

    def __init__(self, cover: Cover, budget: Budget, order: Sequence[int], drawing: bool) -> None:
        self.budget = budget
        self.places = _places(cover, order)
        # Options by their first item, as bits from there on; and by each of their items, with the
        # first item and all bits.
        self.starting: list[list[tuple[int, int]]] = [[] for _ in range(cover.items)]
        self.through: list[list[tuple[int, int]]] = [[] for _ in range(cover.items)]
        self.primary = [False] * cover.items
        for item in range(cover.primary):
            self.primary[self.places[item]] = True
        for option in range(cover.options):
            bits = sum(1 << self.places[item] for item, _ in cover.entries(option))
            first = (bits & -bits).bit_length() - 1
            self.starting[first].append((bits >> first, option))
            for item, _ in cover.entries(option):
                self.through[self.places[item]].append((first, bits))
        self.words = 1 + (max((bits.bit_length() for options in self.starting for bits, _ in options), default=1) - 1) // WORD
        self.place = 0
        self.work = 0  # states created so far
        self.states: Bits = np.zeros((self.words, 1), dtype=np.uint64)
        self.ways: NDArray[np.generic] = np.ones(1, dtype=np.uint64)
        # the states before each step
        self.layers: list[tuple[Bits, NDArray[np.generic]]] | None = [] if drawing else None

    @property
    def growth(self) -> float:
        """The average growth of the number of states per step, as a logarithm."""
        return math.log(len(self.ways) + 1) / (self.place + 1)

    def step(self) -> bool:
        """Cover the next item; return False if that creates too many states."""
        self.budget.step()
        if self.layers is not None:
            self.layers.append((self.states, self.ways))
            if self.work * self.words > limits().counting.frontier_words:
                return False
        if self.primary[self.place] and not self._cover(self.starting[self.place]):
            return False
        self.work += len(self.ways) + 1
        self.place += 1
        self.states, self.ways = _merged(_shifted(self.states), self.ways)
        self.states, self.ways = self._completable(self.states, self.ways, self.place)
        return True

    def drawn(self, random: Random) -> Options:
        """Sample a cover backwards, with the numbers of ways as weights of the predecessors."""
        assert self.layers is not None, "sampling requires that states are kept"
        state, chosen = 0, []
        for place in reversed(range(len(self.layers))):
            full = state << 1 | 1
            before: list[tuple[int, int | None]] = [(full, None)]
            if self.primary[place]:
                before += [(full ^ bits, option) for bits, option in self.starting[place] if bits & full == bits]
            else:
                before.append((full ^ 1, None))
            ways = list(accumulate(self._ways_to(place, one) for one, _ in before))
            state, option = before[bisect_right(ways, random.randrange(ways[-1]))]
            if option is not None:
                chosen.append(option)
        return tuple(chosen)

    def _ways_to(self, place: int, state: int) -> int:
        """Return the number of ways to a state before a step; states are sorted by last word."""
        assert self.layers is not None, "sampling requires that states are kept"
        states, ways = self.layers[place]
        low, high = 0, len(ways)
        for word in reversed(range(self.words)):
            part = np.uint64(state >> (WORD * word) & (2**WORD - 1))
            low, high = (low + int(np.searchsorted(states[word, low:high], part, side)) for side in ("left", "right"))
        return int(ways[low]) if low < high and not state >> (WORD * self.words) else 0

    def _cover(self, options: list[tuple[int, int]]) -> bool:
        done = (self.states[0] & np.uint64(1)).astype(bool)
        parts, numbers = [self.states[:, done]], [self.ways[done]]
        open_, ways = self.states[:, ~done], self.ways[~done]
        made = len(numbers[0])
        for bits, _ in options:
            self.budget.check()
            option = self._words(bits)
            fits = _free(open_, option)
            parts.append(open_[:, fits] | option)
            numbers.append(ways[fits])
            made += len(numbers[-1])
            if made > limits().counting.frontier_states:
                return False
        self.states, self.ways = np.concatenate(parts, axis=1), np.concatenate(numbers)
        return True

    def _words(self, bits: int) -> Bits:
        """Return the bits that fit into a state, as words; a state has none beyond."""
        words = [bits >> (WORD * word) & (2**WORD - 1) for word in range(self.words)]
        return np.array(words, dtype=np.uint64).reshape(-1, 1)

    def _completable(self, states: Bits, ways: NDArray[np.generic], start: int) -> tuple[Bits, NDArray[np.generic]]:
        """Drop the states in which an item ahead has few options and none of them fits."""
        most = limits().counting
        for place in range(start, min(start + most.steps_ahead, len(self.places))):
            options = [bits >> start for first, bits in self.through[place] if first >= start]
            if not self.primary[place] or len(options) > most.scarce_options or place - start >= WORD * self.words:
                continue
            self.budget.check()
            word, bit = divmod(place - start, WORD)
            possible = (states[word] >> np.uint64(bit) & np.uint64(1)).astype(bool)
            for option in options:
                possible |= _free(states, self._words(option))
            if not possible.all():
                states, ways = states[:, possible], ways[possible]
        return states, ways


def _orders(cover: Cover) -> list[list[int]]:
    """Return item orders: as given, and by distance from an item at the rim; each also reversed.

    Items that share options with nearly all others, such as the piece that each option uses, say
    nothing about distance: they come last.
    """
    beside: list[set[int]] = [set() for _ in range(cover.primary)]
    for option in range(cover.options):
        items = [item for item, _ in cover.entries(option) if item < cover.primary]
        for item in items:
            beside[item].update(items)
    most = limits().counting.common_share * cover.primary
    usual = [item for item in range(cover.primary) if len(beside[item]) <= most]
    common = [item for item in range(cover.primary) if len(beside[item]) > most]
    spread: list[int] = []
    for start in sorted(usual, key=lambda item: len(beside[item])):
        waiting = [start]
        while waiting:
            level = [item for item in dict.fromkeys(waiting) if item not in spread and item in usual]
            spread += sorted(level, key=lambda item: len(beside[item]))
            waiting = [item for near in level for item in sorted(beside[near])]
    given = list(range(cover.primary))
    return [given, given[::-1], spread + common, spread[::-1] + common]


def _places(cover: Cover, order: Sequence[int]) -> list[int]:
    """Return the positions of the items; a secondary one follows the start of all its options."""
    rank = {item: place for place, item in enumerate(order)}
    last = [-1] * cover.items
    for option in range(cover.options):
        items = [item for item, _ in cover.entries(option)]
        first = min((rank[item] for item in items if item < cover.primary), default=cover.primary)
        for item in items:
            last[item] = max(last[item], first)
    key = [(rank[item], 0) if item < cover.primary else (last[item], 1) for item in range(cover.items)]
    places = [0] * cover.items
    for place, item in enumerate(sorted(range(cover.items), key=key.__getitem__)):
        places[item] = place
    return places


def _free(states: Bits, option: Bits) -> NDArray[np.bool_]:
    """Return which states have none of the option's bits."""
    clash: Bits = states[0] & option[0]
    for word in range(1, len(states)):
        if option[word, 0]:
            clash |= states[word] & option[word]
    return np.asarray(clash == 0)


def _shifted(states: Bits) -> Bits:
    shifted: Bits = states >> np.uint64(1)
    shifted[:-1] |= states[1:] << np.uint64(WORD - 1)
    return shifted


def _merged(states: Bits, ways: NDArray[np.generic]) -> tuple[Bits, NDArray[np.generic]]:
    """Merge equal states, and add up their ways."""
    if len(ways) < 2:
        return states, ways
    if ways.dtype != object and float(ways.max()) * len(ways) > 2**62:
        ways = ways.astype(object)
    order = np.argsort(states[0]) if len(states) == 1 else np.lexsort(states)
    states, ways = states[:, order], ways[order]
    differs = np.ones(len(ways), dtype=bool)
    differs[1:] = states[0, 1:] != states[0, :-1]
    for word in states[1:]:
        differs[1:] |= word[1:] != word[:-1]
    new = np.flatnonzero(differs)
    return states[:, new], np.add.reduceat(ways, new)
