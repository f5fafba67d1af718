"""Terms worked out on many rows at once: each variable is a column of values, each term becomes one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from puzzlekit.model import (
    And,
    Apply,
    Comparison,
    Component,
    Constant,
    Member,
    Not,
    Operation,
    Or,
    Sum,
    Term,
    Value,
    Variable,
    variables_of,
)

Column = NDArray[Any]

SAFE = 2**62  # what int64 holds with room to spare
COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
}


def column_of(values: Sequence[Value]) -> Column:
    """The values as an array of their own kind: bools, small ints, strings, else objects.

    >>> column_of([1, 2]).dtype.kind, column_of(["a", "b"]).dtype.kind, column_of([1, "a"]).dtype.kind
    ('i', 'U', 'O')
    """
    if all(isinstance(value, bool) for value in values):
        return np.array(values, dtype=bool)
    if all(isinstance(value, int) and abs(value) < 2**31 for value in values):
        return np.array(values, dtype=np.int64)
    if all(isinstance(value, str) for value in values):
        return np.array(values, dtype=np.str_)
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


class Sheet:
    """Columns of `count` rows, a column for each variable; `column` works out any term over them, row by row.

    A term whose value is a tuple gives an array with a row of positions a row. What a function gives is kept, so that the
    components of one call are worked out once.
    """

    def __init__(self, columns: Mapping[Variable, Column], count: int) -> None:
        self.columns = columns
        self.count = count
        self._applied: dict[Apply, Column] = {}

    def column(self, term: Term) -> Column:
        """The value of the term in each row."""
        match term:
            case Variable():
                return self.columns[term]
            case Constant(constant):
                many = [constant] * self.count
                return np.array(many) if isinstance(constant, tuple) else column_of(many)
            case Sum(weighted, constant):
                return self._sum([(k, self.column(t)) for k, t in weighted], constant)
            case Operation(operator, operands):
                return _operation(operator, [self.column(operand) for operand in operands])
            case Apply():
                if term not in self._applied:
                    self._applied[term] = self._apply(term)
                return self._applied[term]
            case Component(whole, position):
                part: Column = self.column(whole)[:, position]
                return part
            case Comparison():
                return self._compare(term)
            case Not(condition):
                return ~self.column(condition).astype(bool)
            case And(conditions):
                return self._fold(np.logical_and, True, conditions)
            case Or(conditions):
                return self._fold(np.logical_or, False, conditions)
            case Member(inner, members):
                return np.isin(self.column(inner), column_of(sorted(members, key=str)))
            case _:
                return self._row_by_row(term)

    def _row_by_row(self, term: Term) -> Column:
        lists = {variable: self.columns[variable].tolist() for variable in variables_of(term)}
        rows = ({variable: column[i] for variable, column in lists.items()} for i in range(self.count))
        values = [term.value(row) for row in rows]
        return np.array(values) if values and isinstance(values[0], tuple) else column_of(values)

    def _sum(self, parts: list[tuple[int, Column]], constant: int) -> Column:
        bound = abs(constant) + sum(abs(k) * _largest(column) for k, column in parts)
        kind: type = np.int64 if bound < SAFE else object
        total: Column = np.full(self.count, constant, dtype=kind)
        for k, column in parts:
            total = total + k * column.astype(kind)
        return total

    def _compare(self, term: Comparison) -> Column:
        if isinstance(term.left, Constant) and isinstance(term.right, Constant):
            return np.full(self.count, term.value({}))
        sides = [side.constant if isinstance(side, Constant) else self.column(side) for side in (term.left, term.right)]
        if {_kind(side) for side in sides} == {"text", "number"}:  # numpy would compare their spellings
            return np.full(self.count, term.operator == "!=")
        outcome: Column = COMPARE[term.operator](*(np.array(s) if isinstance(s, tuple) else s for s in sides))
        if outcome.ndim == 2:  # tuples: equal where all positions are, unequal where one is not
            outcome = (np.any if term.operator == "!=" else np.all)(outcome, axis=1)
        return outcome.astype(bool)

    def _fold(self, join: Any, start: bool, conditions: Sequence[Term]) -> Column:
        outcome: Column = np.full(self.count, start)
        for condition in conditions:
            outcome = join(outcome, self.column(condition))
        return outcome

    def _apply(self, term: Apply) -> Column:
        if term.function.many is None:
            return self._row_by_row(term)
        return term.function.many(*(self._argument(argument) for argument in term.arguments))

    def _argument(self, argument: Term | tuple[Term, ...]) -> Any:
        """What `Function.many` is given: a plain value where nothing is unknown, else an array with a row a row."""
        if isinstance(argument, tuple):
            if not variables_of(*argument):
                return tuple(term.value({}) for term in argument)
            return np.stack([self.column(term) for term in argument], axis=1)
        return self.column(argument) if variables_of(argument) else argument.value({})


def _largest(column: Column) -> int:
    return max(abs(int(column.min())), abs(int(column.max()))) if column.size else 0


def _operation(operator: str, operands: list[Column]) -> Column:
    first = operands[0] if operands[0].dtype != bool else operands[0].astype(np.int64)
    match operator:
        case "abs":
            return cast(Column, np.abs(first))
        case "min" | "max":
            return cast(Column, (np.minimum if operator == "min" else np.maximum).reduce(operands))
        case "//":
            return cast(Column, first // operands[1])
        case "%":
            return cast(Column, first % operands[1])
        case _:
            wide = math.prod(_largest(column) for column in operands) >= SAFE
            return first.astype(object if wide else np.int64) * operands[1]


def _kind(side: Any) -> str:
    while isinstance(side, tuple) and side:
        side = side[0]
    kind = side.dtype.kind if isinstance(side, np.ndarray) else "U" if isinstance(side, str) else "i"
    return {"U": "text", "O": "any"}.get(kind, "number")
