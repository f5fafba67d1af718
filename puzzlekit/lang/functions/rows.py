"""Functions that read a row in order: its runs, the pattern it matches, what is seen along it, which row comes first."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from puzzlekit.lang.automata import compiled
from puzzlekit.lang.expressions.runtime import Runtime
from puzzlekit.lang.expressions.values import ExpressionError, Lengths, Runs, shown
from puzzlekit.lang.functions.arithmetic import Counting
from puzzlekit.lang.functions.function_group import Functions
from puzzlekit.model import Automaton


class Rows(Functions):
    """Rows read from their first item to their last."""

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime)
        self.counting = Counting(runtime)

    def runs(self, xs: Any) -> Any:
        """The lengths of the runs of conditions that hold, in order."""
        conditions = tuple(map(self.runtime.condition, self.runtime.iterate(xs)))
        if self.runtime.symbolic(conditions):
            return Runs(conditions)
        return Lengths(sum(1 for _ in run) for holds, run in groupby(conditions) if holds)

    def matches(self, xs: Any, pattern: str) -> Any:
        """The items, a character each, spell what the pattern describes, from the first to the last."""
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
        """How many are greater than all that stand before them."""
        items = self.items(xs)
        self.runtime.spend(len(items) * len(items) // 2)
        return self.counting.sum(
            tuple(
                self.counting.all(self.runtime.compare("<", other, item) for other in items[:at])
                for at, item in enumerate(items)
            )
        )

    def lex_less(self, a: Any, b: Any) -> Any:
        """Row a comes before row b, as words do in a dictionary: by the first place where they differ."""
        left, right = self.items(a), self.items(b)
        shorter = min(len(left), len(right))
        self.runtime.spend(shorter * shorter // 2)
        equal = [self.runtime.compare("==", x, y) for x, y in zip(left, right)]
        less = [self.runtime.compare("<", x, y) for x, y in zip(left, right)]
        ways = [self.counting.all((*equal[:place], less[place])) for place in range(shorter)]
        return self.counting.any((*ways, self.counting.all(tuple(equal)) if len(left) < len(right) else False))


def _character(value: Any) -> str:
    """The character as which a pattern reads a value."""
    text = str(int(value)) if isinstance(value, bool) else str(value)
    if not isinstance(value, int | str) or len(text) != 1:
        raise ExpressionError(f"a pattern matches single characters and digits, got {shown(value)}")
    return text
