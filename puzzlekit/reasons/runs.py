"""Runs of values: each of them has one place, beside that of the next one, as in a path of numbers.

A reader looks for the places of a value between those that are fixed before and after it. That a
place is out because the next value has none beside it is drawn, and never told; the fixed values at
both ends of a run are. It is arc consistency along a chain of unknowns (Mackworth, "Consistency in
networks of relations", 1977).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from puzzlekit.model import Value, Variable
from puzzlekit.reasons.cards import array_name
from puzzlekit.reasons.deductions import Card, CardType
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE, Literals, ValueLiteral
from puzzlekit.reasons.places import depth

FEWEST_BESIDE = 2  # places of the next value; with one, the rule is about two unknowns


def run_links(instances: Collection[GroundRule], cards: Iterable[Card]) -> dict[int, int]:
    """Return the instances that say of a place of a value that the next value has one beside it.

    Args:
        instances: Instances without cards.
        cards: The cards; those that count the places of a value, of which it has one, tell which
            literals are its places.

    Returns:
        By the number of an instance, the literal that says that the value has that place.
    """
    if not instances:
        return {}
    value_cards: dict[int, int] = {}  # by literal, the card that counts the places of its value
    for card in cards:
        if card.card_type is CardType.VALUE and card.low == 1 and not _has_group(card):
            value_cards.update(dict.fromkeys(card.literals, card.number))
    links = {}
    for instance in instances:
        position = _position(instance, value_cards)
        if position is not None:
            links[instance.number] = position
    return links


def cells_beside(
    instances: Iterable[GroundRule], links: Mapping[int, int], literals: Literals
) -> dict[Variable, set[Variable]]:
    """Return, by unknown, the unknowns of the cells beside it where the next value may be.

    Args:
        instances: The instances without cards.
        links: Those that say that the next value is beside a place, as `run_links` gives them.
        literals: The literals.
    """
    adjacent: dict[Variable, set[Variable]] = {}
    for instance in instances:
        if instance.number in links:
            unknown = literals.fact(links[instance.number]).unknown
            unknowns = {literals.fact(number).unknown for number in instance.scope}
            adjacent.setdefault(unknown, set()).update(unknowns - {unknown})
    return adjacent


def _has_group(card: Card) -> bool:
    """Return whether a card counts a value within a group, rather than wherever it is."""
    bindings = card.instances[0].origin.bindings
    return any(depth(value) > 0 for _, value in bindings)


def _position(instance: GroundRule, value_cards: Mapping[int, int]) -> int | None:
    """Return the place that an instance strikes if the next value has none beside it; None if it
    says something else.
    """
    positions: dict[int, list[int]] = {}  # by card
    for number in instance.scope:
        if number in value_cards:
            positions.setdefault(value_cards[number], []).append(number)
    for card, literals in positions.items():
        if len(literals) < FEWEST_BESIDE:
            continue
        struck = instance.entailed({TRUE: 0, **{-literal: 0 for literal in literals}}) or ()
        if len(struck) == 1 and value_cards.get(-struck[0], card) != card:
            return -struck[0]
    return None


def ends_of_run(
    unknown: Variable, value: Value, facts: Iterable[int], literals: Literals
) -> list[ValueLiteral]:
    """Return the facts that place the nearest smaller and the nearest greater number, as far as
    there are any.

    Args:
        unknown: The unknown of the number; others of the same array are looked at.
        value: The number.
        facts: What is known.
        literals: The literals.
    """
    if not _is_number(value):
        return []
    placed = {value: ValueLiteral(unknown, value)}
    for variable, domain in literals.domains.items():
        if len(domain) == 1:
            placed[domain[0]] = ValueLiteral(variable, domain[0])
    for fact in map(literals.fact, filter(literals.is_value_literal, facts)):
        if fact.positive:
            placed[fact.value] = fact
    array = array_name(unknown)
    numbers = [
        number
        for number, fact in placed.items()
        if _is_number(number) and array_name(fact.unknown) == array
    ]
    smaller = [number for number in numbers if number < value]
    greater = [number for number in numbers if number > value]
    ends = [*sorted(smaller)[-1:], *sorted(greater)[:1]]
    return [placed[end] for end in ends]


def _is_number(value: object) -> bool:
    return type(value) is int
