"""Conditions: `and or not in`, comparisons and choices, of known values or of unknowns."""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from math import prod
from types import GeneratorType
from typing import Any, ClassVar

import numpy as np

from puzzlekit.boards import Cell, Cells, Corner, Grid, Placement
from puzzlekit.lang.automata import of_product, of_run_rows, of_runs, opposite
from puzzlekit.lang.expressions.allowance import Budget
from puzzlekit.lang.expressions.inference import TEXT, Kinds
from puzzlekit.lang.expressions.values import ExpressionError, Family, Lengths, Runs, Whole, shown, value_type
from puzzlekit.limits import limits
from puzzlekit.model import And, Automaton, Comparison, Constant, IfElse, Member, Not, Operation, Or, Sum, Table, Term, Variable

COUNTED = frozenset({"==", "<", "<="})  # frequent comparisons of a sum
TURNED = {">": "<", ">=": "<="}
SINGLE = frozenset({int, bool, str, type(None), Cell, Corner})  # compared directly
MEET_ALL = frozenset({int, bool, str, type(None), tuple, Cell, Cells})  # comparable with any value
NUMBER_OR_TEXT = {int, bool, str}  # a cell may hold either
BOOLS, VARIABLES = frozenset({bool}), frozenset({Variable})
PLAIN_CONDITIONS = frozenset({bool, And, Comparison, Not, Or})  # the most frequent types of conditions
RUNS = (Runs, Lengths)
STREAMS = (Family, range, GeneratorType)
POINTS = (Cell, Corner)


class Conditions(Budget):
    """The operations that return conditions."""

    PLAIN: ClassVar[Mapping[str, Callable[[Any, Any], Any]]] = {
        "==": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
    }

    def __init__(self, steps: int | None = None) -> None:
        super().__init__(steps)
        self.kinds = Kinds()
        self.demands: list[Term] = []  # what must hold for all indexes so far to have a value
        self.settled = False  # whether rules run on the values of a solution
        self.kept: dict[Hashable, Any] = {}  # caches of functions for this run

    def term(self, value: Any) -> Term:
        """Return the value as a term. Raises ExpressionError unless an unknown can take it."""
        if isinstance(value, Term):
            return value
        if not (isinstance(value, int | str | tuple | Placement) or _choosable(value)) or self.symbolic(value):
            own = type(value).__module__.startswith(("builtins", "puzzlekit."))
            hint = "" if own else f"its library must register {type(value).__name__} with choosable=True"
            raise ExpressionError(f"expected a value, got {shown(value)}", hint)
        return Constant(value)

    def possible(self, value: Any) -> tuple[Any, ...]:
        """Return the values that a known value or a term may take. Raises ExpressionError."""
        if not isinstance(value, Term):
            return (self.term(value).value({}),)
        found = self.kinds.possible(value)
        if found is None:
            hint = "declare an auxiliary unknown that equals it, and use that"
            raise ExpressionError("expected an unknown, got a value computed from unknowns", hint)
        self.spend(len(found))
        return found

    def condition(self, value: Any) -> Any:
        """Return a condition, a bool or a term. Raises ExpressionError for any other value."""
        kind = type(value)
        if kind in PLAIN_CONDITIONS or (kind is Variable and value in self.kinds.truths):
            return value
        if isinstance(value, Term) and self.kinds.truth(value):
            return value
        hint = ""
        if isinstance(value, int | Term):
            hint = "compare the value with something"
        elif isinstance(value, Family):
            hint = f"write {value.name}[c] for one of them, all(…) or any(…) for several"
        elif is_row(value):
            hint = "write all(…) or any(…) for a row of conditions"
        raise ExpressionError(f"expected a condition, got {shown(value)}", hint)

    def conditions(self, group: Any) -> tuple[Any, ...]:
        """Return the items of a collection as conditions. Each costs a step."""
        if type(group) is tuple:  # rows of values or of unknown truths are the most frequent case
            kinds = {*map(type, group)}
            if kinds == BOOLS or (kinds == VARIABLES and self.kinds.truths.issuperset(group)):
                self.spend(len(group))
                return group
        return tuple(map(self.condition, self.iterate(group)))

    def every(self, first: Any, *later: Callable[[], Any]) -> Any:
        """`and`: evaluates the parts after the first from the left until one is false."""
        return first if first is False else self._going_on(first, later, False)

    def some(self, first: Any, *later: Callable[[], Any]) -> Any:
        """`or`: evaluates the parts after the first from the left until one is true."""
        return first if first is True else self._going_on(first, later, True)

    def _going_on(self, first: Any, later: tuple[Callable[[], Any], ...], decided: bool) -> Any:
        """Do what `joined` does with the parts; the first one does not decide. Two unknowns are the most frequent case."""
        if len(later) > 1 or not (type(first) is bool or (type(first) is Variable and first in self.kinds.truths)):
            return self.joined(chain((first,), map(operator.call, later)), decided)
        if isinstance(first, bool):
            return self.condition(later[0]())
        before = len(self.demands)
        second = later[0]()
        if len(self.demands) > before:
            self._guard(before, [first if decided else Not(first)])
        elif type(second) is Variable and second in self.kinds.truths:
            return Or((first, second)) if decided else And((first, second))
        return self.joined((first, second), decided)

    def joined(self, values: Iterable[Any], decided: bool) -> Any:
        """Join conditions by `or` if `decided` is True, by `and` if it is False.

        They are evaluated from the left until a known one equals `decided`. The demands of a
        condition apply only if none before it decides.
        """
        terms: list[Term] = []
        before = len(self.demands)
        truths = self.kinds.truths
        for value in values:
            kind = type(value)
            if kind not in PLAIN_CONDITIONS and not (kind is Variable and value in truths):
                value = self.condition(value)
            if len(self.demands) > before:
                self._guard(before, [term if decided else Not(term) for term in terms])
                before = len(self.demands)
            if value is decided:
                return decided
            if kind is not bool:
                terms.append(value)
        if len(terms) < 2:
            return terms[0] if terms else not decided
        return Or(tuple(terms)) if decided else And(tuple(terms))

    def _guard(self, before: int, instead: Sequence[Term]) -> None:
        """Let demands after the first `before` apply only if no condition in `instead` holds."""
        if instead:
            self.demands[before:] = [Or((*instead, demand)) for demand in self.demands[before:]]

    def take_demands(self) -> list[Term]:
        """Return the demands so far and clear them."""
        taken, self.demands = self.demands, []
        return taken

    def negate(self, value: Any) -> Any:
        """`not`."""
        kind = type(value)
        if kind is bool:
            return not value
        known = kind in PLAIN_CONDITIONS or (kind is Variable and value in self.kinds.truths)
        return Not(value if known else self.condition(value))

    def choose(self, test: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        """`then if test else otherwise`. A choice between rows is made in each position."""
        test = self.condition(test)
        if not isinstance(test, Term):
            return then() if test else otherwise()
        before = len(self.demands)
        chosen = then()
        self._guard(before, [Not(test)])
        before = len(self.demands)
        other = otherwise()
        self._guard(before, [test])
        return self._choice(test, chosen, other)

    def _choice(self, test: Term, then: Any, otherwise: Any) -> Any:
        then, otherwise = self.as_row(then), self.as_row(otherwise)
        if is_row(then) and isinstance(otherwise, str):
            otherwise = tuple(otherwise)
        elif is_row(otherwise) and isinstance(then, str):
            then = tuple(then)
        if is_row(then) and is_row(otherwise):
            if len(then) != len(otherwise):
                raise ExpressionError(f"both sides of a choice must have the same length, got {len(then)} and {len(otherwise)}")
            self.spend(len(then))
            return tuple(self._choice(test, a, b) for a, b in zip(then, otherwise))
        if (is_row(then) and not isinstance(otherwise, Term)) or (is_row(otherwise) and not isinstance(then, Term)):
            raise ExpressionError("one side of this choice is a row and the other is not")
        return IfElse(test, self.term(then), self.term(otherwise))

    def test(self, value: Any) -> bool:
        """Evaluate the `if` of a comprehension, which must be known."""
        if isinstance(value, Term):
            raise ExpressionError(
                "an if inside a comprehension cannot depend on an unknown", "use implies(…), or count what holds"
            )
        return value if type(value) is bool else bool(self.condition(value))

    # comparisons

    def chain(self, left: Any, *rest: Any) -> Any:
        """`a < b < c`, where `rest` has signs and sides in turn.

        A side is evaluated at most once, and only if no comparison before it fails.
        """

        def links() -> Iterable[Any]:
            before = left
            for sign, side in zip(rest[::2], rest[1::2]):
                after = side()
                yield self.compare(sign, before, after)
                before = after

        return self.joined(links(), False)

    def compare(self, sign: str, left: Any, right: Any) -> Any:
        """Return a comparison, membership included, as a bool or a condition."""
        self._left -= 1
        if self._left < 0:
            self._look(1)
        if type(left) is int and type(right) is int and sign in self.PLAIN:  # the most frequent case
            return self.PLAIN[sign](left, right)
        if type(left) is Sum and type(right) is int and sign in COUNTED and len(left.weighted) > 1:  # so are these
            return Comparison(sign, left, Constant(right))  # type: ignore[arg-type]
        if sign == "in":
            return self._inside(left, right)
        if sign == "not in":
            return self.negate(self._inside(left, right))
        if type(left) in SINGLE and type(right) in SINGLE:
            for side in (left, right):
                if type(side) is str:
                    self.spend(len(side) >> 4)
            return self._compared(sign, left, right)
        if sign in TURNED:
            sign, left, right = TURNED[sign], right, left
        left, right = self.as_row(left), self.as_row(right)
        if isinstance(left, RUNS) or isinstance(right, RUNS):
            return self._equal_runs(sign, left, right)
        if isinstance(left, Term):
            right = self._as_text(left, right)
        elif isinstance(right, Term):
            left = self._as_text(right, left)
        if (isinstance(left, Term) and not is_row(right)) or (isinstance(right, Term) and not is_row(left)):
            self.spend(1)
            self.kinds.comparable(left, right)
            if sign in ("==", "!="):
                for one, other in ((left, right), (right, left)):
                    if type(other) is int and (found := self._equal_product(sign, one, other)) is not None:
                        return found
            return Comparison(sign, self.term(left), self.term(right))  # type: ignore[arg-type]
        if not self.symbolic(left) and not self.symbolic(right):
            return self._plain(sign, left, right)
        if sign not in ("==", "!="):
            raise ExpressionError(f"rows of unknowns can be compared with == and !=, not with {sign}")
        equal = self._equal_rows(left, right)
        return equal if sign == "==" else self.negate(equal)

    def _equal_runs(self, sign: str, left: Any, right: Any) -> Any:
        """Compare runs with a known row of lengths by == or !=."""
        runs, other = (left, right) if isinstance(left, Runs | Lengths) else (right, left)
        if sign not in ("==", "!=") or isinstance(other, Runs) or not is_row(other) or self.symbolic(other):
            raise ExpressionError(
                "runs can only be compared with a row of known lengths, by == or !=", "write runs(xs) == [3, 1]"
            )
        lengths = self._lengths(other)
        if isinstance(runs, Lengths):
            return (runs == lengths) == (sign == "==")
        return self._runs_among(runs, [lengths], sign == "==")

    def _lengths(self, row: tuple[Any, ...]) -> tuple[int, ...]:
        """Return a row as the lengths of runs; `[0]` also stands for no runs."""
        lengths = () if row == (0,) else tuple(row)
        for length in lengths:
            if self.whole(length, "the length of a run") < 1:
                raise ExpressionError(f"expected a run of length 1 or more, got {shown(length)}", "for no runs write [] or [0]")
        return lengths

    def _runs_among(self, runs: Runs, rows: Iterable[tuple[int, ...]], among: bool) -> Any:
        """Return whether the lengths of the runs are one of these rows, or are none of them."""
        fitting = dict.fromkeys(row for row in rows if sum(row) + len(row) - 1 <= len(runs.conditions))
        if runs.ascending:
            fitting = {row: None for row in fitting if list(row) == sorted(row)}
        if not fitting:
            return not among
        self.spend(len(runs.conditions) + sum(map(sum, fitting)))
        if len(fitting) > 1 or runs.cyclic or runs.ascending:
            steps, accepting = of_run_rows(fitting, runs.cyclic, runs.ascending, self.spend)
        else:
            steps, accepting = of_runs(next(iter(fitting)))
        if not among:
            steps, accepting = opposite(steps, accepting, (False, True))
        return Automaton(tuple(map(self.term, runs.conditions)), steps, accepting)

    def _equal_product(self, sign: str, product: Any, number: int) -> Automaton | None:
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
        domains = [self.kinds.possible(factor) for factor in factors]
        known = [domain for domain in domains if domain is not None]
        if number and len(known) == len(factors) and prod(map(len, known)) > limits().lowering.table_combinations:
            values = [value for domain in known for value in domain if isinstance(value, int)]
            if made := of_product(number, values, limits().rules.pattern_states):
                steps, accepting = made if sign == "==" else opposite(*made, dict.fromkeys(values))
                self.spend(len(values) + sum(map(len, steps)))
                return Automaton(tuple(factors), steps, accepting)
        return None

    def as_row(self, value: Any) -> Any:
        """Return a family, a range or the values of a loop as a row; any other value unchanged."""
        if isinstance(value, STREAMS):
            return tuple(self.iterate(value))
        return value

    def _as_text(self, unknown: Term, value: Any) -> Any:
        """Return a row of known characters as text if the unknown takes texts; others unchanged."""
        if is_row(value) and all(isinstance(part, str) for part in value) and self.kinds.of(unknown) == TEXT:
            return "".join(value)
        return value

    def _plain(self, sign: str, left: Any, right: Any) -> bool:
        if is_row(left) and isinstance(right, str):
            right = tuple(right)
        elif is_row(right) and isinstance(left, str):
            left = tuple(left)
        for side in (left, right):
            if callable(side):
                raise ExpressionError(f"expected a value, got {shown(side)}", "call it: write its arguments in parentheses")
        if type(left) not in MEET_ALL or type(right) not in MEET_ALL:
            self._alike(left, right)
        if sign in ("==", "!=") and is_row(left) and is_row(right):
            return same(left, right) == (sign == "==")
        return self._compared(sign, left, right)

    def _compared(self, sign: str, left: Any, right: Any) -> bool:
        """Compare two known values that are not rows."""
        try:
            return bool(self.PLAIN[sign](left, right))
        except TypeError:
            if self.settled or {type(left), type(right)} <= NUMBER_OR_TEXT:  # these have no order
                return False
            raise ExpressionError(f"{shown(left)} and {shown(right)} cannot be compared with {sign}") from None

    def _alike(self, left: Any, right: Any) -> None:
        """Raise ExpressionError if a board, or a value with its own scale, meets another type."""
        if left is not None and right is not None and _scale(left) is not _scale(right):
            hint = "the row of its values: board[board.cells]" if isinstance(left, Grid) or isinstance(right, Grid) else ""
            raise ExpressionError(f"{shown(left)} and {shown(right)} are never equal and cannot be ordered", hint)

    def _equal_rows(self, left: Any, right: Any) -> Any:
        if not all(is_row(side) or isinstance(side, str) for side in (left, right)):
            raise ExpressionError(f"{shown(left)} and {shown(right)} cannot be compared: one is a row, the other is not")
        if len(left) != len(right):
            return False
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Whole) and not self.symbolic(other):
                return Comparison("==", one.term, Constant(tuple(other)))
        return self.joined((self.compare("==", a, b) for a, b in zip(left, right)), False)

    def _inside(self, item: Any, group: Any) -> Any:
        if type(group) is frozenset and type(item) in SINGLE and type(item) is not str:
            return item in group
        if type(group) is Cells and type(item) is Cell:
            if not group.looked_up:
                self.spend(2 * len(group))
            return item in group.members
        if isinstance(group, Term):
            raise ExpressionError("an unknown is not a collection: in requires a collection on its right")
        known = value_type(group)
        if known is not None and known.contains is not None:
            return known.contains(self, item, group)
        item = self.as_row(item)
        if isinstance(item, RUNS):
            return self._runs_inside(item, group)
        unknown = self.symbolic(item)
        if not unknown and isinstance(group, Mapping | frozenset):
            return _among(item, group)
        if not unknown and isinstance(group, range) and isinstance(item, int):
            return item in group
        members = tuple(map(self.as_row, self.items(group)))
        if self.symbolic(members):
            return self.joined((self.compare("==", item, member) for member in members), True)
        if not unknown:
            return _among(item, members)
        if isinstance(item, Term):
            return Member(item, frozenset(self._as_text(item, member) for member in members))
        row = self.items(item)
        return self._row_in(row, [tuple(member) for member in members if is_row(member) or isinstance(member, str)])

    def _runs_inside(self, runs: Any, group: Any) -> Any:
        """Return whether the lengths of runs are one of the known rows of a collection."""
        rows = tuple(map(self.as_row, self.known(self.items(group), "a row of lengths")))
        for row in rows:
            if not is_row(row):
                raise ExpressionError(f"expected rows of lengths that runs are in, got {shown(row)}", "write in [[3, 1], [2]]")
        lengths = list(map(self._lengths, rows))
        return runs in lengths if isinstance(runs, Lengths) else self._runs_among(runs, lengths, True)

    def _row_in(self, row: tuple[Any, ...], members: list[tuple[Any, ...]]) -> Any:
        fitting = list(dict.fromkeys(member for member in members if len(member) == len(row)))
        if not fitting:
            return False
        books = tuple(tuple(dict.fromkeys(column)) for column in zip(*fitting))
        codes = [{value: code for code, value in enumerate(book)} for book in books]
        rows = np.array([[code[value] for code, value in zip(codes, member)] for member in fitting], dtype=np.uint32)
        return Table(tuple(self.term(part) for part in row), rows, books)


def _factors(term: Term) -> list[Term]:
    """Return the factors of a product of products."""
    if isinstance(term, Operation) and term.operator == "*":
        return [factor for operand in term.operands for factor in _factors(operand)]
    return [term]


def _choosable(value: Any) -> bool:
    """Return whether unknowns may take the value, by its registered type."""
    known = value_type(value)
    return known is not None and known.choosable


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


def same(left: Any, right: Any) -> bool:
    """Return whether known values are equal. Texts equal rows of their letters, at any depth."""
    if left == right:
        return True
    if not all(is_row(side) or isinstance(side, str) for side in (left, right)) or len(left) != len(right):
        return False
    if isinstance(left, str) and isinstance(right, str):
        return False
    return all(map(same, left, right))


def equality_keys(values: Sequence[Any]) -> Sequence[Any]:
    """Return hashable values in place of known ones, equal where these are the same.

    Examples:
        >>> equality_keys(["ab", ("a", "b"), "c", ("c",), 1])
        [('a', 'b'), ('a', 'b'), 'c', 'c', 1]
    """
    return [_equality_key(value) for value in values] if any(map(is_row, values)) else values


def _equality_key(value: Any) -> Any:
    if not (is_row(value) or isinstance(value, str)):
        return value
    parts = tuple(value) if isinstance(value, str) else tuple(map(_equality_key, value))
    return parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts


def is_row(value: Any) -> bool:
    """Return whether the value is a row, and not a cell or corner, which are tuples in Python."""
    return isinstance(value, tuple) and not isinstance(value, POINTS)
