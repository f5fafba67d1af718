"""A puzzle that is understood: its guarded model and its words, made once, and the questions that all answers need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from random import Random

from puzzlekit.lang import BoundPuzzle
from puzzlekit.reasons.guarded import Asking, GuardedModel
from puzzlekit.reasons.instances import Instance, fewest
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.words import RuleAt, Words, listed, spaced

ORDERS = 3  # in which instances are left out of a conflict; the smallest counts


def understood(bound: BoundPuzzle) -> Understanding:
    """Return what is understood of a puzzle: the same as before, if it was asked for."""
    found = bound.understood  # of which it is a part: a table by puzzle would keep both for ever
    if not isinstance(found, Understanding):
        found = bound.understood = Understanding(bound)
    return found


class Understanding:
    """The guarded model of a puzzle with its words. It is made once, at the first question, and answers many."""

    def __init__(self, bound: BoundPuzzle) -> None:
        self.bound = bound
        self.words = Words(bound)

    @cached_property
    def guarded(self) -> GuardedModel:
        """The guarded model. Raises Unsupported: a rule has too many combinations of values; and Stopped."""
        return GuardedModel(self.bound.model)

    @cached_property
    def asking(self) -> Asking:
        """The solver that stays warm."""
        return Asking(self.guarded)

    @property
    def aside(self) -> str:
        """What is to be said beside an answer about all solutions; empty, or that goals of the type are left out."""
        names = [spaced(name) for name in self.bound.puzzle.goals]
        which = f"the goal {names[0]} is" if len(names) == 1 else f"the goals {listed(names)} are"
        return f"All solutions count: {which} left out." if names else ""

    def rule(self, instance: Instance) -> RuleAt:
        return self.rules([instance])[0]

    @cached_property
    def givens(self) -> list[int]:
        """The literals that instances about a single unknown state, such as the givens of a board."""
        literals, found = self.guarded.literals, list[int]()
        for instance in self.guarded.instances:
            unknowns = {literals.fact(one).unknown for one in instance.scope if literals.knows(one)}
            if len(unknowns) == 1 and not instance.shape:
                found += [one for deduction in instance.deductions({TRUE: 0}) for one in deduction.literals]
        return list(dict.fromkeys(found))

    def rules(self, instances: Iterable[Instance]) -> list[RuleAt]:
        """Return instances of rules in words, each once."""
        return self.words.rules(instances, self.guarded.literals)

    def conflicting(self, literals: Sequence[int], without: Collection[int] = ()) -> list[int] | None:
        """Return the fewest instances that do not allow these literals, the best of a few orders; None if they allow them.

        Instances are given by their selectors; those of `without` are left out.
        """
        asking = self.asking
        best: list[int] | None = None
        for seed in range(ORDERS):
            order = [one for one in asking.everything if one not in without]
            Random(seed).shuffle(order)
            core = asking.core([*order, *literals])
            if core is None:
                return None
            chosen = fewest(
                [one for one in core if one in self.guarded.by_selector], lambda some: not asking.possible([*some, *literals])
            )
            if best is None or len(chosen) < len(best):
                best = chosen
        return sorted(best or [])

    def another(self, assumed: Sequence[int], model: Collection[int]) -> list[int] | None:
        """Return a model with these literals and another solution than that of a model; None if there is none."""
        asking, literals = self.asking, self.guarded.literals
        switch = literals.fresh()
        asking.add([*(-one for one in self.solution(model)), -switch])
        found = asking.model([*asking.everything, *assumed, switch])
        asking.add([-switch])
        return found

    def solution(self, model: Collection[int]) -> list[int]:
        """Return the literals of the values of a solution in a model."""
        true, literals = {*model}, self.guarded.literals
        values = (literals.of(variable, value) for variable in self.guarded.goal for value in literals.domains[variable])
        return [one for one in values if one in true]
