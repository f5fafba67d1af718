"""Reads and writes text that LZ-string has compressed to base64.

The text is a string of codes, each of a few bits, the lowest bit first; the bits are packed into
characters of 6, the highest first. A code names a string of a dictionary that both sides build, or
says that a new character of 8 or 16 bits follows, or that the text ends. The library `lzstring`
dates from 2018 and reads a text of any size; here the result is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit.errors import InputError

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
SHORT, LONG, END = 0, 1, 2  # the codes: a character of 8 bits, one of 16 bits, the end
FIRST_OWN = 3  # the first code that names a string


def compress(text: str) -> str:
    """Return the text in base64, padded with `=`.

    Examples:
        >>> compress("{}")
        'N4XyA==='
    """
    bits = "".join(_codes(text)) + "0"  # the library ends with a bit that it does not need
    groups = (bits[start : start + 6].ljust(6, "0") for start in range(0, len(bits), 6))
    data = "".join(ALPHABET[int(group, 2)] for group in groups)
    return data + "=" * (-len(data) % 4)


def _codes(text: str) -> Iterator[str]:
    """Yield the bits of each code."""
    known: dict[str, int] = {}
    new = set[str]()  # characters that have a code, and were not yet written
    left, width = 2, 2  # the codes until they are one bit wider, and their bits
    units = text.encode("utf-16-le", "surrogatepass")
    before = ""
    for unit in (chr(units[at] | units[at + 1] << 8) for at in range(0, len(units), 2)):
        if unit not in known:
            known[unit] = len(known) + FIRST_OWN
            new.add(unit)
        if before + unit in known:
            before += unit
            continue
        bits, left, width = _written(before, known, new, left, width)
        yield bits
        known[before + unit] = len(known) + FIRST_OWN
        before = unit
    if before:
        bits, left, width = _written(before, known, new, left, width)
        yield bits
    yield _low_first(END, width)


def _written(
    part: str, known: dict[str, int], new: set[str], left: int, width: int
) -> tuple[str, int, int]:
    """Return the bits of a string; a new character is written out, and counts as two codes."""
    if part not in new:
        bits = _low_first(known[part], width)
    else:
        new.discard(part)
        long = ord(part) > 255
        bits = _low_first(LONG if long else SHORT, width) + _low_first(ord(part), 16 if long else 8)
        left, width = _widened(left - 1, width)
    return bits, *_widened(left - 1, width)


def _widened(left: int, width: int) -> tuple[int, int]:
    return (1 << width, width + 1) if left <= 0 else (left, width)


def _low_first(value: int, width: int) -> str:
    return f"{value:0{width}b}"[::-1]


def decompress(data: str, most: int) -> str:
    """Return the text behind base64 of at most `most` characters.

    Raises:
        InputError: The data are no such text, or it is longer. The message names the character.

    Examples:
        >>> decompress("N4XyA===", 100)
        '{}'
    """
    bits = _Bits(data)
    width = 2
    strings: dict[int, str] = {}
    parts: list[str] = []
    before, size, left = "", 0, 1
    while True:
        code = bits.take(width)
        if code == END:
            break
        if code in (SHORT, LONG):
            unit = chr(bits.take(16 if code == LONG else 8))
            code = len(strings) + FIRST_OWN
            strings[code] = unit
            left, width = _widened(left - 1, width)
        if code in strings:
            part = strings[code]
        elif code == len(strings) + FIRST_OWN and before:
            part = before + before[0]
        else:
            raise bits.error(f"the code {code} stands for nothing")
        size += len(part)
        if size > most:
            raise InputError(f"the compressed text has more than {most:,} characters")
        parts.append(part)
        if before:
            strings[len(strings) + FIRST_OWN] = before + part[0]
            left, width = _widened(left - 1, width)
        before = part
    units = b"".join(ord(unit).to_bytes(2, "little") for unit in "".join(parts))
    return units.decode("utf-16-le", "replace")


class _Bits:
    """The bits of base64."""

    def __init__(self, data: str) -> None:
        self.data = data.rstrip("=")
        self.at = 0  # in bits

    def take(self, width: int) -> int:
        """Return the next number, its lowest bit first."""
        value = 0
        for place in range(width):
            if self.at >= 6 * len(self.data):
                raise self.error("the compressed text is cut off")
            sextet = ALPHABET.find(self.data[self.at // 6])
            if sextet < 0:
                raise self.error(f"{self.data[self.at // 6]!r} is not base64")
            value |= (sextet >> (5 - self.at % 6) & 1) << place
            self.at += 1
        return value

    def error(self, message: str) -> InputError:
        return InputError(
            f"character {min(self.at // 6, len(self.data)) + 1} of the data: {message}"
        )
