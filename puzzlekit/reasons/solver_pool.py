"""A bounded set of native solvers: the least recently used one is freed, and built anew when it is
needed again.

A native solver maps megabytes before its first clause, and a puzzle has hundreds of small sets of
clauses. Whoever has such a set holds no solver, but takes it from the pool for each question:

    solver = POOL.solver(self, lambda: IncrementalSolver(self.clauses))

The owner, here `self`, stands for the set of clauses: the next call with it returns the same solver
as long as it has not been freed.

- Hold the solver in a local variable during a question, as `model` and `core` are about its last
  call. A solver that is held is not freed, even if it is the least recently used one.
- Add a clause to the set of the owner, too: a solver that is built anew has only what `build`
  states.
- Which model, core or unit consequence a solver returns depends on its earlier calls, and a freed
  solver has forgotten them. An answer that is shown must depend on the clauses alone, as
  `is_satisfiable`, `shrink` and `entailed` do. A search whose answers may depend on its calls, such
  as one from a seed, has a solver outside of the pool.
- An owner compares by identity, and can be referenced weakly: its solver is freed with it.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from weakref import WeakKeyDictionary

from puzzlekit.backends import IncrementalSolver, free_if_short

MOST_SOLVERS = 16  # each maps 4 MB at least


class SolverPool:
    """The solvers of sets of clauses, most of which are not in use.

    Args:
        most: The most solvers that are retained.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()  # several threads may explain puzzles
        # the least recently used solver comes first
        self._solvers: WeakKeyDictionary[object, IncrementalSolver] = WeakKeyDictionary()

    def __len__(self) -> int:
        return len(self._solvers)

    def solver(self, owner: object, build: Callable[[], IncrementalSolver]) -> IncrementalSolver:
        """Return the solver of an owner, which is built if it is not in the pool."""
        with self._lock:
            solver = self._solvers.pop(owner, None)
        if solver is None:
            solver = build()
        with self._lock:
            self._solvers[owner] = solver
            while len(self._solvers) > self._most:
                del self._solvers[next(iter(self._solvers))]
        return solver

    def clear(self) -> None:
        """Free all solvers that are not held."""
        with self._lock:
            self._solvers.clear()


POOL = SolverPool(MOST_SOLVERS)
free_if_short(POOL.clear)
