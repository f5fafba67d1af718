"""Words that players know, names, and words that offend, derived from the tables of packages.

The rules are documented in `docs/words.md`. Only tables are read; no package is imported.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from puzzlekit.errors import LexiconError
from puzzlekit.folding import fold
from puzzlekit.libraries.words.word_files import package_file, read_lines

Lemmas: TypeAlias = dict[str, set[str]]  # the base forms of each word, as they are written


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
