"""What every backend is, and the budget that stops it."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from puzzlekit.clock import BUILDING, Clock
from puzzlekit.errors import Stopped
from puzzlekit.lowering.planner import Supports
from puzzlekit.model import Comparison, Constant, Constraint, Goal, Model, Origin
from puzzlekit.query import Bound, Query


@dataclass
class Budget:
    """What a search may use: seconds of the clock until `deadline` (None is no bound), and search steps.

    A trial ends at `processor`, seconds of this process's processor time: so what is chosen depends on the work that was done,
    not on how busy the machine is.
    """

    deadline: float | None = None
    steps: int | None = None
    clock: Clock = field(default_factory=Clock)
    processor: float | None = None

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
        """The same budget for a trial of so many seconds of processor time, or as many as it has itself."""
        soon = time.process_time() + seconds
        return replace(self, processor=soon if self.processor is None else min(soon, self.processor))

    def over(self) -> bool:
        """Whether a trial has used up its processor time."""
        return self.processor is not None and time.process_time() > self.processor

    def trial_left(self) -> float | None:
        """The processor time that is left of a trial, for another process, which counts its own."""
        return None if self.processor is None else self.processor - time.process_time()

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
        if self.over():
            raise Stopped("the trial is over")


class Backend(ABC):
    """What searches. It gets a model that was lowered to the forms that it supports, and never changes it.

    A stream that ends is complete: there is no more. One that could not finish raises Stopped or Undecided.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    supports: ClassVar[Supports]

    @abstractmethod
    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        """Answer one query about a model, of the kinds that `supports` names.

        enumerate: the solutions. The model has a goal only where the query has a bound on it.
        optimise: solutions, each better for the model's goal than the last; when the stream ends, the last is proven optimal.
        count: one number, that of the solutions.
        sample: solutions drawn at random without end, each with the same probability; nothing if there is none.

        Raises: Stopped where the budget ends; Undecided where the backend gives up; Unsupported, with the rule, for a model
        that it cannot take.
        """


def goal_of(model: Model) -> Goal:
    """The goal of a model that has one."""
    assert model.goal is not None, "this query needs a model with a goal"
    return model.goal


def bounded(model: Model, bound: Bound) -> Model:
    """The model of the solutions within a bound on its goal, without the goal."""
    goal, edge = goal_of(model), Constant(bound.value)
    if bound.optimal:
        condition, says = Comparison("==", goal.term, edge), f"{goal.name} = {bound.value}"
    else:
        condition = Comparison("<=", edge, goal.term) if goal.maximise else Comparison("<=", goal.term, edge)
        says = f"no worse than {goal.name} = {bound.value}"
    return replace(model, constraints=(*model.constraints, Constraint(condition, Origin(says))), goal=None)
