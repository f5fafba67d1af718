"""Comparisons, membership included, of known values or of unknowns."""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Iterable, Mapping
from math import prod
from typing import Any

import numpy as np

from puzzlekit.boards import Cell, Cells, Corner, Grid
from puzzlekit.lang.expressions.automata import (
    MOST_STATES,
    of_product,
    of_run_rows,
    of_runs,
    opposite,
)
from puzzlekit.lang.expressions.inference import TEXT
from puzzlekit.lang.expressions.operations import Run
from puzzlekit.lang.expressions.values import (
    Components,
    ExpressionError,
    Lengths,
    Runs,
    is_row,
    same,
    shown,
    value_type,
)
from puzzlekit.lowering.flatten import TABLE_COMBINATIONS
from puzzlekit.model import Automaton, Comparison, Constant, Member, Operation, Sum, Table, Term

PLAIN: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
COUNTED = frozenset({"==", "<", "<="})  # frequent comparisons of a sum
TURNED = {">": "<", ">=": "<="}
SINGLE = frozenset({int, bool, str, type(None), Cell, Corner})  # compared directly
MEET_ALL = frozenset({int, bool, str, type(None), tuple, Cell, Cells})  # comparable with any value
NUMBER_OR_TEXT = {int, bool, str}  # a cell may hold either
RUNS = (Runs, Lengths)


def chain(run: Run, left: Any, *rest: Any) -> Any:
    """`a < b < c`, where `rest` has signs and sides in turn.

    A side is evaluated at most once, and only if no comparison before it fails.
    """

    def links() -> Iterable[Any]:
        before = left
        for sign, side in zip(rest[::2], rest[1::2]):
            after = side()
            yield run.compare(sign, before, after)
            before = after

    return run.joined(links(), False)


def compare(run: Run, sign: str, left: Any, right: Any) -> Any:
    """Return a comparison, membership included, as a bool or a condition."""
    run.left -= 1
    if run.left < 0:
        run.look(1)
    if type(left) is int and type(right) is int and sign in PLAIN:  # the most frequent case
        return PLAIN[sign](left, right)
    if (
        type(left) is Sum and type(right) is int and sign in COUNTED and len(left.weighted) > 1
    ):  # so are these
        return Comparison(sign, left, Constant(right))  # type: ignore[arg-type]
    if sign == "in":
        return _inside(run, left, right)
    if sign == "not in":
        return run.negate(_inside(run, left, right))
    if type(left) in SINGLE and type(right) in SINGLE:
        for side in (left, right):
            if type(side) is str:
                run.spend(len(side) >> 4)
        return _compared(run, sign, left, right)
    if sign in TURNED:
        sign, left, right = TURNED[sign], right, left
    left, right = run.as_row(left), run.as_row(right)
    if isinstance(left, RUNS) or isinstance(right, RUNS):
        return _equal_runs(run, sign, left, right)
    if isinstance(left, Term):
        right = _as_text(run, left, right)
    elif isinstance(right, Term):
        left = _as_text(run, right, left)
    if (isinstance(left, Term) and not is_row(right)) or (
        isinstance(right, Term) and not is_row(left)
    ):
        run.spend(1)
        run.kinds.comparable(left, right)
        if sign in ("==", "!="):
            for one, other in ((left, right), (right, left)):
                if (
                    type(other) is int
                    and (found := _equal_product(run, sign, one, other)) is not None
                ):
                    return found
        return Comparison(sign, run.term(left), run.term(right))  # type: ignore[arg-type]
    if not run.symbolic(left) and not run.symbolic(right):
        return _plain(run, sign, left, right)
    if sign not in ("==", "!="):
        raise ExpressionError(f"rows of unknowns can be compared with == and !=, not with {sign}")
    equal = _equal_rows(run, left, right)
    return equal if sign == "==" else run.negate(equal)


def _equal_runs(run: Run, sign: str, left: Any, right: Any) -> Any:
    """Compare runs with a known row of lengths by == or !=."""
    runs, other = (left, right) if isinstance(left, Runs | Lengths) else (right, left)
    if (
        sign not in ("==", "!=")
        or isinstance(other, Runs)
        or not is_row(other)
        or run.symbolic(other)
    ):
        raise ExpressionError(
            "runs can only be compared with a row of known lengths, by == or !=",
            help="write runs(xs) == [3, 1]",
        )
    lengths = _lengths(run, other)
    if isinstance(runs, Lengths):
        return (runs == lengths) == (sign == "==")
    return _runs_among(run, runs, [lengths], sign == "==")


def _lengths(run: Run, row: tuple[Any, ...]) -> tuple[int, ...]:
    """Return a row as the lengths of runs; `[0]` also stands for no runs."""
    lengths = () if row == (0,) else tuple(row)
    for length in lengths:
        if run.whole(length, "the length of a run") < 1:
            raise ExpressionError(
                f"expected a run of length 1 or more, got {shown(length)}",
                help="for no runs write [] or [0]",
            )
    return lengths


def _runs_among(run: Run, runs: Runs, rows: Iterable[tuple[int, ...]], among: bool) -> Any:
    """Return whether the lengths of the runs are one of these rows, or are none of them."""
    fitting = dict.fromkeys(row for row in rows if sum(row) + len(row) - 1 <= len(runs.conditions))
    if runs.ascending:
        fitting = {row: None for row in fitting if list(row) == sorted(row)}
    if not fitting:
        return not among
    run.spend(len(runs.conditions) + sum(map(sum, fitting)))
    if len(fitting) > 1 or runs.cyclic or runs.ascending:
        steps, accepting = of_run_rows(fitting, runs.cyclic, runs.ascending, run.spend)
    else:
        steps, accepting = of_runs(next(iter(fitting)))
    if not among:
        steps, accepting = opposite(steps, accepting, (False, True))
    return Automaton(tuple(map(run.term, runs.conditions)), steps, accepting)


def _equal_product(run: Run, sign: str, product: Any, number: int) -> Automaton | None:
    """Compare a product of many unknowns with a known number by an automaton of its divisors.

    None for other terms, and for few unknowns, whose product presolve tabulates.
    """
    if isinstance(product, Sum) and len(product.weighted) == 1 and not product.constant:
        ((weight, product),) = product.weighted
        if not weight or number % weight:
            return None
        number //= weight
    if not (isinstance(product, Operation) and product.operator == "*"):
        return None
    factors = _factors(product)
    domains = [run.kinds.possible(factor) for factor in factors]
    known = [domain for domain in domains if domain is not None]
    if number and len(known) == len(factors) and prod(map(len, known)) > TABLE_COMBINATIONS:
        values = [value for domain in known for value in domain if isinstance(value, int)]
        if made := of_product(number, values, MOST_STATES):
            steps, accepting = made if sign == "==" else opposite(*made, dict.fromkeys(values))
            run.spend(len(values) + sum(map(len, steps)))
            return Automaton(tuple(factors), steps, accepting)
    return None


def _as_text(run: Run, unknown: Term, value: Any) -> Any:
    """Return a row of known characters as text if the unknown takes texts; others unchanged."""
    if (
        is_row(value)
        and all(isinstance(part, str) for part in value)
        and run.kinds.of(unknown) == TEXT
    ):
        return "".join(value)
    return value


def _plain(run: Run, sign: str, left: Any, right: Any) -> bool:
    if is_row(left) and isinstance(right, str):
        right = tuple(right)
    elif is_row(right) and isinstance(left, str):
        left = tuple(left)
    for side in (left, right):
        if callable(side):
            raise ExpressionError(
                f"expected a value, got {shown(side)}",
                help="call it: write its arguments in parentheses",
            )
    if type(left) not in MEET_ALL or type(right) not in MEET_ALL:
        _alike(run, left, right)
    if sign in ("==", "!=") and is_row(left) and is_row(right):
        return same(left, right) == (sign == "==")
    return _compared(run, sign, left, right)


def _compared(run: Run, sign: str, left: Any, right: Any) -> bool:
    """Compare two known values that are not rows."""
    try:
        return bool(PLAIN[sign](left, right))
    except TypeError:
        if run.settled or {type(left), type(right)} <= NUMBER_OR_TEXT:  # these have no order
            return False
        raise ExpressionError(
            f"{shown(left)} and {shown(right)} cannot be compared with {sign}"
        ) from None


def _alike(run: Run, left: Any, right: Any) -> None:
    """Raise ExpressionError if a board, or a value with its own scale, meets another type."""
    if left is not None and right is not None and _scale(left) is not _scale(right):
        help = (
            "the row of its values: board[board.cells]"
            if isinstance(left, Grid) or isinstance(right, Grid)
            else ""
        )
        raise ExpressionError(
            f"{shown(left)} and {shown(right)} are never equal and cannot be ordered", help=help
        )


def _equal_rows(run: Run, left: Any, right: Any) -> Any:
    if not all(is_row(side) or isinstance(side, str) for side in (left, right)):
        raise ExpressionError(
            f"{shown(left)} and {shown(right)} cannot be compared: one is a row, the other is not"
        )
    if len(left) != len(right):
        return False
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Components) and not run.symbolic(other):
            return Comparison("==", one.term, Constant(tuple(other)))
    return run.joined((run.compare("==", a, b) for a, b in zip(left, right)), False)


def _inside(run: Run, item: Any, group: Any) -> Any:
    if type(group) is frozenset and type(item) in SINGLE and type(item) is not str:
        return item in group
    if type(group) is Cells and type(item) is Cell:
        if not group.looked_up:
            run.spend(2 * len(group))
        return item in group.members
    if isinstance(group, Term):
        raise ExpressionError(
            "an unknown is not a collection: in requires a collection on its right"
        )
    known = value_type(group)
    if known is not None and known.contains is not None:
        return known.contains(run, item, group)
    item = run.as_row(item)
    if isinstance(item, RUNS):
        return _runs_inside(run, item, group)
    unknown = run.symbolic(item)
    if not unknown and isinstance(group, Mapping | frozenset):
        return _among(item, group)
    if not unknown and isinstance(group, range) and isinstance(item, int):
        return item in group
    members = tuple(map(run.as_row, run.items(group)))
    if run.symbolic(members):
        return run.joined((run.compare("==", item, member) for member in members), True)
    if not unknown:
        return _among(item, members)
    if isinstance(item, Term):
        return Member(item, frozenset(_as_text(run, item, member) for member in members))
    row = run.items(item)
    return _row_in(
        run, row, [tuple(member) for member in members if is_row(member) or isinstance(member, str)]
    )


def _runs_inside(run: Run, runs: Any, group: Any) -> Any:
    """Return whether the lengths of runs are one of the known rows of a collection."""
    rows = tuple(map(run.as_row, run.known(run.items(group), "a row of lengths")))
    for row in rows:
        if not is_row(row):
            raise ExpressionError(
                f"expected rows of lengths that runs are in, got {shown(row)}",
                help="write in [[3, 1], [2]]",
            )
    lengths = [_lengths(run, row) for row in rows]
    return runs in lengths if isinstance(runs, Lengths) else _runs_among(run, runs, lengths, True)


def _row_in(run: Run, row: tuple[Any, ...], members: list[tuple[Any, ...]]) -> Any:
    fitting = list(dict.fromkeys(member for member in members if len(member) == len(row)))
    if not fitting:
        return False
    books = tuple(tuple(dict.fromkeys(column)) for column in zip(*fitting))
    codes = [{value: code for code, value in enumerate(book)} for book in books]
    rows = np.array(
        [[code[value] for code, value in zip(codes, member)] for member in fitting], dtype=np.uint32
    )
    return Table(tuple(run.term(part) for part in row), rows, books)


def _factors(term: Term) -> list[Term]:
    if isinstance(term, Operation) and term.operator == "*":
        return [factor for operand in term.operands for factor in _factors(operand)]
    return [term]


def _scale(value: Any) -> type | None:
    """Return the only type that the value can be compared with; None if there are others."""
    if isinstance(value, Grid):
        return Grid
    known = value_type(value)
    return known.type if known is not None and known.scale else None


def _among(item: Any, members: Container[Any]) -> bool:
    """Return whether a known value is among others. A text equals the row of its characters."""
    if item in members:
        return True
    if isinstance(item, str):
        return tuple(item) in members
    if not is_row(item):
        return False
    if all(isinstance(part, str) for part in item) and "".join(item) in members:
        return True
    return (
        isinstance(members, tuple)
        and any(is_row(part) or isinstance(part, str) for part in item)
        and any(same(item, member) for member in members)
    )
