"""Functions that make ranges, rows and numbers of plain values."""

from __future__ import annotations

import builtins
from itertools import combinations
from typing import Any

from puzzlekit.lang.expressions.values import ExpressionError
from puzzlekit.lang.functions.arithmetic import ordered
from puzzlekit.lang.functions.function_group import Functions
from puzzlekit.limits import limits
from puzzlekit.model import Sum, Term


class Sequences(Functions):
    """Ranges, rows, pairs, and numbers that digits spell."""

    def between(self, a: int, b: int) -> builtins.range:
        """The whole numbers from a to b, both included."""
        return self._range(self._end(a), self._end(b) + 1)

    def range(self, *ends: int) -> builtins.range:
        """As in Python: from 0 or the first number, up to but not including the last; a third number is the step."""
        if not 1 <= len(ends) <= 3:
            raise ExpressionError(f"a range has one, two or three numbers, not {len(ends)}")
        return self._range(*map(self._end, ends))

    def _end(self, number: Any) -> int:
        end = self.runtime.whole(number, "the end of a range")
        if abs(end) > limits().rules.range_end:
            raise ExpressionError("the end of a range has at most 18 digits")
        return end

    def _range(self, *ends: int) -> builtins.range:
        if ends[2:] == (0,):
            raise ExpressionError("the step of a range cannot be 0")
        made = builtins.range(*ends)
        most = limits().rules.range_numbers
        if len(made) > most:
            raise ExpressionError(f"a range has at most {most:,} numbers")
        return made

    def distinct(self, xs: Any) -> tuple[Any, ...]:
        """The different values, in the order in which they first stand; what is left empty is none."""
        items = self.items(xs)
        if self.runtime.symbolic(items):
            raise ExpressionError("distinct(…) cannot depend on an unknown: all_different(…) requires that values differ")
        return tuple(dict.fromkeys(item for item in items if item is not None))

    def pairs(self, xs: Any) -> tuple[tuple[Any, Any], ...]:
        """Every two of them, in order, each pair once."""
        items = self.items(xs)
        self.runtime.spend(len(items) * (len(items) - 1) // 2)
        return tuple(combinations(items, 2))

    def zip(self, *groups: Any) -> tuple[tuple[Any, ...], ...]:
        """The groups side by side; they have one length."""
        columns = [self.items(group) for group in groups]
        if len({len(column) for column in columns}) > 1:
            raise ExpressionError(f"these have different lengths: {', '.join(str(len(column)) for column in columns)}")
        self.runtime.spend(sum(map(len, columns)))
        return tuple(zip(*columns))

    def enumerate(self, xs: Any, start: int = 0) -> tuple[tuple[int, Any], ...]:
        """Each with its number, from 0 or from `start`."""
        return tuple(enumerate(self.items(xs), self.runtime.whole(start, "the first number")))

    def sorted(self, xs: Any) -> tuple[Any, ...]:
        """In order, the least first."""
        items = self.runtime.known(self.items(xs), "the order")
        self.runtime.spend(len(items) * 4)
        return tuple(ordered(sorted, items))

    def reversed(self, xs: Any) -> tuple[Any, ...]:
        """In the opposite order."""
        return self.items(xs)[::-1]

    def first(self, xs: Any) -> Any:
        """The first of them."""
        for item in self.runtime.iterate(xs):
            return item
        raise ExpressionError("the first of nothing is not known")

    def number(self, digits: Any, base: int = 10) -> Any:
        """The number that these digits spell."""
        base = self.runtime.whole(base, "the base of a number")
        items = self.items(digits)
        weighted: list[tuple[int, Term]] = []
        weight = 1
        for item in reversed(items):
            weighted.insert(0, (weight, self.runtime.number(item)))
            weight = self.runtime.binary("*", weight, base)
        if self.runtime.symbolic(items):
            return Sum(tuple(weighted))
        return sum(weight * int(item) for (weight, _), item in zip(weighted, items))
