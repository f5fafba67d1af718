"""Reads values of expressions as what layers draw: values of cells, links of places, groups of cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from puzzlekit.boards import Cell, Corner, Grid, Placement, Side
from puzzlekit.lang.expressions.values import ExpressionError, Family, shown, value_type
from puzzlekit.render.scene import FULL, PALETTE, At, Point, centre, corner, middle

Link = tuple[At, At]


def upper(value: Any) -> str:
    """Return a value as a cell shows it: a letter as a capital, if that has the same length."""
    text = str(value)
    return text.upper() if len(text) == 1 == len(text.upper()) else text


def cell_text(value: Any) -> str:
    """Return a value as text in a cell; empty for what is absent or false."""
    if value is None or value is False:
        return ""
    return "■" if value is True else upper(value)


def as_mapping(value: Any) -> Mapping[Any, Any] | None:
    """Return what a board, a family of unknowns or a mapping has at each of its keys."""
    if isinstance(value, Grid):
        return value.values
    if isinstance(value, Family):
        return value.members
    return value if isinstance(value, Mapping) else None


def by_pair(value: Any) -> Mapping[tuple[Any, Any], Any]:
    """Return what unknowns or a mapping have at each pair of keys, if these are not on a board; else nothing.

    A mapping of mappings has its values at pairs, too.
    """
    found = as_mapping(value)
    if not found or (isinstance(value, Family) and value.arity != 2):
        return {}
    if all(isinstance(inner, Mapping) and inner for inner in found.values()):
        found = {(key, other): what for key, inner in found.items() for other, what in inner.items()}
    return found if all(map(_is_named_pair, found)) else {}


def _is_named_pair(key: Any) -> bool:
    return type(key) is tuple and len(key) == 2 and not any(map(_on_board, key))


def _on_board(value: Any) -> bool:
    return isinstance(value, tuple | frozenset) or place_of(value) is not None or cells_of(value) is not None


def is_cell(value: Any) -> bool:
    """Return whether the value is a cell."""
    return isinstance(value, Cell)


def of_cells(value: Any, what: str) -> dict[Point, Any]:
    """Return the value of each cell: of a board, of unknowns over cells, or true for cells in a row.

    Raises:
        ExpressionError: The value has none. `what` names the layer in the message.
    """
    found = as_mapping(value)
    if found is None and isinstance(value, tuple | frozenset):
        found = dict.fromkeys(value, True)
    if found is None or not all(map(is_cell, found)):
        hint = "such as a board, unknowns over its cells, {c: … for c in board.cells}, or cells"
        raise ExpressionError(f"expected a value of each cell for {what}, got {shown(value)}", hint)
    return dict(found)


def tone(value: Any, categories: dict[Any, int]) -> str:
    """Return how a cell of this value is filled: with the colour of its type, or of its category."""
    if value is None or value is False:
        return ""
    if value is True:
        return FULL
    known = value_type(value)
    if known is not None and known.colour is not None:
        return known.colour(value)
    return f"region {categories.setdefault(value, len(categories)) % PALETTE}"


def place_of(value: Any) -> At | None:
    """Return the place of a cell, a corner, a side or a pair of neighbouring cells; None of others."""
    if isinstance(value, Cell):
        return centre(value)
    if isinstance(value, Corner):
        return corner((value.row, value.column), value.form)
    if isinstance(value, Side) or _is_pair(value):
        one, other = (place_of(end) for end in value)
        if one is not None and other is not None:
            return middle(one, other)
    return None


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(isinstance(end, Cell | Corner) for end in value)


def links(value: Any, what: str) -> tuple[dict[Link, int], bool]:
    """Return the number of lines of each link that has some, and whether corners are linked.

    Raises:
        ExpressionError: The value does not link cells or corners. `what` names the layer.
    """
    found = as_mapping(value)
    if found is None and isinstance(value, tuple | frozenset):
        found = dict.fromkeys(value, True)
    if found is None or not all(isinstance(key, Side) or _is_pair(key) for key in found):
        hint = "such as line with line[e]: bool for e in board.adjacent, or for e in board.edges"
        raise ExpressionError(f"expected pairs of cells or corners for {what}, got {shown(value)}", hint)
    counts: dict[Link, int] = {}
    for key, count in found.items():
        one, other = (place_of(end) for end in key)
        if one is not None and other is not None and isinstance(count, int) and count:
            counts[min(one, other), max(one, other)] = int(count)
    return counts, any(isinstance(end, Corner) for key in found for end in key)


def linked_places(value: Any) -> frozenset[At]:
    """Return all places that a value could link."""
    keys = as_mapping(value) or value
    return frozenset(place for key in keys for end in key if (place := place_of(end)) is not None)


class Grouped(NamedTuple):
    """Cells that belong together: in order, what they are, and their name."""

    cells: tuple[Point, ...]
    key: Any
    name: str


def groups(value: Any, what: str) -> list[Grouped]:
    """Return the groups of cells of a value.

    It may be a label of each cell, groups of cells (the true ones of unknowns over groups), or a
    mapping of names to groups.

    Raises:
        ExpressionError: The value has no groups of cells. `what` names the layer.
    """
    found = as_mapping(value)
    if found is not None and found and all(map(is_cell, found)):
        return _labelled(found)
    true = [key for key, holds in found.items() if holds is not False and holds is not None] if found is not None else []
    if found is not None and all(cells_of(key) is not None for key in true or found):
        return [_grouped(key) for key in true]
    if found is not None and all(cells_of(part) is not None for part in found.values()):
        return [Grouped(cells_of(part) or (), key, str(key)) for key, part in found.items()]
    if isinstance(value, tuple | frozenset) and all(cells_of(part) is not None for part in value):
        return [_grouped(part) for part in value]
    hint = "such as regions with regions: grid[symbol], board.regions, or unknowns over placements(…)"
    raise ExpressionError(f"expected a label of each cell, or groups of cells, for {what}, got {shown(value)}", hint)


def _labelled(labels: Mapping[Any, Any]) -> list[Grouped]:
    cells: dict[Any, list[Point]] = {}
    for cell, label in labels.items():
        if label is not None:
            cells.setdefault(label, []).append(cell)
    return [Grouped(tuple(own), label, upper(label)) for label, own in cells.items()]


def cells_of(group: Any) -> tuple[Point, ...] | None:
    """Return the cells of a group: of a placement, a tile, or a row of cells; None of others."""
    cells = getattr(group, "cells", None) if not isinstance(group, Grid) else None
    cells = group if cells is None else cells
    if isinstance(cells, tuple | frozenset) and not is_cell(cells) and all(map(is_cell, cells)):
        return tuple(cells)
    return None


def _grouped(group: Any) -> Grouped:
    name = str(group.piece) if isinstance(group, Placement) else ""
    return Grouped(cells_of(group) or (), group, name)


def texts_of(values: Mapping[Any, Any]) -> dict[Point, str]:
    """Return the texts of the cells that have some."""
    return {cell: text for cell, value in values.items() if (text := cell_text(value))}


def clue_rows(value: Any, what: str) -> list[tuple[str, ...]]:
    """Return clues of lines: one or several for each line, none where there is None.

    Raises:
        ExpressionError: The value is no row of clues. `what` names the layer.
    """
    found = as_mapping(value)
    rows = tuple(found.values()) if found is not None else value
    if not isinstance(rows, tuple | range):
        raise ExpressionError(
            f"expected a row of clues for {what}, got {shown(value)}", "such as rows with rows: list[int | None]"
        )
    return [tuple(_clues(clue)) for clue in rows]


def _clues(clue: Any) -> Iterable[str]:
    parts = clue if isinstance(clue, tuple | range) and not is_cell(clue) else (clue,)
    return (upper(part) for part in parts if part is not None)
