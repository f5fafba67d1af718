"""Make partial terms safe: add the conditions that indices are keys and divisors are not zero."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from puzzlekit.model import (
    And,
    Comparison,
    Constant,
    Constraint,
    Domain,
    Element,
    IfElse,
    Member,
    Model,
    Not,
    Operation,
    Or,
    Origin,
    Term,
    Variable,
)
from puzzlekit.presolve.normalise import rewrite

PARTIAL = frozenset({Element, Operation})  # terms of these classes may have no value


def require_values(model: Model) -> Model:
    """Add the conditions under which every term has a value.

    As in Python, `or`, `and` and conditional terms are evaluated from the left, and a term that is
    not evaluated needs no value. There, partial terms are replaced by total ones.

    Needs:  any model.
    Leaves: the same solutions; every term has a value for all values that the constraints allow.
    """
    values = _Values(model.domains)
    aims = [model.goal.term] if model.goal else []
    if not values.any_partial([*(constraint.condition for constraint in model.constraints), *aims]):
        return model
    constraints: list[Constraint] = []
    for constraint in model.constraints:
        for condition in _joined(constraint.condition):
            stated = (values.safe(condition), *values.needs(condition))
            constraints += [
                constraint if part is constraint.condition else replace(constraint, condition=part) for part in stated
            ]
    goal = model.goal
    if goal is not None and (needs := values.needs(goal.term)):
        constraints += [Constraint(need, Origin(f"goal {goal.name}")) for need in needs]
        goal = replace(goal, term=values.safe(goal.term))
    return replace(model, constraints=tuple(constraints), goal=goal)


def _joined(condition: Term) -> Iterator[Term]:
    """Yield the conjuncts: all of them are always evaluated."""
    if isinstance(condition, And):
        for part in condition.conditions:
            yield from _joined(part)
    else:
        yield condition


class _Values:
    """The conditions under which terms have a value."""

    def __init__(self, domains: Mapping[Variable, Domain]) -> None:
        self.domains = domains
        self.known: dict[Term, tuple[Term, ...]] = {}
        self.made: set[Term] = set()  # terms made total, though their operator is partial

    def any_partial(self, terms: Sequence[Term]) -> bool:
        """Return whether any of these terms, or of their subterms, may have no value."""
        stack, seen = list(terms), set[Term]()
        while stack:
            part = stack.pop()
            if type(part) is not Variable and part not in seen:
                seen.add(part)
                if self._own_need(part) is not None:
                    return True
                stack.extend(part.parts())
        return False

    def needs(self, term: Term) -> tuple[Term, ...]:
        """Return the conditions for a term to have a value; an `Or` if it may not be evaluated."""
        if isinstance(term, Variable | Constant):
            return ()
        if term not in self.known:
            self.known[term] = tuple(dict.fromkeys(self._needs(term)))
        return self.known[term]

    def _needs(self, term: Term) -> Iterator[Term]:
        match term:
            case Or(conditions):
                yield from self._short_circuit(conditions)
            case And(conditions):
                yield from self._short_circuit(conditions, negated=True)
            case IfElse(condition, then, otherwise):
                yield from self.needs(condition)
                for side, instead in ((then, Not(self.total(condition))), (otherwise, self.total(condition))):
                    yield from (Or((instead, need)) for need in self.needs(side))
            case _:
                for part in term.parts():
                    yield from self.needs(part)
                own = None if term in self.made else self._own_need(term)
                yield from () if own is None else (own,)

    def _short_circuit(self, conditions: Sequence[Term], negated: bool = False) -> Iterator[Term]:
        """Yield what each condition needs, if none before it decides the result."""
        for place, condition in enumerate(conditions):
            needs = self.needs(condition)
            before = [self.total(part) for part in conditions[:place]] if needs else []
            decided = [Not(part) if negated else part for part in before]
            yield from (Or((*decided, self.total(need))) if decided else need for need in needs)

    def _own_need(self, term: Term) -> Term | None:
        """Return what the operator of this term needs, apart from the needs of its operands."""
        match term:
            case Element(keys, _, index) if not (isinstance(index, Variable) and set(keys).issuperset(self.domains[index])):
                return Member(index, frozenset(keys))
            case Operation("//" | "%", (_, divisor)) if not (isinstance(divisor, Constant) and divisor.constant):
                return Comparison("!=", divisor, Constant(0))
            case _:
                return None

    def safe(self, term: Term) -> Term:
        """Return the term, made total if it is evaluated only under some condition."""
        return self.total(term) if any(isinstance(need, Or) for need in self.needs(term)) else term

    def total(self, term: Term) -> Term:
        """Return a term with the same value, or with an arbitrary one where this term has none."""
        return rewrite(term, self._total) if self.needs(term) else term

    def _total(self, part: Term) -> Term | None:
        need = None if part in self.made else self._own_need(part)
        if need is None:
            return None
        need = self.total(need)
        made: Term
        match part:
            case Element(keys, items, index) if keys:
                made = Element(keys, tuple(map(self.total, items)), IfElse(need, self.total(index), Constant(keys[0])))
            case Operation(operator, (dividend, divisor)):
                made = Operation(operator, (self.total(dividend), IfElse(need, self.total(divisor), Constant(1))))
            case _:
                made = Constant(0)
        self.made.add(made)
        return made
