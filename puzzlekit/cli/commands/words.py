"""`puzzlekit words`: the lexicons, the words of one, and words looked up."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version

from puzzlekit.errors import InputError
from puzzlekit.libraries.words import Lexicon, Source, load, rarity, table, without_accents


def list_lexicons() -> None:
    """The named lexicons: size, licence, where they come from, and whether they know which words are common."""
    for source in table():
        try:
            lexicon = load(source.name)
        except InputError as error:
            print(f"{source.name:<16} not here: {error}")
            continue
        order = "in order" if lexicon.ranks is not None else "no order"
        left_out = f", {lexicon.left_out:,} left out" if lexicon.left_out else ""
        about = f"{source.about} ({source.licence}; {_origin(source)}{left_out})"
        print(f"{source.name:<16} {len(lexicon):>8,} words  {order}  {about}")
    print("\nin order: it is known which words are common; left out: what has a character that is no letter")
    print("also: a path to a file with one word a line; a+b, both; a-b, those of a that b has not; a:5000, its commonest;")
    print("common:5000, those of english")


def list_words(name: str, length: int | None, fold_accents: bool = False) -> None:
    """The words of a lexicon, one a line; with a length, only those. What was left out is told beside them."""
    lexicon = load(name, fold_accents=fold_accents)
    for word in lexicon if length is None else lexicon.of_length(length):
        print(word)
    if lexicon.left_out:
        print(f"{lexicon.left_out:,} left out, with a character that is no letter", file=sys.stderr)


def look_up(name: str, words: list[str], fold_accents: bool = False) -> int:
    """Whether each word is in the lexicon, and how common it is there; 1 if one is not in it, else 0."""
    lexicon = load(name, fold_accents=fold_accents)
    asked = [without_accents(word) if fold_accents else word for word in words]
    for word in asked:
        print(f"{word}: {_place(lexicon, word)}")
    return 0 if all(word in lexicon for word in asked) else 1


def _place(lexicon: Lexicon, word: str) -> str:
    if word not in lexicon:
        return f"not in {lexicon.name}"
    rank = lexicon.rank(word)
    return f"in {lexicon.name}" + (
        "" if rank is None else f", rank {rank:,} of {len(lexicon):,}, rarity {rarity(lexicon, word)}"
    )


def _origin(source: Source) -> str:
    if not source.package:
        return "this system"
    try:
        return f"{source.package} {version(source.package)}"
    except PackageNotFoundError:
        return source.package
