"""`puzzlekit conflict`: why there is no solution, or why there are several."""

from __future__ import annotations

from typing import Annotated

from puzzlekit.cli.options import (
    HiddenOptions,
    Json,
    NoColor,
    SpecPath,
    TypeOrSpec,
    clock_for,
    load_puzzle,
)
from puzzlekit.clock import Clock
from puzzlekit.options import LoadOptions, Option, RunOptions
from puzzlekit.processes import end_command_after, limit_memory


def conflict(
    type_or_spec: TypeOrSpec,
    spec: SpecPath = None,
    *,
    most: Annotated[int, Option("show up to N conflicts", "N", least=1)] = 1,
    means: Annotated[RunOptions, HiddenOptions(backend="auto")],
    loading: LoadOptions,
    as_json: Json = False,
    no_color: NoColor = False,
) -> int:
    """Tell why there is no solution, or why there are several."""
    clock = clock_for(means.timeout)
    if means.memory is not None:
        limit_memory(means.memory)
    return tell_conflict(type_or_spec, spec, loading, clock, most, as_json, no_color)


def tell_conflict(
    type_or_spec: str,
    spec: str | None,
    loading: LoadOptions,
    clock: Clock,
    most: int,
    as_json: bool,
    no_color: bool,
) -> int:
    """Print what keeps a puzzle from having one solution.

    Returns:
        The exit code: 1 if there is no solution, 3 if the time is up, else 0.
    """
    from puzzlekit.api import conflict_parts
    from puzzlekit.cli.screen import console, or_stopped, print_json, show_text

    def tell() -> int:
        puzzle = load_puzzle(type_or_spec, spec, clock, loading)
        conflict = puzzle.conflict(most, clock=clock)
        end_command_after(None)
        if as_json:
            print_json(conflict.json())
        else:
            screen = console(no_color)
            screen.print(puzzle.title)
            parts = conflict_parts(puzzle.instance, conflict) if conflict else ()
            show_text(screen, conflict.text, parts)
        return 1 if conflict.solutions == "none" else 0

    return or_stopped(tell, as_json)
