"""Cards that follow from sums of cards: what some groups need beside what groups inside of them
need, and what groups that cover them need beside themselves.

Three columns that need six stars and contain regions that need four leave two for the rest of
their cells. In puzzles with sums this is the rule of 45 (see `sums`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations
from math import comb
from operator import or_

from puzzlekit.clock import check
from puzzlekit.reasons.deductions import Card, CardType, Derivation
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks
from puzzlekit.reasons.positions import Positions

DERIVED = 2.2  # more than a card that rules state
DERIVED_GROUP = 0.3
MOST_GROUPS = 4
MOST_COVERING = 5
MANY_SUMS = 2_000  # of groups of one family
MOST_LITERALS = 6
FEW_EXCLUSIONS = 25
MANY_PLACES = 8
SMALL_GROUP = 6  # literals, of which it is seen at one look where they have room

_Literals = frozenset[int]


class Differences:
    """Derives cards, and adds them to the marks."""

    def __init__(self, marks: Marks, positions: Positions) -> None:
        self.marks = marks
        self.positions = positions
        self._derived: set[tuple[_Literals, int]] = set()
        self._length = -1  # of the trail, when cards were derived last
        self._bits: dict[int, int] = {}  # by literal, its bit in a mask
        self._true = 0  # the mask of what is known

    def derive(self) -> int:
        """Add the cards that follow from what is known; return how many are new."""
        if self._length == len(self.marks.trail):
            return 0
        self._length = len(self.marks.trail)
        before = len(self.marks.cards)
        self._true = self._mask(self.marks.trail)
        families = self._families()
        for first, groups in families.items():
            for second, other_groups in families.items():
                if first != second:
                    check()
                    self._derive_from(groups, other_groups)
        self._derive_packed()
        return len(self.marks.cards) - before

    def _families(self) -> dict[Hashable, list[Card]]:
        """Return the exact counts of groups by family, if the groups of a family are disjoint."""
        families: dict[Hashable, list[Card]] = {}
        for card in self.marks.cards:
            is_exact = card.low == card.high and card.guard == TRUE
            is_stated = card.card_type is CardType.COUNT and card.derivation is None
            if is_exact and is_stated and len(card.literals) > 3:
                families.setdefault(card.family, []).append(card)
        return {family: cards for family, cards in families.items() if self._disjoint(cards)}

    def _disjoint(self, cards: Sequence[Card]) -> bool:
        literals = [self._live(card) for card in cards]
        return len(frozenset().union(*literals)) == sum(map(len, literals))

    def _live(self, card: Card) -> _Literals:
        """Return the literals of a card that are not known to be false."""
        return frozenset(each for each in card.literals if -each not in self.marks.trail)

    def _derive_from(self, groups: Sequence[Card], other_groups: Sequence[Card]) -> None:
        """Derive cards from up to four groups of one family, and groups of another one."""
        masks = {card: self._mask(self._live(card)) for card in (*groups, *other_groups)}
        all_covered = _union(masks[card] for card in other_groups)
        for size in range(1, MOST_GROUPS + 1):
            if comb(len(groups), size) > MANY_SUMS:
                return
            for outer in combinations(groups, size):
                union = _union(masks[card] for card in outer)
                total = sum(card.low for card in outer)
                touching = [card for card in other_groups if masks[card] & union]
                inner = [card for card in touching if not masks[card] & ~union]
                if inner:
                    rest = union & ~_union(masks[card] for card in inner)
                    number = total - sum(card.low for card in inner)
                    self._add_mask(rest, number, Derivation(outer, tuple(inner)))
                if not union & ~all_covered and len(touching) <= MOST_COVERING:
                    outside = _union(masks[card] for card in touching) & ~union
                    number = sum(card.low for card in touching) - total
                    derivation = Derivation(outer, tuple(touching), is_cover=True)
                    self._add_mask(outside, number, derivation)

    def _mask(self, literals: Iterable[int]) -> int:
        """Return a set of literals as the bits of an integer."""
        mask = 0
        for literal in literals:
            mask |= 1 << self._bits.setdefault(literal, len(self._bits))
        return mask

    def _add_mask(self, mask: int, number: int, derivation: Derivation) -> None:
        """Add the card that a number of literals is true, if few of them are open."""
        if 0 < (mask & ~self._true).bit_count() <= MOST_LITERALS:
            literals = (literal for literal, bit in self._bits.items() if mask >> bit & 1)
            self._add(frozenset(literals), number, derivation)

    def _add(self, literals: _Literals, number: int, derivation: Derivation) -> None:
        """Add the card that a number of these literals is true, if it says something new."""
        trail = self.marks.trail
        number -= sum(literal in trail for literal in literals)
        is_open = frozenset(literal for literal in literals if literal not in trail)
        if not 0 < len(is_open) <= MOST_LITERALS or (is_open, number) in self._derived:
            return
        sources = (*derivation.outer, *derivation.inner)
        for card in sources:
            assert isinstance(card, Card)
            is_stated = is_open <= set(card.literals) and card.low == card.high
            if is_stated and self._live(card) == is_open:
                return
        self._derived.add((is_open, number))
        cost = DERIVED + DERIVED_GROUP * len(derivation.outer)
        opened = tuple(sorted(is_open))
        card = Card(
            number=len(self.marks.cards),
            literals=opened,
            low=number,
            high=number,
            card_type=CardType.COUNT,
            instances=_instances(sources),  # type: ignore[arg-type]
            derivation=derivation,
            cost=cost,
        )
        self.marks.add_card(card)

    def _derive_packed(self) -> None:
        """Derive from a group that needs several literals, and as many exclusions that cover its
        open ones, that each exclusion has one.
        """
        for card in list(self.marks.cards):
            needed = card.low - self.marks.true_counts[card.number]
            if needed < 2 or card.derivation is not None or card.guard != TRUE:
                continue
            opened = frozenset(self.marks.open_literals(card))
            if len(opened) > MANY_PLACES or len(opened) <= needed:
                continue
            for links in self._packings(card, opened, needed):
                is_small = len(card.literals) <= SMALL_GROUP
                for link in links:
                    inside = opened.intersection(link.literals)
                    if len(inside) > 1:
                        self._add(inside, 1, Derivation((card,), links, is_seen=is_small))
                break

    def _packings(self, card: Card, opened: _Literals, needed: int) -> Iterator[tuple[Card, ...]]:
        """Yield sets of so many exclusions that cover these literals."""
        exclusions: dict[int, Card] = {}
        for literal in sorted(opened):
            for number in self.marks.cards_of[literal]:
                link = self.marks.cards[number]
                is_free = self.marks.true_counts[number] == 0 and link.guard == TRUE
                if link.high == 1 and is_free and link is not card:
                    exclusions[number] = link
        if len(exclusions) > FEW_EXCLUSIONS:
            return
        for links in combinations(exclusions.values(), needed):
            if opened <= set().union(*(set(link.literals) for link in links)):
                yield links


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


def _instances(cards: Sequence[Card]) -> tuple[GroundRule, ...]:
    return tuple(dict.fromkeys(instance for card in cards for instance in card.instances))
