"""`puzzlekit check`: find the errors of types and specs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from puzzlekit.api import Puzzle, load
from puzzlekit.api.expect import check_spec
from puzzlekit.api.pictures import puzzle_parts
from puzzlekit.api.then import check_then
from puzzlekit.catalogue import read_header
from puzzlekit.cli.screen import console, of_check, show_lines
from puzzlekit.clock import Clock
from puzzlekit.errors import (
    BackendBug,
    InputError,
    Problem,
    Problems,
    PuzzlekitError,
    Stopped,
    Undecided,
    Unsupported,
    printable,
)
from puzzlekit.lang import PuzzleType, example_data, is_type, read_type, unused_fields
from puzzlekit.limits import limits
from puzzlekit.links import is_written
from puzzlekit.processes import command

CODES = {"ok": 0, "stopped": 3, "undecided": 3, "unsupported": 2, "invalid": 2, "bug": 70}  # the last one that occurs counts
SPECS = "[!.]*.yaml"  # files of specs, none that are hidden
SIDES, LENGTHS = (4, 9, 8, 6, 5), (4, 1, 0)  # of boards and of lists in data that are made up, tried in turn


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
        print(json.dumps({"files": done}, ensure_ascii=False))
    return 130 if interrupted else next(code for status, code in reversed(CODES.items()) if status in found)


def _print_picture(puzzle: Puzzle) -> None:
    """Print the picture of a puzzle without its solution."""
    screen = console(no_color=False)
    show_lines(screen, puzzle_parts(puzzle.instance))
    screen.print()


def _status(path: str, backend: str, timeout: float | None, steps: int | None = None, drawn: bool = False) -> tuple[str, str]:
    """The status of a file, and what there is to say about it."""
    try:
        return "ok", _check(path if is_written(path) else Path(path), backend, timeout, steps, drawn)
    except InputError as error:
        return "invalid", str(error)
    except PuzzlekitError as error:
        named = {Unsupported: "unsupported", Undecided: "undecided", BackendBug: "bug"}
        return named.get(type(error), "stopped"), str(error)


def _print(path: str, status: str, message: str) -> None:
    """Print one line or more on a file, before the next one is checked."""
    if status == "ok":
        print(printable(f"{path}: {message}"), flush=True)
    elif status == "invalid":
        print(printable(message if path in message else f"{path}: {message}"), file=sys.stderr)
    else:
        print(printable(f"{path}: {status}: {message}"), file=sys.stderr)


def _check(path: Path | str, backend: str, timeout: float | None, steps: int | None, drawn: bool) -> str:
    if isinstance(path, Path) and is_type(path):
        kind = read_type(path)
        if unused := unused_fields(kind):
            raise Problems(unused)
        check_then(kind)
        unknowns = ", ".join(unknowns.name for unknowns in kind.unknowns)
        rules = f"{len(kind.rules)} rule{'s' * (len(kind.rules) != 1)}"
        ran = _run_rules(path, kind, Clock(limits().checking.type_seconds if timeout is None else timeout))
        verdict = "the text has no error" if ran.startswith("\n") else "a valid type"  # what failed stands on a line of its own
        return f"{verdict}: fields {', '.join(kind.fields) or '–'}; unknowns {unknowns}; {rules}{ran}"
    clock = Clock(timeout)
    puzzle = load(None, path, clock=clock, steps=steps)
    if drawn:
        _print_picture(puzzle)
    return check_spec(puzzle, backend, clock)


def _run_rules(path: Path, kind: PuzzleType, clock: Clock) -> str:
    """Run the rules of a type on the smallest specs beside it, or on one that is made up. Return what was run.

    Raises Problems with the errors of the type. Errors of a spec are found where that is checked.
    A spec that is made up may break what the type's rules rely on, so its errors are only told.
    """
    specs = _specs_of(path, kind.name)
    found: list[Problem] = []
    ran = 0
    try:
        for spec in specs:
            try:
                load(path, spec, clock=clock)
                ran += 1
            except Problems as error:
                own = (problem for problem in error.problems if problem.place is not None and problem.place.path == str(path))
                found += [Problem(f"{problem.message} (with {spec})", problem.place, problem.hint) for problem in own]
        if found:
            raise Problems(found)
        if ran:
            return f", run on {ran} spec{'s' * (ran != 1)}"
        return _run_on_made_up(path, kind, clock)
    except Stopped:
        return "; there was no time to run them on a spec"
    except Problems:
        raise
    except InputError:  # as where a spec names a file that is missing
        return ""


def _run_on_made_up(path: Path, kind: PuzzleType, clock: Clock) -> str:
    """Run the rules on the first data that the type accepts: with boards that are empty, and with clues of all kinds.

    An error on empty boards is told only if none with clues is accepted: some rules need different labels.
    """
    hint = f"add a spec to specs/{kind.name}/, so that the rules run on it"
    refused = "no data could be made up"
    for side, items in product(SIDES, LENGTHS):
        ran: list[Problem | None] = []  # the first error on each of the data that the checks accept
        for varied in (False, True):
            values = example_data(kind, side, side, items, varied)
            if values is None:
                continue
            try:
                load(path, values, clock=clock)
            except Problems as error:
                if not values:  # no data were needed, so the error is the type's own
                    raise
                first = next((p for p in error.problems if p.place is not None and p.place.path == str(path)), None)
                if first is not None:
                    ran.append(first)
                elif (side, items, varied) == (SIDES[0], LENGTHS[0], False):
                    refused = f"with data that were made up, {error.problems[0].message}"
            else:
                ran.append(None)
        if ran:
            wrong = ran[-1]
            if wrong is None:
                return ", run on data that were made up"
            return f"\n{replace(wrong, message=f'{wrong.message} (with data that were made up)')}\n     = {hint}"
    return f"\n{path}: the rules were not run: {refused}; {hint}"


def _specs_of(path: Path, name: str) -> list[Path]:
    """Return the smallest specs of a type, in specs/NAME in its folder or beside that, or in its folder."""
    folder = path.resolve().parent
    most = limits().checking
    near = [place for beside in (folder, folder.parent) for place in sorted((beside / "specs" / name).glob(SPECS))]
    found = near or [place for place in sorted(folder.glob(SPECS))[: most.type_files] if _is_of(place, name)]
    sizes = {place: place.stat().st_size for place in found[: most.type_files] if place.is_file()}
    return sorted(sizes, key=lambda place: (sizes[place], place))[: most.type_specs]


def _is_of(path: Path, name: str) -> bool:
    """Return whether a file is a spec of a type."""
    try:
        header = read_header(path)
    except InputError:
        return False
    return header.name == name and not header.is_type
