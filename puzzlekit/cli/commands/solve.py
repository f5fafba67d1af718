"""`puzzlekit solve`: solve, count, optimise, sample or rank one puzzle."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from puzzlekit.cli.commands.conflict import tell_conflict
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
from puzzlekit.errors import InputError, Stopped
from puzzlekit.options import LoadOptions, Option, RunOptions
from puzzlekit.processes import limit_memory, report_if_ended
from puzzlekit.query import QueryOptions


def solve(
    type_or_spec: TypeOrSpec,
    spec: SpecPath = None,
    *,
    asked: QueryOptions,
    backbone: Annotated[
        bool, Option("show what all solutions share, and what differs most")
    ] = False,
    conflict: Annotated[bool, Option("another name of puzzlekit conflict", name="--why")] = False,
    means: RunOptions,
    loading: LoadOptions,
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
        has_files = svg is not None or html is not None
        if as_json and not conflict:
            from puzzlekit.cli.screen import of_backbone, of_solve

            of_report = of_backbone if backbone else of_solve
            report_if_ended(of_report(backend=means.backend))
        if means.memory is not None:
            limit_memory(means.memory)
        if conflict:
            if backbone or has_files:
                raise InputError("--why cannot be combined with --backbone, --svg or --html")
            if asked != QueryOptions() or means.backend != "auto":
                raise InputError(
                    "--why looks at all solutions, with a solver of its own:"
                    " it takes no goal, number or backend"
                )
            return tell_conflict(type_or_spec, spec, loading, clock, 1, as_json, no_color)
        if backbone:
            if has_files:
                raise InputError("--svg and --html cannot be combined with --backbone")
            query.require_about_all()
        try:
            puzzle = load_puzzle(type_or_spec, spec, clock, loading)
        except Stopped as reason:
            return stopped_loading(reason, means.backend, clock, as_json, backbone)
        if backbone:
            from puzzlekit.cli.backbone_report import print_backbone

            return print_backbone(puzzle, query, means, clock, as_json, no_color)
        pictures = Pictures(svg, html)
        limited = asked.limit is not None
        return print_run(puzzle, query, means, clock, as_json, no_color, pictures, limited)

    if not watch:
        return work()
    from puzzlekit.cli.watch import watched
    from puzzlekit.links import is_written

    paths = [] if spec is None or is_written(spec) else [Path(spec)]
    if not is_written(type_or_spec) and Path(type_or_spec).is_file():
        paths.insert(0, Path(type_or_spec))
    return watched(work, paths, as_json)
