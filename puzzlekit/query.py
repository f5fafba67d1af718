"""What is asked of a puzzle: a query is one value, checked here and passed on whole, through every layer, to the backend."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from puzzlekit.errors import InputError


class Kind(StrEnum):
    """What kind of question it is."""

    ENUMERATE = "enumerate"  # solutions in any order
    COUNT = "count"  # how many solutions there are, exactly
    OPTIMISE = "optimise"  # solutions that are proven best for a goal
    SAMPLE = "sample"  # solutions drawn at random, each with the same probability
    RANK = "rank"  # solutions in the order of a goal, the best first


@dataclass(frozen=True)
class Bound:
    """Only solutions whose goal is no worse than `value`. With `optimal` it is proven that none is better."""

    value: int
    optimal: bool = False


@dataclass(frozen=True)
class Query:
    """What is asked of a puzzle.

    Args:
        kind: what kind of question it is; a text ("count") will do.
        limit: how many solutions are asked for at most, None for all. A sample needs a number, a count has none.
        goal: the name of a goal; "none" for no goal. None leaves it to the type: where solutions are enumerated up to a limit,
            its first goal is optimised; a count or a sample of all solutions has no goal. With a name, a count or a sample is
            about the solutions that are best for the goal.
        seed: makes a sample come again.
        ordered: whether an enumeration has the order of the type, where the type has one and no goal is named.
        bound: solutions beyond it are left out; `solve/` sets it, for a model that has the goal.

    Raises:
        InputError: for a combination that makes no sense, as `Query("count", limit=3)`.

    Examples:
        >>> Query("count")
        Query(kind=<Kind.COUNT: 'count'>, limit=None, goal=None, seed=None, ordered=True, bound=None)
    """

    kind: Kind = Kind.ENUMERATE
    limit: int | None = None
    goal: str | None = None
    seed: int | None = None
    ordered: bool = True
    bound: Bound | None = None

    def __post_init__(self) -> None:
        """Refuse what makes no sense. Options are called as the command line calls them."""
        try:
            object.__setattr__(self, "kind", Kind(self.kind))
        except ValueError:
            raise InputError(f"a query is one of {', '.join(Kind)}, not {self.kind!r}") from None
        if self.limit is not None and (isinstance(self.limit, bool) or not isinstance(self.limit, int) or self.limit < 1):
            option = "--sample" if self.kind is Kind.SAMPLE else "--limit"
            raise InputError(f"{option} is a number of solutions from 1 on, and not {self.limit}")
        if self.kind is Kind.COUNT and self.limit is not None:
            raise InputError("--limit, --all, --count and --sample exclude each other")
        if self.kind is Kind.SAMPLE and self.limit is None:
            raise InputError("--sample requires a number of solutions")
        if self.seed is not None and self.kind is not Kind.SAMPLE:
            raise InputError("--seed is for --sample")
        if self.kind is Kind.RANK and self.goal in (None, "none"):
            raise InputError("--rank requires the name of a goal")
        if self.kind is Kind.OPTIMISE and self.goal == "none":
            raise InputError("there is nothing to optimise with --goal none")

    @classmethod
    def of_options(
        cls,
        goal: str | None = None,
        limit: int | None = None,
        everything: bool = False,
        counting: bool = False,
        sample: int | None = None,
        seed: int | None = None,
        rank: str | None = None,
    ) -> Query:
        """The query of the options of `solve`, of which none is required: the first solution, or the best one."""
        if (limit is not None) + everything + counting + (sample is not None) > 1:
            raise InputError("--limit, --all, --count and --sample exclude each other")
        if rank not in (None, "none"):
            if counting or sample is not None or goal not in (None, "none"):
                raise InputError(
                    "--rank cannot be combined with --goal, --count or --sample: it is for solutions that are listed"
                )
            return cls(Kind.RANK, None if everything else limit or 1, rank, seed)
        if counting:
            return cls(Kind.COUNT, None, goal, seed)
        if sample is not None:
            return cls(Kind.SAMPLE, sample, goal, seed)
        kind = Kind.ENUMERATE if goal in (None, "none") else Kind.OPTIMISE
        return cls(kind, None if everything else 1 if limit is None else limit, goal, seed, ordered=rank is None)

    @property
    def everything(self) -> bool:
        """Whether it is about all solutions: all of them, their number, or a sample of them."""
        return self.limit is None or self.kind is Kind.SAMPLE

    def require_about_all(self) -> None:
        """Raise InputError unless it asks for the first solution or best one: what all have in common has no other question."""
        if self.kind not in (Kind.ENUMERATE, Kind.OPTIMISE) or self.limit != 1 or not self.ordered:
            raise InputError("--backbone is about all solutions: it excludes --limit, --all, --count, --sample and --rank")

    def require_drawable(self) -> None:
        """Raise InputError where no solutions are listed that could be drawn."""
        if self.kind is Kind.COUNT:
            raise InputError("--svg and --html draw solutions: --count lists none")
