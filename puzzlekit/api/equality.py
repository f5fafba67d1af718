"""When two puzzles are the same, and two solutions."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol, TypeGuard, runtime_checkable

from puzzlekit.lang import BoundPuzzle


@runtime_checkable
class LibraryValue(Protocol):
    """A value of data, equal only to itself, that says when another is the same and how a spec writes it."""

    def same_as(self, other: object) -> bool:
        """Whether another value stands for the same data."""

    def as_data(self) -> Any:
        """What a spec says for it, as plain Python values."""


def is_library_value(value: Any) -> TypeGuard[LibraryValue]:
    kind: type = type(value)
    return _is_library_type(kind)


@lru_cache(maxsize=1000)
def _is_library_type(kind: type) -> bool:
    return issubclass(kind, LibraryValue)  # slow for a protocol, and asked of each value of a solution


def same_puzzle(one: BoundPuzzle, other: BoundPuzzle) -> bool:
    """Whether two puzzles are of a type with the same text, and have the same data."""
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
    """A hash of the type's text and the size of the data: the same for puzzles that are the same."""
    sizes = tuple(len(value) if hasattr(value, "__len__") else value for value in instance.data.values())
    return hash((instance.puzzle.source.text, sizes))
