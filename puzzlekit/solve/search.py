"""From a model to checked solutions: presolve, split, solve each component, combine, check."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from operator import is_not
from random import Random
from typing import Any

from puzzlekit.backends.base import Budget, bounded
from puzzlekit.clock import PRESOLVE
from puzzlekit.errors import (
    FunctionError,
    InputError,
    Problem,
    Problems,
    Stopped,
    Undecided,
    Unsupported,
    bare,
)
from puzzlekit.lowering.cover_decoder import SolutionBlocks
from puzzlekit.model import (
    Apply,
    Constant,
    Layered,
    Model,
    Objective,
    Term,
    Value,
    Values,
    Variable,
)
from puzzlekit.presolve.components import split
from puzzlekit.presolve.domains import Inconsistent
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.python_settings import collector_at_rest
from puzzlekit.query import ObjectiveBound, Presolve, Query, Task
from puzzlekit.solve.counting import count_all_different, count_multicover, draws_all_different
from puzzlekit.solve.ranking import CachedStream, combined, in_order, product
from puzzlekit.solve.solution_checker import checked_solutions
from puzzlekit.solve.solvers import Solver

LISTED_FILLINGS = 40  # of a block that is not too large
EXACT_SECONDS = 0.3  # of processor time, for the first trial to count or list all
NEARLY_SECONDS = 0.6  # for the first trial to draw without that
TUNED_BLOCKS = 10  # of unknowns that are opened and filled anew, to find their size
REFILLED_BLOCKS = 10  # for each draw
TRIAL_GROWTH = 4  # of these seconds after each pair of trials
BLOCK_GROWTH = 1.25  # of the size while it is tuned

Components = Sequence[Model]


class ModelSearch:
    """The search for a model's solutions.

    The model is presolved and split once, then queried component by component. Without presolve,
    it is one component, and the backend itself answers every query about it.
    """

    def __init__(
        self, model: Model, solver: Solver, budget: Budget, level: Presolve = Presolve.FULL
    ) -> None:
        self.model = model
        self.level = level
        self._undivided = False  # whether the backend gets the whole model
        self.solver = solver
        self.budget = budget
        self.conflict: Inconsistent | None = None
        self.uniform = True  # whether the sample is exactly uniform
        self.asked = False  # whether presolve left anything for the solver
        self.fixed: dict[Variable, Value] = {}
        self.components: Components = ()
        self.optimum: dict[Model, int] = {}  # the proven optimum of each component's goal
        self._commons: Sequence[Values] = ()  # the shared values of the components' last solutions,
        self._common: Values = self.fixed  # and these merged with the fixed values
        try:
            with collector_at_rest(), budget.clock.stage(PRESOLVE):
                made = presolve(model, budget.check, level)
                self._undivided = level is Presolve.NONE and bool(made.constraints)
                self.fixed, self.components = ({}, (made,)) if self._undivided else split(made)
            self._common = self.fixed
        except Inconsistent as conflict:
            self.conflict = bare(conflict)
        except FunctionError as error:
            raise _in_rule(model, error) from error

    def run(self, query: Query, budget: Budget | None = None) -> Iterator[Values]:
        """Yield the solutions of a query, each checked. Only a sample applies `limit`.

        A stream that ends is complete; after an optimisation, its last solution is proven optimal.
        Once an optimum is proven, the other kinds of query are about the solutions that reach it. A
        ranking may have its own budget: if that is used up before the best is known, the best found
        is yielded before Stopped is raised.
        """
        match query.task:
            case Task.OPTIMISE:
                return checked_solutions(self.model, self._improve())
            case Task.RANK:
                return checked_solutions(self.model, self._ranked(budget or self.budget))
            case Task.SAMPLE:
                self.uniform = True
                return checked_solutions(
                    self.model, islice(self._draws(Random(query.seed), query.uniform), query.limit)
                )
            case Task.COUNT:
                raise AssertionError("a count returns no solutions")
            case Task.ENUMERATE:
                return checked_solutions(self.model, self._combined(self._component_solutions))

    def count(self) -> int:
        """Return the number of solutions, or of optimal ones once an optimum is proven."""
        return 0 if self.conflict is not None else self._multiplied(self._component_count)

    def _ranked(self, budget: Budget) -> Iterator[Values]:
        if self.conflict is not None:
            return
        self.asked |= any(component.constraints for component in self.components)
        streams = [
            in_order(component, self._component_solutions(component), self.solver, budget)
            for component in self.components
        ]
        for combination in combined(streams):
            yield self._whole(combination)
            budget.check()

    def _combined(self, stream: Callable[[Model], Iterator[Values]]) -> Iterator[Values]:
        if self.conflict is not None:
            return iter(())
        if len(self.components) == 1:
            alone = stream(self.components[0])
            if not self.fixed:
                return alone
            return (
                alone.before(self.fixed)
                if isinstance(alone, SolutionBlocks)
                else map(self._alone, alone)
            )
        return self._joined(stream)

    def _joined(self, stream: Callable[[Model], Iterator[Values]]) -> Iterator[Values]:
        first, rest = (
            self.components[:1],
            self.components[1:],
        )  # the first is read once, so it is not stored
        for combination in product(
            [*map(stream, first), *(CachedStream(stream, component) for component in rest)]
        ):
            self.budget.check()  # components without a backend do not watch the clock
            yield self._whole(combination)

    def _draws(self, random: Random, uniform: bool = True) -> Iterator[Values]:
        """Yield random solutions without end, unchecked; nothing if there is none."""
        if self.conflict is not None:
            return
        draw = self._component_draws if uniform else self._quick_draws
        draws = [
            draw(self._at_optimum(component), Random(random.getrandbits(64)))
            for component in self.components
        ]
        while True:
            self.budget.check()
            drawn = [values for draw in draws for values in islice(draw, 1)]
            if len(drawn) < len(draws):
                return
            yield self._whole(drawn)

    def _at_optimum(self, component: Model) -> Model:
        return (
            bounded(component, ObjectiveBound(self.optimum[component], optimal=True))
            if component in self.optimum
            else component
        )

    def _quick_draws(self, component: Model, random: Random) -> Iterator[Values]:
        """Draw uniformly or nearly uniformly: trials of both take turns, and become longer."""
        exact, nearly = EXACT_SECONDS, NEARLY_SECONDS
        seed = random.getrandbits(64)
        while True:
            draws = self._component_draws(component, Random(seed))
            first = self._first_draw(draws, exact, (Stopped, Undecided, Unsupported))
            if first is None:
                draws = nearly_uniform(component, Random(seed), self._listed)
                first = self._first_draw(draws, nearly, (Stopped,))
                self.uniform &= first is None
            if first is not None:
                yield from chain(first, draws)
                return
            exact, nearly = exact * TRIAL_GROWTH, nearly * TRIAL_GROWTH

    def _first_draw(
        self, draws: Iterator[Values], seconds: float, failures: tuple[type[Exception], ...]
    ) -> list[Values] | None:
        """Return the first draw, if there is one; None if the trial fails. The draws go on without
        a limit.
        """
        budget = self.budget
        self.budget = trial = budget.until(seconds)
        try:
            first = list(islice(draws, 1))
            trial.go_on()
        except failures:
            budget.check()
            if trial.steps is not None and trial.steps < 0:
                raise
            return None
        finally:
            budget.steps = trial.steps
            self.budget = budget
        return first

    def _component_draws(self, component: Model, random: Random) -> Iterator[Values]:
        if not self._undivided and (draws := draws_all_different(component, random)) is not None:
            yield from draws
        elif component.constraints and component.visible():
            yield from self._ask(component, Query(Task.SAMPLE, 1, seed=random.getrandbits(64)))
        else:
            known = list(self._component_solutions(component))
            while known:
                yield random.choice(known)

    def _listed(self, model: Model) -> Iterator[Values]:
        """Yield the solutions of a relaxed component, which is presolved anew, unchecked."""
        search = ModelSearch(model, self.solver, self.budget, self.level)
        return search._combined(search._component_solutions)

    def _multiplied(self, count: Callable[[Model], int]) -> int:
        total = 1
        for component in sorted(self.components, key=lambda component: len(component.constraints)):
            total *= count(component)
            if not total:
                break
        return total

    def _improve(self) -> Iterator[Values]:
        if self.conflict is not None:
            return
        best: list[Values] = []
        for component in self.components:
            first = next(
                self._component_improve(component)
                if component.goal
                else self._component_solutions(component),
                None,
            )
            if first is None:
                return
            best.append(first)
        yield self._whole(best)
        for place, component in enumerate(self.components):
            if component.goal:
                for better in self._component_improve(component):
                    if component.goal.better(
                        component.goal.term.value(better), component.goal.term.value(best[place])
                    ):
                        best[place] = better
                        yield self._whole(best)
                self.optimum[component] = component.goal.term.value(best[place])

    def _alone(self, solution: Values) -> Values:
        """Return the solution of the only component, with the fixed values."""
        if isinstance(solution, Layered):
            return solution.over(self._with_fixed((solution.common,)))
        return Layered(self.fixed, solution)

    def _whole(self, solutions: Sequence[Values]) -> Values:
        """Combine solutions, one a component; values shared with other solutions stay one object."""
        own: dict[Variable, Value] = {}
        common: list[Values] = []
        for solution in solutions:
            if isinstance(solution, Layered):
                own.update(solution.overrides)
                common.append(solution.common)
            else:
                own.update(solution)
        return Layered(self._with_fixed(common), own)

    def _with_fixed(self, common: Sequence[Values]) -> Values:
        """Merge the fixed values with the shared ones; same input objects, same result object."""
        if len(common) != len(self._commons) or any(map(is_not, common, self._commons)):
            self._commons, self._common = common, dict(ChainMap(self.fixed, *map(dict, common)))
        return self._common

    def _query(self, component: Model, kind: Task) -> Query:
        """Return the query about a component: about optimal solutions once the optimum is proven."""
        return Query(
            kind,
            bound=ObjectiveBound(self.optimum[component], optimal=True)
            if component in self.optimum
            else None,
        )

    def _component_solutions(self, component: Model) -> Iterator[Values]:
        if not component.constraints and component not in self.optimum:
            (variable,) = component.domains
            values = (
                component.domains[variable][:1]
                if variable in component.auxiliary
                else component.domains[variable]
            )
            return ({variable: value} for value in values)
        found = self._ask(component, self._query(component, Task.ENUMERATE))
        return found if component.visible() or component in self.optimum else islice(found, 1)

    def _component_count(self, component: Model) -> int:
        if self._undivided:
            return self._backend_count(component)
        if component in self.optimum:
            covers = count_multicover(self._at_optimum(component), self.budget.step)
            return self._backend_count(component) if covers is None else covers
        if not component.constraints or not component.visible():
            return sum(1 for _ in self._component_solutions(component))
        component = replace(component, goal=None)
        alone = count_all_different(component)
        if alone is not None:
            return alone
        covers = count_multicover(component, self.budget.step)
        return self._backend_count(component) if covers is None else covers

    def _backend_count(self, component: Model) -> int:
        (number,) = self._ask(component, self._query(component, Task.COUNT))
        return int(number)

    def _ask(self, component: Model, query: Query) -> Iterator[Any]:
        self.asked = True
        return self.solver.ask(component, query, self.budget)

    def _component_improve(self, component: Model) -> Iterator[Values]:
        return self._ask(component, Query(Task.OPTIMISE))


def with_goal(model: Model, goal: Objective | None) -> Model:
    """Return the model with this goal, or without one."""
    return replace(model, goal=goal)


def _in_rule(model: Model, error: FunctionError) -> InputError:
    """Return the error with the first rule whose call of the function may have failed, if there is
    one.
    """
    for constraint in model.constraints:
        if any(
            call.function.name == error.function
            and _may_equal(call.arguments, error.arguments, model)
            for call in _calls(constraint.condition)
        ):
            return Problems([Problem(f"{constraint.origin}: {error}", constraint.origin.position)])
    return error


def _calls(term: Term) -> Iterator[Apply]:
    if isinstance(term, Apply):
        yield term
    for operand in term.subterms():
        yield from _calls(operand)


def _may_equal(argument: Any, value: Any, model: Model) -> bool:
    """Return whether a term, or a tuple of terms, may have this value."""
    match argument:
        case tuple():
            return len(argument) == len(value) and all(
                _may_equal(*pair, model) for pair in zip(argument, value)
            )
        case Variable():
            return value in model.domains[argument]
        case Constant(constant):
            return bool(constant == value)
        case _:
            return True


# Nearly uniform draws -----------------------------------------------------------------------------


Listed = Callable[[Model], Iterator[Values]]  # lists the solutions of a model


def nearly_uniform(model: Model, random: Random, listed: Listed) -> Iterator[Values]:
    """Yield random solutions without end; nothing if there is none.

    It draws where there are too many to count. A search of the model in random order finds a
    solution; some are more likely than others to be found so. Then a block of random unknowns is
    opened again, a number of times: all ways to fill it are listed, and one is chosen at random
    (Gibbs sampling). If there are too many, nothing changes. Such a step keeps a uniform
    distribution uniform, as long as the size of the block does not depend on the solution. So the
    size is chosen at random below a bound, which only the first draw tunes.

    Fillings are put into one order before one is chosen. So a seed repeats the draws.
    """
    size = len(model.visible()) / 2
    tuned = 0
    while (values := next(listed(_shuffled(model, random)), None)) is not None:
        while tuned < TUNED_BLOCKS:
            tuned += 1
            other = _refilled(model, values, int(size), random, listed)
            size = max(2.0, size / BLOCK_GROWTH) if other is None else size * BLOCK_GROWTH
            values = other or values
        for _ in range(REFILLED_BLOCKS):
            values = (
                _refilled(model, values, random.randint(int(size) // 2, int(size)), random, listed)
                or values
            )
        yield values


def _refilled(
    model: Model, values: Values, size: int, random: Random, listed: Listed
) -> Values | None:
    """Return a random solution that differs in no more than this many unknowns; None if there are
    too many.
    """
    most = LISTED_FILLINGS
    variables = model.visible()
    block = set(random.sample(variables, min(size, len(variables))))
    fixed = {variable: (values[variable],) for variable in variables if variable not in block}
    ways = list(islice(listed(replace(model, domains={**model.domains, **fixed})), most + 1))
    if len(ways) > most:
        return None
    ways.sort(
        key=lambda way: [model.domains[variable].index(way[variable]) for variable in variables]
    )
    return random.choice(ways)


def _shuffled(model: Model, random: Random) -> Model:
    """Return the model with its variables, values and constraints in random order, which searches
    follow.
    """
    variables = random.sample(list(model.domains), len(model.domains))
    domains = {
        variable: tuple(random.sample(model.domains[variable], len(model.domains[variable])))
        for variable in variables
    }
    return replace(
        model,
        domains=domains,
        constraints=tuple(random.sample(model.constraints, len(model.constraints))),
    )
