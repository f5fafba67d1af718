"""The project's own cover_search: exact cover with colours, on every finite model."""

from collections.abc import Iterator
from random import Random

from puzzlekit.backends.base import Backend, Budget
from puzzlekit.backends.exact_cover.branch_and_bound import BranchAndBound
from puzzlekit.backends.exact_cover.counter import counted
from puzzlekit.backends.exact_cover.cover_search import CoverSearch
from puzzlekit.lowering.counter_tables import count_with_tables
from puzzlekit.lowering.cover import Cover, to_cover
from puzzlekit.lowering.cover_decoder import CoverDecoder
from puzzlekit.lowering.flatten import flatten
from puzzlekit.lowering.lazy_cuts import has_shapes, with_lazy_cuts
from puzzlekit.lowering.projection import distinct
from puzzlekit.lowering.unroll import unroll
from puzzlekit.model import Model, Values
from puzzlekit.presolve.split import determined


def lower(model: Model, budget: Budget, colour_differences: bool = True) -> tuple[Cover, CoverDecoder]:
    """The chain of passes from a presolved model to a cover. Raises Stopped when the time is up on the way."""
    flat = flatten(unroll(model), budget.check)
    budget.check()
    tables = count_with_tables(flat, budget.check)
    budget.check()
    lowered = to_cover(tables, colour_differences)
    budget.check()
    return lowered


class ExactCover(Backend):
    """Exact cover with colours (Knuth 7.2.2.1) on the bits of plain integers."""

    name = "exact-cover"
    about = "puzzlekit's own exact cover with colours; lists, counts and proves optima"

    def solutions(self, model: Model, budget: Budget) -> Iterator[Values]:
        return distinct(model, with_lazy_cuts(model, lambda plain: _covers(plain, budget)))

    def improve(self, model: Model, budget: Budget) -> Iterator[Values]:
        if has_shapes(model):
            return super().improve(model, budget)
        cover_search, decoder = _built(model, budget)
        return map(decoder.values, _cheapest(cover_search, budget).improving())

    def optima(self, model: Model, value: int, budget: Budget) -> Iterator[Values]:
        if has_shapes(model):
            return super().optima(model, value, budget)
        cover_search, decoder = _built(model, budget)
        covers = _cheapest(cover_search, budget).costing(_cost_of(cover_search.cover, value, model))
        return distinct(model, map(decoder.values, covers))

    def within(self, model: Model, value: int, budget: Budget) -> Iterator[Values]:
        if has_shapes(model):
            return super().within(model, value, budget)
        return self.optima(model, value, budget)

    def count(self, model: Model, budget: Budget) -> int:
        if has_shapes(model) or not determined(model):
            return super().count(model, budget)
        return counted(_built(model, budget)[0], budget).total or 0

    def count_optima(self, model: Model, value: int, budget: Budget) -> int:
        if has_shapes(model) or not determined(model):
            return super().count_optima(model, value, budget)
        cover_search, _ = _built(model, budget)
        return _cheapest(cover_search, budget).count(_cost_of(cover_search.cover, value, model))

    def draws(self, model: Model, seed: int, budget: Budget) -> Iterator[Values]:
        if has_shapes(model) or not determined(model):
            yield from super().draws(model, seed, budget)
            return
        cover_search, decoder = _built(model, budget)
        known, random = counted(cover_search, budget, drawing=True), Random(seed)
        while known.total:
            yield decoder.values(known.drawn(random))


def _built(model: Model, budget: Budget) -> tuple[CoverSearch, CoverDecoder]:
    with budget.building():
        cover, decoder = lower(model, budget)
        cover_search = CoverSearch(cover, budget.check)
    return cover_search, decoder


def _covers(model: Model, budget: Budget) -> Iterator[Values]:
    cover_search, decoder = _built(model, budget)
    return map(decoder.values, cover_search.covers(budget))


def _cheapest(cover_search: CoverSearch, budget: Budget) -> BranchAndBound:
    return BranchAndBound(cover_search, cover_search.cover.costs or (0,) * cover_search.cover.options, budget)


def _cost_of(cover: Cover, value: int, model: Model) -> int:
    """The cost of a cover whose goal has this value: without the goal's constant, and turned round to be made small."""
    assert model.goal is not None, "a model with a goal is wanted"
    return (-value if model.goal.maximise else value) - cover.offset
