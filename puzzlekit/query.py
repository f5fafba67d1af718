"""The query: what to find out about a puzzle.

It is one value, which is checked here and passed on unchanged through every layer to the backend.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, option
from puzzlekit.options import Option


class Task(StrEnum):
    """The task of a query."""

    ENUMERATE = "enumerate"  # list solutions, in any order
    COUNT = "count"  # count the solutions exactly
    OPTIMISE = "optimise"  # list solutions that are proven optimal for an objective
    SAMPLE = "sample"  # draw solutions uniformly at random
    RANK = "rank"  # list solutions in the order of a goal, the best first


class Presolve(StrEnum):
    """How much smaller a model is made before a backend gets it."""

    NONE = "none"  # only constraints that no backend supports are rewritten
    LIGHT = "light"  # each constraint alone removes values from domains
    FULL = "full"  # constraints also remove rows of tables, and are propagated to a fixpoint

    @classmethod
    def of(cls, text: str) -> Presolve:
        """Return the level with this name. Raises InputError if there is none."""
        try:
            return cls(text)
        except ValueError:
            levels = ", ".join(cls)
            raise InputError(
                f"{option('presolve')} requires one of {levels}, got {text!r}"
            ) from None


@dataclass(frozen=True)
class ObjectiveBound:
    """Restricts a query to solutions whose goal is no worse than `value`.

    With `optimal`, the value is proven to be the best.
    """

    value: int
    optimal: bool = False


@dataclass(frozen=True)
class Query:
    """What to find out about a puzzle.

    Args:
        task: The task, also as text ("count").
        limit: The most solutions to return; None for all. A sample requires a number, a count takes
            none.
        goal: The name of a goal, or "none" for no goal. With a name, a count or a sample is about
            the optimal solutions only. None leaves the goal to the type: an enumeration with a
            limit optimises its default goal; a count, a sample and an enumeration of all solutions
            have no goal.
        seed: Makes a sample reproducible.
        uniform: Whether a sample must be exactly uniform, however long that takes. Otherwise it is
            only nearly uniform where the solutions are not counted at once.
        ordered: Whether an enumeration follows the order of the type, if the type has one and no
            goal is named.
        bound: Excludes solutions with a worse goal. `solve/` sets it, for a model with the goal.
        presolve: How much smaller the model is made before a backend gets it, also as text.

    Raises:
        InputError: The combination makes no sense, such as `Query("count", limit=3)`.

    Examples:
        >>> query = Query("count")
        >>> query.task, query.limit
        (<Task.COUNT: 'count'>, None)
    """

    task: Task = Task.ENUMERATE
    limit: int | None = None
    goal: str | None = None
    seed: int | None = None
    uniform: bool = False
    ordered: bool = True
    bound: ObjectiveBound | None = None
    presolve: Presolve = Presolve.FULL

    def __post_init__(self) -> None:
        """Reject combinations that make no sense."""
        try:
            object.__setattr__(self, "task", Task(self.task))
        except ValueError:
            raise InputError(
                f"expected one of {', '.join(Task)} as the task of a query, got {self.task!r}"
            ) from None
        object.__setattr__(self, "presolve", Presolve.of(self.presolve))
        self._check_limit()
        if self.seed is not None and not _is_whole(self.seed):
            raise InputError(f"{option('seed')} requires a whole number, got {self.seed!r}")
        for name in ("seed", "uniform"):
            if getattr(self, name) not in (None, False) and self.task is not Task.SAMPLE:
                raise InputError(f"{option(name)} requires {_sampling()}")
        if self.goal is not None and not isinstance(self.goal, str):
            raise InputError(f"{option('goal')} requires the name of a goal, got {self.goal!r}")
        if self.task is Task.RANK and self.goal in (None, "none"):
            raise InputError("the task rank requires the name of a goal")
        if self.task is Task.OPTIMISE and self.goal == "none":
            raise InputError("the goal none leaves nothing to optimise")

    def _check_limit(self) -> None:
        """Reject a limit that is no number of solutions, or that the task does not allow."""
        is_sample = self.task is Task.SAMPLE
        if self.limit is None:
            if is_sample:
                raise InputError("a sample requires a number of solutions")
            return
        if not _is_whole(self.limit) or self.limit < 1:
            subject = "a sample" if is_sample else option("limit")
            raise InputError(f"{subject} requires a number of solutions from 1, got {self.limit!r}")
        if self.task is Task.COUNT:
            raise InputError(f"a count cannot be combined with {option('limit')}")

    @property
    def everything(self) -> bool:
        """Whether the query is about all solutions: a list, a count or a sample of them."""
        return self.limit is None or self.task is Task.SAMPLE

    def require_about_all(self) -> None:
        """Raise InputError if the query is not about all solutions, as that of a backbone is."""
        if self.task not in (Task.ENUMERATE, Task.OPTIMISE) or self.limit != 1 or not self.ordered:
            options = ", ".join(map(option, ("limit", "everything", "counting", "sample")))
            raise InputError(
                f"{option('backbone')} cannot be combined with {options} or {option('rank')}"
            )

    def require_drawable(self) -> None:
        """Raise InputError if the query lists no solutions to draw."""
        if self.task is Task.COUNT:
            raise InputError(
                "--svg and --html cannot be combined with --count, which lists no solutions"
            )


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)


def _sampling() -> str:
    """Return what the user asks for a sample with: an option in a shell, a task in Python."""
    name = option("sample")
    return name if name.startswith("-") else "the task sample"


GoalOption = Annotated[str | None, Option("the goal to optimise", "NAME|none", completes="goals")]


@dataclass(frozen=True)
class QueryOptions:
    """What the options of a command, or the arguments of `Puzzle.solve`, ask of a puzzle.

    Without options, they ask for the first solution, or for the best one if the type has a goal.
    """

    goal: GoalOption = None
    rank: Annotated[
        str | None,
        Option("rank solutions by this goal, best first", "NAME|none", completes="goals"),
    ] = None
    limit: Annotated[int | None, Option("list at most N solutions", "N", least=1)] = None
    everything: Annotated[
        bool, Option("list every solution; with --goal, every optimal one", name="--all")
    ] = False
    counting: Annotated[
        bool,
        Option(
            "print only the exact number of solutions; with --goal, of optimal ones", name="--count"
        ),
    ] = False
    sample: Annotated[int | None, Option("draw N solutions at random", "N", least=1)] = None
    seed: Annotated[int | None, Option("with --sample: repeat the same draws", "N")] = None
    uniform: Annotated[
        bool, Option("with --sample: exactly as likely each, however long it takes")
    ] = False
    presolve: Annotated[
        str,
        Option(
            "how much smaller the model is made before a backend gets it",
            "none|light|full",
            completes="levels",
        ),
    ] = Presolve.FULL.value

    def query(self) -> Query:
        """Return the query. Raises InputError for options that cannot be combined."""
        level = Presolve.of(self.presolve)
        has_sample = self.sample is not None
        extents = [self.limit is not None, self.everything, self.counting, has_sample]
        if sum(extents) > 1:
            names = [option(name) for name in ("limit", "everything", "counting", "sample")]
            raise InputError(f"{', '.join(names[:-1])} and {names[-1]} exclude each other")
        has_goal = self.goal not in (None, "none")
        limit = self.limit
        if limit is None and not self.everything:
            limit = 1
        goal, ordered = self.goal, True
        if self.rank not in (None, "none"):
            if self.counting or has_sample or has_goal:
                others = f"{option('goal')}, {option('counting')} or {option('sample')}"
                raise InputError(
                    f"{option('rank')} cannot be combined with {others}: it orders listed solutions"
                )
            task, goal = Task.RANK, self.rank
        elif self.counting:
            task, limit = Task.COUNT, None
        elif has_sample:
            task, limit = Task.SAMPLE, self.sample
        else:
            task = Task.OPTIMISE if has_goal else Task.ENUMERATE
            ordered = self.rank is None
        return Query(task, limit, goal, self.seed, self.uniform, ordered, presolve=level)
