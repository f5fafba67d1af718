"""Values whose characters hold the blanks behind them, too."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from puzzlekit.encodings.base import DIGITS, UNKNOWN, Cursor, Encoding, Extent, unwritable
from puzzlekit.encodings.runs import Number16

GAPS = Number16()  # whose runs of blanks are used here, too


class Folded(Encoding):
    """A character is a value and the blanks behind it, or blanks alone."""

    most = 0  # blanks that a value's character holds

    @abstractmethod
    def meaning(self, letter: str) -> tuple[Any, int] | None:
        """Return the value of a character, None for blanks alone, and its blanks; None if it has no meaning."""

    @abstractmethod
    def letter(self, value: Any, blanks: int) -> str | None:
        """Return the character of a value and the blanks behind it; None if there is no such value."""

    def read(self, text: Cursor, extent: Extent) -> Iterator[Any]:
        left = extent.count
        while left > 0 and not text.ended:
            letter = text.token()
            found = self.meaning(letter)
            if found is None:
                raise text.wrong(letter)
            value, blanks = found
            if value is not None:
                yield value
                left -= 1
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
            most = 0 if value == UNKNOWN else self.most  # past the end as well
            behind = next((number for number, after in enumerate(values[at : at + most]) if after is not None), most)
            letter = self.letter(value, behind)
            if letter is None:
                raise unwritable(value, at - 1)
            written += GAPS.run(blanks) + letter
            blanks, at = 0, at + behind
        return written + GAPS.run(blanks)


class FourCell(Folded):
    """Numbers 0 to 4, with up to two blanks after each in the same character."""

    most = 2

    def meaning(self, letter: str) -> tuple[Any, int] | None:
        digit = DIGITS.find(letter)
        if letter == ".":
            return UNKNOWN, 0
        if digit in (-1, 15):
            return None
        return (digit % 5, digit // 5) if digit < 15 else (None, digit - 15)

    def letter(self, value: Any, blanks: int) -> str | None:
        if value == UNKNOWN:
            return "."
        return DIGITS[value + 5 * blanks] if value in range(5) else None


class Dots(Folded):
    """Values 1 and 2, with up to seven blanks after each in the same character."""

    most = 7

    def meaning(self, letter: str) -> tuple[Any, int] | None:
        digit = DIGITS.find(letter)
        if digit < 0:
            return None
        return (digit % 2 + 1, digit // 2) if digit < 16 else (None, digit - 15)

    def letter(self, value: Any, blanks: int) -> str | None:
        return DIGITS[2 * blanks + value - 1] if value in (1, 2) else None


class Trees(Folded):
    """Marks, each with up to 17 blanks after it in the same character. The value of a mark is 1."""

    most = 17

    def meaning(self, letter: str) -> tuple[Any, int] | None:
        digit = DIGITS.find(letter)
        if digit < 0:
            return None
        return (1, digit) if digit < 18 else (None, digit - 17)

    def letter(self, value: Any, blanks: int) -> str | None:
        return DIGITS[blanks] if value == 1 else None

    def write(self, values: Sequence[Any], extent: Extent) -> str:
        marks = [at for at, value in enumerate(values) if value is not None]
        written = _gap(marks[0] if marks else len(values))
        for mark, end in zip(marks, [*marks[1:], len(values)]):
            letter = self.letter(values[mark], min(end - mark - 1, self.most))
            if letter is None:
                raise unwritable(values[mark], mark)
            written += letter + _gap(max(end - mark - self.most - 1, 0))
        return written


def _gap(blanks: int) -> str:
    """Return the characters for blanks that follow no mark."""
    return "z" * (blanks // 18) + (DIGITS[17 + blanks % 18] if blanks % 18 else "")
