"""The operations of expressions: they compute with known values and build terms of unknowns.

Turns of loops and sizes of values are counted, so every expression is bounded.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable, Mapping
from types import GeneratorType
from typing import Any, ClassVar

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.errors import nearest
from puzzlekit.lang.expressions.conditions import Conditions, is_row
from puzzlekit.lang.expressions.inference import NUMBERS
from puzzlekit.lang.expressions.values import ATOMS, ExpressionError, Family, NoValueError, is_number, shown, value_type
from puzzlekit.limits import limits
from puzzlekit.model import Constant, Element, Member, Operation, Sum, Term, Variable

LAZY = frozenset({"any", "all", "first"})  # functions that may stop reading a loop early
ROWS = frozenset({tuple, Cells})
ONLY_CELLS = frozenset({Cell})
# attributes of boards that are computed on first use: steps per cell
CALCULATED = dict.fromkeys(("diagonals", "all_diagonals", "rows", "columns", "given", "regions", "adjacent", "touching"), 16)
CALCULATED |= {"edges": 48, "corners": 48}


class Runtime(Conditions):
    """One run of expressions: its operations and its step budget."""

    SIGNS: ClassVar[Mapping[str, Callable[[Any, Any], Any]]] = {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "//": operator.floordiv,
        "%": operator.mod,
    }

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
            "_iterate": self.iterate,
            "_expand": self.expand,
            "_test": self.test,
            "_row": self.row,
            "_set": self.set,
            "_dict": self.dict,
        }

    # arithmetic

    def binary(self, sign: str, left: Any, right: Any) -> Any:
        """`+ - * // %` of numbers. `+` also joins rows, `*` repeats them and `-` subtracts sets."""
        self.spend(1)
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
        if sign == "-" and isinstance(left, frozenset) and isinstance(right, frozenset):
            self.symbolic((left, right))
            return left - right
        if sign == "*":
            row, times = (right, left) if isinstance(left, int) else (left, right)
            if (isinstance(row, str) or is_row(row)) and isinstance(times, int):
                self.spend(len(row) * max(times, 0))
                return row * times if isinstance(row, str) else tuple(row) * times
        raise ExpressionError(f"{sign} is not defined for {shown(left)} and {shown(right)}")

    def number(self, value: Any) -> Term:
        """Return a number as a term. Raises ExpressionError if the value is not a number."""
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

    # access

    def index(self, group: Any, key: Any) -> Any:
        """`group[key]`."""
        self.spend(1)
        of, kind = type(group), type(key)
        if of is Family:  # the most frequent cases come first
            if kind in ATOMS or kind is Cells or (kind is tuple and ATOMS.issuperset(map(type, key))):
                member = group.members.get(key)
                if member is not None:
                    return member
        elif of in ROWS:
            if kind is int and -len(group) <= key < len(group):
                return group[key]
            if kind is slice:
                return self._part(group, key)
        elif of is dict:
            if kind in ATOMS and key in group:
                return group[key]
        elif kind is Cell and isinstance(group, Grid) and key in group.values:
            return group.values[key]
        if isinstance(group, Term):
            raise ExpressionError("an unknown cannot be indexed")
        if isinstance(key, Term):
            return self._element(group, key)
        if isinstance(group, Family):
            return self._member(group, key)
        if isinstance(group, Grid):
            return self._on_board(group, key)
        if isinstance(group, Mapping):
            if self.known(key, "a key") not in group:
                raise NoValueError(f"this mapping has no key {shown(key)}", nearest(shown(key), [shown(k) for k in group]))
            return group[key]
        if not (is_row(group) or isinstance(group, str | range)):
            raise ExpressionError(f"{shown(group)} cannot be indexed")
        if isinstance(key, slice):
            return self._part(group, key)
        if not isinstance(key, int):
            raise ExpressionError(f"expected a number as the position, got {shown(key)}")
        if not -len(group) <= key < len(group):
            where = f"positions run from 0 to {len(group) - 1}" if len(group) else "it is empty"
            raise NoValueError(f"there is no position {shown(key)}: {where}")
        return group[key]

    def _part(self, group: Any, key: slice) -> Any:
        part = group[key]
        self.spend(len(part) if is_row(part) else len(part) >> 4)
        return part

    def _member(self, family: Family, key: Any) -> Any:
        if self.symbolic(key):
            parts = key if is_row(key) and len(key) == family.arity else ()
            unknown = [place for place, part in enumerate(parts) if isinstance(part, Term)]
            if len(unknown) != 1:
                raise ExpressionError("only one part of an index may depend on an unknown")
            place = unknown[0]
            self.spend(len(family))
            fitting = {
                index[place]: member
                for index, member in family.members.items()
                if all(at == place or part == own for at, (part, own) in enumerate(zip(key, index)))
            }
            return self._element(fitting, key[place])
        found = family.at(key)
        if isinstance(found, tuple):
            self.spend(len(found))
        return found

    def _on_board(self, board: Grid, key: Any) -> Any:
        if isinstance(key, Cell):
            if key not in board.values:
                raise NoValueError(f"this board has no cell {key}")
            return board.values[key]
        if not isinstance(key, tuple | frozenset):
            raise ExpressionError(f"expected a cell as the index of a board, got {shown(key)}")
        if isinstance(key, tuple) and ONLY_CELLS.issuperset(map(type, key)) and board.values.keys() >= set(key):
            self.spend(2 * len(key))
            return tuple(map(board.values.__getitem__, key))
        return tuple(self.index(board, cell) for cell in self.iterate(key))

    def _element(self, group: Any, key: Term) -> Term:
        match group:
            case Family():
                pairs = dict(group.members)
            case Grid():
                pairs = dict(group.values)
            case Mapping():
                pairs = dict(group)
            case tuple() | str() | range():
                pairs = self._positions(tuple(self.iterate(group)), key)
            case _:
                raise ExpressionError(f"{shown(group)} cannot be indexed")
        self.spend(len(pairs))
        kinds = self.kinds.of(key)
        if not pairs or (kinds is not None and all(kinds.isdisjoint(self.kinds.of(at) or kinds) for at in pairs)):
            raise ExpressionError(f"no value that {shown(key)} may take is an index of {shown(group)}")
        possible = self.kinds.possible(key)
        if possible is None or not pairs.keys() >= set(possible):
            self.demands.append(Member(key, frozenset(pairs)))
        return Element(tuple(pairs), tuple(self.term(item) for item in pairs.values()), key)

    def _positions(self, row: tuple[Any, ...], key: Term) -> dict[int, Any]:
        """Return the items at positions that the key may take; negative ones count from the end."""
        low, high = self.kinds.bounds(key)
        first = -len(row) if low is None else max(low, -len(row))
        last = len(row) - 1 if high is None else min(high, len(row) - 1)
        reached = range(first, last + 1) or range(len(row))
        return {position: row[position] for position in reached}

    def slice(self, start: Any, stop: Any, step: Any) -> slice:
        """Return the slice of a subscript. Its ends must be known."""
        ends = [None if end is None else self.whole(end, "the end of a slice") for end in (start, stop, step)]
        if ends[2] == 0:
            raise ExpressionError("the step of a slice cannot be 0")
        return slice(*ends)

    def attribute(self, value: Any, name: str) -> Any:
        """Return `value.name`, if the registered type of the value lists this attribute."""
        self.spend(1)
        known = value_type(value)
        if known is not None and known.attributes:
            if name not in known.attributes:
                what = known.type.__name__.lower()
                raise ExpressionError(f"a {what} has no .{name[:40]}", nearest(name[:40], known.attributes))
            if name in CALCULATED and isinstance(value, Grid) and name not in vars(value):
                self.spend(CALCULATED[name] * len(value))
            return getattr(value, name)
        raise ExpressionError(f"{shown(value)} has no .{name[:40]}", "only the documented attributes can be used")

    def call(self, function: Any, /, *arguments: Any, **words: Any) -> Any:
        """Call a function of the language or a method of a value."""
        self.spend(1)
        if not callable(function) or isinstance(function, type):
            raise ExpressionError(f"{shown(function)} is not a function")
        owner = value_type(getattr(function, "__self__", None))
        method = owner is not None and bool(owner.attributes)
        if method and (self.symbolic(arguments) or (words and self.symbolic(words))):
            raise ExpressionError(f"the arguments of {function.__name__} cannot depend on an unknown")
        if GeneratorType in map(type, arguments) and function.__name__ not in LAZY:
            arguments = tuple(map(self.as_row, arguments))
        try:
            result = function(*arguments, **words)
        except TypeError:
            _check_arguments(function, arguments, words)
            raise
        if method and type(result) is tuple:
            self.spend(sum(3 * len(part) + 6 if type(part) is Cells else 1 for part in result))
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
