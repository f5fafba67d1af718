"""Streams of engines that hear neither the clock nor Ctrl-C: each runs in a process of its own, which ends with it."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from multiprocessing import current_process, get_all_start_methods, get_context
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any, TypeVar

from puzzlekit.backends.base import Budget
from puzzlekit.errors import BackendBug, PuzzlekitError, Stopped

T = TypeVar("T")
Message = tuple[list[Any], bool, PuzzlekitError | None]  # items, whether they are the last, what went wrong
BATCH = 1_000  # items that are sent together at most
DEATH_SIGNAL = 1  # of prctl: which signal comes when the parent is gone
PATIENCE = 0.05  # seconds that an item may wait for others


def streamed(make: Callable[..., Iterator[T]], arguments: tuple[Any, ...], budget: Budget) -> Iterator[T]:
    """What `make(*arguments)` gives, one after the other, from another process; inside such a process, from here.

    The process is killed when the stream is closed, when the time is up, and by Ctrl-C; it ends when this one is gone.
    Raises: Stopped when the time is up, and if the process dies; what `make` raises, if it is an error of puzzlekit's.
    """
    if current_process().daemon:
        yield from make(*arguments)
        return
    context: Any = get_context("fork" if "fork" in get_all_start_methods() else "spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(make, arguments, there), daemon=True)
    try:
        with warnings.catch_warnings():  # the child of a fork runs none of our other threads' code
            warnings.simplefilter("ignore")
            process.start()
        there.close()
        while True:
            message = _received(here, budget)
            if message is None:
                process.join()
                raise Stopped(_death(process.exitcode))
            batch, ended, error = message
            yield from batch
            if error is not None:
                raise error
            if ended:
                return
    finally:
        if process.pid is not None:
            process.kill()
            process.join()
        here.close()


def _received(here: Connection, budget: Budget) -> Message | None:
    """The next message; None if the process is dead."""
    while True:
        budget.check()
        left = budget.left()
        if here.poll(0.1 if left is None else min(0.1, left + 0.001)):
            break
    try:
        message: Message = here.recv()
    except EOFError:
        return None
    return message


def _death(code: int | None) -> str:
    how = f" of {signal.Signals(-code).name}" if code is not None and code < 0 else ""
    return f"the engine's process died{how}: it was killed, or there was not enough memory"


def _send(make: Callable[..., Iterator[T]], arguments: tuple[Any, ...], there: Connection) -> None:
    """In the other process: send items in batches, the first one at once, and say when and how they end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is heard where the stream is read
    _end_with_parent(os.getppid())
    gc.freeze()  # else the collector looks at all that came with the fork, and so has it copied
    batch: list[T] = []
    sent = 0.0
    error: PuzzlekitError | None = None
    try:
        for item in make(*arguments):
            batch.append(item)
            if len(batch) >= BATCH or time.monotonic() - sent > PATIENCE:
                there.send((batch, False, None))
                batch = []
                sent = time.monotonic()
    except PuzzlekitError as reason:
        error = reason
    except Exception as reason:  # of the engine's library: some have an error of their own for memory
        short = isinstance(reason, MemoryError) or "memory" in str(reason)
        batch, error = [], Stopped("the memory is used up") if short else BackendBug(f"the engine failed: {reason!r}")
    there.send((batch, True, error))


def _end_with_parent(parent: int) -> None:
    """End this process when its parent is gone: by the kernel's word, or a thread's, which compiled code may never let run."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)
    Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
