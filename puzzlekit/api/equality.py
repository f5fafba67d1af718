"""Equality and hashes of puzzles."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol, TypeGuard, runtime_checkable

from puzzlekit.lang import BoundPuzzle


@runtime_checkable
class LibraryValue(Protocol):
    """A value that is equal only to itself, but can be compared by its data."""

    def same_as(self, other: object) -> bool:
        """Whether another value has the same data."""

    def as_data(self) -> Any:
        """The value as a spec writes it, as plain Python values."""


def is_library_value(value: Any) -> TypeGuard[LibraryValue]:
    kind: type = type(value)
    return _is_library_type(kind)


@lru_cache(maxsize=1000)
def _is_library_type(kind: type) -> bool:
    return issubclass(kind, LibraryValue)  # slow for a protocol, and asked of each value of a solution


def same_puzzle(one: BoundPuzzle, other: BoundPuzzle) -> bool:
    """Whether two puzzles have types with the same text, and the same data."""
    return one is other or (
        one.puzzle.source.text == other.puzzle.source.text
        and one.data.keys() == other.data.keys()
        and all(_same(value, other.data[name]) for name, value in one.data.items())
    )


def _same(one: Any, other: Any) -> bool:
    """Whether two values of a field are the same."""
    if is_library_value(one):
        return one.same_as(other)
    return bool(type(one) is type(other) and one == other)


def puzzle_hash(instance: BoundPuzzle) -> int:
    """A hash of the type's text and the sizes of the data, equal for equal puzzles."""
    sizes = tuple(len(value) if hasattr(value, "__len__") else value for value in instance.data.values())
    return hash((instance.puzzle.source.text, sizes))
