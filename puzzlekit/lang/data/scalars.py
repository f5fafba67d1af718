"""Scalars: values that are written as one piece of text, read as the type that a field declares."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from yaml.nodes import Node, ScalarNode

from puzzlekit.errors import nearest
from puzzlekit.lang.data.locations import Places
from puzzlekit.lang.expressions.values import Size
from puzzlekit.lang.source import Source, is_empty, kind_of
from puzzlekit.limits import limits

SELECTORS = "\ufe0e\ufe0f"  # they only say how the character before is drawn
JOINER = "\u200d"


class WrongValueError(Exception):
    """The text of a scalar is no value of the type; the message says what would be."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.hint = hint
        super().__init__(message)


@dataclass(frozen=True)
class Reading:
    """Where a value is read: its source, what was said beside the spec, and the width to which one line is folded."""

    source: Source
    folder: Path | None = None  # in which files are looked for
    columns: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)  # what a program says beside the spec, by name
    by_name: bool = False  # whether the value itself was said beside the spec
    path: tuple[Any, ...] = ()  # the field, and the part of it that is read
    places: Places = field(default_factory=Places)

    def on(self, step: Any, node: Node) -> Reading:
        """The reading of a part of this value, whose place is kept."""
        inner = replace(self, path=(*self.path, step))
        self.places.note(inner.path, partial(self.source.start, node))
        return inner


class DataType(ABC):
    """A type of data. `read` gives the value, or None with a problem noted."""

    @abstractmethod
    def read(self, node: Node, reading: Reading) -> Any: ...

    costly: ClassVar[bool] = False  # whether a default is read only for a puzzle that needs it
    close: ClassVar[bool] = False  # whether a value is one character, so that a row of them may be written without blanks

    @property
    def single(self) -> bool:
        """Whether a value is written as one scalar."""
        return False

    def pieces(self, node: ScalarNode, reading: Reading) -> Sequence[ScalarNode] | None:
        """The items of a list of this type that is written as one scalar; None where blanks or lines part them."""
        return None

    def spelled(self, value: Any) -> str | None:
        """The text of a value that would else be written as several."""
        return None

    def beside(self, board: Any, own: Any, node: Node, reading: Reading, beside: Reading) -> tuple[Any, Any] | None:
        """A board and one of this type that is like it, where one block of text holds both; None where it does not.

        `board` and `own` are the types of the two boards, `reading` and `beside` say where they are read.
        """
        return None

    def wrong(self, node: Node, reading: Reading) -> None:
        """Note that the node is of another kind."""
        reading.source.problem(f"expected {self}, got {kind_of(node)}", node)


class KnownNode(ScalarNode):
    """A value that is there already, where its text would stand."""

    def __init__(self, *arguments: Any, known: Any) -> None:
        super().__init__(*arguments)
        self.known = known


@dataclass(frozen=True)
class Single(DataType):
    """A type whose value is written as one scalar."""

    in_cell: ClassVar[bool] = True  # whether a cell of a board may hold a value

    @abstractmethod
    def value(self, text: str, reading: Reading) -> Any:
        """The value that the text spells. Raises WrongValueError."""

    @property
    def single(self) -> bool:
        return True

    def read(self, node: Node, reading: Reading) -> Any:
        if not isinstance(node, ScalarNode):
            self.wrong(node, reading)
            return None
        try:
            return self.value(str(node.value).strip(), reading)
        except WrongValueError as error:
            reading.source.problem(str(error), node, error.hint)
            return None


@dataclass(frozen=True)
class Scalar(Single):
    """A type of single values, by its name."""

    name: str
    convert: Callable[[str], Any]

    def value(self, text: str, reading: Reading) -> Any:
        return self.convert(text)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Choice(Single):
    """One of a few names."""

    names: tuple[str, ...]

    def value(self, text: str, reading: Reading) -> Any:
        if text in self.names:
            return text
        raise WrongValueError(f"expected one of {', '.join(self.names)}, got {quoted(text)}", nearest(text[:100], self.names))

    def __str__(self) -> str:
        return f"choice({', '.join(self.names)})"


@dataclass(frozen=True)
class Maybe(DataType):
    """A part of a value that may be left out: it is written `.`, or nothing stands there."""

    item: DataType

    @property
    def single(self) -> bool:
        return self.item.single

    def read(self, node: Node, reading: Reading) -> Any:
        left_out = is_empty(node) or (isinstance(node, ScalarNode) and node.value.strip() in ("", "."))
        return None if left_out else self.item.read(node, reading)

    def __str__(self) -> str:
        return f"{self.item} | None"


def clusters(line: str) -> list[tuple[int, str]]:
    """What a person sees as the characters of a line, composed (NFC), each with the place at which it begins.

    >>> clusters("a\\u0308b🟩\\ufe0f")
    [(0, 'ä'), (2, 'b'), (3, '🟩')]
    """
    found: list[tuple[int, str]] = []
    for place, char in enumerate(line):
        if found and (char in SELECTORS or char == JOINER or found[-1][1].endswith(JOINER) or _composes(found[-1][1], char)):
            found[-1] = (found[-1][0], unicodedata.normalize("NFC", found[-1][1] + ("" if char in SELECTORS else char)))
        else:
            found.append((place, char))
    return found


def _composes(before: str, char: str) -> bool:
    if char.isascii() or before.isspace():
        return False
    return unicodedata.combining(char) > 0 or len(unicodedata.normalize("NFC", before + char)) == len(before)


def quoted(text: str) -> str:
    """Text from a file as a message shows it."""
    return repr(text if len(text) <= 40 else text[:39] + "…")


def _int(text: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,16}", text, re.ASCII) or abs(int(text)) > limits().reading.whole_number:
        raise WrongValueError(f"{quoted(text)} is not a whole number (of at most 15 digits)")
    return int(text)


def _bool(text: str) -> bool:
    if text.casefold() not in ("true", "false", "yes", "no"):
        raise WrongValueError(f"{quoted(text)} is not true or false")
    return text.casefold() in ("true", "yes")


def _symbol(text: str) -> str:
    symbol = "".join(char for char in unicodedata.normalize("NFC", text) if char not in SELECTORS)
    if len(symbol.split()) != 1:
        raise WrongValueError(f"{quoted(text)} is not a symbol: a symbol contains no blanks" if text else "a symbol is missing")
    return symbol


def _size(text: str) -> Size:
    found = re.fullmatch(r"([0-9]{1,3})\s*[x×]\s*([0-9]{1,3})", text)
    if not found or not int(found[1]) or not int(found[2]):
        raise WrongValueError(f"{quoted(text)} is not a size: write rows x columns, as in 3x3")
    return Size(int(found[1]), int(found[2]))


@dataclass(frozen=True)
class SizeType(Scalar):
    """A size: it has a sign of its own between its two numbers."""

    in_cell: ClassVar[bool] = False


SCALARS = {
    scalar.name: scalar
    for scalar in (
        Scalar("int", _int),
        Scalar("bool", _bool),
        Scalar("text", str),
        Scalar("symbol", _symbol),
        SizeType("size", _size),
    )
}
