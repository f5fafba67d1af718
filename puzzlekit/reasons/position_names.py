"""Finds unknowns by where they are, as explanations and specs write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from puzzlekit.boards import Corner, Side
from puzzlekit.model import Variable
from puzzlekit.reasons.places import cells_in, is_link, place_text, spaced
from puzzlekit.reasons.words import Words

NAMED_FORMS = 3  # in the help of an error
OPENING = re.compile(r"^(at |the )+")
DASH = re.compile(r"\s*[-–]\s*")


class PositionNames:
    """The names of the positions of unknowns.

    Args:
        words: The words of a puzzle.
    """

    def __init__(self, words: Words) -> None:
        self._words = words

    def unknowns_at(self, position: str) -> frozenset[tuple[str, Any]]:
        """Return the unknowns at a position, each by its name and index; none if there is none."""
        return frozenset(self._by_name.get(_normal(position), ()))

    def examples(self) -> list[str]:
        """Return names of some positions, of different forms."""
        names: dict[str, None] = {}
        first_keys: dict[str, Variable] = {}
        for variable, (name, _) in self._words.keys.items():
            first_keys.setdefault(name, variable)
        for variable in first_keys.values():
            names.update(dict.fromkeys(self._usual_names(variable)))
        return [*names][:NAMED_FORMS]

    @cached_property
    def _by_name(self) -> dict[str, list[tuple[str, Any]]]:
        """The unknowns by the names of their positions."""
        by_name: dict[str, list[tuple[str, Any]]] = {}
        for variable, key in self._words.keys.items():
            names = (*self._usual_names(variable), *self._further_names(variable))
            for name in {*map(_normal, names)}:
                by_name.setdefault(name, []).append(key)
        return by_name

    def _usual_names(self, variable: Variable) -> Iterator[str]:
        """Yield how explanations name the position of an unknown, and one of its cells."""
        name, index = self._words.keys[variable]
        if index == ():
            yield name
            return
        position = self._words.position(variable)
        if isinstance(position, Side):
            yield str(self._words.location(position))
            yield str(position.cell)
        elif isinstance(position, Corner):
            yield self._words.index_text(position).removeprefix("the ")
        elif cells := cells_in(position):
            yield str(cells[0])
            yield place_text(position)
        else:
            yield place_text(position)

    def _further_names(self, variable: Variable) -> Iterator[str]:
        """Yield other ways to write the position of an unknown."""
        name, index = self._words.keys[variable]
        yield str(variable)
        if index == ():
            yield spaced(name)
            return
        yield str(index)
        yield place_text(index)
        yield f"{spaced(name)} {place_text(index)}"
        position = self._words.position(variable)
        yield from map(str, cells_in(position))
        yield self._words.index_text(position)
        yield str(self._words.location(position))
        if isinstance(position, Side):
            yield from self._words.side_names.all_names(position)
        elif is_link(position):
            for first, second in (position, position[::-1]):
                yield f"{first}–{second}"
                yield f"between {first} and {second}"


def _normal(name: str) -> str:
    """Return the name of a position without what may be written differently.

    Examples:
        >>> _normal("The  top of R1C2"), _normal("r1c1 – r1c2")
        ('top of r1c2', 'r1c1-r1c2')
    """
    words = " ".join(name.casefold().split())
    return DASH.sub("-", OPENING.sub("", words))
