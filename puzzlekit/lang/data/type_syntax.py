"""The syntax of data types: `grid[int | None] in 0..4`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import nearest
from puzzlekit.lang.data.collections import CellType, GridOf, ListOf, MapOf, TupleOf
from puzzlekit.lang.data.scalars import (
    NUMBERS,
    SCALARS,
    Choice,
    DataType,
    Key,
    MissingWordError,
    OptionalType,
    ScalarType,
    Union,
    WrongValueError,
    quoted,
)
from puzzlekit.source import STRINGS

MOST_TOKENS = 200  # names and signs in a field's type
TOKEN = re.compile(r"\s*(?:(\w+)|([\[\](),|]))")
NAME = re.compile(r"""\s*(?:'([^'\s,()]+)'|"([^"\s,()]+)"|([^\s,()]+))""")
ALTERNATIVE = re.compile(r"\s*\|(?!\s*None\b)")
RANGE = re.compile(r"\s*(-?\w*\.\.-?\w*|(?:between|range)\([^)]*\)?)")
DOMAIN = re.compile(rf"{STRINGS}|\.\.|[\[\](){{}},|]")
IN_CELL = (
    "write grid[T] with int, symbol, letter, choice(a, b), int | choice(x),"
    " or tuple[int, symbol] as T"
)
CURES = {  # what other languages call a type, and what to write instead
    **dict.fromkeys(("none", "null", "nil"), "write None"),
    **dict.fromkeys(("integer", "number", "num"), "write int"),
    **dict.fromkeys(("str", "string"), "write text, or symbol for text without blanks"),
    **dict.fromkeys(("boolean", "flag"), "write bool"),
    **dict.fromkeys(("char", "character"), "write letter"),
    **dict.fromkeys(("dict", "mapping"), "write map[key, value]"),
    **dict.fromkeys(("board", "array", "matrix"), "write grid[…]"),
    **dict.fromkeys(("enum", "Literal"), "write choice(a, b)"),
}
EACH = Key(None)  # the step of `In` to every member
KEYS = Key(...)  # the step to every key of a mapping
# from an unknown name, its usual message and its usual help, to the message and the help to show
Unknown = Callable[[str, str, str], tuple[str, str]]


@dataclass(frozen=True)
class In:
    """What a field, or the values inside it, may hold: `in 0..4`, `in members`.

    Attributes:
        steps: The steps from the field to the values: EACH, KEYS or a position.
        ends: The texts of the two bounds, None for an open one, or only that of the members. Each
            has its offset in the text of the type.
        text: The text after `in`.
        numbers: Whether it restricts only the numbers among other values.
    """

    steps: tuple[Any, ...]
    ends: tuple[tuple[int, str] | None, ...]
    text: str
    numbers: bool = False


@dataclass(frozen=True)
class TypeExpr:
    """A type as a field declares it."""

    type: DataType
    optional: bool
    within: tuple[In, ...]


def parse_field_type(
    text: str, types: Mapping[str, DataType] = SCALARS, unknown: Unknown | None = None
) -> TypeExpr:
    """Return the declared type, whether the field may be left out, and what it may hold.

    Args:
        text: The declaration.
        types: The types that have a name.
        unknown: Returns the message and the help to show for an unknown name, from the usual ones.

    Raises:
        WrongValueError: The text is not a type.

    >>> expr = parse_field_type("grid[int] ragged in 1..n | None")
    >>> str(expr.type), expr.optional, [bounds.text for bounds in expr.within]
    ('grid[int] ragged', True, ['1..n'])
    """
    parser = _TypeParser(text, types, unknown)
    type_ = parser.type(())
    optional = parser.may_be_none()
    rest = text[parser.offset :].strip()
    if rest:
        parser.refuse_mistakes()
        unexpected = quoted(rest.split()[0])
        raise WrongValueError(f"{quoted(text)} is not a type: unexpected {unexpected}")
    return TypeExpr(type_, optional, tuple(parser.within))


class _TypeParser:
    def __init__(self, text: str, types: Mapping[str, DataType], unknown: Unknown | None) -> None:
        self.text = text
        self.types = types
        self.unknown = unknown
        self.offset = 0  # everything before this offset was read
        self.tokens_read = 0
        self.within: list[In] = []

    def rest(self) -> str:
        """Return the text that was not read yet."""
        return self.text[self.offset :]

    def ahead(self) -> str:
        """Return the next name or sign; empty at the end."""
        match = TOKEN.match(self.text, self.offset)
        return match[1] or match[2] if match else ""

    def next(self, expected: str | None = None) -> str:
        """Take the next name or sign. Raises WrongValueError if it is not as expected."""
        match = TOKEN.match(self.text, self.offset)
        self.tokens_read += 1
        self.refuse_mistakes()
        if self.tokens_read > MOST_TOKENS or (match is None and self.rest().strip()):
            raise WrongValueError(f"{quoted(self.text)} is not a type")
        token = self.ahead()
        if match is None or (expected is not None and token != expected):
            raise MissingWordError(expected or "a name")
        self.offset = match.end()
        return token

    def refuse_mistakes(self) -> None:
        """Raise WrongValueError if a ? comes next, as other languages write for None, or a range
        without its `in`.
        """
        if self.rest().lstrip().startswith("?"):
            raise WrongValueError(
                "? is not part of a type:"
                " write | None after the type of a value that may be missing"
            )
        match = RANGE.match(self.text, self.offset)
        if match is not None:
            raise WrongValueError(
                f"{match[1]} is a range: write a type and `in` before it, as in int in {match[1]}"
            )

    def may_be_none(self) -> bool:
        """Take `| None` if it comes next. Return whether it did."""
        if self.ahead() != "|":
            return False
        self.next()
        self.next("None")
        if self.ahead() == "|":
            raise WrongValueError("None stands last, as in int | choice(?) | None")
        return True

    def type(self, steps: tuple[Any, ...]) -> DataType:
        """Take a type, or several with `|` between them, each with its `in`.

        The steps lead to it from the field.
        """
        before = len(self.within)
        types = [self._restricted(steps)]
        while ALTERNATIVE.match(self.text, self.offset):
            self.next("|")
            types.append(self._restricted(steps))
        if len(types) == 1:
            return types[0]
        union = _union(types)
        numbers = _mixed(union)
        restrictions = self.within[before:]
        self.within[before:] = [replace(bounds, numbers=numbers) for bounds in restrictions]
        return union

    def _restricted(self, steps: tuple[Any, ...]) -> DataType:
        """Take a type and its `in`."""
        type_ = self._type(steps)
        if self.ahead() == "in":
            self.next()
            self.within.append(replace(self._domain(steps), numbers=_mixed(type_)))
        return type_

    def _domain(self, steps: tuple[Any, ...]) -> In:
        """Take the bounds or members after `in`, up to the sign that ends this type."""
        start = self.offset
        self.offset = len(self.text)
        depth = 0
        dots: int | None = None  # the offset of the two dots between bounds
        for match in DOMAIN.finditer(self.text, start):
            sign = match.group()
            if not depth and sign in ("]", ",", "|"):
                self.offset = match.start()
                break
            if sign in "([{":
                depth += 1
            elif sign in ")]}":
                depth -= 1
            if sign == ".." and not depth and dots is None:
                dots = match.start()
        text = self.text[start : self.offset]
        if dots is None:
            ends: tuple[tuple[int, str] | None, ...] = (_trimmed(start, text),)
        else:
            low, high = self.text[start:dots], self.text[dots + 2 : self.offset]
            ends = (_trimmed(start, low), _trimmed(dots + 2, high))
        if not any(ends):
            raise WrongValueError(
                "expected a range or a collection after `in`: 0..4, 1.. or a name"
            )
        return In(steps, ends, text.strip())

    def _type(self, steps: tuple[Any, ...]) -> DataType:
        name = self.next()
        if name in self.types:
            return self.types[name]
        match name:
            case "list":
                (item,) = self._in_brackets([(*steps, EACH)])
                return ListOf(item)
            case "tuple":
                return self._tuple(steps)
            case "map":
                key, value = self._in_brackets([(*steps, KEYS), (*steps, EACH)])
                if not isinstance(key, ScalarType):
                    raise WrongValueError(f"expected a single value as a key, got {key}")
                return MapOf(key, value)
            case "choice":
                return self._choice()
            case "grid":
                return self._grid(steps)
            case "None":
                raise WrongValueError("None stands last, as in int | None")
            case _:
                raise self._unknown_name(name)

    def _unknown_name(self, name: str) -> WrongValueError:
        names = [*self.types, "list", "tuple", "map", "choice", "grid"]
        message = f"{quoted(name)} is not a type"
        help = CURES.get(name) or nearest(name[:100], names)
        if self.unknown is not None:
            message, help = self.unknown(name, message, help)
        return WrongValueError(f"{message}; {help}")

    def _in_brackets(self, paths: list[tuple[Any, ...]]) -> list[DataType]:
        """Take the types in brackets, one for each path of steps from the field."""
        self.next("[")
        types: list[DataType] = []
        for path in paths:
            if types:
                self.next(",")
            types.append(self._optional_type(path))
        self.next("]")
        return types

    def _tuple(self, steps: tuple[Any, ...]) -> TupleOf:
        """Take the types of a tuple in brackets."""
        self.next("[")
        types = [self._optional_type((*steps, 0))]
        while self.ahead() == ",":
            self.next(",")
            types.append(self._optional_type((*steps, len(types))))
        self.next("]")
        type_ = TupleOf(tuple(types))
        if len(types) < 2:
            raise WrongValueError(f"a tuple has two values or more, but {type_} has one")
        return type_

    def _optional_type(self, steps: tuple[Any, ...]) -> DataType:
        """Take a type, perhaps with `| None`."""
        type_ = self.type(steps)
        return OptionalType(type_) if self.may_be_none() else type_

    def _choice(self) -> Choice:
        self.next("(")
        names = [self._name()]
        while self.ahead() == ",":
            self.next()
            names.append(self._name())
        self.next(")")
        return Choice(tuple(names))

    def _name(self) -> str:
        """Take a name of a choice: anything without blanks, commas and parentheses, in quotes or
        not.
        """
        match = NAME.match(self.text, self.offset)
        if match is None:
            raise MissingWordError("a name")
        self.offset = match.end()
        return match[1] or match[2] or match[3]

    def _grid(self, steps: tuple[Any, ...]) -> GridOf:
        self.next("[")
        item = self.type((*steps, EACH))
        empty = self.may_be_none()
        self.next("]")
        singles = item.items if isinstance(item, TupleOf) else (item,)
        if not all(map(_in_cell, singles)):
            raise WrongValueError(
                f"a cell holds a value or a tuple of values, not {item}; {IN_CELL}"
            )
        ragged = self.ahead() == "ragged"
        if ragged:
            self.next()
        assert isinstance(item, ScalarType | TupleOf)
        return GridOf(item, empty, ragged)


def _union(items: list[DataType]) -> Union:
    """Return the type of values that have one of these types. Raises WrongValueError."""
    singles: list[ScalarType] = []
    for item in items:
        if not isinstance(item, ScalarType) or not item.in_cell:
            raise WrongValueError(
                "only single values can stand beside |,"
                f" such as int | choice(?, x) or int | symbol, not {item}"
            )
        singles.append(item)
    for position, item in enumerate(singles):
        if item in singles[:position]:
            raise WrongValueError(f"{item} stands beside | twice")
    for item in singles[:-1]:
        if str(item) in ("text", "symbol"):
            raise WrongValueError(f"{item} reads any value: write it last, after {singles[-1]}")
    return Union(tuple(singles))


def _mixed(type_: DataType | CellType) -> bool:
    """Return whether a value of this type, or one inside, may be a number or something else."""
    match type_:
        case Union(items):
            return any(str(item) in NUMBERS for item in items)
        case ListOf(item) | OptionalType(item) | GridOf(item) | MapOf(_, item):
            return _mixed(item)
        case TupleOf(items):
            return any(map(_mixed, items))
        case _:
            return False


def _in_cell(type_: DataType) -> bool:
    """Return whether a cell may hold such a value, alone or in a tuple."""
    item = type_.item if isinstance(type_, OptionalType) else type_
    return isinstance(item, ScalarType) and item.in_cell


def _trimmed(offset: int, text: str) -> tuple[int, str] | None:
    """Return a text without the blanks around it, with its offset; None if it is blank."""
    trimmed = text.strip()
    if not trimmed:
        return None
    blanks = len(text) - len(text.lstrip())
    return offset + blanks, trimmed
