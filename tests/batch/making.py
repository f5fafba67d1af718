"""Small puzzles and a batch that runs in this process."""

import json
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from puzzlekit.batches.jobs import Job, Request
from puzzlekit.batches.results import Result
from puzzlekit.batches.workers import answer

PAIR = """
puzzle: pair
data:
  total: int
variables:
  x: between(1, 9)
  y: between(1, 9)
rules:
  they make the total: x + y == total
"""


def pairs(*totals: int) -> list[dict[str, Any]]:
    """Specs of pairs of numbers: a total of 2 or 18 has one solution, one between has several,
    others have none.
    """
    return [{"puzzle": "pair", "total": total} for total in totals]


def write(path: Path, specs: Sequence[object]) -> Path:
    """Write specs as JSON lines."""
    path.write_text("".join(json.dumps(spec) + "\n" for spec in specs))
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    """The results, each of which is whole."""
    text = path.read_text()
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


class Inline:
    """An executor that answers each job at once."""

    work_seconds = 0.0
    worker_loss: tuple[type[BaseException], ...] = ()
    slots = 1

    def __init__(self, request: Request, number: int) -> None:
        self.request = request

    def submit(self, jobs: Sequence[Job]) -> Future[list[Result]]:
        future: Future[list[Result]] = Future()
        future.set_result([answer(job, self.request) for job in jobs])
        return future

    def end(self) -> None: ...
