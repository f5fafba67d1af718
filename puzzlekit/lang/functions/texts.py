"""Functions of texts and rows of symbols: their words, what letters make of them, and how both are shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

from puzzlekit.lang.expressions.values import ExpressionError, Family, shown
from puzzlekit.lang.functions.arithmetic import Counting
from puzzlekit.words import Stacked, fold

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
APOSTROPHES = str.maketrans("’ʼ＇", "'''")


class Texts(Counting):
    """Texts, and rows that are shown one above the other."""

    def split(self, xs: Any, at: Any) -> tuple[Any, ...]:
        """The parts of a row, or of a text, between the items that equal `at`; empty parts are left out."""
        items = self.runtime.known(self._items(xs), "what is split")
        parts: list[list[Any]] = [[]]
        for item in items:
            if item == at:
                parts.append([])
            else:
                parts[-1].append(item)
        self.runtime.spend(len(items))
        return tuple("".join(part) if isinstance(xs, str) else tuple(part) for part in parts if part)

    def words_in(self, text: Any) -> tuple[str, ...]:
        """The words of a text, in order, folded: runs of letters, apostrophes between letters among them."""
        plain = fold(self._text(text).translate(APOSTROPHES))
        return tuple(WORD.findall(plain))

    def replaced(self, text: Any, letters: Any) -> str:
        """The text with each letter replaced by the one that it stands for, a capital by a capital; all else stays."""
        stands = letters.members if isinstance(letters, Family) else letters
        if not isinstance(stands, Mapping):
            raise ExpressionError(f"what letters stand for is a mapping, and this is {shown(letters)}")
        known = self.runtime.known(stands, "what a letter stands for")
        return "".join(_replaced(char, known) for char in normalize("NFC", self._text(text)))

    def stacked(self, *rows: Any) -> Stacked:
        """Rows of one length that are shown one under the other, their items in columns."""
        made = [tuple(map(str, self.runtime.known(self._items(row), "what is shown"))) for row in rows]
        if len(set(map(len, made))) != 1:
            raise ExpressionError(f"rows in columns have one length, and these have {', '.join(str(len(row)) for row in made)}")
        self.runtime.spend(sum(map(len, made)))
        return Stacked(made)

    def _text(self, text: Any) -> str:
        if not isinstance(text, str):
            raise ExpressionError(f"a text is wanted here, and this is {shown(text)}")
        self.runtime.spend(len(text))
        return text


def _replaced(char: str, letters: Mapping[Any, Any]) -> str:
    made = "".join(str(letters.get(part, part)) for part in fold(char))
    if char == fold(char):
        return made
    return made.upper() if any(part in letters for part in fold(char)) else char
