"""`puzzlekit solve`: solve, count, optimise, sample or rank one puzzle."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from puzzlekit.cli.options import (
    Html,
    Json,
    NoColor,
    SpecPath,
    Svg,
    TypeOrSpec,
    Watch,
    clock_for,
    load_puzzle,
)
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, Stopped
from puzzlekit.options import Loading, Means, Option
from puzzlekit.processes import command
from puzzlekit.query import Asked

if TYPE_CHECKING:
    from puzzlekit.api import Puzzle


def _tell_why(puzzle: Puzzle, conflicts: int, clock: Clock, as_json: bool, no_color: bool) -> int:
    """Print what keeps the puzzle from having one solution; returns 0 if it has one."""
    from puzzlekit.api.boards import conflict_parts
    from puzzlekit.cli.screen import console, print_json, show_text

    found = puzzle.conflict(conflicts, clock=clock)
    command.end_after(None)
    if as_json:
        print_json(found.json())
    else:
        screen = console(no_color)
        screen.print(puzzle.title)
        show_text(screen, found.text, conflict_parts(puzzle.instance, found) if found else ())
    return 1 if found.solutions == "none" else 0


def solve(
    kind: TypeOrSpec,
    spec: SpecPath = None,
    *,
    asked: Asked,
    backbone: Annotated[
        bool, Option("show what all solutions share, and what differs most")
    ] = False,
    why: Annotated[bool, Option("tell why there is no solution, or why there are several")] = False,
    conflicts: Annotated[int, Option("with --why: show up to N conflicts", "N", least=1)] = 1,
    means: Means,
    loading: Loading,
    svg: Svg = None,
    html: Html = None,
    watch: Watch = False,
    as_json: Json = False,
    no_color: NoColor = False,
) -> int:
    """Print a solution and whether it is unique; with a goal, a solution that is proven optimal."""

    def work() -> int:
        from puzzlekit.cli.run_report import Pictures, print_run, stopped_loading

        clock = clock_for(means.timeout, anew=watch)
        query = asked.query()
        if as_json and not why:
            from puzzlekit.cli.screen import of_backbone, of_solve

            command.report_if_ended((of_backbone if backbone else of_solve)(backend=means.backend))
        if means.memory is not None:
            command.limit_memory(means.memory)
        if why and (backbone or svg is not None or html is not None):
            raise InputError("--why cannot be combined with --backbone, --svg or --html")
        if why and (asked != Asked() or means.backend != "auto"):
            raise InputError(
                "--why looks at all solutions, with a solver of its own: it takes no goal, number or backend"
            )
        if conflicts > 1 and not why:
            raise InputError("--conflicts requires --why")
        if backbone:
            if svg is not None or html is not None:
                raise InputError("--svg and --html cannot be combined with --backbone")
            query.require_about_all()
        if why:
            from puzzlekit.cli.screen import or_stopped

            def tell() -> int:
                return _tell_why(
                    load_puzzle(kind, spec, clock, loading), conflicts, clock, as_json, no_color
                )

            return or_stopped(tell, as_json)
        try:
            puzzle = load_puzzle(kind, spec, clock, loading)
        except Stopped as reason:
            return stopped_loading(reason, means.backend, clock, as_json, backbone)
        if backbone:
            from puzzlekit.cli.backbone_report import print_backbone

            return print_backbone(puzzle, query, means, clock, as_json, no_color)
        return print_run(
            puzzle,
            query,
            means,
            clock,
            as_json,
            no_color,
            Pictures(svg, html),
            asked.limit is not None,
        )

    if not watch:
        return work()
    from puzzlekit.cli.watch import watched
    from puzzlekit.links import is_written

    named = [file for file in (kind, spec) if file is not None and not is_written(file)]
    return watched(
        work, [Path(file) for file in named if file == spec or Path(file).is_file()], as_json
    )
