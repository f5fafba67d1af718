"""Instances of rules that are no cards, each of them asked as a whole, together with the cards over
the same unknowns: a clue beside a row with the digits of the row.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from itertools import combinations

from puzzlekit.backends import IncrementalSolver
from puzzlekit.dataclass import dataclass
from puzzlekit.model import Variable
from puzzlekit.reasons.deductions import Card, CardType
from puzzlekit.reasons.instances import GroundRule, PatternInstance, Trail, entailed
from puzzlekit.reasons.literals import FALSE, TRUE, Literals
from puzzlekit.reasons.patterns import Pattern as ClausePattern
from puzzlekit.reasons.solver_pool import POOL

MOST_ANSWERS = 20_000  # of a pattern that are remembered
FEWEST_JOINED = 3  # unknowns of an instance that is joined with cards


class WholeRule:
    """An instance, asked as a whole.

    Attributes:
        instance: The instance.
        unknowns: The unknowns that it is about.
        numbers: The numbers of the literals that it is about.
        joined: The instances of the cards that it is joined with.
    """

    joined: tuple[GroundRule, ...] = ()

    def __init__(self, instance: GroundRule, literals: Literals) -> None:
        self.instance, self.literals = instance, literals
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


@dataclass(frozen=True)
class _InnerCard:
    """A card over the numbers of a pattern.

    Attributes:
        literals: The literals.
        low: The fewest that are true; one is true at most.
        instances: The indexes of the instances that state it, among those of all cards.
    """

    literals: tuple[int, ...]
    low: int
    instances: tuple[int, ...]


class _JoinedPattern:
    """A pattern joined with cards. It and each instance of a card hold where a selector is true."""

    def __init__(self, pattern: ClausePattern, cards: tuple[_InnerCard, ...]) -> None:
        self._pattern, self._cards = pattern, cards
        self.selector = pattern.top + 1
        self.cache: dict[frozenset[int], frozenset[int] | None] = {}

    def selector_of(self, index: int) -> int:
        """Return the selector of an instance of cards."""
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
        for card in self._cards:
            off = [-self.selector_of(index) for index in card.instances]
            if card.low > 0:
                clauses.append([*card.literals, *off])
            pairs = combinations(card.literals, 2)
            clauses += [[-first, -second, *off] for first, second in pairs]
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
    """An instance joined with cards over its unknowns."""

    def __init__(
        self,
        instance: PatternInstance,
        literals: Literals,
        cards: Sequence[Card],
        patterns: dict[Hashable, _JoinedPattern],
    ) -> None:
        super().__init__(instance, literals)
        self._instance = instance
        of_cards = [each for card in cards for each in card.instances]
        self.joined = tuple({each.number: each for each in of_cards}.values())
        numbers = [abs(literal) for card in cards for literal in card.literals]
        self.numbers = tuple(dict.fromkeys((*instance.scope, *numbers)))
        self._inner_numbers = [abs(instance.inner(number)) for number in self.numbers]
        positions = {each.number: index for index, each in enumerate(self.joined)}
        inner_cards = []
        for card in cards:
            inner = tuple(map(instance.inner, card.literals))
            indexes = tuple(positions[each.number] for each in card.instances)
            inner_cards.append(_InnerCard(inner, card.low, indexes))
        key = instance.pattern, tuple(inner_cards)
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
    """Return instances, joined with those cards that count a value among some of their unknowns."""
    cards_by_unknown: dict[Variable, dict[int, Card]] = {}
    for card in cards:
        if card.card_type is CardType.VALUE and card.high == 1 and card.derivation is None:
            for literal in card.literals:
                of_unknown = cards_by_unknown.setdefault(literals.fact(literal).unknown, {})
                of_unknown[card.number] = card
    patterns: dict[Hashable, _JoinedPattern] = {}
    joined: list[WholeRule] = []
    for rule in rules:
        unknowns = unknowns_of(rule, literals)
        around = {}
        for unknown in unknowns:
            around.update(cards_by_unknown.get(unknown, {}))
        inside = [card for card in around.values() if _is_inside(card, unknowns, literals)]
        if isinstance(rule, PatternInstance) and inside and len(unknowns) >= FEWEST_JOINED:
            joined.append(JoinedRule(rule, literals, inside, patterns))
        else:
            joined.append(WholeRule(rule, literals))
    return joined


def _is_inside(card: Card, unknowns: Collection[Variable], literals: Literals) -> bool:
    return all(literals.fact(literal).unknown in unknowns for literal in card.literals)
