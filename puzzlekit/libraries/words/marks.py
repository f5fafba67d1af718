"""Mark a guess against the answer: which letters are right, misplaced or wrong."""

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from puzzlekit.errors import InputError, nearest


class Mark(IntEnum):
    """The mark of a letter of a guess, written b, y or g. Marks are ordered.

    Examples:
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
        """The mark as a coloured square."""
        return "⬛🟨🟩"[self]


MARKINGS = ("wordle", "set")
SQUARES = "🟩🟨⬛⬜🟧🟦"  # orange and blue replace green and yellow at high contrast

_READ = {
    **dict.fromkeys("gG🟩🟧", Mark.GREEN),
    **dict.fromkeys("yY🟨🟦", Mark.YELLOW),
    **dict.fromkeys("bBwWxX-⬛⬜", Mark.GREY),
}


def read_mark(char: str) -> Mark | None:
    """The mark that a character stands for: a letter in either case, or a square; None if no mark.

    Examples:
        >>> [str(read_mark(char)) for char in "G🟦w?"]
        ['g', 'y', 'b', 'None']
    """
    return _READ.get(char)


def marks(guess: Sequence[str], answer: Sequence[str], marking: str = "wordle") -> tuple[Mark, ...]:
    """Mark each letter of a guess.

    A letter in its place is green. Of the others, `set` marks each letter yellow that is anywhere
    in the answer. `wordle` marks yellow, from the left, only as many copies of a letter as the
    answer has outside the greens.

    Args:
        guess: The letters of the guess.
        answer: The letters of the answer.
        marking: "wordle" or "set".

    Returns:
        A mark per letter.

    Raises:
        ValueError: The lengths differ.
        InputError: There is no such marking.

    Examples:
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
    """Mark many guesses against one answer, one guess against many answers, or row by row.

    Args:
        guess: Letters, dtype `<U1`, of shape (length,) or (n, length).
        answer: The same. A single row is marked with every row of the other.
        marking: "wordle" or "set".

    Returns:
        The values of `Mark`, of shape (n, length); n is 1 for two single rows.

    Raises:
        ValueError: The shapes do not match.
        InputError: There is no such marking.

    Examples:
        >>> words = np.array([list("sassy"), list("glass")])
        >>> marks_of_rows(words, words[1]).tolist()
        [[1, 1, 0, 2, 0], [2, 2, 2, 2, 2]]
    """
    guesses, answers = _columns(guess), _columns(answer)
    _check(marking, len(guesses), len(answers))
    if guesses.shape[1] != answers.shape[1] and 1 not in (guesses.shape[1], answers.shape[1]):
        raise ValueError(f"{guesses.shape[1]} guesses cannot be marked against {answers.shape[1]} answers")
    green = guesses == answers
    if marking == "set":
        elsewhere = (guesses[:, None] == answers[None]).any(axis=1)
    else:
        elsewhere = _remaining(guesses, answers, green)
    return np.ascontiguousarray(np.where(green, np.uint8(Mark.GREEN), elsewhere.view(np.uint8)).T)


def _remaining(guesses: NDArray[np.uint32], answers: NDArray[np.uint32], green: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether the answer has a copy of each letter that no green and no letter to the left took."""
    grey = ~green
    elsewhere = np.zeros_like(green)
    for i, letter in enumerate(guesses):
        # Per row: copies in the answer outside the greens, and copies taken by letters to the left.
        copies = ((answers == letter) & grey).sum(axis=0, dtype=np.int32)
        taken = ((guesses[:i] == letter) & grey[:i]).sum(axis=0, dtype=np.int32)
        elsewhere[i] = copies > taken
    return elsewhere


def _columns(rows: NDArray[np.str_]) -> NDArray[np.uint32]:
    """The code points of the letters as (length, n), so that those at one place are adjacent."""
    letters = np.atleast_2d(rows)
    if letters.ndim != 2 or letters.dtype.kind != "U" or letters.dtype.itemsize > 4:
        raise ValueError(f"expected rows of single letters, got shape {rows.shape} of {rows.dtype}")
    return np.ascontiguousarray(letters.astype("<U1").T).view(np.uint32)


def _check(marking: str, guess: int, answer: int) -> None:
    if marking not in MARKINGS:
        raise InputError(f"there is no marking {marking}: {nearest(marking, MARKINGS)}")
    if guess != answer:
        raise ValueError(f"a guess of {guess} letters cannot be marked against an answer of {answer}")
