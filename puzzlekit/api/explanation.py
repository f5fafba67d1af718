"""The steps to the solution of a puzzle, with their pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from copy import copy
from typing import Any, Literal, Self

from puzzlekit.api.boards import board_parts, loaded_parts, step_parts
from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.api.spec_progress import Progress, marks_of
from puzzlekit.clock import Clock, uninterrupted
from puzzlekit.errors import InputError, Stopped
from puzzlekit.model import Value, Variable
from puzzlekit.reasons.explainer import explainer_of
from puzzlekit.reasons.fewer_steps import fewer
from puzzlekit.reasons.instances import Step
from puzzlekit.reasons.narration import ExplainedStep, Narrator
from puzzlekit.reasons.places import cells_in, place_text
from puzzlekit.reasons.steps import Steps, ViolatedInstance
from puzzlekit.reasons.words import FactText, RuleInstance
from puzzlekit.sentences.steps import FullStop, NumberedStep


class Explanation:
    """The steps to the solution of a puzzle, the simplest first: iterate over it for the steps.

    A loop over it may be left and begun again: nothing is lost, and no step is taken twice. A
    notebook draws the last step.

    Attributes:
        puzzle: The puzzle.
        status: `solved`; `stuck`, where nothing more follows, as where there are several solutions;
            `unsatisfiable`, where there is none; `running` before the end.
        problem: The rule that cannot be kept, if there is no solution and a single one shows it.
        marked: Whether there was progress at the start. Then all this is said of what continues it.
        aside: What is to be said beside it; empty, or that goals of the type are left out.
    """

    def __init__(
        self, puzzle: LoadedPuzzle, progress: Progress | None = None, clock: Clock | None = None
    ) -> None:
        self.puzzle = puzzle
        self._explainer = explainer_of(puzzle.instance)
        self._marks = marks_of(puzzle, progress)
        self._clock = clock  # without it, the steps obey the clock that runs in the thread
        self._narrator: Narrator | None = (
            None  # from the first step on: the model is made under the clock of that
        )
        self._ends = False  # whether it is a part of another one, which alone goes on
        self.status: Literal["solved", "stuck", "unsatisfiable", "running"] = "running"
        self.problem: RuleInstance | None = None
        self.marked = bool(self._marks)
        self.aside = str(self._explainer.aside or "")

    @property
    def steps(self) -> list[ExplainedStep]:
        """The steps so far."""
        return [] if self._narrator is None else self._narrator.explained

    @property
    def elementary_steps(self) -> list[Step]:
        """The single deductions behind the steps, of which some are too plain to be told."""
        return [] if self._narrator is None else self._narrator.steps.steps

    def __iter__(self) -> Iterator[ExplainedStep]:
        place = 0  # not an iterator over the steps: whoever leaves a loop may begin another one
        while True:
            while place < len(self.steps):
                place += 1
                yield self.steps[place - 1]
            if self._ends or self.status != "running":
                return
            with self._timed():
                self._go_on()

    def _timed(self) -> AbstractContextManager[None]:
        """During this block, the clock of the explanation runs, if it has one."""
        return nullcontext() if self._clock is None else self._clock.running()

    def _go_on(self) -> None:
        """Take the next step, of which nothing may be told, or note how the steps end. Raises
        Stopped.
        """
        guarded = self._explainer.guarded
        if self._narrator is None:
            known = [guarded.literals.of_fact(fact) for fact in self._marks]
            self._narrator = Narrator(self._explainer.words, guarded, Steps(guarded, known))
        steps = self._narrator.steps
        try:
            step = None if steps.solved else steps.next()
        except ViolatedInstance as wrong:
            self.status, self.problem = "unsatisfiable", self._explainer.rule(wrong.instance)
            return
        if step is not None:
            with uninterrupted():  # the step is taken: it is told, too
                self._narrator.of(step)
            return
        asking = (
            self._explainer.asking
        )  # steps need not meet all rules: whether a solution has what is known is asked
        if not asking.possible([*asking.everything, *steps.known]):
            self.status = "unsatisfiable"
        else:
            self.status = "solved" if steps.solved else "stuck"

    def values(self, before: ExplainedStep | None = None) -> dict[Variable, Value]:
        """Return the values that are known so far, or were before a step."""
        if self._narrator is None:
            return {fact.unknown: fact.value for fact in self._marks if fact.positive}
        literals = self._explainer.guarded.literals
        some = list(self._narrator.steps.known)[: None if before is None else before.known]
        facts = (literals.fact(one) for one in some if literals.knows(one))
        return {fact.unknown: fact.value for fact in facts if fact.positive}

    def unknowns_at(self, position: str) -> frozenset[tuple[str, Any]]:
        """Return the unknowns at a place, each by its name and index.

        The place is a cell such as r1c2, the index of an unknown, or the name of one without an
        index.

        Raises:
            InputError: There is none.
        """
        with self._timed():
            keys = self._explainer.words.keys.items()
            unknowns = frozenset(key for variable, key in keys if position in self._names(variable))
        if not unknowns:
            raise InputError(f"no unknown is at {position}")
        return unknowns

    def _names(self, variable: Variable) -> tuple[str, ...]:
        """Return the names by which `at` takes an unknown."""
        words = self._explainer.words
        name, index = words.keys[variable]
        cells = map(str, cells_in(words.at(variable)))
        return (*cells, str(index), name if index == () else place_text(index))

    def until(self, position: str) -> Self:
        """Return an explanation of what is known so far of a place, as `at` takes it: the fewest
        steps that were found for it.

        It has no further steps. Raises InputError: there is no unknown.
        """
        unknowns = self.unknowns_at(position)
        made = copy(self)
        made._ends = True
        if self._narrator is None:
            return made

        def about(facts: Sequence[FactText]) -> bool:
            return any((one.name, one.index) in unknowns for one in facts)

        wanted = [step.number for step in self.steps if about(step.facts)]
        target = {one for number in wanted for one in self._narrator.literals[number]}
        made._narrator = self._narrator.only(wanted)
        with suppress(Stopped), self._timed():
            found = fewer(self._narrator, target)
            if found is not None:
                found = found.only(step.number for step in found.explained if about(step.facts))
                made._narrator = min(made._narrator, found, key=lambda one: len(one.explained))
        return made

    def page(self, steps: Sequence[ExplainedStep], foot: str = "") -> str:
        """Return an HTML page of these steps with their pictures; arrow keys lead through them."""
        from puzzlekit.render.html_page import stepwise

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
        from puzzlekit.render.html_page import embedded
        from puzzlekit.scene import TextSpan

        if not self.steps:
            return embedded(self.puzzle.title, loaded_parts(self.puzzle))
        step = self.steps[-1]
        picture = step_parts(self.puzzle.instance, step, self.values(step))
        heading = [TextSpan(str(NumberedStep(step.number, step.sentence)))]
        return embedded(self.puzzle.title, [heading, *picture])
