"""Turn what no table binds into tables: functions of unknowns, and tables that need not hold.

A function becomes columns of a table that binds its arguments. An `or` of a large table and another
condition becomes a table over shadows of its variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from puzzlekit.errors import Unsupported
from puzzlekit.model import (
    Apply,
    Comparison,
    Constant,
    Constraint,
    Model,
    Objective,
    Or,
    Origin,
    Table,
    Term,
    Variable,
    variables_of,
)
from puzzlekit.presolve.normal_form import linear_form, substitute
from puzzlekit.presolve.state import PresolveStore, calls
from puzzlekit.presolve.tables import Codes, Rows, fitted
from puzzlekit.presolve.vector_eval import Column, ColumnEvaluator, coded

FUNCTION_COMBINATIONS = 400_000  # of values for which a function of unknowns is evaluated


def evaluate_functions(store: PresolveStore) -> None:
    """Evaluate functions into tables, until none is left.

    Raises: Unsupported, with the rule, for a function of too many combinations; Inconsistent.
    """
    while store.opaque:
        constraints, store.opaque = store.opaque, []
        groups: dict[Rows, list[Constraint]] = {}
        for constraint in constraints:
            groups.setdefault(_table_for(store, constraint), []).append(constraint)
        for table, group in groups.items():
            store.domains.check()
            _join(store, table, group)
    if store.goal is not None:
        store.goal = _evaluated_goal(store, store.goal)


def _table_for(store: PresolveStore, constraint: Constraint) -> Rows:
    """Find or add a table that binds the variables of the condition, or of a function in it."""
    condition = constraint.condition
    computed = _computed_side(condition)
    of_call = variables_of(next(calls(condition)))
    scopes = [variables_of(condition)]
    if computed:
        scopes.append(variables_of(computed[1]))
    for scope in (*scopes, of_call):
        for table in store.tables:
            if set(scope) <= set(table.variables):
                return table
    return _new_table(store, of_call, constraint.origin)


def _new_table(store: PresolveStore, variables: Sequence[Variable], origin: Origin) -> Rows:
    most = FUNCTION_COMBINATIONS
    if store.combinations(variables) > most:
        raise Unsupported(
            f"{origin}: a function of unknowns with more than {most} combinations of values"
        )
    table = Rows(variables, store.grid(variables), origin)
    store.add_table(table)
    return table


def _join(store: PresolveStore, table: Rows, constraints: Sequence[Constraint]) -> None:
    """Cut the table by these constraints, or add columns for the terms that they compute."""
    bound = set(table.variables)
    evaluator = store.evaluator(table.variables, table.columns)
    retained = np.ones(len(table), dtype=bool)
    new: dict[Variable, Column] = {}
    for constraint in constraints:
        condition = constraint.condition
        computed = _computed_side(condition)
        if bound.issuperset(variables_of(condition)):
            retained &= evaluator.is_true(condition)
            store.joined.append(constraint)
        elif computed and bound.issuperset(variables_of(computed[1])):
            variable, term = computed
            column = _codes(store, variable, evaluator.column(term))
            retained &= column >= 0
            if variable in new:
                retained &= new[variable] == column
            new.setdefault(variable, column)
            store.joined.append(constraint)
        else:
            names = _names(store, evaluator, bound, condition, new)
            store.post(replace(constraint, condition=substitute(condition, names)))
    _extend(table, new)
    store.domains.origin = constraints[0].origin
    table.cut(retained, store.domains)
    store.domains.watch(table)


def _evaluated_goal(store: PresolveStore, goal: Objective) -> Objective:
    """Return the goal with variables in place of its functions."""
    while (call := next(calls(goal.term), None)) is not None:
        names = _call_names(store, call, goal)
        goal = replace(goal, term=substitute(goal.term, names))
    return goal


def _call_names(store: PresolveStore, call: Term, goal: Objective) -> dict[Term, Term]:
    """Return what replaces a function in the goal: a constant or a variable."""
    variables = variables_of(call)
    if not variables:
        return {call: Constant(call.value({}))}
    origin = Origin(f"goal {goal.name}")
    binding = (table for table in store.tables if set(variables) <= set(table.variables))
    table = next(binding, None)
    if table is None:
        replacement = _with_default(store, call, goal, origin)
        if replacement is not None:
            return {call: replacement}
        table = _new_table(store, variables, origin)
    new: dict[Variable, Column] = {}
    evaluator = store.evaluator(table.variables, table.columns)
    names = _names(store, evaluator, set(table.variables), call, new)
    _extend(table, new)
    store.domains.watch(table)
    return names


def _with_default(store: PresolveStore, call: Term, goal: Objective, origin: Origin) -> Term | None:
    """Replace a function that has a default value for all but a few arguments.

    Returns the default value, or a column of an optional table of the exceptions. Returns None if
    the function has no default, or if the default is not the worst value for the goal. If it is the
    worst, a solution in which the table could hold but does not is never better than the true one.
    """
    if not isinstance(call, Apply) or call.function.exceptions is None:
        return None
    weight = linear_form(goal.term)[0].get(call, 0)
    if not weight or (weight > 0) == goal.maximise:
        return None
    argument = call.arguments[0]
    operands = argument if isinstance(argument, tuple) else (argument,)
    terms = [term for term in operands if isinstance(term, Variable | Constant)]
    if len(terms) < len(operands):
        return None
    default = Constant(call.function.otherwise)
    exceptions = Table(operands, *call.function.exceptions(len(operands)))
    table = shadows(store, terms, exceptions, origin)
    if isinstance(table, bool):
        return default
    away = len(store.domains.values[table.variables[0]]) - 1  # the code of AWAY
    is_row = table.columns[0] < away
    if not is_row.any():
        return default
    evaluator = store.evaluator(variables_of(call), [column[is_row] for column in table.columns])
    column = evaluator.column(call)
    everywhere = np.full(len(table), call.function.otherwise, dtype=column.dtype)
    everywhere[is_row] = column
    values, codes = coded(everywhere)
    variable = store.new_variable(tuple(values))
    _extend(table, {variable: codes})
    store.domains.watch(table)
    return variable


def _names(
    store: PresolveStore,
    evaluator: ColumnEvaluator,
    bound: set[Variable],
    term: Term,
    new: dict[Variable, Column],
) -> dict[Term, Term]:
    """Return new variables for the functions of bound variables; add their columns to `new`."""
    names: dict[Term, Term] = {}
    for call in calls(term):
        if call not in names and bound.issuperset(variables_of(call)):
            values, column = coded(evaluator.column(call))
            variable = store.new_variable(tuple(values))
            new[variable] = column
            names[call] = variable
    return names


def _extend(table: Rows, new: dict[Variable, Column]) -> None:
    table.variables.extend(new)
    table.columns.extend(np.maximum(column, 0).astype(np.uint32) for column in new.values())


def _codes(store: PresolveStore, variable: Variable, column: Column) -> Column:
    """Return the column as codes of the variable; −1 for values that it cannot take."""
    codes = store.domains.codes(variable)
    values, inverse = coded(column)
    recoded = np.array([codes.get(value, -1) for value in values], dtype=np.int64)
    return recoded[inverse]


def _computed_side(condition: Term) -> tuple[Variable, Term] | None:
    """Return both sides if the condition is `variable == term`, in either order."""
    match condition:
        case Comparison("==", Variable() as variable, term):
            return variable, term
        case Comparison("==", term, Variable() as variable):
            return variable, term
        case _:
            return None


AWAY = ()  # the value of a shadow variable where its table does not hold


def has_optional_tables(model: Model) -> bool:
    """Return whether the model has optional tables."""
    return any(AWAY in domain for domain in model.domains.values())


def lift_optional_tables(store: PresolveStore) -> None:
    """Replace each deferred choice by constraints in which no table is nested."""
    while store.choices:
        _post_choice(store, *store.choices.pop(0))


def _post_choice(store: PresolveStore, choice: Or, origin: Origin) -> None:
    """Rewrite one choice with shadow variables, one per variable of each table.

    Either the shadows form a row of the table and each equals its variable, or all of them are
    `AWAY` and another condition of the choice holds.
    """
    conditions = [operand for operand in choice.conditions if not _is_false(store, operand)]
    if len(conditions) == 1:
        store.post(Constraint(conditions[0], origin))
        return
    lifted = []
    for condition in conditions:
        if isinstance(condition, Table):
            condition = _is_met(store, condition, origin)
        lifted.append(condition)
    store.post(Constraint(Or(tuple(lifted)), origin))


def _is_false(store: PresolveStore, condition: Term) -> bool:
    """Return whether all variables of the condition are fixed and violate it."""
    variables = variables_of(condition)
    if not all(map(store.domains.fixed, variables)):
        return False
    values = {variable: store.domains.live_values(variable)[0] for variable in variables}
    return not condition.value(values)


def _is_met(store: PresolveStore, table: Table, origin: Origin) -> Term:
    """Return a condition on one shadow that is true where the table holds."""
    terms = [term for term in table.terms if isinstance(term, Variable | Constant)]
    shadowed = shadows(store, terms, table, origin)
    if isinstance(shadowed, bool):
        return Constant(shadowed)
    return Comparison("!=", shadowed.variables[0], Constant(AWAY))


def shadows(
    store: PresolveStore, terms: Sequence[Variable | Constant], table: Table, origin: Origin
) -> Rows | bool:
    """Return the table over shadows of these terms; a bool if it always or never holds.

    A shadow has the values of its variable and `AWAY`; in the last row, all are `AWAY`. The same
    rows on the same terms are added only once.
    """
    key = (id(table.rows), *terms)
    if key not in store.shadows:
        columns, count = fitted(terms, table.rows, table.dictionaries, store.domains.codes)
        shadowed = _shadows(store, columns, origin) if count and columns else bool(count)
        store.shadows[key] = table, shadowed
    return store.shadows[key][1]


def _shadows(store: PresolveStore, columns: Mapping[Variable, Codes], origin: Origin) -> Rows:
    shadowed: dict[Variable, Codes] = {}
    for variable, column in columns.items():
        values = store.domains.values[variable]
        shadow = store.new_variable((*values, AWAY))
        shadowed[shadow] = np.append(column, np.uint32(len(values)))
        is_away = Comparison("==", shadow, Constant(AWAY))
        is_same = Comparison("==", shadow, variable)
        store.post(Constraint(Or((is_away, is_same)), origin))
    rows = Rows(list(shadowed), list(shadowed.values()), origin)
    store.add_table(rows)
    return rows
