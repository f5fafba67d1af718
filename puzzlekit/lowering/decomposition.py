"""Automata, cardinalities and sums as chains of small tables over running states; large tables as
automata.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from puzzlekit.errors import Unsupported
from puzzlekit.model import (
    Automaton,
    Cardinality,
    Constant,
    Constraint,
    Domain,
    Linear,
    Model,
    Origin,
    Table,
    Value,
    Variable,
)
from puzzlekit.presolve.structure_propagators import readings

CHAIN_TOTALS = 20_000  # of a chain of counters at one position
CHAIN_ROWS = 3_000_000  # in all counter tables of a model together
Weights = Mapping[Value, int]
Move = tuple[int, int, int]  # a state, the number that is read there, the next state
ACCEPTING = 0


def decompose_automata(model: Model, check: Callable[[], None] = lambda: None) -> Model:
    """Replace each automaton by tables (state, value, next state): the decomposition of `regular`.

    Quimper and Walsh, "Global grammar constraints" (2006).

    Needs:  a presolved model.
    Leaves: no `Automaton`; the same visible solutions, each once: a new variable is auxiliary, and
            its value, a state, is a function of the values that were read.
    """
    if Automaton not in [type(constraint.condition) for constraint in model.constraints]:
        return model
    domains = dict(model.domains)
    constraints: list[Constraint] = []
    for constraint in model.constraints:
        if isinstance(constraint.condition, Automaton):
            check()
            constraints += (
                replace(constraint, condition=table)
                for table in _chain(constraint.condition, domains)
            )
        else:
            constraints.append(constraint)
    added = domains.keys() - model.domains.keys()
    return replace(
        model, domains=domains, constraints=tuple(constraints), auxiliary=model.auxiliary | added
    )


def _chain(automaton: Automaton, domains: dict[Variable, Domain]) -> Iterator[Table]:
    """Yield the tables, and add the new variables to the domains."""
    choices = [
        (t.constant,) if isinstance(t, Constant) else domains[t]
        for t in automaton.terms
        if isinstance(t, Variable | Constant)
    ]
    before: Variable | None = None
    for number, (term, moves) in enumerate(zip(automaton.terms, readings(automaton, choices)), 1):
        states = tuple(dict.fromkeys(move[2] for move in moves))
        after = (
            Variable(f"(state {len(domains) + 1})")
            if len(states) > 1 and number < len(automaton.terms)
            else None
        )
        if after is not None:
            domains[after] = states
        sides = [
            (side, place)
            for place, side in enumerate((before, term, after))
            if isinstance(side, Variable)
        ]
        columns = [[domains[side].index(move[place]) for move in moves] for side, place in sides]
        if columns:
            rows = np.unique(np.array(columns, dtype=np.uint32).T, axis=0)
            yield Table(
                tuple(side for side, _ in sides), rows, tuple(domains[side] for side, _ in sides)
            )
        before = after


def decompose_counts(model: Model, check: Callable[[], None] = lambda: None) -> Model:
    """Replace what an exact cover cannot express by tables.

    Needs:  a flat model (see `flatten`).
    Leaves: the same solutions, each once, since a state is a function of the values; no Linear;
            only cardinalities for exactly one or at most one of distinct literals.
    Raises: Unsupported, with the rule, if a sum has too many totals; whatever `check` raises, which
            is called regularly.
    """
    domains = dict(model.domains)
    rows = 0
    constraints: list[Constraint] = []
    added: list[Variable] = []
    for constraint in model.constraints:
        match constraint.condition:
            case Cardinality(literals, least, most) if (
                most != 1 or least > 1 or len(set(literals)) < len(literals)
            ):
                low, high = least, most
                counted = [(variable, {value: 1}) for variable, value in literals]
            case Linear(weighted, low, high):
                counted = [
                    (variable, {v: weight * int(v) for v in domains[variable]})
                    for weight, variable in weighted
                ]
            case _:
                constraints.append(constraint)
                continue
        weights: dict[Variable, dict[Value, int]] = {}
        for variable, worth in counted:
            own = weights.setdefault(variable, {})
            for value, weight in worth.items():
                own[value] = own.get(value, 0) + weight
        chain = _Chain(domains, constraint.origin, len(added), rows, check)
        constraints += chain.tables(list(weights.items()), low, high)
        added += chain.added
        rows = chain.rows
    return replace(
        model,
        domains=domains,
        constraints=tuple(constraints),
        auxiliary=model.auxiliary | frozenset(added),
    )


class _Chain:
    """One counter: state i is the total of the first i variables."""

    def __init__(
        self,
        domains: dict[Variable, Domain],
        origin: Origin,
        number: int,
        rows: int,
        check: Callable[[], None],
    ) -> None:
        self.domains = domains
        self.origin = origin
        self.number = number
        self.rows = rows
        self.check = check
        self.added: list[Variable] = []

    def tables(
        self, items: Sequence[tuple[Variable, Weights]], low: int | None, high: int | None
    ) -> list[Constraint]:
        """Return tables that hold if and only if the weights sum to `low` … `high`."""
        steps = [
            {value: weights.get(value, 0) for value in self.domains[variable]}
            for variable, weights in items
        ]
        reach = self._totals(steps, low, high)
        states = [None, *(self._state(tuple(sorted(totals))) for totals in reach[1:-1]), None]
        tables = []
        for place, (variable, _) in enumerate(items):
            before, after = states[place], states[place + 1]
            variables = tuple(v for v in (before, variable, after) if v is not None)
            rows = []
            for total in sorted(reach[place]):
                self.check()
                rows += [
                    tuple(
                        part
                        for part, kept in ((total, before), (value, True), (total + weight, after))
                        if kept is not None
                    )
                    for value, weight in steps[place].items()
                    if total + weight in reach[place + 1]
                ]
            self.rows += len(rows)
            if self.rows > CHAIN_ROWS:
                raise Unsupported(
                    f"{self.origin}: the sums of these rules need tables of more than {CHAIN_ROWS:,} rows"
                )
            tables.append(Constraint(_table(variables, rows, self.domains), self.origin))
        return tables

    def _totals(
        self, steps: Sequence[Weights], low: int | None, high: int | None
    ) -> list[set[int]]:
        """Return the totals at each position that occur in some sum within the bounds."""
        reach = [{0}]
        for step in steps:
            self.check()
            reach.append({total + weight for total in reach[-1] for weight in set(step.values())})
            if len(reach[-1]) > CHAIN_TOTALS:
                raise Unsupported(f"{self.origin}: a sum with more than {CHAIN_TOTALS} totals")
        reach[-1] = {
            t for t in reach[-1] if (low is None or t >= low) and (high is None or t <= high)
        }
        for place in range(len(steps) - 1, -1, -1):
            self.check()
            weights = set(steps[place].values())
            reach[place] = {
                t for t in reach[place] if any(t + weight in reach[place + 1] for weight in weights)
            }
        return reach

    def _state(self, totals: Domain) -> Variable:
        state = Variable(f"(count {self.number + len(self.added) + 1})")
        self.added.append(state)
        self.domains[state] = totals
        return state


def _table(
    variables: tuple[Variable, ...],
    rows: Sequence[tuple[Value, ...]],
    domains: Mapping[Variable, Domain],
) -> Table:
    books = tuple(domains[variable] for variable in variables)
    codes = [{value: code for code, value in enumerate(book)} for book in books]
    coded = [[code[value] for code, value in zip(codes, row)] for row in rows]
    return Table(
        variables, np.array(coded, dtype=np.uint32).reshape(len(rows), len(variables)), books
    )


def row_automaton(rows: NDArray[np.int64]) -> tuple[list[Move], int]:
    """Return the smallest automaton for rows of a table: its moves, and the state in which it
    starts.

    It accepts in state 0. It is for backends that are slow at large tables. Words of one length
    share their beginnings and ends: 53,000 words of nine letters are 481,000 entries of a table and
    85,000 moves.

    `rows` has a row of numbers for each line of the table, at least one line and one column. States
    with the same ends are one state, so that no smaller automaton accepts the same rows (Revuz,
    "Minimisation of acyclic deterministic automata in linear time", 1992).
    """
    rows = np.unique(rows, axis=0)
    # fresh[i, k]: row i + 1 does not share its first k + 1 numbers with row i
    fresh = np.logical_or.accumulate(rows[1:] != rows[:-1], axis=1)
    numbers: dict[bytes, int] = {}
    moves: list[Move] = []

    def state_of(steps: NDArray[np.int64]) -> int:
        key = steps.tobytes()
        if key not in numbers:
            numbers[key] = len(numbers) + 1
            moves.extend((numbers[key], value, after) for value, after in steps.tolist())
        return numbers[key]

    begins = np.arange(len(rows))  # the first row of each beginning that is as long as `depth`
    states = np.full(len(rows), ACCEPTING)
    for depth in reversed(range(rows.shape[1])):
        steps = np.stack([rows[begins, depth], states], axis=1)
        parents = (
            np.flatnonzero(np.r_[True, fresh[:, depth - 1]])
            if depth
            else np.zeros(1, dtype=np.int64)
        )
        cuts = [*np.searchsorted(begins, parents).tolist(), len(begins)]
        states = np.array([state_of(steps[start:end]) for start, end in pairwise(cuts)])
        begins = parents
    return moves, int(states[0])
