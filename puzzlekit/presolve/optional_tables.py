"""Optional tables: `or` of a large table and another condition, rewritten into tables that hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from puzzlekit.model import Comparison, Constant, Constraint, Model, Or, Origin, Table, Term, Variable, variables_of
from puzzlekit.presolve.state import PresolveState
from puzzlekit.presolve.tables import Codes, Rows, fitted

AWAY = ()  # the value of a shadow variable where its table does not hold


def has_optional_tables(model: Model) -> bool:
    """Return whether the model has optional tables."""
    return any(AWAY in domain for domain in model.domains.values())


def lift_optional_tables(state: PresolveState) -> None:
    """Replace each deferred choice by constraints in which no table is nested."""
    while state.choices:
        _post_choice(state, *state.choices.pop(0))


def _post_choice(state: PresolveState, choice: Or, origin: Origin) -> None:
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


def _is_false(state: PresolveState, part: Term) -> bool:
    """Return whether the condition is known to be false: its variables are fixed and violate it."""
    variables = variables_of(part)
    if not all(map(state.domains.fixed, variables)):
        return False
    return not part.value({variable: state.domains.live_values(variable)[0] for variable in variables})


def _holds(state: PresolveState, table: Table, origin: Origin) -> Term:
    """Return a condition on one shadow that is true where the table holds."""
    terms = [term for term in table.terms if isinstance(term, Variable | Constant)]
    shadowed = shadows(state, terms, table, origin)
    if isinstance(shadowed, bool):
        return Constant(shadowed)
    return Comparison("!=", shadowed.variables[0], Constant(AWAY))


def shadows(state: PresolveState, terms: Sequence[Variable | Constant], table: Table, origin: Origin) -> Rows | bool:
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


def _shadows(state: PresolveState, columns: Mapping[Variable, Codes], origin: Origin) -> Rows:
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
