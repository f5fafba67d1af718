"""Instances of shapes: connectedness, loops, forests. What they entail is found by walks over the board, in linear time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np

from puzzlekit.backends.sat import LiteralShape
from puzzlekit.model import Acyclic, Circuit, Connected, Origin, pieces
from puzzlekit.reasons.instances import Deduction, Held, Instance, Known
from puzzlekit.reasons.literals import FALSE, TRUE
from puzzlekit.sentences.steps import GraphReason

YES, OPEN, NO = 1, 0, -1  # what is known of a flag
Arcs = dict[
    int, list[tuple[int, int]]
]  # by vertex the edges at it: each with its place, and the vertex beyond


class ShapeInstance(Instance):
    """A shape over flags, which are literals of the puzzle."""

    shape = True

    def __init__(
        self, number: int, origins: tuple[Origin, ...], selector: int, flags: Sequence[int]
    ) -> None:
        super().__init__(
            number,
            origins,
            selector,
            tuple(dict.fromkeys(abs(one) for one in flags if abs(one) != TRUE)),
        )
        self.flags = list(flags)
        self._numbers = np.abs(np.array(self.flags, dtype=np.int64))
        self._positive = np.array(self.flags) > 0

    def states(self, known: Known) -> list[int]:
        """Return what is known of each flag."""
        return [
            YES if one in known or one == TRUE else NO if -one in known or one == FALSE else OPEN
            for one in self.flags
        ]

    def true(self, held: Held) -> list[int]:
        """Return the places of the true flags of a model."""
        return np.flatnonzero(held[self._numbers] == self._positive).tolist()

    def reasons(self, yes: Iterable[int] = (), no: Iterable[int] = ()) -> tuple[int, ...]:
        """Return the facts that these flags are true, and those false; constants need no reason."""
        facts = (*(self.flags[place] for place in yes), *(-self.flags[place] for place in no))
        return tuple(dict.fromkeys(one for one in facts if one != TRUE))


class ConnectedInstance(ShapeInstance):
    """The true flags are connected."""

    def __init__(
        self,
        number: int,
        origins: tuple[Origin, ...],
        selector: int,
        flags: Sequence[int],
        shape: Connected,
    ) -> None:
        super().__init__(number, origins, selector, flags)
        self._violated = LiteralShape(shape, self.flags)
        self.near: list[list[int]] = [[] for _ in self.flags]
        for one, other in shape.links:
            self.near[one].append(other)
            self.near[other].append(one)

    def cuts(self, held: Held) -> Iterator[list[int]]:
        return ([one for one in cut if one != FALSE] for cut in self._violated.cuts(held))

    def deductions(self, known: Known, told: Collection[int] = ()) -> Iterator[Deduction]:
        """Yield what is cut off, and what true flags must pass to meet."""
        states = self.states(known)
        true = [place for place, state in enumerate(states) if state == YES]
        if not true:
            return
        parts = self._parts(states)
        main = next(part for part in parts if true[0] in part)
        for part in parts:
            if part is main:
                continue
            here = next((place for place in sorted(part) if states[place] == YES), None)
            least = min((part, main), key=len)
            around = self._around(least)
            if here is not None:
                yield Deduction((), self.reasons((true[0], here), around), GraphReason.CANNOT_MEET)
                return
            cut = tuple(-self.flags[place] for place in sorted(part))
            yield Deduction(cut, self.reasons((true[0],), around), GraphReason.CUT_OFF)
        if len(true) > 1:
            yield from self._passed(states, true, main)

    def _parts(self, states: Sequence[int]) -> list[set[int]]:
        """Return the connected parts of the flags that may be true."""
        found: list[set[int]] = []
        seen: set[int] = set()
        for start, state in enumerate(states):
            if state != NO and start not in seen:
                part = self._side(start, states)
                seen |= part
                found.append(part)
        return found

    def _side(self, start: int, states: Sequence[int], without: int = -1) -> set[int]:
        """Return what can be reached from a flag, but not through another one."""
        side, waiting = {start}, [start]
        while waiting:
            for place in self.near[waiting.pop()]:
                if states[place] != NO and place != without and place not in side:
                    side.add(place)
                    waiting.append(place)
        return side

    def _around(self, part: set[int], without: int = -1) -> list[int]:
        """Return the flags beside a part."""
        return sorted(
            {
                place
                for own in part
                for place in self.near[own]
                if place not in part and place != without
            }
        )

    def _passed(
        self, states: Sequence[int], true: Sequence[int], main: set[int]
    ) -> Iterator[Deduction]:
        """Yield the open flags without which true ones would be apart."""
        for place, beyond in cut_vertices(true[0], self.near, states):
            side = self._side(beyond, states, place)
            here = next(other for other in sorted(side) if states[other] == YES)
            there = next(other for other in true if other not in side)
            least = min((side, main - side - {place}), key=len)
            reasons = self.reasons((here, there), self._around(least, place))
            yield Deduction((self.flags[place],), reasons, GraphReason.PASSED)


def cut_vertices(
    root: int, near: Sequence[Sequence[int]], states: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the open places without which some true ones cannot be reached from a true one, each with a place beyond."""
    low = {root: 0}
    order = {root: 0}
    true = {root: 1}
    above = {root: root}
    stack = [(root, iter(near[root]))]
    found = []
    while stack:
        place, others = stack[-1]
        for other in others:
            if states[other] == NO:
                continue
            if other not in order:
                above[other], order[other], low[other] = place, len(order), len(order)
                true[other] = int(states[other] == YES)
                stack.append((other, iter(near[other])))
                break
            if other != above[place]:
                low[place] = min(low[place], order[other])
        else:
            stack.pop()
            up = above[place]
            if place != root:
                low[up] = min(low[up], low[place])
                true[up] += true[place]
                if low[place] >= order[up] and up != root and states[up] == OPEN and true[place]:
                    found.append((up, place))
    return found


class EdgesInstance(ShapeInstance):
    """A shape of edges between vertices."""

    def __init__(
        self,
        number: int,
        origins: tuple[Origin, ...],
        selector: int,
        flags: Sequence[int],
        shape: Circuit | Acyclic,
    ) -> None:
        super().__init__(number, origins, selector, flags)
        self.edges = shape.edges

    def arcs(self, places: Iterable[int]) -> Arcs:
        """Return the edges at each vertex, of those at these places."""
        found: Arcs = defaultdict(list)
        for place in places:
            one, other = self.edges[place]
            found[one].append((place, other))
            found[other].append((place, one))
        return found


class CircuitInstance(EdgesInstance):
    """The true edges are one loop, where each vertex has none or two, which are instances of their own."""

    def cuts(self, held: Held) -> Iterator[list[int]]:
        true = self.true(held)
        if not true:
            yield [one for one in self.flags if one != FALSE]
            return
        found = pieces(
            dict.fromkeys(vertex for place in true for vertex in self.edges[place]),
            [self.edges[p] for p in true],
        )
        if len(found) == 1:
            return
        members = [
            next(place for place in true if self.edges[place][0] in piece) for piece in found
        ]
        for piece, member, other in zip(found, members, (*members[1:], members[0])):
            out = [
                flag
                for flag, (one, two) in zip(self.flags, self.edges)
                if (one in piece) != (two in piece) and flag != FALSE
            ]
            yield [-self.flags[member], -self.flags[other], *out]

    def deductions(self, known: Known, told: Collection[int] = ()) -> Iterator[Deduction]:
        """Yield the edges that would close a small loop, lead to a dead end, or are cut off from the loop."""
        states = self.states(known)
        true = [place for place, state in enumerate(states) if state == YES]
        yield from self._closing(states, true)
        possible = [place for place, state in enumerate(states) if state != NO]
        arcs = self.arcs(possible)
        for place, side in bridges(arcs, self.edges):
            if len(side) == 1:
                continue  # the number of lines at the vertex says so, too
            border = self._border(side, place)
            if states[place] == YES:
                yield Deduction((), self.reasons((place,), border), GraphReason.LEADS_TO_DEAD_END)
                return
            yield Deduction(
                (-self.flags[place],), self.reasons((), border), GraphReason.WOULD_LEAD_TO_DEAD_END
            )
        yield from self._cut_off(states, true, arcs)

    def _border(self, side: set[int], without: int = -1) -> list[int]:
        """Return the edges between vertices and all others."""
        return [
            p
            for p, (one, other) in enumerate(self.edges)
            if (one in side) != (other in side) and p != without
        ]

    def _closing(self, states: Sequence[int], true: Sequence[int]) -> Iterator[Deduction]:
        arcs = self.arcs(true)
        for piece in pieces(arcs, [self.edges[place] for place in true]):
            if all(len(arcs[vertex]) == 2 for vertex in piece):
                loop = [place for place in true if self.edges[place][0] in piece]
                outside = next((place for place in true if self.edges[place][0] not in piece), None)
                if outside is not None:
                    yield Deduction(
                        (), self.reasons((*loop, outside)), GraphReason.CLOSES_SMALL_LOOP
                    )
                elif rest := tuple(
                    -self.flags[place] for place, state in enumerate(states) if state == OPEN
                ):
                    yield Deduction(rest, self.reasons(loop), GraphReason.LOOP_IS_CLOSED)
                return
        ends: dict[int, tuple[int, list[int]]] = {}
        for start, at in arcs.items():
            if len(at) == 1 and start not in ends:
                path, vertex, last = [], start, -1
                while onward := [
                    (place, beyond) for place, beyond in arcs[vertex] if place != last
                ]:
                    (last, vertex), *more = onward
                    path.append(last)
                    if more or len(path) > len(true):
                        break
                ends[start], ends[vertex] = (vertex, path), (start, path)
        for place, state in enumerate(states):
            one, other = self.edges[place]
            if (
                state == OPEN
                and one in ends
                and ends[one][0] == other
                and len(ends[one][1]) < len(true)
            ):
                path = ends[one][1]
                outside = next(p for p in true if p not in {*path})
                yield Deduction(
                    (-self.flags[place],),
                    self.reasons((*path, outside)),
                    GraphReason.WOULD_CLOSE_SMALL_LOOP,
                )

    def _cut_off(
        self, states: Sequence[int], true: Sequence[int], arcs: Arcs
    ) -> Iterator[Deduction]:
        if not true:
            return
        parts = pieces(
            arcs, [self.edges[place] for place, state in enumerate(states) if state != NO]
        )
        parts.sort(key=min)
        main = next(part for part in parts if self.edges[true[0]][0] in part)
        for part in parts:
            if part is main:
                continue
            inside = [
                p for p, state in enumerate(states) if state != NO and self.edges[p][0] in part
            ]
            border = self._border(min((part, main), key=len))
            here = next((place for place in inside if states[place] == YES), None)
            if here is not None:
                yield Deduction((), self.reasons((true[0], here), border), GraphReason.CANNOT_MEET)
                return
            if inside:
                cut = tuple(-self.flags[place] for place in inside)
                yield Deduction(cut, self.reasons((true[0],), border), GraphReason.CUT_OFF)


def bridges(arcs: Arcs, edges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, set[int]]]:
    """Yield the edges that lie on no loop, each with the vertices on one side of it."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    for root in sorted(arcs):
        if root in order:
            continue
        order[root] = low[root] = len(order)
        stack = [(root, -1, iter(arcs[root]))]
        reached = [root]  # in the order of the walk: what is beyond a bridge stands together
        while stack:
            vertex, came, at = stack[-1]
            for place, beyond in at:
                if place == came:
                    continue
                if beyond not in order:
                    order[beyond] = low[beyond] = len(order)
                    reached.append(beyond)
                    stack.append((beyond, place, iter(arcs[beyond])))
                    break
                low[vertex] = min(low[vertex], order[beyond])
            else:
                stack.pop()
                if stack:
                    up = stack[-1][0]
                    low[up] = min(low[up], low[vertex])
                    if low[vertex] > order[up]:
                        yield came, {other for other in reached if order[other] >= order[vertex]}


class AcyclicInstance(EdgesInstance):
    """The true edges have no loop."""

    def __init__(
        self,
        number: int,
        origins: tuple[Origin, ...],
        selector: int,
        flags: Sequence[int],
        shape: Acyclic,
    ) -> None:
        super().__init__(number, origins, selector, flags, shape)
        self._violated = LiteralShape(shape, self.flags)

    def cuts(self, held: Held) -> Iterator[list[int]]:
        return ([one for one in cut if one != FALSE] for cut in self._violated.cuts(held))

    def deductions(self, known: Known, told: Collection[int] = ()) -> Iterator[Deduction]:
        """Yield the edges that would close a loop."""
        states = self.states(known)
        arcs = self.arcs(place for place, state in enumerate(states) if state == YES)
        for place, state in enumerate(states):
            one, other = self.edges[place]
            if state == NO or one not in arcs:
                continue
            path = self._path(arcs, one, other, place)
            if path is None:
                continue
            if state == YES:
                yield Deduction((), self.reasons((*path, place)), GraphReason.CLOSE_LOOP)
                return
            yield Deduction((-self.flags[place],), self.reasons(path), GraphReason.WOULD_CLOSE_LOOP)

    def _path(self, arcs: Arcs, start: int, goal: int, without: int) -> list[int] | None:
        came: dict[int, tuple[int, int]] = {start: (start, -1)}
        waiting = [start]
        for vertex in waiting:
            if vertex == goal:
                path = []
                while vertex != start:
                    vertex, place = came[vertex]
                    path.append(place)
                return path
            for place, beyond in arcs.get(vertex, ()):
                if beyond not in came and place != without:
                    came[beyond] = vertex, place
                    waiting.append(beyond)
        return None
