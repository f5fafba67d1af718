"""Scalars: values that are written as one piece of text, read as the type that a field declares."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from yaml.nodes import Node, ScalarNode

from puzzlekit.errors import nearest
from puzzlekit.lang.data.locations import Places
from puzzlekit.lang.expressions.values import Size
from puzzlekit.lang.source import Source, is_empty, kind_of
from puzzlekit.limits import limits
from puzzlekit.words import fold, read_mark, without_accents

SELECTORS = "\ufe0e\ufe0f"  # they only say how the character before is drawn
JOINER = "\u200d"


class WrongValueError(Exception):
    """The text of a scalar is no value of the type; the message says what would be."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.hint = hint
        super().__init__(message)


@dataclass(frozen=True)
class Reading:
    """Where a value is read: its source, the lexicon to take instead of it, and the width to which one line is folded."""

    source: Source
    words: str | None = None
    folder: Path | None = None
    columns: int | None = None
    fold_accents: bool = False  # whether letters and words lose their accents
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

    @property
    def single(self) -> bool:
        """Whether a value is written as one scalar."""
        return False

    def wrong(self, node: Node, reading: Reading) -> None:
        """Note that the node is of another kind."""
        reading.source.problem(f"{self} is wanted here, and this is {kind_of(node)}", node)


@dataclass(frozen=True)
class Single(DataType):
    """A type whose value is written as one scalar."""

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
        found = self.convert(text)
        return without_accents(found) if reading.fold_accents and self.name in ("letter", "word") else found

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Choice(Single):
    """One of a few names."""

    names: tuple[str, ...]

    def value(self, text: str, reading: Reading) -> Any:
        if text in self.names:
            return text
        raise WrongValueError(f"{quoted(text)} is none of {', '.join(self.names)}", nearest(text[:100], self.names))

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


def _letter(text: str) -> str:
    letter = fold(text)
    if len(letter) != 1 or not letter.isalpha():
        raise WrongValueError(f"{quoted(text)} is not a letter")
    return letter


def _word(text: str) -> str:
    word = fold(text)
    if not word:
        raise WrongValueError("a word is missing")
    if other := next((char for char in word if not char.isalpha()), None):
        raise WrongValueError(f"{quoted(text)} is not a word: {quoted(other)} is no letter")
    return word


def _symbol(text: str) -> str:
    symbol = "".join(char for char in unicodedata.normalize("NFC", text) if char not in SELECTORS)
    if len(symbol.split()) != 1:
        raise WrongValueError(f"{quoted(text)} is not a symbol: a symbol has no blanks" if text else "a symbol is missing")
    return symbol


def _size(text: str) -> Size:
    found = re.fullmatch(r"([0-9]{1,3})\s*[x×]\s*([0-9]{1,3})", text)
    if not found or not int(found[1]) or not int(found[2]):
        raise WrongValueError(f"{quoted(text)} is not a size: write rows x columns, as in 3x3")
    return Size(int(found[1]), int(found[2]))


def _mark(text: str) -> Any:
    bare = "".join(char for char in text if char not in SELECTORS)
    mark = read_mark(bare) if len(bare) == 1 else None
    if mark is None:
        raise WrongValueError(f"{quoted(text)} is not a mark: marks are g y b (or w), or 🟩 🟨 ⬛ ⬜")
    return mark


def _marks(text: str) -> tuple[Any, ...]:
    row = tuple(_mark(char) for _, char in clusters(text) if not char.isspace())
    if not row:
        raise WrongValueError("a row of marks is missing")
    return row


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
