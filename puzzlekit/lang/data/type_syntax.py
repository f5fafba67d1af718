"""The syntax of data types: `grid[int | None] in 0..4`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

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
IN_CELL = "write grid[T] with int, symbol, letter, choice(a, b), int | choice(x), or tuple[int, symbol] as T"
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
EACH = Key(None)  # the step of `In` to every part
KEYS = Key(...)  # the step to every key of a mapping
# from an unknown name, its usual message and its usual help, to the message and the help to show
Unknown = Callable[[str, str, str], tuple[str, str]]


@dataclass(frozen=True)
class In:
    """What a part of a field may hold: `in 0..4`, `in members`.

    Attributes:
        steps: The steps from the field to the part: EACH, KEYS or a position.
        ends: The texts of the two bounds, None for an open one, or only that of the members. Each
            has its offset in the text of the type.
        text: What stands after `in`.
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

    >>> found = parse_field_type("grid[int] ragged in 1..n | None")
    >>> str(found.type), found.optional, [bounds.text for bounds in found.within]
    ('grid[int] ragged', True, ['1..n'])
    """
    parser = _TypeParser(text, types, unknown)
    found = parser.type(())
    optional = parser.may_be_none()
    if rest := text[parser.at :].strip():
        parser.refuse_mistakes()
        raise WrongValueError(f"{quoted(text)} is not a type: unexpected {quoted(rest.split()[0])}")
    return TypeExpr(found, optional, tuple(parser.within))


class _TypeParser:
    def __init__(self, text: str, types: Mapping[str, DataType], unknown: Unknown | None) -> None:
        self.text = text
        self.types = types
        self.unknown = unknown
        self.at = 0  # everything before this offset was read
        self.read = 0  # the number of names and signs that were read
        self.within: list[In] = []

    def ahead(self) -> str:
        """Return the next name or sign; empty at the end."""
        found = TOKEN.match(self.text, self.at)
        return found[1] or found[2] if found else ""

    def next(self, expected: str | None = None) -> str:
        found = TOKEN.match(self.text, self.at)
        self.read += 1
        self.refuse_mistakes()
        if (found is None and self.text[self.at :].strip()) or self.read > MOST_TOKENS:
            raise WrongValueError(f"{quoted(self.text)} is not a type")
        token = self.ahead()
        if found is None or (expected is not None and token != expected):
            raise MissingWordError(expected or "a name")
        self.at = found.end()
        return token

    def refuse_mistakes(self) -> None:
        """Raise WrongValueError if a ? comes next, as other languages write for None, or a range
        without its `in`.
        """
        if self.text[self.at :].lstrip().startswith("?"):
            raise WrongValueError(
                "? is not part of a type: write | None after the type of a value that may be missing"
            )
        if found := RANGE.match(self.text, self.at):
            raise WrongValueError(
                f"{found[1]} is a range: write a type and `in` before it, as in int in {found[1]}"
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
        found = [self._restricted(steps)]
        while ALTERNATIVE.match(self.text, self.at):
            self.next("|")
            found.append(self._restricted(steps))
        if len(found) == 1:
            return found[0]
        union = _union(found)
        self.within[before:] = [
            replace(bounds, numbers=_mixed(union)) for bounds in self.within[before:]
        ]
        return union

    def _restricted(self, steps: tuple[Any, ...]) -> DataType:
        """Take a type and its `in`."""
        found = self._type(steps)
        if self.ahead() == "in":
            self.next()
            self.within.append(replace(self._domain(steps), numbers=_mixed(found)))
        return found

    def _domain(self, steps: tuple[Any, ...]) -> In:
        """Take the bounds or members after `in`, up to the sign that ends this type."""
        begin, depth, dots = self.at, 0, -1
        self.at = len(self.text)
        for found in DOMAIN.finditer(self.text, begin):
            sign = found.group()
            if not depth and sign in ("]", ",", "|"):
                self.at = found.start()
                break
            depth += (sign in "([{") - (sign in ")]}")
            if sign == ".." and not depth and dots < 0:
                dots = found.start()
        text = self.text[begin : self.at]
        if dots < 0:
            ends: tuple[tuple[int, str] | None, ...] = (_trimmed(begin, text),)
        else:
            ends = (
                _trimmed(begin, self.text[begin:dots]),
                _trimmed(dots + 2, self.text[dots + 2 : self.at]),
            )
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
                return ListOf(*self._within([(*steps, EACH)]))
            case "tuple":
                if len(items := self._within([(*steps, 0)], steps)) < 2:
                    raise WrongValueError(
                        f"a tuple has two values or more, but {TupleOf(tuple(items))} has one"
                    )
                return TupleOf(tuple(items))
            case "map":
                key, value = self._within([(*steps, KEYS), (*steps, EACH)])
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
                known = [*self.types, "list", "tuple", "map", "choice", "grid"]
                message, help = (
                    f"{quoted(name)} is not a type",
                    CURES.get(name) or nearest(name[:100], known),
                )
                raise WrongValueError(
                    "; ".join(
                        self.unknown(name, message, help) if self.unknown else (message, help)
                    )
                )

    def _within(
        self, parts: list[tuple[Any, ...]], more: tuple[Any, ...] | None = None
    ) -> list[DataType]:
        """Take the types in brackets.

        There is one for each of the steps in `parts`, or any number at positions after `more`.
        """
        self.next("[")
        found: list[DataType] = []
        while len(found) < len(parts) or (more is not None and self.ahead() == ","):
            if found:
                self.next(",")
            inner = self.type(parts[len(found)] if more is None else (*more, len(found)))
            found.append(OptionalType(inner) if self.may_be_none() else inner)
        self.next("]")
        return found

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
        found = NAME.match(self.text, self.at)
        if found is None:
            raise MissingWordError("a name")
        self.at = found.end()
        return found[1] or found[2] or found[3]

    def _grid(self, steps: tuple[Any, ...]) -> GridOf:
        self.next("[")
        item = self.type((*steps, EACH))
        empty = self.may_be_none()
        self.next("]")
        parts = item.items if isinstance(item, TupleOf) else (item,)
        if not all(_in_cell(part) for part in parts):
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
    singles = [item for item in items if isinstance(item, ScalarType) and item.in_cell]
    if len(singles) < len(items):
        other = next(item for item in items if item not in singles)
        raise WrongValueError(
            f"only single values can stand beside |, such as int | choice(?, x) or int | symbol, not {other}"
        )
    if len(set(singles)) < len(singles):
        twice = next(item for at, item in enumerate(singles) if item in singles[:at])
        raise WrongValueError(f"{twice} stands beside | twice")
    for item in singles[:-1]:
        if str(item) in ("text", "symbol"):
            raise WrongValueError(f"{item} reads any value: write it last, after {singles[-1]}")
    return Union(tuple(singles))


def _mixed(kind: DataType | CellType) -> bool:
    """Return whether a value of this type, or a part of it, may be a number or something else."""
    match kind:
        case Union(items):
            return any(str(item) in NUMBERS for item in items)
        case ListOf(item) | OptionalType(item) | GridOf(item) | MapOf(_, item):
            return _mixed(item)
        case TupleOf(items):
            return any(map(_mixed, items))
        case _:
            return False


def _in_cell(kind: DataType) -> bool:
    """Return whether a cell may hold such a value, alone or in a tuple."""
    item = kind.item if isinstance(kind, OptionalType) else kind
    return isinstance(item, ScalarType) and item.in_cell


def _trimmed(offset: int, text: str) -> tuple[int, str] | None:
    """Return a text without the blanks around it, with its offset; None if it is blank."""
    return (offset + len(text) - len(text.lstrip()), text.strip()) if text.strip() else None
