"""Instances of shapes: connectedness, loops, forests. What they entail is found by walks over the
board, in linear time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import numpy as np

from puzzlekit.backends import LiteralShape
from puzzlekit.model import (
    Acyclic,
    Arcs,
    Circuit,
    Connected,
    DepthFirstTree,
    Origin,
    connected_components,
    reachable,
    shortest_path,
)
from puzzlekit.reasons.instances import Area, GroundRule, Inference, Trail, TruthValues
from puzzlekit.reasons.literals import FALSE, TRUE
from puzzlekit.sentences import GraphReason

YES, OPEN, NO = 1, 0, -1  # the state of a flag

Path = tuple[int, list[int]]  # the vertex at the end of a path, and the edges of the path


class ShapeInstance(GroundRule):
    """A shape over flags, which are literals of the puzzle."""

    shape = True

    def __init__(
        self, number: int, origins: tuple[Origin, ...], selector: int, flags: Sequence[int]
    ) -> None:
        numbers = dict.fromkeys(map(abs, flags))
        numbers.pop(TRUE, None)
        super().__init__(number, origins, selector, tuple(numbers))
        self.flags = list(flags)
        self._numbers = np.abs(np.array(self.flags, dtype=np.int64))
        self._positive = np.array(self.flags) > 0

    def states(self, trail: Trail) -> list[int]:
        """Return whether each flag is true, false or open."""
        states = []
        for flag in self.flags:
            if flag in trail or flag == TRUE:
                states.append(YES)
            elif -flag in trail or flag == FALSE:
                states.append(NO)
            else:
                states.append(OPEN)
        return states

    def first_preferences(self) -> Iterable[int]:
        """Return the literals that a search for a model tries first: what is not decided by other
        rules easily has the shape with these.
        """
        return self._all_flags(True)

    def preferences(self, truth: TruthValues, repairs: int, trail: Trail) -> Iterable[int]:
        """Return the literals to try first after a model that violates the shape.

        Either all flags are true or all are false, in turns: what cannot be joined must vanish.

        Args:
            truth: The model.
            repairs: How many models there were before.
            trail: What is known to hold in each model.
        """
        return self._all_flags(repairs % 2 == 1)

    def _all_flags(self, truth: bool) -> list[int]:
        """Return the literals of all flags with the same truth, but for constants."""
        flags = (flag for flag in self.flags if abs(flag) != TRUE)
        return [flag if truth else -flag for flag in flags]

    def inferences_next_to(self, newest: Iterable[int], trail: Trail) -> Iterator[Inference]:
        """Yield what follows; what does not need the newest literals may be left out."""
        return self.inferences(trail)

    def implications(self, trail: Trail) -> Iterator[list[int]]:
        """Yield clauses of what follows by itself from what is known."""
        for inference in self.inferences(trail):
            denials = [-reason for reason in inference.reasons]
            if not inference.literals:
                yield denials
            for literal in inference.literals:
                yield [*denials, literal]

    def true_flags(self, truth: TruthValues) -> list[int]:
        """Return the positions of the true flags of a model."""
        return np.flatnonzero(truth[self._numbers] == self._positive).tolist()

    def reasons(self, yes: Iterable[int] = (), no: Iterable[int] = ()) -> tuple[int, ...]:
        """Return the facts that some flags are true, and others false; constants need no reason."""
        true = [self.flags[flag] for flag in yes]
        false = [-self.flags[flag] for flag in no]
        return tuple(dict.fromkeys(literal for literal in (*true, *false) if literal != TRUE))

    def without_constants(self, clauses: Iterable[Sequence[int]]) -> Iterator[list[int]]:
        """Yield clauses without literals that are false anyway."""
        for clause in clauses:
            yield [literal for literal in clause if literal != FALSE]


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
        for first, second in shape.links:
            self.neighbours[first].append(second)
            self.neighbours[second].append(first)

    def cuts(self, truth: TruthValues, assumed: Collection[int] = ()) -> Iterator[list[int]]:
        return self.without_constants(self._violated.cuts(truth))

    def preferences(self, truth: TruthValues, repairs: int, trail: Trail) -> Iterable[int]:
        """Return the literals to try first after a model that is not connected: in turns, of a
        connected set with the flags that must be true, as many as the model has.
        """
        true = self.true_flags(truth)
        if repairs % 2 == 0 or not true:
            return super().preferences(truth, repairs, trail)
        connected = self._connected(self.states(trail), true)
        literals = (
            flag if position in connected else -flag for position, flag in enumerate(self.flags)
        )
        return [literal for literal in literals if abs(literal) != TRUE]

    def _connected(self, states: Sequence[int], true: Sequence[int]) -> set[int]:
        """Return a connected set with the flags that are true, as far as these can be joined, which
        grows to as many flags as are true in a model.
        """
        required = {flag for flag, state in enumerate(states) if state == YES}
        start = min(required, default=true[0])
        connected = {start}
        while missing := required - connected:
            path = self._path_to(missing, connected, states)
            if not path:
                break
            connected.update(path)
        pending = list(connected)
        for flag in pending:
            for neighbour in self.neighbours[flag]:
                if len(connected) >= len(true):
                    return connected
                if states[neighbour] != NO and neighbour not in connected:
                    connected.add(neighbour)
                    pending.append(neighbour)
        return connected

    def _path_to(
        self, targets: Collection[int], sources: Iterable[int], states: Sequence[int]
    ) -> list[int]:
        """Return a shortest path from flags to one of some others by what may be true; nothing if
        there is none.
        """
        before = dict.fromkeys(sources, -1)
        pending = list(before)
        for flag in pending:
            if flag in targets:
                path = [flag]
                while before[path[-1]] >= 0:
                    path.append(before[path[-1]])
                return path
            for neighbour in self.neighbours[flag]:
                if states[neighbour] != NO and neighbour not in before:
                    before[neighbour] = flag
                    pending.append(neighbour)
        return []

    def inferences(self, trail: Trail, omitted: Collection[int] = ()) -> Iterator[Inference]:
        """Yield what is cut off, and what true flags must pass to meet."""
        states = self.states(trail)
        true = [flag for flag, state in enumerate(states) if state == YES]
        if not true:
            return
        components = self._components(states)
        main = next(component for component in components if true[0] in component)
        for component in components:
            if component is main:
                continue
            inside = next((flag for flag in sorted(component) if states[flag] == YES), None)
            inside_flag = min(component) if inside is None else inside
            smaller, outside = min(((component, true[0]), (main, inside_flag)), key=_size)
            border = self._border(smaller, outside)
            if inside is not None:
                reasons = self.reasons((true[0], inside), border)
                area = self._smaller(states, component, main)
                yield Inference((), reasons, GraphReason.PART_CUT_OFF, area)
                return
            cut = tuple(-self.flags[flag] for flag in sorted(component))
            area = self._smaller(states, main)
            yield Inference(cut, self.reasons((true[0],), border), GraphReason.CUT_OFF, area)
        if len(true) > 1:
            yield from self._passed(states, true, main)

    def is_about_single(self, inference: Inference) -> bool:
        """Return whether a single flag is cut off, or would be but for one of its neighbours."""
        literals = {abs(literal) for literal in inference.literals}
        facts = {abs(reason) for reason in inference.reasons}
        involved = literals | facts
        is_cut_off = inference.graph_reason is GraphReason.CUT_OFF
        singles = literals if is_cut_off else facts
        for position, flag in enumerate(self.flags):
            if abs(flag) in singles:
                around = {abs(self.flags[each]) for each in self.neighbours[position]}
                around.discard(TRUE)
                most = len(around) + 2  # itself, and one far away
                if around <= involved and len(involved) <= most:
                    return True
        return False

    def _components(self, states: Sequence[int]) -> list[set[int]]:
        """Return the connected components of the flags that may be true."""
        possible = [flag for flag, state in enumerate(states) if state != NO]
        return connected_components(possible, self.links)

    def _possible_neighbours(
        self, states: Sequence[int], without: int = -1
    ) -> Callable[[int], list[int]]:
        """Return a function from a flag to its neighbours that may be true, one flag left out."""

        def neighbours(flag: int) -> list[int]:
            around = self.neighbours[flag]
            return [end for end in around if states[end] != NO and end != without]

        return neighbours

    def _border(self, component: set[int], outside: int, without: int = -1) -> list[int]:
        """Return the flags that separate a component from a flag outside of it, one flag left out.

        Of the adjacent flags, they are those that lead there. None of them can be left out.
        """
        adjacent = {neighbour for flag in component for neighbour in self.neighbours[flag]}
        closed = {*component, *adjacent, without}

        def neighbours(flag: int) -> list[int]:
            return [end for end in self.neighbours[flag] if end not in closed]

        beyond = {outside} if outside in closed else reachable(outside, neighbours)
        border = adjacent - component - {without}
        return sorted(flag for flag in border if not beyond.isdisjoint(self.neighbours[flag]))

    def _passed(
        self, states: Sequence[int], true: Sequence[int], main: set[int]
    ) -> Iterator[Inference]:
        """Yield the open flags without which true ones would be apart."""
        tree = DepthFirstTree(true[0], self._possible_neighbours(states))
        for flag, beyond in tree.articulation_points(frozenset(true)):
            if states[flag] != OPEN:
                continue
            side = reachable(beyond, self._possible_neighbours(states, without=flag))
            here = next(end for end in sorted(side) if states[end] == YES)
            there = next(end for end in true if end not in side)
            rest = main - side - {flag}
            smaller, outside = min(((side, there), (rest, here)), key=_size)
            reasons = self.reasons((here, there), self._border(smaller, outside, flag))
            area = self._smaller(states, side, rest)
            yield Inference((self.flags[flag],), reasons, GraphReason.PASSED, area)

    def _smaller(self, states: Sequence[int], *sides: set[int]) -> Area:
        """Return the side with the fewest true flags, as these flags."""
        areas = []
        for side in sides:
            flags = sorted(side)
            true = tuple(self.flags[flag] for flag in flags if states[flag] == YES)
            areas.append(Area(true, extent=tuple(self.flags[flag] for flag in flags)))
        return min(areas, key=lambda area: len(area.literals))


def _size(component_and_flag: tuple[set[int], int]) -> int:
    return len(component_and_flag[0])


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
        # by edge, the arcs that leave its ends
        self._arcs_of = [
            ((first, (edge, second)), (second, (edge, first)))
            for edge, (first, second) in enumerate(shape.edges)
        ]
        # by the number of a literal, the position of its edge
        self.positions = {abs(flag): edge for edge, flag in enumerate(flags)}
        self.edges_at: dict[int, list[int]] = {}  # by vertex
        for edge, ends in enumerate(self.edges):
            for vertex in ends:
                self.edges_at.setdefault(vertex, []).append(edge)

    def arcs(self, edges: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
        """Return some of the edges by vertex, each with its opposite vertex."""
        arcs = defaultdict[int, list[tuple[int, int]]](list)
        for edge in edges:
            (first, to_second), (second, to_first) = self._arcs_of[edge]
            arcs[first].append(to_second)
            arcs[second].append(to_first)
        return arcs


class CircuitInstance(EdgesInstance):
    """The true edges are one loop, where each vertex has none or two, which are instances of their
    own.
    """

    def cuts(self, truth: TruthValues, assumed: Collection[int] = ()) -> Iterator[list[int]]:
        true = self.true_flags(truth)
        if not true:
            yield from self.without_constants([self.flags])
            return
        true_edges = [self.edges[edge] for edge in true]
        vertices = dict.fromkeys(vertex for edge in true_edges for vertex in edge)
        loops = connected_components(vertices, true_edges)
        if len(loops) == 1:
            return
        members = self._members(loops, true, assumed)
        fixed = [member for member in members if self.flags[member] in assumed]
        for index, (loop, member) in enumerate(zip(loops, members)):
            outside = next((edge for edge in fixed if edge != member), members[index - 1])
            border = (self.flags[edge] for edge in self._border(loop))
            leaving = [flag for flag in border if flag != FALSE]
            yield [-self.flags[member], -self.flags[outside], *leaving]

    def implications(self, trail: Trail) -> Iterator[list[int]]:
        """Yield nothing: what follows from a loop needs the rules at its vertices."""
        return iter(())

    def _members(
        self, loops: Sequence[Collection[int]], true: Sequence[int], assumed: Collection[int]
    ) -> list[int]:
        """Return a true edge of each loop: the first one that is assumed, or else the first."""
        loop_of = {vertex: index for index, loop in enumerate(loops) for vertex in loop}
        members: dict[int, int] = {}
        for edge in true:
            index = loop_of[self.edges[edge][0]]
            is_assumed = self.flags[edge] in assumed
            if index not in members or (is_assumed and self.flags[members[index]] not in assumed):
                members[index] = edge
        return [members[index] for index in range(len(loops))]

    def inferences(self, trail: Trail, omitted: Collection[int] = ()) -> Iterator[Inference]:
        """Yield the edges that would close a small loop, lead to a dead end, or are cut off from
        the loop.
        """
        states = self.states(trail)
        true = [edge for edge, state in enumerate(states) if state == YES]
        for inference in self._closing(states, true):
            yield inference
            if inference.graph_reason is GraphReason.LOOP_IS_CLOSED:
                return  # which decides all other edges
        arcs = self.arcs(edge for edge, state in enumerate(states) if state != NO)
        forest: list[DepthFirstTree[int]] = []
        for edge, side in _bridges(arcs, forest):
            if len(side) == 1:
                continue  # the number of lines at the vertex says so, too
            border = self._border(side, edge)
            if states[edge] == YES:
                reasons = self.reasons((edge,), border)
                yield Inference((), reasons, GraphReason.LEADS_TO_DEAD_END)
                return
            literals = (-self.flags[edge],)
            reasons = self.reasons((), border)
            yield Inference(literals, reasons, GraphReason.WOULD_LEAD_TO_DEAD_END)
        if len(forest) > 1:
            components = [set(tree.preorder) for tree in forest]
            yield from self._cut_off(states, true, components)

    def _border(self, side: set[int], without: int = -1) -> list[int]:
        """Return the edges between these vertices and all others, one edge left out."""
        edges = [edge for vertex in side for edge in self.edges_at[vertex]]
        twice = {edge for edge, count in Counter(edges).items() if count > 1}
        return sorted(edge for edge in edges if edge not in twice and edge != without)

    def _closing(self, states: Sequence[int], true: Sequence[int]) -> Iterator[Inference]:
        """Yield what follows from a closed loop, or else the edges that would close a small one."""
        arcs = self.arcs(true)
        paths = _open_paths(arcs, len(true))
        on_paths = sum(len(path) for _, path in paths.values())
        if on_paths < 2 * len(true):  # each is there for both of its ends
            true_edges = [self.edges[edge] for edge in true]
            for component in connected_components(arcs, true_edges):
                if all(len(arcs[vertex]) == 2 for vertex in component):
                    yield from self._closed(states, true, component)
                    return
        for edge, state in enumerate(states):
            first, second = self.edges[edge]
            if state != OPEN or first not in paths:
                continue
            end, path = paths[first]
            if end != second or len(path) >= len(true):
                continue
            outside = next(true_edge for true_edge in true if true_edge not in {*path})
            reasons = self.reasons((*path, outside))
            yield Inference((-self.flags[edge],), reasons, GraphReason.WOULD_CLOSE_SMALL_LOOP)

    def closing_edges(self, trail: Trail) -> Iterator[int]:
        """Yield the open edges, as literals, that would close a loop of all true ones."""
        states = self.states(trail)
        true = [edge for edge, state in enumerate(states) if state == YES]
        paths = _open_paths(self.arcs(true), len(true))
        for edge, state in enumerate(states):
            first, second = self.edges[edge]
            if state != OPEN or first not in paths:
                continue
            end, path = paths[first]
            if end == second and len(path) == len(true):
                yield self.flags[edge]

    def _closed(
        self, states: Sequence[int], true: Sequence[int], loop_vertices: set[int]
    ) -> Iterator[Inference]:
        """Yield what follows from a closed loop: there is no line outside it."""
        loop = [edge for edge in true if self.edges[edge][0] in loop_vertices]
        outside = next((edge for edge in true if self.edges[edge][0] not in loop_vertices), None)
        if outside is not None:
            reasons = self.reasons((*loop, outside))
            yield Inference((), reasons, GraphReason.CLOSES_SMALL_LOOP)
            return
        remaining = tuple(-flag for flag, state in zip(self.flags, states) if state == OPEN)
        if remaining:
            yield Inference(remaining, self.reasons(loop), GraphReason.LOOP_IS_CLOSED)

    def _cut_off(
        self, states: Sequence[int], true: Sequence[int], components: Sequence[set[int]]
    ) -> Iterator[Inference]:
        """Yield the edges that cannot be connected to the first true one."""
        if not true:
            return
        possible = [edge for edge, state in enumerate(states) if state != NO]
        first_vertex = self.edges[true[0]][0]
        main = next(component for component in components if first_vertex in component)
        for component in components:
            if component is main:
                continue
            inside = [edge for edge in possible if self.edges[edge][0] in component]
            border = self._border(min((component, main), key=len))
            true_inside = next((edge for edge in inside if states[edge] == YES), None)
            if true_inside is not None:
                reasons = self.reasons((true[0], true_inside), border)
                area = self._smaller_side(true, inside)
                yield Inference((), reasons, GraphReason.PART_CUT_OFF, area)
                return
            if inside:
                cut = tuple(-self.flags[edge] for edge in inside)
                yield Inference(cut, self.reasons((true[0],), border), GraphReason.CUT_OFF)

    def _smaller_side(self, true: Sequence[int], inside: Collection[int]) -> Area:
        """Return the true edges inside of a component, or those outside of it if they are fewer."""
        edges_inside = [edge for edge in true if edge in inside]
        edges_outside = [edge for edge in true if edge not in inside]
        side = min((edges_inside, edges_outside), key=len)
        flags = [self.flags[edge] for edge in side]
        return Area(tuple(flags))


def _open_paths(arcs: Arcs, most: int) -> dict[int, Path]:
    """Return the paths of true edges, by both of their ends.

    Args:
        arcs: The true edges by vertex.
        most: The number of true edges. A walk that is longer meets a vertex of three edges.
    """
    paths: dict[int, Path] = {}
    for start, start_arcs in arcs.items():
        if len(start_arcs) != 1 or start in paths:
            continue
        path: list[int] = []
        vertex, last_edge = start, -1
        while onward := [(edge, end) for edge, end in arcs[vertex] if edge != last_edge]:
            last_edge, vertex = onward[0]
            path.append(last_edge)
            if len(onward) > 1 or len(path) > most:
                break
        paths[start] = (vertex, path)
        paths[vertex] = (start, path)
    return paths


def _bridges(arcs: Arcs, forest: list[DepthFirstTree[int]]) -> Iterator[tuple[int, set[int]]]:
    """Yield the edges that lie on no cycle, each with the vertices on one side of it.

    Args:
        arcs: The edges by vertex.
        forest: Takes a tree for each connected component.
    """
    visited: set[int] = set()
    for root in sorted(arcs):
        if root in visited:
            continue
        tree = DepthFirstTree(root, lambda vertex: [end for _, end in arcs[vertex]])
        forest.append(tree)
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

    def cuts(self, truth: TruthValues, assumed: Collection[int] = ()) -> Iterator[list[int]]:
        return self.without_constants(self._violated.cuts(truth))

    def inferences(self, trail: Trail, omitted: Collection[int] = ()) -> Iterator[Inference]:
        """Yield the edges that would close a loop."""
        states = self.states(trail)
        arcs = self.arcs(edge for edge, state in enumerate(states) if state == YES)
        for edge, state in enumerate(states):
            first, second = self.edges[edge]
            if state == NO or first not in arcs:
                continue
            path = shortest_path(arcs, first, second, edge)
            if path is None:
                continue
            if state == YES:
                yield Inference((), self.reasons((*path, edge)), GraphReason.CLOSE_LOOP)
                return
            literals = (-self.flags[edge],)
            yield Inference(literals, self.reasons(path), GraphReason.WOULD_CLOSE_LOOP)
