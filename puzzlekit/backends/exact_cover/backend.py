"""The project's own backend: exact cover with colours, for every finite model."""

from collections.abc import Iterator
from random import Random
from typing import Any

from puzzlekit.backends.base import Backend, Budget, goal_of
from puzzlekit.backends.exact_cover.branch_and_bound import BranchAndBound
from puzzlekit.backends.exact_cover.counter import counted
from puzzlekit.backends.exact_cover.cover_search import CoverSearch
from puzzlekit.lowering.cover import Cover, to_cover
from puzzlekit.lowering.cover_decoder import CoverDecoder
from puzzlekit.lowering.planner import Form, Supports
from puzzlekit.model import Model
from puzzlekit.query import Kind, Query

COVER_FORMS = frozenset({Form.TABLE, Form.ALL_DIFFERENT, Form.CHOICE})  # the input of `to_cover`


class ExactCover(Backend):
    """Exact cover with colours (Knuth 7.2.2.1) on the bits of integers."""

    name = "exact-cover"
    about = "puzzlekit's own exact cover with colours; lists, counts and proves optima"
    supports = Supports(
        forms=COVER_FORMS,
        queries=frozenset({Kind.ENUMERATE, Kind.OPTIMISE, Kind.COUNT, Kind.SAMPLE}),
        bounds=True,
        product="cover with colours",
    )

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        search, decoder = _built(model, budget)
        if query.kind is Kind.SAMPLE:
            return map(decoder.values, _drawn(search, query.seed, budget))
        if query.kind is Kind.COUNT:
            return iter((_counted(search, model, query, budget),))
        if query.kind is Kind.OPTIMISE:
            return map(decoder.values, _cheapest(search, budget).improving())
        if query.bound is not None:
            return map(decoder.values, _cheapest(search, budget).costing(_cost_of(search.cover, query.bound.value, model)))
        return map(decoder.values, search.covers(budget))


def _built(model: Model, budget: Budget) -> tuple[CoverSearch, CoverDecoder]:
    with budget.building():
        cover, decoder = to_cover(model)
        budget.check()
        return CoverSearch(cover, budget.check), decoder


def _counted(search: CoverSearch, model: Model, query: Query, budget: Budget) -> int:
    if query.bound is not None:
        return _cheapest(search, budget).count(_cost_of(search.cover, query.bound.value, model))
    return counted(search, budget).total or 0


def _drawn(search: CoverSearch, seed: int | None, budget: Budget) -> Iterator[Any]:
    known, random = counted(search, budget, drawing=True), Random(seed)
    while known.total:
        yield known.drawn(random)


def _cheapest(search: CoverSearch, budget: Budget) -> BranchAndBound:
    return BranchAndBound(search, search.cover.costs or (0,) * search.cover.options, budget)


def _cost_of(cover: Cover, value: int, model: Model) -> int:
    """Return the cost of a cover whose goal has this value: without the constant, and minimised."""
    return (-value if goal_of(model).maximise else value) - cover.offset
