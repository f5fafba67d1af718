"""Modules that distributions offer for a type: generators, their pages, and fetchers."""

from __future__ import annotations

from typing import Any

from puzzlekit.catalogue import find
from puzzlekit.errors import InputError
from puzzlekit.lang import PuzzleType, read_type
from puzzlekit.plugins import EntryPoint
from puzzlekit.reading import shipped


def load_module(point: EntryPoint) -> Any:
    """Import the module of a generator, a page or a fetcher.

    Raises:
        InputError: It cannot be imported.
    """
    try:
        return point.load()
    except Exception as error:  # code of another distribution
        reason = f"{type(error).__name__}: {error}"
        raise InputError(f"{point.reference} cannot be loaded: {reason}") from error


def type_of(point: EntryPoint) -> PuzzleType:
    """Return the type of a generator or a fetcher: the one that ships, if one has its name."""
    path = shipped() / f"{point.name}.yaml"
    return read_type(path if path.is_file() else find(point.name))
