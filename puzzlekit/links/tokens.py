"""The tokens of links: how one value is written as text, and read again.

They know neither types nor the language. `token_of("hex | (.)")` builds one from the words with
which a type names it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"  # up to base 36
SUMS = DIGITS[:20] + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # up to 45
WAYS = "nswe"  # up, down, left, right, by their number from 1
UNKNOWN = "?"  # a clue whose number is not told
NOTHING = object()  # what a token returns that does not begin with a letter


class CodecError(Exception):
    """A text that cannot be read, or a value that cannot be written.

    Attributes:
        at: The index of the character in the text, or of the value among the values.
    """

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


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
        """Take so many characters. Raises CodecError if there are fewer."""
        if self.at + count > self.end:
            what = "before" if self.at == self.begin else "inside"
            raise CodecError(f"the text ends {what} a value", min(self.begin, max(self.end - 1, 0)))
        self.at += count
        return self.text[self.at - count : self.at]

    def number(self, count: int, base: int) -> int:
        """Take a number of so many digits. Raises CodecError for other characters."""
        digits = self.take(count)
        for place, digit in enumerate(digits, self.at - count):
            digit_of(digit, base, place)
        return int(digits, base)

    def wrong(self, letter: str) -> CodecError:
        return CodecError(f"{letter!r} has no meaning here", self.begin)


def digit_of(letter: str, base: int, at: int) -> int:
    """Return the value of a digit. Raises CodecError for another character."""
    value = DIGITS.find(letter)
    if not 0 <= value < base:
        raise CodecError(f"{letter!r} is not a digit from 0 to {DIGITS[base - 1]}", at)
    return value


def unwritable(value: Any, at: int) -> CodecError:
    return CodecError(f"{value} cannot be written", at)


class Token(Protocol):
    """The text of one value."""

    def read(self, letter: str, text: Cursor) -> Any:
        """Return the value of the token that begins with a letter; `NOTHING` if none does. Raises
        CodecError.
        """

    def write(self, value: Any) -> str | None:
        """Return the text of a value; None if it has none."""


@dataclass(frozen=True)
class NumberToken:
    """A number in some base: the prefix says how many digits there are, and which number they are
    added to.
    """

    base: int
    forms: tuple[tuple[str, int, int], ...]  # prefix, digits, the number added
    plus: int = 0

    def read(self, letter: str, text: Cursor) -> Any:
        if 0 <= DIGITS.find(letter) < self.base:
            return DIGITS.index(letter) + self.plus
        form = next((form for form in self.forms if form[0] == letter), None)
        return NOTHING if form is None else form[2] + text.number(form[1], self.base) + self.plus

    def write(self, value: Any) -> str | None:
        if not isinstance(value, int):
            return None
        number = value - self.plus
        fitting = [
            form for form in self.forms if form[2] <= number < form[2] + self.base ** form[1]
        ]
        if not fitting:
            return None
        prefix, digits, first = min(fitting, key=lambda form: (-form[2], form[1]))
        return prefix + "".join(
            DIGITS[(number - first) // self.base**place % self.base]
            for place in reversed(range(digits))
        )


@dataclass(frozen=True)
class SignsToken:
    """Characters that stand for values: a digit for its number, `.`, `@` and `%` for an unknown
    one, others for themselves.
    """

    letters: str

    def read(self, letter: str, text: Cursor) -> Any:
        return self._value(letter) if letter in self.letters else NOTHING

    def write(self, value: Any) -> str | None:
        return next((letter for letter in self.letters if self._value(letter) == value), None)

    def _value(self, letter: str) -> Any:
        return UNKNOWN if letter in ".@%" else int(letter) if letter.isdecimal() else letter


@dataclass(frozen=True)
class SumToken:
    """A number from 1 to 45 as one character, or `-` for None, which some write as `0`."""

    def read(self, letter: str, text: Cursor) -> Any:
        return None if letter in "-0" else SUMS.index(letter) if letter in SUMS else NOTHING

    def write(self, value: Any) -> str | None:
        return "-" if value is None else SUMS[value] if value in range(1, len(SUMS)) else None


@dataclass(frozen=True)
class Counts:
    """One to four small numbers as text, `?` for an unknown one: `113`, `1?`.

    A single number is a digit up to 8, or `.`, and 9 is `1111`; others are two digits of base 36.
    Each of the forms, by how many numbers there are, has the base of these numbers, 0 being
    unknown, and the code of the first ones.
    """

    forms: Mapping[int, tuple[int, int]]

    def read(self, letter: str, text: Cursor) -> Any:
        if letter in ".9":
            return UNKNOWN if letter == "." else "1111"
        if letter in DIGITS[:9]:
            return letter
        code = 36 * DIGITS.find(letter)
        if not any(
            first - 36 < code < first + base**count for count, (base, first) in self.forms.items()
        ):
            return NOTHING
        code += text.number(1, 36)
        for count, (base, first) in self.forms.items():
            if first <= code < first + base**count:
                numbers = ((code - first) // base**place % base for place in reversed(range(count)))
                return "".join(str(number or UNKNOWN) for number in numbers)
        raise text.wrong(letter)

    def write(self, value: Any) -> str | None:
        numbers = [
            0 if letter == UNKNOWN else int(letter)
            for letter in str(value)
            if letter == UNKNOWN or letter.isdecimal()
        ]
        if len(numbers) != len(str(value)):
            return None
        if len(numbers) == 1:
            return "." if value == UNKNOWN else str(value) if numbers[0] < 9 else None
        base, first = self.forms.get(len(numbers), (0, 0))
        if any(number >= base for number in numbers):
            return None
        if numbers == [1] * 4:
            return "9"
        code = first + sum(number * base**place for place, number in enumerate(reversed(numbers)))
        return DIGITS[code // 36] + DIGITS[code % 36]


@dataclass(frozen=True)
class Halves:
    """A pair of 1 or 2 and a number or None: twice the number, and one more for 2."""

    number: Token

    def read(self, letter: str, text: Cursor) -> Any:
        code = self.number.read(letter, text)
        return code if code is NOTHING else (code % 2 + 1, code // 2 or None)

    def write(self, value: Any) -> str | None:
        first, number = value
        if first not in (1, 2) or not (number is None or isinstance(number, int)) or number == 0:
            return None
        return self.number.write(2 * (number or 0) + first - 1)


@dataclass(frozen=True)
class Arrow:
    """A number and a direction, in parts or as text: `2e`, `?n` or `2`. In parts, a number without
    both is None.
    """

    parts: bool

    def read(self, letter: str, text: Cursor) -> Any:
        long = letter == "-"
        way = text.number(1, 10) if long else DIGITS.find(letter)
        if not 0 <= way < (5 if long else 10):
            return NOTHING
        digits, way = 3 if long else 1 + way // 5, way % 5
        if digits == 1 and not text.ended and text.text[text.at] == ".":
            text.take(1)
            number: Any = UNKNOWN
        else:
            number = text.number(digits, 16)
        if self.parts:
            return way or None, None if number == UNKNOWN and not way else number
        return f"{number}{' nswe'[way].strip()}"

    def write(self, value: Any) -> str | None:
        if self.parts:
            way, number = value
            if way not in (None, 1, 2, 3, 4):
                return None
            value = f"{UNKNOWN if number is None else number}{WAYS[way - 1] if way else ''}"
        found = re.fullmatch(r"([0-9]{1,5}|\?)([nswe]?)", str(value))
        if found is None or (found[1] != UNKNOWN and int(found[1]) >= 4096):
            return None
        way = WAYS.index(found[2]) + 1 if found[2] else 0
        if found[1] == UNKNOWN:
            return f"{way}."
        number = int(found[1])
        return (
            f"{way}{number:x}"
            if number < 16
            else f"{way + 5}{number:02x}"
            if number < 256
            else f"-{way}{number:03x}"
        )


@dataclass(frozen=True)
class Parts:
    """Tokens one after the other, as one tuple; `.` if all of them are None, where they may be."""

    tokens: tuple[Token, ...]

    def read(self, letter: str, text: Cursor) -> Any:
        if letter == "." and self._may_be_missing:
            return (None,) * len(self.tokens)
        found: list[Any] = []
        for number, token in enumerate(self.tokens):
            letter = text.take(1) if number else letter
            value = token.read(letter, text)
            if value is NOTHING:
                raise text.wrong(letter)
            found += value if isinstance(value, tuple) else (value,)
        return tuple(found)

    def write(self, value: Any) -> str | None:
        if self._may_be_missing and all(part is None for part in value):
            return "."
        first = len(self.tokens) - 1  # the last token has all further parts
        parts = value if len(value) == len(self.tokens) else (*value[:first], value[first:])
        texts = [token.write(part) for token, part in zip(self.tokens, parts)]
        return None if None in texts else "".join(map(str, texts))

    @property
    def _may_be_missing(self) -> bool:
        return all(isinstance(token, SumToken) for token in self.tokens)


@dataclass(frozen=True)
class Either:
    """One of several tokens."""

    tokens: tuple[Token, ...]

    def read(self, letter: str, text: Cursor) -> Any:
        return next(
            (value for token in self.tokens if (value := token.read(letter, text)) is not NOTHING),
            NOTHING,
        )

    def write(self, value: Any) -> str | None:
        return next(
            (text for token in self.tokens if (text := token.write(value)) is not None), None
        )


# the last number of a form ends where that of the next one begins; `%` is an old form of `@`
HEX = (
    ("", 1, 0),
    ("-", 2, 0),
    ("+", 3, 0),
    ("=", 3, 4096),
    ("@", 3, 8192),
    ("%", 3, 8192),
    ("*", 4, 12240),
    ("$", 5, 77776),
)
TOKENS: dict[str, Token] = {
    "digit": NumberToken(10, (("", 1, 0),)),
    "hex": NumberToken(16, HEX),
    **{f"base{base}": NumberToken(base, (("", 1, 0), ("-", 2, 0))) for base in (32, 36)},
    "decimal+1": NumberToken(10, (("", 1, 0), ("-", 2, 0)), plus=1),
    "hex/2": Halves(NumberToken(16, HEX)),
    "arrow": Arrow(parts=False),
    "way+number": Arrow(parts=True),
    "sum": SumToken(),
    "counts": Counts({2: (6, 360), 3: (4, 396), 4: (2, 460)}),
}


def token_of(words: str) -> Token:
    """Return the token that words name. Raises ValueError."""
    found = [_parts(part.split()) for part in words.split(" | ")]
    return found[0] if len(found) == 1 else Either(tuple(found))


def _parts(words: Sequence[str]) -> Token:
    tokens = tuple(TOKENS.get(word) or _signs(word) for word in words or [""])
    return tokens[0] if len(tokens) == 1 else Parts(tokens)


def _signs(word: str) -> Token:
    if not re.fullmatch(r"\(\S+\)", word):
        raise ValueError(
            f"there is no token {word[:40]!r}; a token is one of {', '.join(TOKENS)}, or signs in parentheses"
        )
    return SignsToken(word[1:-1])
