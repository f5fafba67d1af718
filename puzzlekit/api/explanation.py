"""The steps to the solution of a puzzle, with their pictures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

from puzzlekit.api.boards import board_parts, loaded_parts, step_parts
from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.api.spec_progress import Progress, progress_facts
from puzzlekit.clock import Clock, uninterrupted
from puzzlekit.errors import InputError, Stopped, option
from puzzlekit.model import Value, Variable
from puzzlekit.reasons import (
    ExplainedStep,
    Narrator,
    Pattern,
    PositionNames,
    Rating,
    RuleInstance,
    Steps,
    ValueLiteral,
    ViolatedInstance,
    explainer_of,
    names_in,
    patterns_named,
    rate,
)
from puzzlekit.scene import PicturePart, TextSpan
from puzzlekit.sentences import FullStop, NumberedStep, or_list

if TYPE_CHECKING:
    from puzzlekit.api.picture_formats import Picture

NOTEBOOK_SECONDS = 5.0  # for the steps that a notebook shows


class Explanation:
    """The steps to the solution of a puzzle, the simplest first: iterate over it for the steps.

    A loop over it may be left and begun again: no step is lost or taken twice. A notebook lists
    the steps, and draws the last one.

    Attributes:
        puzzle: The puzzle.
        status: `solved`; `stuck`, where nothing more follows, as where there are several solutions;
            `unsatisfiable`, where there is none; `running` before the end.
        problem: The rule that cannot be kept, if there is no solution and a single rule shows it.
        marked: Whether there was progress at the start. Then all this is about its continuation.
        aside: A remark: that goals of the type are left out; else empty.
        without: The names of the patterns that are not looked for. Then it may be `stuck` also
            where there is one solution.
        assume_unique: Whether patterns are looked for that assume that there is one solution.
    """

    def __init__(
        self,
        puzzle: LoadedPuzzle,
        progress: Progress | None = None,
        clock: Clock | None = None,
        without: str | Iterable[str] = (),
        assume_unique: bool = False,
    ) -> None:
        self.puzzle = puzzle
        names = without if isinstance(without, str) else tuple(without)
        self.without = tuple(names_in(names))
        self.assume_unique = assume_unique
        self._excluded = patterns_named(names)
        self._explainer = explainer_of(puzzle.instance)
        self._marks = progress_facts(puzzle, progress)
        self._clock = clock  # without it, the steps obey the clock that runs in the thread
        # It is made at the first step, so that building its model counts against that step's clock.
        self._narrator: Narrator | None = None
        self._is_excerpt = False  # an excerpt of another explanation takes no further steps
        self.status: Literal["solved", "stuck", "unsatisfiable", "running"] = "running"
        self.problem: RuleInstance | None = None
        self.marked = bool(self._marks)
        self.aside = str(self._explainer.aside or "")

    @property
    def steps(self) -> list[ExplainedStep]:
        """The steps so far."""
        return [] if self._narrator is None else self._narrator.explained

    def __iter__(self) -> Iterator[ExplainedStep]:
        # This is no iterator over the list of steps, as a loop may be left and another one begun.
        index = 0
        while True:
            while index < len(self.steps):
                index += 1
                yield self.steps[index - 1]
            if self._is_excerpt or self.status != "running":
                return
            with self._timed():
                self._take_step()

    def _timed(self) -> AbstractContextManager[None]:
        """During this block, the clock of the explanation runs, if it has one."""
        return nullcontext() if self._clock is None else self._clock.running()

    def _take_step(self) -> None:
        """Take the next step, which may be too plain to be explained, or note how the steps end.

        Raises:
            Stopped: The time is up.
        """
        try:
            narrator = self._started_narrator()
            with uninterrupted():  # a step that was taken is explained, too
                if narrator.narrate_shown_single():
                    return
            steps = narrator.steps
            step = None if steps.solved else steps.next()
        except ViolatedInstance as violation:
            self._end_in_violation(violation)
            return
        if step is not None:
            with uninterrupted():
                narrator.narrate(step)
            return
        # The steps need not meet all rules, so ask whether a solution has the known values.
        asking = self._explainer.solver
        if not asking.possible([*asking.all_selectors, *steps.trail]):
            self.status = "unsatisfiable"
        else:
            self.status = "solved" if steps.solved else "stuck"
        if self.status != "solved":
            narrator.finish()

    def _end_in_violation(self, violation: ViolatedInstance) -> None:
        """Note that there is no solution, and which rule shows it, if a single one does."""
        self.status = "unsatisfiable"
        instance = violation.instance
        if self._narrator is not None:
            self._narrator.finish()
            trail = self._narrator.steps.trail
            instances = self._explainer.assumption_model.instances
            violated = (each for each in instances if each.violated(trail) is not None)
            instance = instance or next(violated, None)
        if instance is not None:
            self.problem = self._explainer.rule(instance)

    def _started_narrator(self) -> Narrator:
        if self._narrator is None:
            guarded = self._explainer.assumption_model
            marks = [guarded.literals.of_fact(fact) for fact in self._marks]
            if self.assume_unique:
                self._refuse_several_solutions()
            steps = Steps(self._explainer, marks, self._excluded, self.assume_unique)
            marked = {fact.unknown for fact in self._marks}
            self._narrator = Narrator(self._explainer, steps, marked)
        return self._narrator

    def _refuse_several_solutions(self) -> None:
        """Raise InputError if the puzzle has several solutions, of which patterns assume one."""
        asking = self._explainer.solver
        model = asking.model(asking.all_selectors)
        if model is not None and self._explainer.another_model((), model) is not None:
            raise InputError(f"{option('assume_unique')}: the puzzle has several solutions")

    def values(self, before: ExplainedStep | None = None) -> dict[Variable, Value]:
        """Return the values that are known so far, or were before a step."""
        facts = self._displayed(before)
        return {fact.unknown: fact.value for fact in facts if fact.positive}

    def _displayed(self, before: ExplainedStep | None) -> list[ValueLiteral]:
        """Return the facts that are displayed so far, or were before a step."""
        if self._narrator is None:
            return list(self._marks)
        established = self._narrator.displayed
        if before is not None:
            established = established[: before.trail_length]
        literals = self._explainer.assumption_model.literals
        return [literals.fact(each) for each in established if literals.is_value_literal(each)]

    def candidates(self, before: ExplainedStep | None = None) -> dict[Variable, list[Value]]:
        """Return the values that remain so far, or before a step, for the unknowns without a value.

        Unknowns that have two values at first are left out.
        """
        values = self.values(before)
        excluded: dict[Variable, set[Value]] = {}
        for fact in self._displayed(before):
            if not fact.positive:
                excluded.setdefault(fact.unknown, set()).add(fact.value)
        remaining = {}
        model = self.puzzle.model
        for variable, domain in model.domains.items():
            if len(domain) > 2 and variable not in values:
                struck = excluded.get(variable, ())
                remaining[variable] = [value for value in domain if value not in struck]
        return remaining

    def picture_parts(
        self, candidates: bool = False, step: ExplainedStep | None = None
    ) -> list[PicturePart]:
        """Return the picture of a step.

        Args:
            candidates: Whether the values that remain are drawn small.
            step: The step; without one, the last step so far.
        """
        step = step or self.steps[-1]
        remaining = self.candidates(step) if candidates else {}
        return step_parts(self.puzzle.instance, step, self.values(step), remaining)

    def unknowns_at(self, position: str) -> frozenset[tuple[str, Any]]:
        """Return the unknowns at a position, each by its name and index.

        The position is written as the steps name it: a cell such as r1c2, a side such as `above
        r1c2` or `left of r1c2`, a link such as r1c2–r1c3, another index of an unknown, or the name
        of one without an index. A cell is also the position of its sides and links.

        Raises:
            InputError: There is none.
        """
        unknowns = self._positions.unknowns_at(position)  # also after the time for steps is up
        if unknowns:
            return unknowns
        examples = or_list(self._positions.examples())
        raise InputError(
            f"no unknown is at {position}",
            help=f"write a position as the steps name it, such as {examples}",
        )

    @cached_property
    def _positions(self) -> PositionNames:
        return PositionNames(self._explainer.words)

    def until(self, position: str) -> Self:
        """Return an explanation of what is known so far at a position, by as few steps as possible.

        It has no further steps.

        Args:
            position: A position, as for `unknowns_at`.

        Raises:
            InputError: There is no unknown.
        """
        unknowns = self.unknowns_at(position)
        excerpt = copy(self)
        excerpt._is_excerpt = True
        if self._narrator is None:
            return excerpt

        def is_about(step: ExplainedStep) -> bool:
            return any((fact.name, fact.index) in unknowns for fact in step.facts)

        numbers = [step.number for step in self.steps if is_about(step)]
        excerpt._narrator = self._narrator.only(numbers)
        return excerpt

    def page(self, steps: Sequence[ExplainedStep], foot: str = "") -> str:
        """Return an HTML page of these steps with their pictures; arrow keys lead through them."""
        from puzzlekit.api.phrases import phrases_of, step_text
        from puzzlekit.render import PictureStep, stepwise

        start = self.values(steps[0]) if steps else {}
        pictures = []
        for step in steps:
            picture = self.picture_parts(True, step)
            text = step_text(step)
            pictures.append(PictureStep(text, picture, phrases_of(step, text)))
        board = board_parts(self.puzzle.instance, start)
        return stepwise(self.puzzle.title, board, pictures, foot)

    def draw(self) -> Picture:
        """Draw the last step so far on the board, or the puzzle before the first one."""
        from puzzlekit.api.picture_formats import picture_of

        if not self.steps:
            return picture_of(self.puzzle.title, loaded_parts(self.puzzle))
        step = self.steps[-1]
        picture = self.picture_parts(candidates=True)
        heading = [TextSpan(str(NumberedStep(step.number, step.sentence)))]
        return picture_of(self.puzzle.title, [heading, *picture])

    def _repr_html_(self) -> str:
        """Return the board after the steps so far, with their text; of a new one, the first steps
        that a few seconds allow.
        """
        from puzzlekit.render import html_list

        if not self.steps:
            with suppress(Stopped), Clock(NOTEBOOK_SECONDS).running():
                for _ in self:
                    pass
        texts = [str(FullStop(step.sentence)) for step in self.steps]
        return self.draw()._repr_html_() + html_list(texts)


def rating_of_steps(puzzle: LoadedPuzzle, clock: Clock, without: Collection[Pattern]) -> Rating:
    """Rate the difficulty by the steps that all patterns but some give.

    Args:
        puzzle: The puzzle.
        clock: A running clock. When its time is up, the rating is that of the steps so far.
        without: The patterns that are not looked for.
    """
    steps = Explanation(puzzle, {}, clock, [pattern.text for pattern in without])
    with suppress(Stopped):
        for _ in steps:
            pass
    return rate(steps.steps, steps.status)
