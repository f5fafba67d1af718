"""How rare words are, on a scale on which sums of words compare."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.errors import LexiconError
from puzzlekit.libraries.words.lexicon import Lexicon, unordered
from puzzlekit.libraries.words.sources import load

# By Zipf's law a word of rank r is seen about 1 / r as often as the first, so log r is, up to what is the same for all words,
# minus the logarithm of its probability: of several rows of so many words the likeliest has the least sum.
DOUBLING = 10  # what a word's rarity grows by where its rank doubles


def rarity(lexicon: Lexicon, word: str) -> int:
    """0 for the commonest word, 10 more with every doubling of the rank; what is no word counts as one never seen.

    Raises LexiconError where the lexicon does not know how common its words are.

    >>> words = Lexicon.from_words("small", ["the", "of", "and", "to"], order=["the", "of", "and", "to"])
    >>> [rarity(words, word) for word in ("the", "of", "and", "to")]
    [0, 10, 16, 20]
    """
    return round(DOUBLING * log2(lexicon.rank(word) or _last(lexicon)))


def rarities(lexicon: Lexicon, words: NDArray[np.str_]) -> NDArray[np.int64]:
    """The rarity of each of many words, an array of words (n,) or of their letters (n, length). Raises LexiconError."""
    words = reduce(np.char.add, words.astype(np.str_).T) if words.ndim == 2 else words
    ranks = np.full(len(words), _last(lexicon), dtype=np.int64)
    lengths = np.char.str_len(words)
    for length in set(lengths.tolist()) & set(lexicon.lengths):
        at_length = np.flatnonzero(lengths == length)
        asked = words[at_length].astype(f"<U{length}")
        known: NDArray[Any] = np.ascontiguousarray(lexicon.letters_of_length(length)).view(f"<U{length}").ravel()
        places = np.minimum(np.searchsorted(known, asked), len(known) - 1)
        found = known[places] == asked
        assert lexicon.ranks is not None, "_last has seen to it"
        ranks[at_length[found]] = lexicon.ranks[length][places[found]]
    rounded: NDArray[np.int64] = np.rint(DOUBLING * np.log2(ranks)).astype(np.int64)
    return rounded


def _last(lexicon: Lexicon) -> int:
    if lexicon.ranks is None:
        raise LexiconError(unordered(lexicon.name))
    return max((int(ranks.max()) for ranks in lexicon.ranks.values()), default=1)


def commonest(expression: str, number: int) -> Mapping[int, list[str]]:
    """So many words of each length, those seen most often first.

    Raises LexiconError for a lexicon that cannot say which these are, or cannot be had.
    """
    lexicon = load(expression)
    if lexicon.ranks is None:
        raise LexiconError(unordered(lexicon.name))
    return {
        length: [lexicon.of_length(length)[place] for place in np.argsort(ranks, kind="stable")[:number].tolist()]
        for length, ranks in lexicon.ranks.items()
    }
