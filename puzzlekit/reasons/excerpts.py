"""A solver that has only some instances of rules, so that its models are small."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import count
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends import IncrementalSolver
from puzzlekit.clock import check
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.instances import GroundRule, TruthValues
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.shapes import ShapeInstance

MANY_CLAUSES = 20_000  # of an excerpt, after which the next one begins anew
FEW_REPAIRS = 2  # of a model, after which it is looked at what the shapes imply


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
        # by shape, the numbers that it is about, and what gets their literals from a model
        self._preferences: dict[ShapeInstance, list[int]] = {}  # of shapes, for the solver
        self._getters: dict[ShapeInstance, tuple[NDArray[np.int64], Callable[..., Any]]] = {}
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

    def truth(
        self, assumed: Sequence[int], preferred: Sequence[int] = ()
    ) -> Callable[[int], bool] | None:
        """Return which literals are true in a model in which these are true; None if there is no
        such model.

        The model is found in rounds: it is repaired where it violates a shape.
        """
        inner = self._translated(assumed)
        assumed_literals = {*assumed}
        shapes = self._assumed_shapes(assumed_literals)
        # what is not assumed asks for nothing
        idle = self._translated(-instance.selector for instance in self._instances)
        inner_preferred = self._translated(preferred)
        suggested = [literal for shape in shapes for literal in self._first_preferences(shape)]
        trail: dict[int, int] = {}  # what the assumptions imply, once that is asked
        for repairs in count():
            if shapes:  # a search changes the preferences
                self._solver.prefer([*idle, *suggested, *inner_preferred])
            if not self._solver.is_satisfiable(inner):
                return None
            check()
            model = self._solver.model
            if not shapes:
                break
            truth = self._true_numbers(shapes, model)
            cuts = list(self._cuts(shapes, truth, assumed_literals))
            if not cuts:
                break
            suggested = []
            if repairs == 1:
                implied = self._solver.propagate(inner) or ()
                trail = dict.fromkeys(self._outer(implied), 0)
            for shape in shapes:
                suggested += self._translated(shape.preferences(truth, repairs, trail))
            self._add(cuts)
            if repairs == FEW_REPAIRS:
                self._state_implications(shapes, inner)
        return lambda literal: self._is_true(literal, model)

    @property
    def last_core(self) -> set[int]:
        """Some literals of the last question, which had no model, that cannot all be true."""
        return {*self._outer(self._solver.core)}

    def _outer(self, literals: Iterable[int]) -> Iterator[int]:
        """Yield the literals of the puzzle for literals of the solver."""
        numbers = self._numbers
        for literal in literals:
            yield numbers[literal] if literal > 0 else -numbers[-literal]

    def _assumed_shapes(self, assumed: Collection[int]) -> list[ShapeInstance]:
        return [
            instance
            for instance in self._instances
            if isinstance(instance, ShapeInstance) and instance.selector in assumed
        ]

    def _first_preferences(self, shape: ShapeInstance) -> Sequence[int]:
        """Return the literals that are tried first for a shape, which are translated once."""
        if shape not in self._preferences:
            self._preferences[shape] = self._translated(shape.first_preferences())
        return self._preferences[shape]

    def _state_implications(self, shapes: Sequence[ShapeInstance], inner: Sequence[int]) -> None:
        """State what shapes say of what the assumptions imply, and of what follows from that."""
        while implied := self._solver.propagate(inner):
            trail = dict.fromkeys(self._outer(implied), 0)
            clauses = []
            for shape in shapes:
                clauses += self._noted(shape, shape.implications(trail))
            if not clauses:
                return
            self._add(clauses)

    def _is_true(self, literal: int, model: Sequence[int]) -> bool:
        """Return whether a literal of the puzzle is true in a model of the solver."""
        is_positive = model[self._inner[abs(literal)] - 1] > 0
        return is_positive == (literal > 0)

    def _true_numbers(self, shapes: Iterable[ShapeInstance], model: Sequence[int]) -> TruthValues:
        """Return which numbers that shapes are about are true in a model of the solver."""
        truth = np.zeros(self._model.literals.top + 1, dtype=bool)
        truth[TRUE] = True
        for shape in shapes:
            if not shape.scope:  # it is about known cells alone, such as a region of one cell
                continue
            if shape not in self._getters:
                indices = [self._inner[number] - 1 for number in shape.scope]
                self._getters[shape] = np.array(shape.scope), itemgetter(*indices)
            numbers, of_scope = self._getters[shape]
            truth[numbers] = np.array(of_scope(model)) > 0
        return truth

    def _cuts(
        self, shapes: Iterable[ShapeInstance], truth: TruthValues, assumed: Collection[int]
    ) -> Iterator[list[int]]:
        """Yield and note clauses of shapes that a model violates."""
        for shape in shapes:
            yield from self._noted(shape, shape.cuts(truth, assumed))

    def _noted(self, shape: ShapeInstance, cuts: Iterable[Sequence[int]]) -> list[list[int]]:
        """Note clauses of a shape, and return them as they hold where it is assumed."""
        clauses = [[*cut, -shape.selector] for cut in cuts]
        self._excerpts.cuts[shape] += clauses
        return clauses
