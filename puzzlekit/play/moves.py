"""Values of unknowns as moves on boards that are played."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from puzzlekit.clock import check
from puzzlekit.model import Value, Variable
from puzzlekit.play.entries import Entry, Token
from puzzlekit.play.game import Game
from puzzlekit.play.regions import Regions
from puzzlekit.presolve import Inconsistent, presolve
from puzzlekit.query import Presolve
from puzzlekit.reasons import FactText

MOST_NOTES = 9  # of a cell
DomainValues = Mapping[Variable, Sequence[Value]]
Move = list[Any]  # an entry, a position and a token, -1 for a cross; of a piece its cells


class Moves:
    """The moves on the boards of a game.

    Args:
        game: The game.

    Attributes:
        regions: By the number of an entry, the regions whose sides are entered.
        pieces: By the number of an entry, the pieces that may be entered, as `Game.groups`.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._instance = game.puzzle.instance
        self._model = game.puzzle.model
        # by unknown the number of its entry, and that of the position
        self._positions: dict[Variable, list[tuple[int, int]]] = {}
        self.regions: dict[int, Regions] = {}
        self.pieces: dict[int, list[tuple[frozenset[int], Variable, str, Any]]] = {}
        for number, entry in enumerate(game.entries):
            for position, unknown in enumerate(entry.unknowns):
                if unknown is not None:
                    self._positions.setdefault(unknown, []).append((number, position))
            regions = self._regions_of(entry)
            if regions:
                self.regions[number] = regions
            if entry.category == "pieces":
                self.pieces[number] = game.groups(entry)

    def _regions_of(self, entry: Entry) -> Regions | None:
        """Return the regions whose sides are entered; None if cells have not one label each."""
        family = self._instance.families.get(entry.name)
        if entry.category != "sides" or family is None or not family.over_cells():
            return None
        domains: Mapping[Variable, Sequence[Value]] = {}
        with suppress(Inconsistent):
            domains = presolve(self._model, check, Presolve.LIGHT).domains
        fixed = {variable: values[0] for variable, values in domains.items() if len(values) == 1}
        return Regions(entry, family, self._model.domains, fixed)

    def moves(
        self,
        values: Mapping[Variable, Value],
        before: Mapping[Variable, Value] = MappingProxyType({}),
    ) -> list[Move]:
        """Return what values add to a board.

        Args:
            values: The new values.
            before: The values that were known before, for what depends on two.
        """
        moves: list[Move] = []
        for number, regions in self.regions.items():
            for position, token in regions.moves(values, before):
                moves.append([number, position, token])
        for variable, value in values.items():
            if variable in self._positions:
                moves += self._value_moves(variable, value)
            elif value is True:
                for number, groups in self.pieces.items():
                    for cells, piece, _, _ in groups:
                        if piece == variable:
                            moves.append([number, 0, sorted(cells)])
        return moves

    def _value_moves(self, variable: Variable, value: Value) -> list[Move]:
        """Return the tokens of a value at the positions of its unknown; crosses if it has none."""
        index = self._model.domains[variable].index(value)
        tokens = []
        crosses = []
        for number, position in self._positions[variable]:
            by_value = self.game.entries[number].by_value
            if by_value:
                crosses.append([number, position, -1])
                token = by_value[position][index]
                if token:
                    tokens.append([number, position, token])
        return tokens or crosses

    def notes(
        self, struck: Mapping[Variable, Collection[Value]], before: DomainValues
    ) -> list[Move]:
        """Return the notes that an elimination leaves: entries, positions, and lists of tokens.

        Args:
            struck: The values that are struck.
            before: The values that remained before.
        """
        notes: list[Move] = []
        for variable, values in struck.items():
            domain = self._model.domains[variable]
            remaining = [value for value in before.get(variable, domain) if value not in values]
            if len(remaining) > MOST_NOTES:
                continue
            for number, position in self._positions.get(variable, ()):
                entry = self.game.entries[number]
                tokens = [entry.by_value[position][domain.index(value)] for value in remaining]
                if all(is_written(entry.tokens[token]) for token in tokens):
                    notes.append([number, position, tokens])
        return notes

    def fact_values(self, facts: Iterable[FactText]) -> dict[Variable, Value]:
        """Return the values that facts state."""
        families = self._instance.families
        return {
            families[fact.name].members[fact.index]: fact.value for fact in facts if fact.positive
        }


def is_written(token: Token) -> bool:
    """Return whether a token is a text, of which a player can make a note."""
    return any(type_ in ("text", "corner") for type_, _ in token)
