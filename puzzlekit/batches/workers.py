"""Worker processes that answer the jobs of a batch, on this machine or on a Dask cluster.

Each worker answers jobs one by one, and is replaced if it dies. Its job then goes to another
worker, and is given up after three deaths. A worker that hangs is ended a moment after the time
limit of its puzzle.
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
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from puzzlekit.api import FileText, Run, Task, check_spec, load
from puzzlekit.batches.jobs import Job, Request
from puzzlekit.batches.keys import files_of
from puzzlekit.batches.results import Result, build_result
from puzzlekit.clock import Clock
from puzzlekit.errors import (
    InputError,
    MissingExtra,
    Stopped,
    Undecided,
    Unreachable,
    Unsupported,
    installing,
    option,
    status_of,
)
from puzzlekit.processes import Worker, WorkerCrashed, machine_memory, peak_memory, processors
from puzzlekit.reading import recorded

WORKER_DEATHS = 3  # over one puzzle, after which it is given up
LINE_CHARACTERS = 64 * 2**20  # of the solutions in one result
SENT_WORK_SECONDS = 0.25  # that jobs sent to a cluster should take together
CLUSTER_SECONDS = 30.0  # for a cluster to answer
LEAST_WORKER_BYTES = 2**30  # of memory that a worker may use, without `--memory`
IDLE_SECONDS = 60.0  # after which a worker ends
KEPT_WORKER_BYTES = 2**30  # that a worker may have used to get another puzzle
LATE_SECONDS = 2.0  # after which a worker that does not stop is ended
SLOTS_SECONDS = 2.0  # between two counts of the threads of a cluster
SHARE = 0.75  # of the machine's memory for all workers together, without --memory


class WorkersEnded(Exception):
    """The workers were ended while one had a job."""


class Workers:
    """Worker processes for one request: one for each thread that asks.

    Args:
        request: What is asked of each puzzle.
        number: How many workers this machine has, which share its memory.
    """

    def __init__(self, request: Request, number: int) -> None:
        self.request = request
        self.memory = request.memory or _share_of_memory(number)
        self._of_thread = threading.local()
        self._workers: set[Worker] = set()
        self.ended = threading.Event()

    def answer(self, jobs: Sequence[Job]) -> list[Result]:
        """Answer jobs with the worker of this thread.

        Raises:
            WorkersEnded: The workers were ended.
            Stopped: A worker cannot be started.
        """
        return [self._answer(job) for job in jobs]

    def _answer(self, job: Job) -> Result:
        began = time.perf_counter()
        timeout = self.request.run_options.timeout
        patience = None if timeout is None else timeout + LATE_SECONDS
        crash = ""
        for _ in range(WORKER_DEATHS):
            worker = self._ready()
            worker.ask(_answered, (job, self.request))
            try:
                result_and_use = worker.only_item(patience)
            except WorkerCrashed as death:
                crash = str(death)
                if self.ended.is_set():
                    raise WorkersEnded from None
                continue
            worker.idle_since = time.monotonic()
            if result_and_use is None:
                worker.end()
                reason = "the time is up; the worker did not stop and was ended"
                seconds = time.perf_counter() - began
                return build_result(job, self.request, "stopped", seconds, reason)
            result: Result
            result, is_used_up = result_and_use
            if is_used_up:
                worker.end()
            return result
        seconds = time.perf_counter() - began
        reason = f"{WORKER_DEATHS} workers {crash}"
        return build_result(job, self.request, "crashed", seconds, reason)

    def _ready(self) -> Worker:
        """Return the worker of this thread; a new one if there is none, or if it has ended.

        Raises Stopped, and WorkersEnded.
        """
        worker: Worker | None = getattr(self._of_thread, "worker", None)
        if worker is not None and worker.ready:
            return worker
        if worker is not None:
            self._workers.discard(worker)
            worker.end()
        worker = Worker(fresh=True, memory=self.memory, idle_seconds=IDLE_SECONDS)
        self._of_thread.worker = worker
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
                help=f"is there enough memory, and is {option('memory')} large enough?",
            ) from None
        worker.idle_since = time.monotonic()
        return worker

    def end(self) -> None:
        """End all workers. Jobs that they have are not answered."""
        self.ended.set()
        for worker in list(self._workers):
            worker.kill()

    def reap(self) -> None:
        """Release the ended workers, when no thread asks any more."""
        for worker in self._workers:
            worker.end()


def _share_of_memory(number: int) -> int | None:
    """Return the bytes of one of so many workers; None if the machine's memory is not known."""
    memory = machine_memory()
    if memory is None:
        return None
    return max(LEAST_WORKER_BYTES, int(memory * SHARE / number))


# In the worker's process --------------------------------------------------------------------------


def _began() -> Iterator[bool]:
    yield True


def _answered(job: Job, request: Request) -> Iterator[tuple[Result, bool]]:
    """Yield the result of a job, and whether the worker has used too much memory to go on."""
    began = time.perf_counter()
    try:
        result = answer(job, request)
        is_used_up = peak_memory() > KEPT_WORKER_BYTES
        yield result, is_used_up
    except MemoryError:
        seconds = time.perf_counter() - began
        yield build_result(job, request, "stopped", seconds, "the memory is used up"), True


def answer(job: Job, request: Request) -> Result:
    """Load the puzzle of a job and run the query.

    Raises nothing but MemoryError and what ends a process.
    """
    began = time.perf_counter()
    clock = Clock(request.run_options.timeout)
    fields: dict[str, Any] = {}
    with recorded() as paths:
        status, reason = _outcome(job, request, clock, fields, paths)
    files = files_of(paths, job.folder)
    seconds = time.perf_counter() - began
    return build_result(job, request, status, seconds, reason, files, **fields)


def _outcome(
    job: Job, request: Request, clock: Clock, fields: dict[str, Any], paths: set[Path]
) -> tuple[str, str | None]:
    """Run the query of a job, and return the status and the reason.

    Raises nothing but MemoryError and what ends a process.

    Args:
        job: The job.
        request: What is asked.
        clock: The time limit.
        fields: The fields of the result, which are added as they are computed.
        paths: The files that were read.
    """
    try:
        return _solve(job, request, clock, fields, paths)
    except (InputError, Stopped, Undecided, Unsupported) as error:
        fields["help"] = error.help or None
        return status_of(error), str(error)
    except MemoryError:
        raise
    except Exception as error:  # of puzzlekit, or a library
        return "bug", f"{type(error).__name__}: {error}"


def _solve(
    job: Job, request: Request, clock: Clock, fields: dict[str, Any], paths: set[Path]
) -> tuple[str, str | None]:
    if job.problem is not None:
        raise job.problem
    spec = json.loads(job.text) if job.path is None else FileText(job.path, job.text)
    puzzle = load(None, spec, clock=clock, **vars(request.load_options))
    fields["puzzle"] = puzzle.type.name
    paths.discard(Path(puzzle.type.source.path))  # the job's key covers it
    backend = request.run_options.backend
    if request.query is None:
        return "ok", check_spec(puzzle, backend, clock)
    run = puzzle.run(request.query, backend, clock=clock)
    solutions: list[Any] = []
    fields["solutions"] = solutions
    values = []
    characters = 0
    for solution in run:
        solutions.append(solution.json())
        values.append(solution.value)
        if request.query.limit is None:
            characters += len(str(solutions[-1]))
            if characters > LINE_CHARACTERS:
                raise Stopped("the solutions are too long for a line")
    fields |= {"count": run.count, "counted": run.counted, "uniform": run.uniform}
    fields |= {"goal": run.goal_found(values), "backend": run.solved_by}
    reason = None if run.reason is None else str(run.reason)
    return _status(run), reason


def _status(run: Run) -> str:
    """Return the status of a result: that of the run, or what a complete run shows."""
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
        worker_loss: What a future raises if the workers that had its jobs died several times.
    """

    work_seconds: float
    worker_loss: tuple[type[BaseException], ...]

    @property
    def slots(self) -> int:
        """The number of futures that should be under way."""

    def submit(self, jobs: Sequence[Job]) -> Future[list[Result]]:
        """Have jobs answered, in their order."""

    def end(self) -> None:
        """End all workers."""


class Local:
    """Workers on this machine."""

    work_seconds = 0.0
    worker_loss: tuple[type[BaseException], ...] = ()

    def __init__(self, request: Request, number: int) -> None:
        # one job waits for each worker, so that none is idle while results are written
        self.slots = 2 * number
        self._workers = Workers(request, number)
        self._threads = ThreadPoolExecutor(number, "worker")

    def submit(self, jobs: Sequence[Job]) -> Future[list[Result]]:
        return self._threads.submit(self._workers.answer, jobs)

    def end(self) -> None:
        self._workers.end()
        self._threads.shutdown(cancel_futures=True)
        self._workers.reap()


class Cluster:
    """Workers of a Dask cluster: each thread of a Dask worker has its own worker process.

    A job that kills or hangs its worker process therefore does not harm the cluster. If a Dask
    worker dies, the scheduler gives its jobs to another one.

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
            raise MissingExtra(
                f"{option('cluster')} requires an extra: {installing('cluster')}"
            ) from None
        self.request = request
        self.work_seconds = SENT_WORK_SECONDS
        self.worker_loss: tuple[type[BaseException], ...] = (KilledWorker,)
        seconds = CLUSTER_SECONDS
        self._cluster: Any = None
        self._folder = TemporaryDirectory(prefix="puzzlekit-", ignore_cleanup_errors=True)
        # the batch itself reports workers that die
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
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
            expected = "expected local or an address such as tcp://host:8786"
            raise InputError(f"{option('cluster')} {address}: {expected}: {error}") from None
        except (OSError, TimeoutError) as error:
            fault = "has no workers" if hasattr(self, "_client") else "does not answer"
            self.end()
            raise Unreachable(f"the cluster {address} {fault}: {error}") from None
        self._require_same_version()
        if self._cluster is not None:
            self._client.run(_ignore_interrupts)
        self._executor = self._client.get_executor(pure=False)
        self._slots = 0
        self._counted_at = 0.0

    def _require_same_version(self) -> None:
        try:
            versions = self._client.run(_version)
        except ModuleNotFoundError as error:
            raise InputError(
                f"a worker of the cluster has no {error.name}: install the same version there"
            ) from None
        for worker, version in versions.items():
            if version != _version():
                raise InputError(f"the worker {worker} has puzzlekit {version}, not {_version()}")

    @property
    def slots(self) -> int:
        """Two for each thread of the Dask workers that there are now."""
        if time.monotonic() - self._counted_at > SLOTS_SECONDS:
            threads = self._client.ncores().values()
            self._slots = 2 * sum(threads)
            self._counted_at = time.monotonic()
        return max(1, self._slots)

    def submit(self, jobs: Sequence[Job]) -> Future[list[Result]]:
        future: Future[list[Result]]
        future = self._executor.submit(_answer_there, list(jobs), self.request)
        return future

    def end(self) -> None:
        with suppress(Exception):  # it may be gone
            self._client.close(timeout=1)
        with suppress(Exception):
            self._cluster.close(timeout=2)
        self._folder.cleanup()


# In a Dask worker ---------------------------------------------------------------------------------

_workers: dict[str, Workers] = {}  # by their requests
_workers_lock = threading.Lock()


def _answer_there(jobs: list[Job], request: Request) -> list[Result]:
    """Answer jobs with the workers of this process, which are started for its first request."""
    key = repr(request)
    with _workers_lock:
        if key not in _workers:
            _workers[key] = Workers(request, processors())
    return _workers[key].answer(jobs)


def _ignore_interrupts() -> None:
    """Ignore a Ctrl-C, which a terminal sends to all processes: the batch handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _version() -> str:
    # The package exports this one, which therefore does not import it
    version: str = import_module("puzzlekit").__version__
    return version
