"""Regions that are drawn by their sides: labels of cells from borders, and borders from labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from puzzlekit.lang import VariableArray
from puzzlekit.model import Value, Variable
from puzzlekit.play.entries import Entry
from puzzlekit.scene import CellPos, areas, cells_beside


class Regions:
    """The cells of a board and the labels of their regions.

    Args:
        entry: What is entered, of the category `sides`.
        family: The label of each cell.
        domains: The values of unknowns.
        fixed: The labels that are known from the start.
    """

    def __init__(
        self,
        entry: Entry,
        family: VariableArray,
        domains: Mapping[Variable, Sequence[Value]],
        fixed: Mapping[Variable, Value],
    ) -> None:
        self._sides = entry.positions
        self._unknowns: dict[CellPos, Variable] = {}
        self._fixed: dict[Variable, Value] = {}
        self._single: dict[Variable, Value] = {}  # the values of unknowns that have one
        labels = set[Value]()
        for cell, unknown in family.members.items():
            self._unknowns[cell.row, cell.column] = unknown
            labels.update(domains[unknown])
            if unknown in fixed:
                self._fixed[unknown] = fixed[unknown]
            if len(domains[unknown]) == 1:
                self._single[unknown] = domains[unknown][0]
        self._anchored = labels == set(self._fixed.values())

    def read(self, tokens: Sequence[Any], crossed: Sequence[int]) -> dict[Variable, Value]:
        """Return the labels that follow from sides: those of cells that are joined with a label.

        Crosses join cells. Cells of an area between borders are joined, too, but only if a cell of
        each region is known: the others may else be a region whose border is not drawn.
        """
        borders = {side for number, side in enumerate(self._sides) if number not in crossed}
        groups = [cells for cells in areas(self._unknowns, borders) if len(cells) > 1]
        if self._anchored:
            entered = {side for side, token in zip(self._sides, tokens) if token}
            groups += areas(self._unknowns, entered)
        values: dict[Variable, Value] = {}
        for cells in groups:
            unknowns = [self._unknowns[cell] for cell in cells]
            labels = {self._fixed[unknown] for unknown in unknowns if unknown in self._fixed}
            if len(labels) == 1:
                values |= dict.fromkeys(unknowns, labels.pop())
        return values

    def moves(
        self, new: Mapping[Variable, Value], before: Mapping[Variable, Value]
    ) -> Iterator[tuple[int, int]]:
        """Yield the numbers of sides at new labels, and 1 for a border, -1 where there is none.

        If nothing was known before, also those between unknowns with one value.
        """
        labels = {**self._single, **self._fixed, **before, **new}
        plain = set() if before else set(self._single)
        for number, side in enumerate(self._sides):
            cells = cells_beside(side)
            if not all(cell in self._unknowns for cell in cells):
                continue
            first, second = [self._unknowns[cell] for cell in cells]
            is_plain = first in plain and second in plain
            is_new = first in new or second in new
            if is_plain or (is_new and first in labels and second in labels):
                yield number, 1 if labels[first] != labels[second] else -1
