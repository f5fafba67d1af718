"""The lexicons that have a name, and how each is read from the package that brings it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from string import ascii_lowercase

from puzzlekit.errors import LexiconError
from puzzlekit.folding import fold
from puzzlekit.libraries.words.files import read_lines

COMMON = 20_000
SYSTEM = Path("/usr/share/dict/words")


@dataclass(frozen=True, slots=True)
class Source:
    """A named lexicon: what it holds, its terms, the package that brings it, and the next larger one if there is one.

    `package` is empty for what is no package's. `loader` gives the words, and raises LexiconError if it cannot. `order` gives
    words from the one that is seen most often on, None if that is not known here; `ordering` are packages that only it needs.
    """

    name: str
    about: str
    licence: str
    package: str
    loader: Callable[[], Iterable[str]]
    order: Callable[[], Iterable[str] | None]
    larger: str | None = None
    ordering: tuple[str, ...] = ()


def _file_of(package: str, name: str, lexicon: str) -> list[str]:
    """The lines of a file that a package carries; the package is found but not run."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise LexiconError(f"the lexicon {lexicon} needs the package {package}: pip install {package}")
    return read_lines(Path(spec.submodule_search_locations[0], name))


def _english() -> list[str]:
    return _file_of("wordsegment", "words.txt", "english")


def _counted() -> Iterator[tuple[str, int]]:
    """The words of the web, and how often each was seen."""
    for line in _file_of("wordsegment", "unigrams.txt", "english"):
        word, _, count = line.partition("\t")
        yield word, int(count)


def _by_count() -> list[str]:
    return [word for word, _ in sorted(_counted(), key=lambda pair: (-pair[1], pair[0]))]


def _english_common() -> list[str]:
    english = set(_english())
    return [word for word in _by_count() if word in english][:COMMON]


def _english_wide() -> Iterable[str]:
    return chain(_english(), (word for word, _ in _counted() if len(word) >= 2))


def _finnish() -> list[str]:
    """Without the entries that have a capital: names and abbreviations."""
    return [word for word in _file_of("xkcdpass", "static/fin-kotus", "finnish") if word == word.lower()]


def _finnish_order() -> list[str] | None:
    try:
        from wordfreq import get_frequency_dict
    except ImportError:
        return None
    return list(get_frequency_dict("fi", wordlist="best"))


def _of_language(name: str, code: str, accented: str) -> list[str]:
    """The words of two or more letters that wordfreq has seen, if they are written with the language's own letters."""
    try:
        from wordfreq import get_frequency_dict
    except ImportError as error:
        raise LexiconError(f"the lexicon {name} needs the extra languages: pip install 'puzzlekit-yaml[languages]'") from error
    letters = frozenset(ascii_lowercase + accented)
    return [word for word in get_frequency_dict(code, wordlist="best") if len(word) >= 2 and letters.issuperset(fold(word))]


_LANGUAGES = {
    "french": ("fr", "àâæçéèêëîïôœùûüÿ"),
    "german": ("de", "äöü"),
    "spanish": ("es", "áéíñóúü"),
    "italian": ("it", "àèéìíîòóùú"),
    "portuguese": ("pt", "áâãàçéêíóôõúü"),
    "dutch": ("nl", "áàäèéêëíïóôöúü"),
    "swedish": ("sv", "åäöàé"),
    "norwegian": ("nb", "åæøàéèêóòô"),
    "danish": ("da", "åæøé"),
    "polish": ("pl", "ąćęłńóśźż"),
    "czech": ("cs", "áčďéěíňóřšťúůýž"),
    "hungarian": ("hu", "áéíóöőúüű"),
}

SOURCES = (
    Source(
        "english-common",
        f"the {COMMON:,} words of english that are seen most often",
        "Apache 2.0",
        "wordsegment",
        _english_common,
        _by_count,
        larger="english",
    ),
    Source(
        "english",
        "178,758 English words, inflected forms included, no names",
        "Apache 2.0",
        "wordsegment",
        _english,
        _by_count,
        larger="english-wide",
    ),
    Source(
        "english-wide",
        "english with all that is often seen on the web: names, abbreviations, misspellings",
        "Apache 2.0",
        "wordsegment",
        _english_wide,
        _by_count,
    ),
    Source(
        "finnish",
        "the word list of Kotimaisten kielten keskus (the Institute for the Languages of Finland), without names",
        "LGPL, EUPL 1.1 or CC BY 3.0",
        "xkcdpass",
        _finnish,
        _finnish_order,
        ordering=("wordfreq",),
    ),
    *(
        Source(
            name,
            f"words seen in {name.capitalize()} texts of many kinds, names and some foreign words included",
            "CC BY-SA 4.0",
            "wordfreq",
            partial(_of_language, name, *language),
            partial(_of_language, name, *language),
        )
        for name, language in _LANGUAGES.items()
    ),
    Source("system", f"the word list of this system, {SYSTEM}", "the system's", "", partial(read_lines, SYSTEM), lambda: None),
)
