"""What guesses tell: the marks of a guess against many answers at once, as numbers, and how guesses part the answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import perm, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from puzzlekit.libraries.words.marks import MARKINGS, Mark
from puzzlekit.limits import limits

LONGEST = 40  # letters: 3 ** 40 patterns are numbered in 64 bits
Numbers = NDArray[np.unsignedinteger]


def number_of(row: Sequence[Mark]) -> int:
    """The number of a row of marks: its digits in base 3, the first mark the last digit.

    >>> number_of([Mark.GREEN, Mark.GREY, Mark.YELLOW])
    11
    """
    return sum(int(mark) * 3**place for place, mark in enumerate(row))


class MarksTable:
    """What guesses are told by these answers, which are distinct words of one length, of at most 40 letters.

    >>> told = MarksTable(["glass", "sassy"])
    >>> told.numbers("sassy").tolist() == [number_of([1, 1, 0, 2, 0]), number_of([2, 2, 2, 2, 2])]
    True
    """

    def __init__(self, answers: Sequence[str], marking: str = "wordle") -> None:
        lengths = set(map(len, answers))
        if len(lengths) > 1 or max(lengths, default=0) > LONGEST or marking not in MARKINGS:
            raise ValueError(f"answers of one length, of at most {LONGEST} letters, and a marking are needed")
        self.answers = answers
        self.marking = marking
        self.length = next(iter(lengths), 0)
        self._letters = np.array([list(answer) for answer in answers], dtype="<U1").reshape(len(answers), self.length).T
        self._kind = np.min_scalar_type(3**self.length - 1)
        self._alone: dict[str, Numbers] = {}
        self._several: dict[tuple[str, tuple[int, ...]], Numbers] = {}
        self._most = limits().words.marks_bytes // max(1, len(answers) * self._kind.itemsize)

    def numbers(self, guess: str) -> Numbers:
        """The number of the marks that each answer gives the guess. Raises ValueError where their lengths differ."""
        if len(guess) != self.length:
            raise ValueError(f"{guess} has not {self.length} letters")
        total = np.zeros(len(self.answers), dtype=self._kind)
        often = Counter(guess)
        for place, letter in enumerate(guess):
            if often[letter] == 1 or self.marking == "set":
                total += self._of(letter)[place]
        if self.marking != "set":
            for letter, times in often.items():
                if times > 1:
                    total += self._of_several(letter, tuple(place for place, other in enumerate(guess) if other == letter))
        return total

    def _of(self, letter: str) -> Numbers:
        """What a letter that stands once in a guess adds, for each place where it may stand."""
        if letter not in self._alone:
            same = self._letters == letter
            weights = np.array([3**place for place in range(self.length)], dtype=self._kind)[:, None]
            self._alone[letter] = (same.any(axis=0) + same.astype(self._kind)).astype(self._kind) * weights
        return self._alone[letter]

    def _of_several(self, letter: str, places: tuple[int, ...]) -> Numbers:
        """What a letter that stands at several places adds; kept, as far as there is room."""
        known = self._several.get((letter, places))
        if known is None:
            known = self._worked_out(letter, places)
            if len(self._several) < self._most:
                self._several[letter, places] = known
        return known

    def _worked_out(self, letter: str, places: tuple[int, ...]) -> Numbers:
        """Yellow from the left, while the answer has another copy."""
        same = self._letters == letter
        left = same.sum(axis=0) - same[list(places)].sum(axis=0)
        total = np.zeros(len(self.answers), dtype=self._kind)
        for place in places:
            yellow = ~same[place] & (left > 0)
            left -= yellow
            total += (yellow + same[place].astype(self._kind) * np.array(2, self._kind)) * np.array(3**place, self._kind)
        return total

    def sizes(self, guess: str) -> tuple[NDArray[np.int64], bool]:
        """How many answers give each row of marks but the all green one; whether one gives that."""
        numbers, green = self.numbers(guess), 3**self.length - 1
        if green < limits().words.tallied_marks:
            counts = np.bincount(numbers, minlength=green + 1)
            return counts[:green], bool(counts[green])
        seen, counts = np.unique(numbers, return_counts=True)
        return counts[seen != green], bool(len(seen) and seen[-1] == green)


class Remaining(NamedTuple):
    """A guess, and the answers that remain after it: on average, and at worst; none remains of those that it is itself."""

    guess: str
    average: Fraction
    worst: int
    found: int  # of how many boards it may be the answer


def remaining(guesses: Sequence[str], boards: Sequence[Sequence[str]], marking: str = "wordle") -> list[Remaining]:
    """What remains after each guess, of the words that each of several boards may hold, added up over the boards.

    Nothing is said of guesses where no board may hold a word.

    >>> [str(guess.average) for guess in remaining(["bat", "dog"], [["bat", "cat", "hat"]])]
    ['4/3', '3']
    """
    told = [MarksTable(answers, marking) for answers in boards if answers]
    made = []
    for guess in guesses if told else ():
        average, worst, found = Fraction(0), 0, 0
        for board in told:
            sizes, itself = board.sizes(guess)
            average += Fraction(int((sizes * sizes).sum()), len(board.answers))
            worst += int(sizes.max(initial=0))
            found += itself
        made.append(Remaining(guess, average, worst, found))
    return made


class NextGuesses:
    """Guesses with what remains after them, for people to choose by."""

    def __init__(self, found: Sequence[Remaining]) -> None:
        self.found = found

    def by_average(self, n: int) -> dict[str, str]:
        """So many guesses after which the fewest words remain on average, the best first."""
        return _described(sorted(self.found, key=lambda g: (g.average, g.worst, -g.found, g.guess))[:n])

    def by_worst(self, n: int) -> dict[str, str]:
        """So many guesses after which the fewest words remain at worst, the best first."""
        return _described(sorted(self.found, key=lambda g: (g.worst, g.average, -g.found, g.guess))[:n])


def _described(guesses: Sequence[Remaining]) -> dict[str, str]:
    return {found.guess: f"{float(found.average):,.2f} remain on average, {found.worst:,} at worst" for found in guesses}


def boards_of(
    rows: Sequence[Sequence[Mark]], words: Sequence[str], answers: Sequence[str], marking: str, differ: bool = False
) -> Mapping[str, int]:
    """How many boards each answer could end: the ways to fill the rows with words that it would mark so, where there are any.

    With `differ` no word stands in two rows. Those with the most boards come first.

    >>> row = [Mark.GREY, Mark.GREEN, Mark.GREEN]
    >>> dict(boards_of([row, row], ["bat", "cat", "hat", "dog"], ["bat", "dog", "mat"], "wordle", differ=True))
    {'mat': 6, 'bat': 2}
    """
    wanted = Counter(map(number_of, rows))
    earning = np.zeros((len(wanted), len(answers)), dtype=np.int64)
    told = MarksTable(answers, marking)
    for guess in words if answers else ():
        numbers = told.numbers(guess)
        for count, number in zip(earning, wanted):
            count += numbers == number
    ways = perm if differ else pow
    every = (prod(map(ways, column, wanted.values())) for column in earning.T.tolist())
    return dict(
        sorted(((word, number) for word, number in zip(answers, every) if number), key=lambda pair: (-pair[1], pair[0]))
    )
