"""Engines that list exact covers and know no costs: what is best is found among all answers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from puzzlekit.backends.base import Backend, Budget
from puzzlekit.lowering.lazy_cuts import lazily
from puzzlekit.lowering.projection import distinct
from puzzlekit.model import Model, Values


class Lister(Backend):
    """An engine that lists: bounds on a goal, stated as chains of tables, would cost it more than to look at all answers."""

    @abstractmethod
    def covers(self, model: Model, budget: Budget) -> Iterator[Values]:
        """The answers of a model without shapes, auxiliary variables included: a goal may be worth more by these alone."""

    def answers(self, model: Model, budget: Budget) -> Iterator[Values]:
        return distinct(model, self._answers(model, budget))

    def _answers(self, model: Model, budget: Budget) -> Iterator[Values]:
        return lazily(model, lambda plain: self.covers(plain, budget))

    def improve(self, model: Model, budget: Budget) -> Iterator[Values]:
        assert model.goal is not None, "improve needs a goal"
        best: int | None = None
        for values in self._answers(model, budget):
            value = model.goal.term.value(values)
            if best is None or model.goal.better(value, best):
                best = value
                yield values

    def optima(self, model: Model, value: int, budget: Budget) -> Iterator[Values]:
        assert model.goal is not None, "optima needs a goal"
        goal = model.goal.term
        return distinct(model, (values for values in self._answers(model, budget) if goal.value(values) == value))

    def count_optima(self, model: Model, value: int, budget: Budget) -> int:
        return sum(1 for _ in self.optima(model, value, budget))
