"""Sums that follow from others: what is left of houses beside the sums inside of them, or sticks
out of them beside the sums that cover them.

With houses of the digits from 1 to 9, solvers call it the rule of 45, and the rest of a house
innies and outies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.model import Variable
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.deductions import Derivation, SumGroup
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.sum_groups import (
    Differences,
    Relation,
    SumRelation,
    difference_around,
    unknowns_that_differ,
)

MOST_HOUSES = 3  # that are added
MOST_SETS_OF_HOUSES = 4_000
MOST_IN_REST = 3  # unknowns


@dataclass(frozen=True)
class _BitSum:
    """A sum, with its unknowns as bits.

    Attributes:
        bits: A bit for each unknown.
        group: The sum.
        condition: The instance that states the sum.
    """

    bits: int
    group: SumGroup
    condition: GroundRule


class RestOfGroups:
    """The sums that follow from the houses of a puzzle and its posted sums."""

    def __init__(
        self, model: AssumptionModel, posted: Sequence[Relation], differences: Differences
    ) -> None:
        self._literals, self._differences = model.literals, differences
        self._bits: dict[Variable, int] = {}
        self._sums = []
        for relation in posted:
            if isinstance(relation, SumRelation) and not relation.group.weights:
                group = relation.group
                self._sums.append(_BitSum(self._bits_of(group), group, relation.instance))
        self._houses = list(self._all_houses()) or self._crossed_sums()
        self._relations: list[Relation] = []
        self._number = len(posted)
        self._covered = {each.bits for each in self._sums}

    def _bits_of(self, group: SumGroup) -> int:
        """Return a bit for each unknown of a group."""
        bits = 0
        for unknown in group.unknowns:
            bits |= 1 << self._bits.setdefault(unknown, len(self._bits))
        return bits

    def _all_houses(self) -> Iterator[_BitSum]:
        """Yield the groups of unknowns that have all their values, whose sum is therefore given."""
        for unknowns, instance in self._differences:
            domains = [self._literals.domains[unknown] for unknown in unknowns]
            values = {*chain.from_iterable(domains)}
            if len(values) != len(unknowns) or not self._sums:
                continue
            numbers = [each for each in values if isinstance(each, int)]
            if len(numbers) == len(values):
                total = sum(numbers)
                ordered = unknowns_that_differ(instance)
                group = SumGroup(ordered, total, (instance,), is_house=True)
                yield _BitSum(self._bits_of(group), group, instance)

    def _crossed_sums(self) -> list[_BitSum]:
        """Return the posted sums that have unknowns in common with others, as crossing runs do."""

        def is_crossed(group: _BitSum) -> bool:
            return any(group.bits & each.bits for each in self._sums if each is not group)

        return list(filter(is_crossed, self._sums))

    def relations(self) -> list[Relation]:
        """Return the sums of the rests that are small enough, those of few houses first."""
        for houses in self._sets_of_houses():
            check()
            bits = 0
            for house in houses:
                bits |= house.bits
            touching = [each for each in self._sums if each.bits & bits and each not in houses]
            inside = [each for each in touching if not each.bits & ~bits]
            self._add_rest(houses, inside, bits, is_cover=False)
            self._add_rest(houses, touching, bits, is_cover=True)
        return self._relations

    def _sets_of_houses(self) -> Iterator[tuple[_BitSum, ...]]:
        """Yield sets of houses without a common unknown, each of which a sum joins to those before
        it.
        """
        seen: set[frozenset[int]] = set()
        layer: list[tuple[_BitSum, ...]] = [(house,) for house in self._houses]
        for size in range(MOST_HOUSES):
            yield from layer
            if size + 1 == MOST_HOUSES:
                return
            next_layer = []
            for houses in layer:
                for house in self._joined(houses):
                    key = frozenset(id(each) for each in (*houses, house))
                    if key not in seen and len(seen) < MOST_SETS_OF_HOUSES:
                        seen.add(key)
                        next_layer.append((*houses, house))
            layer = next_layer

    def _joined(self, houses: Sequence[_BitSum]) -> Iterator[_BitSum]:
        """Yield the houses that a posted sum joins to some of these."""
        bits = reach = 0
        for house in houses:
            bits |= house.bits
        for each in self._sums:
            if each.bits & bits and each not in houses:
                reach |= each.bits
        for house in self._houses:
            if house.bits & reach and not house.bits & bits:
                yield house

    def _add_rest(
        self, houses: Sequence[_BitSum], inner: Sequence[_BitSum], bits: int, is_cover: bool
    ) -> None:
        """Add the sum of what is in houses or in sums, and not in both, if it is small enough."""
        covered = 0
        for each in inner:
            if each.bits & covered:
                return  # an unknown would count twice
            covered |= each.bits
        rest = covered & ~bits if is_cover else bits & ~covered
        is_covered = not bits & ~covered
        if (is_cover and not is_covered) or not inner or rest in self._covered:
            return
        if not 0 < rest.bit_count() <= MOST_IN_REST:
            return
        self._covered.add(rest)
        total = sum(house.group.total for house in houses)
        total -= sum(each.group.total for each in inner)
        outer_groups = tuple(house.group for house in houses)
        inner_groups = tuple(each.group for each in inner)
        derivation = Derivation(outer_groups, inner_groups, is_cover)
        unknowns = tuple(unknown for unknown, bit in self._bits.items() if rest >> bit & 1)
        around = None
        if len(unknowns) > 1:
            around = difference_around(unknowns, self._differences, self._literals)
        conditions = [each.condition for each in (*houses, *inner)]
        differences = [] if around is None else [around]
        group = SumGroup(
            unknowns,
            -total if is_cover else total,
            (*conditions, *differences),
            around is not None,
            derivation,
        )
        number = self._number + len(self._relations)
        relation = SumRelation(number, group, self._literals, conditions, differences)
        self._relations.append(relation)
