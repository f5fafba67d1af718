"""Automata, cardinalities and sums as chains of small tables; large tables as automata."""

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
    Constraint,
    Domain,
    Linear,
    Model,
    Origin,
    Table,
    Term,
    Value,
    Variable,
)
from puzzlekit.presolve import readings

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
        condition = constraint.condition
        if isinstance(condition, Automaton):
            check()
            tables = _chain(condition, domains)
            constraints += [replace(constraint, condition=table) for table in tables]
        else:
            constraints.append(constraint)
    auxiliary = model.auxiliary | (domains.keys() - model.domains.keys())
    return replace(model, domains=domains, constraints=tuple(constraints), auxiliary=auxiliary)


def _chain(automaton: Automaton, domains: dict[Variable, Domain]) -> Iterator[Table]:
    """Yield the tables, and add the new variables to the domains."""
    choices = [_choices(term, domains) for term in automaton.terms]
    last = len(automaton.terms) - 1
    before: Variable | None = None
    for index, moves in enumerate(readings(automaton, choices)):
        states = tuple(dict.fromkeys(move[2] for move in moves))
        after: Variable | None = None
        if len(states) > 1 and index < last:
            after = Variable(f"(state {len(domains) + 1})")
            domains[after] = states
        variables = []
        columns = []
        for position, term in enumerate((before, automaton.terms[index], after)):
            if isinstance(term, Variable):
                domain = domains[term]
                variables.append(term)
                columns.append([domain.index(move[position]) for move in moves])
        if columns:
            rows = np.array(sorted({*zip(*columns)}), dtype=np.uint32)
            dictionaries = tuple(domains[variable] for variable in variables)
            yield Table(tuple(variables), rows.reshape(-1, len(variables)), dictionaries)
        before = after


def _choices(term: Term, domains: Mapping[Variable, Domain]) -> Domain:
    """Return the values that a term of an automaton may have."""
    return domains[term] if isinstance(term, Variable) else (term.value({}),)


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
        condition = constraint.condition
        if not isinstance(condition, Cardinality | Linear) or _is_choice(condition):
            constraints.append(constraint)
            continue
        weights = _weights(condition, domains)
        chain = _Chain(domains, constraint.origin, len(added), rows, check)
        constraints += chain.tables(list(weights.items()), condition.low, condition.high)
        added += chain.added
        rows = chain.rows
    return replace(
        model,
        domains=domains,
        constraints=tuple(constraints),
        auxiliary=model.auxiliary | frozenset(added),
    )


def _is_choice(condition: Cardinality | Linear) -> bool:
    """Return whether this is a cardinality for exactly one or at most one of distinct literals."""
    if not isinstance(condition, Cardinality):
        return False
    if condition.high != 1 or condition.low > 1:
        return False
    return len(set(condition.literals)) == len(condition.literals)


def _weights(
    condition: Cardinality | Linear, domains: Mapping[Variable, Domain]
) -> dict[Variable, dict[Value, int]]:
    """Return for each variable the summand of each of its values."""
    weights: dict[Variable, dict[Value, int]] = {}
    if isinstance(condition, Cardinality):
        for variable, value in condition.literals:
            of_value = weights.setdefault(variable, {})
            of_value[value] = of_value.get(value, 0) + 1
    else:
        for weight, variable in condition.weighted:
            of_value = weights.setdefault(variable, {})
            for value in domains[variable]:
                of_value[value] = of_value.get(value, 0) + weight * int(value)
    return weights


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
        self, weighted: Sequence[tuple[Variable, Weights]], low: int | None, high: int | None
    ) -> list[Constraint]:
        """Return tables that hold if and only if the weights sum to `low` … `high`."""
        steps = []
        for variable, weights in weighted:
            domain = self.domains[variable]
            steps.append({value: weights.get(value, 0) for value in domain})
        reach = self._totals(steps, low, high)
        states: list[Variable | None] = [None]
        states += [self._state(totals) for totals in reach[1:-1]]
        states.append(None)
        tables = []
        for index, (variable, _) in enumerate(weighted):
            scope = states[index], variable, states[index + 1]
            following = reach[index + 1]
            rows = []
            for total in sorted(reach[index]):
                self.check()
                for value, weight in steps[index].items():
                    if total + weight in following:
                        rows.append((total, value, total + weight))
            self.rows += len(rows)
            if self.rows > CHAIN_ROWS:
                raise Unsupported(
                    f"{self.origin}: the sums of these rules need tables "
                    f"of more than {CHAIN_ROWS:,} rows"
                )
            tables.append(Constraint(_table(scope, rows, self.domains), self.origin))
        return tables

    def _totals(
        self, steps: Sequence[Weights], low: int | None, high: int | None
    ) -> list[set[int]]:
        """Return the totals at each position that occur in some sum within the bounds."""
        weights = [set(step.values()) for step in steps]
        reach = [{0}]
        for summands in weights:
            self.check()
            reach.append({total + weight for total in reach[-1] for weight in summands})
            if len(reach[-1]) > CHAIN_TOTALS:
                raise Unsupported(f"{self.origin}: a sum with more than {CHAIN_TOTALS} totals")
        last = reach[-1]
        if low is not None:
            last = {total for total in last if total >= low}
        if high is not None:
            last = {total for total in last if total <= high}
        reach[-1] = last
        for index in range(len(steps) - 1, -1, -1):
            self.check()
            following = reach[index + 1]
            summands = weights[index]
            reach[index] = {
                total
                for total in reach[index]
                if any(total + weight in following for weight in summands)
            }
        return reach

    def _state(self, totals: set[int]) -> Variable:
        number = self.number + len(self.added) + 1
        state = Variable(f"(count {number})")
        self.added.append(state)
        self.domains[state] = tuple(sorted(totals))
        return state


def _table(
    scope: Sequence[Variable | None],
    rows: Sequence[tuple[Value, ...]],
    domains: Mapping[Variable, Domain],
) -> Table:
    """Return the table of those columns of the rows that have a variable."""
    variables = []
    columns = []
    for position, variable in enumerate(scope):
        if variable is not None:
            code_of = {value: code for code, value in enumerate(domains[variable])}
            variables.append(variable)
            columns.append([code_of[row[position]] for row in rows])
    coded = np.array(columns, dtype=np.uint32).reshape(len(variables), len(rows)).T
    dictionaries = tuple(domains[variable] for variable in variables)
    return Table(tuple(variables), np.ascontiguousarray(coded), dictionaries)


def row_automaton(rows: NDArray[np.int64]) -> tuple[list[Move], int]:
    """Return the smallest automaton for rows of a table: its moves, and the state where it starts.

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
        parents = np.zeros(1, dtype=np.int64)
        if depth:
            parents = np.flatnonzero(np.r_[True, fresh[:, depth - 1]])
        cuts = [*np.searchsorted(begins, parents).tolist(), len(begins)]
        states = np.array([state_of(steps[start:end]) for start, end in pairwise(cuts)])
        begins = parents
    return moves, int(states[0])
