"""What every encoding has: text that is read character by character, and the size of a board."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"  # up to base 36
UNKNOWN = "?"  # a clue whose number is not told


class EncodingError(Exception):
    """A text that cannot be read, or a value that cannot be written.

    Attributes:
        at: The index of the character in the text, or of the value among the values.
    """

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


@dataclass(frozen=True)
class Extent:
    """The size of the board, in cells, and how many values a layer has."""

    width: int
    height: int
    count: int


class Cursor:
    """A part of a text that is read from left to right.

    Attributes:
        at: The index of the next character in the whole text.
        begin: The index at which the last token begins.
    """

    def __init__(self, text: str, begin: int, end: int) -> None:
        self.text = text
        self.at = self.begin = begin
        self.end = end

    @property
    def ended(self) -> bool:
        """Whether nothing is left."""
        return self.at >= self.end

    def token(self) -> str:
        """Take the first character of a token."""
        self.begin = self.at
        return self.take(1)

    def take(self, count: int) -> str:
        """Take so many characters. Raises EncodingError if there are fewer."""
        if self.at + count > self.end:
            what = "before" if self.at == self.begin else "inside"
            raise EncodingError(f"the text ends {what} a value", min(self.begin, max(self.end - 1, 0)))
        self.at += count
        return self.text[self.at - count : self.at]

    def number(self, count: int, base: int = 16) -> int:
        """Take a number of so many digits. Raises EncodingError for other characters."""
        digits = self.take(count)
        for place, digit in enumerate(digits, self.at - count):
            digit_of(digit, base, place)
        return int(digits, base)

    def wrong(self, letter: str) -> EncodingError:
        """Return the error of a token that has no meaning."""
        return EncodingError(f"{letter!r} has no meaning here", self.begin)


def digit_of(letter: str, base: int, at: int) -> int:
    """Return the value of a digit. Raises EncodingError for another character."""
    value = DIGITS.find(letter)
    if not 0 <= value < base:
        raise EncodingError(f"{letter!r} is not a digit from 0 to {DIGITS[base - 1]}", at)
    return value


class Encoding(ABC):
    """A way to write the values of a layer as text. None is a blank."""

    @abstractmethod
    def read(self, text: Cursor, extent: Extent) -> Iterator[Any]:
        """Yield the values, the cursor being behind each; those that the text does not reach are left out.

        Raises:
            EncodingError: A character has no meaning, or the text ends inside a value.
        """

    @abstractmethod
    def write(self, values: Sequence[Any], extent: Extent) -> str:
        """Return the text of the values. Raises EncodingError if one cannot be written."""


def unwritable(value: Any, at: int) -> EncodingError:
    """Return the error of a value that an encoding does not have."""
    return EncodingError(f"{value} cannot be written", at)
