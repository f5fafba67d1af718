"""A solver that has only some instances of rules, so that its models are small."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from puzzlekit.backends import IncrementalSolver
from puzzlekit.clock import check
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.instances import GroundRule
from puzzlekit.reasons.literals import TRUE

MANY_CLAUSES = 20_000  # of an excerpt, after which the next one begins anew


class Excerpts:
    """Makes solvers of some instances of a model.

    An excerpt grows by what it is asked about, up to a bound. All retain the cuts that one of them
    needs.
    """

    def __init__(self, model: AssumptionModel) -> None:
        self.model = model
        # by the number of a literal, the clauses about the values of its unknown
        self.clauses_of: dict[int, list[Sequence[int]]] = {}
        for clause in model.literals.clauses:
            for literal in clause:
                self.clauses_of.setdefault(abs(literal), []).append(clause)
        self.cuts: dict[GroundRule, list[list[int]]] = {}  # by shape
        self._latest: Excerpt | None = None

    def of(self, instances: Sequence[GroundRule], literals: Iterable[int]) -> Excerpt:
        """Return a solver of instances that can be asked about their literals and these."""
        excerpt = self._latest
        if excerpt is None or excerpt.size_with(instances) > MANY_CLAUSES:
            excerpt = self._latest = Excerpt(self)
        excerpt.add_instances(instances)
        excerpt.add_numbers(map(abs, literals))
        return excerpt


class Excerpt:
    """Decides whether some instances of rules have a solution with some literals."""

    def __init__(self, excerpts: Excerpts) -> None:
        self._excerpts = excerpts
        self._model = excerpts.model
        self._instances: dict[GroundRule, None] = {}
        self._size = 0  # clauses of instances
        # the numbers of the model, each at its number in the solver; there is no number 0
        self._numbers = [0]
        self._inner: dict[int, int] = {}  # the numbers in the solver by those of the model
        self._solver = IncrementalSolver()
        self.add_numbers([TRUE])

    def size_with(self, instances: Iterable[GroundRule]) -> int:
        """Return how many clauses there are of the instances so far and these."""
        new = (instance for instance in instances if instance not in self._instances)
        return self._size + sum(len(self._model.clauses[each.number]) for each in new)

    def add_instances(self, instances: Iterable[GroundRule]) -> None:
        """State what instances say where they are assumed."""
        for instance in instances:
            if instance in self._instances:
                continue
            self._instances[instance] = None
            clauses = self._model.clauses[instance.number]
            self._size += len(clauses)
            self.add_numbers(abs(literal) for clause in clauses for literal in clause)
            self.add_numbers((*instance.scope, instance.selector))
            self._add([*clause, -instance.selector] for clause in clauses)
            if instance.shape:
                self._add(self._excerpts.cuts.setdefault(instance, []))

    def add_numbers(self, numbers: Iterable[int]) -> None:
        """State what is true of the values of unknowns with numbers of the model."""
        clauses: dict[int, Sequence[int]] = {}  # by identity
        pending = list(numbers)
        for number in pending:
            if number in self._inner:
                continue
            self._inner[number] = len(self._numbers)
            self._numbers.append(number)
            for clause in self._excerpts.clauses_of.get(number, ()):
                if id(clause) not in clauses:
                    clauses[id(clause)] = clause
                    pending += map(abs, clause)
        self._add(clauses.values())

    def _add(self, clauses: Iterable[Sequence[int]]) -> None:
        self._solver.add(map(self._translated, clauses))

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
            self._add(cuts)
        return False

    def _cuts(self, assumed: set[int]) -> Iterator[list[int]]:
        """Yield and note clauses of assumed shapes that the last model violates."""
        shapes = [each for each in self._instances if each.shape and each.selector in assumed]
        if not shapes:
            return
        truth = np.zeros(self._model.literals.top + 1, dtype=bool)
        model = self._solver.model
        truth[[self._numbers[literal] for literal in model if literal > 0]] = True
        for shape in shapes:
            cuts = [[*cut, -shape.selector] for cut in shape.cuts(truth)]
            self._excerpts.cuts[shape] += cuts
            yield from cuts
