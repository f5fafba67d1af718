"""The answers to questions about an unfinished board: the next step, checks, conflicts, ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from puzzlekit.api.explanation import Explanation
from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.api.spec_progress import progress_facts
from puzzlekit.dataclass import dataclass
from puzzlekit.reasons import Check, Conflict, ExplainedStep, FactText, Rating, RuleInstance
from puzzlekit.sentences import FullStop, LookAt, LookFor, NothingFollows

if TYPE_CHECKING:
    from puzzlekit.api.picture_formats import Picture

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
        puzzle: The puzzle.
        progress: The progress that the hint is about; None for that of the spec.
        explanation: The explanation that begins with the step; None without a step.
    """

    check: Check
    step: ExplainedStep | None
    puzzle: LoadedPuzzle = field(repr=False, compare=False)
    progress: Mapping[str, Any] | None = field(repr=False, compare=False)
    explanation: Explanation | None = field(default=None, repr=False, compare=False)

    @property
    def where(self) -> str:
        """The text that says only where to look; empty without a step."""
        return "" if self.step is None else step_degrees(self.step)[0]

    @property
    def pattern(self) -> str:
        """The text that says where to look, and for which pattern; empty without a step."""
        return "" if self.step is None else step_degrees(self.step)[1]

    def __str__(self) -> str:
        if not self.check:
            return self.check.text
        if self.step is None:
            return str(NothingFollows())
        return str(FullStop(self.step.sentence))

    def draw(self) -> Picture:
        """Draw the step on the board, or the board with the marks to blame."""
        from puzzlekit.api.boards import check_parts
        from puzzlekit.api.picture_formats import picture_of

        if self.explanation is not None:
            parts = self.explanation.picture_parts(True, self.step)
        else:
            marks = progress_facts(self.puzzle, self.progress, to_judge=True)
            parts = check_parts(self.puzzle.instance, marks, self.check)
        return picture_of(str(self), parts)

    def _repr_html_(self) -> str:
        return self.draw()._repr_html_()

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        step = None if self.step is None else self.step.json()
        return {
            "judgement": self.check.json(),
            "where": self.where,
            "pattern": self.pattern,
            "step": step,
        }


def step_degrees(step: ExplainedStep) -> tuple[str, str]:
    """Return where to look for a step, and that with its pattern."""
    location = _location(step)
    return str(LookAt(location)), str(LookFor(location, step.pattern.text))


def _location(step: ExplainedStep) -> str:
    """Return where to look for a step."""
    scopes = [rule.where for rule in step.rules if rule.where]
    if scopes:
        names = (card.name for card in (*step.base, *step.cover))
        return next((name for name in names if name.endswith(scopes[0])), scopes[0])
    return step.facts[0].location
