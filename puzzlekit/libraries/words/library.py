"""The words library, as types use it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from puzzlekit.lang.expressions.value_types import ValueType
from puzzlekit.lang.library import Library
from puzzlekit.libraries.words.guesses import Guesses
from puzzlekit.libraries.words.lexicon import Lexicon
from puzzlekit.libraries.words.lexicon_conditions import in_lexicon
from puzzlekit.libraries.words.marks import Mark
from puzzlekit.libraries.words.marks_table import NextGuesses
from puzzlekit.libraries.words.paths import Tile
from puzzlekit.libraries.words.share_text import SharedResult
from puzzlekit.libraries.words.sources import larger
from puzzlekit.libraries.words.tracing import Tracing
from puzzlekit.libraries.words.word_data import DATA_TYPES
from puzzlekit.libraries.words.word_rarity import Rarity
from puzzlekit.libraries.words.word_texts import WordTexts


def _drawn(tiles: Sequence[Any], board: Any) -> Any:
    """The picture of words on a board; what draws it is imported for it alone."""
    from puzzlekit.libraries.words.drawing import tiles as draw

    return draw(tiles, board)


def _unsolved(lexicon: Any) -> str:
    """What is said of a lexicon where a puzzle has no solution."""
    bigger = larger(lexicon.name)
    instead = f"; the next larger lexicon is {bigger}: --words {bigger}" if bigger else ""
    return f"the words were those of {lexicon.name} ({len(lexicon):,}){instead}"


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
            ("words", "cells"),
            shown=str,
            json=lambda tile: {"words": list(tile.words), "cells": list(map(str, tile.cells))},
            chosen=_drawn,
            single=True,
            choosable=True,
        ),
        ValueType(NextGuesses, ("by_average", "by_worst")),
    ),
    notations=(SharedResult(),),
    options={"words": "lexicon", "fold_accents": ""},
)
