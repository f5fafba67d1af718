"""Fewer steps that lead to some facts: of all steps, those are left out that these facts can do
without.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace

from puzzlekit.reasons.instances import Step, shrink
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.narration import Narrator
from puzzlekit.reasons.steps import Steps, ViolatedInstance

RUNS = 40  # through the remaining steps, after which no more are left out


def fewer(narrator: Narrator, target: Set[int]) -> Narrator | None:
    """Return a narrator that leads to some literals by few of the steps of another one; None if
    there is none.

    Raises Stopped.
    """
    runs = 0
    last = [
        number for number, literals in narrator.literals.items() if not target.isdisjoint(literals)
    ]
    most_reasons = _most_reasons(narrator, last)

    def steps_with(numbers: Iterable[int]) -> _FewerSteps:
        allowed: set[int] = set()
        for number in (*last, *numbers):
            allowed.update(narrator.literals[number])
        return _FewerSteps(narrator, allowed, most_reasons)

    def enough(numbers: Iterable[int]) -> bool:
        nonlocal runs
        runs += 1
        return runs <= RUNS and steps_with(numbers).lead_to(target)

    def need(number: int) -> tuple[int, int]:
        return -len(narrator.needed_steps([number])), -number

    order = sorted({*narrator.literals} - {*last}, key=need)
    if not enough(order):
        return None
    steps = steps_with(shrink(order, enough))
    shorter = Narrator(narrator.words, narrator.assumption_model, steps)
    steps.lead_to(target, shorter)
    return shorter


def _most_reasons(narrator: Narrator, last: Iterable[int]) -> int:
    """Return the largest number of reasons of the steps that told steps need."""
    needed: set[int] = set()
    for number in narrator.needed_steps(last):
        needed.update(narrator.literals[number])
    steps = [step for step in narrator.steps.steps if not needed.isdisjoint(step.literals)]
    return max((len(step.reasons) for step in steps), default=0)


class _FewerSteps(Steps):
    """Steps that find only the allowed ones of told facts, and what needs a single fact and is not
    told; no new failed literals.

    Attributes:
        allowed: The told literals that may be found.
        barred: The other told literals.
        hard: The steps of the narrator that need more than one instance.
        most_reasons: How many facts a step may need.
    """

    def __init__(self, narrator: Narrator, allowed: Set[int], most_reasons: int) -> None:
        self.allowed = allowed
        self.barred: set[int] = set()
        for literals in narrator.literals.values():
            self.barred.update(literals)
        self.barred -= allowed
        self.hard = [step for step in narrator.steps.steps if step.tier > 1]
        self.most_reasons = most_reasons
        trail = narrator.steps.trail
        at_start = [literal for literal, number in trail.items() if number == 0 and literal != TRUE]
        super().__init__(narrator.assumption_model, at_start)

    def lead_to(self, target: Set[int], narrator: Narrator | None = None) -> bool:
        """Take steps, and let them be told, until all of these literals are known; return whether
        they are.
        """
        while not target <= self.trail.keys():
            try:
                step = self.next()
            except ViolatedInstance:
                # The puzzle has no solution: another order of the steps meets that sooner.
                return False
            if step is None:
                return False
            if narrator is not None:
                narrator.narrate(step)
        return True

    def next(self) -> Step | None:
        step = self._allowed_single_step() or self._allowed_hard_step()
        if step is not None:
            self._take(step)
        return step

    def _allowed_single_step(self) -> Step | None:
        """Return the next step of a single instance, with the literals that are allowed."""
        while (step := self._single_instance_step()) is not None:
            literals = tuple(filter(self._may_establish, step.literals))
            if len(step.reasons) > 1:  # it is told
                literals = tuple(literal for literal in literals if literal not in self.barred)
                if len(step.reasons) > self.most_reasons or self.allowed.isdisjoint(literals):
                    continue
            if literals:
                return replace(step, literals=literals)
        return None

    def _allowed_hard_step(self) -> Step | None:
        """Return a hard step whose reasons are known, with the literals that are allowed."""
        for step in self.hard:
            literals = tuple(filter(self._may_establish, self._unknown_literals(step.literals)))
            if literals and all(reason in self.trail for reason in step.reasons):
                return replace(step, literals=literals)
        return None

    def _may_establish(self, literal: int) -> bool:
        """Return whether a literal may be known: it is no value that is barred, and it does not
        exclude all but such a value.
        """
        literals = self.assumption_model.literals
        if not literals.denies(literal):
            return literal not in self.barred
        values = literals.of_all(literals.fact(literal).unknown)
        remaining = [value for value in values if -value not in self.trail]
        return len(remaining) != 2 or self.barred.isdisjoint(remaining)
