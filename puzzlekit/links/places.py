"""The layers of a link and the fields of a spec: which value belongs to which part of a field.

`Filling` collects the parts of fields that layers give, `Given` holds those of a puzzle. A subclass
of `Places` leads both ways for one kind of place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from puzzlekit.boards import Cell
from puzzlekit.encodings import UNKNOWN
from puzzlekit.lang import LinkLayer, PuzzleType, accepts
from puzzlekit.lang.link_forms import BLANK, HOLES

Place = tuple[int, int]  # a row and a column, from 0
LABELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


class WrongPart(Exception):
    """A value that a field or a layer cannot take; `at` is its index among the values of the layer, if known."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


@dataclass
class Board:
    """The size of a board in cells, and its regions by the number of each cell's, if a layer has them."""

    width: int
    height: int
    regions: dict[Place, int] = field(default_factory=dict)

    def cells(self, more: int = 0) -> list[Place]:
        """Return the places of a board that has so many more rows and columns."""
        return [(r, c) for r in range(self.height + more) for c in range(self.width + more)]

    @property
    def first_cells(self) -> list[Place]:
        """The first cell of each region, in reading order."""
        found: dict[int, Place] = {}
        for place in self.cells():
            found.setdefault(self.regions[place], place)
        return list(found.values())

    def edges(self) -> list[tuple[Place, Place]]:
        """Return the pairs of neighbours: those in a row, row by row, then those between rows."""
        across = [((r, c), (r, c + 1)) for r in range(self.height) for c in range(self.width - 1)]
        return [*across, *(((r, c), (r + 1, c)) for r in range(self.height - 1) for c in range(self.width))]


@dataclass
class Filling(Board):
    """The parts of fields that a link gives: texts by place for boards, lists, mappings or numbers."""

    boards: dict[str, dict[Place, str | None]] = field(default_factory=lambda: defaultdict(dict))
    values: dict[str, Any] = field(default_factory=dict)
    holes: set[Place] = field(default_factory=set)


@dataclass
class Given(Board):
    """The data of a puzzle."""

    data: Mapping[str, Any] = field(default_factory=dict)

    def text(self, name: str, place: Place) -> str | None:
        """Return the text of a cell; None if it is blank, `_` if there is none."""
        board = self.data[name]
        if board is None:
            return None
        cell = Cell(place[0] + 1, place[1] + 1)
        return HOLES if cell not in board.values else written(board.values[cell])


def written(value: Any) -> str | None:
    """Return a part of a field as a spec writes it; None for a blank."""
    if isinstance(value, tuple):
        return "\\".join("" if part is None else str(part) for part in value)
    return None if value is None else str(value)


class Places(ABC):
    """The places that the values of a layer belong to.

    Args:
        layer: The layer.
        kind: The type, whose fields the layer fills.
    """

    def __init__(self, layer: LinkLayer, kind: PuzzleType) -> None:
        self.layer, self.kind = layer, kind
        self.fields = layer.fields

    @abstractmethod
    def count(self, board: Board) -> int:
        """Return how many values the layer has."""

    def size(self, data: Mapping[str, Any]) -> tuple[int, int] | None:
        """Return the width and height of the board that the data has; None if this layer does not show it."""
        return None

    @abstractmethod
    def fill(self, values: Sequence[Any], puzzle: Filling) -> None:
        """Put the values of the layer into the fields. Raises WrongPart."""

    @abstractmethod
    def take(self, puzzle: Given) -> list[Any]:
        """Return the values of the layer. Raises WrongPart, or InputError for a whole field."""

    def where(self, at: int, board: Board) -> str:
        """Return where a value stands, for messages; empty if that is not said."""
        return ""

    def blank(self, values: Sequence[Any]) -> None:
        """Refuse values of a layer that fills no field."""
        at = next((at for at, value in enumerate(values) if value is not None), None)
        if at is not None:
            raise WrongPart(f"{self.kind.name} has no field for this ({self.layer.encoding})", at)

    def ours(self, name: str, value: Any, at: int) -> str | None:
        """Return the text of a value in a field. Raises WrongPart."""
        table = self.layer.values.get(name, {})
        found = next((text for text, theirs in table.items() if value in theirs), None)
        if found is not None or value is None:
            return None if found == BLANK else found
        text = written(value) or ""
        if UNKNOWN in text or not accepts(self.kind.fields[name].type, text):
            raise WrongPart(f"{self.kind.name} cannot have {text} in {name}", at)
        low, high = self._bounds(name)
        if isinstance(value, int) and not (low is None or low <= value <= (value if high is None else high)):
            raise WrongPart(f"{name} of {self.kind.name} takes numbers from {low}, got {text}", at)
        return text

    def _bounds(self, name: str) -> tuple[int | None, int | None]:
        return next((within.bounds for within in self.kind.within if within.field == name), (None, None))

    def theirs(self, name: str, text: str | None) -> Any:
        """Return the value that a link has for a text."""
        if text is None:
            return None
        table = self.layer.values.get(name, {})
        return table[text][0] if text in table else int(text) if text.isdecimal() else text
