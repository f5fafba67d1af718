"""Load lexicons from expressions: names, files, and sums and differences of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from puzzlekit.errors import LexiconError, nearest
from puzzlekit.folding import fold
from puzzlekit.libraries.words.lexicon import Lexicon, cached, unordered
from puzzlekit.libraries.words.named_lexicons import (
    OFFENSIVE,
    SOURCES,
    SYSTEM,
    NamedLexicon,
    exists,
    printable_text,
    read_lines,
    stamp,
    version_of,
)

LEXICON_TERMS = 16  # in a sum of lexicons
UNCACHED_BYTES = 100_000  # below which reading a file is as fast as reading the cache
SORTED = 0.9  # the share of words in alphabetical order from which a file counts as sorted
MEANT = {"common": "english"}  # aliases before a number, such as common:5000

_BY_NAME = {source.name: source for source in (*SOURCES, *OFFENSIVE)}

# The lexicons that this process loaded, by name or file stamp, and those derived from them.
_loaded: dict[object, Lexicon] = {}
_made: dict[tuple[object, ...], Lexicon] = {}


def table() -> tuple[NamedLexicon, ...]:
    """The named lexicons."""
    return SOURCES


def load(expression: str, folder: Path | None = None, fold_accents: bool = False) -> Lexicon:
    """Load the lexicon of an expression such as `english`, `english+extra.txt` or `french:5000`.

    A part is a name from `table()`, else a file with one word per line. `part:N` is its N commonest
    words. Parts are added (`+`) and subtracted (`-`) from left to right. Loading an expression
    again in the same process returns the same object as long as the files do not change.

    Args:
        expression: The parts, joined by `+` and `-`.
        folder: Where files are looked for first, before the working directory.
        fold_accents: Whether the words lose their accents.

    Raises:
        LexiconError: A part is neither a name nor a file; a file cannot be read, is not UTF-8 text,
            is too large or has no words; the package of a named lexicon is not installed; a lexicon
            has no ranks but only its commonest words are asked for; or no words are left.
    """
    lexicon: Lexicon | None = None
    for part in _parts(expression, folder):
        lexicon = _combined(lexicon, part, _part(part, folder, expression))
    assert lexicon is not None, "an expression has a part"
    if not len(lexicon):
        raise LexiconError(f"no words are left in the lexicon {printable_text(expression)}")
    if fold_accents:
        key = ("without accents", lexicon)
        _made[key] = lexicon = _made.get(key) or lexicon.without_accents()
    return lexicon


def larger(expression: str) -> str | None:
    """Replace each part of an expression by the next larger lexicon; None if no part has one.

    Examples:
        >>> larger("english-common+extra.txt"), larger("english-wide"), larger("english:5000")
        ('english+extra.txt', None, 'english')
    """
    try:
        parts = terms_of(expression, _BY_NAME.__contains__)
    except LexiconError:
        return None
    grown = [
        LexiconTerm(_larger(part), part.sign)
        if part.sign == "+" and part.name in _BY_NAME
        else part
        for part in parts
    ]
    if grown == parts:
        return None
    return "".join(f"{part.sign}{part}" for part in dict.fromkeys(grown)).removeprefix("+")


def largest(expression: str) -> str:
    """Replace each part of an expression by the largest lexicon of its language.

    Examples:
        >>> largest("english-common+extra.txt"), largest("finnish-familiar"), largest("french:5000")
        ('english-wide+extra.txt', 'finnish', 'french')
    """
    while (grown := larger(expression)) is not None:
        expression = grown
    return expression


def languages(expression: str) -> list[str]:
    """The languages of the lexicons that an expression names; English where it names none.

    Examples:
        >>> languages("finnish+extra.txt"), languages("extra.txt")
        (['finnish'], ['english'])
    """
    try:
        parts = _parts(expression)
    except LexiconError:
        parts = []
    named = dict.fromkeys(
        _BY_NAME[part.name].language for part in parts if part.sign == "+" and part.name in _BY_NAME
    )
    return list(named) or ["english"]


def from_anywhere(expression: str) -> str:
    """Replace each file of an expression by its absolute path.

    As in `load`, a name takes precedence over a file.

    Raises:
        LexiconError: A name is missing, or there are too many parts.

    Examples:
        >>> from_anywhere("english-common:500+french")
        'english-common:500+french'
    """
    parts = _parts(expression)
    placed = [
        part if part.name in _BY_NAME else LexiconTerm(_whole_path(part.name), part.sign, part.most)
        for part in parts
    ]
    return "".join(f"{part.sign}{part}" for part in placed).removeprefix("+")


def _whole_path(name: str) -> str:
    return str(Path(name).resolve()) if exists(Path(name)) else name


def in_order(words: list[str]) -> list[str] | None:
    """The folded words if they count as sorted by frequency, or None if they are alphabetical."""
    folded = [fold(word.strip()) for word in words]
    rising = sum(one <= other for one, other in pairwise(folded))
    return None if rising >= SORTED * (len(folded) - 1) else folded


def writable(
    expression: str, common: int | None = None, allow_offensive: bool = False
) -> Mapping[int, Sequence[str]]:
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
    words: dict[int, Sequence[str]] = {
        length: lexicon.of_length(length) for length in lexicon.lengths
    }
    if common is not None:
        if lexicon.ranks is None:
            raise LexiconError(unordered(lexicon.name))
        for length, ranks in lexicon.ranks.items():
            words[length] = [
                words[length][place] for place in np.argsort(ranks, kind="stable").tolist()
            ]
    if not allow_offensive:
        offensive = set().union(
            *(load(f"{language}-offensive") for language in languages(expression))
        )
        words = {
            length: [word for word in found if word not in offensive]
            for length, found in words.items()
        }
    return {length: found[:common] for length, found in words.items() if found}


@dataclass(frozen=True)
class LexiconTerm:
    """A lexicon to add (`+`) or subtract (`-`); with `most`, only its commonest words."""

    name: str
    sign: str = "+"
    most: int | None = None

    def __str__(self) -> str:
        return self.name + ("" if self.most is None else f":{self.most}")


def terms_of(expression: str, exists: Callable[[str], bool]) -> list[LexiconTerm]:
    """Split a lexicon expression into its parts.

    Names and files may contain hyphens and signs, so the longest known name is taken. An unknown
    name ends at the next `+`.

    Args:
        expression: Names and files, joined by `+` and `-`.
        known: Whether a name or file exists.

    Returns:
        The parts in order.

    Raises:
        LexiconError: A name is missing, or there are too many parts.

    Examples:
        >>> known = {"english-common", "english", "my-own.txt"}.__contains__
        >>> [part.sign + str(part) for part in parts_of("english-common:500-my-own.txt+x", known)]
        ['+english-common:500', '-my-own.txt', '+x']
    """
    found: list[LexiconTerm] = []
    sign, rest = "+", expression
    while True:
        ends = [len(rest), *reversed([match.start() for match in re.finditer(r"[+-]", rest)])]
        parts = ((end, _known_part(rest[:end].strip(), sign, exists)) for end in ends)
        end, part = next((pair for pair in parts if pair[1] is not None), (0, None))
        if part is None:
            end = len(rest.partition("+")[0])
            part = _numbered(rest[:end].strip(), sign)
        if not part.name:
            raise LexiconError(
                f"expected a name in each part of the lexicon '{printable_text(expression)}'"
            )
        found.append(part)
        if len(found) > LEXICON_TERMS:
            raise LexiconError(f"a lexicon has at most {LEXICON_TERMS} parts")
        if end == len(rest):
            return found
        sign, rest = rest[end], rest[end + 1 :]


def _known_part(text: str, sign: str, known: Callable[[str], bool]) -> LexiconTerm | None:
    if text and known(text):
        return LexiconTerm(text, sign)
    part = _numbered(text, sign)
    return part if part.most is not None and part.name and known(part.name) else None


def _numbered(text: str, sign: str) -> LexiconTerm:
    name, colon, number = text.rpartition(":")
    if not colon or not re.fullmatch(r"[0-9]{1,9}", number, re.ASCII):
        return LexiconTerm(text, sign)
    if int(number) == 0:
        raise LexiconError(
            f"the lexicon {printable_text(text)} would have no words: write a number from 1"
        )
    return LexiconTerm(MEANT.get(name.strip(), name.strip()), sign, int(number))


def _parts(expression: str, folder: Path | None = None) -> list[LexiconTerm]:
    return terms_of(expression, lambda name: name in _BY_NAME or _path(name, folder) is not None)


def _larger(part: LexiconTerm) -> str:
    return part.name if part.most is not None else _BY_NAME[part.name].larger or part.name


def _combined(left: Lexicon | None, part: LexiconTerm, lexicon: Lexicon) -> Lexicon:
    if left is None or (left is lexicon and part.sign == "+"):
        return lexicon
    key = (left, part.sign, lexicon)
    if key not in _made:
        _made[key] = left.joined(lexicon) if part.sign == "+" else left.without(lexicon)
    return _made[key]


def _part(part: LexiconTerm, folder: Path | None, expression: str) -> Lexicon:
    if part.name in _BY_NAME:
        whole = _named(_BY_NAME[part.name])
    else:
        path = _path(part.name, folder)
        if path is None:
            raise _unknown(part.name, folder, expression)
        whole = _of_file(path)
    if part.most is None:
        return whole
    key = (whole, part.most)
    if key not in _made:
        _made[key] = whole.commonest(part.most)
    return _made[key]


def _path(name: str, folder: Path | None) -> Path | None:
    places = [folder / name, Path(name)] if folder is not None else [Path(name)]
    return next((path for path in places if exists(path)), None)


def _unknown(name: str, folder: Path | None, expression: str) -> LexiconError:
    known, colon, _ = name.partition(":")
    if colon and (known in _BY_NAME or known in MEANT):
        return LexiconError(
            f"expected a number of words from 1 to 999,999,999 after the colon in {printable_text(name)}"
        )
    if "." in name or Path(name).name != name:
        where = (
            "the working directory"
            if folder is None
            else f"{printable_text(folder)} and the working directory"
        )
        return LexiconError(f"there is no file {printable_text(name)} in {where}")
    near = nearest(expression, _BY_NAME)  # english-commn begins with a known name
    near = near if near.startswith("did") else nearest(name, (source.name for source in SOURCES))
    help = near if near.startswith("did") else "puzzlekit words lists the lexicons"
    return LexiconError(f"there is no lexicon {printable_text(name)}", help=help)


def _named(source: NamedLexicon) -> Lexicon:
    """The lexicon of a source, from memory, from the cache or from its loader."""
    if not source.package:
        return _of_file(SYSTEM, source.name)
    if source.name not in _loaded:
        key = (source.package, *map(version_of, (source.package, *source.besides)))
        known = bool(key[1])  # else the package is not installed
        _loaded[source.name] = (
            cached(Lexicon, source.name, key, lambda: _build(source)) if known else _build(source)
        )
    return _loaded[source.name]


def _build(source: NamedLexicon) -> Lexicon:
    return Lexicon.from_words(source.name, source.loader(), source.order())


def _of_file(path: Path, name: str = "") -> Lexicon:
    """The lexicon of a file, by default called by the file's name."""
    key = stamp(path)
    if key not in _loaded:
        name = name or path.name
        small = key[-1] < UNCACHED_BYTES
        _loaded[key] = (
            _build_file(path, name)
            if small
            else cached(Lexicon, name, key, lambda: _build_file(path, name))
        )
    return _loaded[key]


def _build_file(path: Path, name: str) -> Lexicon:
    lines = read_lines(path)
    lexicon = Lexicon.from_words(name, lines, in_order(lines))
    if not len(lexicon):
        raise LexiconError(
            f"{printable_text(path)} has no words: write one word per line, of letters only"
        )
    return lexicon
