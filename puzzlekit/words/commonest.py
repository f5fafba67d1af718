"""The words of a lexicon that are seen most often."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from puzzlekit.errors import LexiconError
from puzzlekit.words.lexicon import unordered
from puzzlekit.words.sources import load


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
