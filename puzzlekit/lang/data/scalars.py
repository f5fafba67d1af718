"""The base of data types, and the types whose values are written as one scalar."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from yaml.nodes import MappingNode, Node, ScalarNode

from puzzlekit.boards import Cell, Size
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import SourcePos, nearest
from puzzlekit.lang.aliases import DataValue
from puzzlekit.source import SourceFile, is_empty, node_type

SELECTORS = "\ufe0e\ufe0f"  # they only select how the character before them is drawn
MISSING = ("?", "-")  # other signs for a value that is left out, where the type has no such value
# what stands for a missing value elsewhere
NOTHING = frozenset({"_", "~", "x", "null", "none", "None", "nil"})
JOINER = "\u200d"
BLANK = "this line is blank"
WHOLE = re.compile(r"[+-]?[0-9]{1,16}", re.ASCII)
# the name of a field, then the positions, cells or keys that lead to a value inside its value
ValuePath = tuple[Any, ...]


class WrongValueError(Exception):
    """A text is not a value of the type. The message says what was expected.

    Attributes:
        help: What to write instead; empty if there is no help.
    """

    def __init__(self, message: str, *, help: str = "") -> None:
        self.help = help
        super().__init__(message)


# what a faulty library raises for a text
LIBRARY_ERRORS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError)


class MissingWordError(WrongValueError):
    """A word or a sign of a type is missing."""

    def __init__(self, expected: str) -> None:
        super().__init__(f"this is not a type: {expected} is missing")


class Key(NamedTuple):
    """The step of a path to a key of a mapping, and not to the value at this key."""

    key: Any


class ValuePositions:
    """The positions of values in a file. A position is computed only when it is requested."""

    def __init__(self) -> None:
        self._by_path: dict[ValuePath, tuple[Callable[[Any], SourcePos], Any]] = {}

    def note(self, path: ValuePath, locate: Callable[[Any], SourcePos], argument: Any) -> None:
        """Set the position of the value at this path to `locate(argument)`."""
        self._by_path[path] = locate, argument

    def __call__(self, path: ValuePath) -> SourcePos | None:
        """Return the position of a value, or of the nearest value around it that has one."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._by_path:
                locate, argument = self._by_path[path[:length]]
                return locate(argument)
        return None


@dataclass(frozen=True)
class ReadContext:
    """Where and how a value is read.

    Attributes:
        source: The text that the value is read from.
        folder: The folder of files that the value names.
        columns: The width to which a board on one line is folded.
        options: What a program gives apart from the spec, by name (`Library.options`).
        by_name: Whether the value itself is given apart from the spec.
        path: The path of the value, which begins with its field.
        positions: The positions of the values that were read.
        unknown: What `?` in a cell is read as; empty if the field does not say it.
    """

    source: SourceFile
    folder: Path | None = None
    columns: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    by_name: bool = False
    path: tuple[Any, ...] = ()
    positions: ValuePositions = field(default_factory=ValuePositions)
    unknown: str = ""

    def on(self, step: Any, node: Node) -> ReadContext:
        """Return the context of a value inside this one, and note its position."""
        inner = replace(self, path=(*self.path, step))
        self.positions.note(inner.path, self.source.start, node)
        return inner


class DataType(ABC):
    """A type of data. `read` returns the value, or notes a problem and returns None."""

    @abstractmethod
    def read(self, node: Node, reading: ReadContext) -> DataValue: ...

    costly: ClassVar[bool] = False  # whether a default is read only for a puzzle that needs it
    close: ClassVar[bool] = False  # whether a value is one character, so that rows need no blanks

    @property
    def single(self) -> bool:
        """Whether a value is written as one scalar."""
        return False

    @property
    def example(self) -> Any:
        """A small value, as specs of Python values give it; None if there is none."""
        return None

    def json_schema(self) -> dict[str, Any]:
        """Return a JSON Schema of the values, in every form that YAML may guess for them.

        It may refuse only what `read` refuses. An empty schema accepts everything.
        """
        return {}

    def pieces(self, node: ScalarNode, reading: ReadContext) -> Sequence[ScalarNode] | None:
        """Return the items of a list that is written as one scalar; None to split it as usual."""
        return None

    def spelled(self, value: DataValue) -> str | None:
        """Return the text of a value that would otherwise be written as several; else None."""
        return None

    def read_pair(
        self,
        board: DataValue,
        second_type: DataValue,
        node: Node,
        reading: ReadContext,
        second_reading: ReadContext,
    ) -> tuple[DataValue, DataValue] | None:
        """Return a board and one of this type that is like it, if one block of text has both.

        Args:
            board: The type of the first board.
            second_type: The type of the second one, whose cells have this type.
            node: The block of text.
            reading: The context of the first board.
            second_reading: The context of the second one.
        """
        return None

    def wrong(self, node: Node, reading: ReadContext) -> None:
        """Note that the node is not of the kind that the type is written as."""
        message = f"expected {self}, got {node_type(node)}"
        reading.source.problem(message, node, _hidden_by_yaml(node, reading.source))


def _hidden_by_yaml(node: Node, source: SourceFile) -> str:
    """Return the help for text that YAML does not read as such: a `?`, or what follows a `#`."""
    rest = source.text[node.start_mark.index :].split("\n", 1)[0]
    if isinstance(node, MappingNode) and rest.startswith("?"):
        return "quote a ? in a list: '?'"
    if is_empty(node) and rest.lstrip().startswith("#"):
        return "# begins a comment: quote the whole value"
    return ""


class ValueNode(ScalarNode):
    """A node that has its value already, and no text to read."""

    def __init__(self, *arguments: Any, parsed: Any) -> None:
        super().__init__(*arguments)
        self.parsed = parsed


@dataclass(frozen=True)
class ScalarType(DataType):
    """A type whose value is written as one scalar."""

    in_cell: ClassVar[bool] = True  # whether a cell of a board may hold a value

    @abstractmethod
    def value(self, text: str, reading: ReadContext) -> DataValue:
        """Return the value that the text spells. Raises WrongValueError."""

    @property
    def single(self) -> bool:
        return True

    def reads(self, text: str, reading: ReadContext) -> bool:
        """Return whether the text spells a value."""
        try:
            self.value(text, reading)
        except WrongValueError:
            return False
        return True

    def read(self, node: Node, reading: ReadContext) -> DataValue:
        if not isinstance(node, ScalarNode):
            self.wrong(node, reading)
            return None
        try:
            return self.value(str(node.value).strip(), reading)
        except WrongValueError as error:
            reading.source.problem(str(error), node, error.help)
            return None
        except LIBRARY_ERRORS as error:
            reading.source.problem(f"this cannot be read as {self}: {error}", node)
            return None


SCALAR_EXAMPLES = {
    "int": "1",
    "digit": "1",
    "bool": "no",
    "text": "text",
    "symbol": "a",
    "cell": "r1c1",
    "size": "2x2",
}


@dataclass(frozen=True)
class Scalar(ScalarType):
    """A type of single values that has a name."""

    name: str
    convert: Callable[[str], Any]

    def value(self, text: str, reading: ReadContext) -> DataValue:
        return self.convert(text)

    @property
    def example(self) -> str:
        return SCALAR_EXAMPLES[self.name]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Choice(ScalarType):
    """One of a few names."""

    names: tuple[str, ...]

    def value(self, text: str, reading: ReadContext) -> DataValue:
        if text in self.names:
            return text
        message = f"expected {self.options_text()}, got {quoted(text)}"
        raise WrongValueError(message, help=nearest(text[:100], self.names))

    def options_text(self) -> str:
        """Return what messages say of the names: `one of a, b`."""
        return f"one of {', '.join(self.names)}"

    @property
    def example(self) -> str:
        return self.names[0]

    def __str__(self) -> str:
        return f"choice({', '.join(self.names)})"


@dataclass(frozen=True)
class Union(ScalarType):
    """One of several types of single values: the first that can read the text gives the value."""

    items: tuple[ScalarType, ...]

    def value(self, text: str, reading: ReadContext) -> DataValue:
        for item in self.items:
            if isinstance(item, Choice) and text not in item.names:
                continue  # without the search for a name to suggest
            try:
                return item.value(text, reading)
            except WrongValueError:
                continue
        allowed = " or ".join(
            item.options_text() if isinstance(item, Choice) else str(item) for item in self.items
        )
        raise WrongValueError(f"expected {allowed}, got {quoted(text)}")

    def spelled(self, value: DataValue) -> str | None:
        for item in self.items:
            text = item.spelled(value)
            if text is not None:
                return text
        return None

    def __str__(self) -> str:
        return " | ".join(map(str, self.items))


@dataclass(frozen=True)
class OptionalType(DataType):
    """A value that may be left out: it is written `.`, or left empty.

    `?` and `-` leave it out, too, unless they are values of the type.
    """

    item: DataType

    @property
    def single(self) -> bool:
        return self.item.single

    def read(self, node: Node, reading: ReadContext) -> DataValue:
        text = node.value.strip() if isinstance(node, ScalarNode) else None
        if is_empty(node) or text in ("", "."):
            return None
        if text is None or not self._leaves_out(text, reading):
            return self.item.read(node, reading)
        if text not in MISSING:
            help = "a value that is missing is written ."
            reading.source.problem(f"expected {self.item}, got {quoted(text)}", node, help)
        return None

    def _leaves_out(self, text: str, reading: ReadContext) -> bool:
        """Return whether a text that is not a value of the type stands for a missing one."""
        if text not in MISSING and text not in NOTHING:
            return False
        return isinstance(self.item, ScalarType) and not self.item.reads(text, reading)

    def __str__(self) -> str:
        return f"{self.item} | None"


def clusters(line: str) -> list[tuple[int, str]]:
    """Return the characters of a line as people see them, composed (NFC), each with its offset.

    >>> clusters("a\\u0308b🟩\\ufe0f")
    [(0, 'ä'), (2, 'b'), (3, '🟩')]
    """
    if line.isascii():  # the most frequent case
        return list(enumerate(line))
    characters: list[tuple[int, str]] = []
    for offset, char in enumerate(line):
        start, before = characters[-1] if characters else (0, "")
        if not before or not _extends(before, char):
            characters.append((offset, char))
        else:
            combined = before if char in SELECTORS else before + char
            characters[-1] = start, unicodedata.normalize("NFC", combined)
    return characters


def _extends(before: str, char: str) -> bool:
    """Return whether a character of Unicode belongs to the character that people see before it."""
    if char in SELECTORS or char == JOINER or before.endswith(JOINER):
        return True
    if char.isascii() or before.isspace():
        return False
    if unicodedata.combining(char):
        return True
    return len(unicodedata.normalize("NFC", before + char)) == len(before)


def quoted(text: str) -> str:
    """Return text from a file as messages show it."""
    return repr(text if len(text) <= 40 else text[:39] + "…")


def _int(text: str) -> int:
    if not WHOLE.fullmatch(text) or abs(number := int(text)) > 10**15:
        raise WrongValueError(f"{quoted(text)} is not a whole number (of at most 15 digits)")
    return number


def _digit(text: str) -> int:
    if re.fullmatch("[A-Z]", text):
        return ord(text) - ord("A") + 10
    return _int(text)


def _bool(text: str) -> bool:
    if text.casefold() not in ("true", "false", "yes", "no"):
        raise WrongValueError(f"{quoted(text)} is not true or false")
    return text.casefold() in ("true", "yes")


def _symbol(text: str) -> str:
    symbol = "".join(char for char in unicodedata.normalize("NFC", text) if char not in SELECTORS)
    if not text:
        raise WrongValueError("a symbol is missing")
    if len(symbol.split()) != 1:
        raise WrongValueError(f"{quoted(text)} is not a symbol: a symbol contains no blanks")
    return symbol


def _size(text: str) -> Size:
    match = re.fullmatch(r"([0-9]{1,3})\s*[x×]\s*([0-9]{1,3})", text)
    if not match or not int(match[1]) or not int(match[2]):
        raise WrongValueError(f"{quoted(text)} is not a size: write rows x columns, as in 3x3")
    return Size(int(match[1]), int(match[2]))


def _cell(text: str) -> Cell:
    match = re.fullmatch(r"r([0-9]{1,3})c([0-9]{1,3})", text, re.ASCII)
    if not match:
        raise WrongValueError(
            f"{quoted(text)} is not a cell: write its row and its column, as in r1c2"
        )
    return Cell(int(match[1]), int(match[2]))


@dataclass(frozen=True)
class SizeType(Scalar):
    """A size, such as `3x4`. A cell of a board cannot hold one."""

    in_cell: ClassVar[bool] = False


NUMBERS = ("int", "digit")  # the types of numbers
SCALARS = {
    scalar.name: scalar
    for scalar in (
        Scalar("int", _int),
        Scalar("digit", _digit),
        Scalar("bool", _bool),
        Scalar("text", str),
        Scalar("symbol", _symbol),
        Scalar("cell", _cell),
        SizeType("size", _size),
    )
}
