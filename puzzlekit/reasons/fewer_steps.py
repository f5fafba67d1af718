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

RUNS = 40  # through the steps that are left, after which no more are left out


def fewer(narrator: Narrator, target: Set[int]) -> Narrator | None:
    """Return a telling that leads to some literals by few of the steps of another one; None if
    there is none.

    Raises Stopped.
    """
    literals, runs = narrator.literals, 0
    last = [number for number, own in literals.items() if not target.isdisjoint(own)]
    behind = {one for number in narrator.needed_steps(last) for one in literals[number]}
    most = max(
        (len(step.reasons) for step in narrator.steps.steps if not behind.isdisjoint(step.literals)),
        default=0,
    )

    def made(some: Iterable[int]) -> _FewerSteps:
        return _FewerSteps(
            narrator, {one for number in (*last, *some) for one in literals[number]}, most
        )

    def enough(some: Iterable[int]) -> bool:
        nonlocal runs
        runs += 1
        return runs <= RUNS and made(some).lead_to(target)

    order = sorted(
        {*literals} - {*last}, key=lambda number: (-len(narrator.needed_steps([number])), -number)
    )
    if not enough(order):
        return None
    steps = made(shrink(order, enough))
    found = Narrator(narrator.words, narrator.assumption_model, steps)
    steps.lead_to(target, found)
    return found


class _FewerSteps(Steps):
    """Steps that find only the allowed ones of told facts, and what needs a single fact and is not
    told; no new trials.

    None needs more facts than `most`.
    """

    def __init__(self, telling: Narrator, allowed: Set[int], most: int) -> None:
        self.allowed = allowed
        self.barred = {one for own in telling.literals.values() for one in own}.difference(allowed)
        self.hard = [step for step in telling.steps.steps if step.tier > 1]
        self.most = most
        super().__init__(
            telling.assumption_model,
            [one for one, number in telling.steps.trail.items() if number == 0 and one != TRUE],
        )

    def lead_to(self, target: Set[int], telling: Narrator | None = None) -> bool:
        """Take steps, and let them be told, until all of these literals are known; return whether
        they are.
        """
        while not target <= self.trail.keys():
            try:
                step = self.next()
            except (
                ViolatedInstance
            ):  # of a puzzle without a solution: another order meets that sooner
                return False
            if step is None:
                return False
            if telling is not None:
                telling.narrate(step)
        return True

    def next(self) -> Step | None:
        while (step := self._single_instance_step()) is not None:
            literals = tuple(filter(self._learns, step.literals))
            if len(step.reasons) > 1:  # it is told
                literals = tuple(one for one in literals if one not in self.barred)
                if len(step.reasons) > self.most or self.allowed.isdisjoint(literals):
                    continue
            if literals:
                return self._taken(replace(step, literals=literals))
        for step in self.hard:
            literals = tuple(
                one for one in step.literals if one not in self.trail and self._learns(one)
            )
            if literals and all(reason in self.trail for reason in step.reasons):
                return self._taken(replace(step, literals=literals))
        return None

    def _taken(self, step: Step) -> Step:
        self._take(step)
        return step

    def _learns(self, literal: int) -> bool:
        """Return whether a literal may be known: it is no value that is barred, and does not leave
        only such a one.
        """
        literals = self.assumption_model.literals
        if not literals.denies(literal):
            return literal not in self.barred
        left = [
            one for one in literals.of_all(literals.fact(literal).unknown) if -one not in self.trail
        ]
        return len(left) != 2 or not any(one in self.barred for one in left)
