"""`puzzlekit rate`: how hard puzzles are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from puzzlekit.cli.options import Json, Specs, Without, clock_for, load_puzzle, named_puzzles
from puzzlekit.cli.wrapping import terminal_width, wrapped
from puzzlekit.errors import InputError
from puzzlekit.options import LoadOptions, Timeout
from puzzlekit.processes import end_command_after, report_if_ended
from puzzlekit.sentences import StuckWithout, or_list

if TYPE_CHECKING:
    from puzzlekit.api import Puzzle
    from puzzlekit.clock import Clock

CODES = {"solved": 0, "stuck": 1, "unsatisfiable": 1, "running": 3, "unread": 2}
REMARKS = {
    "solved": "",
    "stuck": "several solutions",
    "unsatisfiable": "no solution",
    "running": "so far: the time is up",
}
TEXT_WIDTH = 36  # the least columns for the score and the text
SCORE_WIDTH = 6
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

    names = () if without is None else without
    ratings: list[dict[str, Any]] = []

    def work() -> int:
        clock = clock_for(timeout)
        puzzles = named_puzzles(files)
        table = _Table([spec or type_or_spec for type_or_spec, spec in puzzles])
        for arguments in puzzles:
            try:
                puzzle = load_puzzle(*arguments, clock, loading)
            except InputError as error:
                if len(puzzles) == 1:
                    raise
                ratings.append(_unread(arguments, error))
            else:
                ratings.append(_rated(puzzle, clock, names))
                if not as_json:
                    table.print(_row(ratings[-1], names))
            if as_json:
                report_if_ended({**STOPPED, "puzzles": ratings})
        end_command_after(None)
        if as_json:
            print_json({"puzzles": ratings})
        return max((CODES[rating["status"]] for rating in ratings), default=0)

    return or_stopped(work, as_json, puzzles=ratings)


def _rated(puzzle: Puzzle, clock: Clock, without: str | Sequence[str]) -> dict[str, Any]:
    """Return the rating of a puzzle, with its names."""
    rating = puzzle.rate(clock=clock, without=without).json()
    spec = puzzle.spec.source.path or None
    return {"puzzle": puzzle.type.name, "spec": spec, **rating}


def _unread(arguments: tuple[str, str | None], error: InputError) -> dict[str, Any]:
    """Report that one of several puzzles cannot be read; return what JSON has of it."""
    from puzzlekit.cli.messages import report

    report(str(error), error.help)
    type_or_spec, spec = arguments
    problem = {"status": "unread", "error": str(error), "help": error.help}
    return {"puzzle": None, "spec": spec or type_or_spec, **problem}


class _Table:
    """Prints a table of ratings row by row; a text that is too wide for the terminal has several
    lines.

    Args:
        names: The names of the puzzles, as they were asked for.
    """

    def __init__(self, names: Sequence[str]) -> None:
        longest_name = max(map(len, (HEADINGS[0], *names)))
        self._name_width = min(longest_name, terminal_width() - TEXT_WIDTH)
        self._is_empty = True

    def print(self, row: tuple[str, str, str]) -> None:
        """Print a row, after the headings if it is the first one."""
        if self._is_empty:
            self._is_empty = False
            self.print(HEADINGS)
        from puzzlekit.cli.screen import console

        screen = console(no_color=True)
        name, score, text = row
        if len(name) > self._name_width:
            screen.print(name)
            name = ""
        start = f"{name.ljust(self._name_width)}  {score.rjust(SCORE_WIDTH)}  "
        screen.print(wrapped(text, start, " " * len(start)) or start.rstrip())


def _row(rating: Mapping[str, Any], without: str | Sequence[str]) -> tuple[str, str, str]:
    """Return a line of the table: the puzzle, its score, and its level with the hardest patterns,
    or why it has no level.
    """
    name = rating["spec"] or rating["puzzle"]
    remark = REMARKS[rating["status"]]
    if without and rating["status"] == "stuck":
        from puzzlekit.reasons import names_in

        remark = str(StuckWithout("", or_list(names_in(without))))
    return name, str(rating["score"]), rating["text"] or remark
