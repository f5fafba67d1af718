"""`puzzlekit words`: the lexicons, the words of one, and words looked up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from puzzlekit.cli import completion
from puzzlekit.cli.messages import report
from puzzlekit.cli.wrapping import wrapped
from puzzlekit.errors import InputError
from puzzlekit.options import Option

if TYPE_CHECKING:
    from puzzlekit.libraries.words import Lexicon, NamedLexicon

INDENT = " " * 17


def words(
    lexicon: Annotated[
        str | None,
        typer.Argument(
            metavar="LEXICON",
            autocompletion=completion.lexicons,
            help="a name, a path, a+b, a-b, a:N",
        ),
    ] = None,
    asked: Annotated[
        list[str] | None, typer.Argument(metavar="WORD…", help="words to look up")
    ] = None,
    length: Annotated[int | None, Option("list only words of N letters", "N", least=1)] = None,
    fold_accents: Annotated[bool, Option("remove accents")] = False,
) -> int:
    """List the lexicons, or the words of one, or look words up in it."""
    if asked and length is not None:
        raise InputError("--length cannot be combined with words to look up")
    if lexicon is None:
        _list_lexicons()
        return 0
    if asked:
        return _look_up(lexicon, asked, fold_accents)
    _list_words(lexicon, length, fold_accents)
    return 0


def _list_lexicons() -> None:
    """Print the lexicons: size, licence, origin, and whether they are ordered by frequency."""
    from puzzlekit.libraries.words import load, table

    for source in table():
        try:
            lexicon = load(source.name)
        except InputError as error:
            reason = f"{error}: {error.help}" if error.help else str(error)
            print(wrapped(f"not available: {reason}", f"{source.name:<16} ", INDENT))
            continue
        order = "in order" if lexicon.ranks is not None else "no order"
        left_out = f", {lexicon.left_out:,} left out" if lexicon.left_out else ""
        about = f"{source.about} ({source.licence}; {_origin(source)}{left_out})"
        print(f"{source.name:<16} {len(lexicon):>8,} words  {order}")
        print(wrapped(about, INDENT, INDENT))
    print("\nin order: common words come first")
    print("left out: entries with a character that is not a letter")
    print("also: the path of a file with one word per line; a+b: both; a-b: those of a")
    print("not in b; a:5000: its 5000 most common words; common:5000: those of english")


def _list_words(name: str, length: int | None, fold_accents: bool) -> None:
    """Print the words of a lexicon, one per line; with a length, only those."""
    from puzzlekit.libraries.words import load

    lexicon = load(name, fold_accents=fold_accents)
    for word in lexicon if length is None else lexicon.of_length(length):
        print(word)
    if lexicon.left_out:
        reason = "because of a character that is not a letter"
        report(f"{lexicon.left_out:,} left out, {reason}")


def _look_up(name: str, words: list[str], fold_accents: bool) -> int:
    """Print whether each word is in the lexicon, and its rank; return 1 if one is missing."""
    from puzzlekit.libraries.words import load, without_accents

    lexicon = load(name, fold_accents=fold_accents)
    asked = [without_accents(word) if fold_accents else word for word in words]
    for word in asked:
        print(f"{word}: {_place(lexicon, word)}")
    return 0 if all(word in lexicon for word in asked) else 1


def _place(lexicon: Lexicon, word: str) -> str:
    from puzzlekit.libraries.words import rarity

    if word not in lexicon:
        return f"not in {lexicon.name}"
    rank = lexicon.rank(word)
    if rank is None:
        return f"in {lexicon.name}"
    of_all = f"rank {rank:,} of {len(lexicon):,}"
    return f"in {lexicon.name}, {of_all}, rarity {rarity(lexicon, word)}"


def _origin(source: NamedLexicon) -> str:
    from importlib.metadata import PackageNotFoundError, version

    if not source.package:
        return "this system"
    try:
        return f"{source.package} {version(source.package)}"
    except PackageNotFoundError:
        return source.package
