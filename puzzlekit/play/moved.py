"""Boards of texts that are only moved: the rules say how often each stands there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from puzzlekit.model import Comparison, Constant, Model, Sum, Term, Value, Variable
from puzzlekit.play.entries import Entry, token_text

Texts = Mapping[Any, Sequence[str]]  # by point, as tokens


def moved_tokens(entry: Entry, model: Model, given_texts: Sequence[Texts]) -> list[int] | None:
    """Return the tokens that an entry begins with, if they are only moved; else None.

    They are if a picture has texts at the same positions, and the rules say of each how often it
    is there: as often as in the picture.

    Args:
        entry: The entry.
        model: The rules.
        given_texts: For each picture the texts of its points.
    """
    unknowns = {unknown for unknown in entry.unknowns if unknown is not None}
    if entry.category != "cells" or not entry.by_value or len(unknowns) < len(entry.positions):
        return None
    counts = _token_counts(entry, model, unknowns)
    numbers = {token_text(token): number for number, token in enumerate(entry.tokens)}
    for texts in given_texts:
        tokens = [
            next((numbers[text] for text in texts.get(position, ()) if text in numbers), None)
            for position in entry.positions
        ]
        if counts and Counter(tokens) == counts:
            return [token for token in tokens if token is not None]
    return None


def _token_counts(entry: Entry, model: Model, unknowns: set[Variable]) -> Counter[int | None]:
    """Return how often each token is on the board, of those of which the rules say it."""
    counts: Counter[int | None] = Counter()
    for constraint in model.constraints:
        counted = _counted(constraint.condition, unknowns)
        if counted is not None:
            value, count = counted
            for variable, tokens in zip(entry.unknowns, entry.by_value):
                if variable is not None and value in model.domains[variable]:
                    token = tokens[model.domains[variable].index(value)]
                    counts[token] = count
                    break
    return counts


def _counted(condition: Term, unknowns: set[Variable]) -> tuple[Value, int] | None:
    """Return the value whose number a condition states, and the number, among all unknowns."""
    if not isinstance(condition, Comparison) or condition.operator != "==":
        return None
    total, count = condition.left, condition.right
    if not isinstance(total, Sum) or not isinstance(count, Constant) or total.constant:
        return None
    values = set()
    counted = set()
    for weight, term in total.weighted:
        if weight != 1 or not isinstance(term, Comparison) or term.operator != "==":
            return None
        variable, value = term.left, term.right
        if not isinstance(variable, Variable) or not isinstance(value, Constant):
            return None
        counted.add(variable)
        values.add(value.constant)
    if counted != unknowns or len(values) != 1 or not isinstance(count.constant, int):
        return None
    return values.pop(), count.constant
