"""The graph of a circuit: its edges at each vertex, degrees and cycles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
    for places in circuit_graph(circuit).at:
        terms = [circuit.terms[place] for place in places]
        if len(terms) >= from_edges and any(
            len(domains[variable]) > 1 for variable in variables_of(*terms)
        ):
            yield Member(Sum(tuple((1, term) for term in terms)), frozenset({0, 2}))


@cached_per_structure
def circuit_graph(circuit: Circuit) -> CircuitGraph:
    return CircuitGraph(circuit)


class CircuitGraph:
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

    def propagate_degrees(self, states: States) -> bool:
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
