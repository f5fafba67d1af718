"""Comparisons of backends while they run, and as tables, JSON and CSV; the exit code."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, field
from functools import partial
from io import StringIO

from rich.console import Console

from puzzlekit.api import (
    ABSENT,
    COMPILING_SECONDS,
    Comparison,
    Puzzle,
    Query,
    Result,
    Results,
    backends_named,
    scores,
)
from puzzlekit.cli.comparison_chart import chart, require_matplotlib
from puzzlekit.cli.comparison_tables import difference, print_comparison, print_summary
from puzzlekit.cli.files import writable, write
from puzzlekit.cli.messages import report
from puzzlekit.cli.options import ComparisonOutput
from puzzlekit.cli.screen import console, of_compare, print_json, progress
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import PuzzlekitError, Stopped
from puzzlekit.processes import end_command_after, report_if_ended

# Beginnings of a text that a spreadsheet would run as a formula
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@dataclass
class _Done:
    """The results on the puzzles so far, without the puzzles, which take much memory.

    Attributes:
        results: The results on each puzzle.
        titles: The title of each puzzle.
        reports: What --json prints of each puzzle.
        rows: What --csv prints.
        differ: The puzzles on which backends do not agree.
        compared: The number of puzzles on which several backends finished.
        codes: The exit code of each puzzle.
        unread: The number of puzzles that could not be loaded.
    """

    results: list[Results] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    reports: list[dict[str, object]] = field(default_factory=list)
    rows: list[dict[str, object]] = field(default_factory=list)
    differ: list[str] = field(default_factory=list)
    compared: int = 0
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
    """Run the backends and print tables, JSON or CSV; return the exit code.

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
    backends = backends_named(names)
    if output.svg is not None:
        require_matplotlib()
        writable("--svg", output.svg)
    done = _Done()
    screen = console(output.no_color)
    interrupted = False
    try:
        for puzzle in puzzles:
            if isinstance(puzzle, tuple):
                _note_unread(done, *puzzle)
                continue
            comparison = Comparison(puzzle, query, timeout)
            earlier = done.reports if output.as_json else None
            comparison.ask(backends, repeat, partial(_running, comparison, earlier, number))
            end_command_after(None)
            _note(done, comparison, output, screen)
            interrupted = comparison.interrupted
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
    comparison: Comparison,
    earlier: list[dict[str, object]] | None,
    number: int,
    name: str,
    compiling: bool,
) -> Iterator[None]:
    """Around one run, and around the loading of its library, set how the command may end.

    The supervisor ends it when the time is up, and prints the report.
    """
    seconds = COMPILING_SECONDS if compiling else comparison.timeout
    end_command_after(seconds, anew=True)
    if earlier is not None:
        ended = _report_if_ended(comparison, name, compiling)
        if number > 1:
            ended = {"agreement": None, "puzzles": [*earlier, ended]}
        report_if_ended(ended)
    with progress(f"{name} is loaded, and compiled after its installation" if compiling else name):
        yield


def _report_if_ended(comparison: Comparison, name: str, compiling: bool) -> dict[str, object]:
    """Return the report on a puzzle if the command ends while a backend is running."""
    others = [
        comparison.result_json(result)
        for result in comparison.results.values()
        if result.name != name
    ]
    status = "compiling" if compiling else "stopped"
    return of_compare(others, name, comparison.agreement(), status)


def _note(done: _Done, comparison: Comparison, output: ComparisonOutput, screen: Console) -> None:
    """Record the results on a puzzle, and print its table."""
    results = comparison.results
    title = comparison.puzzle.title
    agreement = comparison.agreement()
    done.results.append(results)
    done.titles.append(title)
    codes = [_code(result) for result in results.values() if result.status not in ABSENT]
    if agreement is not None:
        done.compared += 1
    if agreement is False:
        codes.append(70)
        done.differ.append(f"{title}: {difference(comparison.groups())}")
    done.codes.append(max(codes, default=2))
    if output.as_json:
        done.reports.append(comparison.json(output.verbose))
    elif output.as_csv:
        done.rows += comparison.records()
    else:
        print_comparison(comparison, screen, output.verbose)
    for result in results.values():
        result.keys = frozenset()  # there may be millions, and they are not compared any more


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
    if done.differ:
        screen.print("\n".join(f"THEY DO NOT AGREE on {puzzle}" for puzzle in done.differ))
    elif done.compared:
        screen.print("all that finished agree")
    else:
        screen.print("on no puzzle did several finish: nothing to compare")


def _code(result: Result) -> int:
    """Return the exit code of `solve` in this case."""
    if result.status == "complete":
        return 0 if result.count else 1
    return 70 if result.status == "bug" else 3


# JSON and CSV -------------------------------------------------------------------------------------


def _joined(done: _Done, timeout: float | None, number: int) -> dict[str, object]:
    """Return the report of the only puzzle, or one of several."""
    if number == 1 and len(done.reports) == 1:
        report = dict(done.reports[0])
        report.pop("puzzle", None)
        report.pop("spec", None)
        return report
    verdicts = {report["agreement"] for report in done.reports} - {None}
    agreement = None
    if verdicts:
        agreement = verdicts == {True}
    by_backend = scores(done.results, timeout)
    backends = {name: _rounded(asdict(score)) for name, score in by_backend.items()}
    return {
        "agreement": agreement,
        "timeout": timeout,
        "backends": backends,
        "puzzles": done.reports,
    }


def _rounded(numbers: dict[str, object]) -> dict[str, object]:
    return {
        name: round(number, 4) if isinstance(number, float) else number
        for name, number in numbers.items()
    }


def _csv_text(records: Sequence[Mapping[str, object]]) -> str:
    """Return the lines that --csv prints: one for each backend on each puzzle."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    if records:
        writer.writerow(records[0])
    for record in records:
        writer.writerow([_cell(name, content) for name, content in record.items()])
    return text.getvalue()


def _cell(name: str, content: object) -> object:
    """Return the text of a cell: one that a spreadsheet would run begins with an apostrophe.

    Examples:
        >>> _cell("spec", "=HYPERLINK(1)"), _cell("ratio", 2.5), _cell("count", 3)
        ("'=HYPERLINK(1)", '2.500', 3)
    """
    if isinstance(content, str) and content.startswith(FORMULA):
        return f"'{content}"
    if isinstance(content, float):
        return f"{content:.3f}" if name == "ratio" else f"{content:.4f}"
    return content
