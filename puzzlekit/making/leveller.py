"""Levels of puzzles that are made: clues are given back until the patterns of a level solve the
puzzle, and those of the level below do not.

What is known with few clues stays known with more of them. So each trial goes on from the facts of
the last one. A clue that would let the level below solve the puzzle is refused, as in the
generators of Simon Tatham's collection.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import groupby
from math import inf
from random import Random
from typing import Any

from puzzlekit.api import Puzzle
from puzzlekit.boards import Cell
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.making.climbs import RATED, BoundedClimb, climb
from puzzlekit.making.fields import Clues, FieldCell, around
from puzzlekit.making.maker import Candidate
from puzzlekit.reasons import LEVELS, Frontier, Pattern, harder_patterns

SHARE = 4  # of the clues that may help, no more than one of so many is added at once
FEW = 6  # added clues each of which is tried to be left out again
REFUSED = 2  # clues that let the level below solve a puzzle, after which it is too easy


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

    def levelled(self, level: Level, is_hard_likely: bool = False) -> dict[FieldCell, Any]:
        """Return clues with which a puzzle has a level.

        Args:
            level: The level.
            is_hard_likely: Whether it is likely that all clues are not enough, which is then tried
                first.

        Raises:
            TooEasy: Its clues are too easy, or no further ones are hard enough.
            TooHard: All clues of its solution are not enough.
        """
        if level.scores is not None:
            return self._scored(*level.scores)
        below = None
        without = harder_patterns(level.name)
        if is_hard_likely:
            self._require_solved(without)
        of_clues = self._climb([])
        if level.below is not None:
            below = of_clues.frontier(harder_patterns(level.below))
            if below.solved:
                raise TooEasy
        if level.name == LEVELS[-1]:
            return self._with([])
        start = of_clues.frontier(without)
        if start.solved:
            return self._with([])
        added = self._added(level, start, below)
        return self._with(self._needed(added, level.name, start))

    def _require_solved(self, without: Collection[Pattern]) -> None:
        """Raise TooHard if all patterns but some do not solve the puzzle with all clues."""
        further = self.candidate.further_spots
        if not self._climb(further).frontier(without).solved:
            raise TooHard

    def at_most(self, level: str, most: float = inf) -> dict[FieldCell, Any]:
        """Return clues that the patterns of a level solve; those of the candidate if there are
        none, or if these are more than `most`.
        """
        start = self._frontier([], level)
        if start.solved:
            return self._with([])
        try:
            clues = self._with(self._added(Level(level), start, None, most, is_exact=False))
        except TooHard:
            return self._with([])
        return clues if len(clues) <= most else self._with([])

    # Adding clues ---------------------------------------------------------------------------------

    def _added(
        self,
        level: Level,
        start: Frontier,
        below: Frontier | None,
        most: float = inf,
        is_exact: bool = True,
    ) -> list[FieldCell]:
        """Return clues with which the patterns of a level solve the puzzle, and those of the level
        below do not.

        Args:
            level: The level.
            start: How far the level leads without them.
            below: How far the level below leads without them; None if that does not matter.
            most: With more clues than these, there is no need to go on.
            is_exact: Whether of the clues that were added last, no more are added than are enough.

        Raises:
            TooEasy: Each further clue lets the level below solve the puzzle.
            TooHard: There are no further clues.
        """
        spots = self.candidate.further_spots
        self.random.shuffle(spots)
        added: list[FieldCell] = []
        reached = start
        number = 1  # clues that are added at once
        refused = 0
        while not reached.solved and len(self._with(added)) <= most:
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
            before = reached
            reached = of_batch.frontier(harder_patterns(level.name), before.literals)
            if reached.solved and is_exact:
                batch = self._shortest(added, batch, level.name, before)
            added += batch
            number *= 2
            spots = [spot for spot in spots if spot not in batch]
        return added

    def _shortest(
        self, added: Sequence[FieldCell], batch: list[FieldCell], level: str, before: Frontier
    ) -> list[FieldCell]:
        """Return the shortest beginning of a batch of clues with which a level solves the puzzle.

        Args:
            added: The clues that were added before.
            batch: The clues that solve it.
            level: The level.
            before: How far the level leads without the batch.
        """
        too_few, enough = 0, len(batch)
        while enough - too_few > 1:
            number = (too_few + enough) // 2
            reached = self._frontier([*added, *batch[:number]], level, before.literals)
            if reached.solved:
                enough = number
            else:
                too_few, before = number, reached
        return batch[:enough]

    def _needed(self, added: list[FieldCell], level: str, start: Frontier) -> list[FieldCell]:
        """Return those of a few added clues without which the level does not solve the puzzle; all
        of many, as it takes long to try each.
        """
        if len(added) > FEW:
            return added
        for spot in [*added]:
            fewer = [each for each in added if each != spot]
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
