"""Worker processes: each answers requests, one after the other, with streams of items.

Workers run code that ignores the clock and Ctrl-C, may crash, or may exhaust the memory. Whoever
starts one ends it. It also ends when this process ends, and when nobody has asked it for a while.

By default a worker is a fork, which takes some 10 ms and has all that this process has loaded. A
fresh worker is a Python of its own. It takes half a second, may have workers itself, and leads a
process group, which is killed whole.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import TIMEOUT_MAX, Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Any, NoReturn
from weakref import WeakSet

from puzzlekit.errors import BackendBug, PuzzlekitError, Stopped
from puzzlekit.processes.system import (
    PR_SET_PDEATHSIG,
    bound_memory,
    memory_is_bounded,
    prctl,
    processor_seconds,
    resident,
    signal_name,
)

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Request = tuple[Callable[..., Iterator[Any]], tuple[Any, ...]]
# items, whether they are the last, the error
Message = tuple[list[Any], bool, PuzzlekitError | None]
FORKS = hasattr(os, "fork")
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
IDLE_SECONDS = 1.0  # after which a worker of a stream ends if nobody asks it
PARENT_CHECK_SECONDS = 0.5  # between two checks of the parent
SENT_ITEMS = 1_000  # that are sent together
SENT_SECONDS = 0.05  # for which an item may wait for others
COMMAND = [sys.executable, "-P", "-m", "puzzlekit.processes.worker_process"]
# else a worker starts a thread per processor
SINGLE_THREADED = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")

# a web page has no processes, and ends its worker from outside
_in_worker = sys.platform == "emscripten"


def is_worker() -> bool:
    """Return whether this process is a worker that has no workers itself."""
    return _in_worker


class WorkerCrashed(Exception):
    """A worker has ended without a message. The text says how it ended."""


class Worker:
    """A worker process, which is started with the first request.

    Args:
        fresh: Whether it is a Python of its own; else it is a fork, where the system has that.
        memory: The bytes that a fresh worker may use; None for no bound.
        idle_seconds: The seconds without a request after which it ends.
    """

    def __init__(
        self, fresh: bool = False, memory: int | None = None, idle_seconds: float | None = None
    ) -> None:
        self.fresh = fresh or not FORKS
        self.memory = memory
        self.idle_seconds = IDLE_SECONDS if idle_seconds is None else idle_seconds
        self.idle_since = 0.0
        self._owner_pid = os.getpid()
        self._process: subprocess.Popen[bytes] | _Fork | None = None
        self._pipe: Connection | None = None
        self._killed = False
        self._worked = 0.0  # its processor time that `worked` has counted

    def ask(self, make: Callable[..., Iterator[Any]], arguments: tuple[Any, ...]) -> None:
        """Request a stream. Raises OSError if the process cannot be started."""
        request = (make, arguments)
        if self._pipe is None:
            first = None if self.fresh else request
            with _interrupts_delayed():
                self._start(first)
            if first is not None:
                return
        assert self._pipe is not None
        with suppress(ConnectionError):  # if it is dead, there will be no message
            self._pipe.send(request)

    def receive(self, seconds: float | None = None) -> Message | None:
        """Return the next message; None if none comes in time. Raises WorkerCrashed."""
        try:
            if self._pipe is None:
                raise EOFError
            if not self._pipe.poll(None if seconds is None else min(seconds, TIMEOUT_MAX)):
                return None
            message: Message = self._pipe.recv()
        except (EOFError, OSError):
            raise WorkerCrashed(self.end(patience=0.2)) from None
        return message

    def only_item(self, seconds: float | None = None) -> Any:
        """Return the only item of a stream; None if that does not end within these seconds.

        Raises WorkerCrashed.
        """
        until = None if seconds is None else time.monotonic() + seconds
        items: list[Any] = []
        ended = False
        while not ended:
            message = self.receive(None if until is None else max(0.0, until - time.monotonic()))
            if message is None:
                return None
            more, ended, error = message
            items += more
            if error is not None:
                self.end()
                raise WorkerCrashed(str(error))
        (item,) = items
        return item

    def worked(self) -> float:
        """Return the processor time of the process since the last call."""
        before = self._worked
        self._worked = processor_seconds(self._process.pid) if self._process else 0.0
        return max(0.0, self._worked - before)

    def resident(self) -> int:
        """Return the bytes of memory that it uses now; 0 if it does not run."""
        return resident(self._process.pid) if self._process is not None else 0

    @property
    def ready(self) -> bool:
        """Whether it can answer.

        It belongs to this process, runs, and is not about to end, by itself or killed.
        """
        rested = time.monotonic() - self.idle_since
        if self._process is None or self._killed or not self._mine:
            return False
        return rested < self.idle_seconds / 2 and self._process.poll() is None

    @property
    def _mine(self) -> bool:
        return self._owner_pid == os.getpid()

    def signal(self, number: int) -> None:
        """Send it a signal. SIGKILL to a fresh one also kills what that has started."""
        process = self._process
        if process is None or not self._mine or process.poll() is not None:
            return
        with suppress(OSError):
            if self.fresh and number == KILL and FORKS:
                os.killpg(process.pid, number)
            else:
                os.kill(process.pid, number)

    def kill(self) -> None:
        """Kill it. Another thread that waits for it gets WorkerCrashed."""
        self._killed = True
        self.signal(KILL)

    def end(self, patience: float = 0.0) -> str:
        """Kill it unless it ends within these seconds, and return how it ended.

        Returns an empty string if it did not run.
        """
        process, pipe = self._process, self._pipe
        if process is None or not self._mine:
            self._process = self._pipe = None
            return ""
        if patience:
            with suppress(subprocess.TimeoutExpired):  # it may be dying of its own accord
                process.wait(patience)
        self.kill()
        code = process.wait()
        self._process = self._pipe = None
        if pipe is not None:
            with suppress(OSError):  # the collector may have closed it before
                pipe.close()
        if code < 0:
            return f"died of {signal_name(-code)}"
        return f"ended with exit code {code}"

    def __del__(self) -> None:
        """End a worker whose thread has ended."""
        with suppress(Exception):  # at interpreter exit
            self.end()

    def _start(self, first: Request | None) -> None:
        from multiprocessing.connection import Pipe

        near_end, far_end = Pipe()
        steady = current_thread() is main_thread()
        try:
            if self.fresh:
                self._process = _fresh(far_end, self.memory, self.idle_seconds)
            else:
                # the child of a fork runs no code of our other threads
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    pid = os.fork()
                if not pid:
                    near_end.close()
                    _serve(far_end, first, self.idle_seconds, steady)
                self._process = _Fork(pid)
        except BaseException:
            near_end.close()
            raise
        finally:
            far_end.close()
        self._pipe = near_end
        self._killed = False
        _workers.add(self)


class _Fork:
    """A forked process, with the methods of `subprocess.Popen` that a worker needs."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.code: int | None = None

    def poll(self) -> int | None:
        return self._waited(os.WNOHANG)

    def wait(self, timeout: float | None = None) -> int:
        until = None if timeout is None else time.monotonic() + timeout
        while (code := self._waited(0 if until is None else os.WNOHANG)) is None:
            if until is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired("fork", timeout or 0.0)
            time.sleep(0.002)
        return code

    def _waited(self, options: int) -> int | None:
        if self.code is None:
            try:
                pid, status = os.waitpid(self.pid, options)
            except ChildProcessError:  # the caller ignores SIGCHLD, or has waited for it
                pid, status = self.pid, 1 << 8
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code


def _fresh(far_end: Connection, memory: int | None, idle_seconds: float) -> subprocess.Popen[bytes]:
    """Start a Python of its own, with this end of a pipe."""
    number = far_end.fileno()
    options: dict[str, Any] = {"pass_fds": [number]}
    if sys.platform == "win32":
        os.set_handle_inheritable(number, True)
        options = {"close_fds": False}
    options["env"] = {**os.environ, **dict.fromkeys(SINGLE_THREADED, "1"), "PYTHONSAFEPATH": "1"}
    # libraries print, and so does a crash
    options |= dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    command = [*COMMAND, str(number), str(memory or 0), str(idle_seconds)]
    process: subprocess.Popen[bytes] = subprocess.Popen(command, start_new_session=True, **options)
    return process


@contextmanager
def _interrupts_delayed() -> Iterator[None]:
    """Delay a Ctrl-C until the end of this block, after which each process is recorded.

    An exception in a hook of a fork would also be lost.
    """
    before = signal.getsignal(signal.SIGINT) if current_thread() is main_thread() else None
    if not callable(before):
        yield
        return
    delayed: list[tuple[Any, ...]] = []
    signal.signal(signal.SIGINT, lambda *arguments: delayed.append(arguments))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if delayed:
            before(*delayed[0])


_workers: WeakSet[Worker] = WeakSet()  # all that were started here


@atexit.register
def _end_all() -> None:
    for worker in list(_workers):
        worker.end()


# In the worker's process --------------------------------------------------------------------------


def _serve(
    far_end: Connection, request: Request | None, idle_seconds: float, steady: bool
) -> NoReturn:
    """Answer requests until none comes. Ends without a message where memory is too short for one.

    `steady`: the thread that started this process ends last.
    """
    global _in_worker
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # who reads the stream handles a Ctrl-C
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _in_worker = request is not None or not FORKS
        _end_with_parent(os.getppid(), steady)
        # else the collector would touch, and so copy, everything inherited from the fork
        gc.freeze()
        with suppress(EOFError, ConnectionError):  # the other side is gone
            while request is not None or far_end.poll(idle_seconds):
                make, arguments = request or far_end.recv()
                _send(make, arguments, far_end)
                request = None
        code = 0
    except BaseException:
        if not memory_is_bounded():
            sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def _send(
    make: Callable[..., Iterator[Any]], arguments: tuple[Any, ...], far_end: Connection
) -> None:
    """Send items in batches, the first one at once, then the end and any error."""
    batch: list[Any] = []
    sent = 0.0
    error: PuzzlekitError | None = None
    try:
        for item in make(*arguments):
            batch.append(item)
            if len(batch) >= SENT_ITEMS or time.monotonic() - sent > SENT_SECONDS:
                far_end.send((batch, False, None))
                batch = []
                sent = time.monotonic()
    except PuzzlekitError as reason:
        error = reason
    except Exception as reason:  # from the backend's library: some have their own memory error
        batch, error = [], _failure(reason)
    far_end.send((batch, True, error))


def _failure(reason: Exception) -> PuzzlekitError:
    if isinstance(reason, MemoryError) or "memory" in str(reason):
        return Stopped("the memory is used up")
    if memory_is_bounded():
        return Stopped(f"the backend failed, perhaps for lack of memory: {reason!r}")
    return BackendBug(f"it failed: {reason!r}")


def _end_with_parent(parent: int, steady: bool) -> None:
    """End this process when its parent is gone, by the kernel or by a thread.

    Compiled code may never let the thread run. The kernel reacts when the thread that started this
    process ends, but others may continue to read its stream.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_CHECK_SECONDS)
        with suppress(AttributeError, OSError):
            if os.getpgrp() == os.getpid():  # of a fresh worker: all that it has started
                os.killpg(0, signal.SIGKILL)
        os._exit(1)

    if steady:
        prctl(PR_SET_PDEATHSIG, KILL)
    Thread(target=watch, daemon=True).start()


def main() -> NoReturn:
    """Serve as a fresh worker: its arguments are its end of the pipe, memory and idle seconds."""
    from multiprocessing import connection

    number, memory = map(int, sys.argv[1:3])
    if memory:
        with suppress(OSError, ValueError):  # the system has a lower bound
            bound_memory(memory)
    end: Any = getattr(connection, "PipeConnection", connection.Connection)  # on Windows
    _serve(end(number), None, float(sys.argv[3]), steady=True)


if __name__ == "__main__":
    from puzzlekit.processes import worker_process  # requests name its functions by this module

    worker_process.main()
