"""The graph of a circuit: its edges at each vertex, degrees and cycles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from puzzlekit.model import (
    Circuit,
    Constraint,
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
CACHED_GRAPHS = 32  # of boards of one size
States = NDArray[Any]


def with_degrees(model: Model, from_edges: int = 0) -> Model:
    """Add to each circuit plain constraints that every vertex has degree 0 or 2.

    Needs:  a presolved model.
    Leaves: the same solutions; vertices with fewer than `from_edges` edges are left to the backend.
    """
    circuits: list[Constraint] = []
    constraints: list[Constraint] = []
    for constraint in model.constraints:
        is_circuit = type(constraint.condition) is Circuit
        (circuits if is_circuit else constraints).append(constraint)
    if not circuits:
        return model
    for constraint in circuits:
        circuit = cast(Circuit, constraint.condition)
        conditions = _degree_conditions(circuit, from_edges, model.domains)
        constraints += [replace(constraint, condition=condition) for condition in conditions]
    # circuits come last: they are the most expensive to propagate
    return replace(model, constraints=(*constraints, *circuits))


def _degree_conditions(
    circuit: Circuit, from_edges: int, domains: Mapping[Variable, Domain]
) -> Iterator[Term]:
    for edges in graph_of_circuit(circuit).edges_at:
        terms = [circuit.terms[edge] for edge in edges]
        if len(terms) < from_edges:
            continue
        if any(len(domains[variable]) > 1 for variable in variables_of(*terms)):
            degree = Sum(tuple((1, term) for term in terms))
            yield Member(degree, frozenset({0, 2}))


@cached_per_structure
def graph_of_circuit(circuit: Circuit) -> CircuitGraph:
    """Return the graph of a circuit; boards of one size mostly have the same."""
    return _graph_of_edges(circuit.edges)


@lru_cache(maxsize=CACHED_GRAPHS)
def _graph_of_edges(edges: tuple[tuple[int, int], ...]) -> CircuitGraph:
    return CircuitGraph(edges)


class CircuitGraph:
    """The graph of a circuit: edges by index, vertices renumbered from 0.

    `edges_at` lists the edges at each vertex; it lists a loop twice.
    """

    def __init__(self, edges: Iterable[tuple[int, int]]) -> None:
        number: dict[int, int] = {}
        ends: list[tuple[int, int]] = []
        for tail, head in edges:
            first = number.setdefault(tail, len(number))
            ends.append((first, number.setdefault(head, len(number))))
        self.edges_at: list[list[int]] = [[] for _ in number]
        for edge, (tail, head) in enumerate(ends):
            self.edges_at[tail].append(edge)
            self.edges_at[head].append(edge)
        self.ends = ends
        loops = {edge for edge, (tail, head) in enumerate(ends) if tail == head}
        # the edges that lead from a vertex to others
        self._leaving = [frozenset(edges) - loops for edges in self.edges_at]
        array = np.array(ends, dtype=np.intp).reshape(-1, 2)
        self._tail = array[:, 0]
        self._head = array[:, 1]
        self._loops = self._tail == self._head
        self._both = array.sum(axis=1).tolist()  # minus one end of an edge: its opposite end

    def propagate_degrees(self, states: States) -> bool:
        """Propagate vertex degrees in place; return False if a vertex cannot have degree 0 or 2."""
        tail = self._tail
        head = self._head
        loops = self._loops
        while True:
            undecided = states == OPEN
            has = self._degrees(states == YES)
            may = self._degrees(undecided & ~loops)
            if (has > 2).any() or ((has == 1) & (may == 0)).any():
                return False
            full = (has == 2) | ((has == 0) & (may == 1))
            wanting = (has == 1) & (may == 1)
            closed = np.where(loops, has[tail] > 0, full[tail] | full[head])
            no = undecided & closed
            yes = undecided & ~loops & (wanting[tail] | wanting[head])
            if (yes & no).any():
                return False
            if not yes.any() and not no.any():
                return True
            states[yes] = YES
            states[no] = NO

    def _degrees(self, edges: NDArray[np.bool_]) -> NDArray[np.intp]:
        count = len(self.edges_at)
        as_tail = np.bincount(self._tail[edges], minlength=count)
        return as_tail + np.bincount(self._head[edges], minlength=count)

    def cycles(self, true: Sequence[int]) -> list[list[int]]:
        """Return the cycles that these edges form, edges in order; all degrees are 0 or 2."""
        edges = np.array(true, dtype=np.intp)
        count = len(self.edges_at)
        # the sum of the two edges at each vertex: minus one of them, it is the second
        as_tail = np.bincount(self._tail[edges], weights=edges, minlength=count)
        as_head = np.bincount(self._head[edges], weights=edges, minlength=count)
        both_edges = (as_tail + as_head).astype(np.intp).tolist()
        remaining = set(true)
        cycles = []
        while remaining:
            start = edge = next(iter(remaining))
            cycle = [start]
            vertex = self.ends[start][1]
            for _ in true:
                edge = both_edges[vertex] - edge
                if edge == start:
                    break
                cycle.append(edge)
                vertex = self._both[edge] - vertex
            remaining.difference_update(cycle)
            cycles.append(cycle)
        return cycles

    def leaving(self, cycles: Sequence[Sequence[int]]) -> list[list[int]]:
        """For each of these vertex-disjoint cycles, return the edges with exactly one end on it."""
        leaving = []
        for cycle in cycles:
            edges: set[int] = set()
            for vertex in {end for edge in cycle for end in self.ends[edge]}:
                edges ^= self._leaving[vertex]
            leaving.append(sorted(edges))
        return leaving
