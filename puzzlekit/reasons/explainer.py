"""A puzzle that is understood: its guarded model and its words, made once, and the questions that
all answers need.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from functools import cached_property

from puzzlekit.backends.hitting_sets import HittingSets
from puzzlekit.clock import check
from puzzlekit.errors import Stopped
from puzzlekit.lang import Instance
from puzzlekit.reasons.assumption_model import AssumptionModel, AssumptionSolver
from puzzlekit.reasons.instances import GroundRule, shrink
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.places import spaced
from puzzlekit.reasons.words import RuleInstance, Words
from puzzlekit.sentences.formatting import and_list
from puzzlekit.sentences.sentence import Sentence
from puzzlekit.sentences.verdicts import GoalLeftOut, GoalsLeftOut

QUESTIONS = (
    10_000  # to the solver for all of these sets, each of which takes one for each turn of a rule
)
# that a smallest conflict is known to hit, after which the one that was found first is enough
SETS = 150


def explainer_of(puzzle: Instance) -> Explainer:
    """Return what is understood of a puzzle: the same as before, if it was asked for."""
    found = puzzle.understood  # of which it is a part: a table by puzzle would keep both for ever
    if not isinstance(found, Explainer):
        found = puzzle.understood = Explainer(puzzle)
    return found


class Explainer:
    """The guarded model of a puzzle with its words. It is made once, at the first question, and
    answers many.
    """

    def __init__(self, puzzle: Instance) -> None:
        self.puzzle = puzzle
        self.words = Words(puzzle)

    @cached_property
    def assumption_model(self) -> AssumptionModel:
        """The guarded model. Raises Unsupported: a rule has too many combinations of values; and
        Stopped.
        """
        return AssumptionModel(self.puzzle.model)

    @cached_property
    def solver(self) -> AssumptionSolver:
        """The solver that stays warm."""
        return AssumptionSolver(self.assumption_model)

    @property
    def aside(self) -> Sentence | None:
        """What is to be said beside an answer about all solutions: that goals of the type are left
        out.
        """
        names = [spaced(name) for name in self.puzzle.type.goals]
        if not names:
            return None
        return GoalLeftOut(names[0]) if len(names) == 1 else GoalsLeftOut(and_list(names))

    def rule(self, instance: GroundRule) -> RuleInstance:
        return self.rules([instance])[0]

    @cached_property
    def givens(self) -> list[int]:
        """The literals that instances about a single unknown state, such as the givens of a board."""
        literals, found = self.assumption_model.literals, list[int]()
        for instance in self.assumption_model.instances:
            unknowns = {literals.fact(one).unknown for one in instance.scope if literals.is_value_literal(one)}
            if len(unknowns) == 1 and not instance.shape:
                found += [
                    one
                    for deduction in instance.inferences({TRUE: 0})
                    for one in deduction.literals
                ]
        return list(dict.fromkeys(found))

    def rules(self, instances: Iterable[GroundRule]) -> list[RuleInstance]:
        """Return instances of rules in words, each once."""
        return self.words.rules(instances, self.assumption_model.literals)

    @cached_property
    def turns(self) -> dict[int, list[int]]:
        """The selectors of what a turn of a rule makes, which is told in the same words, by the
        first; parts stand alone.
        """
        found: dict[int, list[int]] = {}
        together: dict[tuple[int, ...], list[GroundRule]] = {}
        for instance in self.assumption_model.instances:
            together.setdefault(tuple(map(id, instance.origins)), []).append(instance)
        for own in together.values():
            found |= {one.selector: [one.selector] for one in own if one.rule_part}
            found |= {
                one.selector: [each.selector for each in own]
                for one in [one for one in own if not one.rule_part][:1]
            }
        return dict(sorted(found.items()))

    def selectors_of(self, turns: Iterable[int]) -> list[int]:
        """Return the selectors of all instances of turns of rules."""
        return [selector for turn in turns for selector in self.turns[turn]]

    def mus(
        self, literals: Sequence[int], without: Collection[int] = ()
    ) -> tuple[list[int], bool] | None:
        """Return a minimal set of turns of rules that do not allow these literals: a MUS.

        Returns None if all turns together allow them.

        Turns are given by their first selectors; those of `without` are left out. Beside them
        stands whether no other set is smaller, which is not known if that takes long. Raises
        Stopped before there is such a set.

        A first MUS is shrunk from a core. A smallest one (SMUS) is a smallest hitting set of
        correction sets, which are found one by one: Ignatiev, Previti, Liffiton and Marques-Silva,
        "Smallest MUS extraction with minimal hitting set dualization" (2015), after the implicit
        hitting sets of Davies and Bacchus, "Solving MAXSAT by solving a sequence of simpler SAT
        instances" (2011).

        A first MUS is shrunk from a core. A smallest one (SMUS) is a smallest hitting set of
        correction sets, which are found one by one: Ignatiev, Previti, Liffiton and Marques-Silva,
        "Smallest MUS extraction with minimal hitting set dualization" (2015), after the implicit
        hitting sets of Davies and Bacchus, "Solving MAXSAT by solving a sequence of simpler SAT
        instances" (2011).
        """
        asking = self.solver
        everything = [turn for turn in self.turns if turn not in without]
        core = asking.core([*self.selectors_of(everything), *literals])
        if core is None:
            return None
        inside = {*core}
        best = shrink(
            [turn for turn in everything if not inside.isdisjoint(self.turns[turn])],
            lambda some: not asking.possible([*self.selectors_of(some), *literals]),
        )
        with (
            suppress(Stopped),
            HittingSets() as hit,
        ):  # the best so far is an answer when the time is up
            for _ in range(min(SETS, QUESTIONS // max(1, len(everything)))):
                check()
                chosen = hit.smallest()
                if len(chosen) >= len(best):
                    return best, True
                model = asking.model([*self.selectors_of(chosen), *literals])
                if model is None:
                    return chosen, True
                hit.add(self._correction_set(chosen, literals, everything, {*model}))
        return best, False

    def _correction_set(
        self,
        chosen: Sequence[int],
        literals: Sequence[int],
        everything: Sequence[int],
        true: set[int],
    ) -> list[int]:
        """Return a minimal correction set: the turns outside a maximal satisfiable set.

        That set contains the chosen turns. Each conflict has a member of the correction set.
        """
        kept = [
            *chosen,
            *(one for one in everything if one not in chosen and true.issuperset(self.turns[one])),
        ]
        if not self.solver.possible(
            [*self.selectors_of(kept), *literals]
        ):  # the model was found without the cuts of these
            kept = [*chosen]
        left = list[int]()
        for one in everything:
            if one not in kept:
                (
                    kept if self.solver.possible([*self.selectors_of([*kept, one]), *literals]) else left
                ).append(one)
        return left

    def another_model(self, assumed: Sequence[int], model: Collection[int]) -> list[int] | None:
        """Return a model with these literals and another solution than that of a model; None if
        there is none.
        """
        asking, literals = self.solver, self.assumption_model.literals
        switch = literals.fresh()
        asking.add([*(-one for one in self.solution(model)), -switch])
        found = asking.model([*asking.all_selectors, *assumed, switch])
        asking.add([-switch])
        return found

    def solution(self, model: Collection[int]) -> list[int]:
        """Return the literals of the values of a solution in a model."""
        true, literals = {*model}, self.assumption_model.literals
        values = (
            literals.of(variable, value)
            for variable in self.assumption_model.goal
            for value in literals.domains[variable]
        )
        return [one for one in values if one in true]
