"""Rows of a table: plain dicts of solutions, puzzles and comparisons, as pandas and polars take
them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from puzzlekit.api.comparison import Comparison
from puzzlekit.api.solution import LoadedPuzzle, Solution
from puzzlekit.api.values import JsonValue, plain
from puzzlekit.errors import InputError

Tabular = LoadedPuzzle | Solution | Comparison


def to_records(objects: Tabular | Iterable[Tabular]) -> list[dict[str, Any]]:
    """Return solutions, puzzles or comparisons as rows of a table.

    Args:
        objects: Solutions, as `Puzzle.solve` yields them; puzzles, as `generate` yields them; or
            comparisons, each of which has a row for each backend.

    Returns:
        A dict for each row, with plain values. A row of a solution has its values as `json()` has
        them, and under `value` the value that ranks it, if it is ranked. A row of a puzzle has its
        `type`, `title`, what its generator says of it, and its fields.

    Examples:
        >>> import puzzlekit
        >>> spec = {"size": 3, "givens": ["2.6", "...", "..."]}
        >>> square = puzzlekit.load("examples/magic_square.yaml", spec)
        >>> puzzlekit.to_records(square.solve())
        [{'number': ['276', '951', '438']}]
        >>> puzzlekit.to_records(square)[0]["givens"]
        ['2.6', '...', '...']
    """
    if isinstance(objects, (LoadedPuzzle, Solution, Comparison)):
        objects = [objects]
    rows: list[dict[str, Any]] = []
    for member in objects:
        match member:
            case Solution():
                rows.append(_solution_row(member))
            case LoadedPuzzle():
                rows.append(_puzzle_row(member))
            case Comparison():
                rows += member.records()
            case _:
                raise InputError(
                    f"expected solutions, puzzles or comparisons, got {type(member).__name__}"
                )
    return rows


def _solution_row(solution: Solution) -> dict[str, JsonValue]:
    value = {} if solution.value is None else {"value": solution.value}
    return {**value, **solution.json()}


def _puzzle_row(puzzle: LoadedPuzzle) -> dict[str, JsonValue]:
    fields = {name: plain(value) for name, value in puzzle.instance.data.items()}
    about = {"type": puzzle.type.name, "title": puzzle.title}
    return {**about, **puzzle.spec.generated_by, **fields}
