"""What is left of a model: the constraints that presolve has not decided, over the live values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from puzzlekit.clock import checked
from puzzlekit.model import AllDifferent, Cardinality, Constraint, Domain, Linear, Model, Origin, Table, Variable
from puzzlekit.presolve.domains import Contradiction, Domains, Propagator
from puzzlekit.presolve.propagators import AllDifferentPropagator, CardinalityPropagator, LinearPropagator
from puzzlekit.presolve.state import PresolveState
from puzzlekit.presolve.tables import Rows


def residual(state: PresolveState) -> Model:
    """Return the model over the live values, without the constraints that always hold."""
    values, changed = state.domains.values, state.domains.changed
    domains = {variable: state.domains.live_values(variable) for variable in values} if changed else values
    constraints = [*state.resting]
    constraints += [
        Constraint(table, rows.origin or Origin("")) for rows in state.tables for table in _table(rows, state.domains)
    ]
    constraints += [constraint for rows, constraint in state.truths if not rows.full(state.domains)]
    for propagator, known in checked(state.propagated):
        if isinstance(propagator, CardinalityPropagator) and propagator.idle:
            constraints.append(known)
        else:
            constraints += _residual(propagator, known, state.domains)
    constraints += state.unpropagated
    return Model(domains, tuple(constraints), state.goal, state.auxiliary | frozenset(state.added))


def rewritten(state: PresolveState) -> Model:
    """Return the model with all constraints, where nothing was propagated.

    Values that no row of a function's table has are gone.
    """
    domains = {variable: state.domains.live_values(variable) for variable in state.domains.values}
    constraints = [Constraint(_fitting(rows, state.domains), rows.origin or Origin("")) for rows in state.tables]
    constraints += [_possible(constraint, domains) for _, constraint in state.propagated]
    return Model(domains, (*constraints, *state.unpropagated), state.goal, state.auxiliary | frozenset(state.added))


def _fitting(rows: Rows, domains: Domains) -> Table:
    """Return the table of the rows that fit the domains."""
    array = np.stack(rows.columns, axis=1)
    for place, variable in enumerate(rows.variables):
        array = array[domains.alive(variable)[array[:, place]]]
    if not len(array):
        raise Contradiction(rows.variables[0], rows.origin)
    return Table(tuple(rows.variables), array, tuple(domains.values[variable] for variable in rows.variables))


def _possible(constraint: Constraint, domains: Mapping[Variable, Domain]) -> Constraint:
    """Return a count without the literals that cannot hold; any other constraint as it is."""
    if not isinstance(constraint.condition, Cardinality):
        return constraint
    known = constraint.condition
    literals = tuple((variable, value) for variable, value in known.literals if value in domains[variable])
    low, high = max(known.low, 0), min(known.high, len(literals))
    if low > high:
        raise Contradiction(None, constraint.origin)
    return replace(constraint, condition=Cardinality(literals, low, high))


def _table(rows: Rows, domains: Domains) -> Iterator[Table]:
    open_ = [i for i, variable in enumerate(rows.variables) if not domains.fixed(variable)]
    if len(open_) < 2 or rows.full(domains):
        return
    array = np.stack([rows.columns[i] for i in open_], axis=1)
    variables = tuple(rows.variables[i] for i in open_)
    yield Table(variables, array, tuple(domains.values[variable] for variable in variables))


def _residual(propagator: Propagator, constraint: Constraint, domains: Domains) -> Iterator[Constraint]:
    """Yield the constraint that remains on the variables that are not fixed."""
    match propagator:
        case AllDifferentPropagator():
            left = [v for v in propagator.variables if not domains.fixed(v)]
            if sum(map(domains.size, left)) > len({x for v in checked(left) for x in domains.live_values(v)}):
                yield replace(constraint, condition=AllDifferent(tuple(left)))
        case CardinalityPropagator():
            yield from _residual_of_count(propagator, constraint, domains)
        case LinearPropagator():
            yield from _residual_of_sum(propagator, constraint, domains)
        case _:
            if not all(map(domains.fixed, propagator.watched)):
                yield constraint


def _residual_of_count(propagator: CardinalityPropagator, constraint: Constraint, domains: Domains) -> Iterator[Constraint]:
    held, undecided = propagator.settled or propagator.state(domains)
    low, high = max(propagator.constraint.low - held, 0), propagator.constraint.high - held
    if low <= 0 and high >= len(undecided):
        return
    if len(undecided) == len(propagator.constraint.literals):
        yield constraint
    else:
        literals = tuple((variable, domains.values[variable][bit.bit_length() - 1]) for variable, bit in undecided)
        yield replace(constraint, condition=Cardinality(literals, low, min(high, len(literals))))


def _residual_of_sum(propagator: LinearPropagator, constraint: Constraint, domains: Domains) -> Iterator[Constraint]:
    low, high = propagator.constraint.low, propagator.constraint.high
    spans = propagator.bounds(domains)
    most, least = sum(span[1] for span in spans), sum(span[0] for span in spans)
    if (low is None or least >= low) and (high is None or most <= high):
        return
    weighted = []
    for (weight, variable), (small, _) in zip(propagator.constraint.weighted, spans):
        if domains.fixed(variable):
            low = None if low is None else low - small
            high = None if high is None else high - small
        else:
            weighted.append((weight, variable))
    yield replace(constraint, condition=Linear(tuple(weighted), low, high))
