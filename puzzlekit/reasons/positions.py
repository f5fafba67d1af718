"""Where the literals of cards are on the board."""

from __future__ import annotations

from collections.abc import Collection

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
        self._points: dict[int, tuple[Cell | Corner, ...]] = {}  # by the number of a literal

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
        number = abs(literal)
        if number not in self._points:
            self._points[number] = self._points_of(number)
        return self._points[number]

    def _points_of(self, literal: int) -> tuple[Cell | Corner, ...]:
        cells = self.cells(literal)
        if cells or not self.literals.is_value_literal(literal):
            return cells
        unknown = self.literals.fact(literal).unknown
        position = self.words.position(unknown)
        if not isinstance(position, tuple):
            return ()
        return tuple(point for point in position if isinstance(point, Corner))

    def close_to(self, literal: int) -> frozenset[tuple[int, int]]:
        """Return the rows and columns of all points that are close to those of a literal."""
        offsets = range(-CLOSE, CLOSE + 1)
        return frozenset(
            (point.row + down, point.column + right)
            for point in self.points(literal)
            for down in offsets
            for right in offsets
        )

    def is_inside(self, card: Card, area: Collection[tuple[int, int]]) -> bool:
        """Return whether all that a card is about has a row and a column of an area; so has
        everything if the area is empty, as around a literal that is nowhere on a board.
        """
        if not area:
            return True
        points = (point for literal in card.literals for point in self.points(literal))
        return all((point.row, point.column) in area for point in points)

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
        height = max(rows) - min(rows)
        width = max(columns) - min(columns)
        return height < longest and width < longest
