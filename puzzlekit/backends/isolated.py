"""An engine in a process of its own: what kills it, or takes its memory, harms nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from puzzlekit.backends.base import Backend, Budget
from puzzlekit.backends.processes import streamed
from puzzlekit.clock import BUILDING
from puzzlekit.model import Model, Values


class Isolated(Backend):
    """Asks another engine, which runs in a process of its own. An engine that dies is told as Stopped."""

    about = "another engine in a process of its own"

    def __init__(self, engine: Backend) -> None:
        self.engine = engine

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.engine.name

    def answers(self, model: Model, budget: Budget) -> Iterator[Values]:
        return self._values("answers", model, (), budget)

    def improve(self, model: Model, budget: Budget) -> Iterator[Values]:
        return self._values("improve", model, (), budget)

    def optima(self, model: Model, value: int, budget: Budget) -> Iterator[Values]:
        return self._values("optima", model, (value,), budget)

    def within(self, model: Model, value: int, budget: Budget) -> Iterator[Values]:
        return self._values("within", model, (value,), budget)

    def draws(self, model: Model, seed: int, budget: Budget) -> Iterator[Values]:
        return self._values("draws", model, (seed,), budget)

    def count(self, model: Model, budget: Budget) -> int:
        return self._number("count", model, (), budget)

    def count_optima(self, model: Model, value: int, budget: Budget) -> int:
        return self._number("count_optima", model, (value,), budget)

    def _values(self, method: str, model: Model, arguments: tuple[int, ...], budget: Budget) -> Iterator[Values]:
        for built, codes in streamed(_coded, (self.engine, method, model, arguments, budget), budget):
            budget.clock.seconds[BUILDING] = max(budget.built, built)
            yield {variable: domain[code] for (variable, domain), code in zip(model.domains.items(), codes)}

    def _number(self, method: str, model: Model, arguments: tuple[int, ...], budget: Budget) -> int:
        (number,) = streamed(_counted, (self.engine, method, model, arguments, budget), budget)
        return number


def _coded(
    engine: Backend, method: str, model: Model, arguments: tuple[int, ...], budget: Budget
) -> Iterator[tuple[float, list[int]]]:
    """In the other process: each answer as the positions of its values, with the time that building took so far."""
    codes = [(variable, {value: code for code, value in enumerate(domain)}) for variable, domain in model.domains.items()]
    answers: Any = getattr(engine, method)(model, *arguments, budget)
    for values in answers:
        yield budget.built, [code[values[variable]] for variable, code in codes]


def _counted(engine: Backend, method: str, model: Model, arguments: tuple[int, ...], budget: Budget) -> Iterator[int]:
    yield getattr(engine, method)(model, *arguments, budget)
