"""The layouts of links: how all values of a layer are written as text, blanks among them, and read
again.

They know neither types nor the language. `codec("runs g of hex | (.)")` builds one from the words
with which a type names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any, Protocol

from puzzlekit.links.tokens import (
    DIGITS,
    NOTHING,
    UNKNOWN,
    Arrow,
    CodecError,
    Cursor,
    NumberToken,
    Token,
    digit_of,
    token_of,
    unwritable,
)

RUNS = re.compile(r"runs (\w) of (.*?)(?: and digits of (.*))?")
EACH = re.compile(r"each (?:(\S) )?of (.*)")


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


class Layout(Protocol):
    """The text of the values of a layer. None is a blank."""

    def read(self, text: Cursor, extent: LayerSize) -> Iterator[Any]:
        """Yield the values, the cursor being behind each; those that the text does not reach are
        left out.

        Raises:
            CodecError: A character has no meaning, or the text ends inside a value.
        """

    def write(self, values: Sequence[Any], extent: LayerSize) -> str:
        """Return the text of the values. Raises CodecError if one cannot be written."""


@dataclass(frozen=True)
class BlankRuns:
    """Tokens, and a letter for a run of blanks: `one` for one, the next for two, up to z.

    With `repeated`, a digit is a run of that value: 0 for one, up to 9 for ten.
    """

    one: str
    token: Token
    repeated: str = ""

    def read(self, text: Cursor, extent: LayerSize) -> Iterator[Any]:
        left = extent.count
        while left and not text.ended:
            letter = text.token()
            digit = DIGITS.find(letter)
            run, value = digit - DIGITS.index(self.one) + 1, None
            if self.repeated and 0 <= digit < 10:
                run, value = digit + 1, self.repeated
            if run < 1:
                yield _value(self.token, letter, text)
                left -= 1
            for _ in range(min(run, left)):
                yield value
                left -= 1

    def write(self, values: Sequence[Any], extent: LayerSize) -> str:
        written, at = "", 0
        for value, same in groupby(values):
            many = len(list(same))
            if value is None:
                written += _run(many, self.one)
            elif self.repeated and value == self.repeated:
                written += "9" * (many // 10) + (str(many % 10 - 1) if many % 10 else "")
            else:
                written += many * _text(self.token, value, at)
            at += many
        return written


@dataclass(frozen=True)
class Folded:
    """Numbers from `first` on, each with up to `most` blanks behind it in one character; `one` is a
    blank alone.

    With `beyond`, blanks behind the end of the layer count as well. `.` is an unknown number, which
    has no blanks.
    """

    first: int
    last: int
    most: int
    one: str
    beyond: bool = True

    def read(self, text: Cursor, extent: LayerSize) -> Iterator[Any]:
        left, several = extent.count, self.last - self.first + 1
        while left > 0 and not text.ended:
            letter = text.token()
            digit, blanks = DIGITS.find(letter), 0
            if letter == "." and self.first == 0:
                yield UNKNOWN
                left -= 1
            elif 0 <= digit < several * (self.most + 1):
                yield digit % several + self.first
                blanks, left = digit // several, left - 1
            elif (blanks := digit - DIGITS.index(self.one) + 1) < 1:
                raise text.wrong(letter)
            for _ in range(min(blanks, left)):
                yield None
            left -= blanks

    def write(self, values: Sequence[Any], extent: LayerSize) -> str:
        written, at, blanks = "", 0, 0
        while at < len(values):
            value, at = values[at], at + 1
            if value is None:
                blanks += 1
                continue
            written, blanks = written + _run(blanks, self.one), 0
            if value == UNKNOWN and self.first == 0:
                written += "."
                continue
            if value not in range(self.first, self.last + 1):
                raise unwritable(value, at - 1)
            end = self.most if self.beyond else min(self.most, len(values) - at)
            behind = next(
                (number for number, after in enumerate(values[at : at + end]) if after is not None),
                end,
            )
            written += DIGITS[value - self.first + (self.last - self.first + 1) * behind]
            at += behind
        return written + _run(blanks, self.one)


@dataclass(frozen=True)
class Packed:
    """Values below `base`, `per` of them in each character, the first one in its highest place; 0
    is a blank.
    """

    base: int
    per: int

    def read(self, text: Cursor, extent: LayerSize) -> Iterator[Any]:
        for start in range(0, extent.count, self.per):
            if text.ended:
                return
            code = digit_of(text.token(), self.base**self.per, text.begin)
            for place in range(min(self.per, extent.count - start)):
                yield code // self.base ** (self.per - 1 - place) % self.base or None

    def write(self, values: Sequence[Any], extent: LayerSize) -> str:
        for at, value in enumerate(values):
            if value is not None and value not in range(1, self.base):
                raise unwritable(value, at)
        padded = [value or 0 for value in values] + [0] * (-len(values) % self.per)
        highest_first = [self.base**place for place in reversed(range(self.per))]
        return "".join(
            DIGITS[
                sum(
                    value * weight
                    for value, weight in zip(padded[start : start + self.per], highest_first)
                )
            ]
            for start in range(0, len(padded), self.per)
        )


@dataclass(frozen=True)
class EdgeValues:
    """The values of edges, those between neighbours in a row apart from those between rows; all or
    none are there.
    """

    packed: Packed

    def read(self, text: Cursor, extent: LayerSize) -> Iterator[Any]:
        if text.ended:
            return
        begin, needed = text.at, sum(-(-count // self.packed.per) for count in extent.edges)
        if text.end - begin < needed:
            message = (
                f"the borders of {extent.width}×{extent.height} cells have {needed} characters"
            )
            raise CodecError(f"{message}, but {text.end - begin} are left", begin)
        for count in extent.edges:
            yield from self.packed.read(text, LayerSize(extent.width, extent.height, count))

    def write(self, values: Sequence[Any], extent: LayerSize) -> str:
        between, _ = extent.edges
        return self.packed.write(values[:between], extent) + self.packed.write(
            values[between:], extent
        )


@dataclass(frozen=True)
class Each:
    """A token for each value, or the character `blank`, if there is one."""

    blank: str
    token: Token

    def read(self, text: Cursor, extent: LayerSize) -> Iterator[Any]:
        for _ in range(extent.count):
            if text.ended:
                return
            letter = text.token()
            yield None if letter == self.blank else _value(self.token, letter, text)

    def write(self, values: Sequence[Any], extent: LayerSize) -> str:
        return "".join(map(self._text, values, range(len(values))))

    def _text(self, value: Any, at: int) -> str:
        if value is None and self.blank:
            return self.blank
        text = self.token.write(value)
        if text is None:
            raise unwritable("a missing number" if value is None else value, at)
        return text


@dataclass(frozen=True)
class Decimal:
    """One number of at most four decimal digits."""

    def read(self, text: Cursor, extent: LayerSize) -> Iterator[Any]:
        text.begin = text.at
        if text.ended:
            return
        if text.end - text.at > 4:
            raise CodecError("a number of at most four digits is expected", text.at)
        yield text.number(text.end - text.at, 10)

    def write(self, values: Sequence[Any], extent: LayerSize) -> str:
        (value,) = values
        if not isinstance(value, int) or not 0 <= value < 10_000:
            raise unwritable(value, 0)
        return str(value)


@dataclass(frozen=True)
class Bank:
    """Pieces, as texts: `/` and a letter for a known set of pieces, or how many there are and each
    of them.

    The value of a known set is its letter, and the only value.
    """

    def read(self, text: Cursor, extent: LayerSize) -> Iterator[Any]:
        if not text.ended and text.text[text.at] == "/":
            text.take(1)
        text.begin = begin = text.at
        parts = text.take(text.end - begin).split("/")
        if parts == [""]:
            return
        if len(parts) == 1 and parts[0].isalpha() and len(parts[0]) == 1:
            yield parts[0]
            return
        if not re.fullmatch(r"[0-9]{1,4}", parts[0]) or int(parts[0]) != len(parts) - 1:
            raise CodecError(
                "a letter, or how many pieces there are and each of them is expected", begin
            )
        text.begin += len(parts[0]) + 1
        for part in parts[1:]:
            yield part
            text.begin += len(part) + 1

    def write(self, values: Sequence[Any], extent: LayerSize) -> str:
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


def _text(token: Token, value: Any, at: int) -> str:
    text = token.write(value)
    if text is None:
        raise unwritable(value, at)
    return text


def _run(blanks: int, one: str) -> str:
    """Return the letters for so many blanks, the longest run first."""
    base = DIGITS.index(one) - 1
    longest, rest = divmod(blanks, 35 - base)
    return "z" * longest + (DIGITS[base + rest] if rest else "")


LAYOUTS: dict[str, Layout] = {
    "four_cell": Folded(0, 4, 2, "g"),
    "dots": Folded(1, 2, 7, "g"),
    "ones": Folded(1, 1, 17, "i", beyond=False),
    "circle": Packed(3, 3),
    "bits": Packed(2, 5),
    "border": EdgeValues(Packed(2, 5)),
    "decimal": Decimal(),
    "bank": Bank(),
}


@cache
def codec(words: str) -> Layout:
    """Return the layout that words name: a name of `LAYOUTS`, `runs g of TOKEN`, `runs g of TOKEN
    and digits of VALUE`, or `each . of TOKEN`.

    A token is several words for its parts, each a name of `TOKENS` or signs; ` | ` stands between
    alternatives.

    Raises:
        ValueError: The words name none; the message says what is wrong.

    Examples:
        >>> codec("runs g of hex | (.)").write([12, None, "?", 300], LayerSize(4, 1, 4))
        'cg.+12c'
    """
    if words in LAYOUTS:
        return LAYOUTS[words]
    if runs := RUNS.fullmatch(words):
        letter, tokens, repeated = runs.groups(default="")
        if letter in DIGITS:
            return BlankRuns(letter, token_of(tokens), repeated)
    if each := EACH.fullmatch(words):
        blank, tokens = each.groups(default="")
        return Each(blank, token_of(tokens))
    raise ValueError(
        f"expected runs LETTER of TOKEN, each of TOKEN, or one of {', '.join(LAYOUTS)}"
    )


def has_arrows(layout: Layout) -> bool:
    """Return whether values are numbers with a direction."""
    token = getattr(layout, "token", None)
    return any(
        isinstance(one, Arrow) and not one.parts for one in getattr(token, "tokens", (token,))
    )
