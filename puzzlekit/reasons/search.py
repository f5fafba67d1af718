"""What no pattern gives: a literal whose opposite a search refutes, with the fewest rules and facts
that were found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from puzzlekit.clock import check
from puzzlekit.reasons.assumption_model import AssumptionModel, AssumptionSolver
from puzzlekit.reasons.deductions import Deduction, Pattern, instances_of
from puzzlekit.reasons.instances import shrink
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import Marks

SEARCH = 9.0  # the cost
CORES = 12  # open literals of which the smallest core is taken


class Search:
    """Asks a solver of its own, so that no earlier question changes what it finds."""

    def __init__(self, model: AssumptionModel, marks: Marks) -> None:
        self.model = model
        self.marks = marks
        self._solver: AssumptionSolver | None = None
        self._true: list[int] = []  # the value literals that are true in all solutions so far

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

        return self._deduction(literal, shrink(selectors, refutes), facts)

    def minimal(self, deduction: Deduction) -> Deduction:
        """Return a deduction with the fewest rules and facts from which its literals follow, none
        of which can be left out.
        """
        solver = self.solver
        facts = self._facts()
        in_scope = self._in_scope(deduction, facts)
        selectors = [instance.selector for instance in instances_of(deduction)]

        def follow(assumed: Sequence[int]) -> bool:
            return not any(solver.possible([*assumed, -literal]) for literal in deduction.literals)

        if follow([*selectors, *in_scope]):
            facts = in_scope
        selectors = shrink(selectors, lambda subset: follow([*subset, *facts]))
        order = self.model.literals.denials_first(facts)
        reasons = shrink(order, lambda subset: follow([*selectors, *subset]))
        instances = tuple(self.model.by_selector[selector] for selector in selectors)
        return replace(deduction, instances=instances, reasons=tuple(reasons), is_minimal=True)

    def _in_scope(self, deduction: Deduction, facts: Sequence[int]) -> list[int]:
        """Return the facts that the rules of a deduction are about."""
        scope = {number for each in instances_of(deduction) for number in each.scope}
        return [fact for fact in facts if abs(fact) in scope]

    def _deduction(self, literal: int, selectors: Sequence[int], facts: Sequence[int]) -> Deduction:
        """Return the deduction of a literal from instances and the fewest facts."""
        solver = self.solver

        def refutes(subset: Sequence[int]) -> bool:
            return solver.refuted([*selectors, *subset, -literal])

        order = self.model.literals.denials_first(facts)
        instances = tuple(self.model.by_selector[selector] for selector in selectors)
        reasons = tuple(shrink(order, refutes))
        return Deduction(
            Pattern.SEARCH, SEARCH, (literal,), (), (), instances, reasons, is_minimal=True
        )
