"""What expressions draw at random."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from random import Random
from typing import Any


@dataclass
class RandomChoices:
    """What was drawn for one puzzle: an expression that runs again draws the same.

    Attributes:
        random: Where draws come from.
        symmetry: How scattered cells lie: `rotate`, `mirror` or `none`.
        density: The share of cells in per cent that are scattered, whatever a type says; None if it
            decides.
        known: What was drawn, by function, arguments and the turn at which they were met.
        turns: How often a function was called with the same arguments in this run.
        made: How many draws were asked for.
    """

    random: Random
    symmetry: str = "rotate"
    density: int | None = None
    choices: dict[Hashable, Any] = field(default_factory=dict)
    turns: dict[Hashable, int] = field(default_factory=dict)
    requests: int = 0

    def drawn(self, key: Hashable, draw: Callable[[Random], Any]) -> Any:
        """Return what was drawn for this key before, or draw it."""
        self.requests += 1
        turn = self.turns[key] = self.turns.get(key, 0) + 1
        if (key, turn) not in self.choices:
            self.choices[key, turn] = draw(self.random)
        return self.choices[key, turn]
