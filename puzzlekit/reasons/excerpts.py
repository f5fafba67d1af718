"""A solver that knows only some instances of rules, so that its models are small."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from puzzlekit.backends import IncrementalSolver
from puzzlekit.clock import check
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE


class Excerpts:
    """Makes solvers of some instances of a model. All retain the cuts that one of them needs."""

    def __init__(self, model: AssumptionModel) -> None:
        self.model = model
        # by the number of a literal, the clauses about the values of its unknown
        self._clauses: dict[int, list[Sequence[int]]] = {}
        for clause in model.literals.clauses:
            for literal in clause:
                self._clauses.setdefault(abs(literal), []).append(clause)
        self._cuts: dict[GroundRule, list[list[int]]] = {}  # by shape

    def of(self, instances: Sequence[GroundRule], literals: Iterable[int]) -> Excerpt:
        """Return a solver of instances that can be asked about their literals and these."""
        clauses: list[Sequence[int]] = []
        for instance in instances:
            of_instance = self.model.clauses[instance.number]
            clauses += [[*clause, -instance.selector] for clause in of_instance]
        numbers = {TRUE, *(abs(literal) for clause in clauses for literal in clause)}
        numbers.update(map(abs, literals))
        numbers.update(number for instance in instances for number in instance.scope)
        clauses += self._of_values(numbers)
        cuts = {each: self._cuts.setdefault(each, []) for each in instances if each.shape}
        selectors = {instance.selector for instance in instances}
        return Excerpt(self.model.literals.top, cuts, clauses, numbers | selectors)

    def _of_values(self, numbers: set[int]) -> Iterator[Sequence[int]]:
        """Yield the clauses about the values of unknowns, and add the numbers of these values."""
        pending = sorted(numbers)
        posted: set[int] = set()
        for number in pending:
            for clause in self._clauses.get(number, ()):
                if id(clause) in posted:
                    continue
                posted.add(id(clause))
                yield clause
                further = {abs(literal) for literal in clause} - numbers
                numbers |= further
                pending += sorted(further)


class Excerpt:
    """Decides whether some instances of rules have a solution with given literals."""

    def __init__(
        self,
        top: int,
        cuts: dict[GroundRule, list[list[int]]],
        clauses: Sequence[Sequence[int]],
        numbers: Iterable[int],
    ) -> None:
        """State what the instances say.

        Args:
            top: The greatest number of a literal of the model.
            cuts: The shapes, each with its cuts so far.
            clauses: The clauses.
            numbers: The numbers of the literals that can be asked about.
        """
        self._top = top
        self._all_cuts = cuts
        self._numbers = np.array(sorted(numbers), dtype=np.int64)
        self._inner = {number: index for index, number in enumerate(self._numbers.tolist(), 1)}
        self._solver = IncrementalSolver(map(self._translated, clauses))
        for of_shape in cuts.values():
            self._solver.add(map(self._translated, of_shape))

    def _translated(self, literals: Iterable[int]) -> list[int]:
        """Return literals by the numbers that they have in the solver."""
        inner = self._inner
        return [inner[literal] if literal > 0 else -inner[-literal] for literal in literals]

    def possible(self, assumed: Sequence[int]) -> bool:
        """Return whether there is a model in which these literals are true."""
        inner = self._translated(assumed)
        while self._solver.is_satisfiable(inner):
            check()
            cuts = list(self._cuts(set(assumed)))
            if not cuts:
                return True
            self._solver.prefer(self._solver.model)
            self._solver.add(map(self._translated, cuts))
        return False

    def _cuts(self, assumed: set[int]) -> Iterator[list[int]]:
        """Yield and note clauses of assumed shapes that the last model violates."""
        shapes = [shape for shape in self._all_cuts if shape.selector in assumed]
        if not shapes:
            return
        truth = np.zeros(self._top + 1, dtype=bool)
        model = np.array(self._solver.model, dtype=np.int64)
        truth[self._numbers[model[model > 0] - 1]] = True
        for shape in shapes:
            cuts = [[*cut, -shape.selector] for cut in shape.cuts(truth)]
            self._all_cuts[shape] += cuts
            yield from cuts
