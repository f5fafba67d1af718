"""Conditions on many terms at once that only their whole shape decides: sequences, connectedness, cycles.

`met(row)` says whether plain values meet the condition, one value a term. Edges and links are pairs of numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from puzzlekit.model.terms import Term, Value, Values

Pair = tuple[int, int]


class Structure(Term):
    """A condition on a row of terms, `terms`."""

    __slots__ = ()
    terms: tuple[Term, ...]

    def parts(self) -> Iterator[Term]:
        return iter(self.terms)

    def value(self, values: Values) -> Value:
        return self.met([term.value(values) for term in self.terms])

    def met(self, row: Sequence[Value]) -> bool:
        """Whether these values, one for each term, meet the condition."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, eq=False)
class Automaton(Structure):
    """A deterministic finite automaton reads the values of the terms in order and ends in an accepting state.

    It begins in state 0; `steps[state]` gives the next state for each value that may be read there.
    """

    terms: tuple[Term, ...]
    steps: tuple[Mapping[Value, int], ...]
    accepting: frozenset[int]

    def met(self, row: Sequence[Value]) -> bool:
        state = 0
        for value in row:
            if value not in self.steps[state]:
                return False
            state = self.steps[state][value]
        return state in self.accepting


@dataclass(frozen=True, slots=True, eq=False)
class Connected(Structure):
    """The terms are vertices, linked in pairs: those that are true hang together. None at all hangs together."""

    terms: tuple[Term, ...]
    links: tuple[Pair, ...]

    def met(self, row: Sequence[Value]) -> bool:
        return len(pieces([place for place, held in enumerate(row) if held], self.links)) <= 1


@dataclass(frozen=True, slots=True, eq=False)
class Circuit(Structure):
    """The terms are edges between numbered vertices: those that are true make one cycle that meets no vertex twice.

    A cycle has at least one edge; two edges between the same vertices are a cycle, and so is one from a vertex to itself.
    """

    terms: tuple[Term, ...]
    edges: tuple[Pair, ...]

    def met(self, row: Sequence[Value]) -> bool:
        true = [edge for edge, held in zip(self.edges, row) if held]
        degrees: dict[int, int] = defaultdict(int)
        for tail, head in true:
            degrees[tail] += 1
            degrees[head] += 1
        return bool(true) and set(degrees.values()) == {2} and len(pieces(degrees, true)) == 1


@dataclass(frozen=True, slots=True, eq=False)
class Acyclic(Structure):
    """The terms are edges between numbered vertices, without direction: those that are true make no cycle."""

    terms: tuple[Term, ...]
    edges: tuple[Pair, ...]

    def met(self, row: Sequence[Value]) -> bool:
        true = [edge for edge, held in zip(self.edges, row) if held]
        vertices = {vertex for edge in true for vertex in edge}
        return len(vertices) - len(pieces(vertices, true)) == len(true)


def pieces(vertices: Iterable[int], links: Iterable[Pair]) -> list[set[int]]:
    """The vertices in the pieces that hang together; a link that leads to none of them joins nothing.

    >>> pieces([1, 2, 3], [(1, 2), (3, 4)])
    [{1, 2}, {3}]
    """
    beside: dict[int, list[int]] = {vertex: [] for vertex in vertices}
    for one, other in links:
        if one in beside and other in beside:
            beside[one].append(other)
            beside[other].append(one)
    found = []
    while beside:
        piece: set[int] = set()
        waiting = [next(iter(beside))]
        while waiting:
            vertex = waiting.pop()
            if vertex not in piece:
                piece.add(vertex)
                waiting.extend(beside.pop(vertex))
        found.append(piece)
    return found
