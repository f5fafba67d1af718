"""Choices: the ways to place a thing on several cells, of which a board shows only the cells.

A reader knows which cells belong to a thing and which do not. The ways to place it that are left
are not drawn: they follow from the cells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from puzzlekit.boards import Cell
from puzzlekit.model import Variable
from puzzlekit.reasons.deductions import Card
from puzzlekit.reasons.literals import TRUE, Literals
from puzzlekit.reasons.places import cells_in
from puzzlekit.reasons.words import Words


class Choices(NamedTuple):
    """The choices of a puzzle.

    Attributes:
        unknowns: The choices.
        tie_rules: The names of the rules that say which cells they have.
    """

    unknowns: frozenset[Variable] = frozenset()
    tie_rules: frozenset[str] = frozenset()


def choices_of(cards: Iterable[Card], words: Words, literals: Literals) -> Choices:
    """Return the truths about several cells, each of which has a truth of its own that equals the
    sum of those about it.

    All truths of a name are choices, or none of them.
    """
    cells_of: dict[Variable, set[Cell]] = {}
    rules: set[str] = set()
    for card in cards:
        tie = _tie(card, words, literals)
        if tie is not None:
            cell, alternatives = tie
            rules.update(instance.origin.rule for instance in card.instances)
            for unknown in alternatives:
                cells_of.setdefault(unknown, set()).add(cell)
    names = {words.keys[unknown][0] for unknown in cells_of}
    choices: set[Variable] = set()
    for name in names:
        members = list(words.puzzle.families[name].members.values())
        undecided = [each for each in members if len(literals.domains[each]) == 2]
        if all(cells_of.get(each, set()).issuperset(_cells(each, words)) for each in undecided):
            choices.update(undecided)
    return Choices(frozenset(choices), frozenset(rules)) if choices else Choices()


def _tie(card: Card, words: Words, literals: Literals) -> tuple[Cell, list[Variable]] | None:
    """Return the cell and the truths about several cells of a card which says that the cell has a
    truth just if one of these is_true; None if it says something else.
    """
    if (card.low, card.high, card.guard) != (1, 1, TRUE) or card.derivation is not None:
        return None
    cells: list[Cell] = []
    alternatives: list[Variable] = []
    for literal in card.literals:
        fact = literals.fact(literal)
        if fact.unknown not in words.keys or not isinstance(fact.value, bool):
            return None
        _, index = words.keys[fact.unknown]
        is_true = fact.value is fact.positive
        if isinstance(index, Cell) and not is_true:
            cells.append(index)
        elif is_true and not isinstance(index, Cell):
            alternatives.append(fact.unknown)
        else:
            return None
    if len(cells) != 1 or not alternatives:
        return None
    are_about = all(cells[0] in _cells(unknown, words) for unknown in alternatives)
    return (cells[0], alternatives) if are_about else None


def _cells(unknown: Variable, words: Words) -> Collection[Cell]:
    """Return the cells that an unknown is about."""
    return cells_in(words.keys[unknown][1])
