"""The codecs of links: how all values of a layer are written as text, blanks among them, and read
again.

They know neither types nor the language. `codec("runs g of hex | (.)")` builds one from the words
with which a type names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any, Protocol

from puzzlekit.dataclass import dataclass
from puzzlekit.links.game_codecs import GAME_CODECS
from puzzlekit.links.tokens import (
    DIGITS,
    NOTHING,
    UNKNOWN,
    ArrowToken,
    CodecError,
    Cursor,
    LayerSize,
    NumberToken,
    Token,
    digit_of,
    digits_in_base,
    token_of,
    unwritable,
)

RUNS = re.compile(r"runs (\w) of (.*?)(?: and digits of (.*))?")
EACH = re.compile(r"each (?:(\S) )?of (.*)")


class Codec(Protocol):
    """The text of the values of a layer. None is a blank."""

    def read(self, text: Cursor, size: LayerSize) -> Iterator[Any]:
        """Yield the values, the cursor being behind each; those that the text does not reach are
        left out.

        Raises:
            CodecError: A character has no meaning, or the text ends inside a value.
        """

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        """Return the text of the values. Raises CodecError if one cannot be written."""


@dataclass(frozen=True)
class RunsCodec:
    """Tokens, and a letter for a run of blanks.

    Attributes:
        first_letter: The letter of a single blank; the next letter is a run of two, up to z.
        token: How values are written.
        repeated: A value whose runs are digits: 0 for one, up to 9 for ten; empty for none.
    """

    first_letter: str
    token: Token
    repeated: str = ""

    def read(self, text: Cursor, size: LayerSize) -> Iterator[Any]:
        remaining = size.count
        while remaining and not text.ended:
            letter = text.token()
            length, value = self._run(letter)
            if length < 1:
                yield _value(self.token, letter, text)
                remaining -= 1
            for _ in range(min(length, remaining)):
                yield value
                remaining -= 1

    def _run(self, letter: str) -> tuple[int, str | None]:
        """Return the length and the value of the run that a letter stands for; of another letter,
        the length is less than 1.
        """
        digit = DIGITS.find(letter)
        if self.repeated and 0 <= digit < 10:
            return digit + 1, self.repeated
        return digit - DIGITS.index(self.first_letter) + 1, None

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        written = ""
        index = 0
        for value, run in groupby(values):
            length = len(list(run))
            if value is None:
                written += _blanks(length, self.first_letter)
            elif self.repeated and value == self.repeated:
                tens, rest = divmod(length, 10)
                written += "9" * tens
                if rest:
                    written += str(rest - 1)
            else:
                written += length * _text(self.token, value, index)
            index += length
        return written


@dataclass(frozen=True)
class FoldedCodec:
    """Numbers, each in one character with the blanks behind it. `.` is an unknown number, which has
    no blanks.

    Attributes:
        first: The lowest number.
        last: The highest number.
        most: How many blanks there may be behind a number.
        blank: The letter of a blank alone; the next letter is a run of two.
        beyond: Whether blanks behind the end of the layer count as well.
    """

    first: int
    last: int
    most: int
    blank: str
    beyond: bool = True

    @property
    def _numbers(self) -> int:
        return self.last - self.first + 1

    def read(self, text: Cursor, size: LayerSize) -> Iterator[Any]:
        remaining = size.count
        while remaining > 0 and not text.ended:
            letter = text.token()
            code = DIGITS.find(letter)
            blanks = 0
            if letter == "." and self.first == 0:
                yield UNKNOWN
                remaining -= 1
            elif 0 <= code < self._numbers * (self.most + 1):
                blanks, offset = divmod(code, self._numbers)
                yield self.first + offset
                remaining -= 1
            else:
                blanks = code - DIGITS.index(self.blank) + 1
                if blanks < 1:
                    raise text.wrong(letter)
            for _ in range(min(blanks, remaining)):
                yield None
            remaining -= blanks

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        written = ""
        index = 0
        blanks = 0
        while index < len(values):
            value = values[index]
            index += 1
            if value is None:
                blanks += 1
                continue
            written += _blanks(blanks, self.blank)
            blanks = 0
            if value == UNKNOWN and self.first == 0:
                written += "."
                continue
            if value not in range(self.first, self.last + 1):
                raise unwritable(value, index - 1)
            folded = self._blanks_behind(values, index)
            written += DIGITS[value - self.first + self._numbers * folded]
            index += folded
        return written + _blanks(blanks, self.blank)

    def _blanks_behind(self, values: Sequence[Any], index: int) -> int:
        """Return how many of the values from an index on are blanks, up to `most`."""
        following = values[index : index + self.most]
        for count, value in enumerate(following):
            if value is not None:
                return count
        return self.most if self.beyond else len(following)


@dataclass(frozen=True)
class PackedCodec:
    """Several values in each character, the first one in its highest digit; 0 is a blank.

    Attributes:
        base: The base of the digits; values are below it.
        per: How many values a character has.
    """

    base: int
    per: int

    def read(self, text: Cursor, size: LayerSize) -> Iterator[Any]:
        for start in range(0, size.count, self.per):
            if text.ended:
                return
            code = digit_of(text.token(), self.base**self.per, text.begin)
            digits = list(digits_in_base(code, self.base, self.per))
            for digit in digits[: size.count - start]:
                yield digit or None

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        for index, value in enumerate(values):
            if value is not None and value not in range(1, self.base):
                raise unwritable(value, index)
        digits = [value or 0 for value in values]
        digits += [0] * (-len(digits) % self.per)
        written = ""
        for start in range(0, len(digits), self.per):
            code = 0
            for digit in digits[start : start + self.per]:
                code = code * self.base + digit
            written += DIGITS[code]
        return written


@dataclass(frozen=True)
class EdgesCodec:
    """The values of edges, those between neighbours in a row apart from those between rows; all or
    none are there.
    """

    packed: PackedCodec

    def read(self, text: Cursor, size: LayerSize) -> Iterator[Any]:
        if text.ended:
            return
        begin = text.position
        remaining = text.end - begin
        needed = sum(-(-count // self.packed.per) for count in size.edges)
        if remaining < needed:
            message = f"the borders of {size.width}×{size.height} cells have {needed} characters"
            raise CodecError(f"{message}, but {remaining} are left", begin)
        for count in size.edges:
            yield from self.packed.read(text, LayerSize(size.width, size.height, count))

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        in_rows, _ = size.edges
        first = self.packed.write(values[:in_rows], size)
        return first + self.packed.write(values[in_rows:], size)


@dataclass(frozen=True)
class EachCodec:
    """A token for each value, or the character `blank`, if there is one."""

    blank: str
    token: Token

    def read(self, text: Cursor, size: LayerSize) -> Iterator[Any]:
        for _ in range(size.count):
            if text.ended:
                return
            letter = text.token()
            if letter == self.blank:
                yield None
            else:
                yield _value(self.token, letter, text)

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        return "".join(self._text(value, index) for index, value in enumerate(values))

    def _text(self, value: Any, index: int) -> str:
        if value is None and self.blank:
            return self.blank
        text = self.token.write(value)
        if text is None:
            raise unwritable("a missing number" if value is None else value, index)
        return text


@dataclass(frozen=True)
class DecimalCodec:
    """One number of at most four decimal digits."""

    def read(self, text: Cursor, size: LayerSize) -> Iterator[Any]:
        text.begin = text.position
        if text.ended:
            return
        digits = text.end - text.position
        if digits > 4:
            raise CodecError("a number of at most four digits is expected", text.position)
        yield text.number(digits, 10)

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        (value,) = values
        if not isinstance(value, int) or not 0 <= value < 10_000:
            raise unwritable(value, 0)
        return str(value)


@dataclass(frozen=True)
class BankCodec:
    """Pieces, as texts: `/` and a letter for a named set of pieces, or how many there are and each
    of them.

    The value of a named set is its letter, and the only value.
    """

    def read(self, text: Cursor, size: LayerSize) -> Iterator[Any]:
        if text.begins_with("/"):
            text.take(1)
        text.begin = begin = text.position
        count, *pieces = text.take(text.end - begin).split("/")
        if not pieces and not count:
            return
        if not pieces and len(count) == 1 and count.isalpha():
            yield count
            return
        if not re.fullmatch(r"[0-9]{1,4}", count) or int(count) != len(pieces):
            raise CodecError(
                "a letter, or how many pieces there are and each of them is expected", begin
            )
        text.begin += len(count) + 1
        for piece in pieces:
            yield piece
            text.begin += len(piece) + 1

    def write(self, values: Sequence[Any], size: LayerSize) -> str:
        if len(values) == 1 and len(values[0]) == 1:
            return f"/{values[0]}"
        return "/".join((str(len(values)), *values))


def _value(token: Token, letter: str, text: Cursor) -> Any:
    value = token.read(letter, text)
    if value is NOTHING:
        if isinstance(token, NumberToken):
            digit_of(letter, token.base, text.begin)
        raise text.wrong(letter)
    return value


def _text(token: Token, value: Any, index: int) -> str:
    text = token.write(value)
    if text is None:
        raise unwritable(value, index)
    return text


def _blanks(count: int, first_letter: str) -> str:
    """Return the letters for so many blanks, the longest run first; the first letter is one."""
    base = DIGITS.index(first_letter) - 1
    longest, rest = divmod(count, 35 - base)
    letters = "z" * longest
    return letters + DIGITS[base + rest] if rest else letters


CODECS: dict[str, Codec] = {
    "four_cell": FoldedCodec(0, 4, 2, "g"),
    "dots": FoldedCodec(1, 2, 7, "g"),
    "ones": FoldedCodec(1, 1, 17, "i", beyond=False),
    "circle": PackedCodec(3, 3),
    "bits": PackedCodec(2, 5),
    "border": EdgesCodec(PackedCodec(2, 5)),
    "decimal": DecimalCodec(),
    "bank": BankCodec(),
    **GAME_CODECS,
}


@cache
def codec(words: str) -> Codec:
    """Return the codec that words name: a name of `CODECS`, `runs g of TOKEN`, `runs g of TOKEN
    and digits of VALUE`, or `each . of TOKEN`.

    A token is one or several words, each a name of `TOKENS` or signs; ` | ` stands between
    alternatives.

    Raises:
        ValueError: The words name none; the message says what is wrong.

    Examples:
        >>> codec("runs g of hex | (.)").write([12, None, "?", 300], LayerSize(4, 1, 4))
        'cg.+12c'
    """
    if words in CODECS:
        return CODECS[words]
    if runs := RUNS.fullmatch(words):
        letter, tokens, repeated = runs.groups(default="")
        if letter in DIGITS:
            return RunsCodec(letter, token_of(tokens), repeated)
    if each := EACH.fullmatch(words):
        blank, tokens = each.groups(default="")
        return EachCodec(blank, token_of(tokens))
    names = ", ".join(CODECS)
    raise ValueError(f"expected runs LETTER of TOKEN, each of TOKEN, or one of {names}")


def has_arrows(layer_codec: Codec) -> bool:
    """Return whether values are numbers with a direction."""
    token = getattr(layer_codec, "token", None)
    alternatives = getattr(token, "tokens", (token,))
    return any(isinstance(token, ArrowToken) and not token.as_pair for token in alternatives)
