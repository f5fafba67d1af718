"""How far patterns lead in a puzzle with some of the clues of a solution, within a bounded time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from puzzlekit.api import Puzzle
from puzzlekit.clock import choose_clock
from puzzlekit.errors import Stopped
from puzzlekit.making.fields import Clues
from puzzlekit.making.maker import Candidate
from puzzlekit.reasons import Climb, Explainer, Frontier, Pattern, explainer_of

RATED = 10.0  # seconds for the steps to a solution


class BoundedClimb:
    """A climb that leads nowhere where it takes long.

    Args:
        explainer: The explainer of the puzzle.
        goes_on: Whether its literals are those of the explainers of other clues.
    """

    def __init__(self, explainer: Explainer, goes_on: bool) -> None:
        self._explainer = explainer
        self._goes_on = goes_on
        self._climb: Climb | None = None

    def frontier(self, without: Collection[Pattern], literals: Iterable[int] = ()) -> Frontier:
        """Return how far all patterns but some lead.

        Args:
            without: The patterns that are not looked for, which are no more than before.
            literals: What is known of puzzles with fewer clues.
        """
        facts = literals if self._goes_on else ()
        try:
            with choose_clock(RATED).running():
                self._climb = self._climb or Climb(self._explainer, without)
                return self._climb.frontier(without, facts)
        except Stopped:
            return Frontier(False, (), frozenset())


def climb(candidate: Candidate, clues: Clues, puzzle_of: Callable[[Clues], Puzzle]) -> BoundedClimb:
    """Return the climb of the puzzle with some of the clues of a candidate's solution.

    Args:
        candidate: The candidate.
        clues: The clues.
        puzzle_of: Returns the puzzle with some clues.
    """
    explainer = None
    if candidate.explainer is not None:
        explainer = candidate.explainer(clues)
    if explainer is not None:
        return BoundedClimb(explainer, True)
    return BoundedClimb(explainer_of(puzzle_of(clues).instance), False)
