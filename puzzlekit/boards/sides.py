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
        """The four sides of each cell; one is named after the cell that lies below or right of it, if there is one."""
        tops, lefts = {}, {}
        for row, column in self.cells:
            start = Corner(row, column)
            tops[row, column] = Side(start, Corner(row, column + 1))
            lefts[row, column] = Side(start, Corner(row + 1, column))
        found = {}
        for cell in self.cells:
            row, column = cell
            right, below = lefts.get((row, column + 1)), tops.get((row + 1, column))
            if right is None:
                right = Side(Corner(row, column + 1), Corner(row + 1, column + 1), f"right of {cell}")
            if below is None:
                below = Side(Corner(row + 1, column), Corner(row + 1, column + 1), f"bottom of {cell}")
            found[cell] = (tops[cell], right, below, lefts[cell])
        return found

    @cached_property
    def _sides_at(self) -> Mapping[Corner, tuple[Side, ...]]:
        found: dict[Corner, dict[int, Side]] = {}
        for side in self.edges:
            first, second = side
            across = first.row == second.row
            found.setdefault(first, {})[1 if across else 2] = side
            found.setdefault(second, {})[3 if across else 0] = side
        return {corner: tuple(side for _, side in sorted(sides.items())) for corner, sides in found.items()}
