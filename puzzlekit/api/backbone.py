"""What all solutions of a puzzle have in common, and what would tell most of which one it is."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from puzzlekit.api.puzzle import Puzzle
from puzzlekit.api.solution import Solution, plain
from puzzlekit.backends.base import Budget, bounded
from puzzlekit.clock import Clock
from puzzlekit.errors import BackendBug, Stopped, Undecided
from puzzlekit.lang import Family
from puzzlekit.lang.expressions.values import Stacked
from puzzlekit.limits import limits
from puzzlekit.model import Model, Value, Values, Variable
from puzzlekit.query import Bound, Kind, Query
from puzzlekit.solve.search import Search, with_goal
from puzzlekit.solve.solver import solver


@dataclass(frozen=True)
class Telling:
    """What is not the same in all solutions: how many have which value of it, and what that tells of which solution it is."""

    what: str
    values: Counter[str]

    @property
    def bits(self) -> float:
        """The entropy of the value, where each solution is as likely."""
        total = self.values.total()
        return sum(count * math.log2(total / count) for count in self.values.values()) / total


class Backbone:
    """The values that all solutions share (with the name of a goal in the query: all that are best for it).

    `seen` has the values that each visible unknown was seen to take: none where there is no solution, two or more where it is
    open. One that was seen to take one value is `fixed` if it is proven that it takes no other. `solutions` are all that there
    are, some drawn at random, or the first that were found, as `basis` says: all, sample or first. It never raises because it
    could not finish: `status` and `reason` say so, as those of a run do. Raises InputError for a query that is not about all.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        query: Query,
        backend: str = "auto",
        timeout: float | None = None,
        isolated: bool = False,
        clock: Clock | None = None,
    ) -> None:
        query.require_about_all()
        began = time.perf_counter()
        self.puzzle = puzzle
        self.solver = solver(backend, isolated)
        self.clock = clock or Clock(timeout)
        self.budget = Budget.on(self.clock)
        self.goal = None if query.goal is None else puzzle.goal(query.goal)
        self.value: int | None = None
        self.status = "complete"
        self.reason: Exception | None = None
        self.interrupted = False
        self.seen: dict[Variable, dict[Value, None]] = {variable: {} for variable in puzzle.model.visible()}
        self.first: Values | None = None  # a solution, if one was seen
        self.fixed: set[Variable] = set()
        self.solutions: list[Values] = []
        self.basis = "first"
        self.conflict = ""
        try:
            self.clock.hear(self._find)
        except (Stopped, Undecided) as reason:
            self._unfinished(reason)
        except KeyboardInterrupt:
            self.interrupted = True
            self._unfinished(Stopped("interrupted"))
        self.seconds = puzzle.seconds + time.perf_counter() - began

    @property
    def any(self) -> bool:
        """Whether there is a solution, as far as was seen."""
        return self.first is not None

    @property
    def open(self) -> list[Variable]:
        """The unknowns that take several values."""
        return [variable for variable, values in self.seen.items() if len(values) > 1]

    @property
    def unsettled(self) -> list[Variable]:
        """The unknowns of which it is not known whether they take another value than the one seen."""
        return [variable for variable, values in self.seen.items() if len(values) < 2 and variable not in self.fixed]

    def families(self) -> Iterator[Family]:
        """The visible families, with the unknowns for members."""
        return (family for family in self.puzzle.instance.families.values() if any(v in self.seen for v in family))

    def tellings(self) -> list[Telling]:
        """What differs between the solutions at hand, most informative first; among equals, what the type shows comes first."""
        columns: dict[str, Counter[str]] = {}
        for values in self.solutions:
            for what, value in (*self._shown(values), *((v.name, values[v]) for v in self.open)):
                columns.setdefault(what, Counter())[str(plain(value))] += 1
        found = [Telling(what, counts) for what, counts in columns.items() if counts.total() == len(self.solutions)]
        return sorted((telling for telling in found if len(telling.values) > 1), key=lambda telling: -round(telling.bits, 9))

    def _shown(self, values: Values) -> Iterator[tuple[str, object]]:
        for name, shown in Solution(self.puzzle.instance, values).shown.items():
            parts = enumerate(shown) if isinstance(shown, tuple | list) else ()
            yield from ((f"{name}[{place}]", part) for place, part in parts if not isinstance(part, Stacked | tuple))

    def _find(self) -> None:
        model = self._model()
        if model is None:
            return
        search = Search(model, self.solver, self.budget)
        self.conflict = str(search.conflict or "")
        first = next(search.run(Query()), None)
        if first is None:
            return
        if (broken := self.puzzle.instance.check(first)) is not None:
            raise BackendBug(f"{self.solver.name} gave a solution that violates the rule: {broken}")
        self.first = first
        self._see(first)
        if self._list(search):
            self.basis = "all"
            self.fixed = {variable for variable, values in self.seen.items() if len(values) == 1}
            return
        self.fixed |= search.fixed.keys() & self.seen.keys()
        for part in search.parts:
            self._settle(part)
        self._draw(search)

    def _model(self) -> Model | None:
        """The model of the solutions in question; None where it has a goal and no solution."""
        model = with_goal(self.puzzle.model, self.goal)
        if self.goal is None:
            return model
        search = Search(model, self.solver, self.budget)
        self.conflict = str(search.conflict or "")
        best = None
        for values in search.run(Query(Kind.OPTIMISE)):
            best = self.goal.term.value(values)
        self.value = best
        return None if best is None else bounded(model, Bound(best, optimal=True))

    def _see(self, values: Values) -> None:
        for variable, seen in self.seen.items():
            if variable in values:
                seen[values[variable]] = None

    def _list(self, search: Search) -> bool:
        """List the solutions, as far as they are few and come quickly; whether that was all."""
        search.budget = self.budget.until(limits().reporting.listing_seconds)
        try:
            for values in search.run(Query()):
                if len(self.solutions) == limits().reporting.listed_solutions:
                    return False
                self.solutions.append(values)
                self._see(values)
        except (Stopped, Undecided):
            self.budget.check()
            return False
        finally:
            search.budget = self.budget
        return True

    def _settle(self, part: Model) -> None:
        """See for each unknown of a part whether it takes another value than the one seen."""
        for variable in part.visible():
            seen = self.seen[variable]
            if not part.constraints:
                seen.update(dict.fromkeys(part.domains[variable]))
            if len(seen) > 1:
                continue
            others = tuple(value for value in part.domains[variable] if value not in seen)
            try:
                other = next(self._with(part, variable, others), None) if others else None
            except Undecided as reason:
                self._unfinished(reason)
                continue
            if other is None:
                self.fixed.add(variable)
            else:
                self._see(other)

    def _with(self, part: Model, variable: Variable, values: tuple[Value, ...]) -> Iterator[Values]:
        """The solutions of a part in which a variable has one of these values."""
        narrowed = replace(part, domains={**part.domains, variable: values})
        return Search(narrowed, self.solver, self.budget).run(Query())

    def _draw(self, search: Search) -> None:
        """Draw solutions at random in place of the first ones, if that comes quickly."""
        search.budget = self.budget.until(limits().reporting.drawing_seconds)
        try:
            self.solutions = list(search.run(Query(Kind.SAMPLE, limits().reporting.listed_solutions, seed=0)))
            self.basis = "sample"
        except (Stopped, Undecided):
            return

    def _unfinished(self, reason: Exception) -> None:
        self.reason = reason
        self.status = "stopped" if isinstance(reason, Stopped) else "undecided"
