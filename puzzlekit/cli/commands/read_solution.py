"""`puzzlekit read-solution`: check and draw what another solver printed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from puzzlekit.api import Puzzle
from puzzlekit.api.export import ReadBack
from puzzlekit.api.export import read_solution as read_back
from puzzlekit.api.pictures import sections
from puzzlekit.cli.screen import console, show_sections
from puzzlekit.cli.whole_files import Pictures
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError
from puzzlekit.exports.file_format import Claim
from puzzlekit.limits import limits
from puzzlekit.processes import command
from puzzlekit.query import Query
from puzzlekit.source import read_bytes

CODES = {Claim.SOLUTION: 0, Claim.OPTIMAL: 0, Claim.NONE: 1, Claim.UNKNOWN: 3}


def read_solution(
    model: Path, printed: str, puzzle: Puzzle | None, as_json: bool, no_color: bool, pictures: Pictures, clock: Clock
) -> int:
    """Print the solutions that another solver printed for an exported file; returns the exit code.

    It is 0 for solutions, 1 if the solver reports that there is none, 3 if it gave up.
    """
    pictures.check(Query())
    lines = _text(str(model), read_bytes(model, limits().exporting.model_bytes)).splitlines()
    most = limits().exporting.printed_bytes
    data = _standard_input(most) if printed == "-" else read_bytes(Path(printed), most)
    if len(data) > most:
        raise InputError(f"{printed}: expected at most {most:,} bytes of a solver's output")
    try:
        found = read_back(lines, _text(printed, data), puzzle, clock)
    except InputError as error:
        raise InputError(str(error)) if type(error) is not InputError else InputError(f"{printed}: {error}") from None
    command.end_after(None)
    for solution in found.solutions:
        pictures.add(solution)
    if as_json:
        print(json.dumps(_report(found), ensure_ascii=False))
    else:
        _print(found, no_color)
    pictures.write(found.puzzle, "", closing(found))
    return CODES[found.claim]


def _standard_input(most: int) -> bytes:
    if sys.stdin is None:
        raise InputError("standard input is closed: there is no solution to read")
    try:
        return sys.stdin.buffer.read(most + 1)
    except OSError as error:
        raise InputError(f"cannot read standard input: {error.strerror or error}") from error


def _text(name: str, data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: expected UTF-8 text, found another byte at position {error.start}") from None


def _print(found: ReadBack, no_color: bool) -> None:
    screen = console(no_color)
    screen.print(found.puzzle.title)
    for place, solution in enumerate(found.solutions):
        screen.print() if place else None
        show_sections(screen, sections(solution))
    screen.print() if found.solutions else None
    screen.print(closing(found))


def closing(found: ReadBack) -> str:
    """The last line: what was checked, and what only the other solver says."""
    count = len(found.solutions)
    if found.claim is Claim.NONE:
        return "no solution, the other solver reports; puzzlekit has not proven it"
    if found.claim is Claim.UNKNOWN:
        return "the other solver gave up: it reports neither a solution nor that there is none"
    checked = "keeps all rules" if count == 1 else f"{count:,} different solutions, which keep all rules"
    if found.goal is None:
        return f"the solution {checked}" if count == 1 else checked
    best = "; the other solver reports that this is the best" if found.claim is Claim.OPTIMAL else ""
    return f"{found.goal.name}: {found.value}; the solution {checked}{best}"


def _report(found: ReadBack) -> dict[str, object]:
    goal = None if found.value is None or found.goal is None else {"name": found.goal.name, "value": found.value}
    solutions = [solution.json() for solution in found.solutions]
    about: dict[str, object] = {"puzzle": found.puzzle.type.name, "spec": found.puzzle.spec.source.path or None}
    return {**about, "claim": str(found.claim), "count": len(solutions), "goal": goal, "solutions": solutions}
