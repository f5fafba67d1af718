"""What the tests of deductions share: the state of a puzzle, and whether a deduction follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import puzzlekit
from puzzlekit.reasons.cards import Cards
from puzzlekit.reasons.deductions import CardType, Deduction
from puzzlekit.reasons.explainer import explainer_of
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.marks import Marks
from puzzlekit.reasons.sums import SumGroups
from puzzlekit.reasons.whole_rules import WholeRules
from tests.shipped import SPECS


@dataclass
class Deducing:
    """A puzzle whose sums, whole rules and fullest cards are deduced from until nothing follows.

    Attributes:
        name: The spec.
        deductions: All deductions so far that are not of cards.
        spare: Those that follow without one of their instances or reasons.
        unsound: Those that do not follow from their instances and reasons.
    """

    name: str
    deductions: list[Deduction] = field(default_factory=list)
    spare: list[Deduction] = field(default_factory=list)
    unsound: list[Deduction] = field(default_factory=list)

    def __post_init__(self) -> None:
        explainer = explainer_of(puzzlekit.load(None, SPECS[self.name]).instance)
        self.model, self.solver = explainer.assumption_model, explainer.solver
        unknowns = explainer.words.keys
        self.sums = SumGroups(self.model)
        cards = Cards(self.model, unknowns, self.sums.consumed)
        self.rest = cards.rest
        self.marks = Marks(self.model, cards.cards, unknowns)
        self.rules = WholeRules(self.model, cards.rest, cards.cards, unknowns)
        self.marks.establish(explainer.givens, 0)

    def follows(
        self,
        instances: Iterable[GroundRule],
        reasons: Iterable[int],
        literals: Iterable[int],
    ) -> bool:
        """Whether literals follow from instances and facts alone."""
        assumed = [*(instance.selector for instance in instances), *reasons]
        return not any(self.solver.possible([*assumed, -literal]) for literal in literals)

    def run(self, most: int) -> Deducing:
        """Take the cheapest deduction so many times, and check each of them."""
        for number in range(1, most + 1):
            self._fill()
            deductions = [
                *self.sums.deductions(self.marks),
                *self.rules.deductions_of_rules(self.marks),
                *self.rules.deductions_of_shapes(self.marks),
            ]
            if not deductions:
                break
            deduction = min(deductions, key=lambda each: each.cost)
            self._check(deduction)
            self.marks.establish(deduction.literals, number)
        return self

    def _fill(self) -> None:
        """Establish what cards say that have just what they need, or all that they allow."""
        while True:
            literals = list(self.rules.silent(self.marks))
            for card in self.marks.cards:
                opened = self.marks.open_card(card)
                if card.card_type is CardType.IMPLIED or card.guard not in self.marks.trail:
                    continue
                if opened.needed == len(opened.literals):
                    literals += opened.literals
                elif opened.allowed == 0:
                    literals += [-literal for literal in opened.literals]
            if not literals:
                return
            self.marks.establish(literals, 0)

    def _check(self, deduction: Deduction) -> None:
        self.deductions.append(deduction)
        instances, reasons = list(deduction.instances), list(deduction.reasons)
        literals = deduction.literals
        if not self.follows(instances, reasons, literals):
            self.unsound.append(deduction)
        is_spare = any(self.follows(each, reasons, literals) for each in shorter(instances))
        is_spare |= any(self.follows(instances, each, literals) for each in shorter(reasons))
        if is_spare:
            self.spare.append(deduction)


def shorter(given: Sequence) -> Iterable[list]:
    """All lists without one element."""
    for position in range(len(given)):
        yield [*given[:position], *given[position + 1 :]]
