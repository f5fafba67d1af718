"""Functions of numbers and conditions: counts, sums, relations and goals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, pairwise
from typing import Any, Literal

import numpy as np

from puzzlekit.dataclass import dataclass
from puzzlekit.lang.aliases import Condition, Operand
from puzzlekit.lang.expressions.inference import TEXT
from puzzlekit.lang.expressions.operands import BOOLS, VARIABLES
from puzzlekit.lang.expressions.values import (
    SCALES,
    ExpressionError,
    display_text,
    equality_keys,
    is_row,
)
from puzzlekit.lang.library import Functions
from puzzlekit.model import (
    AllDifferent,
    Apply,
    Constant,
    Function,
    Operation,
    Sum,
    Term,
    Value,
    Variable,
)

INTS = frozenset({int, bool})


def _copies(texts: Operand, characters: Operand) -> Operand:
    """Return how often the character is in each text; at least one argument is an array of rows."""
    return np.char.count(texts, characters)


_COPIES = Function("count", lambda text, character: list(text).count(character), _copies)


class Counting(Functions):
    """Counts of items, and relations between them."""

    def sum(self, xs: Operand) -> Operand:
        """Return the sum of the items; the sum of nothing is 0."""
        items = self.items(xs)
        kinds = {*map(type, items)}
        if kinds <= INTS:  # rows of values or of unknown truths are the most frequent case
            return sum(items)
        if kinds == VARIABLES and self.interpreter.kinds.truths.issuperset(items):
            return Sum(tuple([(1, item) for item in items]))
        numbers = [self.interpreter.number(item) for item in items]
        if any(isinstance(item, Term) for item in items):
            return Sum(tuple([(1, number) for number in numbers]))
        return sum(map(int, items))

    def product(self, xs: Operand) -> Operand:
        """Return the product of the items; the product of nothing is 1."""
        items = self.items(xs)
        terms = [self.interpreter.number(item) for item in items if isinstance(item, Term)]
        factor: Any = 1
        for item in items:
            if not isinstance(item, Term):
                self.interpreter.number(item)
                factor = self.interpreter.binary("*", factor, int(item))
        while len(terms) > 1:  # in pairs, so that the term is not nested deeply
            pairs = zip(terms[::2], terms[1::2])
            products = [self.interpreter.binary("*", left, right) for left, right in pairs]
            terms = products + terms[2 * len(products) :]
        if not terms:
            return factor
        if factor == 1:
            return terms[0]
        return self.interpreter.binary("*", factor, terms[0])

    def count(self, xs: Operand, v: Operand) -> Operand:
        """Return how many items equal `v`; for an unknown word, how many of its letters do."""
        if isinstance(xs, Variable) and self.interpreter.kinds.of(xs) == TEXT:
            return Apply(_COPIES, (xs, self.interpreter.term(v)))
        equal = [self.interpreter.compare("==", item, v) for item in self.items(xs)]
        return self.sum(tuple(equal))

    def len(self, xs: Operand) -> int:
        """Return the number of items."""
        if isinstance(xs, Term):
            raise ExpressionError("an unknown has no length")
        return len(xs) if hasattr(xs, "__len__") else len(self.items(xs))

    def min(self, *xs: Operand) -> Operand:
        """Return the least of the items, or of the arguments if there are several."""
        return self._extreme("min", min, xs)

    def max(self, *xs: Operand) -> Operand:
        """Return the greatest of the items, or of the arguments if there are several."""
        return self._extreme("max", max, xs)

    def _extreme(
        self,
        name: Literal["min", "max"],
        plain: Callable[[Operand], Operand],
        xs: tuple[Operand, ...],
    ) -> Operand:
        items = self.items(xs[0]) if len(xs) == 1 else xs
        if not items:
            raise ExpressionError(f"{name}(…) requires at least one item")
        if not self.interpreter.symbolic(items):
            return ordered(plain, items)
        as_term = self.interpreter.number
        if self._on_a_scale(items):
            as_term = self.interpreter.term
        terms = tuple(map(as_term, items))
        return Operation(name, terms) if len(items) > 1 else items[0]

    def _on_a_scale(self, items: tuple[Operand, ...]) -> bool:
        """Return whether all items are of one kind that has an order of its own."""
        kinds = {self.interpreter.kinds.of(item) for item in items}
        return len(kinds) == 1 and kinds <= SCALES

    def abs(self, x: Operand) -> Operand:
        """Return the absolute value."""
        if type(x) is int:
            return abs(x)
        number = self.interpreter.number(x)
        return Operation("abs", (number,)) if isinstance(x, Term) else abs(x)

    def any(self, xs: Operand) -> Condition:
        """Return whether at least one condition holds."""
        return self.interpreter.joined(self.interpreter.iterate(xs), True)

    def all(self, xs: Operand) -> Condition:
        """Return whether every condition holds."""
        return self.interpreter.joined(self.interpreter.iterate(xs), False)

    def exactly_one(self, xs: Operand) -> Condition:
        """Return whether exactly one condition holds."""
        return self.interpreter.compare("==", self._holding(xs), 1)

    def at_most_one(self, xs: Operand) -> Condition:
        """Return whether at most one condition holds."""
        return self.at_most(1, xs)

    def at_least(self, n: int, xs: Operand) -> Condition:
        """Return whether at least `n` conditions hold."""
        return self.interpreter.compare("<=", n, self._holding(xs))

    def at_most(self, n: int, xs: Operand) -> Condition:
        """Return whether at most `n` conditions hold."""
        holding = self._holding(xs)
        if isinstance(holding, Sum) and isinstance(n, int) and len(holding.weighted) <= n:
            return True
        return self.interpreter.compare("<=", holding, n)

    def _holding(self, xs: Operand) -> Operand:
        """Return how many conditions hold."""
        conditions = self.interpreter.as_conditions(xs)
        self.interpreter.spend(len(conditions))
        if BOOLS.issuperset(map(type, conditions)):
            return sum(conditions)
        terms = [flag if isinstance(flag, Term) else Constant(flag) for flag in conditions]
        return Sum(tuple([(1, term) for term in terms]))

    def all_different(self, xs: Operand) -> Condition:
        """Return whether no two items are equal."""
        items = tuple(map(self.interpreter.as_row, self.items(xs)))
        if not self.interpreter.symbolic(items):
            return len(set(equality_keys(items))) == len(items)
        if any(map(is_row, items)):
            self.interpreter.spend(len(items) * (len(items) - 1) // 2)
            return self._compare_all("!=", combinations(items, 2))
        if len(items) < 2:
            return True
        return AllDifferent(tuple(map(self.interpreter.term, items)))

    def all_equal(self, xs: Operand) -> Condition:
        """Return whether all items are equal."""
        return self._compare_all("==", pairwise(self.items(xs)))

    def increasing(self, xs: Operand) -> Condition:
        """Return whether each item is greater than the one before."""
        return self._compare_all("<", pairwise(self.items(xs)))

    def _compare_all(self, sign: str, pairs: Iterable[tuple[Operand, Operand]]) -> Condition:
        return self.all(self.interpreter.compare(sign, left, right) for left, right in pairs)

    def implies(self, p: Operand, q: Operand) -> Condition:
        """Return whether `q` holds if `p` holds."""
        negated = self.interpreter.negate(p)
        return self.interpreter.joined((negated, self.interpreter.condition(q)), True)

    def iff(self, p: Operand, q: Operand) -> Condition:
        """Return whether both conditions hold, or neither."""
        left, right = self.interpreter.condition(p), self.interpreter.condition(q)
        return self.interpreter.compare("==", left, right)


def ordered(order: Callable[[Operand], Operand], items: tuple[Operand, ...]) -> Operand:
    """Apply `sorted`, `min` or `max` to the items. Raises ExpressionError if they have no order."""
    try:
        return order(items)
    except TypeError:
        raise ExpressionError(
            f"{display_text(items)} cannot be ordered: the values are of different kinds"
        ) from None


@dataclass(frozen=True)
class Aim:
    """The aim of a goal.

    Attributes:
        term: The term to minimise or maximise.
        maximise: Whether it is maximised.
        bound: A value that no solution beats.
        start: A solution to start from; unknowns that it omits take the first value of their
            domain.
    """

    term: Term
    maximise: bool
    bound: int | None = None
    start: Mapping[Variable, Value] | None = None


class Goals(Functions):
    """The aims of goals."""

    def minimise(self, x: Operand) -> Aim:
        """Return the aim of making `x` minimal."""
        return Aim(self.interpreter.number(x), False)

    def maximise(self, x: Operand) -> Aim:
        """Return the aim of making `x` maximal."""
        return Aim(self.interpreter.number(x), True)
