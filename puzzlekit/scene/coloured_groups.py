"""Groups of cells, and colours in which neighbours differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from zlib import crc32

from puzzlekit.scene.scene import PALETTE, CellPos, Piece, around


class Grouped(NamedTuple):
    """Cells that belong together, in order, with the key of their group and its name."""

    cells: tuple[CellPos, ...]
    key: Any
    name: str


def coloured(groups: Sequence[Grouped], names: Sequence[str] = ()) -> list[Piece]:
    """Return the groups as pieces with colours.

    A group prefers the colour of its name among all names, or, without a name, a colour that its
    cells determine. If that is used, it gets the next colour that no neighbour has, and that no
    group has if there are enough colours for all.

    Args:
        groups: The groups.
        names: All names that groups may have, also in other solutions.
    """
    neighbours = _neighbours(groups)
    colours: dict[int, int] = {}
    for number in _in_order(groups):
        rivals: Iterable[int] = neighbours[number]
        if len(groups) <= PALETTE:
            rivals = colours
        used = {colours[rival] for rival in rivals if rival in colours}
        preferred = _preferred_colour(groups[number], names)
        colours[number] = preferred
        for step in range(PALETTE):
            candidate = (preferred + step) % PALETTE
            if candidate not in used:
                colours[number] = candidate
                break
    pieces = []
    for number, group in enumerate(groups):
        colour = f"region {colours[number]}"
        pieces.append(Piece(group.cells, group.name, colour))
    return pieces


def _in_order(groups: Sequence[Grouped]) -> list[int]:
    """Return the numbers of the groups, in the order of their first cells."""

    def first_cell(number: int) -> CellPos:
        return min(groups[number].cells, default=(0, 0))

    return sorted(range(len(groups)), key=first_cell)


def _preferred_colour(group: Grouped, names: Sequence[str]) -> int:
    """Return the colour that the name of a group has, or, without one, its cells."""
    if group.name in names:
        return names.index(group.name) % PALETTE
    cells = repr(sorted(group.cells))
    return crc32(cells.encode()) % PALETTE


def _neighbours(groups: Sequence[Grouped]) -> list[set[int]]:
    """Return for each group the numbers of the groups that share or touch its cells."""
    owners: dict[CellPos, list[int]] = {}
    for number, group in enumerate(groups):
        for cell in group.cells:
            owners.setdefault(cell, []).append(number)
    neighbours: list[set[int]] = []
    for number, group in enumerate(groups):
        numbers = set[int]()
        for cell in group.cells:
            for adjacent in _cell_and_neighbours(cell):
                numbers.update(owners.get(adjacent, ()))
        neighbours.append(numbers - {number})
    return neighbours


def _cell_and_neighbours(cell: CellPos) -> tuple[CellPos, ...]:
    """Return a cell and those that share a side with it, as a square or as a hexagon."""
    row, column = cell
    upper_right = (row - 1, column + 1)
    lower_left = (row + 1, column - 1)
    return (cell, *around(cell), upper_right, lower_left)
