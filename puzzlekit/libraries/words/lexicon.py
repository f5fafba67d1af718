"""A lexicon: the words that a puzzle may use, by length, as arrays of letter codes."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias
from unicodedata import combining, normalize

import numpy as np
from numpy.typing import NDArray

from puzzlekit.errors import LexiconError
from puzzlekit.folding import fold

IN_PLACE = "these words"  # what a field calls the lexicon of the words that a spec lists
Codes: TypeAlias = NDArray[np.uint8 | np.uint16]
Ranks: TypeAlias = NDArray[np.int32]


def without_accents(text: str) -> str:
    """Folded text whose letters have lost the marks that can be taken from them; ø, ł and œ are letters of their own.

    >>> without_accents("Été à Øst")
    'ete a øst'
    """
    return normalize("NFC", "".join(char for char in normalize("NFD", fold(text)) if not combining(char)))


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Words grouped by length as arrays of letter codes.

    `alphabet` has the distinct letters, sorted, one character each. `codes` has for each length an (n, length) array
    of indexes into the alphabet; its rows are distinct and in lexicographic order, and it cannot be written to.
    `left_out` says how many lines were not words. `ranks` has beside each row of `codes` the word's rank: 1 is seen most
    often, and words that were never seen share the last; it is None where nothing says how common the words are. Two
    lexicons are equal only if they are the same object.

    >>> words = Lexicon.from_words("small", ["To", "be", "or", "not", "2b"], order=["not", "to"])
    >>> words.of_length(2), len(words), words.left_out, "Not" in words
    (('be', 'or', 'to'), 4, 1, True)
    >>> [words.rank(word) for word in ("not", "to", "be", "or", "is")]
    [1, 2, 3, 3, None]
    """

    name: str
    alphabet: str
    codes: Mapping[int, Codes]
    left_out: int = 0
    ranks: Mapping[int, Ranks] | None = None
    _words: dict[int, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False)
    _sets: dict[int, frozenset[str]] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_words(cls, name: str, words: Iterable[str], order: Iterable[str] | None = None) -> Lexicon:
        """The lexicon of these words, folded; `order` has those that were seen, the commonest first.

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
        if order is None:
            return cls._of_groups(name, groups, left_out)
        seen = (word for word in map(fold, map(str.strip, order)) if word in groups.get(len(word), ()))
        return cls._of_groups(name, groups, left_out, {word: rank for rank, word in enumerate(dict.fromkeys(seen), 1)})

    @classmethod
    def _of_groups(
        cls, name: str, groups: Mapping[int, Iterable[str]], left_out: int, ranks: Mapping[str, int] | None = None
    ) -> Lexicon:
        """The lexicon of words that are folded, distinct and grouped by length; those without a rank were never seen."""
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
        alphabet = "".join(map(chr, letters))
        if ranks is None:
            return cls.of_codes(name, alphabet, codes, left_out)
        last = max(ranks.values(), default=0) + 1
        arrays = {n: np.array([ranks.get(w, last) for w in sorted(words)], dtype=np.int32) for n, words in groups.items()}
        return cls.of_codes(name, alphabet, codes, left_out, {length: arrays[length] for length in codes})

    @classmethod
    def of_codes(
        cls,
        name: str,
        alphabet: str,
        codes: Mapping[int, Codes],
        left_out: int = 0,
        ranks: Mapping[int, Ranks] | None = None,
    ) -> Lexicon:
        """The lexicon of arrays that are as `codes` and `ranks` must be; they can no longer be written to."""
        for rows in (*codes.values(), *(ranks or {}).values()):
            rows.flags.writeable = False
        order = None if ranks is None else MappingProxyType(dict(ranks))
        return cls(name, alphabet, MappingProxyType(dict(codes)), left_out, order)

    def __reduce__(self) -> tuple[Callable[..., Lexicon], tuple[object, ...]]:
        ranks = None if self.ranks is None else dict(self.ranks)
        return Lexicon.of_codes, (self.name, self.alphabet, dict(self.codes), self.left_out, ranks)

    def same_as(self, other: object) -> bool:
        """Whether another lexicon has the same words, and says that they are equally common."""
        return self is other or (
            isinstance(other, Lexicon)
            and list(self) == list(other)
            and all(self.rank(word) == other.rank(word) for word in self)
        )

    def as_data(self) -> str | list[str]:
        """What a spec says for it: its name, or the words where a spec lists them."""
        return self.name if self.name != IN_PLACE else sorted(self, key=lambda word: (self.rank(word) or 0, word))

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

    def rank(self, word: str) -> int | None:
        """The word's rank; None if the lexicon has no such word, or does not know how common its words are."""
        folded = fold(word)
        words = self.of_length(len(folded))
        place = bisect_left(words, folded)
        if self.ranks is None or words[place : place + 1] != (folded,):
            return None
        return int(self.ranks[len(folded)][place])

    def joined(self, other: Lexicon) -> Lexicon:
        """The words of either, under both names; each has the better of its ranks.

        >>> list(Lexicon.from_words("a", ["up", "on"]).joined(Lexicon.from_words("b", ["on", "off"])))
        ['on', 'up', 'off']
        """
        groups = {n: {*self.of_length(n), *other.of_length(n)} for n in {*self.lengths, *other.lengths}}
        ranks = _best(chain(self._ranked(), other._ranked())) if self.ranks or other.ranks else None
        return Lexicon._of_groups(f"{self.name}+{other.name}", groups, self.left_out + other.left_out, ranks)

    def without(self, other: Lexicon) -> Lexicon:
        """The words that the other has not; they keep their ranks."""
        groups = {n: [word for word in self.of_length(n) if word not in other] for n in self.lengths}
        return self._only(f"{self.name}-{other.name}", groups)

    def commonest(self, number: int) -> Lexicon:
        """So many words, those seen most often. Raises LexiconError where nothing says which these are."""
        if self.ranks is None:
            raise LexiconError(unordered(self.name))
        groups = {n: [w for w, rank in zip(self.of_length(n), self.ranks[n].tolist()) if rank <= number] for n in self.lengths}
        return self._only(f"{self.name}:{number}", groups)

    def without_accents(self) -> Lexicon:
        """The words without accents; one that several words become has the best of their ranks."""
        letters = str.maketrans({letter: without_accents(letter) for letter in self.alphabet})
        groups: defaultdict[int, set[str]] = defaultdict(set)
        for word in "\n".join(self).translate(letters).split():
            groups[len(word)].add(word)
        ranks = _best((word.translate(letters), rank) for word, rank in self._ranked()) if self.ranks else None
        return Lexicon._of_groups(self.name, groups, self.left_out, ranks)

    def _only(self, name: str, groups: Mapping[int, list[str]]) -> Lexicon:
        ranks = dict(self._ranked()) if self.ranks is not None else None
        return Lexicon._of_groups(name, {n: words for n, words in groups.items() if words}, self.left_out, ranks)

    def _ranked(self) -> Iterator[tuple[str, int]]:
        """The words, each with its rank; nothing where the ranks are not known."""
        for n, ranks in (self.ranks or {}).items():
            yield from zip(self.of_length(n), ranks.tolist())


def _best(ranked: Iterable[tuple[str, int]]) -> dict[str, int]:
    best: dict[str, int] = {}
    for word, rank in ranked:
        best[word] = min(rank, best.get(word, rank))
    return best


def unordered(name: str) -> str:
    """What is said where the commonest words of a lexicon are wanted that does not know them."""
    return f"the lexicon {name} does not say which of its words are common"
