"""Definitions that would be too long or too deep if they were written out.

`x1: x0 and x0`, `x2: x1 and x1`, … is short, but in x30 an unknown stands a billion times. All that
works on terms takes time for each place where a part stands, and is recursive, so such definitions
get names.
"""

from __future__ import annotations

from typing import Any

from puzzlekit.lang.expressions.inference import NUMBERS, Kinds
from puzzlekit.lang.expressions.values import ExpressionError
from puzzlekit.limits import limits
from puzzlekit.model import Acyclic, Circuit, Connected, Domain, Element, IfElse, RegionSizes, Sum, Term, Variable
from puzzlekit.presolve.normalise import linear_form

SHAPES = (Connected, Circuit, Acyclic, RegionSizes)  # a condition that joins these with others is not solved by all backends


class LongDefinitions:
    """Replaces long definitions by auxiliary unknowns.

    Attributes:
        equal: The definition that each unknown equals.
    """

    def __init__(self, kinds: Kinds) -> None:
        self.equal: dict[Variable, Term] = {}
        self._kinds = kinds
        self._measures: dict[Term, tuple[int, int]] = {}  # of definitions
        self._wide: set[Term] = set()  # long ones that may have too many values

    def short(self, value: Any, label: str) -> Any:
        """Return the value with long terms in it replaced, also where it is a row of terms.

        Raises ExpressionError for a deep one that can have no name.
        """
        if type(value) is tuple:
            return tuple([self.short(part, f"{label}[{place}]") for place, part in enumerate(value)])
        return self._short(value, label) if isinstance(value, Term) else value

    def _short(self, term: Term, label: str) -> Term:
        """Return the term, or what equals it if it is deep, or if some parts stand in it very often."""
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
        """Return the values that a term may take.

        None if its parts stand in it fewer than `times` times on average, if it should have no name,
        or if it may have too many values.
        """
        seen, stack = set[Term](), [term]
        while stack:
            part = stack.pop()
            if part not in seen:
                if part in self._wide or isinstance(part, SHAPES):
                    return None
                seen.add(part)
                stack += part.parts()
        if self._measures[term][0] < times * len(seen):
            return None
        known = self._values(term)
        if known is None:
            self._wide.add(term)
        return known

    def _values(self, term: Term) -> Domain | None:
        """Return the values that a term may take; None if they may be too many."""
        known = self._kinds.possible(term)
        if known is not None:
            return known
        most = limits().rules.definition_values
        if isinstance(term, IfElse | Element):
            parts = (term.then, term.otherwise) if isinstance(term, IfElse) else term.items
            found = [self._values(part) for part in parts]
            joined = tuple({value: None for values in found for value in values or ()})
            return None if None in found or len(joined) > most else joined
        low, high = self._kinds.bounds(term) if self._kinds.of(term) == NUMBERS else (None, None)
        return tuple(range(low, high + 1)) if low is not None and high is not None and high - low < most else None
