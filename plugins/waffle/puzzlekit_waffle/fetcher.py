"""Fetch a board from a JSON file or address: letters, with colours or a solution."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from puzzlekit.api import letter_rows, seen
from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import InputError
from puzzlekit.libraries.words import Mark, crossing_marks
from puzzlekit_waffle.board import lattice_rows

BASE = ""
LETTERS, COLOURS, SOLUTION = (
    ("letters", "puzzle", "board"),
    ("colours", "colors"),
    ("solution", "answer"),
)
GAPS = " ._#-"
SIGNS = {Mark.GREEN: "g", Mark.YELLOW: "y", Mark.GREY: "b", None: "."}


def address(which: str) -> str:
    """Return the file or address; the text after # is the id or number of a board."""
    return which.partition("#")[0]


def spec(data: Any, which: str, source: str) -> dict[str, Any]:
    """Return a spec with the board's letters and colours."""
    board = _board(data, which.partition("#")[2], source)
    letters = _rows(_first(board, LETTERS), source)
    solution = None
    if _first(board, SOLUTION) is not None:
        solution = _rows(_first(board, SOLUTION), source)
    colours = _first(board, COLOURS)
    if colours is None and solution is None:
        raise InputError(f"{source}: expected colours or a solution, got {', '.join(board)[:200]}")
    if solution is not None and list(map(_shape, solution)) != list(map(_shape, letters)):
        raise InputError(f"{source}: the solution and the letters have different cells")
    title = board.get("id", board.get("title", "a board"))
    entries: dict[str, Any] = {"puzzle": "waffle"}
    entries["title"] = title if isinstance(title, str) else seen(title)
    entries["source"] = source
    entries["letters"] = letters
    if colours is not None:
        entries["colours"] = _rows(colours, source)
    elif solution is not None:
        entries["colours"] = coloured(letters, solution)
    expect: dict[str, Any] = {}
    if type(board.get("swaps")) is int:
        expect["swaps"] = board["swaps"]
    if solution is not None:
        expect["answer"] = solution
    if expect:
        entries["expect"] = expect
    return entries


def coloured(letters: Sequence[str], solution: Sequence[str]) -> list[str]:
    """Return the colours of a board: each word is marked as in Wordle; a cell shows its better
    mark.
    """
    stand, belong = Grid.of_rows(letters), Grid.of_rows(solution)
    marks = crossing_marks(stand.slots(2), stand.values, belong.values)
    rows = []
    for row in range(1, stand.height + 1):
        cells = [Cell(row, column) for column in range(1, stand.width + 1)]
        signs = [SIGNS[marks.get(cell)] for cell in cells]
        rows.append("".join(signs))
    return rows


def _board(data: Any, which: str, source: str) -> dict[str, Any]:
    """Return the board that is asked for, where there are several."""
    if isinstance(data, dict):
        return data
    if not isinstance(data, list):
        raise InputError(f"{source}: expected a JSON object as the board, got {seen(data)}")
    named = {}
    for number, board in enumerate(data, 1):
        if isinstance(board, dict):
            named[str(board.get("id", number))] = board
    if not which and len(named) == 1:
        return dict(next(iter(named.values())))
    if which not in named:
        names = ", ".join(list(named)[:10])
        raise InputError(
            f"{source}: there are several boards; write {source}#ID with one of {names}"
        )
    return dict(named[which])


def _first(board: dict[str, Any], names: Sequence[str]) -> Any:
    """Return the first of these entries that a board has, or None."""
    for name in names:
        if name in board:
            return board[name]
    return None


def _rows(letters: Any, source: str) -> list[str]:
    """Return rows of one width, with a dot for a hole; a single row is split into a lattice."""
    if letters is None:
        keys = " or ".join(LETTERS)
        raise InputError(f"{source}: the board has no letters: expected the key {keys}")
    gap = f"[{re.escape(GAPS)}]"
    rows = [re.sub(gap, ".", row) for row in letter_rows(letters, source)]
    if len(rows) > 1:
        return rows
    row = rows[0]
    for side in range(3, 26, 2):
        if len(row) == side * side:
            return [row[start : start + side] for start in range(0, len(row), side)]
        lattice = lattice_rows(side, side)
        if len(row) == "".join(lattice).count("#"):
            return _on_lattice(row, lattice)
    raise InputError(
        f"{source}: {len(row)} letters do not fill a lattice: "
        "21 fill 5x5, 40 fill 7x7; or give rows"
    )


def _on_lattice(letters: str, lattice: Sequence[str]) -> list[str]:
    """Return the rows of a lattice with letters in its cells."""
    remaining = iter(letters)
    return [re.sub("#", lambda _: next(remaining), row) for row in lattice]


def _shape(row: str) -> tuple[bool, ...]:
    return tuple(char == "." for char in row)
