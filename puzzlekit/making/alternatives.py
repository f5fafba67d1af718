"""One solution of a puzzle, and where others differ from it: they are asked for, not listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from puzzlekit.api import Puzzle
from puzzlekit.clock import check
from puzzlekit.model import Value, Variable
from puzzlekit.presolve import Inconsistent, presolve
from puzzlekit.query import Presolve
from puzzlekit.reasons import AssumptionModel, AssumptionSolver, PatternCache

WORK = 2_000  # conflicts that the answers about one puzzle may take

UnknownKey = tuple[str, Any]  # of an unknown: its name and its index


class Alternatives:
    """The solutions of one puzzle.

    Args:
        puzzle: The puzzle.
        patterns: What conditions are as clauses, for other puzzles, too.
        presolved: Whether presolve makes the model smaller first. It takes longer than it saves
            where most conditions are those of other puzzles.

    Attributes:
        solution: The value of each unknown; None if there is no solution.

    Raises:
        ConflictBudgetExceeded: It takes too long to find one.
    """

    def __init__(
        self, puzzle: Puzzle, patterns: PatternCache | None = None, presolved: bool = True
    ) -> None:
        self.solution: dict[UnknownKey, Value] | None = None
        self._shared: dict[int, UnknownKey] = {}  # the values that no other solution has changed
        level = Presolve.FULL if presolved else Presolve.NONE
        try:
            model = presolve(puzzle.model, check, level=level)
        except Inconsistent:
            return
        assumption_model = AssumptionModel(model, patterns)
        literals = assumption_model.literals
        self._fresh = literals.fresh
        self._solver = AssumptionSolver(assumption_model)
        # so that a model also has unknowns without a rule
        self._solver.add([literals.top, -literals.top])
        self._solver.limit_conflicts(WORK)
        solution = self._solver.model(self._solver.all_selectors, repair=True)
        if solution is None:
            return
        true = {1, *solution}
        keys = _keys(puzzle)
        self.solution = {}
        for variable, key in keys.items():
            domain = model.domains[variable]
            true_values = (value for value in domain if literals.of(variable, value) in true)
            self.solution[key] = domain[0] if len(domain) == 1 else next(true_values)
        self._opposite = [-literal for literal in solution]
        for variable in assumption_model.goal:
            for literal in literals.of_all(variable):
                if literal in true:
                    self._shared[literal] = keys[variable]

    def differences(self) -> Iterator[set[UnknownKey]]:
        """Yield unknowns in which another solution differs, until all others agree in the rest.

        Raises ConflictBudgetExceeded.
        """
        while self._shared:
            switch = self._fresh()
            self._solver.add([-switch, *(-literal for literal in self._shared)])
            self._solver.prefer(self._opposite)  # so that it differs in many unknowns
            another = self._solver.model([*self._solver.all_selectors, switch], repair=True)
            if another is None:
                return
            differing = self._shared.keys() - another
            yield {self._shared.pop(literal) for literal in differing}


def _keys(puzzle: Puzzle) -> dict[Variable, UnknownKey]:
    """Return the keys of the unknowns of a solution."""
    keys: dict[Variable, UnknownKey] = {}
    for unknowns in puzzle.type.unknowns:
        if not unknowns.auxiliary:
            for index, variable in puzzle.instance.families[unknowns.name].members.items():
                keys[variable] = (unknowns.name, index)
    return keys
