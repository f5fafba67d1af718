"""Functions that state what a goal asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from puzzlekit.lang.functions.function_group import Functions
from puzzlekit.model import Term, Value, Variable


@dataclass(frozen=True)
class Aim:
    """What a goal asks for: a term to make small or large.

    `bound` is a value that no solution beats, `start` a solution that is known.
    """

    term: Term
    maximise: bool
    bound: int | None = None
    start: Mapping[Variable, Value] | None = None


class Goals(Functions):
    """What is to be small, or large."""

    def minimise(self, x: Any) -> Aim:
        """As small as can be."""
        return Aim(self.runtime.number(x), False)

    def maximise(self, x: Any) -> Aim:
        """As large as can be."""
        return Aim(self.runtime.number(x), True)
