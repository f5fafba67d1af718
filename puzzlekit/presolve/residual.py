"""What is left of a model when nothing in it can be narrowed any more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from puzzlekit.model import AllDifferent, Cardinality, Constraint, Linear, Model, Origin, Table
from puzzlekit.presolve.domains import Domains, Propagator
from puzzlekit.presolve.propagators import Counted, Different, Rows, Weighed
from puzzlekit.presolve.state import Work


def remains(work: Work) -> Model:
    """The model over the values that are live, without the constraints that always hold."""
    domains = {variable: work.domains.left(variable) for variable in work.domains.values}
    constraints = [Constraint(table, rows.origin or Origin("")) for rows in work.tables for table in _table(rows, work.domains)]
    constraints += [constraint for rows, constraint in work.truths if not rows.full(work.domains)]
    constraints += [rest for propagator, known in work.known for rest in _rest(propagator, known, work.domains)]
    constraints += work.loose
    return Model(domains, tuple(constraints), work.goal, work.auxiliary | frozenset(work.added))


def _table(rows: Rows, domains: Domains) -> Iterator[Table]:
    open_ = [i for i, variable in enumerate(rows.variables) if not domains.fixed(variable)]
    if len(open_) < 2 or rows.full(domains):
        return
    array = np.stack([rows.columns[i] for i in open_], axis=1)
    variables = tuple(rows.variables[i] for i in open_)
    yield Table(variables, array, tuple(domains.values[variable] for variable in variables))


def _rest(propagator: Propagator, constraint: Constraint, domains: Domains) -> Iterator[Constraint]:
    """What a constraint still asks of the variables that are not fixed."""
    match propagator:
        case Different():
            left = [v for v in propagator.variables if not domains.fixed(v)]
            if sum(map(domains.size, left)) > len({x for v in left for x in domains.left(v)}):
                yield replace(constraint, condition=AllDifferent(tuple(left)))
        case Counted():
            yield from _rest_of_count(propagator, constraint, domains)
        case Weighed():
            yield from _rest_of_sum(propagator, constraint, domains)
        case _:
            if not all(map(domains.fixed, propagator.watched)):
                yield constraint


def _rest_of_count(propagator: Counted, constraint: Constraint, domains: Domains) -> Iterator[Constraint]:
    held, undecided = propagator.state(domains)
    low, high = max(propagator.constraint.low - held, 0), propagator.constraint.high - held
    if low <= 0 and high >= len(undecided):
        return
    if len(undecided) == len(propagator.constraint.literals):
        yield constraint
    else:
        literals = tuple((variable, domains.values[variable][bit.bit_length() - 1]) for variable, bit in undecided)
        yield replace(constraint, condition=Cardinality(literals, low, min(high, len(literals))))


def _rest_of_sum(propagator: Weighed, constraint: Constraint, domains: Domains) -> Iterator[Constraint]:
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
