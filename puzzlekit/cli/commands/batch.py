"""`puzzlekit batch`: many puzzles, each with a line in a file of results."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlekit.cli.files import writable, write
from puzzlekit.cli.messages import report
from puzzlekit.cli.options import NoColor
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, printable
from puzzlekit.options import LoadOptions, Option, RunOptions
from puzzlekit.query import Query, QueryOptions
from puzzlekit.sentences import BatchEnd, BatchRate, PuzzlesDone, counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from puzzlekit.batches import Batch, Progress, Summary

EVERY = 60.0  # seconds between two lines in a pipe
LISTED = 5  # puzzles that failed, below the table


@dataclass(frozen=True)
class Bounds(RunOptions):
    """How each puzzle is run."""

    timeout: Annotated[
        float | None, Option("stop each puzzle after S seconds (60)", "S", least=0.0)
    ] = None
    memory: Annotated[str | None, Option("the memory of each worker: 500M, 2G", "SIZE")] = None


def batch(
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT…",
            help="specs, folders, globs, files of JSON lines (.jsonl, .jsonl.gz), - for these",
        ),
    ],
    *,
    out: Annotated[Path, Option("append a JSON line for each puzzle to this file", "FILE")],
    unique: Annotated[
        bool, Option("ask whether there is one solution; ignore the type's goals")
    ] = False,
    expected: Annotated[
        bool, Option("check the solutions against `expect`", name="--check")
    ] = False,
    asked: QueryOptions,
    means: Bounds,
    loading: LoadOptions,
    workers: Annotated[
        int | None, Option("puzzles at the same time; one a processor by default", "N", least=1)
    ] = None,
    cluster: Annotated[
        str | None, Option("use the workers of a Dask cluster", "tcp://…|local")
    ] = None,
    parquet: Annotated[
        Path | None, Option("at the end, write the results as a table, too", "FILE")
    ] = None,
    as_json: Annotated[
        bool, Option("print the table at the end as one JSON object", name="--json")
    ] = False,
    no_color: NoColor = False,
) -> int:
    """Solve many puzzles, each with a line in a file; the same command again goes on where it
    was.
    """
    from puzzlekit import batches
    from puzzlekit.batches import AGAIN, CODES, parquet as parquet_bytes, require_parquet
    from puzzlekit.cli.screen import print_json

    query = _query(asked.query(), unique, expected)
    if expected and (loading.lexicon is not None or loading.settings):
        raise InputError("--check cannot be combined with --lexicon or --set")
    if parquet is not None:
        require_parquet()
        writable("--parquet", parquet)
    reported: list[Progress] = []

    def around(progress: Progress) -> AbstractContextManager[None]:
        reported.append(progress)
        return _progress_reported(progress, no_color)

    seconds = batches.PUZZLE_SECONDS if means.timeout is None else means.timeout
    try:
        run = batches.batch(
            inputs,
            out,
            query,
            means.backend,
            seconds,
            means.memory,
            loading,
            workers,
            cluster,
            around,
        )
    except KeyboardInterrupt:
        if not reported:
            raise
        report(f"interrupted: {_so_far(reported[0])}", help=AGAIN)
        return 130
    if parquet is not None:
        write(parquet, parquet_bytes(run.lines()))
    by_type = run.summaries()
    if as_json:
        print_json(run.json())
    else:
        _print(run, by_type, out, no_color)
    statuses = {status for summary in by_type.values() for status in summary.statuses}
    codes = [code for status, code in CODES.items() if status in statuses]
    return codes[-1] if codes else 0


def _query(asked: Query, unique: bool, expected: bool) -> Query | None:
    """Return the query of each puzzle; None to check the solutions against `expect`."""
    if not unique and not expected:
        return asked
    default = Query(limit=1, presolve=asked.presolve)
    if asked != default or (unique and expected):
        raise InputError(
            "--unique and --check cannot be combined with each other or with what else is asked"
        )
    if expected:
        return None
    return Query(limit=1, goal="none", ordered=False, presolve=asked.presolve)


@contextmanager
def _progress_reported(progress: Progress, no_color: bool = True) -> Iterator[None]:
    """Report the progress on standard error: a bar on a terminal, a line a minute in a pipe."""
    ended = threading.Event()
    reporter = threading.Thread(
        target=_bar if sys.stderr.isatty() else _lines,
        args=(progress, ended, no_color),
        daemon=True,
    )
    reporter.start()
    try:
        yield
    finally:
        ended.set()
        reporter.join()


# While it runs ------------------------------------------------------------------------------------


def _bar(progress: Progress, ended: threading.Event, no_color: bool) -> None:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress as Bar,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("left  {task.fields[others]}"),
    )
    screen = Console(file=sys.stderr, highlight=False, no_color=no_color or None)
    with Bar(*columns, console=screen, transient=True) as bar:
        task = bar.add_task("", total=None, rate="", others="")
        began = time.monotonic()
        while True:
            total = None if progress.remaining is None else progress.done + progress.remaining
            rate = _rate(progress, began)
            others = _others(progress)
            bar.update(task, completed=progress.done, total=total, rate=rate, others=others)
            if ended.wait(0.2):
                return


def _lines(progress: Progress, ended: threading.Event, no_color: bool) -> None:
    began = time.monotonic()
    while not ended.wait(EVERY):
        spent = time.monotonic() - began
        time_left = ""
        if progress.remaining is not None and progress.done:
            time_left = _time(spent / progress.done * progress.remaining)
        report(str(BatchRate(_so_far(progress), _rate(progress, began), time_left)))


def _so_far(progress: Progress) -> PuzzlesDone:
    done = progress.before + progress.done
    total = "" if progress.total is None else f"{progress.total - progress.repeated:,}"
    return PuzzlesDone(f"{done:,}", total, _others(progress))


def _others(progress: Progress) -> str:
    counts = {"stopped": progress.stopped, "failed": progress.failed}
    return ", ".join(f"{count:,} {status}" for status, count in counts.items() if count)


def _rate(progress: Progress, began: float) -> str:
    rate = progress.done / max(0.001, time.monotonic() - began)
    if rate >= 10:
        return f"{rate:,.0f}/s"
    return f"{rate:.1f}/s"


def _time(seconds: float) -> str:
    hours = round(seconds / 3600)
    if hours >= 3:
        return f"{hours} h"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes >= 2 else f"{seconds:.0f} s"


# At the end ---------------------------------------------------------------------------------------


def _print(run: Batch, summaries: Mapping[str, Summary], out: Path, no_color: bool) -> None:
    from puzzlekit.cli.screen import console

    screen = console(no_color)
    screen.print(_table(summaries))
    _print_failures(run, screen)
    notes = []
    if run.progress.before:
        notes.append(f"{run.progress.before:,} done before")
    if run.progress.repeated:
        notes.append(f"{run.progress.repeated:,} repeated")
    puzzles = counted(len(run.keys), "puzzle")
    screen.print(str(BatchEnd(puzzles, str(out), ", ".join(notes))))


def _table(summaries: Mapping[str, Summary]) -> Table:
    """Return the table of statuses and seconds: a row for each type, and one for all of several."""
    from rich.table import Table

    from puzzlekit.batches import CODES, Summary

    total = Summary()
    for summary in summaries.values():
        total.statuses += summary.statuses
        total.seconds += summary.seconds
    statuses = [status for status in CODES if total.statuses[status]]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("type", overflow="fold")
    for heading in ("done", *statuses, "median", "95 %", "largest"):
        table.add_column(heading, justify="right")
    rows = dict(summaries)
    if len(summaries) > 1:
        rows[f"{len(summaries)} types"] = total
    for name, summary in rows.items():
        counts = [summary.statuses[status] for status in statuses]
        cells = [f"{count:,}" if count else "" for count in counts]
        seconds = map(_short, summary.quantiles().values())
        done = f"{summary.statuses.total():,}"
        table.add_row(printable(name), done, *cells, *seconds)
    return table


def _short(seconds: float) -> str:
    return f"{seconds:.3f}" if seconds < 10 else f"{seconds:.1f}"


def _print_failures(run: Batch, screen: Console) -> None:
    """Name the first puzzles that failed or were stopped."""
    from puzzlekit.batches import FAILED, UNFINISHED

    printed = 0
    for line in run.lines():
        if line.status not in (*FAILED, *UNFINISHED):
            continue
        if printed == LISTED:
            screen.print("… the others are in the file of results")
            return
        printed += 1
        spec = line.fields["spec"]
        reason = str(line.fields.get("reason") or "").split("\n")[0]
        if not reason.startswith(spec):
            reason = f"{spec}: {reason}"
        screen.print(f"{line.status}: {reason}")
