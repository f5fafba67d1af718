"""Run a solver in another process, so that a crash or a lack of memory harms nothing else."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from puzzlekit.backends.base import Budget
from puzzlekit.backends.statistics import Statistics
from puzzlekit.backends.streams import streamed
from puzzlekit.clock import BUILDING
from puzzlekit.errors import PuzzlekitError
from puzzlekit.model import Model, Values
from puzzlekit.processes.system import peak_memory
from puzzlekit.query import Kind, Query
from puzzlekit.solve.solver import Delegating, Solver


class Isolated(Delegating):
    """Delegates to a solver in another process. One that dies is reported as Stopped.

    Trials are ended from here: only this process knows whether one was lifted.
    """

    def ask(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        arguments = (self.solver, model, query, replace(budget, trials=()))
        answers = _counted if query.kind is Kind.COUNT else coded
        streams = streamed if budget.statistics is None else _without_report
        found: Iterator[Any] = streams(answers, arguments, budget)
        yield from found if query.kind is Kind.COUNT else decoded(model, found, budget)


@dataclass
class Report:
    """What a process reports after its last answer."""

    built: float
    statistics: Statistics


def _without_report(answers: Callable[..., Iterator[Any]], arguments: tuple[Any, ...], budget: Budget) -> Iterator[Any]:
    """Yield the answers of another process, and note its report, also if it is stopped early."""

    def note(item: object) -> None:
        if isinstance(item, Report) and budget.statistics is not None:
            budget.clock.seconds[BUILDING] = max(budget.built, item.built)
            budget.statistics.add(item.statistics)

    for item in streamed(_with_report, (answers, *arguments), budget, report=note):
        if isinstance(item, Report):
            note(item)
        else:
            yield item


def _with_report(
    answers: Callable[..., Generator[Any, None, None]], solver: Solver, model: Model, query: Query, budget: Budget
) -> Iterator[Any]:
    """In the other process: yield the answers, and then a report."""
    before = peak_memory()
    own = replace(budget, statistics=Statistics())
    with suppress(ValueError):  # not in the main thread: it is killed instead
        signal.signal(signal.SIGTERM, lambda *_: setattr(own.clock, "asked_to_stop", True))
    failure: PuzzlekitError | None = None
    try:
        found = answers(solver, model, query, own)
        yield from found if query.kind is not Kind.ENUMERATE else islice(found, own.enough)
        found.close()
    except PuzzlekitError as error:
        failure = error
    assert own.statistics is not None, "it was just made"
    if before:
        own.statistics.memory = peak_memory() - before
    yield Report(own.built, own.statistics)
    if failure is not None:
        raise failure


def decoded(model: Model, found: Iterable[tuple[float, list[int]]], budget: Budget) -> Iterator[Values]:
    """Yield the solutions that `coded` gives in the other process."""
    for built, codes in found:
        budget.clock.seconds[BUILDING] = max(budget.built, built)
        yield {variable: domain[code] for (variable, domain), code in zip(model.domains.items(), codes)}


def coded(solver: Solver, model: Model, query: Query, budget: Budget) -> Generator[tuple[float, list[int]], None, None]:
    """In the other process: yield solutions as positions of values, with the build time so far."""
    codes = [(variable, {value: code for code, value in enumerate(domain)}) for variable, domain in model.domains.items()]
    for values in solver.ask(model, query, budget):
        yield budget.built, [code[values[variable]] for variable, code in codes]


def _counted(solver: Solver, model: Model, query: Query, budget: Budget) -> Generator[int, None, None]:
    yield from solver.ask(model, query, budget)
