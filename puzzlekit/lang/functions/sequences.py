"""Functions of rows, groups and texts."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, groupby, pairwise
from typing import Any

from puzzlekit.lang.aliases import Condition, Operand
from puzzlekit.lang.expressions.automata import compiled
from puzzlekit.lang.expressions.comparisons import SINGLE
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.expressions.values import (
    ATOMS,
    ExpressionError,
    Groups,
    Lengths,
    Runs,
    Stacked,
    display_text,
    equality_keys,
    is_row,
    same,
)
from puzzlekit.lang.functions.arithmetic import Counting, ordered
from puzzlekit.lang.library import Functions
from puzzlekit.model import And, Automaton, Sum, Term

RANGE_NUMBERS = 1_000_000
RANGE_END = 10**18


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

    def _end(self, number: Operand) -> int:
        end = self.interpreter.whole_number(number, "the end of a range")
        if abs(end) > RANGE_END:
            raise ExpressionError("the end of a range has at most 18 digits")
        return end

    def _range(self, *ends: int) -> builtins.range:
        if ends[2:] == (0,):
            raise ExpressionError("the step of a range cannot be 0")
        numbers = builtins.range(*ends)
        if len(numbers) > RANGE_NUMBERS:
            raise ExpressionError(f"a range has at most {RANGE_NUMBERS:,} numbers")
        return numbers

    def distinct(self, xs: Operand) -> tuple[Operand, ...]:
        """Return the different values in the order of first occurrence, without None."""
        if type(xs) is tuple and SINGLE.issuperset(map(type, xs)):  # the most frequent case
            self.interpreter.spend(2 * len(xs))
            different = dict.fromkeys(xs)
            different.pop(None, None)
            return tuple(different)
        items = self.items(xs)
        if self.interpreter.symbolic(items):
            raise ExpressionError(
                "distinct(…) cannot depend on an unknown:"
                " all_different(…) requires that values differ"
            )
        values = [item for item in items if item is not None]
        keys = equality_keys([*map(self.interpreter.as_row, values)])
        first: dict[Any, Any] = {}
        for key, value in zip(keys, values):
            first.setdefault(key, value)
        return tuple(first.values())

    def pairs(self, xs: Operand) -> tuple[tuple[Operand, Operand], ...]:
        """Return every two items, each pair once."""
        items = self.items(xs)
        self.interpreter.spend(len(items) * (len(items) - 1) // 2)
        return tuple(combinations(items, 2))

    def zip(self, *groups: Operand) -> tuple[tuple[Operand, ...], ...]:
        """Return the items of the groups side by side. All groups have the same length."""
        if any(group is None for group in groups):
            raise ExpressionError(
                "expected rows to zip, got nothing (None); for ys that may be absent,"
                " write zip(xs, ys if ys != None else [None for x in xs])"
            )
        columns = [self.items(group) for group in groups]
        lengths = list(map(len, columns))
        if len(set(lengths)) > 1:
            text = ", ".join(map(str, lengths))
            raise ExpressionError(f"rows to zip must have the same length, got {text}")
        self.interpreter.spend(sum(lengths))
        return tuple(zip(*columns))

    def enumerate(self, xs: Operand, start: int = 0) -> tuple[tuple[int, Operand], ...]:
        """Return each item with its number, from 0 or `start`."""
        return tuple(
            enumerate(self.items(xs), self.interpreter.whole_number(start, "the first number"))
        )

    def sorted(self, xs: Operand) -> Operand:
        """Return the items in order, the least first."""
        if isinstance(xs, Runs):
            return replace(xs, ascending=True)
        items = self.interpreter.require_fixed(self.items(xs), "the order of items")
        self.interpreter.spend(len(items) * 4)
        in_order = ordered(sorted, items)
        return Lengths(in_order) if isinstance(xs, Lengths) else tuple(in_order)

    def reversed(self, xs: Operand) -> tuple[Operand, ...]:
        """Return the items in the opposite order."""
        return self.items(xs)[::-1]

    def first(self, xs: Operand) -> Operand:
        """Return the first item."""
        for item in self.interpreter.iterate(xs):
            return item
        raise ExpressionError("first(…) requires at least one item")

    def number(self, digits: Operand, base: int = 10) -> Operand:
        """Return the number that the digits, or a text of digits, spell in this base."""
        base = self.interpreter.whole_number(base, "the base of a number")
        items = self.items(digits)
        if isinstance(digits, str):
            return self._of_text(digits, base)
        weighted: list[tuple[int, Term]] = []
        weight = 1
        for item in reversed(items):
            weighted.insert(0, (weight, self.interpreter.number(item)))
            weight = self.interpreter.binary("*", weight, base)
        if self.interpreter.symbolic(items):
            return Sum(tuple(weighted))
        return sum(weight * int(item) for (weight, _), item in zip(weighted, items))

    def _of_text(self, text: str, base: int) -> int:
        """Return the number that a text of decimal digits spells in this base, perhaps after a
        sign.
        """
        unsigned = text[1:] if text[:1] in ("-", "+") else text
        decimal = unsigned.isascii() and unsigned.isdecimal()
        if not decimal or any(int(digit) >= base for digit in unsigned):
            of_base = "" if base == 10 else f" below {base}"
            raise ExpressionError(
                f"expected a text of digits{of_base} as the number, got {display_text(text)}"
            )
        number = int(self.number(tuple(map(int, unsigned)), base))
        return -number if text[0] == "-" else number


class Rows(Functions):
    """Conditions on rows and counts that depend on the order of items."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.counting = Counting(interpreter)

    def runs(self, xs: Operand, cyclic: bool = False) -> Operand:
        """Return the lengths of the runs of conditions that hold, in order.

        If the row is cyclic, its first item comes after its last one. A run across the end is the
        first.
        """
        if not isinstance(cyclic, bool):
            raise ExpressionError(f"expected true or false as cyclic, got {display_text(cyclic)}")
        conditions = self.interpreter.as_conditions(xs)
        if self.interpreter.symbolic(conditions):
            return Runs(conditions, cyclic)
        lengths = [len([*run]) for is_true, run in groupby(conditions) if is_true]
        if cyclic and len(lengths) > 1 and conditions[0] and conditions[-1]:
            lengths[0] += lengths.pop()
        return Lengths(lengths)

    def leading(self, conditions: Operand) -> Operand:
        """Return how many conditions hold before the first that does not."""
        certain = 0
        prefixes: list[Term] = []  # for each further condition, whether all up to it hold
        terms: list[Term] = []
        for condition in map(self.interpreter.condition, self.items(conditions)):
            if condition is False:
                break
            if isinstance(condition, Term):
                terms.append(condition)
            if terms:
                self.interpreter.spend(len(terms))
                prefixes.append(And(tuple(terms)) if len(terms) > 1 else terms[0])
            else:
                certain += 1
        if not prefixes:
            return certain
        return Sum(tuple((1, prefix) for prefix in prefixes), certain)

    def until(self, xs: Operand, conditions: Operand) -> Operand:
        """Return the items before the first whose condition holds. The conditions are known."""
        items = self.items(xs)
        help = "leading(…) counts the unknown conditions that hold first"
        tests = self._one_per_item("until", items, conditions, "a condition", help)
        end = 0
        while end < len(items) and not self.interpreter.condition(tests[end]):
            end += 1
        return xs[:end] if isinstance(xs, str) else items[:end]

    def segments(self, xs: Operand, labels: Operand = None) -> tuple[Operand, ...]:
        """Return the segments of a row between changes of the label. The labels are known."""
        items = self.items(xs)
        if labels is None:
            labels = items
        help = "runs(…) has the runs of unknowns"
        row = self._one_per_item("segments", items, labels, "a label", help)
        if not items:
            return ()
        changes = [end for end in range(1, len(items)) if not same(row[end - 1], row[end])]
        sliced = xs if isinstance(xs, str) else items
        bounds = pairwise([0, *changes, len(items)])
        return tuple(sliced[start:end] for start, end in bounds)

    def _one_per_item(
        self, function: str, items: tuple[Operand, ...], group: Operand, subject: str, help: str
    ) -> tuple[Operand, ...]:
        """Return the values of a collection, which are fixed, one for each item."""
        values = self.items(group)
        if self.interpreter.symbolic(values):
            message = f"{subject} of {function}(…) cannot depend on an unknown"
            raise ExpressionError(message, help=help)
        if len(values) != len(items):
            counts = f"{len(values)} for {len(items)} items"
            raise ExpressionError(f"{function}(…) requires {subject} for each item, got {counts}")
        return values

    def matches(self, xs: Operand, pattern: Operand) -> Condition:
        """Return whether the items, each a character, match the entire pattern, a text or a row of
        its parts.
        """
        pieces = pattern if type(pattern) is tuple else (pattern,)
        if not all(isinstance(piece, str) for piece in pieces):
            raise ExpressionError(
                f"expected known text as the pattern, got {display_text(pattern)}"
            )
        self.interpreter.spend(len(pieces))
        items = self.items(xs)
        values = dict.fromkeys(value for item in items for value in self.interpreter.possible(item))
        characters = {value: _character(value) for value in values}
        spend = self.interpreter.spend
        by_character, accepting = compiled("".join(pieces), characters.values(), spend)
        steps = tuple(
            {value: step[char] for value, char in characters.items() if char in step}
            for step in by_character
        )
        spend(len(items) + sum(map(len, steps)))
        if self.interpreter.symbolic(items):
            return Automaton(tuple(map(self.interpreter.term, items)), steps, accepting)
        return Automaton((), steps, accepting).met(items)

    def visible(self, xs: Operand) -> Operand:
        """Return how many items are greater than all before them."""
        items = self.items(xs)
        self.interpreter.spend(len(items) * len(items) // 2)
        visible = []
        for position, item in enumerate(items):
            comparisons = (
                self.interpreter.compare("<", earlier, item) for earlier in items[:position]
            )
            visible.append(self.counting.all(comparisons))
        return self.counting.sum(tuple(visible))

    def lex_less(self, a: Operand, b: Operand) -> Condition:
        """Return whether row `a` comes before row `b` in a dictionary."""
        left, right = self.items(a), self.items(b)
        shorter = min(len(left), len(right))
        self.interpreter.spend(shorter * shorter // 2)
        equal = [self.interpreter.compare("==", x, y) for x, y in zip(left, right)]
        less = [self.interpreter.compare("<", x, y) for x, y in zip(left, right)]
        cases = [
            self.counting.all((*equal[:position], less[position])) for position in range(shorter)
        ]
        if len(left) < len(right):
            cases.append(self.counting.all(tuple(equal)))
        return self.counting.any(tuple(cases))


def _character(value: Operand) -> str:
    """Return the character that a pattern reads for a value."""
    text = str(int(value)) if isinstance(value, bool) else str(value)
    if not isinstance(value, int | str) or len(text) != 1:
        raise ExpressionError(
            f"a pattern matches single characters and digits, got {display_text(value)}"
        )
    return text


class Grouping(Functions):
    """Mappings to rows, which are empty for keys that do not occur."""

    def through(self, groups: Operand) -> Groups:
        """Return a mapping from each thing to the row of groups that have it."""
        return self.interpreter.through(self.items(groups))

    def grouped(self, pairs: Operand) -> Groups:
        """Return a mapping from each key to the row of its items, of pairs (key, item)."""
        groups: dict[Any, list[Any]] = {}
        for pair in self.items(pairs):
            if not (type(pair) is tuple or is_row(pair)) or len(pair) != 2:
                raise ExpressionError(
                    f"expected a pair (key, item), got {display_text(pair)}",
                    help="write grouped((key, x) for x in …)",
                )
            key, item = pair
            if type(key) not in ATOMS:
                key = self.interpreter.require_fixed(key, "a key")
            try:
                groups.setdefault(key, []).append(item)
            except TypeError:
                raise ExpressionError(f"{display_text(key)} cannot be a key") from None
        return Groups((key, tuple(items)) for key, items in groups.items())


class Texts(Functions):
    """Rows and texts, their parts, and rows shown in columns."""

    def row(self, xs: Operand) -> tuple[Operand, ...]:
        """Return the row of the items of a collection, or of the characters of a text."""
        return self.items(xs)

    def split(self, xs: Operand, at: Operand) -> tuple[Operand, ...]:
        """Return the parts of a row or text between items that equal `at`; none is empty."""
        items = self.interpreter.require_fixed(self.items(xs), "the row to split")
        pieces: list[list[Any]] = [[]]
        for item in items:
            if item == at:
                pieces.append([])
            else:
                pieces[-1].append(item)
        self.interpreter.spend(len(items))
        join: Callable[[list[Any]], Operand] = "".join if isinstance(xs, str) else tuple
        return tuple(join(piece) for piece in pieces if piece)

    def stacked(self, *rows: Operand) -> Stacked:
        """Return rows of one length, to be shown one below the other with aligned items."""
        texts = []
        for row in rows:
            items = self.interpreter.require_fixed(self.items(row), "a stacked row")
            texts.append(tuple(map(str, items)))
        lengths = list(map(len, texts))
        if len(set(lengths)) != 1:
            text = ", ".join(map(str, lengths))
            raise ExpressionError(f"rows shown in columns must have the same length, got {text}")
        self.interpreter.spend(sum(lengths))
        return Stacked(texts)
