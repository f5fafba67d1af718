"""`puzzlekit explain`: the steps to the solution, and why each follows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from puzzlekit.cli.files import writable, write
from puzzlekit.cli.options import (
    Candidates,
    Json,
    SpecPath,
    TypeOrSpec,
    Without,
    clock_for,
    load_puzzle,
)
from puzzlekit.cli.progress import Progress, read_progress_file
from puzzlekit.errors import InputError, Stopped
from puzzlekit.options import LoadOptions, Option, Timeout
from puzzlekit.processes import end_command_after
from puzzlekit.sentences import (
    FullStop,
    StepsContradicted,
    StepsSolve,
    StepsStopped,
    StepsStuck,
    StuckWithout,
    counted,
    or_list,
)

if TYPE_CHECKING:
    from puzzlekit.api import Check, ExplainedStep, Explanation, Puzzle

CONFLICT_ADVICE = "`puzzlekit conflict` names rules and clues that cannot all hold."
CODES = {"solved": 0, "stuck": 1, "unsatisfiable": 1, "running": 3}


def explain(
    type_or_spec: TypeOrSpec,
    spec: SpecPath = None,
    *,
    progress: Progress = None,
    until: Annotated[
        str | None,
        Option(
            "only the steps that a position needs, which is written as the steps name it: r1c2,"
            " above r1c2, r1c2-r1c3",
            "POSITION",
        ),
    ] = None,
    without: Without = None,
    assume_unique: Annotated[
        bool,
        Option("look also for patterns that assume one solution, as unique rectangles"),
    ] = False,
    candidates: Candidates = False,
    markdown: Annotated[bool, Option("print Markdown")] = False,
    html: Annotated[
        Path | None, Option("write an HTML page on which arrow keys lead from step to step", "FILE")
    ] = None,
    loading: LoadOptions,
    timeout: Timeout = None,
    as_json: Json = False,
) -> int:
    """Explain the solution step by step, the simplest step first, each with the rules and facts it
    follows from.
    """
    from puzzlekit.cli.screen import console, or_stopped, print_json, show_text

    if markdown and as_json:
        raise InputError("--markdown and --json cannot be combined")
    if html is not None:
        writable("--html", html)

    def work() -> int:
        clock = clock_for(timeout)
        puzzle = load_puzzle(type_or_spec, spec, clock, loading)
        marks = read_progress_file(progress)
        names = () if without is None else without
        explanation = puzzle.explain(marks, clock=clock, without=names, assume_unique=assume_unique)
        if explanation.marked:
            verdict = puzzle.check(marks, clock=clock)
            if verdict.facts:  # marks to blame
                end_command_after(None)
                return _show_wrong_marks(puzzle, verdict, marks, as_json)
        if until is not None:
            explanation.unknowns_at(until)  # raises a wrong name before the steps are taken
        screen = console(no_color=True)
        heading = f"# {puzzle.title}\n" if markdown else puzzle.title

        def show_step(step: ExplainedStep) -> None:
            parts = explanation.picture_parts(True, step) if candidates else ()
            show_text(screen, _line(step), parts)

        prints_at_once = until is None and not as_json
        if prints_at_once:
            screen.print(heading)
        reason = ""
        is_interrupted = False
        try:
            for step in explanation:
                if prints_at_once:
                    show_step(step)
        except Stopped as stopped:
            reason = str(stopped)
        except KeyboardInterrupt:
            reason, is_interrupted = "interrupted", True
        end_command_after(None)
        if until is not None:
            explanation = explanation.until(until)
        steps = explanation.steps
        code = 130 if is_interrupted else CODES[explanation.status]
        if until is not None and not steps and explanation.status == "solved":
            raise InputError(f"no step is about {until}: it is given, or seen without a step")
        if html is not None:
            write(html, explanation.page(steps, closing(explanation, steps, reason)))
        if as_json:
            print_json(_report(explanation, steps, reason))
            return code
        if not prints_at_once:
            screen.print(heading)
            for step in steps:
                show_step(step)
        screen.print()
        show_text(screen, closing(explanation, steps, reason))
        return code

    return or_stopped(work, as_json, status="running", steps=())


def _show_wrong_marks(
    puzzle: Puzzle, verdict: Check, marks: dict[str, Any] | None, as_json: bool
) -> int:
    """Print which marks are wrong, from which no steps lead to a solution; return the exit code."""
    from puzzlekit.cli.commands.check import show_check
    from puzzlekit.cli.screen import print_json

    if as_json:
        reports = {"status": "unsatisfiable", "reason": verdict.text, "steps": []}
        print_json({**reports, "check": verdict.json()})
    else:
        show_check(puzzle, verdict, marks)
    return CODES["unsatisfiable"]


def _report(
    explanation: Explanation, steps: Sequence[ExplainedStep], reason: str
) -> dict[str, object]:
    """Return the object that --json prints."""
    if not reason and explanation.status == "stuck":
        reason = explanation.aside
        if explanation.without:
            reason = str(StuckWithout("", or_list(explanation.without)))
    return {
        "status": explanation.status,
        "reason": reason,
        "steps": [step.json() for step in steps],
    }


def _line(step: ExplainedStep) -> str:
    """Return a step with its number, and below it the lines of a long chain."""
    first, *further = step.paragraphs
    return "\n".join([f"{step.number}. {first}", *further])


def closing(explanation: Explanation, steps: Sequence[ExplainedStep], reason: str) -> str:
    """Return the last line: how far the steps lead."""
    count = counted(len(steps), "step")
    continuing = "that continues the marks" if explanation.marked else ""
    match explanation.status:
        case "solved":
            return str(StepsSolve(count, continuing))
        case "stuck" if explanation.without:
            return str(FullStop(StuckWithout(count, or_list(explanation.without))))
        case "stuck":
            solutions = "there are several solutions"
            if explanation.marked:
                solutions = "several solutions continue the marks"
            return str(StepsStuck(count, solutions, explanation.aside))
        case "unsatisfiable":
            rule = "" if explanation.problem is None else str(explanation.problem)
            return str(StepsContradicted(count, rule, CONFLICT_ADVICE))
        case _:
            return str(StepsStopped(count, reason))
