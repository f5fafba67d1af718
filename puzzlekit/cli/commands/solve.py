"""`puzzlekit solve`: what it prints and its exit code."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Unpack

from puzzlekit.api import Kind, Means, Puzzle, Query, Run, Solution
from puzzlekit.api.solution import plain
from puzzlekit.cli.picture_files import Pictures, head
from puzzlekit.cli.process import shared_page
from puzzlekit.cli.screen import console, progress, show_solution
from puzzlekit.cli.stopped_reports import of_backbone, of_solve
from puzzlekit.clock import SEARCH, Clock
from puzzlekit.errors import Stopped
from puzzlekit.limits import limits


def solve(
    puzzle: Puzzle,
    query: Query,
    as_json: bool,
    no_color: bool,
    pictures: Pictures | None = None,
    limited: bool = True,
    **means: Unpack[Means],
) -> int:
    """Answer the query on the screen, or as JSON, and draw the pictures that are asked for; returns the exit code.

    Where nobody gave a limit (`limited`), the first few of solutions that have an order are shown, not the first alone.
    """
    if not limited and query.limit == 1 and puzzle.ranking(query) is not None:
        query = replace(query, limit=limits().reporting.ranked_solutions)
    files = pictures or Pictures()
    files.check(query)
    seconds = limits().reporting.counting_seconds if puzzle.instance.facts else None
    run = puzzle.run(query, **means, total_within=seconds)
    if as_json:
        told: list[tuple[str, int | None]] = []  # each written as it comes: after a Ctrl-C there is little left to do
        try:
            with progress(puzzle.title):
                for solution in run:
                    with run.aside():
                        told.append((_dumps(solution.json()), solution.value))
                        files.add(solution)
        except KeyboardInterrupt:  # while a solution was made ready
            run.interrupt()
            run.count = len(told)
        shared_page.stop_after(None)
        texts = {key: _dumps(value) for key, value in report(run, [value for _, value in told]).items()}
        texts["solutions"] = f"[{', '.join(text for text, _ in told)}]"
        print(f"{{{', '.join(f'{_dumps(key)}: {text}' for key, text in texts.items())}}}")
        _tell_order(run)
        files.write(puzzle.title, head(puzzle, run) if files.solutions else "", closing(run, len(told)))
        return exit_code(run)
    screen = console(no_color)
    if query.kind is not Kind.COUNT:
        screen.print(puzzle.title)
    solutions_of = iter(run)
    shown, heading = 0, ""
    try:
        unranked = run.rank is None or query.kind is Kind.RANK
        ahead = [] if unranked else _next(puzzle, solutions_of)  # one alone has no rank worth showing
        while found := ahead or _next(puzzle, solutions_of):
            (solution,) = found
            ahead = _next(puzzle, solutions_of) if ahead else []
            shown += 1
            with run.aside():
                if shown > 1:
                    screen.print()
                elif heading := head(puzzle, run):
                    screen.print(heading)
                    screen.print()
                show_solution(screen, solution)
                files.add(solution)
                if run.rank is not None and (query.kind is Kind.RANK or shown > 1 or ahead):
                    screen.print(f"    {run.rank.name}: {solution.value}")
    except KeyboardInterrupt:
        run.interrupt()
    shared_page.stop_after(None)
    if run.status == "complete" and not (run.count or query.kind is Kind.COUNT) and (heading := head(puzzle, run)):
        screen.print(heading)
    screen.print() if shown else None
    screen.print(closing(run, shown))
    files.write(puzzle.title, heading, closing(run, shown))
    _tell_order(run)
    return exit_code(run)


def stopped_loading(reason: Stopped, backend: str, clock: Clock, as_json: bool, backbone: bool) -> int:
    """Say that the time was up before there was a puzzle to solve; returns the exit code."""
    seconds = clock.seconds
    total = time.monotonic() - clock.began
    shared_page.stop_after(None)
    if as_json:
        times = {stage: round(took, 4) for stage, took in {**seconds, SEARCH: 0.0, "total": total}.items()}
        said = str(reason)
        print(_dumps(of_backbone(backend, said, round(total, 4)) if backbone else of_solve(backend, said, times)))
    else:
        print(f"stopped: {reason}; no solution yet · {total:.2f} s")
    return 3


def _next(puzzle: Puzzle, solutions: Iterator[Solution]) -> list[Solution]:
    """The next solution, if there is one."""
    with progress(puzzle.title):
        return list(islice(solutions, 1))


def _tell_order(run: Run) -> None:
    """Say that solutions that should be ranked are not, and why."""
    if run.unordered and (run.count > 1 or not run.counted):
        with suppress(OSError):
            print(f"the solutions come in no order: {run.unordered}", file=sys.stderr)


def closing(run: Run, shown: int) -> str:
    """The line that says what the solutions are: all there are, proven best, or what was found when it stopped."""
    took = f"{run.solved_by}, {run.seconds['total']:.2f} s"
    if run.status != "complete":
        found = "no solution yet" if not run.count else "the best so far" if run.goal else f"{_solutions(run.count)} so far"
        return f"{run.status}: {run.reason}; {found} · {took}"
    if run.query.kind is Kind.COUNT:
        best = f" with the best {run.goal.name}: {run.value}" if run.goal else ""
        return f"{_solutions(run.count)}{best} · {took}"
    if not run.count:
        return f"{run.nothing()} · {took}"
    if run.query.kind is Kind.SAMPLE:
        best = f", each with the best {run.goal.name}: {run.value}" if run.goal else ""
        return f"{_solutions(run.count)} drawn at random{best} · {took}"
    if run.goal is not None:
        which = {True: f", {_solutions(run.count)} in all" if run.count > 1 else "", False: ""}[run.counted]
        return f"{run.goal.name}: {run.value}, proven optimal{which} · {took}"
    order = f", the best {run.rank.name} first" if run.rank is not None else ""
    if run.counted:
        return f"{'the only solution' if run.count == 1 else f'all {run.count:,} solutions{order}'} · {took}"
    return f"{'one solution of several' if shown == 1 else f'{shown:,} solutions of more'}{order} · {took}"


def _solutions(count: int) -> str:
    return f"{count:,} solution{'' if count == 1 else 's'}"


def exit_code(run: Run) -> int:
    """0 solutions, 1 none, 3 stopped before the end, 130 interrupted."""
    if run.interrupted:
        return 130
    if run.status != "complete":
        return 3
    return 0 if run.count else 1


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def report(run: Run, values: list[int | None]) -> dict[str, object]:
    """The run as the object that --json prints, but for its solutions; `values` are theirs where they are ranked."""
    goal: dict[str, object] | None = None
    if run.rank is not None and values:
        goal = {"name": run.rank.name, "value": values[0], "optimal": run.status == "complete", "values": values}
    elif run.goal is not None and run.value is not None:
        goal = {"name": run.goal.name, "value": run.value, "optimal": bool(run.optimal)}
    return {
        "puzzle": run.puzzle.type.name,
        "spec": run.puzzle.spec.source.path or None,
        "backend": run.solver.name,
        "facts": {name: plain(what) for name, what in run.puzzle.instance.facts.items()},
        "status": run.status,
        "reason": None if run.reason is None else str(run.reason),
        "count": run.count,
        "counted": run.counted,
        "goal": goal,
        "solutions": [],
        "seconds": {stage: round(seconds, 4) for stage, seconds in run.seconds.items()},
    }
