"""Propagators for automata, connectedness and cycles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_
from typing import Generic, NoReturn, TypeVar

import numpy as np

from puzzlekit.clock import checked
from puzzlekit.model import (
    Acyclic,
    Automaton,
    Circuit,
    Connected,
    Constant,
    DepthFirstTree,
    DisjointSets,
    Domain,
    Origin,
    Term,
    Value,
    Variable,
    cached_per_structure,
)
from puzzlekit.presolve.bit_graph import BitGraph, bit_positions, bits_of
from puzzlekit.presolve.circuit_graph import (
    CACHED_GRAPHS,
    NO,
    OPEN,
    YES,
    CircuitGraph,
    States,
    graph_of_circuit,
)
from puzzlekit.presolve.domains import DomainStore, Inconsistent
from puzzlekit.presolve.normal_form import Literal, literal_of

Move = tuple[int, Value, int]  # a state, the value that is read there, the next state
# how far up and how far down states move, these states, and each value that moves them so far, by
# its mask, with its states among them
Step = tuple[int, int, int, list[tuple[int, int]]]
CACHED_MOVES = 1_000  # masks of live values, with the steps of each
K = TypeVar("K", bound=Connected | Circuit | Acyclic)
QUICK = 1_000_000  # terms times states up to which a reading does not check the clock
WORD = 62  # up to this many values, a mask fits into a machine word


class AutomatonPropagator:
    """An automaton over variables: keeps the values that occur in some accepted reading.

    Domain consistency for the regular constraint, by a pass over the layers of states forward and
    one backward: Pesant, "A regular language membership constraint for finite sequences of
    variables" (2004). Sets of states are bits. A value moves all states from which it goes equally
    far at once.
    """

    costly = True

    def __init__(self, constraint: Automaton, origin: Origin, domains: DomainStore) -> None:
        self.constraint = constraint
        self.variables = [term for term in constraint.terms if isinstance(term, Variable)]
        self.origin: Origin | None = origin
        self._accepting = sum(1 << state for state in constraint.accepting)
        shifts = _shifts(constraint)
        of_domain: dict[int, _Moves] = {}
        self._reads: list[tuple[Variable | None, _Moves]] = []
        for term in constraint.terms:
            if isinstance(term, Variable):
                values = domains.values[term]
                if id(values) not in of_domain:
                    of_domain[id(values)] = _Moves(shifts.get(value, {}) for value in values)
                self._reads.append((term, of_domain[id(values)]))
            else:
                moves = _Moves([shifts.get(term.value({}), {})])
                self._reads.append((None, moves))

    @property
    def watched(self) -> Iterable[Variable]:
        return dict.fromkeys(self.variables)

    def run(self, domains: DomainStore) -> None:
        masks = domains.masks
        reached = 1
        layers = []
        quick = len(self._reads) * self._accepting.bit_length() < QUICK
        for variable, moves in self._reads if quick else checked(self._reads):
            steps = moves[1 if variable is None else masks[variable]]
            layers.append((variable, reached, steps))
            after = 0
            for up, down, states, _ in steps:
                after |= (reached & states) << up >> down
            reached = after
        good = reached & self._accepting
        if not good:
            raise Inconsistent(next(iter(self.variables), None), self.origin)
        for variable, reached, steps in reversed(layers):
            before = mask = 0
            for up, down, _, values in steps:
                if moved := good << down >> up & reached:
                    for bit, states in values:
                        if sources := moved & states:
                            before |= sources
                            mask |= bit
            good = before
            if variable is not None and mask != masks[variable]:
                domains.restrict(variable, mask)


class _Moves(dict[int, list[Step]]):
    """The steps for the live values of a domain, by the mask of these values."""

    def __init__(self, shifts: Iterable[Mapping[int, int]]) -> None:
        self._shifts = list(shifts)

    def __missing__(self, mask: int) -> list[Step]:
        by_distance: dict[int, list[tuple[int, int]]] = {}
        for code, shifts in enumerate(self._shifts):
            if mask >> code & 1:
                for far, states in shifts.items():
                    by_distance.setdefault(far, []).append((1 << code, states))
        if len(self) >= CACHED_MOVES:
            self.clear()
        steps = []
        for far, values in by_distance.items():
            all_states = reduce(or_, [states for _, states in values])
            steps.append((max(far, 0), max(-far, 0), all_states, values))
        self[mask] = steps
        return steps


def _shifts(automaton: Automaton) -> dict[Value, dict[int, int]]:
    """Return for each value the states that it moves, as bits, by how far it moves them."""
    shifts: dict[Value, dict[int, int]] = {}
    for state, step in enumerate(automaton.steps):
        for value, after in step.items():
            states = shifts.setdefault(value, {})
            states[after - state] = states.get(after - state, 0) | 1 << state
    return shifts


def readings(automaton: Automaton, choices: Sequence[Sequence[Value]]) -> list[list[Move]]:
    """For each term, return the moves (state, value, next state) of all accepted readings."""
    forward: list[list[Move]] = []
    states = {0}
    for values in choices:
        moves = []
        for state in states:
            step = automaton.steps[state]
            moves += [(state, value, step[value]) for value in values if value in step]
        forward.append(moves)
        states = {after for _, _, after in moves}
    good: Collection[int] = automaton.accepting
    backward = []
    for moves in reversed(forward):
        accepted = [move for move in moves if move[2] in good]
        backward.append(accepted)
        good = {before for before, _, _ in accepted}
    return backward[::-1]


class Flags:
    """Terms that are literals or constants, and their states."""

    def __init__(self, terms: Sequence[Term], domains: DomainStore) -> None:
        self.literals: list[Literal | bool] = [_literal(term, domains.values) for term in terms]
        # the variable and the mask of its value; of a constant, None and its value
        self._bits: list[tuple[Variable | None, int]] = []
        constants = []
        for literal in self.literals:
            if isinstance(literal, bool):
                self._bits.append((None, int(literal)))
                constants.append(int(literal))
            else:
                self._bits.append((literal[0], domains.bit(*literal)))
                constants.append(OPEN)
        self._constant = np.array(constants, dtype=np.int8)
        self._variables = [variable for variable, _ in self._bits if variable is not None]
        self.watched = [*dict.fromkeys(self._variables)]
        exceeds_word = any(len(domains.values[variable]) > WORD for variable in self.watched)
        masks = [bit for variable, bit in self._bits if variable is not None]
        self._masks = np.array(masks, dtype=object if exceeds_word else np.int64)

    def states(self, domains: DomainStore) -> States:
        """Return YES, NO or OPEN for each flag."""
        current_masks = [domains.masks[variable] for variable in self._variables]
        masks = np.array(current_masks, dtype=self._masks.dtype)
        possible = np.where(masks & self._masks != 0, OPEN, NO)
        states = self._constant.copy()
        states[states == OPEN] = np.where(masks == self._masks, YES, possible)
        return states

    def decide(self, index: int, state: int, domains: DomainStore) -> None:
        """Set an open flag to YES or NO."""
        variable, bit = self._bits[index]
        assert variable is not None, "a constant is not open"
        domains.restrict(variable, bit if state == YES else ~bit)


def _literal(term: Term, domains: dict[Variable, Domain]) -> Literal | bool:
    if isinstance(term, Constant):
        return bool(term.constant)
    literal = literal_of(term, domains)
    assert literal is not None, "terms that are not literals were named before"
    return literal


class FlagsPropagator(Generic[K]):
    """A structure over flags."""

    costly = True

    def __init__(self, constraint: K, origin: Origin, domains: DomainStore) -> None:
        self.constraint = constraint
        self.origin: Origin | None = origin
        self.flags = Flags(constraint.terms, domains)
        self.watched: Iterable[Variable] = self.flags.watched

    def _fail(self) -> NoReturn:
        raise Inconsistent(next(iter(self.watched), None), self.origin)


class ConnectivityPropagator(FlagsPropagator[Connected | Circuit]):
    """Connected flags, or edges of one cycle: a flag that no true flag can reach is false.

    `most` bounds the number of true flags; flags that are too far away are false, too. On a cycle,
    each vertex has degree 0 or 2.
    """

    most: int | None = None

    def run(self, domains: DomainStore) -> None:
        array = self.flags.states(domains)
        if isinstance(self.constraint, Circuit):
            graph = graph_of_circuit(self.constraint)
            if self._propagates_degrees(graph, array, domains):
                return  # it is queued again, since a watched variable changed
        true = np.flatnonzero(array == YES).tolist()
        if not true:
            return
        states = array.tolist()
        reached = self._reached(true[0], array)
        if not reached.issuperset(true):
            self._fail()
        if self.most is not None and self.most < len(states):
            reached = self._within(true, states, self.most - len(true))
        for flag, state in enumerate(states):
            if state == OPEN and flag not in reached:
                self.flags.decide(flag, NO, domains)

    def _propagates_degrees(
        self, graph: CircuitGraph, states: States, domains: DomainStore
    ) -> bool:
        """Propagate the degrees of the vertices; return whether a flag was decided."""
        propagated = states.copy()
        if not graph.propagate_degrees(propagated) or not propagated.any():
            self._fail()
        changed = np.flatnonzero(propagated != states).tolist()
        for flag in changed:
            self.flags.decide(flag, propagated[flag], domains)
        return bool(changed)

    def _reached(self, start: int, states: States) -> set[int]:
        """Return the flags that are reachable from one flag over flags that may be true."""
        possible = bits_of(states != NO)
        piece = graph_of(self.constraint).piece(1 << start, possible)
        return set(bit_positions(piece))

    def _within(self, true: Sequence[int], states: Sequence[int], steps: int) -> set[int]:
        """Return the flags at most this many steps from the true ones."""
        neighbours = neighbours_of(self.constraint)
        reached = set(true)
        frontier = reached
        for _ in range(steps):
            beyond = {neighbour for flag in frontier for neighbour in neighbours[flag]}
            frontier = {flag for flag in beyond if states[flag] != NO} - reached
            if not frontier:
                break
            reached |= frontier
        return reached


def links_of(constraint: Connected | Circuit) -> Iterable[tuple[int, int]]:
    """Return the pairs of adjacent flags; edges are adjacent if they share a vertex."""
    return constraint.links if isinstance(constraint, Connected) else _adjacent(constraint.edges)


def _adjacent(edges: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    edges_at: dict[int, list[int]] = {}
    for index, edge in enumerate(edges):
        for vertex in set(edge):
            edges_at.setdefault(vertex, []).append(index)
    return dict.fromkeys(pair for edges in edges_at.values() for pair in combinations(edges, 2))


@cached_per_structure
def neighbours_of(constraint: Connected | Circuit) -> list[list[int]]:
    """Return the neighbours of each flag."""
    neighbours: list[list[int]] = [[] for _ in constraint.terms]
    for tail, head in links_of(constraint):
        neighbours[tail].append(head)
        neighbours[head].append(tail)
    return neighbours


@cached_per_structure
def graph_of(constraint: Connected | Circuit) -> BitGraph:
    """Return the graph of the flags; boards of one size mostly have the same."""
    if isinstance(constraint, Connected):
        return _graph_of_links(constraint.links)
    return _graph_of_edges(constraint.edges)


@lru_cache(maxsize=CACHED_GRAPHS)
def _graph_of_links(links: tuple[tuple[int, int], ...]) -> BitGraph:
    return BitGraph(links)


@lru_cache(maxsize=CACHED_GRAPHS)
def _graph_of_edges(edges: tuple[tuple[int, int], ...]) -> BitGraph:
    return BitGraph(_adjacent(edges))


class AcyclicPropagator(FlagsPropagator[Acyclic]):
    """Acyclic edges: an open edge within a component of true edges is false."""

    def run(self, domains: DomainStore) -> None:
        edges = self.constraint.edges
        states = self.flags.states(domains).tolist()
        joined = DisjointSets[int]()
        for (tail, head), state in zip(edges, states):
            if state == YES and not joined.join(tail, head):
                self._fail()
        for index, ((tail, head), state) in enumerate(zip(edges, states)):
            if state == OPEN and joined.root(tail) == joined.root(head):
                self.flags.decide(index, NO, domains)


class SubtourPropagator(FlagsPropagator[Circuit]):
    """One cycle, in a search: an open edge that would close another cycle, or after one is closed,
    is false.

    Subtour elimination by paths: Caseau and Laburthe, "Solving small TSPs with constraints" (1997).
    `ConnectivityPropagator` does the rest.
    """

    def run(self, domains: DomainStore) -> None:
        edges = self.constraint.edges
        states = self.flags.states(domains).tolist()
        joined = DisjointSets[int]()
        closed = False
        true_ends = []
        for (tail, head), state in zip(edges, states):
            if state == YES:
                true_ends.append(tail)
                closed |= not joined.join(tail, head)
        if not true_ends:
            return
        paths = len({joined.root(end) for end in true_ends})
        if closed and paths > 1:
            self._fail()
        for index, ((tail, head), state) in enumerate(zip(edges, states)):
            if state != OPEN:
                continue
            is_early = tail == head or paths > 1  # the cycle that it closes is not the only one
            if closed or (is_early and joined.root(tail) == joined.root(head)):
                self.flags.decide(index, NO, domains)


class CutVertexPropagator(FlagsPropagator[Connected]):
    """Connected flags, in a search: between true flags, those that every path needs are true.

    What no true flag can reach is false.
    """

    def run(self, domains: DomainStore) -> None:
        states = self.flags.states(domains).tolist()
        true = [flag for flag, state in enumerate(states) if state == YES]
        if not true:
            return
        adjacent = neighbours_of(self.constraint)

        def possible_neighbours(flag: int) -> list[int]:
            return [neighbour for neighbour in adjacent[flag] if states[neighbour] != NO]

        tree = DepthFirstTree(true[0], possible_neighbours)
        possible = [flag for flag, state in enumerate(states) if state != NO]
        cut_off = [flag for flag in possible if flag not in tree.position]
        if not set(true).isdisjoint(cut_off):
            self._fail()
        for flag in dict.fromkeys(point for point, _ in tree.articulation_points(set(true))):
            if states[flag] == OPEN:
                self.flags.decide(flag, YES, domains)
        for flag in cut_off:
            self.flags.decide(flag, NO, domains)
