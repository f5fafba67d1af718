"""`puzzlekit hint`: the easiest next step."""

from __future__ import annotations

from typing import Annotated

from puzzlekit.cli.options import (
    Candidates,
    Json,
    NoColor,
    SpecPath,
    TypeOrSpec,
    clock_for,
    load_puzzle,
)
from puzzlekit.cli.progress import Progress, read_progress_file
from puzzlekit.errors import InputError
from puzzlekit.options import LoadOptions, Option, Timeout
from puzzlekit.processes import end_command_after


def hint(
    type_or_spec: TypeOrSpec,
    spec: SpecPath = None,
    *,
    progress: Progress = None,
    where: Annotated[bool, Option("tell only the place to look at")] = False,
    pattern: Annotated[bool, Option("tell only the place and the pattern")] = False,
    candidates: Candidates = False,
    loading: LoadOptions,
    timeout: Timeout = None,
    as_json: Json = False,
    no_color: NoColor = False,
) -> int:
    """Tell the easiest next step, from the progress of a spec or from its start; wrong marks are
    told first.
    """
    from puzzlekit.cli.screen import or_stopped

    options = {"--where": where, "--pattern": pattern, "--candidates": candidates}
    selected = [name for name, is_set in options.items() if is_set]
    if len(selected) > 1:
        raise InputError(f"{selected[0]} and {selected[1]} cannot be combined")

    def work() -> int:
        from puzzlekit.cli.screen import console, print_json, show_text

        clock = clock_for(timeout)
        puzzle = load_puzzle(type_or_spec, spec, clock, loading)
        marks = read_progress_file(progress)
        hint = puzzle.hint(marks, clock=clock)
        end_command_after(None)
        if as_json:
            print_json(hint.json())
        elif hint.explanation is None:
            show_text(console(no_color), str(hint))
        elif where:
            show_text(console(no_color), hint.where)
        elif pattern:
            show_text(console(no_color), hint.pattern)
        else:
            parts = hint.explanation.picture_parts(candidates, hint.step)
            show_text(console(no_color), str(hint), parts)
        return 0 if hint.step is not None else 1

    return or_stopped(work, as_json)
