"""Run a solver in another process, so that a crash or a lack of memory harms nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from puzzlekit.backends.base import Budget
from puzzlekit.backends.child_process import streamed
from puzzlekit.clock import BUILDING
from puzzlekit.model import Model, Values
from puzzlekit.query import Kind, Query
from puzzlekit.solve.solver import Solver


class Isolated(Solver):
    """Delegates to a solver in another process. One that dies is reported as Stopped.

    Trials are ended from here: only this process knows whether one was lifted.
    """

    def __init__(self, solver: Solver) -> None:
        self.solver = solver

    @property
    def name(self) -> str:
        return self.solver.name

    def ask(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        arguments = (self.solver, model, query, replace(budget, trials=()))
        if query.kind is Kind.COUNT:
            yield from streamed(_counted, arguments, budget)
            return
        yield from decoded(model, streamed(coded, arguments, budget), budget)


def decoded(model: Model, found: Iterable[tuple[float, list[int]]], budget: Budget) -> Iterator[Values]:
    """Yield the solutions that `coded` gives in the other process."""
    for built, codes in found:
        budget.clock.seconds[BUILDING] = max(budget.built, built)
        yield {variable: domain[code] for (variable, domain), code in zip(model.domains.items(), codes)}


def coded(solver: Solver, model: Model, query: Query, budget: Budget) -> Iterator[tuple[float, list[int]]]:
    """In the other process: yield solutions as positions of values, with the build time so far."""
    codes = [(variable, {value: code for code, value in enumerate(domain)}) for variable, domain in model.domains.items()]
    for values in solver.ask(model, query, budget):
        yield budget.built, [code[values[variable]] for variable, code in codes]


def _counted(solver: Solver, model: Model, query: Query, budget: Budget) -> Iterator[int]:
    yield from solver.ask(model, query, budget)
