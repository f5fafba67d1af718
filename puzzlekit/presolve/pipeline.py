"""Shrink a model before search: filter domains, propagate, evaluate functions.

Conditions on one variable filter its domain. Whatever a rule computes from the variables of one
table becomes columns of that table. `REWRITES` and `STEPS` list what is done, in order; `residual`
makes a model of what is left, and `presolve_report` counts what was taken away. The lower levels do
less, so that backends can be compared on what they do themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from puzzlekit.clock import BLOCK, check, checked, checked_blocks
from puzzlekit.dataclass import dataclass
from puzzlekit.model import (
    AllDifferent,
    Cardinality,
    Comparison,
    Component,
    Constraint,
    Domain,
    Linear,
    Model,
    Not,
    Or,
    Origin,
    Table,
    Term,
    Variable,
    classes_in,
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

POSTED_BY_PATTERN = frozenset({Comparison, Not, Or})  # conditions


def presolve(
    model: Model, check: Callable[[], None] = no_clock, level: Presolve = Presolve.FULL
) -> Model:
    """Return a smaller model with the same solutions; `check` is called often and may raise.

    `none` only rewrites what lowering does not take: partial terms, components of tuples, functions
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
    store = presolved_state(model, check, level)
    return rewritten(store) if level is Presolve.NONE else residual(store)


def presolved_state(model: Model, check: Callable[[], None], level: Presolve) -> PresolveStore:
    """Return the store at the end of `presolve`. Raises whatever that raises."""
    store = PresolveStore(conjuncts(model), check, propagates=level is not Presolve.NONE)
    levels = [*Presolve]
    for least, step in STEPS:
        if levels.index(least) <= levels.index(level):
            step(store)
    return store


def conjuncts(model: Model) -> Model:
    """Return the model with its conditions rewritten one by one: no value is removed, and each
    keeps its origin.

    Leaves: terms that have a value wherever the constraints hold; no component of a tuple; no
            conjunctions; sums and counts as `Linear` and `Cardinality`.
    """
    # first, so that the next rewrites need not inspect the most frequent conditions
    model = count_truths(model)
    terms = [
        constraint.condition
        for constraint in model.constraints
        if not isinstance(constraint.condition, Cardinality)
    ]
    if model.goal:
        terms.append(model.goal.term)
    classes = set[type[Term]]()
    for start in range(0, len(terms), BLOCK):
        check()
        classes |= classes_in(terms[start : start + BLOCK])
    for rewrite, rewritten_classes in REWRITES:
        if rewritten_classes is None or classes & rewritten_classes:
            model = rewrite(model)
    return model


def _post(store: PresolveStore) -> None:
    """Filter domains by conditions on one variable, which make everything else smaller; then post
    the others.
    """
    later: list[Constraint] = []
    for constraint in checked_blocks(store.model.constraints):
        if store.rests(constraint):
            continue
        store.domains.origin = constraint.origin
        if store.propagates and _filters(store, constraint.condition):
            store.filter(constraint)
        else:
            later.append(constraint)
    for constraint in later:
        store.domains.check()
        store.domains.origin = constraint.origin
        store.post(constraint)


def has_one_variable(condition: Term) -> bool:
    """Return whether the condition has one variable, and is no table."""
    if isinstance(condition, Table):
        return False
    if isinstance(condition, Cardinality):
        literals = condition.literals
        if literals[0][0] is not literals[-1][0]:
            return False  # a frequent case
    variables = variables_in(condition)
    first = next(variables, None)
    return first is not None and all(variable is first for variable in variables)


def _filters(store: PresolveStore, condition: Term) -> bool:
    """Return whether the condition has one variable; `post` uses the pattern that it reads."""
    if type(condition) in POSTED_BY_PATTERN:
        return len(store.pattern_of(condition).variables) == 1
    return has_one_variable(condition)


def post_again(store: PresolveStore) -> None:
    """Post conditions of too many combinations again, as long as that changes anything."""
    before = -1
    while store.unpropagated and before != (before := _size(store)):
        unpropagated, store.unpropagated = store.unpropagated, []
        for constraint in unpropagated:
            store.post(constraint)
        lift_optional_tables(store)
        store.propagate_to_fixpoint()


def _size(store: PresolveStore) -> int:
    """Return the number of rows and values that are left."""
    values = sum([mask.bit_count() for mask in store.domains.masks.values()])
    return values + sum(map(len, store.tables))


# What is rewritten in the model, in order, and the terms without which there is nothing to rewrite.
REWRITES: tuple[tuple[Callable[[Model], Model], frozenset[type[Term]] | None], ...] = (
    (require_values, PARTIAL),  # conditions say that each term has a value
    # sizes of regions, and faces inside a line, are unknowns
    (name_components, frozenset({Component})),
    (split_conditions, None),  # no condition is a conjunction; sums and counts have their classes
)
# What is done with the propagators, in order, and the least level that does it.
STEPS: tuple[tuple[Presolve, Callable[[PresolveStore], None]], ...] = (
    (Presolve.NONE, _post),  # each condition filters a domain, or gets a propagator, or waits
    (Presolve.NONE, lift_optional_tables),  # an `or` of tables becomes tables that hold
    (Presolve.LIGHT, bound_sizes),  # counts bound the sizes of connected flags
    (Presolve.LIGHT, PresolveStore.propagate_to_fixpoint),  # propagators run until nothing changes
    # tables lose the rows in which values that differ are equal
    (Presolve.FULL, cut_by_difference),
    (Presolve.FULL, PresolveStore.propagate_to_fixpoint),
    (Presolve.NONE, evaluate_functions),  # functions of unknowns become columns of tables
    (Presolve.NONE, lift_optional_tables),
    (Presolve.LIGHT, PresolveStore.propagate_to_fixpoint),
    (Presolve.FULL, post_again),  # conditions of too many combinations, while that changes anything
)
# where a report in JSON names an attribute otherwise
JSON_KEYS = {"remaining": "left", "rows_remaining": "rows_left"}


def residual(store: PresolveStore) -> Model:
    """Return the model over the live values, without the constraints that always hold."""
    values: Mapping[Variable, Domain] = store.domains.values
    if store.domains.changed:
        values = {variable: store.domains.live_values(variable) for variable in values}
    constraints = [*store.resting]
    for rows in store.tables:
        table = _table(rows, store.domains)
        if table is not None:
            constraints.append(Constraint(table, rows.origin or Origin("")))
    constraints += [constraint for rows, constraint in store.truths if not rows.full(store.domains)]
    for propagator, constraint in checked(store.propagated):
        if isinstance(propagator, CardinalityPropagator) and propagator.idle:
            constraints.append(constraint)
        else:
            constraints += _residual(propagator, constraint, store.domains)
    constraints += store.unpropagated
    auxiliary = store.auxiliary | frozenset(store.added)
    return Model(values, tuple(constraints), store.goal, auxiliary)


def rewritten(store: PresolveStore) -> Model:
    """Return the model with all constraints, where nothing was propagated.

    Values that no row of a function's table has are gone.
    """
    domains = {variable: store.domains.live_values(variable) for variable in store.domains.values}
    constraints = []
    for rows in store.tables:
        table = _fitting(rows, store.domains)
        constraints.append(Constraint(table, rows.origin or Origin("")))
    constraints += [_possible(constraint, domains) for _, constraint in store.propagated]
    constraints += store.unpropagated
    auxiliary = store.auxiliary | frozenset(store.added)
    return Model(domains, tuple(constraints), store.goal, auxiliary)


def _fitting(rows: Rows, domains: DomainStore) -> Table:
    """Return the table of the rows that fit the domains."""
    array = np.stack(rows.columns, axis=1)
    for position, variable in enumerate(rows.variables):
        codes = array[:, position]
        array = array[domains.alive(variable)[codes]]
    if not len(array):
        raise Inconsistent(rows.variables[0], rows.origin)
    dictionaries = tuple(domains.values[variable] for variable in rows.variables)
    return Table(tuple(rows.variables), array, dictionaries)


def _possible(constraint: Constraint, domains: Mapping[Variable, Domain]) -> Constraint:
    """Return a count without the literals that cannot hold; any other constraint as it is."""
    count = constraint.condition
    if not isinstance(count, Cardinality):
        return constraint
    literals = [literal for literal in count.literals if literal[1] in domains[literal[0]]]
    low = max(count.low, 0)
    high = min(count.high, len(literals))
    if low > high:
        raise Inconsistent(None, constraint.origin)
    return replace(constraint, condition=Cardinality(tuple(literals), low, high))


def _table(rows: Rows, domains: DomainStore) -> Table | None:
    """Return the table over its undecided variables; None if it always holds."""
    undecided = []
    for variable, column in zip(rows.variables, rows.columns):
        if not domains.fixed(variable):
            undecided.append((variable, column))
    if len(undecided) < 2 or rows.full(domains):
        return None
    array = np.stack([column for _, column in undecided], axis=1)
    variables = tuple(variable for variable, _ in undecided)
    return Table(variables, array, tuple(domains.values[variable] for variable in variables))


def _residual(
    propagator: Propagator, constraint: Constraint, domains: DomainStore
) -> Iterator[Constraint]:
    """Yield the constraint that remains on the variables that are not fixed."""
    match propagator:
        case AllDifferentPropagator():
            yield from _residual_of_difference(propagator, constraint, domains)
        case CardinalityPropagator():
            yield from _residual_of_count(propagator, constraint, domains)
        case LinearPropagator():
            yield from _residual_of_sum(propagator, constraint, domains)
        case _:
            variables = (term for term in propagator.watched if isinstance(term, Variable))
            if not all(map(domains.fixed, variables)):
                yield constraint


def _residual_of_difference(
    propagator: AllDifferentPropagator, constraint: Constraint, domains: DomainStore
) -> Iterator[Constraint]:
    undecided = [variable for variable in propagator.variables if not domains.fixed(variable)]
    values = {value for variable in checked(undecided) for value in domains.live_values(variable)}
    if sum(map(domains.size, undecided)) > len(values):  # some value is shared
        yield replace(constraint, condition=AllDifferent(tuple(undecided)))


def _residual_of_count(
    propagator: CardinalityPropagator, constraint: Constraint, domains: DomainStore
) -> Iterator[Constraint]:
    count = propagator.constraint
    true, undecided = propagator.last_state or propagator.state(domains)
    low = max(count.low - true, 0)
    high = count.high - true
    if low <= 0 and high >= len(undecided):
        return
    if len(undecided) == len(count.literals):
        yield constraint
        return
    literals = []
    for variable, bit in undecided:
        value = domains.values[variable][bit.bit_length() - 1]
        literals.append((variable, value))
    remaining = Cardinality(tuple(literals), low, min(high, len(literals)))
    yield replace(constraint, condition=remaining)


def _residual_of_sum(
    propagator: LinearPropagator, constraint: Constraint, domains: DomainStore
) -> Iterator[Constraint]:
    linear = propagator.constraint
    low, high = linear.low, linear.high
    spans = propagator.bounds(domains)
    least = sum([span[0] for span in spans])
    most = sum([span[1] for span in spans])
    meets_low = low is None or least >= low
    if meets_low and (high is None or most <= high):
        return  # it always holds
    weighted = []
    fixed = 0
    for (weight, variable), (small, _) in zip(linear.weighted, spans):
        if domains.fixed(variable):
            fixed += small
        else:
            weighted.append((weight, variable))
    low = None if low is None else low - fixed
    high = None if high is None else high - fixed
    yield replace(constraint, condition=Linear(tuple(weighted), low, high))


@dataclass(frozen=True)
class RuleReport:
    """The conditions of one rule: `conditions` is the sum of `hold`, `joined` and `remaining`.

    Attributes:
        rule: The rule, as the type states it.
        conditions: Its conditions before presolve.
        hold: Those that hold for all values that are left.
        joined: Those that became columns of a table, or cut its rows, for good.
        remaining: Those that a backend gets, as they were or smaller.
        rows: The rows of its tables before presolve.
        rows_remaining: The rows of its tables that a backend gets, those of its functions included.
    """

    rule: str
    conditions: int
    hold: int
    joined: int
    remaining: int
    rows: int
    rows_remaining: int


@dataclass(frozen=True)
class PresolveReport:
    """What presolve takes away.

    Attributes:
        level: The level of presolve.
        unknowns: The unknowns of the puzzle.
        fixed: Those with one value left.
        values: The values of all unknowns together.
        removed: Those that are gone.
        parts: The independent components that are left to search.
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

    def as_json(self) -> dict[str, Any]:
        """Return the report under its keys in JSON."""
        report = asdict(self)
        report["rules"] = [
            {JSON_KEYS.get(name, name): number for name, number in rule.items()}
            for rule in report["rules"]
        ]
        return report


def presolve_report(
    model: Model, level: Presolve, check: Callable[[], None] = no_clock
) -> PresolveReport:
    """Presolve a model, and report what that takes away. Raises what `presolve` raises."""
    values = sum(map(len, model.domains.values()))
    try:
        store = presolved_state(model, check, level)
        after = rewritten(store) if level is Presolve.NONE else residual(store)
    except Inconsistent as conflict:
        return PresolveReport(level, len(model.domains), 0, values, 0, 0, (), str(conflict))
    sizes = [len(after.domains[variable]) for variable in model.domains]
    components = 1
    if level is not Presolve.NONE:
        components = sum(bool(component.constraints) for component in split(after)[1])
    rules = dict.fromkeys(constraint.origin.rule for constraint in model.constraints)
    joined = {constraint.origin for constraint in store.joined}
    return PresolveReport(
        level,
        unknowns=len(sizes),
        fixed=sizes.count(1),
        values=values,
        removed=values - sum(sizes),
        parts=components,
        rules=tuple(_rule_report(rule, model, after, joined) for rule in rules),
    )


def _rule_report(rule: str, before: Model, after: Model, joined: set[Origin]) -> RuleReport:
    constraints = [each for each in before.constraints if each.origin.rule == rule]
    residual_constraints = [each for each in after.constraints if each.origin.rule == rule]
    origins = {constraint.origin for constraint in residual_constraints}
    remaining = sum(constraint.origin in origins for constraint in constraints)
    in_tables = sum(constraint.origin in joined - origins for constraint in constraints)
    return RuleReport(
        rule,
        conditions=len(constraints),
        hold=len(constraints) - remaining - in_tables,
        joined=in_tables,
        remaining=remaining,
        rows=_rows(constraints),
        rows_remaining=_rows(residual_constraints),
    )


def _rows(constraints: list[Constraint]) -> int:
    conditions = [constraint.condition for constraint in constraints]
    return sum(len(table.rows) for table in conditions if isinstance(table, Table))
