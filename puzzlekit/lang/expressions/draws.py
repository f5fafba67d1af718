"""The random choices of expressions."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import field
from random import Random
from typing import Any

from puzzlekit.dataclass import dataclass


@dataclass
class RandomChoices:
    """The random choices for one puzzle: an expression that runs again gets the same.

    Attributes:
        random: The source of randomness.
        symmetry: How scattered cells lie, as `puzzlekit.boards.images` says.
        density: The share of cells in per cent that are scattered, whatever a type says; None if
            the type decides.
        choices: The choices, by function, arguments and the turn of the call.
        turns: How often a function was called with the same arguments in this run.
        requests: How many choices were requested.
    """

    random: Random
    symmetry: str = "rotate"
    density: int | None = None
    choices: dict[Hashable, Any] = field(default_factory=dict)
    turns: dict[Hashable, int] = field(default_factory=dict)
    requests: int = 0

    def drawn(self, key: Hashable, draw: Callable[[Random], Any]) -> Any:
        """Return the choice for this key and turn, and draw it if there is none."""
        self.requests += 1
        self.turns[key] = self.turns.get(key, 0) + 1
        turn = key, self.turns[key]
        if turn not in self.choices:
            self.choices[turn] = draw(self.random)
        return self.choices[turn]
