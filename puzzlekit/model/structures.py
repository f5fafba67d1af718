"""Global constraints on a whole row of terms: sequences, connectedness, cycles and regions.

`met(row)` returns whether plain values, one per term, meet the constraint. Edges and links are
pairs of numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from puzzlekit.model.graphs import connected_components
from puzzlekit.model.terms import Term, Value, Values, Variable, node

Pair = tuple[int, int]


class Structure(Term):
    """A global constraint on a row of terms, `terms`."""

    __slots__ = ("__weakref__",)
    terms: tuple[Term, ...]

    def subterms(self) -> Iterator[Term]:
        return iter(self.terms)

    def value(self, values: Values) -> Value:
        return self.met([term.value(values) for term in self.terms])

    def met(self, row: Sequence[Value]) -> bool:
        """Return whether these values, one per term, meet the constraint."""
        raise NotImplementedError


S = TypeVar("S", bound=Structure)
T = TypeVar("T")


def cached_per_structure(function: Callable[[S], T]) -> Callable[[S], T]:
    """Cache a function of a structure as long as the structure lives; no result may refer to it."""
    cache: WeakKeyDictionary[S, T] = WeakKeyDictionary()

    @wraps(function)
    def cached(structure: S) -> T:
        if structure not in cache:
            cache[structure] = function(structure)
        return cache[structure]

    return cached


@node
class Automaton(Structure):
    """A deterministic finite automaton reads the values of the terms in order and accepts them.

    It starts in state 0. `steps[state]` maps each value that may be read there to the next state.
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


@node
class Connected(Structure):
    """The terms are vertices, joined by `links`; the true ones, if any, are connected."""

    terms: tuple[Term, ...]
    links: tuple[Pair, ...]

    def met(self, row: Sequence[Value]) -> bool:
        true_vertices = [vertex for vertex, flag in enumerate(row) if flag]
        return len(connected_components(true_vertices, self.links)) <= 1


@node
class Circuit(Structure):
    """The terms are edges between numbered vertices; the true ones form exactly one simple cycle.

    A cycle has at least one edge. Two parallel edges are a cycle, and so is a loop at one vertex.
    """

    terms: tuple[Term, ...]
    edges: tuple[Pair, ...]

    def met(self, row: Sequence[Value]) -> bool:
        true_edges = [edge for edge, flag in zip(self.edges, row) if flag]
        degrees: dict[int, int] = defaultdict(int)
        for tail, head in true_edges:
            degrees[tail] += 1
            degrees[head] += 1
        if set(degrees.values()) != {2}:
            return False
        return len(connected_components(degrees, true_edges)) == 1


@node
class Acyclic(Structure):
    """The terms are undirected edges between numbered vertices; the true ones contain no cycle."""

    terms: tuple[Term, ...]
    edges: tuple[Pair, ...]

    def met(self, row: Sequence[Value]) -> bool:
        true_edges = [edge for edge, flag in zip(self.edges, row) if flag]
        vertices = {vertex for edge in true_edges for vertex in edge}
        components = connected_components(vertices, true_edges)
        return len(vertices) - len(components) == len(true_edges)


@node
class RegionSizes(Structure):
    """The sizes of the regions that links form between the vertices 0, 1, 2, ….

    The first terms are the links, each between a pair of vertices: a true one joins its vertices to
    one region. Each other term is the number of vertices in the region of one of `vertices`.
    """

    terms: tuple[Term, ...]
    links: tuple[Pair, ...]
    vertices: tuple[int, ...]

    def met(self, row: Sequence[Value]) -> bool:
        flags = row[: len(self.links)]
        sizes = row[len(self.links) :]
        true_links = [link for link, flag in zip(self.links, flags) if flag]
        vertices = {vertex for link in true_links for vertex in link}
        size_at = _sizes(vertices.union(self.vertices), true_links)
        return all(size_at[vertex] == size for vertex, size in zip(self.vertices, sizes))


class EvaluationCache(dict[Variable, Value]):
    """Values of variables, with the values of terms that are tuples, each computed once."""

    def __init__(self, values: Values) -> None:
        super().__init__(values)
        # by the identity of a term, which is stored too, so that it lives as long as its entry
        self._tuples: dict[int, tuple[Term, Value]] = {}

    def tuple_of(self, term: Term) -> Value:
        """Return the value of a term that is a tuple."""
        if id(term) not in self._tuples:
            self._tuples[id(term)] = (term, term.value(self))
        return self._tuples[id(term)][1]


@node
class Component(Term):
    """One position of a term whose value is a tuple."""

    term: Term
    position: int

    def value(self, values: Values) -> Value:
        if isinstance(values, EvaluationCache):
            return values.tuple_of(self.term)[self.position]
        return self.term.value(values)[self.position]


class TupleFunction(Term):
    """A function of a row of terms whose value is a row; only its components occur in rules."""

    __slots__ = ()
    terms: tuple[Term, ...]

    def subterms(self) -> Iterator[Term]:
        return iter(self.terms)

    def value(self, values: Values) -> Value:
        return self.components([term.value(values) for term in self.terms])

    def components(self, row: Sequence[Value]) -> tuple[Value, ...]:
        """Return the components for these values, one per term."""
        raise NotImplementedError


@node
class Regions(TupleFunction):
    """The size of the region of each of `count` vertices; true terms join the pairs of `links`."""

    terms: tuple[Term, ...]
    links: tuple[Pair, ...]
    count: int

    def components(self, row: Sequence[Value]) -> tuple[Value, ...]:
        true_links = [link for link, flag in zip(self.links, row) if flag]
        size_at = _sizes(range(self.count), true_links)
        return tuple(size_at[vertex] for vertex in range(self.count))


@node
class Inside(TupleFunction):
    """For each of `count` faces, whether it lies inside a line; face 0 lies outside.

    The terms are the edges of the line, each between two nodes. A step (face, next face, edge)
    crosses the edge with this index, or none if the index is -1. The first step to a face decides
    where it lies: beyond a true edge, on the other side. If each node has an even number of true
    edges, all other steps agree.
    """

    terms: tuple[Term, ...]
    edges: tuple[Pair, ...]
    steps: tuple[tuple[int, int, int], ...]
    count: int

    def components(self, row: Sequence[Value]) -> tuple[Value, ...]:
        inside = {0: False}
        for face, next_face, edge in self.steps:
            if next_face not in inside:
                crosses = edge >= 0 and bool(row[edge])
                inside[next_face] = inside[face] != crosses
        return tuple(inside[face] for face in range(self.count))


def _sizes(vertices: Iterable[int], links: Iterable[Pair]) -> dict[int, int]:
    """Return the size of the component of each vertex."""
    sizes = {}
    for component in connected_components(vertices, links):
        sizes.update(dict.fromkeys(component, len(component)))
    return sizes
