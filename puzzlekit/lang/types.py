"""The data types: each reads its value from a YAML node, and says what is wrong at the place where it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.errors import InputError, nearest
from puzzlekit.lang.grids import GridOf, ShapeType
from puzzlekit.lang.scalars import SCALARS, Choice, DataType, Reading, Scalar, WrongValueError, quoted
from puzzlekit.lang.shared import only_rows
from puzzlekit.lang.source import Source, is_empty
from puzzlekit.lang.text import Text
from puzzlekit.words import Lexicon, in_order, load

MOST_TOKENS = 200  # names and signs in a type


@dataclass(frozen=True)
class ListOf(DataType):
    """A YAML list; where its items are single scalars, also lines of block text or items between blanks or commas."""

    item: DataType

    def read(self, node: Node, reading: Reading) -> Any:
        single, block = isinstance(self.item, Scalar | Choice), isinstance(self.item, GridOf | ShapeType)
        if isinstance(node, SequenceNode):
            return tuple([self.item.read(part, reading) for part in node.value])
        if not isinstance(node, ScalarNode) or is_empty(node) or not (single or (node.style == "|" and not block)):
            self.wrong(node, reading)
            return None
        parts = self.parts(node, reading.source)
        if not parts:
            reading.source.problem("this list is empty", node)
        return tuple([self.item.read(part, reading) for part in parts])

    def parts(self, node: Node, source: Source) -> Sequence[Node]:
        """The items as they are written."""
        if not isinstance(node, ScalarNode):
            return list(node.value)
        parts = [node] if str(self.item) == "text" and node.style != "|" else _pieces(node, source)
        return only_rows(parts, source) if self.item is SCALARS["marks"] else parts

    def __str__(self) -> str:
        return f"list[{self.item}]"


@dataclass(frozen=True)
class TupleOf(DataType):
    """So many values, each of its own type: a YAML list; where all are single scalars, also with blanks or commas between."""

    items: tuple[DataType, ...]

    def read(self, node: Node, reading: Reading) -> Any:
        if isinstance(node, SequenceNode):
            parts: Sequence[Node] = node.value
        elif isinstance(node, ScalarNode) and not is_empty(node) and all(isinstance(i, Scalar | Choice) for i in self.items):
            parts = _pieces(node, reading.source)
        else:
            self.wrong(node, reading)
            return None
        if len(parts) != len(self.items):
            number = f"{len(parts)} value{'s' * (len(parts) != 1)}"
            reading.source.problem(f"{self} is wanted here, and this is {number}", node)
            return None
        return tuple([item.read(part, reading) for item, part in zip(self.items, parts)])

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.items))}]"


def _pieces(node: ScalarNode, source: Source) -> list[ScalarNode]:
    """The parts of a scalar as scalars of their own, each with its place: the lines of block text, else what blanks part."""
    text = Text(source, node)
    pattern = r"\S[^\n]*" if node.style == "|" else r"[^\s,]+"
    return [text.part(found.start(), found.group().rstrip()) for found in re.finditer(pattern, text.value)]


@dataclass(frozen=True)
class MapOf(DataType):
    """A YAML mapping."""

    key: DataType
    value: DataType

    def read(self, node: Node, reading: Reading) -> Any:
        if not isinstance(node, MappingNode):
            self.wrong(node, reading)
            return None
        found: dict[Any, Any] = {}
        for text, at, part in reading.source.entries(node, "this mapping"):
            key = self.key.read(at, reading)
            if key in found and key is not None:
                reading.source.problem(f"{text} is the same key as one before", at, "keep one of them")
            found[key] = self.value.read(part, reading)
        return found

    def parts(self, node: Node, source: Source) -> Sequence[Node]:
        """The keys as they are written."""
        return [key for _, key, _ in source.entries(node, "this mapping")]

    def __str__(self) -> str:
        return f"map[{self.key}, {self.value}]"


@dataclass(frozen=True)
class LexiconType(DataType):
    """A lexicon: a name, a path, names joined with +, or a list of words in place."""

    def read(self, node: Node, reading: Reading) -> Any:
        if reading.words is not None:
            return self.load(reading.words, reading, None)
        if isinstance(node, SequenceNode) or (isinstance(node, ScalarNode) and node.style == "|"):
            words = [word for word in ListOf(SCALARS["word"]).read(node, reading) or () if word]
            return Lexicon.from_words("these words", words, in_order(words))
        if not isinstance(node, ScalarNode) or is_empty(node):
            reading.source.problem("a lexicon is a name, a path or a list of words", node)
            return None
        return self.load(str(node.value).strip(), reading, node)

    def load(self, name: str, reading: Reading, at: Node | None) -> Lexicon | None:
        """The lexicon of this name; a problem where there is none."""
        try:
            return load(name, reading.folder, reading.fold_accents)
        except InputError as error:
            reading.source.problem(str(error), at)
            return None

    def __str__(self) -> str:
        return "lexicon"


TOKEN = re.compile(r"\s*(?:(\w+)|([\[\](),|]))")


def parse_type(text: str) -> DataType:
    """The type that the text spells. Raises WrongValueError.

    >>> print(parse_type("grid[int | None]"), parse_type("choice(a, b)"), parse_type("list[list[symbol]]"))
    grid[int | None] choice(a, b) list[list[symbol]]
    """
    return parse_field_type(text)[0]


def parse_field_type(text: str) -> tuple[DataType, bool]:
    """The type that the text spells, and whether the field may be left out. Raises WrongValueError.

    >>> [str(part) for part in parse_field_type("grid[int] ragged | None")]
    ['grid[int] ragged', 'True']
    """
    tokens = [word or sign for word, sign in TOKEN.findall(text)]
    if "".join(tokens) != re.sub(r"\s", "", text) or len(tokens) > MOST_TOKENS:
        raise WrongValueError(f"{quoted(text)} is not a type")
    parser = _TypeParser(tokens)
    found = parser.type()
    optional = parser.may_be_none()
    if parser.tokens:
        raise WrongValueError(f"{quoted(text)} is not a type: {quoted(parser.tokens[0])} is left over")
    return found, optional


class _TypeParser:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def next(self, wanted: str | None = None) -> str:
        if not self.tokens or (wanted is not None and self.tokens[0] != wanted):
            raise WrongValueError(f"this is not a type: {wanted or 'a name'} is missing")
        return self.tokens.pop(0)

    def may_be_none(self) -> bool:
        """Whether `| None` stands here, which is taken."""
        if self.tokens[:1] != ["|"]:
            return False
        self.next()
        self.next("None")
        return True

    def type(self) -> DataType:
        name = self.next()
        if name in SCALARS:
            return SCALARS[name]
        match name:
            case "lexicon":
                return LexiconType()
            case "shape":
                return ShapeType()
            case "list":
                return ListOf(*self._within(1))
            case "tuple":
                if len(items := self._within(1, MOST_TOKENS)) < 2:
                    raise WrongValueError(f"a tuple is of two values or more: {TupleOf(tuple(items))} is of one")
                return TupleOf(tuple(items))
            case "map":
                key, value = self._within(2)
                if not isinstance(key, Scalar | Choice):
                    raise WrongValueError(f"a key is one value, not {key}")
                return MapOf(key, value)
            case "choice":
                return self._choice()
            case "grid":
                return self._grid()
            case _:
                known = [*SCALARS, "lexicon", "shape", "list", "tuple", "map", "choice", "grid"]
                raise WrongValueError(f"{quoted(name)} is not a type; {nearest(name[:100], known)}")

    def _within(self, least: int, most: int = 0) -> Sequence[DataType]:
        """The types in brackets, `least` of them, or up to `most`."""
        self.next("[")
        found = [self._inner()]
        while len(found) < least or (len(found) < most and self.tokens[:1] == [","]):
            self.next(",")
            found.append(self._inner())
        self.next("]")
        return found

    def _inner(self) -> DataType:
        found = self.type()
        if self.may_be_none():
            raise WrongValueError("only the cells of a grid, and a field as a whole, may be None")
        return found

    def _choice(self) -> Choice:
        self.next("(")
        names = [self.next()]
        while self.tokens[:1] == [","]:
            self.next()
            names.append(self.next())
        self.next(")")
        return Choice(tuple(names))

    def _grid(self) -> GridOf:
        self.next("[")
        item = self.type()
        if not isinstance(item, Scalar) or item.name in ("marks", "size"):
            raise WrongValueError(f"a cell holds one value, not {item}")
        empty = self.may_be_none()
        self.next("]")
        ragged = self.tokens[:1] == ["ragged"]
        if ragged:
            self.next()
        return GridOf(item, empty, ragged)
