"""Makes up small data of a type: for a spec to begin with, and to run rules where there is no spec."""

from __future__ import annotations

from typing import Any

from puzzlekit.lang.data.collections import ListOf, MapOf, TupleOf
from puzzlekit.lang.data.grids import GridOf
from puzzlekit.lang.data.scalars import DataType, Maybe, Union
from puzzlekit.lang.puzzle_type import PuzzleType

SIDE = 4  # of a board, and the length of a list
DOWN = ("rows", "left", "right")  # lists with an item for each row
ACROSS = ("columns", "top", "bottom")
LINE = 3  # cells


def made_up(kind: PuzzleType, rows: int = SIDE, columns: int = SIDE, items: int = SIDE) -> dict[str, Any] | None:
    """Return values for the fields that a spec must give, as Python values; None if a type of data has no example.

    Args:
        kind: The type.
        rows: The rows of boards, the length of lists with an item for each row, and the least of single numbers.
        columns: The columns of boards, and the length of lists with an item for each column.
        items: The length of other lists.
    """
    values: dict[str, Any] = {}
    for field in kind.required():
        lows = [bound.bounds[0] for bound in kind.within if bound.field == field.name]
        least = max((low for low in lows if low is not None), default=1)
        match str(field.type):
            case "int":
                values[field.name] = str(max(rows, least))
            case "size":
                values[field.name] = f"{rows}x{columns}"
            case _:
                length = rows if field.name in DOWN else columns if field.name in ACROSS else items
                values[field.name] = _value(field.type, least, (rows, columns), length)
    return None if None in values.values() else values


def _value(kind: Any, least: int, board: tuple[int, int], items: int) -> Any:
    """Return a value whose numbers are the least that the field may hold."""
    match kind:
        case GridOf(item, empty):
            cell = "." if empty else _value(item, least, board, items)
            return None if cell is None else [[cell] * board[1]] * board[0]
        case ListOf(ListOf(item)) if str(item) == "cell":  # lines of cells: parts of rows
            across = range(1, min(LINE, board[1]) + 1)
            return [[f"r{row}c{column}" for column in across] for row in range(1, min(items, board[0]) + 1)]
        case ListOf(item):
            value = _value(item, least, board, 1)
            return None if value is None else [value] * items
        case TupleOf(parts):
            values = [_value(part, least, board, 1) for part in parts]
            return None if None in values else values
        case MapOf(key, item):
            values = [_value(part, least, board, 1) for part in (key, item)]
            return None if None in values else {values[0]: values[1]}
        case Maybe(item):
            return _value(item, least, board, items)
        case Union(alternatives):
            return _value(alternatives[0], least, board, items)
        case DataType():
            return str(least) if str(kind) == "int" else kind.example
        case _:
            return None
