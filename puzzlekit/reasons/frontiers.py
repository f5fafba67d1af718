"""How far the patterns of a level lead in a puzzle, without steps and without their reasons.

A level is solved by its patterns or it is not, in whatever order they are taken: more known facts
never make a pattern fail. So the levels of a board and of its images are the same, and what is
known of a puzzle is also known of one with more clues of the same solution.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress

from puzzlekit.boards import Cell
from puzzlekit.dataclass import dataclass
from puzzlekit.reasons.deductions import Pattern, PatternClass
from puzzlekit.reasons.difficulty import CLASSES, LEVELS
from puzzlekit.reasons.explainer import Explainer
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import ViolatedInstance
from puzzlekit.reasons.places import cells_in
from puzzlekit.reasons.steps import Steps


@dataclass(frozen=True)
class Frontier:
    """How far the patterns of a level lead.

    Attributes:
        solved: Whether they lead to the solution.
        literals: What is known then: it also holds in a puzzle with the same solution
            and more clues.
        open_cells: The cells of the unknowns without a value.
    """

    solved: bool
    literals: tuple[int, ...]
    open_cells: frozenset[Cell]


class Climb:
    """A puzzle whose patterns are looked for level by level, in one run.

    Args:
        explainer: The explainer of the puzzle.
        without: The patterns that are not looked for at first.
    """

    def __init__(self, explainer: Explainer, without: Collection[Pattern] = ()) -> None:
        self._explainer = explainer
        self._steps = Steps(explainer, (), without)

    def frontier(self, without: Collection[Pattern], literals: Iterable[int] = ()) -> Frontier:
        """Return how far all patterns but some lead.

        Args:
            without: The patterns that are not looked for, which are no more than before.
            literals: What is known besides.

        Raises:
            Stopped: The time is up.
        """
        steps = self._steps
        steps.leave_out(without)
        solved = False
        with suppress(ViolatedInstance):
            steps.know(literals)
            solved = steps.exhaust()
        keys = self._explainer.words.keys
        unplaced = [each for each in keys if not steps.marks.is_placed(each)]
        cells = frozenset(cell for each in unplaced for cell in cells_in(keys[each][1]))
        return Frontier(solved, _known(steps), cells)


def frontier(explainer: Explainer, level: str, literals: Iterable[int] = ()) -> Frontier:
    """Return how far the patterns of a level, with those of easier levels, lead.

    Args:
        explainer: The explainer of the puzzle.
        level: The level.
        literals: What is known before.

    Raises:
        Stopped: The time is up.
    """
    without = harder_patterns(level)
    return Climb(explainer, without).frontier(without, literals)


def is_solved_at(explainer: Explainer, level: str) -> bool:
    """Return whether the patterns of a level, with those of easier levels, solve a puzzle.

    Raises:
        Stopped: The time is up.
    """
    return frontier(explainer, level).solved


def easiest_class(explainer: Explainer, without: Collection[Pattern] = ()) -> PatternClass | None:
    """Return the first class whose patterns, with those of easier classes, solve a puzzle.

    Trials are not made: None if none of the easier classes is enough.

    Args:
        explainer: The explainer of the puzzle.
        without: The patterns that are not looked for.

    Raises:
        Stopped: The time is up.
    """
    climb = Climb(explainer, {*without, *harder_patterns(LEVELS[0])})
    for pattern_class in CLASSES[:-1]:
        left_out = {*without, *harder_patterns(pattern_class.level)}
        if climb.frontier(left_out).solved:
            return pattern_class
    return None


def harder_patterns(level: str) -> frozenset[Pattern]:
    """Return the patterns that no puzzle of a level needs."""
    rank = LEVELS.index(level)
    return frozenset(each for each in Pattern if CLASSES.index(each.pattern_class) > rank)


def _known(steps: Steps) -> tuple[int, ...]:
    """Return what is known, as literals."""
    return tuple(literal for literal in steps.trail if literal != TRUE)
