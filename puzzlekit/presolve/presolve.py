"""Shrink a model before search: filter domains, propagate, evaluate functions.

Conditions on one variable filter its domain. Whatever a rule computes from the variables of one
table becomes columns of that table. `REWRITES` and `STEPS`, at the end, list what is done, in order.
The lower levels do less, so that backends can be compared on what they do themselves.
"""

from __future__ import annotations

from collections.abc import Callable

from puzzlekit.model import Cardinality, Component, Constraint, Model, Table, Term, kinds_in, variables_in
from puzzlekit.presolve.derived_columns import evaluate_functions
from puzzlekit.presolve.domains import no_clock
from puzzlekit.presolve.named_components import name_components
from puzzlekit.presolve.normalise import count_truths, split_conditions
from puzzlekit.presolve.optional_tables import lift_optional_tables
from puzzlekit.presolve.residual import residual, rewritten
from puzzlekit.presolve.safening import PARTIAL, require_values
from puzzlekit.presolve.state import PresolveState, bound_sizes, cut_by_difference
from puzzlekit.query import Presolve


def presolve(model: Model, check: Callable[[], None] = no_clock, level: Presolve = Presolve.FULL) -> Model:
    """Return a smaller model with the same solutions; `check` is called often and may raise.

    `none` only rewrites what lowering does not take: partial terms, components of wholes, functions
    of unknowns, optional tables, and terms of structures that are no literals. No value is removed
    and no condition is dropped, but for rows of tables and comparisons that do not fit the domains.
    `light` also lets each condition on its own remove values, until nothing changes; fixed
    variables and conditions that always hold are dropped. `full` also cuts tables by
    all-different, and posts conditions of too many combinations again, once their variables have
    fewer values.

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
    model = count_truths(model)  # first, so that the other rewrites need not look at the most frequent conditions
    conditions = [each.condition for each in model.constraints if not isinstance(each.condition, Cardinality)]
    kinds = kinds_in([*conditions, *([model.goal.term] if model.goal else [])])
    for rewrite, terms in REWRITES:
        if terms is None or kinds & terms:
            model = rewrite(model)
    state = PresolveState(model, check, propagates=level is not Presolve.NONE)
    levels = [*Presolve]
    for least, step in STEPS:
        if levels.index(least) <= levels.index(level):
            step(state)
    return state


def _post(state: PresolveState) -> None:
    """Filter domains by conditions on one variable, which make everything else smaller; then post the others."""
    later: list[Constraint] = []
    for constraint in state.model.constraints:
        if state.rests(constraint):
            continue
        state.domains.origin = constraint.origin
        if state.propagates and _has_one_variable(constraint.condition):
            state.filter(constraint)
        else:
            later.append(constraint)
    for constraint in later:
        state.domains.check()
        state.domains.origin = constraint.origin
        state.post(constraint)


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


# What is rewritten in the model, in order, and the terms without which there is nothing to rewrite.
REWRITES: tuple[tuple[Callable[[Model], Model], frozenset[type[Term]] | None], ...] = (
    (require_values, PARTIAL),  # conditions say that each term has a value
    (name_components, frozenset({Component})),  # sizes of regions, and faces inside a line, are unknowns
    (split_conditions, None),  # no condition is a conjunction; sums and counts are told from others
)
# What is done with the propagators, in order, and the least level that does it.
STEPS: tuple[tuple[Presolve, Callable[[PresolveState], None]], ...] = (
    (Presolve.NONE, _post),  # each condition filters a domain, or gets a propagator, or waits
    (Presolve.NONE, lift_optional_tables),  # an `or` of tables becomes tables that hold
    (Presolve.LIGHT, bound_sizes),  # counts bound the sizes of connected flags
    (Presolve.LIGHT, PresolveState.settle),  # propagators run until nothing changes
    (Presolve.FULL, cut_by_difference),  # tables lose the rows in which values that differ are equal
    (Presolve.FULL, PresolveState.settle),
    (Presolve.NONE, evaluate_functions),  # functions of unknowns become columns of tables
    (Presolve.NONE, lift_optional_tables),
    (Presolve.LIGHT, PresolveState.settle),
    (Presolve.FULL, _post_again),  # conditions of too many combinations, while that changes anything
)
