"""The base of data types, and the types whose values are written as one scalar."""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from yaml.nodes import MappingNode, Node, ScalarNode

from puzzlekit.boards import Cell, Size
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
ValuePath = tuple[
    Any, ...
]  # the name of a field, then the positions, cells or keys that lead to a part of its value


class WrongValueError(Exception):
    """A text is not a value of the type. The message says what was expected.

    Attributes:
        help: What to write instead; empty if there is no help.
    """

    def __init__(self, message: str, *, help: str = "") -> None:
        self.help = help
        super().__init__(message)


class MissingWordError(WrongValueError):
    """A word or a sign of a type is missing."""

    def __init__(self, expected: str) -> None:
        super().__init__(f"this is not a type: {expected} is missing")


class Key(NamedTuple):
    """The step of a path to a key of a mapping, and not to the value at this key."""

    key: Any


class ValuePositions:
    """The places of values. A place is computed only when it is requested."""

    def __init__(self) -> None:
        self._at: dict[ValuePath, tuple[Callable[[Any], SourcePos], Any]] = {}

    def note(self, path: ValuePath, place: Callable[[Any], SourcePos], of: Any) -> None:
        """Set the place of the value at this path to `place(of)`."""
        self._at[path] = place, of

    def __call__(self, path: ValuePath) -> SourcePos | None:
        """Return the place of a value, or of the nearest value around it that has one."""
        found = next(
            (self._at[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self._at),
            None,
        )
        return None if found is None else found[0](found[1])


@dataclass(frozen=True)
class ReadContext:
    """Where and how a value is read.

    Attributes:
        source: The text that the value is read from.
        folder: The folder of files that the value names.
        columns: The width to which a board on one line is folded.
        options: What a program gives beside the spec, by name (`Library.options`).
        by_name: Whether the value itself is given beside the spec.
        path: The path of the value: its field, and its part of it.
        places: The places of the values that were read.
    """

    source: SourceFile
    folder: Path | None = None
    columns: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    by_name: bool = False
    path: tuple[Any, ...] = ()
    positions: ValuePositions = field(default_factory=ValuePositions)

    def on(self, step: Any, node: Node) -> ReadContext:
        """Return the reading of a part of this value, and keep the place of the part."""
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
        self, board: DataValue, second_type: DataValue, node: Node, reading: ReadContext, second_reading: ReadContext
    ) -> tuple[DataValue, DataValue] | None:
        """Return a board and one of this type that is like it, if one block of text has both.

        Args:
            board: The type of the first board.
            own: The type of the second one, whose cells have this type.
            node: The block of text.
            reading: Where the first board is read.
            beside: Where the second one is read.
        """
        return None

    def wrong(self, node: Node, reading: ReadContext) -> None:
        """Note that the node is not of the kind that the type is written as."""
        reading.source.problem(
            f"expected {self}, got {node_type(node)}", node, _hidden_by_yaml(node, reading.source)
        )


def _hidden_by_yaml(node: Node, source: SourceFile) -> str:
    """Return the help for text that YAML does not read as such: a `?`, or what follows a `#`."""
    rest = source.text[node.start_mark.index :].split("\n", 1)[0]
    if isinstance(node, MappingNode) and rest.startswith("?"):
        return "quote a ? in a list: '?'"
    return (
        "# begins a comment: quote the whole value"
        if is_empty(node) and rest.lstrip().startswith("#")
        else ""
    )


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
        except (
            TypeError,
            ValueError,
            LookupError,
            AttributeError,
            ArithmeticError,
        ) as error:  # in a library
            reading.source.problem(f"this cannot be read as {self}: {error}", node)
            return None


@dataclass(frozen=True)
class Scalar(ScalarType):
    """A type of single values that has a name."""

    name: str
    convert: Callable[[str], Any]

    def value(self, text: str, reading: ReadContext) -> DataValue:
        return self.convert(text)

    @property
    def example(self) -> str:
        return {
            "int": "1",
            "digit": "1",
            "bool": "no",
            "text": "text",
            "symbol": "a",
            "cell": "r1c1",
            "size": "2x2",
        }[self.name]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Choice(ScalarType):
    """One of a few names."""

    names: tuple[str, ...]

    def value(self, text: str, reading: ReadContext) -> DataValue:
        if text in self.names:
            return text
        raise WrongValueError(
            f"expected one of {', '.join(self.names)}, got {quoted(text)}",
            help=nearest(text[:100], self.names),
        )

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
            f"one of {', '.join(item.names)}" if isinstance(item, Choice) else str(item)
            for item in self.items
        )
        raise WrongValueError(f"expected {allowed}, got {quoted(text)}")

    def spelled(self, value: DataValue) -> str | None:
        found = (item.spelled(value) for item in self.items)
        return next((text for text in found if text is not None), None)

    def __str__(self) -> str:
        return " | ".join(map(str, self.items))


@dataclass(frozen=True)
class OptionalType(DataType):
    """A part of a value that may be left out: it is written `.`, or left empty.

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
        if (
            text in (*MISSING, *NOTHING)
            and isinstance(self.item, ScalarType)
            and not self.item.reads(text, reading)
        ):
            if text not in MISSING:
                help = "a value that is missing is written ."
                reading.source.problem(f"expected {self.item}, got {quoted(text)}", node, help)
            return None
        return self.item.read(node, reading)

    def __str__(self) -> str:
        return f"{self.item} | None"


def clusters(line: str) -> list[tuple[int, str]]:
    """Return the characters of a line as people see them, composed (NFC), each with its offset.

    >>> clusters("a\\u0308b🟩\\ufe0f")
    [(0, 'ä'), (2, 'b'), (3, '🟩')]
    """
    found: list[tuple[int, str]] = []
    for place, char in enumerate(line):
        if found and (
            char in SELECTORS
            or char == JOINER
            or found[-1][1].endswith(JOINER)
            or _composes(found[-1][1], char)
        ):
            found[-1] = (
                found[-1][0],
                unicodedata.normalize("NFC", found[-1][1] + ("" if char in SELECTORS else char)),
            )
        else:
            found.append((place, char))
    return found


def _composes(before: str, char: str) -> bool:
    if char.isascii() or before.isspace():
        return False
    return unicodedata.combining(char) > 0 or len(
        unicodedata.normalize("NFC", before + char)
    ) == len(before)


def quoted(text: str) -> str:
    """Return text from a file as messages show it."""
    return repr(text if len(text) <= 40 else text[:39] + "…")


def _int(text: str) -> int:
    if not WHOLE.fullmatch(text) or abs(number := int(text)) > 10**15:
        raise WrongValueError(f"{quoted(text)} is not a whole number (of at most 15 digits)")
    return number


def _digit(text: str) -> int:
    return ord(text) - ord("A") + 10 if re.fullmatch("[A-Z]", text) else _int(text)


def _bool(text: str) -> bool:
    if text.casefold() not in ("true", "false", "yes", "no"):
        raise WrongValueError(f"{quoted(text)} is not true or false")
    return text.casefold() in ("true", "yes")


def _symbol(text: str) -> str:
    symbol = "".join(char for char in unicodedata.normalize("NFC", text) if char not in SELECTORS)
    if len(symbol.split()) != 1:
        raise WrongValueError(
            f"{quoted(text)} is not a symbol: a symbol contains no blanks"
            if text
            else "a symbol is missing"
        )
    return symbol


def _size(text: str) -> Size:
    found = re.fullmatch(r"([0-9]{1,3})\s*[x×]\s*([0-9]{1,3})", text)
    if not found or not int(found[1]) or not int(found[2]):
        raise WrongValueError(f"{quoted(text)} is not a size: write rows x columns, as in 3x3")
    return Size(int(found[1]), int(found[2]))


def _cell(text: str) -> Cell:
    found = re.fullmatch(r"r([0-9]{1,3})c([0-9]{1,3})", text, re.ASCII)
    if not found:
        raise WrongValueError(
            f"{quoted(text)} is not a cell: write its row and its column, as in r1c2"
        )
    return Cell(int(found[1]), int(found[2]))


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
