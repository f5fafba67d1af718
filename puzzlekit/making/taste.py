"""What a type prefers among its puzzles: flaws that an editor would avoid, and merits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
        if self.preferences is None:
            return []
        return self._remarks(self.preferences, self.preferences.avoid, data)

    def merits(self, data: Mapping[str, Any]) -> list[Remark]:
        """Return the merits of a puzzle. Raises Problems of an expression."""
        if self.preferences is None:
            return []
        return self._remarks(self.preferences, self.preferences.want, data)

    def score(self, data: Mapping[str, Any]) -> float:
        """Return the weight of all merits of a puzzle less that of all flaws."""
        score = 0.0
        for merit in self.merits(data):
            score += merit.weight
        for flaw in self.flaws(data):
            score -= flaw.weight
        return score

    def is_best(self, score: float) -> bool:
        """Return whether no puzzle has a higher score: where only flaws count, without any."""
        return score == 0 and self.preferences is not None and not self.preferences.want

    def spots_of(self, remarks: Iterable[Remark], clues: Clues) -> set[FieldCell]:
        """Return the spots of clues in cells that remarks are about."""
        cells = set[Cell]()
        for remark in remarks:
            cells |= remark.cells
        return {spot for spot in clues if spot[1] in cells}

    def without_flaws(
        self, clues: Clues, flaws: Collection[Remark], forced: Collection[FieldCell]
    ) -> list[FieldCell]:
        """Return spots whose clues are to be taken away for no flaw to stay, as few as one for
        each, in random order. Those that are forced are not among them.
        """
        removed: list[FieldCell] = []
        for flaw in sorted(flaws, key=lambda flaw: len(flaw.cells)):
            spots = self.spots_of([flaw], clues).difference(forced)
            if spots and spots.isdisjoint(removed):
                ordered = sorted(spots)
                removed.append(self.random.choice(ordered))
        self.random.shuffle(removed)
        return removed

    def _remarks(
        self, preferences: Preferences, rules: Sequence[Rule], data: Mapping[str, Any]
    ) -> list[Remark]:
        if not rules:
            return []
        interpreter = Interpreter()
        interpreter.draws = self._draws
        self._draws.turns.clear()
        instance = Instance(preferences.type, data, interpreter=interpreter, checked=False)
        remarks: list[Remark] = []
        for rule in rules:
            remarks += _remarks_of(instance, rule)
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
            cells = frozenset(cells_of(bindings))
            yield Remark(cells, float(counted))
