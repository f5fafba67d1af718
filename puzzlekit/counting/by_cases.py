"""Count solutions without listing them: branch into cases, split, and memoise.

A backend enumerates the solutions of a small model. A larger one is split into cases: one per
literal of an "exactly one", or one per value of a variable. The rest of each case is presolved and
split; the counts of its parts multiply, those of the cases add up. A memo recognises a rest that
has been counted before. The cases follow the order of the constraints in the model, so the rest of
a board is its other end, and the same one recurs often.

Most cases are followed on bits, where only cardinalities and all-different propagate. A part in
which another constraint has lost a value goes through the whole `presolve`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np

from puzzlekit.counting.case_state import Literals, State
from puzzlekit.limits import limits
from puzzlekit.model import AllDifferent, Cardinality, Linear, Model, Table, Term, Variable
from puzzlekit.presolve.domains import Contradiction
from puzzlekit.presolve.presolve import presolve
from puzzlekit.presolve.split import split

Listed = Callable[[Model, bool], int | None]


class _Board(NamedTuple):
    """A part whose cases are followed on bits; `number` makes its memo entries unique."""

    literals: Literals
    number: int
    leaf: int


class CaseCounter:
    """One count.

    `listed(model, hasty)` returns the number of solutions of a presolved model, by enumeration in
    the backend. If `hasty`, it may return None for too many. `step` is called often and may raise
    to stop the count.
    """

    def __init__(self, listed: Listed, step: Callable[[], None]) -> None:
        self.listed = listed
        self.step = step
        self._memo: dict[Hashable, int] = {}
        self._most = limits().counting.case_memo_entries
        self._boards = 0

    def count(self, model: Model) -> int:
        """Return the number of solutions that differ in visible variables."""
        return self._model(model, limits().counting.case_values)

    def _model(self, model: Model, leaf: int) -> int:
        """Count any model; the backend enumerates parts with up to `leaf` open values."""
        self.step()
        try:
            _, parts = split(presolve(replace(model, goal=None)))
        except Contradiction:
            return 0
        total = 1
        for part in sorted(parts, key=lambda part: len(part.domains)):
            total = total and total * self._part(part, leaf)
        return total

    def _part(self, part: Model, leaf: int) -> int:
        if not part.constraints:
            ((variable, domain),) = part.domains.items()
            return 1 if variable in part.auxiliary else len(domain)
        key = _key(part)
        known = self._memo.get(key)
        return self._remember(key, self._listed_or_not(part, leaf)) if known is None else known

    def _listed_or_not(self, part: Model, leaf: int) -> int:
        size = sum(len(domain) for domain in part.domains.values() if len(domain) > 1)
        to_branch_on = any(len(part.domains[variable]) > 1 for variable in part.visible())
        if size <= leaf or not to_branch_on:
            number = self.listed(part, to_branch_on)
            if number is not None:
                return number
            # its parts have fewer solutions, but only slightly smaller parts may still have too
            # many
            leaf = size // 2
        self._boards += 1
        board = Literals(part)
        return self._by_cases(_Board(board, self._boards, leaf), board.start)

    def _by_cases(self, board: _Board, state: State) -> int:
        self.step()
        total = 0
        for dead in board.literals.cases(state):
            ways, parts = board.literals.after(state, dead)
            for after in parts:
                ways = ways and ways * self._on_bits(board, after)
            total += ways
        return total

    def _on_bits(self, board: _Board, state: State) -> int:
        literals = board.literals
        if literals.touched(state):
            return self._model(literals.model(state), board.leaf)
        key = (board.number, *literals.key(state))
        known = self._memo.get(key)
        if known is not None:
            return known
        if state.open.bit_count() <= board.leaf or not state.open & literals.visible:
            return self._remember(key, self._model(literals.model(state), board.leaf))
        return self._remember(key, self._by_cases(board, state))

    def _remember(self, key: Hashable, number: int) -> int:
        if len(self._memo) < self._most:
            self._memo[key] = number
        return number


def _key(part: Model) -> Hashable:
    """Return a key that determines the count of a part."""
    return (*part.domains.items(), *(_constraint_key(constraint.condition, part) for constraint in part.constraints))


def _constraint_key(condition: Term, part: Model) -> Hashable:
    match condition:
        case Cardinality(literals, low, high):
            return Cardinality, literals, low, high
        case Linear(weighted, low, high):
            return Linear, weighted, low, high
        case AllDifferent(terms):
            return AllDifferent, terms
        case Table(terms, rows, books) if part.domains.keys() >= set(terms):
            columns = []
            for term, book, column in zip(terms, books, rows.T):
                place = {value: place for place, value in enumerate(part.domains[cast(Variable, term)])}
                columns.append(np.array([place.get(value, -1) for value in book], dtype=np.int32)[column].tobytes())
            return Table, terms, b"".join(columns)
        case _:
            return condition
