"""Measure one case in this very process, on one core: `run.py` starts it, with the case as JSON,
and reads JSON.

Everything is warmed up before it is timed: libraries are loaded,
a small spec of the same set is solved, lexicons are read.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
STAGES = ("read", "presolve", "build", "first", "all")
RUNS = 5  # of what is short
ENOUGH = 1.0  # seconds after which nothing is run again
THREE_CONDITIONS = """
puzzle: three_conditions
variables:
  on[c]: bool for c in b.cells
let:
  b: board(20, 20)
rules:
  few around: sum(on[n] for n in b.around(c)) <= 3 for c in b.cells
  never alone: implies(on[c], any(on[n] for n in b.around(c))) for c in b.cells
  no full square: not all(on[n] for n in w) for w in b.windows(2, 2)
  some beside: at_least(1, [on[n] for n in b.neighbours(c)]) for c in b.cells
"""


def processor() -> float:
    """Seconds of the processor that this process and those that it began have used."""
    running = [child.pid for child in multiprocessing.active_children() if child.pid is not None]
    ended = resource.getrusage(
        resource.RUSAGE_CHILDREN
    )  # after those that have ended were waited for
    others = sum(
        time.clock_gettime(~pid << 3 | 2) for pid in running
    )  # Linux's number for the clock of a process
    return time.process_time() + ended.ru_utime + ended.ru_stime + others


class Clock:
    """The module `time`, with the processor's seconds in place of the clock's."""

    perf_counter = monotonic = staticmethod(processor)

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


def count_processor() -> None:
    """From now on, all stages are measured in seconds of the processor:
    on a busy machine the clock says little.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith("puzzlekit") and hasattr(module, "time"):
            module.time = Clock()  # type: ignore[attr-defined]
    globals()["clock"] = processor


clock: Callable[[], float] = time.perf_counter


def solve(spec: str, case: dict[str, Any]) -> dict[str, Any]:
    """The question of a case put to one spec: seconds by stage,
    `first` and `all` from before the spec is read.
    """
    from puzzlekit.api import QueryOptions, load

    ask, goal = case["ask"], case.get("goal") or "none"
    began = clock()
    puzzle = load(None, spec)
    if not case.get("then", True):
        puzzle.type = replace(puzzle.type, then=())
    query = QueryOptions(goal, everything=ask == "all", counting=ask == "count").query()
    run = puzzle.run(query, case["backend"], case["limit"])
    first = None
    for _ in run:
        first = first or clock() - began
        if ask == "first":
            break
    run.raise_unsupported()
    found = {
        "read": puzzle.seconds,
        "presolve": run.seconds["presolve"],
        "build": run.budget.built,
        "first": first,
    }
    found |= {
        "all": clock() - began,
        "status": run.status,
        "solutions": run.value if case.get("goal") else run.count,
    }
    return found


def repeated(work: Callable[[], dict[str, Any]], runs: int = RUNS) -> dict[str, Any]:
    """The medians of several runs, as many as take a second together."""
    found = [work()]
    while (
        len(found) < runs
        and sum(run["all"] for run in found) < ENOUGH
        and found[-1]["status"] == "complete"
    ):
        found.append(work())
    return {**found[-1], **medians(found), "runs": len(found)}


def medians(found: list[dict[str, Any]]) -> dict[str, Any]:
    """The median of each stage that was reached."""
    stages = {
        stage: [run[stage] for run in found if run.get(stage) is not None] for stage in STAGES
    }
    return {stage: statistics.median(seconds) for stage, seconds in stages.items() if seconds}


def solved(case: dict[str, Any]) -> dict[str, Any]:
    """All specs of a case; of several, the medians over them and the extremes."""
    warm = solve(case["warm"] or case["specs"][0], case)
    if warm["status"] != "complete":
        return {"status": warm["status"], "why": "not even the small one"}
    if case["cpu"]:
        count_processor()
    found: list[dict[str, Any]] = []
    for spec in case["specs"]:
        found.append(
            repeated(lambda spec=spec: solve(spec, case), RUNS if len(case["specs"]) == 1 else 3)
        )  # type: ignore[misc]
        if found[-1]["status"] != "complete":
            break
    if len(case["specs"]) == 1:
        return found[0]
    every = [run["all"] for run in found]
    return {
        "status": found[-1]["status"],
        **medians(found),
        "least": min(every),
        "most": max(every),
        "solutions": len(found),
    }


def by_hand(case: dict[str, Any]) -> dict[str, Any]:
    """The same question to puzzlekit and to a hand-written encoding, in turn;
    the hand's time does not have the reading.
    """
    import yaml

    sys.path += [str(ROOT / "benchmarks"), *case["packages"]]
    encoding = import_module(f"by_hand.{case['set']}").ENCODINGS[case["encoding"]][1]
    spec = yaml.safe_load(Path(case["specs"][0]).read_text(encoding="utf-8"))

    def hand() -> dict[str, Any]:
        began = clock()
        number = encoding(spec)
        return {"all": clock() - began, "status": "complete", "solutions": number}

    solve(case["warm"], case)
    encoding(yaml.safe_load(Path(case["warm"]).read_text(encoding="utf-8")))
    if case["cpu"]:
        count_processor()
    own = solve(case["specs"][0], case)
    if own["status"] != "complete":
        return own
    theirs = hand()
    owns, hands = [own], [theirs]
    while len(owns) < RUNS and sum(run["all"] for run in owns + hands) < 2 * ENOUGH:
        owns.append(solve(case["specs"][0], case))
        hands.append(hand())
    found = {**own, **medians(owns), "hand": medians(hands)["all"]}
    if own["solutions"] != theirs["solutions"]:
        found["status"] = f"{own['solutions']} solutions, by hand {theirs['solutions']}"
    return found


def command(case: dict[str, Any]) -> dict[str, Any]:
    """A whole process."""
    line = [str(Path(sys.executable).parent / "puzzlekit"), *case["arguments"]]

    def work() -> dict[str, Any]:
        began = clock()
        subprocess.run(line, capture_output=True, check=True, cwd=ROOT)
        return {"all": clock() - began, "status": "complete"}

    work()
    if case["cpu"]:
        count_processor()
    return repeated(work)


def rules(case: dict[str, Any]) -> dict[str, Any]:
    """The rules of a 20×20 board with three conditions a cell, run."""
    from puzzlekit.lang import bind, read_spec, type_of_text

    kind = type_of_text("three_conditions.yaml", THREE_CONDITIONS)

    def work() -> dict[str, Any]:
        began = clock()
        bind(kind, read_spec("spec", "{}"))
        return {"all": clock() - began, "status": "complete"}

    work()
    if case["cpu"]:
        count_processor()
    return repeated(work)


KINDS = {"solve": solved, "by hand": by_hand, "command": command, "rules": rules}


def main() -> None:
    """Measure the case of the first argument."""
    case = json.loads(sys.argv[1])
    if hasattr(os, "sched_setaffinity") and not case["cpu"]:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    sys.path.insert(0, str(ROOT))
    from puzzlekit.errors import PuzzlekitError

    try:
        found = KINDS[case["kind"]](case)
    except (PuzzlekitError, ImportError) as error:
        found = {"status": "refused", "why": str(error)}
    own, children = (
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    found["memory"] = (children if case["kind"] == "command" else max(own, children)) // 1024
    print(json.dumps(found))


if __name__ == "__main__":
    main()
