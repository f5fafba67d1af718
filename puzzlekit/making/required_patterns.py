"""Puzzles that cannot be explained without a pattern."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random

from puzzlekit.api import Puzzle
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, Stopped
from puzzlekit.making.fields import Clues, FieldCell
from puzzlekit.making.maker import Candidate
from puzzlekit.reasons import LEVELS, PatternClass, names_in, patterns_named

ORDERS = 6  # in which clues are added to a candidate
TIME = 5.0  # seconds for the steps of one puzzle


@dataclass(frozen=True)
class RequiredPatterns:
    """Patterns of which the steps of a puzzle need one.

    The patterns of their level, and of easier levels, solve the puzzle; without the patterns
    themselves, these lead no further.

    Attributes:
        text: Their names.
        level: The level of the hardest of them.
        excluded: Their names, and those of harder classes.
    """

    text: str
    level: str
    excluded: tuple[str, ...]

    def is_solved(self, puzzle: Puzzle) -> bool:
        """Return whether the patterns of the level solve a puzzle in time."""
        try:
            return puzzle.is_solved_at(self.level, TIME)
        except Stopped:
            return False

    def is_solved_without(self, puzzle: Puzzle) -> bool:
        """Return whether a puzzle is solved without the patterns, or may be if it had more time."""
        return puzzle.rate(TIME, without=self.excluded).status != "stuck"

    def clues(
        self, candidate: Candidate, puzzle_of: Callable[[Clues], Puzzle], random: Random
    ) -> Clues | None:
        """Return clues of the solution of a candidate that need one of the patterns; None if none
        were found.

        Clues are added in a random order, just as many as the patterns of the level solve. There,
        the last clue that is missing makes the hardest pattern necessary.
        """
        for _ in range(ORDERS):
            further = candidate.further_spots
            random.shuffle(further)
            clues = self._just_solved(candidate, puzzle_of, further)
            if clues is None:
                return None
            if not self.is_solved_without(puzzle_of(clues)):
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
        """Return a candidate's clues with the fewest of further ones, in this order, that the level
        solves; None if it does not solve all of them.
        """
        order = list(further)
        all_clues = _with(candidate, order)
        if not self.is_solved(puzzle_of(all_clues)):
            return None
        too_few, enough = -1, len(order)
        while enough - too_few > 1:
            number = (too_few + enough) // 2
            clues = _with(candidate, order[:number])
            if self.is_solved(puzzle_of(clues)):
                enough = number
            else:
                too_few = number
        return _with(candidate, order[:enough])


def _with(candidate: Candidate, added: Collection[FieldCell]) -> Clues:
    """Return the clues of a candidate with some more of its solution, each with its orbit."""
    spots = {*candidate.clues}
    for spot in added:
        spots.update(candidate.orbit(spot))
    return candidate.clues_at(spots)


def required_patterns(text: str) -> RequiredPatterns:
    """Read the names of patterns, as `without` of an explanation takes them. Raises InputError."""
    patterns = patterns_named(text, "")
    if not patterns:
        raise InputError("expected the name of a pattern")
    classes = list(PatternClass)
    rank = 0
    for pattern in patterns:
        rank = max(rank, classes.index(pattern.pattern_class))
    harder = [pattern_class.text for pattern_class in classes[rank + 1 :]]
    excluded = [*names_in(text), *harder]
    return RequiredPatterns(text, LEVELS[rank], tuple(excluded))
