"""Bring conditions into the forms that passes and backends recognise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, cast

from puzzlekit.clock import checked_blocks
from puzzlekit.model import (
    AllDifferent,
    And,
    Apply,
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
    Term,
    Value,
    Variable,
    has_variables,
)

COUNTED = frozenset({"==", "<="})  # comparisons of a sum with a bound
Literal = tuple[Variable, Value]


def rewrite(term: Term, change: Callable[[Term], Term | None]) -> Term:
    """Replace each subterm for which `change(subterm)` returns a term, from the outside in."""
    changed = change(term)
    if changed is not None:
        return changed
    if isinstance(term, Variable) or not any(True for _ in term.subterms()):
        return term
    node = cast(Any, term)
    operands = {field.name: getattr(node, field.name) for field in fields(node)}
    new = {name: _rewritten(operand, change) for name, operand in operands.items()}
    if all(new[name] is operands[name] for name in operands):
        return term
    return cast(Term, replace(node, **new))


def _rewritten(operands: Any, change: Callable[[Term], Term | None]) -> Any:
    """Rewrite the terms in the value of a field; return the same object if nothing changes."""
    if isinstance(operands, Term):
        return rewrite(operands, change)
    if type(operands) is tuple:
        new = tuple([_rewritten(operand, change) for operand in operands])
        unchanged = all(after is before for after, before in zip(new, operands))
        return operands if unchanged else new
    return operands


def substitute(term: Term, replacements: Mapping[Term, Term]) -> Term:
    """Replace each key of `replacements` by its value."""
    return rewrite(term, replacements.get)


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
    for constraint in checked_blocks(model.constraints):
        condition = constraint.condition
        if type(condition) is Cardinality and _can_fail(condition):
            constraints.append(constraint)
            continue
        for conjunct in _conditions(condition, model.domains):
            if conjunct is condition:
                constraints.append(constraint)
            else:
                constraints.append(Constraint(conjunct, constraint.origin))
    return replace(model, constraints=tuple(constraints))


def count_truths(model: Model) -> Model:
    """Do a share of `normalise` quickly: counts and clauses of distinct truths, the most frequent
    conditions.

    Needs:  any model.
    Leaves: the same solutions; these conditions are instances of `Cardinality`.
    """
    constraints = list[Constraint]()
    flags = frozenset(variable for variable, domain in model.domains.items() if _is_truth(domain))
    for constraint in checked_blocks(model.constraints):
        condition = constraint.condition
        if not isinstance(condition, Cardinality):
            count = _count_of_truths(condition, flags)
            if count is not None:
                constraint = Constraint(count, constraint.origin)
        constraints.append(constraint)
    return replace(model, constraints=tuple(constraints))


def _conditions(condition: Term, domains: Mapping[Variable, Domain]) -> Iterator[Term]:
    """Yield the conjuncts except true constants; a false constant becomes `Constant(False)`."""
    match condition:
        case And(conditions):
            for operand in conditions:
                yield from _conditions(operand, domains)
        case Not(Or(conditions)):
            for operand in conditions:
                yield from _conditions(Not(operand), domains)
        case Not(Not(inner)):
            yield from _conditions(inner, domains)
        case Or((only,)):
            yield from _conditions(only, domains)
        case _:
            condition = _recognised(condition, domains)
            if isinstance(condition, Cardinality) and condition.literals:
                if _can_fail(condition):
                    yield condition
            elif has_variables(condition):
                yield condition
            elif not _is_met(condition):
                yield Constant(False)


def _can_fail(count: Cardinality) -> bool:
    """Return whether a cardinality has literals and does not always hold."""
    number = len(count.literals)
    return number > 0 and (count.low > 0 or count.high < number)


def _is_met(condition: Term) -> bool:
    """Return whether a condition without unknowns holds; it does not if a term has no value."""
    try:
        return bool(condition.value({}))
    except (ValueError, ZeroDivisionError):
        return False


def _recognised(condition: Term, domains: Mapping[Variable, Domain]) -> Term:
    """Return the condition as a `Cardinality` or `Linear`, if it is one."""
    match condition:
        case Comparison("==" | "<" | "<="):
            return _counted(condition, domains) if _compares_sum(condition, domains) else condition
        case Or() | Not(And()):
            clause = _clause(condition, True, domains)
            if clause is None:
                return condition
            literals = tuple(dict.fromkeys(clause))
            return Cardinality(literals, 1, len(literals))
        case AllDifferent(terms) if len(set(terms)) < len(terms):
            return Constant(False)
        case _:
            return condition


def _compares_sum(comparison: Comparison, domains: Mapping[Variable, Domain]) -> bool:
    """Return whether a side is a sum, and both are numbers."""
    sides = comparison.left, comparison.right
    if not any(isinstance(side, Sum) for side in sides):
        return False
    return all(numeric(side, domains) for side in sides)


def _clause(
    condition: Term, truth: bool, domains: Mapping[Variable, Domain]
) -> list[Literal] | None:
    """Return literals of which at least one must hold for the condition to have this truth value.

    Returns None if the condition is not a clause.
    """
    match condition:
        case Not(inner):
            return _clause(inner, not truth, domains)
        case Or(operands) | And(operands) if isinstance(condition, Or) == truth:
            clause: list[Literal] = []
            for operand in operands:
                literals = _clause(operand, truth, domains)
                if literals is None:
                    return None
                clause += literals
            return clause
        case _:
            literal = literal_of(condition, domains)
            if literal is not None and not truth:
                literal = opposite(literal, domains)
            return None if literal is None else [literal]


def _counted(condition: Comparison, domains: Mapping[Variable, Domain]) -> Term:
    """Return the comparison as a `Cardinality` or `Linear`, if it is one."""
    difference = Sum(((1, condition.left), (-1, condition.right)))
    weights, constant = linear_form(difference)
    high = -constant - (condition.operator == "<")
    low = high if condition.operator == "==" else None
    literals = [literal_of(term, domains) for term in weights]
    counted = tuple(literal for literal in literals if literal is not None)
    coefficients = set(weights.values())
    if len(counted) == len(weights) and coefficients in ({1}, {-1}):
        if coefficients == {1}:
            return Cardinality(counted, max(low or 0, 0), high)
        most = len(counted) if low is None else -low
        return Cardinality(counted, max(-high, 0), most)
    variables = [(weight, term) for term, weight in weights.items() if isinstance(term, Variable)]
    if len(variables) == len(weights):
        return Linear(tuple(variables), low, high)
    return condition


def _count_of_truths(condition: Term, flags: frozenset[Variable]) -> Cardinality | None:
    """Return a count or a clause of two or more distinct truths; None for any other condition."""
    literals = None
    if type(condition) is Not:  # the most frequent ones come first
        inner = condition.condition
        if type(inner) is And:
            literals = _truths(inner.conditions, False, flags)
    elif type(condition) is Or:
        literals = _truths(condition.conditions, True, flags)
    elif type(condition) is Comparison and condition.operator in COUNTED:
        return _compared_count(condition, flags)
    return None if literals is None else Cardinality(literals, 1, len(literals))


def _compared_count(comparison: Comparison, flags: frozenset[Variable]) -> Cardinality | None:
    """Return the count if a sum of distinct truths is compared with a constant."""
    total, bound = comparison.left, comparison.right
    if type(total) is not Sum or type(bound) is not Constant or total.constant:
        return None
    terms = [term for weight, term in total.weighted if weight == 1]
    literals = _truths(terms, True, flags)
    if literals is None or len(literals) < len(total.weighted):
        return None
    most = bound.constant
    least = max(most, 0) if comparison.operator == "==" else 0
    return Cardinality(literals, least, most)


def _truths(
    terms: Sequence[Term], truth: bool, flags: frozenset[Variable]
) -> tuple[Literal, ...] | None:
    """Return literals that have the same truth as these terms, or the opposite one.

    Returns None unless they are two or more truths of distinct variables, or negations of these.
    """
    if len(terms) == 2:  # the most frequent case
        first, second = terms
        if type(first) is Variable and type(second) is Variable and first is not second:
            if first in flags and second in flags:
                return (first, truth), (second, truth)
            return None
    truths: dict[Any, bool] = {}
    if flags.issuperset(terms):
        truths = dict.fromkeys(terms, truth)
    else:
        for term in terms:
            if type(term) is Variable:
                truths[term] = truth
            elif type(term) is Not and type(variable := term.condition) is Variable:
                truths[variable] = not truth
            else:
                return None
    if 1 < len(truths) == len(terms) and flags.issuperset(truths):
        return tuple(truths.items())
    return None


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
    atoms: dict[object, Term] = {}
    constant = 0
    stack = [(1, term)]
    while stack:
        weight, subterm = stack.pop()
        match subterm:
            case Sum(weighted, offset):
                constant += weight * offset
                stack.extend((weight * inner, operand) for inner, operand in reversed(weighted))
            case Constant(value):
                constant += weight * int(value)
            case _:
                atom = atoms.setdefault(_identity(subterm), subterm)
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
        if type(variable) is Variable and _is_truth(domains[variable]):
            return variable, False
        return None
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
            literal = literal_in(inner, domains)
            return literal and opposite(literal, domains)
        case Comparison("!=", Variable() as variable, Constant(value)):
            return opposite((variable, value), domains)
        case _:
            return literal_of(term, domains)


def opposite(literal: Literal, domains: Mapping[Variable, Domain]) -> Literal | None:
    """Return the literal that is true if and only if this one is not, if there is one."""
    variable, value = literal
    domain = domains[variable]
    rest = [candidate for candidate in domain if candidate != value]
    if len(rest) == 1 and len(domain) == 2:
        return variable, rest[0]
    return None


def _is_truth(domain: Domain) -> bool:
    """Return whether all values are bools; there are at most two."""
    if not 0 < len(domain) < 3:
        return False
    return type(domain[0]) is bool and type(domain[-1]) is bool


def on_flags(condition: Term, literals: Sequence[Literal]) -> tuple[Term, list[Variable]]:
    """Return the condition on flags in place of its literals, and the flags."""
    flags = {literal: Variable("") for literal in literals}

    def flag(term: Term) -> Term | None:
        match term:
            case Comparison("==", Variable() as variable, Constant(value)):
                return flags[variable, value]
            case Comparison("!=", Variable() as variable, Constant(value)):
                return Not(flags[variable, value])
            case _:
                return None

    return rewrite(condition, flag), [*flags.values()]
