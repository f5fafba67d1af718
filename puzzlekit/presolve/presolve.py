"""Shrink a model before search: filter domains, cut tables, evaluate functions.

Conditions on one variable filter its domain. Tables are cut by masks over whole columns. Whatever a
rule computes from the variables of one table becomes columns of that table. All of this repeats
until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable

from puzzlekit.model import Constraint, Model, Table, variables_of
from puzzlekit.presolve.derived_columns import evaluate_functions
from puzzlekit.presolve.normalise import normalise
from puzzlekit.presolve.optional_tables import lift_optional_tables
from puzzlekit.presolve.propagators import AllDifferentPropagator, CardinalityPropagator, Rows
from puzzlekit.presolve.safening import require_values
from puzzlekit.presolve.state import PresolveState, residual
from puzzlekit.presolve.structure_propagators import ConnectivityPropagator, bound_sizes
from puzzlekit.presolve.table_cuts import cut_by_counts, cut_by_difference, cut_by_pairs
from puzzlekit.presolve.wholes import name_components


def no_clock() -> None:
    """Never stop."""


def presolve(model: Model, check: Callable[[], None] = no_clock) -> Model:
    """Return a smaller model with the same solutions; `check` is called often and may raise.

    Needs:  any model.
    Leaves: domains in which every value passes every one-variable condition; no `Apply`; tables
            over at least two variables that are not fixed, with rows that fit the domains; terms
            that have a value for all values that the constraints allow; no constraint that always
            holds; structures over variables, or over literals and constants. The variables are the
            same objects, with auxiliary ones added, so a solution needs no lift.
    Raises: Contradiction if a domain becomes empty (the model has no solution); Unsupported for a
            function of too many combinations.
    """
    model = normalise(name_components(require_values(model)))
    state = PresolveState(model, check)
    later: list[Constraint] = []
    # one-variable constraints first: they make everything else smaller
    for constraint in model.constraints:
        state.domains.origin = constraint.origin
        if len(variables_of(constraint.condition)) == 1 and not isinstance(constraint.condition, Table):
            state.filter(constraint)
        else:
            later.append(constraint)
    for constraint in later:
        check()
        state.domains.origin = constraint.origin
        state.post(constraint)
    lift_optional_tables(state)
    bound_sizes(state.propagators(ConnectivityPropagator), state.propagators(CardinalityPropagator))
    state.domains.settle()
    cut_by_difference(state.domains, state.tables, state.propagators(AllDifferentPropagator))
    state.domains.settle()
    evaluate_functions(state)
    lift_optional_tables(state)
    state.domains.settle()
    before = -1
    while before != (before := _size(state)):
        cut_by_counts(state.domains, state.tables, state.propagators(CardinalityPropagator))
        cut_by_pairs(state.domains, state.tables, [rows for rows, _ in state.truths if isinstance(rows, Rows)])
        state.domains.settle()
        unpropagated, state.unpropagated = state.unpropagated, []
        for constraint in unpropagated:
            state.post(constraint)
        lift_optional_tables(state)
        state.domains.settle()
    return residual(state)


def _size(state: PresolveState) -> int:
    return sum(map(len, state.tables)) + sum(mask.bit_count() for mask in state.domains.live.values())
