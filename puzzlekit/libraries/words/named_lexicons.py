"""The named lexicons, and the files of words that they are read from.

The lexicons of words that players know, of names, and of words that offend are derived from the
tables of packages, as `docs/words.md` documents. Only tables are read; no package is imported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from string import ascii_lowercase
from typing import TypeAlias

from puzzlekit.clock import checked
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import LexiconError, installing
from puzzlekit.folding import fold
from puzzlekit.reading import reads

COMMON = 20_000
COMMON_FINNISH = 10_000
SYSTEM = Path("/usr/share/dict/words")
LEXICON_BYTES = 64 * 2**20  # of a file

Lemmas: TypeAlias = dict[str, set[str]]  # the base forms of each word, as they are written


@dataclass(frozen=True, slots=True)
class NamedLexicon:
    """A named lexicon and where its words come from.

    Attributes:
        name: The name, as specs write it.
        about: What the lexicon contains.
        licence: The licence of the words.
        package: The package that contains the words; empty if none does.
        loader: Returns the words, or raises LexiconError.
        order: Returns words from the commonest on, or None if the order is not available.
        larger: The name of the next larger lexicon, if there is one.
        besides: Further packages that the words or their order are derived from.
        language: The language of the words in lower case; empty if it is not known.
    """

    name: str
    about: str
    licence: str
    package: str
    loader: Callable[[], Iterable[str]]
    order: Callable[[], Iterable[str] | None]
    larger: str | None = None
    besides: tuple[str, ...] = ()
    language: str = "english"


def read_lines(path: Path) -> list[str]:
    """Return the lines of a UTF-8 text file, with or without a byte order mark.

    Raises:
        LexiconError: It is not a regular file that can be read and decoded, or it is larger than
            the limit on words.
    """
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):
            # Opening a pipe waits for a writer, and a device may never end, so open neither.
            category = "a folder" if S_ISDIR(status.st_mode) else "not a regular file"
            raise LexiconError(f"{printable_text(path)} is {category}")
        with path.open("rb") as stream:
            data = stream.read(LEXICON_BYTES + 1)
    except (OSError, ValueError) as error:
        raise LexiconError(f"{printable_text(path)} cannot be read{_reason(error)}") from error
    if len(data) > LEXICON_BYTES:
        limit = f"{LEXICON_BYTES // 2**20} MB, the limit for a file of words"
        raise LexiconError(f"{printable_text(path)} is larger than {limit}")
    try:
        return data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        # Drop the cause: it holds the content of the file.
        raise LexiconError(
            f"{printable_text(path)} is not UTF-8 text: see its byte {error.start + 1}"
        ) from None


def stamp(path: Path) -> tuple[str, int, int, int]:
    """Return the path, times and size of a file, which change when the file does.

    Raises LexiconError if they cannot be read.
    """
    reads(path)
    try:
        status = path.stat()
        return str(path.resolve()), status.st_mtime_ns, status.st_ctime_ns, status.st_size
    except (OSError, ValueError) as error:
        raise LexiconError(f"{printable_text(path)} cannot be read{_reason(error)}") from error


def exists(path: Path) -> bool:
    """Return whether something exists at this path and may be accessed."""
    reads(path)
    try:
        path.stat()
    except (OSError, ValueError):
        return False
    return True


def printable_text(text: object) -> str:
    r"""Make untrusted text safe to print: printable characters only, and at most 200 of them.

    Examples:
        >>> printable_text("a\x1b[31m.txt")
        'a·[31m.txt'
    """
    line = "".join(char if char.isprintable() else "·" for char in str(text))
    if len(line) <= 200:
        return line
    return f"…{line[-199:]}"


def version_of(package: str) -> str:
    """Return the version of a package; empty if it is not installed."""
    # takes long to import, and few puzzles need it
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _reason(error: OSError | ValueError) -> str:
    """Return the reason of the system; none for a ValueError, whose text repeats the path."""
    if isinstance(error, OSError) and error.strerror:
        return f": {error.strerror}"
    return ""


def package_file(package: str, name: str, lexicon: str) -> Path:
    """Return the path of a file in a package; the package is located but not imported.

    Raises LexiconError if the package is not installed.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        distribution = package.replace("_", "-")
        raise LexiconError(
            f"the lexicon {lexicon} needs the package {distribution}",
            help=f"pip install {distribution}",
        )
    return Path(spec.submodule_search_locations[0], name)


def _file_of(package: str, name: str, lexicon: str) -> list[str]:
    """Return the lines of a file in a package."""
    return read_lines(package_file(package, name, lexicon))


def _english() -> list[str]:
    return _file_of("wordsegment", "words.txt", "english")


def counted() -> Iterator[tuple[str, int]]:
    """Yield words of the web with the number of their occurrences."""
    for line in _file_of("wordsegment", "unigrams.txt", "english"):
        word, _, count = line.partition("\t")
        yield word, int(count)


def _by_count() -> list[str]:
    pairs = sorted(counted(), key=lambda pair: (-pair[1], pair[0]))
    return [word for word, _ in pairs]


def _english_common() -> list[str]:
    english = set(_english())
    return [word for word in _by_count() if word in english][:COMMON]


def _english_wide() -> Iterable[str]:
    return chain(_english(), (word for word, _ in counted() if len(word) >= 2))


def _english_text() -> Iterable[str]:
    return chain(_english(), english_names(), ("a", "i", "o"))


def _english_familiar() -> Iterable[str]:
    return familiar_english(_english_common())


def _finnish() -> list[str]:
    """Return the entries without a capital, that is without names and abbreviations."""
    words = _file_of("xkcdpass", "static/fin-kotus", "finnish")
    return [word for word in words if word == word.lower()]


def _finnish_order() -> list[str] | None:
    try:
        from wordfreq import get_frequency_dict
    except ImportError:
        return None
    return list(get_frequency_dict("fi", wordlist="best"))


def _finnish_familiar() -> list[str]:
    order = _finnish_order()
    if order is None:
        raise LexiconError(
            "the lexicon finnish-familiar needs the extra languages", help=installing("languages")
        )
    finnish = set(_finnish())
    return [word for word in order if word in finnish][:COMMON_FINNISH]


def _of_language(name: str, code: str, accented: str) -> list[str]:
    """Return the words of wordfreq that have two or more letters, all of the language."""
    try:
        from wordfreq import get_frequency_dict
    except ImportError as error:
        raise LexiconError(
            f"the lexicon {name} needs the extra languages", help=installing("languages")
        ) from error
    letters = frozenset(ascii_lowercase + accented)
    words = checked(get_frequency_dict(code, wordlist="best"))
    return [word for word in words if len(word) >= 2 and letters.issuperset(fold(word))]


def familiar_english(common: Iterable[str]) -> Iterator[str]:
    """Yield the common words that players know: no names, and no forms in -s.

    A word is one of them if it is listed for passphrases (EFF), which are words that everybody
    knows, or if the table of forms has it in lower case alone: names are written with a capital
    there.
    """
    lexicon = "english-familiar"
    lines = read_lines(package_file("xkcdpass", "static/eff-long", lexicon))
    passphrase_words = {fold(line.split()[-1]) for line in lines if line.strip()}
    lemmas = _lemmas(lexicon)
    names = {fold(word) for word in lemmas if word != word.lower()}
    for word in common:
        familiar = word in passphrase_words or (word in lemmas and word not in names)
        if familiar and not _s_form(word, lemmas.get(word, ())):
            yield word


def english_names() -> list[str]:
    """Return names of people and places.

    They are the words that the table of forms writes with one capital, in their base forms.
    """
    names = []
    for word, bases in _lemmas("english-text").items():
        has_one_capital = word.istitle() and word.isalpha() and len(word) > 1
        if has_one_capital and word in bases:
            names.append(fold(word))
    return names


def _s_form(word: str, lemmas: Iterable[str]) -> bool:
    """Return whether a word in -s is a form of another word: a plural, or of a verb.

    Examples:
        >>> _s_form("wings", ["wing"]), _s_form("elves", ["elf"])
        (True, True)
        >>> _s_form("torus", ["torus"]), _s_form("glass", [])
        (False, False)
    """
    return word.endswith("s") and any(lemma != word for lemma in lemmas)


def offensive_words(language: str) -> Callable[[], Iterable[str]]:
    """Return a loader of the offensive words of a language, in English with all their forms."""

    def load() -> Iterable[str]:
        lexicon = f"{language}-offensive"
        dictionary = f"data/dictionaries/{language}.json"
        text = "\n".join(read_lines(package_file("glin_profanity", dictionary, lexicon)))
        try:
            import json

            offensive = {fold(word) for word in json.loads(text)["words"]}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise LexiconError(
                f"the list of glin-profanity for {language} cannot be read"
            ) from error
        if language == "english":
            path = package_file("better_profanity", "profanity_wordlist.txt", lexicon)
            offensive |= set(map(fold, read_lines(path)))
            offensive |= _forms_of(offensive, lexicon)
        return sorted(word for word in offensive if len(word) >= 2)

    return load


def _forms_of(words: set[str], lexicon: str) -> set[str]:
    """Return the words whose base form is one of these words."""
    lemmas = _lemmas(lexicon)
    return {fold(word) for word, bases in lemmas.items() if not words.isdisjoint(map(fold, bases))}


def _lemmas(lexicon: str) -> Lemmas:
    """Return the base forms of English words.

    They are the table of lemminflect, from the SPECIALIST lexicon.
    """
    import gzip

    lemmas: defaultdict[str, set[str]] = defaultdict(set)

    path = package_file("lemminflect", "resources/lemma_lu.csv.gz", lexicon)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            word, _, bases = line.rstrip("\n").split(",")
            lemmas[word].update(bases.split("/"))
    return dict(lemmas)


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

_english_source = partial(
    NamedLexicon, licence="Apache 2.0", package="wordsegment", order=_by_count
)
_finnish_source = partial(
    NamedLexicon,
    licence="LGPL, EUPL 1.1 or CC BY 3.0",
    package="xkcdpass",
    order=_finnish_order,
    besides=("wordfreq",),
    language="finnish",
)
SOURCES = (
    _english_source(
        "english-familiar",
        "words of english-common that players know: no names, no forms in -s",
        loader=_english_familiar,
        larger="english-common",
        besides=("lemminflect", "xkcdpass"),
    ),
    _english_source(
        "english-common",
        f"the {COMMON:,} commonest words of english",
        loader=_english_common,
        larger="english",
    ),
    _english_source(
        "english",
        "178,758 English words, inflected forms included, no names",
        loader=_english,
        larger="english-wide",
    ),
    _english_source(
        "english-text",
        "english with names of people and places, and with a, i and o",
        licence="Apache 2.0, MIT",
        loader=_english_text,
        larger="english-wide",
        besides=("lemminflect",),
    ),
    _english_source(
        "english-wide",
        "english and what is common on the web: names, abbreviations, misspellings",
        loader=_english_wide,
    ),
    _finnish_source(
        "finnish-familiar",
        f"the {COMMON_FINNISH:,} commonest words of finnish",
        loader=_finnish_familiar,
        larger="finnish",
    ),
    _finnish_source(
        "finnish",
        "the word list of Kotimaisten kielten keskus (the Institute for the Languages of Finland),"
        " without names",
        loader=_finnish,
    ),
    *(
        NamedLexicon(
            name,
            f"words of {name.capitalize()} texts of many kinds, with names and some foreign words",
            "CC BY-SA 4.0",
            "wordfreq",
            partial(_of_language, name, *language),
            partial(_of_language, name, *language),
            language=name,
        )
        for name, language in _LANGUAGES.items()
    ),
    NamedLexicon(
        "system",
        f"the word list of this system, {SYSTEM}",
        "the system's",
        "",
        partial(read_lines, SYSTEM),
        lambda: None,
    ),
)


# Lexicons to subtract, such as english-offensive. They are not in the list of lexicons.
OFFENSIVE = tuple(
    NamedLexicon(
        f"{language}-offensive",
        f"offensive words of {language.capitalize()}",
        "MIT",
        "glin-profanity",
        offensive_words(language),
        lambda: None,
        besides=("better-profanity", "lemminflect") if language == "english" else (),
        language=language,
    )
    for language in ("english", "finnish", *_LANGUAGES)
)
