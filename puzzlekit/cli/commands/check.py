"""`puzzlekit check`: find the errors of types and specs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from puzzlekit.cli.options import Json, Watch, clock_for, is_type, load_puzzle
from puzzlekit.cli.progress import Progress, read_progress_file
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, PuzzlekitError, printable, status_of, with_help
from puzzlekit.options import Backend, IgnoreSymbols, LoadOptions, MaxEvaluations, Timeout
from puzzlekit.processes import command

if TYPE_CHECKING:
    from puzzlekit.api import Puzzle
    from puzzlekit.api.answers import Check

NAMED_RULES = 8  # that are printed of those to blame
# The last one that occurs counts
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
            help="types and specs, or links to puzzles; a spec is of the last type before it, unless it names another one",
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

    With --progress, only this is judged: right so far, against a rule, or without a solution.
    """
    how = LoadOptions(max_evaluations=max_evaluations, ignore_symbols=ignore_symbols)
    if progress is not None and backend != "auto":
        raise InputError(
            "--backend cannot be combined with --progress, which is judged by a solver of its own"
        )
    if progress is not None and len(files) > 2:
        raise InputError(
            "--progress is of one spec: write TYPE SPEC, or a SPEC that names its type"
        )

    def work() -> int:
        if progress is None:
            return check_files(files, backend, timeout, as_json, how, drawn=watch)
        from puzzlekit.cli.screen import or_stopped

        return or_stopped(
            lambda: check_progress(files, progress, timeout, as_json, how, anew=watch), as_json
        )

    if not watch:
        return work()
    from puzzlekit.cli.watch import watched

    named = [Path(file) for file in files if Path(file).is_file() or not is_type(file)]
    return watched(work, [*named, *([] if progress is None else [progress])], as_json)


def check_progress(
    files: Sequence[str],
    progress: Path,
    timeout: float | None,
    as_json: bool,
    loading: LoadOptions,
    anew: bool = False,
) -> int:
    """Judge the progress in a file, and print the judgement; returns 0 if it is right so far, else
    1.

    With `anew`, the timeout counts from now, not from the start of the command.
    """
    from puzzlekit.cli.screen import print_json

    clock = clock_for(timeout, anew)
    kind, spec = files if len(files) == 2 else (files[0], None)
    puzzle = load_puzzle(kind, spec, clock, loading)
    given = read_progress_file(progress)
    found = puzzle.check(given, clock=clock)
    command.end_after(None)
    if as_json:
        print_json(found.json())
    else:
        show_check(puzzle, found, given)
    return 0 if found else 1


def show_check(puzzle: Puzzle, verdict: Check, progress: dict[str, Any] | None = None) -> None:
    """Print the judgement of the progress given, else of that of the spec; with the board."""
    from puzzlekit.api.boards import check_parts
    from puzzlekit.api.spec_progress import marks_of
    from puzzlekit.cli.screen import console, show_text

    screen = console(no_color=False)
    others = verdict.rules if verdict.verdict == "dead_end" else verdict.rules[1:]
    more = [f"- and {len(others) - NAMED_RULES} more"] if len(others) > NAMED_RULES else []
    text = "\n".join([verdict.text, *(f"- {rule}" for rule in others[:NAMED_RULES]), *more])
    show_text(screen, text, check_parts(puzzle.instance, marks_of(puzzle, progress), verdict))


@dataclass(frozen=True)
class Checked:
    """What was found of a file.

    Attributes:
        status: Whether the file is valid, and otherwise why not.
        message: What there is to say.
        help: What to do about an error; empty if there is no help.
        puzzle: The puzzle of a spec with progress.
        judgement: The judgement of it.
    """

    status: str
    message: str
    help: str = ""
    puzzle: Puzzle | None = None
    check: Check | None = None


def check_files(
    files: Sequence[Path | str],
    backend: str,
    timeout: float | None,
    as_json: bool = False,
    loading: LoadOptions = LoadOptions(),
    drawn: bool = False,
) -> int:
    """Check each type, spec or link, and print what was found, as text or JSON; returns the exit
    code.

    A spec is of the last type before it whose name it has. One that names no type, and a link, is
    of the last type before it. With `drawn`, the picture of each puzzle is printed, too.

    It is 0 if no file has an error, 1 if marks are wrong, 2 if a file has an error or the backend
    does not support it, 3 if time ran out, 70 if a backend returned a wrong solution. An error in
    one file matters more than a timeout in another.
    """
    from puzzlekit.cli.screen import of_check, print_json

    done: list[dict[str, object]] = []
    wrong: list[str] = []  # the files that have errors
    found = {"ok"}
    types: list[str] = []  # those before the file
    interrupted = False
    try:
        for path in map(str, files):
            command.end_after(timeout, anew=True)
            if as_json:
                command.report_if_ended(of_check(done, path))
            checked = check_file(path, types, backend, timeout, loading, drawn)
            status, message, judgement = checked.status, checked.message, checked.check
            found.add(status)
            progress = None if judgement is None else judgement.json()
            done.append(
                {
                    "file": path,
                    "status": status,
                    "message": message,
                    "help": checked.help,
                    "progress": progress,
                }
            )
            if not as_json:
                above = next(
                    (file for file in wrong if file != path and message.startswith(f"{file}:")), ""
                )
                _print(
                    path,
                    status,
                    f"its type has errors, which stand above: {above}"
                    if above
                    else with_help(message, checked.help),
                )
                if checked.puzzle is not None and judgement is not None:
                    show_check(checked.puzzle, judgement)
            if status == "invalid":
                wrong.append(path)
    except KeyboardInterrupt:
        if not as_json:
            raise
        interrupted = True
    command.end_after(None)
    if as_json:
        print_json({"files": done})
    return (
        130
        if interrupted
        else next(code for status, code in reversed(CODES.items()) if status in found)
    )


def check_file(
    path: str,
    types: list[str],
    backend: str,
    timeout: float | None,
    loading: LoadOptions = LoadOptions(),
    drawn: bool = False,
) -> Checked:
    """What was found of a file. A type is added to those before the next file."""
    try:
        if is_type(path):
            types.append(path)
            return Checked("ok", _check_type(path, timeout))
        return _check(path, types, backend, timeout, loading, drawn)
    except PuzzlekitError as error:
        return Checked(status_of(error), str(error), error.help)


def _print(path: str, status: str, message: str) -> None:
    """Print one line or more on a file, before the next one is checked."""
    if status in ("ok", "wrong"):
        print(printable(f"{path}: {message}"), flush=True)
    elif status == "invalid":
        print(printable(message if path in message else f"{path}: {message}"), file=sys.stderr)
    else:
        print(printable(f"{path}: {status}: {message}"), file=sys.stderr)


def _check_type(name: str, timeout: float | None) -> str:
    from puzzlekit.api.checks import check_type
    from puzzlekit.catalogue import find

    return check_type(Path(name) if Path(name).is_file() else find(name), timeout)


def _check(
    path: str,
    types: Sequence[str],
    backend: str,
    timeout: float | None,
    loading: LoadOptions,
    drawn: bool,
) -> Checked:
    from puzzlekit.api.checks import check_spec

    clock = Clock(timeout)
    kind = _type_of(path, types)
    puzzle = load_puzzle(kind or path, path if kind else None, clock, loading)
    marked = "progress" in puzzle.spec.about
    if drawn and not marked:
        from puzzlekit.cli.screen import console, show_lines

        screen = console(no_color=False)
        show_lines(screen, puzzle.parts())
        screen.print()
    message = check_spec(puzzle, backend, clock)
    if not marked:
        return Checked("ok", message)
    judgement = puzzle.check(clock=clock)
    return Checked("ok" if judgement else "wrong", message, puzzle=puzzle, check=judgement)


def _type_of(path: str, types: Sequence[str]) -> str:
    """The type of a spec or a link among those before it; empty if there is none."""
    from puzzlekit.catalogue import find, read_header, same_name
    from puzzlekit.links import is_written

    named = "" if path == "-" or is_written(path) else read_header(Path(path)).name
    for kind in reversed(types):
        header = read_header(Path(kind) if Path(kind).is_file() else find(kind))
        if not named or any(
            same_name(named, name) for name in (header.name, header.path.stem, *header.aliases)
        ):
            return kind
    return ""
