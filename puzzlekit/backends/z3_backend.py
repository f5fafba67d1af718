"""Satisfiability modulo theories, by z3-solver: supports every node of the model."""

from __future__ import annotations

import atexit
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import z3

from puzzlekit.backends.base import Backend, Budget, goal_of
from puzzlekit.backends.statistics import Statistics
from puzzlekit.backends.watching import watched
from puzzlekit.backends.z3_terms import Translation, disjunction
from puzzlekit.errors import PuzzlekitError, Undecided
from puzzlekit.lowering import PRESOLVED, Form, Supports, solve_with_cuts
from puzzlekit.model import Model, Objective, Value, Values, Variable
from puzzlekit.query import Query, Task


class Z3(Backend):
    """Satisfiability modulo theories, by z3-solver."""

    name = "z3"
    about = "satisfiability modulo theories by z3-solver; every kind of rule"

    supports = Supports(
        forms=PRESOLVED - {Form.AUTOMATON, Form.DEGREES},
        queries=frozenset({Task.ENUMERATE, Task.OPTIMISE}),
        distinct=True,
        lazy_cuts=True,
        product="Z3's terms",
        reports=frozenset(
            {
                "variables",
                "constraints",
                "decisions",
                "conflicts",
                "propagations",
                "restarts",
                "cuts",
            }
        ),
    )

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        answer = _improve if query.task is Task.OPTIMISE else _solutions
        return _in_thread(answer(model, budget), budget)


@atexit.register
def _leave_memory() -> None:
    """Leave the memory to the system at exit: Z3 once took ten minutes to free all terms."""
    z3.main_ctx().owner = False


def _in_thread(solutions: Generator[Values, None, None], budget: Budget) -> Iterator[Values]:
    """Yield the items of a generator that runs in another thread.

    Z3 loses a KeyboardInterrupt, which Python raises in the main thread only: during a call, ctypes
    reports it as an ArgumentError, and in the destructor of a term, Python drops it.
    """
    interrupt = z3.main_ctx().interrupt
    try:
        while (values := watched(lambda: _next(solutions), interrupt, budget)) is not None:
            yield values
    finally:
        watched(solutions.close, interrupt, Budget())


def _next(solutions: Iterator[Values]) -> Values | None:
    try:
        return next(solutions, None)
    except PuzzlekitError as error:
        # without its traceback, so that terms are freed here, not where the error is handled
        raise error.with_traceback(None) from None


def _solutions(model: Model, budget: Budget) -> Generator[Values, None, None]:
    with budget.building():
        translation = Translation(model, budget.check)
        solver = _solver(translation, budget)
    visible = [variable for variable in model.visible() if len(model.domains[variable]) > 1]

    @cache
    def differs(variable: Variable, value: Value) -> Any:
        return z3.Not(translation.literal(variable, value))

    while (values := _ask(solver, translation, budget)) is not None:
        yield values
        solver.add(disjunction([differs(variable, values[variable]) for variable in visible]))


def _improve(model: Model, budget: Budget) -> Generator[Values, None, None]:
    """Yield a solution, then the best one by Z3's optimiser; tighten integer goals stepwise."""
    objective = goal_of(model)
    with budget.building():
        translation = Translation(model, budget.check)
        linear = translation.weighted(objective.term)
    if linear is None:
        yield from _tightened(translation, objective, budget)
        return
    with budget.building():
        solver = _solver(translation, budget)
    first = _ask(solver, translation, budget)
    if first is None:
        return
    yield first
    with budget.building():
        weighted, _ = linear
        optimiser = _optimiser(translation, weighted, objective.maximise)
    best = _ask(optimiser, translation, budget)
    if best is None:
        return
    if objective.better(objective.term.value(best), objective.term.value(first)):
        yield best


def _optimiser(
    translation: Translation, weighted: Sequence[tuple[Any, int]], maximise: bool
) -> Any:
    optimiser = z3.Optimize()
    optimiser.set("maxsat_engine", "rc2")
    optimiser.set("ctrl_c", False)
    optimiser.add(*translation.assertions)
    for condition, weight in weighted:
        is_preferred = (weight > 0) == maximise
        soft = condition if is_preferred else z3.Not(condition)
        optimiser.add_soft(soft, abs(weight))
    return optimiser


def _tightened(translation: Translation, goal: Objective, budget: Budget) -> Iterator[Values]:
    """Repeatedly solve and require a better value."""
    with budget.building():
        term = translation.number(goal.term)
        solver = _solver(translation, budget)
    while (values := _ask(solver, translation, budget)) is not None:
        yield values
        reached = z3.IntVal(goal.term.value(values))
        solver.add(term > reached if goal.maximise else term < reached)


def _solver(translation: Translation, budget: Budget) -> Any:
    """Return Z3's solver for finite domains, or the general one if there are integers."""
    budget.note_sizes()
    solver = z3.Solver() if translation.integers else z3.SolverFor("QF_FD")
    solver.set("ctrl_c", False)
    solver.add(*translation.assertions)
    return solver


def _ask(solver: Any, translation: Translation, budget: Budget) -> Values | None:
    """Return a solution, or None if the solver proves that there is none (left). Applies lazy cuts.

    Raises: Stopped if the budget is used up; Undecided if the solver gives up.
    """

    def model() -> Values | None:
        budget.step()
        outcome = solver.check()
        if outcome == z3.unsat:
            return None
        if outcome == z3.unknown:
            budget.check()
            raise Undecided(f"z3 gives up: {solver.reason_unknown()}")
        assignment = solver.model()
        literals = translation.literals.items()
        return {variable: _value(assignment, choices) for variable, choices in literals}

    def add(cuts: list[Any]) -> None:
        solver.add(*cuts)
        translation.assertions += cuts
        if budget.statistics is not None:
            budget.statistics.add_efforts(cuts=len(cuts))

    if budget.statistics is None:
        return solve_with_cuts(model, translation.cuts, add)
    before = _reported(solver)
    try:
        return solve_with_cuts(model, translation.cuts, add)
    finally:
        _note(before, _reported(solver), len(translation.assertions), budget.statistics)


def _reported(solver: Any) -> dict[str, int]:
    """Return the counters of a solver since it was made, as far as it counts."""
    statistics = solver.statistics()
    counters = {}
    for key in statistics.keys():  # noqa: SIM118 (no mapping)
        counters[key.removeprefix("sat ")] = int(statistics.get_key_value(key))
    return counters


def _note(
    before: Mapping[str, int], after: Mapping[str, int], constraints: int, statistics: Statistics
) -> None:
    """Note what was counted between two queries; Z3 counts anew where it takes another solver."""
    variables = after.get("mk var", after.get("mk bool var", 0))
    statistics.raise_sizes(variables=variables, constraints=constraints)

    def since(*keys: str) -> int:
        total = 0
        for key in keys:
            old, new = before.get(key, 0), after.get(key, 0)
            total += new - old if new >= old else new
        return total

    propagations = since(
        "propagations", "binary propagations", "propagations 2ary", "propagations nary"
    )
    statistics.add_efforts(decisions=since("decisions"), conflicts=since("conflicts"))
    statistics.add_efforts(restarts=since("restarts"), cuts=0, propagations=propagations)


def _value(assignment: Any, choices: Mapping[Value, Any]) -> Value:
    """Return the value whose condition is true; conditions without a value are false."""
    if len(choices) == 2:
        first, second = choices
        return second if _is_true(assignment, choices[second]) else first
    if len(choices) == 1:
        return next(iter(choices))
    return next(value for value in choices if _is_true(assignment, choices[value]))


def _is_true(assignment: Any, literal: Any) -> bool:
    context = literal.ctx.ref()
    declaration = z3.Z3_get_app_decl(context, literal.as_ast())
    interpretation = z3.Z3_model_get_const_interp(context, assignment.model, declaration)
    if not interpretation:
        return False
    return bool(z3.Z3_get_bool_value(context, interpretation) == z3.Z3_L_TRUE)
