"""`puzzlekit rate`: how hard puzzles are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from puzzlekit.cli.options import Json, Specs, Without, clock_for, load_puzzle, named_puzzles
from puzzlekit.cli.wrapping import terminal_width, wrapped
from puzzlekit.options import LoadOptions, Timeout
from puzzlekit.processes import end_command_after, report_if_ended
from puzzlekit.sentences import StuckWithout

CODES = {"solved": 0, "stuck": 1, "unsatisfiable": 1, "running": 3}
REMARKS = {
    "solved": "",
    "stuck": "several solutions",
    "unsatisfiable": "no solution",
    "running": "so far: the time is up",
}
TEXT_WIDTH = 36  # the least columns for the score and the text
HEADINGS = ("puzzle", "score", "level and hardest patterns")


def rate(
    files: Specs,
    *,
    without: Without = None,
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
                rating = puzzle.rate(clock=clock, without=without or ()).json()
                ratings.append({"puzzle": puzzle.type.name, "spec": spec, **rating})
                if as_json:
                    report_if_ended({**STOPPED, "puzzles": ratings})
        finally:
            if not as_json and ratings:
                _print(ratings, without)
        end_command_after(None)
        if as_json:
            print_json({"puzzles": ratings})
        return max((CODES[rating["status"]] for rating in ratings), default=0)

    return or_stopped(work, as_json, puzzles=ratings)


def _print(ratings: Sequence[Mapping[str, Any]], without: str | None) -> None:
    """Print a table of ratings; a text that is too wide for the terminal has several lines."""
    from puzzlekit.cli.screen import console

    screen = console(no_color=True)
    rows = [HEADINGS, *(_row(rating, without) for rating in ratings)]
    longest_name = max(len(name) for name, _, _ in rows)
    name_width = min(longest_name, terminal_width() - TEXT_WIDTH)
    score_width = max(len(score) for _, score, _ in rows)
    indent = " " * (name_width + score_width + 4)
    for name, score, text in rows:
        if len(name) > name_width:
            screen.print(name)
            name = ""
        start = f"{name.ljust(name_width)}  {score.rjust(score_width)}  "
        screen.print(wrapped(text, start, indent) or start.rstrip())


def _row(rating: Mapping[str, Any], without: str | None) -> tuple[str, str, str]:
    """Return a line of the table: the puzzle, its score, and its level with the hardest patterns,
    or why it has no level.
    """
    name = rating["spec"] or rating["puzzle"]
    remark = REMARKS[rating["status"]]
    if without and rating["status"] == "stuck":
        remark = str(StuckWithout("", without))
    return name, str(rating["score"]), rating["text"] or remark
