"""List a cover without its inequalities of rows, and drop the solutions that break one.

That two words differ is a condition on all their letters: no exact cover takes it, and clauses for
it are many. But few solutions of the rest break it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from puzzlekit.backends.base import Budget
from puzzlekit.limits import limits
from puzzlekit.model import And, Comparison, Constraint, Model, Not, Variable
from puzzlekit.query import Query
from puzzlekit.solve.solver import Delegating


class Filtered(Delegating):
    """Delegates enumerations without the inequalities of rows, and drops the solutions that break one."""

    def ask(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        inequalities = [constraint.condition for constraint in model.constraints if is_inequality(constraint, model)]
        for values in self.solver.ask(without_inequalities(model), query, budget):
            if all(condition.value(values) for condition in inequalities):
                yield values


def without_inequalities(model: Model) -> Model:
    """Return the model without the inequalities of rows."""
    return replace(model, constraints=tuple(c for c in model.constraints if not is_inequality(c, model)))


def is_inequality(constraint: Constraint, model: Model) -> bool:
    """Return whether a constraint says that two rows of several visible variables differ."""
    condition = constraint.condition
    if not isinstance(condition, Not) or not isinstance(condition.condition, And):
        return False
    pairs = condition.condition.conditions
    return len(pairs) >= limits().searching.filtered_pairs and all(_is_pair(pair, model) for pair in pairs)


def _is_pair(term: object, model: Model) -> bool:
    if not isinstance(term, Comparison) or term.operator != "==":
        return False
    return all(isinstance(side, Variable) and side not in model.auxiliary for side in (term.left, term.right))
