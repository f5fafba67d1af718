"""What people ask of a board in the making: the next step, and what the other questions return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from puzzlekit.api.explanation import Explanation
from puzzlekit.reasons.checking import Check
from puzzlekit.reasons.conflicts import Conflict
from puzzlekit.reasons.difficulty import Rating
from puzzlekit.reasons.narration import ExplainedStep
from puzzlekit.reasons.words import FactText, RuleInstance
from puzzlekit.sentences.steps import FullStop, LookAt, NothingFollows

__all__ = [
    "Check",
    "Conflict",
    "ExplainedStep",
    "Explanation",
    "FactText",
    "Hint",
    "Rating",
    "RuleInstance",
]


@dataclass(frozen=True)
class Hint:
    """The easiest next step, or what is wrong before it.

    Attributes:
        judgement: What is to be said of the marks. If they are wrong, there is no step.
        step: The step; None if the marks are wrong, or nothing follows from them.
        where: Only the place to look at.
    """

    check: Check
    step: ExplainedStep | None
    where: str

    def __str__(self) -> str:
        if not self.check:
            return self.check.text
        return str(NothingFollows() if self.step is None else FullStop(self.step.sentence))

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        step = None if self.step is None else self.step.json()
        return {"judgement": self.check.json(), "where": self.where, "step": step}


def look_at(step: ExplainedStep) -> str:
    """Return only the place to look at for a step."""
    where = next((rule.where for rule in step.rules if rule.where), "")
    cells = ", ".join(map(str, step.facts[0].cells))
    return str(LookAt(where or cells or step.facts[0].name))
