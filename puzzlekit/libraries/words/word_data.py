"""The data types of words: letters, words, marks, rows of marks, and lexicons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from yaml.nodes import Node, ScalarNode, SequenceNode

from puzzlekit.errors import LexiconError
from puzzlekit.folding import fold
from puzzlekit.lang.data.collections import ListOf, pieces
from puzzlekit.lang.data.grids import GridOf
from puzzlekit.lang.data.scalars import (
    SELECTORS,
    DataType,
    KnownNode,
    Reading,
    Single,
    WrongValueError,
    clusters,
    quoted,
)
from puzzlekit.libraries.words.lexicon import IN_PLACE, Lexicon, without_accents
from puzzlekit.libraries.words.marked_boards import only_rows, read_with_marks
from puzzlekit.libraries.words.marks import SQUARES, Mark, read_mark
from puzzlekit.libraries.words.sources import in_order, load
from puzzlekit.source import is_empty, kind_of

NO_SIGN = r"[^\s!-@\[-`{-~]"  # in a pattern: neither a blank, nor a digit or sign of ASCII
MARKS = "|".join([*"gGyYbBwWxX", "-", *SQUARES, *SELECTORS])


def _folds(reading: Reading) -> bool:
    """Whether letters and words lose their accents."""
    return bool(reading.options.get("fold_accents"))


def _letter(text: str) -> str:
    letter = fold(text)
    if len(letter) != 1 or not letter.isalpha():
        raise WrongValueError(f"{quoted(text)} is not a letter")
    return letter


def _word(text: str) -> str:
    word = fold(text)
    if not word:
        raise WrongValueError("expected a word, got nothing")
    if other := next((char for char in word if not char.isalpha()), None):
        raise WrongValueError(f"{quoted(text)} is not a word: {quoted(other)} is not a letter")
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
class LetterType(Single):
    """A letter."""

    close: ClassVar[bool] = True

    def value(self, text: str, reading: Reading) -> str:
        found = _letter(text)
        return without_accents(found) if _folds(reading) else found

    def json_schema(self) -> dict[str, Any]:
        return {"type": ["string", "boolean"], "pattern": rf"^\s*{NO_SIGN}{{1,8}}\s*$"}  # `n` may be guessed as false

    @property
    def example(self) -> str:
        return "a"

    def __str__(self) -> str:
        return "letter"


@dataclass(frozen=True)
class WordType(Single):
    """A word."""

    def value(self, text: str, reading: Reading) -> str:
        found = _word(text)
        return without_accents(found) if _folds(reading) else found

    def json_schema(self) -> dict[str, Any]:
        return {"type": ["string", "boolean", "null"], "pattern": rf"^\s*{NO_SIGN}+\s*$"}

    @property
    def example(self) -> str:
        return "word"

    def __str__(self) -> str:
        return "word"


@dataclass(frozen=True)
class MarkType(Single):
    """The mark of a letter."""

    close: ClassVar[bool] = True

    def value(self, text: str, reading: Reading) -> Mark:
        return _mark(text)

    def json_schema(self) -> dict[str, Any]:
        return {"type": ["string", "boolean"], "pattern": rf"^(\s|{MARKS})*$"}

    def beside(self, board: Any, own: Any, node: Node, reading: Reading, beside: Reading) -> tuple[Any, Any] | None:
        assert isinstance(board, GridOf) and isinstance(own, GridOf), "boards hold letters and marks"
        return read_with_marks(board, own, node, reading, beside)

    @property
    def example(self) -> str:
        return "g"

    def __str__(self) -> str:
        return "mark"


@dataclass(frozen=True)
class MarksType(Single):
    """A row of marks. A list of them may be a shared result, with other lines above and below."""

    in_cell: ClassVar[bool] = False

    def value(self, text: str, reading: Reading) -> tuple[Mark, ...]:
        return _marks(text)

    def json_schema(self) -> dict[str, Any]:
        return {"type": ["string", "boolean"], "pattern": rf"^(\s|{MARKS})*$"}

    def pieces(self, node: ScalarNode, reading: Reading) -> Sequence[ScalarNode]:
        return only_rows(pieces(node, reading.source, blank=True), reading.source)

    def spelled(self, value: Any) -> str | None:
        whole = type(value) is tuple and all(isinstance(item, Mark) for item in value)
        return "".join(map(str, value)) if whole else None

    @property
    def example(self) -> str:
        return "gybbg"

    def __str__(self) -> str:
        return "marks"


@dataclass(frozen=True)
class LexiconType(DataType):
    """A lexicon: an expression of names and files, or a list of words.

    The option `words` overrides every lexicon that a spec or a type names.
    """

    costly: ClassVar[bool] = True

    def read(self, node: Node, reading: Reading) -> Any:
        if isinstance(node, KnownNode):
            return node.known
        if (instead := reading.options.get("words")) is not None and not reading.by_name:
            return self.load(instead, reading, None)
        if isinstance(node, SequenceNode) or (isinstance(node, ScalarNode) and node.style == "|"):
            words = [word for word in ListOf(WORD).read(node, reading) or () if word]
            return Lexicon.from_words(IN_PLACE, words, in_order(words))
        if not isinstance(node, ScalarNode) or is_empty(node):
            reading.source.problem(f"expected a name, a path or a list of words as the lexicon, got {kind_of(node)}", node)
            return None
        return self.load(str(node.value).strip(), reading, node)

    def json_schema(self) -> dict[str, Any]:
        scalar = {"type": ["string", "number", "boolean", "null"]}
        return {"anyOf": [scalar, {"type": "array", "items": scalar}]}

    def load(self, name: str, reading: Reading, at: Node | None) -> Lexicon | None:
        """Load the lexicon, or report a problem."""
        try:
            return load(name, reading.folder, _folds(reading))
        except LexiconError as error:
            hinted = any(problem.hint == error.hint for problem in reading.source.problems)
            reading.source.problem(error.message, at, "" if hinted else error.hint)
            return None

    @property
    def example(self) -> list[str]:
        return ["ab", "ba"]

    def __str__(self) -> str:
        return "lexicon"


WORD = WordType()
DATA_TYPES: dict[str, DataType] = {str(kind): kind for kind in (LetterType(), WORD, MarkType(), MarksType(), LexiconType())}
