"""The groups of unknowns whose sum, or another function of a few of them, is given."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

import numpy as np

from puzzlekit.model import (
    AllDifferent,
    Comparison,
    Linear,
    Operation,
    Or,
    Sum,
    Term,
    Variable,
    variables_of,
)
from puzzlekit.presolve import ColumnEvaluator, every_combination, linear_form, numeric
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.combinations import Choices, Rows, Sets, addition_sets, addition_support
from puzzlekit.reasons.deductions import SumGroup
from puzzlekit.reasons.instances import GroundRule, PatternInstance
from puzzlekit.reasons.literals import TRUE, Literals

MOST_ROWS = 20_000  # of the table of a function
MOST_STATES = 70_000  # of the sums of a group
MOST_ARGUMENTS = 6  # of a function other than a sum
# operations that make a function of it; a difference of two is a comparison
OPERATIONS = frozenset({"*", "max", "min"})

Support = tuple[frozenset[int], ...]  # for each unknown, the numbers that it can have


class Relation:
    """A group of unknowns, with the numbers that they may have and the instances that say so.

    Attributes:
        number: Its index among the relations.
        group: The group.
        conditions: The instances that state the sum or the function.
        differences: The instances that state that some of the numbers differ.
        numbers: The numbers of the literals of its unknowns.
    """

    def __init__(
        self,
        number: int,
        group: SumGroup,
        literals: Literals,
        conditions: Sequence[GroundRule],
        differences: Sequence[GroundRule],
    ) -> None:
        self.number, self.group, self.literals = number, group, literals
        self.conditions, self.differences = tuple(conditions), tuple(differences)
        self._literals: list[dict[int, int]] = []  # by number, for each unknown
        for unknown in group.unknowns:
            by_number = {}
            for choice in literals.domains[unknown]:
                by_number[int(choice)] = literals.of(unknown, choice)
            self._literals.append(by_number)
        all_literals = [literal for each in self._literals for literal in each.values()]
        self.numbers = tuple(dict.fromkeys(abs(each) for each in all_literals if abs(each) != TRUE))

    @property
    def instance(self) -> GroundRule:
        """The instance that names it."""
        return self.conditions[0]

    def literal(self, index: int, number: int) -> int:
        """Return the literal that says that an unknown has a number."""
        return self._literals[index][number]

    def numbers_of(self, index: int) -> Iterable[int]:
        """Return the numbers that an unknown may have at the start."""
        return self._literals[index]

    def open_indexes(self, trail: Collection[int]) -> list[int]:
        """Return the indexes of the unknowns that have no value yet, also if only one is left."""
        return [
            index
            for index, by_number in enumerate(self._literals)
            if not any(literal in trail for literal in by_number.values())
        ]

    def choices(self, trail: Collection[int]) -> Choices:
        """Return the numbers that each unknown may still have."""
        choices = []
        for by_number in self._literals:
            numbers: list[int] = []
            for number, literal in by_number.items():
                if literal in trail:
                    numbers = [number]
                    break
                if -literal not in trail:
                    numbers.append(number)
            choices.append(tuple(numbers))
        return tuple(choices)

    def facts(self, trail: Collection[int]) -> list[int]:
        """Return the known literals about its unknowns: the value of each, or those it has not."""
        facts: list[int] = []
        for by_number in self._literals:
            denials = []
            for literal in by_number.values():
                if literal in trail:
                    denials = [literal] if literal != TRUE else []
                    break
                if -literal in trail:
                    denials.append(-literal)
            facts += denials
        return facts

    def support(self, choices: Choices, differences: Collection[GroundRule]) -> Support | None:
        """Return the numbers that each unknown can have; None if there is no choice for all."""
        raise NotImplementedError

    def support_of_differences(self, choices: Choices) -> Support | None:
        """Return the numbers that unknowns can have if they only must differ."""
        raise NotImplementedError

    def sets(self, choices: Choices, opened: Sequence[int]) -> Sets:
        """Return the sets of numbers that are left for open unknowns, as far as they can be told.

        Of truths, they are the weights of the true ones.
        """
        raise NotImplementedError


class SumRelation(Relation):
    """A group whose weighted sum is given."""

    def _weighted(self, choices: Choices) -> Choices:
        weights = self.group.weights
        if not weights:
            return choices
        weighted = []
        for weight, numbers in zip(weights, choices):
            weighted.append(tuple(weight * number for number in numbers))
        return tuple(weighted)

    def support(self, choices: Choices, differences: Collection[GroundRule]) -> Support | None:
        return self._support(choices, self.group.total, bool(differences))

    def support_of_differences(self, choices: Choices) -> Support | None:
        return self._support(choices, None, distinct=True)

    def _support(self, choices: Choices, total: int | None, distinct: bool) -> Support | None:
        support = addition_support(self._weighted(choices), total, distinct)
        if support is None or not self.group.weights:
            return support
        numbers = []
        for weight, weighted in zip(self.group.weights, support):
            numbers.append(frozenset(number // weight for number in weighted))
        return tuple(numbers)

    def sets(self, choices: Choices, opened: Sequence[int]) -> Sets:
        weighted = self._weighted(choices)
        placed = [numbers[0] for index, numbers in enumerate(weighted) if index not in opened]
        rest = [weighted[index] for index in opened]
        if self.differences:
            rest = [tuple(each for each in numbers if each not in placed) for numbers in rest]
        total = self.group.total - sum(placed)
        return addition_sets(tuple(rest), total, bool(self.differences))


class RowRelation(Relation):
    """A group given by the rows of a table."""

    def __init__(
        self,
        number: int,
        group: SumGroup,
        literals: Literals,
        conditions: Sequence[GroundRule],
        differences: Sequence[GroundRule],
        rows: Rows,
    ) -> None:
        super().__init__(number, group, literals, conditions, differences)
        self._rows = rows
        self._numbers_of_conditions = [instance.number for instance in self.conditions]

    def support(self, choices: Choices, differences: Collection[GroundRule]) -> Support | None:
        further = [instance.number for instance in differences]
        return self._rows.support(choices, [*self._numbers_of_conditions, *further])

    def support_of_differences(self, choices: Choices) -> Support | None:
        return self._rows.support(choices, [instance.number for instance in self.differences])

    def sets(self, choices: Choices, opened: Sequence[int]) -> Sets:
        numbers = [instance.number for instance in (*self.conditions, *self.differences)]
        return self._rows.sets(choices, numbers, opened)


# From the instances of a puzzle -------------------------------------------------------------------


Differences = Sequence[tuple[frozenset[Variable], GroundRule]]


def differences_of(model: AssumptionModel) -> Differences:
    """Return the instances that say that unknowns differ, those of few unknowns first."""
    differences = []
    for instance in model.instances:
        unknowns = unknowns_that_differ(instance)
        if unknowns:
            differences.append((frozenset(unknowns), instance))
    differences.sort(key=lambda each: len(each[0]))
    return differences


def stated_relations(model: AssumptionModel, differences: Differences) -> list[Relation]:
    """Return the groups that instances of rules state, of unknowns that the type names."""
    unknowns = {*model.model.visible()}
    relations: list[Relation] = []
    for instance in model.instances:
        if instance.number in model.without_relation:
            continue
        if not _may_state_relation(instance, unknowns, model.literals):
            model.without_relation.add(instance.number)
            continue
        assert isinstance(instance, PatternInstance)
        relation = _relation(len(relations), instance, model.literals, differences)
        if relation is not None:
            relations.append(relation)
    return relations


def _may_state_relation(
    instance: GroundRule, unknowns: Collection[Variable], literals: Literals
) -> bool:
    """Return whether an instance has one condition, a sum or a function of at least two unknowns of
    the type, all of whose values are numbers.
    """
    if not isinstance(instance, PatternInstance) or len(instance.conditions) != 1:
        return False
    if isinstance(instance.conditions[0], AllDifferent):
        return False
    about = variables_of(*instance.conditions)
    if len(about) < 2 or not all(unknown in unknowns for unknown in about):
        return False
    domains = [literals.domains[unknown] for unknown in about]
    if not all(isinstance(number, int) for number in chain(*domains)):
        return False
    condition = instance.conditions[0]
    weighted, _ = _weighted_sum(condition, literals)
    return bool(weighted and _is_told_as_sum(weighted, literals)) or _is_function(condition)


def unknowns_that_differ(instance: GroundRule) -> tuple[Variable, ...]:
    """Return the unknowns of an instance that says that all of them differ; none for another."""
    if len(instance.conditions) == 1:
        condition = instance.conditions[0]
        if isinstance(condition, AllDifferent):
            terms = condition.terms
            if all(isinstance(term, Variable) for term in terms):
                return terms  # type: ignore[return-value]
    return ()


def _relation(
    number: int, instance: PatternInstance, literals: Literals, differences: Differences
) -> Relation | None:
    """Return the group that an instance states, or None."""
    condition = instance.conditions[0]
    unknowns = variables_of(condition)
    weighted, total = _weighted_sum(condition, literals)
    if weighted and _is_told_as_sum(weighted, literals):
        return _sum_relation(number, instance, literals, differences, weighted, total)
    if _is_function(condition) and _is_tabulated(unknowns, literals):
        rows = _rows_of(instance, unknowns, literals, ())
        if _is_symmetric(rows, instance.number):
            return _row_relation(number, instance, literals, differences, unknowns, None)
    return None


def _weighted_sum(condition: Term, literals: Literals) -> tuple[dict[Variable, int], int]:
    """Return the weights of unknowns and their sum; no weights if the condition states none."""
    match condition:
        case Linear(weighted, low, high) if low is not None and low == high:
            term, total = Sum(tuple((weight, variable) for weight, variable in weighted)), low
        case Comparison("==", left, right) if all(
            numeric(side, literals.domains) for side in (left, right)
        ):
            term, total = Sum(((1, left), (-1, right))), 0
        case _:
            return {}, 0
    form, constant = linear_form(term)
    if not all(isinstance(atom, Variable) for atom in form):
        return {}, 0
    weights = {atom: weight for atom, weight in form.items() if isinstance(atom, Variable)}
    total -= constant
    if weights and all(weight < 0 for weight in weights.values()):
        return {atom: -weight for atom, weight in weights.items()}, -total
    return weights, total


def _is_told_as_sum(weights: Mapping[Variable, int], literals: Literals) -> bool:
    """Return whether a sum is told by its combinations: of numbers with equal weights, and of
    truths with different ones. (A sum of truths with equal weights is a count.)
    """
    if len(weights) < 2 or min(weights.values()) < 1:
        return False
    truths = [isinstance(literals.domains[unknown][0], bool) for unknown in weights]
    equal = len({*weights.values()}) == 1
    return (equal and not any(truths)) or (all(truths) and not equal)


def _sum_relation(
    number: int,
    instance: PatternInstance,
    literals: Literals,
    differences: Differences,
    weights: Mapping[Variable, int],
    total: int,
) -> Relation | None:
    """Return the group of a sum; None if it has too many partial sums."""
    unknowns = tuple(weights)
    common = math.gcd(*weights.values())
    reduced = tuple(weight // common for weight in weights.values())
    if total % common:
        return None
    total //= common
    if {*reduced} == {1}:
        reduced = ()
        around = difference_around(unknowns, differences, literals)
        is_partly_different = around is None and _differ_in_part(unknowns, differences)
        if is_partly_different and _is_tabulated(unknowns, literals):
            return _row_relation(number, instance, literals, differences, unknowns, total)
    else:
        around = None
    if _span(unknowns, reduced, literals) * len(unknowns) > MOST_STATES:
        return None
    instances = (instance,) if around is None else (instance, around)
    group = SumGroup(unknowns, total, instances, around is not None, weights=reduced)
    return SumRelation(number, group, literals, (instance,), instances[1:])


def _span(unknowns: Sequence[Variable], weights: Sequence[int], literals: Literals) -> int:
    """Return how many different sums there can be."""
    span = 1
    for unknown, weight in zip(unknowns, weights or [1] * len(unknowns)):
        domain = literals.domains[unknown]
        span += weight * (int(max(domain)) - int(min(domain)))
    return span


def difference_around(
    unknowns: Collection[Variable], differences: Differences, literals: Literals
) -> GroundRule | None:
    """Return the smallest instance that says that all these unknowns differ, or None; also if there
    are too many sets of different values.
    """
    values = {*chain.from_iterable(literals.domains[unknown] for unknown in unknowns)}
    sizes = range(len(unknowns) + 1)
    sets = sum(math.comb(len(values), size) for size in sizes)
    if sets <= MOST_STATES:
        for around, instance in differences:
            if around.issuperset(unknowns):
                return instance
    return None


def _differ_in_part(unknowns: Collection[Variable], differences: Differences) -> bool:
    return any(len(around.intersection(unknowns)) > 1 for around, _ in differences)


# Functions ----------------------------------------------------------------------------------------


def _is_function(condition: Term) -> bool:
    """Return whether a condition is an equation about a function such as a product, or several of
    which one is true.
    """
    if isinstance(condition, Or):
        return all(isinstance(each, Comparison) for each in condition.conditions) and any(
            map(_is_function, condition.conditions)
        )
    if not isinstance(condition, Comparison) or condition.operator != "==":
        return False
    return any(map(_has_operation, (condition.left, condition.right)))


def _has_operation(term: Term) -> bool:
    match term:
        case Operation(operator, operands):
            return operator in OPERATIONS or any(map(_has_operation, operands))
        case Sum(weighted):
            return any(_has_operation(operand) for _, operand in weighted)
        case _:
            return False


def _is_tabulated(unknowns: Sequence[Variable], literals: Literals) -> bool:
    """Return whether a table of all values of unknowns is small enough."""
    sizes = [len(literals.domains[unknown]) for unknown in unknowns]
    return len(unknowns) <= MOST_ARGUMENTS and math.prod(sizes) <= MOST_ROWS


def _rows_of(
    instance: PatternInstance,
    unknowns: Sequence[Variable],
    literals: Literals,
    differences: Sequence[GroundRule],
) -> Rows:
    """Return all rows of values of unknowns, with the instances that they satisfy."""
    domains = [np.array(literals.domains[unknown], dtype=np.int64) for unknown in unknowns]
    columns = every_combination(domains)
    count = len(columns[0])
    evaluator = ColumnEvaluator(dict(zip(unknowns, columns)), count)
    satisfied = {instance.number: evaluator.is_true(instance.conditions[0])}
    for difference in differences:
        inside = [term for term in unknowns_that_differ(difference) if term in unknowns]
        satisfied[difference.number] = evaluator.is_true(AllDifferent(tuple(inside)))
    return Rows(np.stack(columns, axis=1), satisfied)


def _is_symmetric(rows: Rows, condition: int) -> bool:
    """Return whether a condition does not depend on the order of its unknowns, so that sets of
    values tell all of it.
    """
    allowed = rows.numbers[rows.satisfied[condition]]
    if not len(allowed):
        return False
    all_rows = {*map(tuple, allowed.tolist())}
    width = allowed.shape[1]
    orders = ([1, 0, *range(2, width)], [*range(1, width), 0])  # these generate all orders
    return all({*map(tuple, allowed[:, order].tolist())} == all_rows for order in orders)


def _row_relation(
    number: int,
    instance: PatternInstance,
    literals: Literals,
    differences: Differences,
    unknowns: Sequence[Variable],
    total: int | None,
) -> Relation:
    """Return the group of a sum or another function that is tabulated.

    Args:
        total: The sum; None for another function.
    """
    inside = [each for around, each in differences if len(around.intersection(unknowns)) > 1]
    rows = _rows_of(instance, unknowns, literals, inside)
    distinct = any(around.issuperset(unknowns) for around, _ in differences)
    posted = 0 if total is None else total
    group = SumGroup(
        tuple(unknowns),
        posted,
        (instance, *inside),
        distinct,
        is_sum=total is not None,
    )
    return RowRelation(number, group, literals, (instance,), inside, rows)
