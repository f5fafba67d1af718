"""The steps to the solution of a puzzle, the simplest first: facts that follow from a few instances
and earlier facts.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from puzzlekit.backends import IncrementalSolver
from puzzlekit.clock import check
from puzzlekit.errors import Stopped
from puzzlekit.model import Value, Variable
from puzzlekit.presolve import Inconsistent
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.failed_literals import SHORT, FailedLiteralProbing
from puzzlekit.reasons.instances import GroundRule, Inference, Step, entailed, grouped, shrink
from puzzlekit.reasons.literals import TRUE

# Pairs of instances that are looked at in one turn, those with the fewest open unknowns first.
PAIRS = 1_500
PAIRED_CLAUSES = 2_000  # of an instance, beyond which it is in no pair
SHARED_BY = 40  # instances beyond which an unknown makes no pairs


@dataclass(order=True)
class _QueuedInference:
    """An inference that waits for its turn.

    Attributes:
        priority: Its order among the others: its cost first.
        instance: The instance that makes it.
        inference: What follows.
        trail_length: How many literals were known when it was made.
    """

    priority: tuple[int, int, int, int]
    instance: GroundRule = field(compare=False)
    inference: Inference = field(compare=False)
    trail_length: int = field(compare=False)


class ViolatedInstance(Inconsistent):
    """The known facts violate an instance of a rule.

    Attributes:
        instance: The instance.
    """

    def __init__(self, instance: GroundRule) -> None:
        super().__init__(None, instance.origin)
        self.instance = instance


class Steps:
    """Finds steps from what is known. They do not depend on what the assumption model was asked
    before.

    Attributes:
        trail: The literals that are known, each with the number of its step; 0 for those at the
            start.
        steps: The steps so far; the first has the number 1.
    """

    def __init__(self, assumption_model: AssumptionModel, established: Iterable[int] = ()) -> None:
        self.assumption_model = assumption_model
        self.trail: dict[int, int] = {TRUE: 0}
        self.steps: list[Step] = []
        self._dirty = {instance.number: instance for instance in assumption_model.instances}
        self._queue: list[_QueuedInference] = []  # a heap
        self._queued_reasons = Counter[tuple[int, ...]]()
        self._count = 0  # of inferences, to order equal ones
        self._inferred: dict[int, set[int]] = {}  # literals queued so far, by instance number
        self._cheap: set[int] = set()  # literals that follow from one fact at most
        self._probing = FailedLiteralProbing(assumption_model, self.trail)
        # the open numbers when a pair of instances was last tried
        self._open_of_pairs: dict[tuple[int, int], tuple[int, ...]] = {}
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
        techniques: tuple[Callable[[], Step | None], ...] = (
            self._single_instance_step,
            lambda: self._probing.probe(SHORT),
            self._pair_step,
            self._probing.probe,
            self._probing.search,
        )
        for technique in techniques:
            step = technique()
            if step is not None:
                self._take(step)
                return step
        return None

    def _take(self, step: Step) -> None:
        self.steps.append(step)
        self._probing.record(step)
        for literal in step.literals:
            self._establish(literal, len(self.steps))

    def _establish(self, literal: int, number: int) -> None:
        """Add a literal to the trail, and what it says of other values of its unknown."""
        pending = [literal]
        for new in pending:
            if new in self.trail or not self._may_establish(new):
                continue
            self.trail[new] = number
            for instance in self.assumption_model.about(new):
                self._dirty[instance.number] = instance
            pending += self.assumption_model.literals.consequences(new, self.trail)

    def _may_establish(self, literal: int) -> bool:
        """Return whether a literal may be added to the trail."""
        return True

    def _unknown_literals(self, literals: Iterable[int]) -> tuple[int, ...]:
        """Return those literals that are not on the trail."""
        return tuple(literal for literal in literals if literal not in self.trail)

    # One instance ---------------------------------------------------------------------------------

    def _single_instance_step(self) -> Step | None:
        self._look()
        while self._queue:
            queued = self._pop()
            instance, inference = queued.instance, queued.inference
            literals = self._unknown_literals(inference.literals)
            if not literals:
                continue
            cost = queued.priority[0]
            if cost > 1 and queued.trail_length < len(self.trail) and not instance.shape:
                self._infer_again(queued, literals)  # fewer facts may do now
                continue
            open_steps = len(self._queued_reasons) + 1
            reasons = self.assumption_model.established(self.trail, inference.reasons)
            graph_reason = inference.graph_reason
            return Step(1, (instance,), reasons, literals, graph_reason, open_steps)
        return None

    def _infer_again(self, queued: _QueuedInference, literals: Collection[int]) -> None:
        """Let an instance infer these literals anew."""
        scope = queued.instance.scope
        all_literals = {*scope, *(-number for number in scope)}
        try:
            self._infer(queued.instance, all_literals.difference(literals))
        except Stopped:
            self._push(queued)  # a run that was stopped may go on
            raise

    def _look(self) -> None:
        """Look at the instances about which something new is known."""
        for instance in sorted(self._dirty.values(), key=_simplicity):
            check()
            inferred = self._inferred.setdefault(instance.number, set())
            inferred |= self._infer(instance, inferred | self._cheap)
            del self._dirty[instance.number]  # only now: a run that was stopped may go on

    def _infer(self, instance: GroundRule, omitted: Collection[int]) -> set[int]:
        """Queue what an instance says, without omitted literals; return the literals."""
        inferred = set[int]()
        for inference in instance.inferences(self.trail, omitted):
            if not inference.literals:
                raise ViolatedInstance(instance)
            literals = self._unknown_literals(inference.literals)
            inferred.update(literals)
            reasons = self.assumption_model.established(self.trail, inference.reasons)
            cost = len(reasons) + 2 * instance.shape
            if cost < 2:
                self._cheap.update(literals)
            if literals:
                self._count += 1
                priority = (cost, len(instance.scope), instance.number, self._count)
                established = Inference(literals, reasons, inference.graph_reason)
                trail_length = len(self.trail)
                self._push(_QueuedInference(priority, instance, established, trail_length))
        return inferred

    def _push(self, queued: _QueuedInference) -> None:
        self._queued_reasons[queued.inference.reasons] += 1
        heapq.heappush(self._queue, queued)

    def _pop(self) -> _QueuedInference:
        queued = heapq.heappop(self._queue)
        reasons = queued.inference.reasons
        self._queued_reasons[reasons] -= 1
        if not self._queued_reasons[reasons]:
            del self._queued_reasons[reasons]
        return queued

    # Two instances --------------------------------------------------------------------------------

    def _pair_step(self) -> Step | None:
        """Return a step that follows from two instances together, or None."""
        open_numbers: dict[int, tuple[int, ...]] = {}
        for instance in self.assumption_model.instances:
            clauses = self.assumption_model.clauses[instance.number]
            if instance.shape or len(clauses) > PAIRED_CLAUSES:
                continue
            numbers = tuple(instance.open_numbers(self.trail))
            if numbers:
                open_numbers[instance.number] = numbers
        for pair in self._pairs(open_numbers):
            first, second = pair
            numbers = (*open_numbers[first], *open_numbers[second])
            if self._open_of_pairs.get(pair) == numbers:
                continue
            check()
            instances = self.assumption_model.instances
            step = self._step_of_pair(instances[first], instances[second])
            self._open_of_pairs[pair] = numbers
            if step is not None:
                return step
        return None

    def _pairs(self, open_numbers: Mapping[int, Sequence[int]]) -> list[tuple[int, int]]:
        """Return pairs of instances that share several open unknowns, those with few of them first.

        Args:
            open_numbers: By the number of an instance, the open numbers in its scope.
        """
        literals = self.assumption_model.literals
        unknowns: dict[int, set[Variable]] = {}
        by_unknown: dict[Variable, list[int]] = {}
        for instance, numbers in open_numbers.items():
            of_instance = dict.fromkeys(literals.fact(number).unknown for number in numbers)
            unknowns[instance] = set(of_instance)
            for unknown in of_instance:
                by_unknown.setdefault(unknown, []).append(instance)
        shared = Counter[tuple[int, int]]()
        for instances in by_unknown.values():
            if len(instances) <= SHARED_BY:
                shared.update(combinations(instances, 2))
        pairs = [pair for pair, count in shared.items() if count > 1]
        pairs.sort(key=lambda pair: (len(unknowns[pair[0]] | unknowns[pair[1]]), pair))
        return pairs[:PAIRS]

    def _step_of_pair(self, first: GroundRule, second: GroundRule) -> Step | None:
        clauses = self.assumption_model.clauses
        solver = IncrementalSolver([[TRUE], *clauses[first.number], *clauses[second.number]])
        try:
            inference = self._inference_of_pair(solver, first, second)
        finally:
            solver.close()
        if inference is None:
            return None
        reasons = self.assumption_model.established(self.trail, inference.reasons)
        return Step(2, (first, second), reasons, inference.literals)

    def _inference_of_pair(
        self, solver: IncrementalSolver, first: GroundRule, second: GroundRule
    ) -> Inference | None:
        """Return the inference with the fewest facts that two instances entail together, or None.

        Raises ViolatedInstance.
        """
        literals = self.assumption_model.literals
        first_facts = first.facts_in_scope(self.trail)
        second_facts = second.facts_in_scope(self.trail)
        facts = literals.concise(dict.fromkeys((*first_facts, *second_facts)))
        scope = dict.fromkeys((*first.scope, *second.scope))
        open_numbers = (*first.open_numbers(self.trail), *second.open_numbers(self.trail))
        backbone = entailed(solver, facts, dict.fromkeys(open_numbers))
        if backbone is None:
            raise ViolatedInstance(first)
        new = [literal for literal in backbone if abs(literal) in scope]
        order = literals.denials_first(facts)

        def reasons(literal: int) -> list[int]:
            def enough(subset: list[int]) -> bool:
                return not solver.is_satisfiable((*subset, -literal))

            return shrink(order, enough)

        unknown = sorted(self._unknown_literals(new), key=abs)
        return min(
            grouped((literal, reasons(literal)) for literal in unknown),
            key=lambda inference: (len(inference.reasons), inference.literals),
            default=None,
        )


def _simplicity(instance: GroundRule) -> tuple[bool, int, int]:
    return instance.shape, len(instance.scope), instance.number
