"""`puzzlekit compare`: the same query on several backends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Annotated

from puzzlekit.cli.options import ComparisonOutput, HiddenOptions, Specs, load_puzzle, named_puzzles
from puzzlekit.clock import Clock
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, PuzzlekitError, Stopped
from puzzlekit.options import LoadOptions, Option, RunOptions
from puzzlekit.processes import end_command_after, limit_memory, report_if_ended
from puzzlekit.query import QueryOptions

if TYPE_CHECKING:
    from puzzlekit.api import Puzzle

BACKEND_SECONDS = 60.0  # for each backend, without `--timeout`
# Without these options, backends can agree on the solutions.
LISTED = HiddenOptions(rank="none", sample=None, seed=None, uniform=False)


@dataclass(frozen=True)
class Bounds(RunOptions):
    """How each backend is run."""

    timeout: Annotated[
        float | None, Option("stop each backend after S seconds (60)", "S", least=0.0)
    ] = None


def compare(
    files: Specs,
    *,
    backends: Annotated[
        str | None, Option("the backends; all by default", "a,b,…", completes="several_backends")
    ] = None,
    asked: Annotated[QueryOptions, LISTED],
    repeat: Annotated[int, Option("run each N times; show medians", "N", least=1)] = 1,
    means: Annotated[Bounds, HiddenOptions(backend="")],
    loading: LoadOptions,
    output: ComparisonOutput,
) -> int:
    """Run the same query on several backends: times, what each did, and whether they agree."""
    from puzzlekit.cli.comparison_report import print_comparisons
    from puzzlekit.cli.screen import of_compare, print_json

    if output.as_json and output.as_csv:
        raise InputError("--json cannot be combined with --csv")
    seconds: float | None = BACKEND_SECONDS
    if means.timeout is not None:
        seconds = means.timeout if isfinite(means.timeout) else None
    if output.as_json:
        report_if_ended(of_compare())
    if means.memory is not None:
        limit_memory(means.memory)
    query = asked.query()
    selected = None
    if backends is not None:
        names = map(str.strip, backends.split(","))
        selected = [name for name in names if name]
        if not selected:
            raise InputError(f"--backends {backends}: expected names, separated by commas")
    named = named_puzzles(files)
    puzzles = _loaded(named, seconds, loading)
    try:
        return print_comparisons(puzzles, query, selected, output, seconds, repeat, len(named))
    except Stopped:
        if output.as_json:
            print_json(of_compare())
        raise


def _loaded(
    named: Sequence[tuple[str, str | None]], seconds: float | None, loading: LoadOptions
) -> Iterator[Puzzle | tuple[str, PuzzlekitError]]:
    """Yield each puzzle, and the name and the error of one of several that cannot be loaded."""
    for type_or_spec, spec in named:
        end_command_after(seconds, anew=True)
        try:
            yield load_puzzle(type_or_spec, spec, Clock(seconds), loading)
        except PuzzlekitError as error:
            if len(named) == 1:
                raise
            yield spec or type_or_spec, error
