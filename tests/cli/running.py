"""Commands that are watched while they run."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from puzzlekit.api import Solution
from tests.commands import ROOT


def listening(*arguments: str, **options: Any) -> subprocess.Popen[Any]:
    """A command that hears a Ctrl-C: a job in the background is deaf to it."""
    command = [sys.executable, "-m", "puzzlekit", *arguments]
    hear = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
    return subprocess.Popen(command, cwd=ROOT, preexec_fn=hear, **options)


def wait_until_at_work(
    process: subprocess.Popen[str] | subprocess.Popen[bytes], seconds: float = 1.2
) -> None:
    """Until the command has had so many seconds of a processor: it is past loading then.

    However busy the machine is.
    """
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        time.sleep(seconds)
    until = time.monotonic() + 60
    while children.exists() and process.poll() is None and time.monotonic() < until:
        used = 0.0
        for child in children.read_text().split():
            fields = Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()
            used += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        if used >= seconds:
            return
        time.sleep(0.05)


def interrupted_at(
    place: int, method: Callable[[Solution], object]
) -> Callable[[Solution], object]:
    """The method, with a Ctrl-C at one of its calls."""
    calls = iter(range(place))

    def call(solution: Solution) -> object:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return method(solution)

    return call
