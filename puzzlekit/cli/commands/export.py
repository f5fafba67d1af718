"""`puzzlekit export`: write a puzzle in the notation of another program, or for another solver."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from puzzlekit.api import Puzzle
from puzzlekit.api.export import export as exported
from puzzlekit.cli.screen import progress
from puzzlekit.cli.whole_files import writable, write
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, Unsupported, nearest
from puzzlekit.exports import FORMATS
from puzzlekit.links import BINARY, NOTATIONS
from puzzlekit.processes import command

# returns the text or bytes of a file from a puzzle, the name of the format, a goal, the clock, and how the puzzle was loaded
Writer = Callable[[Puzzle, str, str | None, Clock, Mapping[str, Any]], str | bytes]


def export(puzzle: Puzzle, name: str, goal: str | None, out: Path | None, clock: Clock, options: Mapping[str, Any]) -> int:
    """Write a puzzle in a format, to a file or to standard output; returns 0."""
    with progress(puzzle.title):
        content = WRITERS[name](puzzle, name, goal, clock, options)
    command.end_after(None)
    if out is not None:
        write(out, content)
        print(out)
    elif isinstance(content, str):
        sys.stdout.write(content)
    return 0


def check_format(name: str, out: Path | None) -> None:
    """Raise InputError for an unknown format, or a file that cannot be written."""
    if name not in WRITERS:
        raise InputError(f"--format {name}: there is no such format; {nearest(name, WRITERS)}")
    if out is None and name in BINARY:
        raise InputError(f"--format {name} writes bytes: give a file with --out FILE")
    if out is not None:
        writable("--out", out)


def _model(puzzle: Puzzle, name: str, goal: str | None, clock: Clock, options: Mapping[str, Any]) -> str:
    """Return the lowered model as a file of another solver."""
    try:
        found = exported(puzzle, name, goal, clock=clock, options=options)
    except Unsupported as error:
        raise InputError(f"the format {name} cannot express the puzzle: {error}\n     = try another format") from None
    if found.left_out is not None:
        with suppress(OSError):
            print(f"the format {name} has no goals: {found.left_out.name} is left out", file=sys.stderr)
    return "".join(f"{line}\n" for line in found.lines)


def _notation(puzzle: Puzzle, name: str, goal: str | None, clock: Clock, options: Mapping[str, Any]) -> str | bytes:
    """Return the link or the notation of a puzzle."""
    if goal is not None:
        raise InputError(f"--goal {goal}: the notation {name} states no goals")
    text: str | bytes = import_module({**NOTATIONS, **BINARY}[name]).write(puzzle.instance)
    return text if isinstance(text, bytes) else f"{text.removesuffix(chr(10))}\n"


WRITERS: Mapping[str, Writer] = {**dict.fromkeys([*NOTATIONS, *BINARY], _notation), **dict.fromkeys(FORMATS, _model)}
