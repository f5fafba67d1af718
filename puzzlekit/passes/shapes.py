"""How sequences, connectedness and cycles narrow domains."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from functools import lru_cache
from itertools import combinations

from puzzlekit.model import Acyclic, Automaton, Circuit, Connected, Constant, Domain, Origin, Term, Value, Variable
from puzzlekit.passes.domains import Contradiction, Domains
from puzzlekit.passes.normalise import Literal, literal_of
from puzzlekit.passes.propagators import Counted

YES, NO, OPEN = 1, 0, 2
Move = tuple[int, Value, int]


class Read:
    """An automaton over variables: each keeps the values that stand on some accepted reading."""

    costly = True

    def __init__(self, constraint: Automaton, origin: Origin) -> None:
        self.constraint = constraint
        self.variables = [term for term in constraint.terms if isinstance(term, Variable)]
        self.origin: Origin | None = origin

    @property
    def watched(self) -> Iterable[Variable]:
        return dict.fromkeys(self.variables)

    def run(self, domains: Domains) -> None:
        choices = [domains.left(t) if isinstance(t, Variable) else (t.value({}),) for t in self.constraint.terms]
        for term, moves in zip(self.constraint.terms, readings(self.constraint, choices)):
            if not moves:
                raise Contradiction(next(iter(self.variables), None), self.origin)
            if isinstance(term, Variable):
                mask = 0
                for value in {move[1] for move in moves}:
                    mask |= domains.bit(term, value)
                domains.narrow(term, mask)


def readings(automaton: Automaton, choices: Sequence[Sequence[Value]]) -> list[list[Move]]:
    """For each term the moves (state, value, next state) that stand on some accepted reading of one choice a term."""
    forward: list[list[Move]] = []
    states = {0}
    for values in choices:
        moves = [(s, value, automaton.steps[s][value]) for s in states for value in values if value in automaton.steps[s]]
        forward.append(moves)
        states = {after for _, _, after in moves}
    good: Collection[int] = automaton.accepting
    found = []
    for moves in reversed(forward):
        found.append([move for move in moves if move[2] in good])
        good = {before for before, _, _ in found[-1]}
    return found[::-1]


class Flags:
    """Terms that are literals or constants, and what is known of each."""

    def __init__(self, terms: Sequence[Term], domains: Domains) -> None:
        self.literals: list[Literal | bool] = [_literal(term, domains.values) for term in terms]
        self.watched = [*dict.fromkeys(literal[0] for literal in self.literals if not isinstance(literal, bool))]
        self._bits = [(None, int(f)) if isinstance(f, bool) else (f[0], domains.bit(*f)) for f in self.literals]

    def states(self, domains: Domains) -> list[int]:
        """YES, NO or OPEN for each flag."""
        found = []
        for variable, bit in self._bits:
            if variable is None:
                found.append(bit)
            else:
                live = domains.live[variable]
                found.append(YES if bit == live else OPEN if bit & live else NO)
        return found

    def deny(self, place: int, domains: Domains) -> None:
        """The flag is false; it must not be known to be true."""
        literal = self.literals[place]
        assert not isinstance(literal, bool), "a constant is not open"
        domains.narrow(literal[0], ~domains.bit(*literal))


def _literal(term: Term, domains: dict[Variable, Domain]) -> Literal | bool:
    if isinstance(term, Constant):
        return bool(term.constant)
    literal = literal_of(term, domains)
    assert literal is not None, "what is no literal was named before"
    return literal


class Joined:
    """Flags that hang together, or edges on one cycle: what cannot be reached from what is true is false.

    `most` bounds how many are true: what is too far away is false, too.
    """

    costly = True

    def __init__(self, constraint: Connected | Circuit, origin: Origin, domains: Domains) -> None:
        self.constraint = constraint
        self.origin: Origin | None = origin
        self.flags = Flags(constraint.terms, domains)
        self.watched: Iterable[Variable] = self.flags.watched
        self.most: int | None = None
        self.beside = beside(constraint)

    def run(self, domains: Domains) -> None:
        states = self.flags.states(domains)
        known = [place for place, state in enumerate(states) if state == YES]
        if not known:
            return
        reached = piece_of(known[0], self.beside, {place for place, state in enumerate(states) if state != NO})
        if not reached.issuperset(known):
            raise Contradiction(next(iter(self.watched), None), self.origin)
        if self.most is not None and self.most < len(states):
            reached = self._near(known, states, self.most - len(known))
        for place, state in enumerate(states):
            if state == OPEN and place not in reached:
                self.flags.deny(place, domains)

    def _near(self, known: Sequence[int], states: Sequence[int], steps: int) -> set[int]:
        """What is at most so many steps from what is known."""
        near = set(known)
        edge = near
        for _ in range(steps):
            edge = {n for place in edge for n in self.beside[place] if states[n] != NO and n not in near}
            if not edge:
                break
            near |= edge
        return near


def links_of(constraint: Connected | Circuit) -> Iterable[tuple[int, int]]:
    """The pairs of flags that are joined; edges are joined where they meet in a vertex."""
    if isinstance(constraint, Connected):
        return constraint.links
    at: dict[int, list[int]] = {}
    for place, edge in enumerate(constraint.edges):
        for vertex in set(edge):
            at.setdefault(vertex, []).append(place)
    return dict.fromkeys(pair for places in at.values() for pair in combinations(places, 2))


@lru_cache(maxsize=256)
def beside(constraint: Connected | Circuit) -> list[list[int]]:
    """The neighbours of each flag."""
    found: list[list[int]] = [[] for _ in constraint.terms]
    for one, other in links_of(constraint):
        found[one].append(other)
        found[other].append(one)
    return found


def piece_of(start: int, neighbours: Sequence[Sequence[int]], among: Set[int]) -> set[int]:
    """What can be reached from a flag over those among which it is."""
    reached = {start}
    waiting = [start]
    while waiting:
        for place in neighbours[waiting.pop()]:
            if place in among and place not in reached:
                reached.add(place)
                waiting.append(place)
    return reached


class Forest:
    """Edges without a cycle: an edge within one piece of those that are true is false."""

    costly = True

    def __init__(self, constraint: Acyclic, origin: Origin, domains: Domains) -> None:
        self.constraint = constraint
        self.origin: Origin | None = origin
        self.flags = Flags(constraint.terms, domains)
        self.watched: Iterable[Variable] = self.flags.watched

    def run(self, domains: Domains) -> None:
        states = self.flags.states(domains)
        leader: dict[int, int] = {}

        def root(vertex: int) -> int:
            while (above := leader.get(vertex, vertex)) != vertex:
                vertex = above
            return vertex

        for wanted in (YES, OPEN):
            for place, (state, (one, other)) in enumerate(zip(states, self.constraint.edges)):
                if state != wanted:
                    continue
                if root(one) != root(other):
                    if wanted == YES:
                        leader[root(one)] = root(other)
                elif wanted == YES:
                    raise Contradiction(next(iter(self.watched), None), self.origin)
                else:
                    self.flags.deny(place, domains)


def bound_sizes(joined: Sequence[Joined], counts: Sequence[Counted]) -> None:
    """Let what hangs together know of a bound on how many of it are true."""
    bounds: dict[frozenset[Literal], int] = {}
    for counted in counts:
        literals = frozenset(counted.constraint.literals)
        bounds[literals] = min(counted.constraint.high, bounds.get(literals, counted.constraint.high))
    for one in joined:
        literals = frozenset(literal for literal in one.flags.literals if not isinstance(literal, bool))
        constant = sum(literal is True for literal in one.flags.literals)
        if literals in bounds:
            one.most = bounds[literals] + constant
