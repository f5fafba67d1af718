"""What stands where a lexicon is wanted: `english`, `words/mine.txt`, `english+mine.txt`, `english-french`, `english:5000`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from puzzlekit.errors import LexiconError
from puzzlekit.libraries.words.files import shown
from puzzlekit.limits import limits

MEANT = {"common": "english"}  # common:5000


@dataclass(frozen=True)
class Part:
    """A lexicon whose words are added (`+`) or taken away (`-`): of `most` of them, only those seen most often."""

    name: str
    sign: str = "+"
    most: int | None = None

    def __str__(self) -> str:
        return self.name + ("" if self.most is None else f":{self.most}")


def parts_of(expression: str, known: Callable[[str], bool]) -> list[Part]:
    """The parts of an expression. Names and files may have hyphens and signs in them: the longest that is `known` is taken.

    What is not known ends at the next `+`. Raises LexiconError where a name is missing, or there are too many.

    >>> known = {"english-common", "english", "my-own.txt"}.__contains__
    >>> [part.sign + str(part) for part in parts_of("english-common:500-my-own.txt+x", known)]
    ['+english-common:500', '-my-own.txt', '+x']
    """
    found: list[Part] = []
    sign, rest = "+", expression
    while True:
        ends = [len(rest), *reversed([match.start() for match in re.finditer(r"[+-]", rest)])]
        parts = ((end, _part(rest[:end].strip(), sign, known)) for end in ends)
        end, part = next((pair for pair in parts if pair[1] is not None), (0, None))
        if part is None:
            end = len(rest.partition("+")[0])
            part = _numbered(rest[:end].strip(), sign)
        if not part.name:
            raise LexiconError(f"a name is missing in the lexicon '{shown(expression)}'")
        found.append(part)
        most = limits().words.lexicon_parts
        if len(found) > most:
            raise LexiconError(f"a lexicon is made of at most {most} parts")
        if end == len(rest):
            return found
        sign, rest = rest[end], rest[end + 1 :]


def _part(text: str, sign: str, known: Callable[[str], bool]) -> Part | None:
    if text and known(text):
        return Part(text, sign)
    part = _numbered(text, sign)
    return part if part.most is not None and part.name and known(part.name) else None


def _numbered(text: str, sign: str) -> Part:
    name, colon, number = text.rpartition(":")
    if not colon or not re.fullmatch(r"[0-9]{1,9}", number, re.ASCII):
        return Part(text, sign)
    if int(number) == 0:
        raise LexiconError(f"the lexicon {shown(text)} would have no words: write a number from 1")
    return Part(MEANT.get(name.strip(), name.strip()), sign, int(number))
