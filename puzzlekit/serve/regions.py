"""Regions that are drawn by their sides: what borders say of the labels of cells, and labels of
borders.
"""

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
        entry: What is entered, of the kind `sides`.
        family: The label of each cell.
        domains: The values of unknowns.
        sure: The labels that are known from the start.
    """

    def __init__(
        self,
        entry: Entry,
        family: VariableArray,
        domains: Mapping[Variable, Sequence[Value]],
        sure: Mapping[Variable, Value],
    ) -> None:
        self._labels: dict[CellPos, Variable] = {
            (cell.row, cell.column): label for cell, label in family.members.items()
        }
        self._sides = entry.positions
        self._sure = {
            variable: sure[variable] for variable in self._labels.values() if variable in sure
        }
        self._only = {
            variable: domains[variable][0]
            for variable in self._labels.values()
            if len(domains[variable]) == 1
        }
        labels = {value for variable in self._labels.values() for value in domains[variable]}
        self._anchored = labels == {*self._sure.values()}

    def read(self, held: Sequence[Any], crossed: Sequence[int]) -> dict[Variable, Value]:
        """Return the labels that follow from sides, of cells that go with those of one known label.

        Cells go together that crosses join. So do those of an area between borders, but only if a
        cell of each region is known: the others may else be a region whose border is not drawn.
        """
        groups = areas(
            self._labels, {side for number, side in enumerate(self._sides) if number not in crossed}
        )
        groups = [cells for cells in groups if len(cells) > 1]
        if self._anchored:
            groups += areas(self._labels, {side for side, token in zip(self._sides, held) if token})
        found: dict[Variable, Value] = {}
        for cells in groups:
            unknowns = [self._labels[cell] for cell in cells]
            labels = {self._sure[unknown] for unknown in unknowns if unknown in self._sure}
            if len(labels) == 1:
                found |= dict.fromkeys(unknowns, next(iter(labels)))
        return found

    def moves(
        self, new: Mapping[Variable, Value], known: Mapping[Variable, Value]
    ) -> Iterator[tuple[int, int]]:
        """Yield the places of sides at new labels, and 1 for a border, -1 where there is none.

        If nothing was known before, also those between unknowns with one value.
        """
        labels, plain = (
            {**self._only, **self._sure, **known, **new},
            set() if known else {*self._only},
        )
        for number, side in enumerate(self._sides):
            cells = cells_beside(side)
            if not all(cell in self._labels for cell in cells):
                continue
            one, other = both = [self._labels[cell] for cell in cells]
            if plain.issuperset(both) or (
                not new.keys().isdisjoint(both) and one in labels and other in labels
            ):
                yield number, 1 if labels[one] != labels[other] else -1
