"""Instances of rules that are no cards, each of them asked as a whole, together with the cards over
the same unknowns: a clue beside a row of skyscrapers with the heights of the row.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from itertools import combinations

from puzzlekit.backends import IncrementalSolver
from puzzlekit.model import Variable
from puzzlekit.reasons.deductions import Card, CardType
from puzzlekit.reasons.instances import GroundRule, PatternInstance, Trail, entailed
from puzzlekit.reasons.literals import FALSE, TRUE, Literals

MOST_SOLVERS = 24  # of joined rules that stay warm
MOST_ANSWERS = 20_000  # that are remembered
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


class JoinedRule(WholeRule):
    """An instance joined with cards. Each is guarded by a selector, so that it can be left out."""

    def __init__(
        self,
        instance: PatternInstance,
        literals: Literals,
        cards: Sequence[Card],
        solvers: JoinedSolvers,
    ) -> None:
        super().__init__(instance, literals)
        self._instance, self._solvers = instance, solvers
        of_cards = [each for card in cards for each in card.instances]
        self.joined = tuple({each.number: each for each in of_cards}.values())
        numbers = [abs(literal) for card in cards for literal in card.literals]
        self.numbers = tuple(dict.fromkeys((*instance.scope, *numbers)))
        top = instance.pattern.top
        self._selector = top + 1
        self._selectors = {each.number: top + 2 + index for index, each in enumerate(self.joined)}
        self._inner_cards = []
        for card in cards:
            selectors = tuple(self._selectors[each.number] for each in card.instances)
            inner = tuple(map(instance.inner, card.literals))
            self._inner_cards.append((selectors, card.low, inner))
        self._key = (id(instance.pattern), tuple(self._inner_cards))
        self._inner_numbers = [abs(instance.inner(number)) for number in self.numbers]

    def _clauses(self) -> list[list[int]]:
        """Return what the instance and the cards say, each where its selector is true."""
        clauses = [[TRUE]]
        for inner_literals in self._instance.pattern.values:
            if len(inner_literals) > 2:
                clauses.append(list(inner_literals))
                clauses += [[-first, -second] for first, second in combinations(inner_literals, 2)]
        for clause in self._instance.pattern.clauses:
            clauses.append([*clause, -self._selector])
        for selectors, low, inner in self._inner_cards:
            off = [-selector for selector in selectors]
            if low > 0:
                clauses.append([*inner, *off])
            clauses += [[-first, -second, *off] for first, second in combinations(inner, 2)]
        return clauses

    @property
    def _solver(self) -> IncrementalSolver:
        return self._solvers.of(self._key, self._clauses)

    def entailed(self, trail: Trail) -> list[int] | None:
        instance = self._instance
        assumed = [self._selector, *self._selectors.values()]
        assumed += map(instance.inner, self.facts(trail))
        answers = self._solvers.answers
        key = self._key, frozenset(assumed)
        if key not in answers:
            if len(answers) > MOST_ANSWERS:
                answers.clear()
            answers[key] = entailed(self._solver, assumed, self._inner_numbers)
        backbone = answers[key]
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
        selectors = [self._selector, *(self._selectors[each.number] for each in joined)]
        return self._follow(selectors, facts, literals)

    def entailed_by_cards(self, facts: Sequence[int], literal: int) -> bool:
        return self._follow([*self._selectors.values()], facts, (literal,))

    def _follow(
        self, selectors: Sequence[int], facts: Sequence[int], literals: Iterable[int]
    ) -> bool:
        inner = self._instance.inner
        assumed = [*selectors, *map(inner, facts)]
        solver = self._solver
        return not any(solver.is_satisfiable((*assumed, -inner(literal))) for literal in literals)


class JoinedSolvers:
    """The solvers of joined rules, the least recently used of which are closed, and their answers.

    Attributes:
        answers: What followed, by rule and assumptions.
    """

    def __init__(self) -> None:
        self.answers: dict[Hashable, frozenset[int] | None] = {}
        self._solvers: OrderedDict[Hashable, IncrementalSolver] = OrderedDict()

    def of(self, key: Hashable, clauses: Callable[[], list[list[int]]]) -> IncrementalSolver:
        """Return the solver of a rule."""
        if key not in self._solvers:
            if len(self._solvers) >= MOST_SOLVERS:
                _, solver = self._solvers.popitem(last=False)
                solver.close()
            self._solvers[key] = IncrementalSolver(clauses())
        self._solvers.move_to_end(key)
        return self._solvers[key]


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
    solvers = JoinedSolvers()
    joined: list[WholeRule] = []
    for rule in rules:
        unknowns = unknowns_of(rule, literals)
        around = {}
        for unknown in unknowns:
            around.update(cards_by_unknown.get(unknown, {}))
        inside = [card for card in around.values() if _is_inside(card, unknowns, literals)]
        if isinstance(rule, PatternInstance) and inside and len(unknowns) >= FEWEST_JOINED:
            joined.append(JoinedRule(rule, literals, inside, solvers))
        else:
            joined.append(WholeRule(rule, literals))
    return joined


def _is_inside(card: Card, unknowns: Collection[Variable], literals: Literals) -> bool:
    return all(literals.fact(literal).unknown in unknowns for literal in card.literals)
