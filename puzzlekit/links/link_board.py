"""The board of a link: its cells, edges and regions, and the texts of the fields' elements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

from puzzlekit.boards import Cell
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.lang import DataType, GridOf, ListOf, OptionalType
from puzzlekit.links.link_format import HOLES
from puzzlekit.model import connected_components

# a row and a column from 0; of a list, a line and the number of its value
BoardIndex = tuple[int, int]
Edge = tuple[BoardIndex, BoardIndex]  # between neighbours
LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def label_of(number: int) -> str:
    """Return the label of a region, a cage or a piece, counted from 0: one character, or a number
    for the later ones.
    """
    if number < len(LABELS):
        return LABELS[number]
    return str(number + 1)


@dataclass
class Board:
    """The board of a link.

    Attributes:
        width: Its width in cells.
        height: Its height in cells.
        data: The values of the fields of a puzzle that is written.
        texts: The texts that a link gives to the elements of fields.
        values: The values that a link gives to entire fields.
        holes: The cells that are not on the board.
        walls: The pairs of neighbours with a border between them, if a layer has borders.
        regions: The number of each cell's region, if a layer has them.
        of_regions: The texts that a link gives to fields by the label of a region, each at the
            first cell of it.
        label_of: The label of each region of a puzzle that is written.
        exits: The column and the row, from 0, at whose end a line leaves the board; -1 if a layer
            has no such ways.
    """

    width: int
    height: int
    data: Mapping[str, Any] = field(default_factory=dict)
    texts: dict[str, dict[BoardIndex, str | None]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    values: dict[str, Any] = field(default_factory=dict)
    holes: set[BoardIndex] = field(default_factory=set)
    walls: set[Edge] = field(default_factory=set)
    regions: dict[BoardIndex, int] = field(default_factory=dict)
    of_regions: dict[str, dict[BoardIndex, str]] = field(default_factory=dict)
    label_of: dict[int, Any] = field(default_factory=dict)
    exits: tuple[int, int] = (-1, -1)

    def cells(self, extra: int = 0) -> list[BoardIndex]:
        """Return the cells of a board that has so many more rows and columns."""
        return list(_rectangle(self.height + extra, self.width + extra))

    @property
    def first_cells(self) -> list[BoardIndex]:
        """The first cell of each region, in reading order."""
        first: dict[int, BoardIndex] = {}
        for cell in self.cells():
            first.setdefault(self.regions[cell], cell)
        return list(first.values())

    def edges(self) -> list[Edge]:
        """Return the pairs of neighbours: those in a row, row by row, then those between rows."""
        return list(self._edges())

    def _edges(self) -> Iterator[Edge]:
        for row, column in _rectangle(self.height, self.width - 1):
            yield (row, column), (row, column + 1)
        for row, column in _rectangle(self.height - 1, self.width):
            yield (row, column), (row + 1, column)

    def regions_of(self, joins: Iterable[Edge]) -> dict[BoardIndex, int]:
        """Return the number of each cell's region, counted in reading order, where pairs of cells
        are joined.
        """
        cells = self.cells()
        numbers = {cell: number for number, cell in enumerate(cells)}
        joined = [(numbers[first], numbers[second]) for first, second in joins]
        regions: dict[BoardIndex, int] = {}
        for region, members in enumerate(connected_components(range(len(cells)), joined)):
            for member in members:
                regions[cells[member]] = region
        return regions

    def find_regions(self) -> None:
        """Find the regions that the walls and the holes separate."""
        self.regions = self.regions_of(filter(self._is_open, self._edges()))

    def _is_open(self, edge: Edge) -> bool:
        """Return whether neither a wall nor a hole separates two cells."""
        return edge not in self.walls and self.holes.isdisjoint(edge)

    def _is_inside(self, edge: Edge) -> bool:
        """Return whether the two cells belong to one region."""
        first, second = edge
        return self.regions[first] == self.regions[second]

    def inner_walls(self, free: Collection[BoardIndex] = ()) -> list[str]:
        """Return the walls between cells of one region, as texts; cells that are free belong to
        none.
        """
        texts = []
        for edge in filter(self._is_inside, self.edges()):
            if edge in self.walls and set(edge).isdisjoint(free):
                first, second = map(cell_at, edge)
                texts.append(f"a wall between {first} and {second}")
        return texts

    def text_at(self, name: str, index: BoardIndex) -> Any:
        """Return the text of a cell of a puzzle, or its parts; None if it is blank, `_` if there is
        none.
        """
        board = self.data[name]
        if board is None:
            return None
        value = board.values.get(cell_at(index), HOLES)
        return value if isinstance(value, tuple) else written(value)

    def number_regions(self, name: str) -> None:
        """Number the regions of a puzzle by the labels of a board. Raises InputError if the cells
        of one are not connected.
        """
        numbers: dict[str, int] = {}
        for index, cell in enumerate(self.cells()):
            label = self.text_at(name, cell)
            if label is None or label == HOLES:
                self.regions[cell] = -1 - index
            else:
                self.regions[cell] = numbers.setdefault(str(label), len(numbers))
        connected = self.regions_of(filter(self._is_inside, self.edges()))
        if len(set(connected.values())) > len(set(self.regions.values())):
            raise InputError(
                f"a link cannot carry a region of {name} whose cells are not connected"
            )
        self.label_of = {number: self.text_at(name, cell) for cell, number in self.regions.items()}

    def labels(self, free: Collection[BoardIndex]) -> dict[BoardIndex, str | None]:
        """Return a label for each cell that is not free and no hole: that of its region."""
        labels: dict[BoardIndex, str | None] = dict.fromkeys(self.cells())
        numbers: dict[int, int] = {}
        for cell in labels:
            if cell not in free and cell not in self.holes:
                number = numbers.setdefault(self.regions[cell], len(numbers))
                labels[cell] = label_of(number)
        return labels

    def plain(self, name: str, field_type: DataType, blank: str) -> Any:
        """Return the texts of a field as a plain value: rows of a board, or a line or lines, where
        `blank` is an empty one.
        """
        texts = self.texts[name]
        if isinstance(field_type, GridOf):
            holes = texts.keys() & self.holes
            return rows_of(texts | dict.fromkeys(holes, HOLES))
        if not has_runs(field_type):
            return " ".join("." if text is None else text for text in texts.values())
        lines: dict[int, list[str]] = {}
        for (line, _), text in sorted(texts.items()):
            runs = lines.setdefault(line, [])
            if text is not None:
                runs.append(text)
        return [" ".join(runs) or blank for runs in lines.values()]


def _rectangle(height: int, width: int) -> Iterator[BoardIndex]:
    for row in range(height):
        for column in range(width):
            yield row, column


def cell_at(index: BoardIndex) -> Cell:
    """Return the cell at an index."""
    row, column = index
    return Cell(row + 1, column + 1)


def written(value: Any) -> str | None:
    """Return an element of a field as a spec writes it; None for a blank."""
    if isinstance(value, tuple):
        return "\\".join("" if number is None else str(number) for number in value)
    return None if value is None else str(value)


def has_runs(field_type: object) -> bool:
    """Return whether a field has several values at each line."""
    if not isinstance(field_type, ListOf):
        return False
    element = field_type.item
    if isinstance(element, OptionalType):
        element = element.item
    return isinstance(element, ListOf)


def rows_of(texts: Mapping[BoardIndex, str | None]) -> list[str]:
    """Return the rows of a board as text: the cells side by side, or in columns."""
    rows_by_index: dict[int, list[str]] = {}
    for row, column in sorted(texts):
        text = texts[row, column]
        rows_by_index.setdefault(row, []).append("." if text is None else text)
    rows = list(rows_by_index.values())
    if all(len(text) == 1 for row in rows for text in row):
        return ["".join(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows)]
    # one column alone would be read character by character
    end = " _" if len(widths) == 1 else ""
    lines = [" ".join(map(str.ljust, row, widths)) for row in rows]
    return [line.rstrip() + end for line in lines]
