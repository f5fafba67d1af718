"""`puzzlekit check`: find the errors of types and specs."""

from __future__ import annotations

import sys
from pathlib import Path

from puzzlekit.api import load
from puzzlekit.api.expect import unmet_problems
from puzzlekit.api.then import check_then
from puzzlekit.cli.process import shared_page
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, Problems, PuzzlekitError, printable
from puzzlekit.lang import is_type, read_type, unused_fields, unused_values


def check_files(files: list[Path], backend: str, timeout: float | None) -> int:
    """Check each file and print its errors; 0 if there are none, 2 if some, 3 if time ran out."""
    code = 0
    for path in files:
        shared_page.stop_after(timeout, anew=True)
        try:
            said = _check(path, backend, timeout)
        except InputError as error:
            said = str(error)
            print(printable(said if str(path) in said else f"{path}: {said}"), file=sys.stderr)
            code = 2
            continue
        except PuzzlekitError as error:
            print(printable(f"{path}: stopped: {error}"), file=sys.stderr)
            code = max(code, 3)
            continue
        print(printable(f"{path}: {said}"), flush=True)  # before the next file is checked
    return code


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
    if "expect" not in puzzle.spec.about:
        return "a valid spec; it has no expect"
    problems = unmet_problems(puzzle, backend, clock.left())
    if problems:
        raise Problems(problems)
    return "as expected"
