"""Tokens, and runs of blanks between them: most layers of most links."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from puzzlekit.encodings.base import DIGITS, UNKNOWN, Cursor, Encoding, Extent, unwritable


class Runs(Encoding):
    """Tokens, and letters for runs of blanks.

    Attributes:
        one: The letter for one blank. The letters up to z are for longer runs.
    """

    one = "g"

    @abstractmethod
    def value(self, letter: str, text: Cursor) -> Any:
        """Return the value of the token that begins with a letter."""

    @abstractmethod
    def token(self, value: Any) -> str | None:
        """Return the token of a value; None if there is none."""

    def read(self, text: Cursor, extent: Extent) -> Iterator[Any]:
        left, base = extent.count, DIGITS.index(self.one)
        while left and not text.ended:
            letter = text.token()
            run = DIGITS.find(letter) - base + 1
            if run < 1:
                yield self.value(letter, text)
                left -= 1
            for _ in range(min(run, left)):
                yield None
                left -= 1

    def write(self, values: Sequence[Any], extent: Extent) -> str:
        written, blanks = "", 0
        for at, value in enumerate(values):
            if value is None:
                blanks += 1
                continue
            token = self.token(value)
            if token is None:
                raise unwritable(value, at)
            written += self.run(blanks) + token
            blanks = 0
        return written + self.run(blanks)

    def run(self, blanks: int) -> str:
        """Return the letters for so many blanks, the longest run first."""
        base = DIGITS.index(self.one) - 1
        longest, rest = divmod(blanks, 35 - base)
        return "z" * longest + (DIGITS[base + rest] if rest else "")


class Number10(Runs):
    """A decimal digit, or `.` for an unknown number."""

    one = "a"

    def value(self, letter: str, text: Cursor) -> Any:
        if letter == ".":
            return UNKNOWN
        if letter not in DIGITS[:10]:
            raise text.wrong(letter)
        return int(letter)

    def token(self, value: Any) -> str | None:
        return "." if value == UNKNOWN else str(value) if value in range(10) else None


class Number16(Runs):
    """A hexadecimal digit, or a prefix and several; `.` for an unknown number."""

    # prefix, digits, and the number that the digits are added to; `%` is an old form of `@`
    PREFIXES = (("", 1, 0), ("-", 2, 0), ("+", 3, 0), ("=", 3, 4096), ("@", 3, 8192), ("*", 4, 12240), ("$", 5, 77776))
    ENDS = (16, 256, 4096, 8192, 12240, 77776, 77776 + 16**5)

    def value(self, letter: str, text: Cursor) -> Any:
        if letter == ".":
            return UNKNOWN
        if letter in DIGITS[:16]:
            return int(letter, 16)
        for prefix, digits, base in self.PREFIXES:
            if letter == prefix or (letter == "%" and prefix == "@"):
                return base + text.number(digits)
        raise text.wrong(letter)

    def token(self, value: Any) -> str | None:
        if value == UNKNOWN:
            return "."
        if isinstance(value, int) and value >= 0:
            for (prefix, digits, base), end in zip(self.PREFIXES, self.ENDS):
                if value < end:
                    return f"{prefix}{value - base:0{digits}x}"
        return None


class Balance(Runs):
    """Pairs of a colour (1 white, 2 black) and a number or None: a number in base 16, even for white."""

    number = Number16()

    def value(self, letter: str, text: Cursor) -> Any:
        code = self.number.value(letter, text)
        if code == UNKNOWN:
            raise text.wrong(letter)
        return code % 2 + 1, code // 2 or None

    def token(self, value: Any) -> str | None:
        colour, number = value
        if colour not in (1, 2) or not (number is None or isinstance(number, int)) or number == 0:
            return None
        return self.number.token(2 * (number or 0) + colour - 1)


class Signs(Runs):
    """Characters that stand for values: by default each for itself.

    Args:
        one: The letter for one blank.
        signs: The values, by their character.
    """

    def __init__(self, one: str, signs: dict[str, Any]) -> None:
        self.one = one
        self.signs = signs
        self.letters = {value: sign for sign, value in signs.items()}

    def value(self, letter: str, text: Cursor) -> Any:
        if letter not in self.signs:
            raise text.wrong(letter)
        return self.signs[letter]

    def token(self, value: Any) -> str | None:
        return self.letters.get(value)


class NumbersAndArrows(Runs):
    """A number from 1, or a letter: `a` a plain black cell, `b` to `e` an arrow up, down, left, right."""

    def value(self, letter: str, text: Cursor) -> Any:
        if letter in DIGITS[:10]:
            return int(letter) + 1
        if letter == "-":
            return text.number(2, 10) + 1
        if letter not in "abcde":
            raise text.wrong(letter)
        return letter

    def token(self, value: Any) -> str | None:
        if isinstance(value, int):
            return str(value - 1) if 1 <= value <= 10 else f"-{value - 1}" if 11 <= value <= 100 else None
        return value if value in tuple("abcde") else None


WAYS = "nswe"  # up, down, left, right, by their number from 1


class Arrow(Runs):
    """A number and a direction as text, `2e`, `?n` or `2`; `+` is a cell with neither."""

    one = "a"

    def value(self, letter: str, text: Cursor) -> Any:
        if letter == "+":
            return letter
        long = letter == "-"
        way = text.number(1, 10) if long else DIGITS.find(letter)
        if not 0 <= way < (5 if long else 10):
            raise text.wrong(letter)
        number = self._number(text, 3 if long else 1 + (way > 4))
        return f"{number}{' nswe'[way % 5].strip()}"

    def _number(self, text: Cursor, digits: int) -> Any:
        if digits == 1 and not text.ended and text.text[text.at] == ".":
            text.take(1)
            return UNKNOWN
        return text.number(digits)

    def token(self, value: Any) -> str | None:
        if value == "+":
            return "+"
        found = re.fullmatch(r"([0-9]{1,5}|\?)([nswe]?)", str(value))
        if found is None or (found[1] != UNKNOWN and int(found[1]) >= 4096):
            return None
        way = WAYS.index(found[2]) + 1 if found[2] else 0
        if found[1] == UNKNOWN:
            return f"{way}."
        number = int(found[1])
        return f"{way}{number:x}" if number < 16 else f"{way + 5}{number:02x}" if number < 256 else f"-{way}{number:03x}"


class Castle(Arrow):
    """Triples of a colour (0 grey, 1 white, 2 black), a direction and a number; each of the last two may be None."""

    def value(self, letter: str, text: Cursor) -> Any:
        if letter not in ("0", "1", "2"):
            raise text.wrong(letter)
        found = super().value(text.take(1), text)
        if found == "+":
            raise text.wrong(found)
        number, way = found.rstrip(WAYS), found[-1]
        known = None if found == UNKNOWN else UNKNOWN if number == UNKNOWN else int(number)
        return int(letter), WAYS.index(way) + 1 if way in WAYS else None, known

    def token(self, value: Any) -> str | None:
        colour, way, number = value
        if colour not in (0, 1, 2) or way not in (None, 1, 2, 3, 4):
            return None
        text = f"{UNKNOWN if number is None else number}{WAYS[way - 1] if way else ''}"
        arrow = super().token(text)
        return None if arrow is None else f"{colour}{arrow}"


class Base36(Encoding):
    """A token for each value: a digit in base 36, or `-` and two; `.` for a blank, `@` for an unknown one."""

    def read(self, text: Cursor, extent: Extent) -> Iterator[Any]:
        for _ in range(extent.count):
            if text.ended:
                return
            letter = text.token()
            if letter in "@%":
                yield UNKNOWN
            elif letter == "-":
                yield text.number(2, 36)
            elif letter in DIGITS:
                yield DIGITS.index(letter)
            elif letter == ".":
                yield None
            else:
                raise text.wrong(letter)

    def write(self, values: Sequence[Any], extent: Extent) -> str:
        return "".join(self._token(value, at) for at, value in enumerate(values))

    def _token(self, value: Any, at: int) -> str:
        if value is None or value == UNKNOWN:
            return "." if value is None else "@"
        if not isinstance(value, int) or not 0 <= value < 36**2:
            raise unwritable(value, at)
        return DIGITS[value] if value < 36 else f"-{DIGITS[value // 36]}{DIGITS[value % 36]}"


PIPES = {letter: letter for letter in "abcdefg"} | {".": UNKNOWN}
TATAMI = {"1": 1, "2": 2, "3": 3, ".": UNKNOWN}
