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
KIND_BY_CLASS = frozenset({int, bool, str, Cell})  # whose values are of one kind each


class Kinds:
    """Infers the kinds of value that terms may take.

    Args:
        spend: Counts a step for each term or value that is looked through.

    Attributes:
        domains: The domain of each variable.
        truths: The variables that are conditions: all their values are truth values.
    """

    def __init__(self, spend: Callable[[int], None]) -> None:
        self._spend = spend
        self.domains: dict[Variable, Domain] = {}
        self._of_domain: dict[int, frozenset[str]] = {}
        self._truths: dict[int, bool] = {}  # by the identity of domains
        # identities of domains, and classes of values that can be compared with theirs
        self._comparable: set[tuple[int, type]] = set()
        self.truths: set[Variable] = set()

    def of(self, value: Operand) -> frozenset[str] | None:
        """Return the kinds that the value may be of; None if they cannot be inferred."""
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

    def is_truth(self, domain: Domain) -> bool:
        """Return whether all values of the domain of an unknown are truth values."""
        is_truth = self._truths.get(id(domain))
        if is_truth is None:
            is_truth = self._truths[id(domain)] = all(isinstance(value, bool) for value in domain)
        return is_truth

    def truth(self, term: Term) -> bool:
        """Return whether the term is a condition: true or false whatever the unknowns are."""
        if type(term) is Variable:
            return term in self.truths
        match term:
            case Constant(constant=constant):
                return isinstance(constant, bool)
            case IfElse(then=then, otherwise=otherwise):
                return self.truth(then) and self.truth(otherwise)
            case Element(items=items):
                self._spend(len(items))
                return all(map(self.truth, items))
            case Component(term=function):
                return isinstance(function, Inside)
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
                domains = [self.possible(then), self.possible(otherwise)]
            case Element(items=items):
                check()
                domains = list(map(self.possible, items))
            case _:
                return (False, True) if self.truth(term) else None
        values: dict[Value, None] = {}
        for domain in domains:
            if domain is not None:
                self._spend(len(domain))
                values.update(dict.fromkeys(domain))
        return None if None in domains else tuple(values)

    def _joined(self, terms: tuple[Term, ...]) -> frozenset[str] | None:
        """Return the kinds of all these terms; None if those of one cannot be inferred."""
        self._spend(len(terms))
        joined: set[str] = set()
        for term in terms:
            kinds = self.of(term)
            if kinds is None:
                return None
            joined |= kinds
        return frozenset(joined)

    def require_comparable(self, left: Operand, right: Operand) -> None:
        """Raise ExpressionError if no two values of the sides can be compared."""
        compared: tuple[int, type] | None = None
        if type(left) is Variable and type(right) in KIND_BY_CLASS:  # the most frequent case
            compared = id(self.domains[left]), type(right)
            if compared in self._comparable:
                return
        left_kinds, right_kinds = self.of(left), self.of(right)
        if left_kinds is None or right_kinds is None or not left_kinds.isdisjoint(right_kinds):
            if compared is not None:
                self._comparable.add(compared)
            return
        help = ""
        if left is None or right is None:
            help = "use .given for the cells of a board that have a value"
        sides = [(left, left_kinds), (right, right_kinds)]
        sides.sort(key=lambda pair: not isinstance(pair[0], Term))  # terms first
        text = " and ".join(_side_text(side, kinds) for side, kinds in sides)
        raise ExpressionError(f"these are never equal and cannot be ordered: {text}", help=help)


def _side_text(side: Operand, kinds: frozenset[str]) -> str:
    """Return the text of a side of a comparison, with the kinds of its values if it is a term."""
    if not isinstance(side, Term):
        return f"this is {display_text(side)}"
    name = display_text(side) if isinstance(side, Variable) else "this value"
    return f"{name} takes {' or '.join(sorted(kinds))}"


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
