"""What follows from an assumption by cards alone, breadth first, with the reasons of each literal.

It is unit propagation over cardinality constraints; a conflict makes the assumption a failed
literal (Freeman, "Improvements to propositional satisfiability search algorithms", 1995).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field
from itertools import islice

from puzzlekit.backends import CountPropagator
from puzzlekit.dataclass import dataclass
from puzzlekit.reasons.deductions import Card, CardType, Line, SumGroup
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks

MANY_LITERALS = 400  # that follow from an assumption, after which no further ones are looked at
FEW_PLACES = 4  # of a card that needs two or more, which may have no room for these

# What rules without cards say, given what holds, what of it follows from an assumption, and what of
# this is new.
Consequences = Callable[[Mapping[int, int], Collection[int], Collection[int]], Iterable[Line]]


@dataclass(frozen=True)
class Reason:
    """From what a literal follows.

    Attributes:
        source: The card, the sum or the instance.
        parents: The literals that it needs, of those that follow from the assumption.
        premises: The literals that it needs, of those that are known.
        line: The line of a source that is no card.
    """

    source: Card | SumGroup | GroundRule
    parents: tuple[int, ...]
    premises: tuple[int, ...] = ()
    line: Line | None = None
    packed: Card | None = None


@dataclass
class Propagation:
    """What follows from an assumption.

    Attributes:
        assumed: The assumption.
        reasons: The literals that follow, in order, with their reasons; the first is the
            assumption, which has none.
        conflict: Why it fails; None if it does not fail soon.
    """

    assumed: int
    reasons: dict[int, Reason | None] = field(default_factory=dict)
    conflict: Reason | None = None

    def needed(self, targets: Iterable[int]) -> set[int]:
        """Return the literals that these literals need, and these."""
        needed: set[int] = set()
        pending = list(targets)
        for literal in pending:
            if literal in needed or literal not in self.reasons:
                continue
            needed.add(literal)
            reason = self.reasons[literal]
            if reason is not None:
                pending += reason.parents
        return needed


class Propagator:
    """Propagates assumptions through the cards of a board."""

    def __init__(self, marks: Marks) -> None:
        self.marks = marks
        self._guarded: dict[int, list[int]] = {}
        for card in marks.cards:
            if card.guard != TRUE:
                self._guarded.setdefault(card.guard, []).append(card.number)
        self._native = CountPropagator()
        for card in marks.cards:
            if card.derivation is None:
                guard = None if card.guard == TRUE else card.guard
                self._native.add_count(card.literals, card.low, card.high, guard)
        self._established = 0  # literals of the trail
        # by the number of a literal, the cards that need two or more of their open literals
        self._needing_room: dict[int, list[int]] = {}

    def _update(self) -> None:
        """Let the native propagator know what is known by now."""
        marks = self.marks
        if self._established == len(marks.trail):
            return
        self._native.establish(islice(marks.trail, self._established, None))
        self._established = len(marks.trail)
        self._needing_room.clear()
        for card, true in zip(marks.cards, marks.true_counts):
            if card.low - true >= 2 and card.derivation is None:
                for literal in card.literals:
                    self._needing_room.setdefault(abs(literal), []).append(card.number)

    def implied(self, assumed: int) -> list[int] | None:
        """Return at least what `run` derives from an assumption; None if it may fail."""
        self._update()
        return self._native.propagate([assumed])

    def may_fail(self, *assumed: int) -> bool:
        """Return False if `run` does not let these assumptions fail for sure."""
        self._update()
        if not self._native.is_complete:
            return True
        implied = self._native.propagate(assumed)
        return implied is None or self._may_lack_room(implied)

    def _may_lack_room(self, implied: Iterable[int]) -> bool:
        """Return whether a card that needs two literals or more has few open ones after others are
        known.
        """
        marks, needing_room = self.marks, self._needing_room
        closed: dict[int, int] = {}
        for literal in implied:
            for number in needing_room.get(abs(literal), ()):
                closed[number] = closed.get(number, 0) + 1
        for number, count in closed.items():
            count += marks.true_counts[number] + marks.false_counts[number]
            if len(marks.cards[number].literals) - count <= FEW_PLACES:
                return True
        return False

    def run(
        self,
        assumed: int,
        before: Propagation | None = None,
        forbidden: Collection[int] = (),
        consequences: Consequences | None = None,
    ) -> Propagation:
        """Return what follows from an assumption.

        Args:
            assumed: The literal.
            before: What was assumed before, whose literals hold, too.
            forbidden: Literals that may not be derived, so that another way is taken.
            consequences: Asks rules that have no cards.
        """
        run = _Run(self.marks, self._guarded, assumed, before, forbidden)
        run.propagate()
        while consequences is not None and run.conflict is None and run.ask(consequences):
            run.propagate()
        return Propagation(assumed, run.reasons, run.conflict)


class _Run:
    """One propagation, with counts of its own."""

    def __init__(
        self,
        marks: Marks,
        guarded: Mapping[int, list[int]],
        assumed: int,
        before: Propagation | None,
        forbidden: Collection[int],
    ) -> None:
        self.marks = marks
        self.trail = marks.trail
        self.true = marks.true_counts[:]
        self.false = marks.false_counts[:]
        self.reasons: dict[int, Reason | None] = {}
        self.conflict: Reason | None = None
        self._guarded = guarded
        self._forbidden = forbidden
        self._queue: list[int] = []
        if before is not None:
            self.reasons.update(before.reasons)
            for literal in before.reasons:
                self._count(literal)
        self.reasons[assumed] = None
        self._queue.append(assumed)
        self._position = 0
        self._asked = 0

    def _count(self, literal: int) -> tuple[int, ...]:
        """Count a literal in its cards; return their numbers."""
        marks = self.marks
        true = marks.cards_of.get(literal, ())
        false = marks.cards_of.get(-literal, ())
        for number in true:
            self.true[number] += 1
        for number in false:
            self.false[number] += 1
        return (*true, *false, *self._guarded.get(literal, ()))

    def propagate(self) -> None:
        """Take all single steps through cards, until there is a conflict."""
        cards = self.marks.cards
        while self._position < len(self._queue) and len(self.reasons) < MANY_LITERALS:
            literal = self._queue[self._position]
            self._position += 1
            for number in self._count(literal):
                self._look(cards[number])
                if self.conflict is not None:
                    return

    def _holds(self, literal: int) -> bool:
        return literal in self.trail or literal in self.reasons

    def _look(self, card: Card) -> None:
        """Derive what a card says now, unless it was derived itself: that would be too far."""
        if card.derivation is not None:
            return
        true, false = self.true[card.number], self.false[card.number]
        size = len(card.literals)
        is_over, is_under = true > card.high, size - false < card.low
        if card.guard != TRUE and not self._holds(card.guard):
            if is_over or is_under:
                self._derive((-card.guard,), self._reason(card, is_over))
            return
        if is_over or is_under:
            self.conflict = self._reason(card, is_over)
        elif true + false == size:
            return
        elif true == card.high:
            denials = (-literal for literal in card.literals)
            self._derive(denials, self._reason(card, True))
        elif size - false == card.low:
            self._derive(card.literals, self._reason(card, False))
        elif card.low - true >= 2 and size - false - true <= FEW_PLACES:
            self._look_for_room(card)

    def _reason(self, card: Card, over: bool) -> Reason:
        """Return why a card says something: its true literals if it is full, or its false ones."""
        literals = card.literals if over else [-literal for literal in card.literals]
        if card.guard != TRUE:
            literals = [*literals, card.guard]
        parents = tuple(literal for literal in literals if literal in self.reasons)
        premises = tuple(literal for literal in literals if literal in self.trail)
        return Reason(card, parents, premises)

    def _derive(self, literals: Iterable[int], reason: Reason) -> None:
        """Add literals that follow."""
        trail, reasons = self.trail, self.reasons
        for literal in literals:
            if literal in trail or literal in reasons or literal in self._forbidden:
                continue
            if -literal not in trail and -literal not in reasons:
                reasons[literal] = reason
                self._queue.append(literal)

    def _look_for_room(self, card: Card) -> None:
        """Note a conflict if the open literals of a card lie in another one that allows fewer."""
        is_open = [
            literal
            for literal in card.literals
            if not self._holds(literal) and not self._holds(-literal)
        ]
        # literals that were just derived are not counted yet
        needed = card.low - sum(map(self._holds, card.literals))
        if needed < 2:
            return
        for number in self.marks.cards_of.get(is_open[0], ()) if is_open else ():
            packed = self.marks.cards[number]
            allowed = packed.high - sum(map(self._holds, packed.literals))
            if packed is card or packed.guard != TRUE or allowed >= needed:
                continue
            if all(literal in packed.literals for literal in is_open):
                short, full = self._reason(card, False), self._reason(packed, True)
                parents = (*short.parents, *full.parents)
                premises = (*short.premises, *full.premises)
                self.conflict = Reason(card, parents, premises, packed=packed)
                return

    def ask(self, consequences: Consequences) -> bool:
        """Ask rules without cards about what is new; return whether they say something."""
        new = list(self.reasons)[self._asked :]
        self._asked = len(self.reasons)
        if not new:
            return False
        extended = {**self.trail, **dict.fromkeys(self.reasons, 0)}
        length = len(self._queue)
        for line in consequences(extended, self.reasons, new):
            parents = tuple(parent for parent in line.parents if parent in self.reasons)
            premises = tuple(parent for parent in line.parents if parent in self.trail)
            reason = Reason(line.source, parents, premises, line)
            if not line.literals:
                self.conflict = reason
                return False
            self._derive(line.literals, reason)
            if len(self._queue) > length:
                return True
        return False


def is_silent(literal: int, reason: Reason, marks: Marks) -> bool:
    """Return whether a literal of a propagation is struck without a word: by one card, because of
    one literal.
    """
    card = reason.source
    if not isinstance(card, Card) or not marks.is_denial(literal):
        return False
    if card.card_type is CardType.CELL:
        return True
    if card.card_type is CardType.IMPLIED:
        instance = card.instances[0]
        facts = map(marks.literals.fact, instance.scope)
        return len({fact.unknown for fact in facts}) <= 2
    is_struck = card.high == 1 and -literal in card.literals
    return is_struck and len(reason.parents) <= 1


def told_reasons(
    propagation: Propagation, targets: Iterable[int], marks: Marks
) -> Iterator[tuple[Reason, list[int]]]:
    """Yield the reasons that must be told for these literals, in order, each with its literals."""
    needed = propagation.needed(targets)
    by_source: dict[int, tuple[Reason, list[int]]] = {}
    for literal, reason in propagation.reasons.items():
        if literal not in needed or reason is None or is_silent(literal, reason, marks):
            continue
        entry = by_source.setdefault(id(reason.source), (reason, []))
        entry[1].append(literal)
    yield from by_source.values()
