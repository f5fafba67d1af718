"""`puzzlekit export`: write a puzzle in the notation of another program, or for another solver."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from puzzlekit.cli.files import writable, write
from puzzlekit.cli.options import HiddenOptions, SpecPath, TypeOrSpec, clock_for, load_puzzle
from puzzlekit.cli.program import report
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, Unsupported, nearest
from puzzlekit.options import LoadOptions, Option, RunOptions
from puzzlekit.processes import end_command_after, limit_memory
from puzzlekit.query import GoalOption, Presolve

if TYPE_CHECKING:
    from puzzlekit.api import Puzzle


def export(
    type_or_spec: TypeOrSpec,
    spec: SpecPath = None,
    *,
    form: Annotated[
        str, Option("the notation or format to write", "NAME", "--format", completes="formats")
    ] = "puzzlink",
    goal: GoalOption = None,
    presolve: Annotated[
        str,
        Option(
            "for solvers: how much of the puzzle is solved before it is written",
            "none|light|full",
            completes="levels",
        ),
    ] = Presolve.NONE.value,
    out: Annotated[Path | None, Option("write it to this file", "FILE")] = None,
    means: Annotated[RunOptions, HiddenOptions(backend="")],
    loading: LoadOptions,
) -> None:
    """Write a puzzle in the notation of another program, or for another solver.

    For programs that draw puzzles: puzzlink, penpa, fpuzzles, line, ipuz, puz. For solvers: dimacs,
    wcnf, opb, lp, smt2, asp, xcc, mzn.
    """
    from puzzlekit.cli.screen import progress
    from puzzlekit.exports import FORMATS
    from puzzlekit.links import BINARY, NOTATIONS

    notations = {**NOTATIONS, **BINARY}
    names = [*notations, *FORMATS]
    if form not in names:
        raise InputError(f"--format {form}: there is no such format; {nearest(form, names)}")
    level = Presolve.of(presolve)
    if level is not Presolve.NONE and form in notations:
        raise InputError(f"--presolve {level}: the notation {form} states the whole puzzle")
    if out is None and form in BINARY:
        raise InputError(f"--format {form} writes bytes: give a file with --out FILE")
    if out is not None:
        writable("--out", out)
    clock = clock_for(means.timeout)
    if means.memory is not None:
        limit_memory(means.memory)
    puzzle = load_puzzle(type_or_spec, spec, clock, loading)
    content: str | bytes
    with progress(puzzle.title):
        if form in notations:
            content = _notation(puzzle, form, notations[form], goal)
        else:
            content = _model(puzzle, form, goal, level, clock, loading)
    end_command_after(None)
    if out is not None:
        write(out, content)
        print(out)
    elif isinstance(content, str):
        sys.stdout.write(content)


def _model(
    puzzle: Puzzle, name: str, goal: str | None, level: Presolve, clock: Clock, loading: LoadOptions
) -> str:
    """Return the lowered model as a file of another solver."""
    from puzzlekit.api import export

    options = {
        "lexicon": loading.lexicon,
        "fold_accents": loading.fold_accents,
        "settings": loading.settings,
    }
    try:
        exported = export(puzzle, name, goal, clock=clock, options=options, level=level)
    except Unsupported as error:
        help = "try another format"
        if level is not Presolve.FULL:
            help = "try --presolve full, or another format"
        message = f"the format {name} cannot express the puzzle: {error}"
        raise InputError(message, help=help) from None
    if exported.left_out is not None:
        report(f"the format {name} has no goals: {exported.left_out.name} is left out")
    return "".join(f"{line}\n" for line in exported.lines)


def _notation(puzzle: Puzzle, name: str, module: str, goal: str | None) -> str | bytes:
    """Return the link or the notation of a puzzle."""
    from puzzlekit.links import PROGRESS, WITH_PROGRESS

    if goal is not None:
        raise InputError(f"--goal {goal}: the notation {name} states no goals")
    text: str | bytes = import_module(module).write(puzzle.instance)
    if PROGRESS in puzzle.spec.about and name not in WITH_PROGRESS:
        report(f"the notation {name} carries no progress: it is left out")
    if isinstance(text, bytes):
        return text
    return text if text.endswith("\n") else f"{text}\n"
