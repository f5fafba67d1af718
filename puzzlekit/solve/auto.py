"""The backend that is best by measurement, chosen anew for each part from what it holds and what is asked of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from puzzlekit.backends.base import Budget, goal_of
from puzzlekit.errors import MissingExtra, Stopped, Unsupported
from puzzlekit.limits import limits
from puzzlekit.lowering.lazy_cuts import has_shapes
from puzzlekit.model import AllDifferent, Cardinality, Linear, Model, Table
from puzzlekit.presolve.optional_tables import has_optional_tables
from puzzlekit.query import Kind, Query
from puzzlekit.solve.solver import Solver, improving, solver

COVER = "a cover"
CODES = "a cover whose variables all differ"
CHOICES = "tables that need not hold"
SHAPES = "shapes"
SUMS = "sums and other conditions"
LONG = "sums of many values"

# What a part holds and what is asked: the backends in turn, each with the seconds that it may try (None: to the end). One that
# refuses is passed over. The times that say so are in docs/performance.md.
Plan = tuple[tuple[str, float | None], ...]
LIST: dict[str, Plan] = {
    COVER: (("exact-cover", None), ("sat", None), ("z3", None)),  # words, tiles, placements: no other comes near
    CODES: (("exact-cover", 2.0), ("sat", None), ("z3", None)),  # a text of many words under one key is lost on a cover
    CHOICES: (("csp", 10.0), ("sat", None), ("z3", None)),  # words that need not be in a lexicon
    SHAPES: (("sat", None), ("z3", None), ("exact-cover", None)),  # loops and connectedness belong to SAT with lazy cuts
    SUMS: (("sat", None), ("z3", None), ("exact-cover", None)),  # arithmetic and logic: quickest on most, slow on none
    LONG: (("csp", 5.0), ("asp", 5.0), ("cp-sat", 5.0), ("sat", None), ("z3", None)),  # bounds prune where clauses are many
}
IMPROVE: dict[str, Plan] = {**LIST, SUMS: (("exact-cover", 1.0), *LIST[SUMS])}  # bounding on a memo proves small ones at once
COUNT: dict[str, Plan] = {
    **LIST,
    SUMS: (("exact-cover", 1.0), ("sat", 10.0), ("exact-cover", None), *LIST[SUMS]),
}


def holds(part: Model) -> str:
    """What there is in a part: one of the keys of LIST."""
    if has_shapes(part):
        return SHAPES
    if has_optional_tables(part):
        return CHOICES
    conditions = [constraint.condition for constraint in part.constraints]
    if any(_span(condition, part) > limits().searching.sum_span for condition in conditions if isinstance(condition, Linear)):
        return LONG
    words = any(isinstance(condition, Table) for condition in conditions)
    for condition in conditions:
        match condition:
            case Table():
                continue
            case AllDifferent() if words:
                continue
            case Cardinality(_, low, high) if high < limits().searching.cover_literals or (low == high and words):
                continue
            case _:
                return SUMS
    return CODES if words and any(isinstance(condition, AllDifferent) for condition in conditions) else COVER


def _span(linear: Linear, part: Model) -> int:
    """The difference between the largest and the least that the sum can come to."""
    ranges = ((abs(weight), [int(value) for value in part.domains[variable]]) for weight, variable in linear.weighted)
    return sum(weight * (max(values) - min(values)) for weight, values in ranges)


class Auto(Solver):
    """Hands each part to the backend that is best for it. `name` reports the backends that were used."""

    def __init__(self, isolated: bool = False) -> None:
        self.isolated = isolated
        self.used: dict[str, None] = {}
        self.tried = LIST[COVER][0][0]

    @property
    def name(self) -> str:
        """The backends that were used; else the last that was tried, or the first of the table where none was needed."""
        return "+".join(self.used) or self.tried

    def ask(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        plans = {Kind.OPTIMISE: IMPROVE, Kind.COUNT: COUNT, Kind.SAMPLE: COUNT}.get(query.kind, LIST)
        plan = plans[holds(model)]
        if query.kind is Kind.OPTIMISE:  # the next backend begins anew even where one has found something
            return improving(goal_of(model), self._tried(plan, model, query, budget, again=True))
        return self._tried(plan, model, query, budget)

    def _tried(self, plan: Plan, model: Model, query: Query, budget: Budget, again: bool = False) -> Iterator[Any]:
        """What the first backend gives that neither refuses nor uses up its seconds.

        With `again`, the next backend begins anew even where one has given something.
        Raises: the first refusal, if all refuse; what stops the last backend.
        """
        refusal: Unsupported | None = None
        for name, seconds in plan:
            trial = budget if seconds is None else budget.until(seconds)
            given = False
            try:
                one = solver(name, self.isolated)
                self.tried = name
                for item in one.ask(model, query, trial):
                    given = True
                    trial.processor = budget.processor  # what has begun well goes on
                    self.used[name] = None
                    yield item
                self.used[name] = None
                return
            except MissingExtra:
                continue
            except Unsupported as reason:
                refusal = refusal or reason
                if given and not again:
                    raise
            except Stopped:
                budget.steps = trial.steps
                if trial is budget or (given and not again) or (trial.steps is not None and trial.steps < 0):
                    raise
                budget.check()
            finally:
                budget.steps = trial.steps
        assert refusal is not None, "the last backend of a plan goes to the end"
        raise refusal
