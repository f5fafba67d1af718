"""Where the literals of cards are on the board."""

from __future__ import annotations

from collections.abc import Iterable

from puzzlekit.boards import Cell, Corner
from puzzlekit.reasons.deductions import Card
from puzzlekit.reasons.literals import Literals
from puzzlekit.reasons.places import cells_in
from puzzlekit.reasons.words import RuleInstance, Words

CLOSE = 1  # rows and columns up to which cells are seen with one look


class Positions:
    """The cells of literals, and the groups of cells of cards."""

    def __init__(self, words: Words, literals: Literals) -> None:
        self.words = words
        self.literals = literals
        self._is_block: dict[int, bool] = {}

    def cells(self, literal: int) -> tuple[Cell, ...]:
        """Return the cells that a literal is about."""
        if not self.literals.is_value_literal(literal):
            return ()
        return cells_in(self.words.position(self.literals.fact(literal).unknown))

    def rule(self, card: Card) -> RuleInstance | None:
        """Return the first rule of a card in words; None for the values of an unknown."""
        if not card.instances:
            return None
        return self.words.rules(card.instances[:1], self.literals)[0]

    def group(self, card: Card) -> str:
        """Return the group of cells that a card is about, such as row 1; empty without one."""
        rule = self.rule(card)
        return "" if rule is None or len(card.instances) > 1 else rule.group

    def points(self, literal: int) -> tuple[Cell | Corner, ...]:
        """Return the cells that a literal is about, or the corners of a side."""
        cells = self.cells(literal)
        if cells or not self.literals.is_value_literal(literal):
            return cells
        unknown = self.literals.fact(literal).unknown
        position = self.words.position(unknown)
        if not isinstance(position, tuple):
            return ()
        return tuple(point for point in position if isinstance(point, Corner))

    def is_close(self, card: Card, around: Iterable[Cell | Corner]) -> bool:
        """Return whether all that a card is about is close to one of these points."""
        for literal in card.literals:
            for point in self.points(literal):
                distances = [_distance(point, each) for each in around]
                if min(distances, default=0) > CLOSE:
                    return False
        return True

    def is_single(self, card: Card) -> bool:
        """Return whether a card is about several unknowns of a single place."""
        unknowns, positions = set(), set()
        for literal in card.literals:
            if not self.literals.is_value_literal(literal):
                return False
            fact = self.literals.fact(literal)
            if self.words.is_hidden(fact.unknown):
                return False
            unknowns.add(fact.unknown)
            positions.add(self.words.position(fact.unknown))
        return len(unknowns) > 1 and len(positions) == 1 and positions != {()}

    def is_block(self, card: Card) -> bool:
        """Return whether the cells of a card lie close together, as those of a box do: people see
        a block sooner than a line.
        """
        if card.number not in self._is_block:
            self._is_block[card.number] = self._is_compact(card)
        return self._is_block[card.number]

    def _is_compact(self, card: Card) -> bool:
        cells = [cell for literal in card.literals for cell in self.cells(literal)]
        if not cells:
            return False
        rows = [cell.row for cell in cells]
        columns = [cell.column for cell in cells]
        longest = len(cells) - 1
        return max(rows) - min(rows) < longest and max(columns) - min(columns) < longest


def _distance(first: Cell | Corner, second: Cell | Corner) -> int:
    """Return how many moves of a king there are between two points."""
    rows = abs(first.row - second.row)
    columns = abs(first.column - second.column)
    return max(rows, columns)
