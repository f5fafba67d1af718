"""The operations of numbers and of conditions, known or with unknowns, and what all operations use of their run."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Protocol

from puzzlekit.lang.expressions.inference import NUMBERS, Kinds
from puzzlekit.lang.expressions.values import (
    ExpressionError,
    Family,
    Groups,
    is_number,
    is_row,
    shown,
)
from puzzlekit.model import (
    And,
    Comparison,
    Constant,
    IfElse,
    Not,
    Operation,
    Or,
    Sum,
    Term,
    Variable,
)

NUMBER_BITS = 512  # of a computed number
MERGED_TERMS = 50  # of a sum that grows in place
SIGNS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}
BOOLS, VARIABLES = frozenset({bool}), frozenset({Variable})
PLAIN_CONDITIONS = frozenset(
    {bool, And, Comparison, Not, Or}
)  # the most frequent types of conditions


class Run(Protocol):
    """A run of expressions, which is a `Runtime`: its state, and the operations that others are made of.

    Attributes:
        left: The steps until the next look at the bounds.
        kinds: Infers the kinds of value that unknowns may take.
        demands: What must hold for all indexes so far to have a value.
        settled: Whether rules run on the values of a solution.
        indexes: The last indexes of rows, by the method that made them and the identity of the row.
    """

    left: int
    kinds: Kinds
    demands: list[Term]
    settled: bool
    kept: dict[Hashable, Any]
    indexes: dict[tuple[str, int], tuple[Any, Groups]]

    def spend(self, amount: int) -> None: ...
    def look(self, amount: int) -> None: ...
    def symbolic(self, value: Any) -> bool: ...
    def known(self, value: Any, what: str) -> Any: ...
    def whole(self, value: Any, what: str) -> int: ...
    def iterate(self, group: Any, weight: int = 1) -> Iterable[Any]: ...
    def items(self, group: Any) -> tuple[Any, ...]: ...
    def as_row(self, value: Any) -> Any: ...
    def term(self, value: Any) -> Term: ...
    def number(self, value: Any) -> Term: ...
    def condition(self, value: Any) -> Any: ...
    def joined(self, values: Iterable[Any], decided: bool) -> Any: ...
    def negate(self, value: Any) -> Any: ...
    def compare(self, sign: str, left: Any, right: Any) -> Any: ...
    def index(self, group: Any, key: Any) -> Any: ...
    def through(self, groups: tuple[Any, ...]) -> Groups: ...
    def with_default(self, group: Any) -> Callable[[Any, Any], Any]: ...
    def index_of(self, row: tuple[Any, ...], name: str) -> Callable[[Any], tuple[Any, ...]]: ...


# Arithmetic ------------------------------------------------------------------------------------------


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
    if sign == "+" and all(
        is_row(side) or isinstance(side, str | range | Family) for side in (left, right)
    ):
        run.spend(len(left) + len(right))
        return (
            left + right
            if isinstance(left, str) and isinstance(right, str)
            else tuple(left) + tuple(right)
        )
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
    one, other = (
        dict(side.members) if isinstance(side, Family) else side for side in (left, right)
    )
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
        what = (
            f"{value}, which is not a number"
            if isinstance(value, Variable)
            else "an expression that is not a number"
        )
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


# Conditions ------------------------------------------------------------------------------------------


def condition(run: Run, value: Any) -> Any:
    """Return a condition, a bool or a term. Raises ExpressionError for any other value."""
    kind = type(value)
    if kind in PLAIN_CONDITIONS or (kind is Variable and value in run.kinds.truths):
        return value
    if isinstance(value, Term) and run.kinds.truth(value):
        return value
    help = ""
    if isinstance(value, int | Term):
        help = "compare the value with something"
    elif isinstance(value, Family):
        help = f"write {value.name}[c] for one of them, all(…) or any(…) for several"
    elif is_row(value):
        help = "write all(…) or any(…) for a row of conditions"
    raise ExpressionError(f"expected a condition, got {shown(value)}", help=help)


def as_conditions(run: Run, group: Any) -> tuple[Any, ...]:
    """Return the items of a collection as conditions. Each costs a step."""
    if type(group) is tuple:  # rows of values or of unknown truths are the most frequent case
        kinds = {*map(type, group)}
        if kinds == BOOLS or (kinds == VARIABLES and run.kinds.truths.issuperset(group)):
            run.spend(len(group))
            return group
    return tuple(map(run.condition, run.iterate(group)))


def every(run: Run, first: Any, *later: Callable[[], Any]) -> Any:
    """`and`: evaluates the parts after the first from the left until one is false."""
    return first if first is False else _going_on(run, first, later, False)


def some(run: Run, first: Any, *later: Callable[[], Any]) -> Any:
    """`or`: evaluates the parts after the first from the left until one is true."""
    return first if first is True else _going_on(run, first, later, True)


def _going_on(run: Run, first: Any, later: tuple[Callable[[], Any], ...], decided: bool) -> Any:
    """Do what `joined` does with the parts; the first one does not decide. Two unknowns are the most frequent case."""
    if len(later) > 1 or not (
        type(first) is bool or (type(first) is Variable and first in run.kinds.truths)
    ):
        return run.joined(chain((first,), map(operator.call, later)), decided)
    if isinstance(first, bool):
        return run.condition(later[0]())
    before = len(run.demands)
    second = later[0]()
    if len(run.demands) > before:
        _guard(run, before, [first if decided else Not(first)])
    elif type(second) is Variable and second in run.kinds.truths:
        return Or((first, second)) if decided else And((first, second))
    return run.joined((first, second), decided)


def joined(run: Run, values: Iterable[Any], decided: bool) -> Any:
    """Join conditions by `or` if `decided` is True, by `and` if it is False.

    They are evaluated from the left until a known one equals `decided`. The demands of a
    condition apply only if none before it decides.
    """
    terms: list[Term] = []
    before = len(run.demands)
    truths = run.kinds.truths
    for value in values:
        kind = type(value)
        if kind not in PLAIN_CONDITIONS and not (kind is Variable and value in truths):
            value = run.condition(value)
        if len(run.demands) > before:
            _guard(run, before, [term if decided else Not(term) for term in terms])
            before = len(run.demands)
        if value is decided:
            return decided
        if kind is not bool:
            terms.append(value)
    if len(terms) < 2:
        return terms[0] if terms else not decided
    return Or(tuple(terms)) if decided else And(tuple(terms))


def _guard(run: Run, before: int, instead: Sequence[Term]) -> None:
    """Let demands after the first `before` apply only if no condition in `instead` holds."""
    if instead:
        run.demands[before:] = [Or((*instead, demand)) for demand in run.demands[before:]]


def take_demands(run: Run) -> list[Term]:
    """Return the demands so far and clear them."""
    taken, run.demands = run.demands, []
    return taken


def negate(run: Run, value: Any) -> Any:
    """`not`."""
    kind = type(value)
    if kind is bool:
        return not value
    known = kind in PLAIN_CONDITIONS or (kind is Variable and value in run.kinds.truths)
    return Not(value if known else run.condition(value))


def choose(run: Run, test: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
    """`then if test else otherwise`. A choice between rows is made in each position."""
    test = run.condition(test)
    if not isinstance(test, Term):
        return then() if test else otherwise()
    before = len(run.demands)
    chosen = then()
    _guard(run, before, [Not(test)])
    before = len(run.demands)
    other = otherwise()
    _guard(run, before, [test])
    return _choice(run, test, chosen, other)


def _choice(run: Run, test: Term, then: Any, otherwise: Any) -> Any:
    then, otherwise = run.as_row(then), run.as_row(otherwise)
    if is_row(then) and isinstance(otherwise, str):
        otherwise = tuple(otherwise)
    elif is_row(otherwise) and isinstance(then, str):
        then = tuple(then)
    if is_row(then) and is_row(otherwise):
        if len(then) != len(otherwise):
            raise ExpressionError(
                f"both sides of a choice must have the same length, got {len(then)} and {len(otherwise)}"
            )
        run.spend(len(then))
        return tuple(_choice(run, test, a, b) for a, b in zip(then, otherwise))
    if (is_row(then) and not isinstance(otherwise, Term)) or (
        is_row(otherwise) and not isinstance(then, Term)
    ):
        raise ExpressionError("one side of this choice is a row and the other is not")
    return IfElse(test, run.term(then), run.term(otherwise))


def test(run: Run, value: Any) -> bool:
    """Evaluate the `if` of a comprehension, which must be known."""
    if isinstance(value, Term):
        raise ExpressionError(
            "an if inside a comprehension cannot depend on an unknown",
            help="use implies(…), or count what holds",
        )
    return value if type(value) is bool else bool(run.condition(value))
