"""How rare words are, as a function of the language: of known words a number, of unknowns a column of their table."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.lang.expressions.conditions import is_row
from puzzlekit.lang.expressions.inference import TEXT
from puzzlekit.lang.expressions.values import ExpressionError, Family, LackingError, shown
from puzzlekit.lang.functions.function_group import Functions
from puzzlekit.libraries.words.lexicon import Lexicon, unordered
from puzzlekit.libraries.words.rarity import rarities, rarity
from puzzlekit.model import Apply, Function, Term


class Rarity(Functions):
    """How rare words are."""

    def rarity(self, xs: Any, words: Lexicon) -> Any:
        """0 for the commonest word of the lexicon, 10 more with every doubling of the rank; the last for what is no word."""
        if not isinstance(words, Lexicon):
            raise ExpressionError(f"expected a lexicon to look up the rarity in, got {shown(words)}")
        if words.ranks is None:
            raise LackingError(unordered(words.name), "use a file with common words first")
        row = tuple(xs) if isinstance(xs, Family) else xs
        parts = row if is_row(row) else (row,)
        if not parts or not all(isinstance(part, str | Term) and self.runtime.kinds.of(part) in (TEXT, None) for part in parts):
            raise ExpressionError(f"expected a word or a row of its letters, got {shown(xs)}")
        self.runtime.spend(len(parts))
        if not self.runtime.symbolic(row):
            return rarity(words, "".join(parts))
        terms = tuple(map(self.runtime.term, parts))
        letters = all(len(value) == 1 for term in terms for value in self.runtime.kinds.possible(term) or ("",))
        return Apply(_function(words, letters), (terms,))


@lru_cache(16)
def _function(words: Lexicon, letters: bool) -> Function:
    """The function for this lexicon, of rows of which each part is a letter or a longer text."""

    def once(parts: tuple[str, ...]) -> int:
        return rarity(words, "".join(parts))

    def known(length: int) -> tuple[NDArray[np.unsignedinteger[Any]], tuple[str, ...]]:
        rows = words.codes.get(length)
        return np.empty((0, length), dtype=np.uint8) if rows is None else rows, (words.alphabet,) * length

    return Function("rarity", once, lambda rows: rarities(words, rows), known if letters else None, once(()))
