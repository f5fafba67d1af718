"""Propagate the sizes of regions, and find the sizes that a solution has wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from puzzlekit.dataclass import dataclass
from puzzlekit.model import (
    DisjointSets,
    Origin,
    RegionSizes,
    Term,
    Value,
    Variable,
    cached_per_structure,
)
from puzzlekit.presolve.circuit_graph import NO, YES
from puzzlekit.presolve.domains import DomainStore, Inconsistent
from puzzlekit.presolve.structure_propagators import Flags

Sizes = frozenset[int]
LinksAt = Mapping[int, Sequence[tuple[int, int]]]  # by vertex: each link, with its opposite end


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
        states = self.flags.states(domains).tolist()
        sizes = [_sizes_of(_live(term, domains)) for term in self.sizes]
        pieces = _Pieces(self.constraint, states, sizes)
        pieces.inspect_links(states)
        for root, allowed in pieces.allowed.items():
            if not pieces.bound(root, allowed):
                raise Inconsistent(next(iter(self.watched), None), self.origin)
        for link, state in pieces.decided.items():
            self.flags.decide(link, state, domains)
        for vertex, term, possible in zip(self.constraint.vertices, self.sizes, sizes):
            root = pieces.joined.root(vertex)
            remaining = pieces.allowed[root]
            if remaining != possible and isinstance(term, Variable):
                mask = sum([domains.bit(term, size) for size in remaining])
                domains.restrict(term, mask)


class _Pieces:
    """The pieces of vertices that true links join, each known by its root.

    Attributes:
        joined: The vertices that true links join.
        reachable: The vertices that links which may be true join.
        allowed: The sizes that are allowed for a piece.
        exits: The open links that lead out of each piece.
        decided: The links that are decided, with their states.
    """

    def __init__(
        self, constraint: RegionSizes, states: Sequence[int], sizes: Sequence[Sizes]
    ) -> None:
        self.constraint = constraint
        self.joined = DisjointSets[int]()
        self.reachable = DisjointSets[int]()
        self.allowed: dict[int, Sizes] = {}
        self.exits: dict[int, list[int]] = {}
        self.decided: dict[int, int] = {}
        for (tail, head), state in zip(constraint.links, states):
            if state == YES:
                self.joined.join(tail, head)
        for vertex, possible in zip(constraint.vertices, sizes):
            root = self.joined.root(vertex)
            before = self.allowed.get(root)
            self.allowed[root] = possible if before is None else before & possible

    def inspect_links(self, states: Sequence[int]) -> None:
        """Decide links that would make a piece too large; note where the open ones lead."""
        links = self.constraint.links
        joined, reachable = self.joined, self.reachable
        most = {root: max(allowed, default=0) for root, allowed in self.allowed.items()}
        for link, ((tail, head), state) in enumerate(zip(links, states)):
            if state == NO:
                continue
            first = joined.root(tail)
            second = joined.root(head)
            if first != second:
                if self._exceeds(first, second, most):
                    self.decided[link] = NO
                    continue
                self.exits.setdefault(first, []).append(link)
                self.exits.setdefault(second, []).append(link)
            reachable.join(first, second)
        linked = {vertex for link in links for vertex in link}
        for vertex in linked.union(self.constraint.vertices):
            reachable.join(vertex, joined.root(vertex))

    def _exceeds(self, first: int, second: int, most: Mapping[int, int]) -> bool:
        """Return whether two pieces cannot be one: they are too large, or have no common size."""
        bounds = [most[root] for root in (first, second) if root in most]
        size = self.joined.size(first) + self.joined.size(second)
        if size > min(bounds, default=size):
            return True
        return len(bounds) == 2 and self.allowed[first].isdisjoint(self.allowed[second])

    def bound(self, root: int, allowed: Sizes) -> bool:
        """Bound the sizes of a piece, and decide its only exit; return whether a size remains."""
        least = self.joined.size(root)
        largest = self.reachable.size(root)
        remaining = frozenset([size for size in allowed if least <= size <= largest])
        self.allowed[root] = remaining
        exits = self.exits.get(root, [])
        if least not in remaining and len(exits) == 1:
            self.decided[exits[0]] = YES
        return bool(remaining)


def _live(term: Term, domains: DomainStore) -> tuple[Value, ...]:
    if isinstance(term, Variable):
        return domains.live_values(term)
    return (term.value({}),)


@lru_cache(maxsize=1 << 12)
def _sizes_of(values: tuple[Value, ...]) -> Sizes:
    """Return those values that can be sizes."""
    return frozenset(value for value in values if isinstance(value, int) and value > 0)


@dataclass(frozen=True)
class SizeCut:
    """A clause: one of `no` is false, one of `yes` is true, or a size is from `low` to `high`.

    `no` and `yes` are indices of links, `size` is the index of a size.
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
    shape: RegionSizes, is_true: Callable[[int], object], sizes: Sequence[Value]
) -> Iterator[SizeCut]:
    """Yield clauses that every solution meets and these sizes violate.

    If some links join more vertices than a size says, one of them is false or the size is larger.
    If a region has fewer, a link that leads out of it is true or the size is smaller. Of equal
    sizes in one region, one is enough.

    Args:
        shape: The constraint.
        is_true: Returns whether the link with this index is true.
        sizes: The values of the sizes.
    """
    links_at = _links_at(shape)
    largest = len(shape.links) + 1
    inspected: dict[int, set[Value]] = {}  # the sizes that were inspected, by vertex of a region
    for index, (start, size) in enumerate(zip(shape.vertices, sizes)):
        if size in inspected.get(start, ()):
            continue
        region, tree = _region(start, links_at, is_true)
        region_sizes = inspected.get(start, set())
        region_sizes.add(size)
        inspected.update(dict.fromkeys(region, region_sizes))
        count = len(region)
        if count > size:
            least = max(size, 0)
            joining = tuple(tree[:least])
            yield SizeCut(joining, (), index, least + 1, largest)
        elif count < size:
            exits = _exits(region, links_at)
            yield SizeCut((), tuple(exits), index, 0, count)


def _region(
    start: int, links_at: LinksAt, is_true: Callable[[int], object]
) -> tuple[dict[int, None], list[int]]:
    """Return the vertices that true links join to `start`, and links that reach each of them."""
    region: dict[int, None] = {start: None}
    tree = []
    waiting = [start]
    for vertex in waiting:
        for link, neighbour in links_at[vertex]:
            if neighbour not in region and is_true(link):
                region[neighbour] = None
                tree.append(link)
                waiting.append(neighbour)
    return region, tree


def _exits(region: Mapping[int, None], links_at: LinksAt) -> list[int]:
    """Return the links that lead out of a region, in order."""
    exits = set()
    for vertex in region:
        for link, neighbour in links_at[vertex]:
            if neighbour not in region:
                exits.add(link)
    return sorted(exits)


@cached_per_structure
def _links_at(shape: RegionSizes) -> LinksAt:
    """Return the links at each vertex, by index, each with the vertex at its opposite end."""
    links_at: dict[int, list[tuple[int, int]]] = {}
    for vertex in shape.vertices:
        links_at[vertex] = []
    for link, (tail, head) in enumerate(shape.links):
        links_at.setdefault(tail, []).append((link, head))
        links_at.setdefault(head, []).append((link, tail))
    return links_at
