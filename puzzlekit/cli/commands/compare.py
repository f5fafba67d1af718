"""`puzzlekit compare`: the same query on several backends."""

from __future__ import annotations

from typing import Annotated

from puzzlekit.cli.options import ComparisonOutput, Fixed, Specs, load_puzzles
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, Stopped
from puzzlekit.options import Loading, Means, Option
from puzzlekit.processes import command
from puzzlekit.query import Asked

LISTED = Fixed(rank="none", sample=None, seed=None, uniform=False)  # what backends can agree on


def compare(
    files: Specs,
    *,
    backends: Annotated[str | None, Option("the backends; all by default", "a,b,…", completes="several_backends")] = None,
    asked: Annotated[Asked, LISTED],
    repeat: Annotated[int, Option("run each N times; show medians", "N", least=1)] = 1,
    means: Annotated[Means, Fixed(backend="")],
    loading: Loading,
    output: ComparisonOutput,
) -> int:
    """Run the same query on several backends: times, what each did, and whether they agree."""
    from puzzlekit.cli.comparison_report import print_comparisons
    from puzzlekit.cli.screen import of_compare, print_json

    if output.as_json and output.as_csv:
        raise InputError("--json cannot be combined with --csv")
    seconds = None if means.timeout is None else means.timeout * len(files)
    command.end_after(seconds)
    if output.as_json:
        command.report_if_ended(of_compare())
    if means.memory is not None:
        command.limit_memory(means.memory)
    query = asked.query()
    chosen = [name.strip() for name in backends.split(",") if name.strip()] if backends is not None else None
    try:
        puzzles = load_puzzles(files, Clock(seconds, command.began()), loading)
    except Stopped:
        if output.as_json:
            print_json(of_compare())
        raise
    return print_comparisons(puzzles, query, chosen, output, means.timeout, repeat)
