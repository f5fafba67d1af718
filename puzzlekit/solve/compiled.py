"""Types compiled once for a shape of boards; the next puzzle only changes the assumptions.

What a puzzle has in common with other boards of its shape (`lang/rebinding.py`) is presolved and
lowered once. Its other constraints are added: a condition on one unknown as a mask, any other as
clauses under a selector literal, which stay for the next puzzle that has the same constraint. An
answer is used only if it is certain that search alone gives the same: a solution that is proven to
be the only one, found by the backend that `auto` would have chosen. Every other puzzle is searched
as usual.

This is partial evaluation (Jones, Gomard and Sestoft, 1993): what a shape has in common is static.
"""

from __future__ import annotations

import atexit
from collections import OrderedDict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from puzzlekit.backends import Budget
from puzzlekit.boards import Grid
from puzzlekit.clock import PRESOLVE
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import MissingExtra, Unsupported
from puzzlekit.lang import Instance, Likeness, watched
from puzzlekit.model import (
    Comparison,
    Constant,
    Constraint,
    Model,
    Values,
    Variable,
    key_of,
)
from puzzlekit.presolve import Addition, BasePresolve, Inconsistent, NotReusable, split
from puzzlekit.python_settings import gc_paused
from puzzlekit.query import Task
from puzzlekit.solve.auto import PLANS, REACHED_AREAS, enumeration_plan

if TYPE_CHECKING:
    from puzzlekit.backends import UniqueSolutionSolver

BACKEND = "sat"
# the plans that begin with the backend; a search that outlasts its trial is given up before
LISTED = [((), plan) for plan in PLANS[Task.ENUMERATE].values() if plan[0][0] == BACKEND]
CACHED_ADDITIONS, CACHED_MASKS = 20_000, 50_000
CACHED_SOLVERS = 8  # of all types together
CHECKED_IN_FULL = 5  # solutions of a shape on which the text of all rules is run
# puzzles without an answer, above those with one, after which a shape is not asked any more
VAIN = 3

Signature = Hashable


@dataclass(frozen=True)
class UniqueSolution:
    """The only solution of a puzzle.

    Attributes:
        values: The value of each unknown.
        by: The backend that found it; "presolve" if nothing was left to search.
        known: Whether several puzzles of the same shape were solved before.
    """

    values: Values
    by: str
    seen_before: bool


@dataclass
class ConditionalAddition:
    """What a constraint adds.

    Attributes:
        addition: Its masks and propagators.
        literal: Its selector literal, once a search needed that.
        assumed: The literals that state it, once a board is searched directly.
    """

    addition: Addition
    literal: int = 0
    assumed: list[int] | None = None


class Compiled:
    """What boards of a shape have in common, compiled.

    Attributes:
        reason: Why puzzles are not answered in this way; empty if they are.
    """

    def __init__(self, model: Model, budget: Budget) -> None:
        self.reason = ""
        self.lock = Lock()
        self._vain = 0
        self._answered = 0
        self._additions: dict[Signature, ConditionalAddition] = {}
        # by a variable and its mask: the literals that restrict it to the values of the mask
        self._mask_literals: dict[tuple[Variable, int], list[int]] = {}
        self._solver: UniqueSolutionSolver | None = None
        # whether a board was searched by the backend, as `auto` would have it
        self._is_searched = False
        try:
            with gc_paused(), budget.clock.stage(PRESOLVE):
                self._shared = BasePresolve(model, budget.check)
        except NotReusable as reason:
            self.reason = str(reason)
        except Inconsistent as conflict:
            self.reason = str(conflict)
        else:
            masks = self._shared.masks.items()
            self._undecided = [variable for variable, mask in masks if not _single(mask)]

    def answer(
        self, model: Model, additions: Sequence[Constraint], budget: Budget
    ) -> UniqueSolution | None:
        """Return the only solution of a puzzle with these additional constraints.

        Returns None if it is not found in this way.
        """
        if self.reason:
            return None
        try:
            with gc_paused():
                self._make_room()
                assumed = self._assumed(additions, budget) if self._is_searched else None
                if assumed is None:
                    solution = self._solved(model, additions, budget)
                else:
                    solution = self._found(model, assumed, self._undecided, budget)
        except (NotReusable, Inconsistent, Unsupported, MissingExtra):
            solution = None
        except BaseException:  # a Ctrl-C may have come at any moment
            self.reason = "it was interrupted"
            raise
        if solution is None:
            self._vain += 1
            if self._vain > VAIN:
                self.reason = "its boards have several solutions, or none, or need a longer search"
                self.close()
            return None
        self._vain = max(-VAIN, self._vain - 1)
        self._answered += 1
        return replace(solution, seen_before=self._answered > CHECKED_IN_FULL)

    def _solved(
        self, model: Model, additions: Sequence[Constraint], budget: Budget
    ) -> UniqueSolution | None:
        with budget.clock.stage(PRESOLVE):
            self._shared.store.domains.check = budget.check
            conditional = [self._conditional(constraint) for constraint in additions]
            added = (addition.addition for addition in conditional)
            with self._shared.propagated(added) as masks:
                fixed = {
                    variable: domain[masks[variable].bit_length() - 1]
                    for variable, domain in model.domains.items()
                    if _single(masks[variable])
                }
                if len(fixed) == len(model.domains):
                    return UniqueSolution(fixed, "presolve", False)
                undecided = [variable for variable in model.domains if variable not in fixed]
                if not self._goes_to_sat(masks, undecided):
                    return None
                common = self._shared.masks
                changed = {
                    variable: mask for variable, mask in masks.items() if mask != common[variable]
                }
        self._is_searched = True
        assumed = self._stated(conditional, changed, budget)
        return self._found(model, assumed, undecided, budget)

    def _found(
        self, model: Model, assumed: list[int], undecided: Sequence[Variable], budget: Budget
    ) -> UniqueSolution | None:
        """Return the only solution under assumed literals; None if it is not found at once."""
        values = self._ready(budget).only(assumed, undecided)
        if values is None:
            return None
        ordered = {variable: values[variable] for variable in model.domains}
        return UniqueSolution(ordered, BACKEND, False)

    def _assumed(self, additions: Iterable[Constraint], budget: Budget) -> list[int] | None:
        """Return the literals that state constraints without propagating them.

        Returns None if that takes the clauses of a sum that no board has needed.
        """
        clauses = self._ready(budget).clauses
        assumed: list[int] = []
        for constraint in additions:
            condition = constraint.condition
            if type(condition) is Comparison and condition.operator == "==":  # the most frequent
                variable, value = condition.left, condition.right
                if type(variable) is Variable and type(value) is Constant:
                    assumed.append(clauses.literal(variable, value.constant))
                    continue
            conditional = self._conditional(constraint)
            if conditional.assumed is None:
                if not conditional.literal and conditional.addition.is_long:
                    return None
                masks = dict(conditional.addition.masks)
                conditional.assumed = self._stated([conditional], masks, budget)
            assumed += conditional.assumed
        return assumed

    def refused(self, additions: Iterable[Constraint]) -> str:
        """Return why one of these constraints cannot be added; empty if all can."""
        try:
            for constraint in additions:
                self._conditional(constraint)
        except NotReusable as reason:
            return str(reason)
        except Inconsistent:
            return ""  # there is no solution
        return ""

    def _conditional(self, constraint: Constraint) -> ConditionalAddition:
        try:
            signature = key_of(constraint.condition)
        except TypeError as problem:
            raise NotReusable(str(problem)) from None
        addition = self._additions.get(signature)
        if addition is None:
            addition = ConditionalAddition(self._shared.addition(constraint))
            self._additions[signature] = addition
        return addition

    def _goes_to_sat(self, masks: Mapping[Variable, int], undecided: Sequence[Variable]) -> bool:
        """Return whether `auto` gives what is left to the same backend.

        It is called while the puzzle is propagated.
        """
        if self._shared.open_are_covered(masks, undecided, REACHED_AREAS):
            return True
        _, components = split(self._shared.remaining())
        return all(
            component.constraints and enumeration_plan(component) in LISTED
            for component in components
        )

    def _stated(
        self,
        additions: Sequence[ConditionalAddition],
        masks: Mapping[Variable, int],
        budget: Budget,
    ) -> list[int]:
        """Return the literals that state additions, and restrict variables to masks."""
        solver = self._ready(budget)
        assumed = []
        for conditional in additions:
            constraints = conditional.addition.constraints
            if constraints and not conditional.literal:
                with budget.building():
                    conditional.literal = solver.half_reify(constraints)
            if conditional.literal:
                assumed.append(conditional.literal)
        for pair in masks.items():
            literals = self._mask_literals.get(pair)
            if literals is None:
                literals = self._literals_of_mask(solver, *pair)
                self._mask_literals[pair] = literals
            assumed += literals
        return assumed

    def _literals_of_mask(
        self, solver: UniqueSolutionSolver, variable: Variable, mask: int
    ) -> list[int]:
        """Return the literals that restrict a variable to the values of a mask."""
        values = self._shared.store.domains.values[variable]
        clauses = solver.clauses
        if _single(mask):
            value = values[mask.bit_length() - 1]
            return [clauses.literal(variable, value)]
        literals = clauses.literals[variable]
        if len(literals) < 3:
            return []
        remaining = {value for code, value in enumerate(values) if mask >> code & 1}
        pairs = zip(literals, clauses.domains[variable])
        return [-literal for literal, value in pairs if value not in remaining]

    def _ready(self, budget: Budget) -> UniqueSolutionSolver:
        """Return the solver, which works under this budget."""
        # when it is needed: its library takes long to load
        from puzzlekit.backends import UniqueSolutionSolver

        if self._solver is None:
            with budget.building():
                self._solver = UniqueSolutionSolver(self._shared.model, budget)
        self._solver.under(budget)
        return self._solver

    def _make_room(self) -> None:
        """Close a solver that has grown too large, before a puzzle takes literals from it."""
        is_full = self._solver is not None and self._solver.clauses.top > self._solver.room
        is_full |= len(self._additions) >= CACHED_ADDITIONS
        is_full |= len(self._mask_literals) >= CACHED_MASKS
        if is_full:
            self.close()

    def close(self) -> None:
        """Free the memory of the solver, and forget what was added for single puzzles."""
        if self._solver is not None:
            self._solver.close()
        self._solver = None
        self._additions.clear()
        self._mask_literals.clear()


def only_solution(bound: Instance, budget: Budget) -> UniqueSolution | None:
    """Return the only solution of a puzzle, if others of its shape are compiled.

    Returns None if it is not found at once.
    """
    plan = bound.plan
    if not isinstance(plan, Likeness):
        return None
    compiled = compiled_for(plan, bound.model, budget)
    if compiled.reason or not compiled.lock.acquire(blocking=False):  # another thread asks
        return None
    try:
        shared = plan.shape.sharing(plan.changed)
        _, additions = _shared_and_added(bound, shared)
        return compiled.answer(bound.model, additions, budget)
    finally:
        compiled.lock.release()


def _shared_and_added(
    bound: Instance, shared: Collection[int]
) -> tuple[list[Constraint], list[Constraint]]:
    """Return the constraints that a puzzle shares with others of its shape, and its other ones."""
    common: list[Constraint] = []
    additions: list[Constraint] = []
    for statement, constraints in bound.posted.items():
        if statement in shared:
            common += constraints
        else:
            additions += constraints
    return common, additions


def obstacle(bound: Instance, budget: Budget) -> str:
    """Return why a puzzle is not answered like others whose boards have other values.

    Returns an empty string if it is. Raises Problems, and Stopped.
    """
    shape = watched(bound)
    blank = {
        name: _blank(value) for name, value in bound.data.items() if isinstance(value, Grid | tuple)
    }
    boards = [name for name, value in blank.items() if isinstance(value, Grid)]
    behind = shape.behind()
    free = frozenset(boards or blank) - shape.fixed
    emptied = {name: blank[name] for name in free}
    if shape.differing({**bound.data, **emptied}) is None:
        free -= behind
    if not free:
        names = sorted(behind.intersection(boards) or behind)
        return f"the unknowns depend on {' and '.join(names)}"
    plan = Likeness(shape, shape.changing(free)[0])
    compiled = compiled_for(plan, shape.bound.model, budget)
    if compiled.reason:
        return compiled.reason
    _, additions = _shared_and_added(shape.bound, shape.sharing(plan.changed))
    return compiled.refused(additions)


_recent: OrderedDict[Compiled, None] = OrderedDict()  # those with solvers, the last used at the end
_recent_lock = Lock()


@atexit.register
def _close_all() -> None:
    """Free the solvers while their library is still there."""
    for compiled in _recent:
        compiled.close()


def compiled_for(plan: Likeness, model: Model, budget: Budget) -> Compiled:
    """Return what boards of a shape have in common; it is compiled once."""
    key = plan.changed
    compiled: Compiled | None = plan.shape.compiled.get(key)
    if compiled is None:
        common, _ = _shared_and_added(plan.shape.bound, plan.shape.sharing(key))
        compiled = Compiled(replace(model, constraints=tuple(common), goal=None), budget)
        plan.shape.compiled[key] = compiled
    with _recent_lock:
        _recent[compiled] = None
        _recent.move_to_end(compiled)
        while len(_recent) > CACHED_SOLVERS:
            oldest, _ = _recent.popitem(last=False)
            if oldest.lock.acquire(blocking=False):
                oldest.close()
                oldest.lock.release()
    return compiled


def _blank(value: Any) -> Any:
    """Return a board or a list of the same size without values."""
    if isinstance(value, Grid):
        return Grid(dict.fromkeys(value.values))
    return (None,) * len(value)


def _single(mask: int) -> bool:
    return not mask & (mask - 1)
