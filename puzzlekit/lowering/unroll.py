"""Unroll automata, cardinalities and sums into chains of small tables over running states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from puzzlekit.errors import Unsupported
from puzzlekit.limits import limits
from puzzlekit.model import Automaton, Cardinality, Constant, Constraint, Domain, Linear, Model, Origin, Table, Value, Variable
from puzzlekit.presolve.structure_propagators import readings


def unroll(model: Model) -> Model:
    """Replace each automaton by tables (state, value, next state).

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
            constraints += (replace(constraint, condition=table) for table in _chain(constraint.condition, domains))
        else:
            constraints.append(constraint)
    added = domains.keys() - model.domains.keys()
    return replace(model, domains=domains, constraints=tuple(constraints), auxiliary=model.auxiliary | added)


def _chain(automaton: Automaton, domains: dict[Variable, Domain]) -> Iterator[Table]:
    """Yield the tables, and add the new variables to the domains."""
    choices = [
        (t.constant,) if isinstance(t, Constant) else domains[t] for t in automaton.terms if isinstance(t, Variable | Constant)
    ]
    before: Variable | None = None
    for number, (term, moves) in enumerate(zip(automaton.terms, readings(automaton, choices)), 1):
        states = tuple(dict.fromkeys(move[2] for move in moves))
        after = Variable(f"(state {len(domains) + 1})") if len(states) > 1 and number < len(automaton.terms) else None
        if after is not None:
            domains[after] = states
        sides = [(side, place) for place, side in enumerate((before, term, after)) if isinstance(side, Variable)]
        columns = [[domains[side].index(move[place]) for move in moves] for side, place in sides]
        if columns:
            rows = np.unique(np.array(columns, dtype=np.uint32).T, axis=0)
            yield Table(tuple(side for side, _ in sides), rows, tuple(domains[side] for side, _ in sides))
        before = after


Weights = Mapping[Value, int]


def count_with_tables(model: Model, check: Callable[[], None] = lambda: None) -> Model:
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
            case Cardinality(literals, low, high) if high != 1 or low > 1 or len(set(literals)) < len(literals):
                weights: dict[Variable, dict[Value, int]] = {}
                for variable, value in literals:
                    own = weights.setdefault(variable, {})
                    own[value] = own.get(value, 0) + 1
                chain = _Chain(domains, constraint.origin, len(added), rows, check)
                constraints += chain.tables(list(weights.items()), low, high)
                added += chain.added
                rows = chain.rows
            case Linear(weighted, lowest, highest):
                whole: dict[Variable, dict[Value, int]] = {}
                for weight, variable in weighted:
                    own = whole.setdefault(variable, dict.fromkeys(domains[variable], 0))
                    for value in own:
                        own[value] += weight * int(value)
                chain = _Chain(domains, constraint.origin, len(added), rows, check)
                constraints += chain.tables(list(whole.items()), lowest, highest)
                added += chain.added
                rows = chain.rows
            case _:
                constraints.append(constraint)
    return replace(model, domains=domains, constraints=tuple(constraints), auxiliary=model.auxiliary | frozenset(added))


class _Chain:
    """One counter: state i is the total of the first i variables."""

    def __init__(
        self, domains: dict[Variable, Domain], origin: Origin, number: int, rows: int, check: Callable[[], None]
    ) -> None:
        self.domains = domains
        self.origin = origin
        self.number = number
        self.rows = rows
        self.check = check
        self.added: list[Variable] = []

    def tables(self, items: Sequence[tuple[Variable, Weights]], low: int | None, high: int | None) -> list[Constraint]:
        """Return tables that hold if and only if the weights sum to `low` … `high`."""
        steps = [{value: weights.get(value, 0) for value in self.domains[variable]} for variable, weights in items]
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
                    tuple(part for part, kept in ((total, before), (value, True), (total + weight, after)) if kept is not None)
                    for value, weight in steps[place].items()
                    if total + weight in reach[place + 1]
                ]
            self.rows += len(rows)
            most = limits().lowering.chain_rows
            if self.rows > most:
                raise Unsupported(f"{self.origin}: the sums of these rules need tables of more than {most:,} rows")
            tables.append(Constraint(_table(variables, rows, self.domains), self.origin))
        return tables

    def _totals(self, steps: Sequence[Weights], low: int | None, high: int | None) -> list[set[int]]:
        """Return the totals at each position that occur in some sum within the bounds."""
        reach = [{0}]
        for step in steps:
            self.check()
            reach.append({total + weight for total in reach[-1] for weight in set(step.values())})
            most = limits().lowering.chain_totals
            if len(reach[-1]) > most:
                raise Unsupported(f"{self.origin}: a sum with more than {most} totals")
        reach[-1] = {t for t in reach[-1] if (low is None or t >= low) and (high is None or t <= high)}
        for place in range(len(steps) - 1, -1, -1):
            weights = set(steps[place].values())
            reach[place] = {t for t in reach[place] if any(t + weight in reach[place + 1] for weight in weights)}
        return reach

    def _state(self, totals: Domain) -> Variable:
        state = Variable(f"(count {self.number + len(self.added) + 1})")
        self.added.append(state)
        self.domains[state] = totals
        return state


def _table(variables: tuple[Variable, ...], rows: Sequence[tuple[Value, ...]], domains: Mapping[Variable, Domain]) -> Table:
    books = tuple(domains[variable] for variable in variables)
    codes = [{value: code for code, value in enumerate(book)} for book in books]
    coded = [[code[value] for code, value in zip(codes, row)] for row in rows]
    return Table(variables, np.array(coded, dtype=np.uint32).reshape(len(rows), len(variables)), books)
