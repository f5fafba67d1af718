"""A lexicon: the words that a puzzle may use, by length, as arrays of letter codes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias
from unicodedata import normalize

import numpy as np
from numpy.typing import NDArray

Codes: TypeAlias = NDArray[np.uint8 | np.uint16]


def fold(text: str) -> str:
    """Text without case, each accented letter one character: how words and boards are compared.

    Folding twice is folding once, and canonically equivalent texts fold alike.

    >>> fold("Ä") == fold("A\N{COMBINING DIAERESIS}") == "ä"
    True
    """
    return normalize("NFC", normalize("NFC", text).casefold())


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Words grouped by length as arrays of letter codes.

    `alphabet` has the distinct letters, sorted, one character each. `codes` has for each length an (n, length) array
    of indexes into the alphabet; its rows are distinct and in lexicographic order, and it cannot be written to.
    `left_out` says how many lines were not words. Two lexicons are equal only if they are the same object.

    >>> words = Lexicon.from_words("small", ["To", "be", "or", "not", "2b"])
    >>> words.of_length(2), len(words), words.left_out, "Not" in words
    (('be', 'or', 'to'), 4, 1, True)
    """

    name: str
    alphabet: str
    codes: Mapping[int, Codes]
    left_out: int = 0
    _words: dict[int, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False)
    _sets: dict[int, frozenset[str]] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_words(cls, name: str, words: Iterable[str]) -> Lexicon:
        """The lexicon of these words, folded.

        What has a character that is no letter is left out and counted. White space around a word does not matter, and
        blank lines are neither words nor counted.
        """
        groups: defaultdict[int, set[str]] = defaultdict(set)
        left_out = 0
        for line in words:
            word = fold(line.strip())
            if word.isalpha():
                groups[len(word)].add(word)
            elif word:
                left_out += 1
        return cls._of_groups(name, groups, left_out)

    @classmethod
    def _of_groups(cls, name: str, groups: Mapping[int, Iterable[str]], left_out: int) -> Lexicon:
        """The lexicon of words that are folded, distinct and grouped by length."""
        points = {
            length: np.frombuffer("".join(sorted(words)).encode("utf-32-le"), dtype="<u4").reshape(-1, length)
            for length, words in sorted(groups.items())
        }
        used = np.zeros(0x110000, dtype=np.bool_)
        for rows in points.values():
            used[rows] = True
        letters = np.flatnonzero(used)
        code_of = np.zeros(len(used), dtype=np.uint8 if len(letters) <= 256 else np.uint16)
        code_of[letters] = np.arange(len(letters))
        codes = {length: code_of[rows] for length, rows in points.items()}
        return cls.of_codes(name, "".join(map(chr, letters)), codes, left_out)

    @classmethod
    def of_codes(cls, name: str, alphabet: str, codes: Mapping[int, Codes], left_out: int = 0) -> Lexicon:
        """The lexicon of arrays that are as `codes` must be; they can no longer be written to."""
        for rows in codes.values():
            rows.flags.writeable = False
        return cls(name, alphabet, MappingProxyType(dict(codes)), left_out)

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths that words have, from the shortest."""
        return tuple(self.codes)

    def __len__(self) -> int:
        return sum(len(rows) for rows in self.codes.values())

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str):
            return False
        folded = fold(word)
        length = len(folded)
        if length not in self._sets:
            self._sets[length] = frozenset(self.of_length(length))
        return folded in self._sets[length]

    def __iter__(self) -> Iterator[str]:
        """The words, the shortest first, those of one length in lexicographic order."""
        return chain.from_iterable(map(self.of_length, self.lengths))

    def of_length(self, n: int) -> tuple[str, ...]:
        """The words of n letters, sorted: the same object each time, so that callers can cache by identity."""
        if n not in self.codes:
            return ()
        if n not in self._words:
            self._words[n] = tuple(self.letters_of_length(n).view(f"<U{n}").ravel().tolist())
        return self._words[n]

    def letters_of_length(self, n: int) -> NDArray[np.str_]:
        """The words of n letters as an (n of words, n) array of letters, dtype `<U1`."""
        if n not in self.codes:
            return np.empty((0, n), dtype="<U1")
        return np.array(list(self.alphabet), dtype="<U1")[self.codes[n]]

    def joined(self, other: Lexicon) -> Lexicon:
        """The words of either, under both names.

        >>> list(Lexicon.from_words("a", ["up", "on"]).joined(Lexicon.from_words("b", ["on", "off"])))
        ['on', 'up', 'off']
        """
        groups = {n: {*self.of_length(n), *other.of_length(n)} for n in {*self.lengths, *other.lengths}}
        return Lexicon._of_groups(f"{self.name}+{other.name}", groups, self.left_out + other.left_out)
