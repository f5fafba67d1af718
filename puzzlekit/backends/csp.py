"""Backtracking by the package python-constraint2: supports every node of the model.

Its BacktrackingSolver searches. All rules are one global constraint on all variables that prunes
impossible values. The solver chooses among the variables with the most constraints the one with the
fewest values. With one constraint, only the number of values counts; of equal ones, the variable in
the most rules comes first, with its largest value. A variable of the library is a choice
(`csp_choices.py`): a value, or the true one of some literals.

Measured, in seconds to list all solutions:

    solver                       hard digits  cages 9×9  loop 10×10  circuit 10×10  8×8 placing
    BacktrackingSolver                  0.09       0.58         6.0           0.59         0.03
    RecursiveBacktrackingSolver         0.09       0.59         6.2           0.69         0.03
    OptimizedBacktrackingSolver         0.05       1.77         6.2           0.41         0.03

The last one orders its variables statically; the first never loses by much. MinConflictsSolver
cannot list, ParallelSolver does not stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import constraint as library

from puzzlekit.backends.base import Backend, Budget, goal_of
from puzzlekit.backends.csp_choices import Choice, choices
from puzzlekit.backends.csp_rules import (
    AllDifferentRule,
    AutomatonRule,
    CardinalityRule,
    CheckedRule,
    Flag,
    LinearRule,
    Number,
    RegionSizesRule,
    Rule,
    ShapeRule,
    TableRule,
)
from puzzlekit.lowering.planner import FLAT, Form, Supports
from puzzlekit.model import (
    Acyclic,
    AllDifferent,
    Automaton,
    Cardinality,
    Circuit,
    Connected,
    Constant,
    Goal,
    Linear,
    Model,
    RegionSizes,
    Sum,
    Table,
    Term,
    Value,
    Values,
    Variable,
    variables_of,
)
from puzzlekit.presolve.normalise import literal_of
from puzzlekit.query import Kind, Query


class Csp(Backend):
    """Backtracking with full propagation."""

    name = "csp"
    about = "backtracking with forward checking by python-constraint2; every kind of rule"

    supports = Supports(
        forms=FLAT | {Form.AUTOMATON, Form.STRUCTURE, Form.SIZES, Form.LARGE},
        queries=frozenset({Kind.ENUMERATE, Kind.OPTIMISE}),
        product="rules on bits",
        reports=frozenset({"variables", "constraints", "nodes"}),
    )

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        with budget.building():
            problem = _Problem(model, budget)
        for values in problem.solutions():
            yield values
            # one search; each solution bounds the rest of it
            if query.kind is Kind.OPTIMISE:
                problem.demand_better(goal_of(model), values)


class _Problem:
    """One model as rules on bits; a condition that is not flat is checked on full assignments."""

    def __init__(self, model: Model, budget: Budget) -> None:
        self.budget = budget
        self.variables = tuple(model.domains)
        self._domains = model.domains
        self._number = {variable: number for number, variable in enumerate(self.variables)}
        values = {value: None for domain in model.domains.values() for value in domain}
        self._numbers = sorted({int(value) for value in values if isinstance(value, int)})
        ordered = [*self._numbers, *(value for value in values if not isinstance(value, int))]
        self._bit: dict[Value, int] = {value: 1 << place for place, value in enumerate(ordered)}
        self._decoders = [{self._bit[value]: value for value in domain} for domain in model.domains.values()]
        self.goal: LinearRule | None = None
        self._offset = 0
        if model.goal is not None and isinstance(model.goal.term, Sum):
            weighted = [(weight, self._number[v]) for weight, v in model.goal.term.weighted if isinstance(v, Variable)]
            self.goal = LinearRule(weighted, None, None, self._numbers)
            self._offset = model.goal.term.constant
        self.rules = list(map(self._rule, self._conditions(model)))

    def _conditions(self, model: Model) -> Iterator[Term]:
        for each in model.constraints:
            self.budget.check()
            yield each.condition

    def demand_better(self, goal: Goal, values: Values) -> None:
        """Restrict the search to solutions that are better for the goal than this one."""
        assert self.goal is not None, "this query needs a model with a goal"
        reached = goal.term.value(values) - self._offset
        if goal.maximise:
            self.goal.low = reached + 1
        else:
            self.goal.high = reached - 1

    def solutions(self) -> Iterator[Values]:
        """Yield the solutions, including those that differ only in auxiliary values."""
        propagation = _Propagation(self.rules, self.goal, [sum(decoder) for decoder in self._decoders], self.budget)
        return self.budget.noted(self._found(propagation), lambda: {"nodes": propagation.nodes})

    def _found(self, propagation: _Propagation) -> Iterator[Values]:
        start = propagation.start
        undecided = [number for number, mask in enumerate(start or ()) if mask & (mask - 1)]
        if start is not None and undecided:
            undecided.sort(key=propagation.weight, reverse=True)
            propagation.decide_by(choices(self.rules, start, undecided))
        self.budget.given(variables=len(propagation.choices), constraints=len(self.rules))
        if start is None:
            return
        if not undecided:
            yield self._values(start)
            return
        problem = library.Problem(library.BacktrackingSolver())
        for place, choice in enumerate(propagation.choices):
            problem.addVariable(place, range(len(choice)))  # the solver tries the last one first
        problem.addConstraint(propagation, range(len(propagation.choices)))
        for _ in problem.getSolutionIter():
            yield self._values(propagation.live)

    def _values(self, live: Sequence[int]) -> Values:
        pairs = zip(self.variables, self._decoders, live)
        return {variable: decoder[mask] for variable, decoder, mask in pairs}

    def _rule(self, condition: Term) -> Rule:
        match condition:
            case Table():
                return TableRule(condition, self._scope(condition.terms), self._bit)
            case AllDifferent(terms):
                return AllDifferentRule(self._scope(terms))
            case Cardinality(literals, low, high):
                return CardinalityRule([(self._number[v], self._bit.get(value, 0)) for v, value in literals], low, high)
            case Linear(weighted, lowest, highest):
                return LinearRule([(weight, self._number[v]) for weight, v in weighted], lowest, highest, self._numbers)
            case Automaton(terms):
                masks = [Number(self._number[t]) if isinstance(t, Variable) else self._bit_of(t) for t in terms]
                return AutomatonRule(condition, masks, self._scope(variables_of(condition)), self._bit)
            case Connected(terms) | Circuit(terms) | Acyclic(terms):
                return ShapeRule(condition, [self._flag(term) for term in terms])
            case RegionSizes(terms, links):
                flags = [self._flag(term) for term in terms[: len(links)]]
                return RegionSizesRule(condition, flags, [self._size(term) for term in terms[len(links) :]])
            case _:
                return self._checked(condition)

    def _scope(self, terms: Iterable[Term]) -> list[int]:
        return [self._number[term] for term in terms if isinstance(term, Variable)]

    def _bit_of(self, term: Term) -> int:
        return self._bit.setdefault(term.value({}), 1 << len(self._bit))

    def _flag(self, term: Term) -> Flag:
        if isinstance(term, Constant):
            return bool(term.constant)
        literal = literal_of(term, self._domains)
        assert literal is not None, "a presolved model has shapes over literals"
        return self._number[literal[0]], self._bit.get(literal[1], 0)

    def _size(self, term: Term) -> tuple[int | None, Mapping[int, Value]]:
        """Return the number of an unknown, or None for a known size, and the values by bit."""
        if isinstance(term, Variable):
            return self._number[term], self._decoders[self._number[term]]
        return None, {0: term.value({})}

    def _checked(self, condition: Term) -> Rule:
        variables = variables_of(condition)
        scope = self._scope(variables)
        decoders = [self._decoders[number] for number in scope]

        def holds(masks: Sequence[int]) -> bool:
            values: Mapping[Variable, Value] = {v: m[mask] for v, m, mask in zip(variables, decoders, masks)}
            try:
                return bool(condition.value(values))
            except (ValueError, ZeroDivisionError):  # a term without a value violates the rule
                return False

        return CheckedRule(scope, holds)


class _Propagation(library.Constraint):  # type: ignore[misc]
    """All rules as one constraint that propagates each assignment to the other variables.

    The domains after the first n assignments are on a stack, so that nothing has to be undone.
    Impossible values are hidden from the solver.
    """

    def __init__(self, rules: Sequence[Rule], goal: Rule | None, domains: Sequence[int], budget: Budget) -> None:
        self.rules = [*rules, *([] if goal is None else [goal])]
        self.budget = budget
        self._goal = None if goal is None else len(rules)
        self._watchers: list[list[int]] = [[] for _ in domains]
        for place, rule in enumerate(self.rules):
            for number in dict.fromkeys(rule.scope):
                self._watchers[number].append(place)
        start = list(domains)
        self.start = start if self._settle(start, range(len(self.rules))) else None
        self._stack = [start]
        self.nodes = 1  # of the search tree: the root, and each assignment
        self.choices: Sequence[Choice] = ()  # the choices that the library's variables stand for
        # per variable: choice, literal, bit
        self._chosen: list[list[tuple[int, int, int]]] = [[] for _ in domains]

    def decide_by(self, choices: Sequence[Choice]) -> None:
        """Make the library's variables stand for these choices."""
        self.choices = choices
        for place, choice in enumerate(choices):
            for literal, (number, bit) in enumerate(choice):
                self._chosen[number].append((place, literal, bit))

    def weight(self, number: int) -> int:
        """Return the number of rules that contain a variable."""
        return len(self._watchers[number])

    @property
    def live(self) -> Sequence[int]:
        """The domains after all assignments."""
        return self._stack[-1]

    def preProcess(self, *_: Any) -> None:  # noqa: N802  the library's name
        """Do nothing: `start` is already propagated."""

    def __call__(
        self, variables: Sequence[int], domains: Mapping[int, Any], assignments: Mapping[int, int], *_: Any, **__: Any
    ) -> bool:
        self.budget.step()
        self.nodes += 1
        place = next(reversed(assignments))
        before = self._stack[len(assignments) - 1]
        del self._stack[len(assignments) :]
        number, mask = self.choices[place][assignments[place]]
        if before[number] == mask and self._goal is None:
            self._stack.append(before)
            return True
        live = list(before)
        live[number] = mask
        waiting = [*self._watchers[number], *(() if self._goal is None else (self._goal,))]
        if not self._settle(live, waiting):
            return False
        for of, (old, new) in enumerate(zip(before, live)):
            if old != new:
                for other, literal, bit in self._chosen[of]:
                    if old & bit and not new & bit and other not in assignments:
                        domains[other].hideValue(literal)
        self._stack.append(live)
        return True

    def _settle(self, live: list[int], waiting: Iterable[int]) -> bool:
        """Run the rules to a fixed point; return False if a domain becomes empty."""
        todo = dict.fromkeys(waiting)
        rounds = 0
        while todo:
            rounds += 1
            if not rounds % 64:
                self.budget.check()
            place = next(iter(todo))
            del todo[place]
            for number, mask in self.rules[place].propagate(live):
                old = live[number]
                new = old & mask
                if new != old:
                    if not new:
                        return False
                    live[number] = new
                    todo.update(dict.fromkeys(self._watchers[number]))
                elif not mask:
                    return False
        return True
