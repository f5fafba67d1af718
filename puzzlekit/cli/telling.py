"""`puzzlekit list`, `show` and `words`: what there is."""

from __future__ import annotations

import textwrap

from puzzlekit.backends import BACKENDS
from puzzlekit.catalogue import find, types
from puzzlekit.errors import InputError, PuzzlekitError
from puzzlekit.lang import read_text, read_type
from puzzlekit.words import load, table


def list_all() -> None:
    """The types, with their titles, and the backends."""
    for name, path in types().items():
        try:
            print(f"{name:<14} {read_type(path).title}")
        except PuzzlekitError:
            if "variables:" not in read_text(path):  # a spec that stands beside types
                continue
            print(f"{name:<14} (has problems: puzzlekit check {path})")
    print(f"\nbackends: {', '.join(BACKENDS)}; auto takes the best of them for what the puzzle holds")


def show_type(name: str) -> None:
    """A type's page: what it is about, the fields of its specs, its rules and goals."""
    kind = read_type(find(name))
    print(f"{kind.name}: {kind.title}\n")
    print(textwrap.fill(kind.about, 100))
    print("\nA spec gives:")
    for field in kind.fields.values():
        print(f"  {field!s:<36} {field.about}".rstrip())
    print("\nRules:")
    for rule in dict.fromkeys(rule.name for rule in kind.rules):
        print(f"  {rule}")
    if kind.goals:
        print(f"\nGoals: {', '.join(kind.goals)} (the first is the default; --goal none drops it)")
    if kind.then:
        print(f"\nThen, from each answer: {', '.join(then.name for then in kind.then)}")
    print(f"\n{kind.source.path}")


def list_lexicons() -> None:
    """The named lexicons."""
    for source in table():
        try:
            size = f"{len(load(source.name)):>8,} words"
        except InputError as error:
            size = f"not here: {error}"
        print(f"{source.name:<16} {size}  {source.about} ({source.licence})")
    print("\nalso: a path to a file with one word a line, and a+b for both")


def list_words(name: str, length: int | None) -> None:
    """The words of a lexicon, one a line; with a length, only those."""
    lexicon = load(name)
    for word in lexicon if length is None else lexicon.of_length(length):
        print(word)
