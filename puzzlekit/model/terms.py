"""The nodes of a model: terms over unknowns, and the conditions that they must meet.

The meaning of a node is its `value`: given a value for every variable, it computes its own. Every
backend is checked against it. A condition is a term whose value is a bool. As in Python, a bool
counts as 0 or 1 in a sum.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, fields
from functools import cache
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import NDArray

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import FunctionError, PuzzlekitError

Value: TypeAlias = Any  # an int, bool, str or cell: plain, hashable, equal by value
Values: TypeAlias = "Mapping[Variable, Value]"
Domain: TypeAlias = tuple[Value, ...]
# rows of codes, and the values behind the codes of each column
EncodedRows: TypeAlias = tuple[NDArray[np.unsignedinteger[Any]], tuple[Sequence[Value], ...]]
C = TypeVar("C")


class SymbolicError(TypeError):
    """Python needs a plain truth value, number or length, but the term depends on an unknown."""


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def node(cls: type[C]) -> type[C]:
    """Make a frozen dataclass whose objects are compared by identity."""
    return dataclass(frozen=True, slots=True, eq=False)(cls)


class Term:
    """A value that depends on unknowns."""

    __slots__ = ()

    def value(self, values: Values) -> Value:
        """Return the value of this term for these values of the variables."""
        raise NotImplementedError

    def subterms(self) -> Iterator[Term]:
        """Yield the direct subterms; one that occurs several times is yielded each time."""
        cls: Any = type(self)
        for name in field_names(cls):
            yield from _terms_in(getattr(self, name))

    def __bool__(self) -> NoReturn:
        raise SymbolicError("expected a plain truth value, got a term that depends on an unknown")

    def __iter__(self) -> NoReturn:
        raise SymbolicError("expected a collection, got an unknown")

    def __index__(self) -> NoReturn:
        raise SymbolicError("expected a plain number, got a term that depends on an unknown")


@cache
def field_names(cls: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields."""
    return tuple(field.name for field in fields(cls))


def _terms_in(operands: object) -> Iterator[Term]:
    """Yield the terms in the value of a field: a term, or a tuple of terms and such tuples."""
    if isinstance(operands, Term):
        yield operands
    elif isinstance(operands, tuple):
        for operand in operands:
            if isinstance(operand, Term):
                yield operand
            elif isinstance(operand, tuple):
                yield from _terms_in(operand)


@node
class Variable(Term):
    """An unknown. Variables are compared by identity; the name is only for people."""

    name: str

    def value(self, values: Values) -> Value:
        return values[self]

    def __str__(self) -> str:
        return self.name


@node
class Constant(Term):
    """A plain value."""

    constant: Value

    def subterms(self) -> Iterator[Term]:
        return iter(())

    def value(self, values: Values) -> Value:
        return self.constant


@node
class Sum(Term):
    """A weighted sum: `constant` + Σ coefficient · term."""

    weighted: tuple[tuple[int, Term], ...]
    constant: int = 0

    def subterms(self) -> Iterator[Term]:
        return (term for _, term in self.weighted)

    def value(self, values: Values) -> Value:
        total = self.constant
        for coefficient, term in self.weighted:
            total += coefficient * (values[term] if type(term) is Variable else term.value(values))
        return int(total)


@node
class Operation(Term):
    """Nonlinear arithmetic; `//` and `%` round down. A division by zero violates the rule."""

    operator: Literal["*", "//", "%", "abs", "min", "max"]
    operands: tuple[Term, ...]

    def value(self, values: Values) -> Value:
        return OPERATIONS[self.operator](*(operand.value(values) for operand in self.operands))


OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "abs": abs,
    "min": lambda *items: min(items),
    "max": lambda *items: max(items),
}


@node
class IfElse(Term):
    """`then` where the condition holds, else `otherwise`."""

    condition: Term
    then: Term
    otherwise: Term

    def value(self, values: Values) -> Value:
        branch = self.then if self.condition.value(values) else self.otherwise
        return branch.value(values)


@node
class Element(Term):
    """The item at an unknown index.

    `keys[i]` is the index of `items[i]`. Any other index has no item and violates the rule, but
    only if the term is evaluated: not after a condition of an `or` that holds, nor in the branch of
    an `IfElse` that is not evaluated.
    """

    keys: tuple[Value, ...]
    items: tuple[Term, ...]
    index: Term

    def subterms(self) -> Iterator[Term]:
        yield from self.items
        yield self.index

    def value(self, values: Values) -> Value:
        position = self.keys.index(self.index.value(values))
        return self.items[position].value(values)


@node
class Function:
    """A function of plain values that backends do not know; presolve evaluates it into tables.

    `many` evaluates n rows at once. It takes one array per argument (shape (n,), or (n, k) for an
    argument that is a tuple of k terms; without the leading n for a constant argument) and returns
    an array of n rows.

    A function of one tuple may have the same value, `otherwise`, for all but a few arguments.
    `exceptions` then returns those arguments, as rows and dictionaries of a table over k terms. The
    value for them never exceeds `otherwise`.
    """

    name: str
    once: Callable[..., Value]
    many: Callable[..., NDArray[Any]] | None = None
    exceptions: Callable[[int], EncodedRows] | None = None
    otherwise: Value = None

    def __call__(self, *arguments: Any) -> Value:
        """Return the value for these arguments.

        Raises:
            FunctionError: `once` raises an error that is not puzzlekit's.
        """
        try:
            return self.once(*arguments)
        except (PuzzlekitError, MemoryError):
            raise
        except Exception as error:
            raise FunctionError(self.name, arguments, str(error)) from error


@node
class Apply(Term):
    """A function of unknowns; arguments are terms or tuples of terms, its value may be a tuple."""

    function: Function
    arguments: tuple[Term | tuple[Term, ...], ...]

    def __post_init__(self) -> None:
        for argument in self.arguments:
            if not isinstance(argument, Term | tuple):
                raise TypeError(
                    f"an argument of {self.function.name} is {argument!r}, which is not a term"
                )

    def value(self, values: Values) -> Value:
        arguments = [
            tuple([term.value(values) for term in argument])
            if isinstance(argument, tuple)
            else argument.value(values)
            for argument in self.arguments
        ]
        return self.function(*arguments)


@node
class Comparison(Term):
    """`left operator right`; `>` and `>=` are written with the sides changed."""

    operator: Literal["==", "!=", "<", "<="]
    left: Term
    right: Term

    def subterms(self) -> Iterator[Term]:
        return iter((self.left, self.right))

    def value(self, values: Values) -> Value:
        return compare(self.operator, self.left.value(values), self.right.value(values))


COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
}


def compare(operator: str, left: Value, right: Value) -> bool:
    """Return whether the comparison holds; values without an order are not less than each other."""
    try:
        return bool(COMPARISONS[operator](left, right))
    except TypeError:
        return False


@node
class Not(Term):
    """The condition does not hold."""

    condition: Term

    def subterms(self) -> Iterator[Term]:
        return iter((self.condition,))

    def value(self, values: Values) -> Value:
        return not self.condition.value(values)


@node
class And(Term):
    """All conditions hold; true if there are none."""

    conditions: tuple[Term, ...]

    def subterms(self) -> Iterator[Term]:
        return iter(self.conditions)

    def value(self, values: Values) -> Value:
        for condition in self.conditions:  # noqa: SIM110 (a generator takes longer)
            if not condition.value(values):
                return False
        return True


@node
class Or(Term):
    """At least one condition holds; false if there are none."""

    conditions: tuple[Term, ...]

    def subterms(self) -> Iterator[Term]:
        return iter(self.conditions)

    def value(self, values: Values) -> Value:
        for condition in self.conditions:  # noqa: SIM110
            if condition.value(values):
                return True
        return False


@node
class Member(Term):
    """The value of the term is one of `members`."""

    term: Term
    members: frozenset[Value]

    def subterms(self) -> Iterator[Term]:
        return iter((self.term,))

    def value(self, values: Values) -> Value:
        return self.term.value(values) in self.members


@node
class AllDifferent(Term):
    """No two of the terms take the same value."""

    terms: tuple[Term, ...]

    def value(self, values: Values) -> Value:
        row = [
            values[term] if type(term) is Variable else term.value(values) for term in self.terms
        ]
        return len(set(row)) == len(row)


@node
class Cardinality(Term):
    """The number of true literals `variable == value` is between `low` and `high`, inclusive."""

    literals: tuple[tuple[Variable, Value], ...]
    low: int
    high: int

    def subterms(self) -> Iterator[Term]:
        return (variable for variable, _ in self.literals)

    def value(self, values: Values) -> Value:
        count = sum(values[variable] == value for variable, value in self.literals)
        return self.low <= count <= self.high


@node
class Linear(Term):
    """`low` ≤ Σ coefficient · variable ≤ `high`, over ints or bools; None means unbounded."""

    weighted: tuple[tuple[int, Variable], ...]
    low: int | None
    high: int | None

    def subterms(self) -> Iterator[Term]:
        return (variable for _, variable in self.weighted)

    def value(self, values: Values) -> Value:
        total = sum(coefficient * int(values[variable]) for coefficient, variable in self.weighted)
        if self.low is not None and total < self.low:
            return False
        return self.high is None or total <= self.high


@node
class Table(Term):
    """The values of the terms form one of the rows.

    `rows` has shape (number of rows, number of terms) and holds codes:
    `dictionaries[j][rows[i, j]]` is the value of term j in row i. Rows are distinct.
    """

    terms: tuple[Term, ...]
    rows: NDArray[np.unsignedinteger[Any]]
    dictionaries: tuple[Sequence[Value], ...]

    def subterms(self) -> Iterator[Term]:
        return iter(self.terms)

    def value(self, values: Values) -> Value:
        matches = np.ones(len(self.rows), dtype=bool)
        columns = zip(self.terms, self.dictionaries, self.rows.T, strict=True)
        for term, dictionary, column in columns:
            value = term.value(values)
            codes = [code for code, entry in enumerate(dictionary) if entry == value]
            matches &= np.isin(column, codes)
        return bool(matches.any())
