"""Arithmetic of numbers and terms, and `+ - *` of rows, texts, sets and mappings."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from puzzlekit.lang.expressions.inference import NUMBERS
from puzzlekit.lang.expressions.interface import Run
from puzzlekit.lang.expressions.values import ExpressionError, Family, is_number, is_row, shown
from puzzlekit.model import Constant, Operation, Sum, Term, Variable

NUMBER_BITS = 512  # of a computed number
MERGED_TERMS = 50  # of a sum that grows in place
SIGNS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}


def binary(run: Run, sign: str, left: Any, right: Any) -> Any:
    """`+ - * // %` of numbers. `+` also joins rows or mappings, `*` repeats rows, `-` subtracts sets."""
    run.left -= 1
    if run.left < 0:
        run.look(1)
    if type(left) is int and type(right) is int and sign != "*":
        return SIGNS[sign](left, right)
    if isinstance(left, Term) or isinstance(right, Term):
        return _arithmetic(run, sign, run.number(left), run.number(right))
    if is_number(left) and is_number(right):
        if sign == "*" and left.bit_length() + right.bit_length() > NUMBER_BITS:
            raise ExpressionError(f"this number has more than {NUMBER_BITS} bits")
        return SIGNS[sign](left, right)
    if sign == "+" and all(is_row(side) or isinstance(side, str | range | Family) for side in (left, right)):
        run.spend(len(left) + len(right))
        return left + right if isinstance(left, str) and isinstance(right, str) else tuple(left) + tuple(right)
    if sign == "+" and (isinstance(left, Mapping) or isinstance(right, Mapping)):
        return _joined_mappings(run, sign, left, right)
    if sign == "-" and isinstance(left, frozenset) and isinstance(right, frozenset):
        run.symbolic((left, right))
        return left - right
    if sign == "*":
        row, times = (right, left) if isinstance(left, int) else (left, right)
        if (isinstance(row, str) or is_row(row)) and isinstance(times, int):
            run.spend(len(row) * max(times, 0))
            return row * times if isinstance(row, str) else tuple(row) * times
    raise ExpressionError(f"{sign} is not defined for {shown(left)} and {shown(right)}")


def _joined_mappings(run: Run, sign: str, left: Any, right: Any) -> dict[Any, Any]:
    """Return the mapping with the keys of both; unknowns of a name are a mapping, too."""
    one, other = (dict(side.members) if isinstance(side, Family) else side for side in (left, right))
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        raise ExpressionError(f"{sign} is not defined for {shown(left)} and {shown(right)}")
    run.spend(2 * (len(one) + len(other)))
    if twice := [key for key in other if key in one]:
        raise ExpressionError(f"both mappings have the key {shown(twice[0])}")
    return {**one, **other}


def number(run: Run, value: Any) -> Term:
    """Return a number as a term. Raises ExpressionError if the value is not a number."""
    if type(value) is Variable and value in run.kinds.truths:  # the most frequent case
        return value
    if is_number(value):
        return Constant(value)
    if not isinstance(value, Term):
        raise ExpressionError(f"expected a number, got {shown(value)}")
    if run.kinds.of(value) not in (NUMBERS, None):
        what = f"{value}, which is not a number" if isinstance(value, Variable) else "an expression that is not a number"
        raise ExpressionError(f"expected a number, got {what}")
    return value


def _arithmetic(run: Run, sign: str, left: Term, right: Term) -> Term:
    run.spend(2)
    if sign in "+-":
        return _sum(left, right, 1 if sign == "+" else -1)
    if sign == "*":
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Constant):
                return Sum(((int(one.constant), other),))
        return Operation("*", (left, right))
    if not isinstance(right, Constant):
        raise ExpressionError(f"the right side of {sign} cannot depend on an unknown")
    if right.constant == 0:
        raise ZeroDivisionError
    return Operation("//" if sign == "//" else "%", (left, right))


def _sum(left: Term, right: Term, sign: int) -> Sum:
    """Return left + sign · right. A short sum on the left is extended, not nested."""
    parts: list[tuple[int, Term]] = [(1, left)]
    constant = 0
    if isinstance(left, Constant):
        parts, constant = [], int(left.constant)
    elif isinstance(left, Sum) and len(left.weighted) < MERGED_TERMS:
        parts, constant = list(left.weighted), left.constant
    if isinstance(right, Constant):
        return Sum(tuple(parts), constant + sign * int(right.constant))
    return Sum((*parts, (sign, right)), constant)
