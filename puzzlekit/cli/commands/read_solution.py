"""`puzzlekit read-solution`: check and draw what another solver printed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlekit.cli import completion
from puzzlekit.cli.options import Html, Json, NoColor, SpecPath, Svg, clock_for, load_puzzle
from puzzlekit.errors import InputError
from puzzlekit.options import Timeout
from puzzlekit.processes import end_command_after
from puzzlekit.query import Query
from puzzlekit.sentences import KeepRules, KeepsRules

if TYPE_CHECKING:
    from puzzlekit.api import ReadBack

PRINTED_BYTES = 100_000_000  # of the output of another solver
MODEL_BYTES = 200_000_000  # of an exported file, whose comments are read back

CODES = {"solution": 0, "optimal": 0, "no solution": 1, "unknown": 3}  # by the values of `Claim`


def read_solution(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="a file of puzzlekit export")],
    printed: Annotated[
        str,
        typer.Argument(
            metavar="OUTPUT", help="what a solver printed for it; - reads standard input"
        ),
    ],
    type_name: Annotated[
        str | None,
        typer.Argument(
            metavar="TYPE",
            autocompletion=completion.types,
            help="the type, if it is in another place by now",
        ),
    ] = None,
    spec: SpecPath = None,
    timeout: Timeout = None,
    svg: Svg = None,
    html: Html = None,
    as_json: Json = False,
    no_color: NoColor = False,
) -> int:
    """Check what another solver printed for an exported puzzle against the rules, and draw it."""
    from puzzlekit.api import read_solution as read_back
    from puzzlekit.cli.run_report import Pictures
    from puzzlekit.cli.screen import print_json
    from puzzlekit.reading import read_bytes

    if "-" in (spec, type_name) and printed == "-":
        raise InputError("standard input can be read only once, but - is given more than once")
    clock = clock_for(timeout)
    puzzle = None if type_name is None else load_puzzle(type_name, spec, clock)
    pictures = Pictures(svg, html)
    pictures.check(Query())
    lines = _text(str(model), read_bytes(model, MODEL_BYTES)).splitlines()
    if printed == "-":
        data = _standard_input(PRINTED_BYTES)
    else:
        data = read_bytes(Path(printed), PRINTED_BYTES)
    if len(data) > PRINTED_BYTES:
        raise InputError(
            f"{printed}: expected at most {PRINTED_BYTES:,} bytes of a solver's output"
        )
    try:
        output = read_back(lines, _text(printed, data), puzzle, clock)
    except InputError as error:
        # Subclasses, such as Problems, name a file themselves.
        message = f"{printed}: {error}" if type(error) is InputError else str(error)
        raise InputError(message, help=error.help) from None
    end_command_after(None)
    for solution in output.solutions:
        pictures.add(solution)
    if as_json:
        print_json(_report(output))
    else:
        _print(output, no_color)
    pictures.write(output.puzzle, "", closing(output))
    return CODES[output.claim]


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
        raise InputError(
            f"{name}: expected UTF-8 text, found another byte at position {error.start}"
        ) from None


def _print(output: ReadBack, no_color: bool) -> None:
    from puzzlekit.api import sections
    from puzzlekit.cli.screen import console, show_sections

    screen = console(no_color)
    screen.print(output.puzzle.title)
    for number, solution in enumerate(output.solutions):
        if number > 0:
            screen.print()
        show_sections(screen, sections(solution))
    if output.solutions:
        screen.print()
    screen.print(closing(output))


def closing(output: ReadBack) -> str:
    """Return the last line: what was checked, and what only the other solver says."""
    from puzzlekit.exports import Claim

    if output.claim is Claim.NONE:
        return "no solution, the other solver reports; puzzlekit has not proven it"
    if output.claim is Claim.UNKNOWN:
        return "the other solver gave up: it reports neither a solution nor that there is none"
    if output.goal is None:
        count = len(output.solutions)
        return str(KeepsRules() if count == 1 else KeepRules(f"{count:,}"))
    best = "the other solver reports that this is the best"
    claim = best if output.claim is Claim.OPTIMAL else ""
    return str(KeepsRules(f"{output.goal.name}: {output.value}", claim))


def _report(output: ReadBack) -> dict[str, object]:
    """Return the object that --json prints."""
    goal = None
    if output.value is not None and output.goal is not None:
        goal = {"name": output.goal.name, "value": output.value}
    solutions = [solution.json() for solution in output.solutions]
    puzzle = output.puzzle
    return {
        "puzzle": puzzle.type.name,
        "spec": puzzle.spec.source.path or None,
        "claim": str(output.claim),
        "count": len(solutions),
        "goal": goal,
        "solutions": solutions,
    }
