"""Tables that need not hold: `or` of a large table and something else, in tables that hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from puzzlekit.model import Comparison, Constant, Constraint, Model, Or, Origin, Table, Term, Variable, variables_of
from puzzlekit.presolve.propagators import Rows
from puzzlekit.presolve.state import Work
from puzzlekit.presolve.table_cuts import Codes, fitted

AWAY = ()  # the value of a shadow where its table does not hold


def has_optional_tables(model: Model) -> bool:
    """Whether there are tables that need not hold."""
    return any(AWAY in domain for domain in model.domains.values())


def lift_optional_tables(work: Work) -> None:
    """State the choices that were put aside, without a table inside another condition."""
    while work.choices:
        _take_choice(work, *work.choices.pop(0))


def _take_choice(work: Work, choice: Or, origin: Origin) -> None:
    """Each variable of a table gets a shadow. The shadows stand in a row of the table, and each equals its variable; or all of
    them are `AWAY`, and something else of the choice holds.
    """
    left = [part for part in choice.conditions if not _is_false(work, part)]
    if len(left) == 1:
        work.take(Constraint(left[0], origin))
        return
    parts = tuple(_held(work, part, origin) if isinstance(part, Table) else part for part in left)
    work.take(Constraint(Or(parts), origin))


def _is_false(work: Work, part: Term) -> bool:
    """Whether a condition on variables that are fixed does not hold."""
    variables = variables_of(part)
    if not all(map(work.domains.fixed, variables)):
        return False
    return not part.value({variable: work.domains.left(variable)[0] for variable in variables})


def _held(work: Work, table: Table, origin: Origin) -> Term:
    """A condition on one shadow that says that the table holds."""
    terms = [term for term in table.terms if isinstance(term, Variable | Constant)]
    shadowed = shadows(work, terms, table, origin)
    if isinstance(shadowed, bool):
        return Constant(shadowed)
    return Comparison("!=", shadowed.variables[0], Constant(AWAY))


def shadows(work: Work, terms: Sequence[Variable | Constant], table: Table, origin: Origin) -> Rows | bool:
    """The rows of a table, on shadows of these terms, that need not hold; a bool where it is known whether they do.

    A shadow has its variable's values and `AWAY`, the last row is all `AWAY`. The same rows of the same terms are stated once.
    """
    key = (id(table.rows), *terms)
    if key not in work.shadows:
        columns, count = fitted(terms, table.rows, table.books, work.domains.codes)
        made = _shadows(work, columns, origin) if count and columns else bool(count)
        work.shadows[key] = table, made
    return work.shadows[key][1]


def _shadows(work: Work, columns: Mapping[Variable, Codes], origin: Origin) -> Rows:
    found: dict[Variable, Codes] = {}
    for variable, column in columns.items():
        values = work.domains.values[variable]
        shadow = work.new_variable((*values, AWAY))
        found[shadow] = np.append(column, np.uint32(len(values)))
        same = Or((Comparison("==", shadow, Constant(AWAY)), Comparison("==", shadow, variable)))
        work.take(Constraint(same, origin))
    rows = Rows(list(found), list(found.values()), origin)
    work.add_table(rows)
    return rows
