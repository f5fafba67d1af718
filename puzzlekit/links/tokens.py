"""The tokens of links: how one value is written as text, and read again.

They know neither types nor the language. `token_of("hex | (.)")` builds one from the words with
which a type names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from puzzlekit.dataclass import dataclass

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"  # up to base 36
SUMS = DIGITS[:20] + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # up to 45
DIRECTIONS = "nswe"  # up, down, left, right, by their number from 1
UNKNOWN = "?"  # a clue without its number
NOTHING = object()  # what a token returns that does not begin with a letter


class CodecError(Exception):
    """A text that cannot be read, or a value that cannot be written.

    Attributes:
        index: The index of the character in the text, or of the value among the values.
    """

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index


@dataclass(frozen=True)
class LayerSize:
    """The size of the board, in cells, and how many values a layer has."""

    width: int
    height: int
    count: int

    @property
    def edges(self) -> tuple[int, int]:
        """How many edges lie between neighbours in a row, and between rows."""
        return self.height * (self.width - 1), (self.height - 1) * self.width


class Cursor:
    """A segment of a text that is read from left to right.

    Attributes:
        position: The index of the next character in the entire text.
        begin: The index at which the last token begins.
        end: The index behind the last character of the segment.
    """

    def __init__(self, text: str, begin: int, end: int) -> None:
        self.text = text
        self.position = begin
        self.begin = begin
        self.end = end

    @property
    def ended(self) -> bool:
        """Whether no character remains."""
        return self.position >= self.end

    def begins_with(self, letter: str) -> bool:
        """Return whether the next character is this letter."""
        return not self.ended and self.text[self.position] == letter

    def token(self) -> str:
        """Take the first character of a token."""
        self.begin = self.position
        return self.take(1)

    def take(self, count: int) -> str:
        """Take so many characters. Raises CodecError if there are fewer."""
        start = self.position
        if start + count > self.end:
            preposition = "before" if start == self.begin else "inside"
            last = max(self.end - 1, 0)
            message = f"the text ends {preposition} a value"
            raise CodecError(message, min(self.begin, last))
        self.position += count
        return self.text[start : self.position]

    def number(self, count: int, base: int) -> int:
        """Take a number of so many digits. Raises CodecError for other characters."""
        start = self.position
        digits = self.take(count)
        for index, digit in enumerate(digits, start):
            digit_of(digit, base, index)
        return int(digits, base)

    def wrong(self, letter: str) -> CodecError:
        return CodecError(f"{letter!r} has no meaning here", self.begin)


def digit_of(letter: str, base: int, index: int) -> int:
    """Return the value of a digit. Raises CodecError for another character, with its index."""
    digit = DIGITS.find(letter)
    if not 0 <= digit < base:
        raise CodecError(f"{letter!r} is not a digit from 0 to {DIGITS[base - 1]}", index)
    return digit


def digits_in_base(number: int, base: int, count: int) -> Iterator[int]:
    """Yield the last digits of a number, the highest one first.

    Examples:
        >>> list(digits_in_base(11, 2, 5))
        [0, 1, 0, 1, 1]
    """
    for power in reversed(range(count)):
        yield number // base**power % base


def unwritable(value: Any, index: int) -> CodecError:
    return CodecError(f"{value} cannot be written", index)


class Token(Protocol):
    """The text of one value."""

    def read(self, letter: str, text: Cursor) -> Any:
        """Return the value of the token that begins with a letter; `NOTHING` if none does. Raises
        CodecError.
        """

    def write(self, value: Any) -> str | None:
        """Return the text of a value; None if it has none."""


@dataclass(frozen=True)
class NumberRange:
    """The numbers that tokens with one prefix write.

    Attributes:
        prefix: What stands before the digits.
        digits: The number of digits.
        first: The lowest number; the digits are what is added to it.
    """

    prefix: str
    digits: int
    first: int

    def includes(self, number: int, base: int) -> bool:
        """Return whether the digits, in this base, suffice for a number."""
        count: int = base**self.digits
        return self.first <= number < self.first + count


@dataclass(frozen=True)
class NumberToken:
    """A number in some base: the prefix says how many digits there are, and which number they are
    added to.
    """

    base: int
    ranges: tuple[NumberRange, ...]
    plus: int = 0

    def read(self, letter: str, text: Cursor) -> Any:
        digit = DIGITS.find(letter)
        if 0 <= digit < self.base:
            return digit + self.plus
        for numbers in self.ranges:
            if numbers.prefix == letter:
                offset = text.number(numbers.digits, self.base)
                return numbers.first + offset + self.plus
        return NOTHING

    def write(self, value: Any) -> str | None:
        if not isinstance(value, int):
            return None
        number = value - self.plus
        fitting = [numbers for numbers in self.ranges if numbers.includes(number, self.base)]
        if not fitting:
            return None
        closest = min(fitting, key=lambda numbers: (-numbers.first, numbers.digits))
        digits = digits_in_base(number - closest.first, self.base, closest.digits)
        return closest.prefix + "".join(DIGITS[digit] for digit in digits)


@dataclass(frozen=True)
class SignsToken:
    """Characters that stand for values: a digit for its number, `.`, `@` and `%` for an unknown
    one, others for themselves.
    """

    letters: str

    def read(self, letter: str, text: Cursor) -> Any:
        return self._value(letter) if letter in self.letters else NOTHING

    def write(self, value: Any) -> str | None:
        for letter in self.letters:
            if self._value(letter) == value:
                return letter
        return None

    def _value(self, letter: str) -> Any:
        if letter in ".@%":
            return UNKNOWN
        return int(letter) if letter.isdecimal() else letter


@dataclass(frozen=True)
class SumToken:
    """A number from 1 to 45 as one character, or `-` for None, which some write as `0`."""

    def read(self, letter: str, text: Cursor) -> Any:
        if letter in "-0":
            return None
        return SUMS.index(letter) if letter in SUMS else NOTHING

    def write(self, value: Any) -> str | None:
        if value is None:
            return "-"
        return SUMS[value] if value in range(1, len(SUMS)) else None


@dataclass(frozen=True)
class OperationToken:
    """A number and an operation: `a`, `s`, `m`, `d` before it, and `+`, `-`, `*`, `/` behind it in
    the value.
    """

    letters = "asmd"
    signs = "+-*/"

    def read(self, letter: str, text: Cursor) -> Any:
        if letter not in self.letters:
            return NOTHING
        digits = ""
        while any(map(text.begins_with, DIGITS[:10])):
            digits += text.take(1)
        if not digits:
            raise text.wrong(letter)
        return digits + self.signs[self.letters.index(letter)]

    def write(self, value: Any) -> str | None:
        match = re.fullmatch(r"([0-9]+)([-+*/])", str(value))
        if match is None:
            return None
        return self.letters[self.signs.index(match[2])] + match[1]


@dataclass(frozen=True)
class BracketToken:
    """A number: one digit, or several in brackets."""

    def read(self, letter: str, text: Cursor) -> Any:
        if letter in DIGITS[:10]:
            return int(letter)
        if letter != "[":
            return NOTHING
        digits = ""
        while not text.begins_with("]"):
            digits += text.take(1)
        text.take(1)
        if not re.fullmatch(r"[0-9]{1,4}", digits):
            raise text.wrong(letter)
        return int(digits)

    def write(self, value: Any) -> str | None:
        if not isinstance(value, int) or value < 0:
            return None
        return str(value) if value < 10 else f"[{value}]"


@dataclass(frozen=True)
class CountRange:
    """The codes of several small numbers.

    Attributes:
        base: The base in which the numbers are the digits of a code; 0 is an unknown number.
        first: The code when all of them are unknown.
    """

    base: int
    first: int

    def end(self, count: int) -> int:
        """Return the first code that is too large for so many numbers."""
        codes: int = self.base**count
        return self.first + codes


@dataclass(frozen=True)
class CountsToken:
    """One to four small numbers as text, `?` for an unknown one: `113`, `1?`.

    A single number is a digit up to 8, or `.`, and 9 is `1111`; others are two digits of base 36.

    Attributes:
        ranges: The codes by how many numbers there are.
    """

    ranges: Mapping[int, CountRange]

    def read(self, letter: str, text: Cursor) -> Any:
        if letter == ".":
            return UNKNOWN
        if letter == "9":
            return "1111"
        if letter in DIGITS[:9]:
            return letter
        lowest = 36 * DIGITS.find(letter)
        reachable = (
            codes.first - 36 < lowest < codes.end(count) for count, codes in self.ranges.items()
        )
        if not any(reachable):
            return NOTHING
        code = lowest + text.number(1, 36)
        for count, codes in self.ranges.items():
            if codes.first <= code < codes.end(count):
                numbers = digits_in_base(code - codes.first, codes.base, count)
                return "".join(str(number or UNKNOWN) for number in numbers)
        raise text.wrong(letter)

    def write(self, value: Any) -> str | None:
        numbers = []
        for letter in str(value):
            if letter != UNKNOWN and not letter.isdecimal():
                return None
            numbers.append(0 if letter == UNKNOWN else int(letter))
        if numbers == [1] * 4:
            return "9"
        if len(numbers) == 1:
            return _single_count(value)
        codes = self.ranges.get(len(numbers))
        if codes is None or any(number >= codes.base for number in numbers):
            return None
        code = codes.first
        for power, number in enumerate(reversed(numbers)):
            code += number * codes.base**power
        return DIGITS[code // 36] + DIGITS[code % 36]


def _single_count(count: Any) -> str | None:
    if count == UNKNOWN:
        return "."
    return str(count) if int(count) < 9 else None


@dataclass(frozen=True)
class HalvesToken:
    """A pair of 1 or 2 and a number or None: twice the number, and one more for 2."""

    number: Token

    def read(self, letter: str, text: Cursor) -> Any:
        code = self.number.read(letter, text)
        if code is NOTHING:
            return NOTHING
        half, is_second = divmod(code, 2)
        return is_second + 1, half or None

    def write(self, value: Any) -> str | None:
        first, number = value
        if first not in (1, 2):
            return None
        if number is None:
            return self.number.write(first - 1)
        if not isinstance(number, int) or number == 0:
            return None
        return self.number.write(2 * number + first - 1)


@dataclass(frozen=True)
class ArrowToken:
    """A number and a direction, as a pair or as text: `2e`, `?n` or `2`.

    In a pair, the direction is a number from 1 to 4; a number that is unknown and has no direction
    is None.
    """

    as_pair: bool

    def read(self, letter: str, text: Cursor) -> Any:
        has_three_digits = letter == "-"
        code = text.number(1, 10) if has_three_digits else DIGITS.find(letter)
        if not 0 <= code < (5 if has_three_digits else 10):
            return NOTHING
        direction = code % 5
        number = self._read_number(3 if has_three_digits else 1 + code // 5, text)
        if not self.as_pair:
            return f"{number}{DIRECTIONS[direction - 1] if direction else ''}"
        if direction:
            return direction, number
        return None, None if number == UNKNOWN else number

    def _read_number(self, digits: int, text: Cursor) -> Any:
        if digits == 1 and text.begins_with("."):
            text.take(1)
            return UNKNOWN
        return text.number(digits, 16)

    def write(self, value: Any) -> str | None:
        if not self.as_pair:
            match = re.fullmatch(r"([0-9]{1,5}|\?)([nswe]?)", str(value))
            if match is None:
                return None
            number, letter = match.groups()
            return self._write(number, DIRECTIONS.index(letter) + 1 if letter else 0)
        direction, number = value
        if direction not in (None, 1, 2, 3, 4):
            return None
        text = UNKNOWN if number is None else str(number)
        if not re.fullmatch(r"[0-9]{1,5}|\?", text):
            return None
        return self._write(text, direction or 0)

    def _write(self, text: str, direction: int) -> str | None:
        if text == UNKNOWN:
            return f"{direction}."
        number = int(text)
        if number < 16:
            return f"{direction}{number:x}"
        if number < 256:
            return f"{direction + 5}{number:02x}"
        return f"-{direction}{number:03x}" if number < 4096 else None


@dataclass(frozen=True)
class SequenceToken:
    """Tokens one after the other, as one tuple; `.` if all of them are None, where they may be."""

    tokens: tuple[Token, ...]

    def read(self, letter: str, text: Cursor) -> Any:
        if letter == "." and self._may_be_missing:
            return (None,) * len(self.tokens)
        values: list[Any] = []
        for number, token in enumerate(self.tokens):
            if number > 0:
                letter = text.take(1)
            value = token.read(letter, text)
            if value is NOTHING:
                raise text.wrong(letter)
            if isinstance(value, tuple):
                values.extend(value)
            else:
                values.append(value)
        return tuple(values)

    def write(self, value: Any) -> str | None:
        if self._may_be_missing and all(number is None for number in value):
            return "."
        values = value
        if len(value) != len(self.tokens):  # the last token has all further values
            last = len(self.tokens) - 1
            values = (*value[:last], value[last:])
        written = ""
        for token, token_value in zip(self.tokens, values):
            text = token.write(token_value)
            if text is None:
                return None
            written += text
        return written

    @property
    def _may_be_missing(self) -> bool:
        return all(isinstance(token, SumToken) for token in self.tokens)


@dataclass(frozen=True)
class ChoiceToken:
    """The first of several tokens that fits."""

    tokens: tuple[Token, ...]

    def read(self, letter: str, text: Cursor) -> Any:
        for token in self.tokens:
            value = token.read(letter, text)
            if value is not NOTHING:
                return value
        return NOTHING

    def write(self, value: Any) -> str | None:
        for token in self.tokens:
            text = token.write(value)
            if text is not None:
                return text
        return None


# the last number of a range lies before the first of the next one; `%` is an old form of `@`
HEX = (
    NumberRange("", 1, 0),
    NumberRange("-", 2, 0),
    NumberRange("+", 3, 0),
    NumberRange("=", 3, 4096),
    NumberRange("@", 3, 8192),
    NumberRange("%", 3, 8192),
    NumberRange("*", 4, 12240),
    NumberRange("$", 5, 77776),
)
ONE_OR_TWO_DIGITS = (NumberRange("", 1, 0), NumberRange("-", 2, 0))
TOKENS: dict[str, Token] = {
    "digit": NumberToken(10, (NumberRange("", 1, 0),)),
    "hex": NumberToken(16, HEX),
    "base32": NumberToken(32, ONE_OR_TWO_DIGITS),
    "base36": NumberToken(36, ONE_OR_TWO_DIGITS),
    "decimal+1": NumberToken(10, ONE_OR_TWO_DIGITS, plus=1),
    "hex/2": HalvesToken(NumberToken(16, HEX)),
    "arrow": ArrowToken(as_pair=False),
    "way+number": ArrowToken(as_pair=True),
    "sum": SumToken(),
    "operation": OperationToken(),
    "bracketed": BracketToken(),
    "counts": CountsToken({2: CountRange(6, 360), 3: CountRange(4, 396), 4: CountRange(2, 460)}),
}


def token_of(words: str) -> Token:
    """Return the token that words name. Raises ValueError."""
    tokens = [_sequence(names.split()) for names in words.split(" | ")]
    return tokens[0] if len(tokens) == 1 else ChoiceToken(tuple(tokens))


def _sequence(words: Sequence[str]) -> Token:
    tokens = tuple(TOKENS.get(word) or _signs(word) for word in words or [""])
    return tokens[0] if len(tokens) == 1 else SequenceToken(tokens)


def _signs(word: str) -> Token:
    if not re.fullmatch(r"\(\S+\)", word):
        raise ValueError(
            f"there is no token {word[:40]!r}; a token is one of {', '.join(TOKENS)},"
            " or signs in parentheses"
        )
    return SignsToken(word[1:-1])
