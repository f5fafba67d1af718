"""An incremental SAT solver, called many times, each time under other assumption literals.

Eén and Sörensson, "Temporal induction by incremental SAT solving" (2003).

python-sat must not handle Ctrl-C: in the main thread, its handler leaves the solver by a jump, in a
state that is undefined. It does not in a call that may be interrupted or is in another thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pysolvers
from pysat.solvers import Minisat22

from puzzlekit import clock
from puzzlekit.backends.base import Budget
from puzzlekit.backends.solver_bounds import bound_conflicts
from puzzlekit.backends.watching import LONGEST_TURN, watched
from puzzlekit.errors import Stopped
from puzzlekit.python_settings import HAS_THREADS

CONFLICTS = 2_000  # of a call before the clock is looked at; each next turn has twice as many
LONG_SECONDS = 0.03  # of a turn, after which the next one is run in a thread
FREE_BYTES = 24 << 20  # for a solver, which maps 4 MB before its first clause, and a thread
BYTES_OF_LITERAL = 32  # in a clause and the lists that watch it, before and after they are moved

_reliefs: list[Callable[[], None]] = []  # what frees memory


class ConflictBudgetExceeded(Exception):
    """The calls took more conflicts than their budget allows."""


class IncrementalSolver:
    """Clauses, and calls that decide whether they have a model under assumption literals.

    The clauses alone determine whether there is a model. Which model or core is returned also
    depends on the earlier calls, and on nothing else: two solvers with the same calls return the
    same.

    Raises:
        Stopped: The memory is used up. The native code would end the process.
    """

    def __init__(self, clauses: Iterable[Sequence[int]] = ()) -> None:
        self._literals = 0  # in all clauses
        self._room = 0  # the literals for which there was memory
        self._require_memory()
        self._solver = Minisat22()
        self._was_long = False  # whether the last turn was
        self.remaining_conflicts: int | None = (
            None  # conflicts of all further questions, about; None for no bound
        )
        self.add(clauses)

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """State more clauses. Raises Stopped."""
        for clause in clauses:
            self._literals += len(clause)
            if self._literals > self._room:
                self._require_memory()
            self._solver.add_clause(clause)

    def _require_memory(self) -> None:
        """Raise Stopped if the clauses so far, and as many again, need more memory than is free."""
        self._room = 2 * self._literals + FREE_BYTES // BYTES_OF_LITERAL
        require_memory(self._room * BYTES_OF_LITERAL)

    def prefer(self, literals: Sequence[int]) -> None:
        """Let a search try these literals first."""
        self._solver.set_phases(literals)

    def is_satisfiable(self, assumed: Sequence[int]) -> bool:
        """Return whether there is a model in which these literals are true.

        Raises Stopped, and ConflictBudgetExceeded.
        """
        conflicts = CONFLICTS
        while True:
            bound_conflicts(self._solver, conflicts)
            answer = self._turn(assumed)
            if answer is not None:
                return answer
            clock.check()
            self._require_memory()
            self.spend(conflicts)
            conflicts *= 2
            if not HAS_THREADS:
                conflicts = min(conflicts, LONGEST_TURN)

    def _turn(self, assumed: Sequence[int]) -> bool | None:
        """Return the answer; None if it takes more conflicts than the solver may have."""

        def call() -> bool | None:
            answer: bool | None = self._solver.solve_limited(assumed, expect_interrupt=True)
            return answer

        began = time.monotonic()
        try:
            if not self._was_long:
                return call()
            return watched(call, self._solver.interrupt, Budget.on(clock.current()))
        finally:
            self._solver.clear_interrupt()
            self._was_long = time.monotonic() - began > LONG_SECONDS

    def spend(self, conflicts: int) -> None:
        """Count work as so many conflicts. Raises ConflictBudgetExceeded."""
        if self.remaining_conflicts is not None:
            self.remaining_conflicts -= conflicts
            if self.remaining_conflicts < 0:
                raise ConflictBudgetExceeded

    @property
    def model(self) -> list[int]:
        """The model of the last question, which was answered by yes: a literal for each number."""
        literals: list[int] = self._solver.get_model()
        return literals

    @property
    def core(self) -> set[int]:
        """A subset of the last assumptions under which there is no model, either."""
        return set(self._solver.get_core() or ())

    def propagate(self, assumed: Sequence[int]) -> list[int] | None:
        """Return the literals that follow by unit propagation; None if it finds a conflict."""
        phase_saving, in_main_thread = 0, 0
        solver = self._solver.minisat
        is_consistent, literals = pysolvers.minisat22_propagate(
            solver, assumed, phase_saving, in_main_thread
        )
        return list(literals or ()) if is_consistent else None

    def close(self) -> None:
        """Free its memory."""
        self._solver.delete()


def free_if_short(free: Callable[[], None]) -> None:
    """Let a function free memory before a lack of it is reported."""
    _reliefs.append(free)


def require_memory(size: int) -> None:
    """Raise Stopped if the process may not have so many more bytes, even after all is freed."""
    if _is_free(size):
        return
    for free in _reliefs:
        free()
    if not _is_free(size):
        raise Stopped("the memory is used up")


def _is_free(size: int) -> bool:
    try:
        np.empty(size, dtype=np.uint8)  # allocated, and not touched
    except MemoryError:
        return False
    return True
