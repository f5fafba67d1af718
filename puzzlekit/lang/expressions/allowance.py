"""What expressions may use: steps, which count loop turns and the parts of values made or searched, time and memory."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import GeneratorType, MethodType
from typing import Any

from puzzlekit.boards import Cell, Cells, Corner, Cycle, Grid, Placement, Shape, Side, Size
from puzzlekit.lang.expressions.values import ATOMS, ExpressionError, Family, Runs, shown, value_type
from puzzlekit.limits import limits
from puzzlekit.model import Term, Variable

UNKNOWN = (Term, Runs)
ROWS_OR_SETS = (tuple, frozenset)
# what a loop may run over, besides registered types
COLLECTIONS = (tuple, frozenset, range, str, Grid, Family, Mapping)
ATOMS.update({int, bool, type(None), Cell, Corner, Side, Size, range, Placement, Shape})


class Budget:
    """The steps, the time and the memory that the rules of one puzzle have left, and the operations that spend them.

    Args:
        steps: The steps of one run, by default the limit on rules; 0 for no bound.

    Attributes:
        steps: The steps of one run; 0 for no bound.
        exceeded: Why the run ended, once it has exceeded a bound.
    """

    def __init__(self, steps: int | None = None) -> None:
        self.steps = limits().rules.steps if steps is None else steps
        self.begin()

    def begin(self) -> None:
        """Begin a run, with all steps and no time or memory used."""
        self.exceeded = ""
        self._began: tuple[float, int] | None = None  # time and memory, once a run is not a short one
        self._left = self.steps or limits().rules.steps_between_looks

    def spend(self, amount: int) -> None:
        """Spend so many steps. Raises ExpressionError if a bound is exceeded."""
        self._left -= amount
        if self._left < 0:
            self._look(amount)

    def _look(self, amount: int) -> None:
        """Look at the bounds, and allow more steps if none is exceeded."""
        rules = limits().rules
        if not self.exceeded:
            if self.steps:
                self.exceeded = f"{self.steps:,} steps"
            elif amount > rules.parts:
                self.exceeded = f"{rules.parts:,} steps at once"
            elif self._began is None:
                self._began = time.thread_time(), _resident()
            elif time.thread_time() - self._began[0] > rules.rule_seconds:
                self.exceeded = f"{rules.rule_seconds:g} seconds"
            elif _resident() - self._began[1] > rules.rule_bytes:
                self.exceeded = f"{rules.rule_bytes // 2**20:,} MB of memory"
        if self.exceeded:
            hint = "that is the limit for the rules of one puzzle"
            raise ExpressionError(f"this takes more than {self.exceeded}", hint + (", set by --steps" if self.steps else ""))
        self._left = rules.steps_between_looks

    def symbolic(self, value: Any) -> bool:
        """Return whether the value contains an unknown.

        Each part costs a step, so the caller may go through the value once more without counting.
        """
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
            for key, part in value.items():
                if (type(key) not in ATOMS and self.symbolic(key)) or (type(part) not in ATOMS and self.symbolic(part)):
                    return True
        elif isinstance(value, Family | Grid):
            self.spend(len(value))
            return any(isinstance(part, Term) or (type(part) not in ATOMS and self.symbolic(part)) for part in value)
        return False

    def known(self, value: Any, what: str) -> Any:
        """Return the value. Raises ExpressionError, which calls it `what`, if it has an unknown."""
        if self.symbolic(value):
            raise ExpressionError(f"{what} cannot depend on an unknown")
        return value

    def whole(self, value: Any, what: str) -> int:
        """Return the value as an int. Raises ExpressionError unless it is a known whole number."""
        if isinstance(value, Term):
            raise ExpressionError(f"{what} cannot depend on an unknown")
        if not isinstance(value, int):
            raise ExpressionError(f"expected a whole number as {what}, got {shown(value)}")
        return int(value)

    def iterate(self, group: Any, weight: int = 1) -> Iterable[Any]:
        """Return the items of a collection. Each costs `weight` steps.

        The weight is more than 1 if each turn of the loop builds a large value.
        """
        if isinstance(group, GeneratorType):  # its own loops spend the steps
            return group
        if not isinstance(group, COLLECTIONS) and not _runs_over(group):
            what = "an unknown" if isinstance(group, Variable) else shown(group)
            hint = "a function of a library must return a tuple instead" if isinstance(group, list) else ""
            if isinstance(group, Runs):
                hint = "compare runs(…) with known rows of lengths, by == or in"
            if isinstance(group, MethodType):
                hint = f"write its arguments after it: {group.__name__}(…)"
            raise ExpressionError(f"expected a collection to loop over, got {what}", hint)
        self.spend(len(group) * weight)
        return in_order(group) if isinstance(group, frozenset) else group

    def items(self, group: Any) -> tuple[Any, ...]:
        """Return the items of a collection as a row. Each costs a step."""
        return tuple(self.iterate(group))

    def expand(self, loops: Callable[[], Iterable[tuple[Any, ...]]]) -> Iterable[tuple[Any, ...]]:
        """Return the loop variables' values of an expression that is repeated for each of them."""
        return loops()

    # constructors

    def row(self, values: Iterator[Any]) -> tuple[Any, ...]:
        """Return a row of the values of a comprehension."""
        return tuple(values)

    def set(self, values: Iterable[Any]) -> frozenset[Any]:
        """Return a set. Its members must be known, because it depends on which are equal."""
        return frozenset(self.known(value, "a member of a set") for value in values)

    def dict(self, pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
        """Return a mapping. Its keys must be known."""
        return {self.known(key, "a key"): value for key, value in pairs}


def _resident() -> int:
    """Return the memory that this process uses, in bytes; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:  # noqa: PTH123 (a path takes longer)
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def _runs_over(group: Any) -> bool:
    """Return whether loops may run over the value's registered type."""
    known = value_type(group)
    return known is not None and known.collection


def in_order(group: frozenset[Any]) -> list[Any]:
    """Return the members of a set in an order that is the same in every run."""
    try:
        return sorted(group)
    except TypeError:
        return sorted(group, key=shown)
