"""What there is: puzzle types, their examples, backends and lexicons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from puzzlekit.api.sources import Given, open_type
from puzzlekit.backends import BACKENDS, missing_extra
from puzzlekit.catalogue import Header, example_specs, find, type_headers
from puzzlekit.lang import PuzzleType

if TYPE_CHECKING:
    from puzzlekit.libraries.words import Lexicon


def types(*words: str) -> dict[str, Header]:
    """List the puzzle types, as `puzzlekit list` does.

    Args:
        words: A group, names, or words about the puzzle: only types that all of them fit. Without
            words, all types.

    Returns:
        The header of each type by its name: its title, group, aliases, tags and more. A type that
        has an error and cannot be read is left out.

    Examples:
        >>> import puzzlekit
        >>> loops = puzzlekit.types("loop")
        >>> len(puzzlekit.types()) > len(loops) > 9
        True
    """
    return type_headers(words)


def load_type(type: Given) -> PuzzleType:  # noqa: A002
    """Read a puzzle type: its fields, unknowns, rules and goals.

    Args:
        type: The type: its name, the path of its file, its YAML text, or a mapping of its sections.

    Raises:
        Problems: The type has errors.
        InputError: There is no such type.

    Examples:
        >>> import puzzlekit
        >>> type_ = puzzlekit.load_type("examples/magic_square.yaml")
        >>> list(type_.fields), type_.rules[0].name
        (['size', 'givens'], 'every number stands once')
    """
    return open_type(type, None)


def examples(type: str) -> list[Path]:  # noqa: A002
    """List the specs that ship with a type, the example of the type first.

    Raises:
        InputError: There is no such type.

    Examples:
        >>> import puzzlekit
        >>> name = next(iter(puzzlekit.types()))
        >>> puzzlekit.examples(name)[0].parent.name == name
        True
    """
    return example_specs(find(type).stem)


def list_backends() -> dict[str, str | None]:
    """List the backends, each with the extra to install for it; None if it is installed.

    Examples:
        >>> import puzzlekit
        >>> puzzlekit.list_backends()["sat"] is None
        True
    """
    return {name: missing_extra(name) for name in BACKENDS}


def words(lexicon: str, fold_accents: bool = False) -> Lexicon:
    """Load a lexicon: iterate over it for its words.

    Args:
        lexicon: A name or a path; `a+b` joins two, `a-b` leaves words out, `a:N` takes the N most
            common.
        fold_accents: Whether letters lose their accents.

    Raises:
        LexiconError: There is no such lexicon.

    Examples:
        >>> import puzzlekit
        >>> common = puzzlekit.words("common:100")
        >>> len(common), "about" in common
        (100, True)
    """
    from puzzlekit.libraries.words import load

    return load(lexicon, fold_accents=fold_accents)


def lexicons() -> list[str]:
    """List the names of the lexicons, also of those that are not installed.

    Examples:
        >>> import puzzlekit
        >>> "english" in puzzlekit.lexicons()
        True
    """
    from puzzlekit.libraries.words import table

    return [source.name for source in table()]
