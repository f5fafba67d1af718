"""`puzzlekit batch`: many puzzles, each with a line in a file of results."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table

from puzzlekit.batch.answers import CODES, UNFINISHED
from puzzlekit.batch.executors import Cluster, Executor, Local, processors
from puzzlekit.batch.jobs import Inputs, Request
from puzzlekit.batch.results import AGAIN, Results
from puzzlekit.batch.runs import FAILED, Batch, Progress, Tally, tallies
from puzzlekit.cli.screen import console
from puzzlekit.cli.whole_files import writable, write
from puzzlekit.errors import printable

EVERY = 60.0  # seconds between two lines in a pipe
LISTED = 5  # puzzles that failed, below the table


def batch(
    given: list[str],
    out: Path,
    request: Request,
    workers: int | None,
    cluster: str | None,
    parquet_file: Path | None,
    as_json: bool,
    no_color: bool,
) -> int:
    """Answer all puzzles that have no result yet, and print a table; returns the exit code."""
    if parquet_file is not None:
        from puzzlekit.batch.parquet import parquet, require_parquet

        require_parquet()
        writable("--parquet", parquet_file)
    inputs = Inputs(given, request)
    results = Results(out)
    try:
        run = Batch(inputs, results)
        number = workers or processors()
        executor: Executor = Local(request, number) if cluster is None else Cluster(request, cluster, number)
        try:
            with _shown(run.progress, no_color):
                run.run(executor)
        except KeyboardInterrupt:
            _report(f"interrupted: {_so_far(run.progress)}\n     = {AGAIN}")
            return 130
        finally:
            executor.end()
        if parquet_file is not None:
            write(parquet_file, parquet(run.lines()))
        found = tallies(run.lines())
        if as_json:
            print(json.dumps(_summary(run, found), ensure_ascii=False))
        else:
            _print(run, found, out, console(no_color))
    finally:
        results.close()
    statuses = {status for tally in found.values() for status in tally.statuses}
    return next((code for status, code in reversed(CODES.items()) if status in statuses), 0)


# While it runs -------------------------------------------------------------------------------------


@contextmanager
def _shown(progress: Progress, no_color: bool = True) -> Iterator[None]:
    """Show how far the batch is on standard error: a bar on a terminal, a line a minute in a pipe."""
    ended = threading.Event()
    shown = threading.Thread(target=_bar if sys.stderr.isatty() else _lines, args=(progress, ended, no_color), daemon=True)
    shown.start()
    try:
        yield
    finally:
        ended.set()
        shown.join()


def _bar(progress: Progress, ended: threading.Event, no_color: bool) -> None:
    columns = (BarColumn(20), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    screen = Console(file=sys.stderr, highlight=False, no_color=no_color or None)
    with Bar(*columns, TextColumn("left  {task.fields[others]}"), console=screen, transient=True) as bar:
        task, began = bar.add_task("", total=None, rate="", others=""), time.monotonic()
        while True:
            total = None if progress.left is None else progress.done + progress.left
            rate, others = _rate(progress, began), _others(progress)
            bar.update(task, completed=progress.done, total=total, rate=rate, others=others)
            if ended.wait(0.2):
                return


def _lines(progress: Progress, ended: threading.Event, no_color: bool) -> None:
    began = time.monotonic()
    while not ended.wait(EVERY):
        spent = time.monotonic() - began
        left = ""
        if progress.left is not None and progress.done:
            left = f", {_time(spent / progress.done * progress.left)} left"
        _report(f"{_so_far(progress)} · {_rate(progress, began)}{left}")


def _so_far(progress: Progress) -> str:
    done = progress.before + progress.done
    total = "" if progress.total is None else f" of {progress.total - progress.repeated:,}"
    others = _others(progress)
    return f"{done:,}{total} puzzles done{f', {others}' if others else ''}"


def _others(progress: Progress) -> str:
    counts = {"stopped": progress.stopped, "failed": progress.failed}
    return ", ".join(f"{count:,} {status}" for status, count in counts.items() if count)


def _rate(progress: Progress, began: float) -> str:
    rate = progress.done / max(0.001, time.monotonic() - began)
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"


def _time(seconds: float) -> str:
    minutes, hours = round(seconds / 60), round(seconds / 3600)
    return f"{hours} h" if hours >= 3 else f"{minutes} min" if minutes >= 2 else f"{seconds:.0f} s"


def _report(message: str) -> None:
    with suppress(OSError):
        print(printable(message), file=sys.stderr, flush=True)


# At the end ----------------------------------------------------------------------------------------


def _summary(run: Batch, found: dict[str, Tally]) -> dict[str, object]:
    types = {name: {"statuses": dict(tally.statuses), "seconds": _seconds(tally)} for name, tally in found.items()}
    progress = run.progress
    return {"puzzles": len(run.keys), "before": progress.before, "repeated": progress.repeated, "types": types}


def _seconds(tally: Tally) -> dict[str, float]:
    if not tally.seconds:
        return {}
    return {"median": tally.within(0.5), "95%": tally.within(0.95), "largest": tally.within(1.0)}


def _print(run: Batch, found: dict[str, Tally], out: Path, screen: Console) -> None:
    whole = Tally()
    for tally in found.values():
        whole.statuses += tally.statuses
        whole.seconds += tally.seconds
    statuses = [status for status in CODES if whole.statuses[status]]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("type", overflow="fold")
    for name in ("done", *statuses, "median", "95 %", "largest"):
        table.add_column(name, justify="right")
    for name, tally in {**found, **({f"{len(found)} types": whole} if len(found) > 1 else {})}.items():
        counts = [f"{tally.statuses[status]:,}" if tally.statuses[status] else "" for status in statuses]
        table.add_row(printable(name), f"{sum(tally.statuses.values()):,}", *counts, *map(_short, _seconds(tally).values()))
    screen.print(table)
    _print_failures(run, screen)
    progress = run.progress
    notes = [
        f"{count:,} {what}" for count, what in ((progress.before, "done before"), (progress.repeated, "repeated")) if count
    ]
    plural = "s" * (len(run.keys) != 1)
    noted = f" ({', '.join(notes)})" if notes else ""
    screen.print(f"{len(run.keys):,} puzzle{plural}{noted} · {out}; seconds of each puzzle")


def _short(seconds: float) -> str:
    return f"{seconds:.3f}" if seconds < 10 else f"{seconds:.1f}"


def _print_failures(run: Batch, screen: Console) -> None:
    """Name the first puzzles that failed or were stopped."""
    left = LISTED
    for line in run.lines():
        if line.status not in (*FAILED, *UNFINISHED):
            continue
        if not left:
            screen.print("… the others are in the file of results")
            return
        left -= 1
        reason = str(line.whole.get("reason") or "").split("\n")[0]
        place = "" if reason.startswith(line.whole["spec"]) else f"{line.whole['spec']}: "
        screen.print(f"{line.status}: {place}{reason}")
