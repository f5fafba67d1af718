"""Failed literals: the opposite of a fact is refuted by propagation, or by a search.

Freeman, "Improvements to propositional satisfiability search algorithms" (1995), calls a literal
failed if unit propagation refutes it. Here an explanation also says by which instances.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from puzzlekit.backends import IncrementalSolver
from puzzlekit.clock import check
from puzzlekit.reasons.assumption_model import AssumptionModel, AssumptionSolver
from puzzlekit.reasons.instances import GroundRule, Step, Trail, shrink
from puzzlekit.reasons.literals import TRUE

SHORT = 3  # instances of a failed literal that is looked for before pairs
CHAINS = 40  # literals that are probed through shapes in one turn
CHAIN_LENGTH = 60  # instances that one of these looks at
SHRUNK = 30  # failed literals of one turn whose instances are made fewer
CORES = 12  # open facts of which the smallest core is taken


@dataclass(frozen=True)
class _Refutation:
    """Instances with which the opposite of a literal fails.

    Attributes:
        literal: The literal that follows.
        selectors: The selectors of the instances.
    """

    literal: int
    selectors: list[int]


class FailedLiteralProbing:
    """Tries the opposite of facts that are not known yet. It has solvers of its own, so that no
    earlier question changes what it finds.

    Attributes:
        trail: The literals that are known. Whoever learns more adds to them, and then calls
            `record`.
    """

    def __init__(self, assumption_model: AssumptionModel, trail: Trail) -> None:
        self.assumption_model, self.trail = assumption_model, trail
        self._solver: AssumptionSolver | None = None
        self._hard_solver: IncrementalSolver | None = None
        self._selector_solver: IncrementalSolver | None = None
        # by literal, the selectors of instances with which its opposite failed before
        self._cores: dict[int, list[int]] = {}
        # the value literals that are true in all solutions seen
        self._solution: list[int] = []
        self._shortest: _Refutation | None = None
        self._failing = 0  # how many opposites fail
        self._probed_length = 0  # of the trail, when these were found
        self._shape_steps: list[Step] = []  # what shapes said, which clauses do not

    def record(self, step: Step) -> None:
        """Let all solvers know a step."""
        if step.tier == 1 and step.instances[0].shape:
            self._shape_steps.append(step)
            if self._solver is not None:
                for clause in _implications(step):
                    self._solver.add([*clause, -step.instances[0].selector])
        for solver in (self._hard_solver, self._selector_solver):
            if solver is not None:
                solver.add([[literal] for literal in step.literals])

    @property
    def solver(self) -> AssumptionSolver:
        """The assumption solver of these steps alone."""
        if self._solver is None:
            self._solver = AssumptionSolver(self.assumption_model)
            for step in self._shape_steps:
                for clause in _implications(step):
                    self._solver.add([*clause, -step.instances[0].selector])
        return self._solver

    @property
    def hard_solver(self) -> IncrementalSolver:
        """All instances, and what is known, for propagation."""
        if self._hard_solver is None:
            solver = IncrementalSolver(self.assumption_model.literals.clauses)
            for clauses in self.assumption_model.clauses:
                solver.add(clauses)
            solver.add([[literal] for literal in self.trail])
            for step in self._shape_steps:
                solver.add(_implications(step))
            self._hard_solver = solver
        return self._hard_solver

    @property
    def selector_solver(self) -> IncrementalSolver:
        """Each instance where it is switched on, and what is known, for propagation."""
        if self._selector_solver is None:
            model = self.assumption_model
            solver = IncrementalSolver(model.literals.clauses)
            for instance, clauses in zip(model.instances, model.clauses):
                solver.add([*clause, -instance.selector] for clause in clauses)
            solver.add([[literal] for literal in self.trail])
            self._selector_solver = solver
        return self._selector_solver

    def _open(self) -> list[int]:
        """Return the literals that are true in the solution and are not known."""
        if not self._solution:
            facts = [literal for literal in self.trail if literal != TRUE]
            model = self.solver.model([*self.solver.all_selectors, *facts])
            if model is None:
                return []
            is_value_literal = self.assumption_model.literals.is_value_literal
            self._solution = list(filter(is_value_literal, model))
        return [literal for literal in self._solution if literal not in self.trail]

    def _facts(self) -> list[int]:
        facts = (literal for literal in self.trail if literal != TRUE)
        return self.assumption_model.literals.concise(facts)

    def _selectors_in(self, core: Iterable[int]) -> list[int]:
        """Return the literals of a core that are selectors of instances."""
        return [literal for literal in core if literal in self.assumption_model.by_selector]

    def probe(self, most: int = 10**9) -> Step | None:
        """Return the failed literal with the fewest instances, at most so many: its opposite fails
        by propagation.
        """
        if self._probed_length != len(self.trail):
            self._shortest, self._failing = self._shortest_refutation()
            self._probed_length = len(self.trail)
        refutation = self._shortest
        facts = self._facts()
        if refutation is None and most > SHORT:
            refutation = self._refutation_by_shapes(self._open(), facts)
        if refutation is None or len(refutation.selectors) > most:
            return None
        return self._step(3, refutation, facts, self._failing)

    def _shortest_refutation(self) -> tuple[_Refutation | None, int]:
        """Return the step of a literal whose negation fails with the fewest instances.

        The step knows how many negations fail.
        """
        propagate = self.hard_solver.propagate
        failing = [literal for literal in self._open() if propagate([-literal]) is None]
        shortest: _Refutation | None = None
        for literal in failing[:SHRUNK]:
            check()
            selectors = self._core(literal)
            if shortest is None or len(selectors) < len(shortest.selectors):
                shortest = _Refutation(literal, selectors)
                if len(selectors) <= 2:
                    break
        return shortest, len(failing) or 1

    def _core(self, literal: int) -> list[int]:
        """Return the fewest instances with which the opposite of a literal fails by propagation, of
        those found before.
        """
        solver = self.selector_solver

        def fails(selectors: Sequence[int]) -> bool:
            return solver.propagate([*selectors, -literal]) is None

        if literal not in self._cores:
            all_selectors = self.solver.all_selectors
            core = self.solver.core([*all_selectors, *self._facts(), -literal]) or ()
            selectors = self._selectors_in(core)
            self._cores[literal] = selectors if fails(selectors) else all_selectors
        self._cores[literal] = shrink(self._cores[literal], fails)
        return self._cores[literal]

    def _refutation_by_shapes(
        self, open_literals: Sequence[int], facts: Sequence[int]
    ) -> _Refutation | None:
        """Return the step of a literal whose negation fails by single instances, shapes among
        them.
        """
        if not any(instance.shape for instance in self.assumption_model.instances):
            return None
        used = self._fewest_used(open_literals)
        if used is None:
            return None
        literal, instances = used
        selectors = [instance.selector for instance in instances]
        core = self.solver.core([*selectors, *facts, -literal])
        if core is None:
            return None

        def contradicts(subset: Sequence[int]) -> bool:
            return not self.solver.possible([*subset, *facts, -literal])

        return _Refutation(literal, shrink(self._selectors_in(core), contradicts))

    def _fewest_used(self, open_literals: Sequence[int]) -> tuple[int, list[GroundRule]] | None:
        """Return a literal with the fewest instances through which its opposite fails, and these
        instances; None if no opposite fails soon.
        """

        def narrowness(literal: int) -> tuple[int, int]:
            instances = self.assumption_model.about(literal)
            open_counts = (len(instance.open_numbers(self.trail)) for instance in instances)
            return min(open_counts, default=10**6), abs(literal)

        refuted: list[tuple[int, list[GroundRule]]] = []
        for literal in sorted(open_literals, key=narrowness)[:CHAINS]:
            used = self._used_to_refute(-literal)
            if used is not None:
                refuted.append((literal, used))
                if len(used) <= SHORT:
                    break
        return min(refuted, key=lambda pair: (len(pair[1]), abs(pair[0])), default=None)

    def _used_to_refute(self, assumed: int) -> list[GroundRule] | None:
        """Return the instances through which an assumption leads to a contradiction; None if it
        leads to none soon.
        """
        trail = dict(self.trail)
        used: dict[int, GroundRule] = {}
        dirty: dict[int, GroundRule] = {}

        def establish(literals: Iterable[int]) -> bool:
            new = self.assumption_model.consequences(literals, trail)
            if new is None:
                return False
            trail.update(new)
            for literal in new:
                for instance in self.assumption_model.about(literal):
                    dirty[instance.number] = instance
            return True

        if not establish([assumed]):
            return None
        for _ in range(CHAIN_LENGTH):
            if not dirty:
                return None
            instance = min(dirty.values(), key=_simplicity)
            del dirty[instance.number]
            literals = instance.entailed(trail)
            if literals is None or (literals and not establish(literals)):
                used[instance.number] = instance
                return list(used.values())
            if literals:
                used[instance.number] = instance
        return None

    def search(self) -> Step | None:
        """Return the step of a literal whose negation fails with the smallest core that was
        tried.
        """
        facts = self._facts()
        solver = self.solver
        shortest: _Refutation | None = None
        tried = 0
        for literal in self._open():
            if tried == CORES:
                break
            check()
            assumed = [*solver.all_selectors, *facts, -literal]
            model = solver.model(assumed)
            if model is not None:  # the puzzle has another solution
                true = {*model}
                self._solution = [value for value in self._solution if value in true]
                continue
            tried += 1
            selectors = self._selectors_in(solver.core(assumed) or ())
            if shortest is None or len(selectors) < len(shortest.selectors):
                shortest = _Refutation(literal, selectors)
        if shortest is None:
            return None
        literal = shortest.literal

        def refutes(subset: Sequence[int]) -> bool:
            return solver.refuted([*subset, *facts, -literal])

        refutation = _Refutation(literal, shrink(shortest.selectors, refutes))
        return self._step(4, refutation, facts, 1)

    def _step(
        self, tier: int, refutation: _Refutation, facts: Sequence[int], open_steps: int
    ) -> Step:
        """Return the step by which a literal follows from instances; its reasons are the fewest
        facts.
        """
        literal, selectors = refutation.literal, refutation.selectors
        instances = tuple(map(self.assumption_model.by_selector.__getitem__, selectors))
        in_scope = {number for instance in instances for number in instance.scope}
        facts_in_scope = [fact for fact in facts if abs(fact) in in_scope]
        order = self.assumption_model.literals.denials_first(facts_in_scope)
        by_propagation = self.solver.fails([*selectors, *order, -literal])

        def fails(subset: Sequence[int]) -> bool:
            assumed = [*selectors, *subset, -literal]
            if by_propagation:
                return self.solver.fails(assumed)
            return self.solver.refuted(assumed)

        if not fails(order):
            order = list(facts)
        reasons = self.assumption_model.established(self.trail, shrink(order, fails))
        return Step(tier, instances, reasons, (literal,), open=open_steps)


def _implications(step: Step) -> list[list[int]]:
    """Return a step as clauses: its reasons imply each of its literals."""
    negated = [-reason for reason in step.reasons]
    return [[literal, *negated] for literal in step.literals]


def _simplicity(instance: GroundRule) -> tuple[bool, int, int]:
    return instance.shape, len(instance.scope), instance.number
