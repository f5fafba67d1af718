"""Propagators for all-different, counts and linear constraints, and for any other condition."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from puzzlekit.model import (
    AllDifferent,
    Cardinality,
    Linear,
    Origin,
    Term,
    Value,
    Values,
    Variable,
    variables_of,
)
from puzzlekit.presolve.bit_graph import bits
from puzzlekit.presolve.domains import DomainStore, Inconsistent


class AllDifferentPropagator:
    """All-different: values of fixed variables are removed elsewhere; n variables need n values.

    Args:
        exact: Whether a value that only one variable can take is taken if there are as many values
            as variables; a search does so.
    """

    costly = False

    def __init__(
        self, constraint: AllDifferent, origin: Origin, domains: DomainStore, exact: bool = False
    ) -> None:
        self.variables = [term for term in constraint.terms if isinstance(term, Variable)]
        self.origin: Origin | None = origin
        self._exact = exact
        # if domains differ: for each variable and code, a mask that equal values share
        self.common_bits: list[list[int]] = []
        every = [domains.values[variable] for variable in self.variables]
        if any(values is not every[0] for values in every):
            number: dict[Value, int] = {}
            for values in every:
                bits_of_values = [1 << number.setdefault(value, len(number)) for value in values]
                self.common_bits.append(bits_of_values)

    @property
    def watched(self) -> Iterable[Variable]:
        return self.variables

    def run(self, domains: DomainStore) -> None:
        before = [domains.masks[variable] for variable in self.variables]
        if self.common_bits:
            before = [self._to_common(index, mask) for index, mask in enumerate(before)]
        masks = list(before)
        self._remove_fixed(masks)
        once = twice = 0
        for mask in masks:
            twice |= once & mask
            once |= mask
        if once.bit_count() < len(masks):
            raise Inconsistent(self.variables[0], self.origin)
        if self._exact and once.bit_count() == len(masks):
            masks = self._assigned(masks, once & ~twice)
        for index, (old, mask) in enumerate(zip(before, masks)):
            if mask != old:
                if self.common_bits:
                    mask = self._from_common(index, mask)
                domains.restrict(self.variables[index], mask)

    def _assigned(self, masks: list[int], single: int) -> list[int]:
        """Assign the values that only one variable can take, where every value is needed."""
        if not single:
            return masks
        assigned = [mask & single or mask for mask in masks]
        for mask in assigned:
            if (mask & single).bit_count() > 1:
                raise Inconsistent(self.variables[0], self.origin)
        return assigned

    def _remove_fixed(self, masks: list[int]) -> None:
        """Remove fixed values from the masks of the other variables, until no more are fixed."""
        undecided = [*range(len(masks))]
        fixed = 0
        newly_fixed = 1
        while newly_fixed:
            newly_fixed, remaining = 0, []
            for index in undecided:
                mask = masks[index] = masks[index] & ~fixed
                if mask & (mask - 1):
                    remaining.append(index)
                elif not mask or mask & newly_fixed:
                    raise Inconsistent(self.variables[index], self.origin)
                else:
                    newly_fixed |= mask
            fixed |= newly_fixed
            undecided = remaining

    def _to_common(self, index: int, mask: int) -> int:
        return sum([bit for code, bit in enumerate(self.common_bits[index]) if mask >> code & 1])

    def _from_common(self, index: int, mask: int) -> int:
        return sum([1 << code for code, bit in enumerate(self.common_bits[index]) if mask & bit])


class CardinalityPropagator:
    """A cardinality: once the true literals reach a bound, the open ones are decided.

    `idle`: all literals were open when it was posted, and no variable of them has changed since.
    """

    costly = False

    def __init__(self, constraint: Cardinality, origin: Origin) -> None:
        self.constraint = constraint
        self.origin: Origin | None = origin
        self.idle = False
        # its state in the last run
        self.last_state: tuple[int, list[tuple[Variable, int]]] | None = None
        self._bits: list[tuple[Variable, int]] | None = None

    @property
    def watched(self) -> Iterable[Variable]:
        return dict(self.constraint.literals)

    def state(self, domains: DomainStore) -> tuple[int, list[tuple[Variable, int]]]:
        """Return the number of true literals, and the open ones, each with its value's mask."""
        if self._bits is None:
            self._bits = domains.bits(self.constraint.literals)
        true, undecided = 0, []
        for variable, bit in self._bits:
            mask = domains.masks[variable]
            if bit == mask:
                true += 1
            elif bit & mask:
                undecided.append((variable, bit))
        return true, undecided

    def run(self, domains: DomainStore) -> None:
        self.idle = False
        true, undecided = self.last_state = self.state(domains)
        low = self.constraint.low
        high = self.constraint.high
        if true > high or true + len(undecided) < low:
            raise Inconsistent(next(iter(self.watched), None), self.origin)
        if undecided and true == high:
            for variable, bit in undecided:
                domains.restrict(variable, ~bit)
        elif undecided and true + len(undecided) == low:
            for variable, bit in undecided:
                domains.restrict(variable, bit)


def at_rest(count: Cardinality, domains: DomainStore) -> bool:
    """Return whether nothing follows as long as no domain changes: all literals are open truths, no
    bound is reached.
    """
    literals = count.literals
    masks = domains.masks
    values = domains.values
    if count.low >= len(literals) or count.high <= 0:
        return False
    for variable, value in literals:
        domain = values[variable]
        if masks[variable] != 0b11 or len(domain) != 2 or value not in domain:
            return False
    return True


class LinearPropagator:
    """A linear constraint, propagated on bounds; a search may tighten `low` and `high`."""

    costly = False

    def __init__(self, constraint: Linear, origin: Origin) -> None:
        self.constraint = constraint
        self.low, self.high = constraint.low, constraint.high
        self.origin: Origin | None = origin

    @property
    def watched(self) -> Iterable[Variable]:
        return [variable for _, variable in self.constraint.weighted]

    def bounds(self, domains: DomainStore) -> list[tuple[int, int]]:
        """Return the least and the greatest contribution of each weighted variable."""
        spans = []
        for weight, variable in self.constraint.weighted:
            if numbers := domains.ascending(variable):
                mask = domains.masks[variable]
                lowest = numbers[(mask & -mask).bit_length() - 1]
                highest = numbers[mask.bit_length() - 1]
                ends = weight * lowest, weight * highest
                spans.append(ends if weight >= 0 else ends[::-1])
            else:
                values = [weight * int(value) for value in domains.live_values(variable)]
                spans.append((min(values), max(values)))
        return spans

    def run(self, domains: DomainStore) -> None:
        low, high = self.low, self.high
        spans = self.bounds(domains)
        least = sum([span[0] for span in spans])
        most = sum([span[1] for span in spans])
        too_large = high is not None and least > high
        too_small = low is not None and most < low
        if too_large or too_small:
            raise Inconsistent(next(iter(self.watched), None), self.origin)
        for (weight, variable), (small, large) in zip(self.constraint.weighted, spans):
            top = large if high is None else high - (least - small)
            bottom = small if low is None else low - (most - large)
            if small < large and (large > top or small < bottom):
                domains.restrict(variable, _between(domains, variable, weight, bottom, top))


def _between(domains: DomainStore, variable: Variable, weight: int, bottom: int, top: int) -> int:
    """Return the mask of the values whose weighted value is within the bounds."""
    if numbers := domains.ascending(variable):
        if weight < 0:
            weight, bottom, top = -weight, -top, -bottom
        start = bisect_left(numbers, -(-bottom // weight))
        end = bisect_right(numbers, top // weight)
        return (1 << end) - (1 << start) if end > start else 0
    values = enumerate(domains.values[variable])
    return sum([1 << code for code, value in values if bottom <= weight * int(value) <= top])


class CheckedPropagator:
    """Any condition: checked when at most one of its variables is not fixed, by a search."""

    costly = False

    def __init__(self, condition: Term, origin: Origin) -> None:
        self.condition = condition
        self.origin: Origin | None = origin
        self.watched: Sequence[Variable] = variables_of(condition)

    def run(self, domains: DomainStore) -> None:
        undecided = [variable for variable in self.watched if not domains.fixed(variable)]
        if len(undecided) > 1:
            return
        values = {}
        for variable in self.watched:
            highest = domains.masks[variable].bit_length() - 1
            values[variable] = domains.values[variable][highest]
        if not undecided:
            if not self._is_met(values):
                raise Inconsistent(next(iter(self.watched), None), self.origin)
            return
        last = undecided[0]
        domain = domains.values[last]
        remaining = 0
        for bit in bits(domains.masks[last]):
            values[last] = domain[bit.bit_length() - 1]
            if self._is_met(values):
                remaining |= bit
        domains.restrict(last, remaining)

    def _is_met(self, values: Values) -> bool:
        try:
            return bool(self.condition.value(values))
        except (ValueError, ZeroDivisionError):  # a term without a value violates the rule
            return False
