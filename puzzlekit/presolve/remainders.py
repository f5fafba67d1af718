"""Turn a condition on the remainder of a long sum into an automaton: parity, for example."""

from __future__ import annotations

from collections.abc import Mapping

from puzzlekit.limits import limits
from puzzlekit.model import (
    And,
    Automaton,
    Comparison,
    Constant,
    Domain,
    Member,
    Not,
    Operation,
    Or,
    Sum,
    Term,
    Variable,
)
from puzzlekit.presolve.normalise import linear_form, numeric


def remainder_automaton(condition: Term, domains: Mapping[Variable, Domain]) -> Automaton | None:
    """Return an automaton for `sum % n == k` or `sum % n != k`, or None for any other condition.

    The state is the remainder of what was read. So each backend gets a chain of small tables, and
    presolve finds the last open item. `k` may be an unknown from 0 to n - 1, or a remainder, too.
    """
    match condition:
        case Comparison("==" | "!=", Operation("%", (whole, Constant(divisor))), other):
            pass
        case Comparison("==" | "!=", other, Operation("%", (whole, Constant(divisor)))):
            pass
        case _:
            return None
    if not isinstance(divisor, int) or not 1 < divisor <= limits().presolve.remainders:
        return None
    match other:
        case Operation("%", (rest, Constant(same))) if same == divisor:
            other = rest
        case Variable() | Constant() if numeric(other, domains):
            values = domains[other] if isinstance(other, Variable) else (other.constant,)
            if not all(0 <= value < divisor for value in values):
                return None
        case _:
            return None
    if not numeric(whole, domains) or not numeric(other, domains):
        return None
    weights, constant = linear_form(Sum(((1, whole), (-1, other))))
    weights = {atom: weight % divisor for atom, weight in weights.items() if weight % divisor}
    if len(set(weights.values())) != 1:
        return None
    known = [found for atom in weights if (found := _values(atom, domains)) is not None]
    if len(known) < len(weights):
        return None
    alphabet = sorted({value for values in known for value in values})
    weight = next(iter(weights.values()))
    steps = tuple({value: (state + weight * value) % divisor for value in alphabet} for state in range(divisor))
    wanted = frozenset({-constant % divisor})
    accepting = wanted if condition.operator == "==" else frozenset(range(divisor)) - wanted
    return Automaton(tuple(weights), steps, accepting)


def _values(term: Term, domains: Mapping[Variable, Domain]) -> tuple[int, ...] | None:
    """Return the values of an unknown, or of a condition; None for any other term."""
    if isinstance(term, Variable):
        return tuple(map(int, domains[term]))
    return (0, 1) if isinstance(term, Comparison | Not | And | Or | Member) else None
