"""How rare words are, on a scale on which sums can be compared, and the words worth writing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.errors import LexiconError
from puzzlekit.libraries.words.lexicon import Lexicon, unordered
from puzzlekit.libraries.words.sources import languages, load

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
        known: NDArray[Any] = np.ascontiguousarray(lexicon.letters_of_length(length)).view(f"<U{length}").ravel()
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


def writable(expression: str, common: int | None = None, allow_offensive: bool = False) -> Mapping[int, Sequence[str]]:
    """The words of a lexicon that a generator may write.

    Args:
        expression: The lexicon, as a spec names it.
        common: If given, only so many words of each length: the commonest.
        allow_offensive: Whether to keep the offensive words of the lexicon's language.

    Returns:
        The words by length, the commonest first if `common` is given.

    Raises:
        LexiconError: The lexicon cannot be loaded, or has no ranks but `common` is given.
    """
    lexicon = load(expression)
    words: dict[int, Sequence[str]] = {length: lexicon.of_length(length) for length in lexicon.lengths}
    if common is not None:
        if lexicon.ranks is None:
            raise LexiconError(unordered(lexicon.name))
        for length, ranks in lexicon.ranks.items():
            words[length] = [words[length][place] for place in np.argsort(ranks, kind="stable").tolist()]
    if not allow_offensive:
        offensive = set().union(*(load(f"{language}-offensive") for language in languages(expression)))
        words = {length: [word for word in found if word not in offensive] for length, found in words.items()}
    return {length: found[:common] for length, found in words.items() if found}
