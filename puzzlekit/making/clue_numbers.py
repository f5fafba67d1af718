"""How many clues a puzzle has."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
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
        return str(self.least) if self.least == self.most else f"{self.least}..{self.most}"

    def fit(self, count: int) -> bool:
        """Return whether so many clues are wished."""
        return self.least <= count <= self.most

    def fitted(self, candidate: Candidate, random: Random) -> Candidate | None:
        """Return a candidate with as many clues as are wished: with more clues of its solution, if
        it has too few.

        None if it has too many, or if the clues that are added together are too many.
        """
        if len(candidate.clues) > self.most:
            return None
        for _ in range(ORDERS):
            clues = dict(candidate.clues)
            further = [spot for spot in candidate.all_clues if spot not in clues]
            for spot in random.sample(further, len(further)):
                if len(clues) >= self.least:
                    break
                added = {each: candidate.all_clues[each] for each in candidate.orbit(spot)}
                if len(clues | added) <= self.most:
                    clues |= added
            if self.fit(len(clues)):
                ordered = {
                    spot: clue for spot, clue in candidate.all_clues.items() if spot in clues
                }
                return replace(candidate, clues=ordered)
        return None


def clue_numbers(text: str) -> ClueNumbers:
    """Read how many clues a puzzle has: `24`, or `24..28`. Raises InputError."""
    match = re.fullmatch(r"([0-9]{1,5})(?:\.\.([0-9]{1,5}))?", text)
    if match is None or int(match[2] or match[1]) < int(match[1]):
        raise InputError(f"expected a number of clues, or two such as 24..28, got {text}")
    return ClueNumbers(int(match[1]), int(match[2] or match[1]))
