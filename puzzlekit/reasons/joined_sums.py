"""Sums that follow from two sums of a puzzle: if these are added or subtracted, unknowns cancel.

With E + 1 = N, the column N + R + carry = E + 10 says that R + carry = 9.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

from puzzlekit.model import Linear, Variable
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.instances import GroundRule, PatternInstance
from puzzlekit.reasons.patterns import Pattern

MOST_UNKNOWNS = 6  # of a sum
FEWEST_CANCELLED = 2  # unknowns
FEWEST_VALUES = 3  # of an unknown that cancels


class JoinedSum(PatternInstance):
    """A sum that follows from two sums.

    Attributes:
        sources: The two sums.
    """

    def __init__(
        self,
        model: AssumptionModel,
        sources: tuple[GroundRule, GroundRule],
        variables: tuple[Variable, ...],
        pattern: Pattern,
    ) -> None:
        first, second = sources
        origins = (*first.origins, *second.origins)
        super().__init__(-1, origins, model.literals, variables, pattern)
        self.sources = sources


def joined_sums(model: AssumptionModel, rules: Iterable[GroundRule]) -> Iterator[JoinedSum]:
    """Yield the sums that follow from two small ones, in which two unknowns or more cancel."""
    sums = [rule for rule in rules if sum_of(rule) is not None]
    by_unknown: dict[Variable, list[int]] = {}
    for position, rule in enumerate(sums):
        for unknown in _numbers_of(model, rule):
            by_unknown.setdefault(unknown, []).append(position)
    shared = Counter(pair for each in by_unknown.values() for pair in combinations(each, 2))
    for (first, second), count in sorted(shared.items()):
        if count >= FEWEST_CANCELLED:
            yield from _sums_of(model, sums[first], sums[second])


def sum_of(rule: GroundRule) -> Linear | None:
    """Return what a rule states if that is the sum of a few unknowns; else None."""
    if len(rule.conditions) != 1:
        return None
    condition = rule.conditions[0]
    if not isinstance(condition, Linear) or condition.low != condition.high:
        return None
    is_small = len(condition.weighted) <= MOST_UNKNOWNS
    return condition if is_small else None


def _numbers_of(model: AssumptionModel, rule: GroundRule) -> Iterator[Variable]:
    condition = sum_of(rule)
    assert condition is not None
    for _, unknown in condition.weighted:
        values = model.domains[unknown]
        if len(values) >= FEWEST_VALUES:
            yield unknown


def _sums_of(model: AssumptionModel, first: GroundRule, second: GroundRule) -> Iterator[JoinedSum]:
    """Yield the sum and the difference of two sums, if two unknowns or more cancel in it."""
    left = sum_of(first)
    right = sum_of(second)
    assert left is not None
    assert right is not None
    for sign in (1, -1):
        condition = _combined(left, right, sign)
        if condition is None:
            continue
        variables, pattern = model.pattern_of(condition)
        joined = JoinedSum(model, (first, second), variables, pattern)
        joined.conditions = (condition,)
        yield joined


def _combined(left: Linear, right: Linear, sign: int) -> Linear | None:
    """Return a sum plus or minus another one; None if few unknowns cancel, or many are left."""
    weights = {unknown: weight for weight, unknown in left.weighted}
    for weight, unknown in right.weighted:
        before = weights.get(unknown, 0)
        weights[unknown] = before + sign * weight
    weighted = tuple((weight, unknown) for unknown, weight in weights.items() if weight)
    cancelled = len(weights) - len(weighted)
    if cancelled < FEWEST_CANCELLED or not 0 < len(weighted) <= MOST_UNKNOWNS:
        return None
    assert left.low is not None
    assert right.low is not None
    total = left.low + sign * right.low
    return Linear(weighted, total, total)
