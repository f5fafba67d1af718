"""The engine that is best by measurement, chosen anew for each part from what it holds and what is asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import TypeVar

from puzzlekit.backends import backend
from puzzlekit.backends.base import Backend, Budget
from puzzlekit.errors import Refused
from puzzlekit.model import AllDifferent, Cardinality, Model, Table, Values
from puzzlekit.passes.lazily import has_shapes

T = TypeVar("T")
COVER = "a cover"
SHAPES = "shapes"
SUMS = "sums and other conditions"

# What a part holds, and the engines for it: the first that does not refuse. The times that say so are in docs/performance.md.
ORDER = {
    COVER: ("exact-cover", "sat", "z3"),  # words, tiles, placements: no other engine comes near, and it counts
    SHAPES: ("sat", "z3", "exact-cover"),  # loops and connectedness belong to SAT with lazy cuts
    SUMS: ("sat", "z3", "exact-cover"),  # sudoku-like, arithmetic: SAT is quickest on most and slow on none
}
COUNTED = {**ORDER, SUMS: ("exact-cover", "sat", "z3")}  # a memo on what is left counts without listing
MANY = 2  # literals that may hold at once in a cardinality of a cover


def holds(part: Model) -> str:
    """What there is in a part: one of the keys of ORDER."""
    if has_shapes(part):
        return SHAPES
    conditions = [constraint.condition for constraint in part.constraints]
    words = any(isinstance(condition, Table) for condition in conditions)
    for condition in conditions:
        match condition:
            case Table():
                continue
            case AllDifferent() if words:
                continue
            case Cardinality(_, low, high) if high < MANY or (low == high and words):
                continue
            case _:
                return SUMS
    return COVER


class Auto(Backend):
    """Hands each part to the engine that is best for it. `name` tells the engines that were used."""

    about = "the engine that is best by measurement for what the puzzle holds and what is asked"

    def __init__(self, isolated: bool = False) -> None:
        self.isolated = isolated
        self.used: dict[str, None] = {}

    @property
    def name(self) -> str:  # type: ignore[override]
        """The engines that were used, the first of the table where none was needed."""
        return "+".join(self.used) or ORDER[COVER][0]

    def answers(self, model: Model, budget: Budget) -> Iterator[Values]:
        return self._stream(model, lambda engine: engine.answers(model, budget))

    def improve(self, model: Model, budget: Budget) -> Iterator[Values]:
        return self._stream(model, lambda engine: engine.improve(model, budget))

    def optima(self, model: Model, value: int, budget: Budget) -> Iterator[Values]:
        return self._stream(model, lambda engine: engine.optima(model, value, budget))

    def count(self, model: Model, budget: Budget) -> int:
        return self._asked(COUNTED[holds(model)], lambda engine: engine.count(model, budget))

    def count_optima(self, model: Model, value: int, budget: Budget) -> int:
        return self._asked(COUNTED[holds(model)], lambda engine: engine.count_optima(model, value, budget))

    def sampler(self, model: Model, budget: Budget) -> Callable[[Random], Values] | None:
        return self._asked(COUNTED[holds(model)], lambda engine: engine.sampler(model, budget))

    def _stream(self, model: Model, call: Callable[[Backend], Iterator[Values]]) -> Iterator[Values]:
        def begun(engine: Backend) -> tuple[Values | None, Iterator[Values]]:
            stream = call(engine)
            return next(stream, None), stream

        first, stream = self._asked(ORDER[holds(model)], begun)
        if first is not None:
            yield first
            yield from stream

    def _asked(self, names: tuple[str, ...], call: Callable[[Backend], T]) -> T:
        """What the first engine says that does not refuse; the first one's refusal if all do."""
        refusal: Refused | None = None
        for name in names:
            try:
                found = call(backend(name, self.isolated))
            except Refused as reason:
                refusal = refusal or reason
            else:
                self.used[name] = None
                return found
        assert refusal is not None, "there is an engine for everything"
        raise refusal
