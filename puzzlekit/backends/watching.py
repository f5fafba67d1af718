"""Calls of foreign engines that hear the clock and Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

from puzzlekit.backends.base import Budget

T = TypeVar("T")


def watched(call: Callable[[], T], interrupt: Callable[[], object], budget: Budget) -> T:
    """What `call()` gives, run in a thread of its own, so that the clock and Ctrl-C are heard meanwhile.

    When either comes, `interrupt()` is called until the call has ended. An engine's own timer and signal handler are not
    used: a Ctrl-C that falls between two short calls, or at the end of one, gets lost there.
    Raises: what the call raises; Stopped when the time is up.
    """
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(call())
        except BaseException as failure:
            outcome.set_exception(failure)

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            budget.check()
            left = budget.left()
            thread.join(0.1 if left is None else min(0.1, left + 0.001))
    finally:
        while thread.is_alive():  # again and again: what is asked before the call begins is not heard
            interrupt()
            thread.join(0.01)
    return outcome.result()
