"""Solvers answer queries about one component: a planned backend, an isolated one, or `auto`."""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from random import Random
from typing import Any

from puzzlekit.backends import Backend, Budget, Statistics, bounded, goal_of, load_backend
from puzzlekit.clock import BUILDING
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import PuzzlekitError, Unsupported
from puzzlekit.lowering import Form, has_shapes, lower, with_lazy_cuts
from puzzlekit.model import (
    Comparison,
    Constant,
    Constraint,
    Model,
    Objective,
    Origin,
    Values,
    distinct_solutions,
)
from puzzlekit.presolve import determined
from puzzlekit.processes import peak_memory
from puzzlekit.query import ObjectiveBound, Query, Task

SOLUTIONS = Query()


class Solver(ABC):
    """Answers every query about a presolved model; `ask` is the only entry point.

    So no wrapper can miss a task.
    """

    # a backend that is not installed and could have been faster
    recommended = ""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the backend."""

    @abstractmethod
    def ask(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        """Answer a query of any task but `rank`, as `Backend.run` does, about any presolved model.

        The solutions of an enumeration differ in visible variables. With a bound, the model has the
        goal that it refers to. Raises whatever `Backend.run` raises.
        """


class SolverWrapper(Solver):
    """Passes queries on to another solver, and has its name."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver

    @property
    def name(self) -> str:
        return self.solver.name


class LoweredSolver(Solver):
    """A backend with its lowering, and with fallbacks for queries that it does not support."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.supports = backend.supports

    @property
    def name(self) -> str:
        return self.backend.name

    def ask(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        if query.bound is not None and not self._takes_bound(model, query):
            model, query = bounded(model, query.bound), replace(query, bound=None)
        if query.bound is None and query.task is not Task.OPTIMISE:
            model = replace(model, goal=None)
        match query.task:
            case Task.OPTIMISE:
                return self._optimised(model, query, budget)
            case Task.COUNT:
                return iter((self._count(model, query, budget),))
            case Task.SAMPLE:
                return self._drawn(model, query, budget)
            case _:
                solutions = self._listed(model, query, budget)
                if self.supports.distinct or determined(model):
                    return solutions
                return distinct_solutions(solutions, model.visible())

    def _takes_bound(self, model: Model, query: Query) -> bool:
        """Return whether the query is answered with its bound, not with a model that states it."""
        if query.task is Task.SAMPLE:
            return False
        return self.supports.listing or (self.supports.bounds and self._is_native(model, query))

    def _is_native(self, model: Model, query: Query) -> bool:
        """Return whether the backend itself answers such a query about this model."""
        if query.task not in self.supports.queries:
            return False
        restarts = has_shapes(model) and Form.STRUCTURE not in self.supports.forms
        needs_distinct = query.task in (Task.COUNT, Task.SAMPLE)  # no solution may come twice
        return not restarts and (not needs_distinct or determined(model))

    def _run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        """Lower the model and run the backend."""
        with budget.building():
            lowered = lower(model, self.supports, budget.check)
        return self.backend.run(lowered, query, budget)

    def _listed(self, model: Model, query: Query, budget: Budget) -> Iterator[Values]:
        """Yield the solutions; one may be repeated with other auxiliary values."""
        if query.bound is not None and not self.supports.bounds:
            solutions = self._listed(replace(model, goal=None), SOLUTIONS, budget)
            return _within(goal_of(model), query.bound, solutions)
        if Form.STRUCTURE in self.supports.forms:
            return self._run(model, query, budget)
        return with_lazy_cuts(model, lambda rest: self._run(rest, query, budget))

    def _optimised(self, model: Model, query: Query, budget: Budget) -> Iterator[Values]:
        goal = goal_of(model)
        if self.supports.listing:
            solutions = self._listed(replace(model, goal=None), SOLUTIONS, budget)
            yield from improving(goal, solutions)
            return
        if self._is_native(model, query):
            try:
                stream = self._run(model, query, budget)
                first = next(stream, None)
            except Unsupported:  # for example a goal with too many values
                pass
            else:
                if first is not None:
                    yield from chain((first,), stream)
                return
        yield from self._step_by_step(model, goal, budget)

    def _step_by_step(self, model: Model, goal: Objective, budget: Budget) -> Iterator[Values]:
        """Repeatedly solve and require a better value."""
        better = replace(model, goal=None)
        while (values := next(self.ask(better, SOLUTIONS, budget), None)) is not None:
            yield values
            reached = Constant(goal.term.value(values))
            if goal.maximise:
                is_better = Comparison("<", reached, goal.term)
            else:
                is_better = Comparison("<", goal.term, reached)
            bound = Constraint(is_better, Origin(f"better than {reached.constant}"))
            better = replace(better, constraints=(*better.constraints, bound))

    def _drawn(self, model: Model, query: Query, budget: Budget) -> Iterator[Values]:
        if self._is_native(model, query):
            yield from self._run(model, query, budget)
            return
        solutions = list(self.ask(model, SOLUTIONS, budget))
        random = Random(query.seed)
        while solutions:
            yield random.choice(solutions)

    def _count(self, model: Model, query: Query, budget: Budget) -> int:
        """Return the number of solutions. If the backend cannot count, they are listed."""
        if self._is_native(model, query) and (query.bound is None or self.supports.bounds):
            (number,) = self._run(model, query, budget)
            return int(number)
        return sum(1 for _ in self.ask(model, replace(query, task=Task.ENUMERATE), budget))


def improving(goal: Objective, solutions: Iterator[Values]) -> Iterator[Values]:
    """Yield the solutions that are better for the goal than all before."""
    best: int | None = None
    for values in solutions:
        value = goal.term.value(values)
        if best is None or goal.better(value, best):
            best = value
            yield values


def _within(
    goal: Objective, bound: ObjectiveBound, solutions: Iterator[Values]
) -> Iterator[Values]:
    return (values for values in solutions if not goal.better(bound.value, goal.term.value(values)))


def planned(name: str, isolated: bool = False) -> Solver:
    """Return the solver of one backend; with `isolated`, in its own process.

    Raises whatever `load_backend` raises.
    """
    solver = LoweredSolver(load_backend(name, isolated))
    return SandboxedSolver(solver) if isolated else solver


# In another process -------------------------------------------------------------------------------


class SandboxedSolver(SolverWrapper):
    """Delegates to a solver in another process, whose crash or lack of memory harms nothing else.

    One that dies is reported as Stopped.

    Trials are ended from here: only this process knows whether one was lifted.
    """

    def ask(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        arguments = (self.solver, model, query, replace(budget, slices=()))
        producer = _counted if query.task is Task.COUNT else coded
        from puzzlekit.backends import streamed  # what starts processes takes long to load

        stream = streamed if budget.statistics is None else _without_report
        answers: Iterator[Any] = stream(producer, arguments, budget)
        if query.task is Task.COUNT:
            yield from answers
        else:
            yield from decoded(model, answers, budget)


@dataclass
class Report:
    """What a process reports after its last answer."""

    built: float
    statistics: Statistics


def _without_report(
    answers: Callable[..., Iterator[Any]], arguments: tuple[Any, ...], budget: Budget
) -> Iterator[Any]:
    """Yield the answers of another process, and note its report, also if it is stopped early."""

    def note(item: object) -> None:
        if isinstance(item, Report) and budget.statistics is not None:
            budget.clock.seconds[BUILDING] = max(budget.built, item.built)
            budget.statistics.add(item.statistics)

    from puzzlekit.backends import streamed

    for item in streamed(answers_and_report, (answers, *arguments), budget, report=note):
        if isinstance(item, Report):
            note(item)
        else:
            yield item


def answers_and_report(
    answers: Callable[..., Generator[Any, None, None]],
    solver: Solver,
    model: Model,
    query: Query,
    budget: Budget,
) -> Iterator[Any]:
    """In the other process: yield the answers, and then a report."""
    before = peak_memory()
    statistics = Statistics()
    budget = replace(budget, statistics=statistics)
    with suppress(ValueError):  # not in the main thread: it is killed instead
        signal.signal(signal.SIGTERM, lambda *_: setattr(budget.clock, "asked_to_stop", True))
    failure: PuzzlekitError | None = None
    try:
        stream = answers(solver, model, query, budget)
        limit = budget.solution_limit if query.task is Task.ENUMERATE else None
        for answer in islice(stream, limit):
            if budget.clock.asked_to_stop:  # nobody reads the answers that are ready
                break
            yield answer
        stream.close()
    except PuzzlekitError as error:
        failure = error
    if before:
        statistics.memory = peak_memory() - before
    yield Report(budget.built, statistics)
    if failure is not None:
        raise failure


def decoded(
    model: Model, rows: Iterable[tuple[float, list[int]]], budget: Budget
) -> Iterator[Values]:
    """Yield the solutions that `coded` gives in the other process."""
    for built, codes in rows:
        budget.clock.seconds[BUILDING] = max(budget.built, built)
        coded_domains = zip(model.domains.items(), codes)
        yield {variable: domain[code] for (variable, domain), code in coded_domains}


def coded(
    solver: Solver, model: Model, query: Query, budget: Budget
) -> Generator[tuple[float, list[int]], None, None]:
    """In the other process: yield solutions as positions of values, with the build time so far."""
    codes = {
        variable: {value: code for code, value in enumerate(domain)}
        for variable, domain in model.domains.items()
    }
    for values in solver.ask(model, query, budget):
        yield budget.built, [code[values[variable]] for variable, code in codes.items()]


def _counted(
    solver: Solver, model: Model, query: Query, budget: Budget
) -> Generator[int, None, None]:
    yield from solver.ask(model, query, budget)
