"""The answers to questions about an unfinished board: the next step, checks, conflicts, ratings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from puzzlekit.api.explanation import Explanation
from puzzlekit.reasons import Check, Conflict, ExplainedStep, FactText, Rating, RuleInstance
from puzzlekit.sentences import FullStop, LookAt, NothingFollows

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
        check: The check of the marks. If they are wrong, there is no step.
        step: The step; None if the marks are wrong, or nothing follows from them.
        where: The text that says only where to look.
    """

    check: Check
    step: ExplainedStep | None
    where: str

    def __str__(self) -> str:
        if not self.check:
            return self.check.text
        if self.step is None:
            return str(NothingFollows())
        return str(FullStop(self.step.sentence))

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        step = None if self.step is None else self.step.json()
        return {"judgement": self.check.json(), "where": self.where, "step": step}


def look_at(step: ExplainedStep) -> str:
    """Return the text that says only where to look for a step."""
    scopes = [rule.where for rule in step.rules if rule.where]
    if scopes:
        return str(LookAt(scopes[0]))
    fact = step.facts[0]
    cells = ", ".join(map(str, fact.cells))
    return str(LookAt(cells or fact.name))
