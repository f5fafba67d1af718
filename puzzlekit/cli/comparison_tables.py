"""Comparisons of backends as tables on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from statistics import median

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from puzzlekit.api.comparison import ALL, FIRST, PROCESSOR, Comparison, Result, Score, ratios
from puzzlekit.errors import Stopped, Unsupported, printable
from puzzlekit.presolve.pipeline import PresolveReport
from puzzlekit.sentences.formatting import counted
from puzzlekit.sentences.reports import Compilation, GroupFound, NotFoundBy, PartsLeft

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


def print_comparison(one: Comparison, screen: Console, verbose: bool) -> None:
    """Print the times of one puzzle and the verdict; with `verbose`, what led there."""
    results = list(one.results.values())
    _print_table(screen, _times(one))
    reasons: dict[str, list[str]] = {}
    for result in results:
        if result.reason is not None:
            reasons.setdefault(f"{result.status}: {result.reason}", []).append(result.name)
    for reason, names in reasons.items():
        screen.print(f"{', '.join(names)}: {reason}")
    groups, agreement = one.groups(), one.agreement()
    finished = sum(map(len, groups))
    if agreement is None:
        verdict = "only one finished: nothing to compare" if finished else "none finished"
    else:
        verdict = "all that finished agree" if agreement else "THEY DO NOT AGREE"
    if agreement is False:
        screen.print(difference(groups))
    screen.print(
        f"{verdict} ({finished} of {len(results)}); seconds{_of_runs(results)}{_of_presolve(results)}"
    )
    if verbose:
        _print_statistics(screen, results)
        _print_presolve(screen, one)
        _print_compiled(screen, one)
        screen.print("\nlowering passes, each applied where its constraints occur:")
        for result in results:
            if result.chain is not None:
                screen.print(f"  {result.name}: {result.chain}")


def _print_compiled(screen: Console, one: Comparison) -> None:
    with suppress(Stopped, Unsupported):
        why = one.obstacle()
        screen.print(
            str(Compilation("solved one by one" if why else "compiled once", why or "")),
            markup=False,
        )


def _times(one: Comparison) -> Table:
    goal = next((f" (goal: {result.goal})" for result in one.results.values() if result.goal), "")
    table = _table(
        "backend", *SHOWN, "ratio", "solutions", title=printable(f"{one.puzzle.title}{goal}")
    )
    table.add_column("status")
    fastest = ratios(one.results)
    for result in one.results.values():
        seconds = result.seconds
        times = {stage: f"{seconds[stage]:.3f}" if stage in seconds else "" for stage in SHOWN}
        times[ALL] += _deviation(result)
        ratio = _ratio(fastest[result.name]) if result.name in fastest else ""
        table.add_row(result.name, *times.values(), ratio, _found(result), result.status)
    return table


def _found(result: Result) -> str:
    """The number of solutions, and in brackets the value of the goal; empty if there was no run."""
    more = "" if result.counted or result.goal or not result.count else "+"
    value = f" ({result.value:,})" if result.value is not None else ""
    return "" if result.count is None else f"{result.count:,}{more}{value}"


def _ratio(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 99.95 else f"{ratio:,.0f}"


def difference(groups: Sequence[Sequence[Result]]) -> str:
    """Say what each group of backends found, the largest first."""
    most = groups[0][0]
    found = []
    for group in groups:
        others = len(group[0].keys - most.keys) if _found(group[0]) == _found(most) else 0
        unlike = NotFoundBy(f"{others:,}", most.name) if others else ""
        names = ", ".join(result.name for result in group)
        found.append(str(GroupFound(names, _found(group[0]), unlike)))
    return "; ".join(found)


def _deviation(result: Result) -> str:
    """Half of the distance between the least and the most seconds, in percent of the median."""
    if len(result.times) < 2:
        return ""
    least, most = result.spread
    return f" ±{50 * (most - least) / result.seconds[ALL]:.0f}%"


def _of_runs(results: Sequence[Result]) -> str:
    runs = max((len(result.times) for result in results), default=0)
    return f", medians of {runs} runs" if runs > 1 else ""


def _of_presolve(results: Sequence[Result]) -> str:
    times = [result.seconds["presolve"] for result in results if result.times]
    return f"; presolve {median(times):.3f}" if times else ""


def _print_statistics(screen: Console, results: Sequence[Result]) -> None:
    known = [result for result in results if result.statistics.get("problems")]
    if not known:
        return
    shown = [
        (heading, names)
        for heading, names in COLUMNS
        if any(name in one.statistics for one in known for name in names)
    ]
    table = _table(
        "backend", *(heading for heading, _ in shown), "MB", title="\nWhat each was given and did"
    )
    for result in known:
        found = result.statistics
        cells = [
            next((_short(found[name]) for name in names if name in found), "") for _, names in shown
        ]
        table.add_row(
            result.name, *cells, f"{found['memory'] / MEGABYTE:.0f}" if "memory" in found else ""
        )
    _print_table(screen, table)
    several = [
        f"{result.name} {result.statistics['problems']:,}"
        for result in known
        if result.statistics["problems"] > 1
    ]
    if several:
        screen.print(f"sizes of the largest of several problems: {', '.join(several)}")


def _short(number: int) -> str:
    for letter, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if number >= max(size, SHORTENED):
            return (
                f"{number / size:.3g}{letter}"
                if number < 1_000 * size
                else f"{number // size:,}{letter}"
            )
    return f"{number:,}"


def _print_presolve(screen: Console, one: Comparison) -> None:
    try:
        report = one.presolve_report()
    except (Stopped, Unsupported) as reason:
        screen.print(f"\npresolve ({one.query.presolve}): {reason}")
        return
    screen.print(f"\npresolve ({report.level}): {_presolved(report)}")
    if report.rules:
        table = _table("rule", "conditions", "hold", "joined", "left", "rows", "rows left")
        tables = any(rule.rows or rule.rows_remaining for rule in report.rules)
        for rule in report.rules:
            numbers = (
                rule.conditions,
                rule.hold,
                rule.joined,
                rule.remaining,
                rule.rows,
                rule.rows_remaining,
            )
            table.add_row(
                printable(rule.rule), *(f"{number:,}" if number else "·" for number in numbers)
            )
        if not tables:
            table.columns = table.columns[:-2]
        screen.print(table)
        screen.print(str(PartsLeft(counted(report.parts, "independent part"))))


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
    table = _table("backend", *headings, title=f"\n{puzzles} puzzles")
    for name, score in scores.items():
        numbers = [
            f"{number:,}" if number else "·"
            for number in (score.solved, score.unsupported, score.fastest)
        ]
        seconds = (
            "" if time is None else f"{time:.3f}"
            for time in (score.par2, score.median, score.processor)
        )
        table.add_row(name, *numbers, *seconds)
    _print_table(screen, table)
    screen.print("seconds" if timeout is None else f"seconds, at most {timeout:g} for each puzzle")
    screen.print("PAR-2: their mean, where a puzzle that is not solved counts twice the limit")


def _print_table(screen: Console, table: Table) -> None:
    """Print the table, or one line per cell where the screen is too narrow for it."""
    if (
        Measurement.get(screen, screen.options.update(max_width=ROOMY), table).minimum
        <= screen.width
    ):
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
