"""Propagators for automata, connectedness and cycles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import reduce
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
    Domain,
    Origin,
    Term,
    Value,
    Variable,
    cached_per_structure,
)
from puzzlekit.model.graphs import DepthFirstTree, DisjointSets
from puzzlekit.presolve.bit_graph import BitGraph, bit_positions, bits_of
from puzzlekit.presolve.circuit_graph import NO, OPEN, YES, CircuitGraph, States, circuit_graph
from puzzlekit.presolve.domains import DomainStore, Inconsistent
from puzzlekit.presolve.normal_form import Literal, literal_of

Move = tuple[int, Value, int]
CACHED_MOVES = 1_000  # masks of live values, with the moves of each
K = TypeVar("K", bound=Connected | Circuit | Acyclic)
QUICK = 1_000_000  # places times states up to which a reading looks at no clock
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
        shifts, of_domain = _shifts(constraint), dict[int, _Moves]()
        self._places: list[tuple[Variable | None, _Moves]] = []
        for term in constraint.terms:
            if isinstance(term, Variable):
                values = domains.values[term]
                if id(values) not in of_domain:
                    of_domain[id(values)] = _Moves(shifts.get(value, {}) for value in values)
                self._places.append((term, of_domain[id(values)]))
            else:
                self._places.append((None, _Moves([shifts.get(term.value({}), {})])))

    @property
    def watched(self) -> Iterable[Variable]:
        return dict.fromkeys(self.variables)

    def run(self, domains: DomainStore) -> None:
        live, reached = domains.masks, 1
        read = []
        quick = len(self._places) * self._accepting.bit_length() < QUICK
        for variable, moves in self._places if quick else checked(self._places):
            steps = moves[1 if variable is None else live[variable]]
            read.append((variable, reached, steps))
            after = 0
            for up, down, states, _ in steps:
                after |= (reached & states) << up >> down
            reached = after
        good = reached & self._accepting
        if not good:
            raise Inconsistent(next(iter(self.variables), None), self.origin)
        for variable, reached, steps in reversed(read):
            before = mask = 0
            for up, down, _, own in steps:
                if moved := good << down >> up & reached:
                    for bit, states in own:
                        if held := moved & states:
                            before |= held
                            mask |= bit
            good = before
            if variable is not None and mask != live[variable]:
                domains.restrict(variable, mask)


class _Moves(dict[int, list[tuple[int, int, int, list[tuple[int, int]]]]]):
    """The moves for the live values of a domain, given as a mask: how far up and how far down, the
    states that move so far, and each value's mask with its own states among them.
    """

    def __init__(self, shifts: Iterable[Mapping[int, int]]) -> None:
        self._shifts = list(shifts)

    def __missing__(self, live: int) -> list[tuple[int, int, int, list[tuple[int, int]]]]:
        found: dict[int, list[tuple[int, int]]] = {}
        for code, shifts in enumerate(self._shifts):
            if live >> code & 1:
                for far, states in shifts.items():
                    found.setdefault(far, []).append((1 << code, states))
        if len(self) >= CACHED_MOVES:
            self.clear()
        self[live] = [
            (max(far, 0), max(-far, 0), reduce(or_, (states for _, states in own)), own)
            for far, own in found.items()
        ]
        return self[live]


def _shifts(automaton: Automaton) -> dict[Value, dict[int, int]]:
    """Return for each value the states that it moves, as bits, by how far it moves them."""
    found: dict[Value, dict[int, int]] = {}
    for state, step in enumerate(automaton.steps):
        for value, after in step.items():
            moved = found.setdefault(value, {})
            moved[after - state] = moved.get(after - state, 0) | 1 << state
    return found


def readings(automaton: Automaton, choices: Sequence[Sequence[Value]]) -> list[list[Move]]:
    """For each term, return the moves (state, value, next state) of all accepted readings."""
    forward: list[list[Move]] = []
    states = {0}
    for values in choices:
        moves = [
            (s, value, automaton.steps[s][value])
            for s in states
            for value in values
            if value in automaton.steps[s]
        ]
        forward.append(moves)
        states = {after for _, _, after in moves}
    good: Collection[int] = automaton.accepting
    found = []
    for moves in reversed(forward):
        found.append([move for move in moves if move[2] in good])
        good = {before for before, _, _ in found[-1]}
    return found[::-1]


class Flags:
    """Terms that are literals or constants, and their states."""

    def __init__(self, terms: Sequence[Term], domains: DomainStore) -> None:
        self.literals: list[Literal | bool] = [_literal(term, domains.values) for term in terms]
        self._bits: list[tuple[Variable | None, int]] = []  # of a constant, its value
        for literal in self.literals:
            if isinstance(literal, bool):
                self._bits.append((None, int(literal)))
            else:
                self._bits.append((literal[0], domains.bit(*literal)))
        self._constant = np.array(
            [value if v is None else OPEN for v, value in self._bits], dtype=np.int8
        )
        self._variables = [variable for variable, _ in self._bits if variable is not None]
        self.watched = [*dict.fromkeys(self._variables)]
        exceeds_word = any(len(domains.values[variable]) > WORD for variable in self.watched)
        masks = [bit for variable, bit in self._bits if variable is not None]
        self._masks = np.array(masks, dtype=object if exceeds_word else np.int64)

    def states(self, domains: DomainStore) -> States:
        """Return YES, NO or OPEN for each flag."""
        live = np.array(
            [domains.masks[variable] for variable in self._variables], dtype=self._masks.dtype
        )
        states = self._constant.copy()
        states[states == OPEN] = np.where(
            live == self._masks, YES, np.where(live & self._masks != 0, OPEN, NO)
        )
        return states

    def decide(self, position: int, state: int, domains: DomainStore) -> None:
        """Set an open flag to YES or NO."""
        variable, bit = self._bits[position]
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
        if isinstance(self.constraint, Circuit) and self._propagates_degrees(
            circuit_graph(self.constraint), array, domains
        ):
            return  # it is queued again, since a watched variable changed
        known = np.flatnonzero(array == YES).tolist()
        if not known:
            return
        states = array.tolist()
        reached = self._reached(known[0], array)
        if not reached.issuperset(known):
            self._fail()
        if self.most is not None and self.most < len(states):
            reached = self._within(known, states, self.most - len(known))
        for place, state in enumerate(states):
            if state == OPEN and place not in reached:
                self.flags.decide(place, NO, domains)

    def _propagates_degrees(
        self, graph: CircuitGraph, states: States, domains: DomainStore
    ) -> bool:
        """Propagate the degrees of the vertices; return whether a flag was decided."""
        propagated = states.copy()
        if not graph.propagate_degrees(propagated) or not propagated.any():
            self._fail()
        changed = np.flatnonzero(propagated != states).tolist()
        for place in changed:
            self.flags.decide(place, propagated[place], domains)
        return bool(changed)

    def _reached(self, start: int, states: States) -> set[int]:
        """Return the flags that are reachable from one flag over flags that may be true."""
        return set(
            bit_positions(graph_of(self.constraint).piece(1 << start, bits_of(states != NO)))
        )

    def _within(self, known: Sequence[int], states: Sequence[int], steps: int) -> set[int]:
        """Return the flags at most this many steps from the known ones."""
        near, neighbours = set(known), neighbours_of(self.constraint)
        edge = near
        for _ in range(steps):
            edge = {
                n for place in edge for n in neighbours[place] if states[n] != NO and n not in near
            }
            if not edge:
                break
            near |= edge
        return near


def links_of(constraint: Connected | Circuit) -> Iterable[tuple[int, int]]:
    """Return the pairs of adjacent flags; edges are adjacent if they share a vertex."""
    if isinstance(constraint, Connected):
        return constraint.links
    at: dict[int, list[int]] = {}
    for place, edge in enumerate(constraint.edges):
        for vertex in set(edge):
            at.setdefault(vertex, []).append(place)
    return dict.fromkeys(pair for places in at.values() for pair in combinations(places, 2))


@cached_per_structure
def neighbours_of(constraint: Connected | Circuit) -> list[list[int]]:
    """Return the neighbours of each flag."""
    found: list[list[int]] = [[] for _ in constraint.terms]
    for one, other in links_of(constraint):
        found[one].append(other)
        found[other].append(one)
    return found


@cached_per_structure
def graph_of(constraint: Connected | Circuit) -> BitGraph:
    """Return the graph of the flags."""
    return BitGraph(links_of(constraint))


class AcyclicPropagator(FlagsPropagator[Acyclic]):
    """Acyclic edges: an open edge within a component of true edges is false."""

    def run(self, domains: DomainStore) -> None:
        states = self.flags.states(domains).tolist()
        joined = DisjointSets[int]()
        for (one, other), state in zip(self.constraint.edges, states):
            if state == YES and not joined.join(one, other):
                self._fail()
        for place, ((one, other), state) in enumerate(zip(self.constraint.edges, states)):
            if state == OPEN and joined.root(one) == joined.root(other):
                self.flags.decide(place, NO, domains)


class SubtourPropagator(FlagsPropagator[Circuit]):
    """One cycle, in a search: an open edge that would close another cycle, or after one is closed,
    is false.

    Subtour elimination by paths: Caseau and Laburthe, "Solving small TSPs with constraints" (1997).
    `ConnectivityPropagator` does the rest.
    """

    def run(self, domains: DomainStore) -> None:
        states, edges = self.flags.states(domains).tolist(), self.constraint.edges
        joined, closed, ends = DisjointSets[int](), False, list[int]()
        for (one, other), state in zip(edges, states):
            if state == YES:
                ends.append(one)
                closed |= not joined.join(one, other)
        paths = len({joined.root(end) for end in ends})
        if closed and paths > 1:
            self._fail()
        for place, ((one, other), state) in enumerate(zip(edges, states)):
            if (
                state == OPEN
                and ends
                and (
                    closed
                    or (joined.root(one) == joined.root(other) and (one == other or paths > 1))
                )
            ):
                self.flags.decide(place, NO, domains)


class CutVertexPropagator(FlagsPropagator[Connected]):
    """Connected flags, in a search: between true flags, those that every path needs are true.

    What no true flag can reach is false.
    """

    def run(self, domains: DomainStore) -> None:
        states = self.flags.states(domains).tolist()
        root = next((place for place, state in enumerate(states) if state == YES), None)
        if root is None:
            return
        adjacent = neighbours_of(self.constraint)
        tree = DepthFirstTree(
            root, lambda place: [near for near in adjacent[place] if states[near] != NO]
        )
        true = {place for place, state in enumerate(states) if state == YES}
        cut_off = [
            place
            for place, state in enumerate(states)
            if state != NO and place not in tree.position
        ]
        if not true.isdisjoint(cut_off):
            self._fail()
        for place in dict.fromkeys(point for point, _ in tree.articulation_points(true)):
            if states[place] == OPEN:
                self.flags.decide(place, YES, domains)
        for place in cut_off:
            self.flags.decide(place, NO, domains)
