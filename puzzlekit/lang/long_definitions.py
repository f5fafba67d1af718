"""Definitions that would be too long if they were written out.

`x1: x0 and x0`, `x2: x1 and x1`, … is short, but in x30 an unknown stands a billion times. All that
works on terms takes time for each place where a part stands, so such definitions get names.
"""

from __future__ import annotations

from puzzlekit.lang.expressions.inference import Kinds
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
        self._sizes: dict[Term, int] = {}  # of definitions, written out
        self._kept: set[Term] = set()  # long ones without a name

    def short(self, term: Term, label: str) -> Term:
        """Return the term, or what equals it if some parts stand in it very often."""
        most = limits().rules.definition_parts
        if isinstance(term, Sum) and self._size(term) > most:
            weights, constant = linear_form(term)
            term = Sum(tuple((weight, part) for part, weight in weights.items()), constant)
        self._sizes[term] = self._size(term)
        if self._sizes[term] <= most:
            return term
        domain = self._domain(term)
        if domain is None:
            self._kept.add(term)
            return term
        name = Variable(label)
        self._kinds.domains[name] = domain
        self.equal[name] = term
        return name

    def _size(self, term: Term) -> int:
        """Return the number of parts of the term, written out."""
        size, stack = 0, [term]
        while stack:
            part = stack.pop()
            known = self._sizes.get(part)
            size += known or 1
            if known is None:
                stack += part.parts()
        return size

    def _domain(self, term: Term) -> Domain | None:
        """Return the values of a long term; None if it should have no name or may have too many values."""
        seen, stack = set[Term](), [term]
        while stack:
            part = stack.pop()
            if part not in seen:
                if part in self._kept or not isinstance(part, PLAIN):
                    return None
                seen.add(part)
                stack += part.parts()
        if self._sizes[term] < 2 * len(seen):  # it was written in full
            return None
        known = self._kinds.possible(term)
        if known is not None:
            return known
        low, high = self._kinds.bounds(term)
        few = low is not None and high is not None and high - low < limits().rules.definition_values
        return tuple(range(low, high + 1)) if few else None  # type: ignore[arg-type, operator]
