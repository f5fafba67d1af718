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


def evaluate_functions(state: PresolveStore) -> None:
    """Evaluate functions into tables, until none is left.

    Raises: Unsupported, with the rule, for a function of too many combinations; Inconsistent.
    """
    while state.opaque:
        constraints, state.opaque = state.opaque, []
        groups: dict[Rows, list[Constraint]] = {}
        for constraint in constraints:
            groups.setdefault(_home(state, constraint), []).append(constraint)
        for table, group in groups.items():
            state.domains.check()
            _join(state, table, group)
    if state.goal is not None:
        state.goal = _evaluated_goal(state, state.goal)


def _home(state: PresolveStore, constraint: Constraint) -> Rows:
    """Find or add a table that binds the variables of the condition, or of a function in it."""
    condition = constraint.condition
    side = _computed_side(condition)
    first = variables_of(next(calls(condition)))
    for scope in (variables_of(condition), *([variables_of(side[1])] if side else []), first):
        for table in state.tables:
            if set(scope) <= set(table.variables):
                return table
    return _new_table(state, first, constraint.origin)


def _new_table(state: PresolveStore, variables: Sequence[Variable], origin: Origin) -> Rows:
    most = FUNCTION_COMBINATIONS
    if state.combinations(variables) > most:
        raise Unsupported(
            f"{origin}: a function of unknowns with more than {most} combinations of values"
        )
    table = Rows(variables, state.grid(variables), origin)
    state.add_table(table)
    return table


def _join(state: PresolveStore, table: Rows, constraints: Sequence[Constraint]) -> None:
    """Cut the table by these constraints, or add columns for the terms that they compute."""
    bound = set(table.variables)
    sheet = state.sheet(table.variables, table.columns)
    kept = np.ones(len(table), dtype=bool)
    new: dict[Variable, Column] = {}
    for constraint in constraints:
        side = _computed_side(constraint.condition)
        if bound.issuperset(variables_of(constraint.condition)):
            kept &= sheet.holds(constraint.condition)
            state.joined.append(constraint)
        elif side and bound.issuperset(variables_of(side[1])):
            column = _codes(state, side[0], sheet.column(side[1]))
            kept &= (column >= 0) & ((new[side[0]] == column) if side[0] in new else True)
            new.setdefault(side[0], column)
            state.joined.append(constraint)
        else:
            names = _names(state, sheet, bound, constraint.condition, new)
            state.post(replace(constraint, condition=substitute(constraint.condition, names)))
    _extend(state, table, new)
    state.domains.origin = constraints[0].origin
    table.cut(kept, state.domains)
    state.domains.watch(table)


def _evaluated_goal(state: PresolveStore, goal: Objective) -> Objective:
    """Return the goal with variables in place of its functions."""
    while (call := next(calls(goal.term), None)) is not None:
        variables = variables_of(call)
        if not variables:
            goal = replace(goal, term=substitute(goal.term, {call: Constant(call.value({}))}))
            continue
        origin = Origin(f"goal {goal.name}")
        homes = (table for table in state.tables if set(variables) <= set(table.variables))
        table = next(homes, None)
        if table is None and (worst := _with_default(state, call, goal, origin)) is not None:
            goal = replace(goal, term=substitute(goal.term, {call: worst}))
            continue
        table = table or _new_table(state, variables, origin)
        new: dict[Variable, Column] = {}
        names = _names(
            state, state.sheet(table.variables, table.columns), set(table.variables), call, new
        )
        _extend(state, table, new)
        state.domains.watch(table)
        goal = replace(goal, term=substitute(goal.term, names))
    return goal


def _with_default(state: PresolveStore, call: Term, goal: Objective, origin: Origin) -> Term | None:
    """Replace a function that has a default value for all but a few arguments.

    Returns the default value, or a column of an optional table of the few. Returns None if the
    function has no default, or if the default is not the worst value for the goal. If it is the
    worst, a solution in which the table could hold but does not is never better than the true one.
    """
    if not isinstance(call, Apply) or call.function.few is None:
        return None
    weight = linear_form(goal.term)[0].get(call, 0)
    if not weight or (weight > 0) == goal.maximise:
        return None
    argument = call.arguments[0]
    every = argument if isinstance(argument, tuple) else (argument,)
    terms = [term for term in every if isinstance(term, Variable | Constant)]
    if len(terms) < len(every):
        return None
    table = shadows(state, terms, Table(every, *call.function.few(len(every))), origin)
    if isinstance(table, bool):
        return Constant(call.function.otherwise)
    variables = variables_of(call)
    holds = table.columns[0] < len(state.domains.values[table.variables[0]]) - 1
    if not holds.any():
        return Constant(call.function.otherwise)
    found = state.sheet(variables, [column[holds] for column in table.columns]).column(call)
    everywhere = np.full(len(table), call.function.otherwise, dtype=found.dtype)
    everywhere[holds] = found
    values, column = coded(everywhere)
    made = state.new_variable(tuple(values))
    _extend(state, table, {made: column})
    state.domains.watch(table)
    return made


def _names(
    state: PresolveStore,
    sheet: ColumnEvaluator,
    bound: set[Variable],
    term: Term,
    new: dict[Variable, Column],
) -> dict[Term, Term]:
    """Return new variables for the functions of bound variables; add their columns to `new`."""
    names: dict[Term, Term] = {}
    for call in calls(term):
        if call not in names and bound.issuperset(variables_of(call)):
            values, column = coded(sheet.column(call))
            variable = state.new_variable(tuple(values))
            new[variable] = column
            names[call] = variable
    return names


def _extend(state: PresolveStore, table: Rows, new: dict[Variable, Column]) -> None:
    table.variables.extend(new)
    table.columns.extend(np.maximum(column, 0).astype(np.uint32) for column in new.values())


def _codes(state: PresolveStore, variable: Variable, column: Column) -> Column:
    """Return the column as codes of the variable; −1 for values that it cannot take."""
    codes = state.domains.codes(variable)
    values, inverse = coded(column)
    return np.array([codes.get(value, -1) for value in values], dtype=np.int64)[inverse]


def _computed_side(condition: Term) -> tuple[Variable, Term] | None:
    """Return both sides if the condition is `variable == term`, in either order."""
    match condition:
        case Comparison("==", Variable() as variable, term) | Comparison(
            "==", term, Variable() as variable
        ):
            return variable, term
        case _:
            return None


AWAY = ()  # the value of a shadow variable where its table does not hold


def has_optional_tables(model: Model) -> bool:
    """Return whether the model has optional tables."""
    return any(AWAY in domain for domain in model.domains.values())


def lift_optional_tables(state: PresolveStore) -> None:
    """Replace each deferred choice by constraints in which no table is nested."""
    while state.choices:
        _post_choice(state, *state.choices.pop(0))


def _post_choice(state: PresolveStore, choice: Or, origin: Origin) -> None:
    """Rewrite one choice with shadow variables, one per variable of each table.

    Either the shadows form a row of the table and each equals its variable, or all of them are
    `AWAY` and another condition of the choice holds.
    """
    left = [part for part in choice.conditions if not _is_false(state, part)]
    if len(left) == 1:
        state.post(Constraint(left[0], origin))
        return
    parts = tuple(_holds(state, part, origin) if isinstance(part, Table) else part for part in left)
    state.post(Constraint(Or(parts), origin))


def _is_false(state: PresolveStore, part: Term) -> bool:
    """Return whether the condition is known to be false: its variables are fixed and violate it."""
    variables = variables_of(part)
    if not all(map(state.domains.fixed, variables)):
        return False
    return not part.value(
        {variable: state.domains.live_values(variable)[0] for variable in variables}
    )


def _holds(state: PresolveStore, table: Table, origin: Origin) -> Term:
    """Return a condition on one shadow that is true where the table holds."""
    terms = [term for term in table.terms if isinstance(term, Variable | Constant)]
    shadowed = shadows(state, terms, table, origin)
    if isinstance(shadowed, bool):
        return Constant(shadowed)
    return Comparison("!=", shadowed.variables[0], Constant(AWAY))


def shadows(
    state: PresolveStore, terms: Sequence[Variable | Constant], table: Table, origin: Origin
) -> Rows | bool:
    """Return the table over shadows of these terms; a bool if it always or never holds.

    A shadow has the values of its variable and `AWAY`; in the last row, all are `AWAY`. The same
    rows on the same terms are added only once.
    """
    key = (id(table.rows), *terms)
    if key not in state.shadows:
        columns, count = fitted(terms, table.rows, table.books, state.domains.codes)
        made = _shadows(state, columns, origin) if count and columns else bool(count)
        state.shadows[key] = table, made
    return state.shadows[key][1]


def _shadows(state: PresolveStore, columns: Mapping[Variable, Codes], origin: Origin) -> Rows:
    found: dict[Variable, Codes] = {}
    for variable, column in columns.items():
        values = state.domains.values[variable]
        shadow = state.new_variable((*values, AWAY))
        found[shadow] = np.append(column, np.uint32(len(values)))
        same = Or((Comparison("==", shadow, Constant(AWAY)), Comparison("==", shadow, variable)))
        state.post(Constraint(same, origin))
    rows = Rows(list(found), list(found.values()), origin)
    state.add_table(rows)
    return rows
