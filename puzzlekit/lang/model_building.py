"""Runs a type on its data, and makes the model that states the puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from puzzlekit.lang.data.scalars import Places
from puzzlekit.lang.data_checks import check_data
from puzzlekit.lang.evaluation import Evaluator, in_scope, index_of
from puzzlekit.lang.expressions.compiler import RUN_ERRORS
from puzzlekit.lang.expressions.values import ATOMS, ExpressionError, Family, LackingError, shown
from puzzlekit.lang.functions.arithmetic import Aim
from puzzlekit.lang.puzzle_type import Rule, Unknowns
from puzzlekit.model import And, Constant, Constraint, Element, Goal, Model, Term, Value, Variable

MOST_UNKNOWNS = 300_000


@dataclass(frozen=True)
class Built:
    """What a type states about its data.

    Attributes:
        model: The puzzle for backends.
        facts: The values that are shown before the solutions.
        goals: The goals by name.
        lacking: Why the data do not allow a goal, by its name.
        starts: The known optimal solution of a goal, by its name.
    """

    model: Model
    facts: Mapping[str, Any]
    goals: Mapping[str, Goal]
    lacking: Mapping[str, str]
    starts: Mapping[str, Mapping[Variable, Value]]


def built(run: Evaluator, data: Mapping[str, Any], places: Places) -> Built:
    """Return what the type of this run states. Raises Problems with all problems of the data and the rules."""
    puzzle = run.puzzle
    check_data(run, data, places, beforehand=True)
    for let in puzzle.lets:
        run.scope[let.name] = run.value(let.expression, run.scope, let.name)
    check_data(run, data, places, beforehand=False)
    facts = {fact.name: run.value(fact.expression, run.scope) for fact in puzzle.facts}
    auxiliary = _declare(run)
    constraints = [
        Constraint(holds if isinstance(holds, Term) else Constant(False), origin)
        for origin, holds in chain(run.define(run.scope), run.conditions(run.scope))
    ]
    goals, lacking, starts = _goals(run)
    puzzle.source.raise_problems()
    for name, values in starts.items():
        if (broken := run.broken(values)) is not None:
            error = ExpressionError(f"the start value of the goal violates the rule: {broken}")
            run.problem(puzzle.goals[name].expression, error)
    puzzle.source.raise_problems()
    goal = goals.get(puzzle.default_goal(lacking))
    return Built(
        Model(run.runtime.kinds.domains, tuple(constraints), goal, frozenset(auxiliary)), facts, goals, lacking, starts
    )


def _declare(run: Evaluator) -> set[Variable]:
    """Declare the unknowns of the type, and return the auxiliary ones."""
    auxiliary: set[Variable] = set()
    domains = _Domains(run)
    for unknowns in run.puzzle.unknowns:
        family = run.families[unknowns.name] = domains.family(unknowns)
        run.scope[unknowns.name] = in_scope(family)
        if unknowns.auxiliary:
            auxiliary.update(family)
    return auxiliary


class _Domains:
    """Declares unknowns with their domains. The last domain is kept, as it is most often that of the next unknown, too."""

    def __init__(self, run: Evaluator) -> None:
        self.run = run
        self._last: tuple[Any, tuple[Value, ...]] = (self, ())

    def family(self, unknowns: Unknowns) -> Family:
        """Declare the unknowns of one name, up to the first problem."""
        run = self.run
        members: dict[Any, Variable] = {}
        domains = run.runtime.kinds.domains
        loops = unknowns.domain.loops or ()
        places = [loops.index(name) for name in unknowns.indexes]
        for bindings, domain in run.each(unknowns.domain, run.scope, unknowns.name):
            key = index_of(bindings, places)
            try:
                if type(key) not in ATOMS:
                    run.runtime.known(key, "an index")
                variable = Variable(run.label(unknowns.name, key, len(places)))
                if key in members:
                    raise ExpressionError(f"{variable} is declared twice")
                if len(domains) >= MOST_UNKNOWNS:
                    raise ExpressionError(f"there are more than {MOST_UNKNOWNS:,} unknowns")
                domains[variable] = self._values(domain, variable)
            except RUN_ERRORS as error:
                run.failed.add(unknowns.name)
                run.problem(unknowns.domain, error)
                break
            members[key] = variable
        return Family(unknowns.name, members, len(unknowns.indexes))

    def _values(self, value: Any, variable: Variable) -> tuple[Value, ...]:
        """Return the values of a domain expression."""
        last, values = self._last
        if value is last or (isinstance(value, range) and value == last):
            return values  # as for every cell of a board
        if value is None or isinstance(value, int):
            raise ExpressionError(f"expected a collection of values as the domain of {variable}, got {shown(value)}")
        values = self.run.runtime.items(value)
        if self.run.runtime.symbolic(values):
            raise ExpressionError(f"the domain of {variable} cannot depend on an unknown")
        values = tuple(dict.fromkeys(values))
        if not values:
            raise ExpressionError(f"the domain of {variable} is empty: it can take no value")
        if None in values:
            raise ExpressionError(f"the domain of {variable} contains None", "distinct(…) leaves None out")
        self._last = (value, values)
        return values


def _goals(run: Evaluator) -> tuple[dict[str, Goal], dict[str, str], dict[str, Mapping[Variable, Value]]]:
    """Return the goals by name, why others are lacking, and the known optimal solutions."""
    goals: dict[str, Goal] = {}
    lacking: dict[str, str] = {}
    starts: dict[str, Mapping[Variable, Value]] = {}
    for rule in run.puzzle.goals.values():
        try:
            for _, aim in run.each(rule.expression, run.scope, "", LackingError):
                if isinstance(aim, Aim):
                    demands = tuple(run.runtime.take_demands())
                    term = Element((True,), (aim.term,), And(demands)) if demands else aim.term
                    goals[rule.name] = Goal(rule.name, term, aim.maximise, bool(demands))
                    if aim.start and (values := _start(run, rule, aim, aim.start)) is not None:
                        starts[rule.name] = values
                else:
                    run.problem(rule.expression, ExpressionError("expected minimise(…) or maximise(…) as the goal"))
        except LackingError as error:
            lacking[rule.name] = str(error)
    return goals, lacking, starts


def _start(run: Evaluator, rule: Rule, aim: Aim, start: Mapping[Variable, Value]) -> Mapping[Variable, Value] | None:
    """Return the start of a goal if it reaches the goal's bound, so that no search is needed; else None.

    Unknowns that it omits take the first value of their domain.
    """
    domains = run.runtime.kinds.domains
    values = {variable: start.get(variable, domain[0]) for variable, domain in domains.items()}
    if (wrong := next((v for v, value in start.items() if value not in domains[v]), None)) is not None:
        run.problem(rule.expression, ExpressionError(f"{wrong} cannot take its start value in the goal"))
        return None
    return values if aim.term.value(values) == aim.bound else None
