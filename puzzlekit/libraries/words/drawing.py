"""The picture of words that are traced on a board."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.boards import Cell, Grid, HexBoard
from puzzlekit.libraries.words.paths import Tile
from puzzlekit.limits import limits
from puzzlekit.render.picture import PALETTE, Figure, Group, Part, Path, Point, Spot, cell_text


def tiles(chosen: Sequence[Tile[Cell]], letters: Grid | None) -> list[Part]:
    """A small board for each word, then one board with the paths of all words in their colours.

    For a large board, a list of the words and their cells replaces the small boards.
    """
    number_of = {cell: number for number, tile in enumerate(chosen) for cell in tile.cells}
    values = letters.values if letters is not None else dict.fromkeys(number_of, "")
    slanted = isinstance(letters, HexBoard)
    colours = [f"region {number % PALETTE}" for number in range(len(chosen))]
    named = [Spot(" / ".join(tile.words), colour) for tile, colour in zip(chosen, colours)]
    cells: dict[Point, Spot] = {
        cell: Spot(cell_text(text), colours[number_of[cell]] if cell in number_of else "") for cell, text in values.items()
    }
    whole = Figure(cells, paths=[Path(tile.cells, colour) for tile, colour in zip(chosen, colours)], slanted=slanted)
    most = limits().reporting
    if max((cell.column for cell in values), default=0) > most.small_columns or len(chosen) > most.small_boards:
        return [whole, *([Spot(f" {name.text} ", name.colour), Spot(f" {_cells_of(t)}")] for name, t in zip(named, chosen))]
    small = [
        Figure({c: spot if c in tile.cells else Spot("·") for c, spot in cells.items()}, title=name, slanted=slanted)
        for tile, name in zip(chosen, named)
    ]
    return [Group(small), whole] if small else [whole]


def _cells_of(tile: Tile[Cell]) -> str:
    return " ".join(map(str, tile.cells))
