"""Indexes, cells and values in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from puzzlekit.boards import CIRCLE, Cell, Cells, Corner, Side
from puzzlekit.lang import value_type
from puzzlekit.model import Value
from puzzlekit.scene import upper
from puzzlekit.sentences import Located, and_list, with_ranges

GROUP_TYPES = (tuple, frozenset, list)


def is_clue(value: Any) -> bool:
    """Return whether a value of the data can be said in a word."""
    if type(value) is int:
        return True
    if value is None or isinstance(value, bool | tuple | frozenset | list | Mapping):
        return False
    return value_text(value).isalnum()


def depth(value: Any) -> int:
    """Return 0 for a thing, 1 for a group of things, 2 for groups of groups and for mappings."""
    if isinstance(value, Mapping):
        return 2
    if not isinstance(value, GROUP_TYPES) or isinstance(value, Cell | Corner | Side):
        return 0
    has_groups = any(depth(member) > 0 for member in value)
    return 2 if has_groups else 1


def index_location(index: Any) -> Located:
    """Return where a thing is: `at r1c1`, `between r1c1 and r1c2`.

    Examples:
        >>> str(index_location(Cell(1, 2))), str(index_location((Cell(1, 2), Cell(1, 3))))
        ('at r1c2', 'between r1c2 and r1c3')
    """
    if not isinstance(index, Cells) and is_link(index):
        first, second = index
        return Located("", f"between {first} and {second}")
    return Located("at", place_text(index))


def is_link(index: Any) -> bool:
    """Return whether an index is a pair of cells or corners."""
    return isinstance(index, tuple) and len(index) == 2 and all(map(_is_point, index))


def _is_point(value: Any) -> bool:
    return isinstance(value, Cell | Corner)


def spaced(name: str) -> str:
    return name.replace("_", " ")


def value_text(value: Value) -> str:
    """Return a value of an unknown or a clue, as boards show it."""
    library_type = value_type(value)
    if library_type is not None and library_type.display is not None:
        return library_type.display(value)
    if value in CIRCLE:
        return spaced(str(value))
    if isinstance(value, str):
        return upper(value)
    if isinstance(value, bool):
        return str(value).lower()
    return place_text(value)


def place_text(value: Any) -> str:
    """Return a cell, a group of cells or another index in words.

    Examples:
        >>> place_text((Cell(3, 1), Cell(3, 2), Cell(3, 3)))
        'r3c1–r3c3'
    """
    if isinstance(value, Side):
        return f"the {value}"
    if isinstance(value, Cells) and value.label and not value.label.startswith("window"):
        return value.name_on_board or value.label
    if isinstance(value, Cell | Corner):
        return str(value)
    if isinstance(value, frozenset):
        return _group_text(tuple(sorted(value, key=str)))
    if isinstance(value, tuple | list):
        return _group_text(tuple(value))
    if isinstance(value, str) and len(value) == 1:
        return upper(value)  # as boards show a letter
    return str(value)


def _group_text(members: tuple[Any, ...]) -> str:
    """Return a group: of cells that are a rectangle, its corners."""
    if is_link(members):
        return f"{members[0]}–{members[1]}"
    if len(members) > 1 and all(isinstance(member, Cell) for member in members):
        rows = {cell.row for cell in members}
        columns = {cell.column for cell in members}
        first = Cell(min(rows), min(columns))
        last = Cell(max(rows), max(columns))
        height = last.row - first.row + 1
        width = last.column - first.column + 1
        if len({*members}) == len(members) == height * width:
            return f"{first}–{last}"
    texts = [place_text(member) for member in members]
    return and_list(with_ranges(texts) if cells_in(members) else texts)


def cells_in(value: Any) -> tuple[Cell, ...]:
    """Return the cells that an index or a value is about."""
    if isinstance(value, Cell):
        return (value,)
    if isinstance(value, Corner):
        return ()
    members = getattr(value, "cells", value)
    if isinstance(members, GROUP_TYPES):
        cells: dict[Cell, None] = {}
        for member in members:
            cells.update(dict.fromkeys(cells_in(member)))
        return tuple(cells)
    return ()


def are_beside(first: Cell, second: Cell) -> bool:
    """Return whether two cells share a side on a board of squares.

    Examples:
        >>> are_beside(Cell(1, 2), Cell(2, 2)), are_beside(Cell(1, 2), Cell(2, 3))
        (True, False)
    """
    down = abs(first.row - second.row)
    across = abs(first.column - second.column)
    return down + across == 1
