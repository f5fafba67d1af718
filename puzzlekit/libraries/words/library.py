"""The words library, with its functions on guesses, texts and lexicons."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from typing import Any
from unicodedata import normalize

import numpy as np

from puzzlekit.folding import fold
from puzzlekit.lang import (
    TEXT,
    Components,
    ExpressionError,
    Functions,
    Interpreter,
    Library,
    ValueType,
    VariableArray,
    display_text,
    is_row,
)
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
from puzzlekit.libraries.words.sources import larger
from puzzlekit.libraries.words.word_data import DATA_TYPES, SharedResult
from puzzlekit.libraries.words.word_draws import WordDraws
from puzzlekit.libraries.words.word_rarity import WordRarity
from puzzlekit.model import Apply, Function, Member, Table, Term, Variable
from puzzlekit.sentences import Lexicons, LexiconsWere

LONGEST_OF_MANY = 40  # letters of a word where many words are marked against many
MARKED_LETTERS = 200  # of a word to mark
MARKED_PAIRS = 1_000_000_000  # of words to mark against each other
A_STEP = 1_000  # pairs of words marked per step


class Guesses(Functions):
    """The marks of guesses, and the words that remain after them."""

    def marks(self, guess: Any, answer: Any, marking: str = "wordle") -> Any:
        """Return the mark of each letter of the guess.

        `marking` says how repeated letters are marked.
        """
        _require_marking(marking)
        sides = [
            tuple(side) if isinstance(side, VariableArray) else side for side in (guess, answer)
        ]
        guess_length, answer_length = map(self._letters, sides)
        if guess_length != answer_length:
            raise ExpressionError(
                f"the guess has {guess_length} letters, the answer {answer_length}"
            )
        self.interpreter.spend(guess_length)
        if not any(map(self.interpreter.symbolic, sides)):
            return marks(sides[0], sides[1], marking)
        arguments = tuple(map(self._argument, sides))
        return Components(Apply(_MARKS[marking], arguments), guess_length)

    def fitting(
        self, words: Any, guesses: Any, rows: Any, marking: str = "wordle"
    ) -> tuple[str, ...]:
        """Return the words that would give each guess its row of marks."""
        remaining_words = self._words(words)
        tried = self._words(guesses, "the guesses")
        given_rows = self.interpreter.require_fixed(self.items(rows), "a row of marks")
        if len(given_rows) != len(tried):
            raise ExpressionError(
                f"expected one row of marks per guess, got {len(given_rows)} for {len(tried)}"
            )
        for guess, row in zip(tried, map(_row, given_rows)):
            self._spend_on_pairs(1, remaining_words, marking)
            size = len(remaining_words[0]) if remaining_words else len(guess)
            if not len(guess) == len(row) == size:
                raise ExpressionError(
                    f"{guess} has {len(guess)} letters, its marks are {len(row)},"
                    f" and the words have {size}"
                )
            if remaining_words:
                numbers = FeedbackTable(remaining_words, marking).numbers(guess)
                fits = (numbers == number_of(row)).tolist()
                remaining_words = tuple(compress(remaining_words, fits))
        return remaining_words

    def next_guesses(self, words: Any, left: Any, marking: str = "wordle") -> NextGuesses:
        """Return how many words remain after each guess.

        `left` has the possible words of each board.
        """
        guesses = self._words(words)
        boards = [self._words(board) for board in self.items(left)]
        for board in boards:
            self._spend_on_pairs(len(guesses), board, marking)
            if guesses and board and len(guesses[0]) != len(board[0]):
                raise ExpressionError(
                    f"the guesses have {len(guesses[0])} letters,"
                    f" the words of a board {len(board[0])}"
                )
        return NextGuesses(remaining(guesses, boards, marking))

    def boards_of(
        self, rows: Any, words: Any, answers: Any, marking: str = "wordle", differ: bool = False
    ) -> Mapping[str, int]:
        """Return the number of ways in which words get the rows of marks, by possible answer.

        With `differ`, no word is used twice.
        """
        given_rows = self.interpreter.require_fixed(self.items(rows), "a row of marks")
        guesses = self._words(words)
        finals = self._words(answers, "the answers")
        self._spend_on_pairs(len(guesses) * max(1, len(given_rows) // 4), finals, marking)
        sizes = {len(_row(row)) for row in given_rows}
        sizes |= {len(word) for word in (*guesses[:1], *finals[:1])}
        if len(sizes) > 1:
            raise ExpressionError(
                f"rows of marks, words and answers must have the same length, got {sorted(sizes)}"
            )
        return boards_of(given_rows, guesses, finals, marking, bool(differ))

    def _words(self, words: Any, subject: str = "the words") -> tuple[str, ...]:
        """Return words of one length. Raises ExpressionError."""
        row: tuple[str, ...] = self.interpreter.require_fixed(self.items(words), "a word")
        if not all(isinstance(word, str) for word in row):
            raise ExpressionError(f"expected texts as {subject}, got {display_text(row)}")
        lengths = set(map(len, row))
        if len(lengths) > 1 or max(lengths, default=0) > LONGEST_OF_MANY:
            raise ExpressionError(
                f"{subject} must have one length, of at most {LONGEST_OF_MANY} letters",
                help="words.of_length(n) has the words of n letters",
            )
        return row

    def _spend_on_pairs(self, guesses: int, answers: Sequence[str], marking: str) -> None:
        """Spend the steps for marking this many guesses against the answers."""
        _require_marking(marking)
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
        elif isinstance(word, str) or self._is_row_of_letters(word):
            lengths = {len(word)}
        else:
            raise ExpressionError(f"expected a word to mark, got {display_text(word)}")
        if len(lengths) != 1:
            raise ExpressionError(f"the possible words of {word} have different lengths")
        (length,) = lengths
        if length > MARKED_LETTERS:
            raise ExpressionError(
                f"a word to mark has at most {MARKED_LETTERS} letters, got {length}"
            )
        return length

    def _is_row_of_letters(self, word: Any) -> bool:
        kinds = self.interpreter.kinds
        return is_row(word) and all(kinds.of(letter) in (TEXT, None) for letter in word)

    def _argument(self, word: Any) -> Term | tuple[Term, ...]:
        return word if isinstance(word, Term) else tuple(map(self.interpreter.term, word))


def _require_marking(marking: Any) -> None:
    if marking not in MARKINGS:
        names = ", ".join(MARKINGS)
        raise ExpressionError(
            f"expected one of {names} as the marking, got {display_text(marking)}"
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
    """Return words as letters: (n,) words or (n, k) letters become (n, k), a single word (k,)."""
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
        """Return the word that these letters spell."""
        items = self.items(letters)
        if self.interpreter.symbolic(items):
            raise ExpressionError(
                "expected known letters to spell a word with, got unknowns",
                help="compare the letters, or require that they are in a lexicon",
            )
        for item in items:
            if not isinstance(item, str | int):
                raise ExpressionError(
                    f"expected letters to spell a word with, got {display_text(item)}"
                )
        word = "".join(map(str, items))
        self.interpreter.spend(len(word) >> 4)
        return word

    def words_in(self, text: Any) -> tuple[str, ...]:
        """Return the folded words of a text: runs of letters, with apostrophes within them."""
        plain = fold(self._text(text).translate(APOSTROPHES))
        return tuple(WORD.findall(plain))

    def replaced(self, text: Any, letters: Any) -> str:
        """Return the text with each letter replaced by the one it stands for.

        Capitals stay capitals.
        """
        key = letters.members if isinstance(letters, VariableArray) else letters
        if not isinstance(key, Mapping):
            raise ExpressionError(
                "expected a mapping from letters to what they stand for,"
                f" got {display_text(letters)}"
            )
        fixed_key = self.interpreter.require_fixed(key, "what a letter stands for")
        characters = normalize("NFC", self._text(text))
        return "".join(_replaced(char, fixed_key) for char in characters)

    def _text(self, text: Any) -> str:
        if not isinstance(text, str):
            raise ExpressionError(f"expected a text, got {display_text(text)}")
        self.interpreter.spend(len(text))
        return text


def _replaced(char: str, letters: Mapping[Any, Any]) -> str:
    folded = fold(char)
    replaced = "".join(str(letters.get(letter, letter)) for letter in folded)
    if char == folded:
        return replaced
    if any(letter in letters for letter in folded):
        return replaced.upper()
    return char


def in_lexicon(interpreter: Interpreter, item: Any, words: Lexicon) -> Any:
    """Evaluate `item in words` to a bool or a condition."""
    if isinstance(item, Term):
        _require_text(interpreter, item)
        if words not in interpreter.cached:
            interpreter.cached[words] = frozenset(words)
        return Member(item, interpreter.cached[words])
    if isinstance(item, str):
        return item in words
    if not isinstance(item, VariableArray) and not is_row(item):
        raise ExpressionError(f"expected a word to look up in a lexicon, got {display_text(item)}")
    letters = interpreter.items(item)
    for letter in letters:
        _require_text(interpreter, letter)
    if not interpreter.symbolic(letters):
        return "".join(letters) in words
    rows = words.codes.get(len(letters))
    if rows is None:
        return False
    terms = tuple(map(interpreter.term, letters))
    return Table(terms, rows, (tuple(words.alphabet),) * len(letters))


def _require_text(interpreter: Interpreter, value: Any) -> None:
    kinds = interpreter.kinds.of(value)
    if kinds is not None and kinds.isdisjoint(TEXT):
        raise ExpressionError(
            f"expected a word of letters to look up in a lexicon, got {display_text(value)}"
        )


def _spec_of_lexicon(lexicon: Lexicon) -> str:
    """Return a lexicon as the text of a field."""
    words = lexicon.as_data()
    return words if isinstance(words, str) else f"[{', '.join(words)}]"


def _unsolved(lexicons: Sequence[Lexicon]) -> str:
    """Return the notice about all lexicons when a puzzle has no solution."""
    sizes = {lexicon.name: len(lexicon) for lexicon in lexicons}
    largest_name = max(sizes, key=sizes.__getitem__)
    texts = (f"{name} ({size:,} words)" for name, size in sizes.items())
    names = " and ".join(texts)
    verb = Lexicons.WERE.about(len(sizes))
    return str(LexiconsWere(verb, names, larger(largest_name) or ""))


LIBRARY = Library(
    "words",
    functions=(Guesses, WordRarity, Tracing, WordTexts),
    drawing_functions=(WordDraws,),
    constants={"mark": tuple(Mark), **{mark.name.lower(): mark for mark in Mark}},
    data_types=DATA_TYPES,
    value_types=(
        ValueType(
            Lexicon,
            ("of_length", "alphabet"),
            display=lambda lexicon: f"the lexicon {lexicon.name}",
            spec=_spec_of_lexicon,
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
