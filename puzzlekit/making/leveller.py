"""Levels of puzzles that are made: clues are given back until the patterns of a level solve the
puzzle, and those of the level below do not.

What is known with few clues stays known with more of them. So each trial goes on from the facts of
the last one. A clue that would let the level below solve the puzzle is refused, as in the
generators of Simon Tatham's collection.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from random import Random
from typing import Any

from puzzlekit.api import Puzzle
from puzzlekit.boards import Cell
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.making.climbs import RATED, BoundedClimb, climb
from puzzlekit.making.fields import Clues, FieldCell, around
from puzzlekit.making.maker import Candidate
from puzzlekit.reasons import LEVELS, Frontier, harder_patterns

SHARE = 4  # of the clues that may help, no more than one of so many is added at once
REFUSED = 3  # clues that let the level below solve a puzzle, after which it is too easy
CHUNKS = 6  # into which clues that were added are divided, to take them away


@dataclass(frozen=True)
class Level:
    """A wished difficulty: a level that a puzzle is rated, or scores.

    Attributes:
        name: As it is asked for.
        scores: The lowest and the highest score; None for a level.
    """

    name: str
    scores: tuple[float, float] | None = None

    @property
    def below(self) -> str | None:
        """The level below, whose patterns must not solve a puzzle; None if there is none."""
        rank = LEVELS.index(self.name)
        return LEVELS[rank - 1] if rank else None


def levels(text: str) -> tuple[Level, ...]:
    """Read levels, which puzzles have in turn: each one puzzle, or several. Raises InputError.

    Examples:
        >>> [level.name for level in levels("easy:2,hard")]
        ['easy', 'easy', 'hard']
    """
    in_turn: list[Level] = []
    for segment in text.split(","):
        name, colon, count = segment.partition(":")
        if colon and not re.fullmatch("[1-9][0-9]{0,2}", count):
            raise InputError(
                f"expected a number of puzzles from 1 to 999, as in easy:6, got {segment}"
            )
        in_turn += [_level(name)] * int(count or 1)
    return tuple(in_turn)


def levels_text(in_turn: Iterable[Level]) -> str:
    """Return levels as `levels` reads them."""
    texts = []
    for name, run in groupby(level.name for level in in_turn):
        count = len(list(run))
        texts.append(name if count == 1 else f"{name}:{count}")
    return ",".join(texts)


def _level(text: str) -> Level:
    """Read a level: a name, or the lowest and the highest score. Raises InputError."""
    if text in LEVELS:
        return Level(text)
    scores = re.fullmatch(r"([0-9]{1,6})\.\.([0-9]{1,6})", text)
    if scores is None or int(scores[1]) > int(scores[2]):
        raise InputError(f"expected {', '.join(LEVELS)}, or scores such as 20..50, got {text}")
    return Level(text, (int(scores[1]), int(scores[2])))


class TooEasy(Exception):
    """The level below solves the puzzle with all clues that were tried."""


class TooHard(Exception):
    """The level does not solve the puzzle with all clues of its solution."""


@dataclass
class Leveller:
    """Gives clues back to a candidate.

    Attributes:
        candidate: The candidate.
        puzzle_of: Returns the puzzle with some clues.
        random: The random numbers.
    """

    candidate: Candidate
    puzzle_of: Callable[[Clues], Puzzle]
    random: Random

    def levelled(self, level: Level) -> dict[FieldCell, Any]:
        """Return clues with which a puzzle has a level.

        Raises:
            TooEasy: Its clues are too easy, or no further ones are hard enough.
            TooHard: All clues of its solution are not enough.
        """
        if level.scores is not None:
            return self._scored(*level.scores)
        below = None
        without = harder_patterns(level.name)
        of_clues = self._climb([])
        if level.below is not None:
            below = of_clues.frontier(harder_patterns(level.below))
            if below.solved:
                raise TooEasy
        if level.name == LEVELS[-1]:
            return self._with([])
        start = of_clues.frontier(without)
        added = [] if start.solved else self._added(level, start, below)
        return self._with(self._without_idle(added, level.name, start))

    def at_most(self, level: str) -> dict[FieldCell, Any]:
        """Return clues that the patterns of a level solve; those of the candidate if there are
        none.
        """
        start = self._frontier([], level)
        if start.solved:
            return self._with([])
        try:
            return self._with(self._added(Level(level), start, None))
        except TooHard:
            return self._with([])

    # Adding clues ---------------------------------------------------------------------------------

    def _added(self, level: Level, start: Frontier, below: Frontier | None) -> list[FieldCell]:
        """Return clues with which the patterns of a level solve the puzzle, and those of the level
        below do not.

        Args:
            level: The level.
            start: How far the level leads without them.
            below: How far the level below leads without them; None if that does not matter.

        Raises:
            TooEasy: Each further clue lets the level below solve the puzzle.
            TooHard: There are no further clues.
        """
        spots = [spot for spot in self.candidate.all_clues if spot not in self.candidate.clues]
        self.random.shuffle(spots)
        added: list[FieldCell] = []
        reached = start
        number = 1  # clues that are added at once
        refused = 0
        while not reached.solved:
            helpful = _helpful(spots, reached.open_cells) or spots
            if not helpful:
                raise TooEasy if refused else TooHard
            batch = helpful[: min(number, -(-len(helpful) // SHARE))]
            of_batch = self._climb([*added, *batch])
            if below is not None:
                assert level.below is not None
                easier = harder_patterns(level.below)
                nearer = of_batch.frontier(easier, below.literals)
                if nearer.solved:
                    refused += len(batch) == 1
                    if refused == REFUSED:
                        raise TooEasy
                    if len(batch) == 1:
                        spots.remove(batch[0])
                    number = max(1, len(batch) // 2)
                    continue
                below = nearer
            added += batch
            number *= 2
            spots = [spot for spot in spots if spot not in batch]
            reached = of_batch.frontier(harder_patterns(level.name), reached.literals)
        return added

    def _without_idle(self, added: list[FieldCell], level: str, start: Frontier) -> list[FieldCell]:
        """Return those of the clues that were added without which the level does not solve the
        puzzle: the last ones are taken away first, many at once.
        """
        size = -(-len(added) // CHUNKS)
        for position in reversed(range(0, len(added), size or 1)):
            fewer = added[:position] + added[position + size :]
            if self._frontier(fewer, level, start.literals).solved:
                added = fewer
        return added

    def _frontier(
        self, added: Iterable[FieldCell], level: str, literals: Iterable[int] = ()
    ) -> Frontier:
        """Return how far a level leads with some more clues; nowhere if that takes long."""
        return self._climb(added).frontier(harder_patterns(level), literals)

    def _climb(self, added: Iterable[FieldCell]) -> BoundedClimb:
        """Return the climb of the puzzle with some more clues."""
        return climb(self.candidate, self._with(added), self.puzzle_of)

    def _with(self, added: Iterable[FieldCell]) -> dict[FieldCell, Any]:
        """Return the clues of the candidate with some more clues of its solution."""
        spots = {*self.candidate.clues}
        for spot in added:
            spots.update(self.candidate.orbit(spot))
        return {spot: clue for spot, clue in self.candidate.all_clues.items() if spot in spots}

    # Scores ---------------------------------------------------------------------------------------

    def _scored(self, lowest: float, highest: float) -> dict[FieldCell, Any]:
        """Return clues with which a puzzle has a score, their number found by bisection.

        Raises:
            TooEasy: The score is lower.
            TooHard: The score is higher with all clues.
        """
        further = [spot for spot in self.candidate.all_clues if spot not in self.candidate.clues]
        self.random.shuffle(further)
        if not self._is_scored([], highest):
            if not self._is_scored(further, highest):
                raise TooHard
            too_few, enough = 0, len(further)
            while enough - too_few > 1:
                number = (too_few + enough) // 2
                if self._is_scored(further[:number], highest):
                    enough = number
                else:
                    too_few = number
            further = further[:enough]
        else:
            further = []
        clues = self._with(further)
        if self.puzzle_of(clues).rate(RATED).score < lowest:
            raise TooEasy
        return clues

    def _is_scored(self, added: Sequence[FieldCell], highest: float) -> bool:
        """Return whether the score with some more clues is not too high."""
        rating = self.puzzle_of(self._with(added)).rate(RATED)
        return rating.level is not None and rating.score <= highest


def _helpful(spots: Sequence[FieldCell], open_cells: frozenset[Cell]) -> list[FieldCell]:
    """Return the spots where a clue may say something new: those beside open cells; clues outside
    of a board are beside all of them.
    """
    if not open_cells:
        return list(spots)
    adjacent = around(open_cells, 1)
    return [spot for spot in spots if not isinstance(spot[1], Cell) or spot[1] in adjacent]
