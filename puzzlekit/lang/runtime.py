"""What the operations of an expression do: work on plain values, or build terms where an unknown stands.

Everything that is spent is counted, so that no expression runs away: steps of loops, and the size of what is made.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.errors import nearest
from puzzlekit.lang.expressions import ExpressionError
from puzzlekit.lang.values import ATTRIBUTES, Family, Whole, shown
from puzzlekit.model import (
    COMPARISONS,
    And,
    Comparison,
    Constant,
    Domain,
    Element,
    IfElse,
    Member,
    Not,
    Operation,
    Or,
    Sum,
    SymbolicError,
    Table,
    Term,
    Variable,
)
from puzzlekit.words import Lexicon

STEPS = 3_000_000  # steps that the expressions of one run may take together
BITS = 4_096  # bits of the largest number

TURNED = {">": "<", ">=": "<="}
PLAIN: Mapping[str, Callable[[Any, Any], Any]] = {
    **COMPARISONS,
    ">": operator.gt,
    ">=": operator.ge,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}


def symbolic(value: Any) -> bool:
    """Whether an unknown stands in the value."""
    if isinstance(value, Term):
        return True
    if isinstance(value, tuple | list | set | frozenset) and not isinstance(value, Cell | Cells):
        return any(isinstance(part, Term) or (isinstance(part, tuple | list) and symbolic(part)) for part in value)
    return isinstance(value, Family) and any(isinstance(part, Term) for part in islice(value, 1))


def term_of(value: Any) -> Term:
    """The value as a term."""
    return value if isinstance(value, Term) else Constant(value)


def condition_of(value: Any) -> Any:
    """A value that is to be a condition: a bool or a term."""
    if isinstance(value, bool | Term):
        return value
    raise ExpressionError(f"a condition is wanted here, and this is {shown(value)}")


class Runtime:
    """One run of expressions: its operations, and what it may still spend."""

    def __init__(self) -> None:
        self.left = STEPS
        self.domains: dict[Variable, Domain] = {}
        self._numeric: dict[int, bool] = {}

    def names(self) -> dict[str, Any]:
        """The operations under the names that rewritten expressions call."""
        return {
            "__builtins__": {},
            "_and": self.every,
            "_or": self.some,
            "_not": self.negate,
            "_compare": self.compare,
            "_binary": self.binary,
            "_choose": self.choose,
            "_index": self.index,
            "_slice": self.slice,
            "_attribute": self.attribute,
            "_call": self.call,
            "_iterate": self.iterate,
            "_test": self.test,
        }

    def spend(self, amount: int) -> None:
        """Count what is used; refuse when the bound is reached."""
        self.left -= amount
        if self.left < 0:
            raise ExpressionError(f"this takes more than {STEPS:,} steps", "the rules of one puzzle may take no more")

    # conditions

    def every(self, *parts: Callable[[], Any]) -> Any:
        """`and`: worked out from the left until one is false."""
        return self._joined(parts, False, And)

    def some(self, *parts: Callable[[], Any]) -> Any:
        """`or`: worked out from the left until one is true."""
        return self._joined(parts, True, Or)

    def _joined(self, parts: Iterable[Callable[[], Any]], decided: bool, join: type[And] | type[Or]) -> Any:
        terms = []
        for part in parts:
            value = condition_of(part())
            if isinstance(value, Term):
                terms.append(value)
            elif value is decided:
                return decided
        return join(tuple(terms)) if len(terms) > 1 else terms[0] if terms else not decided

    def negate(self, value: Any) -> Any:
        """`not`."""
        value = condition_of(value)
        return Not(value) if isinstance(value, Term) else not value

    def choose(self, test: Any, then: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        """`then if test else otherwise`; a choice between tuples is made in each position."""
        test = condition_of(test)
        if not isinstance(test, Term):
            return then() if test else otherwise()
        return _choice(test, then(), otherwise())

    def test(self, value: Any) -> bool:
        """The `if` of a comprehension: it must be known."""
        if symbolic(value):
            raise ExpressionError("an if inside a comprehension cannot depend on an unknown")
        return bool(value)

    # comparisons

    def compare(self, sign: str, left: Any, right: Any) -> Any:
        """A comparison, as a bool or a condition."""
        self.spend(1)
        if sign in ("in", "not in"):
            inside = self._inside(left, right)
            return inside if sign == "in" else self.negate(inside)
        if sign in TURNED:
            sign, left, right = TURNED[sign], right, left
        if isinstance(left, Family) and left.arity or isinstance(right, Family) and right.arity:
            left, right = (tuple(side) if isinstance(side, Family) else side for side in (left, right))
        if not symbolic(left) and not symbolic(right):
            return bool(PLAIN[sign](_sequence(left, right), _sequence(right, left)))
        if isinstance(left, Term) and isinstance(right, Term) or not (_is_row(left) or _is_row(right)):
            return Comparison(sign, term_of(left), term_of(right))  # type: ignore[arg-type]
        if sign not in ("==", "!="):
            raise ExpressionError(f"rows of unknowns can be equal or not; {sign} is not known for them")
        equal = self._equal_rows(left, right)
        return equal if sign == "==" else self.negate(equal)

    def _equal_rows(self, left: Any, right: Any) -> Any:
        if not all(_is_row(side) or isinstance(side, str) for side in (left, right)):
            raise ExpressionError(f"{shown(left)} and {shown(right)} cannot be compared: one is a row, the other is not")
        if len(left) != len(right):
            return False
        self.spend(len(left))
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Whole) and not symbolic(other):
                return Comparison("==", one.term, Constant(tuple(other)))
        return self.every(*(lambda a=a, b=b: self.compare("==", a, b) for a, b in zip(left, right)))

    def _inside(self, item: Any, group: Any) -> Any:
        if isinstance(group, Lexicon):
            return self._word(item, group)
        if isinstance(group, Term):
            raise ExpressionError("an unknown holds nothing: in wants a collection on its right")
        if not symbolic(item) and not symbolic(group):
            return bool(item in group)
        members = list(group)
        self.spend(len(members))
        if symbolic(members):
            return self.some(*(lambda m=m: self.compare("==", item, m) for m in members))
        if isinstance(item, Term):
            return Member(item, frozenset(members))
        return self._row_in(tuple(item), [tuple(member) for member in members])

    def _row_in(self, row: tuple[Any, ...], members: list[tuple[Any, ...]]) -> Any:
        fitting = list(dict.fromkeys(member for member in members if len(member) == len(row)))
        if not fitting:
            return False
        books = tuple(tuple(dict.fromkeys(column)) for column in zip(*fitting))
        codes = [{value: code for code, value in enumerate(book)} for book in books]
        rows = np.array([[code[value] for code, value in zip(codes, member)] for member in fitting], dtype=np.uint32)
        return Table(tuple(term_of(part) for part in row), rows, books)

    def _word(self, item: Any, words: Lexicon) -> Any:
        if isinstance(item, Term):
            return Member(item, frozenset(words))
        if isinstance(item, str):
            return item in words
        letters = tuple(item)
        if not symbolic(letters):
            return "".join(map(str, letters)) in words
        rows = words.codes.get(len(letters))
        if rows is None:
            return False
        return Table(tuple(term_of(letter) for letter in letters), rows, (tuple(words.alphabet),) * len(letters))

    # arithmetic

    def binary(self, sign: str, left: Any, right: Any) -> Any:
        """`+ - * // %` of numbers; `+` also joins rows, `*` repeats them."""
        if isinstance(left, Term) or isinstance(right, Term):
            return self._arithmetic(sign, self.number(left), self.number(right))
        if isinstance(left, int) and isinstance(right, int):
            if sign == "*" and left.bit_length() + right.bit_length() > BITS:
                raise ExpressionError(f"this number has more than {BITS} bits")
            self.spend(1)
            return PLAIN[sign](left, right)
        if sign == "+" and type(left) is type(right) and isinstance(left, str | tuple | list):
            self.spend(len(left) + len(right))
            return left + right
        if sign == "+" and isinstance(left, tuple) and isinstance(right, tuple):
            self.spend(len(left) + len(right))
            return tuple(left) + tuple(right)
        if sign == "-" and isinstance(left, set | frozenset) and isinstance(right, set | frozenset):
            return left - right
        if sign == "*":
            row, times = (right, left) if isinstance(left, int) else (left, right)
            if isinstance(row, str | tuple | list) and isinstance(times, int):
                self.spend(len(row) * max(times, 0))
                return row * times
        raise ExpressionError(f"{sign} is not known for {shown(left)} and {shown(right)}")

    def number(self, value: Any) -> Term:
        """A value that is to be a number, as a term; an error where it is a letter or a word."""
        if isinstance(value, int):
            return Constant(value)
        if not isinstance(value, Term):
            raise ExpressionError(f"a number is wanted here, and this is {shown(value)}")
        if isinstance(value, Variable) and not self._is_numeric(value):
            raise ExpressionError(f"a number is wanted here, and {value} is none")
        return value

    def _is_numeric(self, variable: Variable) -> bool:
        domain = self.domains[variable]
        if id(domain) not in self._numeric:
            self._numeric[id(domain)] = all(isinstance(value, int) for value in domain)
        return self._numeric[id(domain)]

    def _arithmetic(self, sign: str, left: Term, right: Term) -> Term:
        self.spend(1)
        if sign in "+-":
            return Sum(((1, left), (1 if sign == "+" else -1, right)))
        if sign == "*":
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Constant):
                    return Sum(((one.constant, other),))
            return Operation("*", (left, right))
        if not isinstance(right, Constant):
            raise ExpressionError(f"what stands right of {sign} cannot depend on an unknown")
        if right.constant == 0:
            raise ZeroDivisionError
        return Operation("//" if sign == "//" else "%", (left, right))

    # access

    def index(self, group: Any, key: Any) -> Any:
        """`group[key]`."""
        self.spend(1)
        if isinstance(group, Term):
            raise ExpressionError("an unknown has no parts")
        if isinstance(key, Term):
            return self._element(group, key)
        if isinstance(group, Family):
            return group.at(key)
        if isinstance(group, Grid):
            if isinstance(key, Cell):
                if key not in group.values:
                    raise ExpressionError(f"this board has no cell {key}")
                return group[key]
            if isinstance(key, tuple | list | set | frozenset):
                return tuple(self.index(group, cell) for cell in key)
            raise ExpressionError(f"a board is indexed by cells, and this is {shown(key)}")
        if isinstance(group, Mapping):
            if key not in group:
                raise ExpressionError(f"there is nothing at {shown(key)}", nearest(str(key), [str(k) for k in group]))
            return group[key]
        if not isinstance(group, tuple | list | str | range):
            raise ExpressionError(f"{shown(group)} has no parts")
        if isinstance(key, slice):
            return group[key]
        if isinstance(key, bool) or not isinstance(key, int):
            raise ExpressionError(f"a position is a number, and this is {shown(key)}")
        if not -len(group) <= key < len(group):
            raise ExpressionError(f"there is no position {key}: positions run from 0 to {len(group) - 1}")
        return group[key]

    def _element(self, group: Any, key: Term) -> Term:
        if isinstance(group, Family):
            pairs = list(group.members.items())
        elif isinstance(group, Grid):
            pairs = list(group.values.items())
        elif isinstance(group, Mapping):
            pairs = list(group.items())
        elif isinstance(group, tuple | list | str | range):
            pairs = list(enumerate(group))
        else:
            raise ExpressionError(f"{shown(group)} has no parts")
        self.spend(len(pairs))
        return Element(tuple(index for index, _ in pairs), tuple(term_of(item) for _, item in pairs), key)

    def slice(self, start: Any, stop: Any, step: Any) -> slice:
        """The slice of a subscript: its ends must be known."""
        if any(isinstance(end, Term) for end in (start, stop, step)):
            raise ExpressionError("a slice cannot depend on an unknown")
        return slice(start, stop, step)

    def attribute(self, value: Any, name: str) -> Any:
        """`value.name`, for the attributes that the documented types declare."""
        for kind, names in ATTRIBUTES.items():
            if isinstance(value, kind):
                if name in names:
                    return getattr(value, name)
                raise ExpressionError(f"a {kind.__name__.lower()} has no .{name}", nearest(name, names))
        raise ExpressionError(f".{name} is not known for {shown(value)}", "only the documented attributes can be used")

    def call(self, function: Any, *arguments: Any, **words: Any) -> Any:
        """A call of a function of the language."""
        self.spend(1)
        if not callable(function) or isinstance(function, type):
            raise ExpressionError(f"{shown(function)} is not a function")
        return function(*arguments, **words)

    def iterate(self, group: Any) -> Iterator[Any]:
        """The items of a collection, each one counted."""
        if isinstance(group, Term):
            raise SymbolicError("an unknown is no collection, so nothing can run over it")
        if isinstance(group, Mapping):
            group = group.keys()
        if isinstance(group, Lexicon):
            group = tuple(group)
        try:
            items = iter(group)
        except TypeError:
            raise ExpressionError(f"{shown(group)} is no collection, so nothing can run over it") from None
        return self._counted(items)

    def _counted(self, items: Iterator[Any]) -> Iterator[Any]:
        for item in items:
            self.left -= 1
            if self.left < 0:
                self.spend(0)
            yield item


def _is_row(value: Any) -> bool:
    return isinstance(value, tuple | list) and not isinstance(value, Cell)


def _sequence(value: Any, other: Any) -> Any:
    """Rows compare by their items, whether they are tuples or lists; a word compares with a row of letters."""
    if isinstance(value, list) or (isinstance(value, str) and isinstance(other, tuple | list)):
        return tuple(value)
    return value


def _choice(test: Term, then: Any, otherwise: Any) -> Any:
    if _is_row(then) and _is_row(otherwise) and (symbolic(then) or symbolic(otherwise)):
        if len(then) != len(otherwise):
            raise ExpressionError("both sides of a choice have the same length")
        return tuple(_choice(test, a, b) for a, b in zip(then, otherwise))
    return IfElse(test, term_of(then), term_of(otherwise))
