"""`puzzlekit check`: find the errors of types and specs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from puzzlekit.cli.messages import print_message, report
from puzzlekit.cli.options import Json, Watch, clock_for, load_puzzle, named_puzzles
from puzzlekit.cli.progress import Progress, read_progress_file
from puzzlekit.errors import InputError, with_help
from puzzlekit.options import Backend, IgnoreSymbols, LoadOptions, MaxEvaluations, Timeout
from puzzlekit.processes import end_command_after, report_if_ended

if TYPE_CHECKING:
    from puzzlekit.api import Check, FileCheck, Puzzle

NAMED_RULES = 8  # to blame, that are printed
# The exit codes by status; the last status that occurs counts
CODES = {
    "ok": 0,
    "wrong": 1,
    "stopped": 3,
    "undecided": 3,
    "unsupported": 2,
    "invalid": 2,
    "bug": 70,
}


def check(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…",
            help="types and specs, or links to puzzles; a spec is of the last type before it,"
            " unless it names another one",
        ),
    ],
    backend: Backend = "auto",
    timeout: Timeout = None,
    max_evaluations: MaxEvaluations = None,
    ignore_symbols: IgnoreSymbols = False,
    progress: Progress = None,
    watch: Watch = False,
    as_json: Json = False,
) -> int:
    """Check types and specs for errors, the solutions of a spec against its `expect`, and its
    `progress` against the rules.

    With --progress, only this is judged: right so far, against a rule, or without a solution. It is
    of one puzzle: SPEC, or TYPE SPEC.
    """
    loading = LoadOptions(max_evaluations=max_evaluations, ignore_symbols=ignore_symbols)
    if progress is not None and backend != "auto":
        raise InputError(
            "--backend cannot be combined with --progress, which is judged by a solver of its own"
        )

    def work() -> int:
        if progress is None:
            return check_files(files, backend, timeout, as_json, loading, drawn=watch)
        from puzzlekit.cli.screen import or_stopped

        return or_stopped(
            lambda: check_progress(files, progress, timeout, as_json, loading, anew=watch), as_json
        )

    if not watch:
        return work()
    from puzzlekit.catalogue import is_type
    from puzzlekit.cli.watch import watched

    paths = [Path(file) for file in files if Path(file).is_file() or not is_type(file)]
    if progress is not None:
        paths.append(progress)
    return watched(work, paths, as_json)


def check_progress(
    files: Sequence[str],
    progress: Path,
    timeout: float | None,
    as_json: bool,
    loading: LoadOptions,
    anew: bool = False,
) -> int:
    """Check the progress in a file, and print the verdict; return 0 if it is right so far, else 1.

    With `anew`, the timeout counts from now, not from the start of the command.
    """
    from puzzlekit.cli.screen import print_json

    clock = clock_for(timeout, anew)
    puzzles = named_puzzles(files)
    if len(puzzles) > 1:
        raise InputError(
            f"--progress is of one puzzle, got {len(puzzles)}",
            help="write check SPEC --progress FILE, or check TYPE SPEC --progress FILE",
        )
    puzzle = load_puzzle(*puzzles[0], clock, loading)
    marks = read_progress_file(progress)
    verdict = puzzle.check(marks, clock=clock)
    end_command_after(None)
    if as_json:
        print_json(verdict.json())
    else:
        show_check(puzzle, verdict, marks)
    return 0 if verdict else 1


def show_check(puzzle: Puzzle, verdict: Check, progress: dict[str, Any] | None = None) -> None:
    """Print the verdict on the progress, with the board; by default on the progress of the spec."""
    from puzzlekit.api import check_parts, progress_facts
    from puzzlekit.cli.screen import console, show_text

    rules = verdict.rules if verdict.verdict == "dead_end" else verdict.rules[1:]
    lines = [verdict.text, *(f"- {rule}" for rule in rules[:NAMED_RULES])]
    if len(rules) > NAMED_RULES:
        lines.append(f"- and {len(rules) - NAMED_RULES} more")
    picture = check_parts(puzzle.instance, progress_facts(puzzle, progress, to_judge=True), verdict)
    show_text(console(no_color=False), "\n".join(lines), picture)


def check_files(
    files: Sequence[Path | str],
    backend: str,
    timeout: float | None,
    as_json: bool = False,
    loading: LoadOptions = LoadOptions(),
    drawn: bool = False,
) -> int:
    """Check each type, spec or link, and print the result, as text or JSON; return the exit code.

    A spec is of the last type before it whose name it has. One that names no type, and a link, is
    of the last type before it. With `drawn`, the picture of each puzzle is printed, too.

    The exit code is 0 if no file has an error, 1 if marks are wrong, 2 if a file has an error or
    the backend does not support it, 3 if time ran out, 70 if a backend returned a wrong solution.
    An error in one file matters more than a timeout in another.
    """
    from puzzlekit import api
    from puzzlekit.cli.screen import console, of_check, print_json, show_lines

    reports: list[dict[str, object]] = []
    invalid: list[str] = []  # the files that have errors
    statuses = {"ok"}
    types: list[str] = []  # those before the file
    interrupted = False
    try:
        for path in map(str, files):
            end_command_after(timeout, anew=True)
            if as_json:
                report_if_ended(of_check(reports, path))
            checked = api.check(
                path,
                types,
                backend,
                timeout,
                loading.max_evaluations,
                loading.ignore_symbols,
            )
            if checked.is_type:
                types.append(path)
            if drawn and checked.puzzle is not None and checked.check is None:
                screen = console(no_color=False)
                show_lines(screen, checked.puzzle.parts())
                screen.print()
            statuses.add(checked.status)
            reports.append(checked.json(path))
            if not as_json:
                _print(path, checked, invalid)
            if checked.status == "invalid":
                invalid.append(path)
    except KeyboardInterrupt:
        if not as_json:
            raise
        interrupted = True
    end_command_after(None)
    if as_json:
        print_json({"files": reports})
    if interrupted:
        return 130
    return [code for status, code in CODES.items() if status in statuses][-1]


def _print(path: str, checked: FileCheck, invalid: Sequence[str]) -> None:
    """Print the result of a file; the errors of its type only if they do not stand above."""
    message = with_help(checked.message, checked.help)
    for file in invalid:
        if file != path and checked.message.startswith(f"{file}:"):
            message = f"its type has errors, which stand above: {file}"
            break
    _print_line(path, checked.status, message)
    if checked.puzzle is not None and checked.check is not None:
        show_check(checked.puzzle, checked.check)


def _print_line(path: str, status: str, message: str) -> None:
    """Print one line or more on a file, before the next one is checked."""
    if status in ("ok", "wrong"):
        print_message(f"{path}: {message}", sys.stdout)
    elif status == "invalid":
        report(message if path in message else f"{path}: {message}")
    else:
        report(f"{path}: {status}: {message}")
