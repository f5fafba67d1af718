"""The interface of backends, and the budget that limits them."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from math import inf
from typing import Any, ClassVar, TypeVar

from puzzlekit.backends.statistics import Statistics
from puzzlekit.clock import BUILDING, Clock
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import Stopped
from puzzlekit.lowering import Supports
from puzzlekit.model import Comparison, Constant, Constraint, Model, Objective, Origin
from puzzlekit.python_settings import gc_paused
from puzzlekit.query import ObjectiveBound, Query

T = TypeVar("T")
CHECK_SECONDS = 0.005  # between two checks of the processor time, which take long


@dataclass
class TimeSlice:
    """A limit on the processor time of a search; whoever set it may lift it.

    Attributes:
        ends: The seconds of processor time after which the search must stop.
    """

    ends: float

    def is_over(self, worked: float) -> bool:
        """Return whether the search must stop, after this many seconds of processor time."""
        return worked > self.ends


@dataclass
class Budget:
    """The limits of a search: the time of its clock, and search steps (None is unlimited).

    A trial of a backend has a time slice, which ends by the processor time of this process and of
    the backends' processes. The choice of a backend thus depends on the work that was done, not on
    how busy the machine is.

    Attributes:
        steps: The search steps that are left.
        clock: The clock of the query.
        slices: The time slices of the trials that this search belongs to.
        statistics: Where backends note theirs, if somebody asks.
        solution_limit: An isolated enumeration with statistics ends after so many solutions.
    """

    steps: int | None = None
    clock: Clock = field(default_factory=Clock)
    slices: tuple[TimeSlice, ...] = ()
    statistics: Statistics | None = None
    solution_limit: int | None = None

    @classmethod
    def of(cls, seconds: float | None = None, steps: int | None = None) -> Budget:
        """Return a budget that starts now."""
        return cls.on(Clock(seconds), steps)

    @classmethod
    def on(
        cls, clock: Clock, steps: int | None = None, statistics: Statistics | None = None
    ) -> Budget:
        """Return a budget for the rest of a running clock."""
        return cls(steps, clock, statistics=statistics)

    @property
    def built(self) -> float:
        """The seconds that backends took to build their problems."""
        return self.clock.seconds[BUILDING]

    @contextmanager
    def building(self) -> Iterator[None]:
        """Measure the time to build a problem, with the garbage collector paused."""
        with gc_paused(), self.clock.stage(BUILDING):
            yield

    def note_sizes(self, **sizes: int) -> None:
        """Note the size of a problem that was built, by the names in `Statistics`."""
        if self.statistics is not None:
            self.statistics.note_sizes(**sizes)

    def note_efforts(
        self, answers: Iterator[T], efforts: Callable[[], dict[str, int]]
    ) -> Iterator[T]:
        """Return the same stream, which notes the efforts when it ends or is closed."""
        if self.statistics is None:
            return answers
        return _noted(answers, efforts, self.statistics)

    def with_slice_of(self, seconds: float) -> Budget:
        """Return the same budget for a trial of this many seconds of processor time, at most."""
        return self.with_slice(TimeSlice(self.worked() + seconds))

    def with_slice(self, time_slice: TimeSlice) -> Budget:
        """Return the same budget for one more trial."""
        self.clock.next_look = 0.0
        return replace(self, slices=(*self.slices, time_slice))

    def lift_slice(self) -> None:
        """Lift the limit of the last trial, also for searches that have begun."""
        self.slices[-1].ends = inf

    def slice_is_over(self) -> bool:
        """Return whether a trial has used up its processor time."""
        if not self.slices:
            return False
        worked = self.worked()
        return any(time_slice.is_over(worked) for time_slice in self.slices)

    def worked(self) -> float:
        """Return the processor time of this process and of the backends' processes."""
        return time.process_time() + self.clock.elsewhere

    def remaining(self) -> float | None:
        """Return the remaining seconds; never negative."""
        return self.clock.remaining()

    def step(self, number: int = 1) -> None:
        """Count search steps, and raise Stopped if the budget is used up."""
        if self.steps is not None:
            self.steps -= number
            if self.steps < 0:
                raise Stopped("the step budget is used up")
        self.check()

    def check(self) -> None:
        """Raise Stopped if the time is up; for work other than search steps."""
        self.clock.check()
        if not self.slices:
            return
        now = time.monotonic()
        if now >= self.clock.next_look:
            if self.slice_is_over():
                raise Stopped("the trial is over")
            self.clock.next_look = now + CHECK_SECONDS


def _noted(
    answers: Iterator[T], efforts: Callable[[], dict[str, int]], statistics: Statistics
) -> Iterator[T]:
    try:
        yield from answers
    finally:
        statistics.add_efforts(**efforts())


class Backend(ABC):
    """A backend: it searches a model that is lowered to the forms that it supports.

    It never changes the model. A stream that ends is complete. One that cannot finish raises
    Stopped or Undecided.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    supports: ClassVar[Supports]

    def prepare(self, budget: Budget) -> None:  # noqa: B027 (most libraries compile nothing)
        """Have the library compile what it compiles once after its installation. Raises Stopped."""

    @abstractmethod
    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        """Run a query of a task that `supports` names.

        enumerate: yields the solutions. The model has a goal only if the query has a bound on it.
        optimise: yields solutions, each better than the last; when the stream ends, the last is
        optimal. count: yields one number, the number of solutions. sample: yields uniformly random
        solutions without end; nothing if there is none.

        Raises: Stopped if the budget is used up; Undecided if the backend gives up; Unsupported,
        with the rule, for a model that it cannot handle.
        """


def goal_of(model: Model) -> Objective:
    assert model.goal is not None, "this query needs a model with a goal"
    return model.goal


def bounded(model: Model, bound: ObjectiveBound) -> Model:
    """Return the model of the solutions within a bound on its goal, without the goal."""
    goal = goal_of(model)
    limit = Constant(bound.value)
    if bound.optimal:
        condition = Comparison("==", goal.term, limit)
        origin = Origin(f"{goal.name} = {bound.value}")
    else:
        origin = Origin(f"no worse than {goal.name} = {bound.value}")
        if goal.maximise:
            condition = Comparison("<=", limit, goal.term)
        else:
            condition = Comparison("<=", goal.term, limit)
    constraints = (*model.constraints, Constraint(condition, origin))
    return replace(model, constraints=constraints, goal=None)
