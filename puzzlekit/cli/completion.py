"""What the shell completes: types, backends, goals and lexicons.

A completion imports little and reports no error: where something is wrong, nothing is offered, and
the shell completes the names of files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any

import typer

VARIABLE = "_PUZZLEKIT_COMPLETE"  # set by the shell when it asks for completions
Offered = list[tuple[str, str]]  # texts, each with help that some shells show


def _quiet(
    offer: Callable[[Any, str], Iterable[tuple[str, str]]],
) -> Callable[[typer.Context, str], Offered]:
    """Offer what begins as the text does; nothing after an error."""

    @wraps(offer)
    def complete(ctx: typer.Context, incomplete: str) -> Offered:
        with suppress(Exception):
            offers = offer(ctx, incomplete)
            return [(text, about) for text, about in offers if text.startswith(incomplete)]
        return []

    # typer chooses the arguments by the annotations, which must be types and not texts
    complete.__annotations__ = {"ctx": typer.Context, "incomplete": str}
    del complete.__wrapped__
    return complete


@_quiet
def types(ctx: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """Names of types; aliases where no name fits. Paths are left to the shell."""
    from puzzlekit.catalogue import headers, types as type_paths

    if "/" in incomplete or incomplete.startswith((".", "~")):
        return
    titles: dict[str, str] = {}
    aliases: list[tuple[str, str]] = []
    for name, header in headers(type_paths()).items():
        if header is not None and header.is_type:
            titles[name] = header.title
            aliases += [(alias, f"{name}: {header.title}") for alias in header.aliases]
    yield from titles.items()
    if not any(name.startswith(incomplete) for name in titles):
        yield from aliases


@_quiet
def backends(ctx: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """Names of backends, and auto."""
    from puzzlekit.backends import BACKENDS

    yield from ((name, "") for name in ("auto", *BACKENDS))


@_quiet
def formats(ctx: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The notations and formats that `export` writes."""
    from puzzlekit.exports import FORMATS
    from puzzlekit.links import BINARY, NOTATIONS

    yield from ((name, "") for name in (*NOTATIONS, *BINARY, *FORMATS))


@_quiet
def several_backends(ctx: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The last name of a list with commas."""
    from puzzlekit.backends import BACKENDS

    before, comma, _ = incomplete.rpartition(",")
    named = before.split(",")
    for name in BACKENDS:
        if name not in named:
            yield f"{before}{comma}{name}", ""


@_quiet
def levels(ctx: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The levels of presolve."""
    yield "none", "only what no backend takes"
    yield "light", "each condition on its own"
    yield "full", "all"


@_quiet
def goals(ctx: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The goals of the type that the command names, by itself or by its spec."""
    from puzzlekit.catalogue import read_header

    path = next(path for path in map(_type_of, words()[1:]) if path is not None)
    yield from ((name, "") for name in read_header(path).goals)
    yield "none", "no goal"


def words() -> list[str]:
    """Return the command and its arguments.

    The parser drops them where the value of an option is missing.
    """
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return [word.strip("'\"") for word in line.split()[1:] if not word.startswith("-")]


def _type_of(word: str) -> Path | None:
    """Return the file of the type that a word names, by itself or by the path of a spec."""
    from puzzlekit.catalogue import find, read_header
    from puzzlekit.errors import InputError

    try:
        path = Path(word)
        if not path.is_file():
            return find(word)
        header = read_header(path)
        return path if header.is_type else find(header.name, path.parent)
    except InputError:
        return None


@_quiet
def lexicons(ctx: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """Named lexicons; the last one of a sum or difference."""
    from puzzlekit.libraries.words import SOURCES

    start = ""
    if not any(source.name.startswith(incomplete) for source in SOURCES):  # as english-common
        before = re.match(r".*[+-](?=[a-z]*$)", incomplete)
        start = before[0] if before else ""
    for source in SOURCES:
        yield f"{start}{source.name}", source.about
