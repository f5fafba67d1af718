"""Understand a puzzle: what is wrong with a board in the making, what comes next and why, which rules clash, how hard it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from yaml.nodes import MappingNode

from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, Stopped
from puzzlekit.reasons import explanation
from puzzlekit.reasons.conflict import Conflict, conflict
from puzzlekit.reasons.difficulty import Rating, rating
from puzzlekit.reasons.judging import Judgement, judge
from puzzlekit.reasons.literals import Fact
from puzzlekit.reasons.marks import read_marks
from puzzlekit.reasons.telling import ToldStep
from puzzlekit.reasons.understanding import understood
from puzzlekit.reasons.words import RuleAt, Statement
from puzzlekit.yaml_nodes import plain_node

__all__ = [
    "Conflict",
    "Explanation",
    "Hint",
    "Judgement",
    "Rating",
    "RuleAt",
    "Statement",
    "ToldStep",
    "check_marks",
    "clashes",
    "explained",
    "hinted",
    "marks_of",
    "rated",
]

Marks = Mapping[str, Any]


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
        return "Nothing follows any more." if self.step is None else f"{self.step.text}."

    def json(self) -> dict[str, Any]:
        """Return it as plain data."""
        step = None if self.step is None else self.step.json()
        return {"judgement": self.judgement.json(), "where": self.where, "step": step}


def marks_of(puzzle: LoadedPuzzle, marks: Marks | None = None) -> list[Fact]:
    """Return the facts of marks: those given, else those of the spec.

    Raises:
        Problems: The marks of the spec are wrong.
        InputError: The given marks are wrong.
    """
    if marks is not None:
        return read_marks(puzzle.instance, marks)
    node = puzzle.spec.about.get("marks")
    if node is None:
        return []
    source = puzzle.spec.source
    if not isinstance(node, MappingNode):
        source.problem(
            "expected marks to be a mapping", node, "write for example marks: {answer: …}"
        )
        source.raise_problems()
    try:
        return read_marks(puzzle.instance, plain_node(node))
    except InputError as error:
        message, _, hint = str(error).partition("\n     = ")
        source.problem(message, node, hint)
        source.raise_problems()
        raise


def check_marks(
    puzzle: LoadedPuzzle, marks: Marks | None = None, timeout: float | None = None
) -> Judgement:
    """Return the judgement of marks, as `Puzzle.check` does."""
    facts = marks_of(puzzle, marks)
    with Clock(timeout).running():
        return judge(understood(puzzle.instance), facts)


def hinted(puzzle: LoadedPuzzle, marks: Marks | None = None, timeout: float | None = None) -> Hint:
    """Return the easiest next step, as `Puzzle.hint` does."""
    facts = marks_of(puzzle, marks)
    with Clock(timeout).running():
        judgement = judge(understood(puzzle.instance), facts)
        step = explanation.hint(understood(puzzle.instance), facts) if judgement else None
    where = (
        ""
        if step is None
        else next((f"Look at {rule.where}." for rule in step.rules if rule.where), "")
    )
    if step is not None and not where:
        where = f"Look at {', '.join(map(str, step.facts[0].cells)) or step.facts[0].name}."
    return Hint(judgement, step, where)


class Explanation(explanation.Explanation):
    """The steps to the solution of a puzzle, the simplest first: iterate over it for the steps. A notebook draws the last one.

    Attributes:
        status: `solved`; `stuck`, where nothing more follows, as where there are several solutions;
            `contradicted`, where there is none; `running` before the end.
        problem: The rule that cannot be kept, if it is contradicted and a single one shows it.
        marked: Whether there were marks at the start. Then all this is said of what continues them.
        aside: What is to be said beside it; empty, or that goals of the type are left out.

    A loop over it may be left and begun again: nothing is lost, and no step is found twice.
    """

    def __init__(self, puzzle: LoadedPuzzle, marks: Marks | None = None) -> None:
        super().__init__(understood(puzzle.instance), marks_of(puzzle, marks))
        self.puzzle = puzzle

    def page(self, steps: Sequence[ToldStep], foot: str = "") -> str:
        """Return an HTML page on which arrow keys lead from one of these steps to the next, each with its picture."""
        from puzzlekit.api.boards import board_parts, step_parts
        from puzzlekit.render.page import stepwise

        bound = self.puzzle.instance
        pictures = [(f"{step.text}.", step_parts(bound, step, self.values(step))) for step in steps]
        return stepwise(
            self.puzzle.title,
            board_parts(bound, self.values(steps[0]) if steps else {}),
            pictures,
            foot,
        )

    def _repr_html_(self) -> str:
        from puzzlekit.api.boards import step_parts
        from puzzlekit.render.page import embedded
        from puzzlekit.render.scene import Spot

        if not self.steps:
            return embedded(self.puzzle.title, self.puzzle.parts())
        step = self.steps[-1]
        picture = step_parts(self.puzzle.instance, step, self.values(step))
        return embedded(self.puzzle.title, [[Spot(f"{step.number}. {step.text}.")], *picture])


def explained(puzzle: LoadedPuzzle, marks: Marks | None = None) -> Explanation:
    """Return the explanation, as `Puzzle.explain` does."""
    return Explanation(puzzle, marks)


def clashes(puzzle: LoadedPuzzle, most: int = 1, timeout: float | None = None) -> Conflict:
    """Return what keeps a puzzle from having one solution, as `Puzzle.conflict` does."""
    with Clock(timeout).running():
        return conflict(understood(puzzle.instance), most)


def rated(puzzle: LoadedPuzzle, timeout: float | None = None) -> Rating:
    """Return the difficulty, as `Puzzle.rate` does."""
    steps = explanation.Explanation(understood(puzzle.instance))
    with suppress(Stopped), Clock(timeout).running():
        for _ in steps:
            pass
    return rating(steps.found, steps.status)
