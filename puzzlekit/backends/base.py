"""What every backend offers, and the budget that stops it."""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import ClassVar

from puzzlekit.clock import BUILDING, Clock
from puzzlekit.counting.by_cases import CaseCounter
from puzzlekit.errors import Stopped
from puzzlekit.lowering.lazy_cuts import has_shapes
from puzzlekit.model import Comparison, Constant, Constraint, Model, Origin, Values
from puzzlekit.presolve.optional_tables import has_optional_tables

FEW = 20  # solutions that are listed before they are counted case by case
HASTE = 0.5  # seconds for that


@dataclass
class Budget:
    """What a search may use: seconds of the clock until `deadline` (None is no bound), and search steps."""

    deadline: float | None = None
    steps: int | None = None
    clock: Clock = field(default_factory=Clock)

    @classmethod
    def of(cls, seconds: float | None = None, steps: int | None = None) -> Budget:
        """A budget that begins to run now."""
        return cls.on(Clock(seconds), steps)

    @classmethod
    def on(cls, clock: Clock, steps: int | None = None) -> Budget:
        """A budget of what is left of a clock that runs."""
        return cls(clock.deadline, steps, clock)

    @property
    def built(self) -> float:
        """The seconds that backends took to state their problems."""
        return self.clock.seconds[BUILDING]

    def building(self) -> AbstractContextManager[None]:
        """What is done inside is booked as building."""
        return self.clock.stage(BUILDING)

    def until(self, seconds: float) -> Budget:
        """The same budget, with a deadline that is no later than this."""
        soon = time.monotonic() + seconds
        return replace(self, deadline=soon if self.deadline is None else min(soon, self.deadline))

    def left(self) -> float | None:
        """The seconds that are left; never negative."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def step(self) -> None:
        """Count one step of search; raise Stopped when the budget is used up."""
        if self.steps is not None:
            self.steps -= 1
            if self.steps < 0:
                raise Stopped("the step budget is used up")
        self.check()

    def check(self) -> None:
        """Raise Stopped when the time is up; for work that is no step of search."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise Stopped(self.clock.reason)


class Backend(ABC):
    """A backend. It gets a presolved model without functions, and never changes it.

    A stream that ends is complete: there is no more. One that could not finish raises Stopped or Undecided. A model that the
    backend cannot take raises Unsupported, which names the rule.
    """

    name: ClassVar[str]
    about: ClassVar[str]

    @abstractmethod
    def solutions(self, model: Model, budget: Budget) -> Iterator[Values]:
        """The solutions, each once: no two agree on all visible variables. The goal plays no part."""

    def improve(self, model: Model, budget: Budget) -> Iterator[Values]:
        """Solutions, each better for the goal than the last; when the stream ends, the last is proven optimal."""
        goal = model.goal
        assert goal is not None, "improve needs a goal"
        better = model
        while (values := next(self.solutions(better, budget), None)) is not None:
            yield values
            reached = Constant(goal.term.value(values))
            beyond = Comparison("<", reached, goal.term) if goal.maximise else Comparison("<", goal.term, reached)
            bound = Constraint(beyond, Origin(f"better than {reached.constant}"))
            better = replace(model, constraints=(*model.constraints, bound))

    def count(self, model: Model, budget: Budget) -> int:
        """The number of solutions: a few are listed, more are counted case by case; with shapes or choices all are listed."""
        known = self._listed(model, not has_shapes(model) and not has_optional_tables(model), budget)
        if known is not None:
            return known
        allow_depth(2 * len(model.domains))
        return CaseCounter(lambda part, hasty: self._listed(part, hasty, budget), budget.step).count(model)

    def _listed(self, model: Model, hasty: bool, budget: Budget) -> int | None:
        """The number of solutions, listed; None where there are more than a few, or it takes long, and there is haste."""
        if not hasty:
            return sum(1 for _ in self.solutions(model, budget))
        trial = budget.until(HASTE)
        try:
            number = sum(1 for _ in islice(self.solutions(model, trial), FEW + 1))
        except Stopped:
            budget.check()
            if trial.steps is not None and trial.steps < 0:
                raise
            return None
        finally:
            budget.steps = trial.steps
        return number if number <= FEW else None

    def draws(self, model: Model, seed: int, budget: Budget) -> Iterator[Values]:
        """Solutions drawn at random without end, each with the same probability; nothing if there is none.

        Here all solutions are listed. The draws of one seed are the same ones.
        """
        known = list(self.solutions(model, budget))
        random = Random(seed)
        while known:
            yield random.choice(known)

    def optima(self, model: Model, value: int, budget: Budget) -> Iterator[Values]:
        """The solutions whose goal has this value, which is the best there is."""
        return self.solutions(at_value(model, value), budget)

    def within(self, model: Model, value: int, budget: Budget) -> Iterator[Values]:
        """The solutions whose goal is this value or a better one, in any order."""
        goal = model.goal
        assert goal is not None, "a model with a goal is wanted"
        edge = Constant(value)
        bound = Comparison("<=", edge, goal.term) if goal.maximise else Comparison("<=", goal.term, edge)
        within = Constraint(bound, Origin(f"no worse than {goal.name} = {value}"))
        return self.solutions(replace(model, constraints=(*model.constraints, within)), budget)

    def count_optima(self, model: Model, value: int, budget: Budget) -> int:
        """The number of solutions whose goal has this value, which is the best there is."""
        return self.count(at_value(model, value), budget)


def at_value(model: Model, value: int) -> Model:
    """The model of the solutions whose goal has this value, without the goal."""
    assert model.goal is not None, "a model with a goal is wanted"
    reached = Constraint(Comparison("==", model.goal.term, Constant(value)), Origin(f"{model.goal.name} = {value}"))
    return replace(model, constraints=(*model.constraints, reached), goal=None)


def allow_depth(depth: int) -> None:
    """Let a search call itself `depth` deep. The limit is only ever raised: streams of several searches may be open at once."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 1_000 + 4 * depth))
