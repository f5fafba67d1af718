"""When two puzzles are the same, and two solutions."""

from __future__ import annotations

from typing import Any

from puzzlekit.lang import BoundPuzzle
from puzzlekit.words import Lexicon


def same_puzzle(one: BoundPuzzle, other: BoundPuzzle) -> bool:
    """Whether two puzzles are of a type with the same text, and have the same data."""
    return one is other or (
        one.puzzle.source.text == other.puzzle.source.text
        and one.data.keys() == other.data.keys()
        and all(_same(value, other.data[name]) for name, value in one.data.items())
    )


def _same(one: Any, other: Any) -> bool:
    """Whether two values of a field are the same; lexicons are where they have the same words, equally common."""
    if isinstance(one, Lexicon) and isinstance(other, Lexicon):
        return one is other or (list(one) == list(other) and all(one.rank(word) == other.rank(word) for word in one))
    return bool(type(one) is type(other) and one == other)


def puzzle_hash(instance: BoundPuzzle) -> int:
    """A hash of the type's text and the size of the data: the same for puzzles that are the same."""
    sizes = tuple(len(value) if hasattr(value, "__len__") else value for value in instance.data.values())
    return hash((instance.puzzle.source.text, sizes))
