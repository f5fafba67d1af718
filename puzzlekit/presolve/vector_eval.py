"""Evaluate terms on many rows at once: each variable is a column of values, so is each term.

A column is an array of bools, ints or strings, or of objects if its values are of mixed types. A
function that returns tuples may give a two-dimensional array with one position per column. A term
without a value in a row (see `require_values`) gets an arbitrary one there: no solution contains
such a row, whatever the other conditions are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from puzzlekit.model import (
    Acyclic,
    AllDifferent,
    And,
    Apply,
    Automaton,
    Cardinality,
    Circuit,
    Comparison,
    Component,
    Connected,
    Constant,
    Element,
    IfElse,
    Inside,
    Linear,
    Member,
    Node,
    Not,
    Operation,
    Or,
    Regions,
    RegionSizes,
    Sum,
    Table,
    Term,
    Value,
    Variable,
    compare,
    variables_of,
)

Column = NDArray[Any]
Condition: TypeAlias = (
    Not
    | And
    | Or
    | Member
    | AllDifferent
    | Cardinality
    | Linear
    | Table
    | Automaton
    | Connected
    | Circuit
    | Acyclic
    | RegionSizes
)

SMALL = 2**7  # the first number that int8 cannot hold
NUMERIC = frozenset({np.bool_, np.int8, np.int16, np.int32, np.int64})  # types of columns
LARGE = 2**31  # the least number that a column of ints does not have
SAFE = 2**62  # int64 holds this with room to spare
COMPARE: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
}


def column_of(values: Sequence[Value]) -> Column:
    """Return the values as an array of bools, small ints or strings, else of objects.

    >>> columns = column_of([1, 2]), column_of(["a", "b"]), column_of([1, "a"])
    >>> [column.dtype.kind for column in columns]
    ['i', 'U', 'O']
    """
    types = set(map(type, values))
    if types <= {bool}:
        return np.array(values, dtype=bool)
    if all(issubclass(each, int) for each in types) and _are_small(values):
        return np.array(values, dtype=np.int64)
    if all(issubclass(each, str) for each in types):
        return np.array(values, dtype=np.str_)
    column = np.empty(len(values), dtype=object)
    # one by one: numpy would turn a list of cells into a matrix
    for row, value in enumerate(values):
        column[row] = value
    return column


def _are_small(numbers: Sequence[int]) -> bool:
    return all(-LARGE < number < LARGE for number in numbers)


def coded(column: Column) -> tuple[list[Value], NDArray[np.int64]]:
    """Return the distinct values of a column, and for each row the position of its value.

    >>> coded(column_of(["b", "a", "b"]))[0]
    ['a', 'b']
    """
    if column.ndim == 1 and column.dtype == np.uint8:  # such as marks: quicker than sorting
        occurs = np.bincount(column, minlength=256) > 0
        positions = np.cumsum(occurs) - 1
        return np.flatnonzero(occurs).tolist(), positions[column]
    if column.ndim == 1 and column.dtype != object:
        distinct, inverse = np.unique(column, return_inverse=True)
        return distinct.tolist(), inverse
    code_of: dict[Value, int] = {}
    codes = [code_of.setdefault(value, len(code_of)) for value in _values(column)]
    return list(code_of), np.array(codes, dtype=np.int64)


class ColumnEvaluator:
    """Columns of `count` rows, one per variable; `column` evaluates any term over them.

    The columns of functions are cached, so the components of one call are evaluated once.
    """

    def __init__(self, columns: Mapping[Variable, Column], count: int) -> None:
        self.columns = columns
        self.count = count
        self._applied: dict[Apply | Regions | Inside, Column] = {}

    def is_true(self, condition: Term) -> NDArray[np.bool_]:
        """Return for each row whether the condition is true."""
        return self.column(condition).astype(bool)

    def column(self, term: Term) -> Column:
        """Return the value of the term in each row."""
        node = cast(Node, term)
        match node:  # the most frequent classes come first
            case Variable():
                return self.columns[node]
            case Comparison():
                return self._compare(node)
            case Constant(constant):
                return np.broadcast_to(column_of([constant]), self.count)
            case Sum(weighted, constant):
                return self._sum(weighted, constant)
            case Operation(operator, operands):
                return _operation(operator, [self.column(operand) for operand in operands])
            case IfElse(condition, then, otherwise):
                chosen = self.is_true(condition)
                return _choice(chosen, self.column(then), self.column(otherwise))
            case Element():
                return self._element(node)
            case Apply() | Regions() | Inside():
                if node not in self._applied:
                    self._applied[node] = self._apply(node)
                return self._applied[node]
            case Component(tuple_term, position):
                return _component(self.column(tuple_term), position)
            case _:
                return self._condition(node)

    def _condition(self, node: Condition) -> Column:
        match node:
            case Not(condition):
                return ~self.is_true(condition)
            case And(conditions):
                return self._fold(np.logical_and, True, conditions)
            case Or(conditions):
                return self._fold(np.logical_or, False, conditions)
            case Member(operand, members):
                return _member(self.column(operand), members)
            case AllDifferent(terms):
                pairs = combinations(terms, 2)
                unequal = [Comparison("!=", first, second) for first, second in pairs]
                return self._fold(np.logical_and, True, unequal)
            case Cardinality(literals, low, high):
                is_value = [Comparison("==", variable, Constant(v)) for variable, v in literals]
                return _within(self._sum([(1, term) for term in is_value], 0), low, high)
            case Linear(weighted, lowest, highest):
                return _within(self._sum(weighted, 0), lowest, highest)
            case Table():
                return self._table(node)
            case _:
                met = [node.met(row) for row in self._rows(node.terms)]
                return np.array(met, dtype=bool)

    def _rows(self, terms: Sequence[Term]) -> list[tuple[Value, ...]]:
        if not terms:
            return [()] * self.count
        columns = [_values(self.column(term)) for term in terms]
        return list(zip(*columns))

    def _sum(self, weighted: Sequence[tuple[int, Term]], constant: int) -> Column:
        summands = [(weight, self.column(term)) for weight, term in weighted]
        if abs(constant) + len(summands) < SMALL and _are_flags(summands):
            small_total = np.full(self.count, constant, dtype=np.int8)
            for _, column in summands:
                small_total += column.view(np.int8)
            return small_total.astype(np.int64)
        bounds = [abs(weight) * _largest(column) for weight, column in summands]
        exceeds_word = abs(constant) + sum(bounds) >= SAFE
        dtype: type = object if exceeds_word else np.int64
        total: Column = np.full(self.count, constant, dtype=dtype)
        for weight, column in summands:
            total += column if weight == 1 else weight * column.astype(dtype)
        return total

    def _element(self, element: Element) -> Column:
        index = self.column(element.index)
        values: Column | None = None
        for key, item in zip(reversed(element.keys), reversed(element.items)):
            column = self.column(item)
            values = column if values is None else _choice(_equal(index, key), column, values)
        return np.zeros(self.count, dtype=np.int64) if values is None else values

    def _compare(self, term: Comparison) -> Column:
        compare_columns = COMPARE[term.operator]
        left = self.column(term.left)
        constant = term.right.constant if isinstance(term.right, Constant) else None
        if isinstance(constant, int) and abs(constant) < SAFE and _is_numeric(left):
            return cast(Column, compare_columns(left, int(constant)))
        right = self.column(term.right)
        for column, opposite in ((left, term.right), (right, term.left)):
            if column.ndim == 2 and isinstance(opposite, Constant):
                is_equal = _equal(column, opposite.constant)
                return is_equal ^ (term.operator == "!=")
        if not _is_flat(left) or not _is_flat(right):
            pairs = zip(_values(left), _values(right))
            outcomes = [compare(term.operator, a, b) for a, b in pairs]
            return np.array(outcomes, dtype=bool)
        # numpy would compare them as strings
        if _is_text(left) != _is_text(right):
            return np.full(self.count, term.operator == "!=")
        return cast(Column, compare_columns(left, right))

    def _fold(self, join: Any, start: bool, conditions: Sequence[Term]) -> Column:
        outcome: Column = np.full(self.count, start)
        for condition in conditions:
            outcome = join(outcome, self.column(condition))
        return outcome

    def _apply(self, term: Apply | Regions | Inside) -> Column:
        if not isinstance(term, Apply):
            components = list(map(term.components, self._rows(term.terms)))
            return np.array(components).reshape(self.count, term.count)
        function = term.function
        if function.many is not None and variables_of(term):
            arguments = map(self._argument, term.arguments)
            return function.many(*arguments)
        if not term.arguments:
            return column_of([term.value({})] * self.count)
        columns = map(self._plain_argument, term.arguments)
        return column_of([function(*row) for row in zip(*columns)])

    def _plain_argument(self, argument: Term | tuple[Term, ...]) -> list[Any]:
        """Return the plain values of an argument, one for each row."""
        if isinstance(argument, tuple):
            return self._rows(argument)
        return _values(self.column(argument))

    def _argument(self, argument: Term | tuple[Term, ...]) -> Any:
        """Return an argument for `Function.many`: a plain value if constant, else an array."""
        if isinstance(argument, tuple):
            if not variables_of(*argument):
                return tuple(term.value({}) for term in argument)
            return _side_by_side([self.column(term) for term in argument])
        return self.column(argument) if variables_of(argument) else argument.value({})

    def _table(self, table: Table) -> Column:
        if not table.terms:
            return np.full(self.count, len(table.rows) > 0)
        columns = []
        for column, dictionary in zip(table.rows.T, table.dictionaries):
            columns.append([dictionary[code] for code in column.tolist()])
        rows = set(zip(*columns))
        return np.array([row in rows for row in self._rows(table.terms)], dtype=bool)


def _values(column: Column) -> list[Value]:
    """Return the column as plain values; a row of positions becomes a tuple."""
    values = column.tolist()
    return values if column.ndim == 1 else list(map(tuple, values))


def _is_flat(column: Column) -> bool:
    """Return whether each row has a bool, a number or a string."""
    return column.ndim == 1 and column.dtype != object


def _is_text(column: Column) -> bool:
    return column.dtype.type is np.str_


def _is_numeric(column: Column) -> bool:
    return column.dtype.type in NUMERIC


def _are_flags(summands: Sequence[tuple[int, Column]]) -> bool:
    """Return whether all columns are bools, each with the weight 1."""
    return all(weight == 1 and column.dtype == bool for weight, column in summands)


def _largest(column: Column) -> int:
    """Return a bound on the absolute values of a column."""
    if column.dtype == bool:
        return 1
    if not column.size:
        return 0
    least, most = int(column.min()), int(column.max())
    return max(abs(least), abs(most))


def _within(total: Column, low: int | None, high: int | None) -> Column:
    is_within = np.ones(len(total), dtype=bool)
    if low is not None:
        is_within &= (total >= low).astype(bool)
    if high is not None:
        is_within &= (total <= high).astype(bool)
    return is_within


def _operation(operator: str, operands: list[Column]) -> Column:
    numbers = list(map(_as_number, operands))
    first = numbers[0]
    match operator:
        case "abs":
            return np.abs(first)
        case "min":
            return cast(Column, np.minimum.reduce(_compatible(numbers)))
        case "max":
            return cast(Column, np.maximum.reduce(_compatible(numbers)))
        case "//":
            return first // _divisor(numbers[1])
        case "%":
            return first % _divisor(numbers[1])
        case _:
            exceeds_word = math.prod(map(_largest, numbers)) >= SAFE
            dtype = object if exceeds_word else np.int64
            product: Column = first.astype(dtype) * numbers[1]
            return product


def _as_number(column: Column) -> Column:
    return column.astype(np.int64) if column.dtype == bool else column


def _divisor(column: Column) -> Column:
    """Return the column with 1 in place of 0: a division by zero has an arbitrary value."""
    return np.where(column == 0, 1, column)


def _compatible(columns: Sequence[Column]) -> list[Column]:
    """Return the columns with dtypes that one array can hold without turning numbers into text."""
    flat = []
    for column in columns:
        is_flat = column.ndim == 1
        flat.append(column if is_flat else column_of(_values(column)))
    if len(set(map(_is_text, flat))) > 1:
        return [column.astype(object) for column in flat]
    return flat


def _choice(is_true: NDArray[np.bool_], then: Column, otherwise: Column) -> Column:
    return np.where(is_true, *_compatible([then, otherwise]))


def _side_by_side(columns: Sequence[Column]) -> Column:
    return np.stack(_compatible(columns), axis=1)


def _component(column: Column, position: int) -> Column:
    if column.ndim == 2:
        component: Column = column[:, position]
        return component
    return column_of([value[position] for value in column.tolist()])


def _equal(column: Column, value: Value) -> NDArray[np.bool_]:
    if column.ndim == 2:
        if not isinstance(value, tuple) or len(value) != column.shape[1]:
            return np.zeros(len(column), dtype=bool)
        is_equal = np.ones(len(column), dtype=bool)
        for component, entry in zip(column.T, value):
            is_equal &= _equal(component, entry)
        return is_equal
    if column.dtype == object or not isinstance(value, int | str):
        matches = [entry == value for entry in column.tolist()]
        return np.array(matches, dtype=bool)
    if isinstance(value, str) != _is_text(column):
        return np.zeros(len(column), dtype=bool)
    return np.asarray(column == value, dtype=bool)


def _member(column: Column, members: Collection[Value]) -> NDArray[np.bool_]:
    if column.ndim == 1 and _is_numeric(column):
        numbers = column_of([member for member in members if isinstance(member, int)])
        if numbers.dtype != object:
            return np.isin(column, numbers)
    elif column.ndim == 1 and _is_text(column):
        texts = [member for member in members if isinstance(member, str)]
        return np.isin(column, column_of(texts))
    return np.array([value in members for value in _values(column)], dtype=bool)


def every_combination(axes: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
    """Return the cross product of the axes, one column per axis; the last one changes fastest.

    The number of axes is not limited; one numpy array would allow 32 at most.

    >>> axes = [np.array([1, 2]), np.array([7]), np.array([3, 4])]
    >>> [column.tolist() for column in every_combination(axes)]
    [[1, 1, 2, 2], [7, 7, 7, 7], [3, 4, 3, 4]]
    """
    columns = []
    inner = math.prod(map(len, axes))
    outer = 1
    for axis in axes:
        inner //= max(len(axis), 1)
        columns.append(np.tile(np.repeat(axis, inner), outer))
        outer *= len(axis)
    return columns
