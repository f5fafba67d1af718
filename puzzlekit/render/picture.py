"""What an answer looks like, before any pen draws it: lines of coloured pieces of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from puzzlekit.boards import Cell, Exchange, Grid
from puzzlekit.words import Mark, Tile

PALETTE = 12  # colours to tell regions apart


class Spot(NamedTuple):
    """A piece of text and the name of its colour: a mark's (`green` …), a region's (`region 3`), or none."""

    text: str
    colour: str = ""


Line = Sequence[Spot]


def upper(value: Any) -> str:
    """A value as it stands in a cell: a letter as a capital, if it has one of its own length."""
    text = str(value)
    return text.upper() if len(text) == 1 == len(text.upper()) else text


def board(values: Mapping[Cell, Any], colours: Mapping[Cell, Any] | None = None) -> list[Line]:
    """A board, a line a row; a cell that has a mark in `colours` is drawn in it."""
    height, width = max(c.row for c in values), max(c.column for c in values)
    texts = {cell: _cell_text(value) for cell, value in values.items()}
    wide = max(len(text) for text in texts.values())
    lines: list[Line] = []
    for row in range(1, height + 1):
        line = []
        for column in range(1, width + 1):
            cell = Cell(row, column)
            colour = _colour_of(colours[cell]) if colours and cell in colours else ""
            line.append(Spot(f" {texts.get(cell, ''):>{wide}} ", colour))
        lines.append(line)
    return lines


def _cell_text(value: Any) -> str:
    if value is None:
        return "·"
    if isinstance(value, bool):
        return "■" if value else "·"
    return upper(value)


def _colour_of(value: Any) -> str:
    return value.name.lower() if isinstance(value, Mark) else ""


def tiles(chosen: Sequence[Tile[Cell]], letters: Grid | None) -> list[Line]:
    """Tiles on their board, each in a colour of its own, and under it the words, with the path of each."""
    regions = {cell: number for number, tile in enumerate(chosen) for cell in tile.cells}
    values = letters.values if letters is not None else dict.fromkeys(regions, "")
    lines: list[Line] = []
    for line, row in zip(board(values), range(1, 1 + max(c.row for c in values))):
        lines.append(
            [
                Spot(spot.text, f"region {regions[cell] % PALETTE}" if (cell := Cell(row, column)) in regions else "")
                for column, spot in enumerate(line, 1)
            ]
        )
    for number, tile in enumerate(chosen):
        path = " ".join(map(str, tile.cells))
        lines.append([Spot(f" {' / '.join(tile.words)} ", f"region {number % PALETTE}"), Spot(f" {path}")])
    return lines


def value(name: str, what: Any) -> list[Line]:
    """A value with its name: steps a line each, a short list on one line."""
    if isinstance(what, tuple | list) and what and all(isinstance(item, Exchange) for item in what):
        return [[Spot(f"{number:>4}  {item}")] for number, item in enumerate(what, 1)]
    if isinstance(what, tuple | list):
        return [[Spot(f"  {name}: {' '.join(map(str, what))}")]]
    if isinstance(what, Mapping):
        wide = max((len(str(key)) for key in what), default=0)
        return [[Spot(f"  {key!s:<{wide}}  {upper(item)}")] for key, item in what.items()]
    return [[Spot(f"  {name}: {what}")]]
