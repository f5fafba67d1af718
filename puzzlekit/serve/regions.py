"""Regions that are drawn by their sides: what borders say of the labels of cells, and labels of borders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from puzzlekit.lang import Family
from puzzlekit.model import Value, Variable
from puzzlekit.play.entries import Entry
from puzzlekit.render.scene import At, centre


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
        self._labels = {centre((cell.row, cell.column)): variable for cell, variable in family.members.items()}
        self._sides = [(number, *_beside(place)) for number, place in enumerate(entry.places)]
        self._sure = {variable: sure[variable] for variable in self._labels.values() if variable in sure}
        labels = {value for variable in self._labels.values() for value in domains[variable]}
        self._anchored = labels == {*self._sure.values()}

    def read(self, held: Sequence[Any]) -> dict[Variable, Value]:
        """Return the labels that follow from borders: of the cells of an area that has those of one region.

        That is so only if a cell of each region is known: the others of an area may else be a region whose border is not drawn.
        """
        if not self._anchored:
            return {}
        beside: dict[At, list[At]] = {cell: [] for cell in self._labels}
        for number, one, other in self._sides:
            if not (number < len(held) and held[number]):
                beside[one].append(other)
                beside[other].append(one)
        found: dict[Variable, Value] = {}
        seen = set[At]()
        for first in beside:
            area = [] if first in seen else [first]
            for cell in area:
                area += [other for other in beside[cell] if other not in area]
            seen.update(area)
            labels = {self._sure[v] for cell in area if (v := self._labels[cell]) in self._sure}
            if len(labels) == 1:
                found |= dict.fromkeys((self._labels[cell] for cell in area), next(iter(labels)))
        return found

    def moves(self, new: Mapping[Variable, Value], known: Mapping[Variable, Value]) -> Iterator[tuple[int, int]]:
        """Yield the places of sides at new labels, and 1 for a border, -1 where there is none.

        If nothing was known before, the labels that are sure are new, too.
        """
        labels, fresh = {**self._sure, **known, **new}, {**new, **({} if known else self._sure)}
        for number, *cells in self._sides:
            one, other = (self._labels[cell] for cell in cells)
            if (one in fresh or other in fresh) and one in labels and other in labels:
                yield number, 1 if labels[one] != labels[other] else -1


def _beside(side: At) -> tuple[At, At]:
    """Return the cells on both sides."""
    y, x = side
    return ((y - 1, x), (y + 1, x)) if y % 2 else ((y, x - 1), (y, x + 1))
