"""Unit propagation over clauses and cardinality constraints, in native code.

Liffiton and Maglalang, "A cardinality solver: more expressive constraints for free" (2012).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb

import pysolvers
from pysat.solvers import Minicard

MANY_CLAUSES = 1_000  # of a guarded count


class CountPropagator:
    """Cardinality constraints, and calls that propagate assumption literals through them.

    Attributes:
        is_complete: Whether all constraints could be stated. If not, less than all may follow.
    """

    def __init__(self) -> None:
        self._solver = Minicard()
        self.is_complete = True

    def establish(self, literals: Iterable[int]) -> None:
        """Let literals hold from now on."""
        for literal in literals:
            self._solver.add_clause([literal])

    def add_count(
        self, literals: Sequence[int], low: int, high: int, guard: int | None = None
    ) -> None:
        """State that between `low` and `high` of some literals are true, if the guard is true."""
        negations = [-literal for literal in literals]
        self._add_at_most(literals, high, guard)
        self._add_at_most(negations, len(literals) - low, guard)

    def _add_at_most(self, literals: Sequence[int], high: int, guard: int | None) -> None:
        if high >= len(literals):
            return
        if guard is None:
            self._solver.add_atmost(list(literals), max(high, 0))
        elif comb(len(literals), high + 1) > MANY_CLAUSES:
            self.is_complete = False
        else:
            for excess in combinations(literals, high + 1):
                self._solver.add_clause([-guard, *(-literal for literal in excess)])

    def propagate(self, assumed: Sequence[int]) -> list[int] | None:
        """Return the literals that follow by unit propagation; None if it finds a conflict."""
        phase_saving, in_main_thread = 0, 0
        is_consistent, literals = pysolvers.minicard_propagate(
            self._solver.minicard, assumed, phase_saving, in_main_thread
        )
        return list(literals or ()) if is_consistent else None
