"""Conditions: `and`, `or`, `not` and choices, of known values or of unknowns."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

from puzzlekit.lang.expressions.interface import Run
from puzzlekit.lang.expressions.values import ExpressionError, Family, is_row, shown
from puzzlekit.model import And, Comparison, IfElse, Not, Or, Term, Variable

BOOLS, VARIABLES = frozenset({bool}), frozenset({Variable})
PLAIN_CONDITIONS = frozenset({bool, And, Comparison, Not, Or})  # the most frequent types of conditions


def condition(run: Run, value: Any) -> Any:
    """Return a condition, a bool or a term. Raises ExpressionError for any other value."""
    kind = type(value)
    if kind in PLAIN_CONDITIONS or (kind is Variable and value in run.kinds.truths):
        return value
    if isinstance(value, Term) and run.kinds.truth(value):
        return value
    hint = ""
    if isinstance(value, int | Term):
        hint = "compare the value with something"
    elif isinstance(value, Family):
        hint = f"write {value.name}[c] for one of them, all(…) or any(…) for several"
    elif is_row(value):
        hint = "write all(…) or any(…) for a row of conditions"
    raise ExpressionError(f"expected a condition, got {shown(value)}", hint)


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
    if len(later) > 1 or not (type(first) is bool or (type(first) is Variable and first in run.kinds.truths)):
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
            raise ExpressionError(f"both sides of a choice must have the same length, got {len(then)} and {len(otherwise)}")
        run.spend(len(then))
        return tuple(_choice(run, test, a, b) for a, b in zip(then, otherwise))
    if (is_row(then) and not isinstance(otherwise, Term)) or (is_row(otherwise) and not isinstance(then, Term)):
        raise ExpressionError("one side of this choice is a row and the other is not")
    return IfElse(test, run.term(then), run.term(otherwise))


def test(run: Run, value: Any) -> bool:
    """Evaluate the `if` of a comprehension, which must be known."""
    if isinstance(value, Term):
        raise ExpressionError("an if inside a comprehension cannot depend on an unknown", "use implies(…), or count what holds")
    return value if type(value) is bool else bool(run.condition(value))
