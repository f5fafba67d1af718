"""Small example data of a type: for a spec to begin with, and to run rules where there is no spec."""

from __future__ import annotations

from typing import Any

from puzzlekit.lang.data.collections import ListOf, MapOf, TupleOf
from puzzlekit.lang.data.grids import GridOf
from puzzlekit.lang.data.scalars import Choice, DataType, Maybe, Union
from puzzlekit.lang.puzzle_type import PuzzleType

SIDE = 4  # of a board, and the length of a list
DOWN = ("rows", "left", "right")  # lists with an item for each row
ACROSS = ("columns", "top", "bottom")
LINE = 3  # cells


def example_data(
    kind: PuzzleType, rows: int = SIDE, columns: int = SIDE, items: int = SIDE, varied: bool = False
) -> dict[str, Any] | None:
    """Return values for the fields that a spec must give, as Python values; None if a type of data has no example.

    Args:
        kind: The type.
        rows: The rows of boards, the length of lists with an item for each row, and the least of single numbers.
        columns: The columns of boards, and the length of lists with an item for each column.
        items: The length of other lists.
        varied: Whether cells and items differ: all names of a choice, each of several types, empty ones. Else boards
            that may be empty are.
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
                values[field.name] = _value(field.type, least, (rows, columns), length, varied)
    return None if None in values.values() else values


def _value(kind: Any, least: int, board: tuple[int, int], items: int, varied: bool) -> Any:
    """Return a value whose numbers are the least that the field may hold."""
    match kind:
        case GridOf(item, empty):
            cells = [] if empty and not varied else _values(item, least, board, varied)
            cells += ["."] * empty
            if not cells:
                return None
            return [[cells[(row + column) % len(cells)] for column in range(board[1])] for row in range(board[0])]
        case ListOf(ListOf(item)) if str(item) == "cell":  # lines of cells: parts of rows
            across = range(1, min(LINE, board[1]) + 1)
            return [[f"r{row}c{column}" for column in across] for row in range(1, min(items, board[0]) + 1)]
        case ListOf(item):
            values = _values(item, least, board, varied)
            values += [None] * (varied and isinstance(item, Maybe) and bool(values))
            return [values[number % len(values)] for number in range(items)] if values else None
        case TupleOf(parts):
            values = [_value(part, least, board, 1, varied) for part in parts]
            return None if None in values else values
        case MapOf(key, item):
            keys, values = _values(key, least, board, varied), _values(item, least, board, varied)
            return {key: values[number % len(values)] for number, key in enumerate(keys)} if keys and values else None
        case _:
            return next(iter(_values(kind, least, board, varied)), None)


def _values(kind: Any, least: int, board: tuple[int, int], varied: bool) -> list[Any]:
    """Return one value of a cell or an item, or each kind of it; none if there is no example."""
    match kind:
        case Maybe(item):
            return _values(item, least, board, varied)
        case Union(alternatives):
            values = [value for part in alternatives for value in _values(part, least, board, varied)]
            return values if varied else values[:1]
        case Choice(names) if varied:
            return [*names]
        case DataType() if str(kind) == "symbol" and varied:
            return [*"abcd"]
        case GridOf() | ListOf() | TupleOf() | MapOf():
            value = _value(kind, least, board, 1, varied)
            return [] if value is None else [value]
        case DataType():
            return [str(least) if str(kind) == "int" else kind.example]
        case _:
            return []
