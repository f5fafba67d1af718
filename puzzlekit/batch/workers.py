"""Worker processes: each answers jobs one by one, stays warm, and is replaced if it dies.

A worker is a Python of its own rather than a fork, so it can be started from any thread, also in
the worker of a cluster. It leads a process group, which is killed whole. A puzzle is asked again if
the worker dies, and is given up after three deaths; a worker that hangs is ended a moment after the
time limit of its puzzle.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

from puzzlekit.batch.answers import Result, answer, result
from puzzlekit.batch.jobs import Job, Request
from puzzlekit.errors import Stopped
from puzzlekit.limits import limits
from puzzlekit.memory import bound_memory, machine_memory

SHARE = 0.75  # of the machine's memory for all workers together, without --memory
SINGLE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")  # else each worker starts a thread per processor
DEATH_SIGNAL = 1  # of prctl: the signal when the thread that started this process ends
COMMAND = [sys.executable, "-P", "-m", "puzzlekit.batch.workers"]
DIED = (EOFError, OSError, pickle.UnpicklingError)


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
        self._workers: set[_Worker] = set()
        self.ended = threading.Event()

    def answer(self, jobs: Sequence[Job]) -> list[Result]:
        """Answer jobs with the worker of this thread.

        Raises:
            Ended: The workers were ended.
            Stopped: A worker cannot be started.
        """
        if not hasattr(self._own, "worker"):
            self._own.worker = _Worker(self)
            self._workers.add(self._own.worker)
        return [self._answer(self._own.worker, job) for job in jobs]

    def _answer(self, worker: _Worker, job: Job) -> Result:
        began, most = time.perf_counter(), limits().batches.worker_deaths
        for _ in range(most):
            try:
                if (found := worker.ask(job)) is not None:
                    return found
                reason = "the time is up; the worker did not stop and was ended"
                return result(job, self.request, "stopped", time.perf_counter() - began, reason)
            except DIED:
                how = worker.end()
                if self.ended.is_set():
                    raise Ended from None
        reason = f"{most} workers {how}"
        return result(job, self.request, "crashed", time.perf_counter() - began, reason)

    def end(self) -> None:
        """End all workers. Jobs that they have are not answered."""
        self.ended.set()
        for worker in list(self._workers):
            worker.kill()

    def reap(self) -> None:
        """Release what is left of the workers, when no thread asks any more."""
        for worker in self._workers:
            worker.end()


class _Worker:
    """A worker process, which is started when it is needed."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.process: subprocess.Popen[bytes] | None = None

    def ask(self, job: Job) -> Result | None:
        """Return the result of a job; None if the worker did not stop in time. Raises one of DIED."""
        process = self._ready()
        late = threading.Event()
        timer = self._timer(late)
        try:
            found, leaves = self._exchange(process, job)
        except DIED:
            if late.is_set():
                self.end()
                return None
            raise
        finally:
            timer.cancel()
        if leaves:
            self.end()
        answered: Result = found
        return answered

    def _timer(self, late: threading.Event) -> threading.Timer:
        """Start a timer that kills the worker if its puzzle takes too long."""

        def kill() -> None:
            late.set()
            self.kill()

        seconds = self.workers.request.timeout
        timer = threading.Timer(min((seconds or 0.0) + limits().batches.late_seconds, threading.TIMEOUT_MAX), kill)
        timer.daemon = True
        if seconds is not None:
            timer.start()
        return timer

    def _ready(self) -> subprocess.Popen[bytes]:
        """The process; a new one if there is none, or if it has ended while it was idle. Raises Stopped."""
        if self.process is not None and self.process.poll() is None:
            return self.process
        if self.workers.ended.is_set():
            raise EOFError
        self.end()  # of one that ended while it was idle
        environment = {**os.environ, **dict.fromkeys(SINGLE, "1"), "PYTHONSAFEPATH": "1"}
        try:
            self.process = subprocess.Popen(
                COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # libraries write there, and a crash of one does
                env=environment,
                start_new_session=True,
            )
            if self.workers.ended.is_set():  # meanwhile
                self.kill()
            self._exchange(self.process, (self.workers.request, self.workers.memory, limits().batches.idle_seconds))
        except DIED as error:
            how = self.end() or str(error)
            if self.workers.ended.is_set():
                raise
            raise Stopped(
                f"no worker can be started: {how}\n     = is there enough memory, and is --memory large enough?"
            ) from None
        return self.process

    def _exchange(self, process: subprocess.Popen[bytes], message: object) -> Any:
        assert process.stdin is not None and process.stdout is not None
        pickle.dump(message, process.stdin)
        process.stdin.flush()
        return pickle.load(process.stdout)

    def kill(self) -> None:
        """Kill the process with all that it has started."""
        process = self.process
        if process is None or process.poll() is not None:
            return
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()

    def end(self) -> str:
        """Kill the process if it still runs, and return how it ended; empty if there is none."""
        process = self.process
        if process is None:
            return ""
        with suppress(subprocess.TimeoutExpired):  # it may be dying of its own accord
            process.wait(0.2)
        self.kill()
        self.process, code = None, process.wait()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                stream.close() if stream is not None else None
        names = {int(number): number.name for number in signal.Signals}
        return f"died of {names.get(-code, f'signal {-code}')}" if code < 0 else f"ended with exit code {code}"


# In the worker's process ---------------------------------------------------------------------------


def serve() -> NoReturn:
    """Answer jobs from standard input until it is closed."""
    here, there = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "r+b") as nothing:  # noqa: PTH123 (what a library prints is no answer)
        os.dup2(nothing.fileno(), 0)
        os.dup2(nothing.fileno(), 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":  # also while native code keeps the thread below from running
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)
    watch = _Watch()
    request, memory, watch.most = pickle.load(here)
    if memory is not None:
        with suppress(OSError, ValueError):  # the system has a lower bound
            bound_memory(memory)
    watch.start()
    pickle.dump("ready", there)
    there.flush()
    with suppress(EOFError, BrokenPipeError):
        while True:
            watch.idle_since = time.monotonic()
            job = pickle.load(here)
            watch.idle_since = None
            pickle.dump(_answered(job, request), there)
            there.flush()
    os._exit(0)


def _answered(job: Job, request: Request) -> tuple[Result, bool]:
    """The result of a job, and whether the worker must be replaced: it has used much memory."""
    began = time.perf_counter()
    try:
        return answer(job, request), _peak() > limits().batches.kept_worker_bytes
    except MemoryError:
        return result(job, request, "stopped", time.perf_counter() - began, "the memory is used up"), True


def _peak() -> int:
    """The most bytes of memory that this process has used."""
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class _Watch(threading.Thread):
    """Ends the process when its parent is gone, or when it has been idle for too long."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.parent = os.getppid()
        self.idle_since: float | None = time.monotonic()
        self.most = limits().batches.idle_seconds

    def run(self) -> None:
        while os.getppid() == self.parent:
            time.sleep(0.5)
            since = self.idle_since
            if since is not None and time.monotonic() - since > self.most:
                break
        with suppress(AttributeError, OSError):
            os.killpg(0, signal.SIGKILL)
        os._exit(1)


if __name__ == "__main__":
    from puzzlekit.batch import workers

    workers.serve()
