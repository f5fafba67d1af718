"""Shrink a model before search: filter domains, propagate, evaluate functions.

Conditions on one variable filter its domain. Whatever a rule computes from the variables of one
table becomes columns of that table. All of this repeats until nothing changes. The lower levels do
less, so that backends can be compared on what they do themselves.
"""

from __future__ import annotations

from collections.abc import Callable

from puzzlekit.model import Cardinality, Component, Constraint, Model, Table, Term, kinds_in, variables_in
from puzzlekit.presolve.derived_columns import evaluate_functions
from puzzlekit.presolve.domains import no_clock
from puzzlekit.presolve.named_components import name_components
from puzzlekit.presolve.normalise import count_truths, split_conditions
from puzzlekit.presolve.optional_tables import lift_optional_tables
from puzzlekit.presolve.propagators import AllDifferentPropagator, cut_by_difference
from puzzlekit.presolve.residual import residual, rewritten
from puzzlekit.presolve.safening import PARTIAL, require_values
from puzzlekit.presolve.state import PresolveState
from puzzlekit.presolve.structure_propagators import ConnectivityPropagator, bound_sizes
from puzzlekit.query import Presolve


def presolve(model: Model, check: Callable[[], None] = no_clock, level: Presolve = Presolve.FULL) -> Model:
    """Return a smaller model with the same solutions; `check` is called often and may raise.

    `none` only rewrites what lowering does not take: partial terms, components of wholes, functions
    of unknowns, optional tables, and terms of structures that are no literals. No value is removed
    and no condition is dropped, but for rows of tables and comparisons that do not fit the domains.
    `light` also lets each condition on its own remove values, until nothing changes; fixed
    variables and conditions that always hold are dropped. `full` also cuts tables by all-different, and
    posts conditions of too many combinations again, once their variables have fewer values.

    Needs:  any model.
    Leaves: domains in which every value passes every one-variable condition; no `Apply`; tables
            over at least two variables that are not fixed, with rows that fit the domains; terms
            that have a value for all values that the constraints allow; no constraint that always
            holds; structures over variables, or over literals and constants. The variables are the
            same objects, with auxiliary ones added, so a solution needs no lift. At the level
            `none`, only: no `Apply`; such terms and such structures.
    Raises: Contradiction if a domain becomes empty (the model has no solution); Unsupported for a
            function of too many combinations.
    """
    state = presolved_state(model, check, level)
    return rewritten(state) if level is Presolve.NONE else residual(state)


def presolved_state(model: Model, check: Callable[[], None], level: Presolve) -> PresolveState:
    """Return the state at the end of `presolve`. Raises whatever that raises."""
    model = count_truths(model)  # which the passes below leave as they are
    conditions = [each.condition for each in model.constraints if not isinstance(each.condition, Cardinality)]
    kinds = kinds_in([*conditions, *([model.goal.term] if model.goal else [])])
    if kinds & PARTIAL:
        model = require_values(model)
    if Component in kinds:
        model = name_components(model)
    model = split_conditions(model)
    state = PresolveState(model, check, propagates=level is not Presolve.NONE)
    later: list[Constraint] = []
    # one-variable constraints first: they make everything else smaller
    for constraint in model.constraints:
        if state.rests(constraint):
            continue
        state.domains.origin = constraint.origin
        if state.propagates and _has_one_variable(constraint.condition):
            state.filter(constraint)
        else:
            later.append(constraint)
    for constraint in later:
        check()
        state.domains.origin = constraint.origin
        state.post(constraint)
    lift_optional_tables(state)
    if level is Presolve.NONE:
        evaluate_functions(state)
        lift_optional_tables(state)
        return state
    bound_sizes(state.propagators(ConnectivityPropagator), state.counts())
    state.settle()
    if level is Presolve.FULL:
        cut_by_difference(state.domains, state.tables, state.propagators(AllDifferentPropagator))
        state.settle()
    evaluate_functions(state)
    lift_optional_tables(state)
    state.settle()
    if level is Presolve.FULL:
        _post_again(state)
    return state


def _has_one_variable(condition: Term) -> bool:
    """Return whether the condition has one variable, and is no table."""
    if isinstance(condition, Cardinality) and condition.literals[0][0] is not condition.literals[-1][0]:
        return False  # a frequent case
    variables = variables_in(condition)
    first = next(variables, None)
    return first is not None and not isinstance(condition, Table) and all(variable is first for variable in variables)


def _post_again(state: PresolveState) -> None:
    """Post conditions of too many combinations again, as long as that changes anything."""
    before = -1
    while state.unpropagated and before != (before := _size(state)):
        unpropagated, state.unpropagated = state.unpropagated, []
        for constraint in unpropagated:
            state.post(constraint)
        lift_optional_tables(state)
        state.settle()


def _size(state: PresolveState) -> int:
    return sum(map(len, state.tables)) + sum(mask.bit_count() for mask in state.domains.live.values())
