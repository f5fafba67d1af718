"""The workers of a batch: each answers jobs one by one, and is replaced if it dies.

A puzzle is asked again if the worker dies, and is given up after three deaths. A worker that hangs
is ended a moment after the time limit of its puzzle.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence

from puzzlekit.batch.answers import Result, answer, result
from puzzlekit.batch.jobs import Job, Request
from puzzlekit.errors import Stopped
from puzzlekit.limits import limits
from puzzlekit.processes.system import machine_memory, peak_memory
from puzzlekit.processes.worker_process import Died, Worker

SHARE = 0.75  # of the machine's memory for all workers together, without --memory


class Ended(Exception):
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
        share = None if memory is None else max(limits().batches.least_worker_bytes, int(memory * SHARE / number))
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
        began, most, how = time.perf_counter(), limits().batches.worker_deaths, ""
        for _ in range(most):
            worker = self._ready()
            worker.ask(_answered, (job, self.request))
            timeout = self.request.timeout
            try:
                found = worker.only_item(None if timeout is None else timeout + limits().batches.late_seconds)
            except Died as death:
                how = str(death)
                if self.ended.is_set():
                    raise Ended from None
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
        return result(job, self.request, "crashed", time.perf_counter() - began, f"{most} workers {how}")

    def _ready(self) -> Worker:
        """The worker of this thread; a new one if there is none, or if it has ended. Raises Stopped, and Ended."""
        worker: Worker | None = getattr(self._own, "worker", None)
        if worker is not None and worker.ready:
            return worker
        if worker is not None:
            self._workers.discard(worker)
            worker.end()
        self._own.worker = worker = Worker(fresh=True, memory=self.memory, rest=limits().batches.idle_seconds)
        self._workers.add(worker)
        try:
            worker.ask(_began, ())
            if self.ended.is_set():  # meanwhile
                worker.kill()
            worker.only_item()
        except (Died, OSError) as error:
            if self.ended.is_set():
                raise Ended from None
            raise Stopped(
                f"no worker can be started: {error}\n     = is there enough memory, and is --memory large enough?"
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


# In the worker's process ---------------------------------------------------------------------------


def _began() -> Iterator[bool]:
    yield True


def _answered(job: Job, request: Request) -> Iterator[tuple[Result, bool]]:
    """The result of a job, and whether the worker must be replaced: it has used much memory."""
    began = time.perf_counter()
    try:
        yield answer(job, request), peak_memory() > limits().batches.kept_worker_bytes
    except MemoryError:
        yield result(job, request, "stopped", time.perf_counter() - began, "the memory is used up"), True
