"""List exact covers many nodes at a time: the options of a node are bits in a column of an array.

It branches on the item with the fewest options, as the search whose nodes it takes over, but does
so for a block of nodes at once, so that numpy does the work. What is forced is a branch of one
option. A block has the deepest nodes that wait; it is small where very many wait.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends.cover_frontier import WORD, Bits, Covers
from puzzlekit.backends.cover_search import CoverSearch
from puzzlekit.dataclass import dataclass

BLOCK_NODES = 4_096  # in a block, at most
BLOCK_ITEMS = 200_000  # in all nodes of a block, at most
NARROW_NODES = 64  # in a block, at most, if many nodes wait:
WAITING_WORDS = 8_000_000  # so many words of options
Indices = NDArray[np.intp]


@dataclass(frozen=True)
class _Nodes:
    """Nodes of the search tree.

    A column of `bits` has the options that may still be chosen, and below them those that are not
    chosen. So a choice takes bits from both.
    """

    bits: Bits
    closed: NDArray[np.uint32]  # how many items are covered

    def __len__(self) -> int:
        return len(self.closed)

    @property
    def active(self) -> Bits:
        return self.bits[: len(self.bits) // 2]

    @property
    def chosen(self) -> Bits:
        return ~self.bits[len(self.bits) // 2 :]

    def take(self, indices: Indices) -> _Nodes:
        if len(indices) == len(self):
            return self
        return _Nodes(self.bits.take(indices, axis=1), self.closed[indices])

    def split(self, number: int) -> tuple[_Nodes, _Nodes]:
        """Return the first nodes and the others."""
        return self._slice(slice(number)), self._slice(slice(number, None))

    def _slice(self, span: slice) -> _Nodes:
        return _Nodes(self.bits[:, span], self.closed[span])


class BlockSearch:
    """Goes on with the listing of a search that was interrupted, and can be interrupted as well."""

    def __init__(self, search: CoverSearch) -> None:
        self.search = search
        self.budget = search.budget
        cover = search.cover
        self._items = cover.primary
        self._users = _words(search.users, cover.options)
        # of each word, the items with options in it
        self._using = []
        for word in self._users:
            items = _indices(word)
            self._using.append((items, word[items, None]))
        # The bits of a node that stay when an option is chosen. Its own bit is in neither half, as
        # it covers an item.
        active_after = [search.choose(search.all, option) for option in range(cover.options)]
        chosen_bits = [1 << option for option in range(cover.options)]
        self._keeps = _bits(active_after, chosen_bits, cover.options)
        covered = [items.bit_count() for items in search.covered]
        self._covered = np.array(covered, dtype=np.uint32)
        # A key has a number of options in its upper half and an item in its lower half.
        most_users = max(users.bit_count() for users in search.users)
        count_type = np.min_scalar_type(most_users)
        item_type = np.min_scalar_type(self._items - 1)
        self._half = np.promote_types(count_type, item_type)
        self._closed = np.iinfo(self._half).max
        self._half_bits = 8 * self._half.itemsize
        self._key = np.dtype(f"u{2 * self._half.itemsize}")
        items_of_keys = np.arange(self._items, dtype=self._key)
        self._item_column = items_of_keys[:, None]
        self._block = max(1, min(BLOCK_NODES, BLOCK_ITEMS // self._items))
        first = self._waiting_nodes()
        self._stack = [first]
        self._waiting = len(first)

    def _waiting_nodes(self) -> _Nodes:
        """Return the nodes that wait in the interrupted search."""
        nodes = self.search.waiting[::-1]
        active = [node.active for node in nodes]
        chosen = [sum(1 << option for option in node.chosen) for node in nodes]
        closed = [self._items - len(node.todo) for node in nodes]
        bits = _bits(active, chosen, self.search.cover.options)
        return _Nodes(bits, np.array(closed, dtype=np.uint32))

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
            above = self._above(nodes.active)
            is_exhausted = (above == self._closed).view(np.uint8)
            without_options = is_exhausted.sum(axis=0, dtype=np.uint32)
            alive = _indices(without_options == nodes.closed)
            if not len(alive):
                continue
            if len(alive) < len(nodes):
                nodes = nodes.take(alive)
                above = above.take(alive, axis=1)
            # what is covered has the highest key
            upper_halves = above.astype(self._key) << self._half_bits
            keys = upper_halves | self._item_column
            least_keys = keys.min(axis=0)
            is_done = nodes.closed == self._items
            if is_done.any():
                complete = nodes.take(_indices(is_done))
                yield from _rows(complete.chosen, search.cover.options)
            has_one_option = least_keys < 1 << self._half_bits
            search.forced += int(np.count_nonzero(has_one_option))
            is_open = _indices(~is_done)
            self._push(self._branched(nodes.take(is_open), least_keys[is_open]))

    def _next(self) -> _Nodes:
        """Take the next block. If many nodes wait, it is small, so that the search goes deeper."""
        many_wait = self._waiting * len(self._users) > WAITING_WORDS
        number = min(self._block, NARROW_NODES) if many_wait else self._block
        blocks: list[_Nodes] = []
        while self._stack and number:
            nodes = self._stack.pop()
            if len(nodes) > number:
                nodes, others = nodes.split(number)
                self._stack.append(others)
            number -= len(nodes)
            self._waiting -= len(nodes)
            blocks.append(nodes)
        return _joined(blocks)

    def _push(self, nodes: _Nodes) -> None:
        if len(nodes):
            self._stack.append(nodes)
            self._waiting += len(nodes)

    def _above(self, active: Bits) -> NDArray[np.unsignedinteger]:
        """Return by how much the number of active options of each item in each node is above one.

        An item without options, as all that are covered, has the highest number.
        """
        above = np.full((self._items, active.shape[1]), self._closed, dtype=self._half)
        for word, (items, users) in enumerate(self._using):
            above[items] += np.bitwise_count(active[word] & users)
        return above

    def _branched(self, nodes: _Nodes, keys: NDArray[np.unsignedinteger]) -> _Nodes:
        """Return the nodes that follow when the item of a key is covered by one of its options."""
        items = keys & (1 << self._half_bits) - 1
        candidates = nodes.active & self._users.take(items, axis=1)
        parents, options = _positions(candidates)
        bits = nodes.bits.take(parents, axis=1) & self._keeps.take(options, axis=1)
        closed = nodes.closed[parents] + self._covered[options]
        return _Nodes(bits, closed)


def _joined(blocks: Sequence[_Nodes]) -> _Nodes:
    """Return all nodes in one block."""
    if len(blocks) == 1:
        return blocks[0]
    bits = np.concatenate([nodes.bits for nodes in blocks], axis=1)
    closed = np.concatenate([nodes.closed for nodes in blocks])
    return _Nodes(bits, closed)


def _rows(chosen: Bits, nothing: int) -> Covers:
    """Return a row of options for each column of bits, padded with an option that is none."""
    nodes, options = _positions(chosen)
    starts = _starts(nodes)
    indices = np.arange(len(nodes)) - starts[nodes]
    width = int(indices.max()) + 1
    rows = np.full((chosen.shape[1], width), nothing, dtype=np.uint32)
    rows[nodes, indices] = options
    return rows


def _indices(row: NDArray[np.generic]) -> Indices:
    """Return where a row is true or not zero."""
    return row.nonzero()[0]


def _positions(bits: Bits) -> tuple[Indices, Indices]:
    """Return the column of each bit that is set and its position in it, column by column."""
    octets = np.ascontiguousarray(bits.T).view(np.uint8).ravel()
    is_set = np.unpackbits(octets, bitorder="little").view(bool)
    column, position = np.divmod(_indices(is_set), WORD * len(bits))
    return column, position


def _starts(column: Indices) -> Indices:
    """Return where each column begins; there is at least one."""
    is_first = np.ones(len(column), dtype=bool)
    np.not_equal(column[1:], column[:-1], out=is_first[1:])
    return _indices(is_first)


def _bits(active: Sequence[int], chosen: Sequence[int], options: int) -> Bits:
    """Return a column for each node, as `_Nodes` has them."""
    return np.concatenate([_words(active, options), ~_words(chosen, options)])


def _words(masks: Sequence[int], bits: int) -> Bits:
    """Return a column for each mask, its lowest word first."""
    size = -(-bits // WORD) * 8
    octets = b"".join([mask.to_bytes(size, "little") for mask in masks])
    rows = np.frombuffer(octets, dtype="<u8").reshape(len(masks), -1)
    return np.ascontiguousarray(rows.T)
