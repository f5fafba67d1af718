"""Shrink a model before search: filter domains, propagate, evaluate functions.

Conditions on one variable filter its domain. Whatever a rule computes from the variables of one
table becomes columns of that table. `REWRITES` and `STEPS` list what is done, in order; `residual`
makes a model of what is left, and `presolve_report` counts what was taken away. The lower levels do
less, so that backends can be compared on what they do themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from puzzlekit.clock import checked
from puzzlekit.model import (
    AllDifferent,
    Cardinality,
    Component,
    Constraint,
    Domain,
    Linear,
    Model,
    Origin,
    Table,
    Term,
    Variable,
    kinds_in,
    variables_in,
)
from puzzlekit.presolve.components import split
from puzzlekit.presolve.derived_tables import evaluate_functions, lift_optional_tables
from puzzlekit.presolve.domains import DomainStore, Inconsistent, Propagator, no_clock
from puzzlekit.presolve.normal_form import count_truths, split_conditions
from puzzlekit.presolve.propagators import (
    AllDifferentPropagator,
    CardinalityPropagator,
    LinearPropagator,
)
from puzzlekit.presolve.rewrites import PARTIAL, name_components, require_values
from puzzlekit.presolve.state import PresolveStore, bound_sizes, cut_by_difference
from puzzlekit.presolve.tables import Rows
from puzzlekit.query import Presolve


def presolve(
    model: Model, check: Callable[[], None] = no_clock, level: Presolve = Presolve.FULL
) -> Model:
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
    Raises: Inconsistent if a domain becomes empty (the model has no solution); Unsupported for a
            function of too many combinations.
    """
    state = presolved_state(model, check, level)
    return rewritten(state) if level is Presolve.NONE else residual(state)


def presolved_state(model: Model, check: Callable[[], None], level: Presolve) -> PresolveStore:
    """Return the state at the end of `presolve`. Raises whatever that raises."""
    state = PresolveStore(conjuncts(model), check, propagates=level is not Presolve.NONE)
    levels = [*Presolve]
    for least, step in STEPS:
        if levels.index(least) <= levels.index(level):
            step(state)
    return state


def conjuncts(model: Model) -> Model:
    """Return the model with its conditions rewritten one by one: no value is removed, and each
    keeps its origin.

    Leaves: terms that have a value wherever the constraints hold; no component of a whole; no
            conjunctions; sums and counts told from other conditions.
    """
    model = count_truths(
        model
    )  # first, so that the other rewrites need not look at the most frequent conditions
    conditions = [
        each.condition for each in model.constraints if not isinstance(each.condition, Cardinality)
    ]
    kinds = kinds_in([*conditions, *([model.goal.term] if model.goal else [])])
    for rewrite, terms in REWRITES:
        if terms is None or kinds & terms:
            model = rewrite(model)
    return model


def _post(state: PresolveStore) -> None:
    """Filter domains by conditions on one variable, which make everything else smaller; then post
    the others.
    """
    later: list[Constraint] = []
    for constraint in state.model.constraints:
        if state.rests(constraint):
            continue
        state.domains.origin = constraint.origin
        if state.propagates and has_one_variable(constraint.condition):
            state.filter(constraint)
        else:
            later.append(constraint)
    for constraint in later:
        state.domains.check()
        state.domains.origin = constraint.origin
        state.post(constraint)


def has_one_variable(condition: Term) -> bool:
    """Return whether the condition has one variable, and is no table."""
    if (
        isinstance(condition, Cardinality)
        and condition.literals[0][0] is not condition.literals[-1][0]
    ):
        return False  # a frequent case
    variables = variables_in(condition)
    first = next(variables, None)
    return (
        first is not None
        and not isinstance(condition, Table)
        and all(variable is first for variable in variables)
    )


def post_again(state: PresolveStore) -> None:
    """Post conditions of too many combinations again, as long as that changes anything."""
    before = -1
    while state.unpropagated and before != (before := _size(state)):
        unpropagated, state.unpropagated = state.unpropagated, []
        for constraint in unpropagated:
            state.post(constraint)
        lift_optional_tables(state)
        state.propagate_to_fixpoint()


def _size(state: PresolveStore) -> int:
    return sum(map(len, state.tables)) + sum(
        mask.bit_count() for mask in state.domains.masks.values()
    )


# What is rewritten in the model, in order, and the terms without which there is nothing to rewrite.
REWRITES: tuple[tuple[Callable[[Model], Model], frozenset[type[Term]] | None], ...] = (
    (require_values, PARTIAL),  # conditions say that each term has a value
    (
        name_components,
        frozenset({Component}),
    ),  # sizes of regions, and faces inside a line, are unknowns
    (split_conditions, None),  # no condition is a conjunction; sums and counts are told from others
)
# What is done with the propagators, in order, and the least level that does it.
STEPS: tuple[tuple[Presolve, Callable[[PresolveStore], None]], ...] = (
    (Presolve.NONE, _post),  # each condition filters a domain, or gets a propagator, or waits
    (Presolve.NONE, lift_optional_tables),  # an `or` of tables becomes tables that hold
    (Presolve.LIGHT, bound_sizes),  # counts bound the sizes of connected flags
    (Presolve.LIGHT, PresolveStore.propagate_to_fixpoint),  # propagators run until nothing changes
    (
        Presolve.FULL,
        cut_by_difference,
    ),  # tables lose the rows in which values that differ are equal
    (Presolve.FULL, PresolveStore.propagate_to_fixpoint),
    (Presolve.NONE, evaluate_functions),  # functions of unknowns become columns of tables
    (Presolve.NONE, lift_optional_tables),
    (Presolve.LIGHT, PresolveStore.propagate_to_fixpoint),
    (Presolve.FULL, post_again),  # conditions of too many combinations, while that changes anything
)


def residual(state: PresolveStore) -> Model:
    """Return the model over the live values, without the constraints that always hold."""
    values, changed = state.domains.values, state.domains.changed
    domains = (
        {variable: state.domains.live_values(variable) for variable in values}
        if changed
        else values
    )
    constraints = [*state.resting]
    constraints += [
        Constraint(table, rows.origin or Origin(""))
        for rows in state.tables
        for table in _table(rows, state.domains)
    ]
    constraints += [constraint for rows, constraint in state.truths if not rows.full(state.domains)]
    for propagator, known in checked(state.propagated):
        if isinstance(propagator, CardinalityPropagator) and propagator.idle:
            constraints.append(known)
        else:
            constraints += _residual(propagator, known, state.domains)
    constraints += state.unpropagated
    return Model(domains, tuple(constraints), state.goal, state.auxiliary | frozenset(state.added))


def rewritten(state: PresolveStore) -> Model:
    """Return the model with all constraints, where nothing was propagated.

    Values that no row of a function's table has are gone.
    """
    domains = {variable: state.domains.live_values(variable) for variable in state.domains.values}
    constraints = [
        Constraint(_fitting(rows, state.domains), rows.origin or Origin(""))
        for rows in state.tables
    ]
    constraints += [_possible(constraint, domains) for _, constraint in state.propagated]
    return Model(
        domains,
        (*constraints, *state.unpropagated),
        state.goal,
        state.auxiliary | frozenset(state.added),
    )


def _fitting(rows: Rows, domains: DomainStore) -> Table:
    """Return the table of the rows that fit the domains."""
    array = np.stack(rows.columns, axis=1)
    for place, variable in enumerate(rows.variables):
        array = array[domains.alive(variable)[array[:, place]]]
    if not len(array):
        raise Inconsistent(rows.variables[0], rows.origin)
    return Table(
        tuple(rows.variables), array, tuple(domains.values[variable] for variable in rows.variables)
    )


def _possible(constraint: Constraint, domains: Mapping[Variable, Domain]) -> Constraint:
    """Return a count without the literals that cannot hold; any other constraint as it is."""
    if not isinstance(constraint.condition, Cardinality):
        return constraint
    known = constraint.condition
    literals = tuple(
        (variable, value) for variable, value in known.literals if value in domains[variable]
    )
    low, high = max(known.low, 0), min(known.high, len(literals))
    if low > high:
        raise Inconsistent(None, constraint.origin)
    return replace(constraint, condition=Cardinality(literals, low, high))


def _table(rows: Rows, domains: DomainStore) -> Iterator[Table]:
    open_ = [i for i, variable in enumerate(rows.variables) if not domains.fixed(variable)]
    if len(open_) < 2 or rows.full(domains):
        return
    array = np.stack([rows.columns[i] for i in open_], axis=1)
    variables = tuple(rows.variables[i] for i in open_)
    yield Table(variables, array, tuple(domains.values[variable] for variable in variables))


def _residual(
    propagator: Propagator, constraint: Constraint, domains: DomainStore
) -> Iterator[Constraint]:
    """Yield the constraint that remains on the variables that are not fixed."""
    match propagator:
        case AllDifferentPropagator():
            left = [v for v in propagator.variables if not domains.fixed(v)]
            if sum(map(domains.size, left)) > len(
                {x for v in checked(left) for x in domains.live_values(v)}
            ):
                yield replace(constraint, condition=AllDifferent(tuple(left)))
        case CardinalityPropagator():
            yield from _residual_of_count(propagator, constraint, domains)
        case LinearPropagator():
            yield from _residual_of_sum(propagator, constraint, domains)
        case _:
            if not all(
                domains.fixed(watched)
                for watched in propagator.watched
                if isinstance(watched, Variable)
            ):
                yield constraint


def _residual_of_count(
    propagator: CardinalityPropagator, constraint: Constraint, domains: DomainStore
) -> Iterator[Constraint]:
    held, undecided = propagator.last_state or propagator.state(domains)
    low, high = max(propagator.constraint.low - held, 0), propagator.constraint.high - held
    if low <= 0 and high >= len(undecided):
        return
    if len(undecided) == len(propagator.constraint.literals):
        yield constraint
    else:
        literals = tuple(
            (variable, domains.values[variable][bit.bit_length() - 1])
            for variable, bit in undecided
        )
        yield replace(constraint, condition=Cardinality(literals, low, min(high, len(literals))))


def _residual_of_sum(
    propagator: LinearPropagator, constraint: Constraint, domains: DomainStore
) -> Iterator[Constraint]:
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


@dataclass(frozen=True)
class RuleReport:
    """The conditions of one rule: `conditions` is the sum of `hold`, `joined` and `left`.

    Attributes:
        rule: The rule, as the type states it.
        conditions: Its conditions before presolve.
        hold: Those that hold for all values that are left.
        joined: Those that became columns of a table, or cut its rows, for good.
        left: Those that a backend gets, as they were or smaller.
        rows: The rows of its tables before presolve.
        rows_left: The rows of its tables that a backend gets, those of its functions included.
    """

    rule: str
    conditions: int
    hold: int
    joined: int
    left: int
    rows: int
    rows_left: int


@dataclass(frozen=True)
class PresolveReport:
    """What presolve takes away.

    Attributes:
        level: The level of presolve.
        unknowns: The unknowns of the puzzle.
        fixed: Those with one value left.
        values: The values of all unknowns together.
        removed: Those that are gone.
        parts: The independent parts that are left to search.
        rules: The rules, in the order of the type.
        conflict: Why there is no solution, if presolve proves that; nothing else is counted then.
    """

    level: Presolve
    unknowns: int
    fixed: int
    values: int
    removed: int
    parts: int
    rules: tuple[RuleReport, ...]
    conflict: str = ""


def presolve_report(
    model: Model, level: Presolve, check: Callable[[], None] = no_clock
) -> PresolveReport:
    """Presolve a model, and report what that takes away. Raises what `presolve` raises otherwise."""
    values = sum(map(len, model.domains.values()))
    try:
        state = presolved_state(model, check, level)
        after = rewritten(state) if level is Presolve.NONE else residual(state)
    except Inconsistent as conflict:
        return PresolveReport(level, len(model.domains), 0, values, 0, 0, (), str(conflict))
    kept = [len(after.domains[variable]) for variable in model.domains]
    parts = 1 if level is Presolve.NONE else sum(bool(part.constraints) for part in split(after)[1])
    joined = {constraint.origin for constraint in state.joined}
    left = {constraint.origin for constraint in after.constraints}
    rules = []
    for rule in dict.fromkeys(constraint.origin.rule for constraint in model.constraints):
        mine = [constraint for constraint in model.constraints if constraint.origin.rule == rule]
        there = sum(constraint.origin in left for constraint in mine)
        inside = sum(constraint.origin in joined - left for constraint in mine)
        rest = [constraint for constraint in after.constraints if constraint.origin.rule == rule]
        rules.append(
            RuleReport(
                rule, len(mine), len(mine) - there - inside, inside, there, _rows(mine), _rows(rest)
            )
        )
    return PresolveReport(
        level, len(kept), kept.count(1), values, values - sum(kept), parts, tuple(rules)
    )


def _rows(constraints: list[Constraint]) -> int:
    return sum(
        len(constraint.condition.rows)
        for constraint in constraints
        if isinstance(constraint.condition, Table)
    )
