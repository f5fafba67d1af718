"""List exact covers many nodes at a time: the options of a node are bits in a column of an array.

The search is that of `CoverListing`, whose nodes it takes over: it chooses what is forced, else it
branches on the item with the fewest options. But it does so for a block of nodes at once, so that
numpy does the work. A block has the deepest nodes that wait; it is small where very many wait.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends.exact_cover.cover_search import CoverListing
from puzzlekit.backends.exact_cover.frontier import Bits, Covers
from puzzlekit.limits import limits

WORD = 64
Places = NDArray[np.intp]


@dataclass(frozen=True)
class _Nodes:
    """Some nodes of the search tree."""

    live: Bits  # the options that may still be chosen, a column for each node
    chosen: Bits  # the options that are chosen
    closed: NDArray[np.uint32]  # how many items they cover
    share: NDArray[np.float64]  # of the whole search

    def __len__(self) -> int:
        return len(self.closed)

    def some(self, which: Places) -> _Nodes:
        live, chosen = (np.take(bits, which, axis=1) for bits in (self.live, self.chosen))
        return _Nodes(live, chosen, self.closed[which], self.share[which])

    def split(self, number: int) -> tuple[_Nodes, _Nodes]:
        """Return the first nodes and the others."""
        return self._part(slice(number)), self._part(slice(number, None))

    def _part(self, which: slice) -> _Nodes:
        return _Nodes(self.live[:, which], self.chosen[:, which], self.closed[which], self.share[which])


class BlockListing:
    """Goes on with a listing that was interrupted, and can be interrupted as well."""

    def __init__(self, listing: CoverListing) -> None:
        self.search = listing.cover_search
        self.budget = listing.budget
        self.nodes = listing.nodes
        self.share = listing.share
        self.is_complete = False
        cover, most = self.search.cover, limits().searching
        self._items = cover.primary
        self._users = _words(self.search.users, cover.options)
        # Of each word, the items with options in it.
        self._using = [(items := np.flatnonzero(word), word[items, None]) for word in self._users]
        # The options that stay when one is chosen, this one included.
        keeps = [self.search.choose(self.search.all, option) | 1 << option for option in range(cover.options)]
        self._keeps = _words(keeps, cover.options)
        self._covered = np.array([items.bit_count() for items in self.search.covered], dtype=np.uint32)
        # A key is a number of options above an item, each of so many bits.
        number = np.min_scalar_type(max(users.bit_count() for users in self.search.users))
        self._number = np.promote_types(number, np.min_scalar_type(self._items - 1))
        self._bits = 8 * self._number.itemsize
        self._key = np.dtype(f"u{2 * self._number.itemsize}")
        self._item = np.arange(self._items, dtype=self._key)[:, None]
        self._block = max(1, min(most.block_nodes, most.block_items // self._items))
        live, still_open, chosen, share = zip(*listing.left())
        first = _Nodes(
            _words(live, cover.options),
            _words([sum(1 << option for option in options) for options in chosen], cover.options),
            np.array([self._items - number for number in still_open], dtype=np.uint32),
            np.array(share),
        )
        self._stack = [first]
        self._waiting = len(first)

    @property
    def pace(self) -> float:
        """The states of a frontier that take as long as a node."""
        most = limits().searching
        return most.block_pace + most.block_word_pace * sum(len(items) for items, _ in self._using)

    def covers(self, most_nodes: int | None = None) -> Iterator[Covers]:
        """Yield the next covers until this many nodes were searched in all.

        Each is a row of options, padded with the option after the last.
        """
        while self._stack:
            if most_nodes is not None and self.nodes >= most_nodes:
                return
            nodes = self._next(most_nodes)
            self.nodes += len(nodes)
            self.budget.step(len(nodes))
            counts = self._counts(nodes.live)
            empty = (counts == 0).view(np.uint8).sum(axis=0, dtype=np.uint32)
            alive = np.flatnonzero(empty == nodes.closed)
            self.share += float(nodes.share.sum() - nodes.share[alive].sum())
            if len(alive) < len(nodes):
                nodes, counts = nodes.some(alive), np.take(counts, alive, axis=1)
            done = nodes.closed == self._items
            # what is covered has the most options in a key
            fewest = (((counts - 1).astype(self._key) << self._bits) | self._item).min(axis=0)
            single = fewest < 1 << self._bits
            self._push(
                self._branched(nodes, fewest & (1 << self._bits) - 1, np.flatnonzero(~(single | done))),
                self._forced(nodes, counts, np.flatnonzero(single)),
            )
            if done.any():
                self.share += float(nodes.share[done].sum())
                yield from _rows(nodes.chosen[:, done], self.search.cover.options)
        self.is_complete = True

    def _next(self, most_nodes: int | None) -> _Nodes:
        """Take the next block. If many nodes wait, it is small, so that the search goes deeper."""
        most = limits().searching
        many = self._waiting * len(self._users) > most.waiting_words
        number = min(self._block, most.narrow_nodes) if many else self._block
        if most_nodes is not None:
            number = min(number, most_nodes - self.nodes)
        taken: list[_Nodes] = []
        while self._stack and number:
            nodes = self._stack.pop()
            if len(nodes) > number:
                nodes, others = nodes.split(number)
                self._stack.append(others)
            number -= len(nodes)
            self._waiting -= len(nodes)
            taken.append(nodes)
        return _joined(taken)

    def _push(self, *blocks: _Nodes) -> None:
        nodes = _joined(blocks)
        if len(nodes):
            self._stack.append(nodes)
            self._waiting += len(nodes)

    def _counts(self, live: Bits) -> NDArray[np.unsignedinteger]:
        """Return the number of live options of each item in each node."""
        counts = np.zeros((self._items, live.shape[1]), dtype=self._number)
        for word, (items, users) in enumerate(self._using):
            counts[items] += np.bitwise_count(live[word] & users)
        return counts

    def _branched(self, nodes: _Nodes, item: NDArray[np.unsignedinteger], which: Places) -> _Nodes:
        """Return the nodes that follow when an item is covered by one of its options."""
        nodes = nodes.some(which)
        ways = nodes.live & np.take(self._users, item[which], axis=1)
        parent, option = _places(ways)
        chosen = np.take(nodes.chosen, parent, axis=1)
        chosen[option // WORD, np.arange(len(option))] |= np.uint64(1) << (option % WORD).astype(np.uint64)
        live = np.take(nodes.live ^ ways, parent, axis=1)
        live &= np.take(self._keeps, option, axis=1)
        share = nodes.share[parent] / np.bincount(parent)[parent]
        return _Nodes(live, chosen, nodes.closed[parent] + self._covered[option], share)

    def _forced(self, nodes: _Nodes, counts: NDArray[np.unsignedinteger], which: Places) -> _Nodes:
        """Return the nodes that follow when each item with one option is covered by it."""
        nodes = nodes.some(which)
        if not len(nodes):
            return nodes
        single = np.ascontiguousarray((np.take(counts, which, axis=1) == 1).T)
        node, item = np.divmod(np.flatnonzero(single), self._items)
        ways = np.take(nodes.live, node, axis=1) & np.take(self._users, item, axis=1)
        forced = np.bitwise_or.reduceat(ways, _starts(node), axis=1)
        parent, option = _places(forced)
        starts = _starts(parent)
        self.search.forced += len(option)
        stay = nodes.live & np.bitwise_and.reduceat(np.take(self._keeps, option, axis=1), starts, axis=1)
        closed = nodes.closed + np.add.reduceat(self._covered[option], starts)
        fit = (stay & forced == forced).all(axis=0)  # no two of them clash
        self.share += float(nodes.share[~fit].sum())
        return _Nodes(stay ^ forced, nodes.chosen | forced, closed, nodes.share).some(np.flatnonzero(fit))


def _joined(blocks: Sequence[_Nodes]) -> _Nodes:
    """Return all nodes in one block."""
    blocks = [nodes for nodes in blocks if len(nodes)] or blocks[:1]
    if len(blocks) == 1:
        return blocks[0]
    return _Nodes(
        np.concatenate([nodes.live for nodes in blocks], axis=1),
        np.concatenate([nodes.chosen for nodes in blocks], axis=1),
        np.concatenate([nodes.closed for nodes in blocks]),
        np.concatenate([nodes.share for nodes in blocks]),
    )


def _rows(chosen: Bits, nothing: int) -> Covers:
    """Return a row of options for each column of bits, padded with an option that is none."""
    node, option = _places(chosen)
    starts = _starts(node)
    place = np.arange(len(node)) - starts[node]
    rows = np.full((chosen.shape[1], int(place.max()) + 1), nothing, dtype=np.uint32)
    rows[node, place] = option
    return rows


def _places(bits: Bits) -> tuple[Places, Places]:
    """Return the column of each bit that is set, and its place in the column, column by column."""
    held = np.unpackbits(np.ascontiguousarray(bits.T).view(np.uint8).ravel(), bitorder="little")
    column, place = np.divmod(np.flatnonzero(held.view(bool)), WORD * len(bits))
    return column, place


def _starts(column: Places) -> Places:
    """Return where each column begins; there is at least one."""
    begins = np.ones(len(column), dtype=bool)
    np.not_equal(column[1:], column[:-1], out=begins[1:])
    return np.flatnonzero(begins)


def _words(masks: Sequence[int], bits: int) -> Bits:
    """Return a column for each mask, its lowest word first."""
    size = -(-bits // WORD) * 8
    joined = b"".join([mask.to_bytes(size, "little") for mask in masks])
    return np.ascontiguousarray(np.frombuffer(joined, dtype="<u8").reshape(len(masks), -1).T)
