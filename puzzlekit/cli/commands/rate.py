"""`puzzlekit rate`: how hard puzzles are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from puzzlekit.cli.options import Json, Specs, clock_for, load_puzzle, named_puzzles
from puzzlekit.options import LoadOptions, Timeout
from puzzlekit.processes import command

CODES = {"solved": 0, "stuck": 1, "unsatisfiable": 1, "running": 3}
REMARKS = {
    "solved": "",
    "stuck": "several solutions",
    "unsatisfiable": "no solution",
    "running": "so far: the time is up",
}
TIERS = (1, 2, 3, 4)
HEADINGS = (
    "puzzle",
    "level",
    "score",
    "highest",
    "narrowest",
    *(f"tier {tier}" for tier in TIERS),
    "",
)


def rate(
    files: Specs,
    *,
    loading: LoadOptions,
    timeout: Timeout = None,
    as_json: Json = False,
) -> int:
    """Rate how hard puzzles are: a score, the highest tier of a step, and how few steps were open."""
    from puzzlekit.cli.screen import STOPPED, or_stopped, print_json

    found: list[dict[str, Any]] = []

    def work() -> int:
        clock = clock_for(timeout)
        try:
            for named in named_puzzles(files):
                puzzle = load_puzzle(*named, clock, loading)
                about: dict[str, object] = {
                    "puzzle": puzzle.type.name,
                    "spec": puzzle.spec.source.path or None,
                }
                found.append({**about, **puzzle.rate(clock=clock).json()})
                if as_json:
                    command.report_if_ended({**STOPPED, "puzzles": found})
        finally:
            if not as_json and found:
                _print(found)
        command.end_after(None)
        if as_json:
            print_json({"puzzles": found})
        return max((CODES[own["status"]] for own in found), default=0)

    return or_stopped(work, as_json, puzzles=found)


def _print(found: Sequence[Mapping[str, Any]]) -> None:
    """Print a table of ratings."""
    from puzzlekit.cli.screen import console

    screen = console(no_color=True)
    rows = [HEADINGS, *map(_row, found)]
    wide = [max(len(row[place]) for row in rows) for place in range(len(HEADINGS))]
    for row in rows:
        cells = [
            row[0].ljust(wide[0]),
            *(text.rjust(width) for text, width in zip(row[1:-1], wide[1:-1])),
            row[-1],
        ]
        screen.print("  ".join(cells).rstrip())


def _row(rated: Mapping[str, Any]) -> tuple[str, ...]:
    """A line of the table: the puzzle, its rating, how many steps are of each tier, and what there
    is to remark.
    """
    numbers = (rated[name] for name in ("level", "score", "tier", "narrowest"))
    remark = REMARKS[rated["status"]]
    counts = (str(rated["steps"].get(str(tier), "")) for tier in TIERS)
    return (
        rated["spec"] or rated["puzzle"],
        *("–" if number is None else str(number) for number in numbers),
        *counts,
        remark,
    )
