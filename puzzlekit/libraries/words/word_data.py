"""The data types of words: letters, words, marks, rows and boards of marks, and lexicons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar

import yaml
from yaml.nodes import Node, ScalarNode, SequenceNode

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import UNPRINTABLE, LexiconError
from puzzlekit.folding import fold
from puzzlekit.lang import (
    HOLES,
    SELECTORS,
    DataType,
    GridOf,
    ListOf,
    ReadContext,
    ScalarType,
    ValueNode,
    WrongValueError,
    board_lines,
    clusters,
    pieces,
    quoted,
)
from puzzlekit.libraries.words.feedback import SQUARES, Mark, read_mark
from puzzlekit.libraries.words.lexicon import IN_PLACE, Lexicon, without_accents
from puzzlekit.libraries.words.sources import in_order, load
from puzzlekit.source import SourceFile, is_empty, node_type

PAIR_HELP = "write a letter and its mark in each cell, such as e🟩 or eg; write _ for a hole"
HEADING = re.compile(r"(?<![\w/.,])([0-9]{1,2}|[Xx])/([0-9]{1,2})(?![\w/])")
AS_DRAWN = "\ufe0e\ufe0f"  # variation selectors: they say how the character before is drawn


def _is_row(line: str) -> bool:
    if not line or line[0] not in SQUARES:
        return False
    return all(char.isspace() or char in SQUARES + AS_DRAWN for char in line)


def only_rows(lines: Sequence[ScalarNode], source: SourceFile) -> Sequence[ScalarNode]:
    """Return the lines with squares, or all lines if none has any.

    Reports a problem if a heading such as `4/6`, or `X/6` for a lost game, announces another number
    of rows.
    """
    rows = [line for line in lines if any(char in SQUARES for char in line.value)]
    if not rows:
        return lines
    for line in lines[: lines.index(rows[0])]:
        match = HEADING.search(line.value)
        if match is not None:
            announced = int(match[2] if match[1] in "Xx" else match[1])
            if announced != len(rows):
                message = f"{match[0]} announces {announced} rows, but there are {len(rows)}"
                source.problem(message, line)
    return rows


class SharedResult:
    """The notation of a spec that is a shared result."""

    text_name = "a shared result"
    field = "list[marks]"
    field_name = "field of rows of marks"

    def is_written(self, text: str) -> bool:
        """Return whether the text is a shared result rather than YAML: a line has only squares."""
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\t", " ").split("\n")
        return any(map(_is_row, lines)) and not any(map(UNPRINTABLE.search, lines))

    def value(self, source: SourceFile) -> ScalarNode:
        """Return the entire text as a YAML block scalar."""
        end = yaml.Mark("", len(source.text), len(source.lines), 0, None, 0)
        return ScalarNode("", source.text, yaml.Mark("", 0, 0, 0, None, 0), end, style="|")

    def title(self, source: SourceFile) -> ScalarNode | None:
        """Return the first line, unless it is a row of squares."""
        line = source.lines[0].strip() if source.lines else ""
        if not line or _is_row(line):
            return None
        start = yaml.Mark("", 0, 0, 0, None, 0)
        end = yaml.Mark("", len(line), 0, len(line), None, 0)
        return ScalarNode("", line, start, end)


PAIR = re.compile(
    rf"(?P<hole>[._]{{1,2}}[{SQUARES}]?)"
    rf"|[^\s._{SQUARES}]*[{SQUARES}][{SELECTORS}]?"
    rf"|[^\s._{SQUARES}]+"
)


@dataclass(frozen=True)
class _Pair:
    """A cell with its mark, and the column where each begins; a hole is its own mark."""

    column: int
    text: str
    mark_column: int
    mark: str

    @property
    def problem(self) -> str:
        """What is wrong with the pair; empty if nothing is."""
        if not self.text:
            return "is a mark without a letter"
        if self.mark in HOLES or read_mark(self.mark[:1]) is not None:
            return ""
        return "is a letter without a mark"


def read_with_marks(
    letters: GridOf, marks: GridOf, node: Node, reading: ReadContext, marks_reading: ReadContext
) -> tuple[Any, Any] | None:
    """Read a board and its marks from one block: `t🟩 r🟨 .` or `tg ry .`.

    Returns None if the node is not such a block. `reading` is for the board, `marks_reading` for
    the marks.
    """
    if not isinstance(node, ScalarNode):
        return None
    source = reading.source
    if "\n" not in node.value:
        if not _has_square(node.value):
            return None
        message = "this board and its marks are on one line"
        source.problem(message, node, "begin with |, each row on a line")
        return None, None
    lines = board_lines(node, SourceFile(source.path, source.text)) or []
    rows = [_with_marks(line.text) for line in lines]
    if not any(_has_square(line.text) for line in lines):
        width = max(map(len, rows), default=0)
        if width < 2 or not all(pair.mark for row in rows for pair in row):
            return None
    broken = False
    for row, line in zip(rows, lines):
        for pair in row:
            if pair.problem:
                message = f"{quoted(pair.text + pair.mark)} {pair.problem}"
                source.problem(message, line.position(pair.column), PAIR_HELP)
                broken = True
    if broken:
        return None, None
    texts = [[(pair.column, pair.text) for pair in row] for row in rows]
    board = letters.board(texts, lines, node, reading)
    if board is None:
        return None, None
    row_marks = [[(pair.mark_column, pair.mark) for pair in row] for row in rows]
    return board, marks.board(row_marks, lines, node, marks_reading)


def _has_square(text: str) -> bool:
    return any(char in SQUARES for char in text)


def _with_marks(line: str) -> list[_Pair]:
    """Return the cells of a line with their marks; a cell ends at a blank or after a square."""
    pairs = []
    for match in PAIR.finditer(line):
        start = match.start()
        *_, (offset, last) = clusters(match.group())
        if match["hole"]:
            pairs.append(_Pair(start, "_", start, "_"))
        elif offset or last in SQUARES:
            pairs.append(_Pair(start, match.group()[:offset], start + offset, last))
        else:
            pairs.append(_Pair(start, last, start, ""))
    return pairs


NO_SIGN = r"[^\s!-@\[-`{-~]"  # in a pattern: neither a blank, nor a digit or sign of ASCII
MARKS = "|".join([*"gGyYbBwWxX", "-", *SQUARES, *SELECTORS])


def _folds(reading: ReadContext) -> bool:
    """Return whether letters and words lose their accents."""
    return bool(reading.options.get("fold_accents"))


def _unaccented(text: str, reading: ReadContext) -> str:
    return without_accents(text) if _folds(reading) else text


def _letter(text: str) -> str:
    letter = fold(text)
    if len(letter) != 1 or not letter.isalpha():
        raise WrongValueError(f"{quoted(text)} is not a letter")
    return letter


def _word(text: str) -> str:
    word = fold(text)
    if not word:
        raise WrongValueError("expected a word, got nothing")
    for char in word:
        if not char.isalpha():
            raise WrongValueError(f"{quoted(text)} is not a word: {quoted(char)} is not a letter")
    return word


def _mark(text: str) -> Mark:
    bare = "".join(char for char in text if char not in SELECTORS)
    mark = read_mark(bare) if len(bare) == 1 else None
    if mark is None:
        raise WrongValueError(f"{quoted(text)} is not a mark: write g y b (or w), or 🟩 🟨 ⬛ ⬜")
    return mark


def _marks(text: str) -> tuple[Any, ...]:
    row = tuple(_mark(char) for _, char in clusters(text) if not char.isspace())
    if not row:
        raise WrongValueError("expected a row of marks, got nothing")
    return row


@dataclass(frozen=True)
class Named(ScalarType):
    """A type with a name, an example, and a pattern of its texts, which YAML may guess for values
    of some kinds.
    """

    name: ClassVar[str]
    sample: ClassVar[str]
    pattern: ClassVar[str]
    guessed: ClassVar[tuple[str, ...]] = ("string", "boolean")

    def json_schema(self) -> dict[str, Any]:
        return {"type": [*self.guessed], "pattern": self.pattern}

    @property
    def example(self) -> str:
        return self.sample

    def __str__(self) -> str:
        return self.name


class LetterType(Named):
    """A letter; `n` may be guessed as false."""

    close = True
    name = "letter"
    sample = "a"
    pattern = rf"^\s*{NO_SIGN}{{1,8}}\s*$"

    def value(self, text: str, reading: ReadContext) -> str:
        return _unaccented(_letter(text), reading)


class WordType(Named):
    """A word."""

    name = "word"
    sample = "word"
    pattern = rf"^\s*{NO_SIGN}+\s*$"
    guessed = ("string", "boolean", "null")

    def value(self, text: str, reading: ReadContext) -> str:
        return _unaccented(_word(text), reading)


class MarkType(Named):
    """The mark of a letter."""

    close = True
    name = "mark"
    sample = "g"
    pattern = rf"^(\s|{MARKS})*$"

    def value(self, text: str, reading: ReadContext) -> Mark:
        return _mark(text)

    def read_pair(
        self,
        board: Any,
        second_type: Any,
        node: Node,
        reading: ReadContext,
        second_reading: ReadContext,
    ) -> tuple[Any, Any] | None:
        assert isinstance(board, GridOf) and isinstance(second_type, GridOf), (
            "boards hold letters and marks"
        )
        return read_with_marks(board, second_type, node, reading, second_reading)


class FeedbackType(Named):
    """A row of marks. A list of them may be a shared result, with other lines above and below."""

    in_cell = False
    name = "marks"
    sample = "gybbg"
    pattern = MarkType.pattern

    def value(self, text: str, reading: ReadContext) -> tuple[Mark, ...]:
        return _marks(text)

    def pieces(self, node: ScalarNode, reading: ReadContext) -> Sequence[ScalarNode]:
        return only_rows(pieces(node, reading.source, blank=True), reading.source)

    def spelled(self, value: Any) -> str | None:
        if type(value) is not tuple or not all(isinstance(mark, Mark) for mark in value):
            return None
        return "".join(map(str, value))


@dataclass(frozen=True)
class LexiconType(DataType):
    """A lexicon: an expression of names and files, or a list of words.

    The option `lexicon` overrides every lexicon that a spec or a type names.
    """

    costly: ClassVar[bool] = True

    def read(self, node: Node, reading: ReadContext) -> Any:
        if isinstance(node, ValueNode):
            return node.parsed
        override = reading.options.get("lexicon")
        if override is not None and not reading.by_name:
            return self.load(override, reading, None)
        if isinstance(node, SequenceNode) or (isinstance(node, ScalarNode) and node.style == "|"):
            words = [word for word in ListOf(WORD).read(node, reading) or () if word]
            return Lexicon.from_words(IN_PLACE, words, in_order(words))
        if not isinstance(node, ScalarNode) or is_empty(node):
            message = "expected a name, a path or a list of words as the lexicon"
            reading.source.problem(f"{message}, got {node_type(node)}", node)
            return None
        return self.load(str(node.value).strip(), reading, node)

    def json_schema(self) -> dict[str, Any]:
        scalar = {"type": ["string", "number", "boolean", "null"]}
        return {"anyOf": [scalar, {"type": "array", "items": scalar}]}

    def load(self, name: str, reading: ReadContext, node: Node | None) -> Lexicon | None:
        """Load the lexicon, or report a problem."""
        try:
            return load(name, reading.folder, _folds(reading))
        except LexiconError as error:
            repeated = any(problem.help == error.help for problem in reading.source.problems)
            reading.source.problem(str(error), node, "" if repeated else error.help)
            return None

    @property
    def example(self) -> list[str]:
        return ["ab", "ba"]

    def __str__(self) -> str:
        return "lexicon"


WORD = WordType()
DATA_TYPES: dict[str, DataType] = {
    str(type_): type_ for type_ in (LetterType(), WORD, MarkType(), FeedbackType(), LexiconType())
}
