"""Deductions that assume that a puzzle has one solution: unique rectangles.

Two values in four cells can be exchanged if each all-different group that contains one of the cells
contains just two of them, with different values. Then a solution with these values in the four
cells has a twin, so that the only solution has another value in at least one of the cells. The
pattern is known as the unique rectangle, whose types 1, 2 and 4 are looked for (Stuart, "The logic
of Sudoku", 2007). Here the cells are any unknowns that only all-different rules are about, so that
it serves all types with such groups.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.model import AllDifferent, Value, Variable, variables_of
from puzzlekit.reasons.deductions import Card, CardType, Deduction, OpenCard, Pattern
from puzzlekit.reasons.instances import GroundRule, PatternInstance
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks

COST = {1: 3.3, 2: 3.5, 4: 3.7}  # by the type of the rectangle


@dataclass(frozen=True)
class _Rectangle:
    """Four unknowns, each of which shares groups with the one before it and the one after it.

    Attributes:
        corners: The unknowns, in this order.
        values: The two values.
    """

    corners: tuple[Variable, Variable, Variable, Variable]
    values: tuple[Value, Value]


class UniqueRectangles:
    """Finds what follows from rectangles whose values could be exchanged."""

    def __init__(
        self, marks: Marks, instances: Iterable[GroundRule], goal: Collection[Variable]
    ) -> None:
        """Prepare the groups.

        Args:
            marks: What is known.
            instances: All instances of rules.
            goal: The unknowns of a solution.
        """
        self.marks = marks
        # by unknown that only all-different groups are about, these groups
        self._groups: dict[Variable, list[GroundRule]] = {
            unknown: groups
            for unknown, groups in _all_different_groups(marks, instances).items()
            if unknown in goal
        }
        self._members = {
            group: frozenset(_unknowns_of(marks, group))
            for groups in self._groups.values()
            for group in groups
        }

    def deductions(self) -> Iterator[Deduction]:
        """Yield what follows from the rectangles of two values, on the present marks."""
        by_values: dict[tuple[Value, Value], list[Variable]] = {}
        for unknown in self._groups:
            open_values = self._open_values(unknown)
            if len(open_values) == 2:
                by_values.setdefault((open_values[0], open_values[1]), []).append(unknown)
        for values, unknowns in by_values.items():
            if len(unknowns) >= 2:
                check()
                for rectangle in self._rectangles(values, unknowns):
                    for deduction in self._deductions_of(rectangle):
                        if not all(map(self.marks.is_known, deduction.literals)):
                            yield deduction

    def _open_values(self, unknown: Variable) -> list[Value]:
        literals = self.marks.literals
        facts = map(literals.fact, self.marks.open_values(unknown))
        return [fact.value for fact in facts]

    def _rectangles(
        self, values: tuple[Value, Value], bivalued: Sequence[Variable]
    ) -> Iterator[_Rectangle]:
        """Yield the rectangles of which two corners at least can have only these values."""
        open_corners = [
            unknown for unknown in self._groups if set(values) <= set(self._open_values(unknown))
        ]
        peers = {
            unknown: [peer for peer in open_corners if self._share_group(unknown, peer)]
            for unknown in open_corners
        }
        visited: set[frozenset[Variable]] = set()
        for first in bivalued:
            for second in peers[first]:
                for fourth in peers[first]:
                    for third in peers[second]:
                        corners = (first, second, third, fourth)
                        if third not in peers[fourth] or frozenset(corners) in visited:
                            continue
                        visited.add(frozenset(corners))
                        is_narrow = len(set(corners) & set(bivalued)) >= 2
                        if is_narrow and self._can_be_exchanged(corners):
                            yield _Rectangle(corners, values)

    def _share_group(self, first: Variable, second: Variable) -> bool:
        if first == second:
            return False
        return any(second in self._members[group] for group in self._groups[first])

    def _can_be_exchanged(self, corners: tuple[Variable, Variable, Variable, Variable]) -> bool:
        """Return whether each group of a corner contains one corner with each of two values, where
        opposite corners have the same value.
        """
        if len(set(corners)) < len(corners):
            return False
        first, second, third, fourth = corners
        for group in self._groups_of(corners):
            members = self._members[group]
            of_first = (first in members) + (third in members)
            of_second = (second in members) + (fourth in members)
            if of_first != 1 or of_second != 1:
                return False
        return True

    def _groups_of(self, corners: Iterable[Variable]) -> list[GroundRule]:
        groups = (group for corner in corners for group in self._groups[corner])
        return list(dict.fromkeys(groups))

    def _deductions_of(self, rectangle: _Rectangle) -> Iterator[Deduction]:
        """Yield what follows as at least one corner has another value than the two."""
        of = self.marks.literals.of
        further = {
            corner: [
                of(corner, value)
                for value in self._open_values(corner)
                if value not in rectangle.values
            ]
            for corner in rectangle.corners
        }
        wide = [corner for corner in rectangle.corners if further[corner]]
        if len(wide) == 1:
            struck = [-of(wide[0], value) for value in rectangle.values]
            yield self._deduction(rectangle, 1, struck)
        elif wide:
            yield from self._same_further_value(rectangle, further)
        if len(wide) == 2:
            yield from self._one_value_only_there(rectangle, wide)

    def _same_further_value(
        self, rectangle: _Rectangle, further: Mapping[Variable, Sequence[int]]
    ) -> Iterator[Deduction]:
        """Yield what follows where the other values are the same one, in one group (type 2)."""
        literals = [literal for corner in rectangle.corners for literal in further[corner]]
        for card in self._cards_of(literals):
            opened = self.marks.open_card(card)
            if opened.allowed == 1:
                struck = [-literal for literal in opened.literals if literal not in literals]
                yield self._deduction(rectangle, 2, struck, cover=(opened,))

    def _one_value_only_there(
        self, rectangle: _Rectangle, wide: Sequence[Variable]
    ) -> Iterator[Deduction]:
        """Yield what follows where a group has one of the two values only in the corners that can
        have another one: neither has the other of the two (type 4).
        """
        of = self.marks.literals.of
        for needed, excluded in (rectangle.values, rectangle.values[::-1]):
            candidates = [of(corner, needed) for corner in wide]
            for card in self._cards_of(candidates):
                opened = self.marks.open_card(card)
                if opened.needed == 1 and set(opened.literals) == set(candidates):
                    struck = [-of(corner, excluded) for corner in wide]
                    yield self._deduction(rectangle, 4, struck, base=(opened,))

    def _cards_of(self, literals: Sequence[int]) -> Iterator[Card]:
        """Yield the cards that count the places of one value, among them all of these."""
        for number in self.marks.cards_of.get(literals[0], ()):
            card = self.marks.cards[number]
            is_plain = card.guard == TRUE and card.derivation is None
            is_of_value = card.card_type is CardType.VALUE and card.high == 1
            if is_plain and is_of_value and set(literals) <= set(card.literals):
                yield card

    def _deduction(
        self,
        rectangle: _Rectangle,
        number: int,
        struck: Sequence[int],
        base: tuple[OpenCard, ...] = (),
        cover: tuple[OpenCard, ...] = (),
    ) -> Deduction:
        """Return the deduction of a rectangle of the type with a number."""
        literals = self.marks.literals
        reasons = [
            -literal
            for corner in rectangle.corners
            for literal in literals.of_all(corner)
            if -literal in self.marks.trail
        ]
        groups = self._groups_of(rectangle.corners)
        cards = [opened.card for opened in (*base, *cover)]
        instances = dict.fromkeys((*groups, *(each for card in cards for each in card.instances)))
        corners_and_values = rectangle.corners, rectangle.values
        return Deduction(
            Pattern.UNIQUE_RECTANGLE,
            COST[number],
            tuple(struck),
            base,
            cover,
            tuple(instances),
            tuple(reasons),
            rectangle=corners_and_values,
            is_minimal=True,
        )


def _all_different_groups(
    marks: Marks, instances: Iterable[GroundRule]
) -> dict[Variable, list[GroundRule]]:
    """Return the all-different groups of each unknown that no other rule is about."""
    groups: dict[Variable, list[GroundRule]] = {}
    of_further_rules: set[Variable] = set()
    for instance in instances:
        unknowns = _unknowns_of(marks, instance)
        if _is_all_different(instance):
            for unknown in unknowns:
                groups.setdefault(unknown, []).append(instance)
        else:
            of_further_rules.update(unknowns)
    return {each: of_each for each, of_each in groups.items() if each not in of_further_rules}


def _is_all_different(instance: GroundRule) -> bool:
    if instance.shape or not isinstance(instance, PatternInstance):
        return False
    if len(instance.conditions) != 1:
        return False
    condition = instance.conditions[0]
    if not isinstance(condition, AllDifferent):
        return False
    return all(isinstance(term, Variable) for term in condition.terms)


def _unknowns_of(marks: Marks, instance: GroundRule) -> list[Variable]:
    """Return the unknowns that an instance is about."""
    if isinstance(instance, PatternInstance) and not instance.shape:
        return list(variables_of(*instance.conditions))
    facts = map(marks.literals.fact, filter(marks.literals.is_value_literal, instance.scope))
    return list(dict.fromkeys(fact.unknown for fact in facts))
