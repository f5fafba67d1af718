"""The project's own engine: exact cover with colours, on every finite model."""

from collections.abc import Iterator

from puzzlekit.backends.base import Backend, Budget
from puzzlekit.backends.cheapest import Cheapest
from puzzlekit.backends.covering import Engine
from puzzlekit.model import Model, Values
from puzzlekit.passes.counters import count_with_tables
from puzzlekit.passes.cover import Cover, Meaning, to_cover
from puzzlekit.passes.flatten import flatten
from puzzlekit.passes.projection import distinct
from puzzlekit.passes.split import determined


def lower(model: Model, colour_differences: bool = True) -> tuple[Cover, Meaning]:
    """The chain of passes from a simplified model to a cover."""
    return to_cover(count_with_tables(flatten(model)), colour_differences)


class ExactCover(Backend):
    """Exact cover with colours (Knuth 7.2.2.1) on the bits of plain integers."""

    name = "exact-cover"
    about = "puzzlekit's own exact cover with colours; lists, counts and proves optima"

    def answers(self, model: Model, budget: Budget) -> Iterator[Values]:
        cover, meaning = lower(model)
        values = (meaning.values(options) for options in Engine(cover).covers(budget))
        return distinct(model, values)

    def improve(self, model: Model, budget: Budget) -> Iterator[Values]:
        cover, meaning = lower(model)
        return (meaning.values(options) for options in _cheapest(cover, budget).improving())

    def optima(self, model: Model, value: int, budget: Budget) -> Iterator[Values]:
        cover, meaning = lower(model)
        values = (meaning.values(options) for options in _cheapest(cover, budget).costing(_cost_of(cover, value, model)))
        return distinct(model, values)

    def count(self, model: Model, budget: Budget) -> int:
        if not determined(model):
            return super().count(model, budget)
        return Engine(lower(model)[0]).count(budget)

    def count_optima(self, model: Model, value: int, budget: Budget) -> int:
        if not determined(model):
            return super().count_optima(model, value, budget)
        cover, _ = lower(model)
        return _cheapest(cover, budget).count(_cost_of(cover, value, model))


def _cheapest(cover: Cover, budget: Budget) -> Cheapest:
    return Cheapest(Engine(cover), cover.costs or (0,) * cover.options, budget)


def _cost_of(cover: Cover, value: int, model: Model) -> int:
    """The cost of a cover whose goal has this value: without the goal's constant, and turned round to be made small."""
    assert model.goal is not None, "a model with a goal is wanted"
    return (-value if model.goal.maximise else value) - cover.offset
