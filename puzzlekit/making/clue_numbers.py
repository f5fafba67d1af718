"""How many clues a puzzle has."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, option
from puzzlekit.making.fields import FieldCell
from puzzlekit.making.maker import Candidate

ORDERS = 4  # in which clues are added, since those of an orbit are added together


@dataclass(frozen=True)
class ClueNumbers:
    """How many clues are wished.

    Attributes:
        least: The smallest number.
        most: The largest number.
    """

    least: int
    most: int

    @property
    def text(self) -> str:
        """The numbers as an option states them: `24`, or `24..28`."""
        if self.least == self.most:
            return str(self.least)
        return f"{self.least}..{self.most}"

    def fit(self, count: int) -> bool:
        """Return whether so many clues are wished."""
        return self.least <= count <= self.most

    def check_room(self, positions: int) -> None:
        """Raise InputError if a board has fewer positions for clues."""
        if self.least > positions:
            raise InputError(
                f"{option('clues')} {self.text}: the board has {positions} positions for clues"
            )

    def fitted(self, candidate: Candidate, random: Random) -> Candidate | None:
        """Return a candidate with as many clues as are wished: with more clues of its solution, if
        it has too few.

        None if it has too many, or if the clues that are added together are too many.
        """
        if len(candidate.clues) > self.most:
            return None
        for _ in range(ORDERS):
            spots = self._spots(candidate, random)
            if self.fit(len(spots)):
                return replace(candidate, clues=candidate.clues_at(spots))
        return None

    def _spots(self, candidate: Candidate, random: Random) -> set[FieldCell]:
        """Return the spots of the clues of a candidate, and of random ones to add."""
        spots = set(candidate.clues)
        further = candidate.further_spots
        random.shuffle(further)
        for spot in further:
            if len(spots) >= self.least:
                break
            more = spots.union(candidate.orbit(spot))
            if len(more) <= self.most:
                spots = more
        return spots


def clue_numbers(text: str) -> ClueNumbers:
    """Read how many clues a puzzle has: `24`, or `24..28`. Raises InputError."""
    match = re.fullmatch(r"([0-9]{1,5})(?:\.\.([0-9]{1,5}))?", text)
    if match is not None:
        least = int(match[1])
        most = int(match[2] or least)
        if least <= most:
            return ClueNumbers(least, most)
    raise InputError(f"expected a number of clues, or two such as 24..28, got {text}")
