"""Load lexicons from expressions: names, files, and sums and differences of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from puzzlekit.dataclass import dataclass
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
ALIASES = {"common": "english"}  # before a number, such as common:5000

_BY_NAME = {source.name: source for source in (*SOURCES, *OFFENSIVE)}

# The lexicons that this process loaded, by name or file stamp, and those derived from them.
_loaded: dict[object, Lexicon] = {}
_derived: dict[tuple[object, ...], Lexicon] = {}


def table() -> tuple[NamedLexicon, ...]:
    """Return the named lexicons."""
    return SOURCES


def load(expression: str, folder: Path | None = None, fold_accents: bool = False) -> Lexicon:
    """Load the lexicon of an expression such as `english`, `english+extra.txt` or `french:5000`.

    A term is a name from `table()`, else a file with one word per line. `term:N` is its N commonest
    words. Terms are added (`+`) and subtracted (`-`) from left to right. Loading an expression
    again in the same process returns the same object as long as the files do not change.

    Args:
        expression: The terms, joined by `+` and `-`.
        folder: Where files are looked for first, before the working directory.
        fold_accents: Whether the words lose their accents.

    Raises:
        LexiconError: A term is neither a name nor a file; a file cannot be read, is not UTF-8 text,
            is too large or has no words; the package of a named lexicon is not installed; a lexicon
            has no ranks but only its commonest words are asked for; or no words are left.
    """
    lexicon: Lexicon | None = None
    for term in _terms(expression, folder):
        lexicon = _combined(lexicon, term, _lexicon_of(term, folder, expression))
    assert lexicon is not None, "an expression has a term"
    if not len(lexicon):
        raise LexiconError(f"no words are left in the lexicon {printable_text(expression)}")
    if fold_accents:
        key = ("without accents", lexicon)
        if key not in _derived:
            _derived[key] = lexicon.without_accents()
        return _derived[key]
    return lexicon


def larger(expression: str) -> str | None:
    """Replace each term of an expression by the next larger lexicon; None if no term has one.

    Examples:
        >>> larger("english-common+extra.txt"), larger("english-wide"), larger("english:5000")
        ('english+extra.txt', None, 'english')
    """
    try:
        terms = terms_of(expression, _BY_NAME.__contains__)
    except LexiconError:
        return None
    grown = list(map(_larger, terms))
    if grown == terms:
        return None
    return _expression(dict.fromkeys(grown))


def largest(expression: str) -> str:
    """Replace each term of an expression by the largest lexicon of its language.

    Examples:
        >>> largest("english-common+extra.txt"), largest("finnish-familiar"), largest("french:5000")
        ('english-wide+extra.txt', 'finnish', 'french')
    """
    while (grown := larger(expression)) is not None:
        expression = grown
    return expression


def languages(expression: str) -> list[str]:
    """Return the languages of the lexicons that an expression names; English where it names none.

    Examples:
        >>> languages("finnish+extra.txt"), languages("extra.txt")
        (['finnish'], ['english'])
    """
    try:
        terms = _terms(expression)
    except LexiconError:
        terms = []
    named = [term.name for term in terms if term.sign == "+" and term.name in _BY_NAME]
    return list(dict.fromkeys(_BY_NAME[name].language for name in named)) or ["english"]


def from_anywhere(expression: str) -> str:
    """Replace each file of an expression by its absolute path.

    As in `load`, a name takes precedence over a file.

    Raises:
        LexiconError: A name is missing, or there are too many terms.

    Examples:
        >>> from_anywhere("english-common:500+french")
        'english-common:500+french'
    """
    terms = [
        term if term.name in _BY_NAME else replace(term, name=_absolute_path(term.name))
        for term in _terms(expression)
    ]
    return _expression(terms)


def _absolute_path(name: str) -> str:
    return str(Path(name).resolve()) if exists(Path(name)) else name


def in_order(words: list[str]) -> list[str] | None:
    """Return the folded words if they seem sorted by frequency, or None if alphabetically."""
    folded = [fold(word.strip()) for word in words]
    rising = sum(first <= second for first, second in pairwise(folded))
    return None if rising >= SORTED * (len(folded) - 1) else folded


def writable(
    expression: str, common: int | None = None, allow_offensive: bool = False
) -> Mapping[int, Sequence[str]]:
    """Return the words of a lexicon that a generator may write.

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
            rows = np.argsort(ranks, kind="stable").tolist()
            words[length] = [words[length][row] for row in rows]
    if not allow_offensive:
        offensive: set[str] = set()
        for language in languages(expression):
            offensive |= set(load(f"{language}-offensive"))
        for length, of_length in words.items():
            words[length] = [word for word in of_length if word not in offensive]
    return {length: of_length[:common] for length, of_length in words.items() if of_length}


@dataclass(frozen=True)
class LexiconTerm:
    """A lexicon to add (`+`) or subtract (`-`); with `most`, only its commonest words."""

    name: str
    sign: str = "+"
    most: int | None = None

    def __str__(self) -> str:
        return self.name if self.most is None else f"{self.name}:{self.most}"


def terms_of(expression: str, exists: Callable[[str], bool]) -> list[LexiconTerm]:
    """Split a lexicon expression into its terms.

    Names and files may contain hyphens and signs, so the longest name that exists is taken. Another
    name ends at the next `+`.

    Args:
        expression: Names and files, joined by `+` and `-`.
        exists: Whether a name or file exists.

    Returns:
        The terms in order.

    Raises:
        LexiconError: A name is missing, or there are too many terms.

    Examples:
        >>> exists = {"english-common", "english", "my-own.txt"}.__contains__
        >>> terms = terms_of("english-common:500-my-own.txt+x", exists)
        >>> [term.sign + str(term) for term in terms]
        ['+english-common:500', '-my-own.txt', '+x']
    """
    terms: list[LexiconTerm] = []
    sign, rest = "+", expression
    while True:
        term, end = _first_term(rest, sign, exists)
        if not term.name:
            raise LexiconError(
                f"expected a name in each part of the lexicon '{printable_text(expression)}'"
            )
        terms.append(term)
        if len(terms) > LEXICON_TERMS:
            raise LexiconError(f"a lexicon has at most {LEXICON_TERMS} parts")
        if end == len(rest):
            return terms
        sign, rest = rest[end], rest[end + 1 :]


def _first_term(text: str, sign: str, exists: Callable[[str], bool]) -> tuple[LexiconTerm, int]:
    """Return the first term of an expression, and the offset of its end."""
    signs = [match.start() for match in re.finditer(r"[+-]", text)]
    for end in (len(text), *reversed(signs)):
        term = _existing_term(text[:end].strip(), sign, exists)
        if term is not None:
            return term, end
    name, _, _ = text.partition("+")
    return _numbered(name.strip(), sign), len(name)


def _existing_term(text: str, sign: str, exists: Callable[[str], bool]) -> LexiconTerm | None:
    if text and exists(text):
        return LexiconTerm(text, sign)
    term = _numbered(text, sign)
    return term if term.most is not None and term.name and exists(term.name) else None


def _numbered(text: str, sign: str) -> LexiconTerm:
    name, colon, number = text.rpartition(":")
    if not colon or not re.fullmatch(r"[0-9]{1,9}", number, re.ASCII):
        return LexiconTerm(text, sign)
    if int(number) == 0:
        raise LexiconError(
            f"the lexicon {printable_text(text)} would have no words: write a number from 1"
        )
    name = name.strip()
    return LexiconTerm(ALIASES.get(name, name), sign, int(number))


def _expression(terms: Iterable[LexiconTerm]) -> str:
    return "".join(f"{term.sign}{term}" for term in terms).removeprefix("+")


def _terms(expression: str, folder: Path | None = None) -> list[LexiconTerm]:
    return terms_of(expression, lambda name: name in _BY_NAME or _path(name, folder) is not None)


def _larger(term: LexiconTerm) -> LexiconTerm:
    """Return the next larger lexicon of an added term; the term itself if there is none."""
    if term.sign != "+" or term.name not in _BY_NAME:
        return term
    if term.most is not None:
        return LexiconTerm(term.name)
    return LexiconTerm(_BY_NAME[term.name].larger or term.name)


def _combined(left: Lexicon | None, term: LexiconTerm, right: Lexicon) -> Lexicon:
    if left is None or (left is right and term.sign == "+"):
        return right
    key = (left, term.sign, right)
    if key not in _derived:
        _derived[key] = left.joined(right) if term.sign == "+" else left.without(right)
    return _derived[key]


def _lexicon_of(term: LexiconTerm, folder: Path | None, expression: str) -> Lexicon:
    if term.name in _BY_NAME:
        lexicon = _named(_BY_NAME[term.name])
    else:
        path = _path(term.name, folder)
        if path is None:
            raise _unknown(term.name, folder, expression)
        lexicon = _of_file(path)
    if term.most is None:
        return lexicon
    key = (lexicon, term.most)
    if key not in _derived:
        _derived[key] = lexicon.commonest(term.most)
    return _derived[key]


def _path(name: str, folder: Path | None) -> Path | None:
    paths = [Path(name)]
    if folder is not None:
        paths = [folder / name, Path(name)]
    return next((path for path in paths if exists(path)), None)


def _unknown(name: str, folder: Path | None, expression: str) -> LexiconError:
    before, colon, _ = name.partition(":")
    if colon and (before in _BY_NAME or before in ALIASES):
        return LexiconError(
            "expected a number of words from 1 to 999,999,999 after the colon"
            f" in {printable_text(name)}"
        )
    if "." in name or Path(name).name != name:
        folders = "the working directory"
        if folder is not None:
            folders = f"{printable_text(folder)} and {folders}"
        return LexiconError(f"there is no file {printable_text(name)} in {folders}")
    help = nearest(expression, _BY_NAME)  # english-commn begins with a name
    if not help.startswith("did"):
        help = nearest(name, (source.name for source in SOURCES))
    if not help.startswith("did"):
        help = "puzzlekit words lists the lexicons"
    return LexiconError(f"there is no lexicon {printable_text(name)}", help=help)


def _named(source: NamedLexicon) -> Lexicon:
    """Return the lexicon of a source, from memory, from the cache or from its loader."""
    if not source.package:
        return _of_file(SYSTEM, source.name)
    if source.name not in _loaded:
        versions = list(map(version_of, (source.package, *source.besides)))
        if versions[0]:
            key = (source.package, *versions)
            lexicon = cached(Lexicon, source.name, key, lambda: _build(source))
        else:  # the package is not installed
            lexicon = _build(source)
        _loaded[source.name] = lexicon
    return _loaded[source.name]


def _build(source: NamedLexicon) -> Lexicon:
    return Lexicon.from_words(source.name, source.loader(), source.order())


def _of_file(path: Path, name: str = "") -> Lexicon:
    """Return the lexicon of a file, by default called by the file's name."""
    key = stamp(path)
    if key not in _loaded:
        name = name or path.name
        if key[-1] < UNCACHED_BYTES:
            _loaded[key] = _build_file(path, name)
        else:
            _loaded[key] = cached(Lexicon, name, key, lambda: _build_file(path, name))
    return _loaded[key]


def _build_file(path: Path, name: str) -> Lexicon:
    lines = read_lines(path)
    lexicon = Lexicon.from_words(name, lines, in_order(lines))
    if not len(lexicon):
        raise LexiconError(
            f"{printable_text(path)} has no words: write one word per line, of letters only"
        )
    return lexicon
