"""What all solutions of a puzzle share, and which differences are most informative."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from puzzlekit.api.outcome import Outcome, solver_for
from puzzlekit.api.solution import LoadedPuzzle, Solution
from puzzlekit.api.values import plain
from puzzlekit.backends import Budget, bounded
from puzzlekit.clock import Clock, choose_clock
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import BackendBug, Stopped, Undecided, Unsupported
from puzzlekit.lang import Stacked, VariableArray
from puzzlekit.model import Model, Value, Values, Variable, as_dict
from puzzlekit.query import ObjectiveBound, Query, Task
from puzzlekit.solve import ModelSearch, with_goal

LISTING_SECONDS = 10.0  # for listing the solutions
DRAWING_SECONDS = 5.0  # for drawing a sample of them
LISTED_SOLUTIONS = 1_000  # for a backbone; if there are more, a sample of that size


@dataclass(frozen=True)
class Difference:
    """What differs between solutions, and the number of solutions with each value.

    Attributes:
        subject: The name of an unknown, or of a member of an output.
        values: The number of solutions with each value.
    """

    subject: str
    values: Counter[str]

    @property
    def bits(self) -> float:
        """The entropy of the value, if all solutions are equally likely."""
        total = self.values.total()
        weighted = (count * math.log2(total / count) for count in self.values.values())
        return sum(weighted) / total


class Backbone(Outcome):
    """The values that all solutions share; with a goal in the query, all optimal solutions.

    `seen` holds the values found for each visible unknown: none if there is no solution, two or
    more if the unknown is open. An unknown with one value is `fixed` if it is proven to take no
    other. `basis` says which solutions are in `solutions`: all of them, a random sample, or the
    first that were found. `witnesses` are solutions in which each open unknown takes different
    values. If the search does not finish, `status` and `reason` say why, as in a run. Raises
    InputError for a query that is not about all solutions.
    """

    def __init__(
        self,
        puzzle: LoadedPuzzle,
        query: Query,
        backend: str = "auto",
        timeout: float | None = None,
        clock: Clock | None = None,
        isolated: bool = False,
    ) -> None:
        began = time.perf_counter()
        by = solver_for(query, backend, isolated)  # the time begins when its library is loaded
        query.require_about_all()
        super().__init__(puzzle, query, by, Budget.on(choose_clock(timeout, clock)))
        self.goal = None if query.goal is None else puzzle.goal(query.goal)
        self.seen: dict[Variable, dict[Value, None]] = {
            variable: {} for variable in puzzle.model.visible()
        }
        self.first: Values | None = None  # a solution, if one was seen
        self.fixed: set[Variable] = set()
        self.witnesses: list[Values] = []
        self.solutions: list[Values] = []
        self.basis = "first"
        try:
            with self.clock.running():
                self._find()
        except (Stopped, Undecided, Unsupported) as reason:
            self.end_early(reason)
        except BackendBug as bug:
            raise self.of_backend(bug) from bug
        except KeyboardInterrupt:
            self.interrupt()
        self.seconds = puzzle.seconds + time.perf_counter() - began

    @property
    def any(self) -> bool:
        """Whether a solution was found."""
        return self.first is not None

    @property
    def open(self) -> list[Variable]:
        """The unknowns that take several values."""
        return [variable for variable, values in self.seen.items() if len(values) > 1]

    @property
    def unsettled(self) -> list[Variable]:
        """The unknowns that may or may not take a value other than the one found."""
        return [
            variable
            for variable, values in self.seen.items()
            if len(values) < 2 and variable not in self.fixed
        ]

    def families(self) -> Iterator[VariableArray]:
        """Yield the families of visible unknowns."""
        for family in self.puzzle.instance.families.values():
            if any(variable in self.seen for variable in family):
                yield family

    def differences(self) -> list[Difference]:
        """Return the differences, most informative first; among equals, outputs first."""
        columns: dict[str, Counter[str]] = {}
        for values in self.solutions:
            row = dict(self._outputs(values))
            row |= {variable.name: values[variable] for variable in self.open}
            for subject, value in row.items():
                columns.setdefault(subject, Counter())[str(plain(value))] += 1
        differences = []
        for subject, counts in columns.items():
            in_each = counts.total() == len(self.solutions)
            if in_each and len(counts) > 1:
                differences.append(Difference(subject, counts))
        return sorted(differences, key=lambda difference: -round(difference.bits, 9))

    def _outputs(self, values: Values) -> Iterator[tuple[str, object]]:
        """Yield the single values in the outputs of a solution, with their names."""
        for name, output in Solution(self.puzzle.instance, values).outputs.items():
            for index, member in _members(output):
                if not isinstance(member, Stacked | tuple):
                    yield f"{name}[{index}]", member

    def _find(self) -> None:
        model = self._model()
        if model is None:
            return
        search = self.search(model)
        first = next(search.run(Query()), None)
        if first is None:
            return
        violated = self.puzzle.instance.check(first)
        if violated is not None:
            raise BackendBug(f"a solution violates the rule: {violated}")
        self.first = first
        self._see(first)
        if self._list(search):
            self.basis = "all"
            self.fixed = {variable for variable, values in self.seen.items() if len(values) == 1}
            return
        self.fixed |= search.fixed.keys() & self.seen.keys()
        for component in search.components:
            self._settle(component)
        self._draw(search)

    def _model(self) -> Model | None:
        """Return the model of all solutions, or of the optimal ones; None if there are none."""
        model = with_goal(self.puzzle.model, self.goal)
        if self.goal is None:
            return model
        search = self.search(model)
        best = None
        for values in search.run(Query(Task.OPTIMISE)):
            best = self.goal.term.value(values)
        self.value = best
        return None if best is None else bounded(model, ObjectiveBound(best, optimal=True))

    def _see(self, values: Values) -> None:
        """Note the values of a solution, or of a component of one."""
        is_new = False
        for variable, seen in self.seen.items():
            if variable in values and values[variable] not in seen:
                seen[values[variable]] = None
                is_new = True
        if is_new:
            self.witnesses.append({**as_dict(self.first or {}), **as_dict(values)})

    def _list(self, search: ModelSearch) -> bool:
        """List the solutions if they are few and quickly found; return whether these are all."""
        search.budget = self.budget.with_slice_of(LISTING_SECONDS)
        try:
            for values in search.run(Query()):
                if len(self.solutions) == LISTED_SOLUTIONS:
                    return False
                self.solutions.append(values)
                self._see(values)
        except (Stopped, Undecided):
            self.budget.check()
            return False
        finally:
            search.budget = self.budget
        return True

    def _settle(self, component: Model) -> None:
        """Determine for each unknown of a component whether it takes another value."""
        domains = component.domains
        if not component.constraints:
            last_values = {
                variable: value for variable in component.visible() for value in domains[variable]
            }
            self._see(last_values)
        for variable in component.visible():
            seen = self.seen[variable]
            if not component.constraints:
                seen.update(dict.fromkeys(domains[variable]))
            if len(seen) > 1:
                continue
            unseen = tuple(value for value in domains[variable] if value not in seen)
            try:
                witness = self._witness(component, variable, unseen)
            except Undecided as reason:
                self.end_early(reason)
                continue
            if witness is None:
                self.fixed.add(variable)
            else:
                self._see(witness)

    def _witness(
        self, component: Model, variable: Variable, values: tuple[Value, ...]
    ) -> Values | None:
        """Return a solution of a component in which a variable has one of these values, if any."""
        if not values:
            return None
        restricted = replace(component, domains={**component.domains, variable: values})
        search = ModelSearch(restricted, self.solver, self.budget, self.query.presolve)
        return next(search.run(Query()), None)

    def _draw(self, search: ModelSearch) -> None:
        """Replace the first solutions with a random sample, if it is quickly drawn."""
        search.budget = self.budget.with_slice_of(DRAWING_SECONDS)
        query = Query(Task.SAMPLE, LISTED_SOLUTIONS, seed=0, uniform=True)
        try:
            self.solutions = list(search.run(query))
            self.basis = "sample"
        except (Stopped, Undecided):
            return


def _members(output: object) -> Iterable[tuple[object, object]]:
    """Return the members of an output, each with its index; none of a single value."""
    match output:
        case tuple() | list():
            return enumerate(output)
        case Mapping():
            return output.items()
        case VariableArray(members=members) if output.arity:
            return members.items()
        case _:
            return ()
