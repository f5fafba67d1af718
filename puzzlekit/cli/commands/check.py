"""`puzzlekit check`: find the errors of types and specs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from puzzlekit.cli.options import Json, Watch
from puzzlekit.clock import Clock
from puzzlekit.errors import PuzzlekitError, printable
from puzzlekit.options import Backend, Steps, Timeout
from puzzlekit.processes import command

CODES = {"ok": 0, "stopped": 3, "undecided": 3, "unsupported": 2, "invalid": 2, "bug": 70}  # the last one that occurs counts


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="types and specs, or links to puzzles")],
    backend: Backend = "auto",
    timeout: Timeout = None,
    steps: Steps = None,
    watch: Watch = False,
    as_json: Json = False,
) -> int:
    """Check types and specs for errors, and the solutions of a spec against its `expect`."""
    if not watch:
        return check_files(files, backend, timeout, as_json, steps)
    from puzzlekit.cli.watch import watched

    return watched(lambda: check_files(files, backend, timeout, steps=steps, drawn=True), [*map(Path, files)], as_json)


def check_files(
    files: Sequence[Path | str],
    backend: str,
    timeout: float | None,
    as_json: bool = False,
    steps: int | None = None,
    drawn: bool = False,
) -> int:
    """Check each file or link, and print what was found, as text or JSON; returns the exit code.

    With `drawn`, the picture of each puzzle is printed, too.

    It is 0 if no file has an error, 2 if one has or the backend does not support it, 3 if time ran out, 70 if a backend
    returned a wrong solution. An error in one file matters more than a timeout in another.
    """
    from puzzlekit.cli.screen import of_check, print_json

    done: list[dict[str, object]] = []
    wrong: list[str] = []  # the files that have errors
    found = {"ok"}
    interrupted = False
    try:
        for path in map(str, files):
            command.end_after(timeout, anew=True)
            if as_json:
                command.report_if_ended(of_check(done, path))
            status, message = _status(path, backend, timeout, steps, drawn)
            found.add(status)
            done.append({"file": path, "status": status, "message": message})
            if not as_json:
                above = next((file for file in wrong if file != path and message.startswith(f"{file}:")), "")
                _print(path, status, f"its type has errors, which stand above: {above}" if above else message)
            if status == "invalid":
                wrong.append(path)
    except KeyboardInterrupt:
        if not as_json:
            raise
        interrupted = True
    command.end_after(None)
    if as_json:
        print_json({"files": done})
    return 130 if interrupted else next(code for status, code in reversed(CODES.items()) if status in found)


def _status(path: str, backend: str, timeout: float | None, steps: int | None = None, drawn: bool = False) -> tuple[str, str]:
    """The status of a file, and what there is to say about it."""
    try:
        return "ok", _check(path, backend, timeout, steps, drawn)
    except PuzzlekitError as error:
        from puzzlekit.api.run import status_of

        return status_of(error), str(error)


def _print(path: str, status: str, message: str) -> None:
    """Print one line or more on a file, before the next one is checked."""
    if status == "ok":
        print(printable(f"{path}: {message}"), flush=True)
    elif status == "invalid":
        print(printable(message if path in message else f"{path}: {message}"), file=sys.stderr)
    else:
        print(printable(f"{path}: {status}: {message}"), file=sys.stderr)


def _check(path: str, backend: str, timeout: float | None, steps: int | None, drawn: bool) -> str:
    from puzzlekit.api import load
    from puzzlekit.api.checks import check_spec, check_type
    from puzzlekit.catalogue import read_header
    from puzzlekit.links import is_written

    link = is_written(path)
    if not link and read_header(Path(path)).is_type:
        return check_type(Path(path), timeout)
    clock = Clock(timeout)
    puzzle = load(None, path if link else Path(path), clock=clock, steps=steps)
    if drawn:
        from puzzlekit.api.pictures import puzzle_parts
        from puzzlekit.cli.screen import console, show_lines

        screen = console(no_color=False)
        show_lines(screen, puzzle_parts(puzzle.instance))
        screen.print()
    return check_spec(puzzle, backend, clock)
