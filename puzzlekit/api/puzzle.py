"""A puzzle that is loaded: solve it, count it, find its best solution."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from puzzlekit.api.run import Run
from puzzlekit.api.solution import Solution
from puzzlekit.api.then import check_then
from puzzlekit.backends.watching import collector_at_rest
from puzzlekit.catalogue import find
from puzzlekit.clock import LOADING, Clock
from puzzlekit.errors import InputError, Problem, Problems, nearest
from puzzlekit.lang import (
    STDIN,
    BoundPuzzle,
    PuzzleType,
    Spec,
    bind,
    no_spec,
    read_spec,
    read_stdin,
    read_text,
    read_type,
)
from puzzlekit.model import Goal, Model
from puzzlekit.query import Kind, Query


class Puzzle:
    """A type bound to a spec."""

    def __init__(self, kind: PuzzleType, spec: Spec, instance: BoundPuzzle, seconds: float = 0.0) -> None:
        self.type = kind
        self.spec = spec
        self.instance = instance
        self.seconds = seconds

    @property
    def title(self) -> str:
        """The type's title, and the spec's where it has one."""
        own = self.spec.text("title")
        return f"{self.type.title or self.type.name}{f': {own}' if own else ''}"

    @property
    def model(self) -> Model:
        """The puzzle as a model, before anything is presolved."""
        return self.instance.model

    def goal(self, name: str | None) -> Goal | None:
        """The goal of this name; None for "none", the type's default for None. Raises InputError for one that is not there."""
        goals = self.instance.goals
        if name is None:
            return goals.get(self.type.default_goal(self.instance.lacking))
        if name == "none":
            return None
        if name in self.instance.lacking:
            raise InputError(f"{self.type.name} has no goal {name} with these words: {self.instance.lacking[name]}")
        if name not in goals:
            known = nearest(name, [*goals, "none"]) if goals else "it has no goals"
            raise InputError(f"{self.type.name} has no goal {name}; {known}")
        return goals[name]

    def ranking(self, query: Query) -> Goal | None:
        """The goal that puts the solutions in order. Raises InputError for one that cannot be had."""
        if query.kind is Kind.RANK:
            return self.goal(query.goal)
        return self.instance.goals.get(self.type.rank) if self._has_order(query) else None

    def unordered(self, query: Query) -> str:
        """Why solutions have no order though the type ranks them; empty where they have it, or none is asked for."""
        return self.instance.lacking.get(self.type.rank, "") if self._has_order(query) else ""

    def _has_order(self, query: Query) -> bool:
        return query.kind is Kind.ENUMERATE and query.goal is None and query.ordered

    def run(
        self,
        query: Query,
        backend: str = "auto",
        timeout: float | None = None,
        isolated: bool = False,
        clock: Clock | None = None,
        total_within: float | None = None,
    ) -> Run:
        """Begin to answer a query within `timeout` seconds, or what is left of a `clock` that runs already.

        With `isolated` each backend runs in a process of its own. With `total_within` seconds of processor time all solutions
        are counted first, if that is enough; the run's `total` is their number.
        """
        if timeout is not None and not timeout >= 0:  # it may be no number at all
            raise InputError(f"--timeout is a number of seconds from 0 on, and not {timeout}")
        return Run(self, query, backend, timeout, isolated, clock, total_within)

    def solve(
        self,
        backend: str = "auto",
        goal: str | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        rank: str | None = None,
    ) -> Iterator[Solution]:
        """The solutions one by one, each checked, up to a limit; with the name of a goal, all that are best for it.

        With a goal's name as `rank` all solutions, the best for it first, each with its `value`.

        Raises Stopped when the time is up, Undecided when the backend gives up; a stream that ends is complete.
        """
        run = self.run(Query.of_options(goal or "none", limit, limit is None, rank=rank), backend, timeout)
        yield from run
        run.raise_reason()

    def count(self, backend: str = "auto", goal: str | None = None, timeout: float | None = None) -> int:
        """The exact number of solutions; with the name of a goal, of those that are best for it."""
        run = self.run(Query(Kind.COUNT, goal=goal), backend, timeout)
        for _ in run:
            pass
        run.raise_reason()
        return run.count

    def sample(
        self, number: int, seed: int | None = None, backend: str = "auto", goal: str | None = None, timeout: float | None = None
    ) -> list[Solution]:
        """Solutions drawn at random, independently, each solution with the same probability; none if there is no solution.

        With the name of a goal they are drawn among those that are best for it.
        """
        run = self.run(Query(Kind.SAMPLE, number, goal, seed), backend, timeout)
        found = list(run)
        run.raise_reason()
        return found

    def best(self, goal: str | None = None, backend: str = "auto", timeout: float | None = None) -> Solution | None:
        """A solution that is proven best for the goal (by default the type's first goal); None if there is no solution."""
        goal = goal or next(iter(self.instance.goals), None)
        if self.goal(goal) is None:
            raise InputError(f"{self.type.name} has no goal")
        run = self.run(Query(Kind.OPTIMISE, 1, goal), backend, timeout)
        found = list(run)
        run.raise_reason()
        return found[0] if found else None


def load(
    kind: str | None,
    spec: str | Path | None = None,
    words: str | None = None,
    settings: Mapping[str, str] | None = None,
    fold_accents: bool = False,
    timeout: float | None = None,
    clock: Clock | None = None,
) -> Puzzle:
    """A type, by name or path, with a spec, by path (`-` is standard input); without a type the spec's `puzzle:` names it.

    `words` replaces the lexicon (`a+b` joins two), `settings` other fields, as text; without a spec they give all that has
    no default. With `fold_accents` letters lose their accents, in the spec and in its lexicons. A `clock` that runs already
    bounds loading in place of `timeout` seconds. Raises InputError, Problems included; Stopped when the time is up.
    """
    clock = clock or Clock(timeout)
    began = time.perf_counter()
    with collector_at_rest(), clock.stage(LOADING):
        puzzle = clock.hear(lambda: _load(kind, spec, words, settings, fold_accents))
    puzzle.seconds = time.perf_counter() - began
    return puzzle


def _load(
    kind: str | None, spec: str | Path | None, words: str | None, settings: Mapping[str, str] | None, fold_accents: bool
) -> Puzzle:
    if kind and spec is None:
        alone, nothing = read_type(find(kind)), no_spec()
        check_then(alone)
        return Puzzle(alone, nothing, bind(alone, nothing, settings, words, None, fold_accents))
    path = str(spec) if spec is not None else ""
    read = read_spec(STDIN, read_stdin()) if path == "-" else read_spec(path, read_text(Path(path)))
    named = read.text("puzzle")
    if not kind and not named:
        raise Problems([Problem("this spec does not name its type", read.source.place(0, 0), "add: puzzle: the type's name")])
    folder = None if path == "-" else Path(path).parent
    try:
        type_ = read_type(find(kind or named, folder))
    except Problems:
        raise
    except InputError as error:
        if kind:
            raise
        read.source.problem(str(error), read.about["puzzle"])
        read.source.raise_problems()
        raise
    if named and named != type_.name:
        read.source.problem(f"this spec is for {named}, not for {type_.name}", read.about["puzzle"])
        read.source.raise_problems()
    check_then(type_)
    instance = bind(type_, read, settings, words, folder, fold_accents)
    return Puzzle(type_, read, instance)
