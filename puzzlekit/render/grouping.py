"""Groups of cells of a value: those of a label, of unknowns over groups, of rows of cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from puzzlekit.boards import Cell, Grid, Placement
from puzzlekit.lang.expressions.values import ExpressionError, VariableArray, display_text
from puzzlekit.scene import CellPos, Grouped, upper


def as_mapping(value: Any) -> Mapping[Any, Any] | None:
    """Return what a board, a family of unknowns or a mapping has at each of its keys."""
    if isinstance(value, Grid):
        return value.values
    if isinstance(value, VariableArray):
        return value.members
    return value if isinstance(value, Mapping) else None


def is_cell(value: Any) -> bool:
    """Return whether the value is a cell."""
    return isinstance(value, Cell)


def groups(value: Any, what: str) -> list[Grouped]:
    """Return the groups of cells of a value.

    It may be a label of each cell, groups of cells (the true ones of unknowns over groups), or a
    mapping of names to groups.

    Raises:
        ExpressionError: The value has no groups of cells. `what` names the layer.
    """
    found = as_mapping(value)
    if found and all(map(is_cell, found)):
        return _labelled(found)
    true = (
        [key for key, holds in found.items() if holds is not False and holds is not None]
        if found is not None
        else []
    )
    if found is not None and all(cells_of(key) is not None for key in true or found):
        return [_grouped(key) for key in true]
    if found is not None and all(cells_of(part) is not None for part in found.values()):
        return [Grouped(cells_of(part) or (), key, str(key)) for key, part in found.items()]
    if isinstance(value, tuple | frozenset) and all(cells_of(part) is not None for part in value):
        return [_grouped(part) for part in value]
    help = (
        "such as regions with regions: grid[symbol], board.regions, or unknowns over placements(…)"
    )
    raise ExpressionError(
        f"expected a label of each cell, or groups of cells, for {what}, got {display_text(value)}",
        help=help,
    )


def _labelled(labels: Mapping[Any, Any]) -> list[Grouped]:
    cells: dict[Any, list[CellPos]] = {}
    for cell, label in labels.items():
        if label is not None:
            cells.setdefault(label, []).append(cell)
    return [Grouped(tuple(own), label, upper(label)) for label, own in cells.items()]


def cells_of(group: Any) -> tuple[CellPos, ...] | None:
    """Return the cells of a group: of a placement, a tile, or a row of cells; None of others."""
    cells = getattr(group, "cells", None) if not isinstance(group, Grid) else None
    cells = group if cells is None else cells
    if isinstance(cells, tuple | frozenset) and not is_cell(cells) and all(map(is_cell, cells)):
        return tuple(cells)
    return None


def _grouped(group: Any) -> Grouped:
    name = str(group.piece) if isinstance(group, Placement) else ""
    return Grouped(cells_of(group) or (), group, name)
