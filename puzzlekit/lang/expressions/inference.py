"""Inference of the kinds of value that an unknown may take.

It makes a comparison that can never hold an error instead of a puzzle without solutions.
"""

from __future__ import annotations

from collections.abc import Callable

from puzzlekit.boards import Cell, Corner
from puzzlekit.clock import check
from puzzlekit.lang.aliases import DataValue, Operand
from puzzlekit.lang.expressions.values import ExpressionError, display_text, is_number, kind_name
from puzzlekit.model import (
    Apply,
    Component,
    Constant,
    Domain,
    Element,
    IfElse,
    Inside,
    Operation,
    Regions,
    Sum,
    Term,
    Value,
    Variable,
)

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

    def of(self, value: Operand) -> frozenset[str] | None:
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
            case Component(term=Regions() | Inside()):
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
            case Component(term=whole):
                return isinstance(whole, Inside)
            case _:
                return not isinstance(term, Sum | Operation | Apply)

    def possible(self, term: Term) -> tuple[Value, ...] | None:
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
        return (
            tuple(dict.fromkeys(value for side in known for value in side))
            if len(known) == len(sides)
            else None
        )

    def _joined(self, terms: tuple[Term, ...]) -> frozenset[str] | None:
        self._spend(len(terms))
        kinds = [self.of(term) for term in terms]
        known = [kind for kind in kinds if kind is not None]
        return frozenset().union(*known) if len(known) == len(kinds) else None

    def comparable(self, left: Operand, right: Operand) -> None:
        """Raise ExpressionError if no two values of the sides can be compared."""
        one, other = self.of(left), self.of(right)
        if one is None or other is None or not one.isdisjoint(other):
            return
        help = (
            "use .given for the cells of a board that have a value"
            if left is None or right is None
            else ""
        )
        sides = " and ".join(
            f"{display_text(side) if isinstance(side, Variable) else 'this value'} takes {' or '.join(sorted(kinds))}"
            if isinstance(side, Term)
            else f"this is {display_text(side)}"
            for side, kinds in sorted(
                ((left, one), (right, other)), key=lambda pair: not isinstance(pair[0], Term)
            )
        )
        raise ExpressionError(f"these are never equal and cannot be ordered: {sides}", help=help)


def _kind(value: DataValue) -> str:
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
