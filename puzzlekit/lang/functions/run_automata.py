"""Automata that read a row: one that meets runs of given lengths, and the opposite of one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Steps = tuple[Mapping[Any, int], ...]


def of_runs(lengths: Sequence[int]) -> tuple[Steps, frozenset[int]]:
    """Steps and accepting states of the automaton for conditions whose runs of true have these lengths, in order.

    >>> of_runs([1])
    (({False: 0, True: 1}, {False: 2}, {False: 2}), frozenset({1, 2}))
    """
    steps: list[dict[Any, int]] = []
    for length in lengths:
        gap = len(steps)
        steps.append({False: gap, True: gap + 1})
        steps.extend({True: gap + place + 1} for place in range(1, length))
        steps.append({False: gap + length + 1})
    last = len(steps)
    steps.append({False: last})
    return tuple(steps), frozenset({last, last - 1 if lengths else last})


def opposite(steps: Steps, accepting: frozenset[int], values: Iterable[Any]) -> tuple[Steps, frozenset[int]]:
    """The automaton that accepts the rows of these values that the other does not."""
    nowhere = len(steps)
    every = dict.fromkeys(values, nowhere)
    return (*({**every, **step} for step in steps), every), frozenset(range(nowhere + 1)) - accepting
