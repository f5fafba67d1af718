"""Functions that count, add and compare: numbers and conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from puzzlekit.lang.expressions.conditions import is_row
from puzzlekit.lang.expressions.inference import TEXT
from puzzlekit.lang.expressions.values import SCALES, ExpressionError, shown
from puzzlekit.lang.library import Functions
from puzzlekit.model import AllDifferent, Apply, Constant, Function, Operation, Sum, Term, Value, Variable


def _copies(texts: Any, characters: Any) -> Any:
    """How often the character stands in each text: one of them at least is an array, with a value a row."""
    return np.char.count(texts, characters)


_COPIES = Function("count", lambda text, character: list(text).count(character), _copies)


class Counting(Functions):
    """Counting, and relations between the members of a row."""

    def sum(self, xs: Any) -> Any:
        """The sum; of nothing it is 0."""
        items = self.items(xs)
        if any(isinstance(item, Term) for item in items):
            return Sum(tuple((1, self.runtime.number(item)) for item in items))
        for item in items:
            if type(item) is not int:
                self.runtime.number(item)
        return sum(map(int, items))

    def count(self, xs: Any, v: Any) -> Any:
        """How many of `xs` equal `v`; of the characters of a text that is not known, too."""
        if isinstance(xs, Variable) and self.runtime.kinds.of(xs) == TEXT:
            return Apply(_COPIES, (xs, self.runtime.term(v)))
        equal = [self.runtime.compare("==", item, v) for item in self.items(xs)]
        return self.sum(tuple(equal))

    def len(self, xs: Any) -> int:
        """How many there are."""
        if isinstance(xs, Term):
            raise ExpressionError("an unknown has no length")
        return len(xs) if hasattr(xs, "__len__") else len(self.items(xs))

    def min(self, *xs: Any) -> Any:
        """The least."""
        return self._extreme("min", min, xs)

    def max(self, *xs: Any) -> Any:
        """The greatest."""
        return self._extreme("max", max, xs)

    def _extreme(self, name: Any, plain: Callable[[Any], Any], xs: tuple[Any, ...]) -> Any:
        items = self.items(xs[0]) if len(xs) == 1 else xs
        if not items:
            raise ExpressionError(f"the {name} of nothing is not known")
        if self.runtime.symbolic(items):
            terms = tuple(map(self.runtime.term if self._on_a_scale(items) else self.runtime.number, items))
            return Operation(name, terms) if len(items) > 1 else items[0]
        return ordered(plain, items)

    def _on_a_scale(self, items: tuple[Any, ...]) -> bool:
        """Whether the items are all of one kind of value that has a scale of its own."""
        kinds = {self.runtime.kinds.of(item) for item in items}
        return len(kinds) == 1 and kinds <= SCALES

    def abs(self, x: Any) -> Any:
        """The distance from 0."""
        number = self.runtime.number(x)
        return Operation("abs", (number,)) if isinstance(x, Term) else abs(x)

    def any(self, xs: Any) -> Any:
        """Whether at least one of the conditions holds."""
        return self.runtime.joined(self.runtime.iterate(xs), True)

    def all(self, xs: Any) -> Any:
        """Whether all of the conditions hold."""
        return self.runtime.joined(self.runtime.iterate(xs), False)

    def exactly_one(self, xs: Any) -> Any:
        """Exactly one of the conditions holds."""
        return self.runtime.compare("==", self._holding(xs), 1)

    def at_most_one(self, xs: Any) -> Any:
        """At most one of the conditions holds."""
        return self.runtime.compare("<=", self._holding(xs), 1)

    def at_least(self, n: int, xs: Any) -> Any:
        """At least n of the conditions hold."""
        return self.runtime.compare("<=", n, self._holding(xs))

    def at_most(self, n: int, xs: Any) -> Any:
        """At most n of the conditions hold."""
        return self.runtime.compare("<=", self._holding(xs), n)

    def _holding(self, xs: Any) -> Any:
        """How many of the conditions hold."""
        found = tuple(map(self.runtime.condition, self.runtime.iterate(xs)))
        self.runtime.spend(len(found))
        if any(isinstance(condition, Term) for condition in found):
            return Sum(tuple((1, c if isinstance(c, Term) else Constant(c)) for c in found))
        return sum(found)

    def all_different(self, xs: Any) -> Any:
        """No two are equal."""
        items = tuple(map(self.runtime.as_row, self.items(xs)))
        if not self.runtime.symbolic(items):
            return len(set(items)) == len(items)
        if any(is_row(item) for item in items):
            self.runtime.spend(len(items) * (len(items) - 1) // 2)
            return self.all(self.runtime.compare("!=", a, b) for a, b in combinations(items, 2))
        return AllDifferent(tuple(map(self.runtime.term, items)))

    def all_equal(self, xs: Any) -> Any:
        """All are equal."""
        items = self.items(xs)
        return self.all(self.runtime.compare("==", a, b) for a, b in pairwise(items))

    def increasing(self, xs: Any) -> Any:
        """Each is greater than the one before."""
        items = self.items(xs)
        return self.all(self.runtime.compare("<", a, b) for a, b in pairwise(items))

    def implies(self, p: Any, q: Any) -> Any:
        """Where p holds, q holds."""
        return self.runtime.joined((self.runtime.negate(p), self.runtime.condition(q)), True)

    def iff(self, p: Any, q: Any) -> Any:
        """Both hold, or neither."""
        return self.runtime.compare("==", self.runtime.condition(p), self.runtime.condition(q))


def ordered(order: Callable[[Any], Any], items: tuple[Any, ...]) -> Any:
    """What an order of the items gives, such as the sorted ones or the least. Raises ExpressionError where they have none."""
    try:
        return order(items)
    except TypeError:
        raise ExpressionError(f"{shown(items)} cannot be ordered: they are of different kinds") from None


@dataclass(frozen=True)
class Aim:
    """What a goal asks for: a term to make small or large.

    `bound` is a value that no solution beats, `start` a solution that is known.
    """

    term: Term
    maximise: bool
    bound: int | None = None
    start: Mapping[Variable, Value] | None = None


class Goals(Functions):
    """What is to be small, or large."""

    def minimise(self, x: Any) -> Aim:
        """As small as can be."""
        return Aim(self.runtime.number(x), False)

    def maximise(self, x: Any) -> Aim:
        """As large as can be."""
        return Aim(self.runtime.number(x), True)
