"""Split a model into independent components; its solutions are the product of theirs.

Bayardo and Pehoushek, "Counting models using connected components" (2000), split at each node of a
search; here a model is split once, after presolve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from puzzlekit.clock import checked
from puzzlekit.model import (
    And,
    Cardinality,
    Comparison,
    Constraint,
    Model,
    Objective,
    Origin,
    RegionSizes,
    Sum,
    Table,
    Term,
    Value,
    Variable,
    has_variables,
    variables_of,
)
from puzzlekit.model.graphs import DisjointSets
from puzzlekit.presolve.normal_form import linear_form


def split(model: Model) -> tuple[dict[Variable, Value], tuple[Model, ...]]:
    """Return the values of the fixed variables, and the independent components.

    Needs:  a presolved model.
    Leaves: components that share no variable except fixed ones. A linear goal is the sum of the
            components' goals; any other goal keeps its variables in one component. A component
            without a constraint is one variable and has no goal: a component that has only a goal
            gets a constraint that always holds.
    """
    fixed = {variable: domain[0] for variable, domain in model.domains.items() if len(domain) == 1}
    undecided = [variable for variable in model.domains if variable not in fixed]
    groups, count = DisjointSets[Variable](), len(undecided)
    atoms = linear_form(model.goal.term)[0] if model.goal else {}
    conditions = [constraint.condition for constraint in model.constraints]
    scopes = [
        variables_of(term) for term in (*conditions, *atoms) if not isinstance(term, Cardinality)
    ]
    counts = [condition for condition in conditions if isinstance(condition, Cardinality)]
    counts.sort(key=lambda count: len(count.literals), reverse=True)
    for scope in checked(chain(sorted(scopes, key=len, reverse=True), map(variables_of, counts))):
        if count == 1:  # mostly after the widest scopes
            break
        linked = [variable for variable in scope if variable not in fixed]
        count -= sum(groups.join(linked[0], variable) for variable in linked[1:])

    if not fixed and count == 1 and all(map(has_variables, conditions)):
        goal = [(weight, atom) for atom, weight in atoms.items()]
        return fixed, (
            _Component(dict.fromkeys(model.domains), [*model.constraints], goal).model(model),
        )
    components: dict[Variable, _Component] = {}  # by the root of their variables
    for variable in undecided:
        components.setdefault(groups.root(variable), _Component()).variables[variable] = None

    def home(scope: Sequence[Variable]) -> _Component | None:
        return next(
            (components[groups.root(variable)] for variable in scope if variable not in fixed), None
        )

    for constraint in checked(model.constraints):
        scope = variables_of(constraint.condition)
        if (component := home(scope)) is not None:
            component.constraints.append(constraint)
            component.variables.update(dict.fromkeys(scope))
    for atom, weight in atoms.items():
        if (component := home(variables_of(atom))) is not None:
            component.goal.append((weight, atom))
            component.variables.update(dict.fromkeys(variables_of(atom)))
    return fixed, tuple(component.model(model) for component in components.values())


@dataclass
class _Component:
    variables: dict[Variable, None] = field(default_factory=dict)
    constraints: list[Constraint] = field(default_factory=list)
    goal: list[tuple[int, Term]] = field(default_factory=list)

    def model(self, whole: Model) -> Model:
        goal = (
            Objective(whole.goal.name, Sum(tuple(self.goal)), whole.goal.maximise)
            if whole.goal and self.goal
            else None
        )
        domains = {variable: whole.domains[variable] for variable in self.variables}
        constraints = tuple(self.constraints)
        if goal is not None and not constraints:
            constraints = (Constraint(And(()), Origin(f"goal {goal.name}")),)
        return Model(domains, constraints, goal, whole.auxiliary & domains.keys())


def determined(model: Model) -> bool:
    """Return whether the visible variables determine every auxiliary one, so no solution repeats.

    An auxiliary variable is determined if it equals a term of known variables, or if no two rows of
    some table agree in all known columns. The test is incomplete: False means only that it did not
    succeed.
    """
    known = {
        v for v, domain in model.domains.items() if len(domain) == 1 or v not in model.auxiliary
    }
    tables = [c.condition for c in model.constraints if isinstance(c.condition, Table)]
    equals = [c.condition for c in model.constraints if isinstance(c.condition, Comparison)]
    shapes = [c.condition for c in model.constraints if isinstance(c.condition, RegionSizes)]
    before = -1
    while before != (before := len(known)) and len(known) < len(model.domains):
        for table in tables:
            columns = [i for i, term in enumerate(table.terms) if term in known]
            if len(columns) < len(table.terms) and len(
                np.unique(table.rows[:, columns], axis=0)
            ) == len(table.rows):
                known.update(variables_of(table))
        for shape in shapes:
            if known.issuperset(variables_of(*shape.terms[: len(shape.links)])):
                known.update(variables_of(shape))
        for equal in equals:
            for one, other in ((equal.left, equal.right), (equal.right, equal.left)):
                if (
                    equal.operator == "=="
                    and isinstance(one, Variable)
                    and known.issuperset(variables_of(other))
                ):
                    known.add(one)
    return len(known) == len(model.domains)
