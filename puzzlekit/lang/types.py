"""The data types: each reads its value from a YAML node, and says what is wrong at the place where it is."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import InputError, Place, nearest
from puzzlekit.lang.source import Source, is_empty, kind_of
from puzzlekit.lang.values import Size
from puzzlekit.words import Lexicon, fold, load, read_mark

LARGEST_SIDE = 200  # rows or columns of a board
LARGEST_INT = 10**15


class WrongValueError(Exception):
    """The text of a scalar is no value of the type; the message says what would be."""


@dataclass(frozen=True)
class Reading:
    """Where a value is read: its source, and the lexicon that the command line asks for instead."""

    source: Source
    words: str | None = None
    folder: Path | None = None


class DataType(ABC):
    """A type of data. `read` gives the value, or None with a problem noted."""

    @abstractmethod
    def read(self, node: Node, reading: Reading) -> Any: ...


@dataclass(frozen=True)
class Scalar(DataType):
    """A type whose value is written as one scalar."""

    name: str
    convert: Callable[[str], Any]

    def read(self, node: Node, reading: Reading) -> Any:
        if not isinstance(node, ScalarNode):
            reading.source.problem(f"{self.name} is wanted here, and this is {kind_of(node)}", node)
            return None
        try:
            return self.convert(str(node.value).strip())
        except WrongValueError as error:
            reading.source.problem(str(error), node)
            return None

    def __str__(self) -> str:
        return self.name


def _int(text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,16}", text, re.ASCII) or abs(int(text)) > LARGEST_INT:
        raise WrongValueError(f"{_quoted(text)} is not a whole number (of at most 15 digits)")
    return int(text)


def _bool(text: str) -> bool:
    if text not in ("true", "false", "yes", "no"):
        raise WrongValueError(f"{_quoted(text)} is not true or false")
    return text in ("true", "yes")


def _letter(text: str) -> str:
    letter = fold(text)
    if len(letter) != 1 or not letter.isalpha():
        raise WrongValueError(f"{_quoted(text)} is not a letter")
    return letter


def _word(text: str) -> str:
    word = fold(text)
    if not word.isalpha():
        raise WrongValueError(f"{_quoted(text)} is not a word: it has a character that is no letter" if text else "a word is missing")
    return word


def _symbol(text: str) -> str:
    if not text or len(text.split()) != 1:
        raise WrongValueError(f"{_quoted(text)} is not a symbol: a symbol has no blanks")
    return text


def _size(text: str) -> Size:
    found = re.fullmatch(r"([0-9]{1,3})\s*[x×]\s*([0-9]{1,3})", text)
    if not found or not int(found[1]) or not int(found[2]):
        raise WrongValueError(f"{_quoted(text)} is not a size: write rows x columns, as in 3x3")
    return Size(int(found[1]), int(found[2]))


def _mark(text: str) -> Any:
    mark = read_mark(text) if len(text) == 1 else None
    if mark is None:
        raise WrongValueError(f"{_quoted(text)} is not a mark: marks are g y b (or w), or 🟩 🟨 ⬛ ⬜")
    return mark


def _marks(text: str) -> tuple[Any, ...]:
    row = tuple(_mark(char) for char in _characters(text) if not char.isspace())
    if not row:
        raise WrongValueError("a row of marks is missing")
    return row


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")


SCALARS = {
    scalar.name: scalar
    for scalar in (
        Scalar("int", _int),
        Scalar("bool", _bool),
        Scalar("text", str),
        Scalar("letter", _letter),
        Scalar("word", _word),
        Scalar("symbol", _symbol),
        Scalar("size", _size),
        Scalar("mark", _mark),
        Scalar("marks", _marks),
    )
}


@dataclass(frozen=True)
class Choice(DataType):
    """One of a few names."""

    names: tuple[str, ...]

    def read(self, node: Node, reading: Reading) -> Any:
        text = str(node.value).strip() if isinstance(node, ScalarNode) else ""
        if text in self.names:
            return text
        reading.source.problem(f"{_quoted(text)} is none of {', '.join(self.names)}", node, nearest(text, self.names))
        return None

    def __str__(self) -> str:
        return f"choice({', '.join(self.names)})"


@dataclass(frozen=True)
class ListOf(DataType):
    """A YAML list; where its items are single scalars, also lines of block text or items between blanks or commas."""

    item: DataType

    def read(self, node: Node, reading: Reading) -> Any:
        if isinstance(node, ScalarNode) and isinstance(self.item, Scalar | Choice) and not is_empty(node):
            nodes: Sequence[Node] = _pieces(node, reading.source, by_line=node.style == "|")
        elif isinstance(node, ScalarNode) and isinstance(self.item, ListOf) and node.style == "|":
            nodes = _pieces(node, reading.source, by_line=True)
        elif isinstance(node, SequenceNode):
            nodes = node.value
        else:
            reading.source.problem(f"{self} is wanted here, and this is {kind_of(node)}", node)
            return None
        values = [self.item.read(part, reading) for part in nodes]
        if not values:
            reading.source.problem("this list is empty", node)
        return tuple(values)

    def __str__(self) -> str:
        return f"list[{self.item}]"


def _pieces(node: ScalarNode, source: Source, by_line: bool) -> list[Node]:
    """The parts of a scalar as scalars of their own, each with its place."""
    made: list[Node] = []
    for number, line in enumerate(str(node.value).splitlines()):
        for part in [line.strip()] if by_line else re.split(r"[\s,]+", line.strip()):
            if part:
                line_at, column_at = _place_in(node, source, number, line.find(part))
                mark = yaml.Mark(source.path, 0, line_at, column_at, None, 0)
                made.append(ScalarNode(node.tag, part, mark, mark))
    return made


def _place_in(node: ScalarNode, source: Source, line: int, column: int) -> tuple[int, int]:
    """The line and column in the file, from 0, of a place in a scalar's text."""
    start = node.start_mark
    if node.style not in ("|", ">"):
        return start.line + line, start.column + column + (1 if node.style else 0) if line == 0 else column
    at = start.line + 1 + line
    text = str(node.value).splitlines()[line]
    raw = source.lines[at] if at < len(source.lines) else ""
    return at, column + max(raw.find(text), 0)


@dataclass(frozen=True)
class MapOf(DataType):
    """A YAML mapping."""

    key: DataType
    value: DataType

    def read(self, node: Node, reading: Reading) -> Any:
        if not isinstance(node, MappingNode):
            reading.source.problem(f"{self} is wanted here, and this is {kind_of(node)}", node)
            return None
        entries = reading.source.entries(node, "this mapping")
        return {self.key.read(key, reading): self.value.read(value, reading) for _, key, value in entries}

    def __str__(self) -> str:
        return f"map[{self.key}, {self.value}]"


@dataclass(frozen=True)
class LexiconType(DataType):
    """A lexicon: a name, a path, names joined with +, or a list of words in place."""

    def read(self, node: Node, reading: Reading) -> Any:
        if reading.words is not None:
            return self.load(reading.words, reading, None)
        if isinstance(node, SequenceNode):
            words = ListOf(SCALARS["word"]).read(node, reading) or ()
            return Lexicon.from_words("these words", [word for word in words if word])
        if not isinstance(node, ScalarNode) or is_empty(node):
            reading.source.problem("a lexicon is a name, a path or a list of words", node)
            return None
        if node.style == "|":
            return Lexicon.from_words("these words", str(node.value).split())
        return self.load(str(node.value).strip(), reading, node)

    def load(self, name: str, reading: Reading, at: Node | None) -> Lexicon | None:
        """The lexicon of this name; a problem where there is none."""
        try:
            return load(name, reading.folder)
        except InputError as error:
            reading.source.problem(str(error), at)
            return None

    def __str__(self) -> str:
        return "lexicon"


@dataclass(frozen=True)
class _Line:
    """One line of a scalar's text."""

    source: Source
    node: ScalarNode
    line: int

    def place(self, column: int) -> Place:
        """Where the character at this column stands in the file."""
        return self.source.place(*_place_in(self.node, self.source, self.line, column))


@dataclass(frozen=True)
class GridOf(DataType):
    """Block text, one line a row."""

    item: Scalar
    empty: bool = False
    ragged: bool = False

    def read(self, node: Node, reading: Reading) -> Any:
        source = reading.source
        if isinstance(node, SequenceNode):
            rows = [(str(row.value), row) for row in node.value if isinstance(row, ScalarNode)]
            if len(rows) < len(node.value):
                source.problem("each row of a board is one line of text", node)
                return None
            lines = [text for text, _ in rows]
            places = [_Line(source, row, 0) for _, row in rows]
        elif isinstance(node, ScalarNode) and not is_empty(node):
            lines = str(node.value).splitlines()
            places = [_Line(source, node, number) for number in range(len(lines))]
        else:
            source.problem("a board is block text, one line a row (begin with |)", node)
            return None
        while lines and not lines[-1].strip():
            lines.pop()
        while lines and not lines[0].strip():
            lines, places = lines[1:], places[1:]
        return self._of_lines([unicodedata.normalize("NFC", line) for line in lines], places, node, source)

    def _of_lines(self, lines: list[str], places: list[_Line], node: Node, source: Source) -> Grid | None:
        rows = self._split(lines)
        width = max((len(row) for row in rows), default=0)
        if not width:
            source.problem("this board has no cells", node)
            return None
        if len(rows) > LARGEST_SIDE or width > LARGEST_SIDE:
            source.problem(f"a board has at most {LARGEST_SIDE} rows and columns", node)
            return None
        values: dict[Cell, Any] = {}
        sound = True
        for r, row in enumerate(rows):
            if len(row) != len(rows[0]) and not self.ragged:
                source.problem(
                    f"row {r + 1} has {len(row)} cells, and row 1 has {len(rows[0])}", places[r].place(0), "write _ where there is a hole"
                )
                sound = False
                continue
            for c, (column, text) in enumerate(row):
                if text == "_" or text.isspace() or (text == "." and not self.empty):
                    continue
                if text == ".":
                    values[Cell(r + 1, c + 1)] = None
                    continue
                try:
                    values[Cell(r + 1, c + 1)] = self.item.convert(text)
                except WrongValueError as error:
                    source.problem(str(error), places[r].place(column))
                    sound = False
        if sound and not values:
            source.problem("this board has no cells", node)
            return None
        return Grid(values) if sound else None

    def _split(self, lines: list[str]) -> list[list[tuple[int, str]]]:
        """Each row as its cells, each with the column of the text at which it stands."""
        wide = self.item.name not in ("letter", "mark")
        spaced = [_spaced(line) for line in lines if line.strip()]
        if wide and any(" " in line.strip() for line in lines):
            return [[(m.start(), m.group()) for m in re.finditer(r"\S+", line)] for line in lines]
        if not wide and spaced and all(spaced):
            return [[(m.start(), m.group()) for m in re.finditer(r"\S+", line)] for line in lines]
        return [_with_columns(line.rstrip()) for line in lines]

    def __str__(self) -> str:
        return f"grid[{self.item}{' | None' if self.empty else ''}]{' ragged' if self.ragged else ''}"


def _characters(text: str) -> list[str]:
    """The characters, without the marks that only say how the one before is drawn (variation selectors)."""
    return [char for char in text if char not in "\ufe0e\ufe0f\u200d"]


def _with_columns(line: str) -> list[tuple[int, str]]:
    return [(column, char) for column, char in enumerate(line) if char not in "\ufe0e\ufe0f\u200d"]


def _spaced(line: str) -> bool:
    """Whether cells and blanks alternate: `S I I`."""
    characters = _characters(line.strip())
    return len(characters) > 1 and all((char == " ") == (place % 2 == 1) for place, char in enumerate(characters))


TOKEN = re.compile(r"\s*(?:(\w+)|([\[\](),|]))")


def parse_type(text: str) -> DataType:
    """The type that the text spells. Raises WrongValueError.

    >>> print(parse_type("grid[int | None]"), parse_type("choice(a, b)"), parse_type("list[list[symbol]]"))
    grid[int | None] choice(a, b) list[list[symbol]]
    """
    tokens = TOKEN.findall(text)
    if "".join(word or sign for word, sign in tokens) != re.sub(r"\s", "", text):
        raise WrongValueError(f"{_quoted(text)} is not a type")
    parser = _TypeParser([word or sign for word, sign in tokens])
    found = parser.type()
    if parser.tokens:
        raise WrongValueError(f"{_quoted(text)} is not a type: {_quoted(parser.tokens[0])} is left over")
    return found


class _TypeParser:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def next(self, wanted: str | None = None) -> str:
        if not self.tokens or (wanted is not None and self.tokens[0] != wanted):
            raise WrongValueError(f"this is not a type: {wanted or 'a name'} is missing")
        return self.tokens.pop(0)

    def type(self) -> DataType:
        name = self.next()
        if name in SCALARS:
            return SCALARS[name]
        match name:
            case "lexicon":
                return LexiconType()
            case "list":
                self.next("[")
                item = self.type()
                self.next("]")
                return ListOf(item)
            case "map":
                self.next("[")
                key = self.type()
                self.next(",")
                value = self.type()
                self.next("]")
                return MapOf(key, value)
            case "choice":
                return self._choice()
            case "grid":
                return self._grid()
            case _:
                pass
        known = [*SCALARS, "lexicon", "list", "map", "choice", "grid"]
        raise WrongValueError(f"{_quoted(name)} is not a type; {nearest(name, known)}")

    def _choice(self) -> Choice:
        self.next("(")
        names = [self.next()]
        while self.tokens and self.tokens[0] == ",":
            self.next()
            names.append(self.next())
        self.next(")")
        return Choice(tuple(names))

    def _grid(self) -> GridOf:
        self.next("[")
        item = self.type()
        if not isinstance(item, Scalar):
            raise WrongValueError(f"a cell holds one value, not {item}")
        empty = bool(self.tokens) and self.tokens[0] == "|"
        if empty:
            self.next()
            self.next("None")
        self.next("]")
        ragged = bool(self.tokens) and self.tokens[0] == "ragged"
        if ragged:
            self.next()
        return GridOf(item, empty, ragged)
