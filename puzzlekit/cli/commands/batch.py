"""`puzzlekit batch`: many puzzles, each with a line in a file of results."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlekit.cli.files import writable, write
from puzzlekit.cli.options import NoColor
from puzzlekit.cli.program import report
from puzzlekit.errors import InputError, printable
from puzzlekit.options import LoadOptions, Option, RunOptions
from puzzlekit.query import Query, QueryOptions
from puzzlekit.sentences.formatting import counted
from puzzlekit.sentences.reports import BatchEnd, BatchRate, PuzzlesDone

if TYPE_CHECKING:
    from rich.console import Console

    from puzzlekit.batch.runs import Batch, Progress, Summary

PUZZLE_SECONDS = 60.0  # for each puzzle, without `--timeout`

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
    """Solve many puzzles, each with a line in a file; the same command again goes on where it was."""
    from puzzlekit.batch.jobs import Inputs, Request
    from puzzlekit.batch.results import AGAIN, CODES, Results, require_parquet
    from puzzlekit.batch.results import parquet as written
    from puzzlekit.batch.runs import Batch, summaries
    from puzzlekit.batch.workers import Cluster, Executor, Local
    from puzzlekit.cli.screen import print_json
    from puzzlekit.processes.system import processors

    given = asked.query()
    if (unique or expected) and (
        given != Query(limit=1, presolve=given.presolve) or (unique and expected)
    ):
        raise InputError(
            "--unique and --check cannot be combined with each other or with what else is asked"
        )
    only = Query(limit=1, goal="none", ordered=False, presolve=given.presolve)
    if expected and (loading.lexicon is not None or loading.settings):
        raise InputError("--check cannot be combined with --lexicon or --set")
    if cluster not in (None, "local") and workers is not None:
        raise InputError(
            "--workers cannot be combined with the address of a cluster, which has its own workers"
        )
    query = None if expected else only if unique else given
    seconds = PUZZLE_SECONDS if means.timeout is None else means.timeout
    request = Request(query, loading, RunOptions(means.backend, seconds, means.memory))
    if parquet is not None:
        require_parquet()
        writable("--parquet", parquet)
    puzzles = Inputs(inputs, request)
    results = Results(out)
    try:
        run = Batch(puzzles, results)
        number = workers or processors()
        executor: Executor = (
            Local(request, number) if cluster is None else Cluster(request, cluster, number)
        )
        try:
            with _shown(run.progress, no_color):
                run.run(executor)
        except KeyboardInterrupt:
            report(f"interrupted: {_so_far(run.progress)}", help=AGAIN)
            return 130
        finally:
            executor.end()
        if parquet is not None:
            write(parquet, written(run.lines()))
        found = summaries(run.lines())
        if as_json:
            print_json(_summary(run, found))
        else:
            _print(run, found, out, no_color)
    finally:
        results.close()
    statuses = {status for tally in found.values() for status in tally.statuses}
    return next((code for status, code in reversed(CODES.items()) if status in statuses), 0)


# While it runs ------------------------------------------------------------------------------------


@contextmanager
def _shown(progress: Progress, no_color: bool = True) -> Iterator[None]:
    """Show how far the batch is on standard error: a bar on a terminal, a line a minute in a pipe."""
    ended = threading.Event()
    shown = threading.Thread(
        target=_bar if sys.stderr.isatty() else _lines,
        args=(progress, ended, no_color),
        daemon=True,
    )
    shown.start()
    try:
        yield
    finally:
        ended.set()
        shown.join()


def _bar(progress: Progress, ended: threading.Event, no_color: bool) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        BarColumn(20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    screen = Console(file=sys.stderr, highlight=False, no_color=no_color or None)
    with Bar(
        *columns, TextColumn("left  {task.fields[others]}"), console=screen, transient=True
    ) as bar:
        task, began = bar.add_task("", total=None, rate="", others=""), time.monotonic()
        while True:
            total = None if progress.remaining is None else progress.done + progress.remaining
            rate, others = _rate(progress, began), _others(progress)
            bar.update(task, completed=progress.done, total=total, rate=rate, others=others)
            if ended.wait(0.2):
                return


def _lines(progress: Progress, ended: threading.Event, no_color: bool) -> None:
    began = time.monotonic()
    while not ended.wait(EVERY):
        spent = time.monotonic() - began
        left = ""
        if progress.remaining is not None and progress.done:
            left = _time(spent / progress.done * progress.remaining)
        report(str(BatchRate(_so_far(progress), _rate(progress, began), left)))


def _so_far(progress: Progress) -> PuzzlesDone:
    done = progress.before + progress.done
    total = "" if progress.total is None else f"{progress.total - progress.repeated:,}"
    return PuzzlesDone(f"{done:,}", total, _others(progress))


def _others(progress: Progress) -> str:
    counts = {"stopped": progress.stopped, "failed": progress.failed}
    return ", ".join(f"{count:,} {status}" for status, count in counts.items() if count)


def _rate(progress: Progress, began: float) -> str:
    rate = progress.done / max(0.001, time.monotonic() - began)
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"


def _time(seconds: float) -> str:
    minutes, hours = round(seconds / 60), round(seconds / 3600)
    return f"{hours} h" if hours >= 3 else f"{minutes} min" if minutes >= 2 else f"{seconds:.0f} s"


# At the end ---------------------------------------------------------------------------------------


def _summary(run: Batch, found: dict[str, Summary]) -> dict[str, object]:
    types = {
        name: {"statuses": dict(tally.statuses), "seconds": _seconds(tally)}
        for name, tally in found.items()
    }
    progress = run.progress
    return {
        "puzzles": len(run.keys),
        "before": progress.before,
        "repeated": progress.repeated,
        "types": types,
    }


def _seconds(tally: Summary) -> dict[str, float]:
    if not tally.seconds:
        return {}
    return {"median": tally.quantile(0.5), "95%": tally.quantile(0.95), "largest": tally.quantile(1.0)}


def _print(run: Batch, found: dict[str, Summary], out: Path, no_color: bool) -> None:
    from rich.table import Table

    from puzzlekit.batch.results import CODES
    from puzzlekit.batch.runs import Summary
    from puzzlekit.cli.screen import console

    screen, whole = console(no_color), Summary()
    for tally in found.values():
        whole.statuses += tally.statuses
        whole.seconds += tally.seconds
    statuses = [status for status in CODES if whole.statuses[status]]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("type", overflow="fold")
    for name in ("done", *statuses, "median", "95 %", "largest"):
        table.add_column(name, justify="right")
    for name, tally in {
        **found,
        **({f"{len(found)} types": whole} if len(found) > 1 else {}),
    }.items():
        counts = [
            f"{tally.statuses[status]:,}" if tally.statuses[status] else "" for status in statuses
        ]
        table.add_row(
            printable(name),
            f"{sum(tally.statuses.values()):,}",
            *counts,
            *map(_short, _seconds(tally).values()),
        )
    screen.print(table)
    _print_failures(run, screen)
    progress = run.progress
    notes = [
        f"{count:,} {what}"
        for count, what in ((progress.before, "done before"), (progress.repeated, "repeated"))
        if count
    ]
    puzzles = counted(len(run.keys), "puzzle")
    screen.print(str(BatchEnd(puzzles, str(out), ", ".join(notes))))


def _short(seconds: float) -> str:
    return f"{seconds:.3f}" if seconds < 10 else f"{seconds:.1f}"


def _print_failures(run: Batch, screen: Console) -> None:
    """Name the first puzzles that failed or were stopped."""
    from puzzlekit.batch.results import UNFINISHED
    from puzzlekit.batch.runs import FAILED

    left = LISTED
    for line in run.lines():
        if line.status not in (*FAILED, *UNFINISHED):
            continue
        if not left:
            screen.print("… the others are in the file of results")
            return
        left -= 1
        reason = str(line.fields.get("reason") or "").split("\n")[0]
        place = "" if reason.startswith(line.fields["spec"]) else f"{line.fields['spec']}: "
        screen.print(f"{line.status}: {place}{reason}")
