"""Sweep over an exact cover without colours item by item, with all partial covers as bits.

The items are ordered. Step i covers item i, if it is open, by the options that have no earlier
item. Only the items that earlier choices cover from i on matter: these bits are a state, and each
state has a count: the number of partial covers that lead to it. So the work is proportional to the
number of distinct states, however many covers there are. An order in which options are short keeps
the states few, such as the cells of a board column by column. Covers are read backwards through
the states.

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
from puzzlekit.lowering import PLAIN, Cover

WORD = 64
TRIAL_STATES = 500_000  # made in each order before one is preferred
TRIAL_STEP_STATES = 300_000  # made in one step of such a trial
STEP_STATES = 30_000_000  # made in one step before merging; more would risk memory
LISTED_STEP_STATES = 4_000_000  # the same for covers to list, which a search can list, too
STORED_WORDS = 100_000_000  # of states that are stored to draw covers
LISTED_STORED_WORDS = 30_000_000  # of states that are stored to list covers
LISTED_COVERS = 20_000  # partial covers that are read backwards together
ORDERED_ITEMS = 400  # up to which neighbours are put next to each other: some 0.1 s
Bits = NDArray[np.uint64]  # one column per state
Counts = NDArray[np.generic]
Layer = tuple[Bits, Counts | None]  # the states before a step, with their counts
Covers = NDArray[np.uint32]  # one row of options per cover


class Mode(Enum):
    """What a frontier is for: it stores states to list or draw, and counts to count or draw."""

    COUNT = "count"
    DRAW = "draw"
    LIST = "list"


def start_frontier(search: CoverSearch, purpose: Mode) -> Frontier | None:
    """Return a sweep along the order of the items that keeps states few, after a trial of each.

    Return None for a cover that has colours.
    """
    cover = search.cover
    has_colours = (cover.colour != PLAIN).any()
    if has_colours or not np.diff(cover.starts).all():
        return None
    orders = (search.items, _nearest_first(search))
    sweeps = [Frontier(search, order, purpose) for order in orders]
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
        self.positions, first = _positions(cover, order)
        self.primary = [False] * cover.items
        for item in range(cover.primary):
            self.primary[self.positions[item]] = True
        positions = self.positions[cover.item]
        # of each item, the first position at which it may be covered
        first_covered = np.arange(cover.items)
        np.minimum.at(first_covered, positions, first[cover.option])
        self.bit = _slots(first_covered.tolist())
        used_bits = max((bit.bit_length() for bit in self.bit), default=1)
        self.words = -(-used_bits // WORD)
        # options by their first position, as bits
        self.starting: list[list[tuple[int, int]]] = [[] for _ in range(cover.items)]
        for option, covered in enumerate(np.split(positions, cover.starts[1:-1])):
            mask = sum([self.bit[position] for position in covered.tolist()])
            self.starting[first[option]].append((mask, option))
        self.position = 0
        self.work = 0  # states made so far
        self.is_wide = False  # the next step would make too many, or too many are stored
        self.states: Bits = np.zeros((self.words, 1), dtype=np.uint64)
        lists = purpose is Mode.LIST
        self.counts: Counts | None = None if lists else np.ones(1, dtype=np.uint64)
        self._most_states = LISTED_STEP_STATES if lists else STEP_STATES
        self._most_words = LISTED_STORED_WORDS if lists else STORED_WORDS
        self.layers: list[Layer] | None = None if purpose is Mode.COUNT else []

    @property
    def growth(self) -> float:
        """The average growth of the number of states per step, as a logarithm."""
        if self.is_wide:
            return math.inf
        return math.log(self.states.shape[1] + 1) / (self.position + 1)

    def advance(self, work: float, step_states: float = math.inf) -> bool:
        """Go on until so many states were made; return whether the sweep is done."""
        self.is_wide = False
        most_states = min(step_states, self._most_states)
        while self.position < len(self.positions) and self.states.shape[1]:
            if self.work >= work:
                return False
            is_covered = self._step(most_states)
            if not is_covered:
                return False
        if self.states.shape[1]:
            self.total = 1 if self.counts is None else sum(map(int, self.counts.tolist()))
        return True

    def _step(self, most_states: float) -> bool:
        """Cover the next item, unless that makes too many states."""
        self.budget.step()
        self.is_wide = self.layers is not None and self.work * self.words > self._most_words
        before = self.states, self.counts
        if not self.is_wide and self.primary[self.position]:
            self.is_wide = not self._cover(self.starting[self.position], most_states)
        if self.is_wide:
            return False
        if self.layers is not None:
            self.layers.append(before)
        self.work += self.states.shape[1] + 1
        states = self.states & ~self._words(self.bit[self.position])
        self.states, self.counts = _merged(states, self.counts)
        self.position += 1
        return True

    def covers(self) -> Iterator[Covers]:
        """Yield all covers in blocks, read backwards: every state of a step is part of a cover."""
        assert self.layers is not None, "listing requires stored states"
        if not self.total:
            return
        nothing_yet: Covers = np.empty((self.states.shape[1], 0), dtype=np.uint32)
        stack: list[tuple[int, Bits, Covers]] = [(self.position, self.states, nothing_yet)]
        while stack:
            self.budget.check()
            position, states, chosen = stack.pop()
            if not position:
                chosen.sort(axis=1)
                lengths = (chosen < self.nothing).sum(axis=1)
                longest = int(lengths.max(initial=0))
                yield chosen[:, :longest]
                continue
            states, chosen = self._one_step_back(position - 1, states, chosen)
            for start in range(0, len(chosen), LISTED_COVERS):
                block = slice(start, start + LISTED_COVERS)
                stack.append((position - 1, states[:, block], chosen[block]))

    def _one_step_back(self, position: int, states: Bits, chosen: Covers) -> tuple[Bits, Covers]:
        """Return the states before a step and the options after them, for each way to get there.

        Args:
            position: The position of the step.
            states: States after the step.
            chosen: The options that lead from each state to the end, one row per state.
        """
        assert self.layers is not None, "listing requires stored states"
        layer, _ = self.layers[position]
        after = states | self._words(self.bit[position])
        states_before: list[Bits] = []
        rows_before: list[NDArray[np.intp]] = []
        options: list[int] = []
        for mask, option in self._choices_at(position):
            covered = self._words(mask)
            rows = np.flatnonzero(((after & covered) == covered).all(axis=0))
            before = after[:, rows] ^ covered
            is_reached = _are_among(before, layer)
            if is_reached.any():
                states_before.append(before[:, is_reached])
                rows_before.append(rows[is_reached])
                options.append(option)
        chosen = chosen[np.concatenate(rows_before)]
        if any(option < self.nothing for option in options):
            column = np.repeat(options, [len(rows) for rows in rows_before])
            chosen = np.column_stack((chosen, column.astype(np.uint32)))
        return np.concatenate(states_before, axis=1), chosen

    def drawn(self, random: Random) -> Options:
        """Sample a cover backwards; the counts of the predecessors are their weights."""
        assert self.layers is not None, "sampling requires stored states"
        state = 0
        chosen: list[int] = []
        for position in reversed(range(len(self.layers))):
            after = state | self.bit[position]
            predecessors = [
                (after ^ mask, option)
                for mask, option in self._choices_at(position)
                if mask & after == mask
            ]
            counts = [self._count_at(position, before) for before, _ in predecessors]
            sums = list(accumulate(counts))
            index = bisect_right(sums, random.randrange(sums[-1]))
            state, option = predecessors[index]
            if option < self.nothing:
                chosen.append(option)
        return tuple(chosen)

    def _choices_at(self, position: int) -> list[tuple[int, int]]:
        """Return what a step may have covered, as bits, each with the option that covers it."""
        nothing = (0, self.nothing)
        if self.primary[position]:
            return [nothing, *self.starting[position]]
        return [nothing, (self.bit[position], self.nothing)]

    def _count_at(self, position: int, state: int) -> int:
        """Return the count of a state before a step; states are sorted by last word."""
        assert self.layers is not None, "sampling requires stored states"
        states, counts = self.layers[position]
        assert counts is not None, "sampling requires a count"
        low, high = 0, len(counts)
        words = self._words(state)[:, 0]
        for index in reversed(range(len(words))):
            candidates = states[index, low:high]
            first = int(np.searchsorted(candidates, words[index], "left"))
            end = int(np.searchsorted(candidates, words[index], "right"))
            low, high = low + first, low + end
        return int(counts[low]) if low < high else 0

    def _cover(self, options: list[tuple[int, int]], most_states: float) -> bool:
        """Cover the item of this step by these options; return False if that makes more states."""
        is_covered = (self.states & self._words(self.bit[self.position])).any(axis=0)
        covered_rows = np.flatnonzero(is_covered)
        open_rows = np.flatnonzero(~is_covered)
        open_states = self.states[:, open_rows]
        rows = [covered_rows]
        blocks = [self.states[:, covered_rows]]
        number = len(covered_rows)
        for mask, _ in options:
            self.budget.check()
            covered = self._words(mask)
            fits = np.flatnonzero(_free(open_states, covered))
            blocks.append(open_states[:, fits] | covered)
            rows.append(open_rows[fits])
            number += len(fits)
            if number > most_states:
                return False
        self.states = np.concatenate(blocks, axis=1)
        if self.counts is not None:
            self.counts = self.counts[np.concatenate(rows)]
        return True

    def _words(self, bits: int) -> Bits:
        words = [bits >> (WORD * word) & (2**WORD - 1) for word in range(self.words)]
        return np.array(words, dtype=np.uint64).reshape(-1, 1)


def _slots(first_covered: Sequence[int]) -> list[int]:
    """Return a bit of a state for each position, in use from when it may first be covered.

    A bit is free again after its position, so that states are as short as possible.
    """
    entering: list[list[int]] = [[] for _ in first_covered]
    for position, first in enumerate(first_covered):
        entering[first].append(position)
    bits = [0] * len(first_covered)
    free: list[int] = []
    used = 0
    for now, positions in enumerate(entering):
        if now:
            heappush(free, bits[now - 1])
        for position in positions:
            if free:
                bits[position] = heappop(free)
            else:
                bits[position] = 1 << used
                used += 1
    return bits


def _nearest_first(search: CoverSearch) -> list[int]:
    """Return the items from one at the rim on: next comes one with the fewest new neighbours.

    Neighbours share an option. Items that are neighbours of nearly all, such as the piece that each
    option uses, come last by themselves.
    """
    if len(search.items) > ORDERED_ITEMS:
        return search.items[::-1]
    neighbours = []
    for users in search.users:
        covered = [search.covered[option] for option in bits(users)]
        neighbours.append(reduce(or_, covered, 0))
    by_degree = sorted(search.items, key=lambda item: neighbours[item].bit_count())
    waiting = dict.fromkeys(by_degree)
    order: list[int] = []
    seen = 0  # the items so far and their neighbours
    while waiting:
        candidates = [item for item in waiting if seen >> item & 1]
        if not candidates:
            candidates = [next(iter(waiting))]
        item = min(candidates, key=lambda item: (neighbours[item] & ~seen).bit_count())
        del waiting[item]
        order.append(item)
        seen |= neighbours[item] | 1 << item
    return order


def _positions(cover: Cover, order: Sequence[int]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the position of each item, and the first position of each option.

    A secondary item follows the first primary items of all its options.
    """
    rank = np.full(cover.items, cover.primary)
    rank[list(order)] = np.arange(cover.primary)
    first = _least_of_options(cover, rank)
    last = np.full(cover.items, -1)
    np.maximum.at(last, cover.item, first[cover.option])
    is_secondary = np.arange(cover.items) >= cover.primary
    sorted_items = np.lexsort((is_secondary, np.where(is_secondary, last, rank)))
    positions = np.empty(cover.items, dtype=np.intp)
    positions[sorted_items] = np.arange(cover.items)
    return positions, _least_of_options(cover, positions)


def _least_of_options(cover: Cover, ranks: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the least rank of the items of each option."""
    if not cover.options:
        return ranks[:0]
    return np.minimum.reduceat(ranks[cover.item], cover.starts[:-1])


def _free(states: Bits, option: Bits) -> NDArray[np.bool_]:
    """Return which states have none of the option's bits."""
    common: Bits = states[0] & option[0]
    for word in range(1, len(states)):
        if option[word, 0]:
            common |= states[word] & option[word]
    return np.asarray(common == 0)


def _merged(states: Bits, counts: Counts | None) -> tuple[Bits, Counts | None]:
    """Sort the states, merge equal ones, and add up their counts."""
    if states.shape[1] < 2:
        return states, counts
    if counts is None and len(states) == 1:
        states = np.sort(states, axis=1)
    else:
        order = np.argsort(states[0]) if len(states) == 1 else np.lexsort(states)
        states = states[:, order]
        counts = None if counts is None else counts[order]
    is_new = np.ones(states.shape[1], dtype=bool)
    is_new[1:] = (states[:, 1:] != states[:, :-1]).any(axis=0)
    starts = np.flatnonzero(is_new)
    if counts is None:
        return states[:, starts], None
    if counts.dtype != object:
        may_overflow = float(counts.max()) * len(counts) > 2**62
        if may_overflow:
            counts = counts.astype(object)
    return states[:, starts], np.add.reduceat(counts, starts)


def _are_among(states: Bits, sorted_states: Bits) -> NDArray[np.bool_]:
    """Return which states are among others, which are sorted by last word and not empty."""
    keys, sorted_keys = _keys(states), _keys(sorted_states)
    indices = np.searchsorted(sorted_keys, keys)
    candidates = sorted_keys[np.minimum(indices, len(sorted_keys) - 1)]
    return np.asarray(candidates == keys)


def _keys(states: Bits) -> NDArray[Any]:
    """Return a key for each state, in the same order: the words as bytes, the last one first."""
    if len(states) == 1:
        words: NDArray[Any] = states[0]
        return words
    rows = np.ascontiguousarray(states[::-1].T.astype(">u8"))
    keys: NDArray[Any] = rows.view(f"S{8 * len(states)}").ravel()
    return keys
