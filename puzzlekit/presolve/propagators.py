"""Propagators for all-different, cardinality and linear constraints, and for any other condition."""

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
    """All-different: fixed values are removed from the others; n variables need n values.

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
        self._common: list[
            list[int]
        ] = []  # for each variable and code a mask that equal values share, if domains differ
        every = [domains.values[variable] for variable in self.variables]
        if any(values is not every[0] for values in every):
            number: dict[Value, int] = {}
            self._common = [
                [1 << number.setdefault(value, len(number)) for value in values] for values in every
            ]

    @property
    def watched(self) -> Iterable[Variable]:
        return self.variables

    def run(self, domains: DomainStore) -> None:
        live = [domains.masks[variable] for variable in self.variables]
        before = (
            [self._shared(place, mask) for place, mask in enumerate(live)] if self._common else live
        )
        masks = list(before)
        self._take(masks)
        once = twice = 0
        for mask in masks:
            twice |= once & mask
            once |= mask
        if once.bit_count() < len(masks):
            raise Inconsistent(self.variables[0], self.origin)
        if self._exact and (alone := once & ~twice) and once.bit_count() == len(masks):
            masks = [mask & alone or mask for mask in masks]
            if any((mask & alone).bit_count() > 1 for mask in masks):
                raise Inconsistent(self.variables[0], self.origin)
        for place, (old, mask) in enumerate(zip(before, masks)):
            if mask != old:
                domains.restrict(
                    self.variables[place], self._own(place, mask) if self._common else mask
                )

    def _take(self, masks: list[int]) -> None:
        """Remove fixed values from the other masks, until no more are fixed."""
        undecided, fresh = [*range(len(masks))], 1
        taken = 0
        while fresh:
            fresh, rest = 0, []
            for place in undecided:
                mask = masks[place] = masks[place] & ~taken
                if mask & (mask - 1):
                    rest.append(place)
                elif not mask or mask & fresh:
                    raise Inconsistent(self.variables[place], self.origin)
                else:
                    fresh |= mask
            taken |= fresh
            undecided = rest

    def _shared(self, place: int, mask: int) -> int:
        return sum(bit for code, bit in enumerate(self._common[place]) if mask >> code & 1)

    def _own(self, place: int, mask: int) -> int:
        return sum(1 << code for code, bit in enumerate(self._common[place]) if mask & bit)


class CardinalityPropagator:
    """A cardinality: once the true literals reach a bound, the open ones are decided.

    `idle`: all literals were open when it was posted, and no variable of them has changed since.
    """

    costly = False

    def __init__(self, constraint: Cardinality, origin: Origin) -> None:
        self.constraint = constraint
        self.origin: Origin | None = origin
        self.idle = False
        self.last_state: tuple[int, list[tuple[Variable, int]]] | None = (
            None  # its state in the last run
        )
        self._bits: list[tuple[Variable, int]] | None = None

    @property
    def watched(self) -> Iterable[Variable]:
        return dict(self.constraint.literals)

    def state(self, domains: DomainStore) -> tuple[int, list[tuple[Variable, int]]]:
        """Return the number of true literals, and the open ones, each with its value's mask."""
        if self._bits is None:
            self._bits = domains.bits(self.constraint.literals)
        held, undecided = 0, []
        for variable, bit in self._bits:
            live = domains.masks[variable]
            if bit == live:
                held += 1
            elif bit & live:
                undecided.append((variable, bit))
        return held, undecided

    def run(self, domains: DomainStore) -> None:
        self.idle = False
        held, undecided = self.last_state = self.state(domains)
        low, high = self.constraint.low, self.constraint.high
        if held > high or held + len(undecided) < low:
            raise Inconsistent(next(iter(self.watched), None), self.origin)
        if undecided and held == high:
            for variable, bit in undecided:
                domains.restrict(variable, ~bit)
        elif undecided and held + len(undecided) == low:
            for variable, bit in undecided:
                domains.restrict(variable, bit)


def at_rest(count: Cardinality, domains: DomainStore) -> bool:
    """Return whether nothing follows as long as no domain changes: all literals are open truths, no
    bound is reached.
    """
    literals, live, values = count.literals, domains.masks, domains.values
    if count.low >= len(literals) or count.high <= 0:
        return False
    for variable, value in literals:
        domain = values[variable]
        if live[variable] != 0b11 or len(domain) != 2 or value not in domain:
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
                ends = (
                    weight * numbers[(mask & -mask).bit_length() - 1],
                    weight * numbers[mask.bit_length() - 1],
                )
                spans.append(ends if weight >= 0 else ends[::-1])
            else:
                values = [weight * int(value) for value in domains.live_values(variable)]
                spans.append((min(values), max(values)))
        return spans

    def run(self, domains: DomainStore) -> None:
        low, high = self.low, self.high
        spans = self.bounds(domains)
        least, most = sum([span[0] for span in spans]), sum([span[1] for span in spans])
        if (high is not None and least > high) or (low is not None and most < low):
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
        first, after = (
            bisect_left(numbers, -(-bottom // weight)),
            bisect_right(numbers, top // weight),
        )
        return (1 << after) - (1 << first) if after > first else 0
    values = enumerate(domains.values[variable])
    return sum(1 << code for code, value in values if bottom <= weight * int(value) <= top)


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
        values = {
            variable: domains.values[variable][domains.masks[variable].bit_length() - 1]
            for variable in self.watched
        }
        if not undecided:
            if not self._holds(values):
                raise Inconsistent(next(iter(self.watched), None), self.origin)
            return
        kept = 0
        for bit in bits(domains.masks[undecided[0]]):
            values[undecided[0]] = domains.values[undecided[0]][bit.bit_length() - 1]
            kept |= bit if self._holds(values) else 0
        domains.restrict(undecided[0], kept)

    def _holds(self, values: Values) -> bool:
        try:
            return bool(self.condition.value(values))
        except (ValueError, ZeroDivisionError):  # a term without a value violates the rule
            return False
