"""`puzzlekit rate`: how hard puzzles are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from puzzlekit.cli.options import Json, Specs, clock_for, load_puzzle, named_puzzles
from puzzlekit.options import LoadOptions, Timeout
from puzzlekit.processes import end_command_after, report_if_ended

CODES = {"solved": 0, "stuck": 1, "unsatisfiable": 1, "running": 3}
REMARKS = {
    "solved": "",
    "stuck": "several solutions",
    "unsatisfiable": "no solution",
    "running": "so far: the time is up",
}
HEADINGS = ("puzzle", "score", "level and hardest patterns")


def rate(
    files: Specs,
    *,
    loading: LoadOptions,
    timeout: Timeout = None,
    as_json: Json = False,
) -> int:
    """Rate how hard puzzles are: the level, the hardest patterns that they need, and a score."""
    from puzzlekit.cli.screen import STOPPED, or_stopped, print_json

    ratings: list[dict[str, Any]] = []

    def work() -> int:
        clock = clock_for(timeout)
        try:
            for arguments in named_puzzles(files):
                puzzle = load_puzzle(*arguments, clock, loading)
                spec = puzzle.spec.source.path or None
                rating = puzzle.rate(clock=clock).json()
                ratings.append({"puzzle": puzzle.type.name, "spec": spec, **rating})
                if as_json:
                    report_if_ended({**STOPPED, "puzzles": ratings})
        finally:
            if not as_json and ratings:
                _print(ratings)
        end_command_after(None)
        if as_json:
            print_json({"puzzles": ratings})
        return max((CODES[rating["status"]] for rating in ratings), default=0)

    return or_stopped(work, as_json, puzzles=ratings)


def _print(ratings: Sequence[Mapping[str, Any]]) -> None:
    """Print a table of ratings."""
    from puzzlekit.cli.screen import console

    screen = console(no_color=True)
    rows = [HEADINGS, *map(_row, ratings)]
    name_width = max(len(name) for name, _, _ in rows)
    score_width = max(len(score) for _, score, _ in rows)
    for name, score, text in rows:
        screen.print(f"{name.ljust(name_width)}  {score.rjust(score_width)}  {text}".rstrip())


def _row(rating: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return a line of the table: the puzzle, its score, and its level with the hardest patterns,
    or why it has no level.
    """
    name = rating["spec"] or rating["puzzle"]
    return name, str(rating["score"]), rating["text"] or REMARKS[rating["status"]]
