"""Groups of cells of a value, and their colours: those of a label, of unknowns over groups, of rows of cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from puzzlekit.boards import Cell, Grid, Placement
from puzzlekit.lang.expressions.values import ExpressionError, Family, shown
from puzzlekit.render.scene import PALETTE, Piece, Point, around


def upper(value: Any) -> str:
    """Return a value as a cell shows it: a letter as a capital, if that has the same length; parts of a row side by side."""
    text = " ".join(map(upper, value)) if type(value) is tuple else str(value)
    return text.upper() if len(text) == 1 == len(text.upper()) else text


def as_mapping(value: Any) -> Mapping[Any, Any] | None:
    """Return what a board, a family of unknowns or a mapping has at each of its keys."""
    if isinstance(value, Grid):
        return value.values
    if isinstance(value, Family):
        return value.members
    return value if isinstance(value, Mapping) else None


def is_cell(value: Any) -> bool:
    """Return whether the value is a cell."""
    return isinstance(value, Cell)


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
        f"expected a label of each cell, or groups of cells, for {what}, got {shown(value)}",
        help=help,
    )


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


def coloured(groups: Sequence[Grouped], names: Sequence[str] = ()) -> list[Piece]:
    """Return the groups as pieces with colours.

    A group prefers the colour of its name among all names, or, without a name, one that its cells
    determine. It takes the next one that no neighbour has, and no other group if there are enough
    colours for all.

    Args:
        groups: The groups.
        names: All names that groups may have, also in other solutions.
    """
    order = {name: number for number, name in enumerate(names)}
    owners: dict[Point, list[int]] = {}
    for number, group in enumerate(groups):
        for cell in group.cells:
            owners.setdefault(cell, []).append(number)
    colours: dict[int, int] = {}
    for number, group in sorted(
        enumerate(groups), key=lambda item: min(item[1].cells, default=(0, 0))
    ):
        near = {
            other
            for cell in group.cells
            for beside in _near(cell)
            for other in owners.get(beside, ())
        } - {number}
        others = colours if len(groups) <= PALETTE else near
        taken = {colours[other] for other in others if other in colours}
        first = (
            order[group.name]
            if group.name in order
            else crc32(repr(sorted(group.cells)).encode()) % PALETTE
        )
        free = (
            colour % PALETTE
            for colour in range(first, first + PALETTE)
            if colour % PALETTE not in taken
        )
        colours[number] = next(free, first % PALETTE)
    return [
        Piece(group.cells, group.name, f"region {colours[number]}")
        for number, group in enumerate(groups)
    ]


def _near(cell: Point) -> tuple[Point, ...]:
    """Return a cell and those that share a side with it, as a square or as a hexagon."""
    row, column = cell
    return (cell, *around(cell), (row - 1, column + 1), (row + 1, column - 1))
