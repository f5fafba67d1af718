"""Definitions that would be too long or too deep if they were written out.

`x1: x0 and x0`, `x2: x1 and x1`, … is short, but in x30 an unknown stands a billion times. All that
works on terms takes time for each place where a part stands, and recurs into each part, so such
definitions get names.
"""

from __future__ import annotations

from puzzlekit.lang.expressions.inference import Kinds
from puzzlekit.lang.expressions.values import ExpressionError
from puzzlekit.limits import limits
from puzzlekit.model import (
    And,
    Comparison,
    Constant,
    Domain,
    Element,
    IfElse,
    Member,
    Not,
    Operation,
    Or,
    Sum,
    Term,
    Variable,
)
from puzzlekit.presolve.normalise import linear_form

PLAIN = (Variable, Constant, And, Or, Not, Comparison, Sum, Operation, IfElse, Element, Member)


class LongDefinitions:
    """Replaces long definitions by auxiliary unknowns.

    Attributes:
        equal: The definition that each unknown equals.
    """

    def __init__(self, kinds: Kinds) -> None:
        self.equal: dict[Variable, Term] = {}
        self._kinds = kinds
        self._measures: dict[Term, tuple[int, int]] = {}  # of definitions
        self._kept: set[Term] = set()  # long ones without a name

    def short(self, term: Term, label: str) -> Term:
        """Return the term, or what equals it if it is deep, or if some parts stand in it very often.

        Raises ExpressionError for a deep one that can have no name.
        """
        rules = limits().rules
        size, depth = self._measured(term)
        if isinstance(term, Sum) and (size > rules.definition_parts or depth > rules.expression_levels):
            weights, constant = linear_form(term)
            term = Sum(tuple((weight, part) for part, weight in weights.items()), constant)
            size, depth = self._measured(term)
        self._measures[term] = size, depth
        deep = depth > rules.expression_levels
        if size <= rules.definition_parts and not deep:
            return term
        domain = self._domain(term, 1 if deep else 2)
        if domain is None:
            if deep:
                raise ExpressionError("this is nested too deeply", "declare an auxiliary unknown that equals a part of it")
            self._kept.add(term)
            return term
        name = Variable(label)
        self._kinds.domains[name] = domain
        self.equal[name] = term
        return name

    def _measured(self, term: Term) -> tuple[int, int]:
        """Return the number of parts of the term, written out, and how deeply they are nested."""
        size, deepest, stack = 0, 0, [(term, 1)]
        while stack:
            part, level = stack.pop()
            own, depth = self._measures.get(part, (1, 1))
            size, deepest = size + own, max(deepest, level + depth - 1)
            if part not in self._measures:
                stack += [(inner, level + 1) for inner in part.parts()]
        return size, deepest

    def _domain(self, term: Term, times: int) -> Domain | None:
        """Return the values of a term whose parts stand in it so many times on average.

        None if it should have no name, or may have too many values.
        """
        seen, stack = set[Term](), [term]
        while stack:
            part = stack.pop()
            if part not in seen:
                if part in self._kept or not isinstance(part, PLAIN):
                    return None
                seen.add(part)
                stack += part.parts()
        if self._measures[term][0] < times * len(seen):
            return None
        known = self._kinds.possible(term)
        if known is not None:
            return known
        low, high = self._kinds.bounds(term)
        few = low is not None and high is not None and high - low < limits().rules.definition_values
        return tuple(range(low, high + 1)) if few else None  # type: ignore[arg-type, operator]
