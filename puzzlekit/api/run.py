"""A run of one query: its checked solutions, and a report of how it ended."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial
from typing import Any

from puzzlekit.api.outcome import Outcome, solver_for
from puzzlekit.api.solution import LoadedPuzzle, Sequel, Solution
from puzzlekit.backends import Budget, Statistics, bounded
from puzzlekit.clock import BUILDING, LOADING, PRESOLVE, SEARCH, Clock, choose_clock
from puzzlekit.errors import BackendBug, Problems, Stopped, Undecided, Unsupported, option
from puzzlekit.lang import Expression, FollowUp, bind, sections_of, spec_of
from puzzlekit.model import Values
from puzzlekit.query import ObjectiveBound, Query, Task
from puzzlekit.sentences import GoalSoFar, Interrupted, NoSolutionProven
from puzzlekit.solve import (
    ModelSearch,
    UniqueSolution,
    checked_solutions,
    only_solution,
    with_goal,
)

REREAD_SOLUTIONS = 100  # checked against the rules' text as well as against the conditions
RANKING_SECONDS = 3.0  # for a default ranking
REREAD_SECONDS = 0.002  # of such checks, after which no more solutions are checked


class Run(Outcome):
    """A query that is running: iterate over it for the solutions.

    The attributes are final when the iteration ends. A run that cannot finish does not raise:
    `status` reports it, and the solutions found are kept.

    Attributes:
        status: "complete", "stopped" (the time is up, or Ctrl-C), "undecided" (the backend gave up)
            or "unsupported" (the backend cannot take the puzzle).
        reason: The error that ended the run early; None if it is complete.
        count: The number of solutions found, or counted.
        counted: Whether `count` is the number of all solutions.
        uniform: Whether each solution of a sample was exactly as likely; None for other queries.
        value: The best value of the goal that was found; None without a goal.
        optimal: Whether `value` is proven to be the best; None without a goal.
        seconds: The seconds of each stage, and their "total".
        statistics: What the backend reports of its work, if the run was asked for it; else None.

    Examples:
        >>> import puzzlekit
        >>> puzzle = puzzlekit.load("examples/magic_square.yaml", {"size": 3})
        >>> run = puzzle.run(puzzlekit.Query(limit=2))
        >>> len(list(run)), run.status, run.count, run.counted
        (2, 'complete', 2, False)
    """

    def __init__(
        self,
        puzzle: LoadedPuzzle,
        query: Query,
        backend: str = "auto",
        timeout: float | None = None,
        clock: Clock | None = None,
        isolated: bool = False,
        total_within: float | None = None,
        statistics: bool = False,
    ) -> None:
        self.statistics = Statistics() if statistics else None
        by = solver_for(query, backend, isolated)  # the time begins when its library is loaded
        budget = Budget.on(choose_clock(timeout, clock), statistics=self.statistics)
        super().__init__(puzzle, query, by, budget)
        self.backend = backend
        self.isolated = isolated
        self.total_within = total_within
        self.total: int | None = None  # the number of all solutions, if counted before the first
        self.late: Exception | None = None
        self.count = 0
        self.counted = False
        self.cut_short = False  # whether ranked solutions end before the last
        self.optimal: bool | None = None
        self.first: float | None = None
        self._before = dict(self.clock.seconds)
        self.seconds = {
            LOADING: puzzle.seconds,
            PRESOLVE: 0.0,
            BUILDING: 0.0,
            SEARCH: 0.0,
            "total": puzzle.seconds,
        }
        self.began = time.perf_counter()
        self.elsewhere = 0.0
        self.reread = REREAD_SOLUTIONS
        # Whether the other rules have been checked on solutions of puzzles of the same shape
        self.checks_own = False
        self.rereading = 0.0
        self.rank = puzzle.ranking(query)
        self.unordered = puzzle.unordered(query)
        is_listing = query.task is Task.ENUMERATE and not self.rank
        if self.statistics is not None and is_listing and query.limit:
            self.budget.solution_limit = query.limit + 1  # one more shows that there are more
        self.goal = None
        if not self.rank and not (query.everything and query.goal is None):
            self.goal = puzzle.goal(query.goal)

    def __iter__(self) -> Iterator[Solution]:
        self.began = time.perf_counter()
        try:
            yield from self.clock.stream(self._solutions())
        except (Stopped, Undecided, Unsupported) as reason:
            self.end_early(reason)
        except BackendBug as bug:
            raise self.of_backend(bug) from bug
        except KeyboardInterrupt:
            self.interrupt()
        finally:
            self._note_time()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Exclude the time that the caller spends on a solution from all stages."""
        began = time.perf_counter()
        try:
            yield
        finally:
            self.elsewhere += time.perf_counter() - began

    def took(self) -> float:
        """The seconds so far, loading included."""
        return self.seconds[LOADING] + time.perf_counter() - self.began - self.elsewhere

    def _note_time(self) -> None:
        took = time.perf_counter() - self.began - self.elsewhere
        for stage in (PRESOLVE, BUILDING):
            self.seconds[stage] = self.clock.seconds[stage] - self._before[stage]
        self.seconds[SEARCH] = max(0.0, took - self.seconds[PRESOLVE] - self.seconds[BUILDING])
        self.seconds["total"] = self.seconds[LOADING] + took

    @property
    def uniform(self) -> bool | None:
        """Whether the sample is exactly uniform; None if the query draws none."""
        if self.query.task is not Task.SAMPLE:
            return None
        return all(search.uniform for search in self.searches)

    @property
    def any(self) -> bool:
        """Whether a solution was found or counted."""
        return self.count > 0

    def interrupt(self) -> None:
        """Record a Ctrl-C."""
        self._note_time()
        super().interrupt()

    def _solutions(self) -> Iterator[Solution]:
        goal = self.goal
        model = with_goal(self.puzzle.model, self.rank or goal)
        start = self.puzzle.instance.starts.get(goal.name) if goal else None
        began = time.perf_counter()
        if goal is not None and start is not None:  # the start reaches the goal's bound
            self.value = goal.term.value(start)
            self.optimal = True
            if self.query.limit == 1:
                self.first = 0.0
                yield from self._give(start)
                return
            model = bounded(model, ObjectiveBound(self.value, optimal=True))
            goal = None
        unique = self._compiled()
        if unique is not None:
            self.answered_by = unique.by
            self.counted = True
            self.first = time.perf_counter() - began
            self.checks_own = unique.seen_before
            checked = checked_solutions(self.puzzle.model, iter((unique.values,)))
            yield from self._give(next(checked))
            return
        search = self.search(model)
        if self.total_within is not None and self.query.task is not Task.COUNT:
            self._count_total(search, self.total_within)
        if goal is not None and not (yield from self._best(search)):
            return
        yield from self._answers(search, began)

    def _answers(self, search: ModelSearch, began: float) -> Iterator[Solution]:
        """Count, sample, list or rank the solutions of a search."""
        if self.query.task is Task.COUNT:
            self.count = search.count()
            self.counted = True
            return
        if self.query.task is Task.SAMPLE:
            for values in search.run(self.query):
                yield from self._give(values)
            return
        if self.query.limit is None and not self.rank and not self.puzzle.type.sections:
            yield from self._all(search.run(Query()), began)
            return
        for values in self._ranked(search) if self.rank else search.run(Query()):
            self.first = self.first or time.perf_counter() - began
            if self.count == self.query.limit:
                return
            yield from self._give(values)
        self.counted = not self.cut_short

    def _compiled(self) -> UniqueSolution | None:
        """Return the only solution, if the puzzle is compiled for its shape and has one."""
        query = self.query
        listing = Query(limit=query.limit, ordered=query.ordered, goal=query.goal)
        if query != listing or self.rank or self.goal:
            return None
        if self.backend != "auto" or self.isolated:
            return None
        if self.statistics or self.total_within is not None:
            return None
        return only_solution(self.puzzle.instance, self.budget)

    def _count_total(self, search: ModelSearch, seconds: float) -> None:
        """Count all solutions, if that takes at most this many seconds of processor time."""
        search.budget = self.budget.with_slice_of(seconds)
        try:
            self.total = search.count()
        except (Stopped, Undecided):
            self.budget.check()
        finally:
            search.budget = self.budget

    def _all(self, stream: Iterator[Values], began: float) -> Iterator[Solution]:
        """Yield all solutions with little work for each, as there may be millions."""
        for self.count, values in enumerate(stream, 1):
            self.first = self.first or time.perf_counter() - began
            self._read_again(values)
            yield self._evaluated(values)
            if not self.reread:
                break
        to_solution: Callable[[Values], Solution] = self._evaluated
        if not self.puzzle.type.output_expressions:
            to_solution = partial(Solution, self.puzzle.instance)
        number = self.count + 1
        for self.count, solution in enumerate(map(to_solution, stream), number):
            yield solution
        self.counted = True

    def _ranked(self, search: ModelSearch) -> Iterator[Values]:
        """Yield the solutions in order; a default ranking that takes too long is dropped."""
        assert self.rank is not None, "a ranked query has a goal"
        ranking = Query(Task.RANK, goal=self.rank.name)
        if self.query.task is Task.RANK:
            yield from search.run(ranking)
            return
        trial = self.budget.with_slice_of(RANKING_SECONDS)
        yielded = False
        try:
            for values in search.run(ranking, trial):
                if not yielded and trial.slice_is_over() and self.budget.remaining() != 0.0:
                    break  # time is up: it may be only the best one found so far
                yielded = True
                if self.query.limit is None:
                    trial.lift_slice()
                yield values
            else:
                return
        except (Stopped, Undecided):
            self.budget.check()
            if yielded and self.query.limit is None:
                raise
        self.cut_short = yielded
        if not yielded:
            hint = f"use {option('rank')} {self.rank.name} to wait for it"
            self.unordered = f"no first solution within {RANKING_SECONDS:g} seconds; {hint}"
            self.rank = None
            yield from search.run(Query())

    def _best(self, search: ModelSearch) -> Generator[Solution, None, bool]:
        """Find the best value, and return whether the query requires further solutions.

        If it asks for a single one, the best solution is yielded.
        """
        assert self.goal is not None, "an optimising query has a goal"
        last: Values | None = None
        self.optimal = False
        began = time.perf_counter()
        try:
            for values in search.run(Query(Task.OPTIMISE)):
                last = values
                self.value = self.goal.term.value(values)
                self.first = self.first or time.perf_counter() - began
            self.optimal = last is not None
        except (Stopped, Undecided, KeyboardInterrupt):
            if last is not None:
                self.count = 1
                yield self._solution(last)
            raise
        if last is None:
            self.counted = True
            return False
        if self.query.limit != 1:
            return True
        yield from self._give(last)
        return False

    def _give(self, values: Values) -> Iterator[Solution]:
        """Yield a solution, and stop after it if its sequel could not be finished."""
        self.count += 1
        yield self._solution(values)
        if self.late is not None:
            raise KeyboardInterrupt if self.interrupted else self.late

    def _solution(self, values: Values) -> Solution:
        """Return the solution with what follows from it."""
        if self.reread:
            self._read_again(values)
        solution = self._evaluated(values)
        if self.rank is not None:
            solution.value = self.rank.term.value(values)
        for section in sections_of(self.puzzle.type):
            with self.clock.stage(LOADING):
                follow_ups = list(section.follow_ups(self._evaluation(values)))
            for follow_up in follow_ups:
                sequel = self._follow(section.name, follow_up)
                solution.sequels = {**solution.sequels, follow_up.name: sequel}
        return solution

    def _evaluation(self, values: Values) -> Callable[[Expression], Any]:
        """Return a function that evaluates an expression of the type for a solution."""
        return lambda expression: self.puzzle.instance.evaluate(expression, values)

    def _evaluated(self, values: Values) -> Solution:
        """Return the solution with its outputs evaluated."""
        solution = Solution(self.puzzle.instance, values)
        solution.evaluate_outputs()
        return solution

    def _read_again(self, values: Values) -> None:
        """Check a solution by evaluating the text of the rules on its values.

        The search has already checked the conditions that the rules were compiled to; this finds a
        condition that was compiled wrongly. Only the first few of many solutions are checked.
        """
        began = time.perf_counter()
        violated = self.puzzle.instance.check(values, self.checks_own)
        self.rereading += time.perf_counter() - began
        self.reread = self.reread - 1 if self.rereading < REREAD_SECONDS else 0
        if violated is not None:
            raise BackendBug(f"a solution violates the rule: {violated}")

    def _follow(self, section: str, follow_up: FollowUp) -> Sequel:
        """Solve a puzzle that follows; if it is not valid, the outcome says why."""
        type_ = follow_up.type_
        title = type_.title or type_.name
        try:
            puzzle = self._load_follow_up(follow_up)
        except Problems as error:
            reason = str(error.problems[0]).splitlines()[0]
            return Sequel(section, title, f"cannot be asked: {reason}", None, None)
        query = Query(limit=1, presolve=self.query.presolve)
        run = Run(puzzle, query, self.backend, isolated=self.isolated, clock=self.clock)
        solutions = list(run)
        self.late = run.reason
        self.interrupted |= run.interrupted
        optimal = None
        if run.goal is not None:
            optimal = run.status == "complete" and bool(solutions)
        solution = solutions[0] if solutions else None
        return Sequel(section, title, run.outcome(), optimal, solution)

    def _load_follow_up(self, follow_up: FollowUp) -> LoadedPuzzle:
        """Bind the type of a puzzle that follows to its data. Raises Problems."""
        type_ = follow_up.type_
        source = self.puzzle.type.source
        most = self.puzzle.instance.interpreter.max_evaluations
        with self.clock.stage(LOADING):
            spec = spec_of(type_, source, follow_up.data)
            instance = bind(type_, spec, folder=source.folder, max_evaluations=most)
            return LoadedPuzzle(type_, spec, instance)

    def goal_found(self, values: Sequence[int | None] = ()) -> dict[str, object] | None:
        """Return the goal and its best value as plain data.

        Args:
            values: Those of ranked solutions.
        """
        if self.rank is not None and values:
            is_optimal = self.status == "complete"
            best = {"name": self.rank.name, "value": values[0], "optimal": is_optimal}
            return {**best, "values": list(values)}
        if self.goal is not None and self.value is not None:
            return {"name": self.goal.name, "value": self.value, "optimal": bool(self.optimal)}
        return None

    def goal_so_far(self) -> str:
        """Return the best value of the goal so far, and its bound, if known; else the empty text.

        For another thread, while the run searches.
        """
        if self.goal is None or self.value is None:
            return ""
        bound = self.searches[-1].goal_bound() if self.searches else None
        side = "at most" if self.goal.maximise else "at least"
        return str(GoalSoFar(self.goal.name, self.value, side, bound))

    def outcome(self) -> str:
        """Say what is known about the solution: proven optimal, the only one and so on."""
        if self.status != "complete":
            if self.count:
                return "not proven: stopped before the end"
            return str(Interrupted(self.status, str(self.reason)))
        if not self.count:
            return str(NoSolutionProven())
        if self.goal is not None:
            return "proven optimal"
        return "the only solution" if self.counted else "one solution of several"

    def raise_reason(self) -> None:
        """Raise the error that ended the run early, if any."""
        if self.interrupted:
            raise KeyboardInterrupt
        if self.reason is not None:
            raise copy(self.reason)  # a raised error refers to its callers, and so to this run
