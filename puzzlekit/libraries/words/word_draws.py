"""Random words on a board, for `make:` of a type."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Any

from puzzlekit.errors import LexiconError, Stopped
from puzzlekit.lang import DrawingFunctions, ExpressionError, display_text
from puzzlekit.libraries.words.fills import Fills
from puzzlekit.libraries.words.lexicon import Lexicon
from puzzlekit.libraries.words.sources import languages, load

FILL_STEPS = 5_000  # of the search for words that cross


class WordDraws(DrawingFunctions):
    """Words for what is made at random."""

    def lexicon(self, name: str) -> Lexicon:
        """Return a lexicon by its name, such as `english-familiar`, without offensive words."""
        offensive = [f"{language}-offensive" for language in languages(name)]
        try:
            return load("-".join([name, *offensive]))
        except LexiconError as error:
            raise ExpressionError(str(error), help=error.help) from error

    def filled(self, slots: Any, words: Lexicon) -> Mapping[Any, str]:
        """Return a letter for each cell of some runs, so that each run spells another word."""
        if not isinstance(words, Lexicon):
            raise ExpressionError(f"expected a lexicon, got {display_text(words)}")
        rows = tuple(tuple(self._items(slot)) for slot in self._items(slots))

        def fill(random: Random) -> Mapping[Hashable, str]:
            return _filled(random, rows, words)

        letters: Mapping[Any, str] = self._drawn(("filled", rows, words), fill)
        return letters


def _filled(
    random: Random, slots: Sequence[tuple[Hashable, ...]], words: Lexicon
) -> dict[Hashable, str]:
    by_length = {length: words.of_length(length) for length in map(len, slots)}
    try:
        fill = Fills(slots, by_length).drawn(random, FILL_STEPS)
    except Stopped:
        fill = None
    if fill is None:
        raise ExpressionError(f"no words of {display_text(words)} fill these runs")
    letters: dict[Hashable, str] = {}
    for slot, word in zip(slots, fill):
        letters |= zip(slot, word)
    return letters
