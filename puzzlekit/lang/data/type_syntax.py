"""How types of data are spelled: `grid[int | None] in 0..4`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from puzzlekit.errors import nearest
from puzzlekit.lang.data.collections import ListOf, MapOf, TupleOf
from puzzlekit.lang.data.grids import GridOf
from puzzlekit.lang.data.locations import Key
from puzzlekit.lang.data.scalars import SCALARS, Choice, DataType, Maybe, Single, WrongValueError, quoted
from puzzlekit.limits import limits

TOKEN = re.compile(r"\s*(?:(\w+)|([\[\](),|]))")
NAME = re.compile(r"\s*([^\s,()]+)")
QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
DOMAIN = re.compile(rf"{QUOTED}|\.\.|[\[\](){{}},|]")
EACH = Key(None)  # the step of `In` that stands for every part
KEYS = Key(...)  # and for every key of a mapping
Unknown = Callable[[str, str, str], tuple[str, str]]  # of a name, a message and a hint: those to show


@dataclass(frozen=True)
class In:
    """What a part of a field may hold: `in 0..4`, `in members`.

    `steps` lead to the part: EACH, KEYS or a position. `ends` are the texts of the bounds, each with its offset in the text of
    the type, None for one that is left out; for members, `ends` is their text alone.
    """

    steps: tuple[Any, ...]
    ends: tuple[tuple[int, str] | None, ...]
    text: str


@dataclass(frozen=True)
class Spelled:
    """A type as a field declares it."""

    type: DataType
    optional: bool
    within: tuple[In, ...]


def parse_type(text: str, types: Mapping[str, DataType] = SCALARS) -> DataType:
    """The type that the text spells, made of these types. Raises WrongValueError.

    >>> print(parse_type("grid[int | None]"), parse_type("choice(a, b)"), parse_type("list[list[symbol]]"))
    grid[int | None] choice(a, b) list[list[symbol]]
    """
    return parse_field_type(text, types).type


def parse_field_type(text: str, types: Mapping[str, DataType] = SCALARS, unknown: Unknown | None = None) -> Spelled:
    """The type that the text spells, whether the field may be left out, and what it may hold. Raises WrongValueError.

    `types` are the types that have a name. For a name that is none of them, `unknown` says what the error says instead of a
    message and a hint.

    >>> found = parse_field_type("grid[int] ragged in 1..n | None")
    >>> str(found.type), found.optional, [bounds.text for bounds in found.within]
    ('grid[int] ragged', True, ['1..n'])
    """
    parser = _TypeParser(text, types, unknown)
    found = parser.type(())
    optional = parser.may_be_none()
    if rest := text[parser.at :].strip():
        raise WrongValueError(f"{quoted(text)} is not a type: unexpected {quoted(rest.split()[0])}")
    return Spelled(found, optional, tuple(parser.within))


class _TypeParser:
    def __init__(self, text: str, types: Mapping[str, DataType], unknown: Unknown | None) -> None:
        self.text = text
        self.types = types
        self.unknown = unknown
        self.at = 0  # what is before this is read
        self.read = 0  # names and signs
        self.within: list[In] = []

    def ahead(self) -> str:
        """The next name or sign; empty where there is none."""
        found = TOKEN.match(self.text, self.at)
        return found[1] or found[2] if found else ""

    def next(self, wanted: str | None = None) -> str:
        found = TOKEN.match(self.text, self.at)
        self.read += 1
        if (found is None and self.text[self.at :].strip()) or self.read > limits().reading.type_tokens:
            raise WrongValueError(f"{quoted(self.text)} is not a type")
        token = self.ahead()
        if found is None or (wanted is not None and token != wanted):
            raise WrongValueError(f"this is not a type: {wanted or 'a name'} is missing")
        self.at = found.end()
        return token

    def may_be_none(self) -> bool:
        """Whether `| None` stands here, which is taken."""
        if self.ahead() != "|":
            return False
        self.next()
        self.next("None")
        return True

    def type(self, steps: tuple[Any, ...]) -> DataType:
        """A type, with what it may hold; `steps` lead to it from the field."""
        found = self._type(steps)
        if self.ahead() == "in":
            self.next()
            self.within.append(self._domain(steps))
        return found

    def _domain(self, steps: tuple[Any, ...]) -> In:
        """The bounds or members behind `in`: up to what closes the type around it, or goes on behind this one."""
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
            ends = _trimmed(begin, self.text[begin:dots]), _trimmed(dots + 2, self.text[dots + 2 : self.at])
        if not any(ends):
            raise WrongValueError("expected a range or a collection after `in`: 0..4, 1.. or a name")
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
                    raise WrongValueError(f"a tuple has two values or more, but {TupleOf(tuple(items))} has one")
                return TupleOf(tuple(items))
            case "map":
                key, value = self._within([(*steps, KEYS), (*steps, EACH)])
                if not isinstance(key, Single):
                    raise WrongValueError(f"expected a single value as a key, got {key}")
                return MapOf(key, value)
            case "choice":
                return self._choice()
            case "grid":
                return self._grid(steps)
            case _:
                known = [*self.types, "list", "tuple", "map", "choice", "grid"]
                message, hint = f"{quoted(name)} is not a type", nearest(name[:100], known)
                raise WrongValueError("; ".join(self.unknown(name, message, hint) if self.unknown else (message, hint)))

    def _within(self, parts: list[tuple[Any, ...]], more: tuple[Any, ...] | None = None) -> list[DataType]:
        """The types in brackets, one for each of the steps, or any number from one for the positions behind `more`."""
        self.next("[")
        found: list[DataType] = []
        while len(found) < len(parts) or (more is not None and self.ahead() == ","):
            if found:
                self.next(",")
            inner = self.type(parts[len(found)] if more is None else (*more, len(found)))
            found.append(Maybe(inner) if self.may_be_none() else inner)
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
        """A name of a choice: anything without blanks, commas and parentheses."""
        found = NAME.match(self.text, self.at)
        if found is None:
            raise WrongValueError("this is not a type: a name is missing")
        self.at = found.end()
        return found[1]

    def _grid(self, steps: tuple[Any, ...]) -> GridOf:
        self.next("[")
        item = self.type((*steps, EACH))
        empty = self.may_be_none()
        self.next("]")
        parts = item.items if isinstance(item, TupleOf) else (item,)
        if not all(_in_cell(part) for part in parts):
            raise WrongValueError(f"a cell holds a value or a tuple of values, not {item}")
        ragged = self.ahead() == "ragged"
        if ragged:
            self.next()
        assert isinstance(item, Single | TupleOf)
        return GridOf(item, empty, ragged)


def _in_cell(kind: DataType) -> bool:
    """Whether a value can stand in a cell, or be a part of what does."""
    item = kind.item if isinstance(kind, Maybe) else kind
    return isinstance(item, Single) and item.in_cell


def _trimmed(offset: int, text: str) -> tuple[int, str] | None:
    """A text without the blanks around it, with its offset; None where nothing is left."""
    return (offset + len(text) - len(text.lstrip()), text.strip()) if text.strip() else None
