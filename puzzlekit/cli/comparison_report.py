"""Comparisons of backends while they run, and as tables, JSON and CSV; the exit code."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, fields
from io import StringIO
from statistics import median

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from puzzlekit.api import Puzzle, Query
from puzzlekit.api.comparison import ALL, FIRST, STAGES, Comparison, Result
from puzzlekit.backends import BACKENDS, load_backend
from puzzlekit.backends.statistics import Statistics
from puzzlekit.cli.files import writable, write
from puzzlekit.cli.options import ComparisonOutput
from puzzlekit.cli.run_report import exit_code
from puzzlekit.cli.screen import console, of_compare, print_json, progress
from puzzlekit.errors import BackendBug, InputError, MissingExtra, Stopped, Unsupported, nearest, printable
from puzzlekit.presolve.presolve import PresolveReport
from puzzlekit.processes import command
from puzzlekit.render.chart import Bar, bars, cactus, scatter

LOADING = 60.0  # seconds in which a library is loaded, on a very busy machine
ROOMY = 10_000  # columns wide enough for any table
SHORTENED = 100_000  # from here, numbers are shown in thousands
# of the second table: the heading, and the statistics of which a backend reports at most one
COLUMNS = (
    ("variables\n/ items", ("variables", "items")),
    ("clauses\n/ options", ("clauses", "options", "constraints")),
    ("decisions\n/ nodes", ("decisions", "nodes")),
    ("conflicts", ("conflicts",)),
    ("restarts", ("restarts",)),
)
MEGABYTE = 1_000_000
FIELDS = [field.name for field in fields(Statistics)]


def print_comparisons(
    puzzles: Sequence[Puzzle],
    query: Query,
    names: Sequence[str] | None = None,
    output: ComparisonOutput = ComparisonOutput(),
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
            _print_comparison(one, console(output.no_color), output.verbose)
        if one.interrupted:
            break
    if output.as_json:
        reports = [_report(one, output.verbose) for one in done]
        print_json(_joined(reports, len(puzzles)))
    elif output.as_csv:
        print(_csv_text(done), end="")
    elif len(done) > 1:
        _print_summary(done, console(output.no_color))
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
        earlier = [_report(other) for other in done[:-1]]
        backends = _report(one)["backends"]
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


def _report(one: Comparison, verbose: bool = False) -> dict[str, object]:
    """Return the object that --json prints for one puzzle."""
    spec = one.puzzle.spec.source.path or None
    report: dict[str, object] = {"puzzle": one.puzzle.type.name, "spec": spec, "agreement": one.agreement()}
    report["presolve"] = one.query.presolve.value
    report["backends"] = [_json(result, verbose) for result in one.results.values()]
    if verbose:
        try:
            report["presolved"] = asdict(one.presolve_report())
        except (Stopped, Unsupported) as reason:
            report["presolved"] = str(reason)
    return report


def _json(result: Result, verbose: bool) -> dict[str, object]:
    least, most = result.spread
    return {
        "name": result.name,
        "status": result.status,
        "reason": result.reason,
        "count": result.run.count if result.run else None,
        "runs": len(result.times),
        "seconds": {stage: round(seconds, 4) for stage, seconds in result.seconds.items()},
        "spread": [round(least, 4), round(most, 4)],
        "statistics": result.statistics,
        "unsupported": result.reason if result.status == "unsupported" else None,
        **({"chain": result.chain} if verbose else {}),
    }


def _csv_text(done: Sequence[Comparison]) -> str:
    """Return the lines that --csv prints: one for each backend on each puzzle."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    heading = ("puzzle", "spec", "presolve", "backend", "status", "count", "runs")
    seconds = [f"{stage}_seconds" for stage in (*STAGES, "least", "most")]
    writer.writerow([*heading, *seconds, *FIELDS])
    for one in done:
        for result in one.results.values():
            count = result.run.count if result.run else None
            known = [one.puzzle.type.name, one.puzzle.spec.source.path, one.query.presolve.value, result.name]
            times = [*map(result.seconds.get, STAGES), *(result.spread if result.times else (None, None))]
            shown = ["" if time is None else f"{time:.4f}" for time in times]
            writer.writerow([*known, result.status, count, len(result.times), *shown, *map(result.statistics.get, FIELDS)])
    return text.getvalue()


def _print_comparison(one: Comparison, screen: Console, verbose: bool) -> None:
    """Print the times of one puzzle and the verdict; with `verbose`, what led there."""
    results = list(one.results.values())
    _print_table(screen, _times(one))
    reasons: dict[str, list[str]] = {}
    for result in results:
        if result.reason is not None:
            reasons.setdefault(f"{result.status}: {result.reason}", []).append(result.name)
    for reason, names in reasons.items():
        screen.print(f"{', '.join(names)}: {reason}")
    agreement = one.agreement()
    finished = sum(result.status == "complete" for result in results)
    if agreement is None:
        verdict = "only one finished: nothing to compare" if finished else "none finished"
    else:
        verdict = "all that finished agree" if agreement else f"THEY DO NOT AGREE: {_against(one)}"
    screen.print(f"{verdict} ({finished} of {len(results)}); seconds{_of_runs(results)}")
    if verbose:
        _print_statistics(screen, results)
        _print_presolve(screen, one)
        screen.print("\nlowering passes, each applied where its constraints occur:")
        for result in results:
            if result.chain is not None:
                screen.print(f"  {result.name}: {result.chain}")


def _against(one: Comparison) -> str:
    """The groups of backends that do not agree."""
    return " against ".join(map(", ".join, one.agreeing()))


def _times(one: Comparison) -> Table:
    title = printable(one.puzzle.title)
    table = Table("backend", *STAGES[:4], "solutions", "status", title=title, title_justify="left")
    for column in table.columns[1:6]:
        column.justify = "right"
    for result in one.results.values():
        run, seconds = result.run, result.seconds
        if run is None:
            table.add_row(result.name, "", "", "", "", "", result.status)
            continue
        times = [f"{seconds[stage]:.3f}" if stage in seconds else "" for stage in STAGES[:4]]
        times[-1] += _deviation(result)
        more = "" if run.counted or run.goal or not run.count else "+"
        found = f"{run.count:,}{more}" + (f" ({run.goal.name}: {run.value})" if run.goal and run.value is not None else "")
        table.add_row(result.name, *times, found, run.status)
    return table


def _deviation(result: Result) -> str:
    """Half of the distance between the least and the most seconds, in percent of the median."""
    if len(result.times) < 2:
        return ""
    least, most = result.spread
    return f" ±{50 * (most - least) / result.seconds[ALL]:.0f}%"


def _of_runs(results: Sequence[Result]) -> str:
    runs = max((len(result.times) for result in results), default=0)
    return f", medians of {runs} runs" if runs > 1 else ""


def _print_statistics(screen: Console, results: Sequence[Result]) -> None:
    known = [result for result in results if result.statistics.get("problems")]
    if not known:
        return
    table = Table("backend", title="\nWhat each was given and did", title_justify="left")
    shown = [(heading, names) for heading, names in COLUMNS if any(name in one.statistics for one in known for name in names)]
    for heading, _ in (*shown, ("MB", ())):
        table.add_column(heading, justify="right")
    for result in known:
        found = result.statistics
        cells = [next((_short(found[name]) for name in names if name in found), "") for _, names in shown]
        table.add_row(result.name, *cells, f"{found['memory'] / MEGABYTE:.0f}" if "memory" in found else "")
    _print_table(screen, table)
    several = [f"{result.name} {result.statistics['problems']:,}" for result in known if result.statistics["problems"] > 1]
    if several:
        screen.print(f"sizes of the largest of several problems: {', '.join(several)}")


def _short(number: int) -> str:
    for letter, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if number >= max(size, SHORTENED):
            return f"{number / size:.3g}{letter}" if number < 1_000 * size else f"{number // size:,}{letter}"
    return f"{number:,}"


def _print_presolve(screen: Console, one: Comparison) -> None:
    try:
        report = one.presolve_report()
    except (Stopped, Unsupported) as reason:
        screen.print(f"\npresolve ({one.query.presolve}): {reason}")
        return
    screen.print(f"\npresolve ({report.level}): {_presolved(report)}")
    if report.rules:
        table = Table("rule", title_justify="left")
        for heading in ("conditions", "hold", "joined", "left", "rows", "rows left"):
            table.add_column(heading, justify="right")
        tables = any(rule.rows or rule.rows_left for rule in report.rules)
        for rule in report.rules:
            numbers = (rule.conditions, rule.hold, rule.joined, rule.left, rule.rows, rule.rows_left)
            table.add_row(printable(rule.rule), *(f"{number:,}" if number else "·" for number in numbers))
        if not tables:
            table.columns = table.columns[:-2]
        screen.print(table)
        screen.print(f"{report.parts:,} independent part{'s' * (report.parts != 1)} left to search")


def _presolved(report: PresolveReport) -> str:
    if report.conflict:
        return f"no solution: {report.conflict}"
    unknowns = f"{report.fixed:,} of {report.unknowns:,} unknowns fixed"
    values = f"{report.removed:,} of {report.values:,} values removed"
    return f"{unknowns}, {values}"


def _print_summary(done: Sequence[Comparison], screen: Console) -> None:
    """Print how each backend did on several puzzles."""
    names = [*dict.fromkeys(name for one in done for name in one.results)]
    table = Table("backend", title=f"\n{len(done)} puzzles", title_justify="left")
    for heading in ("finished", "stopped", "unsupported", "fastest", "median", "seconds"):
        table.add_column(heading, justify="right")
    winners = [min(finished, key=finished.__getitem__) for finished in map(_finished, done) if finished]
    for name in names:
        results = [one.results[name] for one in done if name in one.results]
        times = [result.seconds[ALL] for result in results if result.status == "complete"]
        unsupported = sum(result.status == "unsupported" for result in results)
        numbers = (len(times), len(results) - len(times) - unsupported, unsupported, winners.count(name))
        seconds = [f"{median(times):.3f}", f"{sum(times):.3f}"] if times else ["", ""]
        table.add_row(name, *(f"{number:,}" if number else "·" for number in numbers), *seconds)
    _print_table(screen, table)
    wrong = [f"{printable(one.puzzle.title)} ({_against(one)})" for one in done if one.agreement() is False]
    screen.print(f"THEY DO NOT AGREE on {', '.join(wrong)}" if wrong else "all that finished agree")


def _finished(one: Comparison) -> Mapping[str, float]:
    return {name: result.seconds[ALL] for name, result in one.results.items() if result.status == "complete"}


def _print_table(screen: Console, table: Table) -> None:
    """Print the table, or one line per cell where the screen is too narrow for it."""
    if Measurement.get(screen, screen.options.update(max_width=ROOMY), table).minimum <= screen.width:
        screen.print(table)
    else:
        screen.print("\n".join(_lines(table)))


def _lines(table: Table) -> Iterator[str]:
    if table.title is not None:
        yield str(table.title)
    names = [" ".join(str(column.header).split()) for column in table.columns]
    for row in zip(*(column.cells for column in table.columns)):
        name, *cells = map(str, row)
        yield name
        yield from (f"  {header}: {cell}" for header, cell in zip(names[1:], cells) if cell)


# The chart ------------------------------------------------------------------------------------------


def chart(done: Sequence[Comparison]) -> str:
    """Return the text of an SVG file.

    One puzzle: a row for each backend. Several: a point for each puzzle if there are two backends,
    else a line for each backend.
    """
    names = [*dict.fromkeys(name for one in done for name in one.results)]
    if len(done) == 1:
        return bars(_shortened(done[0].puzzle.title), [_bar(result) for result in done[0].results.values()])
    if len(names) == 2:
        one, other = names
        points = {f"{number}. {each.puzzle.title}": (_all(each, one), _all(each, other)) for number, each in enumerate(done, 1)}
        return scatter(f"{len(done)} puzzles: {other} against {one}", one, other, points)
    series = {name: [time for each in done if (time := _all(each, name)) is not None] for name in names}
    return cactus(f"{len(done)} puzzles: seconds of each backend", series)


def _bar(result: Result) -> Bar:
    seconds = result.seconds
    if not seconds:
        return Bar(result.name, note=result.status)
    spread = result.spread if len(result.times) > 1 else None
    note = "" if result.status == "complete" else result.status
    return Bar(result.name, seconds.get(FIRST), seconds[ALL], spread, note)


def _all(one: Comparison, name: str) -> float | None:
    result = one.results.get(name)
    return result.seconds[ALL] if result is not None and result.status == "complete" else None


def _shortened(title: str) -> str:
    return title if len(title) <= 48 else f"{title[:47]}…"
