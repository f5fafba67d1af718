"""Comparisons of backends as tables on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from statistics import median

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from puzzlekit.api import ALL, FIRST, PROCESSOR, Comparison, Result, Score, ratios
from puzzlekit.errors import Stopped, Unsupported, printable
from puzzlekit.presolve import PresolveReport
from puzzlekit.sentences import Compilation, GroupFound, NotFoundBy, PartsLeft, counted

ROOMY = 10_000  # columns wide enough for any table
SHORTENED = 100_000  # from here, numbers are shown in thousands
SHOWN = ("build", FIRST, ALL, PROCESSOR)  # the stages of the first table
# of the second table: the heading, and the statistics of which a backend reports at most one
COLUMNS = (
    ("variables\n/ items", ("variables", "items")),
    ("clauses\n/ options", ("clauses", "options", "constraints")),
    ("decisions\n/ nodes", ("decisions", "nodes")),
    ("conflicts", ("conflicts",)),
    ("restarts", ("restarts",)),
)
MEGABYTE = 1_000_000


def _table(*headings: str, title: str | None = None) -> Table:
    """Return an empty table; all columns but the first are numbers."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number else "left")
    return table


def print_comparison(comparison: Comparison, screen: Console, verbose: bool) -> None:
    """Print the times on one puzzle and the verdict; with `verbose`, details of the work."""
    results = list(comparison.results.values())
    _print_table(screen, _times(comparison))
    _print_reasons(screen, results)
    groups = comparison.groups()
    agreement = comparison.agreement()
    finished = sum(map(len, groups))
    if agreement is False:
        screen.print(difference(groups))
        verdict = "THEY DO NOT AGREE"
    elif agreement:
        verdict = "all that finished agree"
    else:
        verdict = "only one finished: nothing to compare" if finished else "none finished"
    times = f"seconds{_of_runs(results)}{_of_presolve(results)}"
    screen.print(f"{verdict} ({finished} of {len(results)}); {times}")
    if verbose:
        _print_statistics(screen, results)
        _print_presolve(screen, comparison)
        _print_compiled(screen, comparison)
        screen.print("\nlowering passes, each applied where its constraints occur:")
        for result in results:
            if result.chain is not None:
                screen.print(f"  {result.name}: {result.chain}")


def _print_reasons(screen: Console, results: Sequence[Result]) -> None:
    """Print why backends did not finish, once for those with the same reason."""
    names_by_reason: dict[str, list[str]] = {}
    for result in results:
        if result.reason is not None:
            reason = f"{result.status}: {result.reason}"
            names_by_reason.setdefault(reason, []).append(result.name)
    for reason, names in names_by_reason.items():
        screen.print(f"{', '.join(names)}: {reason}")


def _print_compiled(screen: Console, comparison: Comparison) -> None:
    with suppress(Stopped, Unsupported):
        obstacle = comparison.obstacle()
        manner = "solved one by one" if obstacle else "compiled once"
        screen.print(str(Compilation(manner, obstacle or "")), markup=False)


def _times(comparison: Comparison) -> Table:
    """Return the table of the seconds and the solutions of each backend."""
    title = comparison.puzzle.title
    goals = [result.goal for result in comparison.results.values() if result.goal]
    if goals:
        title += f" (goal: {goals[0]})"
    table = _table("backend", *SHOWN, "ratio", "solutions", title=printable(title))
    table.add_column("status")
    by_backend = ratios(comparison.results)
    for result in comparison.results.values():
        seconds = result.seconds
        times = {stage: f"{seconds[stage]:.3f}" if stage in seconds else "" for stage in SHOWN}
        times[ALL] += _deviation(result)
        ratio = _ratio(by_backend[result.name]) if result.name in by_backend else ""
        table.add_row(result.name, *times.values(), ratio, _solutions(result), result.status)
    return table


def _solutions(result: Result) -> str:
    """Return the number of solutions, and in brackets the value of the goal.

    It is empty if there was no run.
    """
    if result.count is None:
        return ""
    has_more = result.count and not result.counted and not result.goal
    value = "" if result.value is None else f" ({result.value:,})"
    return f"{result.count:,}{'+' if has_more else ''}{value}"


def _ratio(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 99.95 else f"{ratio:,.0f}"


def difference(groups: Sequence[Sequence[Result]]) -> str:
    """Say what each group of backends found, the largest first."""
    largest = groups[0][0]
    texts = []
    for group in groups:
        first = group[0]
        not_found_by: NotFoundBy | str = ""
        if _solutions(first) == _solutions(largest):
            others = len(first.keys - largest.keys)
            if others:
                not_found_by = NotFoundBy(f"{others:,}", largest.name)
        names = ", ".join(result.name for result in group)
        texts.append(str(GroupFound(names, _solutions(first), not_found_by)))
    return "; ".join(texts)


def _deviation(result: Result) -> str:
    """Return half the distance between the least and the most seconds, in percent of the median."""
    if len(result.times) < 2:
        return ""
    least, most = result.spread
    percent = 50 * (most - least) / result.seconds[ALL]
    return f" ±{percent:.0f}%"


def _of_runs(results: Sequence[Result]) -> str:
    runs = max((len(result.times) for result in results), default=0)
    return f", medians of {runs} runs" if runs > 1 else ""


def _of_presolve(results: Sequence[Result]) -> str:
    times = [result.seconds["presolve"] for result in results if result.times]
    return f"; presolve {median(times):.3f}" if times else ""


def _print_statistics(screen: Console, results: Sequence[Result]) -> None:
    """Print the statistics of the backends that report some."""
    reporting = [result for result in results if result.statistics.get("problems")]
    if not reporting:
        return
    reported = {name for result in reporting for name in result.statistics}
    columns = {heading: names for heading, names in COLUMNS if not reported.isdisjoint(names)}
    table = _table("backend", *columns, "MB", title="\nWhat each was given and did")
    for result in reporting:
        cells = [_statistic(result, names) for names in columns.values()]
        memory = ""
        if "memory" in result.statistics:
            memory = f"{result.statistics['memory'] / MEGABYTE:.0f}"
        table.add_row(result.name, *cells, memory)
    _print_table(screen, table)
    several = []
    for result in reporting:
        problems = result.statistics["problems"]
        if problems > 1:
            several.append(f"{result.name} {problems:,}")
    if several:
        screen.print(f"sizes of the largest of several problems: {', '.join(several)}")


def _statistic(result: Result, names: Sequence[str]) -> str:
    """Return the one of these statistics that a backend reports; empty if it reports none."""
    for name in names:
        if name in result.statistics:
            return _short(result.statistics[name])
    return ""


def _short(number: int) -> str:
    for letter, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if number >= max(size, SHORTENED):
            if number < 1_000 * size:
                return f"{number / size:.3g}{letter}"
            return f"{number // size:,}{letter}"
    return f"{number:,}"


def _print_presolve(screen: Console, comparison: Comparison) -> None:
    """Print what presolve does to the conditions of each rule."""
    try:
        report = comparison.presolve_report()
    except (Stopped, Unsupported) as reason:
        screen.print(f"\npresolve ({comparison.query.presolve}): {reason}")
        return
    screen.print(f"\npresolve ({report.level}): {_presolved(report)}")
    if not report.rules:
        return
    table = _table("rule", "conditions", "hold", "joined", "left", "rows", "rows left")
    for rule in report.rules:
        conditions = (rule.conditions, rule.hold, rule.joined, rule.remaining)
        numbers = (*conditions, rule.rows, rule.rows_remaining)
        table.add_row(printable(rule.rule), *map(_number, numbers))
    if not any(rule.rows or rule.rows_remaining for rule in report.rules):
        table.columns = table.columns[:-2]
    screen.print(table)
    screen.print(str(PartsLeft(counted(report.parts, "independent part"))))


def _number(number: int) -> str:
    return f"{number:,}" if number else "·"


def _presolved(report: PresolveReport) -> str:
    if report.conflict:
        return f"no solution: {report.conflict}"
    unknowns = f"{report.fixed:,} of {report.unknowns:,} unknowns fixed"
    values = f"{report.removed:,} of {report.values:,} values removed"
    return f"{unknowns}, {values}"


def print_summary(
    scores: Mapping[str, Score], puzzles: int, timeout: float | None, screen: Console
) -> None:
    """Print how each backend did on several puzzles."""
    headings = ("solved", "unsupported", "fastest", "PAR-2", "median", PROCESSOR)
    table = _table("backend", *headings, title=f"\n{counted(puzzles, 'puzzle')}")
    for name, score in scores.items():
        numbers = map(_number, (score.solved, score.unsupported, score.fastest))
        times = (score.par2, score.median, score.processor)
        seconds = ["" if time is None else f"{time:.3f}" for time in times]
        table.add_row(name, *numbers, *seconds)
    _print_table(screen, table)
    screen.print("seconds" if timeout is None else f"seconds, at most {timeout:g} for each puzzle")
    screen.print("PAR-2: their mean, where a puzzle that is not solved counts twice the limit")


def _print_table(screen: Console, table: Table) -> None:
    """Print the table, or one line per cell where the screen is too narrow for it."""
    options = screen.options.update(max_width=ROOMY)
    if Measurement.get(screen, options, table).minimum <= screen.width:
        screen.print(table)
    else:
        screen.print("\n".join(_lines(table)))


def _lines(table: Table) -> Iterator[str]:
    """Yield the name of each row, and below it the cells that are not empty."""
    if table.title is not None:
        yield str(table.title)
    headings = [" ".join(str(column.header).split()) for column in table.columns]
    for row in zip(*(column.cells for column in table.columns)):
        name, *cells = map(str, row)
        yield name
        for heading, cell in zip(headings[1:], cells):
            if cell:
                yield f"  {heading}: {cell}"
