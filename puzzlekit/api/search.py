"""From a model to checked answers: simplify, split, search each part, put the answers together, check them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from puzzlekit.backends import Backend, Budget
from puzzlekit.errors import BackendBug
from puzzlekit.model import Comparison, Constant, Constraint, Goal, Model, Origin, Value, Values, Variable
from puzzlekit.passes.domains import Contradiction
from puzzlekit.passes.simplify import simplify
from puzzlekit.passes.split import split

Parts = Sequence[Model]


class Search:
    """The search for a model's answers on one backend. `seconds` tells how long each stage took."""

    def __init__(self, model: Model, backend: Backend, budget: Budget) -> None:
        self.model = model
        self.backend = backend
        self.budget = budget
        self.seconds: dict[str, float] = {}
        self.conflict: Contradiction | None = None
        began = time.perf_counter()
        self.fixed: dict[Variable, Value] = {}
        self.parts: Parts = ()
        try:
            self.fixed, self.parts = split(simplify(model))
        except Contradiction as conflict:
            self.conflict = conflict
        self.seconds["simplify"] = time.perf_counter() - began

    def answers(self) -> Iterator[Values]:
        """Every answer once. A stream that ends has given them all."""
        if self.conflict is not None:
            return
        streams = [_Replayed(self._part_answers, part) for part in self.parts]
        for combination in _product(streams):
            yield self._whole(combination)

    def count(self) -> int:
        """The number of answers: the product of the parts' counts."""
        if self.conflict is not None:
            return 0
        total = 1
        for part in sorted(self.parts, key=lambda part: len(part.constraints)):
            total *= self._part_count(part)
            if not total:
                break
        return total

    def improve(self) -> Iterator[Values]:
        """Answers, each better for the goal than the last; when the stream ends, the last is proven optimal."""
        if self.conflict is not None:
            return
        best: list[Values] = []
        for part in self.parts:
            first = next(self._part_improve(part) if part.goal else self._part_answers(part), None)
            if first is None:
                return
            best.append(first)
        yield self._whole(best)
        for place, part in enumerate(self.parts):
            if part.goal:
                for better in self._part_improve(part):
                    if part.goal.better(part.goal.term.value(better), part.goal.term.value(best[place])):
                        best[place] = better
                        yield self._whole(best)

    def _whole(self, parts: Sequence[Values]) -> Values:
        values = dict(self.fixed)
        for part in parts:
            values.update(part)
        constraint = self.model.broken(values)
        if constraint is not None:
            raise BackendBug(f"{self.backend.name} gave an answer that breaks: {constraint.origin}")
        return values

    def _part_answers(self, part: Model) -> Iterator[Values]:
        if not part.constraints:
            (variable,) = part.domains
            values = part.domains[variable][:1] if variable in part.auxiliary else part.domains[variable]
            return ({variable: value} for value in values)
        if not part.visible():
            return _first(self.backend.answers(part, self.budget))
        return self.backend.answers(part, self.budget)

    def _part_count(self, part: Model) -> int:
        if not part.constraints or not part.visible():
            return sum(1 for _ in self._part_answers(part))
        return self.backend.count(part, self.budget)

    def _part_improve(self, part: Model) -> Iterator[Values]:
        if not part.constraints and part.goal is not None and len(part.domains) == 1:
            (variable,) = part.domains
            values: list[Values] = [{variable: value} for value in part.domains[variable]]
            return iter([(max if part.goal.maximise else min)(values, key=part.goal.term.value)])
        return self.backend.improve(part, self.budget)


def with_goal(model: Model, goal: Goal | None) -> Model:
    """The model with this goal, or with none."""
    return replace(model, goal=goal)


def at_goal(model: Model, value: int) -> Model:
    """The model with the condition that its goal has this value, and without the goal: its answers are all the optima."""
    assert model.goal is not None, "a model with a goal is wanted"
    reached = Constraint(Comparison("==", model.goal.term, Constant(value)), Origin(f"goal {model.goal.name} = {value}"))
    return replace(model, constraints=(*model.constraints, reached), goal=None)


def _first(answers: Iterator[Values]) -> Iterator[Values]:
    found = next(answers, None)
    if found is not None:
        yield found


class _Replayed:
    """A stream that is read once and can be run through again and again."""

    def __init__(self, make: Callable[[Model], Iterator[Values]], part: Model) -> None:
        self.make = make
        self.part = part
        self.stream: Iterator[Values] | None = None
        self.known: list[Values] = []

    def __iter__(self) -> Iterator[Values]:
        place = 0
        while True:
            if place == len(self.known):
                if self.stream is None:
                    self.stream = self.make(self.part)
                found = next(self.stream, None)
                if found is None:
                    return
                self.known.append(found)
            yield self.known[place]
            place += 1


def _product(streams: Sequence[_Replayed]) -> Iterator[tuple[Values, ...]]:
    """Every combination, the last stream changing fastest, read no further than is wanted."""
    if not streams:
        yield ()
        return
    for first in streams[0]:
        for rest in _product(streams[1:]):
            yield (first, *rest)
