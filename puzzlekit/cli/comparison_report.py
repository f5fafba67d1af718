"""Comparisons of backends while they run, and as tables, JSON and CSV; the exit code."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from io import StringIO

from rich.console import Console

from puzzlekit.api import Puzzle, Query
from puzzlekit.api.comparison import (
    ABSENT,
    COMPILING_SECONDS,
    STAGES,
    Comparison,
    Result,
    Results,
    ratios,
    scores,
)
from puzzlekit.backends import BACKENDS
from puzzlekit.backends.statistics import Statistics
from puzzlekit.cli.comparison_chart import chart, require_matplotlib
from puzzlekit.cli.comparison_tables import difference, print_comparison, print_summary
from puzzlekit.cli.files import writable, write
from puzzlekit.cli.options import ComparisonOutput
from puzzlekit.cli.program import report
from puzzlekit.cli.screen import console, of_compare, print_json, progress
from puzzlekit.errors import InputError, PuzzlekitError, Stopped, Unsupported, nearest
from puzzlekit.processes import command

FIELDS = [field.name for field in fields(Statistics)]
FORMULA = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    "＝",
    "＋",
    "－",
    "＠",
)  # beginnings of what a spreadsheet would run


@dataclass
class _Done:
    """What is kept of the puzzles so far: one that was compared takes much memory itself."""

    results: list[Results] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    reports: list[dict[str, object]] = field(default_factory=list)  # for --json
    rows: list[list[object]] = field(default_factory=list)  # for --csv
    differ: list[str] = field(default_factory=list)  # the puzzles on which backends do not agree
    compared: int = 0  # the puzzles on which several finished
    codes: list[int] = field(default_factory=list)
    unread: int = 0


def print_comparisons(
    puzzles: Iterable[Puzzle | tuple[str, PuzzlekitError]],
    query: Query,
    names: Sequence[str] | None = None,
    output: ComparisonOutput = ComparisonOutput(),
    timeout: float | None = None,
    repeat: int = 1,
    number: int = 1,
) -> int:
    """Run the backends and print tables, JSON or CSV; returns the exit code.

    It is 3 if a backend was stopped, 70 if one returned a wrong solution or two disagree, and 2 if
    none supports the puzzle, or if one of several puzzles cannot be loaded.

    Args:
        puzzles: The puzzles; of one that cannot be loaded its name and the error.
        query: The query.
        names: The backends; None for all.
        output: How the comparison is shown.
        timeout: Seconds for each backend on each puzzle.
        repeat: How often each backend is asked.
        number: How many puzzles there are.
    """
    for name in names or ():
        if name not in BACKENDS:
            raise InputError(f"unknown backend {name}; {nearest(name, BACKENDS)}")
    if output.svg is not None:
        require_matplotlib()
        writable("--svg", output.svg)
    done, screen, interrupted = _Done(), console(output.no_color), False
    try:
        for puzzle in puzzles:
            if isinstance(puzzle, tuple):
                _note_unread(done, *puzzle)
                continue
            one = Comparison(puzzle, query, timeout)
            earlier = done.reports if output.as_json else None
            running = partial(_running, one, earlier, number)
            one.ask([*dict.fromkeys(names or BACKENDS)], repeat, running)
            command.end_after(None)
            _note(done, one, output, screen)
            interrupted = one.interrupted
            if interrupted:
                break
    except KeyboardInterrupt:  # while a puzzle is loaded
        if number == 1:
            raise
        interrupted = True
    if output.as_json:
        print_json(_joined(done, timeout, number))
    elif output.as_csv:
        print(_csv_text(done.rows), end="")
    elif number > 1:
        _print_summary(done, timeout, screen)
    if output.svg is not None:
        write(output.svg, chart(done.titles, done.results, timeout))
    return 130 if interrupted else max(done.codes, default=2)


@contextmanager
def _running(
    one: Comparison,
    earlier: list[dict[str, object]] | None,
    number: int,
    name: str,
    compiling: bool,
) -> Iterator[None]:
    """Around one run, and the loading of its library: the supervisor's limit, the report if that
    ends the command.
    """
    command.end_after(COMPILING_SECONDS if compiling else one.timeout, anew=True)
    if earlier is not None:
        others = [_json(result, one) for result in one.results.values() if result.name != name]
        status = "compiling" if compiling else "stopped"
        ended = of_compare(others, name, one.agreement(), status)
        command.report_if_ended(
            ended if number == 1 else {"agreement": None, "puzzles": [*earlier, ended]}
        )
    with progress(f"{name} is loaded, and compiled after its installation" if compiling else name):
        yield


def _note(done: _Done, one: Comparison, output: ComparisonOutput, screen: Console) -> None:
    """Keep what was found on a puzzle, and print its table."""
    done.results.append(one.results)
    done.titles.append(one.puzzle.title)
    codes = [_code(result) for result in one.results.values() if result.status not in ABSENT]
    done.compared += one.agreement() is not None
    if one.agreement() is False:
        codes.append(70)
        done.differ.append(f"{one.puzzle.title}: {difference(one.groups())}")
    done.codes.append(max(codes, default=2))
    if output.as_json:
        done.reports.append(_report(one, output.verbose))
    elif output.as_csv:
        done.rows += _rows(one)
    else:
        print_comparison(one, screen, output.verbose)
    for result in one.results.values():
        result.keys = frozenset()  # there may be millions, and nobody compares them any more


def _note_unread(done: _Done, name: str, error: PuzzlekitError) -> None:
    done.unread += 1
    done.codes.append(3 if isinstance(error, Stopped) else 2)
    done.reports.append(
        {
            "puzzle": None,
            "spec": name,
            "agreement": None,
            "error": str(error),
            "help": error.help,
            "backends": [],
        }
    )
    report(str(error), error.help)


def _print_summary(done: _Done, timeout: float | None, screen: Console) -> None:
    print_summary(scores(done.results, timeout), len(done.results), timeout, screen)
    if done.unread:
        screen.print(f"{done.unread:,} more could not be loaded: see the errors above")
    verdict = (
        "all that finished agree"
        if done.compared
        else "on no puzzle did several finish: nothing to compare"
    )
    screen.print("\n".join(f"THEY DO NOT AGREE on {puzzle}" for puzzle in done.differ) or verdict)


def _code(result: Result) -> int:
    """The exit code of `solve` in this case."""
    return {"complete": 0 if result.count else 1, "bug": 70}.get(result.status, 3)


# JSON and CSV -------------------------------------------------------------------------------------


def _joined(done: _Done, timeout: float | None, number: int) -> dict[str, object]:
    """Return the report of the only puzzle, or one of several."""
    if number == 1 and len(done.reports) == 1:
        return {
            key: value for key, value in done.reports[0].items() if key not in ("puzzle", "spec")
        }
    verdicts = {report["agreement"] for report in done.reports} - {None}
    return {
        "agreement": verdicts == {True} if verdicts else None,
        "timeout": timeout,
        "backends": {
            name: _rounded(asdict(score)) for name, score in scores(done.results, timeout).items()
        },
        "puzzles": done.reports,
    }


def _rounded(numbers: dict[str, object]) -> dict[str, object]:
    return {
        name: round(number, 4) if isinstance(number, float) else number
        for name, number in numbers.items()
    }


def _report(one: Comparison, verbose: bool = False) -> dict[str, object]:
    """Return the object that --json prints for one puzzle."""
    spec = one.puzzle.spec.source.path or None
    report: dict[str, object] = {
        "puzzle": one.puzzle.type.name,
        "spec": spec,
        "agreement": one.agreement(),
    }
    report["groups"] = [[result.name for result in group] for group in one.groups()]
    report["presolve"] = one.query.presolve.value
    report["backends"] = [_json(result, one, verbose) for result in one.results.values()]
    if verbose:
        try:
            report["presolved"] = one.presolve_report().as_json()
            report["alone"] = one.obstacle() or None
        except (Stopped, Unsupported) as reason:
            report["presolved"] = str(reason)
    return report


def _json(result: Result, one: Comparison, verbose: bool = False) -> dict[str, object]:
    least, most = result.spread
    ratio = ratios(one.results).get(result.name)
    return {
        "name": result.name,
        "status": result.status,
        "reason": result.reason,
        "count": result.count,
        "runs": len(result.times),
        "seconds": {stage: round(seconds, 4) for stage, seconds in result.seconds.items()},
        "spread": [round(least, 4), round(most, 4)],
        "ratio": None if ratio is None else round(ratio, 3),
        "statistics": result.statistics,
        "unsupported": result.reason if result.status == "unsupported" else None,
        **({"chain": result.chain} if verbose else {}),
    }


def _csv_text(rows: Sequence[Sequence[object]]) -> str:
    """Return the lines that --csv prints: one for each backend on each puzzle."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    heading = ("puzzle", "spec", "presolve", "backend", "status", "count", "runs")
    seconds = [f"{stage}_seconds" for stage in (*STAGES, "least", "most")]
    writer.writerow([*heading, *seconds, "ratio", *FIELDS])
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _rows(one: Comparison) -> Iterator[list[object]]:
    fastest = ratios(one.results)
    for result in one.results.values():
        known = [
            one.puzzle.type.name,
            one.puzzle.spec.source.path,
            one.query.presolve.value,
            result.name,
        ]
        times = [
            *map(result.seconds.get, STAGES),
            *(result.spread if result.times else (None, None)),
        ]
        shown = ["" if time is None else f"{time:.4f}" for time in times]
        ratio = f"{fastest[result.name]:.3f}" if result.name in fastest else ""
        statistics = map(result.statistics.get, FIELDS)
        yield [*known, result.status, result.count, len(result.times), *shown, ratio, *statistics]


def _cell(value: object) -> object:
    """Return what is written into a cell: a text that a spreadsheet would run begins with an
    apostrophe.

    Examples:
        >>> _cell("=HYPERLINK(1)"), _cell("specs/a.yaml"), _cell(3)
        ("'=HYPERLINK(1)", 'specs/a.yaml', 3)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
