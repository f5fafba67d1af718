"""Choices: the ways to place a thing on several cells, of which a board shows only the cells.

A reader knows which cells belong to a thing and which do not. The ways to place it that are left
are not drawn: they follow from the cells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from puzzlekit.boards import Cell, Cells, Placement
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
        drawn: Those of them that the board shows if they are taken, as no truths of cells do.
    """

    unknowns: frozenset[Variable] = frozenset()
    tie_rules: frozenset[str] = frozenset()
    drawn: frozenset[Variable] = frozenset()


NO_CHOICES = Choices()


def choices_of(cards: Iterable[Card], words: Words, literals: Literals) -> Choices:
    """Return the truths about several cells, each of which has a truth of its own that equals the
    sum of those about it, or belongs to just one of them.

    All truths of a name are choices, or none of them.
    """
    tied: dict[Variable, set[Cell]] = {}
    covering: dict[Variable, set[Cell]] = {}
    rules: set[str] = set()
    for card in cards:
        tie = _tie(card, words, literals)
        if tie is not None:
            rules.update(instance.origin.rule for instance in card.instances)
        cells_of = covering if tie is None else tied
        cover = tie or _cover(card, words, literals)
        if cover is not None:
            cell, alternatives = cover
            for unknown in alternatives:
                cells_of.setdefault(unknown, set()).add(cell)
    entire = {each for each in tied if tied[each].issuperset(_cells(each, words))}
    choices = _complete(entire, words, literals)
    drawn = _complete(covering, words, literals) - choices
    tie_rules = frozenset(rules) if choices else frozenset[str]()
    return Choices(choices | drawn, tie_rules, drawn)


def _complete(
    unknowns: Collection[Variable], words: Words, literals: Literals
) -> frozenset[Variable]:
    """Return the undecided unknowns of those names all of whose undecided members are given."""
    complete: set[Variable] = set()
    for name in {words.keys[unknown][0] for unknown in unknowns}:
        members = words.puzzle.families[name].members.values()
        undecided = [each for each in members if len(literals.domains[each]) == 2]
        if all(each in unknowns for each in undecided):
            complete.update(undecided)
    return frozenset(complete)


def _cover(card: Card, words: Words, literals: Literals) -> tuple[Cell, list[Variable]] | None:
    """Return the cell that belongs to just one of some groups of cells, and the truths about these
    groups; None if a card says something else.
    """
    if (card.low, card.high, card.guard) != (1, 1, TRUE) or card.derivation is not None:
        return None
    facts = list(map(literals.fact, card.literals))
    for fact in facts:
        is_truth = fact.unknown in words.keys and fact.value is True
        if not is_truth or not isinstance(words.keys[fact.unknown][1], Cells | Placement):
            return None
    loop_values = [value for each in card.instances for _, value in each.origin.bindings]
    cells = [value for value in loop_values if isinstance(value, Cell)]
    if len(cells) != 1 or not all(cells[0] in _cells(fact.unknown, words) for fact in facts):
        return None
    return cells[0], [fact.unknown for fact in facts]


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
