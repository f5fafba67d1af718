"""Fixed numbers of digits: bits, circles and borders; and encodings of a few numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from puzzlekit.encodings.base import DIGITS, Cursor, Encoding, EncodingError, Extent, digit_of, unwritable


class Packed(Encoding):
    """Several small values in each digit, the first one in its highest place; 0 is a blank.

    Args:
        base: How many values there are, with the blank.
        per: How many stand in one digit.
    """

    def __init__(self, base: int, per: int) -> None:
        self.base, self.per = base, per

    def read(self, text: Cursor, extent: Extent) -> Iterator[Any]:
        for start in range(0, extent.count, self.per):
            if text.ended:
                return
            code = digit_of(text.token(), self.base**self.per, text.begin)
            for place in range(min(self.per, extent.count - start)):
                yield code // self.base ** (self.per - 1 - place) % self.base or None

    def write(self, values: Sequence[Any], extent: Extent) -> str:
        for at, value in enumerate(values):
            if value is not None and value not in range(1, self.base):
                raise unwritable(value, at)
        written = ""
        for start in range(0, len(values), self.per):
            part = [value or 0 for value in values[start : start + self.per]]
            part += [0] * (self.per - len(part))
            code = 0
            for value in part:
                code = code * self.base + value
            written += DIGITS[code]
        return written


class Border(Encoding):
    """A bit for each edge: those between neighbours in a row, row by row, then those between rows."""

    bits = Packed(2, 5)

    def read(self, text: Cursor, extent: Extent) -> Iterator[Any]:
        if text.ended:
            return
        begin, needed = text.at, sum(-(-count // 5) for count in edges(extent))
        if text.end - begin < needed:
            message = f"the borders of {extent.width}×{extent.height} cells have {needed} characters"
            raise EncodingError(f"{message}, but {text.end - begin} are left", begin)
        for count in edges(extent):
            yield from self.bits.read(text, Extent(extent.width, extent.height, count))

    def write(self, values: Sequence[Any], extent: Extent) -> str:
        between, _ = edges(extent)
        return self.bits.write(values[:between], extent) + self.bits.write(values[between:], extent)


def edges(extent: Extent) -> tuple[int, int]:
    """Return how many edges lie between neighbours in a row, and between rows."""
    return extent.height * (extent.width - 1), (extent.height - 1) * extent.width


class Sums(Encoding):
    """Numbers in base 32, or `-` and two digits, without blanks."""

    def read(self, text: Cursor, extent: Extent) -> Iterator[Any]:
        for _ in range(extent.count):
            if text.ended:
                return
            letter = text.token()
            yield text.number(2, 32) if letter == "-" else digit_of(letter, 32, text.begin)

    def write(self, values: Sequence[Any], extent: Extent) -> str:
        return "".join(self._token(value, at) for at, value in enumerate(values))

    def _token(self, value: Any, at: int) -> str:
        if not isinstance(value, int) or not 0 <= value < 32**2:
            raise unwritable("a missing number" if value is None else value, at)
        return DIGITS[value] if value < 32 else f"-{DIGITS[value // 32]}{DIGITS[value % 32]}"


class Decimal(Encoding):
    """One number of at most four decimal digits."""

    def read(self, text: Cursor, extent: Extent) -> Iterator[Any]:
        text.begin = text.at
        if text.ended:
            return
        if text.end - text.at > 4:
            raise EncodingError("a number of at most four digits is expected", text.at)
        yield text.number(text.end - text.at, 10)

    def write(self, values: Sequence[Any], extent: Extent) -> str:
        (value,) = values
        if not isinstance(value, int) or not 0 <= value < 10_000:
            raise unwritable(value, 0)
        return str(value)


class TwoSums(Encoding):
    """The sums of a board with its rim above and to the left: pairs (down, right) in black cells, None for white ones.

    Either sum may be None. The rim's sums follow the cells, of the columns and rows that begin with a white cell.
    """

    SUMS = DIGITS[:20] + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def read(self, text: Cursor, extent: Extent) -> Iterator[Any]:
        width, height = extent.width, extent.height
        cells: list[tuple[Any, int]] = []
        while len(cells) < width * height and not text.ended:
            letter = text.token()
            run = DIGITS.find(letter) - 19
            if run > 0:
                cells += [(None, text.begin)] * min(run, width * height - len(cells))
            else:
                black = (None, None) if letter == "." else (self._sum(letter, text), self._sum(text.take(1), text))
                cells.append((black, text.begin))
        cells += [(None, text.at)] * (width * height - len(cells))
        rim: dict[tuple[int, int], tuple[Any, int]] = {}
        for column in range(width):
            if cells[column][0] is None and not text.ended:
                rim[0, column + 1] = (self._sum(text.token(), text), None), text.begin
        for row in range(height):
            if cells[row * width][0] is None and not text.ended:
                rim[row + 1, 0] = (None, self._sum(text.token(), text)), text.begin
        end = text.at
        for row in range(height + 1):
            for column in range(width + 1):
                inner = row and column
                value, text.begin = (
                    cells[(row - 1) * width + column - 1] if inner else rim.get((row, column), ((None, None), end))
                )
                yield value

    def _sum(self, letter: str, text: Cursor) -> int | None:
        if letter != "-" and letter not in self.SUMS:
            raise text.wrong(letter)
        return None if letter == "-" else self.SUMS.index(letter)

    def write(self, values: Sequence[Any], extent: Extent) -> str:
        width = extent.width + 1
        written, run = "", 0
        for at, value in enumerate(values):
            if at < width or at % width == 0:
                if value is None or (at < width and value[1] is not None) or (at >= width and value[0] is not None):
                    raise EncodingError("the first row and column have no white cells, and no sums along them", at)
                continue
            if value is None:
                run += 1
                continue
            written += self._run(run) + ("." if value == (None, None) else "".join(self._letter(n, at) for n in value))
            run = 0
        written += self._run(run)
        for column in range(1, width):
            written += self._rim(values[column][0], values[column + width] is None, column)
        for at in range(width, len(values), width):
            written += self._rim(values[at][1], values[at + 1] is None, at)
        return written

    def _rim(self, number: int | None, white: bool, at: int) -> str:
        """Return the sum of a line on the rim; nothing if its first cell is black."""
        if not white and number is not None:
            raise EncodingError("this sum stands before a black cell", at)
        return self._letter(number, at) if white else ""

    def _letter(self, number: int | None, at: int) -> str:
        if number is not None and not 0 <= number < len(self.SUMS):
            raise unwritable(number, at)
        return "-" if number is None else self.SUMS[number]

    def _run(self, cells: int) -> str:
        return "z" * (cells // 16) + (DIGITS[19 + cells % 16] if cells % 16 else "")


class Bank(Encoding):
    """Pieces, as texts: `/` and a letter for a known set of pieces, or how many there are and each of them.

    The value of a known set is its letter, and the only value.
    """

    def read(self, text: Cursor, extent: Extent) -> Iterator[Any]:
        if not text.ended and text.text[text.at] == "/":
            text.take(1)
        begin = text.at
        parts = text.take(text.end - begin).split("/")
        text.begin = begin
        if parts == [""]:
            return
        if len(parts) == 1 and parts[0].isalpha() and len(parts[0]) == 1:
            yield parts[0]
            return
        if not parts[0].isdigit() or len(parts[0]) > 4 or int(parts[0]) != len(parts) - 1:
            raise EncodingError("a letter, or how many pieces there are and each of them is expected", begin)
        text.begin += len(parts[0]) + 1
        for part in parts[1:]:
            yield part
            text.begin += len(part) + 1

    def write(self, values: Sequence[Any], extent: Extent) -> str:
        if len(values) == 1 and len(values[0]) == 1:
            return f"/{values[0]}"
        return "/".join((str(len(values)), *values))
