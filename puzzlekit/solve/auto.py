"""Choose the fastest backend by measurement, for each component from its contents and the query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from puzzlekit.backends import Budget, goal_of
from puzzlekit.errors import MissingExtra, Stopped, Undecided, Unsupported
from puzzlekit.lowering import has_shapes
from puzzlekit.model import (
    AllDifferent,
    And,
    Cardinality,
    Comparison,
    Connected,
    Constraint,
    Linear,
    Model,
    Not,
    Table,
    Term,
    Variable,
)
from puzzlekit.presolve import has_optional_tables
from puzzlekit.query import Query, Task
from puzzlekit.solve.solvers import Solver, SolverWrapper, improving, planned

REACHED_AREAS = 4  # of a component, from which `auto` takes a backend that knows reachability
SUM_SPAN = 5_000  # of a sum's values, beyond which `auto` takes it as long
COVER_LITERALS = 2  # at once, from which a cardinality does not fit a cover

# of unknowns in two rows that differ, from which such a rule is checked afterwards
FILTERED_PAIRS = 3
COVER = "a cover"
CODES = "a cover whose variables all differ"
CHOICES = "tables that need not hold"
SHAPES = "shapes"
AREAS = "several connected areas"
SUMS = "sums and other conditions"
LONG = "sums of many values"

# For each query and class of components: the backends in turn, each with the seconds of its trial
# (None: no limit). One that raises Unsupported, or is not installed, is skipped. A trial without a
# solution is over when its seconds are; so is one for a goal, whatever solutions it had.
# docs/performance.md and docs/suites.md have measurements.
Plan = tuple[tuple[str, float | None], ...]
# a search of covers for the number of all does not get lost
COVERS: Plan = (("exact-cover", None), ("sat", None), ("z3", None))
# arithmetic and logic
ANY: Plan = (("sat", None), ("z3", None), ("exact-cover", None))
_ENUMERATION: dict[str, Plan] = {
    # words, tiles, placements: no other is nearly as fast, but an exact cover ends at once or gets
    # lost
    COVER: (("exact-cover", 0.3), ("sat", 5.0), ("exact-cover", None), ("sat", None), ("z3", None)),
    # an exact cover gets lost in a text of many words under one key
    CODES: (("exact-cover", 2.0), ("sat", None), ("z3", None)),
    # words that need not be in a lexicon
    CHOICES: (("csp", 10.0), ("sat", None), ("z3", None)),
    # SAT with lazy cuts is fastest for loops and for one connected area
    SHAPES: (("sat", None), ("z3", None), ("exact-cover", None)),
    # each area needs its own cuts, and reachability none: regions on 8 by 8 cells take SAT over 10
    # s, ASP 0.8
    AREAS: (("asp", None), ("sat", None), ("z3", None), ("exact-cover", None)),
    # arithmetic and logic: SAT is fastest on most, but gets lost where numbers state an order
    SUMS: (("sat", 1.5), ("cp-sat", 10.0), *ANY),
    # bounds prune where clauses would be many
    LONG: (("csp", 5.0), ("asp", 5.0), ("cp-sat", 5.0), ("sat", None), ("z3", None)),
}
_COUNT: dict[str, Plan] = {
    **_ENUMERATION,
    COVER: COVERS,
    SUMS: (("exact-cover", 1.0), ("sat", 10.0), ("exact-cover", None), *ANY),
}
PLANS: dict[Task, dict[str, Plan]] = {
    Task.ENUMERATE: _ENUMERATION,
    Task.OPTIMISE: {
        **_ENUMERATION,
        # the memo of an exact cover proves most at once; an assignment of 20 needs CP-SAT
        COVER: (("exact-cover", 1.0), ("cp-sat", 10.0), ("sat", 2.0), *COVERS),
        AREAS: _ENUMERATION[SHAPES],
        # an exact cover is the fastest where it proves at once, as is SAT with its cores;
        # CP-SAT also improves what it has, but its library takes a quarter of a second to load
        SUMS: (
            ("exact-cover", 0.05),
            ("sat", 0.4),
            ("cp-sat", 10.0),
            ("exact-cover", 1.0),
            *ANY,
        ),
        SHAPES: (("sat", 1.0), ("cp-sat", 10.0), *ANY),
        # clauses for such sums are many, and bounds alone prove few goals
        LONG: (("csp", 0.3), ("cp-sat", 10.0), ("asp", 5.0), ("csp", 5.0), *ANY),
    },
    Task.COUNT: _COUNT,
    Task.SAMPLE: _COUNT,
}


def classify(component: Model) -> str:
    """Return the class of a component: one of the keys of its plans."""
    areas = [type(constraint.condition) for constraint in component.constraints].count(Connected)
    if areas >= REACHED_AREAS:
        return AREAS
    if has_shapes(component):
        return SHAPES
    if has_optional_tables(component):
        return CHOICES
    conditions = [constraint.condition for constraint in component.constraints]
    sums = [condition for condition in conditions if isinstance(condition, Linear)]
    if any(_span(linear, component) > SUM_SPAN for linear in sums):
        return LONG
    has_tables = any(isinstance(condition, Table) for condition in conditions)
    has_all_different = any(isinstance(condition, AllDifferent) for condition in conditions)
    if not all(_fits_cover(condition, has_tables) for condition in conditions):
        return SUMS
    return CODES if has_tables and has_all_different else COVER


def _fits_cover(condition: Term, has_tables: bool) -> bool:
    match condition:
        case Table():
            return True
        case AllDifferent():
            return has_tables
        case Cardinality(_, low, high):
            return high < COVER_LITERALS or (low == high and has_tables)
        case _:
            return False


def _span(linear: Linear, component: Model) -> int:
    """Return the difference between the largest and the least value of the sum."""
    span = 0
    for weight, variable in linear.weighted:
        values = [int(value) for value in component.domains[variable]]
        span += abs(weight) * (max(values) - min(values))
    return span


def enumeration_plan(component: Model) -> tuple[Plan, Plan]:
    """Return the backends that list the solutions of a component, in turn.

    The first plan is of backends that get the component without inequalities of rows.
    """
    component_class = classify(component)
    plan = PLANS[Task.ENUMERATE][component_class]
    if component_class == SUMS:
        relaxed = without_inequalities(component)
        is_relaxed = len(relaxed.constraints) < len(component.constraints)
        if is_relaxed and classify(relaxed) == COVER:
            return (("exact-cover", 2.0),), plan
    return (), plan


class Auto(Solver):
    """Passes each component to the fastest backend for it; `name` reports the backends used."""

    def __init__(self, isolated: bool = False) -> None:
        self.isolated = isolated
        self.used: dict[str, None] = {}
        self.tried = PLANS[Task.ENUMERATE][COVER][0][0]

    @property
    def name(self) -> str:
        """The backends that were used, else the last that was tried, else the table's first."""
        return "+".join(self.used) or self.tried

    def ask(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        if query.task is Task.ENUMERATE and query.bound is None:
            filtered, plan = enumeration_plan(model)
            return self._tried(plan, model, query, budget, filtered=filtered)
        plan = PLANS[query.task][classify(model)]
        if query.task is Task.OPTIMISE:
            # the next backend starts over even if one has found solutions
            solutions = self._tried(plan, model, query, budget, starts_over=True)
            return improving(goal_of(model), solutions)
        return self._tried(plan, model, query, budget)

    def _tried(
        self,
        plan: Plan,
        model: Model,
        query: Query,
        budget: Budget,
        starts_over: bool = False,
        filtered: Plan = (),
    ) -> Iterator[Any]:
        """Yield the answers of the first backend that supports the query within its time limit.

        With `starts_over`, the next backend starts over even if one has yielded solutions, which
        do not lift its limit, either. The plan `filtered` comes first and gets the model without
        its inequalities of rows.

        Raises: the first Unsupported, if all raise it; whatever stops the last backend.
        """
        unsupported: Unsupported | None = None
        for index, (name, seconds) in enumerate((*filtered, *plan)):
            trial = budget if seconds is None else budget.with_slice_of(seconds)
            has_answered = False
            try:
                backend = planned(name, self.isolated)
                if index < len(filtered):
                    backend = RelaxThenFilter(backend)
                self.tried = name
                for answer in backend.ask(model, query, trial):
                    if not has_answered and trial is not budget and not starts_over:
                        trial.lift_slice()  # a backend with answers is no trial any more
                    has_answered = True
                    self.used[name] = None
                    yield answer
                self.used[name] = None
                return
            except MissingExtra:
                self.recommended = self.recommended or name
            except Unsupported as reason:
                unsupported = unsupported or reason
                if has_answered and not starts_over:
                    raise
            except (Stopped, Undecided):
                is_final = trial is budget or (has_answered and not starts_over)
                has_no_steps = trial.steps is not None and trial.steps < 0
                if is_final or has_no_steps:
                    raise
                budget.check()
            finally:
                budget.steps = trial.steps
        assert unsupported is not None, "the last backend of a plan has no time limit"
        unsupported.everywhere = True
        raise unsupported


def solver(name: str, isolated: bool = False) -> Solver:
    """Return the solver with this name; `auto` chooses a backend for each component.

    Raises whatever `load_backend` raises.
    """
    return Auto(isolated) if name == "auto" else planned(name, isolated)


class RelaxThenFilter(SolverWrapper):
    """Lists a cover without its inequalities of rows, and drops the solutions that violate one.

    That two words differ is a condition on all their letters: an exact cover cannot express it, and
    clauses for it are many. But few solutions of the rest violate it.
    """

    def ask(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        inequalities = [
            constraint.condition
            for constraint in model.constraints
            if is_inequality(constraint, model)
        ]
        for values in self.solver.ask(without_inequalities(model), query, budget):
            if all(condition.value(values) for condition in inequalities):
                yield values


def without_inequalities(model: Model) -> Model:
    """Return the model without the inequalities of rows."""
    remaining = [
        constraint for constraint in model.constraints if not is_inequality(constraint, model)
    ]
    return replace(model, constraints=tuple(remaining))


def is_inequality(constraint: Constraint, model: Model) -> bool:
    """Return whether a constraint says that two rows of several visible variables differ."""
    condition = constraint.condition
    if not isinstance(condition, Not) or not isinstance(condition.condition, And):
        return False
    pairs = condition.condition.conditions
    return len(pairs) >= FILTERED_PAIRS and all(_is_pair(pair, model) for pair in pairs)


def _is_pair(term: object, model: Model) -> bool:
    if not isinstance(term, Comparison) or term.operator != "==":
        return False
    sides = (term.left, term.right)
    return all(isinstance(side, Variable) and side not in model.auxiliary for side in sides)
