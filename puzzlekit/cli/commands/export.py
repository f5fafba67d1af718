"""`puzzlekit export`: write a puzzle in the notation of another program, or for another solver."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from puzzlekit.cli.files import writable, write
from puzzlekit.cli.messages import report
from puzzlekit.cli.options import HiddenOptions, SpecPath, TypeOrSpec, clock_for, load_puzzle
from puzzlekit.errors import InputError
from puzzlekit.options import LoadOptions, Option, RunOptions
from puzzlekit.processes import end_command_after, limit_memory
from puzzlekit.query import GoalOption, Presolve


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

    For programs that draw puzzles: puzzlink, penpa, sudokupad, fpuzzles, line, tatham, non, webpbn,
    janko, ipuz, puz. For solvers: dimacs, wcnf, opb, lp, smt2, asp, xcc, mzn.
    """
    from puzzlekit.api import format_named
    from puzzlekit.cli.screen import progress
    from puzzlekit.links import BINARY

    name = format_named(form)
    if out is None and name in BINARY:
        raise InputError(f"--format {name} writes bytes: give a file with --out FILE")
    if out is not None:
        writable("--out", out)
    clock = clock_for(means.timeout)
    if means.memory is not None:
        limit_memory(means.memory)
    puzzle = load_puzzle(type_or_spec, spec, clock, loading)
    with progress(puzzle.title):
        exported = puzzle.export(name, goal, presolve, clock=clock)
    end_command_after(None)
    for note in exported.notes:
        report(note)
    if out is not None:
        write(out, exported.content)
        print(out)
    else:
        sys.stdout.write(str(exported))
