"""Types that are compiled once for a shape of boards: the next puzzle is the same solver under
other assumptions.

What a puzzle has in common with other boards of its shape (`lang/rebinding.py`) is presolved and
lowered once. What it has besides is added: a condition on one unknown as a mask, any other as
clauses behind a literal, which are kept for the next puzzle that states the same. An answer is
taken only if it is certain that search alone gives the same: a solution that is proven to be the
only one, found by the backend that `auto` would have taken. Everything else runs as without.

This is partial evaluation (Jones, Gomard and Sestoft, 1993): what a shape has in common is static.
"""

from __future__ import annotations

import atexit
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from puzzlekit.backends.base import Budget
from puzzlekit.boards import Grid
from puzzlekit.clock import PRESOLVE
from puzzlekit.errors import MissingExtra, Unsupported
from puzzlekit.lang import Instance, Likeness, watched
from puzzlekit.model import Constraint, Model, Values, Variable, key_of
from puzzlekit.presolve.components import split
from puzzlekit.presolve.domains import Inconsistent
from puzzlekit.presolve.shared import Addition, BasePresolve, NotReusable
from puzzlekit.python_settings import collector_at_rest
from puzzlekit.query import Task
from puzzlekit.solve.auto import PLANS, REACHED_AREAS, enumeration_plan

if TYPE_CHECKING:
    from puzzlekit.backends.sat import UniqueSolutionSolver

BACKEND = "sat"
LISTED = [((), plan) for plan in PLANS[Task.ENUMERATE].values() if plan[0] == (BACKEND, None)]
KEPT_ADDITIONS, KEPT_MASKS = 20_000, 50_000
KEPT_SOLVERS = 8  # of all types together
CHECKED_WHOLE = 5  # solutions of a shape on which the text of all rules is run
VAIN = (
    3  # puzzles without an answer, above those with one, after which a shape is not asked any more
)

Signature = Hashable


@dataclass(frozen=True)
class UniqueSolution:
    """The only solution of a puzzle.

    Attributes:
        values: The value of each unknown.
        by: The backend that found it; "presolve" if nothing was left to search.
        known: Whether several solutions of the same shape were found before.
    """

    values: Values
    by: str
    known: bool


@dataclass
class ConditionalAddition:
    """What a constraint adds, and the literal that states it, once a search needed that."""

    addition: Addition
    literal: int = 0


class Compiled:
    """What boards of a shape have in common, compiled.

    Attributes:
        why: Why puzzles are not answered so; empty if they are.
    """

    def __init__(self, model: Model, budget: Budget) -> None:
        self.why = ""
        self.lock = Lock()
        self._vain = 0
        self._answered = 0
        self._known: dict[Signature, ConditionalAddition] = {}
        self._assumed: dict[
            tuple[Variable, int], list[int]
        ] = {}  # the literals that say which values are left
        self._solver: UniqueSolutionSolver | None = None
        try:
            with collector_at_rest(), budget.clock.stage(PRESOLVE):
                self._shared = BasePresolve(model, budget.check)
        except NotReusable as reason:
            self.why = str(reason)
        except Inconsistent as conflict:
            self.why = str(conflict)

    def answer(
        self, model: Model, own: Sequence[Constraint], budget: Budget
    ) -> UniqueSolution | None:
        """Return the only solution of a puzzle that states its own constraints besides; None if it
        is not found so.
        """
        if self.why:
            return None
        try:
            with collector_at_rest(), budget.clock.stage(PRESOLVE):
                self._make_room()
                self._shared.store.domains.check = budget.check
                guarded = [self._guarded(constraint) for constraint in own]
                with self._shared.propagated(one.addition for one in guarded) as live:
                    fixed = {
                        v: domain[live[v].bit_length() - 1]
                        for v, domain in model.domains.items()
                        if _single(live[v])
                    }
                    if len(fixed) == len(model.domains):
                        return self._found(fixed, "presolve")
                    undecided = [variable for variable in model.domains if variable not in fixed]
                    by_sat = self._goes_to_sat(live, undecided)
                    masks = {
                        variable: mask
                        for variable, mask in live.items()
                        if mask != self._shared.masks[variable]
                    }
            values = self._search(guarded, masks, undecided, budget) if by_sat else None
        except (NotReusable, Inconsistent, Unsupported, MissingExtra):
            values = None
        except BaseException:  # a Ctrl-C may have come at any moment
            self.why = "it was interrupted"
            raise
        if values is None:
            self._vain += 1
            if self._vain > VAIN:
                self.why = "its boards have several solutions, or none, or need a longer search"
                self.close()
            return None
        return self._found({variable: values[variable] for variable in model.domains}, BACKEND)

    def refused(self, own: Iterable[Constraint]) -> str:
        """Return why the first of these constraints that cannot be added to others cannot; empty if
        all can.
        """
        try:
            for constraint in own:
                self._guarded(constraint)
        except NotReusable as reason:
            return str(reason)
        except Inconsistent:
            return ""  # there is no solution
        return ""

    def _found(self, values: Values, by: str) -> UniqueSolution:
        self._vain = max(-VAIN, self._vain - 1)
        self._answered += 1
        return UniqueSolution(values, by, self._answered > CHECKED_WHOLE)

    def _guarded(self, constraint: Constraint) -> ConditionalAddition:
        try:
            signature = key_of(constraint.condition)
        except TypeError as problem:
            raise NotReusable(str(problem)) from None
        known = self._known.get(signature)
        if known is None:
            known = self._known[signature] = ConditionalAddition(self._shared.addition(constraint))
        return known

    def _goes_to_sat(self, live: Mapping[Variable, int], undecided: Sequence[Variable]) -> bool:
        """Return whether `auto` gives what is left to the same backend.

        It is called while the puzzle is propagated.
        """
        if self._shared.open_are_covered(live, undecided, REACHED_AREAS):
            return True
        _, components = split(self._shared.remaining())
        return all(
            component.constraints and enumeration_plan(component) in LISTED
            for component in components
        )

    def _search(
        self,
        guarded: Sequence[ConditionalAddition],
        masks: Mapping[Variable, int],
        undecided: Sequence[Variable],
        budget: Budget,
    ) -> Values | None:
        solver = self._ready(budget)
        assumed = []
        for one in guarded:
            if not one.literal and (constraints := one.addition.constraints):
                with budget.building():
                    one.literal = solver.half_reify(constraints)
            if one.literal:
                assumed.append(one.literal)
        for left in masks.items():
            said = self._assumed.get(left)
            if said is None:
                said = self._assumed[left] = self._said(solver, *left)
            assumed += said
        return solver.only(assumed, undecided)

    def _said(self, solver: UniqueSolutionSolver, variable: Variable, mask: int) -> list[int]:
        """Return the literals that say which values a mask leaves."""
        values, clauses = self._shared.store.domains.values[variable], solver.clauses
        if _single(mask):
            return [clauses.literal(variable, values[mask.bit_length() - 1])]
        if len(clauses.literals[variable]) < 3:
            return []
        kept = {value for code, value in enumerate(values) if mask >> code & 1}
        return [
            -literal
            for literal, value in zip(clauses.literals[variable], clauses.domains[variable])
            if value not in kept
        ]

    def _ready(self, budget: Budget) -> UniqueSolutionSolver:
        """Return the solver, which works under this budget."""
        from puzzlekit.backends.sat import (
            UniqueSolutionSolver,
        )  # when it is needed: its library takes long to load

        if self._solver is None:
            with budget.building():
                self._solver = UniqueSolutionSolver(self._shared.model, budget)
        self._solver.under(budget)
        return self._solver

    def _make_room(self) -> None:
        """Close a solver that has grown too large, before a puzzle takes literals from it."""
        full = self._solver is not None and self._solver.clauses.top > self._solver.room
        if full or len(self._known) >= KEPT_ADDITIONS or len(self._assumed) >= KEPT_MASKS:
            self.close()

    def close(self) -> None:
        """Free the memory of the solver, and forget what puzzles had besides."""
        if self._solver is not None:
            self._solver.close()
        self._solver = None
        self._known.clear()
        self._assumed.clear()


def only_solution(bound: Instance, budget: Budget) -> UniqueSolution | None:
    """Return the only solution of a puzzle, if others of its shape are kept and it is found at
    once.
    """
    plan = bound.plan
    if not isinstance(plan, Likeness):
        return None
    compiled = compiled_for(plan, bound.model, budget)
    if compiled.why or not compiled.lock.acquire(blocking=False):  # another thread asks
        return None
    try:
        shared = plan.shape.sharing(plan.changed)
        own = [
            each for made, stated in bound.posted.items() if made not in shared for each in stated
        ]
        return compiled.answer(bound.model, own, budget)
    finally:
        compiled.lock.release()


def obstacle(bound: Instance, budget: Budget) -> str:
    """Return why a puzzle is not answered like others whose boards have other values; empty if it
    is.

    Raises Problems, and Stopped.
    """
    shape = watched(bound)
    blank = {
        name: _blank(value) for name, value in bound.data.items() if isinstance(value, Grid | tuple)
    }
    boards, behind = (
        [name for name, value in blank.items() if isinstance(value, Grid)],
        shape.behind(),
    )
    free = frozenset(boards or blank) - shape.fixed
    if shape.differing({**bound.data, **{name: blank[name] for name in free}}) is None:
        free -= behind
    if not free:
        return (
            f"the unknowns depend on {' and '.join(sorted(behind.intersection(boards) or behind))}"
        )
    plan = Likeness(shape, shape.changing(free)[0])
    compiled = compiled_for(plan, shape.bound.model, budget)
    shared = shape.sharing(plan.changed)
    own = (
        each for made, stated in shape.bound.posted.items() if made not in shared for each in stated
    )
    return compiled.why or compiled.refused(own)


_recent: OrderedDict[Compiled, None] = OrderedDict()  # those with solvers, the last used at the end
_recent_lock = Lock()


@atexit.register
def _close_all() -> None:
    """Free the solvers while their library is still there."""
    for each in _recent:
        each.close()


def compiled_for(plan: Likeness, model: Model, budget: Budget) -> Compiled:
    """Return what boards of a shape have in common, compiled; it is made once."""
    key = plan.changed
    found: Compiled | None = plan.shape.compiled.get(key)
    if found is None:
        shared = plan.shape.sharing(key)
        common = [
            each
            for made, stated in plan.shape.bound.posted.items()
            if made in shared
            for each in stated
        ]
        found = plan.shape.compiled[key] = Compiled(
            replace(model, constraints=tuple(common), goal=None), budget
        )
    with _recent_lock:
        _recent[found] = None
        _recent.move_to_end(found)
        while len(_recent) > KEPT_SOLVERS:
            oldest, _ = _recent.popitem(last=False)
            if oldest.lock.acquire(blocking=False):
                oldest.close()
                oldest.lock.release()
    return found


def _blank(value: Any) -> Any:
    """Return a board or a list of the same size without values."""
    return Grid(dict.fromkeys(value.values)) if isinstance(value, Grid) else (None,) * len(value)


def _single(mask: int) -> bool:
    return not mask & (mask - 1)
