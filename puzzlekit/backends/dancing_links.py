"""Dancing links, by the package dlx: the reference to check the own exact cover engine against."""

import time
from collections.abc import Iterator
from typing import Any

from dlx import DLX

from puzzlekit.backends.base import Backend, Budget, allow_depth
from puzzlekit.backends.exact_cover import lower
from puzzlekit.backends.lazy import lazily
from puzzlekit.model import Model, Values
from puzzlekit.passes.colours import colours_to_items
from puzzlekit.passes.projection import distinct


class DancingLinks(Backend):
    """Knuth's Algorithm X with dancing links, colours compiled away."""

    name = "dlx"
    about = "dancing links by the package dlx; lists answers, also to find the best"

    def answers(self, model: Model, budget: Budget) -> Iterator[Values]:
        return distinct(model, self._answers(model, budget))

    def _answers(self, model: Model, budget: Budget) -> Iterator[Values]:
        return lazily(model, lambda plain: self._covers(plain, budget))

    def _covers(self, model: Model, budget: Budget) -> Iterator[Values]:
        """The values of all variables, auxiliary ones included: two that differ only there may differ in the goal."""
        began = time.monotonic()
        cover, meaning = lower(model, budget, colour_differences=False)
        plain = colours_to_items(cover, budget.check)

        def fewest_options(links: Any, _: Any) -> Any:
            budget.step()
            return links.smallestColumnSelector(_)

        links = DLX([(item, DLX.PRIMARY if item < plain.primary else DLX.SECONDARY) for item in range(plain.items)])
        for option in range(plain.options):
            if not option % 64:
                budget.check()
            links.appendRow([item for item, _ in plain.entries(option)], option)  # its name stands at each of its nodes
        budget.built += time.monotonic() - began
        allow_depth(plain.primary)

        for solution in links.solve(fewest_options):
            chosen = (links.N[node] for node in solution)
            yield meaning.values(option for option in chosen if option < cover.options)

    def improve(self, model: Model, budget: Budget) -> Iterator[Values]:
        """All answers are listed: a bound on the goal, as a chain of tables, costs this engine far more."""
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
