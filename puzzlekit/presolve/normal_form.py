"""Bring conditions into the forms that passes and backends recognise."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, cast

from puzzlekit.model import (
    AllDifferent,
    And,
    Apply,
    Automaton,
    Cardinality,
    Comparison,
    Component,
    Constant,
    Constraint,
    Domain,
    Element,
    IfElse,
    Linear,
    Model,
    Not,
    Or,
    Sum,
    Table,
    Term,
    Value,
    Variable,
    has_variables,
    key_of,
)

COUNTED = frozenset({"==", "<="})  # comparisons of a sum with a bound
OPAQUE = (Variable, Table, Automaton)  # terms that a pattern does not show
Literal = tuple[Variable, Value]


def pattern(condition: Term, variables: Sequence[Variable]) -> Hashable | None:
    """Return the condition with numbers in place of its variables, or None if it holds arrays.

    Conditions with the same pattern have the same meaning.

    >>> from puzzlekit.model import Not
    >>> a, b = Variable("a"), Variable("b")
    >>> pattern(Not(a), [a]) == pattern(Not(b), [b])
    True
    """
    numbers: dict[Term, int] = {variable: number for number, variable in enumerate(variables)}

    def stand_in(term: Term) -> Hashable | None:
        number = numbers.get(term)
        if number is None and isinstance(term, OPAQUE):
            raise _Opaque
        return number

    try:
        return key_of(condition, stand_in)
    except _Opaque:
        return None


def literal_pattern(condition: Term) -> tuple[list[Literal], Hashable] | None:
    """Return the literals that a condition consists of, and the condition with numbers in their
    place.

    Returns None if the condition depends on a variable in another way. A literal is a comparison of
    a variable with a value by `==` or `!=`.
    """
    numbers: dict[Literal, int] = {}

    def stand_in(term: Term) -> Hashable | None:
        match term:
            case Comparison("==" | "!=" as sign, Variable() as variable, Constant(value)):
                return sign, numbers.setdefault((variable, value), len(numbers))
            case _ if isinstance(term, OPAQUE):
                raise _Opaque
            case _:
                return None

    try:
        key = key_of(condition, stand_in)
    except _Opaque:
        return None
    return [*numbers], key


class _Opaque(Exception):
    """The term holds arrays or a variable without a number."""


def rewrite(term: Term, change: Callable[[Term], Term | None]) -> Term:
    """Replace each part for which `change(part)` returns a term, from the outside in."""
    changed = change(term)
    if changed is not None:
        return changed
    if isinstance(term, Variable) or not any(True for _ in term.subterms()):
        return term
    parts = {f.name: getattr(term, f.name) for f in fields(cast(Any, term))}
    new = {name: _inside(part, change) for name, part in parts.items()}
    return (
        term if all(new[name] is parts[name] for name in parts) else replace(cast(Any, term), **new)
    )


def _inside(item: Any, change: Callable[[Term], Term | None]) -> Any:
    if isinstance(item, Term):
        return rewrite(item, change)
    if type(item) is tuple:
        new = tuple(_inside(part, change) for part in item)
        return item if all(a is b for a, b in zip(new, item)) else new
    return item


def substitute(term: Term, others: Mapping[Term, Term]) -> Term:
    """Replace each key of `others` by its value."""
    return rewrite(term, others.get)


def normalise(model: Model) -> Model:
    """Split conjunctions, and turn comparisons of sums into `Linear` or `Cardinality`.

    Needs:  any model.
    Leaves: the same solutions; no constraint is an `And`; a comparison of sums of variables is a
            `Linear`, one that counts literals a `Cardinality`; constraints that always hold are
            gone.
    """
    return split_conditions(count_truths(model))


def split_conditions(model: Model) -> Model:
    """Do what `normalise` does to a model whose truths are counted."""
    constraints: list[Constraint] = []
    for constraint in model.constraints:
        known, origin = constraint.condition, constraint.origin
        if type(known) is Cardinality and _says_something(known):
            constraints.append(constraint)
        else:
            found = _conditions(known, model.domains)
            constraints += [
                constraint if condition is known else Constraint(condition, origin)
                for condition in found
            ]
    return replace(model, constraints=tuple(constraints))


def count_truths(model: Model) -> Model:
    """Do a part of `normalise` quickly: counts and clauses of distinct truths, the most frequent
    conditions.

    Needs:  any model.
    Leaves: the same solutions; these conditions are instances of `Cardinality`.
    """
    constraints = list[Constraint]()
    flags = frozenset(variable for variable, domain in model.domains.items() if _is_truth(domain))
    for constraint in model.constraints:
        known = constraint.condition
        counted = None if isinstance(known, Cardinality) else _count_of_truths(known, flags)
        constraints.append(
            constraint if counted is None else Constraint(counted, constraint.origin)
        )
    return replace(model, constraints=tuple(constraints))


def _conditions(condition: Term, domains: Mapping[Variable, Domain]) -> Iterator[Term]:
    """Yield the conjuncts except true constants; a false constant becomes `Constant(False)`."""
    match condition:
        case And(conditions):
            for part in conditions:
                yield from _conditions(part, domains)
        case Not(Or(conditions)):
            for part in conditions:
                yield from _conditions(Not(part), domains)
        case Not(Not(inner)):
            yield from _conditions(inner, domains)
        case Or((only,)):
            yield from _conditions(only, domains)
        case _:
            condition = _known(condition, domains)
            if isinstance(condition, Cardinality) and condition.literals:
                if _says_something(condition):
                    yield condition
            elif has_variables(condition):
                yield condition
            elif not _holds(condition):
                yield Constant(False)


def _says_something(condition: Cardinality) -> bool:
    """Return whether a cardinality has literals and does not always hold."""
    number = len(condition.literals)
    return number > 0 and (condition.low > 0 or condition.high < number)


def _holds(condition: Term) -> bool:
    """Return whether a condition without unknowns holds; it does not if a term has no value."""
    try:
        return bool(condition.value({}))
    except (ValueError, ZeroDivisionError):
        return False


def _known(condition: Term, domains: Mapping[Variable, Domain]) -> Term:
    """Return the condition as a `Cardinality` or `Linear`, if it is one."""
    match condition:
        case Comparison("==" | "<" | "<=", left, right) if isinstance(left, Sum) or isinstance(
            right, Sum
        ):
            return (
                _counted(condition, domains)
                if numeric(left, domains) and numeric(right, domains)
                else condition
            )
        case Or() | Not(And()):
            clause = _clause(condition, True, domains)
            return (
                condition
                if clause is None
                else Cardinality(tuple(dict.fromkeys(clause)), 1, len(set(clause)))
            )
        case AllDifferent(terms) if len(set(terms)) < len(terms):
            return Constant(False)
        case _:
            return condition


def _clause(
    condition: Term, truth: bool, domains: Mapping[Variable, Domain]
) -> list[Literal] | None:
    """Return literals of which at least one must hold for the condition to have this truth value.

    Returns None if the condition is not a clause.
    """
    match condition:
        case Not(inner):
            return _clause(inner, not truth, domains)
        case Or(parts) | And(parts) if isinstance(condition, Or) == truth:
            found: list[Literal] = []
            for part in parts:
                literals = _clause(part, truth, domains)
                if literals is None:
                    return None
                found += literals
            return found
        case _:
            literal = literal_of(condition, domains)
            if literal is None or truth:
                return None if literal is None else [literal]
            other = opposite(literal, domains)
            return None if other is None else [other]


def _counted(condition: Comparison, domains: Mapping[Variable, Domain]) -> Term:
    """Return the comparison as a `Cardinality` or `Linear`, if it is one."""
    weights, constant = linear_form(Sum(((1, condition.left), (-1, condition.right))))
    if condition.operator == "==":
        low, high = -constant, -constant
    else:
        low, high = None, -constant - (condition.operator == "<")
    literals = [literal_of(term, domains) for term in weights]
    if all(literal is not None for literal in literals) and set(weights.values()) in ({1}, {-1}):
        if set(weights.values()) == {-1}:
            low, high = (None if high is None else -high), (None if low is None else -low)
        known = tuple(literal for literal in literals if literal is not None)
        return Cardinality(known, max(low or 0, 0), len(known) if high is None else high)
    if all(isinstance(term, Variable) for term in weights):
        weighted = tuple(
            (weight, term) for term, weight in weights.items() if isinstance(term, Variable)
        )
        return Linear(weighted, low, high)
    return condition


def _count_of_truths(condition: Term, flags: frozenset[Variable]) -> Cardinality | None:
    """Return a count or a clause of two or more distinct truths; None for any other condition."""
    if type(condition) is Not:  # the most frequent ones come first
        inner = condition.condition
        literals = _truths(inner.conditions, False, flags) if type(inner) is And else None
    elif type(condition) is Or:
        literals = _truths(condition.conditions, True, flags)
    elif type(condition) is Comparison:
        total, bound = condition.left, condition.right
        if (
            condition.operator in COUNTED
            and type(total) is Sum
            and type(bound) is Constant
            and not total.constant
        ):
            literals = _truths(
                [term for weight, term in total.weighted if weight == 1], True, flags
            )
            if literals is not None and len(literals) == len(total.weighted):
                most = bound.constant
                return Cardinality(
                    literals, max(most, 0) if condition.operator == "==" else 0, most
                )
        return None
    else:
        return None
    return None if literals is None else Cardinality(literals, 1, len(literals))


def _truths(
    terms: Sequence[Term], truth: bool, flags: frozenset[Variable]
) -> tuple[Literal, ...] | None:
    """Return literals that have the same truth as these terms, or the other one.

    Returns None unless they are two or more truths of distinct variables, or negations of these.
    """
    if (
        len(terms) == 2
        and type(one := terms[0]) is type(other := terms[1]) is Variable
        and one is not other
    ):
        return (
            ((one, truth), (other, truth)) if one in flags and other in flags else None
        )  # the most frequent case
    truths: dict[Any, bool] = dict.fromkeys(terms, truth) if flags.issuperset(terms) else {}
    for term in () if truths else terms:
        if type(term) is Variable:
            truths[term] = truth
        elif type(term) is Not and type(variable := term.condition) is Variable:
            truths[variable] = not truth
        else:
            return None
    return (
        tuple(truths.items())
        if 1 < len(truths) == len(terms) and flags.issuperset(truths)
        else None
    )


def numeric(term: Term, domains: Mapping[Variable, Domain]) -> bool:
    """Return whether the term is always a number; a bool is one."""
    match term:
        case Variable():
            return all(isinstance(value, int) for value in domains[term])
        case Constant(value):
            return isinstance(value, int)
        case IfElse(_, then, otherwise):
            return numeric(then, domains) and numeric(otherwise, domains)
        case Element(_, items, _):
            return all(numeric(item, domains) for item in items)
        case _:
            return not isinstance(term, Apply | Component)


def linear_form(term: Term) -> tuple[dict[Term, int], int]:
    """Return the term as Σ weight · atom + constant.

    An atom is any term that is not a sum. Equal literals are one atom.
    """
    weights: dict[Term, int] = {}
    same: dict[object, Term] = {}
    constant = 0
    stack = [(1, term)]
    while stack:
        weight, part = stack.pop()
        match part:
            case Sum(weighted, offset):
                constant += weight * offset
                stack.extend((weight * inner, atom) for inner, atom in reversed(weighted))
            case Constant(value):
                constant += weight * int(value)
            case _:
                atom = same.setdefault(_identity(part), part)
                weights[atom] = weights.get(atom, 0) + weight
    return {atom: weight for atom, weight in weights.items() if weight}, constant


def _identity(term: Term) -> object:
    match term:
        case Comparison("==", Variable() as variable, Constant(value)):
            return variable, value
        case _:
            return term


def literal_of(term: Term, domains: Mapping[Variable, Domain]) -> Literal | None:
    """Return the term as `variable == value`, if it has that form."""
    if type(term) is Variable:  # `match` takes longer
        return (term, True) if _is_truth(domains[term]) else None
    if type(term) is Not:
        variable = term.condition
        return (
            (variable, False)
            if type(variable) is Variable and _is_truth(domains[variable])
            else None
        )
    match term:
        case Comparison("==", Variable() as variable, Constant(value)):
            return variable, value
        case Comparison("==", Constant(value), Variable() as variable):
            return variable, value
        case _:
            return None


def literal_in(term: Term, domains: Mapping[Variable, Domain]) -> Literal | None:
    """Return the term as a literal, also if it denies a literal of a variable with two values."""
    match term:
        case Not(inner):
            found = literal_in(inner, domains)
            return found and opposite(found, domains)
        case Comparison("!=", Variable() as variable, Constant(value)):
            return opposite((variable, value), domains)
        case _:
            return literal_of(term, domains)


def opposite(literal: Literal, domains: Mapping[Variable, Domain]) -> Literal | None:
    """Return the literal that is true if and only if this one is not, if there is one."""
    variable, value = literal
    others = [other for other in domains[variable] if other != value]
    return (variable, others[0]) if len(others) == 1 == len(domains[variable]) - 1 else None


def _is_truth(domain: Domain) -> bool:
    """Return whether all values are bools; there are at most two."""
    return 0 < len(domain) < 3 and type(domain[0]) is bool and type(domain[-1]) is bool


def on_flags(condition: Term, literals: Sequence[Literal]) -> tuple[Term, list[Variable]]:
    """Return the condition on flags in place of its literals, and the flags."""
    flags = {literal: Variable("") for literal in literals}

    def flag(part: Term) -> Term | None:
        match part:
            case Comparison("==" | "!=" as sign, Variable() as variable, Constant(value)):
                return flags[variable, value] if sign == "==" else Not(flags[variable, value])
            case _:
                return None

    return rewrite(condition, flag), [*flags.values()]
