"""The board of a link: its cells, edges and regions, and the parts of fields that belong to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from puzzlekit.boards import Cell
from puzzlekit.errors import InputError
from puzzlekit.lang.data.collections import GridOf, ListOf
from puzzlekit.lang.data.scalars import DataType, OptionalType
from puzzlekit.links.form import HOLES
from puzzlekit.model.graphs import connected_components

BoardIndex = tuple[
    int, int
]  # a row and a column from 0; of a list, a line and the number of its value
LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def label_of(number: int) -> str:
    """Return the label of a region, a cage or a piece, counted from 0: one character, or a number
    for the later ones.
    """
    return LABELS[number] if number < len(LABELS) else str(number + 1)


@dataclass
class Board:
    """The board of a link.

    Attributes:
        width: Its width in cells.
        height: Its height in cells.
        data: The values of the fields of a puzzle that is written.
        parts: The texts that a link gives to the parts of fields.
        values: The values that a link gives to whole fields.
        holes: The cells that are not on the board.
        walls: The pairs of neighbours with a border between them, if a layer has borders.
        regions: The number of each cell's region, if a layer has them.
        of_regions: The texts that a link gives to fields by the label of a region, each at the
            first cell of it.
        label_of: The label of each region of a puzzle that is written.
    """

    width: int
    height: int
    data: Mapping[str, Any] = field(default_factory=dict)
    parts: dict[str, dict[BoardIndex, str | None]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    values: dict[str, Any] = field(default_factory=dict)
    holes: set[BoardIndex] = field(default_factory=set)
    walls: set[tuple[BoardIndex, BoardIndex]] = field(default_factory=set)
    regions: dict[BoardIndex, int] = field(default_factory=dict)
    of_regions: dict[str, dict[BoardIndex, str]] = field(default_factory=dict)
    label_of: dict[int, Any] = field(default_factory=dict)

    def cells(self, more: int = 0) -> list[BoardIndex]:
        """Return the places of a board that has so many more rows and columns."""
        return [(r, c) for r in range(self.height + more) for c in range(self.width + more)]

    @property
    def first_cells(self) -> list[BoardIndex]:
        """The first cell of each region, in reading order."""
        found: dict[int, BoardIndex] = {}
        for place in self.cells():
            found.setdefault(self.regions[place], place)
        return list(found.values())

    def edges(self) -> list[tuple[BoardIndex, BoardIndex]]:
        """Return the pairs of neighbours: those in a row, row by row, then those between rows."""
        across = [((r, c), (r, c + 1)) for r in range(self.height) for c in range(self.width - 1)]
        return [
            *across,
            *(((r, c), (r + 1, c)) for r in range(self.height - 1) for c in range(self.width)),
        ]

    def regions_of(self, joins: Iterable[tuple[BoardIndex, BoardIndex]]) -> dict[BoardIndex, int]:
        """Return the number of each cell's region, counted in reading order, where pairs of cells
        are joined.
        """
        cells = self.cells()
        numbers = {place: number for number, place in enumerate(cells)}
        found = connected_components(
            range(len(cells)), ((numbers[one], numbers[other]) for one, other in joins)
        )
        return {cells[place]: number for number, piece in enumerate(found) for place in piece}

    def find_regions(self) -> None:
        """Find the regions that the walls and the holes separate."""
        holes, walls = self.holes, self.walls
        self.regions = self.regions_of(
            pair for pair in self.edges() if pair not in walls and holes.isdisjoint(pair)
        )

    def inner_walls(self, free: Collection[BoardIndex] = ()) -> list[str]:
        """Return the walls between cells of one region, as texts; cells that are free belong to
        none.
        """
        inner = (
            pair
            for pair in self.edges()
            if pair in self.walls and self.regions[pair[0]] == self.regions[pair[1]]
        )
        return [
            f"a wall between {cell_at(one)} and {cell_at(two)}"
            for one, two in inner
            if {one, two}.isdisjoint(free)
        ]

    def given(self, name: str, place: BoardIndex) -> Any:
        """Return the text of a cell of a puzzle, or its parts; None if it is blank, `_` if there is
        none.
        """
        board = self.data[name]
        value = None if board is None else board.values.get(cell_at(place), HOLES)
        return value if isinstance(value, tuple) else written(value)

    def number_regions(self, name: str) -> None:
        """Number the regions of a puzzle by the labels of a board. Raises InputError if the cells
        of one are not connected.
        """
        labels: dict[str, int] = {}
        for number, place in enumerate(self.cells()):
            label = self.given(name, place)
            alone = label is None or label == HOLES
            self.regions[place] = (
                -1 - number if alone else labels.setdefault(str(label), len(labels))
            )
        joined = self.regions_of(
            pair for pair in self.edges() if self.regions[pair[0]] == self.regions[pair[1]]
        )
        if len(set(joined.values())) > len(set(self.regions.values())):
            raise InputError(
                f"a link cannot carry a region of {name} whose cells are not connected"
            )
        self.label_of = {number: self.given(name, place) for place, number in self.regions.items()}

    def labels(self, free: Collection[BoardIndex]) -> dict[BoardIndex, str | None]:
        """Return a label for each cell that is not free and no hole: that of its region."""
        inside = [place for place in self.cells() if place not in free and place not in self.holes]
        numbers: dict[int, int] = {}
        for place in inside:
            numbers.setdefault(self.regions[place], len(numbers))
        return {
            **dict.fromkeys(self.cells()),
            **{place: label_of(numbers[self.regions[place]]) for place in inside},
        }

    def plain(self, name: str, kind: DataType, blank: str) -> Any:
        """Return the parts of a field as a plain value: rows of a board, or a line or lines, where
        `blank` is an empty one.
        """
        parts = self.parts[name]
        if isinstance(kind, GridOf):
            return _rows(
                {place: HOLES if place in self.holes else text for place, text in parts.items()}
            )
        if not has_runs(kind):
            return " ".join("." if text is None else text for text in parts.values())
        lines: dict[int, list[str]] = {}
        for (line, _), text in sorted(parts.items()):
            lines.setdefault(line, []).extend([] if text is None else [text])
        return [" ".join(line) or blank for line in lines.values()]


def cell_at(place: BoardIndex) -> Cell:
    """Return the cell at a place."""
    return Cell(place[0] + 1, place[1] + 1)


def written(value: Any) -> str | None:
    """Return a part of a field as a spec writes it; None for a blank."""
    if isinstance(value, tuple):
        return "\\".join("" if part is None else str(part) for part in value)
    return None if value is None else str(value)


def has_runs(kind: object) -> bool:
    """Return whether a field has several values at each line."""
    item = kind.item if isinstance(kind, ListOf) else None
    return isinstance(item.item if isinstance(item, OptionalType) else item, ListOf)


def _rows(parts: dict[BoardIndex, str | None]) -> list[str]:
    """Return the rows of a board as text: the cells side by side, or in columns."""
    rows: dict[int, list[str]] = {}
    for (row, _), text in sorted(parts.items(), key=lambda part: part[0]):
        rows.setdefault(row, []).append("." if text is None else text)
    if all(len(text) == 1 for row in rows.values() for text in row):
        return ["".join(row) for row in rows.values()]
    wide = [max(map(len, column)) for column in zip(*rows.values())]
    end = " _" if len(wide) == 1 else ""  # one column alone would be read character by character
    return [
        " ".join(text.ljust(width) for text, width in zip(row, wide)).rstrip() + end
        for row in rows.values()
    ]
