"""Trials with assumptions inside of assumptions: a small tree of cases, each of which fails.

The cases are those of two open literals of a card. A tree of cases that all fail is a refutation by
splitting with unit propagation, as in Davis, Logemann and Loveland, "A machine program for
theorem-proving" (1962).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import replace

from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.reasons.chains import (
    instances_of_reason,
    line_of_reason,
    may_split,
    reasons_of,
)
from puzzlekit.reasons.deductions import Deduction, ForcingChain, Line, OpenCard, Pattern
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks
from puzzlekit.reasons.propagation import Propagation, Propagator, Reason, strikers, told_reasons

NESTED = 8.0  # the cost of such a trial, without its lines
LINE = 0.25
DEPTHS = (2, 3)  # of assumptions inside of the first one, which are tried one after the other
MOST_LINES = 20  # of a trial, beyond which nobody follows it
MOST_SPLITS = 4  # of an assumption, into cases
MOST_CASES = 3  # into which it is split
MOST_RUNS = 1_500  # of the propagation, for one trial


@dataclass(frozen=True)
class _Case:
    """An assumption that fails, by itself or in all its cases.

    Attributes:
        propagation: What follows from it and those before it.
        split: The open literals of a card, one of which is true; None if it fails by itself.
        cases: The cases of these literals.
    """

    propagation: Propagation
    split: OpenCard | None = None
    cases: tuple[_Case, ...] = ()

    def targets(self) -> set[int]:
        """Return the literals that its contradictions need, as far as they follow from it."""
        if self.split is None:
            return {*self.propagation.conflict.parents}
        causes = self.propagation.causes
        literals = self.split.card.literals
        targets = {each for each in literals if each in causes}
        targets.update(-each for each in literals if -each in causes)
        for case in self.cases:
            targets |= case.needed() & causes.keys()
        return targets

    def needed(self) -> set[int]:
        """Return the literals from which its contradictions follow."""
        return set(self.propagation.needed_reasons(self.targets()))

    def reasons(self) -> Iterator[Reason]:
        """Yield the reasons of all that it needs, those of its cases among them."""
        yield from reasons_of(self.propagation, self.targets())
        if self.split is None:
            yield self.propagation.conflict
        for case in self.cases:
            yield from case.reasons()

    def splits(self) -> Iterator[OpenCard]:
        """Yield the cards whose literals are its cases, and theirs."""
        if self.split is not None:
            yield self.split
        for case in self.cases:
            yield from case.splits()


class NestedTrials:
    """Finds trials with assumptions inside of assumptions.

    Args:
        marks: The state.
        propagator: The propagator of the cards.
    """

    def __init__(self, marks: Marks, propagator: Callable[[], Propagator]) -> None:
        self._marks, self._propagator = marks, propagator
        self._runs = 0
        self._cards: list[OpenCard] = []

    def refutation(self, assumed: int) -> Deduction | None:
        """Return the refutation of an assumption by a few cases, or None."""
        opened = [self._marks.open_card(card) for card in self._marks.cards if may_split(card)]
        self._cards = [card for card in opened if len(card.literals) >= 2 and card.needed >= 1]
        self._runs = 0
        propagation = self._run(assumed, None)
        for depth in DEPTHS:
            case = self._case(propagation, depth)
            if case is not None:
                deduction = self._deduction(case)
                is_short = deduction.chains[0].length <= MOST_LINES
                return deduction if is_short else None
        return None

    def _run(self, assumed: int, before: Propagation | None) -> Propagation:
        check()
        self._runs += 1
        return self._propagator().run(assumed, before=before)

    def _case(self, propagation: Propagation, depth: int) -> _Case | None:
        """Return the refutation of what follows from an assumption; None if there is none with so
        many assumptions inside of each other.
        """
        if propagation.fails:
            return _Case(propagation)
        if depth == 0 or self._runs > MOST_RUNS:
            return None
        for split in self._splits(propagation)[:MOST_SPLITS]:
            runs = [self._run(literal, propagation) for literal in split.literals]
            runs.sort(key=lambda run: not run.fails)
            cases: list[_Case] = []
            for run in runs:
                case = self._case(run, depth - 1)
                if case is None:
                    break
                cases.append(case)
            if len(cases) == len(runs):
                return _Case(propagation, split, tuple(cases))
        return None

    def _splits(self, propagation: Propagation) -> list[OpenCard]:
        """Return open literals of a card of which one is true: the fewest first, and of these those
        about most cards.
        """
        splits: dict[tuple[int, ...], OpenCard] = {}
        for opened in self._cards:
            literals = _open_literals(opened, propagation.causes)
            if 1 < len(literals) <= MOST_CASES:
                splits.setdefault(literals, OpenCard(opened.card, 1, 1, literals))
        cards_of = self._marks.cards_of

        def order(split: OpenCard) -> tuple[int, int]:
            cards = sum(len(cards_of.get(literal, ())) for literal in split.literals)
            return len(split.literals), -cards

        return sorted(splits.values(), key=order)

    # A step ---------------------------------------------------------------------------------------

    def _deduction(self, case: _Case) -> Deduction:
        chain = self._chain(case, set())
        instances: dict[GroundRule, None] = {}
        premises: dict[int, None] = {}
        for reason in case.reasons():
            instances.update(dict.fromkeys(instances_of_reason(reason)))
            premises.update(dict.fromkeys(reason.premises))
        for split in case.splits():
            instances.update(dict.fromkeys(split.card.instances))
            denials = (-literal for literal in split.card.literals)
            premises.update(dict.fromkeys(each for each in denials if each in self._marks.trail))
        premises.pop(TRUE, None)
        cost = NESTED + LINE * chain.length
        literals = (-case.propagation.assumed,)
        return Deduction(
            Pattern.TRIAL,
            cost,
            literals,
            instances=tuple(instances),
            reasons=tuple(premises),
            chains=(chain,),
        )

    def _chain(self, case: _Case, before: Iterable[int]) -> ForcingChain:
        """Return a case as a chain, without the lines that were told before."""
        propagation = case.propagation
        earlier = set(before)
        lines = []
        for reason, literals in told_reasons(propagation, case.targets(), self._marks):
            if not earlier.issuperset(literals):
                lines.append(self._line(propagation, reason, literals))
        contradiction = None
        if case.split is None:
            contradiction = self._line(propagation, propagation.conflict, ())
        branches = (self._chain(each, propagation.causes) for each in case.cases)
        chain = ForcingChain(propagation.assumed, tuple(lines), contradiction)
        return replace(chain, split=case.split, branches=tuple(branches))

    def _line(self, propagation: Propagation, reason: Reason, literals: Iterable[int]) -> Line:
        line = line_of_reason(reason, tuple(literals))
        striking = dict.fromkeys(strikers(propagation, reason, self._marks))
        return replace(line, strikers=tuple(striking))


def _open_literals(opened: OpenCard, is_true: Container[int]) -> tuple[int, ...]:
    """Return the open literals of a card of which it needs one, given what holds; none if it needs
    another number.
    """
    needed = opened.needed - sum(literal in is_true for literal in opened.literals)
    if needed != 1:
        return ()
    decided = {each for each in opened.literals if each in is_true or -each in is_true}
    return tuple(literal for literal in opened.literals if literal not in decided)
