"""Places and values in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from puzzlekit.boards import Cell, Cells, Corner, Side
from puzzlekit.lang.expressions.values import value_type
from puzzlekit.model import Value
from puzzlekit.scene import upper
from puzzlekit.sentences.formatting import Located, and_list


def is_clue(value: Any) -> bool:
    """Return whether a value of the data can be said in a word."""
    group = isinstance(value, bool | tuple | frozenset | list | Mapping)
    return type(value) is int or (not group and value is not None and value_text(value).isalnum())


def depth(value: Any) -> int:
    """Return 0 for a thing, 1 for a group of things, and 2 for groups of groups, and for mappings."""
    if isinstance(value, Mapping):
        return 2
    if not isinstance(value, tuple | frozenset | list) or isinstance(value, Cell | Corner | Side):
        return 0
    return 1 + max((min(1, depth(part)) for part in value), default=0)


def where(index: Any) -> Located:
    """Return where a thing is: `at r1c1`, `between r1c1 and r1c2`, `on the left of r1c1`."""
    if isinstance(index, Side):
        return _at_side(index)
    if isinstance(index, tuple) and len(index) == 2:
        first, second = index
        if isinstance(first, Cell | Corner) and isinstance(second, Cell | Corner):
            return Located("", f"between {first} and {second}")
    return Located("at", place_text(index))


def _at_side(side: Side) -> Located:
    """Return where a side is, such as `on the left of r1c1`."""
    preposition = "on" if side.direction in ("left", "right") else "at"
    return Located(f"{preposition} the {side.direction} of", str(side.cell))


def spaced(name: str) -> str:
    return name.replace("_", " ")


def value_text(value: Value) -> str:
    """Return a value of an unknown or a clue, as boards show it."""
    known = value_type(value)
    if known is not None and known.display is not None:
        return known.display(value)
    if isinstance(value, bool | str):
        return upper(value) if isinstance(value, str) else str(value).lower()
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
        return value.label
    if isinstance(value, Cell | Corner):
        return str(value)
    if isinstance(value, tuple | frozenset | list):
        return _group_text(tuple(sorted(value, key=str) if isinstance(value, frozenset) else value))
    return str(value)


def _group_text(parts: tuple[Any, ...]) -> str:
    """Return a group: of cells that are a rectangle, its corners."""
    if len(parts) == 2 and all(isinstance(part, Cell | Corner) for part in parts):
        return f"{parts[0]}–{parts[1]}"
    if len(parts) > 1 and all(isinstance(part, Cell) for part in parts):
        rows, columns = {cell.row for cell in parts}, {cell.column for cell in parts}
        high, wide = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
        if len({*parts}) == len(parts) == high * wide:
            return f"{Cell(min(rows), min(columns))}–{Cell(max(rows), max(columns))}"
    return and_list([place_text(part) for part in parts])


def cells_in(value: Any) -> tuple[Cell, ...]:
    """Return the cells that an index or a value is about."""
    if isinstance(value, Cell):
        return (value,)
    if isinstance(value, Corner):
        return ()
    inner = getattr(value, "cells", value)
    if isinstance(inner, tuple | frozenset | list):
        return tuple(dict.fromkeys(cell for part in inner for cell in cells_in(part)))
    return ()
