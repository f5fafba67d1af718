"""Propagate the sizes of regions, and find the sizes that a solution has wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from puzzlekit.model import Origin, RegionSizes, Term, Value, Variable, cached_per_structure
from puzzlekit.model.graphs import DisjointSets
from puzzlekit.presolve.circuit_graph import NO, YES
from puzzlekit.presolve.domains import DomainStore, Inconsistent
from puzzlekit.presolve.structure_propagators import Flags

Sizes = frozenset[int]


class RegionSizesPropagator:
    """Sizes of regions: at least what is joined, at most what may be joined."""

    costly = True

    def __init__(self, constraint: RegionSizes, origin: Origin, domains: DomainStore) -> None:
        self.constraint = constraint
        self.origin: Origin | None = origin
        self.flags = Flags(constraint.terms[: len(constraint.links)], domains)
        self.sizes = constraint.terms[len(constraint.links) :]
        numbers = (term for term in self.sizes if isinstance(term, Variable))
        self.watched: Iterable[Variable] = dict.fromkeys((*self.flags.watched, *numbers))

    def run(self, domains: DomainStore) -> None:
        """Decide links, and remove sizes.

        A piece of joined vertices has one size. It cannot shrink, nor grow beyond what is
        reachable. An open link is false if it would make a piece too large, and true if it is the
        only way to grow.
        """
        shape, states = self.constraint, self.flags.states(domains).tolist()
        sizes = [_sizes_of(_live(term, domains)) for term in self.sizes]
        vertices = {vertex for link in shape.links for vertex in link} | {*shape.vertices}
        joined = DisjointSets[int]()
        for (one, other), state in zip(shape.links, states):
            if state == YES:
                joined.join(one, other)
        allowed: dict[int, Sizes] = {}
        for vertex, possible in zip(shape.vertices, sizes):
            root = joined.root(vertex)
            allowed[root] = allowed[root] & possible if root in allowed else possible
        most = {root: max(possible, default=0) for root, possible in allowed.items()}
        decided: dict[int, int] = {}  # the links that are decided, by place
        reachable = DisjointSets[int]()
        ways: dict[int, list[int]] = {}  # the open links that lead out of each piece
        for place, ((one, other), state) in enumerate(zip(shape.links, states)):
            if state == NO:
                continue
            one, other = joined.root(one), joined.root(other)
            if one != other:
                size = joined.size(one) + joined.size(other)
                bounds = [most[root] for root in (one, other) if root in most]
                if size > min(bounds, default=size) or (
                    len(bounds) == 2 and allowed[one].isdisjoint(allowed[other])
                ):
                    decided[place] = NO
                    continue
                ways.setdefault(one, []).append(place)
                ways.setdefault(other, []).append(place)
            reachable.join(one, other)
        for vertex in vertices:
            reachable.join(vertex, joined.root(vertex))
        for root, possible in allowed.items():
            least, largest = joined.size(root), reachable.size(root)
            allowed[root] = frozenset(size for size in possible if least <= size <= largest)
            if not allowed[root]:
                raise Inconsistent(next(iter(self.watched), None), self.origin)
            out = ways.get(root, [])
            if least not in allowed[root] and len(out) == 1:
                decided[out[0]] = YES
        for place, state in decided.items():
            self.flags.decide(place, state, domains)
        for vertex, term, possible in zip(shape.vertices, self.sizes, sizes):
            kept = allowed[joined.root(vertex)]
            if kept != possible and isinstance(term, Variable):
                domains.restrict(term, sum(domains.bit(term, size) for size in kept))


def _live(term: Term, domains: DomainStore) -> tuple[Value, ...]:
    return domains.live_values(term) if isinstance(term, Variable) else (term.value({}),)


@lru_cache(maxsize=1 << 12)
def _sizes_of(values: tuple[Value, ...]) -> Sizes:
    """Return those values that can be sizes."""
    return frozenset(value for value in values if isinstance(value, int) and value > 0)


@dataclass(frozen=True)
class SizeCut:
    """A clause: one of `no` is false, one of `yes` is true, or a size is from `low` to `high`.

    `no` and `yes` are places of links, `size` is the place of a size.
    """

    no: tuple[int, ...]
    yes: tuple[int, ...]
    size: int
    low: int
    high: int

    def sizes(self, domain: Iterable[Value]) -> list[Value]:
        """Return those of these sizes that make the clause true."""
        return [size for size in domain if isinstance(size, int) and self.low <= size <= self.high]


def wrong_sizes(
    shape: RegionSizes, holds: Callable[[int], object], sizes: Sequence[Value]
) -> Iterator[SizeCut]:
    """Yield clauses that every solution meets and these sizes violate, with the links whose places
    hold.

    If some links join more vertices than a size says, one of them is false or the size is larger.
    If a region has fewer, a link that leads out of it is true or the size is smaller. Of equal
    sizes in one region, one is enough.
    """
    links = shape.links
    beside: Mapping[int, Sequence[tuple[int, int]]] = _links_at(shape)
    seen: dict[int, set[Value]] = {}  # the sizes that were looked at in the region of each vertex
    for at, (start, size) in enumerate(zip(shape.vertices, sizes)):
        if start in seen and size in seen[start]:
            continue
        found, tree = {start: None}, []
        waiting = [start]
        for vertex in waiting:
            for place, other in beside[vertex]:
                if other not in found and holds(place):
                    found[other] = None
                    tree.append(place)
                    waiting.append(other)
        known = seen.get(start, set())
        known.add(size)
        seen.update(dict.fromkeys(found, known))
        count = len(found)
        if count > size:
            yield SizeCut(tuple(tree[: max(size, 0)]), (), at, max(size, 0) + 1, len(links) + 1)
        elif count < size:
            out = {
                place for vertex in found for place, other in beside[vertex] if other not in found
            }
            yield SizeCut((), tuple(sorted(out)), at, 0, count)


@cached_per_structure
def _links_at(shape: RegionSizes) -> Mapping[int, Sequence[tuple[int, int]]]:
    """Return the places of the links at each vertex, and the vertices at their other ends."""
    found: dict[int, list[tuple[int, int]]] = {vertex: [] for vertex in shape.vertices}
    for place, (one, other) in enumerate(shape.links):
        found.setdefault(one, []).append((place, other))
        found.setdefault(other, []).append((place, one))
    return found
