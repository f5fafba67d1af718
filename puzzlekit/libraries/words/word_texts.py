"""Functions on texts: spell and split words, their rarity, and membership in a lexicon."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

from puzzlekit.folding import fold
from puzzlekit.lang.expressions.inference import TEXT
from puzzlekit.lang.expressions.runtime import Runtime
from puzzlekit.lang.expressions.values import ExpressionError, Family, LackingError, is_row, shown
from puzzlekit.lang.library import Functions
from puzzlekit.libraries.words.lexicon import Lexicon, unordered
from puzzlekit.libraries.words.rarity import rarities, rarity
from puzzlekit.libraries.words.sources import languages
from puzzlekit.libraries.words.word_pairs import english_pairs
from puzzlekit.model import Apply, Function, Member, Table, Term

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
APOSTROPHES = str.maketrans("’ʼ＇", "'''")


class WordTexts(Functions):
    """Functions on words and texts."""

    def word(self, letters: Any) -> str:
        """The word that these letters spell."""
        items = self.items(letters)
        if self.runtime.symbolic(items):
            hint = "compare the letters, or require that they are in a lexicon"
            raise ExpressionError("expected known letters to spell a word with, got unknowns", hint)
        for item in items:
            if not isinstance(item, str | int):
                raise ExpressionError(f"expected letters to spell a word with, got {shown(item)}")
        made = "".join(map(str, items))
        self.runtime.spend(len(made) >> 4)
        return made

    def words_in(self, text: Any) -> tuple[str, ...]:
        """The folded words of a text in order: runs of letters, with apostrophes within them."""
        plain = fold(self._text(text).translate(APOSTROPHES))
        return tuple(WORD.findall(plain))

    def replaced(self, text: Any, letters: Any) -> str:
        """The text with each letter replaced by the one it stands for; capitals stay capitals."""
        stands = letters.members if isinstance(letters, Family) else letters
        if not isinstance(stands, Mapping):
            raise ExpressionError(f"expected a mapping from letters to what they stand for, got {shown(letters)}")
        known = self.runtime.known(stands, "what a letter stands for")
        return "".join(_replaced(char, known) for char in normalize("NFC", self._text(text)))

    def _text(self, text: Any) -> str:
        if not isinstance(text, str):
            raise ExpressionError(f"expected a text, got {shown(text)}")
        self.runtime.spend(len(text))
        return text


def _replaced(char: str, letters: Mapping[Any, Any]) -> str:
    made = "".join(str(letters.get(part, part)) for part in fold(char))
    if char == fold(char):
        return made
    return made.upper() if any(part in letters for part in fold(char)) else char


class Rarity(Functions):
    """Functions on the rarity of words."""

    def by_rarity(self, xs: Any, words: Lexicon) -> tuple[str, ...]:
        """Return words with the most common ones first, in the same order if the lexicon has no ranks."""
        if not isinstance(words, Lexicon):
            raise ExpressionError(f"expected a lexicon to look up the rarity in, got {shown(words)}")
        known: tuple[str, ...] = self.runtime.known(self.items(xs), "a word")
        if not all(isinstance(word, str) for word in known):
            raise ExpressionError(f"expected words to sort by rarity, got {shown(known)}")
        self.runtime.spend(len(known) * 4)
        if words.ranks is None:
            return known
        lengths = words.ranks.keys() & set(map(len, known))
        ranks = {word: rank for n in lengths for word, rank in zip(words.of_length(n), words.ranks[n].tolist())}
        return tuple(sorted(known, key=lambda word: ranks.get(word, len(words) + 1)))

    def rarity(self, xs: Any, words: Lexicon) -> Any:
        """The rarity of a word: 0 for the commonest, 10 more each time the rank doubles."""
        if not isinstance(words, Lexicon):
            raise ExpressionError(f"expected a lexicon to look up the rarity in, got {shown(words)}")
        if words.ranks is None:
            raise LackingError(unordered(words.name), "use a file with common words first")
        parts = self._parts(xs)
        self.runtime.spend(len(parts))
        if not self.runtime.symbolic(parts):
            return rarity(words, "".join(parts))
        terms = tuple(map(self.runtime.term, parts))
        return Apply(_rarity(words, self._are_letters(terms)), (terms,))

    def succession(self, a: Any, b: Any, words: Lexicon) -> Any:
        """How much rarer word `b` is after word `a`: 0, or less for words that often follow each other."""
        if not isinstance(words, Lexicon):
            raise ExpressionError(f"expected the lexicon of the words, got {shown(words)}")
        one, other = self._parts(a), self._parts(b)
        if "english" not in languages(words.name):
            return 0
        self.runtime.spend(len(one) + len(other))
        if not self.runtime.symbolic((one, other)):
            return -english_pairs().gain("".join(one), "".join(other))
        terms = tuple(map(self.runtime.term, one + other))
        return Apply(_succession(len(one), self._are_letters(terms)), (terms,))

    def _parts(self, xs: Any) -> tuple[Any, ...]:
        """The parts of a word: a text, an unknown word, or its letters."""
        row = tuple(xs) if isinstance(xs, Family) else xs
        parts = tuple(row) if is_row(row) else (row,)
        if not parts or not all(isinstance(part, str | Term) and self.runtime.kinds.of(part) in (TEXT, None) for part in parts):
            raise ExpressionError(f"expected a word or a row of its letters, got {shown(xs)}")
        return parts

    def _are_letters(self, terms: tuple[Term, ...]) -> bool:
        return all(len(value) == 1 for term in terms for value in self.runtime.kinds.possible(term) or ("",))


@lru_cache(64)
def _succession(first: int, letters: bool) -> Function:
    """The succession of words of which the first one has `first` parts; `letters` says that each part is one letter."""
    pairs = english_pairs()

    def once(parts: tuple[str, ...]) -> int:
        return -pairs.gain("".join(parts[:first]), "".join(parts[first:]))

    def many(rows: NDArray[np.str_]) -> NDArray[np.int64]:
        return np.array([once(tuple(row)) for row in rows.tolist()], dtype=np.int64)

    def few(length: int) -> tuple[NDArray[np.unsignedinteger[Any]], tuple[str, ...]]:
        rows = pairs.codes.get((first, length - first))
        return np.empty((0, length), dtype=np.uint8) if rows is None else rows, (pairs.alphabet,) * length

    return Function("succession", once, many, few if letters else None, 0)


@lru_cache(16)
def _rarity(words: Lexicon, letters: bool) -> Function:
    """The rarity function of a lexicon; `letters` says that each part of a row is one letter."""

    def once(parts: tuple[str, ...]) -> int:
        return rarity(words, "".join(parts))

    def known(length: int) -> tuple[NDArray[np.unsignedinteger[Any]], tuple[str, ...]]:
        rows = words.codes.get(length)
        return np.empty((0, length), dtype=np.uint8) if rows is None else rows, (words.alphabet,) * length

    return Function("rarity", once, lambda rows: rarities(words, rows), known if letters else None, once(()))


def in_lexicon(runtime: Runtime, item: Any, words: Lexicon) -> Any:
    """Evaluate `item in words` to a bool or a condition."""
    if isinstance(item, Term):
        _spells(runtime, item)
        every = runtime.kept.get(words)
        if every is None:
            every = runtime.kept[words] = frozenset(words)
        return Member(item, every)
    if isinstance(item, str):
        return item in words
    if not isinstance(item, Family) and not is_row(item):
        raise ExpressionError(f"expected a word to look up in a lexicon, got {shown(item)}")
    letters = runtime.items(item)
    for letter in letters:
        _spells(runtime, letter)
    if not runtime.symbolic(letters):
        return "".join(letters) in words
    rows = words.codes.get(len(letters))
    if rows is None:
        return False
    return Table(tuple(runtime.term(letter) for letter in letters), rows, (tuple(words.alphabet),) * len(letters))


def _spells(runtime: Runtime, value: Any) -> None:
    kinds = runtime.kinds.of(value)
    if kinds is not None and kinds.isdisjoint(TEXT):
        raise ExpressionError(f"expected a word of letters to look up in a lexicon, got {shown(value)}")
