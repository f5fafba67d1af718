"""Values whose characters hold the blanks behind them, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from puzzlekit.encodings.base import DIGITS, UNKNOWN, Cursor, Encoding, Extent, unwritable
from puzzlekit.encodings.runs import Number16

GAPS = Number16()  # whose runs of blanks are used here, too


class FourCell(Encoding):
    """Numbers 0 to 4, with up to two blanks after each in the same character."""

    def read(self, text: Cursor, extent: Extent) -> Iterator[Any]:
        left = extent.count
        while left > 0 and not text.ended:
            letter = text.token()
            digit = DIGITS.find(letter)
            blanks = digit // 5
            if letter == "." or 0 <= digit < 15:
                yield UNKNOWN if letter == "." else digit % 5
                left -= 1
                blanks = max(blanks, 0)
            elif digit > 15:
                blanks = digit - 15
            else:
                raise text.wrong(letter)
            for _ in range(min(blanks, left)):
                yield None
            left -= blanks

    def write(self, values: Sequence[Any], extent: Extent) -> str:
        written, at, blanks = "", 0, 0
        while at < len(values):
            value = values[at]
            if value is None:
                blanks += 1
                at += 1
                continue
            if value != UNKNOWN and value not in range(5):
                raise unwritable(value, at)
            written += GAPS.run(blanks)
            after = [*values[at + 1 : at + 3], None, None][:2]
            folded = 0 if value == UNKNOWN or after[0] is not None else 1 if after[1] is not None else 2
            written += "." if value == UNKNOWN else DIGITS[value + 5 * folded]
            blanks, at = 0, at + 1 + folded
        return written + GAPS.run(blanks)


class Dots(Encoding):
    """Values 1 and 2, with up to seven blanks after each in the same character."""

    def read(self, text: Cursor, extent: Extent) -> Iterator[Any]:
        left = extent.count
        while left > 0 and not text.ended:
            letter = text.token()
            digit = DIGITS.find(letter)
            if digit < 0:
                raise text.wrong(letter)
            if digit < 16:
                yield digit % 2 + 1
                left -= 1
            blanks = digit // 2 if digit < 16 else digit - 15
            for _ in range(min(blanks, left)):
                yield None
            left -= blanks

    def write(self, values: Sequence[Any], extent: Extent) -> str:
        written, at, blanks = "", 0, 0
        while at < len(values):
            value = values[at]
            at += 1
            if value is None:
                blanks += 1
                continue
            if value not in (1, 2):
                raise unwritable(value, at - 1)
            folded = next((n for n, after in enumerate(values[at : at + 8]) if after is not None), 7)
            written += GAPS.run(blanks) + DIGITS[2 * folded + value - 1]
            blanks, at = 0, at + folded
        return written + GAPS.run(blanks)


class Trees(Encoding):
    """Marks, each with up to 17 blanks after it in the same character. The value of a mark is 1."""

    def read(self, text: Cursor, extent: Extent) -> Iterator[Any]:
        left = extent.count
        while left > 0 and not text.ended:
            letter = text.token()
            digit = DIGITS.find(letter)
            if digit < 0:
                raise text.wrong(letter)
            if digit < 18:
                yield 1
                left -= 1
            blanks = digit if digit < 18 else digit - 17
            for _ in range(min(blanks, left)):
                yield None
            left -= blanks

    def write(self, values: Sequence[Any], extent: Extent) -> str:
        marks = [at for at, value in enumerate(values) if value is not None]
        if wrong := next((at for at in marks if values[at] != 1), None):
            raise unwritable(values[wrong], wrong)
        ends = [*marks[1:], len(values)]
        first = marks[0] if marks else len(values)
        written = _gap(first)
        for mark, end in zip(marks, ends):
            written += DIGITS[min(end - mark - 1, 17)] + _gap(max(end - mark - 18, 0))
        return written


def _gap(blanks: int) -> str:
    """Return the characters for blanks that follow no mark."""
    return "z" * (blanks // 18) + (DIGITS[17 + blanks % 18] if blanks % 18 else "")
