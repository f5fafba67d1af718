"""A run of one query as text, as JSON and in files, while it runs and at its end; its exit code."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.console import Console

from puzzlekit.api import (
    Backbone,
    Puzzle,
    Query,
    Run,
    Section,
    Solution,
    Task,
    common_parts,
    plain,
    puzzle_parts,
    sections,
    solution_parts,
)
from puzzlekit.backends import missing_extra
from puzzlekit.cli import messages
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
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import Stopped, installing
from puzzlekit.lang import Instance, value_type
from puzzlekit.options import RunOptions
from puzzlekit.processes import end_command_after
from puzzlekit.scene import Group, PicturePart, Scene
from puzzlekit.sentences import (
    AllRanked,
    Counted,
    Drawn,
    Ending,
    FirstRanked,
    GoalExcludes,
    Interrupted,
    NoSolutionProven,
    Optimal,
    Sentence,
    SoFar,
    ThereAreMore,
    WithBest,
    counted,
    every_solution,
)

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
    """Run the query, print text or JSON, and draw the requested pictures; return the exit code.

    Without a given limit (`limited`), the first few ranked solutions are shown instead of one.
    """
    if not limited and query.limit == 1 and puzzle.ranking(query) is not None:
        query = replace(query, limit=RANKED_SOLUTIONS)
    files = pictures or Pictures()
    files.check(query)
    total_within = None
    if puzzle.instance.info:
        total_within = COUNTING_SECONDS
    run = puzzle.run(
        query,
        means.backend,
        clock=clock or Clock(means.timeout),
        isolated=means.isolated,
        total_within=total_within,
    )
    if as_json:
        printed, heading = _print_as_json(run, files)
    else:
        printed, heading = _TextOutput(run, files, console(no_color)).print()
    files.write(puzzle, heading, closing(run, printed))
    _report_dropped_ranking(run)
    _report_uniformity(run)
    _recommend(run)
    run.raise_unsupported()
    return exit_code(run)


def _print_as_json(run: Run, files: Pictures) -> tuple[int, str]:
    """Print the report; return the number of solutions in it and the heading of the files."""
    # The text of each solution and its value, made at once as little time remains after Ctrl-C
    written: list[tuple[str, int | None]] = []
    try:
        with progress(run.puzzle.title, run.goal_so_far):
            for solution in run:
                with run.aside():
                    written.append((_dumps(solution.json()), solution.value))
                    files.add(solution)
    except KeyboardInterrupt:  # while a solution was being prepared
        run.interrupt()
        run.count = len(written)
    end_command_after(None)
    values = [value for _, value in written]
    texts = {key: _dumps(member) for key, member in report(run, values).items()}
    texts["solutions"] = f"[{', '.join(text for text, _ in written)}]"
    members = [f"{_dumps(key)}: {text}" for key, text in texts.items()]
    print(f"{{{', '.join(members)}}}")
    return len(written), head(run) if files.solutions else ""


class _TextOutput:
    """The solutions of a run and its last line, as they are printed on the terminal."""

    def __init__(self, run: Run, files: Pictures, screen: Console) -> None:
        self.run = run
        self.files = files
        self.screen = screen
        self.printed = 0  # solutions
        self.heading = ""
        self.after_words = False  # whether the last solution was only words, on one line

    def print(self) -> tuple[int, str]:
        """Print all; return the number of solutions and the heading."""
        run, screen = self.run, self.screen
        if run.query.task is not Task.COUNT:
            screen.print(run.puzzle.title)
            _show_common(screen, run.puzzle.instance)
        try:
            self._print_solutions()
        except KeyboardInterrupt:
            run.interrupt()
        end_command_after(None)
        if not self.printed:
            run.raise_unsupported()
        if run.status == "complete" and not run.count and run.query.task is not Task.COUNT:
            self._print_heading()
        if self.printed:
            screen.print()
        screen.print(closing(run, self.printed))
        return self.printed, self.heading

    def _print_solutions(self) -> None:
        run = self.run
        solutions = iter(run)
        solution = _next(run, solutions)
        if run.rank is None or run.query.task is Task.RANK:
            while solution is not None:
                self._print_solution(solution, in_order=True)
                solution = _next(run, solutions)
            return
        while solution is not None:
            following = _next(run, solutions)  # a single solution shows no rank
            self._print_solution(solution, in_order=self.printed > 0 or following is not None)
            solution = following

    def _print_solution(self, solution: Solution, in_order: bool) -> None:
        """Print a solution; if it is one of several, with the value that ranks it, if any."""
        run, screen = self.run, self.screen
        self.printed += 1
        with run.aside():
            drawn: Iterable[Section] = sections(solution)
            words = ""
            if run.query.limit != 1:
                drawn = list(drawn)
                words = as_words(drawn)
            if self.printed == 1:
                if self._print_heading():
                    screen.print()
            elif not (words and self.after_words):
                screen.print()
            value = ""
            if run.rank is not None and in_order:
                value = f"    {run.rank.name}: {solution.value}"
            if words:
                screen.print(f"  {words}{value}")
            else:
                show_sections(screen, drawn)
                if value:
                    screen.print(value)
            self.after_words = bool(words)
            self.files.add(solution)

    def _print_heading(self) -> bool:
        """Print the heading, if there is one; return whether there is."""
        self.heading = head(self.run)
        if self.heading:
            self.screen.print(self.heading)
        return bool(self.heading)


def _show_common(screen: Console, instance: Instance) -> None:
    """Print the picture of the puzzle once, if the pictures of its solutions do not show it."""
    parts = common_parts(instance)
    if parts:
        screen.print()
        show_lines(screen, parts)
        screen.print()


def stopped_loading(
    reason: Stopped, backend: str, clock: Clock, as_json: bool, backbone: bool
) -> int:
    """Report that time ran out while the puzzle was loaded; return the exit code."""
    total = time.monotonic() - clock.began
    end_command_after(None)
    if not as_json:
        print(f"stopped: {reason}; no solution yet · {total:.2f} s")
    elif backbone:
        seconds = round(total, 4)
        print_json(of_backbone(backend=backend, reason=str(reason), seconds=seconds))
    else:
        stages = {**clock.seconds, SEARCH: 0.0, "total": total}
        rounded = {stage: round(seconds, 4) for stage, seconds in stages.items()}
        print_json(of_solve(backend=backend, reason=str(reason), seconds=rounded))
    return 3


def _next(run: Run, solutions: Iterator[Solution]) -> Solution | None:
    """Return the next solution, if there is one."""
    with progress(run.puzzle.title, run.goal_so_far):
        return next(solutions, None)


def _report_dropped_ranking(run: Run) -> None:
    """Report that the default ranking was dropped, and why."""
    if run.unordered and (run.count > 1 or not run.counted):
        messages.report(f"the default ranking is dropped: {run.unordered}")


def _report_uniformity(run: Run) -> None:
    """Report that a sample is only nearly uniform."""
    if run.uniform is False and run.count:
        messages.report(
            "the sample is only nearly uniform; --uniform draws exactly, however long that takes"
        )


def _recommend(run: Run) -> None:
    """Name a backend that is not installed and could have made a long search faster."""
    if run.seconds["total"] <= LONG_SECONDS or not run.solver.recommended:
        return
    name = run.solver.recommended
    extra = missing_extra(name)
    if extra is not None:
        messages.report(f"{name} may be faster on this puzzle: {installing(extra)}")


def closing(run: Run, printed: int) -> str:
    """Return the last line.

    It says whether the solutions are all, optimal, or those found before the run stopped.
    """
    seconds = f"{run.seconds['total']:.2f}"
    return str(Ending(_outcome(run, printed), run.solved_by, seconds))


def _outcome(run: Run, printed: int) -> str | Sentence:
    """Return how a run ended, and with which solutions."""
    number = counted(run.count, "solution")
    if run.status != "complete":
        return Interrupted(run.status, str(run.reason), _so_far(run, number))
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
    return _which(run, printed)


def _so_far(run: Run, number: str) -> str:
    """Return the solutions of a run that was stopped, in words."""
    if run.count:
        return "the best so far" if run.goal else str(SoFar(number))
    return "not counted" if run.query.task is Task.COUNT else "no solution yet"


def nothing(run: Run) -> str:
    """Return the reason why there is no solution, as far as it is known, and what may help."""
    lines = [str(NoSolutionProven(str(run.conflict or "")))]
    if run.goal is not None and run.goal.partial:
        lines.append(str(GoalExcludes(run.goal.name)))
    fields_by_type: dict[Callable[[list[Any]], str], list[Any]] = {}
    for field_value in run.puzzle.instance.data.values():
        library_type = value_type(field_value)
        if library_type is not None and library_type.unsolved is not None:
            fields_by_type.setdefault(library_type.unsolved, []).append(field_value)
    for explain, values in fields_by_type.items():
        lines.append(explain(values))
    return "\n".join(lines)


def _which(run: Run, printed: int) -> str | Sentence:
    """Return which of all solutions are printed, and in what order."""
    ranking = "" if run.rank is None else run.rank.name
    if run.counted:
        if run.count == 1:
            return "the only solution"
        return AllRanked(every_solution(run.count), ranking)
    number = counted(printed, "solution")
    if not ranking:
        return "one solution of several" if printed == 1 else ThereAreMore(number)
    others = "there may be more" if run.cut_short else "there are more"
    return FirstRanked("solution" if printed == 1 else number, ranking, others)


def exit_code(outcome: Run | Backbone) -> int:
    """Return 0 for solutions, 1 for none, 3 if the work was stopped, 130 if it was interrupted."""
    if outcome.interrupted:
        return 130
    if outcome.status != "complete":
        return 3
    return 0 if outcome.any else 1


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def report(run: Run, values: list[int | None]) -> dict[str, object]:
    """Return the object that --json prints, without the solutions.

    Args:
        run: The run.
        values: The values that rank the solutions.
    """
    puzzle = run.puzzle
    info = {name: plain(output) for name, output in puzzle.instance.info.items()}
    seconds = {stage: round(seconds, 4) for stage, seconds in run.seconds.items()}
    reason = None
    if run.reason is not None:
        reason = str(run.reason)
    return of_solve(
        puzzle=puzzle.type.name,
        spec=puzzle.spec.source.path or None,
        backend=run.solved_by,
        info=info,
        status=run.status,
        reason=reason,
        count=run.count,
        counted=run.counted,
        uniform=run.uniform,
        goal=run.goal_found(values),
        seconds=seconds,
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
        if self.svg is not None:
            writable("--svg", self.svg)
        if self.html is not None:
            writable("--html", self.html)

    def add(self, solution: Solution) -> None:
        """Keep the picture of a solution, if a file is requested."""
        if self.svg is None and self.html is None:
            return
        if len(self.solutions) == PICTURED_SOLUTIONS:
            self.left_out += 1
            return
        self.solutions.append(solution_parts(solution))

    def write(self, puzzle: Puzzle, head: str, foot: str) -> None:
        """Write each file."""
        if self.svg is None and self.html is None:
            return
        from puzzlekit.links import addresses
        from puzzlekit.render import HtmlDocument, drawing, page

        left_out = f"{self.left_out:,} more not drawn" if self.left_out else ""
        if left_out:
            foot = f"{foot}; {left_out}"
        common = common_parts(puzzle.instance)
        alone = [] if common else puzzle_parts(puzzle.instance)
        boards = [piece for piece in alone if isinstance(piece, Scene | Group)]
        sheet = HtmlDocument(puzzle.title, head, self.solutions, foot, boards, common)
        if self.svg is not None:
            picture = replace(sheet, foot=left_out)  # the run is no part of the picture
            write(self.svg, drawing(sheet.title, picture.parts()))
        if self.html is not None:
            with_links = replace(sheet, links=addresses(puzzle.instance))
            write(self.html, page(with_links))


def head(run: Run) -> str:
    """Return the heading: the info of the type, and the number of solutions if quickly counted.

    The number is left out where the closing line has it: all solutions are shown, and there is no
    goal. Facts that are mappings follow on lines of their own.
    """
    info = run.puzzle.instance.info
    if not info:
        return ""
    facts = []
    tables = []
    for name, output in info.items():
        if not isinstance(output, Mapping):
            facts.append(_fact(name, output))
        elif output:
            tables.append(f"{name}:\n{_table(output)}")
    if run.total is None:
        facts.append(f"solutions: not counted in {COUNTING_SECONDS:g} s")
    elif _is_total_news(run, run.total):
        facts.append(f"solutions: {run.total:,}")
    first_line = [" · ".join(facts)] if facts else []
    return "\n".join([*first_line, *tables])


def _is_total_news(run: Run, total: int) -> bool:
    """Whether the closing line does not state the number of all solutions."""
    if run.goal is not None or total == 0:
        return True
    limit = run.query.limit
    return limit is not None and 1 < total >= limit


def _fact(name: str, output: object) -> str:
    if isinstance(output, int):
        return f"{name}: {output:,}"
    return f"{name}: {_in_words(output)}"


def _in_words(output: object) -> str:
    return " ".join(map(str, output)) if isinstance(output, tuple) else str(output)


def _table(output: Mapping[object, object]) -> str:
    keys = [str(key) for key in output]
    width = max(map(cell_len, keys))
    lines = []
    for key, member in zip(keys, output.values()):
        padding = " " * (width - cell_len(key))
        lines.append(f"  {key}{padding}  {_in_words(member)}")
    return "\n".join(lines)
