"""The run of a batch: an executor answers jobs that have no result yet."""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import field
from queue import Empty, SimpleQueue
from typing import Any

from puzzlekit.batches.jobs import Inputs, Job, Request
from puzzlekit.batches.keys import Files, are_unchanged
from puzzlekit.batches.results import (
    AGAIN,
    SYNC_SECONDS,
    UNFINISHED,
    Record,
    Result,
    Results,
    build_result,
)
from puzzlekit.batches.workers import WORKER_DEATHS, Executor
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import Unreachable

SENT_PUZZLES = 100  # the most that a cluster gets together
PACE_SHARE = 0.1  # of the last puzzle in the average of their seconds
FAILED = ("crashed", "unsupported", "invalid", "bug")
TICK = 1.0  # seconds between two looks at the clock while no puzzle is done


@dataclass
class Progress:
    """How far a batch is.

    Attributes:
        total: How many puzzles there are, if that is known.
        before: How many had a result before.
        repeated: How many have the same content as another one.
        done: How many have got a result now.
        failed: How many of these failed.
        stopped: How many of these were stopped, or undecided.
    """

    total: int | None = None
    before: int = 0
    repeated: int = 0
    done: int = 0
    failed: int = 0
    stopped: int = 0

    @property
    def remaining(self) -> int | None:
        """How many have no result yet, if that is known."""
        if self.total is None:
            return None
        answered = self.before + self.repeated + self.done
        return max(0, self.total - answered)

    def add(self, result: Result) -> None:
        """Count a result."""
        self.done += 1
        self.failed += result.status in FAILED
        self.stopped += result.status in ("stopped", "undecided")


class Batch:
    """A batch: its inputs, and the results that the file has of them.

    Args:
        inputs: The specs.
        results: The file.

    Attributes:
        progress: How far it is.
        keys: The keys of the results of the inputs, as far as there are any.
    """

    def __init__(self, inputs: Inputs, results: Results) -> None:
        self.inputs = inputs
        self.results = results
        self.progress = Progress(inputs.total)
        self.keys: set[str] = set()
        # the jobs that are under way, with the folders of their files
        self._running: dict[str, set[str]] = {}
        # the jobs of earlier results that depend on no file
        self._answered: set[str] = set()
        # of other jobs with results: the keys of these, and the files that they depend on
        self._dependencies: dict[str, dict[str, Files]] = {}
        bounds = inputs.request.bounds
        for record in results.lines():
            if record.status not in UNFINISHED or record.bounds == bounds:
                self._remember(record.key, record.job, record.files)

    def run(self, executor: Executor) -> None:
        """Answer all jobs that have no result yet.

        Raises:
            InputError: A result cannot be written.
            Stopped: A worker cannot be started.
            Unreachable: The cluster is gone.
        """
        for result in _results(self._jobs(), executor, self.inputs.request, self._tick):
            if result.key in self.keys:  # meanwhile, an equal spec in another folder was done
                self.progress.repeated += 1
            else:
                self.results.append(result.line)
                self.progress.add(result)
                self.keys.add(result.key)
                if result.files:  # else the key is that of the job, and is not stored twice
                    self._remember(result.key, result.job, result.files)
            self._running.pop(result.job, None)  # last: another thread reads the jobs
        self.results.sync()

    def _jobs(self) -> Iterator[Job]:
        """Yield the jobs that have no result and are not under way."""
        for job in self.inputs:
            key = self._key_of_result(job)
            folder = "" if job.path is None else str(job.folder)
            if folder in self._running.get(job.key, ()) or key in self.keys:
                self.progress.repeated += 1
            elif key is not None:
                self.keys.add(key)
                self.progress.before += 1
            else:
                self._running.setdefault(job.key, set()).add(folder)
                yield job

    def _remember(self, key: str, job: str, files: Files) -> None:
        """Note a result, the job that it answers, and the files that it depends on."""
        if files:
            self._dependencies.setdefault(job, {})[key] = files
        else:
            self._answered.add(job)

    def _key_of_result(self, job: Job) -> str | None:
        """Return the key of a result of the job that is still valid; None if there is none."""
        if job.key in self._answered or job.key in self.keys:
            return job.key
        dependencies = list(self._dependencies.get(job.key, {}).items())
        for key, files in dependencies:
            if are_unchanged(files, job.folder):
                return key
        return None

    def _tick(self) -> None:
        self.results.sync(SYNC_SECONDS)

    def lines(self) -> Iterator[Record]:
        """Yield the results of the inputs, those from before included."""
        return self.results.latest(self.keys)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield each result as the file has it: a dict with the same keys."""
        for line in self.lines():
            yield line.fields

    def summaries(self) -> dict[str, Summary]:
        """Return the summary of each type, in the order of their names."""
        return summaries(self.lines())

    def json(self) -> dict[str, Any]:
        """Return the summaries as plain data, as `puzzlekit batch --json` prints them."""
        types = {}
        for name, summary in self.summaries().items():
            types[name] = {"statuses": dict(summary.statuses), "seconds": summary.quantiles()}
        return {
            "puzzles": len(self.keys),
            "before": self.progress.before,
            "repeated": self.progress.repeated,
            "types": types,
        }


def _results(
    jobs: Iterator[Job], executor: Executor, request: Request, tick: Callable[[], None]
) -> Iterator[Result]:
    """Yield results as they are done, and call `tick` now and then while none is.

    Another thread reads the jobs, because standard input may make it wait.
    """
    done: SimpleQueue[Future[Any]] = SimpleQueue()
    running: dict[Future[list[Result]], list[Job]] = {}
    waiting: deque[Job] = deque()
    suspects: deque[Job] = deque()  # jobs of workers that died, which are submitted one by one
    pace = executor.work_seconds  # seconds for a puzzle, lately
    reader = ThreadPoolExecutor(1, "inputs")
    reading: Future[Job | None] | None = None
    exhausted = False  # all inputs are read

    def queued(future: Future[Any]) -> Future[Any]:
        future.add_done_callback(done.put)
        return future

    def submit(number: int) -> None:
        if suspects:
            group = [suspects.popleft()]
        else:
            group = [waiting.popleft() for _ in range(min(number, len(waiting)))]
        future = executor.submit(group)
        running[queued(future)] = group

    def fills_group(number: int) -> bool:
        """Return whether there are jobs to submit together."""
        if suspects or len(waiting) >= number:
            return True
        return exhausted and len(waiting) > 0

    try:
        while not exhausted or waiting or suspects or running:
            number = _group_size(executor.work_seconds, pace)
            while len(running) < executor.slots and fills_group(number):
                submit(number)
            if reading is None and not exhausted and len(waiting) < 2 * number:
                reading = queued(reader.submit(next, jobs, None))
            try:
                future = done.get(timeout=TICK)
            except Empty:
                tick()
                if waiting and len(running) < executor.slots:
                    submit(number)
                continue
            if future is reading:
                reading = None
                job = future.result()
                if job is None:
                    exhausted = True
                else:
                    waiting.append(job)
                continue
            group = running.pop(future)
            try:
                for result in _results_of(future):
                    pace += PACE_SHARE * (result.seconds - pace)
                    yield result
            except executor.worker_loss:
                if len(group) > 1:
                    suspects += group
                else:
                    reason = f"{WORKER_DEATHS} machines or workers died"
                    yield build_result(group[0], request, "crashed", 0.0, reason)
    finally:
        reader.shutdown(wait=False, cancel_futures=True)


def _group_size(work_seconds: float, pace: float) -> int:
    """Return how many jobs to submit together.

    Args:
        work_seconds: How long they should take together.
        pace: The seconds for a puzzle, lately.
    """
    if not pace:
        return 1
    return max(1, min(SENT_PUZZLES, int(work_seconds / pace)))


def _results_of(future: Future[list[Result]]) -> list[Result]:
    """Return the results of jobs. Raises Unreachable if the cluster is gone."""
    try:
        return future.result()
    except (CancelledError, OSError, TimeoutError) as error:
        reason = error or type(error).__name__
        raise Unreachable(f"the cluster is gone: {reason}", help=AGAIN) from None


# Summaries ----------------------------------------------------------------------------------------


@dataclass
class Summary:
    """What came of some puzzles.

    Attributes:
        statuses: How many have each status.
        seconds: The seconds of those that were finished.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    seconds: array[float] = field(default_factory=lambda: array("d"))

    def add(self, status: str, seconds: float) -> None:
        """Count a result."""
        self.statuses[status] += 1
        if status not in (*UNFINISHED, *FAILED):
            self.seconds.append(seconds)

    def quantile(self, share: float) -> float:
        """Return the seconds within which this share of them were finished; 0 if none was."""
        if not self.seconds:
            return 0.0
        ordered = sorted(self.seconds)
        index = int(share * len(ordered))
        return ordered[min(index, len(ordered) - 1)]

    def quantiles(self) -> dict[str, float]:
        """Return the median, the 95 % quantile and the largest of the seconds; empty for none."""
        shares = {"median": 0.5, "95%": 0.95, "largest": 1.0} if self.seconds else {}
        return {name: self.quantile(share) for name, share in shares.items()}


def summaries(records: Iterable[Record]) -> dict[str, Summary]:
    """Return the summary of each type, in the order of their names."""
    by_type: dict[str, Summary] = {}
    for record in records:
        summary = by_type.setdefault(record.type, Summary())
        summary.add(record.status, record.seconds)
    return dict(sorted(by_type.items()))
