"""What excludes all but one of the things to which a cell may belong."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from puzzlekit.reasons.deductions import Card, CardType, Deduction, Exclusion
from puzzlekit.reasons.instances import Area
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks
from puzzlekit.sentences import GraphReason

MOST_NAMED = 6  # facts and areas, that a sentence names
OUT_OF_REACH = (GraphReason.TOO_FAR, GraphReason.CUT_OFF)


def exclusion_of(deduction: Deduction, marks: Marks) -> Exclusion | None:
    """Return what excludes all that a card would allow besides the literal of a deduction; None if
    it is not about a card with memberships, or if that is much.
    """
    if not marks.memberships.unknowns:
        return None
    if len(deduction.base) != 1 or len(deduction.literals) != 1:
        return None
    (literal,) = deduction.literals
    card = deduction.base[0].card
    alternatives = [each for each in card.literals if each != literal]
    if not any(map(marks.is_membership, alternatives)):
        return None
    if any(-alternative not in marks.trail for alternative in alternatives):
        return None
    facts: dict[int, None] = {}
    areas: dict[tuple[GraphReason, Area], None] = {}
    for alternative in alternatives:
        cause = marks.memberships.eliminated.get(-alternative)
        area = None if cause is None else _area(cause)
        if area is not None:
            areas[area] = None
            continue
        reasons = (-alternative,) if cause is None else cause.reasons
        for reason in reasons:
            facts.update(dict.fromkeys(_facts(reason, marks)))
    number = len(facts) + len(areas)
    if not 0 < number <= MOST_NAMED:
        return None
    return Exclusion(tuple(areas), tuple(_without_implied(facts, marks)))


def _without_implied(facts: Collection[int], marks: Marks) -> Iterator[int]:
    """Yield facts without those that another one implies: a cell of an island is land."""
    for fact in facts:
        cards_of_fact = marks.cards_of.get(-fact, ())
        numbers = marks.memberships.cards.intersection(cards_of_fact)
        alternatives = {literal for number in numbers for literal in marks.cards[number].literals}
        if alternatives.isdisjoint(facts):
            yield fact


def _area(cause: Deduction) -> tuple[GraphReason, Area] | None:
    """Return the area that cannot have a cell; None if something else is why."""
    if cause.area is not None and cause.graph_reason in OUT_OF_REACH:
        return cause.graph_reason, cause.area
    if len(cause.cover) == 1 and not cause.base:
        card = cause.cover[0].card
        if card.card_type is CardType.COUNT and len(card.instances) == 1:
            return GraphReason.COMPLETE, Area(card.literals, card.high, source=card.instances[0])
    return None


def _facts(literal: int, marks: Marks) -> Sequence[int]:
    """Return the fact that strikes what is denied; the denial if there is no such fact; nothing if
    it is so from the start.
    """
    if not marks.is_elimination(literal):
        return [literal]
    striker = next(_strikers(-literal, marks), None)
    if striker is not None:
        return [striker]
    if literal in marks.memberships.eliminated:
        return [literal]
    is_told = marks.trail.get(literal, 0) > 0
    return [literal] if is_told else []


def _strikers(literal: int, marks: Marks) -> Iterator[int]:
    """Yield the known literals that exclude a literal by one card."""
    for number in marks.cards_of.get(literal, ()):
        card: Card = marks.cards[number]
        if card.high != 1 or card.guard != TRUE:
            continue
        if card.derivation is not None or card.card_type is CardType.IMPLIED:
            continue
        for each in card.literals:
            if each != literal and each in marks.trail:
                yield each
