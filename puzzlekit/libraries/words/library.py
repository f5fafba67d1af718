"""The words library: what a puzzle type can use."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlekit.boards import Cell, Grid
from puzzlekit.lang.expressions.values import ValueType
from puzzlekit.lang.library import Library
from puzzlekit.libraries.words.lexicon import Lexicon
from puzzlekit.libraries.words.marks import Mark, NextGuesses
from puzzlekit.libraries.words.paths import Tile, Tracing
from puzzlekit.libraries.words.sources import larger
from puzzlekit.libraries.words.word_data import DATA_TYPES, SharedResult
from puzzlekit.libraries.words.word_functions import Guesses, Rarity, WordTexts, in_lexicon
from puzzlekit.limits import limits
from puzzlekit.render.make_layers import Grouped, coloured, texts_of
from puzzlekit.render.scene import Group, Part, Path, Paths, Piece, Pieces, Scene, Spot, Text


def tiles(chosen: Sequence[Tile[Cell]], letters: Grid | None) -> list[Part]:
    """Draw a small board for each word, and one board with the coloured paths of all words.

    For a large board, a list of the words and their cells replaces the small boards.
    """
    values = letters.values if letters is not None else dict.fromkeys((cell for tile in chosen for cell in tile.cells), "")
    form = "square" if letters is None else letters.form
    texts = texts_of(values)
    colours = [piece.colour for piece in coloured([Grouped(tile.cells, None, "") for tile in chosen])]
    named = [Spot(" / ".join(tile.words), colour) for tile, colour in zip(chosen, colours)]
    pieces = Pieces(False, [Piece(tile.cells, "", colour) for tile, colour in zip(chosen, colours)])
    paths = Paths(False, [Path(tile.cells, colour) for tile, colour in zip(chosen, colours)])
    whole = Scene(tuple(sorted(values)), (pieces, paths, Text(True, texts)), form)
    most = limits().reporting
    if max((cell.column for cell in values), default=0) > most.small_columns or len(chosen) > most.small_boards:
        return [whole, *([Spot(f" {name.text} ", name.colour), Spot(f" {_cells_of(t)}")] for name, t in zip(named, chosen))]
    small = [
        Scene(
            tuple(sorted(values)),
            (
                Pieces(False, [Piece(tile.cells, " ", colour)]),
                Text(True, {cell: texts[cell] for cell in tile.cells if cell in texts}),
            ),
            form,
            name,
        )
        for tile, name, colour in zip(chosen, named, colours)
    ]
    return [Group(small, small=True), whole] if small else [whole]


def _cells_of(tile: Tile[Cell]) -> str:
    return " ".join(map(str, tile.cells))


def _unsolved(lexicons: Sequence[Lexicon]) -> str:
    """The notice about the lexicons when a puzzle has no solution: one hint for all of them."""
    sizes = {lexicon.name: len(lexicon) for lexicon in lexicons}
    bigger = larger(max(sizes, key=sizes.__getitem__))
    instead = f"; the next larger lexicon is {bigger}: --words {bigger}" if bigger else ""
    are = "lexicon was" if len(sizes) == 1 else "lexicons were"
    return f"the {are} {' and '.join(f'{name} ({size:,} words)' for name, size in sizes.items())}{instead}"


LIBRARY = Library(
    "words",
    functions=(Guesses, Rarity, Tracing, WordTexts),
    constants={"mark": tuple(Mark), **{mark.name.lower(): mark for mark in Mark}},
    data_types=DATA_TYPES,
    value_types=(
        ValueType(
            Lexicon,
            ("of_length", "alphabet"),
            shown=lambda lexicon: f"the lexicon {lexicon.name}",
            handed_on=True,
            unsolved=_unsolved,
            single=True,
            collection=True,
            contains=in_lexicon,
        ),
        ValueType(
            Mark,
            shown=lambda mark: str(mark.name.lower()),
            json=str,
            spec=str,
            colour=lambda mark: str(mark.name.lower()),
            single=True,
            scale=True,
        ),
        ValueType(
            Tile,
            ("words", "cells", "paths"),
            shown=str,
            json=lambda tile: {"words": list(tile.words), "cells": list(map(str, tile.cells))},
            chosen=tiles,
            single=True,
            choosable=True,
        ),
        ValueType(NextGuesses, ("by_average", "by_worst")),
    ),
    notations=(SharedResult(),),
    options={"words": "lexicon", "fold_accents": ""},
)
