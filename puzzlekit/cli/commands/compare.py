"""`puzzlekit compare`: the same query on several backends."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from puzzlekit.api import Puzzle, Query
from puzzlekit.api.comparison import Comparison, Result
from puzzlekit.backends import BACKENDS, load_backend
from puzzlekit.cli.commands.compare_chart import chart
from puzzlekit.cli.commands.compare_report import csv_text, json_report, print_comparison, print_summary
from puzzlekit.cli.commands.solve import exit_code
from puzzlekit.cli.screen import console, of_compare, progress
from puzzlekit.cli.whole_files import writable, write
from puzzlekit.errors import BackendBug, InputError, MissingExtra, Stopped, nearest
from puzzlekit.processes import command

LOADING = 60.0  # seconds in which a library is loaded, on a very busy machine


@dataclass(frozen=True)
class Output:
    """How a comparison is shown."""

    as_json: bool = False
    as_csv: bool = False
    svg: Path | None = None
    verbose: bool = False
    no_color: bool = False


def compare(
    puzzles: Sequence[Puzzle],
    query: Query,
    names: Sequence[str] | None = None,
    output: Output = Output(),
    timeout: float | None = None,
    repeat: int = 1,
) -> int:
    """Run the backends and print tables, JSON or CSV; returns the exit code.

    It is 3 if a backend was stopped, 70 if one returned a wrong solution or two disagree, and 2 if
    none supports the puzzle.
    """
    for name in names or ():
        if name not in BACKENDS:
            raise InputError(f"unknown backend {name}; {nearest(name, BACKENDS)}")
    if output.svg is not None:
        writable("--svg", output.svg)
    done: list[Comparison] = []
    for puzzle in puzzles:
        one = Comparison(puzzle, query, timeout)
        done.append(one)
        one.ask([*dict.fromkeys(names or BACKENDS)], repeat, lambda name: _running(done, name, len(puzzles), output.as_json))
        command.end_after(None)
        if not (output.as_json or output.as_csv):
            print_comparison(one, console(output.no_color), output.verbose)
        if one.interrupted:
            break
    if output.as_json:
        reports = [json_report(one, output.verbose) for one in done]
        print(json.dumps(_joined(reports, len(puzzles)), ensure_ascii=False))
    elif output.as_csv:
        print(csv_text(done), end="")
    elif len(done) > 1:
        print_summary(done, console(output.no_color))
    if output.svg is not None:
        write(output.svg, chart(done))
    return 130 if any(one.interrupted for one in done) else max(map(_exit_code, done), default=2)


@contextmanager
def _running(done: Sequence[Comparison], name: str, puzzles: int, as_json: bool) -> Iterator[None]:
    """Around one run: the supervisor's limits, the report if it ends the command, and the progress."""
    one = done[-1]
    if one.timeout is not None:  # the time to load a library does not count
        command.end_after(LOADING, anew=True)
        with suppress(BackendBug, MissingExtra, Stopped):
            load_backend(name, isolated=True)
    command.end_after(one.timeout, anew=True)
    if as_json:
        earlier = [json_report(other) for other in done[:-1]]
        backends = json_report(one)["backends"]
        assert isinstance(backends, list)
        command.report_if_ended(_joined([*earlier, of_compare(backends, name, one.agreement())], puzzles))
    with progress(name):
        yield


def _joined(reports: Sequence[dict[str, object]], puzzles: int) -> dict[str, object]:
    """Return the report of the only puzzle, or one of several."""
    if puzzles == 1:
        return {key: value for key, value in reports[0].items() if key not in ("puzzle", "spec")}
    verdicts = {report["agreement"] for report in reports} - {None}
    return {"agreement": verdicts == {True} if verdicts else None, "puzzles": list(reports)}


def _exit_code(one: Comparison) -> int:
    codes = [_code(result) for result in one.results.values() if result.status != "unsupported"]
    codes += [70] if one.agreement() is False else []
    return max(codes, default=2)


def _code(result: Result) -> int:
    """The exit code of `solve` in this case."""
    if result.error is None and result.run is not None:
        return exit_code(result.run)
    return {"unsupported": 2, "bug": 70}.get(result.status, 3)
