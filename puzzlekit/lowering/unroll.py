"""Unroll automata into chains of tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from puzzlekit.model import Automaton, Constant, Constraint, Domain, Model, Table, Variable
from puzzlekit.presolve.structure_propagators import readings


def unroll(model: Model) -> Model:
    """Replace each automaton by tables (state, value, next state).

    Needs:  a presolved model.
    Leaves: no `Automaton`; the same visible solutions, each once: a new variable is auxiliary, and
            its value, a state, is a function of the values that were read.
    """
    if not any(isinstance(constraint.condition, Automaton) for constraint in model.constraints):
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
