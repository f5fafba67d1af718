"""Inference of the kinds of value that an unknown may take.

It makes a comparison that can never hold an error instead of a puzzle without solutions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from puzzlekit.boards import Cell, Corner
from puzzlekit.clock import check
from puzzlekit.lang.expressions.values import ExpressionError, is_number, kind_name, shown
from puzzlekit.model import Apply, Component, Constant, Domain, Element, IfElse, Inside, Operation, Regions, Sum, Term, Variable

NUMBERS = frozenset({"numbers"})
TEXT = frozenset({"text"})


class Kinds:
    """Infers the kinds of value that terms may take.

    Args:
        spend: Counts a step for each term or value that is looked through.

    Attributes:
        domains: The domain of each variable.
        truths: The variables that are known to be conditions.
    """

    def __init__(self, spend: Callable[[int], None]) -> None:
        self._spend = spend
        self.domains: dict[Variable, Domain] = {}
        self._of_domain: dict[int, frozenset[str]] = {}
        self._truths: dict[int, bool] = {}  # by the identity of domains
        self.truths: set[Variable] = set()

    def of(self, value: Any) -> frozenset[str] | None:
        """Return the kinds that the value may be of; None if they are not known."""
        if is_number(value):
            return NUMBERS
        if type(value) is Variable:
            domain = self.domains[value]
            if id(domain) not in self._of_domain:
                self._of_domain[id(domain)] = frozenset(map(_kind, domain))
            return self._of_domain[id(domain)]
        match value:
            case Constant(constant=constant):
                return frozenset({_kind(constant)})
            case IfElse(then=then, otherwise=otherwise):
                return self._joined((then, otherwise))
            case Element(items=items):
                return self._joined(items)
            case Operation("min" | "max", operands):
                return self._joined(operands)
            case Component(whole=Regions() | Inside()):
                return NUMBERS
            case Apply() | Component():
                return None
            case Term():
                return NUMBERS
            case _:
                return frozenset({_kind(value)})

    def truth(self, term: Term) -> bool:
        """Return whether the term is a condition: true or false whatever the unknowns are."""
        if type(term) is Variable:
            domain = self.domains[term]
            known = self._truths.get(id(domain))
            if known is None:
                known = self._truths[id(domain)] = all(isinstance(value, bool) for value in domain)
            if known:
                self.truths.add(term)
            return known
        match term:
            case Constant(constant=constant):
                return isinstance(constant, bool)
            case IfElse(then=then, otherwise=otherwise):
                return self.truth(then) and self.truth(otherwise)
            case Element(items=items):
                self._spend(len(items))
                return all(map(self.truth, items))
            case Component(whole=whole):
                return isinstance(whole, Inside)
            case _:
                return not isinstance(term, Sum | Operation | Apply)

    def possible(self, term: Term) -> tuple[Any, ...] | None:
        """Return the values that the term may take; None if they would have to be computed."""
        match term:
            case Variable():
                return self.domains[term]
            case Constant(constant=constant):
                return (constant,)
            case IfElse(then=then, otherwise=otherwise):
                sides = [self.possible(side) for side in (then, otherwise)]
            case Element(items=items):
                check()
                sides = [self.possible(item) for item in items]
            case _:
                return (False, True) if self.truth(term) else None
        known = [side for side in sides if side is not None]
        self._spend(sum(map(len, known)))
        return tuple(dict.fromkeys(value for side in known for value in side)) if len(known) == len(sides) else None

    def bounds(self, term: Term) -> tuple[int | None, int | None]:
        """Return the least and the greatest value of the term; None for an unknown bound."""
        match term:
            case Sum(weighted, constant):
                self._spend(len(weighted))
                low: int | None = constant
                high: int | None = constant
                for weight, part in weighted:
                    ends = self.bounds(part)
                    least, most = ends if weight > 0 else ends[::-1]
                    low = None if low is None or least is None else low + weight * least
                    high = None if high is None or most is None else high + weight * most
                return low, high
            case Operation("%", (_, Constant(divisor))):
                return min(divisor + 1, 0), max(divisor - 1, 0)
            case Operation("//", (inner, Constant(divisor))) if divisor:
                ends = self.bounds(inner)
                low, high = ends if divisor > 0 else ends[::-1]
                return None if low is None else low // divisor, None if high is None else high // divisor
            case Operation("*", (left, right)):
                found = [a * b for a in self.bounds(left) for b in self.bounds(right) if a is not None and b is not None]
                return (min(found), max(found)) if len(found) == 4 else (None, None)
            case Operation("abs", (inner,)):
                low, high = self.bounds(inner)
                return 0, None if low is None or high is None else max(-low, high)
            case Operation("min", operands):
                return self._ends(operands, min, min)
            case Operation("max", operands):
                return self._ends(operands, max, max)
            case IfElse(then=then, otherwise=otherwise) if self.possible(term) is None:
                return self._ends((then, otherwise), min, max)
            case Element(items=items) if self.possible(term) is None:
                return self._ends(items, min, max)
            case Component(whole=Regions(count=count)):
                return 1, count
            case _:
                values = self.possible(term)
                numbers = [int(value) for value in values or () if isinstance(value, int)]
                return (min(numbers), max(numbers)) if numbers else (None, None)

    def _ends(
        self, terms: tuple[Term, ...], least: Callable[[list[int]], int], most: Callable[[list[int]], int]
    ) -> tuple[int | None, int | None]:
        """Return `least` of the lower bounds and `most` of the upper ones; None where a term has none."""
        self._spend(len(terms))
        low, high = (list(filter(lambda end: end is not None, ends)) for ends in zip(*map(self.bounds, terms)))
        whole = len(terms)
        return least(low) if len(low) == whole else None, most(high) if len(high) == whole else None

    def _joined(self, terms: tuple[Term, ...]) -> frozenset[str] | None:
        self._spend(len(terms))
        kinds = [self.of(term) for term in terms]
        known = [kind for kind in kinds if kind is not None]
        return frozenset().union(*known) if len(known) == len(kinds) else None

    def comparable(self, left: Any, right: Any) -> None:
        """Raise ExpressionError if no two values of the sides can be compared."""
        one, other = self.of(left), self.of(right)
        if one is None or other is None or not one.isdisjoint(other):
            return
        hint = "use .given for the cells of a board that have a value" if left is None or right is None else ""
        sides = " and ".join(
            f"{shown(side) if isinstance(side, Variable) else 'this value'} takes {' or '.join(sorted(kinds))}"
            if isinstance(side, Term)
            else f"this is {shown(side)}"
            for side, kinds in sorted(((left, one), (right, other)), key=lambda pair: not isinstance(pair[0], Term))
        )
        raise ExpressionError(f"these are never equal and cannot be ordered: {sides}", hint)


def _kind(value: Any) -> str:
    match value:
        case _ if is_number(value):
            return "numbers"
        case str():
            return "text"
        case Cell():
            return "cells"
        case Corner():
            return "corners"
        case tuple():
            return "rows"
        case None:
            return "nothing"
        case _:
            return kind_name(type(value))
