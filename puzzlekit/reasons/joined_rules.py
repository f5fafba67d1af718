"""Instances of rules that are no cards, each of them asked as a whole, together with the cards and
the vertices of a loop over the same unknowns: a clue beside a row with the digits of the row, or
with the lines through its cells.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from puzzlekit.backends import IncrementalSolver
from puzzlekit.dataclass import dataclass
from puzzlekit.model import Linear, Variable
from puzzlekit.reasons.deductions import Card, CardType
from puzzlekit.reasons.instances import GroundRule, PatternInstance, Trail, entailed
from puzzlekit.reasons.joined_sums import JoinedSum
from puzzlekit.reasons.literals import FALSE, TRUE, Literals
from puzzlekit.reasons.patterns import Pattern as ClausePattern
from puzzlekit.reasons.solver_pool import POOL
from puzzlekit.sentences import RulePart

MOST_ANSWERS = 20_000  # of a pattern that are remembered
FEWEST_JOINED = 3  # unknowns of an instance that is joined with cards
MOST_RESTRICTED = 6  # unknowns of a sum that is joined with cards that reach beyond it


class WholeRule:
    """An instance, asked as a whole.

    Attributes:
        instance: The instance.
        sources: The instances of rules from which it follows; itself, if a rule states it.
        unknowns: The unknowns that it is about.
        numbers: The numbers of the literals that it is about.
        joined: The instances of the cards that it is joined with.
    """

    joined: tuple[GroundRule, ...] = ()

    def __init__(self, instance: GroundRule, literals: Literals) -> None:
        self.instance, self.literals = instance, literals
        self.sources: tuple[GroundRule, ...] = (instance,)
        if isinstance(instance, JoinedSum):
            self.sources = instance.sources
        self.unknowns = unknowns_of(instance, literals)
        self.numbers: tuple[int, ...] = instance.scope

    def facts(self, trail: Collection[int]) -> list[int]:
        """Return the known literals that it is about, but for those that another one implies."""
        facts = []
        for number in self.numbers:
            if number in trail:
                facts.append(number)
            elif -number in trail:
                facts.append(-number)
        return self.literals.concise(facts)

    def entailed(self, trail: Trail) -> list[int] | None:
        """Return what follows from what is known and is not known yet; None for a contradiction."""
        return self.instance.entailed(trail)

    def entails(
        self, facts: Sequence[int], literals: Iterable[int], joined: Collection[GroundRule] = ()
    ) -> bool:
        """Return whether the instance, and some that it is joined with, entail literals."""
        return self.instance.entails(facts, literals)

    def refuted(self, facts: Sequence[int]) -> bool:
        """Return whether facts contradict the instance and all that it is joined with."""
        return self.entails(facts, (FALSE,), self.joined)

    def entailed_by_cards(self, facts: Sequence[int], literal: int) -> bool:
        """Return whether the cards alone entail a literal."""
        return False


Clause = tuple[int, ...]


@dataclass(frozen=True)
class _Joined:
    """What a pattern is joined with, as clauses over the numbers of the pattern.

    Attributes:
        clauses: The clauses.
        instances: The indexes of the instances that state them, among all that are joined.
    """

    clauses: tuple[Clause, ...]
    instances: tuple[int, ...]


class _JoinedPattern:
    """A pattern joined with instances. It and each of these hold where a selector is true."""

    def __init__(self, pattern: ClausePattern, joined: tuple[_Joined, ...]) -> None:
        self._pattern, self._joined = pattern, joined
        self.selector = pattern.top + 1
        self.cache: dict[frozenset[int], frozenset[int] | None] = {}

    def selector_of(self, index: int) -> int:
        """Return the selector of an instance that is joined."""
        return self.selector + 1 + index

    @property
    def solver(self) -> IncrementalSolver:
        """The clauses, to be asked."""
        return POOL.solver(self, lambda: IncrementalSolver(self._clauses()))

    def _clauses(self) -> list[list[int]]:
        clauses = [[TRUE]]
        for literals in self._pattern.values:
            if len(literals) > 2:
                clauses.append(list(literals))
                clauses += [[-first, -second] for first, second in combinations(literals, 2)]
        clauses += [[*clause, -self.selector] for clause in self._pattern.clauses]
        for joined in self._joined:
            off = [-self.selector_of(index) for index in joined.instances]
            clauses += [[*clause, *off] for clause in joined.clauses]
        return clauses

    def backbone(self, assumed: Sequence[int], numbers: Iterable[int]) -> frozenset[int] | None:
        """Return the literals of numbers that these entail; None for a contradiction."""
        key = frozenset(assumed)
        if key not in self.cache:
            if len(self.cache) > MOST_ANSWERS:
                self.cache.clear()
            self.cache[key] = entailed(self.solver, assumed, numbers)
        return self.cache[key]


class JoinedRule(WholeRule):
    """An instance joined with cards over its unknowns, and with the vertices of a loop."""

    def __init__(
        self,
        instance: PatternInstance,
        literals: Literals,
        cards: Sequence[Card],
        vertices: Sequence[PatternInstance],
        patterns: dict[Hashable, _JoinedPattern],
    ) -> None:
        super().__init__(instance, literals)
        self._instance = instance
        of_cards = [each for card in cards for each in card.instances]
        self.joined = tuple({each.number: each for each in (*of_cards, *vertices)}.values())
        numbers = [abs(literal) for card in cards for literal in card.literals]
        self.numbers = tuple(dict.fromkeys((*instance.scope, *numbers)))
        self._inner_numbers = [abs(instance.inner(number)) for number in self.numbers]
        positions = {each.number: index for index, each in enumerate(self.joined)}
        inner_joined = []
        for card in cards:
            inner = tuple(map(instance.inner, card.literals))
            indexes = tuple(positions[each.number] for each in card.instances)
            inner_joined.append(_Joined(_clauses_of_card(inner, card.low), indexes))
        for vertex in vertices:
            clauses = []
            for clause in vertex.clauses():
                inner = tuple(map(instance.inner, clause))
                clauses.append(inner)
            index = positions[vertex.number]
            inner_joined.append(_Joined(tuple(clauses), (index,)))
        key = instance.pattern, tuple(inner_joined)
        if key not in patterns:
            patterns[key] = _JoinedPattern(*key)
        self._pattern = patterns[key]
        self._selectors = {
            number: self._pattern.selector_of(index) for number, index in positions.items()
        }

    def entailed(self, trail: Trail) -> list[int] | None:
        instance = self._instance
        assumed = [self._pattern.selector, *self._selectors.values()]
        assumed += map(instance.inner, self.facts(trail))
        backbone = self._pattern.backbone(assumed, self._inner_numbers)
        if backbone is None:
            return None
        literals = []
        for number in self.numbers:
            if number in trail or -number in trail:
                continue
            inner = instance.inner(number)
            if inner in backbone:
                literals.append(number)
            elif -inner in backbone:
                literals.append(-number)
        return literals

    def entails(
        self, facts: Sequence[int], literals: Iterable[int], joined: Collection[GroundRule] = ()
    ) -> bool:
        selectors = [self._pattern.selector, *(self._selectors[each.number] for each in joined)]
        return self._follow(selectors, facts, literals)

    def entailed_by_cards(self, facts: Sequence[int], literal: int) -> bool:
        return self._follow([*self._selectors.values()], facts, (literal,))

    def _follow(
        self, selectors: Sequence[int], facts: Sequence[int], literals: Iterable[int]
    ) -> bool:
        inner = self._instance.inner
        assumed = [*selectors, *map(inner, facts)]
        solver = self._pattern.solver
        return not any(solver.is_satisfiable((*assumed, -inner(literal))) for literal in literals)


def _clauses_of_card(literals: Clause, low: int) -> tuple[Clause, ...]:
    """Return the clauses of a card that allows one true literal at most."""
    pairs = tuple((-first, -second) for first, second in combinations(literals, 2))
    return (literals, *pairs) if low > 0 else pairs


def unknowns_of(instance: GroundRule, literals: Literals) -> tuple[Variable, ...]:
    """Return the unknowns that an instance is about."""
    unknowns = dict.fromkeys(
        literals.fact(number).unknown
        for number in instance.scope
        if literals.is_value_literal(number)
    )
    return tuple(unknowns)


def joined_rules(
    rules: Iterable[GroundRule], cards: Iterable[Card], literals: Literals
) -> list[WholeRule]:
    """Return instances, joined with those cards that count a value among some of their unknowns,
    and with the vertices of a loop all of whose edges they are about.
    """
    cards_by_unknown: dict[Variable, dict[int, Card]] = {}
    for card in cards:
        if card.card_type is CardType.VALUE and card.high == 1 and card.derivation is None:
            for literal in card.literals:
                of_unknown = cards_by_unknown.setdefault(literals.fact(literal).unknown, {})
                of_unknown[card.number] = card
    patterns: dict[Hashable, _JoinedPattern] = {}
    joined: list[WholeRule] = []
    rules = list(rules)
    vertices = [each for each in rules if each.rule_part is RulePart.AT_A_VERTEX]
    for rule in rules:
        unknowns = unknowns_of(rule, literals)
        around = {}
        for unknown in unknowns:
            around.update(cards_by_unknown.get(unknown, {}))
        if isinstance(rule.conditions[0], Linear) and len(unknowns) <= MOST_RESTRICTED:
            inside = list(_restricted(around.values(), unknowns, literals))
        else:
            inside = [card for card in around.values() if _is_inside(card, unknowns, literals)]
        crossed: list[PatternInstance] = []
        if rule.rule_part is None:
            crossed = list(_vertices_inside(rule, vertices))
        is_joined = inside or crossed
        if isinstance(rule, PatternInstance) and is_joined and len(unknowns) >= FEWEST_JOINED:
            joined.append(JoinedRule(rule, literals, inside, crossed, patterns))
        else:
            joined.append(WholeRule(rule, literals))
    return joined


def _vertices_inside(rule: GroundRule, vertices: Iterable[GroundRule]) -> Iterator[PatternInstance]:
    """Yield the vertices of a loop with two edges or more, all of which a rule is about."""
    scope = {*rule.scope}
    for vertex in vertices:
        if len(vertex.scope) > 1 and scope.issuperset(vertex.scope):
            assert isinstance(vertex, PatternInstance)
            yield vertex


def _is_inside(card: Card, unknowns: Collection[Variable], literals: Literals) -> bool:
    return all(literals.fact(literal).unknown in unknowns for literal in card.literals)


def _restricted(
    cards: Iterable[Card], unknowns: Collection[Variable], literals: Literals
) -> Iterator[Card]:
    """Yield what cards of one value say of some unknowns by themselves: a value that is in one cell
    of a group at most is in one of any two of its cells at most.
    """
    for card in cards:
        inside = tuple(each for each in card.literals if literals.fact(each).unknown in unknowns)
        if len(inside) == len(card.literals):
            yield card
        elif len(inside) > 1:
            yield replace(card, literals=inside, low=0)
