"""Functions that state what a goal asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from puzzlekit.lang.expressions.values import ExpressionError
from puzzlekit.lang.functions.function_group import Functions
from puzzlekit.model import Term, Value, Variable


class Aim:
    """What a goal asks for: a term to make small or large, with the best value there can be and a solution to begin with."""

    def __init__(self, term: Term, maximise: bool, bound: int | None, start: Mapping[Variable, Value] | None) -> None:
        self.term = term
        self.maximise = maximise
        self.bound = bound
        self.start = start


class Goals(Functions):
    """What is to be small, or large."""

    def minimise(self, x: Any, bound: Any = None, start: Any = None) -> Aim:
        """As small as can be; never below a known bound, and with a start at most as large as what that comes to."""
        return self._aim(x, False, bound, start)

    def maximise(self, x: Any, bound: Any = None, start: Any = None) -> Aim:
        """As large as can be; never above a known bound, and with a start at least as large as what that comes to."""
        return self._aim(x, True, bound, start)

    def _aim(self, x: Any, maximise: bool, bound: Any, start: Any) -> Aim:
        least = None if bound is None else self.runtime.whole(bound, "the bound of a goal")
        if start is None:
            return Aim(self.runtime.number(x), maximise, least, None)
        pairs = self.items(start)
        if not all(type(pair) is tuple and len(pair) == 2 and isinstance(pair[0], Variable) for pair in pairs):
            raise ExpressionError("a start is pairs of an unknown and its value")
        values = self.runtime.known(tuple(value for _, value in pairs), "a value")
        return Aim(self.runtime.number(x), maximise, least, dict(zip((unknown for unknown, _ in pairs), values)))
