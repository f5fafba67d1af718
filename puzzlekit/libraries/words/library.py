"""The words library, with its functions on guesses, texts and lexicons."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from unicodedata import normalize

import numpy as np

from puzzlekit.folding import fold
from puzzlekit.lang.expressions.inference import TEXT
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.expressions.values import (
    Components,
    ExpressionError,
    ValueType,
    VariableArray,
    display_text,
    is_row,
)
from puzzlekit.lang.library import Functions, Library
from puzzlekit.libraries.words.feedback import (
    MARKINGS,
    FeedbackTable,
    Mark,
    NextGuesses,
    boards_of,
    marks,
    marks_of_rows,
    number_of,
    remaining,
)
from puzzlekit.libraries.words.lexicon import Lexicon
from puzzlekit.libraries.words.paths import Tile, Tracing, tiles
from puzzlekit.libraries.words.rarity import WordRarity
from puzzlekit.libraries.words.sources import larger
from puzzlekit.libraries.words.word_data import DATA_TYPES, SharedResult
from puzzlekit.model import Apply, Function, Member, Table, Term, Variable
from puzzlekit.sentences.reports import Lexicons, LexiconsWere

LONGEST_OF_MANY = 40  # letters of a word where many words are marked against many
MARKED_LETTERS = 200  # of a word to mark
MARKED_PAIRS = 1_000_000_000  # of words to mark against each other
A_STEP = 1_000  # pairs of words marked per step


class Guesses(Functions):
    """The marks of guesses, and the words that remain after them."""

    def marks(self, guess: Any, answer: Any, marking: str = "wordle") -> Any:
        """The marks of each letter of the guess; `marking` says how repeated letters are marked."""
        _known_marking(marking)
        sides = [
            tuple(side) if isinstance(side, VariableArray) else side for side in (guess, answer)
        ]
        lengths = [self._letters(side) for side in sides]
        if lengths[0] != lengths[1]:
            raise ExpressionError(f"the guess has {lengths[0]} letters, the answer {lengths[1]}")
        self.interpreter.spend(lengths[0])
        if not any(map(self.interpreter.symbolic, sides)):
            return marks(sides[0], sides[1], marking)
        return Components(Apply(_MARKS[marking], tuple(map(self._argument, sides))), lengths[0])

    def fitting(
        self, words: Any, guesses: Any, rows: Any, marking: str = "wordle"
    ) -> tuple[str, ...]:
        """The words that would give each guess its row of marks."""
        left, tried = self._words(words), self._words(guesses, "the guesses")
        known = self.interpreter.require_fixed(self.items(rows), "a row of marks")
        if len(known) != len(tried):
            raise ExpressionError(
                f"expected one row of marks per guess, got {len(known)} for {len(tried)}"
            )
        for guess, row in zip(tried, map(_row, known)):
            self._pairs(1, left, marking)
            size = len(left[0]) if left else len(guess)
            if not len(guess) == len(row) == size:
                raise ExpressionError(
                    f"{guess} has {len(guess)} letters, its marks are {len(row)}, and the words have {size}"
                )
            keep = FeedbackTable(left, marking).numbers(guess) == number_of(row) if left else ()
            left = tuple(word for word, kept in zip(left, keep) if kept)
        return left

    def next_guesses(self, words: Any, left: Any, marking: str = "wordle") -> NextGuesses:
        """How many words remain after each guess; `left` has the possible words of each board."""
        guesses, boards = self._words(words), [self._words(board) for board in self.items(left)]
        for board in boards:
            self._pairs(len(guesses), board, marking)
            if guesses and board and len(guesses[0]) != len(board[0]):
                raise ExpressionError(
                    f"the guesses have {len(guesses[0])} letters, the words of a board {len(board[0])}"
                )
        return NextGuesses(remaining(guesses, boards, marking))

    def boards_of(
        self, rows: Any, words: Any, answers: Any, marking: str = "wordle", differ: bool = False
    ) -> Mapping[str, int]:
        """The number of ways in which words get the rows of marks, for each possible answer.

        With `differ`, no word is used twice.
        """
        known = self.interpreter.require_fixed(self.items(rows), "a row of marks")
        guesses, finals = self._words(words), self._words(answers, "the answers")
        self._pairs(len(guesses) * max(1, len(known) // 4), finals, marking)
        sizes = {len(_row(row)) for row in known} | {
            len(word) for word in (*guesses[:1], *finals[:1])
        }
        if len(sizes) > 1:
            raise ExpressionError(
                f"rows of marks, words and answers must have the same length, got {sorted(sizes)}"
            )
        return boards_of(known, guesses, finals, marking, bool(differ))

    def _words(self, words: Any, what: str = "the words") -> tuple[str, ...]:
        """Check that these are words of one length."""
        known: tuple[str, ...] = self.interpreter.require_fixed(self.items(words), "a word")
        if not all(isinstance(word, str) for word in known):
            raise ExpressionError(f"expected texts as {what}, got {display_text(known)}")
        if len(set(map(len, known))) > 1 or any(len(word) > LONGEST_OF_MANY for word in known[:1]):
            help = "words.of_length(n) has the words of n letters"
            raise ExpressionError(
                f"{what} must have one length, of at most {LONGEST_OF_MANY} letters", help=help
            )
        return known

    def _pairs(self, guesses: int, answers: Sequence[str], marking: str) -> None:
        """Spend the steps for marking this many guesses against the answers."""
        _known_marking(marking)
        pairs = guesses * len(answers)
        if pairs > MARKED_PAIRS:
            raise ExpressionError(
                f"too many pairs of words to mark: {pairs:,}, at most {MARKED_PAIRS:,}"
            )
        self.interpreter.spend(pairs // A_STEP + guesses)

    def _letters(self, word: Any) -> int:
        kinds = self.interpreter.kinds
        if isinstance(word, Variable) and kinds.of(word) == TEXT:
            lengths = set(map(len, kinds.domains[word]))
        elif isinstance(word, str) or (
            is_row(word) and all(kinds.of(letter) in (TEXT, None) for letter in word)
        ):
            lengths = {len(word)}
        else:
            raise ExpressionError(f"expected a word to mark, got {display_text(word)}")
        if len(lengths) != 1:
            raise ExpressionError(f"the possible words of {word} have different lengths")
        if max(lengths) > MARKED_LETTERS:
            raise ExpressionError(
                f"a word to mark has at most {MARKED_LETTERS} letters, got {max(lengths)}"
            )
        return lengths.pop()

    def _argument(self, word: Any) -> Term | tuple[Term, ...]:
        return word if isinstance(word, Term) else tuple(map(self.interpreter.term, word))


def _known_marking(marking: Any) -> None:
    if marking not in MARKINGS:
        raise ExpressionError(
            f"expected one of {', '.join(MARKINGS)} as the marking, got {display_text(marking)}"
        )


def _row(row: Any) -> Sequence[Mark]:
    """Check that this is a row of marks."""
    if not is_row(row) or not all(isinstance(mark, Mark) for mark in row):
        raise ExpressionError(f"expected a row of marks, got {display_text(row)}")
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


WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
APOSTROPHES = str.maketrans("’ʼ＇", "'''")


class WordTexts(Functions):
    """Functions on words and texts."""

    def word(self, letters: Any) -> str:
        """The word that these letters spell."""
        items = self.items(letters)
        if self.interpreter.symbolic(items):
            help = "compare the letters, or require that they are in a lexicon"
            raise ExpressionError(
                "expected known letters to spell a word with, got unknowns", help=help
            )
        for item in items:
            if not isinstance(item, str | int):
                raise ExpressionError(
                    f"expected letters to spell a word with, got {display_text(item)}"
                )
        made = "".join(map(str, items))
        self.interpreter.spend(len(made) >> 4)
        return made

    def words_in(self, text: Any) -> tuple[str, ...]:
        """The folded words of a text in order: runs of letters, with apostrophes within them."""
        plain = fold(self._text(text).translate(APOSTROPHES))
        return tuple(WORD.findall(plain))

    def replaced(self, text: Any, letters: Any) -> str:
        """The text with each letter replaced by the one it stands for; capitals stay capitals."""
        stands = letters.members if isinstance(letters, VariableArray) else letters
        if not isinstance(stands, Mapping):
            raise ExpressionError(
                f"expected a mapping from letters to what they stand for, got {display_text(letters)}"
            )
        known = self.interpreter.require_fixed(stands, "what a letter stands for")
        return "".join(_replaced(char, known) for char in normalize("NFC", self._text(text)))

    def _text(self, text: Any) -> str:
        if not isinstance(text, str):
            raise ExpressionError(f"expected a text, got {display_text(text)}")
        self.interpreter.spend(len(text))
        return text


def _replaced(char: str, letters: Mapping[Any, Any]) -> str:
    made = "".join(str(letters.get(part, part)) for part in fold(char))
    if char == fold(char):
        return made
    return made.upper() if any(part in letters for part in fold(char)) else char


def in_lexicon(interpreter: Interpreter, item: Any, words: Lexicon) -> Any:
    """Evaluate `item in words` to a bool or a condition."""
    if isinstance(item, Term):
        _spells(interpreter, item)
        every = interpreter.cached.get(words)
        if every is None:
            every = interpreter.cached[words] = frozenset(words)
        return Member(item, every)
    if isinstance(item, str):
        return item in words
    if not isinstance(item, VariableArray) and not is_row(item):
        raise ExpressionError(f"expected a word to look up in a lexicon, got {display_text(item)}")
    letters = interpreter.items(item)
    for letter in letters:
        _spells(interpreter, letter)
    if not interpreter.symbolic(letters):
        return "".join(letters) in words
    rows = words.codes.get(len(letters))
    if rows is None:
        return False
    return Table(
        tuple(interpreter.term(letter) for letter in letters),
        rows,
        (tuple(words.alphabet),) * len(letters),
    )


def _spells(interpreter: Interpreter, value: Any) -> None:
    kinds = interpreter.kinds.of(value)
    if kinds is not None and kinds.isdisjoint(TEXT):
        raise ExpressionError(
            f"expected a word of letters to look up in a lexicon, got {display_text(value)}"
        )


def _unsolved(lexicons: Sequence[Lexicon]) -> str:
    """The notice about the lexicons when a puzzle has no solution: one message for all of them."""
    sizes = {lexicon.name: len(lexicon) for lexicon in lexicons}
    bigger = larger(max(sizes, key=sizes.__getitem__))
    names = " and ".join(f"{name} ({size:,} words)" for name, size in sizes.items())
    return str(LexiconsWere(Lexicons.WERE.about(len(sizes)), names, bigger or ""))


LIBRARY = Library(
    "words",
    functions=(Guesses, WordRarity, Tracing, WordTexts),
    constants={"mark": tuple(Mark), **{mark.name.lower(): mark for mark in Mark}},
    data_types=DATA_TYPES,
    value_types=(
        ValueType(
            Lexicon,
            ("of_length", "alphabet"),
            display=lambda lexicon: f"the lexicon {lexicon.name}",
            handed_on=True,
            unsolved=_unsolved,
            single=True,
            collection=True,
            contains=in_lexicon,
        ),
        ValueType(
            Mark,
            display=lambda mark: str(mark.name.lower()),
            json=str,
            spec=str,
            colour=lambda mark: str(mark.name.lower()),
            single=True,
            scale=True,
        ),
        ValueType(
            Tile,
            ("words", "cells", "paths"),
            display=str,
            json=lambda tile: {"words": list(tile.words), "cells": list(map(str, tile.cells))},
            chosen=tiles,
            single=True,
            choosable=True,
        ),
        ValueType(NextGuesses, ("by_average", "by_worst")),
    ),
    notations=(SharedResult(),),
    options={"lexicon": "lexicon", "fold_accents": ""},
)
