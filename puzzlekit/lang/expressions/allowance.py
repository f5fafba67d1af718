"""What expressions may spend: every step of a loop and every part of a thing that is made or looked through is counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import GeneratorType
from typing import Any

from puzzlekit.boards import Cell, Cells, Corner, Cycle, Grid, Placement, Shape, Side
from puzzlekit.lang.expressions.values import ATOMS, ExpressionError, Family, Runs, Size, shown, value_type
from puzzlekit.limits import limits
from puzzlekit.model import Term, Variable

UNKNOWN = (Term, Runs)
ROWS_OR_SETS = (tuple, frozenset)
COLLECTIONS = (tuple, frozenset, range, str, Grid, Family, Mapping)  # what a loop may run over, beside registered types
ATOMS.update({int, bool, type(None), Cell, Corner, Side, Size, range, Placement, Shape})


class Budget:
    """The steps that are left, and what must be counted to be looked through."""

    def __init__(self) -> None:
        self.left = limits().rules.steps

    def spend(self, amount: int) -> None:
        """Count what is used; refuse when the bound is reached."""
        self.left -= amount
        if self.left < 0:
            most = limits().rules.steps
            raise ExpressionError(f"this takes more than {most:,} steps", "that is the limit for the rules of one puzzle")

    def symbolic(self, value: Any) -> bool:
        """Whether an unknown stands in the value. Each part that is looked at is counted, so what follows may look, too."""
        kind = type(value)
        if kind is Variable:
            return True
        if kind in ATOMS:
            return False
        if kind is Cells or kind is Cycle or kind is str:
            self.spend(len(value) >> 4)
            return False
        if isinstance(value, UNKNOWN):
            return True
        if isinstance(value, ROWS_OR_SETS):
            self.spend(len(value))
            for part in value:
                if type(part) not in ATOMS and self.symbolic(part):
                    return True
        elif isinstance(value, Mapping):
            self.spend(2 * len(value))
            return any(self.symbolic(key) or self.symbolic(part) for key, part in value.items())
        elif isinstance(value, Family | Grid):
            self.spend(len(value))
            return any(isinstance(part, Term) for part in value)
        return False

    def known(self, value: Any, what: str) -> Any:
        """The value, in which no unknown may stand."""
        if self.symbolic(value):
            raise ExpressionError(f"{what} cannot depend on an unknown")
        return value

    def whole(self, value: Any, what: str) -> int:
        """The value, which is to be a known whole number."""
        if isinstance(value, Term):
            raise ExpressionError(f"{what} cannot depend on an unknown")
        if not isinstance(value, int):
            raise ExpressionError(f"expected a whole number as {what}, got {shown(value)}")
        return int(value)

    def iterate(self, group: Any, weight: int = 1) -> Iterable[Any]:
        """The items of a collection, each counted, `weight` times where a step of the loop makes as much."""
        if isinstance(group, GeneratorType):  # its own loops have counted
            return group
        if not isinstance(group, COLLECTIONS) and not _runs_over(group):
            what = "an unknown" if isinstance(group, Variable) else shown(group)
            raise ExpressionError(f"expected a collection to loop over, got {what}")
        self.spend(len(group) * weight)
        return in_order(group) if isinstance(group, frozenset) else group

    def items(self, group: Any) -> tuple[Any, ...]:
        """The items of a collection as a row."""
        return tuple(self.iterate(group))

    def expand(self, loops: Callable[[], Iterable[tuple[Any, ...]]]) -> Iterable[tuple[Any, ...]]:
        """The values of the loop variables of an expression that is stated once for each of them."""
        return loops()

    # what is made

    def row(self, values: Iterator[Any]) -> tuple[Any, ...]:
        """A row of what a comprehension gives."""
        return tuple(values)

    def set(self, values: Iterable[Any]) -> frozenset[Any]:
        """A set: its members must be known, since it depends on which are equal."""
        return frozenset(self.known(value, "a member of a set") for value in values)

    def dict(self, pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
        """A mapping: its keys must be known."""
        return {self.known(key, "a key"): value for key, value in pairs}


def _runs_over(group: Any) -> bool:
    """Whether loops run over the values of a type that is registered."""
    known = value_type(group)
    return known is not None and known.collection


def in_order(group: frozenset[Any]) -> list[Any]:
    """The members of a set, in the same order in every run."""
    try:
        return sorted(group)
    except TypeError:
        return sorted(group, key=shown)
