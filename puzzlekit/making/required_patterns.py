"""Puzzles that cannot be explained without a pattern."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random

from puzzlekit.api import Puzzle
from puzzlekit.dataclass import dataclass
from puzzlekit.making.climbs import climb
from puzzlekit.making.fields import Clues, FieldCell
from puzzlekit.making.maker import Candidate
from puzzlekit.reasons import Frontier, Pattern, patterns_named

ORDERS = 12  # in which clues are added to a candidate


@dataclass(frozen=True)
class RequiredPatterns:
    """Patterns of which the steps of a puzzle need one.

    With them, and with all patterns that come before the last of them, a puzzle is solved; without
    them, these lead no further.

    Attributes:
        text: Their names.
        patterns: The patterns.
    """

    text: str
    patterns: frozenset[Pattern]

    @property
    def harder(self) -> frozenset[Pattern]:
        """The patterns that come after the last of them."""
        order = list(Pattern)
        last = max(map(order.index, self.patterns))
        return frozenset(order[last + 1 :])

    def clues(
        self, candidate: Candidate, puzzle_of: Callable[[Clues], Puzzle], random: Random
    ) -> Clues | None:
        """Return clues of the solution of a candidate that need one of the patterns; None if none
        were found.

        Clues are added in a random order, just as many as the patterns solve. There, the last clue
        that is missing makes the hardest pattern necessary.
        """
        for _ in range(ORDERS):
            further = candidate.further_spots
            random.shuffle(further)
            clues = self._just_solved(candidate, puzzle_of, further)
            if clues is None:
                return None
            without = self.harder | self.patterns
            if not climb(candidate, clues, puzzle_of).frontier(without).solved:
                return clues
            if len(clues) == len(candidate.clues):  # no order of further clues matters
                return None
        return None

    def _just_solved(
        self,
        candidate: Candidate,
        puzzle_of: Callable[[Clues], Puzzle],
        further: Collection[FieldCell],
    ) -> Clues | None:
        """Return a candidate's clues with the fewest of further ones, in this order, that the
        patterns solve; None if they do not solve all of them.
        """
        order = list(further)
        literals: tuple[int, ...] = ()

        def reached(number: int) -> Frontier:
            clues = _with(candidate, order[:number])
            return climb(candidate, clues, puzzle_of).frontier(self.harder, literals)

        too_few, enough = -1, len(order)
        if not reached(enough).solved:
            return None
        while enough - too_few > 1:
            number = (too_few + enough) // 2
            frontier = reached(number)
            if frontier.solved:
                enough = number
            else:
                too_few, literals = number, frontier.literals
        return _with(candidate, order[:enough])


def _with(candidate: Candidate, added: Collection[FieldCell]) -> Clues:
    """Return the clues of a candidate with some more of its solution, each with its orbit."""
    spots = {*candidate.clues}
    for spot in added:
        spots.update(candidate.orbit(spot))
    return candidate.clues_at(spots)


def required_patterns(text: str) -> RequiredPatterns:
    """Read the names of patterns, as `without` of an explanation takes them. Raises InputError."""
    return RequiredPatterns(text, patterns_named(text, ""))
