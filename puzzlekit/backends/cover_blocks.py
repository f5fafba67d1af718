"""List exact covers many nodes at a time: the options of a node are bits in a column of an array.

It branches on the item with the fewest options, as the search whose nodes it takes over, but does
so for a block of nodes at once, so that numpy does the work. What is forced is a branch of one
option. A block has the deepest nodes that wait; it is small where very many wait.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends.cover_frontier import WORD, Bits, Covers
from puzzlekit.backends.cover_search import CoverSearch

BLOCK_NODES = 4_096  # in a block, at most
BLOCK_ITEMS = 200_000  # in all nodes of a block, at most
NARROW_NODES = 64  # in a block, at most, if many nodes wait:
WAITING_WORDS = 8_000_000  # so many words of options
Places = NDArray[np.intp]


@dataclass(frozen=True)
class _Nodes:
    """Some nodes of the search tree.

    A column of `bits` has the options that may still be chosen, and below them those that are not
    chosen. So a choice takes bits from both.
    """

    bits: Bits
    closed: NDArray[np.uint32]  # how many items are covered

    def __len__(self) -> int:
        return len(self.closed)

    @property
    def live(self) -> Bits:
        return self.bits[: len(self.bits) // 2]

    @property
    def chosen(self) -> Bits:
        return ~self.bits[len(self.bits) // 2 :]

    def some(self, which: Places) -> _Nodes:
        if len(which) == len(self):
            return self
        return _Nodes(self.bits.take(which, axis=1), self.closed[which])

    def split(self, number: int) -> tuple[_Nodes, _Nodes]:
        """Return the first nodes and the others."""
        return self._part(slice(number)), self._part(slice(number, None))

    def _part(self, which: slice) -> _Nodes:
        return _Nodes(self.bits[:, which], self.closed[which])


class BlockSearch:
    """Goes on with the listing of a search that was interrupted, and can be interrupted as well."""

    def __init__(self, search: CoverSearch) -> None:
        self.search = search
        self.budget = search.budget
        cover = search.cover
        self._items = cover.primary
        self._users = _words(search.users, cover.options)
        # Of each word, the items with options in it.
        self._using = [(items := _held(word), word[items, None]) for word in self._users]
        # The bits of a node that stay when an option is chosen. Its own bit is in neither half, as
        # it covers an item.
        stay = [search.choose(search.all, option) for option in range(cover.options)]
        self._keeps = _bits(stay, [1 << option for option in range(cover.options)], cover.options)
        self._covered = np.array([items.bit_count() for items in search.covered], dtype=np.uint32)
        # A key is a number of options above an item, each of so many bits.
        number = np.min_scalar_type(max(users.bit_count() for users in search.users))
        self._number = np.promote_types(number, np.min_scalar_type(self._items - 1))
        self._closed = np.iinfo(self._number).max
        self._bits = 8 * self._number.itemsize
        self._key = np.dtype(f"u{2 * self._number.itemsize}")
        self._item = np.arange(self._items, dtype=self._key)[:, None]
        self._block = max(1, min(BLOCK_NODES, BLOCK_ITEMS // self._items))
        nodes = search.waiting[::-1]
        live = [node.live for node in nodes]
        chosen = [sum(1 << option for option in node.chosen) for node in nodes]
        closed = [self._items - len(node.todo) for node in nodes]
        first = _Nodes(_bits(live, chosen, cover.options), np.array(closed, dtype=np.uint32))
        self._stack = [first]
        self._waiting = len(first)

    @property
    def is_complete(self) -> bool:
        return not self._stack

    def covers(self, most_nodes: float = inf) -> Iterator[Covers]:
        """Yield the next covers until this many nodes were searched in all.

        Each is a row of options, padded with the option after the last.
        """
        search = self.search
        while self._stack and search.nodes < most_nodes:
            nodes = self._next()
            search.nodes += len(nodes)
            self.budget.step(len(nodes))
            above = self._above(nodes.live)
            none_left = (above == self._closed).view(np.uint8).sum(axis=0, dtype=np.uint32)
            alive = _held(none_left == nodes.closed)
            if not len(alive):
                continue
            if len(alive) < len(nodes):
                nodes, above = nodes.some(alive), above.take(alive, axis=1)
            # what is covered has the highest key
            fewest = (above.astype(self._key) << self._bits | self._item).min(axis=0)
            is_done = nodes.closed == self._items
            if is_done.any():
                yield from _rows(nodes.some(_held(is_done)).chosen, search.cover.options)
            search.forced += int(np.count_nonzero(fewest < 1 << self._bits))
            self._push(self._branched(nodes, fewest, _held(~is_done)))

    def _next(self) -> _Nodes:
        """Take the next block. If many nodes wait, it is small, so that the search goes deeper."""
        many = self._waiting * len(self._users) > WAITING_WORDS
        number = min(self._block, NARROW_NODES) if many else self._block
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

    def _push(self, nodes: _Nodes) -> None:
        if len(nodes):
            self._stack.append(nodes)
            self._waiting += len(nodes)

    def _above(self, live: Bits) -> NDArray[np.unsignedinteger]:
        """Return by how much the number of live options of each item in each node is above one.

        An item without options, as all that are covered, has the highest number.
        """
        above = np.full((self._items, live.shape[1]), self._closed, dtype=self._number)
        for word, (items, users) in enumerate(self._using):
            above[items] += np.bitwise_count(live[word] & users)
        return above

    def _branched(
        self, nodes: _Nodes, fewest: NDArray[np.unsignedinteger], which: Places
    ) -> _Nodes:
        """Return the nodes that follow when the item of a key is covered by one of its options."""
        nodes, fewest = nodes.some(which), fewest[which]
        ways = nodes.live & self._users.take(fewest & (1 << self._bits) - 1, axis=1)
        parent, option = _places(ways)
        return _Nodes(
            nodes.bits.take(parent, axis=1) & self._keeps.take(option, axis=1),
            nodes.closed[parent] + self._covered[option],
        )


def _joined(blocks: Sequence[_Nodes]) -> _Nodes:
    """Return all nodes in one block."""
    if len(blocks) == 1:
        return blocks[0]
    return _Nodes(
        np.concatenate([nodes.bits for nodes in blocks], axis=1),
        np.concatenate([nodes.closed for nodes in blocks]),
    )


def _rows(chosen: Bits, nothing: int) -> Covers:
    """Return a row of options for each column of bits, padded with an option that is none."""
    node, option = _places(chosen)
    starts = _starts(node)
    place = np.arange(len(node)) - starts[node]
    rows = np.full((chosen.shape[1], int(place.max()) + 1), nothing, dtype=np.uint32)
    rows[node, place] = option
    return rows


def _held(which: NDArray[np.generic]) -> Places:
    """Return where a row is true or not zero."""
    return which.nonzero()[0]


def _places(bits: Bits) -> tuple[Places, Places]:
    """Return the column of each bit that is set, and its place in the column, column by column."""
    held = np.unpackbits(np.ascontiguousarray(bits.T).view(np.uint8).ravel(), bitorder="little")
    column, place = np.divmod(_held(held.view(bool)), WORD * len(bits))
    return column, place


def _starts(column: Places) -> Places:
    """Return where each column begins; there is at least one."""
    begins = np.ones(len(column), dtype=bool)
    np.not_equal(column[1:], column[:-1], out=begins[1:])
    return _held(begins)


def _bits(live: Sequence[int], chosen: Sequence[int], options: int) -> Bits:
    """Return a column for each node, as `_Nodes` has them."""
    return np.concatenate([_words(live, options), ~_words(chosen, options)])


def _words(masks: Sequence[int], bits: int) -> Bits:
    """Return a column for each mask, its lowest word first."""
    size = -(-bits // WORD) * 8
    joined = b"".join([mask.to_bytes(size, "little") for mask in masks])
    return np.ascontiguousarray(np.frombuffer(joined, dtype="<u8").reshape(len(masks), -1).T)
