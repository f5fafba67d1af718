"""One solution of a puzzle, and where others differ from it: they are asked for, not listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from puzzlekit.api import Puzzle
from puzzlekit.clock import check
from puzzlekit.model import Value
from puzzlekit.presolve.domains import Inconsistent
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.reasons.assumption_model import AssumptionModel, AssumptionSolver

WORK = 2_000  # conflicts that the answers about one puzzle may take

UnknownKey = tuple[str, Any]  # of an unknown: its name and its index


class Alternatives:
    """The solutions of one puzzle.

    Attributes:
        solution: A value for each place; None if there is no solution.

    Raises:
        ConflictBudgetExceeded: It takes too long to find one.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.solution: dict[UnknownKey, Value] | None = None
        self._shared: dict[int, UnknownKey] = {}
        families = puzzle.instance.families
        names = [unknowns.name for unknowns in puzzle.type.unknowns if not unknowns.auxiliary]
        at = {
            variable: (name, key)
            for name in names
            for key, variable in families[name].members.items()
        }
        try:
            model = presolve(puzzle.model, check)
        except Inconsistent:
            return
        guarded = AssumptionModel(model)
        self._fresh, of = guarded.literals.fresh, guarded.literals.of
        self._asking = AssumptionSolver(guarded)
        self._asking.add(
            [guarded.literals.top, -guarded.literals.top]
        )  # so that a model also has unknowns without a rule
        self._asking.limit_conflicts(WORK)
        found = self._asking.model(self._asking.all_selectors, repair=True)
        if found is None:
            return
        true = {1, *found}
        domains = model.domains
        self.solution = {
            at[v]: next(x for x in domains[v] if len(domains[v]) == 1 or of(v, x) in true)
            for v in at
        }
        self._opposite = [-one for one in found]
        self._shared = {
            of(v, value): at[v]
            for v in guarded.goal
            for value in domains[v]
            if of(v, value) in true
        }

    def differences(self) -> Iterator[set[UnknownKey]]:
        """Yield places at which another solution differs, until all others agree at the rest.

        Raises ConflictBudgetExceeded.
        """
        while self._shared:
            switch = self._fresh()
            self._asking.add([-switch, *(-one for one in self._shared)])
            self._asking.prefer(self._opposite)  # so that it differs at many places
            found = self._asking.model([*self._asking.all_selectors, switch], repair=True)
            if found is None:
                return
            apart = self._shared.keys() - found
            yield {self._shared.pop(one) for one in apart}
