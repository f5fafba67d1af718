"""Shrink a model before search: filter domains, cut tables, evaluate functions.

Conditions on one variable filter its domain. Tables are cut by masks over whole columns. Whatever a
rule computes from the variables of one table becomes columns of that table. All of this repeats
until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable

from puzzlekit.model import Constraint, Model, Table, variables_of
from puzzlekit.presolve.derived_columns import work_out
from puzzlekit.presolve.normalise import normalise
from puzzlekit.presolve.optional_tables import lift_optional_tables
from puzzlekit.presolve.propagators import Counted, Different, Rows
from puzzlekit.presolve.safening import require_values
from puzzlekit.presolve.state import Work, residual
from puzzlekit.presolve.structure_propagators import Joined, bound_sizes
from puzzlekit.presolve.table_cuts import cut_by_counts, cut_by_difference, cut_by_pairs


def no_clock() -> None:
    """Never stop."""


def presolve(model: Model, check: Callable[[], None] = no_clock) -> Model:
    """Return a smaller model with the same solutions. `check` is called regularly and may raise to
    stop.

    Needs:  any model.
    Leaves: domains in which every value passes every one-variable condition; no `Apply`; tables
            over at least two variables that are not fixed, with rows that fit the domains; terms
            that have a value for all values that the constraints allow; no constraint that always
            holds; structures over variables, or over literals and constants. The variables are the
            same objects, with auxiliary ones added, so a solution needs no lift.
    Raises: Contradiction if a domain becomes empty (the model has no solution); Unsupported for a
            function of too many combinations.
    """
    model = normalise(require_values(model))
    work = Work(model, check)
    later: list[Constraint] = []
    # one-variable constraints first: they make everything else smaller
    for constraint in model.constraints:
        work.domains.origin = constraint.origin
        if len(variables_of(constraint.condition)) == 1 and not isinstance(constraint.condition, Table):
            work.filter(constraint)
        else:
            later.append(constraint)
    for constraint in later:
        check()
        work.domains.origin = constraint.origin
        work.take(constraint)
    lift_optional_tables(work)
    bound_sizes(work.propagators(Joined), work.propagators(Counted))
    work.domains.settle()
    cut_by_difference(work.domains, work.tables, work.propagators(Different))
    work.domains.settle()
    work_out(work)
    lift_optional_tables(work)
    work.domains.settle()
    before = -1
    while before != (before := _size(work)):
        cut_by_counts(work.domains, work.tables, work.propagators(Counted))
        cut_by_pairs(work.domains, work.tables, [rows for rows, _ in work.truths if isinstance(rows, Rows)])
        work.domains.settle()
        loose, work.loose = work.loose, []
        for constraint in loose:
            work.take(constraint)
        lift_optional_tables(work)
        work.domains.settle()
    return residual(work)


def _size(work: Work) -> int:
    return sum(map(len, work.tables)) + sum(mask.bit_count() for mask in work.domains.live.values())
