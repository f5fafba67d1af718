"""Backends that list exact covers and know no costs: what is best is found among all solutions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from puzzlekit.backends.base import Backend, Budget
from puzzlekit.lowering.lazy_cuts import with_lazy_cuts
from puzzlekit.lowering.projection import distinct
from puzzlekit.model import Model, Values


class CoverLister(Backend):
    """A backend that lists: bounds on a goal, stated as chains of tables, would cost it more than to look at all solutions."""

    @abstractmethod
    def covers(self, model: Model, budget: Budget) -> Iterator[Values]:
        """The solutions of a model without shapes, auxiliary variables included: a goal may be worth more by these alone."""

    def solutions(self, model: Model, budget: Budget) -> Iterator[Values]:
        return distinct(model, self._solutions(model, budget))

    def _solutions(self, model: Model, budget: Budget) -> Iterator[Values]:
        return with_lazy_cuts(model, lambda plain: self.covers(plain, budget))

    def improve(self, model: Model, budget: Budget) -> Iterator[Values]:
        assert model.goal is not None, "improve needs a goal"
        best: int | None = None
        for values in self._solutions(model, budget):
            value = model.goal.term.value(values)
            if best is None or model.goal.better(value, best):
                best = value
                yield values

    def optima(self, model: Model, value: int, budget: Budget) -> Iterator[Values]:
        assert model.goal is not None, "optima needs a goal"
        goal = model.goal.term
        return distinct(model, (values for values in self._solutions(model, budget) if goal.value(values) == value))

    def count_optima(self, model: Model, value: int, budget: Budget) -> int:
        return sum(1 for _ in self.optima(model, value, budget))
