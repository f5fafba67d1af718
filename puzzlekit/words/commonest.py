"""The words of a lexicon that are seen most often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from puzzlekit.errors import LexiconError
from puzzlekit.words.files import exists, read_lines
from puzzlekit.words.lexicon import fold
from puzzlekit.words.lists import SOURCES, counted
from puzzlekit.words.sources import load


def commonest(expression: str, number: int) -> Mapping[int, list[str]]:
    """So many words of each length, those seen most often first.

    English is counted by its package, languages of wordfreq are in order, and in a file the common words are taken to
    stand first. Raises LexiconError for a lexicon that cannot say, or cannot be had.
    """
    lexicon = load(expression)
    groups: dict[int, list[str]] = {n: [] for n in lexicon.lengths}
    seen: set[str] = set()
    for word in map(fold, map(str.strip, _in_order(expression))):
        if word in lexicon and word not in seen and len(groups[len(word)]) < number:
            seen.add(word)
            groups[len(word)].append(word)
    return groups


def _in_order(expression: str) -> Iterable[str]:
    source = next((source for source in SOURCES if source.name == expression), None)
    if source is None and exists(Path(expression)):
        return read_lines(Path(expression))
    if source is not None and source.package == "wordsegment":
        return (word for word, _ in sorted(counted(), key=lambda pair: (-pair[1], pair[0])))
    if source is not None and source.package == "wordfreq":
        return source.loader()
    raise LexiconError(f"the lexicon {expression} does not say which of its words are common")
