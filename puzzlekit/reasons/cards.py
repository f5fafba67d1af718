"""Which conditions give cards: cardinality constraints over the literals of a puzzle."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import combinations
from math import gcd
from typing import Any

from puzzlekit.backends import IncrementalSolver
from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.model import (
    AllDifferent,
    Cardinality,
    Comparison,
    Constraint,
    Domain,
    Linear,
    Model,
    Not,
    Or,
    Sum,
    Term,
    Value,
    Variable,
    variables_of,
)
from puzzlekit.presolve import linear_form, literal_of, normalise, numeric
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.deductions import Card, CardType
from puzzlekit.reasons.instances import GroundRule, PatternInstance
from puzzlekit.reasons.literals import FALSE, TRUE
from puzzlekit.reasons.places import cells_in, depth

FEW_NUMBERS = 6  # of an instance whose models are listed to see whether it is a count
MANY_CLAUSES = 400  # of an instance, beyond which its clauses serve in no chain
MANY_NEIGHBOURS = 12  # of a literal, beyond which cliques of exclusions are not looked for
MANY_CLIQUES = 2_000


@dataclass(frozen=True)
class _Count:
    """Between `low` and `high` of these literals are true where a guard is true."""

    literals: tuple[int, ...]
    low: int
    high: int
    guard: int = TRUE


# a count, with the type of its card, the value that it counts, and the family
_TypedCount = tuple[_Count, CardType, Value | None, Hashable]


class Cards:
    """The cards of a puzzle.

    Attributes:
        cards: The cards; each is at the index that is its number.
        rest: The instances that are not told by cards alone, shapes among them.
    """

    def __init__(
        self,
        model: AssumptionModel,
        unknowns: Collection[Variable],
        consumed: Collection[int] = (),
    ) -> None:
        """Make the cards.

        Args:
            model: The assumption model.
            unknowns: The unknowns of the type; others name parts of rules.
            consumed: The numbers of instances that are told otherwise, such as sums.
        """
        self.model = model
        self._unknowns = unknowns
        self.cards: list[Card] = []
        self.rest: list[GroundRule] = []
        self._domains = model.literals.domains
        self._numbers: dict[tuple[frozenset[int], int, int, int], int] = {}
        self._add_cells()
        for instance in model.instances:
            check()
            if instance.number not in consumed and not self._add_instance(instance):
                self._add_clauses(instance)
                self.rest.append(instance)
        self._add_last_values()
        self._add_cliques()

    # Adding ---------------------------------------------------------------------------------------

    def add(
        self,
        count: _Count,
        card_type: CardType,
        instances: tuple[GroundRule, ...] = (),
        value: Value | None = None,
        unknown: Variable | None = None,
        family: Hashable = None,
    ) -> Card | None:
        """Add a card unless it says nothing or says what another one says; return it if added."""
        literals, low, high = _without_constants(count)
        is_exclusion = len(literals) == 2 and low == 1 and all(map(self._is_denial, literals))
        if is_exclusion and card_type in (CardType.CLAUSE, CardType.IMPLIED):
            literals = tuple(-literal for literal in literals)
            low, high, card_type = 0, 1, CardType.PAIR
        low, high = max(low, 0), min(high, len(literals))
        if not literals or count.guard == FALSE or (low == 0 and high == len(literals)):
            return None
        key = (frozenset(literals), low, high, count.guard)
        if key in self._numbers:
            return None
        number = self._numbers[key] = len(self.cards)
        card = Card(
            number, literals, low, high, card_type, instances, value, unknown, family, count.guard
        )
        self.cards.append(card)
        return card

    def _is_denial(self, literal: int) -> bool:
        literals = self.model.literals
        if not literals.is_value_literal(literal):
            return False
        fact = literals.fact(literal)
        return not fact.positive or fact.value is False

    def _add_cells(self) -> None:
        """Add a card for each unknown of the type with more than two values."""
        for variable in self._domains:
            if variable in self._unknowns and len(self._domains[variable]) > 2:
                literals = tuple(self.model.literals.of_all(variable))
                family = (CardType.CELL, array_name(variable))
                count = _Count(literals, 1, 1)
                self.add(count, CardType.CELL, unknown=variable, family=family)

    def _add_instance(self, instance: GroundRule) -> bool:
        """Add the cards of an instance; return whether these say all that it says."""
        if instance.shape or not isinstance(instance, PatternInstance):
            return False
        if instance.number not in self.model.counts:
            self.model.counts[instance.number] = self._instance_counts(instance)
        counts: Any = self.model.counts[instance.number]
        if counts is None:
            return False
        for count, card_type, value, family in counts:
            self.add(count, card_type, (instance,), value, family=family)
        return True

    def _instance_counts(self, instance: PatternInstance) -> list[_TypedCount] | None:
        """Return the counts of an instance; None if they do not say all that it says."""
        typed_counts = []
        for condition in instance.conditions:
            counts = self._counts(instance, condition)
            if counts is None:
                return None
            is_of_values = isinstance(condition, AllDifferent)
            typed_counts += [self._typed_count(instance, each, is_of_values) for each in counts]
        return typed_counts

    def _typed_count(self, instance: GroundRule, count: _Count, is_of_values: bool) -> _TypedCount:
        """Return a count that an instance states, with what it counts."""
        literals = self.model.literals
        facts = [literals.fact(each) for each in count.literals if literals.is_value_literal(each)]
        values = {fact.value for fact in facts if fact.positive}
        value = next(iter(values)) if len(values) == 1 else None
        have_many_values = facts and all(
            fact.positive and len(self._domains[fact.unknown]) > 2 for fact in facts
        )
        if is_of_values or (have_many_values and len(values) == 1 and count.high == 1):
            card_type = CardType.VALUE
        elif count.low == 1 and count.high >= len(count.literals):
            card_type = CardType.CLAUSE
        else:
            card_type = CardType.COUNT
        family = (card_type, instance.origin.rule, _group_word(instance), str(value))
        return count, card_type, value, family

    def _add_clauses(self, instance: GroundRule) -> None:
        """Add the clauses of an instance without cards, if they are few and have no auxiliary
        numbers: chains look at them.
        """
        if instance.shape or not isinstance(instance, PatternInstance):
            return
        clauses = self.model.clauses[instance.number]
        if len(clauses) > MANY_CLAUSES:
            return
        is_value_literal = self.model.literals.is_value_literal
        numbers = {abs(literal) for clause in clauses for literal in clause}
        if not all(is_value_literal(number) for number in numbers if number != TRUE):
            return
        for clause in clauses:
            count = _Count(tuple(clause), 1, len(clause))
            self.add(count, CardType.IMPLIED, (instance,))

    def _add_last_values(self) -> None:
        """Add the count of the last value where all other values of the same unknowns are counted:
        in a row with two plus poles and three minus poles, all other cells are neutral.
        """
        counted: dict[tuple[Variable, ...], list[Card]] = {}
        for card in self.cards:
            unknowns = self._counted_unknowns(card)
            if unknowns:
                counted.setdefault(unknowns, []).append(card)
        for unknowns, cards in counted.items():
            domains = {self._domains[unknown] for unknown in unknowns}
            if len(domains) == 1:
                self._add_last_value(unknowns, domains.pop(), cards)

    def _add_last_value(
        self, unknowns: Sequence[Variable], domain: Domain, cards: Sequence[Card]
    ) -> None:
        """Add the count of the last value of unknowns, of whose other values there are cards."""
        counted = {card.value for card in cards}
        remaining = [value for value in domain if value not in counted]
        if len(remaining) != 1:
            return
        value = remaining[0]
        number = len(unknowns)
        instances: list[GroundRule] = []
        for card in cards:
            number -= card.low
            instances += card.instances
        of = self.model.literals.of
        literals = tuple(of(unknown, value) for unknown in unknowns)
        count = _Count(literals, number, number)
        self.add(count, CardType.COUNT, tuple(instances), value)

    def _counted_unknowns(self, card: Card) -> tuple[Variable, ...]:
        """Return the unknowns of which a card says how many have its value; none if it does not."""
        if card.card_type is CardType.CELL or card.value is None or card.guard != TRUE:
            return ()
        condition = card.instances[0].conditions[0]
        if isinstance(condition, AllDifferent):
            return ()
        if card.low != card.high:
            return ()
        facts = list(map(self.model.literals.fact, card.literals))
        if not all(fact.positive for fact in facts):
            return ()
        unknowns = {fact.unknown: None for fact in facts}
        if len(unknowns) < len(facts):
            return ()
        smallest = min(len(self._domains[unknown]) for unknown in unknowns)
        return tuple(sorted(unknowns, key=str)) if smallest > 2 else ()

    # Conditions -----------------------------------------------------------------------------------

    def _counts(self, instance: PatternInstance, condition: Term) -> list[_Count] | None:
        """Return the counts that say what a condition says; None if there are none."""
        if isinstance(condition, AllDifferent) and _is_over_variables(condition):
            return list(self._counts_of_values(condition))
        constraint = Constraint(condition, instance.origin)
        domains = {each: self.model.domains[each] for each in variables_of(condition)}
        normal = normalise(Model(domains, (constraint,)))
        counts = []
        for component in normal.constraints:
            count = self._count(component.condition)
            if count is None:
                return self._counts_of_models(instance)
            counts.append(count)
        return counts

    def _counts_of_values(self, condition: AllDifferent) -> Iterator[_Count]:
        """Yield for each value that at most one unknown has it, or just one if all are needed."""
        literals: dict[Value, list[int]] = {}
        for term in condition.terms:
            assert isinstance(term, Variable)
            for value in self._domains[term]:
                literals.setdefault(value, []).append(self.model.literals.of(term, value))
        low = int(len(literals) == len(condition.terms))
        for of_value in literals.values():
            yield _Count(tuple(of_value), low, 1)

    def _count(self, condition: Term) -> _Count | None:
        """Return the count that a condition in normal form is; None if it is none."""
        of = self.model.literals.of
        if isinstance(condition, Cardinality):
            literals = tuple(of(variable, value) for variable, value in condition.literals)
            return _Count(literals, condition.low, condition.high)
        if isinstance(condition, Linear):
            return self._count_of_linear(condition)
        literal = literal_of(condition, self.model.domains)
        if literal is not None:
            return _Count((of(*literal),), 1, 1)
        if isinstance(condition, Comparison) and condition.operator in ("==", "<", "<="):
            return self._count_of_comparison(condition)
        if isinstance(condition, Or):
            return self._guarded_count(condition)
        return None

    def _guarded_count(self, condition: Or) -> _Count | None:
        """Return the count of `not guard or count`; None if the condition is not of this form."""
        guards = []
        counts = []
        for operand in condition.conditions:
            literal = literal_of(operand, self.model.domains)
            if literal is None:
                counts.append(self._count(_normal_form(operand)))
            else:
                guards.append(-self.model.literals.of(*literal))
        if len(guards) != 1 or len(counts) != 1:
            return None
        count = counts[0]
        if count is None or count.guard != TRUE:
            return None
        return _Count(count.literals, count.low, count.high, guards[0])

    def _count_of_linear(self, condition: Linear) -> _Count | None:
        """Return the count of a sum of truths whose weights are 1 and -1."""
        for _, variable in condition.weighted:
            if not all(isinstance(value, bool) for value in self.model.domains[variable]):
                return None
        if {abs(weight) for weight, _ in condition.weighted} != {1}:
            return None
        negative = sum(weight < 0 for weight, _ in condition.weighted)
        literals = tuple(
            weight * self.model.literals.of(variable, True)
            for weight, variable in condition.weighted
        )
        low = 0 if condition.low is None else condition.low + negative
        high = len(literals) if condition.high is None else condition.high + negative
        return _Count(literals, low, high)

    def _count_of_comparison(self, condition: Comparison) -> _Count | None:
        """Return the count of a comparison of sums of truths, whose weights are equal up to their
        signs.
        """
        sides = (condition.left, condition.right)
        if not all(numeric(side, self.model.domains) for side in sides):
            return None
        weights, constant = linear_form(Sum(((1, condition.left), (-1, condition.right))))
        coefficients: dict[int, int] = {}
        for term, weight in weights.items():
            pair = literal_of(term, self.model.domains)
            if pair is None:
                return None
            literal = self.model.literals.of(*pair)
            if literal == TRUE:
                constant += weight
            elif literal > 0:
                coefficients[literal] = coefficients.get(literal, 0) + weight
            elif literal != FALSE:
                coefficients[-literal] = coefficients.get(-literal, 0) - weight
                constant += weight
        return _count_of_weights(coefficients, constant, condition.operator)

    def _counts_of_models(self, instance: PatternInstance) -> list[_Count] | None:
        """Return the count of an instance over a few truths whose models are just those with a
        number of true literals between two bounds.
        """
        numbers = instance.scope
        if len(numbers) > FEW_NUMBERS or len(instance.conditions) > 1:
            return None
        inner = tuple(map(instance.inner, numbers))
        cache, key = instance.pattern.cache, ("bounds", inner)
        if key not in cache:
            cache[key] = _bounds(inner, instance.pattern.solver)
        if cache[key] is None:
            return None
        low, high = cache[key]
        return [_Count(tuple(numbers), low, high)]

    # Cliques --------------------------------------------------------------------------------------

    def _add_cliques(self) -> None:
        """Add a card for each maximal set of literals that exclude each other pairwise."""
        exclusions: dict[frozenset[int], Card] = {}
        for card in self.cards:
            bounds = card.low, card.high, card.guard
            if len(card.literals) == 2 and bounds == (0, 1, TRUE):
                exclusions.setdefault(frozenset(card.literals), card)
        neighbours: dict[int, set[int]] = {}
        for pair in exclusions:
            first, second = pair
            neighbours.setdefault(first, set()).add(second)
            neighbours.setdefault(second, set()).add(first)
        if not neighbours or max(map(len, neighbours.values())) > MANY_NEIGHBOURS:
            return
        for clique in maximal_cliques(neighbours):
            literals = sorted(clique)
            pairs = [exclusions[frozenset(pair)] for pair in combinations(literals, 2)]
            instances = tuple(dict.fromkeys(pair.instances[0] for pair in pairs))
            self.add(_Count(tuple(literals), 0, 1), CardType.PAIR, instances)


def _bounds(literals: Sequence[int], solver: IncrementalSolver) -> tuple[int, int] | None:
    """Return the bounds of the number of true literals, if they alone decide what is a model."""
    models: set[int] = set()
    for bits in range(1 << len(literals)):
        assumed = [each if bits >> index & 1 else -each for index, each in enumerate(literals)]
        if solver.is_satisfiable(assumed):
            models.add(bits)
    if not models:
        return None
    counts = {bits.bit_count() for bits in models}
    low, high = min(counts), max(counts)
    for bits in range(1 << len(literals)):
        if (bits in models) != (low <= bits.bit_count() <= high):
            return None
    return low, high


def maximal_cliques(neighbours: dict[int, set[int]]) -> list[set[int]]:
    """Return the maximal cliques of three vertices or more, at most so many.

    Bron and Kerbosch, "Algorithm 457: finding all cliques of an undirected graph" (1973), with the
    pivots of Tomita, Tanaka and Takahashi (2006).
    """
    cliques: list[set[int]] = []

    def extend(clique: set[int], candidates: set[int], excluded: set[int]) -> None:
        if len(cliques) >= MANY_CLIQUES:
            return
        if not candidates and not excluded:
            if len(clique) > 2:
                cliques.append(clique)
            return
        pivot = max(
            sorted(candidates | excluded), key=lambda vertex: len(neighbours[vertex] & candidates)
        )
        for vertex in sorted(candidates - neighbours[pivot]):
            linked = neighbours[vertex]
            extend(clique | {vertex}, candidates & linked, excluded & linked)
            candidates = candidates - {vertex}
            excluded = excluded | {vertex}

    extend(set(), set(neighbours), set())
    return cliques


def _is_over_variables(condition: AllDifferent) -> bool:
    return all(isinstance(term, Variable) for term in condition.terms)


def _normal_form(condition: Term) -> Term:
    """Return a condition, where a comparison that is denied is the opposite comparison."""
    if isinstance(condition, Not) and isinstance(condition.condition, Comparison):
        comparison = condition.condition
        opposites = {"<": "<=", "<=": "<"}
        if comparison.operator in opposites:
            operator = opposites[comparison.operator]
            return Comparison(operator, comparison.right, comparison.left)  # type: ignore[arg-type]
    return condition


def _count_of_weights(coefficients: dict[int, int], constant: int, operator: str) -> _Count | None:
    """Return the count of `Σ coefficient · literal + constant operator 0`."""
    coefficients = {literal: weight for literal, weight in coefficients.items() if weight}
    if not coefficients:
        return None
    unit = gcd(*coefficients.values())
    if any(abs(weight) != unit for weight in coefficients.values()):
        return None
    negative = sum(weight < 0 for weight in coefficients.values())
    literals = tuple(
        literal if weight > 0 else -literal for literal, weight in coefficients.items()
    )
    # unit · (number of true literals - negative) + constant  operator  0
    if operator == "==":
        if constant % unit:
            return None
        number = -constant // unit + negative
        return _Count(literals, number, number)
    bound = -constant - 1 if operator == "<" else -constant
    return _Count(literals, 0, bound // unit + negative)


def _without_constants(count: _Count) -> tuple[tuple[int, ...], int, int]:
    """Return the literals of a count that are not constants, and its bounds without these."""
    true = count.literals.count(TRUE)
    literals = tuple(literal for literal in count.literals if abs(literal) != TRUE)
    return literals, count.low - true, count.high - true


def array_name(variable: Variable) -> str:
    """Return the name of the array that an unknown belongs to."""
    return variable.name.partition("[")[0]


def _group_word(instance: GroundRule) -> str:
    """Return the word for the group of cells that an instance is about, such as row; empty if the
    group has none.
    """
    for group in _groups(bound for _, bound in instance.origin.bindings):
        word = str(getattr(group, "label", "")).partition(" ")[0]
        if word.isalpha():
            return word
    return ""


def _groups(bindings: Iterable[object]) -> Sequence[object]:
    """Return the groups of several cells among the values of loop variables."""
    return [value for value in bindings if depth(value) == 1 and len(cells_in(value)) > 1]
