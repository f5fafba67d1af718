"""Truths inside of links: locked candidates, packed groups, naked and hidden sets, fish, n in n.

The cards of a base need literals, the cards of a cover allow some. If all open literals of a base
with disjoint cards lie in the cover, and the base needs as many as the cover allows, then no other
literal of the cover is true: rank 0 in the theory of truths and links (Berthier, "Pattern-based
constraint satisfaction and logic puzzles", 2012; Allan Barker's base and cover sets), and Hall's
theorem for all-different (Hall, 1935).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations

from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.reasons.deductions import Card, CardType, Deduction, OpenCard, Pattern
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks, ViolatedInstance
from puzzlekit.reasons.places import depth
from puzzlekit.reasons.positions import Positions
from puzzlekit.reasons.singles import LINE, LITERAL, premises

LOCKED = 2.6
PACKED = 2.7  # and for each card of the cover
PACKED_COVER = 0.2
GROUPS_IN_GROUPS = 3.0
FURTHER_GROUP = 0.3
MANY_PLACES = 9  # of a card, which is looked at for locked candidates
LARGEST_SET = 4
LARGEST_GROUPS = 6
MANY_OPEN = 12  # literals of a count of nearly all cells
MOST_TRIED = 2_000  # ways to choose groups apart from each other

# By the number of cards in the base: the pattern and its cost. All sets come before fish and
# chains, which are of a higher class.
NAKED = {2: (Pattern.NAKED_PAIR, 3.0), 3: (Pattern.NAKED_TRIPLE, 3.6), 4: (Pattern.NAKED_QUAD, 3.9)}
HIDDEN = {
    2: (Pattern.HIDDEN_PAIR, 3.4),
    3: (Pattern.HIDDEN_TRIPLE, 4.0),
    4: (Pattern.HIDDEN_QUAD, 4.1),
}
FISH = {2: (Pattern.X_WING, 4.12), 3: (Pattern.SWORDFISH, 4.14), 4: (Pattern.JELLYFISH, 4.9)}


@dataclass(eq=False)
class _OpenSet:
    """An open card, with its open literals as a set."""

    opened: OpenCard
    literals: frozenset[int]

    @property
    def card(self) -> Card:
        return self.opened.card


@dataclass(eq=False)
class _Truth:
    """A card of a base: which cards of the cover its open literals are in, as bits."""

    entry: _OpenSet
    links: int


class Covers:
    """Finds bases inside of covers."""

    def __init__(self, marks: Marks, positions: Positions) -> None:
        self.marks = marks
        self.positions = positions
        self._candidates: list[Card] = []  # the cards that were open at the last look
        self._seen = 0  # cards
        self._open_sets: dict[Card, _OpenSet] = {}
        self._families_of_cards: dict[Card, list[Hashable]] = {}
        # by card, the last look at what is packed: the cards that it was about, and the deductions
        self._packings: dict[Card, tuple[list[_OpenSet], list[Deduction]]] = {}

    def open_cards(self) -> list[_OpenSet]:
        """Return the cards that have open literals, as they are now."""
        marks = self.marks
        self._candidates += marks.cards[self._seen :]
        self._seen = len(marks.cards)
        candidates, self._candidates = self._candidates, []
        entries = []
        for card in candidates:
            closed = marks.true_counts[card.number] + marks.false_counts[card.number]
            if card.card_type is CardType.IMPLIED or closed == len(card.literals):
                continue
            self._candidates.append(card)
            if card.guard == TRUE or card.guard in marks.trail:
                entries.append(self._open_set(marks.open_card(card)))
        return entries

    def _open_set(self, opened: OpenCard) -> _OpenSet:
        entry = self._open_sets.get(opened.card)
        if entry is None or entry.opened is not opened:
            entry = self._open_sets[opened.card] = _OpenSet(opened, frozenset(opened.literals))
        return entry

    # One card of a base ---------------------------------------------------------------------------

    def locked(self, entries: Sequence[_OpenSet]) -> Iterator[Deduction]:
        """Yield deductions from a single card inside of one other card, or of several."""
        by_literal: dict[int, list[_OpenSet]] = {}
        for link in entries:
            if link.opened.allowed < len(link.literals):
                for literal in link.opened.literals:
                    by_literal.setdefault(literal, []).append(link)
        for truth in entries:
            needed, positions = truth.opened.needed, len(truth.literals)
            if not 1 <= needed < positions <= MANY_PLACES:
                continue
            if needed == 1:
                yield from self._inside_one(truth, by_literal.get(min(truth.literals), ()))
            else:
                yield from self._packings_of(truth, by_literal)

    def _inside_one(self, truth: _OpenSet, links: Sequence[_OpenSet]) -> Iterator[Deduction]:
        for link in links:
            is_inside = truth.literals < link.literals
            if link.card is truth.card or link.opened.allowed != 1 or not is_inside:
                continue
            struck = tuple(-each for each in link.opened.literals if each not in truth.literals)
            is_block = self.positions.is_block(truth.card)
            cost = LOCKED + LITERAL * len(truth.literals) + (0 if is_block else LINE)
            pattern = Pattern.LOCKED
            if truth.card.card_type is link.card.card_type is CardType.VALUE:
                pattern = Pattern.POINTING if is_block else Pattern.CLAIMING
            yield self._deduction(pattern, cost, struck, [truth], [link])

    def _packings_of(
        self, truth: _OpenSet, by_literal: dict[int, list[_OpenSet]]
    ) -> list[Deduction]:
        """Return deductions from a card that needs several literals, which are found anew where a
        card has changed.
        """
        looked_at = [truth]
        for literal in truth.opened.literals:
            looked_at += by_literal.get(literal, ())
        last_looked_at, deductions = self._packings.get(truth.card, (None, []))
        if last_looked_at != looked_at:
            deductions = list(self._packed(truth, by_literal))
            self._packings[truth.card] = looked_at, deductions
        return deductions

    def _packed(
        self, truth: _OpenSet, by_literal: dict[int, list[_OpenSet]]
    ) -> Iterator[Deduction]:
        """Yield deductions from a card that needs several literals, inside of two or three."""
        needed = truth.opened.needed

        def covers(
            remaining: frozenset[int], links: list[_OpenSet], allowed: int
        ) -> Iterator[list[_OpenSet]]:
            if not remaining:
                yield links
                return
            for link in by_literal.get(min(remaining), ()):
                total = allowed + link.opened.allowed
                if link.card is truth.card or link in links or total > needed:
                    continue
                if link.opened.allowed >= 1 and len(links) < 3:
                    yield from covers(remaining - link.literals, [*links, link], total)

        for links in covers(truth.literals, [], 0):
            if sum(link.opened.allowed for link in links) < needed:
                raise ViolatedInstance(next(iter(truth.card.instances), None))
            struck = _outside([truth], links)
            if struck:
                cost = PACKED + PACKED_COVER * len(links)
                yield self._deduction(Pattern.PACKED, cost, struck, [truth], links)

    def _deduction(
        self,
        pattern: Pattern,
        cost: float,
        struck: tuple[int, ...],
        truths: Sequence[_OpenSet],
        links: Sequence[_OpenSet],
    ) -> Deduction:
        base = tuple(truth.opened for truth in truths)
        cover = tuple(link.opened for link in links)
        derived = max((entry.card.cost for entry in (*truths, *links)), default=0.0)
        reasons = premises(base, cover, self.marks)
        return Deduction(pattern, cost + derived, struck, base, cover, reasons=reasons)

    # Several cards of a base ----------------------------------------------------------------------

    def sets(self, entries: Sequence[_OpenSet]) -> Iterator[Deduction]:
        """Yield naked and hidden sets, fish, and n groups in n groups of another kind."""
        families = self._families(entries)
        for family, members in families.items():
            truths = [truth for truth in members if 1 <= truth.opened.needed < len(truth.literals)]
            if len(truths) < 2 or _overlap(members):
                continue
            check()
            for other_family in self._families_of_links(family, truths):
                links = families.get(other_family, ())
                if links and not _overlap(links):
                    yield from self._sets_in(family, truths, links)

    def totals(self, entries: Sequence[_OpenSet]) -> Iterator[Deduction]:
        """Yield that groups apart from each other need all that is left of a total."""
        for total in entries:
            allowed = total.opened.allowed
            if total.card.card_type is not CardType.COUNT or len(total.literals) <= MANY_OPEN:
                continue
            check()
            counts = (truth for truth in entries if truth.card.card_type is CardType.COUNT)
            truths = (truth for truth in counts if 1 <= truth.opened.needed <= allowed)
            inside = [truth for truth in truths if truth.literals < total.literals]
            inside.sort(key=lambda truth: len(truth.literals) - truth.opened.needed)
            base = _apart(inside, allowed)
            if len(base) < 2:
                continue
            struck = _outside(base, [total])
            if struck:
                cost = GROUPS_IN_GROUPS + FURTHER_GROUP * (len(base) - 2)
                yield self._deduction(Pattern.GROUPS_IN_GROUPS, cost, struck, base, [total])

    def _families(self, entries: Sequence[_OpenSet]) -> dict[Hashable, list[_OpenSet]]:
        """Return the cards by family; the values of a group are a family, too."""
        families: dict[Hashable, list[_OpenSet]] = {}
        for entry in entries:
            for family in self._families_of(entry.card):
                families.setdefault(family, []).append(entry)
        return families

    def _families_of(self, card: Card) -> list[Hashable]:
        """Return the families of a card, which are looked for once."""
        if card not in self._families_of_cards:
            self._families_of_cards[card] = _families_of(card)
        return self._families_of_cards[card]

    def _families_of_links(
        self, family: Hashable, truths: Sequence[_OpenSet]
    ) -> Iterator[Hashable]:
        """Yield the families whose cards may be a cover of truths of a family."""
        families: dict[Hashable, None] = {}
        for truth in truths:
            for number in self.marks.cards_of.get(min(truth.literals), ()):
                families.update(dict.fromkeys(self._families_of(self.marks.cards[number])))
        of_cells, of_group = _group_type(family) == "cells", _group_type(family) == "group"
        for linked in families:
            group_type = _group_type(linked)
            if (
                linked != family
                and of_cells == (group_type == "group")
                and of_group == (group_type == "cells")
            ):
                yield linked

    def _sets_in(
        self, family: Hashable, truths: Sequence[_OpenSet], links: Sequence[_OpenSet]
    ) -> Iterator[Deduction]:
        """Yield deductions from truths of a family inside of links of another family."""
        link_of = {}
        for index, link in enumerate(links):
            link_of.update(dict.fromkeys(link.literals, index))
        covered = []
        for truth in truths:
            if all(literal in link_of for literal in truth.literals):
                bits = 0
                for literal in truth.literals:
                    bits |= 1 << link_of[literal]
                covered.append(_Truth(truth, bits))
        is_of_counts = _group_type(family) == "counts"
        largest = LARGEST_GROUPS if is_of_counts else LARGEST_SET
        for size in range(2, min(largest, len(covered)) + 1):
            most = largest if is_of_counts else size
            candidates = [truth for truth in covered if truth.links.bit_count() <= most]
            for truths_of_size in combinations(candidates, size):
                yield from self._set_in(family, truths_of_size, links)

    def _set_in(
        self, family: Hashable, truths: Sequence[_Truth], links: Sequence[_OpenSet]
    ) -> Iterator[Deduction]:
        bits = 0
        needed = 0
        for truth in truths:
            bits |= truth.links
            needed += truth.entry.opened.needed
        if bits.bit_count() > needed:
            return
        cover = [link for index, link in enumerate(links) if bits >> index & 1]
        allowed = sum(link.opened.allowed for link in cover)
        lives = [truth.entry for truth in truths]
        if allowed < needed:
            raise ViolatedInstance(next(iter(lives[0].card.instances), None))
        if allowed > needed:
            return
        struck = _outside(lives, cover)
        if struck:
            pattern, cost = self._name(family, lives, cover)
            yield self._deduction(pattern, cost, struck, lives, cover)

    def _name(
        self, family: Hashable, base: Sequence[_OpenSet], cover: Sequence[_OpenSet]
    ) -> tuple[Pattern, float]:
        """Return the pattern of a base inside of a cover, and its cost."""
        size = len(base)
        group_type = _group_type(family)
        if group_type == "cells":
            return NAKED[size]
        if group_type == "group":
            return HIDDEN[size]
        are_lines = not any(self.positions.is_block(entry.card) for entry in (*base, *cover))
        if group_type == "values" and are_lines:
            return FISH[size]
        return Pattern.GROUPS_IN_GROUPS, GROUPS_IN_GROUPS + FURTHER_GROUP * (size - 2)


def _apart(truths: Sequence[_OpenSet], needed: int) -> list[_OpenSet]:
    """Return cards without common literals that need so many together; none if few ways to choose
    them give none. A depth-first search.
    """
    tried = 0

    def chosen(start: int, base: list[_OpenSet], missing: int) -> list[_OpenSet]:
        nonlocal tried
        tried += 1
        if missing == 0:
            return base
        if len(base) == LARGEST_GROUPS or tried > MOST_TRIED:
            return []
        occupied: set[int] = set().union(*(truth.literals for truth in base))
        for index in range(start, len(truths)):
            truth = truths[index]
            rest = missing - truth.opened.needed
            if rest < 0 or not occupied.isdisjoint(truth.literals):
                continue
            entire = chosen(index + 1, [*base, truth], rest)
            if entire:
                return entire
        return []

    return chosen(0, [], needed)


def _families_of(card: Card) -> list[Hashable]:
    """Return the families of a card; for a value also the group that it is counted in."""
    if card.card_type is CardType.CELL:
        return [("cells", card.family)]
    if card.card_type is CardType.VALUE:
        return [("values", card.family), ("group", _group_of_values(card))]
    if card.card_type is CardType.COUNT and len(card.literals) > 2 and card.derivation is None:
        return [("counts", card.family)]
    return []


def _group_of_values(card: Card) -> Hashable:
    """Return what the cards of values have in common that are counted in the same group: the rule,
    with its cells if it does not count each value wherever it is. One instance may be about all
    values, or one about each value.
    """
    origin = card.instances[0].origin
    groups = [str(value) for _, value in origin.bindings if depth(value) > 0]
    return origin.rule, tuple(groups)


def _group_type(family: Hashable) -> str:
    assert isinstance(family, tuple)
    group_type: str = family[0]
    return group_type


def _overlap(cards: Sequence[_OpenSet]) -> bool:
    """Return whether two of these cards share an open literal."""
    union: set[int] = set()
    for entry in cards:
        if not union.isdisjoint(entry.literals):
            return True
        union |= entry.literals
    return False


def _outside(base: Sequence[_OpenSet], cover: Sequence[_OpenSet]) -> tuple[int, ...]:
    """Return the denials of the literals of a cover that are outside of its base.

    A literal in two cards of an exact cover is not true, either.
    """
    inside: set[int] = set().union(*(truth.literals for truth in base))
    counts: dict[int, int] = {}
    for link in cover:
        for literal in link.opened.literals:
            counts[literal] = counts.get(literal, 0) + 1
    return tuple(
        -literal for literal, count in counts.items() if literal not in inside or count > 1
    )
