"""From a model to checked solutions: presolve, split, solve each component, combine, check."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from operator import is_not
from random import Random
from typing import Any

from puzzlekit.backends import Budget, bounded
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
from puzzlekit.lowering import SolutionBlocks
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
from puzzlekit.presolve import Inconsistent, presolve, split
from puzzlekit.python_settings import gc_paused
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
        self._undivided = False  # whether the backend gets the complete model
        self.solver = solver
        self.budget = budget
        self.conflict: Inconsistent | None = None
        self.uniform = True  # whether the sample is exactly uniform
        self.asked = False  # whether presolve left anything for the solver
        self.fixed: dict[Variable, Value] = {}
        self.components: Components = ()
        # of the goal and its share in the only component that has one
        self._offset: int | None = None
        self.optimum: dict[Model, int] = {}  # the proven optimum of each component's goal
        self._commons: Sequence[Values] = ()  # the shared values of the components' last solutions,
        self._common: Values = self.fixed  # and these merged with the fixed values
        try:
            with gc_paused(), budget.clock.stage(PRESOLVE):
                presolved = presolve(model, budget.check, level)
                self._undivided = level is Presolve.NONE and bool(presolved.constraints)
                if self._undivided:
                    self.components = (presolved,)
                else:
                    self.fixed, self.components = split(presolved)
            self._common = self.fixed
        except Inconsistent as conflict:
            self.conflict = bare(conflict)
        except FunctionError as error:
            raise _in_rule(model, error) from error

    def run(self, query: Query, budget: Budget | None = None) -> Iterator[Values]:
        """Yield the solutions of a query, each checked. Only a sample applies `limit`.

        A stream that ends is complete; after an optimisation, its last solution is proven optimal.
        Once an optimum is proven, the other queries are about the solutions that reach it. A
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
                draws = self._draws(Random(query.seed), query.uniform)
                return checked_solutions(self.model, islice(draws, query.limit))
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
            yield self._merged(combination)
            budget.check()

    def _combined(self, stream: Callable[[Model], Iterator[Values]]) -> Iterator[Values]:
        if self.conflict is not None:
            return iter(())
        if len(self.components) > 1 or not self.components:
            return self._joined(stream)
        (component,) = self.components
        solutions = stream(component)
        if not self.fixed:
            return solutions
        if isinstance(solutions, SolutionBlocks):
            return solutions.before(self.fixed)
        return map(self._with_fixed_values, solutions)

    def _joined(self, stream: Callable[[Model], Iterator[Values]]) -> Iterator[Values]:
        # the first is read once, so it is not cached
        first = self.components[:1]
        rest = self.components[1:]
        streams: list[Iterable[Values]] = [*map(stream, first)]
        streams += [CachedStream(stream, component) for component in rest]
        for combination in product(streams):
            self.budget.check()  # components without a backend do not watch the clock
            yield self._merged(combination)

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
            yield self._merged(drawn)

    def _at_optimum(self, component: Model) -> Model:
        if component not in self.optimum:
            return component
        return bounded(component, ObjectiveBound(self.optimum[component], optimal=True))

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
        """Return the first draw, if there is one; None if the trial fails.

        After that, the draws go on without a limit.
        """
        budget = self.budget
        self.budget = trial = budget.with_slice_of(seconds)
        try:
            first = list(islice(draws, 1))
            trial.lift_slice()
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
            solutions = list(self._component_solutions(component))
            while solutions:
                yield random.choice(solutions)

    def _listed(self, model: Model) -> Iterator[Values]:
        """Yield the solutions of a relaxed component, which is presolved anew, unchecked."""
        search = ModelSearch(model, self.solver, self.budget, self.level)
        return search._combined(search._component_solutions)

    def _multiplied(self, count: Callable[[Model], int]) -> int:
        total = 1
        ordered = sorted(self.components, key=lambda component: len(component.constraints))
        for component in ordered:
            total *= count(component)
            if not total:
                break
        return total

    def _improve(self) -> Iterator[Values]:
        if self.conflict is not None:
            return
        best: list[Values] = []
        streams: list[Iterator[Values]] = []
        for component in self.components:
            if component.goal:
                solutions = self._ask(component, Query(Task.OPTIMISE))
            else:
                solutions = self._component_solutions(component)
            streams.append(solutions)
            first = next(solutions, None)
            if first is None:
                return
            best.append(first)
        merged = self._merged(best)
        self._note_offset(merged, best)
        yield merged
        for index, component in enumerate(self.components):
            goal = component.goal
            if not goal:
                continue
            for candidate in streams[index]:
                if goal.better(goal.term.value(candidate), goal.term.value(best[index])):
                    best[index] = candidate
                    yield self._merged(best)
            self.optimum[component] = goal.term.value(best[index])

    def _note_offset(self, merged: Values, solutions: Sequence[Values]) -> None:
        """Note by how much the goal differs from its share in the only component that has one."""
        goal = self.model.goal
        shares = [
            component.goal.term.value(values)
            for component, values in zip(self.components, solutions)
            if component.goal
        ]
        if goal is not None and len(shares) == 1:
            self._offset = goal.term.value(merged) - shares[0]

    def goal_bound(self) -> int | None:
        """Return a value that no solution beats, if a backend has reported one; for any thread."""
        bound = self.budget.clock.goal_bound
        return None if bound is None or self._offset is None else bound + self._offset

    def _with_fixed_values(self, solution: Values) -> Values:
        """Return the solution of the only component, with the fixed values."""
        if isinstance(solution, Layered):
            return solution.over(self._with_fixed((solution.common,)))
        return Layered(self.fixed, solution)

    def _merged(self, solutions: Sequence[Values]) -> Values:
        """Combine solutions, one a component; shared values stay the same object."""
        upper: dict[Variable, Value] = {}
        common: list[Values] = []
        for solution in solutions:
            if isinstance(solution, Layered):
                upper.update(solution.overrides)
                common.append(solution.common)
            else:
                upper.update(solution)
        return Layered(self._with_fixed(common), upper)

    def _with_fixed(self, common: Sequence[Values]) -> Values:
        """Merge the fixed values with the shared ones; same input objects, same result object."""
        is_same = len(common) == len(self._commons) and not any(map(is_not, common, self._commons))
        if not is_same:
            self._commons = common
            self._common = dict(ChainMap(self.fixed, *map(dict, common)))
        return self._common

    def _query(self, component: Model, task: Task) -> Query:
        """Return the query about a component; about optimal solutions once that is proven."""
        if component not in self.optimum:
            return Query(task)
        return Query(task, bound=ObjectiveBound(self.optimum[component], optimal=True))

    def _component_solutions(self, component: Model) -> Iterator[Values]:
        if not component.constraints and component not in self.optimum:
            (variable,) = component.domains
            domain = component.domains[variable]
            values = domain[:1] if variable in component.auxiliary else domain
            return ({variable: value} for value in values)
        solutions = self._ask(component, self._query(component, Task.ENUMERATE))
        if component.visible() or component in self.optimum:
            return solutions
        return islice(solutions, 1)

    def _component_count(self, component: Model) -> int:
        if self._undivided:
            return self._backend_count(component)
        if component in self.optimum:
            covers = count_multicover(self._at_optimum(component), self.budget.step)
            return self._backend_count(component) if covers is None else covers
        if not component.constraints or not component.visible():
            return sum(1 for _ in self._component_solutions(component))
        component = replace(component, goal=None)
        number = count_all_different(component)
        if number is not None:
            return number
        covers = count_multicover(component, self.budget.step)
        return self._backend_count(component) if covers is None else covers

    def _backend_count(self, component: Model) -> int:
        (number,) = self._ask(component, self._query(component, Task.COUNT))
        return int(number)

    def _ask(self, component: Model, query: Query) -> Iterator[Any]:
        self.asked = True
        return self.solver.ask(component, query, self.budget)


def with_goal(model: Model, goal: Objective | None) -> Model:
    """Return the model with this goal, or without one."""
    return replace(model, goal=goal)


def _in_rule(model: Model, error: FunctionError) -> InputError:
    """Return the error with the first rule whose call of the function may have failed, if any."""
    for constraint in model.constraints:
        for call in _calls(constraint.condition):
            is_same = call.function.name == error.function
            if is_same and _may_equal(call.arguments, error.arguments, model):
                problem = Problem(f"{constraint.origin}: {error}", constraint.origin.position)
                return Problems([problem])
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
            if len(argument) != len(value):
                return False
            return all(_may_equal(term, member, model) for term, member in zip(argument, value))
        case Variable():
            return value in model.domains[argument]
        case Constant(constant):
            return bool(constant == value)
        case _:
            return True


# Nearly uniform draws -----------------------------------------------------------------------------


Enumerator = Callable[[Model], Iterator[Values]]  # lists the solutions of a model


def nearly_uniform(model: Model, random: Random, solve: Enumerator) -> Iterator[Values]:
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
    while (values := next(solve(_shuffled(model, random)), None)) is not None:
        while tuned < TUNED_BLOCKS:
            tuned += 1
            refilled = _refilled(model, values, int(size), random, solve)
            if refilled is None:
                size = max(2.0, size / BLOCK_GROWTH)
            else:
                size *= BLOCK_GROWTH
                values = refilled
        for _ in range(REFILLED_BLOCKS):
            block_size = random.randint(int(size) // 2, int(size))
            values = _refilled(model, values, block_size, random, solve) or values
        yield values


def _refilled(
    model: Model, values: Values, size: int, random: Random, solve: Enumerator
) -> Values | None:
    """Return a random solution that differs in no more than this many unknowns.

    Returns None if there are too many.
    """
    variables = model.visible()
    block = set(random.sample(variables, min(size, len(variables))))
    fixed = {variable: (values[variable],) for variable in variables if variable not in block}
    opened = replace(model, domains={**model.domains, **fixed})
    fillings = list(islice(solve(opened), LISTED_FILLINGS + 1))
    if len(fillings) > LISTED_FILLINGS:
        return None

    def codes(filling: Values) -> list[int]:
        return [model.domains[variable].index(filling[variable]) for variable in variables]

    fillings.sort(key=codes)
    return random.choice(fillings)


def _shuffled(model: Model, random: Random) -> Model:
    """Return the model with its variables, values and constraints in a random order.

    Searches follow this order.
    """
    variables = random.sample(list(model.domains), len(model.domains))
    domains = {}
    for variable in variables:
        domain = model.domains[variable]
        domains[variable] = tuple(random.sample(domain, len(domain)))
    constraints = random.sample(model.constraints, len(model.constraints))
    return replace(model, domains=domains, constraints=tuple(constraints))
