"""What is asked of a puzzle, and which questions make no sense."""

from __future__ import annotations

from dataclasses import dataclass

from puzzlekit.clock import Clock
from puzzlekit.errors import InputError


@dataclass(frozen=True)
class Query:
    """What is asked of a puzzle. Raises InputError for a combination that makes no sense: `limit=3, counting=True`.

    `goal` is a goal's name, "none", or None for the type's own first goal; with `everything`, `counting` or `sample` None
    means no goal. `rank` is the name of a goal by which all solutions, or the first `limit`, come in order, the best first;
    "none" for any order, None for the order of the type, where it has one and no goal is named. `limit` is a number of
    solutions; None is one. `sample` is a number of solutions to be drawn at random, `seed` makes the draws come again, and
    `isolated` lets each backend run in a process of its own. With a `clock` that runs already, its time bounds the request,
    and not `timeout`.
    """

    backend: str = "auto"
    goal: str | None = None
    limit: int | None = None
    everything: bool = False
    counting: bool = False
    timeout: float | None = None
    sample: int | None = None
    seed: int | None = None
    isolated: bool = False
    rank: str | None = None
    clock: Clock | None = None

    def __post_init__(self) -> None:
        """The one place that says what goes with what. Options are called as the command line calls them."""
        for option, number in (("--limit", self.limit), ("--sample", self.sample)):
            if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 1):
                raise InputError(f"{option} is a number of solutions from 1 on, and not {number}")
        if self.timeout is not None and not self.timeout >= 0:  # it may be no number at all
            raise InputError(f"--timeout is a number of seconds from 0 on, and not {self.timeout}")
        if (self.limit is not None) + self.everything + self.counting + (self.sample is not None) > 1:
            raise InputError("--limit, --all, --count and --sample exclude each other")
        if self.seed is not None and self.sample is None:
            raise InputError("--seed is for --sample")
        ranked = self.rank not in (None, "none")
        if ranked and (self.counting or self.sample is not None or self.goal not in (None, "none")):
            raise InputError("solutions are ranked where they are listed: --rank goes not with --goal, --count or --sample")

    @property
    def listing(self) -> bool:
        """Whether it is about all solutions, and not about the first or best."""
        return self.everything or self.counting or self.sample is not None

    @property
    def alone(self) -> bool:
        """Whether one solution is all that is asked for."""
        return not self.listing and self.limit in (None, 1)

    def require_about_all(self) -> None:
        """Raise InputError unless it asks neither for some solutions nor for an order: what all have in common has neither."""
        if self.limit is not None or self.listing or self.rank is not None:
            raise InputError("--backbone is about all solutions: it excludes --limit, --all, --count, --sample and --rank")

    def require_drawable(self) -> None:
        """Raise InputError where no solutions are listed that could be drawn."""
        if self.counting:
            raise InputError("--svg and --html draw solutions: --count lists none")
