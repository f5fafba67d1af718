"""What answers the jobs of a batch: worker processes, on this machine or on a Dask cluster.

Each worker answers jobs one by one, and is replaced if it dies. A puzzle is asked again if the
worker dies, and is given up after three deaths. A worker that hangs is ended a moment after the
time limit of its puzzle.
"""

from __future__ import annotations

import json
import logging
import signal
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import puzzlekit
from puzzlekit.api import Run, Task, load
from puzzlekit.api.checks import check_spec
from puzzlekit.api.sources import FileText
from puzzlekit.batch.jobs import Job, Request
from puzzlekit.batch.keys import files_of
from puzzlekit.batch.results import Result, result
from puzzlekit.clock import Clock
from puzzlekit.errors import (
    InputError,
    MissingExtra,
    Stopped,
    Undecided,
    Unreachable,
    Unsupported,
    installing,
    status_of,
)
from puzzlekit.processes.system import machine_memory, peak_memory, processors
from puzzlekit.processes.worker_process import Worker, WorkerCrashed
from puzzlekit.reading import recorded

WORKER_DEATHS = 3  # over one puzzle, after which it is given up
LINE_CHARACTERS = 64 * 2**20  # of the solutions in one result
SENT_WORK_SECONDS = 0.25  # that they take together
CLUSTER_SECONDS = 30.0  # for a cluster to answer
LEAST_WORKER_BYTES = 2**30  # of memory that a worker may use, without `--memory`
IDLE_SECONDS = 60.0  # after which a worker ends
KEPT_WORKER_BYTES = 2**30  # that a worker may have used to get another puzzle
LATE_SECONDS = 2.0  # after which a worker that does not stop is ended

SHARE = 0.75  # of the machine's memory for all workers together, without --memory


class WorkersEnded(Exception):
    """The workers were ended while one had a job."""


class Workers:
    """Worker processes for one request: each thread that asks has one of its own.

    Args:
        request: What is asked of each puzzle.
        number: How many workers this machine has, which share its memory.
    """

    def __init__(self, request: Request, number: int) -> None:
        self.request = request
        memory = machine_memory()
        share = None if memory is None else max(LEAST_WORKER_BYTES, int(memory * SHARE / number))
        self.memory = request.memory or share
        self._own = threading.local()
        self._workers: set[Worker] = set()
        self.ended = threading.Event()

    def answer(self, jobs: Sequence[Job]) -> list[Result]:
        """Answer jobs with the worker of this thread.

        Raises:
            Ended: The workers were ended.
            Stopped: A worker cannot be started.
        """
        return [self._answer(job) for job in jobs]

    def _answer(self, job: Job) -> Result:
        began, most, how = time.perf_counter(), WORKER_DEATHS, ""
        for _ in range(most):
            worker = self._ready()
            worker.ask(_answered, (job, self.request))
            timeout = self.request.means.timeout
            try:
                found = worker.only_item(None if timeout is None else timeout + LATE_SECONDS)
            except WorkerCrashed as death:
                how = str(death)
                if self.ended.is_set():
                    raise WorkersEnded from None
                continue
            worker.idle_since = time.monotonic()
            if found is None:
                worker.end()
                reason = "the time is up; the worker did not stop and was ended"
                return result(job, self.request, "stopped", time.perf_counter() - began, reason)
            answered: Result = found[0]
            if found[1]:
                worker.end()
            return answered
        return result(
            job, self.request, "crashed", time.perf_counter() - began, f"{most} workers {how}"
        )

    def _ready(self) -> Worker:
        """The worker of this thread; a new one if there is none, or if it has ended. Raises
        Stopped, and Ended.
        """
        worker: Worker | None = getattr(self._own, "worker", None)
        if worker is not None and worker.ready:
            return worker
        if worker is not None:
            self._workers.discard(worker)
            worker.end()
        self._own.worker = worker = Worker(
            fresh=True, memory=self.memory, idle_seconds=IDLE_SECONDS
        )
        self._workers.add(worker)
        try:
            worker.ask(_began, ())
            if self.ended.is_set():  # meanwhile
                worker.kill()
            worker.only_item()
        except (WorkerCrashed, OSError) as error:
            if self.ended.is_set():
                raise WorkersEnded from None
            raise Stopped(
                f"no worker can be started: {error}",
                help="is there enough memory, and is --memory large enough?",
            ) from None
        worker.idle_since = time.monotonic()
        return worker

    def end(self) -> None:
        """End all workers. Jobs that they have are not answered."""
        self.ended.set()
        for worker in list(self._workers):
            worker.kill()

    def reap(self) -> None:
        """Release what is left of the workers, when no thread asks any more."""
        for worker in self._workers:
            worker.end()


# In the worker's process --------------------------------------------------------------------------


def _began() -> Iterator[bool]:
    yield True


def _answered(job: Job, request: Request) -> Iterator[tuple[Result, bool]]:
    """The result of a job, and whether the worker must be replaced: it has used much memory."""
    began = time.perf_counter()
    try:
        yield answer(job, request), peak_memory() > KEPT_WORKER_BYTES
    except MemoryError:
        yield (
            result(job, request, "stopped", time.perf_counter() - began, "the memory is used up"),
            True,
        )


def answer(job: Job, request: Request) -> Result:
    """Load the puzzle of a job and run the query. Raises nothing but MemoryError and what ends a
    process.
    """
    began = time.perf_counter()
    clock = Clock(request.means.timeout)
    found: dict[str, Any] = {}
    with recorded() as paths:
        status, reason = _ended(job, request, clock, found, paths)
    files = files_of(paths, job.folder)
    return result(job, request, status, time.perf_counter() - began, reason, files, **found)


def _ended(
    job: Job, request: Request, clock: Clock, found: dict[str, Any], paths: set[Path]
) -> tuple[str, str | None]:
    """The status and the reason. Raises nothing but MemoryError and what ends a process."""
    try:
        return _solve(job, request, clock, found, paths)
    except (InputError, Stopped, Undecided, Unsupported) as error:
        found["help"] = error.help or None
        return status_of(error), str(error)
    except MemoryError:
        raise
    except Exception as error:  # of puzzlekit, or a library
        return "bug", f"{type(error).__name__}: {error}"


def _solve(
    job: Job, request: Request, clock: Clock, found: dict[str, Any], paths: set[Path]
) -> tuple[str, str | None]:
    if job.problem is not None:
        raise job.problem
    spec = json.loads(job.text) if job.path is None else FileText(job.path, job.text)
    puzzle = load(None, spec, clock=clock, **vars(request.loading))
    found["puzzle"] = puzzle.type.name
    paths.discard(Path(puzzle.type.source.path))  # the job's key covers it
    if request.query is None:
        return "ok", check_spec(puzzle, request.means.backend, clock)
    run = puzzle.run(request.query, request.means.backend, clock=clock)
    solutions, most = found.setdefault("solutions", []), LINE_CHARACTERS
    values = []
    for solution in run:
        solutions.append(solution.json())
        values.append(solution.value)
        if request.query.limit is None:
            most -= len(str(solutions[-1]))
            if most < 0:
                raise Stopped("the solutions are too long for a line")
    found |= {"count": run.count, "counted": run.counted, "uniform": run.uniform}
    found |= {"goal": run.goal_found(values), "backend": run.solved_by}
    return _status(run), None if run.reason is None else str(run.reason)


def _status(run: Run) -> str:
    if run.status != "complete":
        return run.status
    if not run.count:
        return "none"
    if run.goal is not None or run.query.task is Task.SAMPLE or run.cut_short:
        return "solved"
    return "unique" if run.counted and run.count == 1 else "several"


# Where workers run --------------------------------------------------------------------------------


class Executor(Protocol):
    """Takes jobs and returns futures of their results.

    Attributes:
        work_seconds: How long jobs that are submitted together should take; 0 for one at a time.
        lost: What a future raises if the workers that had its jobs died, several times in a row.
    """

    work_seconds: float
    lost: tuple[type[BaseException], ...]

    @property
    def slots(self) -> int:
        """How many futures should be under way."""

    def submit(self, jobs: Sequence[Job]) -> Future[list[Result]]:
        """Have jobs answered, in their order."""

    def end(self) -> None:
        """End all workers."""


class Local:
    """Workers on this machine."""

    work_seconds = 0.0
    lost: tuple[type[BaseException], ...] = ()

    def __init__(self, request: Request, number: int) -> None:
        self.slots = (
            2 * number
        )  # one waits for each, so that none is idle while results are written
        self._workers = Workers(request, number)
        self._threads = ThreadPoolExecutor(number, "worker")

    def submit(self, jobs: Sequence[Job]) -> Future[list[Result]]:
        return self._threads.submit(self._workers.answer, jobs)

    def end(self) -> None:
        self._workers.end()
        self._threads.shutdown(cancel_futures=True)
        self._workers.reap()


class Cluster:
    """Workers of a Dask cluster: each thread of a Dask worker has a worker process of its own.

    So what kills or hangs a worker does not harm the cluster. If a Dask worker dies, the scheduler
    gives its jobs to another one.

    Args:
        request: What is asked of each puzzle.
        address: The scheduler's address (`tcp://host:8786`), or "local" to start a cluster here.
        number: The workers of a cluster that is started here.

    Raises:
        MissingExtra: The library `distributed` is not installed.
        InputError: The address is not valid, or a worker has another version of puzzlekit, or none.
        Unreachable: There is no scheduler at the address, or it has no workers.
    """

    def __init__(self, request: Request, address: str, number: int) -> None:
        try:
            from dask import config
            from distributed import Client, KilledWorker, LocalCluster
        except ModuleNotFoundError:
            raise MissingExtra(f"--cluster requires an extra: {installing('cluster')}") from None
        self.request = request
        self.work_seconds = SENT_WORK_SECONDS
        self.lost: tuple[type[BaseException], ...] = (KilledWorker,)
        seconds = CLUSTER_SECONDS
        self._cluster: Any = None
        self._folder = TemporaryDirectory(prefix="puzzlekit-", ignore_cleanup_errors=True)
        logging.getLogger("distributed").setLevel(
            logging.CRITICAL
        )  # a worker that dies is reported here, if at all
        try:
            if address == "local":
                with (
                    config.set({"temporary-directory": self._folder.name}),
                    warnings.catch_warnings(),
                ):
                    warnings.simplefilter("ignore")  # that a port is in use
                    self._cluster = LocalCluster(
                        number,
                        threads_per_worker=1,
                        dashboard_address=None,
                        silence_logs=logging.CRITICAL,
                    )
            self._client = Client(self._cluster or address, timeout=seconds, set_as_default=False)
            self._client.wait_for_workers(1, timeout=seconds)
        except ValueError as error:
            self.end()
            raise InputError(
                f"--cluster {address}: expected local or an address such as tcp://host:8786: {error}"
            ) from None
        except (OSError, TimeoutError) as error:
            what = "has no workers" if hasattr(self, "_client") else "does not answer"
            self.end()
            raise Unreachable(f"the cluster {address} {what}: {error}") from None
        self._require_same_version()
        if self._cluster is not None:
            self._client.run(_ignore_interrupts)
        self._executor = self._client.get_executor(pure=False)
        self._slots, self._looked = 0, 0.0

    def _require_same_version(self) -> None:
        try:
            versions = self._client.run(_version)
        except ModuleNotFoundError as error:
            raise InputError(
                f"a worker of the cluster has no {error.name}: install the same version there"
            ) from None
        for worker, version in versions.items():
            if version != puzzlekit.__version__:
                raise InputError(
                    f"the worker {worker} has puzzlekit {version}, not {puzzlekit.__version__}"
                )

    @property
    def slots(self) -> int:
        """Two for each thread of the Dask workers that there are now."""
        if time.monotonic() - self._looked > 2.0:
            self._slots, self._looked = 2 * sum(self._client.ncores().values()), time.monotonic()
        return max(1, self._slots)

    def submit(self, jobs: Sequence[Job]) -> Future[list[Result]]:
        future: Future[list[Result]] = self._executor.submit(
            _answer_there, list(jobs), self.request
        )
        return future

    def end(self) -> None:
        with suppress(Exception):  # it may be gone
            self._client.close(timeout=1)
        with suppress(Exception):
            self._cluster.close(timeout=2)
        self._folder.cleanup()


# In a Dask worker ---------------------------------------------------------------------------------

_workers: dict[str, Workers] = {}  # by their requests
_making = threading.Lock()


def _answer_there(jobs: list[Job], request: Request) -> list[Result]:
    key = repr(request)
    with _making:
        if key not in _workers:
            _workers[key] = Workers(request, processors())
    return _workers[key].answer(jobs)


def _ignore_interrupts() -> None:
    """Ignore a Ctrl-C, which a terminal sends to all processes: the batch handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _version() -> str:
    return puzzlekit.__version__
