"""The explainer of a puzzle: its assumption model and its words, made once, and the questions that
all answers need.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from copy import copy
from functools import cached_property
from weakref import ReferenceType, ref

from puzzlekit.backends import HittingSets
from puzzlekit.clock import check
from puzzlekit.errors import Stopped
from puzzlekit.lang import Instance
from puzzlekit.model import Values
from puzzlekit.reasons.assumption_model import AssumptionModel, AssumptionSolver
from puzzlekit.reasons.instances import GroundRule, shrink
from puzzlekit.reasons.literals import TRUE, ValueLiteral
from puzzlekit.reasons.places import spaced
from puzzlekit.reasons.words import RuleInstance, Words
from puzzlekit.sentences import GoalLeftOut, GoalsLeftOut, Sentence, and_list

# Questions to the solver for all of these sets, each of which takes one for each turn of a rule.
QUESTIONS = 10_000
# Sets that a smallest conflict is known to hit, after which the first one is enough.
SETS = 150


Solutions = Sequence[Values]

MOST_EXPLAINERS = 8  # that puzzles retain, each of some megabytes

# the puzzles that retain their explainers, the oldest first
_explained: deque[ReferenceType[Instance]] = deque()


def explainer_of(puzzle: Instance) -> Explainer:
    """Return the explainer of a puzzle, which is made at the first call.

    The puzzle itself holds it: a table by puzzle would keep both for ever. When many puzzles have
    one, the first of them gives it up, and gets a new one at its next question.
    """
    if not isinstance(puzzle.explainer, Explainer):
        puzzle.explainer = Explainer(puzzle)
        _explained.append(ref(puzzle))
        if len(_explained) > MOST_EXPLAINERS:
            oldest = _explained.popleft()()
            if oldest is not None:
                oldest.explainer = None
    explainer = puzzle.explainer
    assert isinstance(explainer, Explainer)
    return explainer


class Explainer:
    """The assumption model of a puzzle with its words. It is made once, at the first question, and
    answers many.
    """

    def __init__(self, puzzle: Instance) -> None:
        self.puzzle = puzzle
        self.words = Words(puzzle)
        # all solutions, or two of them if there are more; None if they are not known
        self.solutions: Solutions | None = None
        # the literals of the only solution; None if they are not known
        self.solution_literals: Sequence[int] | None = None

    def restricted(self, model: AssumptionModel) -> Explainer:
        """Return an explainer of the same unknowns, with an assumption model of other instances."""
        explainer = copy(self)
        for name in ("solver", "givens", "turns"):
            explainer.__dict__.pop(name, None)
        explainer.assumption_model = model
        return explainer

    @property
    def only_solution(self) -> Values | None:
        """The only solution, if it is known to be that."""
        if self.solutions is None or len(self.solutions) != 1:
            return None
        return self.solutions[0]

    @cached_property
    def assumption_model(self) -> AssumptionModel:
        """The assumption model.

        Raises Unsupported: a rule has too many combinations of values; and Stopped.
        """
        return AssumptionModel(self.puzzle.model)

    @cached_property
    def solver(self) -> AssumptionSolver:
        """The solver of all questions but those of steps. It may be freed between them."""
        return AssumptionSolver(self.assumption_model, pooled=True)

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
        """Return an instance of a rule in words."""
        return self.rules([instance])[0]

    def rules(self, instances: Iterable[GroundRule]) -> list[RuleInstance]:
        """Return instances of rules in words, each once."""
        return self.words.rules(instances, self.assumption_model.literals)

    def facts(self, literals: Iterable[int]) -> list[ValueLiteral]:
        """Return what literals say."""
        return list(map(self.assumption_model.literals.fact, literals))

    def is_hidden(self, literal: int) -> bool:
        """Return whether a literal is about an unknown that was made to state a rule."""
        return self.words.is_hidden(self.assumption_model.literals.fact(literal).unknown)

    @cached_property
    def givens(self) -> dict[int, GroundRule]:
        """The literals that instances about a single unknown state, as the givens of a board, each
        with the instance.
        """
        givens: dict[int, GroundRule] = {}
        for instance in self.assumption_model.instances:
            if self.is_about_one(instance):
                for inference in instance.inferences({TRUE: 0}):
                    givens.update(dict.fromkeys(inference.literals, instance))
        return givens

    def is_about_one(self, instance: GroundRule) -> bool:
        """Return whether an instance of a rule is about a single unknown."""
        literals = self.assumption_model.literals
        unknown = None
        for number in instance.scope:
            if literals.is_value_literal(number):
                second = literals.fact(number).unknown
                if unknown is not None and second != unknown:
                    return False
                unknown = second
        return unknown is not None and not instance.shape

    def is_about_truth(self, instance: GroundRule) -> bool:
        """Return whether an instance of a rule is about a single unknown that is a truth value."""
        literals = self.assumption_model.literals
        numbers = filter(literals.is_value_literal, instance.scope)
        are_truths = (isinstance(literals.fact(number).value, bool) for number in numbers)
        return self.is_about_one(instance) and all(are_truths)

    @cached_property
    def turns(self) -> dict[int, list[int]]:
        """The turns of rules: the selectors of the instances that are told in the same words, by
        the first of them.

        An instance that is a part of a rule stands alone.
        """
        turns: dict[int, list[int]] = {}
        by_origins: dict[tuple[int, ...], list[GroundRule]] = {}
        for instance in self.assumption_model.instances:
            origins = tuple(map(id, instance.origins))
            by_origins.setdefault(origins, []).append(instance)
        for instances in by_origins.values():
            selectors = [instance.selector for instance in instances]
            complete = [instance for instance in instances if not instance.rule_part]
            for instance in instances:
                if instance.rule_part:
                    turns[instance.selector] = [instance.selector]
            if complete:
                turns[complete[0].selector] = selectors
        return dict(sorted(turns.items()))

    def selectors_of(self, turns: Iterable[int]) -> list[int]:
        """Return the selectors of all instances of turns of rules."""
        return [selector for turn in turns for selector in self.turns[turn]]

    def mus(
        self, literals: Sequence[int], without: Collection[int] = ()
    ) -> tuple[list[int], bool] | None:
        """Return a minimal set of turns of rules that do not allow these literals: a MUS.

        A first MUS is shrunk from a core. A smallest one (SMUS) is a smallest hitting set of
        correction sets, which are found one by one: Ignatiev, Previti, Liffiton and Marques-Silva,
        "Smallest MUS extraction with minimal hitting set dualization" (2015), after the implicit
        hitting sets of Davies and Bacchus, "Solving MAXSAT by solving a sequence of simpler SAT
        instances" (2011).

        Args:
            literals: The literals, such as marks on a board.
            without: The turns that are left out, by their first selectors.

        Returns:
            The first selectors of the turns, and whether no other set is smaller, which is not
            known if that takes long. None if all turns together allow the literals.

        Raises:
            Stopped: The time is up before there is such a set.
        """
        turns = [turn for turn in self.turns if turn not in without]
        core = self.solver.core([*self.selectors_of(turns), *literals])
        if core is None:
            return None

        def contradicts(subset: Iterable[int]) -> bool:
            return not self.solver.possible([*self.selectors_of(subset), *literals])

        in_core = {*core}
        core_turns = [turn for turn in turns if not in_core.isdisjoint(self.turns[turn])]
        best = shrink(core_turns, contradicts)
        # the best so far is an answer when the time is up
        with suppress(Stopped), HittingSets() as hitting_sets:
            for _ in range(min(SETS, QUESTIONS // max(1, len(turns)))):
                check()
                hitting_set = hitting_sets.smallest()
                if len(hitting_set) >= len(best):
                    return best, True
                model = self.solver.model([*self.selectors_of(hitting_set), *literals])
                if model is None:
                    return hitting_set, True
                correction_set = self._correction_set(hitting_set, literals, turns, {*model})
                hitting_sets.add(correction_set)
        return best, False

    def _correction_set(
        self,
        hitting_set: Sequence[int],
        literals: Sequence[int],
        turns: Sequence[int],
        true: set[int],
    ) -> list[int]:
        """Return a minimal correction set: the turns outside a maximal satisfiable set.

        That set contains the hitting set. Each conflict has a member of the correction set.
        """
        others = [turn for turn in turns if turn not in hitting_set]
        satisfied = [*hitting_set]
        satisfied += [turn for turn in others if true.issuperset(self.turns[turn])]
        if not self.solver.possible([*self.selectors_of(satisfied), *literals]):
            satisfied = [*hitting_set]  # the model was found without the cuts of the others
        correction_set = []
        for turn in turns:
            if turn in satisfied:
                continue
            if self.solver.possible([*self.selectors_of([*satisfied, turn]), *literals]):
                satisfied.append(turn)
            else:
                correction_set.append(turn)
        return correction_set

    def another_model(self, assumed: Sequence[int], model: Collection[int]) -> list[int] | None:
        """Return a model with these literals and another solution than that of a model; None if
        there is none.
        """
        switch = self.assumption_model.literals.fresh()
        opposite = [-literal for literal in self.solution(model)]
        self.solver.add([*opposite, -switch])
        another = self.solver.model([*self.solver.all_selectors, *assumed, switch])
        self.solver.add([-switch])
        return another

    def solution(self, model: Collection[int]) -> list[int]:
        """Return the literals of the values of a solution in a model."""
        true = {*model}
        literals = self.assumption_model.literals
        solution = []
        for variable in self.assumption_model.goal:
            solution += [literal for literal in literals.of_all(variable) if literal in true]
        return solution
