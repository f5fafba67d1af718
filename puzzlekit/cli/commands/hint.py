"""`puzzlekit hint`: the easiest next step."""

from __future__ import annotations

from typing import Annotated

from puzzlekit.cli.marks import Marks, read_marks_file
from puzzlekit.cli.options import Json, SpecPath, TypeOrSpec, load_puzzle
from puzzlekit.clock import Clock
from puzzlekit.options import Loading, Option, Timeout
from puzzlekit.processes import command


def hint(
    kind: TypeOrSpec,
    spec: SpecPath = None,
    *,
    marks: Marks = None,
    where: Annotated[bool, Option("tell only the place to look at")] = False,
    loading: Loading,
    timeout: Timeout = None,
    as_json: Json = False,
) -> int:
    """Tell the easiest next step, from the marks of a spec or from its start; wrong marks are told first."""
    from puzzlekit.cli.screen import console, print_json, show_text

    command.end_after(timeout)
    clock = Clock(timeout, command.began())
    puzzle = load_puzzle(kind, spec, clock, loading)
    found = puzzle.hint(read_marks_file(marks), clock.left())
    command.end_after(None)
    if as_json:
        print_json(found.json())
    else:
        show_text(console(no_color=True), found.where if where and found.step is not None else str(found))
    return 0 if found.step is not None else 1
