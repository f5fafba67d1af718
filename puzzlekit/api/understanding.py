"""What is found about a board in the making: the next step, and all steps with their pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from puzzlekit.api.boards import board_parts, loaded_parts, step_parts
from puzzlekit.api.marks import Progress, marks_of
from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.reasons import explanation
from puzzlekit.reasons.conflict import Conflict
from puzzlekit.reasons.difficulty import Rating
from puzzlekit.reasons.judging import Judgement
from puzzlekit.reasons.telling import ToldStep
from puzzlekit.reasons.understanding import understood
from puzzlekit.reasons.words import RuleAt, Statement
from puzzlekit.sentences.steps import FullStop, LookAt, NothingFollows, NumberedStep

__all__ = [
    "Conflict",
    "Explanation",
    "Hint",
    "Judgement",
    "Rating",
    "RuleAt",
    "Statement",
    "ToldStep",
]


@dataclass(frozen=True)
class Hint:
    """The easiest next step, or what is wrong before it.

    Attributes:
        judgement: What is to be said of the marks. If they are wrong, there is no step.
        step: The step; None if the marks are wrong, or nothing follows from them.
        where: Only the place to look at.
    """

    judgement: Judgement
    step: ToldStep | None
    where: str

    def __str__(self) -> str:
        if not self.judgement:
            return self.judgement.text
        return str(NothingFollows() if self.step is None else FullStop(self.step.sentence))

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        step = None if self.step is None else self.step.json()
        return {"judgement": self.judgement.json(), "where": self.where, "step": step}


def look_at(step: ToldStep) -> str:
    """Return only the place to look at for a step."""
    where = next((rule.where for rule in step.rules if rule.where), "")
    cells = ", ".join(map(str, step.facts[0].cells))
    return str(LookAt(where or cells or step.facts[0].name))


class Explanation(explanation.Explanation):
    """The steps to the solution of a puzzle, the simplest first: iterate over it for the steps. A notebook draws the last one.

    Attributes:
        status: `solved`; `stuck`, where nothing more follows, as where there are several solutions;
            `unsatisfiable`, where there is none; `running` before the end.
        problem: The rule that cannot be kept, if there is no solution and a single one shows it.
        marked: Whether there was progress at the start. Then all this is said of what continues it.
        aside: What is to be said beside it; empty, or that goals of the type are left out.

    A loop over it may be left and begun again: nothing is lost, and no step is found twice.
    """

    def __init__(self, puzzle: LoadedPuzzle, progress: Progress | None = None) -> None:
        super().__init__(understood(puzzle.instance), marks_of(puzzle, progress))
        self.puzzle = puzzle

    def page(self, steps: Sequence[ToldStep], foot: str = "") -> str:
        """Return an HTML page on which arrow keys lead from one of these steps to the next, each with its picture."""
        from puzzlekit.render.page import stepwise

        bound = self.puzzle.instance
        pictures = [
            (str(FullStop(step.sentence)), step_parts(bound, step, self.values(step)))
            for step in steps
        ]
        return stepwise(
            self.puzzle.title,
            board_parts(bound, self.values(steps[0]) if steps else {}),
            pictures,
            foot,
        )

    def _repr_html_(self) -> str:
        from puzzlekit.render.page import embedded
        from puzzlekit.scene import Spot

        if not self.steps:
            return embedded(self.puzzle.title, loaded_parts(self.puzzle))
        step = self.steps[-1]
        picture = step_parts(self.puzzle.instance, step, self.values(step))
        return embedded(
            self.puzzle.title, [[Spot(str(NumberedStep(step.number, step.sentence)))], *picture]
        )
