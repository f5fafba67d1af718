"""Singles: what one card says by itself, with what is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from puzzlekit.reasons.deductions import Card, CardType, Deduction, OpenCard, Pattern
from puzzlekit.reasons.exclusions import exclusion_of
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks, ViolatedInstance
from puzzlekit.reasons.positions import Positions

# What a look costs. Within a class of patterns, these only order the steps.
LAST_PLACE = 0.9
HIDDEN_SINGLE = 1.0
NAKED_SINGLE = 1.3
COUNTED = 1.1  # a count that has no other place, or is full
LINE = 0.2  # more than a block
STRIKER = 0.1  # a placed fact outside of a group that strikes a place in it
CELL_STRIKER = 0.15  # a placed fact beside those of the fullest group
LITERAL = 0.01  # a literal of a card
FEW_LITERALS = 4  # of a condition that is told with all its facts


class Singles:
    """Finds what single cards say.

    Only cards about which something new is known are looked at again.
    """

    def __init__(self, marks: Marks, positions: Positions) -> None:
        self.marks = marks
        self.positions = positions
        self._ready: dict[int, Card] = {}

    def deductions(self) -> list[Deduction]:
        """Return what each card says, where moves that are one are one deduction.

        Raises:
            ViolatedInstance: A card cannot be met.
        """
        for card in self.marks.take_changed():
            if card.card_type is not CardType.IMPLIED:
                self._ready[card.number] = card
        deductions = []
        for number, card in list(self._ready.items()):
            deduction = self._deduction(card)
            if deduction is None:
                del self._ready[number]
            else:
                exclusion = exclusion_of(deduction, self.marks)
                deductions.append(replace(deduction, exclusion=exclusion))
        return list(_joined(deductions, self.marks, self.positions))

    def _deduction(self, card: Card) -> Deduction | None:
        """Return what a card says; None if it says nothing new now."""
        true = self.marks.true_counts[card.number]
        false = self.marks.false_counts[card.number]
        open_count = len(card.literals) - true - false
        is_violated = true > card.high or true + open_count < card.low
        if card.guard not in self.marks.trail:
            is_open = -card.guard not in self.marks.trail
            return self._guard_fails(card) if is_violated and is_open else None
        if is_violated:
            raise ViolatedInstance(card.instances[0] if card.instances else None)
        if open_count == 0:
            return None
        if card.low - true == open_count:
            return self._all_needed(card)
        return self._full(card) if card.high == true else None

    def _guard_fails(self, card: Card) -> Deduction:
        """Return that the guard of a card that cannot be met is false."""
        cost = COUNTED + 0.2 + LITERAL * len(card.literals)
        opened = self.marks.open_card(card)
        literals = (-card.guard,)
        if self.marks.true_counts[card.number] > card.high:
            return self._told(Pattern.NO_PLACE_LEFT, cost, literals, cover=(opened,))
        return self._told(Pattern.NO_PLACE_LEFT, cost, literals, base=(opened,))

    def _told(
        self,
        pattern: Pattern,
        cost: float,
        literals: tuple[int, ...],
        base: tuple[OpenCard, ...] = (),
        cover: tuple[OpenCard, ...] = (),
    ) -> Deduction:
        card = (*base, *cover)[0].card
        if card.derivation is not None:
            pattern = Pattern.DIFFERENCE
        reasons = premises(base, cover, self.marks)
        return Deduction(pattern, cost + card.cost, literals, base, cover, reasons=reasons)

    def _all_needed(self, card: Card) -> Deduction:
        """Return that all open literals of a card are true."""
        opened = self.marks.open_card(card)
        base = (opened,)
        length = LITERAL * len(card.literals)
        false = [literal for literal in card.literals if -literal in self.marks.trail]
        if card.card_type is CardType.CELL:
            cost = NAKED_SINGLE + CELL_STRIKER * self._strikers_of_cell(card, false)
            if self._follows_from_another(opened.literals, false):
                cost = LAST_PLACE
            if not self.positions.cells(card.literals[0]):  # nobody scans a board for it
                cost = COUNTED
            return self._told(Pattern.NAKED_SINGLE, cost, opened.literals, base)
        if card.card_type is CardType.VALUE:
            return self._only_place(card, opened, false)
        is_short = len(card.literals) <= FEW_LITERALS and not self.positions.group(card)
        if card.card_type is CardType.CLAUSE or is_short:
            cost = COUNTED + 2 * length
            return self._told(Pattern.LAST_CHANCE, cost, opened.literals, base)
        cost = COUNTED + 2 * length
        return self._told(Pattern.NO_OTHER_PLACE, cost, opened.literals, base)

    def _only_place(self, card: Card, opened: OpenCard, false: Sequence[int]) -> Deduction:
        """Return the only place for a value in a group."""
        elsewhere = [literal for literal in false if not self._is_filled(literal)]
        if not elsewhere:
            return self._told(Pattern.LAST_PLACE, LAST_PLACE, opened.literals, (opened,))
        cost = HIDDEN_SINGLE + STRIKER * self._strikers(card, elsewhere)
        cost += LITERAL * len(elsewhere)
        if not self.positions.is_block(card):
            cost += LINE
        return self._told(Pattern.HIDDEN_SINGLE, cost, opened.literals, (opened,))

    def _full(self, card: Card) -> Deduction:
        """Return that no further literal of a card is true."""
        opened = self.marks.open_card(card)
        denials = tuple(-literal for literal in opened.literals)
        cost = COUNTED + LITERAL * len(card.literals)
        return self._told(Pattern.FULL, cost, denials, cover=(opened,))

    def _follows_from_another(self, placed: Sequence[int], false: Iterable[int]) -> bool:
        """Return whether a value follows from that of another unknown by one rule about both."""
        marks = self.marks
        for literal in false:
            cause = marks.silent_causes.get(-literal)
            if cause is None:
                continue
            instance, _ = cause
            values = [number for number in instance.scope if number in marks.trail]
            if len(values) == 1 and instance.entails(values, placed):
                return True
        return False

    def _is_filled(self, literal: int) -> bool:
        """Return whether the unknown of a literal has another value."""
        unknown = self.marks.literals.fact(literal).unknown
        return self.marks.is_placed(unknown) and len(self.marks.literals.domains[unknown]) > 2

    def _strikers(self, card: Card, literals: Sequence[int]) -> int:
        """Return how many placed facts strike these literals, by a greedy set cover."""
        strikes: dict[int, set[int]] = {}
        for literal in literals:
            for striker, _ in self._strikers_of(literal, card):
                strikes.setdefault(striker, set()).add(literal)
        return _covering(strikes, set(literals))

    def _strikers_of_cell(self, card: Card, literals: Sequence[int]) -> int:
        """Return how many placed facts beside those of the fullest group strike these values."""
        by_instance: dict[int, set[int]] = {}
        strikes: dict[int, set[int]] = {}
        for literal in literals:
            for striker, instance in self._strikers_of(literal, card):
                strikes.setdefault(striker, set()).add(literal)
                if instance is not None:
                    by_instance.setdefault(instance.number, set()).add(literal)
        if not by_instance:
            return 0
        fullest = max(by_instance.values(), key=len)
        return _covering(strikes, set(literals) - fullest)

    def _strikers_of(self, literal: int, card: Card) -> Iterator[tuple[int, GroundRule | None]]:
        """Yield the true literals that strike a literal by another card, with its instance."""
        marks = self.marks
        for number in marks.cards_of.get(literal, ()):
            striking = marks.cards[number]
            if striking is card or striking.high != 1 or not marks.true_counts[number]:
                continue
            for striker in striking.literals:
                if striker in marks.trail and striker != literal:
                    yield striker, next(iter(striking.instances), None)


def _covering(strikes: dict[int, set[int]], literals: set[int]) -> int:
    """Return how many sets cover these literals, as far as they can be covered: a greedy cover."""
    remaining = literals & set().union(*strikes.values())
    number = 0
    while remaining:
        best = max(strikes, key=lambda striker: len(strikes[striker] & remaining))
        remaining -= strikes[best]
        number += 1
    return number


def premises(base: Iterable[OpenCard], cover: Iterable[OpenCard], marks: Marks) -> tuple[int, ...]:
    """Return the known literals from which a deduction follows: those that are false in more cards
    of the base than of the cover, and those that are true in more of the cover than of the base.
    """
    base_cards = [opened.card for opened in base]
    cover_cards = [opened.card for opened in cover]
    excess = Counter(literal for card in cover_cards for literal in card.literals)
    excess.subtract(literal for card in base_cards for literal in card.literals)
    literals = sorted(excess, key=abs)
    false = [-each for each in literals if excess[each] < 0 and -each in marks.trail]
    true = [each for each in literals if excess[each] > 0 and each in marks.trail]
    guards = [card.guard for card in (*base_cards, *cover_cards)]
    active = [guard for guard in guards if guard in marks.trail and guard != TRUE]
    return tuple(dict.fromkeys((*false, *true, *active)))


def _joined(
    deductions: Sequence[Deduction], marks: Marks, positions: Positions
) -> Iterator[Deduction]:
    """Yield deductions, where those by one rule from the same facts are one."""
    groups: dict[object, list[Deduction]] = {}
    for index, deduction in enumerate(deductions):
        groups.setdefault(_move(deduction, marks) or index, []).append(deduction)
    for group in map(_without_repeated, groups.values()):
        first = group[0]
        if len(group) == 1:
            yield first
            continue
        group.sort(key=lambda deduction: positions.cells(deduction.literals[0]))
        literals = dict.fromkeys(literal for each in group for literal in each.literals)
        base = tuple(opened for each in group for opened in each.base)
        cover = tuple(opened for each in group for opened in each.cover)
        reasons = premises(base, cover, marks)
        yield replace(first, literals=tuple(literals), base=base, cover=cover, reasons=reasons)


def _without_repeated(deductions: list[Deduction]) -> list[Deduction]:
    """Return deductions without those all of whose literals others have."""
    remaining = list(deductions)
    for deduction in deductions:
        rest = [each for each in remaining if each is not deduction]
        literals: set[int] = set()
        for each in rest:
            literals.update(each.literals)
        if literals.issuperset(deduction.literals):
            remaining = rest
    return remaining


def _move(deduction: Deduction, marks: Marks) -> object:
    """Return what deductions have in common that are one move; None if it stands alone."""
    exclusion = deduction.exclusion
    if exclusion is not None and not exclusion.facts:
        return exclusion, marks.is_membership(deduction.literals[0])
    card = (*deduction.base, *deduction.cover)[0].card
    if marks.has_choices(card):
        return _move_of_choices(deduction, card, marks)
    if deduction.pattern not in (Pattern.LAST_CHANCE, Pattern.FULL):
        return None
    facts = frozenset(deduction.reasons)
    if len(facts) != 1 or not card.instances:
        return None
    (fact,) = facts
    position = str(card.instances[0].origin.position)
    if not marks.is_denial(fact):
        return deduction.pattern, position, fact
    is_told = card.card_type is CardType.CLAUSE and marks.is_decided(fact)
    return (deduction.pattern, position, fact) if is_told else None


def _move_of_choices(deduction: Deduction, card: Card, marks: Marks) -> object:
    """Return what cells have in common to which no choice leads any more."""
    if not card.instances or not all(map(marks.is_visible, deduction.literals)):
        return None
    if not all(map(marks.is_denial, deduction.literals)):
        return None
    rejected = frozenset(each for each in deduction.reasons if each in marks.rejections)
    rules = set()
    for reason in deduction.reasons:
        for instance in marks.hidden_causes.get(reason, ((), ()))[0]:
            rules.add(instance.origin.rule)
    return "choices", card.instances[0].origin.rule, rejected, frozenset(rules)
