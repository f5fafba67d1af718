"""The corners and sides of the cells of a board."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from puzzlekit.boards.cells import Cell, Corner, Side
from puzzlekit.boards.lines import Lines
from puzzlekit.errors import InputError


class Sides(Lines):
    """The sides and corners of a board."""

    @cached_property
    def edges(self) -> tuple[Side, ...]:
        """The sides of all cells, each once, in the order of their corners."""
        return tuple(sorted({side for sides in self._sides_of.values() for side in sides}))

    @cached_property
    def corners(self) -> tuple[Corner, ...]:
        """The corners of all cells, each once, row by row."""
        return tuple(sorted(self._sides_at))

    def sides(self, place: Cell | Corner) -> tuple[Side, ...]:
        """The sides of a cell: top, right, bottom, left. Of a corner, the sides that meet there, in the same order.

        InputError where the board has no such cell or corner.
        """
        if isinstance(place, Corner):
            if place not in self._sides_at:
                raise InputError(f"this board has no corner {place}")
            return self._sides_at[place]
        return self._sides_of[self.on_board(place)]

    @cached_property
    def _sides_of(self) -> Mapping[Cell, tuple[Side, ...]]:
        return {cell: self._around_cell(cell) for cell in self.cells}

    def _around_cell(self, cell: Cell) -> tuple[Side, ...]:
        """The four sides; one is named after the cell that lies below or right of it, if there is one."""
        row, column = cell
        below, right = Cell(row + 1, column), Cell(row, column + 1)
        under, beside = Corner(row + 1, column), Corner(row, column + 1)
        return (
            Side(Corner(row, column), beside),
            Side(beside, Corner(row + 1, column + 1), "" if right in self.values else f"right of {cell}"),
            Side(under, Corner(row + 1, column + 1), "" if below in self.values else f"bottom of {cell}"),
            Side(Corner(row, column), under),
        )

    @cached_property
    def _sides_at(self) -> Mapping[Corner, tuple[Side, ...]]:
        found: dict[Corner, dict[int, Side]] = {}
        for side in self.edges:
            first, second = side
            across = first.row == second.row
            found.setdefault(first, {})[1 if across else 2] = side
            found.setdefault(second, {})[3 if across else 0] = side
        return {corner: tuple(side for _, side in sorted(sides.items())) for corner, sides in found.items()}
