"""Where workers run: on this machine, or on a Dask cluster. Both take jobs and return futures."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
import warnings
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import puzzlekit
from puzzlekit.batch.answers import Result
from puzzlekit.batch.jobs import Job, Request
from puzzlekit.batch.workers import Workers
from puzzlekit.errors import InputError, MissingExtra, Unreachable, installing
from puzzlekit.limits import limits


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


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Local:
    """Workers on this machine."""

    work_seconds = 0.0
    lost: tuple[type[BaseException], ...] = ()

    def __init__(self, request: Request, number: int) -> None:
        self.slots = 2 * number  # one waits for each, so that none is idle while results are written
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
        self.work_seconds = limits().batches.sent_work_seconds
        self.lost: tuple[type[BaseException], ...] = (KilledWorker,)
        seconds = limits().batches.cluster_seconds
        self._cluster: Any = None
        self._folder = TemporaryDirectory(prefix="puzzlekit-", ignore_cleanup_errors=True)
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # a worker that dies is reported here, if at all
        try:
            if address == "local":
                with config.set({"temporary-directory": self._folder.name}), warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # that a port is in use
                    self._cluster = LocalCluster(
                        number, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
                    )
            self._client = Client(self._cluster or address, timeout=seconds, set_as_default=False)
            self._client.wait_for_workers(1, timeout=seconds)
        except ValueError as error:
            self.end()
            raise InputError(f"--cluster {address}: expected local or an address such as tcp://host:8786: {error}") from None
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
            raise InputError(f"a worker of the cluster has no {error.name}: install the same version there") from None
        for worker, version in versions.items():
            if version != puzzlekit.__version__:
                raise InputError(f"the worker {worker} has puzzlekit {version}, not {puzzlekit.__version__}")

    @property
    def slots(self) -> int:
        """Two for each thread of the Dask workers that there are now."""
        if time.monotonic() - self._looked > 2.0:
            self._slots, self._looked = 2 * sum(self._client.ncores().values()), time.monotonic()
        return max(1, self._slots)

    def submit(self, jobs: Sequence[Job]) -> Future[list[Result]]:
        future: Future[list[Result]] = self._executor.submit(_answer, list(jobs), self.request)
        return future

    def end(self) -> None:
        with suppress(Exception):  # it may be gone
            self._client.close(timeout=1)
        with suppress(Exception):
            self._cluster.close(timeout=2)
        self._folder.cleanup()


# In a Dask worker ----------------------------------------------------------------------------------

_workers: dict[Request, Workers] = {}
_making = threading.Lock()


def _answer(jobs: list[Job], request: Request) -> list[Result]:
    with _making:
        if request not in _workers:
            _workers[request] = Workers(request, processors())
    return _workers[request].answer(jobs)


def _ignore_interrupts() -> None:
    """Ignore a Ctrl-C, which a terminal sends to all processes: the batch handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _version() -> str:
    return puzzlekit.__version__
