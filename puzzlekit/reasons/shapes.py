"""Instances of shapes: connectedness, loops, forests. What they entail is found by walks over the
board, in linear time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import numpy as np

from puzzlekit.backends.sat import LiteralShape
from puzzlekit.model import Acyclic, Circuit, Connected, Origin, connected_components
from puzzlekit.model.graphs import Arcs, DepthFirstTree, reachable, shortest_path
from puzzlekit.reasons.instances import GroundRule, TruthValues, Inference, Trail
from puzzlekit.reasons.literals import FALSE, TRUE
from puzzlekit.sentences.steps import GraphReason

YES, OPEN, NO = 1, 0, -1  # what is known of a flag


class ShapeInstance(GroundRule):
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

    def states(self, trail: Trail) -> list[int]:
        """Return what is known of each flag."""
        return [
            YES if one in trail or one == TRUE else NO if -one in trail or one == FALSE else OPEN
            for one in self.flags
        ]

    def true_flags(self, truth: TruthValues) -> list[int]:
        """Return the places of the true flags of a model."""
        return np.flatnonzero(truth[self._numbers] == self._positive).tolist()

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
        self.links = shape.links
        self.neighbours: list[list[int]] = [[] for _ in self.flags]
        for one, other in shape.links:
            self.neighbours[one].append(other)
            self.neighbours[other].append(one)

    def cuts(self, held: TruthValues) -> Iterator[list[int]]:
        return ([one for one in cut if one != FALSE] for cut in self._violated.cuts(held))

    def deductions(self, known: Trail, told: Collection[int] = ()) -> Iterator[Inference]:
        """Yield what is cut off, and what true flags must pass to meet."""
        states = self.states(known)
        true = [place for place, state in enumerate(states) if state == YES]
        if not true:
            return
        parts = self._components(states)
        main = next(part for part in parts if true[0] in part)
        for part in parts:
            if part is main:
                continue
            here = next((place for place in sorted(part) if states[place] == YES), None)
            least = min((part, main), key=len)
            around = self._around(least)
            if here is not None:
                yield Inference((), self.reasons((true[0], here), around), GraphReason.CANNOT_MEET)
                return
            cut = tuple(-self.flags[place] for place in sorted(part))
            yield Inference(cut, self.reasons((true[0],), around), GraphReason.CUT_OFF)
        if len(true) > 1:
            yield from self._passed(states, true, main)

    def _components(self, states: Sequence[int]) -> list[set[int]]:
        """Return the connected components of the flags that may be true."""
        possible = [flag for flag, state in enumerate(states) if state != NO]
        return connected_components(possible, self.links)

    def _possible_neighbours(
        self, states: Sequence[int], without: int = -1
    ) -> Callable[[int], list[int]]:
        """Return a function from a flag to its neighbours that may be true, one flag left out."""
        return lambda flag: [
            near for near in self.neighbours[flag] if states[near] != NO and near != without
        ]

    def _around(self, part: set[int], without: int = -1) -> list[int]:
        """Return the flags beside a part."""
        return sorted(
            {
                place
                for own in part
                for place in self.neighbours[own]
                if place not in part and place != without
            }
        )

    def _passed(
        self, states: Sequence[int], true: Sequence[int], main: set[int]
    ) -> Iterator[Inference]:
        """Yield the open flags without which true ones would be apart."""
        tree = DepthFirstTree(true[0], self._possible_neighbours(states))
        for place, beyond in tree.articulation_points(frozenset(true)):
            if states[place] != OPEN:
                continue
            side = reachable(beyond, self._possible_neighbours(states, without=place))
            here = next(other for other in sorted(side) if states[other] == YES)
            there = next(other for other in true if other not in side)
            least = min((side, main - side - {place}), key=len)
            reasons = self.reasons((here, there), self._around(least, place))
            yield Inference((self.flags[place],), reasons, GraphReason.PASSED)


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

    def arcs(self, places: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
        """Return the edges at each vertex, of those at these places, each with its other end."""
        found = defaultdict[int, list[tuple[int, int]]](list)
        for place in places:
            one, other = self.edges[place]
            found[one].append((place, other))
            found[other].append((place, one))
        return found


class CircuitInstance(EdgesInstance):
    """The true edges are one loop, where each vertex has none or two, which are instances of their
    own.
    """

    def cuts(self, held: TruthValues) -> Iterator[list[int]]:
        true = self.true_flags(held)
        if not true:
            yield [one for one in self.flags if one != FALSE]
            return
        found = connected_components(
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

    def deductions(self, known: Trail, told: Collection[int] = ()) -> Iterator[Inference]:
        """Yield the edges that would close a small loop, lead to a dead end, or are cut off from
        the loop.
        """
        states = self.states(known)
        true = [place for place, state in enumerate(states) if state == YES]
        yield from self._closing(states, true)
        possible = [place for place, state in enumerate(states) if state != NO]
        arcs = self.arcs(possible)
        for place, side in _bridges(arcs):
            if len(side) == 1:
                continue  # the number of lines at the vertex says so, too
            border = self._border(side, place)
            if states[place] == YES:
                yield Inference((), self.reasons((place,), border), GraphReason.LEADS_TO_DEAD_END)
                return
            yield Inference(
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

    def _closing(self, states: Sequence[int], true: Sequence[int]) -> Iterator[Inference]:
        arcs = self.arcs(true)
        for piece in connected_components(arcs, [self.edges[place] for place in true]):
            if all(len(arcs[vertex]) == 2 for vertex in piece):
                loop = [place for place in true if self.edges[place][0] in piece]
                outside = next((place for place in true if self.edges[place][0] not in piece), None)
                if outside is not None:
                    yield Inference(
                        (), self.reasons((*loop, outside)), GraphReason.CLOSES_SMALL_LOOP
                    )
                elif rest := tuple(
                    -self.flags[place] for place, state in enumerate(states) if state == OPEN
                ):
                    yield Inference(rest, self.reasons(loop), GraphReason.LOOP_IS_CLOSED)
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
                yield Inference(
                    (-self.flags[place],),
                    self.reasons((*path, outside)),
                    GraphReason.WOULD_CLOSE_SMALL_LOOP,
                )

    def _cut_off(
        self, states: Sequence[int], true: Sequence[int], arcs: Arcs
    ) -> Iterator[Inference]:
        if not true:
            return
        parts = connected_components(
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
                yield Inference((), self.reasons((true[0], here), border), GraphReason.CANNOT_MEET)
                return
            if inside:
                cut = tuple(-self.flags[place] for place in inside)
                yield Inference(cut, self.reasons((true[0],), border), GraphReason.CUT_OFF)


def _bridges(arcs: Arcs) -> Iterator[tuple[int, set[int]]]:
    """Yield the edges that lie on no cycle, each with the vertices on one side of it."""
    visited: set[int] = set()
    for root in sorted(arcs):
        if root in visited:
            continue
        tree = DepthFirstTree(root, lambda vertex: [end for _, end in arcs[vertex]])
        visited.update(tree.preorder)
        for above, below, subtree in tree.bridges():
            edge = next(edge for edge, end in arcs[below] if end == above)
            yield edge, set(subtree)


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

    def cuts(self, held: TruthValues) -> Iterator[list[int]]:
        return ([one for one in cut if one != FALSE] for cut in self._violated.cuts(held))

    def deductions(self, known: Trail, told: Collection[int] = ()) -> Iterator[Inference]:
        """Yield the edges that would close a loop."""
        states = self.states(known)
        arcs = self.arcs(place for place, state in enumerate(states) if state == YES)
        for place, state in enumerate(states):
            one, other = self.edges[place]
            if state == NO or one not in arcs:
                continue
            path = shortest_path(arcs, one, other, place)
            if path is None:
                continue
            if state == YES:
                yield Inference((), self.reasons((*path, place)), GraphReason.CLOSE_LOOP)
                return
            yield Inference((-self.flags[place],), self.reasons(path), GraphReason.WOULD_CLOSE_LOOP)
