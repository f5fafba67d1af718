"""Functions of rows and texts."""

from __future__ import annotations

import builtins
from itertools import combinations, groupby
from typing import Any

from puzzlekit.lang.automata import compiled
from puzzlekit.lang.expressions.conditions import equality_keys
from puzzlekit.lang.expressions.runtime import Runtime
from puzzlekit.lang.expressions.values import ExpressionError, Lengths, Runs, Stacked, shown
from puzzlekit.lang.functions.arithmetic import Counting, ordered
from puzzlekit.lang.library import Functions
from puzzlekit.limits import limits
from puzzlekit.model import Automaton, Sum, Term


class Sequences(Functions):
    """Ranges, pairs, orders, and numbers spelled by digits."""

    def between(self, a: int, b: int) -> builtins.range:
        """Return the integers from `a` to `b`, both included."""
        return self._range(self._end(a), self._end(b) + 1)

    def range(self, *ends: int) -> builtins.range:
        """Return a range as in Python: `range(n)`, `range(a, b)` or `range(a, b, step)`."""
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
        """Return the different values in the order of first occurrence, without None."""
        items = self.items(xs)
        if self.runtime.symbolic(items):
            raise ExpressionError("distinct(…) cannot depend on an unknown: all_different(…) requires that values differ")
        found = [item for item in items if item is not None]
        first: dict[Any, Any] = {}
        for key, item in zip(equality_keys([*map(self.runtime.as_row, found)]), found):
            first.setdefault(key, item)
        return tuple(first.values())

    def pairs(self, xs: Any) -> tuple[tuple[Any, Any], ...]:
        """Return every two items, each pair once."""
        items = self.items(xs)
        self.runtime.spend(len(items) * (len(items) - 1) // 2)
        return tuple(combinations(items, 2))

    def zip(self, *groups: Any) -> tuple[tuple[Any, ...], ...]:
        """Return the items of the groups side by side. All groups have the same length."""
        columns = [self.items(group) for group in groups]
        if len({len(column) for column in columns}) > 1:
            raise ExpressionError(
                f"rows to zip must have the same length, got {', '.join(str(len(column)) for column in columns)}"
            )
        self.runtime.spend(sum(map(len, columns)))
        return tuple(zip(*columns))

    def enumerate(self, xs: Any, start: int = 0) -> tuple[tuple[int, Any], ...]:
        """Return each item with its number, from 0 or `start`."""
        return tuple(enumerate(self.items(xs), self.runtime.whole(start, "the first number")))

    def sorted(self, xs: Any) -> tuple[Any, ...]:
        """Return the items in order, the least first."""
        items = self.runtime.known(self.items(xs), "the order of items")
        self.runtime.spend(len(items) * 4)
        return tuple(ordered(sorted, items))

    def reversed(self, xs: Any) -> tuple[Any, ...]:
        """Return the items in the opposite order."""
        return self.items(xs)[::-1]

    def first(self, xs: Any) -> Any:
        """Return the first item."""
        for item in self.runtime.iterate(xs):
            return item
        raise ExpressionError("first(…) requires at least one item")

    def number(self, digits: Any, base: int = 10) -> Any:
        """Return the number that the digits spell in this base."""
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


class Rows(Functions):
    """Conditions on rows and counts that depend on the order of items."""

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime)
        self.counting = Counting(runtime)

    def runs(self, xs: Any) -> Any:
        """Return the lengths of the runs of conditions that hold, in order."""
        conditions = tuple(map(self.runtime.condition, self.runtime.iterate(xs)))
        if self.runtime.symbolic(conditions):
            return Runs(conditions)
        return Lengths(sum(1 for _ in run) for holds, run in groupby(conditions) if holds)

    def matches(self, xs: Any, pattern: str) -> Any:
        """Return whether the items, each a character, match the whole pattern."""
        if not isinstance(pattern, str):
            raise ExpressionError(f"expected known text as the pattern, got {shown(pattern)}")
        items = self.items(xs)
        values = dict.fromkeys(value for item in items for value in self.runtime.possible(item))
        characters = {value: _character(value) for value in values}
        by_character, accepting = compiled(pattern, characters.values(), self.runtime.spend)
        steps = tuple({v: step[char] for v, char in characters.items() if char in step} for step in by_character)
        self.runtime.spend(len(items) + sum(map(len, steps)))
        if self.runtime.symbolic(items):
            return Automaton(tuple(map(self.runtime.term, items)), steps, accepting)
        return Automaton((), steps, accepting).met(items)

    def visible(self, xs: Any) -> Any:
        """Return how many items are greater than all before them."""
        items = self.items(xs)
        self.runtime.spend(len(items) * len(items) // 2)
        return self.counting.sum(
            tuple(
                self.counting.all(self.runtime.compare("<", other, item) for other in items[:at])
                for at, item in enumerate(items)
            )
        )

    def lex_less(self, a: Any, b: Any) -> Any:
        """Return whether row `a` comes before row `b` in a dictionary."""
        left, right = self.items(a), self.items(b)
        shorter = min(len(left), len(right))
        self.runtime.spend(shorter * shorter // 2)
        equal = [self.runtime.compare("==", x, y) for x, y in zip(left, right)]
        less = [self.runtime.compare("<", x, y) for x, y in zip(left, right)]
        ways = [self.counting.all((*equal[:place], less[place])) for place in range(shorter)]
        return self.counting.any((*ways, self.counting.all(tuple(equal)) if len(left) < len(right) else False))


def _character(value: Any) -> str:
    """Return the character that a pattern reads for a value."""
    text = str(int(value)) if isinstance(value, bool) else str(value)
    if not isinstance(value, int | str) or len(text) != 1:
        raise ExpressionError(f"a pattern matches single characters and digits, got {shown(value)}")
    return text


class Texts(Functions):
    """Parts of texts and rows, and rows shown in columns."""

    def split(self, xs: Any, at: Any) -> tuple[Any, ...]:
        """Return the parts of a row or text between items that equal `at`; none is empty."""
        items = self.runtime.known(self.items(xs), "the row to split")
        parts: list[list[Any]] = [[]]
        for item in items:
            if item == at:
                parts.append([])
            else:
                parts[-1].append(item)
        self.runtime.spend(len(items))
        return tuple("".join(part) if isinstance(xs, str) else tuple(part) for part in parts if part)

    def stacked(self, *rows: Any) -> Stacked:
        """Return rows of one length, to be shown one below the other with aligned items."""
        made = [tuple(map(str, self.runtime.known(self.items(row), "a stacked row"))) for row in rows]
        if len(set(map(len, made))) != 1:
            lengths = ", ".join(str(len(row)) for row in made)
            raise ExpressionError(f"rows shown in columns must have the same length, got {lengths}")
        self.runtime.spend(sum(map(len, made)))
        return Stacked(made)
