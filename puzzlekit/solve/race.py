"""A race: where a part is hard, another backend searches it in a process of its own."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile
from math import inf

from puzzlekit.backends import missing_extra
from puzzlekit.backends.base import Budget, Trial
from puzzlekit.backends.child_process import Beside
from puzzlekit.errors import Stopped
from puzzlekit.limits import limits
from puzzlekit.model import Model, Values, Variable
from puzzlekit.query import Query
from puzzlekit.solve.isolated import coded, decoded
from puzzlekit.solve.solver import solver


class Race(Trial):
    """The trial of a search against a rival, which begins where the search proves to be hard.

    The trial is over when the rival is ahead: when it has ended, or has found more solutions. One
    that gives up, or dies, loses. Whoever makes a race must end it.

    Args:
        rivals: The names of backends; the first that is installed takes part.
        seconds: The processor time of the search before the rival begins.
    """

    def __init__(self, rivals: Sequence[str], seconds: float, model: Model, query: Query, budget: Budget) -> None:
        super().__init__(budget.worked() + seconds)
        self.begun = False
        self.name = ""
        self.lacking: list[str] = []  # rivals before it that are not installed
        self._rivals = rivals
        self._model = model
        self._query = query
        self._budget = budget
        self._rival: Beside[tuple[float, list[int]]] | None = None
        self._given: list[Values] = []
        self._next_look = 0.0

    def over(self, worked: float) -> bool:
        if worked <= self.ends:
            return False
        if not self.begun:
            self._begin()
        now = time.monotonic()
        if self._rival is not None and now >= self._next_look:
            self._next_look = now + limits().searching.race_looks_seconds
            self._rival.look()
        return self.ahead

    @property
    def running(self) -> bool:
        """Whether the rival takes part, and has not given up."""
        return self._rival is not None and self._rival.error is None

    @property
    def ahead(self) -> bool:
        """Whether the rival has ended, or has found more solutions."""
        if self._rival is None or self._rival.error is not None:
            return False
        return self._rival.ended or len(self._rival.items) > len(self._given)

    def gave(self, values: Values) -> None:
        """Note a solution that the search has found; if there are many, the race is of no use."""
        if self.ends == inf:
            return
        self._given.append(values)
        if len(self._given) > limits().searching.race_solutions:
            self.end()

    def rest(self) -> Iterator[Values]:
        """Yield the solutions of the rival that the search has not found. Raises what it raises."""
        assert self._rival is not None, "only a rival that takes part can be ahead"
        visible = self._model.visible()
        given = {_shown(visible, values) for values in self._given}
        for values in decoded(self._model, self._rival.rest(), self._budget):
            if _shown(visible, values) not in given:
                yield values

    def end(self) -> None:
        """Kill the rival."""
        self.ends = inf
        rival, self._rival = self._rival, None
        if rival is not None:
            rival.end()

    def _begin(self) -> None:
        self.begun = True
        self.lacking = [*takewhile(missing_extra, self._rivals)]
        self.name = next(iter(self._rivals[len(self.lacking) :]), "")
        if self.name:
            arguments = (self.name, self._model, self._query, replace(self._budget, trials=()))
            with suppress(Stopped):  # no memory for one more process
                self._rival = Beside(_searched, arguments, self._budget)


def _shown(visible: Sequence[Variable], values: Values) -> tuple[object, ...]:
    return tuple([values[variable] for variable in visible])


def _searched(name: str, model: Model, query: Query, budget: Budget) -> Iterator[tuple[float, list[int]]]:
    """In the other process."""
    return coded(solver(name), model, query, budget)
