"""Satisfiability, by python-sat: clauses, one incremental solver, lazy cuts for shapes.

The solvers were chosen by measurement: docs/decisions/solvers.md. A solver must react to
`interrupt`, which those of CaDiCaL do not. minicard is minisat22 that also counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pysolvers
from numpy.typing import NDArray
from pysat.examples.rc2 import RC2, RC2Stratified
from pysat.formula import WCNF
from pysat.solvers import Minicard

from puzzlekit.backends.base import Backend, Budget, goal_of
from puzzlekit.backends.clauses import CNF_SUPPORTS, FALSE, TRUE, Choice, CnfBuilder
from puzzlekit.backends.pb_encodings import at_least, at_most_one, count, total
from puzzlekit.backends.solver_bounds import NONE, bound_conflicts, bound_propagations
from puzzlekit.backends.watching import LONGEST_TURN, watched
from puzzlekit.lowering import island_cuts, lower, solve_with_cuts, violated_cuts
from puzzlekit.model import (
    Acyclic,
    Circuit,
    Connected,
    Constraint,
    Model,
    Values,
    Variable,
    as_dict,
    variables_of,
)
from puzzlekit.python_settings import HAS_THREADS
from puzzlekit.query import Query, Task

SHORT_CALL_CLAUSES = 2_000  # of a problem whose first call may be a short one
SHORT_CONFLICTS = 1_000  # of a call of a SAT solver that nothing interrupts,
SHORT_PROPAGATIONS = 100_000  # and its propagations
NATIVE_BOUND = 4  # up to which a SAT solver counts true or false literals itself

CORES = "glucose3"  # for optima
CLAUSES_BETWEEN_PAUSES = 1_000
CLAUSES_AT_ONCE = 10_000  # that are added to a solver between two looks at the clock
REBUILT_CLAUSES = 4_000  # of a problem up to which each puzzle gets a new solver
# of puzzles that a solver was asked about, after which it has no room for more
STORED_LITERALS = 40_000


class Sat(Backend):
    """Satisfiability of clauses, by a solver of python-sat."""

    name = "sat"
    about = "satisfiability of clauses by python-sat; every kind of rule"
    supports = replace(
        CNF_SUPPORTS,
        lazy_cuts=True,
        reports=frozenset(
            {"variables", "clauses", "decisions", "conflicts", "propagations", "restarts", "cuts"}
        ),
    )

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        if query.task is Task.OPTIMISE:
            return self._best(model, budget)
        return self._solutions(model, budget)

    def _solutions(self, model: Model, budget: Budget) -> Iterator[Values]:
        """Repeatedly solve and forbid the solution, until there is provably no more."""
        with budget.building():
            clauses = Clauses(model, budget, bounds=True)
            visible = [variable for variable in model.visible() if len(model.domains[variable]) > 1]
            solver = SatSolver(clauses, budget)
        with solver:
            while (values := solver.ask()) is not None:
                yield values
                solver.add([-clauses.literal(variable, values[variable]) for variable in visible])

    def _best(self, model: Model, budget: Budget) -> Iterator[Values]:
        """Yield a solution, then the best one, found from below by unsatisfiable cores (RC2)."""
        goal = goal_of(model)
        with budget.building():
            clauses = Clauses(model, budget)
            softs = clauses.softs()
            solver = SatSolver(clauses, budget)
        with solver:
            first = solver.ask()
        if first is None:
            return
        yield first
        best = _best(clauses, softs, budget)
        if goal.better(goal.term.value(best), goal.term.value(first)):
            yield best


def _best(clauses: Clauses, softs: Sequence[tuple[int, int]], budget: Budget) -> Values:
    """Return the solution with the least weight of true literals. Applies lazy cuts."""
    formula = WCNF()
    for clause in clauses.cnf:
        formula.append(clause)
    for literal, weight in softs:
        formula.append([-literal], weight)
    budget.check()
    has_weights = len({weight for _, weight in softs}) > 1
    algorithm = RC2Stratified if has_weights else RC2
    with algorithm(formula, solver=CORES, adapt=True, exhaust=True, minz=True) as maximum:

        def ask() -> list[int] | None:
            budget.step()
            compute = lambda: maximum.compute(expect_interrupt=True)  # noqa: E731
            assignment: list[int] | None = watched(compute, maximum.interrupt, budget)
            return assignment

        def add(cuts: list[list[int]]) -> None:
            for cut in cuts:
                maximum.add_clause(cut)

        best = solve_with_cuts(ask, clauses.cuts, add)
        if budget.statistics is not None:
            budget.statistics.add_efforts(**maximum.oracle.accum_stats())
        assert best is not None, "the model has a solution"
        return clauses.read(best)


class Clauses(CnfBuilder):
    """A model as a list of clauses, and the shapes for lazy cuts.

    With `bounds`, small counts are left to a solver that supports them: literals, and how many of
    them may be true.
    """

    def __init__(self, model: Model, budget: Budget, *, bounds: bool = False) -> None:
        super().__init__(model, budget.check)
        self.cnf: list[list[int]] = [[TRUE]]
        self.bounds: list[tuple[list[int], int]] = []
        self._native_bounds = bounds
        self.shapes: list[LiteralShape] = []
        self.post_model()

    def clause(self, literals: Iterable[int]) -> None:
        clause = [*literals]
        if FALSE in clause:
            clause = [literal for literal in clause if literal != FALSE]
        if TRUE not in clause:
            self.cnf.append(clause or [FALSE])
            if not len(self.cnf) % CLAUSES_BETWEEN_PAUSES:
                self.pause()

    def add_plain_clauses(self, clauses: Iterable[list[int]]) -> None:
        self.cnf += clauses
        self.pause()

    def at_most_one(self, literals: Sequence[int]) -> None:
        at_most_one(self, literals)

    def count(self, literals: Sequence[int], low: int, high: int) -> None:
        if high > 1:
            number = len(literals)
            if self._is_native(number, high):
                self.bounds.append((list(literals), high))
                high = number
            if self._is_native(number, low):
                self.bounds.append(([-literal for literal in literals], number - low))
                low = 0
        count(self, literals, low, high)

    def _is_native(self, number: int, bound: int) -> bool:
        """Return whether a bound is left to the solver.

        Large ones would make proofs longer than counters do.
        """
        return self._native_bounds and 1 < min(bound, number - bound) <= NATIVE_BOUND

    def total(self, choices: Sequence[Choice], low: int, high: int) -> None:
        total(self, choices, low, high)

    def softs(self) -> list[tuple[int, int]]:
        """Return literals with weights: the goal is best if the true ones weigh least."""
        return [soft for choice in self.goal() for soft in at_least(self, choice)]

    def cuts(self, assignment: list[int]) -> list[list[int]]:
        """Return clauses that forbid the wrong shapes of a solver's model, and add them."""
        last = self.top if self.sizes else max((shape.last for shape in self.shapes), default=0)
        # a model has a literal for each number, in order
        numbers = np.array(assignment[:last], dtype=np.int64)
        is_true = np.zeros(self.top + 1, dtype=bool)
        is_true[numbers[numbers > 0]] = True
        before = len(self.cnf)
        for shape in self.shapes:
            self.clauses_over(shape.literals, shape.cuts(is_true))
        if self.sizes:
            negative = ~is_true[:0:-1]
            # by literal: negative ones count from the end
            truths = [*is_true.tolist(), *negative.tolist()]
            for sizes, links in self.sizes:
                for cut in self.size_cuts(sizes, links, truths.__getitem__):
                    self.clause(cut)
        return self.cnf[before:]

    def read(self, assignment: list[int]) -> Values:
        """Return the values of a solver's model."""
        return self.values(literal for literal in assignment if literal > 0)

    def shape(self, shape: Connected | Circuit | Acyclic, flags: Sequence[int]) -> None:
        self.shapes.append(LiteralShape(shape, flags))


class LiteralShape:
    """A shape constraint over literals."""

    def __init__(self, condition: Connected | Circuit | Acyclic, flags: Sequence[int]) -> None:
        self.condition = condition
        self.flags = list(flags)
        self.literals = frozenset(flags)
        self._numbers = np.abs(np.array(flags, dtype=np.int64))
        self._positive = np.array(flags) > 0
        self._cut_before = False
        self.last = int(self._numbers.max(initial=0))  # the largest number of a literal

    def cuts(self, is_true: NDArray[np.bool_]) -> Iterator[list[int]]:
        """Yield clauses that the model with these true literals violates.

        The first time, this includes cuts around all islands of flags.
        """
        flags = self.flags
        states = is_true[self._numbers] == self._positive
        cuts = [*violated_cuts(self.condition, states)]
        if cuts and not self._cut_before and isinstance(self.condition, Connected):
            cuts += island_cuts(self.condition, states, cuts)
        self._cut_before = True
        for no, yes in cuts:
            clause = [-flags[index] for index in no]
            clause += [flags[index] for index in yes]
            yield clause


class SatSolver:
    """One incremental solver."""

    def __init__(self, clauses: Clauses, budget: Budget) -> None:
        self.clauses = clauses
        self.budget = budget
        self._number = len(clauses.cnf)  # of clauses without the cuts
        self._may_be_short = self._number <= SHORT_CALL_CLAUSES  # the next call
        self._conflicts = 0  # up to the last call
        budget.note_sizes(variables=clauses.top, clauses=self._number + len(clauses.bounds))
        self._begin()

    def _begin(self) -> None:
        """Add the clauses to a new solver."""
        self.solver = Minicard()
        remaining = iter(self.clauses.cnf)
        try:
            while batch := list(islice(remaining, CLAUSES_AT_ONCE)):
                self.budget.check()
                self._add_clauses(batch)
            for literals, most in self.clauses.bounds:
                self.solver.add_atmost(literals, most)
        except BaseException:
            self.solver.delete()
            raise

    def __enter__(self) -> SatSolver:
        return self

    def __exit__(self, *_: object) -> None:
        if self.budget.statistics is not None:
            cuts = len(self.clauses.cnf) - self._number
            self.budget.statistics.add_efforts(cuts=cuts, **self.solver.accum_stats())
        self.solver.delete()

    def add(self, literals: Iterable[int]) -> None:
        self.solver.add_clause(list(literals) or [FALSE])

    def ask(self) -> Values | None:
        """Return a solution, or None if there is no other. Raises Stopped."""
        assignment = solve_with_cuts(self._model, self.clauses.cuts, self._add_clauses)
        return None if assignment is None else self.clauses.read(assignment)

    def _model(self) -> list[int] | None:
        self.budget.step()
        answer = self._short_call() if self._may_be_short else None
        if answer is None:
            answer = self._long_call()
        before = self._conflicts
        self._conflicts = self.solver.accum_stats()["conflicts"]
        self._may_be_short = self._conflicts - before <= SHORT_CONFLICTS
        model: list[int] | None = self.solver.get_model() if answer else None
        return model

    def _short_call(self) -> bool | None:
        """Return whether there is a solution, if that takes milliseconds; else None.

        A thread would take longer than such a call. A call that takes longer begins its restarts
        anew, so this is tried where the last one was short.
        """
        bound_conflicts(self.solver, SHORT_CONFLICTS)
        bound_propagations(self.solver, SHORT_PROPAGATIONS)
        answer = self._call()
        bound_conflicts(self.solver, NONE)
        return answer

    def _long_call(self) -> bool | None:
        """Return whether there is a solution. Raises Stopped.

        Where there are no threads, the clock is looked at between turns, of which each has twice
        the conflicts of the one before.
        """
        if HAS_THREADS:
            return watched(self._call, self.solver.interrupt, self.budget)
        conflicts = SHORT_CONFLICTS
        answer = None
        while answer is None:
            self.budget.check()
            conflicts = min(2 * conflicts, LONGEST_TURN)
            bound_conflicts(self.solver, conflicts)
            answer = self._call()
        bound_conflicts(self.solver, NONE)
        return answer

    def _call(self) -> bool | None:
        answer: bool | None = self.solver.solve_limited(expect_interrupt=True)
        return answer

    def _add_clauses(self, clauses: Sequence[list[int]]) -> None:
        add, solver = pysolvers.minicard_add_cl, self.solver.minicard
        for clause in clauses:  # methods of the solver take two to four times as long
            add(solver, clause)


class HalfReifiedClauses(Clauses):
    """The clauses of a model, and constraints that hold where their literal is assumed.

    Such a constraint is half-reified: literal → constraint. Feydy, Somogyi and Stuckey,
    "Half reification and flattening" (2011).
    """

    def __init__(self, model: Model, budget: Budget) -> None:
        super().__init__(lower(model, Sat.supports, budget.check), budget, bounds=True)

    def half_reified(self, constraints: Sequence[Constraint]) -> tuple[int, list[list[int]]]:
        """Return a literal, and the clauses of literal → constraints."""
        scope = variables_of(*(constraint.condition for constraint in constraints))
        domains = {variable: self.domains[variable] for variable in scope}
        lowered = lower(Model(domains, tuple(constraints)), Sat.supports, self.pause)
        new = {
            variable: domain
            for variable, domain in lowered.domains.items()
            if variable not in self.domains
        }
        before = len(self.cnf)
        exclusive_pairs, native_bounds = self.exclusive_pairs, self._native_bounds
        different = self.different
        # these hold only under the literal
        self.exclusive_pairs, self._native_bounds = set(), False
        self.different = {variable: [*groups] for variable, groups in different.items()}
        try:
            self.extend(new, lowered.constraints)
            clauses = self.cnf[before:]
        finally:
            self.exclusive_pairs, self._native_bounds = exclusive_pairs, native_bounds
            self.different = different
            del self.cnf[before:]
        literal = self.new_literal()
        return literal, [[-literal, *clause] for clause in clauses]


class UniqueSolutionSolver(SatSolver):
    """Decides whether a problem has one solution, each time under other assumptions.

    A large problem stays in one incremental solver. A small one is posted to a new solver each
    time, with the assumptions as unit clauses: that takes less time than assumptions in each call.
    """

    clauses: HalfReifiedClauses

    def __init__(self, model: Model, budget: Budget) -> None:
        clauses = HalfReifiedClauses(model, budget)
        self._rebuilds = len(clauses.cnf) <= REBUILT_CLAUSES
        self._conditional: dict[int, list[list[int]]] = {}
        self.assumed: list[int] = []
        self._puzzle_literal = 0  # the selector of clauses for one puzzle alone
        self.room = clauses.top + STORED_LITERALS  # the largest number of a literal
        super().__init__(clauses, budget)

    def under(self, budget: Budget) -> None:
        """Work under another budget from now on."""
        self.budget, self.clauses.pause = budget, budget.check

    def half_reify(self, constraints: Sequence[Constraint]) -> int:
        """Return an assumption literal: the constraints hold where it is assumed."""
        literal, self._conditional[literal] = self.clauses.half_reified(constraints)
        if not self._rebuilds:
            super()._add_clauses(self._conditional.pop(literal))
        return literal

    def only(self, assumed: Sequence[int], unknowns: Sequence[Variable]) -> Values | None:
        """Return the only solution, which has one value for each of these unknowns.

        Returns None if there is none, if there are several, or if that takes more than a moment.
        """
        if self._rebuilds:
            self.solver.delete()
            self._begin()
            for literal in assumed:
                self.solver.add_clause([literal])
                super()._add_clauses(self._conditional.get(literal, ()))
            self.assumed = []
        else:
            self._puzzle_literal = self.clauses.new_literal()
            self.assumed = [*assumed, self._puzzle_literal]
        self._gave_up = False
        try:
            solution = self.ask()
            if solution is None:
                return None
            values = as_dict(solution)
            literals = [self.clauses.literal(unknown, values[unknown]) for unknown in unknowns]
            self._add_clauses([[-literal for literal in literals]])
            is_only = self.ask() is None and not self._gave_up
            return values if is_only else None
        finally:
            if self._puzzle_literal:
                self.add([-self._puzzle_literal])
            del self.clauses.cnf[self._number :]  # the cuts

    def _add_clauses(self, clauses: Sequence[list[int]]) -> None:
        if self._puzzle_literal:
            clauses = [[-self._puzzle_literal, *clause] for clause in clauses]
        super()._add_clauses(clauses)

    def _model(self) -> list[int] | None:
        self.budget.step()
        answer = self._short_call()
        self._gave_up = answer is None
        model: list[int] | None = self.solver.get_model() if answer else None
        return model

    def _call(self) -> bool | None:
        answer: bool | None = self.solver.solve_limited(self.assumed, expect_interrupt=True)
        return answer

    def close(self) -> None:
        """Free its memory."""
        self.solver.delete()
