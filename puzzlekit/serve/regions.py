"""Regions that are drawn by their sides: what borders say of the labels of cells, and labels of borders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from puzzlekit.lang import Family
from puzzlekit.model import Value, Variable
from puzzlekit.play.entries import Entry
from puzzlekit.render.scene import Point, areas, beside


class Regions:
    """The cells of a board and the labels of their regions.

    Args:
        entry: What is entered, of the kind `sides`.
        family: The label of each cell.
        domains: The values of unknowns.
        sure: The labels that are known from the start.
    """

    def __init__(
        self, entry: Entry, family: Family, domains: Mapping[Variable, Sequence[Value]], sure: Mapping[Variable, Value]
    ) -> None:
        self._labels: dict[Point, Variable] = {(cell.row, cell.column): label for cell, label in family.members.items()}
        self._sides = entry.places
        self._sure = {variable: sure[variable] for variable in self._labels.values() if variable in sure}
        labels = {value for variable in self._labels.values() for value in domains[variable]}
        self._anchored = labels == {*self._sure.values()}

    def read(self, held: Sequence[Any]) -> dict[Variable, Value]:
        """Return the labels that follow from borders: of the cells of an area that has those of one region.

        That is so only if a cell of each region is known: the others of an area may else be a region whose border is not drawn.
        """
        if not self._anchored:
            return {}
        borders = {side for side, token in zip(self._sides, held) if token}
        found: dict[Variable, Value] = {}
        for area in areas(self._labels, borders):
            unknowns = [self._labels[cell] for cell in area]
            labels = {self._sure[unknown] for unknown in unknowns if unknown in self._sure}
            if len(labels) == 1:
                found |= dict.fromkeys(unknowns, next(iter(labels)))
        return found

    def moves(self, new: Mapping[Variable, Value], known: Mapping[Variable, Value]) -> Iterator[tuple[int, int]]:
        """Yield the places of sides at new labels, and 1 for a border, -1 where there is none.

        If nothing was known before, the labels that are sure are new, too.
        """
        labels, fresh = {**self._sure, **known, **new}, {**new, **({} if known else self._sure)}
        for number, side in enumerate(self._sides):
            one, other = (self._labels.get(cell) for cell in beside(side))
            if (one in fresh or other in fresh) and one in labels and other in labels:
                yield number, 1 if labels[one] != labels[other] else -1
