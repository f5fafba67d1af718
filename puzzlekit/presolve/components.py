"""Split a model into independent components; its solutions are the product of theirs.

Bayardo and Pehoushek, "Counting models using connected components" (2000), split at each node of a
search; here a model is split once, after presolve.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from itertools import chain

import numpy as np

from puzzlekit.clock import checked
from puzzlekit.dataclass import dataclass
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
    atoms = linear_form(model.goal.term)[0] if model.goal else {}
    conditions = [constraint.condition for constraint in model.constraints]
    terms = [*conditions, *atoms]
    counts = [term for term in terms if isinstance(term, Cardinality)]
    scopes = {term: variables_of(term) for term in terms if not isinstance(term, Cardinality)}
    group_of, number = _connected(undecided, counts, scopes.values())
    if not fixed and number == 1 and all(map(has_variables, conditions)):
        only = _Component(dict.fromkeys(model.domains), [*model.constraints])
        only.goal = [(weight, atom) for atom, weight in atoms.items()]
        return fixed, (only.model(model),)

    components: dict[int, _Component] = {}  # by the identity of the list of their variables
    for variable in undecided:
        component = components.setdefault(id(group_of[variable]), _Component())
        component.variables[variable] = None

    def component_of(scope: Sequence[Variable]) -> _Component | None:
        for variable in scope:
            if variable in group_of:
                return components[id(group_of[variable])]
        return None

    for constraint in checked(model.constraints):
        condition = constraint.condition
        scope = scopes[condition] if condition in scopes else variables_of(condition)
        if (home := component_of(scope)) is not None:
            home.constraints.append(constraint)
            home.variables.update(dict.fromkeys(scope))
    for atom, weight in atoms.items():
        scope = scopes[atom] if atom in scopes else variables_of(atom)
        if (home := component_of(scope)) is not None:
            home.goal.append((weight, atom))
            home.variables.update(dict.fromkeys(scope))
    return fixed, tuple(component.model(model) for component in components.values())


def _connected(
    undecided: Sequence[Variable],
    counts: Sequence[Cardinality],
    scopes: Iterable[tuple[Variable, ...]],
) -> tuple[dict[Variable, list[Variable]], int]:
    """Join the undecided variables of each term.

    Args:
        undecided: The undecided variables.
        counts: The terms that count literals.
        scopes: The variables of each other term.

    Returns:
        For each undecided variable the list of those joined with it, which they share; and the
        number of these lists.
    """
    group_of = {variable: [variable] for variable in undecided}
    number = len(undecided)
    widest_first = sorted(scopes, key=len, reverse=True)
    longest_first = sorted(counts, key=lambda count: len(count.literals), reverse=True)
    for scope in checked(chain(widest_first, map(variables_of, longest_first))):
        if number == 1:  # mostly after the widest scopes
            break
        groups = {id(group): group for group in map(group_of.get, scope) if group is not None}
        if len(groups) > 1:
            largest, *smaller = sorted(groups.values(), key=len, reverse=True)
            for group in smaller:
                largest += group
                group_of.update(dict.fromkeys(group, largest))
            number -= len(smaller)
    return group_of, number


@dataclass
class _Component:
    variables: dict[Variable, None] = field(default_factory=dict)
    constraints: list[Constraint] = field(default_factory=list)
    goal: list[tuple[int, Term]] = field(default_factory=list)

    def model(self, complete: Model) -> Model:
        """Return the component as a model, split off the complete one."""
        domains = {variable: complete.domains[variable] for variable in self.variables}
        goal = None
        if complete.goal and self.goal:
            total = Sum(tuple(self.goal))
            goal = Objective(complete.goal.name, total, complete.goal.maximise)
        constraints = tuple(self.constraints)
        if goal is not None and not constraints:
            constraints = (Constraint(And(()), Origin(f"goal {goal.name}")),)
        return Model(domains, constraints, goal, complete.auxiliary & domains.keys())


def determined(model: Model) -> bool:
    """Return whether the visible variables determine every auxiliary one, so no solution repeats.

    An auxiliary variable is determined if it equals a term of determined variables, or if no two
    rows of some table agree in all determined columns. The test is incomplete: False means only
    that it did not succeed.
    """
    visible = set(model.domains) - model.auxiliary
    fixed = {variable for variable, domain in model.domains.items() if len(domain) == 1}
    unique = visible | fixed  # the variables that are known to be determined
    conditions = [constraint.condition for constraint in model.constraints]
    before = -1
    while before != len(unique) and len(unique) < len(model.domains):
        before = len(unique)
        for condition in conditions:
            match condition:
                case Table():
                    _add_columns(condition, unique)
                case RegionSizes():
                    links = condition.terms[: len(condition.links)]
                    if unique.issuperset(variables_of(*links)):
                        unique.update(variables_of(condition))
                case Comparison("==", left, right):
                    _add_side(left, right, unique)
                    _add_side(right, left, unique)
                case _:
                    pass
    return len(unique) == len(model.domains)


def _add_columns(table: Table, unique: set[Variable]) -> None:
    """Add all variables of the table if the columns of the unique ones distinguish its rows."""
    columns = [position for position, term in enumerate(table.terms) if term in unique]
    if len(columns) == len(table.terms):
        return
    distinct = np.unique(table.rows[:, columns], axis=0)
    if len(distinct) == len(table.rows):
        unique.update(variables_of(table))


def _add_side(side: Term, opposite: Term, unique: set[Variable]) -> None:
    """Add a variable that equals a term of unique variables."""
    if isinstance(side, Variable) and unique.issuperset(variables_of(opposite)):
        unique.add(side)
