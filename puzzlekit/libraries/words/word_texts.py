"""Functions of words in texts: the words of a text, what letters make of it, and the word that letters spell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

from puzzlekit.folding import fold
from puzzlekit.lang.expressions.values import ExpressionError, Family, shown
from puzzlekit.lang.functions.function_group import Functions

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
APOSTROPHES = str.maketrans("’ʼ＇", "'''")


class WordTexts(Functions):
    """Words and the texts in which they stand."""

    def word(self, letters: Any) -> str:
        """The word that these letters spell."""
        items = self.items(letters)
        if self.runtime.symbolic(items):
            hint = "compare the letters, or require that they are in a lexicon"
            raise ExpressionError("a word of unknowns cannot be spelled", hint)
        for item in items:
            if not isinstance(item, str | int):
                raise ExpressionError(f"expected letters to spell a word with, got {shown(item)}")
        made = "".join(map(str, items))
        self.runtime.spend(len(made) >> 4)
        return made

    def words_in(self, text: Any) -> tuple[str, ...]:
        """The words of a text, in order, folded: runs of letters, apostrophes between letters among them."""
        plain = fold(self._text(text).translate(APOSTROPHES))
        return tuple(WORD.findall(plain))

    def replaced(self, text: Any, letters: Any) -> str:
        """The text with each letter replaced by the one that it stands for, a capital by a capital; all else stays."""
        stands = letters.members if isinstance(letters, Family) else letters
        if not isinstance(stands, Mapping):
            raise ExpressionError(f"expected a mapping from letters to what they stand for, got {shown(letters)}")
        known = self.runtime.known(stands, "what a letter stands for")
        return "".join(_replaced(char, known) for char in normalize("NFC", self._text(text)))

    def _text(self, text: Any) -> str:
        if not isinstance(text, str):
            raise ExpressionError(f"expected a text, got {shown(text)}")
        self.runtime.spend(len(text))
        return text


def _replaced(char: str, letters: Mapping[Any, Any]) -> str:
    made = "".join(str(letters.get(part, part)) for part in fold(char))
    if char == fold(char):
        return made
    return made.upper() if any(part in letters for part in fold(char)) else char
