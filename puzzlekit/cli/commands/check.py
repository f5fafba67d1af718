"""`puzzlekit check`: find the errors of types and specs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from puzzlekit.api import load
from puzzlekit.api.expect import unmet_problems
from puzzlekit.api.then import check_then
from puzzlekit.cli.process import shared_page
from puzzlekit.cli.screen import of_check
from puzzlekit.clock import Clock
from puzzlekit.errors import BackendBug, InputError, Problems, PuzzlekitError, Undecided, Unsupported, printable
from puzzlekit.lang import is_type, read_type, unused_fields, unused_values
from puzzlekit.render import scenes_of

CODES = {"ok": 0, "stopped": 3, "undecided": 3, "unsupported": 2, "invalid": 2, "bug": 70}  # the last one that occurs counts


def check_files(files: list[Path], backend: str, timeout: float | None, as_json: bool = False) -> int:
    """Check each file and print what was found, as text or JSON; returns the exit code.

    It is 0 if no file has an error, 2 if one has or the backend does not support it, 3 if time ran out, 70 if a backend
    returned a wrong solution. An error in one file matters more than a timeout in another.
    """
    done: list[dict[str, object]] = []
    found = {"ok"}
    interrupted = False
    try:
        for path in files:
            shared_page.stop_after(timeout, anew=True)
            if as_json:
                shared_page.stand_in(of_check(done, str(path)))
            status, message = _status(path, backend, timeout)
            found.add(status)
            done.append({"file": str(path), "status": status, "message": message})
            if not as_json:
                _print(path, status, message)
    except KeyboardInterrupt:
        if not as_json:
            raise
        interrupted = True
    shared_page.stop_after(None)
    if as_json:
        print(json.dumps({"files": done}, ensure_ascii=False))
    return 130 if interrupted else next(code for status, code in reversed(CODES.items()) if status in found)


def _status(path: Path, backend: str, timeout: float | None) -> tuple[str, str]:
    """The status of a file, and what there is to say about it."""
    try:
        return "ok", _check(path, backend, timeout)
    except InputError as error:
        return "invalid", str(error)
    except PuzzlekitError as error:
        named = {Unsupported: "unsupported", Undecided: "undecided", BackendBug: "bug"}
        return named.get(type(error), "stopped"), str(error)


def _print(path: Path, status: str, message: str) -> None:
    """Print one line or more on a file, before the next one is checked."""
    if status == "ok":
        print(printable(f"{path}: {message}"), flush=True)
    elif status == "invalid":
        print(printable(message if str(path) in message else f"{path}: {message}"), file=sys.stderr)
    else:
        print(printable(f"{path}: {status}: {message}"), file=sys.stderr)


def _check(path: Path, backend: str, timeout: float | None) -> str:
    if is_type(path):
        kind = read_type(path)
        if unused := unused_fields(kind):
            raise Problems(unused)
        check_then(kind)
        unknowns = ", ".join(unknowns.name for unknowns in kind.unknowns)
        rules = f"{len(kind.rules)} rule{'s' * (len(kind.rules) != 1)}"
        return f"a valid type: fields {', '.join(kind.fields) or '–'}; unknowns {unknowns}; {rules}"
    clock = Clock(timeout)
    puzzle = load(None, path, clock=clock)
    if unused := unused_values(puzzle.instance):
        raise Problems(unused)
    scenes_of(puzzle.instance, None)  # raises what its picture cannot show
    if "expect" not in puzzle.spec.about:
        return "a valid spec; it has no expect"
    problems = unmet_problems(puzzle, backend, clock.left(), lambda solution: scenes_of(solution.instance, solution.assignment))
    if problems:
        raise Problems(problems)
    return "as expected"
