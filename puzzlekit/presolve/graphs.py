"""Graphs of shapes: sets of vertices as the bits of an int, and the edges of circuits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from puzzlekit.model import (
    Circuit,
    Domain,
    Member,
    Model,
    Sum,
    Term,
    Variable,
    cached_per_structure,
    variables_of,
)

MOST_DISTANCES = 16  # between the numbers of neighbours; a board has few
FEW = 8  # bits, which are found one by one


class BitGraph:
    """An undirected graph with the vertices 0, 1, …

    On a board, the numbers of neighbours differ by one of a few distances. Then all neighbours of a
    set are found by two shifts for each distance.

    Args:
        links: Pairs of neighbours.

    Examples:
        >>> path = BitGraph([(0, 1), (1, 2), (2, 3)])
        >>> bin(path.beside(0b0010)), bin(path.piece(0b1000, 0b1101))
        ('0b101', '0b1100')
    """

    def __init__(self, links: Iterable[tuple[int, int]]) -> None:
        pairs = np.array([*links], dtype=np.int64).reshape(-1, 2)
        low = pairs.min(axis=1)
        distance = pairs.max(axis=1) - low
        distances = np.unique(distance).tolist()
        self._shifts = len(distances) <= MOST_DISTANCES
        self._lower: dict[int, int] = {}  # by distance: the vertices with a neighbour so far above
        self._near: dict[int, int] = {}  # otherwise, the neighbours of each vertex
        if self._shifts:
            self._lower = {far: bits_at(low[distance == far]) for far in distances}
        else:
            for one, other in pairs.tolist():
                self._near[one] = self._near.get(one, 0) | 1 << other
                self._near[other] = self._near.get(other, 0) | 1 << one

    def beside(self, vertices: int) -> int:
        """Return the neighbours of these vertices that are none of them."""
        if not self._shifts:
            return (
                reduce(or_, (self._near.get(vertex, 0) for vertex in places(vertices)), 0)
                & ~vertices
            )
        found = 0
        for far, lower in self._lower.items():
            found |= (vertices & lower) << far | vertices >> far & lower
        return found & ~vertices

    def piece(self, start: int, among: int) -> int:
        """Return the vertices that can be reached from `start` within `among`, these included."""
        if not self._shifts:
            piece = edge = start
            while edge:
                edge = self.beside(edge) & among & ~piece
                piece |= edge
            return piece
        among |= start
        links = [(far, lower & among & among >> far) for far, lower in self._lower.items()]
        before, piece = 0, start
        while piece != before:
            before = piece
            for far, lower in links:  # one distance after the other: a turn may go round corners
                piece |= (piece & lower) << far | piece >> far & lower
        return piece

    def pieces(self, vertices: int) -> Iterator[int]:
        """Yield the connected pieces of these vertices."""
        while vertices:
            piece = self.piece(vertices & -vertices, vertices)
            yield piece
            vertices &= ~piece


def places(bits: int) -> list[int]:
    """Return the positions of the bits, in order."""
    if bits.bit_count() > FEW:
        raw = np.frombuffer(bits.to_bytes(bits.bit_length() + 7 >> 3, "little"), dtype=np.uint8)
        return np.flatnonzero(np.unpackbits(raw, bitorder="little")).tolist()
    found = []
    while bits:
        found.append(first(bits))
        bits &= bits - 1
    return found


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
    held = np.zeros(int(positions.max()) + 1, dtype=bool)
    held[positions] = True
    return bits_of(held)


def bits_of(held: NDArray[np.bool_]) -> int:
    """Return an array of truth values as bits."""
    return int.from_bytes(np.packbits(held, bitorder="little").tobytes(), "little")


NO, YES, OPEN = 0, 1, 2  # the states of a flag
States = NDArray[Any]


def with_degrees(model: Model, from_edges: int = 0) -> Model:
    """Add to each circuit plain constraints that every vertex has degree 0 or 2.

    Needs:  a presolved model.
    Leaves: the same solutions; vertices with fewer than `from_edges` edges are left to the backend.
    """
    circuits = [
        constraint for constraint in model.constraints if type(constraint.condition) is Circuit
    ]
    if not circuits:
        return model
    others = [
        constraint
        for constraint in model.constraints
        if not isinstance(constraint.condition, Circuit)
    ]
    stated = [
        replace(constraint, condition=condition)
        for constraint in circuits
        for condition in _stated(cast(Circuit, constraint.condition), from_edges, model.domains)
    ]
    # circuits come last: they are the most expensive to propagate
    return replace(model, constraints=(*others, *stated, *circuits))


def _stated(
    circuit: Circuit, from_edges: int, domains: Mapping[Variable, Domain]
) -> Iterator[Term]:
    for places in net(circuit).at:
        terms = [circuit.terms[place] for place in places]
        if len(terms) >= from_edges and any(
            len(domains[variable]) > 1 for variable in variables_of(*terms)
        ):
            yield Member(Sum(tuple((1, term) for term in terms)), frozenset({0, 2}))


@cached_per_structure
def net(circuit: Circuit) -> Net:
    return Net(circuit)


class Net:
    """The graph of a circuit: edges by position, vertices renumbered from 0.

    `at` lists the edges at each vertex; it lists a loop twice.
    """

    def __init__(self, circuit: Circuit) -> None:
        number: dict[int, int] = {}
        ends = [
            (number.setdefault(tail, len(number)), number.setdefault(head, len(number)))
            for tail, head in circuit.edges
        ]
        self.at: list[list[int]] = [[] for _ in number]
        for place, (tail, head) in enumerate(ends):
            self.at[tail].append(place)
            self.at[head].append(place)
        self.ends = ends
        turns = {place for place, (tail, head) in enumerate(ends) if tail == head}
        self._leaving = [
            frozenset(near) - turns for near in self.at
        ]  # the edges that lead from a vertex to others
        array = np.array(ends, dtype=np.intp).reshape(-1, 2)
        self._tail, self._head = array[:, 0], array[:, 1]
        self._turns = self._tail == self._head  # loops at one vertex
        self._both = array.sum(axis=1).tolist()  # minus one end of an edge, this is the other end

    def settle(self, states: States) -> bool:
        """Propagate vertex degrees in place; return False if a vertex cannot have degree 0 or 2."""
        tail, head, turns = self._tail, self._head, self._turns
        while True:
            undecided = states == OPEN
            has, may = self._degrees(states == YES), self._degrees(undecided & ~turns)
            if (has > 2).any() or ((has == 1) & (may == 0)).any():
                return False
            full = (has == 2) | ((has == 0) & (may == 1))
            wanting = (has == 1) & (may == 1)
            no = undecided & np.where(turns, has[tail] > 0, full[tail] | full[head])
            yes = undecided & ~turns & (wanting[tail] | wanting[head])
            if (yes & no).any():
                return False
            if not yes.any() and not no.any():
                return True
            states[yes] = YES
            states[no] = NO

    def _degrees(self, edges: NDArray[np.bool_]) -> NDArray[np.intp]:
        return np.bincount(self._tail[edges], minlength=len(self.at)) + np.bincount(
            self._head[edges], minlength=len(self.at)
        )

    def cycles(self, true: Sequence[int]) -> list[list[int]]:
        """Return the cycles that these edges form, edges in order; all degrees are 0 or 2."""
        places = np.array(true, dtype=np.intp)
        # the sum of the two edges at each vertex: minus one of them, it is the other
        both = np.zeros(len(self.at), dtype=np.intp)
        np.add.at(both, self._tail[places], places)
        np.add.at(both, self._head[places], places)
        others, ends, sums = both.tolist(), self.ends, self._both
        left = set(true)
        found = []
        while left:
            start = place = next(iter(left))
            cycle, vertex = [start], ends[start][1]
            for _ in true:
                place = others[vertex] - place
                if place == start:
                    break
                cycle.append(place)
                vertex = sums[place] - vertex
            left.difference_update(cycle)
            found.append(cycle)
        return found

    def leaving(self, cycles: Sequence[Sequence[int]]) -> list[list[int]]:
        """For each of these vertex-disjoint cycles, return the edges with exactly one end on it."""
        found = []
        for cycle in cycles:
            leaving: set[int] = set()
            for vertex in {end for place in cycle for end in self.ends[place]}:
                leaving ^= self._leaving[vertex]
            found.append(sorted(leaving))
        return found
