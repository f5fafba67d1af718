"""Fetch a board from a JSON file or address: letters, with colours or a solution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from puzzlekit.api.fetching import letter_rows, seen
from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import InputError
from puzzlekit.libraries.words import Mark, crossing_marks

BASE = ""
LETTERS, COLOURS, SOLUTION = (
    ("letters", "puzzle", "board"),
    ("colours", "colors"),
    ("solution", "answer"),
)
GAPS = " ._#-"
SIGNS = {Mark.GREEN: "g", Mark.YELLOW: "y", Mark.GREY: "b", None: "."}


def address(which: str) -> str:
    """The file or address; the text after # is the id or number of a board."""
    return which.partition("#")[0]


def spec(data: Any, which: str, source: str) -> dict[str, Any]:
    """The board's letters and colours."""
    board = _one(data, which.partition("#")[2], source)
    letters = _rows(_first(board, LETTERS), source)
    solution = (
        _rows(_first(board, SOLUTION), source) if _first(board, SOLUTION) is not None else None
    )
    colours = _first(board, COLOURS)
    if colours is None and solution is None:
        raise InputError(f"{source}: expected colours or a solution, got {', '.join(board)[:200]}")
    if solution is not None and list(map(_shape, solution)) != list(map(_shape, letters)):
        raise InputError(f"{source}: the solution and the letters have different cells")
    shown = _rows(colours, source) if colours is not None else coloured(letters, solution or ())
    title = board.get("id", board.get("title", "a board"))
    made = {
        "puzzle": "waffle",
        "title": title if isinstance(title, str) else seen(title),
        "source": source,
        "letters": letters,
        "colours": shown,
    }
    expect = {"swaps": board["swaps"]} if type(board.get("swaps")) is int else {}
    if solution is not None:
        expect["answer"] = solution
    return {**made, "expect": expect} if expect else made


def coloured(letters: Sequence[str], solution: Sequence[str]) -> list[str]:
    """The colours of a board: each word is marked as in Wordle; a cell shows its better mark."""
    stand, belong = Grid.of_rows(letters), Grid.of_rows(solution)
    shown = crossing_marks(stand.slots(2), stand.values, belong.values)
    places = (range(1, stand.width + 1), range(1, stand.height + 1))
    return ["".join(SIGNS[shown.get(Cell(r, c))] for c in places[0]) for r in places[1]]


def _one(data: Any, which: str, source: str) -> dict[str, Any]:
    """The board that is asked for, where there are several."""
    if isinstance(data, list):
        named = {
            str(board.get("id", n)): board
            for n, board in enumerate(data, 1)
            if isinstance(board, dict)
        }
        if not which and len(named) == 1:
            return dict(next(iter(named.values())))
        if which not in named:
            raise InputError(
                f"{source}: there are several boards; write {source}#ID with one of {', '.join(list(named)[:10])}"
            )
        return dict(named[which])
    if not isinstance(data, dict):
        raise InputError(f"{source}: expected a JSON object as the board, got {seen(data)}")
    return data


def _first(board: dict[str, Any], names: Sequence[str]) -> Any:
    return next((board[name] for name in names if name in board), None)


def _rows(found: Any, source: str) -> list[str]:
    """Rows of one width, with a dot for a hole; a single row is split into a lattice."""
    if found is None:
        raise InputError(
            f"{source}: the board has no letters: expected the key {' or '.join(LETTERS)}"
        )
    rows = [
        "".join("." if char in GAPS else char for char in row) for row in letter_rows(found, source)
    ]
    if len(rows) > 1:
        return rows
    (row,) = rows
    for side in range(3, 26, 2):
        lattice = [
            "".join("." if r % 2 and c % 2 else "#" for c in range(side)) for r in range(side)
        ]
        if len(row) == side * side:
            return [row[start : start + side] for start in range(0, len(row), side)]
        if len(row) == sum(line.count("#") for line in lattice):
            letters = iter(row)
            return [
                "".join("." if char == "." else next(letters) for char in line) for line in lattice
            ]
    raise InputError(
        f"{source}: {len(row)} letters do not fill a lattice: 21 fill 5x5, 40 fill 7x7; or give rows"
    )


def _shape(row: str) -> tuple[bool, ...]:
    return tuple(char == "." for char in row)
