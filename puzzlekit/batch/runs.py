"""The run of a batch: jobs that have no result yet are given to an executor, and results to the
file.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any

from puzzlekit.batch.jobs import Inputs, Job, Request
from puzzlekit.batch.keys import Files, still_hold
from puzzlekit.batch.results import AGAIN, SYNC_SECONDS, UNFINISHED, Record, Result, Results, build_result
from puzzlekit.batch.workers import WORKER_DEATHS, Executor
from puzzlekit.errors import Unreachable

SENT_PUZZLES = 100  # that a cluster gets together

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
        return (
            None
            if self.total is None
            else max(0, self.total - self.before - self.repeated - self.done)
        )

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
        self._asked: dict[
            str, set[str]
        ] = {}  # the jobs that are under way, with the folders of their files
        self._known: set[str] = set()  # the jobs of earlier results that depend on no file
        self._reading: dict[
            str, dict[str, Files]
        ] = {}  # of the other jobs: the keys of results, and the files
        bounds = inputs.request.bounds
        for line in results.lines():
            if line.status not in UNFINISHED or line.bounds == bounds:
                self._remember(line.key, line.job, line.files)

    def run(self, executor: Executor) -> None:
        """Answer all jobs that have no result yet.

        Raises:
            InputError: A result cannot be written.
            Stopped: A worker cannot be started.
            Unreachable: The cluster is gone.
        """
        for found in _answered(self._jobs(), executor, self.inputs.request, self._tick):
            if found.key in self.keys:  # meanwhile, an equal spec in another folder was done
                self.progress.repeated += 1
            else:
                self.results.append(found.line)
                self.progress.add(found)
                self.keys.add(found.key)
                if found.files:  # else the key is that of the job, and is not kept twice
                    self._remember(found.key, found.job, found.files)
            self._asked.pop(found.job, None)  # last: another thread reads the jobs
        self.results.sync()

    def _jobs(self) -> Iterator[Job]:
        for job in self.inputs:
            known = self._known_key(job)
            folder = "" if job.path is None else str(job.folder)
            if folder in self._asked.get(job.key, ()) or known in self.keys:
                self.progress.repeated += 1
            elif known is not None:
                self.keys.add(known)
                self.progress.before += 1
            else:
                self._asked.setdefault(job.key, set()).add(folder)
                yield job

    def _remember(self, key: str, job: str, files: Files) -> None:
        if files:
            self._reading.setdefault(job, {})[key] = files
        else:
            self._known.add(job)

    def _known_key(self, job: Job) -> str | None:
        """The key of a result of the job that still holds; None if there is none."""
        if job.key in self._known or job.key in self.keys:
            return job.key
        reading = self._reading.get(job.key, {})
        return next(
            (key for key, files in [*reading.items()] if still_hold(files, job.folder)), None
        )

    def _tick(self) -> None:
        self.results.sync(SYNC_SECONDS)

    def lines(self) -> Iterator[Record]:
        """The results of the inputs, those from before included."""
        return self.results.current(self.keys)


def _answered(
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
    ended = False

    def noted(future: Future[Any]) -> Future[Any]:
        future.add_done_callback(done.put)
        return future

    def submit(number: int) -> None:
        together = (
            [suspects.popleft()]
            if suspects
            else [waiting.popleft() for _ in range(min(number, len(waiting)))]
        )
        running[noted(executor.submit(together))] = together

    try:
        while not ended or waiting or suspects or running:
            together = max(1, min(SENT_PUZZLES, int(executor.work_seconds / pace))) if pace else 1
            while len(running) < executor.slots and (
                suspects or len(waiting) >= together or (ended and waiting)
            ):
                submit(together)
            if reading is None and not ended and len(waiting) < 2 * together:
                reading = noted(reader.submit(next, jobs, None))
            try:
                future = done.get(timeout=TICK)
            except Empty:
                tick()
                if waiting and len(running) < executor.slots:
                    submit(together)
                continue
            if future is reading:
                reading, job = None, future.result()
                ended = job is None
                waiting += [] if job is None else [job]
                continue
            asked = running.pop(future)
            try:
                for found in _results(future):
                    pace += 0.1 * (found.seconds - pace)
                    yield found
            except executor.lost:
                if len(asked) == 1:
                    yield build_result(
                        asked[0],
                        request,
                        "crashed",
                        0.0,
                        f"{WORKER_DEATHS} machines or workers died",
                    )
                else:
                    suspects += asked
    finally:
        reader.shutdown(wait=False, cancel_futures=True)


def _results(future: Future[list[Result]]) -> list[Result]:
    """The results of jobs. Raises Unreachable if the cluster is gone."""
    try:
        return future.result()
    except (CancelledError, OSError, TimeoutError) as error:
        raise Unreachable(
            f"the cluster is gone: {error or type(error).__name__}", help=AGAIN
        ) from None


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

    def within(self, share: float) -> float:
        """The seconds within which this share of them were finished; 0 if none was."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def summaries(lines: Iterable[Record]) -> dict[str, Summary]:
    """The tally of each type, in the order of their names."""
    found: dict[str, Summary] = {}
    for line in lines:
        found.setdefault(line.type, Summary()).add(line.status, line.seconds)
    return dict(sorted(found.items()))
