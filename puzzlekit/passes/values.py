"""Say outright that every index is a key and that no divisor is zero."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from puzzlekit.model import Comparison, Constant, Constraint, Domain, Element, Member, Model, Operation, Origin, Term, Variable


def require_values(model: Model) -> Model:
    """Add the conditions under which every term has a value.

    Needs:  any model.
    Leaves: the same answers; what a rule says where one of its terms has no value no longer matters.
    """
    terms = [(constraint.condition, constraint.origin) for constraint in model.constraints]
    if model.goal is not None:
        terms.append((model.goal.term, Origin(f"goal {model.goal.name}")))
    seen: set[Term] = set()
    added = [Constraint(need, origin) for term, origin in terms for need in _needs(term, model.domains, seen)]
    return replace(model, constraints=(*model.constraints, *added)) if added else model


def _needs(term: Term, domains: Mapping[Variable, Domain], seen: set[Term]) -> Iterator[Term]:
    stack = [term]
    while stack:
        part = stack.pop()
        if part in seen:
            continue
        seen.add(part)
        match part:
            case Variable() | Constant():
                continue
            case Element(keys, _, index) if not (isinstance(index, Variable) and set(keys).issuperset(domains[index])):
                yield Member(index, frozenset(keys))
            case Operation("//" | "%", (_, divisor)) if not (isinstance(divisor, Constant) and divisor.constant):
                yield Comparison("!=", divisor, Constant(0))
        stack.extend(part.parts())
