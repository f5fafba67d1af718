"""`puzzlekit compare`: the same query on several backends."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import dataclass, field

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from puzzlekit.api import Puzzle, Query, Run
from puzzlekit.backends import BACKENDS, load_backend
from puzzlekit.cli.commands.solve import exit_code
from puzzlekit.cli.process import shared_page
from puzzlekit.cli.screen import console, of_compare, progress
from puzzlekit.errors import BackendBug, InputError, MissingExtra, Stopped, Unsupported, nearest, printable
from puzzlekit.lowering.planner import described

ROOMY = 10_000  # columns wide enough for any table


@dataclass
class Result:
    """The result of one backend."""

    name: str
    run: Run | None = None
    keys: frozenset[int] = frozenset()
    error: Exception | None = None  # raised instead of a result
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def status(self) -> str:
        match self.error:
            case None:
                assert self.run is not None
                return self.run.status
            case Unsupported() | MissingExtra():
                return "unsupported"
            case BackendBug():
                return "bug"
            case _:
                return "stopped"

    @property
    def reason(self) -> str | None:
        """Why it is not complete; None if it is."""
        reason = self.error or (self.run and self.run.reason)
        return None if reason is None else str(reason) or "not enough memory"

    @property
    def code(self) -> int:
        """The exit code of `solve` in this case."""
        if self.error is None and self.run is not None:
            return exit_code(self.run)
        return {"unsupported": 2, "bug": 70}.get(self.status, 3)

    def finding(self) -> object:
        """What backends must agree on: the optimum, or the number of solutions, or all of them."""
        assert self.run is not None
        if self.run.goal is not None and not self.run.counted:
            return self.run.value
        return self.run.count, self.run.counted, self.keys if self.run.counted else None


def compare(
    puzzle: Puzzle,
    query: Query,
    names: list[str] | None,
    as_json: bool,
    no_color: bool,
    timeout: float | None = None,
    verbose: bool = False,
) -> int:
    """Run the backends and print a table or JSON; returns the exit code.

    It is 3 if one was stopped, 70 if one returned a wrong solution or two disagree, and 2 if none
    supports the puzzle.

    With `verbose`, the lowering chain of each backend follows the table.
    """
    for name in names or ():
        if name not in BACKENDS:
            raise InputError(f"unknown backend {name}; {nearest(name, BACKENDS)}")
    results: list[Result] = []
    interrupted = False
    try:
        for name in names or BACKENDS:
            shared_page.stop_after(timeout, anew=True)
            if as_json:
                done = [_json(result) for result in results]
                shared_page.stand_in(of_compare(done, name, _agreement(results)))
            with progress(name):
                results.append(_ask(puzzle, query, name, timeout))
            if results[-1].run is not None and results[-1].run.interrupted:
                break
    except KeyboardInterrupt:  # between two backends
        interrupted = True
    shared_page.stop_after(None)
    agreement = _agreement(results)
    if as_json:
        print(json.dumps({"agreement": agreement, "backends": [_json(result) for result in results]}, ensure_ascii=False))
    else:
        _print(puzzle, results, agreement, no_color)
        if verbose:
            _print_chains(results, no_color)
    codes = [result.code for result in results if result.status != "unsupported"]
    codes += [70] if agreement is False else []
    return 130 if interrupted else max(codes, default=2)


def _agreement(results: list[Result]) -> bool | None:
    """Whether all backends that finished found the same; None if fewer than two did."""
    findings = [result.finding() for result in results if result.status == "complete"]
    return len(set(findings)) == 1 if len(findings) > 1 else None


def _ask(puzzle: Puzzle, query: Query, backend: str, timeout: float | None) -> Result:
    result = Result(backend)
    began = time.perf_counter()
    try:
        run = puzzle.run(query, backend, timeout, isolated=True)
        keys = set()
        try:
            for solution in run:
                with run.aside():
                    keys.add(hash(solution.key()))
        except KeyboardInterrupt:
            run.interrupt()
        run.raise_unsupported()
        result.keys = frozenset(keys)
        result.run = run
        total = time.perf_counter() - began - run.elsewhere
        build = run.budget.built
        result.seconds = {
            "presolve": run.seconds["presolve"],
            "build": build,
            "first": run.first or 0.0,
            "all": total,
        }
    except (Unsupported, BackendBug, MissingExtra, Stopped, MemoryError) as error:
        result.error = error
    return result


def _json(result: Result) -> dict[str, object]:
    return {
        "name": result.name,
        "status": result.status,
        "reason": result.reason,
        "count": result.run.count if result.run else None,
        "seconds": {stage: round(seconds, 4) for stage, seconds in result.seconds.items()},
        "unsupported": result.reason if result.status == "unsupported" else None,
    }


def _print(puzzle: Puzzle, results: list[Result], agreement: bool | None, no_color: bool) -> None:
    title = printable(puzzle.title)
    table = Table("backend", *("presolve", "build", "first", "all"), "solutions", "status", title=title, title_justify="left")
    for column in table.columns[1:6]:
        column.justify = "right"
    for result in results:
        run = result.run
        if run is None:
            table.add_row(result.name, "", "", "", "", "", result.status)
            continue
        times = [f"{result.seconds[stage]:.3f}" for stage in ("presolve", "build", "first", "all")]
        more = "" if run.counted or run.goal or not run.count else "+"
        found = f"{run.count:,}{more}" + (f" ({run.goal.name}: {run.value})" if run.goal and run.value is not None else "")
        table.add_row(result.name, *times, found, run.status)
    screen = console(no_color)
    if Measurement.get(screen, screen.options.update(max_width=ROOMY), table).minimum <= screen.width:
        screen.print(table)
    else:
        _print_lines(screen, table, title)
    reasons: dict[str, list[str]] = {}
    for result in results:
        if result.reason is not None:
            reasons.setdefault(f"{result.status}: {result.reason}", []).append(result.name)
    for reason, names in reasons.items():
        screen.print(f"{', '.join(names)}: {reason}")
    finished = sum(result.status == "complete" for result in results)
    if agreement is None:
        verdict = "only one finished: nothing to compare" if finished else "none finished"
    else:
        verdict = "all that finished agree" if agreement else "THEY DO NOT AGREE"
    screen.print(f"{verdict} ({finished} of {len(results)}); seconds")


def _print_chains(results: list[Result], no_color: bool) -> None:
    screen = console(no_color)
    screen.print("\nlowering passes, each applied where its constraints occur:")
    for result in results:
        with suppress(MissingExtra, Stopped):
            screen.print(f"  {result.name}: {described(load_backend(result.name).supports)}")


def _print_lines(screen: Console, table: Table, title: str) -> None:
    """Print the table with one line per cell, for a narrow screen."""
    screen.print(title)
    names = [str(column.header) for column in table.columns]
    for row in zip(*(column.cells for column in table.columns)):
        name, *cells = map(str, row)
        screen.print(name)
        for header, cell in zip(names[1:], cells):
            if cell:
                screen.print(f"  {header}: {cell}")
