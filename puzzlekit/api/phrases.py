"""The phrases of the text of a step, and the points on the board that they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from puzzlekit.api.boards import points_of
from puzzlekit.boards import Cell
from puzzlekit.reasons import CardText, ExplainedStep, merged
from puzzlekit.scene import Point, centre

Phrase = tuple[int, int, list[Point]]  # where it begins and ends in the text

CELLS = re.compile(r"\br(\d+)c(\d+)(?:–r(\d+)c(\d+))?")


def step_text(step: ExplainedStep) -> str:
    """Return the text of a step on a page: the sentence, and below it the lines of a long chain."""
    return "\n".join(step.paragraphs)


def phrases_of(step: ExplainedStep, text: str) -> list[Phrase]:
    """Return the phrases of a text that name cells, groups of cells, or rules, in order."""
    phrases: list[Phrase] = []
    end = 0
    for phrase in sorted(_named(step, text), key=lambda phrase: (phrase[0], -phrase[1])):
        if phrase[0] >= end and phrase[2]:
            phrases.append(phrase)
            end = phrase[1]
    return phrases


def _named(step: ExplainedStep, text: str) -> Iterator[Phrase]:
    """Yield phrases, which may overlap."""
    for name, points in _names(step).items():
        pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
        for match in re.finditer(pattern, text, re.IGNORECASE):
            yield match.start(), match.end(), points
    for match in CELLS.finditer(text):
        yield match.start(), match.end(), _cells(*match.groups())


def _names(step: ExplainedStep) -> dict[str, list[Point]]:
    """Return the points of the groups and rules of a step by their names."""
    names: dict[str, list[Point]] = {}
    for rule in step.rules:
        for name in (rule.rule, rule.where):
            if name:
                names[name] = [*names.get(name, []), *points_of(rule.indexes)]
    for cards in (step.base, step.cover):
        names |= _card_names(cards)
    for fact in step.facts:
        names[fact.text] = points_of([fact.index_cell])
    return names


def _card_names(cards: tuple[CardText, ...]) -> dict[str, list[Point]]:
    """Return the points of cards by their names, and of all of them by the name of all."""
    names = {card.name: points_of(card.indexes) for card in cards}
    if len(cards) > 1:
        together = merged([card.name for card in cards])
        names[together] = [point for card in cards for point in points_of(card.indexes)]
    return names


def _cells(row: str, column: str, last_row: str | None, last_column: str | None) -> list[Point]:
    """Return the points of a cell, or of those from one to another."""
    first = Cell(int(row), int(column))
    last = Cell(int(last_row or row), int(last_column or column))
    rows = range(first.row, last.row + 1)
    columns = range(first.column, last.column + 1)
    return [centre((row, column)) for row in rows for column in columns]
