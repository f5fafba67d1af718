"""From what a spec says of its words to a lexicon: names, files, and what is made of several."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path

from puzzlekit.errors import LexiconError, nearest
from puzzlekit.words.cache import cached
from puzzlekit.words.files import exists, read_lines, shown, stamp
from puzzlekit.words.lexicon import Lexicon, fold
from puzzlekit.words.lexicon_expressions import MEANT, Part, parts_of
from puzzlekit.words.named_lexicons import SOURCES, SYSTEM, Source

SMALL = 100_000  # a file of so few bytes is as quick to read as its arrays would be
SORTED = 0.9  # of the words of a file, so many stand behind the one before in the alphabet: it is in that order

_BY_NAME = {source.name: source for source in SOURCES}

# What this process has loaded: by name or by the stamp of a file, and what was made of that.
_loaded: dict[object, Lexicon] = {}
_made: dict[tuple[object, ...], Lexicon] = {}


def table() -> tuple[Source, ...]:
    """The lexicons that have a name."""
    return SOURCES


def load(expression: str, folder: Path | None = None, fold_accents: bool = False) -> Lexicon:
    """The lexicon that an expression stands for: `english`, `words/mine.txt`, `english+extra.txt-names.txt`, `french:5000`.

    A part is a name from `table()`, else a file with one word a line, looked for in `folder` and then in the working
    directory; `part:N` is the N words of it that are seen most often. Parts are added and taken away from the left to the
    right. With `fold_accents` the words lose their accents. A second load in a process gives the same object as long as the
    files do not change.

    Raises LexiconError, which names the nearest known name, if a part is neither; if a file cannot be read, is no UTF-8
    text, is too large or has no words; if the package that brings a named lexicon is not installed; if a lexicon does not
    know which of its words are common; and if no words are left.
    """
    lexicon: Lexicon | None = None
    for part in parts_of(expression, lambda name: name in _BY_NAME or _path(name, folder) is not None):
        lexicon = _combined(lexicon, part, _part(part, folder, expression))
    assert lexicon is not None, "an expression has a part"
    if not len(lexicon):
        raise LexiconError(f"no words are left in the lexicon {shown(expression)}")
    if fold_accents:
        key = ("without accents", lexicon)
        _made[key] = lexicon = _made.get(key) or lexicon.without_accents()
    return lexicon


def larger(expression: str) -> str | None:
    """The expression with each part that has a next larger lexicon replaced by it; None if there is none.

    >>> larger("english-common+extra.txt"), larger("english-wide"), larger("extra.txt"), larger("english:5000")
    ('english+extra.txt', None, None, 'english')
    """
    try:
        parts = parts_of(expression, _BY_NAME.__contains__)
    except LexiconError:
        return None
    grown = [Part(_larger(part), part.sign) if part.sign == "+" and part.name in _BY_NAME else part for part in parts]
    if grown == parts:
        return None
    return "".join(f"{part.sign}{part}" for part in dict.fromkeys(grown)).removeprefix("+")


def from_anywhere(expression: str) -> str:
    """The expression with the whole path of each of its files, so that it means the same in any folder.

    A name comes before a file, as in `load`. Raises LexiconError.

    >>> from_anywhere("english-common:500+french")
    'english-common:500+french'
    """
    parts = parts_of(expression, lambda name: name in _BY_NAME or _path(name, None) is not None)
    placed = [part if part.name in _BY_NAME else Part(_whole_path(part.name), part.sign, part.most) for part in parts]
    return "".join(f"{part.sign}{part}" for part in placed).removeprefix("+")


def _whole_path(name: str) -> str:
    return str(Path(name).resolve()) if exists(Path(name)) else name


def in_order(words: list[str]) -> list[str] | None:
    """Words from the commonest on, as the words of a file are taken to stand; None where they stand as in the alphabet."""
    folded = [fold(word.strip()) for word in words]
    rising = sum(one <= other for one, other in pairwise(folded))
    return None if rising >= SORTED * (len(folded) - 1) else folded


def _larger(part: Part) -> str:
    return part.name if part.most is not None else _BY_NAME[part.name].larger or part.name


def _combined(left: Lexicon | None, part: Part, lexicon: Lexicon) -> Lexicon:
    if left is None or (left is lexicon and part.sign == "+"):
        return lexicon
    key = (left, part.sign, lexicon)
    if key not in _made:
        _made[key] = left.joined(lexicon) if part.sign == "+" else left.without(lexicon)
    return _made[key]


def _part(part: Part, folder: Path | None, expression: str) -> Lexicon:
    if part.name in _BY_NAME:
        whole = _named(_BY_NAME[part.name])
    else:
        path = _path(part.name, folder)
        if path is None:
            raise LexiconError(_unknown(part.name, folder, expression))
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


def _unknown(name: str, folder: Path | None, expression: str) -> str:
    known, colon, _ = name.partition(":")
    if colon and (known in _BY_NAME or known in MEANT):
        return f"in {shown(name)} a number of words from 1 to 999,999,999 is wanted behind the colon"
    if "." in name or Path(name).name != name:
        where = "the working directory" if folder is None else f"{shown(folder)} and the working directory"
        return f"there is no file {shown(name)} in {where}"
    near = nearest(expression, _BY_NAME)  # english-commn begins with a name that is known
    return f"there is no lexicon {shown(name)}: {near if near.startswith('did') else nearest(name, _BY_NAME)}"


def _named(source: Source) -> Lexicon:
    """The lexicon of a source, from this process, from the disk or from its loader."""
    if not source.package:
        return _of_file(SYSTEM, source.name)
    if source.name not in _loaded:
        try:
            key = (source.package, version(source.package), *map(_version, source.ordering))
        except PackageNotFoundError:
            _loaded[source.name] = _build(source)
        else:
            _loaded[source.name] = cached(source.name, key, lambda: _build(source))
    return _loaded[source.name]


def _version(package: str) -> str:
    """The version of a package that need not be there."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _build(source: Source) -> Lexicon:
    return Lexicon.from_words(source.name, source.loader(), source.order())


def _of_file(path: Path, name: str = "") -> Lexicon:
    """The lexicon of a file, called by the file's name."""
    key = stamp(path)
    if key not in _loaded:
        name = name or path.name
        _loaded[key] = _build_file(path, name) if key[-1] < SMALL else cached(name, key, lambda: _build_file(path, name))
    return _loaded[key]


def _build_file(path: Path, name: str) -> Lexicon:
    lines = read_lines(path)
    lexicon = Lexicon.from_words(name, lines, in_order(lines))
    if not len(lexicon):
        raise LexiconError(f"{shown(path)} has no words: one word a line, of letters only")
    return lexicon
