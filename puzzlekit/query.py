"""The query: what to find out about a puzzle.

It is one value, which is checked here and passed on unchanged through every layer to the backend.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from puzzlekit.errors import InputError
from puzzlekit.options import Option


class Task(StrEnum):
    """The kinds of queries."""

    ENUMERATE = "enumerate"  # list solutions, in any order
    COUNT = "count"  # count the solutions exactly
    OPTIMISE = "optimise"  # list solutions that are proven optimal for a goal
    SAMPLE = "sample"  # draw solutions uniformly at random
    RANK = "rank"  # list solutions in the order of a goal, the best first


class Presolve(StrEnum):
    """How much smaller a model is made before a backend gets it."""

    NONE = "none"  # only what no backend takes is rewritten
    LIGHT = "light"  # each condition on its own removes values
    FULL = "full"  # conditions cut tables, and are propagated again once they are smaller, too

    @classmethod
    def of(cls, text: str) -> Presolve:
        """Return the level with this name. Raises InputError if there is none."""
        try:
            return cls(text)
        except ValueError:
            raise InputError(f"--presolve requires one of {', '.join(cls)}, got {text!r}") from None


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
        kind: The kind of query, also as text ("count").
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
        >>> query.kind, query.limit
        (<Kind.COUNT: 'count'>, None)
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
        """Reject combinations that make no sense. Messages use the names of the options."""
        try:
            object.__setattr__(self, "task", Task(self.task))
        except ValueError:
            raise InputError(
                f"expected one of {', '.join(Task)} as the kind of query, got {self.task!r}"
            ) from None
        object.__setattr__(self, "presolve", Presolve.of(self.presolve))
        if self.limit is not None and (
            isinstance(self.limit, bool) or not isinstance(self.limit, int) or self.limit < 1
        ):
            option = "--sample" if self.task is Task.SAMPLE else "--limit"
            raise InputError(f"{option} requires a number of solutions from 1, got {self.limit}")
        if self.task is Task.COUNT and self.limit is not None:
            raise InputError("--limit, --all, --count and --sample exclude each other")
        if self.task is Task.SAMPLE and self.limit is None:
            raise InputError("--sample requires a number of solutions")
        if self.seed is not None and self.task is not Task.SAMPLE:
            raise InputError("--seed requires --sample")
        if self.uniform and self.task is not Task.SAMPLE:
            raise InputError("--uniform requires --sample")
        if self.task is Task.RANK and self.goal in (None, "none"):
            raise InputError("--rank requires the name of a goal")
        if self.task is Task.OPTIMISE and self.goal == "none":
            raise InputError("--goal none leaves nothing to optimise")

    @property
    def everything(self) -> bool:
        """Whether the query is about all solutions: a list, a count or a sample of them."""
        return self.limit is None or self.task is Task.SAMPLE

    def require_about_all(self) -> None:
        """Raise InputError if an option cannot be combined with --backbone."""
        if self.task not in (Task.ENUMERATE, Task.OPTIMISE) or self.limit != 1 or not self.ordered:
            raise InputError(
                "--backbone cannot be combined with --limit, --all, --count, --sample or --rank"
            )

    def require_drawable(self) -> None:
        """Raise InputError if the query lists no solutions to draw."""
        if self.task is Task.COUNT:
            raise InputError(
                "--svg and --html cannot be combined with --count, which lists no solutions"
            )


Goal = Annotated[str | None, Option("the goal to optimise", "NAME|none", completes="goals")]


@dataclass(frozen=True)
class QueryOptions:
    """What the options of a command, or the arguments of `Puzzle.solve`, ask of a puzzle.

    Without options, they ask for the first solution, or for the best one if the type has a goal.
    """

    goal: Goal = None
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
        """The query. Raises InputError for options that cannot be combined."""
        rank, level = self.rank, Presolve.of(self.presolve)
        if (self.limit is not None) + self.everything + self.counting + (
            self.sample is not None
        ) > 1:
            raise InputError("--limit, --all, --count and --sample exclude each other")
        if rank not in (None, "none"):
            if self.counting or self.sample is not None or self.goal not in (None, "none"):
                raise InputError(
                    "--rank cannot be combined with --goal, --count or --sample: it orders listed solutions"
                )
            limit = None if self.everything else self.limit or 1
            return Query(Task.RANK, limit, rank, self.seed, self.uniform, presolve=level)
        if self.counting:
            return Query(Task.COUNT, None, self.goal, self.seed, self.uniform, presolve=level)
        if self.sample is not None:
            return Query(
                Task.SAMPLE, self.sample, self.goal, self.seed, self.uniform, presolve=level
            )
        kind = Task.ENUMERATE if self.goal in (None, "none") else Task.OPTIMISE
        limit = None if self.everything else 1 if self.limit is None else self.limit
        return Query(
            kind, limit, self.goal, self.seed, self.uniform, ordered=rank is None, presolve=level
        )
