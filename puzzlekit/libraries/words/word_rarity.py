"""How rare words are, on a scale on which sums can be compared, alone and after another word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cache, lru_cache, reduce
from math import log2
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import LexiconError
from puzzlekit.lang import (
    TEXT,
    ExpressionError,
    Functions,
    MissingDataError,
    VariableArray,
    display_text,
    is_row,
)
from puzzlekit.libraries.words.lexicon import Lexicon, cached, split_by_sizes, unordered
from puzzlekit.libraries.words.named_lexicons import counted, package_file, read_lines, version_of
from puzzlekit.libraries.words.sources import languages
from puzzlekit.model import Apply, Function, Term

# By Zipf's law a word of rank r is about 1 / r as frequent as the first, so log r is minus the
# logarithm of its probability, up to a constant: of rows with equally many words, the likeliest has
# the least sum.
DOUBLING = 10  # the growth of the rarity when the rank doubles


def rarity(lexicon: Lexicon, word: str) -> int:
    """Compute the rarity of a word: 0 for the commonest, 10 more each time the rank doubles.

    Args:
        lexicon: A lexicon with ranks.
        word: The word. One that is not in the lexicon has the last rank.

    Raises:
        LexiconError: The lexicon has no ranks.

    Examples:
        >>> common = ["the", "of", "and", "to"]
        >>> words = Lexicon.from_words("small", common, order=common)
        >>> [rarity(words, word) for word in common]
        [0, 10, 16, 20]
    """
    return round(DOUBLING * log2(lexicon.rank(word) or _last(lexicon)))


def rarities(lexicon: Lexicon, words: NDArray[np.str_]) -> NDArray[np.int64]:
    """Compute the rarities of many words.

    Args:
        lexicon: A lexicon with ranks.
        words: Words of shape (n,), or their letters of shape (n, length).

    Returns:
        The rarities, of shape (n,).

    Raises:
        LexiconError: The lexicon has no ranks.
    """
    if words.ndim == 2:
        words = reduce(np.char.add, words.astype(np.str_).T)
    ranks = np.full(len(words), _last(lexicon), dtype=np.int64)
    assert lexicon.ranks is not None, "_last checks this"
    lengths = np.char.str_len(words)
    for length in set(lengths.tolist()) & set(lexicon.lengths):
        at_length = np.flatnonzero(lengths == length)
        wanted = words[at_length].astype(f"<U{length}")
        letters = np.ascontiguousarray(lexicon.letters_of_length(length))
        listed_words: NDArray[Any] = letters.view(f"<U{length}").ravel()
        rows = np.minimum(np.searchsorted(listed_words, wanted), len(listed_words) - 1)
        is_listed = listed_words[rows] == wanted
        ranks[at_length[is_listed]] = lexicon.ranks[length][rows[is_listed]]
    rounded: NDArray[np.int64] = np.rint(DOUBLING * np.log2(ranks)).astype(np.int64)
    return rounded


def _last(lexicon: Lexicon) -> int:
    if lexicon.ranks is None:
        raise LexiconError(unordered(lexicon.name))
    return max((int(ranks.max()) for ranks in lexicon.ranks.values()), default=1)


COUNTS = "wordsegment"  # the package
# A pair that is not counted has fewer than 100,000 occurrences on the web. It is taken to be
# 16 times as rare as by chance: of common words, most pairs that make sense are counted.
UNCOUNTED = 4 * DOUBLING
Lengths: TypeAlias = tuple[int, int]
Rows: TypeAlias = tuple[NDArray[np.unsignedinteger[Any]], tuple[str, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class WordPairs:
    """Pairs of words that follow each other.

    Attributes:
        alphabet: The distinct letters, sorted.
        codes: For the lengths of two words an (n, sum of the lengths) array of indices into the
            alphabet: the letters of both words.
        gains: For the lengths of two words, how much less rare the second word is after the first
            than after a word that it does not follow in the counts, of shape (n,).

    Examples:
        >>> counts = [("old", "man", 4), ("man", "the", 2)]
        >>> pairs = WordPairs.of_counts({"old": 8, "man": 4, "the": 20}, counts)
        >>> pairs.gain("old", "man"), pairs.gain("man", "the"), pairs.gain("man", "old")
        (60, 37, 0)
    """

    alphabet: str
    codes: Mapping[Lengths, NDArray[np.uint8]]
    gains: Mapping[Lengths, NDArray[np.int16]]
    _gain_of: dict[Lengths, dict[str, int]] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of_counts(
        cls, words: Mapping[str, int], pairs: Iterable[tuple[str, str, int]]
    ) -> WordPairs:
        """Compare how often pairs occur with how often their words do.

        Args:
            words: Words with the number of their occurrences.
            pairs: Two words, and how often the second one follows the first.
        """
        total = sum(words.values())
        groups: defaultdict[Lengths, dict[str, int]] = defaultdict(dict)
        for first, second, count in pairs:
            if not (first + second).isalpha() or first not in words or second not in words:
                continue
            excess = count * total / (words[first] * words[second])  # over what chance gives
            gain = UNCOUNTED + round(DOUBLING * log2(excess))
            if gain > 0:
                groups[len(first), len(second)][first + second] = gain
        letters = set().union(*(joined for group in groups.values() for joined in group))
        alphabet = "".join(sorted(letters))
        codes: dict[Lengths, NDArray[np.uint8]] = {}
        gains: dict[Lengths, NDArray[np.int16]] = {}
        for lengths, group in groups.items():
            flat = np.searchsorted(list(alphabet), list("".join(group)))
            codes[lengths] = flat.astype(np.uint8).reshape(-1, sum(lengths))
            gains[lengths] = np.array(list(group.values()), np.int16)
        return cls(alphabet, codes, gains)

    def as_arrays(self) -> dict[str, Any]:
        """Return the pairs as four arrays."""
        shapes = [(len(rows), *lengths) for lengths, rows in self.codes.items()]
        codes = [rows.ravel() for rows in self.codes.values()]
        letters = list(map(ord, self.alphabet))
        return {
            "alphabet": np.array(letters, np.uint32),
            "shapes": np.array(shapes, np.int64).reshape(-1, 3),
            "codes": _concatenated(codes, np.uint8),
            "gains": _concatenated(self.gains.values(), np.int16),
        }

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> WordPairs:
        """Return the pairs of arrays that `as_arrays` returned."""
        shapes = arrays["shapes"].tolist()
        lengths = [(first, second) for _, first, second in shapes]
        counts = [count for count, *_ in shapes]
        sizes = [count * (first + second) for count, first, second in shapes]
        flat_codes = split_by_sizes(arrays["codes"], sizes)
        codes = {pair: flat.reshape(-1, sum(pair)) for pair, flat in zip(lengths, flat_codes)}
        gains = dict(zip(lengths, split_by_sizes(arrays["gains"], counts)))
        alphabet = "".join(map(chr, arrays["alphabet"].tolist()))
        return cls(alphabet, codes, gains)

    def gain(self, first: str, second: str) -> int:
        """Return how much less rare a word is after another; 0 if the pair is not counted."""
        lengths = len(first), len(second)
        if lengths not in self.codes:
            return 0
        if lengths not in self._gain_of:
            letters = np.array(list(self.alphabet))[self.codes[lengths]]
            joined = letters.view(f"<U{sum(lengths)}").ravel().tolist()
            self._gain_of[lengths] = dict(zip(joined, self.gains[lengths].tolist()))
        return self._gain_of[lengths].get(first + second, 0)


def _concatenated(arrays: Iterable[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *arrays])


@cache
def english_pairs() -> WordPairs:
    """Return the pairs that wordsegment counts, from texts of the web.

    Raises:
        LexiconError: The package is not installed.
    """
    return cached(WordPairs, "pairs of english", (COUNTS, version_of(COUNTS), UNCOUNTED), _build)


def _build() -> WordPairs:
    pairs = []
    for line in read_lines(package_file(COUNTS, "bigrams.txt", "english")):
        first, second, count = line.replace("\t", " ").split(" ")
        pairs.append((first, second, int(count)))
    return WordPairs.of_counts(dict(counted()), pairs)


class WordRarity(Functions):
    """Functions on the rarity of words."""

    def by_rarity(self, xs: Any, words: Lexicon) -> tuple[str, ...]:
        """Return words with the most common ones first, in the same order if the lexicon has no
        ranks.
        """
        _require_lexicon(words)
        row: tuple[str, ...] = self.interpreter.require_fixed(self.items(xs), "a word")
        if not all(isinstance(word, str) for word in row):
            raise ExpressionError(f"expected words to sort by rarity, got {display_text(row)}")
        self.interpreter.spend(len(row) * 4)
        if words.ranks is None:
            return row
        last_rank = len(words) + 1
        return tuple(sorted(row, key=lambda word: words.rank(word) or last_rank))

    def rarity(self, xs: Any, words: Lexicon) -> Any:
        """Return the rarity of a word: 0 for the commonest, 10 more each time the rank doubles."""
        _require_lexicon(words)
        if words.ranks is None:
            raise MissingDataError(unordered(words.name), help="use a file with common words first")
        pieces = self._pieces(xs)
        self.interpreter.spend(len(pieces))
        if not self.interpreter.symbolic(pieces):
            return rarity(words, "".join(pieces))
        terms = tuple(map(self.interpreter.term, pieces))
        return Apply(_rarity(words, self._are_letters(terms)), (terms,))

    def succession(self, a: Any, b: Any, words: Lexicon) -> Any:
        """Return how much rarer word `b` is after word `a`: 0, or less for words that often follow
        each other.
        """
        if not isinstance(words, Lexicon):
            raise ExpressionError(f"expected the lexicon of the words, got {display_text(words)}")
        first, second = self._pieces(a), self._pieces(b)
        if "english" not in languages(words.name):
            return 0
        pieces = first + second
        self.interpreter.spend(len(pieces))
        if not self.interpreter.symbolic(pieces):
            return -english_pairs().gain("".join(first), "".join(second))
        terms = tuple(map(self.interpreter.term, pieces))
        return Apply(_succession(len(first), self._are_letters(terms)), (terms,))

    def _pieces(self, xs: Any) -> tuple[Any, ...]:
        """Return the pieces of a word: a text, an unknown word, or its letters."""
        row = tuple(xs) if isinstance(xs, VariableArray) else xs
        pieces = tuple(row) if is_row(row) else (row,)
        if not pieces or not all(map(self._is_text, pieces)):
            raise ExpressionError(
                f"expected a word or a row of its letters, got {display_text(xs)}"
            )
        return pieces

    def _is_text(self, piece: Any) -> bool:
        return isinstance(piece, str | Term) and self.interpreter.kinds.of(piece) in (TEXT, None)

    def _are_letters(self, terms: tuple[Term, ...]) -> bool:
        """Return whether each term is one letter in every solution."""
        for term in terms:
            texts = self.interpreter.kinds.possible(term)
            if not texts or any(len(text) != 1 for text in texts):
                return False
        return True


def _require_lexicon(words: Any) -> None:
    if not isinstance(words, Lexicon):
        raise ExpressionError(
            f"expected a lexicon to look up the rarity in, got {display_text(words)}"
        )


def _rows(codes: NDArray[np.unsignedinteger[Any]] | None, alphabet: str, length: int) -> Rows:
    """Return the rows for which a function has another value than for all others.

    Args:
        codes: The letters of the rows as indices into the alphabet; None if there are no rows.
        alphabet: The letters.
        length: The length of each row.

    Returns:
        The rows, and the letters at each position.
    """
    if codes is None:
        codes = np.empty((0, length), dtype=np.uint8)
    return codes, (alphabet,) * length


@lru_cache(64)
def _succession(first: int, letters: bool) -> Function:
    """Return the function of the letters of two words that is the succession of the second.

    Args:
        first: The number of pieces of the first word.
        letters: Whether each piece is one letter.
    """
    pairs = english_pairs()

    def once(pieces: tuple[str, ...]) -> int:
        return -pairs.gain("".join(pieces[:first]), "".join(pieces[first:]))

    def many(rows: NDArray[np.str_]) -> NDArray[np.int64]:
        return np.array([once(tuple(row)) for row in rows.tolist()], dtype=np.int64)

    def exceptions(length: int) -> Rows:
        return _rows(pairs.codes.get((first, length - first)), pairs.alphabet, length)

    return Function("succession", once, many, exceptions if letters else None, 0)


@lru_cache(16)
def _rarity(words: Lexicon, letters: bool) -> Function:
    """Return the rarity in a lexicon as a function of the letters of a word.

    Args:
        words: The lexicon.
        letters: Whether each piece of a word is one letter.
    """

    def once(pieces: tuple[str, ...]) -> int:
        return rarity(words, "".join(pieces))

    def many(rows: NDArray[np.str_]) -> NDArray[np.int64]:
        return rarities(words, rows)

    def exceptions(length: int) -> Rows:
        return _rows(words.codes.get(length), words.alphabet, length)

    return Function("rarity", once, many, exceptions if letters else None, once(()))
