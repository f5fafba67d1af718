"""The clues of a puzzle without a solution that may be wrong: a change of one leaves a solution.

A conflict names the clues that its rules read. A clue may also act through what `let` makes of the
data, or through the values that an unknown may have; then only trying shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from puzzlekit.boards import Cell, Grid
from puzzlekit.clock import Clock, thread_seconds
from puzzlekit.errors import PuzzlekitError, Stopped
from puzzlekit.lang import Instance, display_text
from puzzlekit.query import Query

SECONDS = 3.0  # of the processor, for all changes
SECONDS_OF_ONE = 2.0  # at most
MOST_VALUES = 20  # that are tried for a clue


class BlamedClue(NamedTuple):
    """A clue a change of which leaves a solution.

    Attributes:
        field: The field of the data.
        cell: Its cell.
        value: The clue.
    """

    field: str
    cell: Cell
    value: Any

    def __str__(self) -> str:
        return f"{display_text(self.value)} at {self.cell}"

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"field": self.field, "cell": str(self.cell), "value": str(self.value)}


def blamed_clues(puzzle: Any, cells: Iterable[Cell], clock: Clock) -> tuple[BlamedClue, ...]:
    """Return the clues a change of which leaves a solution, as far as the time allows.

    Args:
        puzzle: The puzzle, which has no solution.
        cells: The cells of the conflict; clues near them are tried first.
        clock: The clock of the question.
    """
    conflicting = list(cells)
    clues = sorted(_clues(puzzle.instance), key=lambda each: _distance(each.cell, conflicting))
    blamed = []
    end = thread_seconds() + SECONDS
    with suppress(Stopped):  # the conflict is an answer without them
        for clue in clues:
            clock.check()
            if thread_seconds() > end:
                break
            if any(_has_solution(puzzle, data, clock) for data in _changes(puzzle.instance, clue)):
                blamed.append(clue)
    return tuple(sorted(blamed))


def _clues(instance: Instance) -> Iterator[BlamedClue]:
    """Yield the clues on boards."""
    for field, board in instance.data.items():
        if not isinstance(board, Grid):
            continue
        for cell, value in board.values.items():
            if value is not None:
                yield BlamedClue(field, cell, value)


def _changes(instance: Instance, clue: BlamedClue) -> Iterator[dict[str, Any]]:
    """Yield the data without a clue, and with others in its place."""
    board = instance.data[clue.field]
    for value in (None, *_other_values(board, clue.value)):
        yield {**instance.data, clue.field: Grid({**board.values, clue.cell: value})}


def _other_values(board: Grid, clue: Any) -> list[Any]:
    """Return what could stand in place of a clue: of numbers, those between the smallest and the
    largest, and next to them; else what stands elsewhere.
    """
    values = dict.fromkeys(value for value in board.values.values() if value is not None)
    if type(clue) is int:
        numbers = [value for value in values if type(value) is int]
        values = dict.fromkeys(range(min(numbers) - 1, max(numbers) + 2))
        values = dict.fromkeys(sorted(values, key=lambda number: abs(number - clue)))
    values.pop(clue, None)
    return list(values)[:MOST_VALUES]


def _has_solution(puzzle: Any, data: dict[str, Any], clock: Clock) -> bool:
    """Return whether a puzzle with changed data has a solution that is soon known."""
    remaining = clock.remaining()
    seconds = SECONDS_OF_ONE if remaining is None else min(SECONDS_OF_ONE, remaining)
    with suppress(PuzzlekitError):  # the type does not allow that change
        changed = type(puzzle)(puzzle.type, puzzle.spec, Instance(puzzle.type, data))
        run = changed.run(Query(limit=1, goal="none", ordered=False), timeout=seconds)
        return next(iter(run), None) is not None
    return False


def _distance(cell: Cell, cells: Iterable[Cell]) -> int:
    """Return how far a cell is from the nearest of some cells."""
    distances = (abs(cell.row - each.row) + abs(cell.column - each.column) for each in cells)
    return min(distances, default=0)
