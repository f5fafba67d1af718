"""Values of puzzles and solutions: as plain data, compared with a spec, and tested for equality."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

from puzzlekit.boards import Cell, Corner, Grid, Placement, Shape, rows_over
from puzzlekit.lang import DataValue, Instance, VariableArray, value_type

JsonValue: TypeAlias = Any
"""Plain data, as JSON has them: None, a bool, an int, a str, a list of them, or a dict by text."""


def python_value(value: DataValue) -> JsonValue:
    """Convert a value for Python programs: like `plain`, but boards of numbers as rows of numbers.

    Examples:
        >>> board = Grid.of_rows([[1, 2], [None, 4]])
        >>> python_value(board), plain(board)
        ([[1, 2], [None, 4]], ['12', '.4'])
    """
    if is_library_value(value):
        return value.as_data()
    members: Mapping[Any, DataValue] = {}
    if isinstance(value, Grid):
        members = value.values
    elif isinstance(value, VariableArray):
        members = value.members
    if members and all(isinstance(cell, Cell) for cell in members):
        numbers = [number for number in members.values() if number is not None]
        if numbers and all(type(number) is int for number in numbers):
            return rows_over(members, None)
    return plain(value)


def plain(value: DataValue) -> JsonValue:
    """Convert a value to JSON data.

    A board is a list of strings, one per row, with `.` for a hole. If a value is longer than one
    character, the board is a list of lists, with None for a hole. A family of Boolean unknowns that
    are not the cells of a board is the list of the indices that are true.

    Examples:
        >>> plain(Grid.of_rows(["ab", ".c"])), plain((Cell(1, 2), True))
        (['ab', '.c'], ['r1c2', True])
    """
    library_type = value_type(value)
    if library_type is not None and library_type.json is not None:
        return library_type.json(value)
    match value:
        case VariableArray():
            return _plain_family(value)
        case Grid():
            return _plain_board(value.values)
        case Placement():
            cells = [str(cell) for cell in value.cells]
            return {"piece": plain(value.piece), "cells": cells}
        case Cell() | Corner() | Shape():
            return str(value)
        case None | bool() | int() | str():
            return value
        case Mapping():
            return {str(key): plain(member) for key, member in value.items()}
        case tuple() | list() | set() | frozenset() | range():
            return [plain(member) for member in value]
        case _:
            return str(value)


def _plain_family(family: VariableArray) -> JsonValue:
    members = family.members
    if family.arity == 0:
        return plain(members[()])
    if family.over_cells():
        return _plain_board(members)
    if all(isinstance(value, bool) for value in members.values()):
        return [plain(index) for index, value in members.items() if value]
    if list(members) == list(range(len(members))):
        return [plain(value) for value in members.values()]
    return {str(index): plain(value) for index, value in members.items()}


def _plain_board(values: Mapping[Cell, DataValue]) -> list[JsonValue]:
    rows = rows_over({cell: _symbol(value) for cell, value in values.items()}, ".")
    fits_in_text = all(len(str(symbol)) == 1 for row in rows for symbol in row)
    if fits_in_text:
        return ["".join(map(str, row)) for row in rows]
    return [[None if symbol == "." else symbol for symbol in row] for row in rows]


def _symbol(value: DataValue) -> JsonValue:
    if value is None:
        return "."
    if isinstance(value, bool):
        return "#" if value else "-"
    return plain(value)


def matches(expected: JsonValue, actual: JsonValue) -> bool:
    """Whether plain data equals what a spec expects.

    The scalars of a spec are text, so values are compared as text. A board may be one block of
    text, its cells may be separated by blanks, and a hole may be `_` as well as `.`.

    Examples:
        >>> matches("ab\\n.c\\n", ["ab", ".c"]), matches(["1", "2"], [1, 2])
        (True, True)
        >>> matches("a _\\nb c", ["a.", "bc"])
        True
    """
    if isinstance(actual, Mapping):
        return isinstance(expected, Mapping) and _matches_members(expected, actual)
    if isinstance(actual, Sequence) and not isinstance(actual, str):
        rows = rows_of(expected)
        return len(rows) == len(actual) and all(map(_matches_row, rows, actual))
    text = str(actual).lower() if isinstance(actual, bool) else str(actual)
    return str(expected) == text


def _matches_members(expected: Mapping[str, JsonValue], actual: Mapping[str, JsonValue]) -> bool:
    """Whether a mapping has all expected members; it may have others."""
    if expected.keys() - actual.keys():
        return False
    return all(matches(member, actual[key]) for key, member in expected.items())


def rows_of(expected: JsonValue) -> Sequence[JsonValue]:
    """Return what a spec expects as rows.

    The rows of a text are its lines. A line with blanks is split into its cells.
    """
    if isinstance(expected, str):
        return [_cells_of(line) for line in expected.split("\n") if line.strip()]
    return expected if isinstance(expected, Sequence) else ()


def _cells_of(line: str) -> list[str] | str:
    cells = line.split()
    return cells if len(cells) > 1 else line.strip()


def _matches_row(expected: JsonValue, actual: JsonValue) -> bool:
    if actual is None and expected in ("_", "."):
        return True
    if not isinstance(actual, str):
        return matches(expected, actual)
    if str(expected) == actual:
        return True
    cells = expected if isinstance(expected, list) else str(expected)
    return len(cells) == len(actual) and all(map(_matches_cell, cells, actual))


def _matches_cell(expected: JsonValue, actual: str) -> bool:
    return bool(expected == actual) or (expected, actual) == ("_", ".")


# Equality -----------------------------------------------------------------------------------------


@runtime_checkable
class LibraryValue(Protocol):
    """A value that is equal only to itself, but can be compared by its data."""

    def same_as(self, peer: object) -> bool:
        """Whether another value has the same data."""

    def as_data(self) -> JsonValue:
        """The value as a spec writes it, as plain Python values."""


def is_library_value(value: Any) -> TypeGuard[LibraryValue]:
    class_: type = type(value)
    return _is_library_type(class_)


@lru_cache(maxsize=1000)  # this is slow for a protocol, and needed for each value of a solution
def _is_library_type(class_: type) -> bool:
    return issubclass(class_, LibraryValue)


def same_puzzle(first: Instance, second: Instance) -> bool:
    """Whether two puzzles have types with the same text, and the same data."""
    if first is second:
        return True
    if first.type.source.text != second.type.source.text:
        return False
    if first.data.keys() != second.data.keys():
        return False
    return all(_same(field, second.data[name]) for name, field in first.data.items())


def _same(first: Any, second: Any) -> bool:
    """Whether two values of a field are the same."""
    if is_library_value(first):
        return first.same_as(second)
    return bool(type(first) is type(second) and first == second)


def puzzle_hash(instance: Instance) -> int:
    """Return a hash of the type's text and the sizes of the data, equal for equal puzzles."""
    sizes = tuple(
        len(field) if hasattr(field, "__len__") else field for field in instance.data.values()
    )
    return hash((instance.type.source.text, sizes))
