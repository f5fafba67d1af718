"""The codecs of game IDs of Simon Tatham's puzzles: how they write the values of a layer.

All of them are strict: a text has as many values as the layer, and nothing behind them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from puzzlekit.dataclass import dataclass
from puzzlekit.links.tokens import CodecError, Cursor, LayerSize, unwritable

LETTERS = "abcdefghijklmnopqrstuvwxyz"
NUMBER = re.compile(r"[0-9]{1,6}")
LONGEST_STEP = 25  # blanks in one character before a value


def rest_of(text: Cursor) -> str:
    """Take what remains of a segment."""
    text.begin = text.position
    return text.take(text.end - text.position)


def require_count(count: int, expected: int, text: Cursor) -> None:
    """Raise CodecError for another number of values than the layer has."""
    if count != expected:
        raise CodecError(f"expected {expected} values, got {count}", text.begin)


@dataclass(frozen=True)
class NumbersCodec:
    """Decimal numbers, with a letter for a run of blanks: a for one, up to z; `_` between two
    numbers.
    """

    def read(self, text: Cursor, size: LayerSize) -> Iterator[Any]:
        remaining = size.count
        while not text.ended:
            letter = text.token()
            if letter == "_":
                continue
            if letter in LETTERS:
                run = LETTERS.index(letter) + 1
                yield from [None] * min(run, remaining)
                remaining -= run
            else:
                digits = letter + taken_digits(text)
                if not NUMBER.fullmatch(digits):
                    raise text.wrong(letter)
                yield int(digits)
                remaining -= 1
            if remaining < 0:
                break
        require_count(size.count - remaining, size.count, text)

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        written = ""
        blanks = 0
        for index, value in enumerate([*values, 0]):
            if value is None:
                blanks += 1
                continue
            written += blank_letters(blanks)
            blanks = 0
            if index == len(values):
                break
            if not isinstance(value, int) or value < 0:
                raise unwritable(value, index)
            written += f"_{value}" if written[-1:].isdigit() else str(value)
        return written


def taken_digits(text: Cursor) -> str:
    """Take the digits that come next."""
    digits = ""
    while any(map(text.begins_with, "0123456789")):
        digits += text.take(1)
    return digits


def blank_letters(count: int) -> str:
    """Return the letters of so many blanks."""
    longest, rest = divmod(count, len(LETTERS))
    return "z" * longest + (LETTERS[rest - 1] if rest else "")


@dataclass(frozen=True)
class StepsCodec:
    """How many blanks stand before each value: `_` or `a` for none, up to 25; z for 25 blanks and
    no value.

    Attributes:
        signs: The letters of no, one, two, … blanks, for each value.
        values: The value that a string of `signs` stands for.
        closed: Whether a value behind the end of the layer closes it.
        repeats: Whether digits behind a letter say how often it stands there.
    """

    signs: tuple[str, ...]
    values: tuple[Any, ...] = (1,)
    closed: bool = True
    repeats: bool = False

    def read(self, text: Cursor, size: LayerSize) -> Iterator[Any]:
        values = list(self._values(text, size.count + 2))
        if self.closed:
            require_count(len(values), size.count + 1, text)
            values.pop()
        elif len(values) > size.count:
            require_count(len(values), size.count, text)
        return iter(self.arranged(values, size))

    def _values(self, text: Cursor, most: int) -> Iterator[Any]:
        remaining = most
        while not text.ended and remaining >= 0:
            letter = text.token()
            digits = taken_digits(text) if self.repeats else ""
            for _ in range(min(int(digits or 1), most)):
                blanks, value = self._step(letter, text)
                yield from [None] * blanks
                remaining -= blanks
                if value is not None:
                    yield value
                    remaining -= 1

    def _step(self, letter: str, text: Cursor) -> tuple[int, Any]:
        """Return how many blanks a letter stands for, and the value behind them; None for no
        value.
        """
        if letter in "zZ":
            return LONGEST_STEP, None
        for signs, value in zip(self.signs, self.values):
            if letter in signs:
                return signs.index(letter), value
        raise text.wrong(letter)

    def arranged(self, values: list[Any], size: LayerSize) -> list[Any]:
        """Return the values in the order of the layer."""
        return values

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        return self.steps(list(values))

    def steps(self, values: list[Any]) -> str:
        """Return the letters of values in the order of the text."""
        written = ""
        blanks = 0
        for index, value in enumerate([*values, self.values[0]]):
            if value is None:
                blanks += 1
                continue
            if index == len(values) and not self.closed:
                break
            if value not in self.values:
                raise unwritable(value, index)
            signs = self.signs[self.values.index(value)]
            skips, step = divmod(blanks, LONGEST_STEP)
            if blanks and not step and len(signs) > LONGEST_STEP:
                skips, step = skips - 1, LONGEST_STEP
            written += "z" * skips + signs[step]
            blanks = 0
        if self.repeats:
            return re.sub(r"(.)\1{2,}", lambda run: f"{run[1]}{len(run[0])}", written)
        return written


@dataclass(frozen=True)
class BlocksCodec(StepsCodec):
    """The edges between regions as steps: those between neighbours in a row, row by row, then those
    between rows, column by column.
    """

    def arranged(self, values: list[Any], size: LayerSize) -> list[Any]:
        in_rows, _ = size.edges
        return [*values[:in_rows], *_transposed(values[in_rows:], size.width, size.height - 1)]

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        in_rows, _ = size.edges
        between = _transposed(list(values[in_rows:]), size.height - 1, size.width)
        return self.steps([*values[:in_rows], *between])


def _transposed(values: list[Any], rows: int, columns: int) -> list[Any]:
    """Return the values of rows, each with so many columns, column by column."""
    return [values[row * columns + column] for column in range(columns) for row in range(rows)]


@dataclass(frozen=True)
class ListedCodec:
    """Numbers with a sign between them; a blank is empty.

    Attributes:
        separator: The sign.
        mark: A letter that may stand before a number, and is left out when it is read.
    """

    separator: str
    mark: str = ""

    def read(self, text: Cursor, size: LayerSize) -> Iterator[Any]:
        words = rest_of(text).split(self.separator)
        require_count(len(words), size.count, text)
        for word in words:
            digits = word.removeprefix(self.mark) if self.mark else word
            if digits and not NUMBER.fullmatch(digits):
                raise CodecError(f"{word[:20]!r} is no number", text.begin)
            yield int(digits) if digits else None
            text.begin += len(word) + 1

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        for index, value in enumerate(values):
            digits = str(value).removeprefix(self.mark)
            if value is not None and not NUMBER.fullmatch(digits):
                raise unwritable(value, index)
        return self.separator.join("" if value is None else str(value) for value in values)


@dataclass(frozen=True)
class LineRunsCodec:
    """The runs of columns, then of rows, with `.` between runs and `/` between lines."""

    def read(self, text: Cursor, size: LayerSize) -> Iterator[Any]:
        lines = rest_of(text).split("/")
        require_count(len(lines), size.width + size.height, text)
        for number, line in enumerate(lines):
            runs = line.split(".") if line else []
            most = _most_runs(number, size)
            if len(runs) > most or not all(map(NUMBER.fullmatch, runs)):
                raise CodecError(f"{line[:20]!r} are no runs of a line", text.begin)
            yield from map(int, reversed(runs))
            yield from [None] * (most - len(runs))
            text.begin += len(line) + 1

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        lines = []
        start = 0
        for number in range(size.width + size.height):
            end = start + _most_runs(number, size)
            runs = [run for run in reversed(values[start:end]) if run is not None]
            for run in runs:
                if not isinstance(run, int):
                    raise unwritable(run, start)
            lines.append(".".join(map(str, runs)))
            start = end
        return "/".join(lines)


def _most_runs(line: int, size: LayerSize) -> int:
    """Return how many runs a line may have: the columns come first."""
    cells = size.height if line < size.width else size.width
    return (cells + 1) // 2


@dataclass(frozen=True)
class ComparedCodec:
    """A number for each cell, 0 for none, with the sides on which a smaller one stands: `3UR,`."""

    def read(self, text: Cursor, size: LayerSize) -> Iterator[Any]:
        words = rest_of(text).removesuffix(",").split(",")
        require_count(len(words), size.count, text)
        for word in words:
            match = re.fullmatch(r"([0-9]{1,3})([UDLR]{0,4})", word)
            if match is None:
                raise CodecError(f"{word[:20]!r} is no number with sides", text.begin)
            yield int(match[1]) or None, match[2]
            text.begin += len(word) + 1

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        return "".join(f"{number or 0}{sides}," for number, sides in values)


EDGE_SIGNS = "_" + LETTERS[:25]
GAME_CODECS: dict[str, Any] = {
    "numbers": NumbersCodec(),
    "steps": StepsCodec((EDGE_SIGNS,)),
    "open steps": StepsCodec((LETTERS[:25],), closed=False),
    "coloured steps": StepsCodec((LETTERS[:25], LETTERS[:25].upper()), (1, 2)),
    "blocks": BlocksCodec((EDGE_SIGNS,)),
    "repeated blocks": BlocksCodec((EDGE_SIGNS,), repeats=True),
    "listed ,": ListedCodec(","),
    "listed /": ListedCodec("/"),
    "listed , with S": ListedCodec(",", "S"),
    "line runs": LineRunsCodec(),
    "compared": ComparedCodec(),
}
