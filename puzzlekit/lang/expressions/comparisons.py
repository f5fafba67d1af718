"""Comparisons in expressions, and membership: of values, of unknowns, of rows and of runs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from math import prod

import numpy as np

from puzzlekit.boards import Cell, Cells, Corner, Grid
from puzzlekit.lang.aliases import Condition, DataValue, Operand
from puzzlekit.lang.expressions.automata import (
    MOST_STATES,
    of_product,
    of_run_rows,
    of_runs,
    opposite,
)
from puzzlekit.lang.expressions.conditions import ConditionBuilder
from puzzlekit.lang.expressions.inference import TEXT
from puzzlekit.lang.expressions.values import (
    Components,
    ExpressionError,
    Lengths,
    Runs,
    display_text,
    is_row,
    same,
    value_type,
)
from puzzlekit.lowering import TABLE_COMBINATIONS
from puzzlekit.model import (
    Automaton,
    Comparison,
    Constant,
    Member,
    Operation,
    Sum,
    Table,
    Term,
    Value,
    Variable,
)

PLAIN: Mapping[str, Callable[[DataValue, DataValue], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
COUNTED = frozenset({"==", "<", "<="})  # frequent comparisons of a sum
TURNED = {">": "<", ">=": "<="}
EQUALITIES = ("==", "!=")

RUNS = (Runs, Lengths)
SINGLE = frozenset({int, bool, str, type(None), Cell, Corner})  # compared directly
SINGLE_BUT_TEXT = SINGLE - {str}
PLAIN_VALUES = frozenset({int, bool, str, Cell})
MEET_ALL = frozenset({int, bool, str, type(None), tuple, Cell, Cells})  # comparable with any value
NUMBER_OR_TEXT = {int, bool, str}  # a cell may hold either


class Comparer(ConditionBuilder):
    """Compares operands, and looks for them in collections."""

    def chain(self, first: Operand, *later: Operand) -> Condition:
        """`a < b < c`, where `later` has signs and sides in turn.

        A side is evaluated at most once, and only if no comparison before it fails.
        """

        def comparisons() -> Iterable[Operand]:
            left = first
            for sign, side in zip(later[::2], later[1::2]):
                right = side()
                yield self.compare(sign, left, right)
                left = right

        return self.joined(comparisons(), False)

    def compare(self, sign: str, left: Operand, right: Operand) -> Condition:
        """Return a comparison, membership included, as a bool or a condition."""
        self.remaining -= 1
        if self.remaining < 0:
            self.check_bounds(1)
        left_class, right_class = type(left), type(right)
        if right_class is int:
            if left_class is int and sign in PLAIN:  # the most frequent case
                return PLAIN[sign](left, right)
            if left_class is Sum and sign in COUNTED and len(left.weighted) > 1:  # so is this
                return Comparison(sign, left, Constant(right))  # type: ignore[arg-type]
        if sign == "in":
            return self._contained(left, right)
        if sign == "not in":
            return self.negate(self._contained(left, right))
        if left_class in SINGLE and right_class in SINGLE:
            for side in (left, right):
                if type(side) is str:
                    self.spend(len(side) >> 4)
            return self._compare_plainly(sign, left, right)
        if left_class is Variable and right_class in PLAIN_VALUES and sign in EQUALITIES:
            self.spend(1 + (len(right) >> 4 if right_class is str else 0))
            self.kinds.require_comparable(left, right)
            return Comparison(sign, left, Constant(right))  # type: ignore[arg-type]
        if sign in TURNED:
            return self._compare_general(TURNED[sign], right, left)
        return self._compare_general(sign, left, right)

    def _compare_general(self, sign: str, left: Operand, right: Operand) -> Condition:
        """Compare operands of which one may be a term, runs, a row or a stream, by == != < <=."""
        left, right = self.as_row(left), self.as_row(right)
        if isinstance(left, RUNS) or isinstance(right, RUNS):
            return self._compare_runs(sign, left, right)
        if isinstance(left, Term):
            right = self._as_text(left, right)
        elif isinstance(right, Term):
            left = self._as_text(right, left)
        with_left_term = isinstance(left, Term) and not is_row(right)
        if with_left_term or (isinstance(right, Term) and not is_row(left)):
            return self._compare_terms(sign, left, right)
        if not self.symbolic(left) and not self.symbolic(right):
            return self._compare_values(sign, left, right)
        if sign not in EQUALITIES:
            raise ExpressionError(
                f"rows of unknowns can be compared with == and !=, not with {sign}"
            )
        equal = self._equal_rows(left, right)
        return equal if sign == "==" else self.negate(equal)

    # terms

    def _compare_terms(self, sign: str, left: Operand, right: Operand) -> Condition:
        """Compare a term with a term or a single value."""
        self.spend(1)
        self.kinds.require_comparable(left, right)
        if sign in EQUALITIES:
            for product, number in ((left, right), (right, left)):
                if type(number) is int:
                    automaton = self._compare_product(sign, product, number)
                    if automaton is not None:
                        return automaton
        return Comparison(sign, self.term(left), self.term(right))  # type: ignore[arg-type]

    def _compare_product(self, sign: str, product: Operand, number: int) -> Automaton | None:
        """Compare a product of many unknowns with a number by an automaton of its divisors.

        None for other terms, and for few unknowns, whose product presolve tabulates.
        """
        if isinstance(product, Sum) and len(product.weighted) == 1 and not product.constant:
            ((weight, product),) = product.weighted
            if not weight or number % weight:
                return None
            number //= weight
        if not number or not (isinstance(product, Operation) and product.operator == "*"):
            return None
        factors = _factors(product)
        domains: list[tuple[Value, ...]] = []
        for factor in factors:
            domain = self.kinds.possible(factor)
            if domain is None:
                return None
            domains.append(domain)
        if prod(map(len, domains)) <= TABLE_COMBINATIONS:
            return None
        values = [value for domain in domains for value in domain if isinstance(value, int)]
        automaton = of_product(number, values, MOST_STATES)
        if automaton is None:
            return None
        steps, accepting = automaton
        if sign == "!=":
            steps, accepting = opposite(steps, accepting, dict.fromkeys(values))
        self.spend(len(values) + sum(map(len, steps)))
        return Automaton(tuple(factors), steps, accepting)

    def _as_text(self, unknown: Term, operand: Operand) -> Operand:
        """Return a row of characters as text if the unknown takes texts; others unchanged."""
        if (
            is_row(operand)
            and all(isinstance(character, str) for character in operand)
            and self.kinds.of(unknown) == TEXT
        ):
            return "".join(operand)
        return operand

    # values without unknowns

    def _compare_values(self, sign: str, left: DataValue, right: DataValue) -> bool:
        if is_row(left) and isinstance(right, str):
            right = tuple(right)
        elif is_row(right) and isinstance(left, str):
            left = tuple(left)
        for side in (left, right):
            if callable(side):
                raise ExpressionError(
                    f"expected a value, got {display_text(side)}",
                    help="call it: write its arguments in parentheses",
                )
        if type(left) not in MEET_ALL or type(right) not in MEET_ALL:
            _require_same_scale(left, right)
        if sign in EQUALITIES and is_row(left) and is_row(right):
            return same(left, right) == (sign == "==")
        return self._compare_plainly(sign, left, right)

    def _compare_plainly(self, sign: str, left: DataValue, right: DataValue) -> bool:
        """Compare two values as Python does."""
        try:
            return bool(PLAIN[sign](left, right))
        except TypeError:
            if self.settled or {type(left), type(right)} <= NUMBER_OR_TEXT:  # these have no order
                return False
            sides = f"{display_text(left)} and {display_text(right)}"
            raise ExpressionError(f"{sides} cannot be compared with {sign}") from None

    # rows of which some contain unknowns

    def _equal_rows(self, left: Operand, right: Operand) -> Condition:
        if not all(is_row(side) or isinstance(side, str) for side in (left, right)):
            raise ExpressionError(
                f"{display_text(left)} and {display_text(right)} cannot be compared:"
                " one is a row, the other is not"
            )
        if len(left) != len(right):
            return False
        for components, row in ((left, right), (right, left)):
            if isinstance(components, Components) and not self.symbolic(row):
                return Comparison("==", components.term, Constant(tuple(row)))
        return self.joined((self.compare("==", a, b) for a, b in zip(left, right)), False)

    # runs

    def _compare_runs(self, sign: str, left: Operand, right: Operand) -> Condition:
        """Compare runs with a row of lengths by == or !=."""
        runs, row = (left, right) if isinstance(left, RUNS) else (right, left)
        comparable = sign in EQUALITIES and is_row(row) and not isinstance(row, Runs)
        if not comparable or self.symbolic(row):
            raise ExpressionError(
                "runs can only be compared with a row of known lengths, by == or !=",
                help="write runs(xs) == [3, 1]",
            )
        lengths = self._run_lengths(row)
        if isinstance(runs, Lengths):
            return (runs == lengths) == (sign == "==")
        return self._runs_among(runs, [lengths], sign == "==")

    def _run_lengths(self, row: tuple[Operand, ...]) -> tuple[int, ...]:
        """Return a row as the lengths of runs; `[0]` also stands for no runs."""
        lengths = () if row == (0,) else tuple(row)
        for length in lengths:
            if self.whole_number(length, "the length of a run") < 1:
                raise ExpressionError(
                    f"expected a run of length 1 or more, got {display_text(length)}",
                    help="for no runs write [] or [0]",
                )
        return lengths

    def _runs_among(self, runs: Runs, rows: Iterable[tuple[int, ...]], among: bool) -> Condition:
        """Return whether the lengths of the runs are one of these rows, or are none of them."""
        room = len(runs.conditions)
        fitting = dict.fromkeys(row for row in rows if sum(row) + len(row) - 1 <= room)
        if runs.ascending:
            fitting = {row: None for row in fitting if list(row) == sorted(row)}
        if not fitting:
            return not among
        self.spend(room + sum(map(sum, fitting)))
        if len(fitting) > 1 or runs.cyclic or runs.ascending:
            steps, accepting = of_run_rows(fitting, runs.cyclic, runs.ascending, self.spend)
        else:
            steps, accepting = of_runs(next(iter(fitting)))
        if not among:
            steps, accepting = opposite(steps, accepting, (False, True))
        return Automaton(tuple(map(self.term, runs.conditions)), steps, accepting)

    # membership

    def _contained(self, element: Operand, group: Operand) -> Condition:
        """`element in group`."""
        if type(group) is frozenset and type(element) in SINGLE_BUT_TEXT:
            return element in group
        if type(group) is Cells and type(element) is Cell:
            if not group.looked_up:
                self.spend(2 * len(group))
            return element in group.members
        if type(group) is tuple and type(element) in SINGLE_BUT_TEXT and _are_single(group):
            self.spend(len(group))
            return element in group
        if isinstance(group, Term):
            raise ExpressionError(
                "an unknown is not a collection: in requires a collection on its right"
            )
        type_ = value_type(group)
        if type_ is not None and type_.contains is not None:
            return type_.contains(self, element, group)
        element = self.as_row(element)
        if isinstance(element, RUNS):
            return self._runs_contained(element, group)
        if self.symbolic(element):
            return self._unknown_contained(element, group)
        if isinstance(group, Mapping | frozenset):
            return _among(element, group)
        if isinstance(group, range) and isinstance(element, int):
            return element in group
        members = tuple(map(self.as_row, self.items(group)))
        if self.symbolic(members):
            return self._equals_any(element, members)
        return _among(element, members)

    def _unknown_contained(self, element: Operand, group: Operand) -> Condition:
        """Return whether a term, or a row with unknowns, is in a collection."""
        members = tuple(map(self.as_row, self.items(group)))
        if self.symbolic(members):
            return self._equals_any(element, members)
        if isinstance(element, Term):
            return Member(element, frozenset(self._as_text(element, member) for member in members))
        rows = [tuple(member) for member in members if is_row(member) or isinstance(member, str)]
        return self._row_contained(self.items(element), rows)

    def _equals_any(self, element: Operand, members: Sequence[Operand]) -> Condition:
        return self.joined((self.compare("==", element, member) for member in members), True)

    def _runs_contained(self, runs: Operand, group: Operand) -> Condition:
        """Return whether the lengths of runs are one of the rows of a collection."""
        rows = tuple(map(self.as_row, self.require_fixed(self.items(group), "a row of lengths")))
        for row in rows:
            if not is_row(row):
                raise ExpressionError(
                    f"expected rows of lengths that runs are in, got {display_text(row)}",
                    help="write in [[3, 1], [2]]",
                )
        lengths = [self._run_lengths(row) for row in rows]
        if isinstance(runs, Lengths):
            return runs in lengths
        return self._runs_among(runs, lengths, True)

    def _row_contained(
        self, row: tuple[Operand, ...], members: list[tuple[Operand, ...]]
    ) -> Condition:
        """Return whether a row with unknowns is one of some rows without."""
        fitting = list(dict.fromkeys(member for member in members if len(member) == len(row)))
        if not fitting:
            return False
        dictionaries = tuple(tuple(dict.fromkeys(column)) for column in zip(*fitting))
        codes = [{value: code for code, value in enumerate(values)} for values in dictionaries]
        coded_rows = [[code[value] for code, value in zip(codes, member)] for member in fitting]
        return Table(
            tuple(map(self.term, row)), np.array(coded_rows, dtype=np.uint32), dictionaries
        )


def _factors(term: Term) -> list[Term]:
    if isinstance(term, Operation) and term.operator == "*":
        return [factor for operand in term.operands for factor in _factors(operand)]
    return [term]


def _require_same_scale(left: DataValue, right: DataValue) -> None:
    """Raise ExpressionError if a board, or a value with its own scale, meets another type."""
    if left is None or right is None or _scale(left) is _scale(right):
        return
    help = ""
    if isinstance(left, Grid) or isinstance(right, Grid):
        help = "the row of its values: board[board.cells]"
    sides = f"{display_text(left)} and {display_text(right)}"
    raise ExpressionError(f"{sides} are never equal and cannot be ordered", help=help)


def _scale(value: DataValue) -> type | None:
    """Return the only type that the value can be compared with; None if there are others."""
    if isinstance(value, Grid):
        return Grid
    type_ = value_type(value)
    return type_.type if type_ is not None and type_.scale else None


def _are_single(members: tuple[Operand, ...]) -> bool:
    """Return whether all members are compared directly, and none is a text; a frequent case."""
    return SINGLE_BUT_TEXT.issuperset(map(type, members))


def _among(element: DataValue, members: Container[DataValue]) -> bool:
    """Return whether a value is among others. A text equals the row of its characters."""
    if element in members:
        return True
    if isinstance(element, str):
        return tuple(element) in members
    if not is_row(element):
        return False
    if all(isinstance(inner, str) for inner in element) and "".join(element) in members:
        return True
    if not isinstance(members, tuple):
        return False
    nested = any(is_row(inner) or isinstance(inner, str) for inner in element)
    return nested and any(same(element, member) for member in members)
