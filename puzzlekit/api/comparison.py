"""One query on several backends: times, what each was given and did, and whether they agree."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from statistics import median

from puzzlekit.api.puzzle import Puzzle
from puzzlekit.api.run import Run
from puzzlekit.backends import load_backend
from puzzlekit.clock import PRESOLVE, Clock
from puzzlekit.errors import BackendBug, MissingExtra, Stopped, Unsupported, status_of
from puzzlekit.lowering.planner import described
from puzzlekit.presolve.presolve import PresolveReport, presolve_report
from puzzlekit.query import Query

FIRST, ALL, PROCESSOR = "first", "all", "processor"
STAGES = ("presolve", "build", FIRST, ALL, PROCESSOR)


@dataclass
class Result:
    """What one backend made of the query, asked once or several times.

    Attributes:
        name: The backend.
        run: Its first run; None if there was an error before.
        error: What it raised instead of a result.
        keys: The solutions that it found.
        times: The seconds of each stage, for each run. `first` counts from the start of the search
            to the first solution, if there is one; `all` from the start of the run to its end, the
            start of the backend's process included; `processor` is the processor time of both.
    """

    name: str
    run: Run | None = None
    error: Exception | None = None
    keys: frozenset[int] = frozenset()
    times: list[dict[str, float]] = field(default_factory=list)

    @property
    def status(self) -> str:
        """The status of the run, or "unsupported", "bug" or "stopped" for an error."""
        if self.error is not None:
            return "unsupported" if isinstance(self.error, MissingExtra) else status_of(self.error)
        assert self.run is not None
        return self.run.status

    @property
    def reason(self) -> str | None:
        """Why it is not complete; None if it is."""
        reason = self.error or (self.run and self.run.reason)
        return None if reason is None else str(reason) or "not enough memory"

    @property
    def seconds(self) -> dict[str, float]:
        """The median seconds of each stage."""
        return {stage: median(found) for stage in STAGES if (found := [one[stage] for one in self.times if stage in one])}

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the most seconds of all runs."""
        every = [one[ALL] for one in self.times] or [0.0]
        return min(every), max(every)

    @property
    def statistics(self) -> dict[str, int]:
        """What the backend reports of the first run, by the names in `Statistics`."""
        return self.run.statistics.known() if self.run is not None and self.run.statistics is not None else {}

    @property
    def chain(self) -> str | None:
        """The passes that lower the model for it; None if it cannot be loaded."""
        try:
            return described(load_backend(self.name).supports)
        except (BackendBug, MissingExtra, Stopped):
            return None

    def finding(self) -> object:
        """What backends must agree on: the optimum, or the number of solutions, or all of them."""
        assert self.run is not None
        if self.run.goal is not None and not self.run.counted:
            return self.run.value
        return self.run.count, self.run.counted, self.keys if self.run.counted else None


@dataclass
class Comparison:
    """One query about one puzzle, and the results so far."""

    puzzle: Puzzle
    query: Query
    timeout: float | None = None
    results: dict[str, Result] = field(default_factory=dict)
    interrupted: bool = False

    def agreement(self) -> bool | None:
        """Whether all backends that finished found the same; None if fewer than two did."""
        groups = self.agreeing()
        return len(groups) == 1 if sum(map(len, groups)) > 1 else None

    def agreeing(self) -> list[list[str]]:
        """The backends that finished, in groups that found the same; the largest group first."""
        groups: dict[object, list[str]] = {}
        for result in self.results.values():
            if result.status == "complete":
                groups.setdefault(result.finding(), []).append(result.name)
        return sorted(groups.values(), key=len, reverse=True)

    def ask(
        self,
        names: Sequence[str],
        repeat: int = 1,
        before: Callable[[str], AbstractContextManager[None]] = lambda name: nullcontext(),
    ) -> None:
        """Ask each backend so many times, in turns, so that a busy moment meets all of them.

        One that did not finish is not asked again. `before` is entered around each run.
        """
        try:
            for turn in range(repeat):
                for name in names:
                    if turn and self.results[name].status != "complete":
                        continue
                    with before(name):
                        self._ask(self.results.setdefault(name, Result(name)))
                    run = self.results[name].run
                    if run is not None and run.interrupted:
                        self.interrupted = True
                        return
        except KeyboardInterrupt:  # between two backends
            self.interrupted = True
            self.results = {name: result for name, result in self.results.items() if result.run or result.error}

    def presolve_report(self) -> PresolveReport:
        """Report what presolve takes away. Raises Stopped and Unsupported."""
        clock = Clock(self.timeout)
        with clock.running():
            return presolve_report(self.puzzle.model, self.query.presolve, clock.check)

    def _ask(self, result: Result) -> None:
        """Run the query once more. A run that was interrupted is kept as it is."""
        try:
            load_backend(result.name, isolated=True)  # so that the library's own start does not count
            began = time.perf_counter()
            run = self.puzzle.run(self.query, result.name, self.timeout, isolated=True, statistics=True)
            worked = run.budget.worked()
            keys = set()
            try:
                for solution in run:
                    with run.aside():
                        keys.add(hash(solution.key()))
            except KeyboardInterrupt:
                run.interrupt()
            run.raise_unsupported()
        except (Unsupported, BackendBug, MissingExtra, Stopped, MemoryError) as error:
            result.error = error
            return
        seconds = {
            "presolve": run.seconds[PRESOLVE],
            "build": run.budget.built,
            **({} if run.first is None else {FIRST: run.first}),
            ALL: time.perf_counter() - began - run.elsewhere - run.clock.reporting,
            PROCESSOR: run.budget.worked() - worked,
        }
        result.times.append(seconds)
        if result.run is None or run.status != "complete":
            result.run, result.keys = run, frozenset(keys)
