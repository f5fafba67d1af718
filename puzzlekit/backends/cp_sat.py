"""Constraint programming on a SAT solver, by ortools' CP-SAT."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import repeat
from queue import Empty, Full, Queue
from threading import Event
from typing import Any

from ortools.sat.python import cp_model

from puzzlekit.backends.base import Backend, Budget, goal_of
from puzzlekit.backends.cp_sat_terms import Translation
from puzzlekit.backends.statistics import Statistics
from puzzlekit.backends.watching import NativeCall
from puzzlekit.errors import BackendBug, Undecided
from puzzlekit.lowering import (
    PRESOLVED,
    Clause,
    Form,
    Shape,
    Supports,
    enumerate_with_restarts,
    violated_clauses,
)
from puzzlekit.model import (
    Acyclic,
    Automaton,
    Circuit,
    Connected,
    Model,
    RegionSizes,
    Term,
    Value,
    Values,
)
from puzzlekit.presolve import determined
from puzzlekit.query import Query, Task

SINGLE_SOLUTIONS = 8  # with a shape, found one by one before cp-sat lists all
SOLUTIONS_AHEAD = 100  # buffered by cp-sat
VAIN_SOLUTIONS = 64  # listed by cp-sat before it restarts with lazy cuts


class CpSat(Backend):
    """CP-SAT with one worker, so that its results depend on the model alone."""

    name = "cp-sat"
    about = "constraint programming on a SAT solver, by ortools' CP-SAT; every kind of rule"

    supports = Supports(
        forms=PRESOLVED - {Form.DEGREES},
        queries=frozenset({Task.ENUMERATE, Task.OPTIMISE}),
        distinct=True,
        lazy_cuts=True,
        product="CP-SAT's terms",
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
        if query.task is Task.OPTIMISE:
            return _improve(model, budget)
        return _solutions(model, budget)


def _solutions(model: Model, budget: Budget) -> Iterator[Values]:
    """Yield solutions: with shapes, a few are solved for one by one, the rest is enumerated.

    The enumeration mode presolves less, so it finds the first one late.
    """
    with budget.building():
        search = _CutLoop(model, budget)
    while len(search.yielded) < search.solved_singly:
        values = next(search.solutions(linearization_level=0), None)
        if values is None:
            return
        if search.is_new(values):
            yield values
        search.forbid()

    def listing() -> Iterator[Values]:
        return search.solutions(linearization_level=0, enumerate_all_solutions=True)

    yield from enumerate_with_restarts(
        listing, search.is_new, search.forbid, repeat(VAIN_SOLUTIONS)
    )


def _improve(model: Model, budget: Budget) -> Iterator[Values]:
    """Yield better and better solutions; if the last has a wrong shape, restart with cuts."""
    goal = goal_of(model)
    with budget.building():
        search = _CutLoop(model, budget)
    best: int | None = None
    is_complete = False
    while not is_complete:
        is_complete = True
        for values in search.solutions():
            is_complete = search.well_shaped(values)
            value = goal.term.value(values)
            if is_complete and (best is None or goal.better(value, best)):
                best = value
                yield values
        search.forbid()


class _CutLoop:
    """One model in CP-SAT's terms, and the cuts learnt so far; some shapes are only checked."""

    def __init__(self, model: Model, budget: Budget) -> None:
        checked = [constraint for constraint in model.constraints if _unknown(constraint.condition)]
        native = [constraint for constraint in model.constraints if constraint not in checked]
        conditions = [constraint.condition for constraint in checked]
        self.shapes = [condition for condition in conditions if isinstance(condition, Shape)]
        self.model = replace(model, constraints=tuple(native))
        self.budget = budget
        self.translation = Translation(self.model, budget.check)
        if model.goal is not None:
            problem = self.translation.problem
            optimise = problem.maximize if model.goal.maximise else problem.minimize
            optimise(self.translation.goal)
        self.visible = [
            variable for variable in model.visible() if len(model.domains[variable]) > 1
        ]
        self.solved_singly = SINGLE_SOLUTIONS if checked else 0
        # whether every result is sound and visible solutions never repeat; ortools 9.15 may repeat
        # those of automata on unknowns of more than two values, thousands of times
        has_automata = any(
            isinstance(constraint.condition, Automaton) for constraint in model.constraints
        )
        self.exact = not checked and not has_automata and determined(model)
        self.yielded: dict[tuple[Value, ...], None] = {}
        self._pending: list[Clause] = []  # clauses to add before the solver restarts

    def well_shaped(self, values: Values) -> bool:
        """Return whether the solution meets the shapes that are only checked; keep the cuts."""
        cuts = violated_clauses(self.model, self.shapes, values)
        self._pending += cuts
        if self.budget.statistics is not None:
            self.budget.statistics.add_efforts(cuts=len(cuts))
        return not cuts

    def is_new(self, values: Values) -> bool:
        """Return whether the solution is sound and new."""
        if self.exact and len(self.yielded) >= self.solved_singly:
            return True
        row = tuple(values[variable] for variable in self.visible)
        if row in self.yielded or not self.well_shaped(values):
            return False
        self.yielded[row] = None
        literals = zip(self.visible, row)
        self._pending.append(tuple((variable, value, False) for variable, value in literals))
        return True

    def forbid(self) -> None:
        """Forbid the solutions that were yielded and the shapes that were wrong."""
        for clause in self._pending:
            self.translation.add_clause(clause)
        self._pending = []

    def _note_bound(self, bound: float) -> None:
        """Note the value that no solution beats, whose fraction is an error of rounding."""
        self.budget.clock.goal_bound = round(bound)

    def solutions(self, **parameters: Any) -> Iterator[Values]:
        """Yield what the solver finds, as it finds it, from a thread that ends with the stream.

        Raises: Stopped if the budget is used up; Undecided if the solver gives up.
        """
        self.budget.step()
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.catch_sigint_signal = False
        if self.model.goal is not None:
            solver.best_bound_callback = self._note_bound
        for name, setting in parameters.items():
            setattr(solver.parameters, name, setting)
        reader = _Reader(self.translation)
        proto = self.translation.problem.proto
        self.budget.note_sizes(variables=len(proto.variables), constraints=len(proto.constraints))

        def solve() -> Any:
            try:
                return solver.solve(self.translation.problem, reader)
            finally:
                reader.put(None)

        def stop() -> None:
            reader.closed.set()
            solver.stop_search()

        task = NativeCall(solve)
        try:
            task.begin(stop)
            while (row := reader.next(self.budget, task)) is not None:
                self.budget.step()
                yield self.translation.values(row)
        finally:
            task.end(stop)
            if self.budget.statistics is not None:
                _note(solver, self.budget.statistics)
        status = task.result()
        if status == cp_model.MODEL_INVALID:
            raise BackendBug(f"it rejects its model: {self.translation.problem.validate()}")
        if status not in (cp_model.OPTIMAL, cp_model.INFEASIBLE):
            raise Undecided(f"cp-sat gives up: {solver.status_name(status)}")


def _note(solver: cp_model.CpSolver, statistics: Statistics) -> None:
    with suppress(RuntimeError):  # stopped before it began
        response = solver.response_proto
        propagations = response.num_binary_propagations + response.num_integer_propagations
        statistics.add_efforts(decisions=response.num_branches, conflicts=response.num_conflicts)
        statistics.add_efforts(restarts=response.num_restarts, propagations=propagations, cuts=0)


def _unknown(condition: Term) -> bool:
    """Return whether the solver cannot express this shape; its circuits do not allow loops."""
    if isinstance(condition, Circuit):
        return any(tail == head for tail, head in condition.edges)
    return isinstance(condition, Connected | Acyclic | RegionSizes)


class _Reader(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
    """Puts every solution into a queue, and waits while that is full."""

    def __init__(self, translation: Translation) -> None:
        super().__init__()
        self.translation = translation
        self.rows: Queue[Sequence[int] | None] = Queue(SOLUTIONS_AHEAD)
        self.closed = Event()

    def on_solution_callback(self) -> None:
        self.put(self.translation.read(self.value))

    def put(self, row: Sequence[int] | None) -> None:
        while not self.closed.is_set():
            try:
                self.rows.put(row, timeout=0.1)
                return
            except Full:
                continue

    def next(self, budget: Budget, task: NativeCall[Any]) -> Sequence[int] | None:
        """Return the next solution; None after the last."""
        while True:
            budget.check()
            task.require_begun()
            remaining = budget.remaining()
            timeout = 0.1 if remaining is None else min(0.1, remaining + 0.001)
            try:
                return self.rows.get(timeout=timeout)
            except Empty:
                continue
