"""Exact cover with colours on the bits of integers (Knuth 7.2.2.1, Algorithm C, without links).

Legend. `live` is an int with one bit per option that may still be chosen. `users[i]` has the bits
of the options that cover item i. Choosing an option keeps, for each of its items, only the options
that do not clash there: none that use the item, or, if it is coloured, none that give it another
colour. So `live` alone determines the rest of the search: an item that is still open has all its
live options in it, a covered one has none. Hence `live` is the key of memos.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from itertools import groupby
from operator import or_

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends.base import Budget
from puzzlekit.limits import limits
from puzzlekit.lowering.cover import PLAIN, Cover
from puzzlekit.presolve.bit_graph import bits_of

Options = tuple[int, ...]


class CoverSearch:
    """The search in one cover. One object can stream, count and optimise, also at the same time.

    It only counts what is done: `nodes` of the search tree, and `forced` options.
    """

    def __init__(self, cover: Cover, pause: Callable[[], None] = lambda: None) -> None:
        self.cover = cover
        self.pause = pause
        self.nodes = 0
        self.forced = 0
        self.all = (1 << cover.options) - 1
        self.users = [0] * cover.primary
        self._starts = cover.starts.tolist()
        self._groups, self._keeps = self._effects()
        self._cached = cover.options <= limits().searching.cached_options
        self._cache: dict[int, int] = {}
        primary = cover.item < cover.primary
        self.covered = [0] * cover.options  # the primary items of each option, one bit per item
        for option, item in zip(cover.option[primary].tolist(), cover.item[primary].tolist()):
            self.covered[option] |= 1 << item

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
        key = key.astype(np.min_scalar_type(key.max()))  # small ones are sorted several times as fast
        order = np.argsort(key, kind="stable")
        ordered, options = key[order], cover.option[order]
        begins = np.ones(len(order), dtype=bool)
        np.not_equal(ordered[1:], ordered[:-1], out=begins[1:])
        starts = begins.nonzero()[0]
        groups[order] = begins.cumsum(dtype=np.int32) - 1
        spans = zip(ordered[starts].tolist(), starts.tolist(), [*starts[1:].tolist(), len(order)])
        for item, of_item in groupby(spans, lambda span: span[0] // shades):
            self.pause()
            shaded = [(key % shades == PLAIN + 1, _mask(options[begin:end], cover.options)) for key, begin, end in of_item]
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

    def settle(self, live: int, todo: list[int]) -> tuple[int, list[int], list[int], int] | None:
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

    def covers(self, budget: Budget) -> Iterator[Options]:
        """Yield every cover, as a tuple of options. When the stream ends, it is complete."""
        return CoverListing(self, budget).covers()


class CoverListing:
    """A search for every cover that can be interrupted.

    `share` is the part that seems to be done, as if every option of an item led to equally many nodes.
    """

    def __init__(self, cover_search: CoverSearch, budget: Budget) -> None:
        self.cover_search = cover_search
        self.budget = budget
        self.nodes = 0
        self.share = 0.0
        self.is_complete = False
        # live options, open items, the options of one item, how many are chosen before, the share of each
        self._stack: list[tuple[int, list[int], int, int, float]] = []
        self._chosen: list[int] = []
        self._is_new = True

    @property
    def pace(self) -> float:
        """The states of a frontier that take as long as a node."""
        return limits().searching.listing_pace

    def covers(self, most_nodes: int | None = None) -> Iterator[Options]:
        """Yield the next covers, as tuples of options, until this many nodes were searched in all.

        `is_complete` is set once all are found.
        """
        search, stack, chosen = self.cover_search, self._stack, self._chosen
        if self._is_new:
            self._is_new = False
            if (cover := self._enter(search.all, list(range(search.cover.primary)), 1.0)) is not None:
                yield cover
        while stack:
            if most_nodes is not None and self.nodes >= most_nodes:
                return
            self.nodes += 1
            self.budget.step()
            live, todo, ways, depth, share = stack.pop()
            way = ways & -ways
            option = way.bit_length() - 1
            ways ^= way
            if ways:
                stack.append((live ^ way, todo, ways, depth, share))
            del chosen[depth:]
            chosen.append(option)
            covered = search.covered[option]
            rest = [item for item in todo if not covered >> item & 1]
            if (cover := self._enter(search.choose(live, option), rest, share)) is not None:
                yield cover
        self.is_complete = True

    def left(self) -> Iterator[tuple[int, int, list[int], float]]:
        """Yield the next nodes: live options, the number of open items, chosen options, and share."""
        for live, todo, ways, depth, share in reversed(self._stack):
            yield live, len(todo), self._chosen[:depth], share * ways.bit_count()

    def _enter(self, live: int, todo: list[int], share: float) -> Options | None:
        """Enter a node of the search; return a cover if it is complete."""
        settled = self.cover_search.settle(live, todo)
        if settled is None:
            self.share += share
            return None
        live, todo, forced, ways = settled
        self._chosen += forced
        if todo:
            self._stack.append((live, todo, ways, len(self._chosen), share / ways.bit_count()))
            return None
        self.share += share
        return tuple(self._chosen)


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
