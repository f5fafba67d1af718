"""The groups of cells of a value: of labels, of unknowns over groups, or of rows of cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from puzzlekit.boards import Cell, Grid, Placement
from puzzlekit.lang import ExpressionError, VariableArray, display_text
from puzzlekit.scene import CellPos, Grouped, upper


def as_mapping(value: Any) -> Mapping[Any, Any] | None:
    """Return a board, a family of unknowns or a mapping as a mapping of its keys; else None."""
    if isinstance(value, Grid):
        return value.values
    if isinstance(value, VariableArray):
        return value.members
    return value if isinstance(value, Mapping) else None


def is_cell(value: Any) -> bool:
    """Return whether the value is a cell."""
    return isinstance(value, Cell)


def groups(value: Any, layer: str) -> list[Grouped]:
    """Return the groups of cells of a value.

    It may be a label of each cell, groups of cells (the true ones of unknowns over groups), or a
    mapping of names to groups.

    Raises:
        ExpressionError: The value has no groups of cells. `layer` names the layer.
    """
    mapping = as_mapping(value)
    cell_groups = _mapped_groups(mapping) if mapping is not None else None
    if cell_groups is None and isinstance(value, tuple | frozenset) and _are_groups(value):
        cell_groups = list(map(_grouped, value))
    if cell_groups is None:
        text = display_text(value)
        raise ExpressionError(
            f"expected a label of each cell, or groups of cells, for {layer}, got {text}",
            help="such as regions with regions: grid[symbol], board.regions, or unknowns over "
            "placements(…)",
        )
    return cell_groups


def _mapped_groups(mapping: Mapping[Any, Any]) -> list[Grouped] | None:
    """Return the groups of a mapping from cells or groups, or of names to groups; else None."""
    if mapping and all(map(is_cell, mapping)):
        return _labelled(mapping)
    selected = [key for key, content in mapping.items() if _is_selected(content)]
    if _are_groups(selected or mapping):
        return list(map(_grouped, selected))
    if _are_groups(mapping.values()):
        return [Grouped(cells_of(row) or (), key, str(key)) for key, row in mapping.items()]
    return None


def _is_selected(content: Any) -> bool:
    return content is not None and content is not False


def _are_groups(values: Iterable[Any]) -> bool:
    return all(cells_of(group) is not None for group in values)


def _labelled(labels: Mapping[Any, Any]) -> list[Grouped]:
    cells_by_label: dict[Any, list[CellPos]] = {}
    for cell, label in labels.items():
        if label is not None:
            cells_by_label.setdefault(label, []).append(cell)
    return [Grouped(tuple(cells), label, upper(label)) for label, cells in cells_by_label.items()]


def cells_of(group: Any) -> tuple[CellPos, ...] | None:
    """Return the cells of a group: of a placement, a tile, or a row of cells; None of others."""
    cells = group
    if not isinstance(group, Grid):
        members = getattr(group, "cells", None)
        cells = group if members is None else members
    if is_cell(cells) or not isinstance(cells, tuple | frozenset):
        return None
    return tuple(cells) if all(map(is_cell, cells)) else None


def _grouped(group: Any) -> Grouped:
    name = str(group.piece) if isinstance(group, Placement) else ""
    return Grouped(cells_of(group) or (), group, name)
