"""The marks of guesses, one by one or many at once, and how guesses split the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from math import perm, prod
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from puzzlekit.errors import InputError, nearest

if TYPE_CHECKING:
    from fractions import Fraction


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
        """Return the mark as a coloured square."""
        return "⬛🟨🟩"[self]


C = TypeVar("C", bound=Hashable)  # a cell
MARKINGS = ("wordle", "set")
SQUARES = "🟩🟨⬛⬜🟧🟦"  # orange and blue replace green and yellow at high contrast

_READ = {
    **dict.fromkeys("gG🟩🟧", Mark.GREEN),
    **dict.fromkeys("yY🟨🟦", Mark.YELLOW),
    **dict.fromkeys("bBwWxX-⬛⬜", Mark.GREY),
}


def read_mark(char: str) -> Mark | None:
    """Return the mark that a character stands for: a letter in either case, or a square.

    None if it is no mark.

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
        >>> for marking in MARKINGS:
        ...     print(*marks("geese", "eerie", marking), " ", *marks("sassy", "glass", marking))
        b g y b g   y y b g b
        b g y b g   y y y g b
    """
    _check(marking, len(guess), len(answer))
    greens = [letter == right for letter, right in zip(guess, answer)]
    remaining = [right for right, green in zip(answer, greens) if not green]
    row = []
    for letter, green in zip(guess, greens):
        if green:
            row.append(Mark.GREEN)
        elif marking == "set":
            row.append(Mark.YELLOW if letter in answer else Mark.GREY)
        elif letter in remaining:
            remaining.remove(letter)
            row.append(Mark.YELLOW)
        else:
            row.append(Mark.GREY)
    return tuple(row)


cached_marks = lru_cache(maxsize=100_000)(marks)  # for words that are marked again and again


def crossing_marks(
    slots: Iterable[Sequence[C]], guess: Mapping[C, str], answer: Mapping[C, str]
) -> dict[C, Mark]:
    """Mark words that cross, each by the marking `wordle`; a cell shows the best of its marks.

    Examples:
        >>> guess, answer = {"a": "t", "b": "o", "c": "n"}, {"a": "n", "b": "o", "c": "t"}
        >>> crossing = crossing_marks(["ab", "ac"], guess, answer)
        >>> {cell: str(mark) for cell, mark in crossing.items()}
        {'a': 'y', 'b': 'g', 'c': 'y'}
    """
    best: dict[C, Mark] = {}
    for slot in slots:
        guessed = "".join([guess[cell] for cell in slot])
        answered = "".join([answer[cell] for cell in slot])
        for cell, mark in zip(slot, cached_marks(guessed, answered)):
            best[cell] = max(mark, best.get(cell, Mark.GREY))
    return best


def marks_of_rows(
    guess: NDArray[np.str_], answer: NDArray[np.str_], marking: str = "wordle"
) -> NDArray[np.uint8]:
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
    guess_count = guesses.shape[1]
    answer_count = answers.shape[1]
    if guess_count != answer_count and 1 not in (guess_count, answer_count):
        raise ValueError(f"{guess_count} guesses cannot be marked against {answer_count} answers")
    green = guesses == answers
    if marking == "set":
        elsewhere = (guesses[:, None] == answers[None]).any(axis=1)
    else:
        elsewhere = _remaining(guesses, answers, green)
    values = np.where(green, np.uint8(Mark.GREEN), elsewhere.view(np.uint8))
    return np.ascontiguousarray(values.T)


def _remaining(
    guesses: NDArray[np.uint32], answers: NDArray[np.uint32], green: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return whether the answer has a copy of each letter besides those that greens and letters to
    the left use.
    """
    grey = ~green
    elsewhere = np.zeros_like(green)
    for i, letter in enumerate(guesses):
        # Per row: copies in the answer outside the greens, and copies used by letters to the left.
        copies = ((answers == letter) & grey).sum(axis=0, dtype=np.int32)
        used = ((guesses[:i] == letter) & grey[:i]).sum(axis=0, dtype=np.int32)
        elsewhere[i] = copies > used
    return elsewhere


def _columns(rows: NDArray[np.str_]) -> NDArray[np.uint32]:
    """Return the code points as (length, n), so that those at one position are adjacent."""
    letters = np.atleast_2d(rows)
    if letters.ndim != 2 or letters.dtype.kind != "U" or letters.dtype.itemsize > 4:
        raise ValueError(f"expected rows of single letters, got shape {rows.shape} of {rows.dtype}")
    return np.ascontiguousarray(letters.astype("<U1").T).view(np.uint32)


def _check(marking: str, guess: int, answer: int) -> None:
    if marking not in MARKINGS:
        raise InputError(f"there is no marking {marking}: {nearest(marking, MARKINGS)}")
    if guess != answer:
        raise ValueError(
            f"a guess of {guess} letters cannot be marked against an answer of {answer}"
        )


TALLIED_MARKS = 2_000  # rows of marks up to which each has its own counter
MARKS_BYTES = 64_000_000  # of the cache for letters that occur several times
LONGEST = 40  # letters: 3 ** 40 rows of marks fit into 64 bits
Numbers = NDArray[np.unsignedinteger]


def number_of(row: Sequence[Mark]) -> int:
    """Return the code of a row of marks: a number in base 3 whose last digit is the first mark.

    Examples:
        >>> number_of([Mark.GREEN, Mark.GREY, Mark.YELLOW])
        11
    """
    return sum(int(mark) * 3**position for position, mark in enumerate(row))


class FeedbackTable:
    """The marks that each of many answers gives a guess, as codes.

    Args:
        answers: Distinct words of one length, of at most 40 letters.
        marking: "wordle" or "set".

    Raises:
        ValueError: The answers have several lengths or are too long, or there is no such marking.

    Examples:
        >>> table = FeedbackTable(["glass", "sassy"])
        >>> rows = [[1, 1, 0, 2, 0], [2, 2, 2, 2, 2]]
        >>> table.numbers("sassy").tolist() == list(map(number_of, rows))
        True
    """

    def __init__(self, answers: Sequence[str], marking: str = "wordle") -> None:
        lengths = set(map(len, answers))
        if len(lengths) > 1 or max(lengths, default=0) > LONGEST or marking not in MARKINGS:
            raise ValueError(
                f"expected answers of one length, of at most {LONGEST} letters, and a marking"
            )
        self.answers = answers
        self.marking = marking
        self.length = next(iter(lengths), 0)
        letters = np.array([list(answer) for answer in answers], dtype="<U1")
        self._letters = letters.reshape(len(answers), self.length).T
        self._dtype = np.min_scalar_type(3**self.length - 1)
        self._single: dict[str, Numbers] = {}
        self._several: dict[tuple[str, tuple[int, ...]], Numbers] = {}
        row_bytes = max(1, len(answers) * self._dtype.itemsize)
        self._most_cached = MARKS_BYTES // row_bytes

    def numbers(self, guess: str) -> Numbers:
        """Return the code of the marks that each answer gives the guess.

        Raises:
            ValueError: The guess has another length than the answers.
        """
        if len(guess) != self.length:
            raise ValueError(f"{guess} has {len(guess)} letters, the answers have {self.length}")
        positions: dict[str, list[int]] = {}
        for position, letter in enumerate(guess):
            positions.setdefault(letter, []).append(position)
        total = np.zeros(len(self.answers), dtype=self._dtype)
        for letter, at_letter in positions.items():
            if len(at_letter) > 1 and self.marking != "set":
                total += self._of_several(letter, tuple(at_letter))
            else:
                for position in at_letter:
                    total += self._of_single(letter)[position]
        return total

    def _of_single(self, letter: str) -> Numbers:
        """Return what a letter that occurs once in a guess adds to the codes, by its position."""
        if letter not in self._single:
            same = self._letters == letter
            values = (same.any(axis=0) + same.astype(self._dtype)).astype(self._dtype)
            weights = np.array([3**position for position in range(self.length)], dtype=self._dtype)
            self._single[letter] = values * weights[:, None]
        return self._single[letter]

    def _of_several(self, letter: str, positions: tuple[int, ...]) -> Numbers:
        """Return what a letter that occurs at several positions adds to the codes."""
        numbers = self._several.get((letter, positions))
        if numbers is None:
            numbers = self._compute_several(letter, positions)
            if len(self._several) < self._most_cached:
                self._several[letter, positions] = numbers
        return numbers

    def _compute_several(self, letter: str, positions: tuple[int, ...]) -> Numbers:
        """Mark copies yellow from the left, as long as the answer has one more."""
        same = self._letters == letter
        remaining = same.sum(axis=0) - same[list(positions)].sum(axis=0)
        total = np.zeros(len(self.answers), dtype=self._dtype)
        two = np.array(2, self._dtype)
        for position in positions:
            yellow = ~same[position] & (remaining > 0)
            remaining -= yellow
            values = yellow + same[position].astype(self._dtype) * two
            total += values * np.array(3**position, self._dtype)
        return total

    def sizes(self, guess: str) -> tuple[NDArray[np.int64], bool]:
        """Count the answers that give each row of marks.

        Returns:
            The numbers for all rows except all green, and whether an answer gives that.
        """
        numbers = self.numbers(guess)
        green = 3**self.length - 1
        if green < TALLIED_MARKS:
            counts = np.bincount(numbers, minlength=green + 1)
            return counts[:green], bool(counts[green])
        codes, counts = np.unique(numbers, return_counts=True)
        has_green = bool(len(codes) and codes[-1] == green)
        return counts[codes != green], has_green


class Remaining(NamedTuple):
    """How many answers remain after a guess; where the guess is the answer, none do."""

    guess: str
    average: Fraction
    worst: int
    possible_boards: int  # the number of boards whose answer it may be


def remaining(
    guesses: Sequence[str], boards: Sequence[Sequence[str]], marking: str = "wordle"
) -> list[Remaining]:
    """Compute how many answers remain after each guess, summed over several boards.

    Args:
        guesses: Words of the same length as the answers.
        boards: The possible answers of each board.
        marking: "wordle" or "set".

    Returns:
        A row for each guess; none if no board has a possible answer.

    Examples:
        >>> [str(guess.average) for guess in remaining(["bat", "dog"], [["bat", "cat", "hat"]])]
        ['4/3', '3']
    """
    tables = [FeedbackTable(answers, marking) for answers in boards if answers]
    if not tables:
        return []
    from fractions import Fraction  # takes long to load, and few puzzles need it

    rows = []
    for guess in guesses:
        average = Fraction(0)
        worst = 0
        possible_boards = 0
        for table in tables:
            sizes, is_answer = table.sizes(guess)
            average += Fraction(int((sizes * sizes).sum()), len(table.answers))
            worst += int(sizes.max(initial=0))
            possible_boards += is_answer
        rows.append(Remaining(guess, average, worst, possible_boards))
    return rows


class NextGuesses:
    """Guesses with the number of answers that remain after each.

    Equally good ones stay in order.
    """

    def __init__(self, guesses: Sequence[Remaining]) -> None:
        self.guesses = guesses

    def by_average(self, n: int) -> dict[str, str]:
        """Return the n guesses that leave the fewest words on average, the best first."""
        best = sorted(self.guesses, key=lambda g: (g.average, g.worst, -g.possible_boards))
        return _described(best[:n])

    def by_worst(self, n: int) -> dict[str, str]:
        """Return the n guesses that leave the fewest words at worst, the best first."""
        best = sorted(self.guesses, key=lambda g: (g.worst, g.average, -g.possible_boards))
        return _described(best[:n])


def _described(guesses: Sequence[Remaining]) -> dict[str, str]:
    texts = {}
    for row in guesses:
        average = f"{float(row.average):,.2f} remain on average"
        texts[row.guess] = f"{average}, {row.worst:,} at worst"
    return texts


def boards_of(
    rows: Sequence[Sequence[Mark]],
    words: Sequence[str],
    answers: Sequence[str],
    marking: str,
    differ: bool = False,
) -> Mapping[str, int]:
    """Count for each answer the ways to fill rows of marks with words.

    Args:
        rows: Rows of marks.
        words: The words that may be guesses.
        answers: The possible answers, of the same length.
        marking: "wordle" or "set".
        differ: Whether the words of the rows must differ.

    Returns:
        The number of ways by answer, the most ways first, without the answers that have none.

    Examples:
        >>> row = [Mark.GREY, Mark.GREEN, Mark.GREEN]
        >>> words = ["bat", "cat", "hat", "dog"]
        >>> dict(boards_of([row, row], words, ["bat", "dog", "mat"], "wordle", differ=True))
        {'mat': 6, 'bat': 2}
    """
    codes = Counter(map(number_of, rows))
    matching = np.zeros((len(codes), len(answers)), dtype=np.int64)  # numbers of words
    table = FeedbackTable(answers, marking)
    for guess in words if answers else ():
        numbers = table.numbers(guess)
        for count, code in zip(matching, codes):
            count += numbers == code
    choices = perm if differ else pow
    totals = [prod(map(choices, column, codes.values())) for column in matching.T.tolist()]
    possible = [(word, total) for word, total in zip(answers, totals) if total]
    possible.sort(key=lambda pair: (-pair[1], pair[0]))
    return dict(possible)
