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

    def parts(self) -> Iterator[Term]:
        return iter(self.terms)

    def value(self, values: Values) -> Value:
        return self.met([term.value(values) for term in self.terms])

    def met(self, row: Sequence[Value]) -> bool:
        """Return whether these values, one per term, meet the constraint."""
        raise NotImplementedError


S = TypeVar("S", bound=Structure)
T = TypeVar("T")


def cached_per_structure(function: Callable[[S], T]) -> Callable[[S], T]:
    """Cache a function of a structure as long as the structure lives, which no result may hold."""
    results: WeakKeyDictionary[S, T] = WeakKeyDictionary()

    @wraps(function)
    def result_of(structure: S) -> T:
        if structure not in results:
            results[structure] = function(structure)
        return results[structure]

    return result_of


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
        return (
            len(connected_components([place for place, held in enumerate(row) if held], self.links))
            <= 1
        )


@node
class Circuit(Structure):
    """The terms are edges between numbered vertices; the true ones form exactly one simple cycle.

    A cycle has at least one edge. Two parallel edges are a cycle, and so is a loop at one vertex.
    """

    terms: tuple[Term, ...]
    edges: tuple[Pair, ...]

    def met(self, row: Sequence[Value]) -> bool:
        true = [edge for edge, held in zip(self.edges, row) if held]
        degrees: dict[int, int] = defaultdict(int)
        for tail, head in true:
            degrees[tail] += 1
            degrees[head] += 1
        return (
            bool(true)
            and set(degrees.values()) == {2}
            and len(connected_components(degrees, true)) == 1
        )


@node
class Acyclic(Structure):
    """The terms are undirected edges between numbered vertices; the true ones contain no cycle."""

    terms: tuple[Term, ...]
    edges: tuple[Pair, ...]

    def met(self, row: Sequence[Value]) -> bool:
        true = [edge for edge, held in zip(self.edges, row) if held]
        vertices = {vertex for edge in true for vertex in edge}
        return len(vertices) - len(connected_components(vertices, true)) == len(true)


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
        links, sizes = row[: len(self.links)], row[len(self.links) :]
        true = [link for link, held in zip(self.links, links) if held]
        size = _sizes({vertex for link in true for vertex in link} | {*self.vertices}, true)
        return all(size[vertex] == number for vertex, number in zip(self.vertices, sizes))


class EvaluationCache(dict[Variable, Value]):
    """Values of variables, with the tuples that terms are under them, each found once."""

    def __init__(self, values: Values) -> None:
        super().__init__(values)
        self._tuples: dict[
            int, tuple[Term, Value]
        ] = {}  # by the identity of the term, which is kept for that

    def tuple_of(self, whole: Term) -> Value:
        """Return the value of a term that is a tuple."""
        if id(whole) not in self._tuples:
            self._tuples[id(whole)] = (whole, whole.value(self))
        return self._tuples[id(whole)][1]


@node
class Component(Term):
    """One position of a term whose value is a tuple."""

    whole: Term
    position: int

    def value(self, values: Values) -> Value:
        row = (
            values.tuple_of(self.whole)
            if isinstance(values, EvaluationCache)
            else self.whole.value(values)
        )
        return row[self.position]


class Whole(Term):
    """A function of a row of terms whose value is a row; only its components occur in rules."""

    __slots__ = ()
    terms: tuple[Term, ...]

    def parts(self) -> Iterator[Term]:
        return iter(self.terms)

    def value(self, values: Values) -> Value:
        return self.components([term.value(values) for term in self.terms])

    def components(self, row: Sequence[Value]) -> tuple[Value, ...]:
        """Return the components for these values, one per term."""
        raise NotImplementedError


@node
class Regions(Whole):
    """For each of `count` vertices, the size of its region; true terms join the pairs of `links`."""

    terms: tuple[Term, ...]
    links: tuple[Pair, ...]
    count: int

    def components(self, row: Sequence[Value]) -> tuple[Value, ...]:
        size = _sizes(range(self.count), [link for link, held in zip(self.links, row) if held])
        return tuple(size[vertex] for vertex in range(self.count))


@node
class Inside(Whole):
    """For each of `count` faces, whether it lies inside a line; face 0 lies outside.

    The terms are the edges of the line, each between two nodes. A step (face, other face, place)
    crosses the edge at this place, or none if the place is -1. The first step to a face decides
    where it lies: beyond a true edge, on the other side. If each node has an even number of true
    edges, all other steps agree.
    """

    terms: tuple[Term, ...]
    edges: tuple[Pair, ...]
    steps: tuple[tuple[int, int, int], ...]
    count: int

    def components(self, row: Sequence[Value]) -> tuple[Value, ...]:
        side = {0: False}
        for one, other, place in self.steps:
            if other not in side:
                side[other] = side[one] != (place >= 0 and bool(row[place]))
        return tuple(side[face] for face in range(self.count))


def _sizes(vertices: Iterable[int], links: Iterable[Pair]) -> dict[int, int]:
    """Return the size of the component of each vertex."""
    components = connected_components(vertices, links)
    return {vertex: len(component) for component in components for vertex in component}
