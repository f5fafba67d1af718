"""The values that expressions compute with beside plain ones: families of unknowns, and what they are indexed by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from puzzlekit.boards import Cell, Grid, Pieces
from puzzlekit.lang.expressions import ExpressionError
from puzzlekit.model import Apply, Component, Term, Value, Variable
from puzzlekit.words import Lexicon, Tile


class Size(NamedTuple):
    """Rows × columns."""

    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"


class Family:
    """Unknowns of one name, by index: variables while rules build a model, values while they check an answer.

    A family without an index holds one member, at the index ().
    """

    def __init__(self, name: str, members: Mapping[Any, Any], arity: int) -> None:
        self.name = name
        self.members = dict(members)
        self.arity = arity

    def __iter__(self) -> Iterator[Any]:
        return iter(self.members.values())

    def __len__(self) -> int:
        return len(self.members)

    def filled(self, values: Mapping[Variable, Value]) -> Family:
        """The same family with values in place of its variables."""
        return Family(self.name, {index: values[variable] for index, variable in self.members.items()}, self.arity)

    def over_cells(self) -> bool:
        """Whether it is indexed by cells."""
        return self.arity == 1 and bool(self.members) and all(isinstance(index, Cell) for index in self.members)

    def as_grid(self) -> Grid:
        """A family over cells as a grid."""
        return Grid(self.members)

    def at(self, key: Any) -> Any:
        """The member at an index; for a collection of indexes, the tuple of members.

        In an index of several parts `...` stands for all that is there: `own[s, ...]` are the members whose first part is s.
        """
        try:
            if key in self.members:
                return self.members[key]
        except TypeError:  # a list cannot be hashed: it is a collection
            pass
        if isinstance(key, tuple) and any(part is Ellipsis for part in key):
            if len(key) != self.arity:
                raise ExpressionError(f"{self.name} has {self.arity} indexes, not {len(key)}")
            return tuple(
                member
                for index, member in self.members.items()
                if all(part is Ellipsis or part == own for part, own in zip(key, index))
            )
        if self.arity == 1 and isinstance(key, tuple | list | set | frozenset | range) and not isinstance(key, Cell):
            return tuple(self.at(part) for part in key)
        raise ExpressionError(f"{self.name} has no member at {shown(key)}")


class Whole(tuple[Term, ...]):
    """The components of a function of unknowns whose value is a tuple, with the function itself."""

    term: Apply

    def __new__(cls, term: Apply, length: int) -> Whole:
        made = super().__new__(cls, (Component(term, position) for position in range(length)))
        made.term = term
        return made


ATTRIBUTES: Mapping[type, Sequence[str]] = {
    Grid: (
        *("cells", "given", "rows", "columns", "diagonals", "boxes", "windows", "regions", "slots"),
        *("neighbours", "around", "knight", "adjacent", "touching"),
    ),
    Cell: ("row", "column"),
    Size: ("rows", "columns"),
    Lexicon: ("of_length", "alphabet"),
    Tile: ("words", "cells"),
    Pieces: ("through",),
}


def shown(value: Any) -> str:
    """A value as an error message shows it: short."""
    text = str(value) if not isinstance(value, tuple | list) or type(value).__str__ not in (tuple.__str__, list.__str__) else (
        "(" + ", ".join(shown(part) for part in value[:6]) + (", …" if len(value) > 6 else "") + ")"
    )
    return text if len(text) <= 60 else text[:59] + "…"
