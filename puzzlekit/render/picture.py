"""The picture model, independent of the medium: boards and lines of coloured text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.cells import cell_len

from puzzlekit.boards import Cell
from puzzlekit.lang.expressions.value_types import all_of_one_type, value_type
from puzzlekit.lang.expressions.values import Stacked

PALETTE = 12  # colours of regions


class Spot(NamedTuple):
    """A piece of text and its colour: of a mark (`green`), of a region (`region 3`), or none."""

    text: str
    colour: str = ""


Line = Sequence[Spot]
NOTHING = Spot("")
Point = tuple[int, int]  # row and column


def upper(value: Any) -> str:
    """A value as a cell shows it: a letter as a capital, if that has the same length."""
    text = str(value)
    return text.upper() if len(text) == 1 == len(text.upper()) else text


@dataclass(frozen=True)
class Path:
    """A line through the centres of cells, in order."""

    cells: Sequence[Point]
    colour: str = ""


@dataclass(frozen=True)
class Figure:
    """A board: the texts of its cells, and the lines on it.

    `sides` are pairs of corners; a corner has the row and column of the cell below and to its
    right. `corners` are shown even where no line meets. `paths` is None for a board without paths.
    With `slanted`, each row is shifted half a cell to the right, for hexagons.
    """

    cells: Mapping[Point, Spot]
    sides: frozenset[frozenset[Point]] = frozenset()
    corners: frozenset[Point] = frozenset()
    paths: Sequence[Path] | None = None
    title: Spot = NOTHING
    slanted: bool = False


@dataclass(frozen=True)
class Group:
    """Boards side by side, as many as fit."""

    figures: Sequence[Figure]


Part = Line | Figure | Group


def board(values: Mapping[Cell, Any], colours: Mapping[Cell, Any] | None = None) -> list[Part]:
    """A board; a cell with a mark in `colours` has the colour of the mark."""
    shown = colours or {}
    return [Figure({cell: Spot(cell_text(what), _colour_of(shown.get(cell))) for cell, what in values.items()})]


def rows(texts: Sequence[str], colours: Sequence[Sequence[Any]]) -> list[Part]:
    """Words as rows, each letter in the colour of its mark."""
    return [
        Figure(
            {
                (row, column): Spot(upper(letter), _colour_of(mark))
                for row, (text, marks) in enumerate(zip(texts, colours), 1)
                for column, (letter, mark) in enumerate(zip(text, marks), 1)
            }
        )
    ]


def cell_text(value: Any) -> str:
    """A value as it stands in a cell."""
    if value is None:
        return "·"
    if isinstance(value, bool):
        return "■" if value else "·"
    return upper(value)


def _colour_of(value: Any) -> str:
    known = value_type(value)
    return known.colour(value) if known is not None and known.colour is not None else ""


def value(name: str, what: Any) -> list[Part]:
    """A value with its name; values of a library may take a line each, other lists one line."""
    known = all_of_one_type(what) if isinstance(what, tuple | list) else None
    if known is not None and known.listed is not None:
        parts: list[Part] = known.listed(what)
        return parts
    if isinstance(what, tuple | list) and what and all(isinstance(item, Stacked) for item in what):
        return [line for number, rows in enumerate(what) for line in (*([[Spot("")]] if number else []), *columns(rows))]
    if isinstance(what, Stacked):
        return columns(what)
    if isinstance(what, tuple | list):
        return [[Spot(f"  {name}: {' '.join(map(str, what)) or 'none'}")]]
    if isinstance(what, Mapping):
        wide = max((cell_len(str(key)) for key in what), default=0)
        return [[Spot(f"  {_padded(str(key), wide)}  {upper(item)}")] for key, item in what.items()]
    return [[Spot(f"  {name}: {what}")]]


def columns(rows: Stacked) -> list[Part]:
    """Rows in aligned columns."""
    wide = [max(map(cell_len, column)) for column in zip(*rows)]
    return [[Spot("  " + " ".join(map(_padded, row, wide)).rstrip())] for row in rows]


def _padded(text: str, wide: int) -> str:
    return text + " " * (wide - cell_len(text))
