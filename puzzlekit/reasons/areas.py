"""Areas that need some number of cells: how far they reach, and through which cells.

A connected area of true flags that a card counts, such as an island with a number, has only so many
cells left beyond those that it has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf

from puzzlekit.dataclass import dataclass
from puzzlekit.model import connected_components
from puzzlekit.reasons.deductions import Card
from puzzlekit.reasons.instances import Area, GroundRule, Inference, Trail, shrink
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.shapes import NO, OPEN, YES, ConnectedInstance
from puzzlekit.sentences import GraphReason

Neighbours = Sequence[Sequence[int]]  # by vertex


class Growth:
    """How an area can grow.

    Attributes:
        neighbours: The neighbours of each vertex.
        open: The vertices that it may take.
    """

    def __init__(
        self,
        neighbours: Neighbours,
        open_vertices: Collection[int],
        groups: Iterable[frozenset[int]],
        are_counted: bool = False,
    ) -> None:
        """Prepare to grow.

        Args:
            neighbours: The neighbours of each vertex.
            open_vertices: The vertices that it may take.
            groups: The sets of joined vertices that have what the area has.
            are_counted: Whether these are counted among the vertices that it needs.
        """
        self.neighbours, self.open = neighbours, open_vertices
        self._are_counted = are_counted
        self._adjacent: dict[int, list[frozenset[int]]] = {}
        for group in groups:
            ends = {end for member in group for end in neighbours[member]}
            for vertex in ends - group:
                self._adjacent.setdefault(vertex, []).append(group)

    def adjacent_groups(self, vertex: int) -> Sequence[frozenset[int]]:
        """Return the groups that a vertex would join."""
        return self._adjacent.get(vertex, ())

    def reach(
        self, base: Iterable[int], most: int, enough: float = inf, without: int = -1
    ) -> Reach:
        """Return what an area can reach with so many further vertices at most.

        It is a search by costs, as Dijkstra's of 1959: a vertex costs one, and each group that it
        joins costs its vertices, unless the group was reached before.

        Args:
            base: The vertices that it has.
            most: How many further ones there can be.
            enough: How many it needs to reach; it need not be looked for more.
            without: A vertex that it does not take.
        """
        costs = dict.fromkeys(base, 0)
        by_cost: list[list[int]] = [[] for _ in range(most + 1)]
        by_cost[0] += costs
        far: set[int] = set()
        for cost, vertices in enumerate(by_cost):
            for vertex in vertices:
                for neighbour in self.neighbours[vertex]:
                    if neighbour in costs or neighbour == without:
                        continue
                    if neighbour not in self.open:
                        continue
                    entered = {neighbour}
                    for group in self.adjacent_groups(neighbour):
                        if group.isdisjoint(costs):
                            entered |= group
                    total = cost + 1
                    if self._are_counted:
                        total = cost + len(entered)
                    if total > most:
                        far.add(neighbour)
                        continue
                    costs.update(dict.fromkeys(entered, total))
                    by_cost[total] += entered
                if len(costs) >= enough:
                    return Reach(costs, far)
        return Reach(costs, far.difference(costs))


@dataclass(frozen=True)
class Reach:
    """What an area can reach.

    Attributes:
        costs: By vertex in reach, the fewest further vertices that the area needs to have it.
        far: The vertices beside these that it may take and that are too far away.
    """

    costs: Mapping[int, int]
    far: Collection[int]

    def needed(self, vertices: Iterable[int], size: int) -> list[int]:
        """Return those of some vertices without which there may be less than a size in reach.

        Whatever costs no more than a vertex is in reach without it.
        """
        within: dict[int, int] = {}  # by cost, how many vertices cost no more
        total = 0
        numbers = Counter(self.costs.values())
        for cost in sorted(numbers):
            total += numbers[cost]
            within[cost] = total
        return [each for each in vertices if within[self.costs[each]] <= size]

    def border(self, neighbours: Neighbours) -> list[int]:
        """Return the vertices beside those in reach that the area cannot take."""
        adjacent = {end for vertex in self.costs for end in neighbours[vertex]}
        return sorted(adjacent.difference(self.costs, self.far))


class CountedArea:
    """A connected area of which a card counts the cells."""

    def __init__(self, instance: ConnectedInstance, card: Card) -> None:
        self.instance, self.card = instance, card
        self.instances: tuple[GroundRule, ...] = (instance, *card.instances)
        self.numbers = frozenset(instance.scope)

    @classmethod
    def of(cls, instance: ConnectedInstance, cards: Iterable[Card]) -> CountedArea | None:
        """Return the area of an instance; None if no card counts its cells."""
        literals = set(instance.flags)
        if len(literals) < len(instance.flags) or TRUE in literals:
            return None
        for card in cards:
            if not card.low or len(card.instances) != 1:
                continue
            if literals == set(card.literals):
                return cls(instance, card)
        return None

    def inferences(self, trail: Trail) -> Iterator[Inference]:
        """Yield what is out of reach, and what the area needs to have room."""
        states = self.instance.states(trail)
        true = [flag for flag, state in enumerate(states) if state == YES]
        if true and len(true) < self.card.high:
            yield from self._of_reach(states, true)

    def _of_reach(self, states: Sequence[int], true: Sequence[int]) -> Iterator[Inference]:
        flags, neighbours = self.instance.flags, self.instance.neighbours
        open_flags = {flag for flag, state in enumerate(states) if state == OPEN}
        pieces = connected_components(true, self.instance.links)
        base = next(piece for piece in pieces if true[0] in piece)
        growth = Growth(neighbours, open_flags, map(frozenset, pieces))
        most = self.card.high - len(true)
        reach = growth.reach(base, most)
        if not reach.costs.keys() >= set(true):
            return  # a part of it is cut off
        reasons = self._reasons(reach, states, true)
        facts = tuple(flags[flag] for flag in true)
        area = Area(facts, self.card.low, len(reach.costs), self.instances[1])
        if area.room < area.size:
            yield Inference((), reasons, GraphReason.ROOM, area)
            return
        outside = sorted(open_flags.difference(reach.costs))
        if outside:
            literals = tuple(-flags[flag] for flag in outside)
            lengths = partial(self._lengths, growth, base, len(true))
            with_lengths = replace(area, lengths=lengths)
            yield Inference(literals, reasons, GraphReason.TOO_FAR, with_lengths)
        inside = sorted(open_flags.intersection(reach.costs))
        if area.room == area.size:
            literals = tuple(flags[flag] for flag in inside)
            if literals:
                yield Inference(literals, reasons, GraphReason.ROOM, area)
            return
        for flag in reach.needed(inside, area.size):
            without = growth.reach(base, most, area.size, flag)
            room = len(without.costs)
            if room >= area.size:
                continue
            smaller = replace(area, room=room)
            literals = (flags[flag],)
            border = self._closed_border(without, states)
            if without.far or not self._fits_elsewhere(without, [*border, flag]):
                reasons = self._reasons(without, states, true, flag)
                yield Inference(literals, reasons, GraphReason.ROOM, smaller)
            else:
                if room < area.size - 1:
                    border = self._shrunk(border, true[0], flag)
                reasons = self.instance.reasons(true[:1], border)
                yield Inference(literals, reasons, GraphReason.ROOM, smaller, is_minimal=True)

    def _lengths(self, growth: Growth, base: Iterable[int], size: int) -> dict[int, int]:
        """Return by literal how many cells an area of a size would have with that cell."""
        flags = self.instance.flags
        costs = growth.reach(base, len(flags)).costs
        return {flags[flag]: size + cost for flag, cost in costs.items()}

    def _fits_elsewhere(self, reach: Reach, closed: Collection[int]) -> bool:
        """Return whether the area would have room somewhere else, if nothing was known but that
        some flags are false.
        """
        flags = range(len(self.instance.flags))
        outside = set(flags).difference(reach.costs, closed)
        components = connected_components(outside, self.instance.links)
        return any(len(component) >= self.card.low for component in components)

    def _closed_border(self, reach: Reach, states: Sequence[int]) -> list[int]:
        """Return the flags beside those in reach that are false."""
        border = reach.border(self.instance.neighbours)
        return [flag for flag in border if states[flag] == NO]

    def _shrunk(self, border: Sequence[int], start: int, without: int) -> list[int]:
        """Return those flags of a border that leave too little room, where nothing else is known
        but where the area begins; none of them can be left out.
        """

        def enough(closed: Sequence[int]) -> bool:
            is_open = set(range(len(self.instance.flags))).difference(closed)
            growth = Growth(self.instance.neighbours, is_open, ())
            reach = growth.reach([start], self.card.low, self.card.low, without)
            return len(reach.costs) < self.card.low

        return shrink(border, enough)

    def _reasons(
        self, reach: Reach, states: Sequence[int], true: Sequence[int], without: int = -1
    ) -> tuple[int, ...]:
        """Return why an area reaches no more: what it has if this is a matter of distance."""
        border = self._closed_border(reach, states)
        needed = true if reach.far else true[:1]
        return self.instance.reasons(needed, (flag for flag in border if flag != without))
