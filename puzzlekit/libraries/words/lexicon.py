"""A lexicon: the words that a puzzle may use, grouped by length, as arrays of letter codes, which
are cached on disk.
"""

from __future__ import annotations

import os
import re
import sys
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from io import BytesIO
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, Self, TypeAlias, TypeVar
from unicodedata import combining, normalize, unidata_version

import numpy as np
from numpy.typing import NDArray

from puzzlekit.clock import checked
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import LexiconError
from puzzlekit.folding import fold
from puzzlekit.processes import uninterrupted

IN_PLACE = "these words"  # the name of a lexicon whose words the spec lists
Codes: TypeAlias = NDArray[np.uint8 | np.uint16]
Ranks: TypeAlias = NDArray[np.int32]


def without_accents(text: str) -> str:
    """Fold text and remove accents. ø, ł and œ stay, as they are letters of their own.

    Examples:
        >>> without_accents("Été à Øst")
        'ete a øst'
    """
    decomposed = normalize("NFD", fold(text))
    return normalize("NFC", "".join(char for char in decomposed if not combining(char)))


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Words grouped by length as arrays of letter codes.

    Two lexicons are equal only if they are the same object.

    Attributes:
        name: The expression that names it, as a spec writes it.
        alphabet: The distinct letters, sorted, one character each.
        codes: For each length an (n, length) array of indices into the alphabet. The rows are
            distinct and in lexicographic order; the array is read-only.
        left_out: The number of lines that were not words.
        ranks: For each length the ranks of the rows of `codes`. Rank 1 is the commonest word;
            words never seen share the last rank. None if it is not known how common words are.

    Examples:
        >>> lines = ["To", "be", "or", "not", "2b"]
        >>> words = Lexicon.from_words("small", lines, order=["not", "to"])
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
    def from_words(
        cls, name: str, words: Iterable[str], order: Iterable[str] | None = None
    ) -> Lexicon:
        """Make a lexicon of words.

        Args:
            name: The name of the lexicon.
            words: The words, which are stripped and folded. A line with a character that is not a
                letter is left out and counted; blank lines are ignored.
            order: Words with known frequency, the commonest first.

        Returns:
            The lexicon, with ranks if `order` is given.
        """
        groups: defaultdict[int, set[str]] = defaultdict(set)
        left_out = 0
        for line in checked(words):
            word = fold(line.strip())
            if word.isalpha():
                groups[len(word)].add(word)
            elif word:
                left_out += 1
        if order is None:
            return cls._of_groups(name, groups, left_out)
        ranks: dict[str, int] = {}
        for line in checked(order):
            word = fold(line.strip())
            if word not in ranks and word in groups.get(len(word), ()):
                ranks[word] = len(ranks) + 1
        return cls._of_groups(name, groups, left_out, ranks)

    @classmethod
    def _of_groups(
        cls,
        name: str,
        groups: Mapping[int, Iterable[str]],
        left_out: int,
        ranks: Mapping[str, int] | None = None,
    ) -> Lexicon:
        """Make a lexicon of words that are folded, distinct and grouped by length.

        Words without a rank share the last one.
        """
        sorted_words = {length: sorted(words) for length, words in sorted(groups.items())}
        points: dict[int, NDArray[np.uint32]] = {}  # the code points of the letters
        for length, words in sorted_words.items():
            encoded = "".join(words).encode("utf-32-le")
            points[length] = np.frombuffer(encoded, dtype="<u4").reshape(-1, length)
        is_used = np.zeros(0x110000, dtype=np.bool_)
        for rows in points.values():
            is_used[rows] = True
        letters = np.flatnonzero(is_used)
        code_of: Codes = np.zeros(
            len(is_used), dtype=np.uint8 if len(letters) <= 256 else np.uint16
        )
        code_of[letters] = np.arange(len(letters))
        codes = {length: code_of[rows] for length, rows in points.items()}
        alphabet = "".join(map(chr, letters))
        if ranks is None:
            return cls.of_codes(name, alphabet, codes, left_out)
        last = max(ranks.values(), default=0) + 1
        ranks_of_rows = {
            length: np.array([ranks.get(word, last) for word in words], dtype=np.int32)
            for length, words in sorted_words.items()
        }
        return cls.of_codes(name, alphabet, codes, left_out, ranks_of_rows)

    @classmethod
    def of_codes(
        cls,
        name: str,
        alphabet: str,
        codes: Mapping[int, Codes],
        left_out: int = 0,
        ranks: Mapping[int, Ranks] | None = None,
    ) -> Lexicon:
        """Make a lexicon of arrays like `codes` and `ranks`, and make them read-only."""
        for rows in (*codes.values(), *(ranks or {}).values()):
            rows.flags.writeable = False
        order = None if ranks is None else MappingProxyType(dict(ranks))
        return cls(name, alphabet, MappingProxyType(dict(codes)), left_out, order)

    def as_arrays(self) -> dict[str, Any]:
        """Return the lexicon without its name as five arrays, or four if it has no ranks."""
        rows = list(self.codes.values())
        codes = np.empty(0, np.uint8)
        if rows:
            codes = np.concatenate([row.ravel() for row in rows])
        letters = list(map(ord, self.alphabet))
        shapes = np.array([row.shape for row in rows], dtype=np.int64)
        arrays: dict[str, Any] = {
            "alphabet": np.array(letters, dtype=np.uint32),
            "shapes": shapes.reshape(-1, 2),
            "codes": codes,
            "left_out": np.array(self.left_out, dtype=np.int64),
        }
        if self.ranks is not None:
            arrays["ranks"] = np.concatenate([np.empty(0, dtype=np.int32), *self.ranks.values()])
        return arrays

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Lexicon:
        """Return the lexicon of arrays that `as_arrays` returned."""
        shapes = arrays["shapes"].tolist()
        flat = split_by_sizes(arrays["codes"], [count * length for count, length in shapes])
        codes = {
            length: letters.reshape(count, length) for (count, length), letters in zip(shapes, flat)
        }
        ranks = None
        if "ranks" in arrays:
            counts = [count for count, _ in shapes]
            ranks = dict(zip(codes, split_by_sizes(arrays["ranks"], counts)))
        alphabet = "".join(map(chr, arrays["alphabet"].tolist()))
        return cls.of_codes(name, alphabet, codes, int(arrays["left_out"]), ranks)

    def __reduce__(self) -> tuple[Callable[..., Lexicon], tuple[object, ...]]:
        ranks = None if self.ranks is None else dict(self.ranks)
        return Lexicon.of_codes, (self.name, self.alphabet, dict(self.codes), self.left_out, ranks)

    def same_as(self, lexicon: object) -> bool:
        """Return whether another lexicon has the same words with the same ranks."""
        if self is lexicon:
            return True
        if not isinstance(lexicon, Lexicon) or list(self) != list(lexicon):
            return False
        return all(self.rank(word) == lexicon.rank(word) for word in self)

    def as_data(self) -> str | list[str]:
        """Return the lexicon as a spec writes it: its name, or the list of its words."""
        if self.name != IN_PLACE:
            return self.name
        return sorted(self, key=lambda word: (self.rank(word) or 0, word))

    @property
    def lengths(self) -> tuple[int, ...]:
        """The lengths of the words, in ascending order."""
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
        """Iterate over the words by length, then in lexicographic order."""
        return chain.from_iterable(map(self.of_length, self.lengths))

    def of_length(self, n: int) -> tuple[str, ...]:
        """Return the words of n letters, sorted.

        It is always the same object, so callers can cache by it.
        """
        if n not in self.codes:
            return ()
        if n not in self._words:
            self._words[n] = tuple(self.letters_of_length(n).view(f"<U{n}").ravel().tolist())
        return self._words[n]

    def letters_of_length(self, n: int) -> NDArray[np.str_]:
        """Return the words of n letters as a (number of words, n) array of letters, dtype `<U1`."""
        if n not in self.codes:
            return np.empty((0, n), dtype="<U1")
        return np.array(list(self.alphabet), dtype="<U1")[self.codes[n]]

    def rank(self, word: str) -> int | None:
        """Return the rank of a word; None if the lexicon lacks the word or has no ranks."""
        folded = fold(word)
        words = self.of_length(len(folded))
        row = bisect_left(words, folded)
        if self.ranks is None or words[row : row + 1] != (folded,):
            return None
        return int(self.ranks[len(folded)][row])

    def joined(self, added: Lexicon) -> Lexicon:
        """Return the union of two lexicons; a word in both has the better of its ranks.

        Examples:
            >>> words = Lexicon.from_words("a", ["up", "on"])
            >>> list(words.joined(Lexicon.from_words("b", ["on", "off"])))
            ['on', 'up', 'off']
        """
        lengths = checked({*self.lengths, *added.lengths})
        groups = {length: {*self.of_length(length), *added.of_length(length)} for length in lengths}
        ranks = None
        if self.ranks or added.ranks:
            ranks = _best(chain(self._ranked(), added._ranked()))
        name = f"{self.name}+{added.name}"
        return Lexicon._of_groups(name, groups, self.left_out + added.left_out, ranks)

    def without(self, excluded: Lexicon) -> Lexicon:
        """Return the words that are not in another lexicon, with their ranks."""
        groups = {
            length: [word for word in self.of_length(length) if word not in excluded]
            for length in self.lengths
        }
        return self._only(f"{self.name}-{excluded.name}", groups)

    def commonest(self, number: int) -> Lexicon:
        """Return the commonest words of the lexicon.

        Args:
            number: How many words to keep.

        Raises:
            LexiconError: The lexicon has no ranks.
        """
        if self.ranks is None:
            raise LexiconError(unordered(self.name))
        groups = {}
        for length, ranks in self.ranks.items():
            ranked = zip(self.of_length(length), ranks.tolist())
            groups[length] = [word for word, rank in ranked if rank <= number]
        return self._only(f"{self.name}:{number}", groups)

    def without_accents(self) -> Lexicon:
        """Return the words without accents; where several become one, it has the best rank."""
        letters = str.maketrans({letter: without_accents(letter) for letter in self.alphabet})
        groups: defaultdict[int, set[str]] = defaultdict(set)
        for word in "\n".join(self).translate(letters).split():
            groups[len(word)].add(word)
        ranks = None
        if self.ranks:
            ranks = _best((word.translate(letters), rank) for word, rank in self._ranked())
        return Lexicon._of_groups(self.name, groups, self.left_out, ranks)

    def _only(self, name: str, groups: Mapping[int, list[str]]) -> Lexicon:
        ranks = dict(self._ranked()) if self.ranks is not None else None
        not_empty = {length: words for length, words in groups.items() if words}
        return Lexicon._of_groups(name, not_empty, self.left_out, ranks)

    def _ranked(self) -> Iterator[tuple[str, int]]:
        """Yield the words with their ranks; none if the lexicon has no ranks."""
        for length, ranks in (self.ranks or {}).items():
            yield from zip(self.of_length(length), ranks.tolist())


def _best(ranked: Iterable[tuple[str, int]]) -> dict[str, int]:
    best: dict[str, int] = {}
    for word, rank in checked(ranked):
        best[word] = min(rank, best.get(word, rank))
    return best


def unordered(name: str) -> str:
    """Return the message for a lexicon that does not rank its words."""
    return f"the lexicon {name} does not say which of its words are common"


# raise it when the layout of a cached file or the words that a loader returns change
FORMAT = 2


class Arrays(Protocol):
    """A class whose objects can be written as named arrays, and read from them."""

    def as_arrays(self) -> dict[str, Any]: ...

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Self: ...


T = TypeVar("T", bound=Arrays)


def split_by_sizes(flat: NDArray[Any], sizes: Iterable[int]) -> list[NDArray[Any]]:
    """Split an array into consecutive pieces that have these sizes."""
    return np.split(flat, np.cumsum([*sizes])[:-1])


def cache_folder() -> Path:
    """Return the folder in which lexicons are cached.

    It is `$PUZZLEKIT_CACHE`, else `puzzlekit` in `$XDG_CACHE_HOME` if that is absolute, else the
    usual place of the system.

    Raises:
        RuntimeError: The user has no home folder.
    """
    configured = os.environ.get("PUZZLEKIT_CACHE")
    if configured:
        return Path(configured)
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if shared.is_absolute():
        return shared / "puzzlekit"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "puzzlekit"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        folder = Path(local) if local else Path.home() / "AppData" / "Local"
        return folder / "puzzlekit" / "Cache"
    return Path.home() / ".cache" / "puzzlekit"


def cached(class_: type[T], name: str, key: tuple[object, ...], build: Callable[[], T]) -> T:
    """Load an object from the cache, or build it and store it there.

    Args:
        class_: Its class.
        name: Its name.
        key: A key that changes whenever the source of the words does.
        build: Builds it. What it raises is passed on, and nothing is cached.
    """
    try:
        path = cache_folder() / _file_name(name, key)
    except (OSError, RuntimeError):
        return build()
    # The file may be damaged, and numpy and zipfile report that by many exceptions: build anew.
    with suppress(Exception):
        content = BytesIO(path.read_bytes() if path.is_file() else b"")
        with np.load(content, allow_pickle=False) as arrays:
            return class_.of_arrays(name, arrays)
    built = build()
    stream = BytesIO()
    np.savez(stream, **built.as_arrays())  # uncompressed, with checksums that detect damage
    with suppress(OSError):
        write_atomically(path, stream.getvalue())
    return built


def _file_name(name: str, key: tuple[object, ...]) -> str:
    from hashlib import sha256  # takes long to load, and few puzzles need it

    text = repr((FORMAT, unidata_version, name, key))
    digest = sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
    readable = re.sub(r"[^A-Za-z0-9]+", "-", name)[:40]
    return f"{readable}-{digest[:24]}.npz"


@uninterrupted
def write_atomically(path: Path, data: bytes) -> None:
    """Write a file atomically, even if another process writes the same one."""
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
