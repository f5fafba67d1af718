"""From what a spec says of its words to a lexicon: a name, a file, or several joined with `+`."""

from functools import reduce
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from puzzlekit.errors import LexiconError, nearest
from puzzlekit.words.cache import cached
from puzzlekit.words.files import exists, read_lines, shown, stamp
from puzzlekit.words.lexicon import Lexicon
from puzzlekit.words.lists import SOURCES, SYSTEM, Source

MOST_PARTS = 16
SMALL = 100_000  # a file of so few bytes is as quick to read as its arrays would be

_BY_NAME = {source.name: source for source in SOURCES}

# What this process has loaded: by name or by the stamp of a file, and joined by the parts.
_loaded: dict[object, Lexicon] = {}
_joined: dict[tuple[Lexicon, ...], Lexicon] = {}


def table() -> tuple[Source, ...]:
    """The lexicons that have a name."""
    return SOURCES


def load(expression: str, folder: Path | None = None) -> Lexicon:
    """The lexicon that an expression such as `english`, `words/mine.txt` or `english+extra.txt` stands for.

    A part is a name from `table()`, else a file with one word a line, looked for in `folder` and then in the working
    directory. A second load in a process gives the same object as long as the files do not change.

    Raises LexiconError, which names the nearest known name, if a part is neither; if a file cannot be read, is no
    UTF-8 text, is too large or has no words; and if the package that brings a named lexicon is not installed.
    """
    parts = _parts(expression)
    if not all(parts):
        raise LexiconError(f"a name is missing in the lexicon '{shown(expression)}'")
    if len(parts) > MOST_PARTS:
        raise LexiconError(f"a lexicon is joined of at most {MOST_PARTS} parts, not {len(parts)}")
    lexicons = tuple(dict.fromkeys(_part(part, folder) for part in parts))
    if lexicons not in _joined:
        _joined[lexicons] = reduce(Lexicon.joined, lexicons)
    return _joined[lexicons]


def larger(name: str) -> str | None:
    """The expression with each part that has a next larger lexicon replaced by it; None if there is none.

    >>> larger("english-common+extra.txt"), larger("english-wide"), larger("extra.txt")
    ('english+extra.txt', None, None)
    """
    parts = _parts(name)
    grown = [_BY_NAME[part].larger or part if part in _BY_NAME else part for part in parts]
    return "+".join(dict.fromkeys(grown)) if grown != parts else None


def _parts(expression: str) -> list[str]:
    return list(dict.fromkeys(part.strip() for part in expression.split("+")))


def _part(part: str, folder: Path | None) -> Lexicon:
    if part in _BY_NAME:
        return _named(_BY_NAME[part])
    places = [folder / part, Path(part)] if folder is not None else [Path(part)]
    for path in places:
        if exists(path):
            return _of_file(path)
    if "." in part or Path(part).name != part:
        where = "the working directory" if folder is None else f"{shown(folder)} and the working directory"
        raise LexiconError(f"there is no file {shown(part)} in {where}")
    raise LexiconError(f"there is no lexicon {shown(part)}: {nearest(part, _BY_NAME)}")


def _named(source: Source) -> Lexicon:
    """The lexicon of a source, from this process, from the disk or from its loader."""
    if not source.package:
        return _of_file(SYSTEM, source.name)
    if source.name not in _loaded:
        try:
            key = (source.package, version(source.package))
        except PackageNotFoundError:
            _loaded[source.name] = _build(source)
        else:
            _loaded[source.name] = cached(source.name, key, lambda: _build(source))
    return _loaded[source.name]


def _build(source: Source) -> Lexicon:
    return Lexicon.from_words(source.name, source.loader())


def _of_file(path: Path, name: str = "") -> Lexicon:
    """The lexicon of a file, called by the file's name."""
    key = stamp(path)
    if key not in _loaded:
        name = name or path.name
        _loaded[key] = _build_file(path, name) if key[-1] < SMALL else cached(name, key, lambda: _build_file(path, name))
    return _loaded[key]


def _build_file(path: Path, name: str) -> Lexicon:
    lexicon = Lexicon.from_words(name, read_lines(path))
    if not len(lexicon):
        raise LexiconError(f"{shown(path)} has no words: one word a line, of letters only")
    return lexicon
