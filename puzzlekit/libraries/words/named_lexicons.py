"""Lexicon expressions: the named lexicons, files of words, and sums and differences of them.

The lexicons of words that players know, of names, and of words that offend are derived from the
tables of packages, as `docs/words.md` documents. Only tables are read; no package is imported.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from string import ascii_lowercase
from typing import TypeAlias

from puzzlekit.clock import checked
from puzzlekit.errors import LexiconError, installing
from puzzlekit.folding import fold
from puzzlekit.libraries.words.word_files import package_file, read_lines, shown
from puzzlekit.limits import limits

COMMON = 20_000
COMMON_FINNISH = 10_000
SYSTEM = Path("/usr/share/dict/words")

Lemmas: TypeAlias = dict[str, set[str]]  # the base forms of each word, as they are written


@dataclass(frozen=True, slots=True)
class Source:
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


def _file_of(package: str, name: str, lexicon: str) -> list[str]:
    """The lines of a file in a package."""
    return read_lines(package_file(package, name, lexicon))


def _english() -> list[str]:
    return _file_of("wordsegment", "words.txt", "english")


def counted() -> Iterator[tuple[str, int]]:
    """Words of the web with the number of their occurrences."""
    for line in _file_of("wordsegment", "unigrams.txt", "english"):
        word, _, count = line.partition("\t")
        yield word, int(count)


def _by_count() -> list[str]:
    return [word for word, _ in sorted(counted(), key=lambda pair: (-pair[1], pair[0]))]


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
    """The entries without a capital, that is without names and abbreviations."""
    return [word for word in _file_of("xkcdpass", "static/fin-kotus", "finnish") if word == word.lower()]


def _finnish_order() -> list[str] | None:
    try:
        from wordfreq import get_frequency_dict
    except ImportError:
        return None
    return list(get_frequency_dict("fi", wordlist="best"))


def _finnish_familiar() -> list[str]:
    order = _finnish_order()
    if order is None:
        raise LexiconError("the lexicon finnish-familiar needs the extra languages", installing("languages"))
    finnish = set(_finnish())
    return [word for word in order if word in finnish][:COMMON_FINNISH]


def _of_language(name: str, code: str, accented: str) -> list[str]:
    """The words of wordfreq with two or more letters, all of them letters of the language."""
    try:
        from wordfreq import get_frequency_dict
    except ImportError as error:
        raise LexiconError(f"the lexicon {name} needs the extra languages", installing("languages")) from error
    letters = frozenset(ascii_lowercase + accented)
    words = checked(get_frequency_dict(code, wordlist="best"))
    return [word for word in words if len(word) >= 2 and letters.issuperset(fold(word))]


def familiar_english(common: Iterable[str]) -> Iterator[str]:
    """Those of some common words that players know: no names, and no forms in -s.

    A word is kept if it is listed for passphrases (EFF), which are words that everybody knows, or
    if the table of forms has it in lower case alone: names are written with a capital there.
    """
    lexicon = "english-familiar"
    known = {
        fold(line.split()[-1]) for line in read_lines(package_file("xkcdpass", "static/eff-long", lexicon)) if line.strip()
    }
    lemmas = _lemmas(lexicon)
    names = {fold(word) for word in lemmas if word != word.lower()}
    for word in common:
        if (word in known or (word in lemmas and word not in names)) and not _s_form(word, lemmas.get(word, ())):
            yield word


def english_names() -> list[str]:
    """Names of people and places: words that the table of forms writes with one capital, in their base forms."""
    lemmas = _lemmas("english-text")
    return [
        fold(word) for word, bases in lemmas.items() if word in bases and word.istitle() and word.isalpha() and len(word) > 1
    ]


def _s_form(word: str, lemmas: Iterable[str]) -> bool:
    """Whether a word in -s is a form of another word: a plural, or the third person of a verb.

    Examples:
        >>> _s_form("wings", ["wing"]), _s_form("elves", ["elf"]), _s_form("torus", ["torus"]), _s_form("glass", [])
        (True, True, False, False)
    """
    return word.endswith("s") and any(lemma != word for lemma in lemmas)


def offensive_words(language: str) -> Callable[[], Iterable[str]]:
    """A loader of the offensive words of a language; of English also all forms of these words."""

    def load() -> Iterable[str]:
        lexicon = f"{language}-offensive"
        text = "\n".join(read_lines(package_file("glin_profanity", f"data/dictionaries/{language}.json", lexicon)))
        try:
            listed = {fold(word) for word in json.loads(text)["words"]}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise LexiconError(f"the list of glin-profanity for {language} cannot be read") from error
        if language == "english":
            listed |= {fold(line) for line in read_lines(package_file("better_profanity", "profanity_wordlist.txt", lexicon))}
            listed |= {fold(word) for word, lemmas in _lemmas(lexicon).items() if not listed.isdisjoint(map(fold, lemmas))}
        return sorted(word for word in listed if len(word) >= 2)

    return load


def _lemmas(lexicon: str) -> Lemmas:
    """The base forms of English words: the table of lemminflect, from the SPECIALIST lexicon."""
    lemmas: defaultdict[str, set[str]] = defaultdict(set)
    with gzip.open(package_file("lemminflect", "resources/lemma_lu.csv.gz", lexicon), "rt", encoding="utf-8") as lines:
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

SOURCES = (
    Source(
        "english-familiar",
        "words of english-common that players know: no names, no forms in -s",
        "Apache 2.0",
        "wordsegment",
        _english_familiar,
        _by_count,
        larger="english-common",
        besides=("lemminflect", "xkcdpass"),
    ),
    Source(
        "english-common",
        f"the {COMMON:,} commonest words of english",
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
        "english-text",
        "english with names of people and places, and with a, i and o",
        "Apache 2.0, MIT",
        "wordsegment",
        _english_text,
        _by_count,
        larger="english-wide",
        besides=("lemminflect",),
    ),
    Source(
        "english-wide",
        "english and what is common on the web: names, abbreviations, misspellings",
        "Apache 2.0",
        "wordsegment",
        _english_wide,
        _by_count,
    ),
    Source(
        "finnish-familiar",
        f"the {COMMON_FINNISH:,} commonest words of finnish",
        "LGPL, EUPL 1.1 or CC BY 3.0",
        "xkcdpass",
        _finnish_familiar,
        _finnish_order,
        larger="finnish",
        besides=("wordfreq",),
        language="finnish",
    ),
    Source(
        "finnish",
        "the word list of Kotimaisten kielten keskus (the Institute for the Languages of Finland), without names",
        "LGPL, EUPL 1.1 or CC BY 3.0",
        "xkcdpass",
        _finnish,
        _finnish_order,
        besides=("wordfreq",),
        language="finnish",
    ),
    *(
        Source(
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
    Source("system", f"the word list of this system, {SYSTEM}", "the system's", "", partial(read_lines, SYSTEM), lambda: None),
)


# Lexicons to subtract, such as english-offensive. They are not in the list of lexicons.
OFFENSIVE = tuple(
    Source(
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

MEANT = {"common": "english"}  # aliases before a number, such as common:5000


@dataclass(frozen=True)
class Part:
    """A lexicon to add (`+`) or subtract (`-`); with `most`, only its commonest words."""

    name: str
    sign: str = "+"
    most: int | None = None

    def __str__(self) -> str:
        return self.name + ("" if self.most is None else f":{self.most}")


def parts_of(expression: str, known: Callable[[str], bool]) -> list[Part]:
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
    found: list[Part] = []
    sign, rest = "+", expression
    while True:
        ends = [len(rest), *reversed([match.start() for match in re.finditer(r"[+-]", rest)])]
        parts = ((end, _part(rest[:end].strip(), sign, known)) for end in ends)
        end, part = next((pair for pair in parts if pair[1] is not None), (0, None))
        if part is None:
            end = len(rest.partition("+")[0])
            part = _numbered(rest[:end].strip(), sign)
        if not part.name:
            raise LexiconError(f"expected a name in each part of the lexicon '{shown(expression)}'")
        found.append(part)
        most = limits().words.lexicon_parts
        if len(found) > most:
            raise LexiconError(f"a lexicon has at most {most} parts")
        if end == len(rest):
            return found
        sign, rest = rest[end], rest[end + 1 :]


def _part(text: str, sign: str, known: Callable[[str], bool]) -> Part | None:
    if text and known(text):
        return Part(text, sign)
    part = _numbered(text, sign)
    return part if part.most is not None and part.name and known(part.name) else None


def _numbered(text: str, sign: str) -> Part:
    name, colon, number = text.rpartition(":")
    if not colon or not re.fullmatch(r"[0-9]{1,9}", number, re.ASCII):
        return Part(text, sign)
    if int(number) == 0:
        raise LexiconError(f"the lexicon {shown(text)} would have no words: write a number from 1")
    return Part(MEANT.get(name.strip(), name.strip()), sign, int(number))
