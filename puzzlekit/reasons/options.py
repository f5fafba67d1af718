"""What all ways to place a thing have in common: each choice that is left for it implies a fact.

This is the intersection of what literals imply of which one is true (Lynce and Marques-Silva,
"Probing-based preprocessing techniques for propositional satisfiability", 2003), restricted to what
a reader sees with one look at each choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from puzzlekit.clock import check
from puzzlekit.reasons.chains import Chains, instances_of_reason, reasons_of
from puzzlekit.reasons.deductions import (
    Card,
    Deduction,
    ForcingChain,
    OpenCard,
    Pattern,
    PatternClass,
)
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks
from puzzlekit.reasons.propagation import Propagation, Reason, told_reasons

EVERY_OPTION, OPTION = 1.6, 0.02  # the cost, and that of a choice
LAST_OPTION = 1.0  # the cost where all choices that are left are needed
AT_A_CELL = 0.1  # more for what is left at a cell than for what is left of a thing
MOST_LINES = 1  # that are looked at after each choice
MANY_OPTIONS = 60
SHORT_REJECTION = 1  # lines of a chain that rejects a choice


def is_short(deduction: Deduction) -> bool:
    """Return whether choices are rejected by one look or by short chains."""
    if deduction.chains:
        return all(is_short_chain(chain) for chain in deduction.chains)
    is_single = deduction.pattern.pattern_class is PatternClass.SINGLE
    return is_single or deduction.pattern in (Pattern.WIDE_RULE, Pattern.EVERY_OPTION)


def is_short_chain(chain: ForcingChain) -> bool:
    """Return whether a chain is told in a few words: by its end."""
    return chain.contradiction is not None and chain.length <= SHORT_REJECTION


class Options:
    """Finds what all choices that are left for a thing have in common."""

    def __init__(self, marks: Marks, chains: Chains) -> None:
        """Prepare to look.

        Args:
            marks: The state.
            chains: What knows which literals are worth an assumption, and propagates.
        """
        self.marks = marks
        self._chains = chains
        self._runs: dict[int, Propagation] = {}  # by choice
        self._noted = 0  # literals of the trail that the runs know
        self._number_of_cards = 0  # that they know
        self._looked_at = -1  # literals of the trail at the last look at rejections

    def _note(self) -> None:
        """Forget the runs that what is new touches; all of them if cards were derived since."""
        if self._number_of_cards != len(self.marks.cards):
            self._number_of_cards = len(self.marks.cards)
            self._runs.clear()
        new = list(islice(self.marks.trail, self._noted, None))
        self._noted = len(self.marks.trail)
        touched = self._chains.propagator.adjacent(new)
        for choice, run in list(self._runs.items()):
            if touched.isdisjoint(run.causes):
                run.note(new)
            else:
                del self._runs[choice]

    def _run(self, choice: int) -> Propagation:
        """Return what is seen with one look after a choice."""
        if choice not in self._runs:
            self._runs[choice] = self._chains.propagator.run(choice, depth=0)
        return self._runs[choice]

    # Rejections -----------------------------------------------------------------------------------

    def rejections(self) -> Iterator[Deduction]:
        """Yield the choices that break a rule at once, unless nothing new is known."""
        if self._looked_at == len(self.marks.trail):
            return
        self._note()
        for literal in self._chains.wrong_literals():
            if not self.marks.is_choice(literal) or self.marks.is_known(literal):
                continue
            check()
            if self._chains.propagator.closure(literal) is not None:
                continue
            run = self._run(literal)
            if run.fails and self._is_seen_to_fail(run):
                yield self._rejection(run)
        self._looked_at = len(self.marks.trail)

    def _is_seen_to_fail(self, run: Propagation) -> bool:
        """Return whether a reader sees at once that a choice fails.

        It may leave no choice where another thing needs one. That is seen at once if they exclude
        each other by a single card: that it does not cover a cell that belongs to the thing. Where
        each cell belongs to a thing, that is said of the cell.
        """
        targets = run.conflict.parents
        if any(True for _ in told_reasons(run, targets, self.marks)):
            return False
        source = run.conflict.source
        if not isinstance(source, Card) or not self.marks.has_choices(source):
            return True
        if self.marks.is_visible(run.assumed):
            return False
        rejecting = set()
        for literal, reason in run.needed_reasons(targets).items():
            if reason is not None and self.marks.is_rejection(literal):
                rejecting.add(id(reason.source))
        return len(rejecting) <= 1

    def _rejection(self, run: Propagation) -> Deduction:
        reasons = [*reasons_of(run, run.conflict.parents), run.conflict]
        instances, premises = _premises(reasons)
        literals = (-run.assumed,)
        return Deduction(
            Pattern.EVERY_OPTION, EVERY_OPTION, literals, instances=instances, reasons=premises
        )

    # Every option ---------------------------------------------------------------------------------

    def deductions(self, are_last: bool) -> Iterator[Deduction]:
        """Yield what follows from each choice that is left for a thing.

        Args:
            are_last: Whether to look at things that need all choices that are left for them, or at
                the others.
        """
        self._note()
        for card in self.marks.cards:
            opened = self._options(card)
            if opened is None or are_last != (opened.needed == len(opened.literals)):
                continue
            deduction = self._deduction(opened)
            if deduction is not None:
                yield deduction

    def _options(self, card: Card) -> OpenCard | None:
        """Return a card that needs one of some choices or all of them, and nothing else."""
        marks = self.marks
        if card.guard != TRUE or card.derivation is not None:
            return None
        true, false = marks.true_counts[card.number], marks.false_counts[card.number]
        open_count = len(card.literals) - true - false
        needed = card.low - true
        if needed not in (1, open_count) or not 1 <= open_count <= MANY_OPTIONS:
            return None
        opened = marks.open_card(card)
        return opened if all(map(marks.is_undrawn, opened.literals)) else None

    def _deduction(self, opened: OpenCard) -> Deduction | None:
        """Return what all choices of a card have in common; None if there is nothing."""
        check()
        marks = self.marks
        common: set[int] | None = None
        is_taken = opened.needed == len(opened.literals)
        for choice in opened.literals:
            visible = {each for each in self._run(choice).causes if marks.is_visible(each)}
            if common is None:
                common = visible
            else:
                common = common | visible if is_taken else common & visible
            if not common and not is_taken:
                return None
        assert common is not None
        runs = list(map(self._run, opened.literals))
        literals = [each for each in sorted(common, key=abs) if not self.marks.is_known(each)]
        if is_taken:
            covered = [each for each in literals if not marks.is_denial(each)]
            cells = [each for each in covered if any(self._is_seen(each, run) for run in runs)]
            return self._of_all(opened, runs, [*opened.literals, *cells])
        literals = [each for each in literals if all(self._is_seen(each, run) for run in runs)]
        return self._of_all(opened, runs, literals) if literals else None

    def _is_seen(self, literal: int, run: Propagation) -> bool:
        """Return whether a literal follows from a choice with one look."""
        if literal not in run.causes:
            return False
        lines = list(told_reasons(run, [literal], self.marks))
        return len(lines) <= MOST_LINES and all(self._is_of_choices(line) for line, _ in lines)

    def _is_of_choices(self, reason: Reason) -> bool:
        """Return whether a card says which choices a cell belongs to, or which one is taken."""
        return isinstance(reason.source, Card) and self.marks.has_choices(reason.source)

    def _of_all(self, opened: OpenCard, runs: list[Propagation], literals: list[int]) -> Deduction:
        reasons = [reason for run in runs for reason in reasons_of(run, literals)]
        instances, premises = _premises(reasons)
        card = opened.card
        facts = [-each for each in card.literals if -each in self.marks.trail]
        all_instances = dict.fromkeys((*card.instances, *instances))
        all_facts = dict.fromkeys((*facts, *premises))
        cost = LAST_OPTION if opened.needed == len(opened.literals) else EVERY_OPTION
        if any(map(self.marks.is_visible, card.literals)):
            cost += AT_A_CELL
        cost += OPTION * len(opened.literals)
        return Deduction(
            Pattern.EVERY_OPTION,
            cost,
            tuple(literals),
            (opened,),
            instances=tuple(all_instances),
            reasons=tuple(all_facts),
        )


def _premises(reasons: list[Reason]) -> tuple[tuple[GroundRule, ...], tuple[int, ...]]:
    """Return the instances and the known literals of reasons."""
    instances: dict[GroundRule, None] = {}
    premises: dict[int, None] = {}
    for reason in reasons:
        instances.update(dict.fromkeys(instances_of_reason(reason)))
        premises.update(dict.fromkeys(reason.premises))
    premises.pop(TRUE, None)
    return tuple(instances), tuple(premises)
