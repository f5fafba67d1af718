"""Memberships: truths that say to which of several areas a cell belongs, such as an island.

A reader does not note to what a cell does not belong. It is noted that it belongs to one of them,
or to none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from puzzlekit.dataclass import dataclass
from puzzlekit.model import Variable
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.deductions import Card, Deduction
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.shapes import ConnectedInstance
from puzzlekit.reasons.words import Words


@dataclass(frozen=True)
class Memberships:
    """The unknowns that say to what cells belong.

    Attributes:
        unknowns: The unknowns.
        cards: The numbers of the cards of cells: a cell belongs to one of several things, or to
            none.
        eliminated: By literal that says to what a cell does not belong, why, if that was not told.
    """

    unknowns: frozenset[Variable] = frozenset()
    cards: frozenset[int] = frozenset()
    eliminated: dict[int, Deduction] = field(default_factory=dict)

    @classmethod
    def of(cls, cards: Iterable[Card], words: Words, model: AssumptionModel) -> Memberships:
        """Return the auxiliary truths with several indexes of which cards say that, at one place,
        one of them holds or something else, and which form connected areas.
        """
        literals = model.literals
        areas = (each for each in model.instances if isinstance(each, ConnectedInstance))
        of_areas = {number for each in areas for number in each.scope}
        memberships: set[Variable] = set()
        numbers: set[int] = set()
        if not any(map(words.is_auxiliary_of_several, words.keys)):
            return cls()
        for card in cards:
            if card.low != 1 or card.guard != TRUE:
                continue
            if not all(map(literals.is_value_literal, card.literals)):
                continue
            unknowns = {literals.fact(literal).unknown for literal in card.literals}
            if len(unknowns) < 2 or not words.keys.keys() >= unknowns:
                continue
            flags = of_areas.intersection(map(abs, card.literals))
            in_areas = {literals.fact(flag).unknown for flag in flags}
            auxiliary = list(filter(words.is_auxiliary_of_several, in_areas))
            positions = set(map(words.position, unknowns))
            if auxiliary and len(positions) == 1:
                memberships.update(auxiliary)
                numbers.add(card.number)
        return cls(frozenset(memberships), frozenset(numbers))

    def eliminate(self, deduction: Deduction) -> None:
        """Note why cells do not belong to things."""
        if self.unknowns:
            self.eliminated.update(dict.fromkeys(deduction.literals, deduction))
