"""A graph whose sets of vertices are the bits of an int, and walks over such bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

MOST_DISTANCES = 16  # between the numbers of neighbours; a board has few
READ_SINGLY = 8  # up to so many bits, their positions are found without an array


class BitGraph:
    """An undirected graph with the vertices 0, 1, …

    On a board, the numbers of neighbours differ by one of a few distances. Then all neighbours of a
    set are found by two shifts for each distance.

    Args:
        links: Pairs of neighbours.

    Examples:
        >>> path = BitGraph([(0, 1), (1, 2), (2, 3)])
        >>> bin(path.neighbours(0b0010)), bin(path.piece(0b1000, 0b1101))
        ('0b101', '0b1100')
    """

    def __init__(self, links: Iterable[tuple[int, int]]) -> None:
        pairs = np.array([*links], dtype=np.int64).reshape(-1, 2)
        low = pairs.min(axis=1)
        distance = pairs.max(axis=1) - low
        distances = sorted(set(distance.tolist()))  # `np.unique` would import numpy.ma
        self._shifts = len(distances) <= MOST_DISTANCES
        self._lower: dict[int, int] = {}  # by distance: the vertices with a neighbour so far above
        self._neighbours: dict[int, int] = {}  # of each vertex, where there are more distances
        if self._shifts:
            self._lower = {far: bits_at(low[distance == far]) for far in distances}
        else:
            for tail, head in pairs.tolist():
                self._neighbours[tail] = self._neighbours.get(tail, 0) | 1 << head
                self._neighbours[head] = self._neighbours.get(head, 0) | 1 << tail

    def neighbours(self, vertices: int) -> int:
        """Return the neighbours of these vertices that are none of them."""
        reached = 0
        if self._shifts:
            for far, lower in self._lower.items():
                reached |= (vertices & lower) << far | vertices >> far & lower
        else:
            for vertex in bit_positions(vertices):
                reached |= self._neighbours.get(vertex, 0)
        return reached & ~vertices

    def piece(self, start: int, among: int) -> int:
        """Return the vertices that can be reached from `start` within `among`, these included."""
        if not self._shifts:
            piece = frontier = start
            while frontier:
                frontier = self.neighbours(frontier) & among & ~piece
                piece |= frontier
            return piece
        among |= start
        links = [(far, lower & among & among >> far) for far, lower in self._lower.items()]
        before = 0
        piece = start
        while piece != before:
            before = piece
            for far, lower in links:  # one after the other, so that a turn may go round corners
                piece |= (piece & lower) << far | piece >> far & lower
        return piece

    def pieces(self, vertices: int) -> Iterator[int]:
        """Yield the connected pieces of these vertices."""
        while vertices:
            piece = self.piece(vertices & -vertices, vertices)
            yield piece
            vertices &= ~piece


def bit_positions(bits: int) -> list[int]:
    """Return the positions of the bits, in order."""
    if bits.bit_count() > READ_SINGLY:
        length = (bits.bit_length() + 7) // 8
        raw = np.frombuffer(bits.to_bytes(length, "little"), dtype=np.uint8)
        return np.flatnonzero(np.unpackbits(raw, bitorder="little")).tolist()
    positions = []
    while bits:
        positions.append(first(bits))
        bits &= bits - 1
    return positions


def bits(mask: int) -> Iterator[int]:
    """Yield the bits of a mask, lowest first."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def first(bits: int) -> int:
    """Return the position of the lowest bit."""
    return (bits & -bits).bit_length() - 1


def bits_at(positions: NDArray[np.int64]) -> int:
    """Return the bits at these positions; there is at least one."""
    flags = np.zeros(int(positions.max()) + 1, dtype=bool)
    flags[positions] = True
    return bits_of(flags)


def bits_of(flags: NDArray[np.bool_]) -> int:
    """Return an array of truth values as bits."""
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")
