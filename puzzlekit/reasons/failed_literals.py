"""Failed literals: the opposite of a fact is refuted by propagation, or by a search.

Freeman, "Improvements to propositional satisfiability search algorithms" (1995), calls a literal
failed if unit propagation refutes it. Here an explanation also says by which instances.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from puzzlekit.backends.incremental_solver import IncrementalSolver
from puzzlekit.clock import check
from puzzlekit.reasons.assumption_model import AssumptionModel, AssumptionSolver
from puzzlekit.reasons.instances import GroundRule, Step, shrink
from puzzlekit.reasons.literals import TRUE

SHORT = 3  # instances of a trial that is looked for before pairs
CHAINS = 40  # trials through shapes in one turn
CHAIN_LENGTH = 60  # instances that one of these looks at
SHRUNK = 30  # trials of one turn whose instances are made fewer
CORES = 12  # open facts of which the smallest core is taken


class FailedLiteralProbing:
    """Tries the opposite of facts that are not known yet. Its solvers are its own: no earlier
    question changes what it finds.

    Attributes:
        known: The literals that are known. Whoever learns more adds to them, and then calls
            `learned`.
    """

    def __init__(self, assumption_model: AssumptionModel, trail: Mapping[int, int]) -> None:
        self.assumption_model, self.trail = assumption_model, trail
        self._solver: AssumptionSolver | None = None
        self._hard_solver: IncrementalSolver | None = None
        self._selector_solver: IncrementalSolver | None = None
        self._cores: dict[
            int, list[int]
        ] = {}  # by literal, instances with which its opposite failed before
        self._solution: list[int] = []  # literals of the unknowns that hold in all solutions seen
        self._tried: tuple[int, tuple[int, list[int]] | None, int] | None = (
            None  # with how much was known then
        )
        self._of_shapes: list[Step] = []  # what shapes said, which clauses do not

    def record(self, step: Step) -> None:
        """Let trials know a step."""
        if step.tier == 1 and step.instances[0].shape:
            self._of_shapes.append(step)
            if self._solver is not None:
                self._state(step)
        for solver in (self._hard_solver, self._selector_solver):
            if solver is not None:
                solver.add([[literal] for literal in step.literals])

    def _state(self, step: Step) -> None:
        """State what a shape said."""
        for literal in step.literals:
            self.solver.add(
                [literal, *(-reason for reason in step.reasons), -step.instances[0].selector]
            )

    @property
    def solver(self) -> AssumptionSolver:
        """The assumption solver of these steps alone."""
        if self._solver is None:
            self._solver = AssumptionSolver(self.assumption_model)
            for step in self._of_shapes:
                self._state(step)
        return self._solver

    @property
    def hard_solver(self) -> IncrementalSolver:
        """All instances, and what is known, for propagation."""
        if self._hard_solver is None:
            self._hard_solver = IncrementalSolver(self.assumption_model.literals.clauses)
            for clauses in self.assumption_model.clauses:
                self._hard_solver.add(clauses)
            self._hard_solver.add([[literal] for literal in self.trail])
            for step in self._of_shapes:
                self._hard_solver.add(
                    [literal, *(-reason for reason in step.reasons)] for literal in step.literals
                )
        return self._hard_solver

    @property
    def selector_solver(self) -> IncrementalSolver:
        """Each instance where it is switched on, and what is known, for propagation."""
        if self._selector_solver is None:
            self._selector_solver = IncrementalSolver(self.assumption_model.literals.clauses)
            for instance, clauses in zip(self.assumption_model.instances, self.assumption_model.clauses):
                self._selector_solver.add([*clause, -instance.selector] for clause in clauses)
            self._selector_solver.add([[literal] for literal in self.trail])
        return self._selector_solver

    def _open(self) -> list[int]:
        """Return the literals that hold in the solution and are not known."""
        if not self._solution:
            facts = [one for one in self.trail if one != TRUE]
            model = self.solver.model([*self.solver.all_selectors, *facts])
            if model is None:
                return []
            self._solution = [one for one in model if self.assumption_model.literals.is_value_literal(one)]
        return [one for one in self._solution if one not in self.trail]

    def _facts(self) -> list[int]:
        return self.assumption_model.literals.concise(one for one in self.trail if one != TRUE)

    def probe(self, most: int = 10**9) -> Step | None:
        """Return the trial with the fewest instances, at most so many: the opposite of a fact fails
        by propagation.
        """
        if self._tried is None or self._tried[0] != len(self.trail):
            self._tried = (len(self.trail), *self._best())
        _, best, open_ = self._tried
        facts = self._facts()
        if best is None and most > SHORT:
            best = self._chain(self._open(), facts)
        if best is None or len(best[1]) > most:
            return None
        return self._step(3, *best, facts, open_)

    def _best(self) -> tuple[tuple[int, list[int]] | None, int]:
        """Return a fact with the fewest instances with which its opposite fails, and how many
        opposites fail.
        """
        failing = [one for one in self._open() if self.hard_solver.propagate([-one]) is None]
        best: tuple[int, list[int]] | None = None
        for literal in failing[:SHRUNK]:
            check()
            selectors = self._core(literal)
            if best is None or len(selectors) < len(best[1]):
                best = literal, selectors
                if len(selectors) <= 2:
                    break
        return best, len(failing) or 1

    def _core(self, literal: int) -> list[int]:
        """Return the fewest instances with which the opposite of a literal fails by propagation, of
        those found before.
        """
        held = self.selector_solver

        def fails(some: Sequence[int]) -> bool:
            return held.propagate([*some, -literal]) is None

        if literal not in self._cores:
            everything = self.solver.all_selectors
            core = self.solver.core([*everything, *self._facts(), -literal]) or ()
            selectors = [one for one in core if one in self.assumption_model.by_selector]
            self._cores[literal] = selectors if fails(selectors) else everything
        self._cores[literal] = shrink(self._cores[literal], fails)
        return self._cores[literal]

    def _chain(self, open_: Sequence[int], facts: Sequence[int]) -> tuple[int, list[int]] | None:
        """Return a fact whose opposite fails by what single instances say, shapes among them, and
        the instances.
        """
        if not any(instance.shape for instance in self.assumption_model.instances):
            return None

        def room(literal: int) -> int:
            near = (
                sum(one not in self.trail and -one not in self.trail for one in i.scope)
                for i in self.assumption_model.about(literal)
            )
            return min(near, default=10**6)

        found: list[tuple[int, int, list[GroundRule]]] = []
        for literal in sorted(open_, key=lambda one: (room(one), abs(one)))[:CHAINS]:
            used = self._failing(-literal)
            if used is not None:
                found.append((len(used), literal, used))
                if len(used) <= SHORT:
                    break
        if not found:
            return None
        _, literal, used = min(found, key=lambda one: (one[0], abs(one[1])))
        selectors = [instance.selector for instance in used]
        core = self.solver.core([*selectors, *facts, -literal])
        if core is None:
            return None
        selectors = [one for one in core if one in self.assumption_model.by_selector]
        return literal, shrink(
            selectors, lambda some: not self.solver.possible([*some, *facts, -literal])
        )

    def _failing(self, literal: int) -> list[GroundRule] | None:
        """Return the instances through which an assumption leads to a contradiction; None if it
        leads to none soon.
        """
        known, used = dict(self.trail), dict[int, GroundRule]()
        dirty: dict[int, GroundRule] = {}

        def know(found: Iterable[int]) -> bool:
            new = self.assumption_model.consequences(found, known)
            if new is None:
                return False
            known.update(new)
            dirty.update({i.number: i for one in new for i in self.assumption_model.about(one)})
            return True

        if not know([literal]):
            return None
        for _ in range(CHAIN_LENGTH):
            if not dirty:
                return None
            instance = min(dirty.values(), key=lambda one: (one.shape, len(one.scope), one.number))
            del dirty[instance.number]
            found = instance.entailed(known)
            if found is None or (found and not know(found)):
                used[instance.number] = instance
                return list(used.values())
            if found:
                used[instance.number] = instance
        return None

    def search(self) -> Step | None:
        """Return a fact whose opposite fails with the smallest core of instances, of some that were
        tried.
        """
        facts = self._facts()
        asking = self.solver
        best: tuple[int, list[int]] | None = None
        tried = 0
        for literal in self._open():
            if tried == CORES:
                break
            check()
            assumed = [*asking.all_selectors, *facts, -literal]
            model = asking.model(assumed)
            if model is not None:  # the puzzle has another solution
                other = {*model}
                self._solution = [one for one in self._solution if one in other]
                continue
            tried += 1
            core = asking.core(assumed) or []
            selectors = [one for one in core if one in self.assumption_model.by_selector]
            if best is None or len(selectors) < len(best[1]):
                best = literal, selectors
        if best is None:
            return None
        literal, selectors = best
        selectors = shrink(selectors, lambda some: asking.refuted([*some, *facts, -literal]))
        return self._step(4, literal, selectors, facts, 1)

    def _step(
        self, tier: int, literal: int, selectors: Sequence[int], facts: Sequence[int], open_: int
    ) -> Step:
        """Return the step by which a literal follows from instances; its reasons are the fewest
        facts.
        """
        instances = tuple(self.assumption_model.by_selector[one] for one in selectors)
        near = {number for instance in instances for number in instance.scope}
        order = sorted(
            (one for one in facts if abs(one) in near),
            key=lambda one: (not self.assumption_model.literals.denies(one), -abs(one)),
        )
        plain = self.solver.fails([*selectors, *order, -literal])

        def fails(some: Sequence[int]) -> bool:
            assumed = [*selectors, *some, -literal]
            return self.solver.fails(assumed) if plain else self.solver.refuted(assumed)

        if not fails(order):
            order = list(facts)
        reasons = shrink(order, fails)
        return Step(
            tier, instances, self.assumption_model.established(self.trail, reasons), (literal,), open=open_
        )
