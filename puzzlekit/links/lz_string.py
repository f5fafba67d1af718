"""Reads and writes text that LZ-string has compressed to base64.

The text is a string of codes, each of a few bits, the lowest bit first; the bits are packed into
characters of 6, the highest first. A code names a string of a dictionary that both sides build, or
says that a new character of 8 or 16 bits follows, or that the text ends. The library `lzstring`
dates from 2018 and reads a text of any size; here the text is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit.errors import InputError

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
SHORT, LONG, END = 0, 1, 2  # the codes: a character of 8 bits, one of 16 bits, the end
FIRST_CODE = 3  # the first code that names a string


def compress(text: str) -> str:
    """Return the text in base64, padded with `=`.

    Examples:
        >>> compress("{}")
        'N4XyA==='
    """
    bits = _Encoder().bits(text) + "0"  # the library ends with a bit that it does not need
    starts = range(0, len(bits), 6)
    groups = [bits[start : start + 6].ljust(6, "0") for start in starts]
    letters = "".join(ALPHABET[int(group, 2)] for group in groups)
    return letters + "=" * (-len(letters) % 4)


class _CodeWidth:
    """How many bits a code has; it grows as the dictionary does.

    Attributes:
        bits: The number of bits.
        remaining: The number of codes until they are one bit wider.
    """

    def __init__(self, remaining: int) -> None:
        self.bits = 2
        self.remaining = remaining

    def count_code(self) -> None:
        """Count a code."""
        self.remaining -= 1
        if self.remaining <= 0:
            self.remaining = 1 << self.bits
            self.bits += 1


class _Encoder:
    """Writes the codes of a text.

    Attributes:
        codes: The code of each string of the dictionary.
        unwritten: The characters that have a code, and were not yet written.
        width: The width of the next code.
    """

    def __init__(self) -> None:
        self.codes: dict[str, int] = {}
        self.unwritten: set[str] = set()
        self.width = _CodeWidth(2)

    def bits(self, text: str) -> str:
        """Return the bits of all codes."""
        codes = []
        prefix = ""
        for unit in _units(text):
            if unit not in self.codes:
                self._add(unit)
                self.unwritten.add(unit)
            if prefix + unit in self.codes:
                prefix += unit
                continue
            codes.append(self._bits_of(prefix))
            self._add(prefix + unit)
            prefix = unit
        if prefix:
            codes.append(self._bits_of(prefix))
        codes.append(_lowest_first(END, self.width.bits))
        return "".join(codes)

    def _add(self, string: str) -> None:
        self.codes[string] = len(self.codes) + FIRST_CODE

    def _bits_of(self, string: str) -> str:
        """Return the bits of a string; a new character is written out, and counts as two codes."""
        width = self.width.bits
        if string not in self.unwritten:
            bits = _lowest_first(self.codes[string], width)
        else:
            self.unwritten.discard(string)
            unit = ord(string)
            if unit > 255:
                bits = _lowest_first(LONG, width) + _lowest_first(unit, 16)
            else:
                bits = _lowest_first(SHORT, width) + _lowest_first(unit, 8)
            self.width.count_code()
        self.width.count_code()
        return bits


def _units(text: str) -> Iterator[str]:
    """Yield the UTF-16 units of a text, as characters."""
    units = text.encode("utf-16-le", "surrogatepass")
    for start in range(0, len(units), 2):
        yield chr(units[start] | units[start + 1] << 8)


def _lowest_first(number: int, width: int) -> str:
    return f"{number:0{width}b}"[::-1]


def decompress(data: str, most: int) -> str:
    """Return the text behind base64 of at most `most` characters.

    Raises:
        InputError: The data are no such text, or it is longer. The message names the character.

    Examples:
        >>> decompress("N4XyA===", 100)
        '{}'
    """
    bits = _BitReader(data)
    width = _CodeWidth(1)
    strings: dict[int, str] = {}
    written: list[str] = []
    previous = ""
    size = 0
    while True:
        code = bits.take(width.bits)
        if code == END:
            break
        if code in (SHORT, LONG):
            unit = chr(bits.take(16 if code == LONG else 8))
            code = len(strings) + FIRST_CODE
            strings[code] = unit
            width.count_code()
        if code in strings:
            string = strings[code]
        elif code == len(strings) + FIRST_CODE and previous:
            string = previous + previous[0]
        else:
            raise bits.error(f"the code {code} stands for nothing")
        size += len(string)
        if size > most:
            raise InputError(f"the compressed text has more than {most:,} characters")
        written.append(string)
        if previous:
            strings[len(strings) + FIRST_CODE] = previous + string[0]
            width.count_code()
        previous = string
    units = b"".join(ord(unit).to_bytes(2, "little") for unit in "".join(written))
    return units.decode("utf-16-le", "replace")


class _BitReader:
    """Reads the bits of base64.

    Attributes:
        position: The number of bits that were read.
    """

    def __init__(self, letters: str) -> None:
        self.letters = letters.rstrip("=")
        self.position = 0

    def take(self, width: int) -> int:
        """Return the next number, its lowest bit first."""
        number = 0
        for power in range(width):
            index, offset = divmod(self.position, 6)
            if index >= len(self.letters):
                raise self.error("the compressed text is cut off")
            letter = self.letters[index]
            sextet = ALPHABET.find(letter)
            if sextet < 0:
                raise self.error(f"{letter!r} is not base64")
            bit = (sextet >> (5 - offset)) & 1
            number |= bit << power
            self.position += 1
        return number

    def error(self, message: str) -> InputError:
        index = min(self.position // 6, len(self.letters))
        return InputError(f"character {index + 1} of the data: {message}")
