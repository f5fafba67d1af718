"""The operations of expressions: they compute with known values and build terms of unknowns.

Turns of loops and sizes of values are counted, so every expression is bounded.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable, Mapping
from types import GeneratorType, MethodType
from typing import Any, ClassVar

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.errors import nearest
from puzzlekit.lang.expressions.access import KEYED, Access
from puzzlekit.lang.expressions.conditions import POINTS, is_row
from puzzlekit.lang.expressions.inference import NUMBERS
from puzzlekit.lang.expressions.values import ATOMS, ExpressionError, Family, is_number, shown, value_type
from puzzlekit.limits import limits
from puzzlekit.model import Constant, Operation, Sum, Term, Variable

LAZY = frozenset({"any", "all", "first"})  # functions that may stop reading a loop early
# attributes of boards that are computed on first use: steps per cell
CALCULATED = dict.fromkeys(("diagonals", "all_diagonals", "rows", "columns", "given", "regions", "adjacent", "touching"), 16)
CALCULATED |= {"numbers": 4, "having": 4}
CALCULATED |= {"edges": 48, "corners": 48, "sides": 48, "links": 24}
NUMBERED = {"row": 0, "column": 1}  # attributes of cells
INDEXED = frozenset({"through", "of"})  # attributes of rows
KEPT = frozenset({"through", "of", "links", "sides"})  # methods whose results are kept, not made
SLICED = frozenset({"rays"})  # methods whose results are parts of rows, copied at once
BEHIND = {"edges": "_sides_of", "corners": "_cells_at", "sides": "_sides_of", "links": "_links"}  # where a board keeps them


class Runtime(Access):
    """One run of expressions: its operations and its step budget."""

    SIGNS: ClassVar[Mapping[str, Callable[[Any, Any], Any]]] = {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "//": operator.floordiv,
        "%": operator.mod,
    }

    def __init__(self, steps: int | None = None) -> None:
        super().__init__(steps)
        self._methods: dict[Callable[..., Any], bool] = {}  # of each function called, unbound: whether a value's type has it
        self.other_boards: list[tuple[str, Grid]] = []  # boards that link cells not as squares are, and what made them

    def names(self) -> dict[str, Any]:
        """Return the operations by the names that rewritten expressions call."""
        return {
            "__builtins__": {},
            "_and": self.every,
            "_or": self.some,
            "_not": self.negate,
            "_compare": self.compare,
            "_chain": self.chain,
            "_binary": self.binary,
            "_choose": self.choose,
            "_index": self.index,
            "_slice": self.slice,
            "_attribute": self.attribute,
            "_call": self.call,
            "_once": self.once,
            "_iterate": self.iterate,
            "_expand": self.expand,
            "_test": self.test,
            "_row": self.row,
            "_set": self.set,
            "_dict": self.dict,
        }

    # arithmetic

    def binary(self, sign: str, left: Any, right: Any) -> Any:
        """`+ - * // %` of numbers. `+` also joins rows or mappings, `*` repeats rows, `-` subtracts sets."""
        self._left -= 1
        if self._left < 0:
            self._look(1)
        if type(left) is int and type(right) is int and sign != "*":
            return self.SIGNS[sign](left, right)
        if isinstance(left, Term) or isinstance(right, Term):
            return self._arithmetic(sign, self.number(left), self.number(right))
        if is_number(left) and is_number(right):
            most = limits().rules.number_bits
            if sign == "*" and left.bit_length() + right.bit_length() > most:
                raise ExpressionError(f"this number has more than {most} bits")
            return self.SIGNS[sign](left, right)
        if sign == "+" and all(is_row(side) or isinstance(side, str | range | Family) for side in (left, right)):
            self.spend(len(left) + len(right))
            return left + right if isinstance(left, str) and isinstance(right, str) else tuple(left) + tuple(right)
        if sign == "+" and (isinstance(left, Mapping) or isinstance(right, Mapping)):
            return self._joined_mappings(sign, left, right)
        if sign == "-" and isinstance(left, frozenset) and isinstance(right, frozenset):
            self.symbolic((left, right))
            return left - right
        if sign == "*":
            row, times = (right, left) if isinstance(left, int) else (left, right)
            if (isinstance(row, str) or is_row(row)) and isinstance(times, int):
                self.spend(len(row) * max(times, 0))
                return row * times if isinstance(row, str) else tuple(row) * times
        raise ExpressionError(f"{sign} is not defined for {shown(left)} and {shown(right)}")

    def _joined_mappings(self, sign: str, left: Any, right: Any) -> dict[Any, Any]:
        """Return the mapping with the keys of both; unknowns of a name are a mapping, too."""
        one, other = (dict(side.members) if isinstance(side, Family) else side for side in (left, right))
        if not isinstance(one, Mapping) or not isinstance(other, Mapping):
            raise ExpressionError(f"{sign} is not defined for {shown(left)} and {shown(right)}")
        self.spend(2 * (len(one) + len(other)))
        if twice := [key for key in other if key in one]:
            raise ExpressionError(f"both mappings have the key {shown(twice[0])}")
        return {**one, **other}

    def number(self, value: Any) -> Term:
        """Return a number as a term. Raises ExpressionError if the value is not a number."""
        if type(value) is Variable and value in self.kinds.truths:  # the most frequent case
            return value
        if is_number(value):
            return Constant(value)
        if not isinstance(value, Term):
            raise ExpressionError(f"expected a number, got {shown(value)}")
        if self.kinds.of(value) not in (NUMBERS, None):
            what = f"{value}, which is not a number" if isinstance(value, Variable) else "an expression that is not a number"
            raise ExpressionError(f"expected a number, got {what}")
        return value

    def _arithmetic(self, sign: str, left: Term, right: Term) -> Term:
        self.spend(2)
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

    # attributes and calls

    def attribute(self, value: Any, name: str) -> Any:
        """Return `value.name`, if the registered type of the value lists this attribute."""
        self._left -= 1
        if type(value) is Cell and name in NUMBERED and self._left >= 0:  # the most frequent case
            return value[NUMBERED[name]]
        if self._left < 0:
            self._look(1)
        if name == "at" and isinstance(value, KEYED) and not isinstance(value, POINTS):
            return self.with_default(value)
        known = value_type(value)
        if name in INDEXED and is_row(value) and (known is None or name not in known.attributes):
            return self.index_of(value, name)
        if known is not None and known.attributes:
            if name not in known.attributes:
                what = known.called or known.type.__name__.lower()
                raise ExpressionError(f"a {what} has no .{name[:40]}", nearest(name[:40], known.attributes))
            if name in CALCULATED and isinstance(value, Grid) and BEHIND.get(name, name) not in vars(value):
                self.spend(CALCULATED[name] * len(value))
            return getattr(value, name)
        unknown = isinstance(value, Term)
        hint = "a value that is not known yet has no attributes" if unknown else "only the documented attributes can be used"
        raise ExpressionError(f"{shown(value)} has no .{name[:40]}", hint)

    def call(self, function: Any, /, *arguments: Any, **words: Any) -> Any:
        """Call a function of the language or a method of a value."""
        self._left -= 1
        if self._left < 0:
            self._look(1)
        method = self._methods.get(function.__func__) if type(function) is MethodType else None
        if method is None:
            if not callable(function) or isinstance(function, type):
                hint = "a row has no (…): write [0] for its first item, or loop over it" if is_row(function) else ""
                hint = f"write {function.name}[…]" if isinstance(function, Family) else hint
                raise ExpressionError(f"{shown(function)} is not a function", hint)
            owner = value_type(getattr(function, "__self__", None))
            method = owner is not None and bool(owner.attributes)
            if type(function) is MethodType:
                self._methods[function.__func__] = method
        plain = not method or (not words and ATOMS.issuperset(map(type, arguments)))
        if not plain and (self.symbolic(arguments) or self.symbolic(words)):
            raise ExpressionError(f"the arguments of {function.__name__} cannot depend on an unknown")
        for argument in arguments:
            if type(argument) is GeneratorType and function.__name__ not in LAZY:
                arguments = tuple(map(self.as_row, arguments))
                break
        try:
            result = function(*arguments, **words)
        except TypeError:
            _check_arguments(function, arguments, words)
            raise
        if method and type(result) is tuple and function.__name__ not in KEPT:
            cells = [part for part in result if type(part) is Cells] if Cells in set(map(type, result)) else ()
            sliced = function.__name__ in SLICED
            self.spend(len(result) + sum((len(part) >> 4 if sliced else 3 * len(part)) + 5 for part in cells))
        return result

    def once(self, results: dict[int, Any], number: int, call: Callable[[], Any]) -> Any:
        """Return the result of a call that is the same in each turn of a loop.

        A stream is made anew, and so is a result that has a value only under a condition.
        """
        if number in results:
            return results[number]
        before = len(self.demands)
        result = call()
        if type(result) is not GeneratorType and len(self.demands) == before:
            results[number] = result
        return result


def _check_arguments(function: Callable[..., Any], arguments: tuple[Any, ...], words: Mapping[str, Any]) -> None:
    """Raise ExpressionError if the function does not take these arguments."""
    if wrong := misfit(function, len(arguments), words):
        raise ExpressionError(*wrong) from None


def misfit(function: Callable[..., Any], count: int, words: Iterable[str]) -> tuple[str, str] | None:
    """Return why a function does not take so many arguments and these words, and how to write it; None if it does."""
    signature = inspect.signature(function)
    try:
        signature.bind(*[None] * count, **dict.fromkeys(words))
    except TypeError as error:
        parameters = ", ".join(str(parameter).split(":")[0] for parameter in signature.parameters.values())
        return f"{function.__name__}: {error}", f"write {function.__name__}({parameters})"
    return None


def _sum(left: Term, right: Term, sign: int) -> Sum:
    """Return left + sign · right. A short sum on the left is extended, not nested."""
    parts: list[tuple[int, Term]] = [(1, left)]
    constant = 0
    if isinstance(left, Constant):
        parts, constant = [], int(left.constant)
    elif isinstance(left, Sum) and len(left.weighted) < limits().rules.merged_terms:
        parts, constant = list(left.weighted), left.constant
    if isinstance(right, Constant):
        return Sum(tuple(parts), constant + sign * int(right.constant))
    return Sum((*parts, (sign, right)), constant)
