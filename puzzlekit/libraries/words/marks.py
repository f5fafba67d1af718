"""How a guess is marked against the answer: which letters are right, misplaced or wrong."""

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from puzzlekit.errors import InputError, nearest


class Mark(IntEnum):
    """What a letter of a guess is told: ordered, written b, y, g.

    >>> str(Mark.YELLOW), Mark.GREEN.square, Mark.GREY < Mark.YELLOW
    ('y', '🟩', True)
    """

    GREY = 0
    YELLOW = 1
    GREEN = 2

    def __str__(self) -> str:
        return "byg"[self]

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    @property
    def square(self) -> str:
        """The mark as people post it."""
        return "⬛🟨🟩"[self]


MARKINGS = ("wordle", "set")
SQUARES = "🟩🟨⬛⬜🟧🟦"  # orange and blue are green and yellow of high contrast

_READ = {
    **dict.fromkeys("gG🟩🟧", Mark.GREEN),
    **dict.fromkeys("yY🟨🟦", Mark.YELLOW),
    **dict.fromkeys("bBwWxX-⬛⬜", Mark.GREY),
}


def read_mark(char: str) -> Mark | None:
    """The mark that a character stands for, or None: letters in either case, squares, and those of high contrast.

    >>> [str(read_mark(char)) for char in "G🟦w?"]
    ['g', 'y', 'b', 'None']
    """
    return _READ.get(char)


def marks(guess: Sequence[str], answer: Sequence[str], marking: str = "wordle") -> tuple[Mark, ...]:
    """The mark of each letter of the guess.

    A letter in its place is green. Of the others, `set` marks yellow those that are anywhere in the answer; `wordle`
    marks yellow, from the left, only as many of a letter as the answer has outside the greens.

    Raises ValueError if the lengths differ, InputError if there is no such marking.

    >>> "".join(map(str, marks("geese", "eerie"))), "".join(map(str, marks("geese", "eerie", "set")))
    ('bgybg', 'bgybg')
    >>> "".join(map(str, marks("sassy", "glass"))), "".join(map(str, marks("sassy", "glass", "set")))
    ('yybgb', 'yyygb')
    """
    _check(marking, len(guess), len(answer))
    greens = [letter == right for letter, right in zip(guess, answer)]
    left = [right for right, green in zip(answer, greens) if not green]
    result = []
    for letter, green in zip(guess, greens):
        if green:
            result.append(Mark.GREEN)
        elif marking == "set":
            result.append(Mark.YELLOW if letter in answer else Mark.GREY)
        elif letter in left:
            left.remove(letter)
            result.append(Mark.YELLOW)
        else:
            result.append(Mark.GREY)
    return tuple(result)


def marks_of_rows(guess: NDArray[np.str_], answer: NDArray[np.str_], marking: str = "wordle") -> NDArray[np.uint8]:
    """The marks of many guesses, of many answers, or of both row by row.

    Each is an array of letters, dtype `<U1`, of shape (length,) or (n, length); a single row goes with every row of the
    other. The result has shape (n, length), n being 1 for two single rows, and holds the values of `Mark`.

    Raises ValueError if the shapes do not go together, InputError if there is no such marking.

    >>> words = np.array([list("sassy"), list("glass")])
    >>> marks_of_rows(words, words[1]).tolist()
    [[1, 1, 0, 2, 0], [2, 2, 2, 2, 2]]
    """
    guesses, answers = _columns(guess), _columns(answer)
    _check(marking, len(guesses), len(answers))
    if guesses.shape[1] != answers.shape[1] and 1 not in (guesses.shape[1], answers.shape[1]):
        raise ValueError(f"{guesses.shape[1]} guesses do not go with {answers.shape[1]} answers")
    green = guesses == answers
    if marking == "set":
        elsewhere = (guesses[:, None] == answers[None]).any(axis=1)
    else:
        elsewhere = _remaining(guesses, answers, green)
    return np.ascontiguousarray(np.where(green, np.uint8(Mark.GREEN), elsewhere.view(np.uint8)).T)


def _remaining(guesses: NDArray[np.uint32], answers: NDArray[np.uint32], green: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """For each letter whether the answer still has a copy of it that no green and no letter further left has taken."""
    grey = ~green
    elsewhere = np.zeros_like(green)
    for i, letter in enumerate(guesses):
        # For each row: copies in the answer outside the greens, and those that letters to the left have taken.
        copies = ((answers == letter) & grey).sum(axis=0, dtype=np.int32)
        taken = ((guesses[:i] == letter) & grey[:i]).sum(axis=0, dtype=np.int32)
        elsewhere[i] = copies > taken
    return elsewhere


def _columns(rows: NDArray[np.str_]) -> NDArray[np.uint32]:
    """The code points of the letters, as (length, n): the letters at one place lie side by side."""
    letters = np.atleast_2d(rows)
    if letters.ndim != 2 or letters.dtype.kind != "U" or letters.dtype.itemsize > 4:
        raise ValueError(f"rows of single letters are needed, not shape {rows.shape} of {rows.dtype}")
    return np.ascontiguousarray(letters.astype("<U1").T).view(np.uint32)


def _check(marking: str, guess: int, answer: int) -> None:
    if marking not in MARKINGS:
        raise InputError(f"there is no marking {marking}: {nearest(marking, MARKINGS)}")
    if guess != answer:
        raise ValueError(f"a guess of {guess} letters cannot be marked against an answer of {answer}")
