"""Groups of cells, and colours that tell neighbours apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from zlib import crc32

from puzzlekit.scene.scene import PALETTE, CellPos, Piece, around


class Grouped(NamedTuple):
    """Cells that belong together: in order, what they are, and their name."""

    cells: tuple[CellPos, ...]
    key: Any
    name: str


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
    owners: dict[CellPos, list[int]] = {}
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


def _near(cell: CellPos) -> tuple[CellPos, ...]:
    """Return a cell and those that share a side with it, as a square or as a hexagon."""
    row, column = cell
    return (cell, *around(cell), (row - 1, column + 1), (row + 1, column - 1))
