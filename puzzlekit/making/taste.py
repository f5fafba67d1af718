"""What a type prefers among its puzzles: flaws that an editor would avoid, and merits."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from puzzlekit.boards import Cell
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import Problems
from puzzlekit.lang import Instance, Interpreter, Preferences, RandomChoices, Rule, display_text
from puzzlekit.making.fields import Clues, FieldCell, cells_of

DRAWN = 6  # layouts or designs where a type prefers some, of which the best is taken


@dataclass(frozen=True)
class Remark:
    """A turn of an expression of `prefer` that holds: a flaw or a merit.

    Attributes:
        cells: The cells that its loop variables stand for.
        weight: How much it counts.
    """

    cells: frozenset[Cell]
    weight: float


class PreferenceProblems(Problems):
    """The problems in running the expressions of `prefer`."""


class Taste:
    """What a type prefers, with the random choices of one puzzle."""

    def __init__(self, preferences: Preferences | None, random: Random) -> None:
        self.preferences = preferences
        self.random = random
        self._draws = RandomChoices(random)

    def flaws(self, data: Mapping[str, Any]) -> list[Remark]:
        """Return the flaws of a puzzle. Raises Problems of an expression."""
        preferences = self.preferences
        return [] if preferences is None else self._remarks(preferences, preferences.avoid, data)

    def merits(self, data: Mapping[str, Any]) -> list[Remark]:
        """Return the merits of a puzzle. Raises Problems of an expression."""
        preferences = self.preferences
        return [] if preferences is None else self._remarks(preferences, preferences.want, data)

    def score(self, data: Mapping[str, Any]) -> float:
        """Return the weight of all merits of a puzzle less that of all flaws."""
        wanted = sum(merit.weight for merit in self.merits(data))
        return wanted - sum(flaw.weight for flaw in self.flaws(data))

    def without_flaws(
        self, clues: Clues, flaws: Collection[Remark], forced: Collection[FieldCell]
    ) -> list[FieldCell]:
        """Return spots whose clues are to be taken away for no flaw to stay, as few as one for
        each, in random order. Those that are forced are not among them.
        """
        spots_by_cell: dict[Cell, list[FieldCell]] = {}
        for spot in clues:
            if isinstance(spot[1], Cell) and spot not in forced:
                spots_by_cell.setdefault(spot[1], []).append(spot)
        removed: dict[FieldCell, None] = {}
        for flaw in sorted(flaws, key=lambda flaw: len(flaw.cells)):
            spots = [spot for cell in sorted(flaw.cells) for spot in spots_by_cell.get(cell, ())]
            if spots and removed.keys().isdisjoint(spots):
                removed[self.random.choice(spots)] = None
        return self.random.sample(list(removed), len(removed))

    def _remarks(
        self, preferences: Preferences, rules: Sequence[Rule], data: Mapping[str, Any]
    ) -> list[Remark]:
        if not rules:
            return []
        interpreter = Interpreter()
        interpreter.draws = self._draws
        self._draws.turns.clear()
        instance = Instance(preferences.type, data, interpreter=interpreter, checked=False)
        remarks = [remark for rule in rules for remark in _remarks_of(instance, rule)]
        try:
            preferences.type.source.raise_problems()
        except Problems as problems:
            raise PreferenceProblems(problems.problems) from None
        return remarks


def _remarks_of(instance: Instance, rule: Rule) -> Iterator[Remark]:
    for bindings, counted in instance.turns(rule.expression):
        if not isinstance(counted, bool | int | float):
            message = f"expected a condition or a number, got {display_text(counted)}"
            instance.type.source.problem(message, rule.expression.text.node)
        elif counted:
            cells = frozenset(cell for value in bindings for cell in cells_of(value))
            yield Remark(cells, float(counted))
