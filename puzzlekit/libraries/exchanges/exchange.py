"""Exchanges of two cells, and those that walk along cycles."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from puzzlekit.boards import Cell, Cycle
from puzzlekit.boards.graphs import Arc
from puzzlekit.errors import InputError


class Exchange(NamedTuple):
    """Two cells whose symbols change places, with the symbol that stands in each before.

    >>> str(Exchange(Cell(1, 2), "t", Cell(3, 4), "e"))
    'r1c2 T ↔ r3c4 E'
    """

    first: Cell
    symbol: Any
    second: Cell
    other: Any

    def __str__(self) -> str:
        return f"{self.first} {_shown(self.symbol)} ↔ {self.second} {_shown(self.other)}"


def _shown(symbol: Any) -> str:
    text = str(symbol)
    return text.upper() if len(text) == len(text.upper()) == 1 else text


def exchanges(start: Mapping[Cell, Any], target: Mapping[Cell, Any], cycles: Iterable[Cycle]) -> tuple[Exchange, ...]:
    """The exchanges, in order, that take `start` to `target` along cycles of arcs (symbol that stands, symbol that belongs).

    Every cell that moves lies on one cycle. Each exchange puts at least one symbol where it belongs; a cycle of k arcs
    takes k − 1. Raises InputError where the cycles do not make one board into the other.
    """
    waiting: dict[Arc, deque[Cell]] = {}
    for cell, symbol in start.items():
        if symbol != target[cell]:
            waiting.setdefault((symbol, target[cell]), deque()).append(cell)
    now = dict(start)
    steps = []
    for cycle in cycles:
        if not all(waiting.get(arc) for arc in cycle):
            raise InputError("these cycles do not lead from the one board to the other")
        cells = [waiting[arc].popleft() for arc in cycle]
        for here, there in itertools.pairwise(cells):
            steps.append(Exchange(here, now[here], there, now[there]))
            now[here], now[there] = now[there], now[here]
    if now != dict(target):
        raise InputError("these cycles do not lead from the one board to the other")
    return tuple(steps)
