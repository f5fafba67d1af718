"""How rare words are, on a scale on which sums can be compared, alone and after another word."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache, reduce
from math import log2
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from puzzlekit.errors import LexiconError
from puzzlekit.lang.expressions.inference import TEXT
from puzzlekit.lang.expressions.values import (
    ExpressionError,
    MissingDataError,
    VariableArray,
    display_text,
    is_row,
)
from puzzlekit.lang.library import Functions
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
    words = reduce(np.char.add, words.astype(np.str_).T) if words.ndim == 2 else words
    ranks = np.full(len(words), _last(lexicon), dtype=np.int64)
    lengths = np.char.str_len(words)
    for length in set(lengths.tolist()) & set(lexicon.lengths):
        at_length = np.flatnonzero(lengths == length)
        asked = words[at_length].astype(f"<U{length}")
        known: NDArray[Any] = (
            np.ascontiguousarray(lexicon.letters_of_length(length)).view(f"<U{length}").ravel()
        )
        places = np.minimum(np.searchsorted(known, asked), len(known) - 1)
        found = known[places] == asked
        assert lexicon.ranks is not None, "_last checks this"
        ranks[at_length[found]] = lexicon.ranks[length][places[found]]
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
            than after a word that it is not known to follow, of shape (n,).

    Examples:
        >>> pairs = WordPairs.of_counts({"old": 8, "man": 4, "the": 20}, [("old", "man", 4), ("man", "the", 2)])
        >>> pairs.gain("old", "man"), pairs.gain("man", "the"), pairs.gain("man", "old")
        (60, 37, 0)
    """

    alphabet: str
    codes: Mapping[Lengths, NDArray[np.uint8]]
    gains: Mapping[Lengths, NDArray[np.int16]]
    _known: dict[Lengths, dict[str, int]] = field(default_factory=dict, init=False, repr=False)

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
        for one, other, number in pairs:
            if (one + other).isalpha() and one in words and other in words:
                gain = UNCOUNTED + round(
                    DOUBLING * log2(number * total / (words[one] * words[other]))
                )
                if gain > 0:
                    groups[len(one), len(other)][one + other] = gain
        alphabet = "".join(
            sorted({letter for group in groups.values() for letter in "".join(group)})
        )
        made = cls(alphabet, codes := {}, gains := {})
        for lengths, group in groups.items():
            letters = np.array(list("".join(group)))
            codes[lengths] = (
                np.searchsorted(list(alphabet), letters).astype(np.uint8).reshape(-1, sum(lengths))
            )
            gains[lengths] = np.array(list(group.values()), np.int16)
        return made

    def as_arrays(self) -> dict[str, Any]:
        """The pairs as four arrays."""
        return {
            "alphabet": np.array([ord(letter) for letter in self.alphabet], np.uint32),
            "shapes": np.array(
                [(len(rows), *lengths) for lengths, rows in self.codes.items()], np.int64
            ).reshape(-1, 3),
            "codes": np.concatenate(
                [np.empty(0, np.uint8), *(rows.ravel() for rows in self.codes.values())]
            ),
            "gains": np.concatenate([np.empty(0, np.int16), *self.gains.values()]),
        }

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> WordPairs:
        """The pairs of arrays that `as_arrays` made."""
        shapes = arrays["shapes"].tolist()
        codes = split_by_sizes(
            arrays["codes"], [count * (one + other) for count, one, other in shapes]
        )
        gains = split_by_sizes(arrays["gains"], [count for count, *_ in shapes])
        lengths = [(one, other) for _, one, other in shapes]
        rows = {both: part.reshape(-1, sum(both)) for both, part in zip(lengths, codes)}
        return cls("".join(map(chr, arrays["alphabet"].tolist())), rows, dict(zip(lengths, gains)))

    def gain(self, first: str, second: str) -> int:
        """How much less rare a word is after another; 0 if the pair is not counted."""
        lengths = len(first), len(second)
        if lengths not in self._known and lengths in self.codes:
            letters = np.array(list(self.alphabet))[self.codes[lengths]]
            both = letters.view(f"<U{sum(lengths)}").ravel().tolist()
            self._known[lengths] = dict(zip(both, self.gains[lengths].tolist()))
        return self._known.get(lengths, {}).get(first + second, 0)


@cache
def english_pairs() -> WordPairs:
    """The pairs that wordsegment counts, from texts of the web.

    Raises:
        LexiconError: The package is not installed.
    """
    return cached(WordPairs, "pairs of english", (COUNTS, version_of(COUNTS), UNCOUNTED), _build)


def _build() -> WordPairs:
    lines = (
        line.replace("\t", " ").split(" ")
        for line in read_lines(package_file(COUNTS, "bigrams.txt", "english"))
    )
    return WordPairs.of_counts(
        dict(counted()), ((one, other, int(number)) for one, other, number in lines)
    )


class WordRarity(Functions):
    """Functions on the rarity of words."""

    def by_rarity(self, xs: Any, words: Lexicon) -> tuple[str, ...]:
        """Return words with the most common ones first, in the same order if the lexicon has no
        ranks.
        """
        if not isinstance(words, Lexicon):
            raise ExpressionError(
                f"expected a lexicon to look up the rarity in, got {display_text(words)}"
            )
        known: tuple[str, ...] = self.interpreter.require_fixed(self.items(xs), "a word")
        if not all(isinstance(word, str) for word in known):
            raise ExpressionError(f"expected words to sort by rarity, got {display_text(known)}")
        self.interpreter.spend(len(known) * 4)
        if words.ranks is None:
            return known
        return tuple(sorted(known, key=lambda word: words.rank(word) or len(words) + 1))

    def rarity(self, xs: Any, words: Lexicon) -> Any:
        """The rarity of a word: 0 for the commonest, 10 more each time the rank doubles."""
        if not isinstance(words, Lexicon):
            raise ExpressionError(
                f"expected a lexicon to look up the rarity in, got {display_text(words)}"
            )
        if words.ranks is None:
            raise MissingDataError(unordered(words.name), help="use a file with common words first")
        parts = self._parts(xs)
        self.interpreter.spend(len(parts))
        if not self.interpreter.symbolic(parts):
            return rarity(words, "".join(parts))
        terms = tuple(map(self.interpreter.term, parts))
        return Apply(_rarity(words, self._are_letters(terms)), (terms,))

    def succession(self, a: Any, b: Any, words: Lexicon) -> Any:
        """How much rarer word `b` is after word `a`: 0, or less for words that often follow each
        other.
        """
        if not isinstance(words, Lexicon):
            raise ExpressionError(f"expected the lexicon of the words, got {display_text(words)}")
        one, other = self._parts(a), self._parts(b)
        if "english" not in languages(words.name):
            return 0
        self.interpreter.spend(len(one) + len(other))
        if not self.interpreter.symbolic((one, other)):
            return -english_pairs().gain("".join(one), "".join(other))
        terms = tuple(map(self.interpreter.term, one + other))
        return Apply(_succession(len(one), self._are_letters(terms)), (terms,))

    def _parts(self, xs: Any) -> tuple[Any, ...]:
        """The parts of a word: a text, an unknown word, or its letters."""
        row = tuple(xs) if isinstance(xs, VariableArray) else xs
        parts = tuple(row) if is_row(row) else (row,)
        if not parts or not all(
            isinstance(part, str | Term) and self.interpreter.kinds.of(part) in (TEXT, None)
            for part in parts
        ):
            raise ExpressionError(
                f"expected a word or a row of its letters, got {display_text(xs)}"
            )
        return parts

    def _are_letters(self, terms: tuple[Term, ...]) -> bool:
        return all(
            len(value) == 1
            for term in terms
            for value in self.interpreter.kinds.possible(term) or ("",)
        )


def _rows(codes: NDArray[np.unsignedinteger[Any]] | None, alphabet: str, length: int) -> Rows:
    """The rows of so many letters for which a function has another value than for all others, and
    the letters of its places.
    """
    return np.empty((0, length), dtype=np.uint8) if codes is None else codes, (alphabet,) * length


@lru_cache(64)
def _succession(first: int, letters: bool) -> Function:
    """The succession of words of which the first one has `first` parts; `letters` says that each
    part is one letter.
    """
    pairs = english_pairs()

    def once(parts: tuple[str, ...]) -> int:
        return -pairs.gain("".join(parts[:first]), "".join(parts[first:]))

    def many(rows: NDArray[np.str_]) -> NDArray[np.int64]:
        return np.array([once(tuple(row)) for row in rows.tolist()], dtype=np.int64)

    def few(length: int) -> Rows:
        return _rows(pairs.codes.get((first, length - first)), pairs.alphabet, length)

    return Function("succession", once, many, few if letters else None, 0)


@lru_cache(16)
def _rarity(words: Lexicon, letters: bool) -> Function:
    """The rarity function of a lexicon; `letters` says that each part of a row is one letter."""

    def once(parts: tuple[str, ...]) -> int:
        return rarity(words, "".join(parts))

    def known(length: int) -> Rows:
        return _rows(words.codes.get(length), words.alphabet, length)

    return Function(
        "rarity", once, lambda rows: rarities(words, rows), known if letters else None, once(())
    )
