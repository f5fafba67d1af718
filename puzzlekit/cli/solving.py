"""`puzzlekit solve`: what it prints and its exit code."""

from __future__ import annotations

import json

from rich.console import Console

from puzzlekit.api import Puzzle, Request, Run
from puzzlekit.cli.screen import console, progress, show_answer


def solve(puzzle: Puzzle, request: Request, as_json: bool, no_color: bool) -> int:
    """Answer the request on the screen, or as JSON; returns the exit code."""
    run = puzzle.run(request)
    if as_json:
        with progress(puzzle.title):
            answers = [answer.json() for answer in run]
        print(json.dumps(report(run, answers), ensure_ascii=False))
        return exit_code(run)
    screen = console(no_color)
    if not request.counting:
        screen.print(puzzle.title)
    answers_of = iter(run)
    shown = 0
    while True:
        with progress(puzzle.title):
            answer = next(answers_of, None)
        if answer is None:
            break
        shown += 1
        if shown > 1:
            screen.print()
        show_answer(screen, puzzle, answer)
    _close(screen, run, shown)
    return exit_code(run)


def _close(screen: Console, run: Run, shown: int) -> None:
    """The line that says what the answers are: all there are, proven best, or what was found when it stopped."""
    took = f"{run.backend.name}, {run.seconds['total']:.2f} s"
    screen.print() if shown else None
    if run.status != "complete":
        found = "no answer yet" if not run.count else "the best so far" if run.goal else f"{_answers(run.count)} so far"
        screen.print(f"{run.status}: {run.reason}; {found} · {took}")
    elif run.request.counting:
        best = f" with the best {run.goal.name}: {run.value}" if run.goal else ""
        screen.print(f"{_answers(run.count)}{best} · {took}")
    elif not run.count:
        screen.print(f"{run.nothing()} · {took}")
    elif run.request.sample:
        best = f", each with the best {run.goal.name}: {run.value}" if run.goal else ""
        screen.print(f"{_answers(run.count)} drawn at random{best} · {took}")
    elif run.goal is not None:
        which = {True: f", {_answers(run.count)} in all" if run.count > 1 else "", False: ""}[run.counted]
        screen.print(f"{run.goal.name}: {run.value}, proven optimal{which} · {took}")
    elif run.counted:
        screen.print(f"{'the only answer' if run.count == 1 else f'all {run.count:,} answers'} · {took}")
    else:
        screen.print(f"{'one answer of several' if shown == 1 else f'{shown:,} answers of more'} · {took}")


def _answers(count: int) -> str:
    return f"{count:,} answer{'' if count == 1 else 's'}"


def exit_code(run: Run) -> int:
    """0 answers, 1 none, 3 stopped before the end, 130 interrupted."""
    if run.interrupted:
        return 130
    if run.status != "complete":
        return 3
    return 0 if run.count else 1


def report(run: Run, answers: list[dict[str, object]]) -> dict[str, object]:
    """The run as the object that --json prints."""
    goal = None
    if run.goal is not None and run.value is not None:
        goal = {"name": run.goal.name, "value": run.value, "optimal": bool(run.optimal)}
    return {
        "puzzle": run.puzzle.type.name,
        "spec": run.puzzle.spec.source.path,
        "backend": run.backend.name,
        "status": run.status,
        "count": run.count,
        "counted": run.counted,
        "goal": goal,
        "answers": answers,
        "seconds": {stage: round(seconds, 4) for stage, seconds in run.seconds.items()},
    }
