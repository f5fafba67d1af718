"""Functions of words: how a guess is marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from puzzlekit.lang.conditions import is_row
from puzzlekit.lang.counting import Bound
from puzzlekit.lang.kinds import TEXT
from puzzlekit.lang.values import ExpressionError, Family, Whole, shown
from puzzlekit.model import Apply, Function, Term, Variable
from puzzlekit.words import MARKINGS, Mark, marks, marks_of_rows

LONGEST = 200  # letters in a word that is marked


class Wording(Bound):
    """The marks of a guess."""

    def marks(self, guess: Any, answer: Any, marking: str = "wordle") -> Any:
        """The marks that the answer gives the guess, letter by letter; `marking` says how repeated letters are coloured."""
        if marking not in MARKINGS:
            raise ExpressionError(f"a marking is one of {', '.join(MARKINGS)}, and this is {shown(marking)}")
        sides = [tuple(side) if isinstance(side, Family) else side for side in (guess, answer)]
        lengths = [self._letters(side) for side in sides]
        if lengths[0] != lengths[1]:
            raise ExpressionError(f"the guess has {lengths[0]} letters, the answer {lengths[1]}")
        self.runtime.spend(lengths[0])
        if not any(map(self.runtime.symbolic, sides)):
            return marks(sides[0], sides[1], marking)
        return Whole(Apply(_MARKS[marking], tuple(map(self._argument, sides))), lengths[0])

    def _letters(self, word: Any) -> int:
        kinds = self.runtime.kinds
        if isinstance(word, Variable) and kinds.of(word) == TEXT:
            lengths = set(map(len, kinds.domains[word]))
        elif isinstance(word, str) or (is_row(word) and all(kinds.of(letter) in (TEXT, None) for letter in word)):
            lengths = {len(word)}
        else:
            raise ExpressionError(f"words are marked, and this is {shown(word)}")
        if len(lengths) != 1:
            raise ExpressionError(f"the words that {word} may be have different lengths")
        if max(lengths) > LONGEST:
            raise ExpressionError(f"a word that is marked has at most {LONGEST} letters")
        return lengths.pop()

    def _argument(self, word: Any) -> Term | tuple[Term, ...]:
        return word if isinstance(word, Term) else tuple(map(self.runtime.term, word))


def _once(marking: str) -> Callable[[Sequence[str], Sequence[str]], tuple[Mark, ...]]:
    return lambda guess, answer: marks(guess, answer, marking)


def _many(marking: str) -> Callable[[Any, Any], Any]:
    return lambda guess, answer: marks_of_rows(_as_letters(guess), _as_letters(answer), marking)


def _as_letters(words: Any) -> Any:
    """Words as rows of letters: (n,) words or (n, k) letters become (n, k) letters; one word becomes (k,)."""
    if not isinstance(words, np.ndarray):
        return np.array(tuple(words), dtype="<U1")
    if words.ndim == 2:
        return words.astype("<U1")
    return np.ascontiguousarray(words).view("<U1").reshape(len(words), -1)


_MARKS = {marking: Function("marks", _once(marking), _many(marking)) for marking in MARKINGS}
