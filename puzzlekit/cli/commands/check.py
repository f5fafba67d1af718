"""`puzzlekit check`: find the errors of types and specs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from puzzlekit.cli.marks import Marks, read_marks_file
from puzzlekit.cli.options import Json, Watch, is_type, load_puzzle
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, PuzzlekitError, printable, status_of
from puzzlekit.options import Backend, IgnoreMarks, Loading, Steps, Timeout
from puzzlekit.processes import command

NAMED_RULES = 8  # that are printed of those to blame
CODES = {"ok": 0, "stopped": 3, "undecided": 3, "unsupported": 2, "invalid": 2, "bug": 70}  # the last one that occurs counts


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
    steps: Steps = None,
    ignore_marks: IgnoreMarks = False,
    marks: Marks = None,
    watch: Watch = False,
    as_json: Json = False,
) -> int:
    """Check types and specs for errors, the solutions of a spec against its `expect`, and its marks against the rules.

    With --marks, or if a single spec has `marks`, these are judged: right so far, against a rule, or without a solution.
    """
    how = Loading(steps=steps, ignore_marks=ignore_marks)
    if not watch and (marks is not None or has_marks(files)):
        return check_marks(files, marks, timeout, as_json, how)
    if not watch:
        return check_files(files, backend, timeout, as_json, how)
    from puzzlekit.cli.watch import watched

    named = [Path(file) for file in files if Path(file).is_file() or not is_type(file)]
    return watched(lambda: check_files(files, backend, timeout, how=how, drawn=True), named, as_json)


def has_marks(files: Sequence[str]) -> bool:
    """Whether these are a spec that has marks, perhaps after its type."""
    from puzzlekit.links import is_written
    from puzzlekit.reading import read_text
    from puzzlekit.source import parse

    path = files[-1]
    if len(files) > 2 or path == "-" or is_written(path) or not Path(path).is_file():
        return False
    with suppress(PuzzlekitError):
        _, root = parse(path, read_text(Path(path)))
        return any(key.value == "marks" for key, _ in root.value)
    return False


def check_marks(files: Sequence[str], marks: Path | None, timeout: float | None, as_json: bool, how: Loading) -> int:
    """Judge the marks on a board in the making, and print the judgement; returns 0 if they are right so far, else 1."""
    from puzzlekit.api.boards import judgement_parts
    from puzzlekit.api.understanding import marks_of
    from puzzlekit.cli.screen import console, print_json, show_lines, show_text

    if len(files) > 2:
        raise InputError("marks are checked on one spec: write TYPE SPEC, or a SPEC that names its type")
    command.end_after(timeout)
    clock = Clock(timeout, command.began())
    kind, spec = files if len(files) == 2 else (files[0], None)
    puzzle = load_puzzle(kind, spec, clock, how)
    given = read_marks_file(marks)
    found = puzzle.check(given, clock.left())
    command.end_after(None)
    if as_json:
        print_json(found.json())
    else:
        screen = console(no_color=False)
        others = found.rules if found.verdict == "leads nowhere" else found.rules[1:]
        most = NAMED_RULES
        more = [f"- and {len(others) - most} more"] if len(others) > most else []
        show_text(screen, "\n".join([found.text, *(f"- {rule}" for rule in others[:most]), *more]))
        if parts := judgement_parts(puzzle.instance, marks_of(puzzle, given), found):
            screen.print()
            show_lines(screen, parts)
    return 0 if found else 1


def check_files(
    files: Sequence[Path | str],
    backend: str,
    timeout: float | None,
    as_json: bool = False,
    how: Loading = Loading(),
    drawn: bool = False,
) -> int:
    """Check each type, spec or link, and print what was found, as text or JSON; returns the exit code.

    A spec is of the last type before it whose name it has. One that names no type, and a link, is of the last type before it.
    With `drawn`, the picture of each puzzle is printed, too.

    It is 0 if no file has an error, 2 if one has or the backend does not support it, 3 if time ran out, 70 if a backend
    returned a wrong solution. An error in one file matters more than a timeout in another.
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
            status, message = _status(path, types, backend, timeout, how, drawn)
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


def _status(
    path: str, types: list[str], backend: str, timeout: float | None, how: Loading = Loading(), drawn: bool = False
) -> tuple[str, str]:
    """The status of a file, and what there is to say about it. A type is added to those before the next file."""
    try:
        if is_type(path):
            types.append(path)
            return "ok", _check_type(path, timeout)
        return "ok", _check(path, types, backend, timeout, how, drawn)
    except PuzzlekitError as error:
        return status_of(error), str(error)


def _print(path: str, status: str, message: str) -> None:
    """Print one line or more on a file, before the next one is checked."""
    if status == "ok":
        print(printable(f"{path}: {message}"), flush=True)
    elif status == "invalid":
        print(printable(message if path in message else f"{path}: {message}"), file=sys.stderr)
    else:
        print(printable(f"{path}: {status}: {message}"), file=sys.stderr)


def _check_type(name: str, timeout: float | None) -> str:
    from puzzlekit.api.checks import check_type
    from puzzlekit.catalogue import find

    return check_type(Path(name) if Path(name).is_file() else find(name), timeout)


def _check(path: str, types: Sequence[str], backend: str, timeout: float | None, how: Loading, drawn: bool) -> str:
    from puzzlekit.api.checks import check_spec

    clock = Clock(timeout)
    kind = _type_of(path, types)
    puzzle = load_puzzle(kind or path, path if kind else None, clock, how)
    if drawn:
        from puzzlekit.cli.screen import console, show_lines

        screen = console(no_color=False)
        show_lines(screen, puzzle.parts())
        screen.print()
    return check_spec(puzzle, backend, clock)


def _type_of(path: str, types: Sequence[str]) -> str:
    """The type of a spec or a link among those before it; empty if there is none."""
    from puzzlekit.catalogue import find, read_header, same_name
    from puzzlekit.links import is_written

    named = "" if path == "-" or is_written(path) else read_header(Path(path)).name
    for kind in reversed(types):
        header = read_header(Path(kind) if Path(kind).is_file() else find(kind))
        if not named or any(same_name(named, name) for name in (header.name, header.path.stem, *header.also)):
            return kind
    return ""
