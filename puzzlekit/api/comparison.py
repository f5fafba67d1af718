"""One query on several backends: their times and statistics, and whether they agree."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, field, fields
from statistics import fmean, median

from puzzlekit.api.run import Run
from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.backends import BACKENDS, Budget, Statistics, load_backend
from puzzlekit.clock import PRESOLVE, Clock
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import (
    BackendBug,
    InputError,
    MissingExtra,
    Stopped,
    Unsupported,
    nearest,
    option,
    status_of,
)
from puzzlekit.lowering import described
from puzzlekit.presolve import PresolveReport, presolve_report
from puzzlekit.query import Query
from puzzlekit.scene import Table
from puzzlekit.solve import obstacle

FIRST_SOLUTION = Query(limit=1)
FIRST, ALL, PROCESSOR = "first", "all", "processor"
STAGES = ("presolve", "build", FIRST, ALL, PROCESSOR)
COMPILING_SECONDS = 300.0  # for what a library compiles once, which no time limit counts
LEAST_SECONDS = 1e-6  # of a run, where others are divided by it
NO_MEMORY = "not enough memory"
ABSENT = ("unsupported", "not installed")  # statuses of a backend that cannot answer


class Compiling(Stopped):
    """A library was still being compiled when its time was up."""


def _nothing_around(name: str, compiling: bool) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass
class Result:
    """The result of one backend for the query, which is run once or several times.

    Attributes:
        name: The backend.
        status: Empty before its first run, then how that ended, as `Run` says; also "bug" for a
            wrong solution, "not installed", and "compiling" if what its library compiles once was
            not ready in time.
        reason: Why it is not complete; None if it is.
        count: The number of solutions found, or counted; None if there was no run.
        counted: Whether that is the number of all solutions.
        goal: The name of the goal; None without one.
        value: The best value of the goal.
        keys: The solutions that it found, by their hashes.
        statistics: What it reports of its first run, by the names in `Statistics`.
        times: The seconds of each stage, for each run. `first` counts from the start of the search
            to the first solution, if there is one; `all` from the start of the run to its end, the
            start of the backend's process included; `processor` is the processor time of both.
    """

    name: str
    status: str = ""
    reason: str | None = None
    count: int | None = None
    counted: bool = False
    goal: str | None = None
    value: int | None = None
    keys: frozenset[int] = frozenset()
    statistics: Mapping[str, int] = field(default_factory=dict)
    times: list[dict[str, float]] = field(default_factory=list)

    def failed(self, error: Exception) -> None:
        """Record the error that was raised instead of a result."""
        if isinstance(error, MissingExtra):
            self.status = "not installed"
        elif isinstance(error, Compiling):
            self.status = "compiling"
        else:
            self.status = status_of(error)
        self.reason = str(error) or NO_MEMORY

    def ran(self, run: Run, keys: frozenset[int]) -> None:
        """Record a run."""
        self.status = run.status
        self.reason = None if run.reason is None else str(run.reason) or NO_MEMORY
        self.count = run.count
        self.counted = run.counted
        self.keys = keys
        self.goal = None if run.goal is None else run.goal.name
        self.value = run.value
        self.statistics = {} if run.statistics is None else run.statistics.reported()

    @property
    def seconds(self) -> dict[str, float]:
        """The median seconds of each stage."""
        medians = {}
        for stage in STAGES:
            measured = [times[stage] for times in self.times if stage in times]
            if measured:
                medians[stage] = median(measured)
        return medians

    @property
    def solved(self) -> float | None:
        """The median seconds of all; None if it did not finish."""
        return self.seconds[ALL] if self.status == "complete" else None

    @property
    def spread(self) -> tuple[float, float]:
        """The least and the most seconds of all runs."""
        totals = [times[ALL] for times in self.times] or [0.0]
        return min(totals), max(totals)

    @property
    def chain(self) -> str | None:
        """The passes that lower the model for it; None if it cannot be loaded."""
        try:
            return described(load_backend(self.name).supports)
        except (BackendBug, MissingExtra, Stopped):
            return None

    def finding(self) -> object:
        """What backends must agree on: the optimum, or the number of solutions, or all of them."""
        if self.goal is not None and not self.counted:
            return self.value
        return self.count, self.counted, self.keys if self.counted else None


@dataclass
class Comparison:
    """One query about one puzzle, and the results so far. A notebook shows it as a table.

    Attributes:
        puzzle: The puzzle.
        query: The query.
        timeout: Seconds for each backend.
        results: The results, by the names of the backends.
        interrupted: Whether a Ctrl-C ended it.
    """

    puzzle: LoadedPuzzle
    query: Query
    timeout: float | None = None
    results: dict[str, Result] = field(default_factory=dict)
    interrupted: bool = False

    def groups(self) -> list[list[Result]]:
        """Group the backends that finished by what they found, the largest group first."""
        by_finding: dict[object, list[Result]] = {}
        for result in self.results.values():
            if result.status == "complete":
                by_finding.setdefault(result.finding(), []).append(result)
        return sorted(by_finding.values(), key=len, reverse=True)

    def agreement(self) -> bool | None:
        """Whether all backends that finished found the same; None if fewer than two did."""
        groups = self.groups()
        finished = sum(map(len, groups))
        return len(groups) == 1 if finished > 1 else None

    def ask(
        self,
        names: Sequence[str],
        repeat: int = 1,
        around: Callable[[str, bool], AbstractContextManager[None]] = _nothing_around,
    ) -> None:
        """Ask each backend so many times, in turns, so that a busy moment meets all of them.

        A backend that did not finish is not asked again.

        Args:
            names: The backends.
            repeat: How often each is asked.
            around: Returns the context in which a backend, whose name it gets, is run. If its
                second argument is true, the context is for the loading of the backend's library,
                which no run counts.
        """
        try:
            for turn in range(repeat):
                for name in names:
                    result = self.results.setdefault(name, Result(name))
                    if turn == 0:
                        with around(name, True):
                            _load(result)
                    if result.status in ("", "complete"):
                        with around(name, False):
                            self._ask(result)
                    if self.interrupted:
                        return
        except KeyboardInterrupt:  # between two backends
            self.interrupted = True
            self.results = {name: result for name, result in self.results.items() if result.status}

    def obstacle(self) -> str:
        """Say why the boards of this shape are solved one by one; empty if they are compiled.

        Raises:
            Stopped: The time is up.
            Unsupported: A rule cannot be expressed.
        """
        return obstacle(self.puzzle.instance, Budget.of(self.timeout))

    def presolve_report(self) -> PresolveReport:
        """Report what presolve removes. Raises Stopped and Unsupported."""
        clock = Clock(self.timeout)
        with clock.running():
            return presolve_report(self.puzzle.model, self.query.presolve, clock.check)

    def json(self, verbose: bool = False) -> dict[str, object]:
        """Return it as plain data, as `puzzlekit compare --json` prints it.

        Args:
            verbose: Whether it has the passes, and what presolve removes, which is computed anew.
        """
        puzzle = self.puzzle
        report: dict[str, object] = {
            "puzzle": puzzle.type.name,
            "spec": puzzle.spec.source.path or None,
            "agreement": self.agreement(),
        }
        report["groups"] = [[result.name for result in group] for group in self.groups()]
        report["presolve"] = self.query.presolve.value
        report["backends"] = [self.result_json(result, verbose) for result in self.results.values()]
        if verbose:
            try:
                report["presolved"] = asdict(self.presolve_report())
                report["alone"] = self.obstacle() or None
            except (Stopped, Unsupported) as reason:
                report["presolved"] = str(reason)
        return report

    def result_json(self, result: Result, verbose: bool = False) -> dict[str, object]:
        """Return the result of one backend as plain data."""
        seconds = {stage: round(seconds, 4) for stage, seconds in result.seconds.items()}
        ratio = ratios(self.results).get(result.name)
        if ratio is not None:
            ratio = round(ratio, 3)
        spread = [round(seconds, 4) for seconds in result.spread]
        unsupported = None
        if result.status == "unsupported":
            unsupported = result.reason
        report: dict[str, object] = {
            "name": result.name,
            "status": result.status,
            "reason": result.reason,
            "count": result.count,
            "runs": len(result.times),
            "seconds": seconds,
            "spread": spread,
            "ratio": ratio,
            "statistics": result.statistics,
            "unsupported": unsupported,
        }
        if verbose:
            report["chain"] = result.chain
        return report

    def records(self) -> list[dict[str, object]]:
        """Return a row for each backend, with the same columns, as `puzzlekit compare --csv`
        prints them.
        """
        rows = []
        puzzle = self.puzzle
        by_backend = ratios(self.results)
        for result in self.results.values():
            row: dict[str, object] = {
                "puzzle": puzzle.type.name,
                "spec": puzzle.spec.source.path,
                "presolve": self.query.presolve.value,
                "backend": result.name,
                "status": result.status,
                "count": result.count,
                "runs": len(result.times),
            }
            least, most = result.spread if result.times else (None, None)
            times = {**result.seconds, "least": least, "most": most}
            for stage in (*STAGES, "least", "most"):
                row[f"{stage}_seconds"] = times.get(stage)
            row["ratio"] = by_backend.get(result.name)
            for statistic in fields(Statistics):
                row[statistic.name] = result.statistics.get(statistic.name)
            rows.append(row)
        return rows

    def _repr_html_(self) -> str:
        from puzzlekit.render import html_table

        heading = ["status", "count", "seconds", "ratio"]
        rows = []
        by_backend = ratios(self.results)
        for result in self.results.values():
            seconds = result.seconds.get(ALL)
            ratio = by_backend.get(result.name)
            numbers = ["" if number is None else f"{number:.3f}" for number in (seconds, ratio)]
            count = "" if result.count is None else f"{result.count:,}"
            rows.append((result.name, [result.status, count, *numbers]))
        verdict = {True: "all that finished agree", False: "they do not agree"}
        caption = [self.puzzle.title]
        agreement = self.agreement()
        if agreement is not None:
            caption.append(verdict[agreement])
        return html_table(" · ".join(caption), Table(heading, rows))

    def _ask(self, result: Result) -> None:
        """Run the query once more. The results of an interrupted run are recorded, too."""
        try:
            began = time.perf_counter()
            run = Run(
                self.puzzle, self.query, result.name, self.timeout, isolated=True, statistics=True
            )
            processor_before = run.budget.worked()
            keys = set()
            try:
                for solution in run:
                    with run.aside():
                        keys.add(hash(solution.key()))
            except KeyboardInterrupt:
                run.interrupt()
            run.raise_unsupported()
        except (Unsupported, BackendBug, MissingExtra, Stopped, MemoryError) as error:
            result.failed(error)
            return
        total = time.perf_counter() - began
        seconds = {"presolve": run.seconds[PRESOLVE], "build": run.budget.built}
        if run.first is not None:
            seconds[FIRST] = run.first
        seconds[ALL] = total - run.elsewhere - run.clock.reporting
        seconds[PROCESSOR] = run.budget.worked() - processor_before
        result.times.append(seconds)
        if len(result.times) == 1 or run.status != "complete":
            result.ran(run, frozenset(keys))
        self.interrupted = run.interrupted


def _load(result: Result) -> None:
    """Load the library of a backend, and have it compile what it compiles once."""
    try:
        backend = load_backend(result.name, isolated=True)
        try:
            backend.prepare(Budget.of(COMPILING_SECONDS))
        except Stopped as late:
            message = f"its library is compiled once after it was installed: {late}"
            raise Compiling(message) from None
    except (BackendBug, MissingExtra, Stopped, MemoryError) as error:
        result.failed(error)


def backends_named(names: Iterable[str] | None) -> list[str]:
    """Return backends by their names, each once; all of them for None.

    Raises:
        InputError: There is no such backend.
    """
    for name in names or ():
        if name not in BACKENDS:
            raise InputError(f"unknown backend {name}; {nearest(str(name), BACKENDS)}")
    return [*dict.fromkeys(names or BACKENDS)]


def compare(
    puzzle: LoadedPuzzle,
    backends: Iterable[str] | None = None,
    query: Query = FIRST_SOLUTION,
    timeout: float | None = 60.0,
    repeat: int = 1,
) -> Comparison:
    """Run the same query on several backends: their times, and whether they agree.

    Args:
        puzzle: The puzzle.
        backends: The names of the backends; None for all.
        query: The query; by default, whether there is one solution, or the best one.
        timeout: Seconds for each backend; None for no limit.
        repeat: How often each is run.

    Returns:
        The comparison, with the result of each backend.

    Raises:
        InputError: There is no such backend, or an argument is not valid.

    Examples:
        >>> import puzzlekit
        >>> square = puzzlekit.load("examples/magic_square.yaml", {"size": 3})
        >>> comparison = puzzlekit.compare(square, ["sat", "z3"], puzzlekit.Query())
        >>> comparison.agreement(), [result.count for result in comparison.results.values()]
        (True, [8, 8])
    """
    names = backends_named(None if backends is None else list(backends))
    if not isinstance(repeat, int) or repeat < 1:
        raise InputError(f"{option('repeat')} requires a number of runs from 1, got {repeat!r}")
    comparison = Comparison(puzzle, query, timeout)
    comparison.ask(names, repeat)
    return comparison


Results = Mapping[str, Result]  # of one puzzle, by backend


def ratios(results: Results) -> dict[str, float]:
    """Return the seconds of each backend that finished, divided by those of the fastest."""
    solved = {}
    for name, result in results.items():
        seconds = result.solved
        if seconds is not None:
            solved[name] = seconds
    fastest = max(min(solved.values(), default=0.0), LEAST_SECONDS)
    return {name: seconds / fastest for name, seconds in solved.items()}


@dataclass(frozen=True)
class Score:
    """What one backend did on several puzzles within a time limit.

    Attributes:
        solved: How many puzzles it finished.
        unsupported: How many it does not support; all if it is not installed.
        fastest: On how many it was the fastest that finished.
        par2: The mean seconds of all puzzles, where one that was not finished counts twice the
            limit; None if there is one and no limit.
        median: The median seconds of those that it finished; None if there are none.
        processor: The processor time of those, in all.
    """

    solved: int
    unsupported: int
    fastest: int
    par2: float | None
    median: float | None
    processor: float


def scores(done: Sequence[Results], timeout: float | None) -> dict[str, Score]:
    """Return the score of each backend on several puzzles."""
    winners = []
    for results in done:
        by_backend = ratios(results)
        if by_backend:
            winners.append(min(by_backend, key=by_backend.__getitem__))
    names = dict.fromkeys(name for results in done for name in results)
    return {name: _score(name, done, winners.count(name), timeout) for name in names}


def _score(name: str, done: Sequence[Results], wins: int, timeout: float | None) -> Score:
    """Return the score of a backend that was the fastest on so many puzzles."""
    results = [results[name] for results in done if name in results]
    finished = [result for result in results if result.status == "complete"]
    times = [result.seconds[ALL] for result in finished]
    unfinished = len(results) - len(finished)
    par2 = None
    if timeout is not None or not unfinished:
        penalties = unfinished * [2 * (timeout or 0.0)]
        par2 = fmean([*times, *penalties])
    unsupported = sum(result.status in ABSENT for result in results)
    median_seconds = median(times) if times else None
    processor = sum(result.seconds[PROCESSOR] for result in finished)
    return Score(len(finished), unsupported, wins, par2, median_seconds, processor)
