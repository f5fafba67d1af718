"""The picture model, independent of the medium: boards and lines of coloured text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, NamedTuple

from rich.cells import cell_len

from puzzlekit.boards import Cell, Cells, Grid, Placement, Side
from puzzlekit.lang.expressions.values import Stacked, all_of_one_type, value_type

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


def chosen(true: Collection[Any], keys: Collection[Any], grids: Iterable[Grid]) -> list[Part] | None:
    """Draw the true `keys`: sides, pairs of cells, placements or groups of cells; None for others.

    The first board with all these cells shows its values in them.
    """
    if keys and all(isinstance(key, Side) for key in keys):
        return _sides(true, keys, next((grid for grid in grids if set(grid.edges) >= set(keys)), None))
    if keys and all(isinstance(key, Placement) for key in keys):
        return _pieces(true, keys)
    if not keys or not all(isinstance(key, tuple) and all(isinstance(cell, Cell) for cell in key) for key in keys):
        return None
    cells = {cell for key in keys for cell in key}
    clues = next((grid for grid in grids if grid.values.keys() >= cells), None)
    if all(len(key) == 2 for key in keys):
        return _path(true, cells, clues) if all(map(_beside, true)) else None
    return _regions([Cells(key) for key in true], clues) if all(isinstance(key, Cells) for key in keys) else None


def _beside(pair: tuple[Cell, Cell]) -> bool:
    return abs(pair[0].row - pair[1].row) + abs(pair[0].column - pair[1].column) == 1


def _texts(clues: Grid | None) -> dict[Cell, str]:
    """The texts of the cells that have a value."""
    return {} if clues is None else {cell: upper(clues[cell]) for cell in clues.given}


def _sides(true: Iterable[Side], keys: Iterable[Side], clues: Grid | None) -> list[Part]:
    """The true sides as lines, with the values of the cells."""
    inner: dict[Point, Spot] = {cell: Spot(text) for cell, text in _texts(clues).items()}
    return [Figure(inner, _pairs(true), frozenset((corner.row, corner.column) for side in keys for corner in side))]


def _path(true: Iterable[tuple[Cell, Cell]], cells: Iterable[Cell], clues: Grid | None) -> list[Part]:
    """The true pairs of cells as lines from centre to centre, with the values of the cells."""
    texts = _texts(clues)
    return [Figure({cell: Spot(texts.get(cell, "")) for cell in cells}, paths=[Path(pair) for pair in true])]


def _regions(regions: Sequence[Cells], clues: Grid | None) -> list[Part]:
    """Groups of cells, each with a border and a colour, and the values of the cells."""
    owner = {cell: number for number, cells in enumerate(regions) for cell in cells}
    grid, texts = clues or Grid(owner), _texts(clues)
    colours = {cell: f"region {number % PALETTE}" for cell, number in owner.items()}
    borders = [
        side
        for cell in grid.cells
        for side, other in zip(grid.sides(cell), _round(cell))
        if other not in grid.values or owner.get(cell) != owner.get(Cell(*other))
    ]
    return [Figure({cell: Spot(texts.get(cell, ""), colours.get(cell, "")) for cell in grid.cells}, _pairs(borders))]


def _pieces(true: Collection[Placement], keys: Iterable[Placement]) -> list[Part]:
    """The board with the piece's name in each cell, or a letter and a legend for long names."""
    places = sorted(true, key=lambda place: place.cells)
    letters = (f"{letter}{number or ''}" for number in range(len(places)) for letter in ascii_uppercase)
    short = all(len(str(place.piece)) == 1 for place in places)
    names = {place: str(place.piece) if short else letter for place, letter in zip(places, letters)}
    cells: dict[Point, Spot] = {cell: Spot("·") for key in keys for cell in key.cells}
    for number, place in enumerate(places):
        cells |= dict.fromkeys(place.cells, Spot(upper(names[place]), f"region {number % PALETTE}"))
    return [Figure(cells), *([] if short else [[Spot(f" {name}  {place.piece}")] for place, name in names.items()])]


def _pairs(sides: Iterable[tuple[Any, Any]]) -> frozenset[frozenset[Point]]:
    return frozenset(frozenset(((one.row, one.column), (other.row, other.column))) for one, other in sides)


def _round(at: Point) -> tuple[Point, ...]:
    row, column = at
    return (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)


REGIONS = (
    *("#8dd3c7", "#ffffb3", "#bebada", "#fb8072", "#80b1d3", "#fdb462"),
    *("#b3de69", "#fccde5", "#d9d9d9", "#bc80bd", "#ccebc5", "#ffed6f"),
)
