"""A run of one query as text, as JSON and in files, while it runs and at its end; its exit code."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Console

from puzzlekit.api import Puzzle, Query, Run, Solution, Task
from puzzlekit.api.backbone import Backbone
from puzzlekit.api.pictures import Section, common_parts, puzzle_parts, sections, solution_parts
from puzzlekit.api.values import plain
from puzzlekit.backends import missing_extra
from puzzlekit.cli.files import writable, write
from puzzlekit.cli.screen import (
    as_words,
    console,
    of_backbone,
    of_solve,
    print_json,
    progress,
    show_lines,
    show_sections,
)
from puzzlekit.clock import SEARCH, Clock
from puzzlekit.errors import Stopped, installing
from puzzlekit.lang import Instance
from puzzlekit.lang.expressions.values import value_type
from puzzlekit.options import RunOptions
from puzzlekit.processes import command
from puzzlekit.scene import Group, PicturePart, Scene
from puzzlekit.sentences.formatting import counted
from puzzlekit.sentences.reports import (
    AllRanked,
    Counted,
    Drawn,
    Ending,
    FirstRanked,
    GoalExcludes,
    Interrupted,
    NoSolutionProven,
    Optimal,
    SoFar,
    ThereAreMore,
    WithBest,
    every_solution,
)
from puzzlekit.sentences.sentence import Sentence

COUNTING_SECONDS = 1.0  # for the count above a picture
PICTURED_SOLUTIONS = 200  # per file
RANKED_SOLUTIONS = 10  # printed by default if solutions are ranked

LONG_SECONDS = 1.0  # of a run, after which a backend that could be faster is recommended


def print_run(
    puzzle: Puzzle,
    query: Query,
    means: RunOptions = RunOptions(),
    clock: Clock | None = None,
    as_json: bool = False,
    no_color: bool = False,
    pictures: Pictures | None = None,
    limited: bool = True,
) -> int:
    """Run the query, print text or JSON, and draw the requested pictures; returns the exit code.

    Without a given limit (`limited`), the first few ranked solutions are shown instead of one.
    """
    if not limited and query.limit == 1 and puzzle.ranking(query) is not None:
        query = replace(query, limit=RANKED_SOLUTIONS)
    files = pictures or Pictures()
    files.check(query)
    seconds = COUNTING_SECONDS if puzzle.instance.info else None
    run = puzzle.run(
        query,
        means.backend,
        clock=clock or Clock(means.timeout),
        isolated=means.isolated,
        total_within=seconds,
    )
    if as_json:
        shown, heading = _print_as_json(run, files)
    else:
        shown, heading = _print_text(run, files, console(no_color))
    files.write(puzzle, heading, closing(run, shown))
    _report_dropped_ranking(run)
    _report_uniformity(run)
    _recommend(run)
    run.raise_unsupported()
    return exit_code(run)


def _print_as_json(run: Run, files: Pictures) -> tuple[int, str]:
    """Print the report; returns the number of solutions in it and the heading of the files."""
    written: list[tuple[str, int | None]] = []  # at once: little is left after Ctrl-C
    try:
        with progress(run.puzzle.title):
            for solution in run:
                with run.aside():
                    written.append((_dumps(solution.json()), solution.value))
                    files.add(solution)
    except KeyboardInterrupt:  # while a solution was being prepared
        run.interrupt()
        run.count = len(written)
    command.end_after(None)
    texts = {
        key: _dumps(value) for key, value in report(run, [value for _, value in written]).items()
    }
    texts["solutions"] = f"[{', '.join(text for text, _ in written)}]"
    print(f"{{{', '.join(f'{_dumps(key)}: {text}' for key, text in texts.items())}}}")
    return len(written), head(run) if files.solutions else ""


def _print_text(run: Run, files: Pictures, screen: Console) -> tuple[int, str]:
    """Print the solutions and the last line; returns the number of them and the heading."""
    puzzle, query = run.puzzle, run.query
    if query.task is not Task.COUNT:
        screen.print(puzzle.title)
        _show_common(screen, puzzle.instance)
    solutions = iter(run)
    shown, heading, brief = 0, "", False
    try:
        unranked = run.rank is None or query.task is Task.RANK
        ahead = (
            [] if unranked else _next(puzzle.title, solutions)
        )  # a single solution shows no rank
        while found := ahead or _next(puzzle.title, solutions):
            (solution,) = found
            ahead = _next(puzzle.title, solutions) if ahead else []
            shown += 1
            with run.aside():
                drawn: Iterable[Section] = sections(solution)
                words = "" if query.limit == 1 else as_words(drawn := list(drawn))
                if shown > 1:
                    screen.print() if not (words and brief) else None
                elif heading := head(run):
                    screen.print(heading)
                    screen.print()
                ranked = run.rank is not None and (query.task is Task.RANK or shown > 1 or ahead)
                value = (
                    f"    {run.rank.name}: {solution.value}"
                    if run.rank is not None and ranked
                    else ""
                )
                if words:
                    screen.print(f"  {words}{value}")
                else:
                    show_sections(screen, drawn)
                    screen.print(value) if value else None
                brief = bool(words)
                files.add(solution)
    except KeyboardInterrupt:
        run.interrupt()
    command.end_after(None)
    if not shown:
        run.raise_unsupported()
    if (
        run.status == "complete"
        and not (run.count or query.task is Task.COUNT)
        and (heading := head(run))
    ):
        screen.print(heading)
    screen.print() if shown else None
    screen.print(closing(run, shown))
    return shown, heading


def _show_common(screen: Console, instance: Instance) -> None:
    """Print the picture of the puzzle once, if the pictures of its solutions do not show it."""
    if parts := common_parts(instance):
        screen.print()
        show_lines(screen, parts)
        screen.print()


def stopped_loading(
    reason: Stopped, backend: str, clock: Clock, as_json: bool, backbone: bool
) -> int:
    """Report that time ran out while the puzzle was loaded; returns the exit code."""
    seconds = clock.seconds
    total = time.monotonic() - clock.began
    command.end_after(None)
    if as_json:
        times = {
            stage: round(took, 4)
            for stage, took in {**seconds, SEARCH: 0.0, "total": total}.items()
        }
        of_report, took = (of_backbone, round(total, 4)) if backbone else (of_solve, times)
        print_json(of_report(backend=backend, reason=str(reason), seconds=took))
    else:
        print(f"stopped: {reason}; no solution yet · {total:.2f} s")
    return 3


def _next(title: str, solutions: Iterator[Solution]) -> list[Solution]:
    """The next solution, if there is one."""
    with progress(title):
        return list(islice(solutions, 1))


def _report_dropped_ranking(run: Run) -> None:
    """Report that the default ranking was dropped, and why."""
    if run.unordered and (run.count > 1 or not run.counted):
        with suppress(OSError):
            print(f"the default ranking is dropped: {run.unordered}", file=sys.stderr)


def _report_uniformity(run: Run) -> None:
    """Report that a sample is only nearly uniform."""
    if run.uniform is False and run.count:
        with suppress(OSError):
            print(
                "the sample is only nearly uniform; --uniform draws exactly, however long that takes",
                file=sys.stderr,
            )


def _recommend(run: Run) -> None:
    """Name a backend that is not installed and could have been faster, after a search that took
    long.
    """
    name = run.solver.recommended if run.seconds["total"] > LONG_SECONDS else ""
    extra = missing_extra(name) if name else None
    if extra is not None:
        with suppress(OSError):
            print(f"{name} may be faster on this puzzle: {installing(extra)}", file=sys.stderr)


def closing(run: Run, printed: int) -> str:
    """The last line: whether the solutions are all, optimal, or those found before it stopped."""
    seconds = f"{run.seconds['total']:.2f}"
    return str(Ending(_outcome(run, printed), run.solved_by, seconds))


def _outcome(run: Run, shown: int) -> str | Sentence:
    """How a run ended, and what it found."""
    number = counted(run.count, "solution")
    if run.status != "complete":
        none = "not counted" if run.query.task is Task.COUNT else "no solution yet"
        solutions = none
        if run.count:
            solutions = "the best so far" if run.goal else str(SoFar(number))
        return Interrupted(run.status, str(run.reason), solutions)
    best = WithBest(run.goal.name, str(run.value)) if run.goal else None
    if run.query.task is Task.COUNT:
        return Counted(number, best)
    if not run.count:
        return nothing(run)
    if run.query.task is Task.SAMPLE:
        return Drawn(number, best)
    if run.goal is not None:
        in_all = number if run.counted and run.count > 1 else ""
        return Optimal(run.goal.name, str(run.value), in_all)
    return _which(run, shown)


def nothing(run: Run) -> str:
    """The reason why there is no solution, as far as it is known, and what may help."""
    lines = [str(NoSolutionProven(str(run.conflict or "")))]
    if run.goal is not None and run.goal.partial:
        lines.append(str(GoalExcludes(run.goal.name)))
    data: dict[type, list[Any]] = {}
    for datum in run.puzzle.instance.data.values():
        known = value_type(datum)
        if known is not None and known.unsolved is not None:
            data.setdefault(known.type, []).append(datum)
    for values in data.values():
        known = value_type(values[0])
        assert known is not None and known.unsolved is not None, "only these are in data"
        lines.append(known.unsolved(values))
    return "\n".join(lines)


def _which(run: Run, shown: int) -> str | Sentence:
    """Which of all solutions are shown, and in what order."""
    ranking = "" if run.rank is None else run.rank.name
    if run.counted:
        return (
            "the only solution" if run.count == 1 else AllRanked(every_solution(run.count), ranking)
        )
    number = counted(shown, "solution")
    if not ranking:
        return "one solution of several" if shown == 1 else ThereAreMore(number)
    others = "there may be more" if run.cut_short else "there are more"
    return FirstRanked("solution" if shown == 1 else number, ranking, others)


def exit_code(ended: Run | Backbone) -> int:
    """0 solutions found, 1 none, 3 stopped early, 130 interrupted."""
    if ended.interrupted:
        return 130
    if ended.status != "complete":
        return 3
    return 0 if ended.any else 1


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def report(run: Run, values: list[int | None]) -> dict[str, object]:
    """The object that --json prints, without the solutions; `values` ranks them."""
    return of_solve(
        puzzle=run.puzzle.type.name,
        spec=run.puzzle.spec.source.path or None,
        backend=run.solved_by,
        info={name: plain(what) for name, what in run.puzzle.instance.info.items()},
        status=run.status,
        reason=None if run.reason is None else str(run.reason),
        count=run.count,
        counted=run.counted,
        uniform=run.uniform,
        goal=run.goal_found(values),
        seconds={stage: round(seconds, 4) for stage, seconds in run.seconds.items()},
    )


@dataclass
class Pictures:
    """The requested files and the pictures to write into them."""

    svg: Path | None = None
    html: Path | None = None
    solutions: list[list[PicturePart]] = field(default_factory=list)
    left_out: int = 0

    def check(self, query: Query) -> None:
        """Raise InputError if a file cannot be written or the query has nothing to draw."""
        if self.svg or self.html:
            query.require_drawable()
        for option, path in (("--svg", self.svg), ("--html", self.html)):
            if path is not None:
                writable(option, path)

    def add(self, solution: Solution) -> None:
        """Keep the picture of a solution, if a file is requested."""
        if self.svg is None and self.html is None:
            return
        if len(self.solutions) == PICTURED_SOLUTIONS:
            self.left_out += 1
            return
        self.solutions.append(solution_parts(solution))

    def write(self, puzzle: Puzzle, head: str, foot: str) -> None:
        """Write each file whole."""
        if self.svg is None and self.html is None:
            return
        from puzzlekit.links import addresses
        from puzzlekit.render.html_page import Sheet, page
        from puzzlekit.render.svg import drawing

        more = f"; {self.left_out:,} more not drawn" if self.left_out else ""
        common = common_parts(puzzle.instance)
        alone = [] if common else puzzle_parts(puzzle.instance)
        boards = [part for part in alone if isinstance(part, Scene | Group)]
        sheet = Sheet(puzzle.title, head, self.solutions, foot + more, boards, common)
        if self.svg is not None:
            write(self.svg, drawing(sheet.title, sheet.parts()))
        if self.html is not None:
            write(self.html, page(replace(sheet, links=addresses(puzzle.instance))))


def head(run: Run) -> str:
    """The heading: the info of the type, and the number of solutions if quickly counted.

    The number is left out where the closing line has it: all solutions are shown, and there is no
    goal. Facts that are mappings follow on lines of their own.
    """
    info = run.puzzle.instance.info
    if not info:
        return ""
    lines = [_fact(name, what) for name, what in info.items() if not isinstance(what, Mapping)]
    tables = [
        f"{name}:\n{_table(what)}"
        for name, what in info.items()
        if isinstance(what, Mapping) and what
    ]
    most = COUNTING_SECONDS
    limit = run.query.limit
    if run.total is None:
        lines.append(f"solutions: not counted in {most:g} s")
    elif run.goal is not None or run.total == 0 or (limit is not None and 1 < run.total >= limit):
        lines.append(f"solutions: {run.total:,}")
    return "\n".join((*([" · ".join(lines)] if lines else []), *tables))


def _fact(name: str, what: object) -> str:
    return f"{name}: {what:,}" if isinstance(what, int) else f"{name}: {_in_words(what)}"


def _in_words(what: object) -> str:
    return " ".join(map(str, what)) if isinstance(what, tuple) else str(what)


def _table(what: Mapping[object, object]) -> str:
    wide = max(cell_len(str(key)) for key in what)
    return "\n".join(
        f"  {key}{' ' * (wide - cell_len(str(key)))}  {_in_words(item)}"
        for key, item in what.items()
    )
