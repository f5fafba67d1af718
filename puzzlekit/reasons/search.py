"""What no pattern gives: a literal whose opposite a search refutes, with the fewest rules and facts
that were found.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace
from functools import cache, cached_property

from puzzlekit.clock import check
from puzzlekit.reasons.assumption_model import AssumptionModel, AssumptionSolver
from puzzlekit.reasons.deductions import Deduction, Pattern, instances_of
from puzzlekit.reasons.excerpts import Excerpt, Excerpts
from puzzlekit.reasons.instances import GroundRule, shrink
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks

SEARCH = 9.0  # the cost
CORES = 12  # open literals of which the smallest core is taken


class _Question:
    """Whether literals follow from instances of rules and reasons.

    Answers are reused: what a model of the opposite satisfies does not imply a literal, and what
    includes a core does.

    Attributes:
        solver: What decides it.
        instances: The instances.
        reasons: The reasons.
        literals: The literals.
    """

    def __init__(
        self,
        solver: Excerpt | AssumptionSolver,
        instances: Sequence[GroundRule],
        reasons: Sequence[int],
        literals: Sequence[int],
    ) -> None:
        self.instances = instances
        self.reasons = reasons
        self.solver = solver
        self.literals = literals
        self._selectors = [instance.selector for instance in instances]
        # by literal, which of the selectors and reasons each model of its opposite violates
        self._violated: dict[int, list[set[int]]] = {literal: [] for literal in literals}
        # by literal, sets of these that imply it
        self._cores: dict[int, list[set[int]]] = {literal: [] for literal in literals}

    def follow(self, instances: Sequence[GroundRule], reasons: Sequence[int]) -> bool:
        """Return whether the literals follow from some of the instances and reasons."""
        assumed = [*(instance.selector for instance in instances), *reasons]
        return not any(self._allow(assumed, literal) for literal in self._violated)

    def _allow(self, assumed: Sequence[int], literal: int) -> bool:
        """Return whether selectors and reasons allow the opposite of a literal."""
        if any(violated.isdisjoint(assumed) for violated in self._violated[literal]):
            return True
        if any(core.issubset(assumed) for core in self._cores[literal]):
            return False
        is_true = self.solver.truth([*assumed, -literal], self.reasons)
        if is_true is None:
            self._cores[literal].append(self.solver.last_core - {-literal})
            return False
        violated = {*self._selectors}.difference(assumed)
        violated.update(reason for reason in self.reasons if not is_true(reason))
        self._violated[literal].append(violated)
        return True


class Search:
    """Asks a solver of its own, so that no earlier question changes what it finds."""

    def __init__(
        self,
        model: AssumptionModel,
        marks: Marks,
        words: Callable[[GroundRule], str],
        solution: Sequence[int] | None = None,
    ) -> None:
        """Begin to search.

        Args:
            model: The assumption model.
            marks: The state.
            words: Returns an instance of a rule in words.
            solution: The literals of the only solution, if they are known.
        """
        self.model = model
        self.marks = marks
        self._words = cache(words)
        self._solver: AssumptionSolver | None = None
        # the value literals that are true in all solutions so far
        self._true = list(filter(model.literals.is_value_literal, solution or ()))

    @cached_property
    def _excerpts(self) -> Excerpts:
        return Excerpts(self.model)

    @property
    def solver(self) -> AssumptionSolver:
        """The solver."""
        if self._solver is None:
            self._solver = AssumptionSolver(self.model)
        return self._solver

    def true_literals(self) -> list[int]:
        """Return the literals that are true in a solution and are not known; none if there is no
        solution.
        """
        if not self._true:
            model = self.solver.model([*self.solver.all_selectors, *self._facts()])
            if model is None:
                return []
            self._true = [each for each in model if self.model.literals.is_value_literal(each)]
        trail = self.marks.trail
        return [literal for literal in self._true if literal not in trail]

    def wrong_literals(self) -> list[int]:
        """Return the literals that are false in a solution and are not known to be false."""
        return [-literal for literal in self.true_literals()]

    def _facts(self) -> list[int]:
        facts = (literal for literal in self.marks.trail if literal != TRUE)
        return self.model.literals.concise(facts)

    def deduction(self) -> Deduction | None:
        """Return a literal whose opposite fails with the smallest core that was tried; None if the
        opposite of none fails.
        """
        facts = self._facts()
        solver = self.solver
        shortest: tuple[int, list[int]] | None = None
        tried = 0
        for literal in self.true_literals():
            if tried == CORES:
                break
            check()
            assumed = [*solver.all_selectors, *facts, -literal]
            model = solver.model(assumed)
            if model is not None:  # the puzzle has another solution
                true = set(model)
                self._true = [each for each in self._true if each in true]
                continue
            tried += 1
            core = solver.core(assumed) or ()
            selectors = [each for each in core if each in self.model.by_selector]
            if shortest is None or len(selectors) < len(shortest[1]):
                shortest = literal, selectors
        if shortest is None:
            return None
        literal, selectors = shortest

        def refutes(subset: Sequence[int]) -> bool:
            return solver.refuted([*subset, *facts, -literal])

        # the cuts so far may need more rules than a solver that looks for further ones
        return self.minimal(self._deduction(literal, shrink(selectors, refutes), facts))

    def minimal(self, deduction: Deduction) -> Deduction:
        """Return a deduction with the fewest rules and facts from which its literals follow, none
        of which can be left out.
        """
        facts = self._facts()
        instances, literals = instances_of(deduction), deduction.literals
        premises = self._shrunk(self._excerpt(instances, deduction.reasons, literals))
        if premises is None:
            small = [instance for instance in instances if not instance.shape]
            nearby = dict.fromkeys((*deduction.reasons, *self._in_scope(small, facts)))
            premises = self._shrunk(self._excerpt(instances, [*nearby], literals))
        if premises is None:
            in_scope = self._in_scope(instances, facts)
            premises = self.shrink_premises(instances, in_scope, literals, facts)
        needed, reasons = premises
        return replace(deduction, instances=tuple(needed), reasons=tuple(reasons), is_minimal=True)

    def shrink_premises(
        self,
        instances: Sequence[GroundRule],
        reasons: Sequence[int],
        literals: Sequence[int],
        facts: Collection[int],
    ) -> tuple[list[GroundRule], list[int]]:
        """Return instances and reasons from which literals follow, none of which can be left out.

        Args:
            instances: Instances of rules.
            reasons: Known literals.
            literals: The literals.
            facts: All literals that were known before. If the instances and reasons are not enough,
                these are taken instead, and then all instances, too.
        """
        premises = self._shrunk(self._excerpt(instances, reasons, literals))
        if premises is None:
            all_facts = self.model.literals.concise(fact for fact in facts if fact != TRUE)
            premises = self._shrunk(self._excerpt(instances, all_facts, literals))
        if premises is None:
            question = _Question(self.solver, self.model.instances, all_facts, literals)
            premises = self._shrunk(question)
        assert premises is not None, "all that is known implies the literals"
        return premises

    def _excerpt(
        self,
        instances: Sequence[GroundRule],
        reasons: Sequence[int],
        literals: Sequence[int],
    ) -> _Question:
        """Return the question whether literals follow from instances and reasons, for a solver of
        these instances.
        """
        solver = self._excerpts.of(instances, (*reasons, *literals))
        return _Question(solver, instances, reasons, literals)

    def _shrunk(self, question: _Question) -> tuple[list[GroundRule], list[int]] | None:
        """Return instances and reasons none of which can be left out; None if they are too few."""
        instances, reasons = question.instances, question.reasons
        if not question.follow(instances, reasons):
            return None
        turns = self._turns_of(instances)
        if len(turns) > len(instances) and isinstance(question.solver, Excerpt):
            question = self._excerpt(turns, reasons, question.literals)

        def enough(subset: Sequence[GroundRule]) -> bool:
            return question.follow(self._turns_of(subset), reasons)

        needed = shrink(instances, enough)
        turns = self._turns_of(needed)
        order = self.model.literals.denials_first(reasons)
        return needed, shrink(order, lambda subset: question.follow(turns, subset))

    def _turns_of(self, instances: Sequence[GroundRule]) -> list[GroundRule]:
        """Return instances, and all others that are told in the same words, as they are parts of
        the same turns of rules.
        """
        turns = dict.fromkeys(instances)
        for instance in instances:
            if not instance.rule_part:
                turns.update(dict.fromkeys(self._in_same_words(instance)))
        return list(turns)

    def _in_same_words(self, instance: GroundRule) -> list[GroundRule]:
        """Return the complete instances that are told in the same words as an instance: those of
        its origin, or if the name of the rule has values, also others with the same ones.
        """
        alike = self._by_origin[_origin(instance)]
        if not instance.origin.values_in_name:
            return alike
        words = self._words(instance)
        return [each for each in alike if self._words(each) == words]

    @cached_property
    def _by_origin(self) -> dict[Hashable, list[GroundRule]]:
        """The complete instances by their first origin, or by the name that has values."""
        by_origin: dict[Hashable, list[GroundRule]] = {}
        for instance in self.model.instances:
            if not instance.rule_part:
                by_origin.setdefault(_origin(instance), []).append(instance)
        return by_origin

    def _in_scope(self, instances: Sequence[GroundRule], facts: Sequence[int]) -> list[int]:
        """Return the facts that instances of rules are about."""
        scope = {number for instance in instances for number in instance.scope}
        return [fact for fact in facts if abs(fact) in scope]

    def _deduction(self, literal: int, selectors: Sequence[int], facts: Sequence[int]) -> Deduction:
        """Return the deduction of a literal from instances and the fewest facts."""
        solver = self.solver

        def refutes(subset: Sequence[int]) -> bool:
            return solver.refuted([*selectors, *subset, -literal])

        order = self.model.literals.denials_first(facts)
        instances = tuple(self.model.by_selector[selector] for selector in selectors)
        reasons = tuple(shrink(order, refutes))
        return Deduction(Pattern.SEARCH, SEARCH, (literal,), (), (), instances, reasons)


def _origin(instance: GroundRule) -> Hashable:
    """Return the origin of an instance, or the name of its rule if this has values."""
    origin = instance.origin
    return (origin.rule, origin.position) if origin.values_in_name else id(origin)
