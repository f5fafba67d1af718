"""Open types and specs that a program gives as a path, YAML text, a link or a mapping."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from puzzlekit import links
from puzzlekit.catalogue import YAML, find
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.lang import (
    STDIN,
    GridOf,
    PuzzleType,
    Spec,
    cached_type,
    no_spec,
    read_spec,
    read_stdin,
    read_text,
    read_type,
    spec_of_values,
    type_of_values,
)


@dataclass(frozen=True)
class FileText:
    """A file with the text that was read from it."""

    path: Path
    text: str


Given = str | Path | Mapping[str, Any]
YAML_KEY = re.compile(r"^\s*[\w\"'-]+\s*:(\s|$)", re.MULTILINE)


def is_yaml(text: str) -> bool:
    """Whether a `str` is YAML text rather than a name or a path.

    Examples:
        >>> is_yaml("size: 4"), is_yaml("specs/first.yaml")
        (True, False)
    """
    return "\n" in text or ": " in text


def open_type(given: Given, folder: Path | None) -> PuzzleType:
    """Open a type; a name is looked up in `folder` last.

    Raises:
        InputError: There is no such type.
    """
    match given:
        case Mapping():
            return type_of_values(given)
        case Path():
            return read_type(given)
        case str() if is_yaml(given):
            return cached_type("<type>", given)
        case str():
            return read_type(find(given, folder))
    raise InputError(
        f"expected a type as a name, a path, YAML text or a mapping, got {type(given).__name__}"
    )


def open_spec(
    given: Given | FileText | None, type_given: Given | None = None, ignore_symbols: bool = False
) -> tuple[Spec, Path | None]:
    """Open a spec; return it with the folder of its relative paths.

    Of a mapping, only `puzzle` is read.

    Args:
        given: The spec.
        type_given: The type, which some notations do not name.
        ignore_symbols: Whether a link is read that has symbols which no field stands for.

    Raises:
        InputError: There is no such spec, or no such type of a link.
    """
    match given:
        case None:
            return no_spec(), None
        case Mapping():  # only its type for now, which says how the fields are read
            type_key = {key: value for key, value in given.items() if str(key) == "puzzle"}
            return spec_of_values(type_key), None
        case Path():
            spec = _from_file(given, read_text(given), type_given, ignore_symbols)
            return spec, given.parent
        case FileText():
            return read_spec(str(given.path), given.text), given.path.parent
        case "-":
            return _from_stdin(read_stdin(), type_given, ignore_symbols), None
        case str() if links.is_written(given):
            return _from_link("<link>", given, type_given, ignore_symbols), None
        case str() if is_yaml(given):
            return read_spec("<spec>", given), None
        case str():
            path = Path(given)
            spec = _from_file(path, _text_at(given), type_given, ignore_symbols)
            return spec, path.parent
    raise InputError(
        f"expected a spec as a path, YAML text or a mapping, got {type(given).__name__}"
    )


def _from_link(name: str, text: str, type_given: Given | None, ignore_symbols: bool) -> Spec:
    type_ = None if type_given is None else open_type(type_given, None)
    return read_spec(name, links.read_one(text, type_, ignore_symbols).text)


def _from_file(path: Path, text: str, type_given: Given | None, ignore_symbols: bool) -> Spec:
    """Return the spec in a file: YAML, or, if its name does not end so, another notation."""
    if path.suffix.lower() not in YAML and links.is_written(text):
        return _from_link(str(path), text.strip(), type_given, ignore_symbols)
    if path.suffix.lower() not in YAML and not YAML_KEY.search(text) and text.strip():
        error = links.refusal(text)
        raise InputError(f"{path}: {error}", help=error.help)
    return read_spec(str(path), text)


def _from_stdin(text: str, type_given: Given | None, ignore_symbols: bool) -> Spec:
    """Return the spec on standard input.

    It is YAML, a link, or only the rows of the one board that the type requires.
    """
    type_ = None if type_given is None else open_type(type_given, None)
    if links.is_written(text):
        return read_spec("<link>", links.read_one(text, type_, ignore_symbols).text)
    if type_ is None or not text.strip() or YAML_KEY.search(text):
        return read_spec(STDIN, text)
    boards = [field.name for field in type_.required() if isinstance(field.type, GridOf)]
    if len(boards) != 1:
        return read_spec(STDIN, text)
    return spec_of_values({boards[0]: text.strip("\n").splitlines()}, type_.fields, STDIN)


def _text_at(path: str) -> str:
    """Read a file whose path is a `str`. Raises InputError."""
    try:
        return read_text(Path(path))
    except InputError as error:
        if _exists(path):
            raise
        if links.is_named(path):
            raise links.refusal(path) from None
        help = (
            "a str is a path unless it has a line break, or a colon and a blank;"
            " then it is YAML text"
        )
        if error.help:
            help = f"{error.help}; {help}"
        raise InputError(str(error), help=help) from None


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False
