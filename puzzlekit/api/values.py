"""Values of puzzles and solutions: as plain data, compared with what a spec expects, and equal or
not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

from puzzlekit.boards import Cell, Corner, Grid, Placement, Shape, rows_over
from puzzlekit.lang import Instance, VariableArray
from puzzlekit.lang.aliases import DataValue
from puzzlekit.lang.expressions.values import value_type

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
    values = (
        value.values
        if isinstance(value, Grid)
        else value.members
        if isinstance(value, VariableArray)
        else {}
    )
    if values and all(isinstance(cell, Cell) for cell in values):
        numbers = [item for item in values.values() if item is not None]
        if numbers and all(type(item) is int for item in numbers):
            return rows_over(values, None)
    return plain(value)


def plain(value: DataValue) -> JsonValue:
    """Convert a value to JSON data.

    A board is a list of strings, one per row, with `.` for a hole. If a value is longer than one
    character, it is a list of lists, with None for a hole. A family of Boolean unknowns that are
    not the cells of a board is the list of the indices that are true.

    Examples:
        >>> plain(Grid.of_rows(["ab", ".c"])), plain((Cell(1, 2), True))
        (['ab', '.c'], ['r1c2', True])
    """
    known = value_type(value)
    if known is not None and known.json is not None:
        return known.json(value)
    match value:
        case VariableArray():
            return _plain_family(value)
        case Grid():
            return _plain_board(value.values)
        case Placement():
            return {"piece": plain(value.piece), "cells": [str(cell) for cell in value.cells]}
        case Cell() | Corner() | Shape():
            return str(value)
        case None | bool() | int() | str():
            return value
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case tuple() | list() | set() | frozenset() | range():
            return [plain(item) for item in value]
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


def matches(expected: JsonValue, found: JsonValue) -> bool:
    """Whether plain data equals what a spec expects.

    The scalars of a spec are text, so values are compared as text. A board may be one block of
    text, its cells may be separated by blanks, and a hole may be `_` as well as `.`.

    Examples:
        >>> matches("ab\\n.c\\n", ["ab", ".c"]), matches(["1", "2"], [1, 2]), matches("a _\\nb c", ["a.", "bc"])
        (True, True, True)
    """
    if isinstance(found, Mapping):
        return isinstance(expected, Mapping) and all(
            k in found and matches(v, found[k]) for k, v in expected.items()
        )
    if isinstance(found, Sequence) and not isinstance(found, str):
        rows = rows_of(expected)
        return len(rows) == len(found) and all(map(_matches_row, rows, found))
    return str(expected) == ("true" if found is True else "false" if found is False else str(found))


def rows_of(expected: JsonValue) -> Sequence[JsonValue]:
    """What a spec expects as rows: of a text, its lines, each split at blanks if it has some."""
    if isinstance(expected, str):
        return [
            line.split() if line.split()[1:] else line.strip()
            for line in expected.split("\n")
            if line.strip()
        ]
    return expected if isinstance(expected, Sequence) else ()


def _matches_row(expected: JsonValue, found: JsonValue) -> bool:
    if found is None and expected in ("_", "."):
        return True
    if not isinstance(found, str):
        return matches(expected, found)
    cells = expected if isinstance(expected, list) else str(expected)
    return str(expected) == found or (
        len(cells) == len(found)
        and all(a == b or (a, b) == ("_", ".") for a, b in zip(cells, found))
    )


# Equality -----------------------------------------------------------------------------------------


@runtime_checkable
class LibraryValue(Protocol):
    """A value that is equal only to itself, but can be compared by its data."""

    def same_as(self, other: object) -> bool:
        """Whether another value has the same data."""

    def as_data(self) -> JsonValue:
        """The value as a spec writes it, as plain Python values."""


def is_library_value(value: Any) -> TypeGuard[LibraryValue]:
    kind: type = type(value)
    return _is_library_type(kind)


@lru_cache(maxsize=1000)
def _is_library_type(kind: type) -> bool:
    return issubclass(
        kind, LibraryValue
    )  # slow for a protocol, and asked of each value of a solution


def same_puzzle(one: Instance, other: Instance) -> bool:
    """Whether two puzzles have types with the same text, and the same data."""
    return one is other or (
        one.type.source.text == other.type.source.text
        and one.data.keys() == other.data.keys()
        and all(_same(value, other.data[name]) for name, value in one.data.items())
    )


def _same(one: Any, other: Any) -> bool:
    """Whether two values of a field are the same."""
    if is_library_value(one):
        return one.same_as(other)
    return bool(type(one) is type(other) and one == other)


def puzzle_hash(instance: Instance) -> int:
    """A hash of the type's text and the sizes of the data, equal for equal puzzles."""
    sizes = tuple(
        len(value) if hasattr(value, "__len__") else value for value in instance.data.values()
    )
    return hash((instance.type.source.text, sizes))
