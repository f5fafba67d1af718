"""`--svg` and `--html`: draw the solutions of a run into files, with a heading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rich.cells import cell_len

from puzzlekit.api import Puzzle, Query, Run, Solution
from puzzlekit.api.pictures import sections
from puzzlekit.cli.whole_files import writable, write
from puzzlekit.limits import limits
from puzzlekit.render import Part, Sheet, Spot, drawing, page


@dataclass
class Pictures:
    """The requested files and the pictures to write into them."""

    svg: Path | None = None
    html: Path | None = None
    solutions: list[list[Part]] = field(default_factory=list)
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
        if len(self.solutions) == limits().reporting.pictured_solutions:
            self.left_out += 1
            return
        drawn: list[Part] = []
        for heading, parts in sections(solution):
            drawn += [*([[Spot("")], [Spot(heading)]] if heading else []), *parts]
        self.solutions.append(drawn)

    def write(self, title: str, head: str, foot: str) -> None:
        """Write each file whole."""
        more = f"; {self.left_out:,} more not drawn" if self.left_out else ""
        sheet = Sheet(title, head, self.solutions, foot + more)
        if self.svg is not None:
            write(self.svg, drawing(sheet.title, sheet.parts()))
        if self.html is not None:
            write(self.html, page(sheet))


def head(puzzle: Puzzle, run: Run) -> str:
    """The heading: the facts of the type, the number of solutions if quickly counted, and the time.

    Facts that are mappings follow on lines of their own.
    """
    if not puzzle.instance.facts:
        return ""
    facts = puzzle.instance.facts
    lines = [_fact(name, what) for name, what in facts.items() if not isinstance(what, Mapping)]
    tables = [f"{name}:\n{_table(what)}" for name, what in facts.items() if isinstance(what, Mapping) and what]
    most = limits().reporting.counting_seconds
    solutions = f"solutions: {run.total:,}" if run.total is not None else f"solutions: not counted in {most:g} s"
    line = " · ".join((*lines, solutions, f"{run.took():.2f} s"))
    return "\n".join((line, *tables))


def _fact(name: str, what: object) -> str:
    if isinstance(what, tuple):
        return f"{name}: {' '.join(map(str, what))}"
    return f"{name}: {what:,}" if isinstance(what, int) else f"{name}: {what}"


def _table(what: Mapping[object, object]) -> str:
    wide = max(cell_len(str(key)) for key in what)
    return "\n".join(f"  {key}{' ' * (wide - cell_len(str(key)))}  {item}" for key, item in what.items())
