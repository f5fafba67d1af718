"""The report of work on a puzzle that need not finish."""

from __future__ import annotations

from copy import copy

from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.backends import Budget
from puzzlekit.errors import BackendBug, InputError, Stopped, Unsupported, bare, option, status_of
from puzzlekit.model import Model
from puzzlekit.query import Query
from puzzlekit.solve import ModelSearch, Solver, solver


def solver_for(query: Query, backend: str, isolated: bool) -> Solver:
    """Return the solver of a query.

    Raises:
        InputError: The query is none, or there is no such backend.
    """
    if not isinstance(query, Query):
        raise InputError(
            f"expected a Query, got {query!r}", help="write for example Query(limit=1)"
        )
    if not isinstance(backend, str):
        raise InputError(f"{option('backend')} requires the name of a backend, got {backend!r}")
    return solver(backend, isolated)


class Outcome:
    """The report of work on a puzzle that need not finish: of a run, or of a backbone.

    Attributes:
        status: How it ended, as `Run` says.
        reason: The error that ended it early; None if it is complete.
        interrupted: Whether a Ctrl-C ended it.
        conflict: Why presolve proves that there is no solution; empty if it does not.
    """

    def __init__(self, puzzle: LoadedPuzzle, query: Query, by: Solver, budget: Budget) -> None:
        self.puzzle = puzzle
        self.query = query
        self.solver = by
        self.clock = budget.clock
        self.budget = budget
        self.searches: list[ModelSearch] = []
        self.status = "complete"
        self.reason: Exception | None = None
        self.interrupted = False
        self.conflict = ""
        self.answered_by = ""  # the backend, if the puzzle was answered like others of its shape
        self.value: int | None = None

    @property
    def any(self) -> bool:
        """Whether a solution was found or counted."""
        raise NotImplementedError

    @property
    def solved_by(self) -> str:
        """The backend that searched, or "presolve" if that left nothing to search."""
        if self.answered_by:
            return self.answered_by
        searched = any(search.asked for search in self.searches)
        nothing_happened = not self.searches and not self.any
        return self.solver.name if searched or nothing_happened else "presolve"

    def search(self, model: Model) -> ModelSearch:
        """Begin a search, in which presolve may prove that there is no solution."""
        search = ModelSearch(model, self.solver, self.budget, self.query.presolve)
        self.searches.append(search)
        if search.conflict:
            self.conflict = str(search.conflict)
        return search

    def end_early(self, reason: Exception) -> None:
        """Record what ended the work."""
        self.reason = bare(reason)
        self.status = status_of(reason)

    def of_backend(self, bug: BackendBug) -> BackendBug:
        """Return the defect with the name of the backend that it showed in."""
        return BackendBug(f"the backend {self.solver.name}: {bug}")

    def interrupt(self) -> None:
        """Record a Ctrl-C."""
        self.interrupted = True
        self.end_early(Stopped("interrupted"))

    def raise_unsupported(self) -> None:
        """Raise the reason if the backend does not support the puzzle."""
        if isinstance(self.reason, Unsupported):
            raise copy(self.reason)  # a raised error refers to its callers, and so to this report
