"""From a job to its result: the JSON line of one puzzle."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

from puzzlekit.api import Kind, Puzzle, Run, load
from puzzlekit.api.checks import check_spec
from puzzlekit.api.run import status_of
from puzzlekit.api.sources import FileText
from puzzlekit.batch.jobs import Job, Request
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, Stopped, Undecided, Unsupported
from puzzlekit.limits import limits

# each status with the exit code of `batch`; the last one that occurs counts
CODES = {
    "solved": 0,  # a solution that is proven best, drawn at random, or among those that were asked for
    "unique": 0,
    "several": 0,
    "none": 0,
    "ok": 0,  # as `expect` says
    "stopped": 3,
    "undecided": 3,
    "crashed": 3,  # workers died
    "unsupported": 2,
    "invalid": 2,
    "bug": 70,
}
UNFINISHED = ("stopped", "undecided", "crashed")


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a puzzle.

    Attributes:
        type: The name of the puzzle's type.
        status: A key of `CODES`.
        seconds: The time that it took, loading included.
        line: The result as a line of JSON.
    """

    type: str
    status: str
    seconds: float
    line: bytes


def result(job: Job, request: Request, status: str, seconds: float, reason: str | None = None, **found: Any) -> Result:
    """The result of a job, with what was found: `puzzle`, `count`, `counted`, `uniform`, `goal`, `solutions`, `backend`."""
    bounds = {"bounds": request.bounds} if status in UNFINISHED else {}
    line: dict[str, Any] = {"key": job.key, "spec": job.name, "puzzle": job.type or None, "status": status}
    line |= {"reason": reason, "count": None, "counted": False, "uniform": None, "goal": None, "solutions": [], "backend": None}
    line |= {**found, **bounds, "seconds": round(seconds, 4)}
    return Result(
        str(line["puzzle"] or "?"), status, seconds, json.dumps(line, ensure_ascii=False).encode(errors="replace") + b"\n"
    )


def answer(job: Job, request: Request) -> Result:
    """Load the puzzle of a job and run the query. Raises nothing but MemoryError and what ends a process."""
    began = time.perf_counter()
    clock = Clock(request.timeout)
    found: dict[str, Any] = {}
    try:
        status, reason = _answer(job, request, clock, found)
    except (InputError, Stopped, Undecided, Unsupported) as error:
        status, reason = status_of(error), str(error)
    except MemoryError:
        raise
    except Exception as error:  # of puzzlekit, or a library
        status, reason = "bug", f"{type(error).__name__}: {error}"
    return result(job, request, status, time.perf_counter() - began, reason, **found)


def _answer(job: Job, request: Request, clock: Clock, found: dict[str, Any]) -> tuple[str, str | None]:
    puzzle = _load(job, request, clock)
    found["puzzle"] = puzzle.type.name
    if request.query is None:
        return "ok", check_spec(puzzle, request.backend, clock)
    run = puzzle.run(request.query, request.backend, clock=clock)
    solutions, most = found.setdefault("solutions", []), limits().batches.line_characters
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
    if run.goal is not None or run.query.kind is Kind.SAMPLE or run.cut_short:
        return "solved"
    return "unique" if run.counted and run.count == 1 else "several"


def _load(job: Job, request: Request, clock: Clock) -> Puzzle:
    if job.problem:
        raise InputError(job.problem)
    spec = json.loads(job.text) if job.path is None else FileText(job.path, job.text)
    settings = dict(request.settings)
    return load(None, spec, request.words, settings, request.fold_accents, clock=clock, steps=request.steps)
