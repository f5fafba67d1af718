"""Functions on guesses: their marks, and the words that remain after them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from puzzlekit.lang.expressions.inference import TEXT
from puzzlekit.lang.expressions.values import ExpressionError, Family, Whole, is_row, shown
from puzzlekit.lang.library import Functions
from puzzlekit.libraries.words.marks import MARKINGS, Mark, marks, marks_of_rows
from puzzlekit.libraries.words.marks_table import MarksTable, NextGuesses, boards_of, number_of, remaining
from puzzlekit.limits import limits
from puzzlekit.model import Apply, Function, Term, Variable

LONGEST_OF_MANY = 40  # letters of a word where many words are marked against many
A_STEP = 1_000  # pairs of words marked per step


class Guesses(Functions):
    """The marks of guesses, and the words that remain after them."""

    def marks(self, guess: Any, answer: Any, marking: str = "wordle") -> Any:
        """The marks of each letter of the guess; `marking` says how repeated letters are marked."""
        _known_marking(marking)
        sides = [tuple(side) if isinstance(side, Family) else side for side in (guess, answer)]
        lengths = [self._letters(side) for side in sides]
        if lengths[0] != lengths[1]:
            raise ExpressionError(f"the guess has {lengths[0]} letters, the answer {lengths[1]}")
        self.runtime.spend(lengths[0])
        if not any(map(self.runtime.symbolic, sides)):
            return marks(sides[0], sides[1], marking)
        return Whole(Apply(_MARKS[marking], tuple(map(self._argument, sides))), lengths[0])

    def fitting(self, words: Any, guesses: Any, rows: Any, marking: str = "wordle") -> tuple[str, ...]:
        """The words that would give each guess its row of marks."""
        left, tried = self._words(words), self._words(guesses, "the guesses")
        known = self.runtime.known(self.items(rows), "a row of marks")
        if len(known) != len(tried):
            raise ExpressionError(f"expected one row of marks per guess, got {len(known)} for {len(tried)}")
        for guess, row in zip(tried, map(_row, known)):
            self._pairs(1, left, marking)
            size = len(left[0]) if left else len(guess)
            if not len(guess) == len(row) == size:
                raise ExpressionError(f"{guess} has {len(guess)} letters, its marks are {len(row)}, and the words have {size}")
            keep = MarksTable(left, marking).numbers(guess) == number_of(row) if left else ()
            left = tuple(word for word, kept in zip(left, keep) if kept)
        return left

    def next_guesses(self, words: Any, left: Any, marking: str = "wordle") -> NextGuesses:
        """How many words remain after each guess; `left` has the possible words of each board."""
        guesses, boards = self._words(words), [self._words(board) for board in self.items(left)]
        for board in boards:
            self._pairs(len(guesses), board, marking)
            if guesses and board and len(guesses[0]) != len(board[0]):
                raise ExpressionError(f"the guesses have {len(guesses[0])} letters, the words of a board {len(board[0])}")
        return NextGuesses(remaining(guesses, boards, marking))

    def boards_of(
        self, rows: Any, words: Any, answers: Any, marking: str = "wordle", differ: bool = False
    ) -> Mapping[str, int]:
        """The number of ways in which words get the rows of marks, for each possible answer.

        With `differ`, no word is used twice.
        """
        known = self.runtime.known(self.items(rows), "a row of marks")
        guesses, finals = self._words(words), self._words(answers, "the answers")
        self._pairs(len(guesses) * max(1, len(known) // 4), finals, marking)
        sizes = {len(_row(row)) for row in known} | {len(word) for word in (*guesses[:1], *finals[:1])}
        if len(sizes) > 1:
            raise ExpressionError(f"rows of marks, words and answers must have the same length, got {sorted(sizes)}")
        return boards_of(known, guesses, finals, marking, bool(differ))

    def _words(self, words: Any, what: str = "the words") -> tuple[str, ...]:
        """Check that these are words of one length."""
        known: tuple[str, ...] = self.runtime.known(self.items(words), "a word")
        if not all(isinstance(word, str) for word in known):
            raise ExpressionError(f"expected texts as {what}, got {shown(known)}")
        if len(set(map(len, known))) > 1 or any(len(word) > LONGEST_OF_MANY for word in known[:1]):
            hint = "words.of_length(n) has the words of n letters"
            raise ExpressionError(f"{what} must have one length, of at most {LONGEST_OF_MANY} letters", hint)
        return known

    def _pairs(self, guesses: int, answers: Sequence[str], marking: str) -> None:
        """Spend the steps for marking this many guesses against the answers."""
        _known_marking(marking)
        pairs = guesses * len(answers)
        most = limits().rules.marked_pairs
        if pairs > most:
            raise ExpressionError(f"too many pairs of words to mark: {pairs:,}, at most {most:,}")
        self.runtime.spend(pairs // A_STEP + guesses)

    def _letters(self, word: Any) -> int:
        kinds = self.runtime.kinds
        if isinstance(word, Variable) and kinds.of(word) == TEXT:
            lengths = set(map(len, kinds.domains[word]))
        elif isinstance(word, str) or (is_row(word) and all(kinds.of(letter) in (TEXT, None) for letter in word)):
            lengths = {len(word)}
        else:
            raise ExpressionError(f"expected a word to mark, got {shown(word)}")
        if len(lengths) != 1:
            raise ExpressionError(f"the possible words of {word} have different lengths")
        most = limits().rules.marked_letters
        if max(lengths) > most:
            raise ExpressionError(f"a word to mark has at most {most} letters, got {max(lengths)}")
        return lengths.pop()

    def _argument(self, word: Any) -> Term | tuple[Term, ...]:
        return word if isinstance(word, Term) else tuple(map(self.runtime.term, word))


def _known_marking(marking: Any) -> None:
    if marking not in MARKINGS:
        raise ExpressionError(f"expected one of {', '.join(MARKINGS)} as the marking, got {shown(marking)}")


def _row(row: Any) -> Sequence[Mark]:
    """Check that this is a row of marks."""
    if not is_row(row) or not all(isinstance(mark, Mark) for mark in row):
        raise ExpressionError(f"expected a row of marks, got {shown(row)}")
    return tuple(row)


def _once(marking: str) -> Callable[[Sequence[str], Sequence[str]], tuple[Mark, ...]]:
    return lambda guess, answer: marks(guess, answer, marking)


def _many(marking: str) -> Callable[[Any, Any], Any]:
    return lambda guess, answer: marks_of_rows(_as_letters(guess), _as_letters(answer), marking)


def _as_letters(words: Any) -> Any:
    """Words as letters: (n,) words or (n, k) letters become (n, k), a single word (k,)."""
    if not isinstance(words, np.ndarray):
        return np.array(tuple(words), dtype="<U1")
    if words.ndim == 2:
        return words.astype("<U1")
    return np.ascontiguousarray(words).view("<U1").reshape(len(words), -1)


_MARKS = {marking: Function("marks", _once(marking), _many(marking)) for marking in MARKINGS}
