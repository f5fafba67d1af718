"""The steps to the solution of a puzzle, the simplest first: facts that follow from a few instances
and earlier facts.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import combinations

from puzzlekit.backends.incremental_solver import IncrementalSolver
from puzzlekit.clock import check
from puzzlekit.errors import Stopped
from puzzlekit.model import Value, Variable
from puzzlekit.presolve.domains import Inconsistent
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.failed_literals import SHORT, FailedLiteralProbing
from puzzlekit.reasons.instances import GroundRule, Inference, Step, entailed, grouped, shrink
from puzzlekit.reasons.literals import TRUE

PAIRS = (
    1_500  # of instances that are looked at in one turn, those with the fewest open unknowns first
)
PAIRED_CLAUSES = 2_000  # of an instance, beyond which it is in no pair
SHARED_BY = 40  # instances beyond which an unknown makes no pairs

Waiting = tuple[
    tuple[int, ...], int, GroundRule, Inference, int
]  # cost, order, and how much was known then


class ViolatedInstance(Inconsistent):
    """The known facts violate an instance of a rule.

    Attributes:
        instance: The instance.
    """

    def __init__(self, instance: GroundRule) -> None:
        super().__init__(None, instance.origin)
        self.instance = instance


class Steps:
    """Finds steps from what is known. They do not depend on what the guarded model was asked
    before.

    Attributes:
        known: The literals that are known, each with the number of its step; 0 for those at the
            start.
        steps: The steps so far; the first has the number 1.
    """

    def __init__(self, assumption_model: AssumptionModel, established: Iterable[int] = ()) -> None:
        self.assumption_model = assumption_model
        self.trail: dict[int, int] = {TRUE: 0}
        self.steps: list[Step] = []
        self._dirty: dict[int, GroundRule] = {
            instance.number: instance for instance in assumption_model.instances
        }
        self._heap: list[Waiting] = []
        self._waiting = Counter[tuple[int, ...]]()  # the reasons of those on the heap
        self._count = 0  # of deductions, to order equal ones
        self._told: dict[int, set[int]] = {}  # by instance, the literals that it said
        self._cheap: set[int] = set()  # literals that follow from one fact
        self._trials = FailedLiteralProbing(assumption_model, self.trail)
        self._pairs: dict[
            tuple[int, int], tuple[int, ...]
        ] = {}  # what was open of those that gave nothing
        for literal in established:
            self._establish(literal, 0)

    @property
    def solved(self) -> bool:
        """Whether the values of all unknowns of a solution are known."""
        return all(self.value(variable) is not None for variable in self.assumption_model.goal)

    def value(self, variable: Variable) -> Value | None:
        """Return the value that an unknown is known to have, or None."""
        return self.assumption_model.literals.established_value(variable, self.trail)

    def run(self) -> Iterator[Step]:
        """Yield steps until the puzzle is solved, or nothing follows any more.

        Raises ViolatedInstance, and Stopped.
        """
        while not self.solved:
            step = self.next()
            if step is None:
                return
            yield step

    def next(self) -> Step | None:
        """Take the next step, the simplest one, and return it; None if nothing follows any more."""
        step = (
            self._single_instance_step()
            or self._trials.probe(SHORT)
            or self._pair()
            or self._trials.probe()
            or self._trials.search()
        )
        if step is not None:
            self._take(step)
        return step

    def _take(self, step: Step) -> None:
        self.steps.append(step)
        self._trials.record(step)
        for literal in step.literals:
            self._establish(literal, len(self.steps))

    def _establish(self, literal: int, number: int) -> None:
        """Note a literal and what it says of other values of its unknown."""
        waiting = [literal]
        for one in waiting:
            if one in self.trail or not self._may_establish(one):
                continue
            self.trail[one] = number
            for instance in self.assumption_model.about(one):
                self._dirty[instance.number] = instance
            waiting += self.assumption_model.literals.consequences(one, self.trail)

    def _may_establish(self, literal: int) -> bool:
        """Return whether a literal may be known."""
        return True

    # One instance ---------------------------------------------------------------------------------

    def _single_instance_step(self) -> Step | None:
        self._look()
        while self._heap:
            entry = heapq.heappop(self._heap)
            (cost, *_), _, instance, deduction, known = entry
            self._waiting[deduction.reasons] -= 1
            if not self._waiting[deduction.reasons]:
                del self._waiting[deduction.reasons]
            if literals := tuple(one for one in deduction.literals if one not in self.trail):
                if cost > 1 and known < len(self.trail) and not instance.shape:
                    try:
                        self._find(
                            instance,
                            {*instance.scope, *(-one for one in instance.scope)} - {*literals},
                        )
                    except Stopped:
                        self._push(entry)  # a run that was stopped may go on
                        raise
                    continue  # fewer facts may do now
                open_ = len(self._waiting) + 1
                reasons = self.assumption_model.established(self.trail, deduction.reasons)
                return Step(1, (instance,), reasons, literals, deduction.graph_reason, open_)
        return None

    def _look(self) -> None:
        """Look at the instances about which something new is known."""
        for instance in sorted(
            self._dirty.values(), key=lambda one: (one.shape, len(one.scope), one.number)
        ):
            check()
            self._look_at(instance)
            del self._dirty[instance.number]  # only now: a run that was stopped may go on

    def _look_at(self, instance: GroundRule) -> None:
        told = self._told.setdefault(instance.number, set())
        told |= self._find(instance, told | self._cheap)

    def _find(self, instance: GroundRule, told: Collection[int]) -> set[int]:
        """Let what an instance says wait for its turn, but for what was told; return the literals."""
        found = set[int]()
        for deduction in instance.inferences(self.trail, told):
            if not deduction.literals:
                raise ViolatedInstance(instance)
            literals = tuple(one for one in deduction.literals if one not in self.trail)
            found.update(literals)
            reasons = self.assumption_model.established(self.trail, deduction.reasons)
            cost = len(reasons) + 2 * instance.shape
            if cost < 2:
                self._cheap.update(literals)
            if literals:
                self._count += 1
                entry = (cost, len(instance.scope), instance.number), self._count, instance
                self._push((*entry, Inference(literals, reasons, deduction.graph_reason), len(self.trail)))
        return found

    def _push(self, entry: Waiting) -> None:
        self._waiting[entry[3].reasons] += 1
        heapq.heappush(self._heap, entry)

    # Two instances --------------------------------------------------------------------------------

    def _pair(self) -> Step | None:
        literals = self.assumption_model.literals
        open_: dict[int, tuple[int, ...]] = {}
        by_unknown: dict[Variable, list[int]] = {}
        unknowns: dict[int, set[Variable]] = {}
        for instance in self.assumption_model.instances:
            if instance.shape or len(self.assumption_model.clauses[instance.number]) > PAIRED_CLAUSES:
                continue
            own = tuple(
                one for one in instance.scope if one not in self.trail and -one not in self.trail
            )
            if own:
                open_[instance.number] = own
                unknowns[instance.number] = {literals.fact(one).unknown for one in own}
                for unknown in dict.fromkeys(literals.fact(one).unknown for one in own):
                    by_unknown.setdefault(unknown, []).append(instance.number)
        pairs: dict[tuple[int, int], int] = {}
        for numbers in by_unknown.values():
            if len(numbers) <= SHARED_BY:
                for pair in combinations(numbers, 2):
                    pairs[pair] = pairs.get(pair, 0) + 1
        for pair in sorted(
            (pair for pair, shared in pairs.items() if shared > 1),
            key=lambda p: (len(unknowns[p[0]] | unknowns[p[1]]), p),
        )[:PAIRS]:
            one, other = pair
            state = (*open_[one], *open_[other])
            if self._pairs.get(pair) != state:
                check()
                step = self._of_pair(self.assumption_model.instances[one], self.assumption_model.instances[other])
                self._pairs[pair] = state
                if step is not None:
                    return step
        return None

    def _of_pair(self, one: GroundRule, other: GroundRule) -> Step | None:
        solver = IncrementalSolver(
            [[TRUE], *self.assumption_model.clauses[one.number], *self.assumption_model.clauses[other.number]]
        )
        try:
            facts = self.assumption_model.literals.concise(
                dict.fromkeys((*one.facts_in_scope(self.trail), *other.facts_in_scope(self.trail)))
            )
            scope = dict.fromkeys((*one.scope, *other.scope))
            found = entailed(
                solver,
                facts,
                [
                    number
                    for number in scope
                    if number not in self.trail and -number not in self.trail
                ],
            )
            if found is None:
                raise ViolatedInstance(one)
            new = sorted(
                (
                    literal
                    for literal in found
                    if abs(literal) in scope and literal not in self.trail
                ),
                key=abs,
            )
            order = sorted(
                facts, key=lambda fact: (not self.assumption_model.literals.denies(fact), -abs(fact))
            )

            def reasons(literal: int) -> list[int]:
                def enough(some: list[int]) -> bool:
                    return not solver.holds((*some, -literal))

                return shrink(order, enough)

            best = min(
                grouped((literal, reasons(literal)) for literal in new),
                key=lambda deduction: (len(deduction.reasons), deduction.literals),
                default=None,
            )
        finally:
            solver.close()
        return (
            None
            if best is None
            else Step(
                2, (one, other), self.assumption_model.established(self.trail, best.reasons), best.literals
            )
        )
