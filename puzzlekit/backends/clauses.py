"""A model as clauses over literals, for backends based on satisfiability or answer sets.

A literal is a number; its negation is the negative number. A variable with two values is one
literal and its negation. One with more values has a literal per value (the direct encoding),
exactly one of them true.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends.clause_tables import function_clauses, none_or_two, prime_clauses
from puzzlekit.lowering.planner import FLAT, Form, Supports
from puzzlekit.model import (
    Acyclic,
    AllDifferent,
    Cardinality,
    Circuit,
    Comparison,
    Connected,
    Constant,
    Constraint,
    Domain,
    Layered,
    Linear,
    Model,
    Not,
    Or,
    RegionSizes,
    Sum,
    Table,
    Term,
    Value,
    Variable,
)
from puzzlekit.presolve.circuit_graph import circuit_graph
from puzzlekit.presolve.normal_form import literal_of
from puzzlekit.presolve.region_sizes import wrong_sizes
from puzzlekit.query import Task

TRUE, FALSE = 1, -1  # a literal that every backend sets first, and its negation
# from this many edges at a vertex, their number is a cardinality instead of clauses
WIDE = 9
# beyond this many combinations of values, a condition is decomposed instead of tabulated
NAMED = 512
BETWEEN_PAUSES = 64  # constraints that are added before time is looked at again
CNF_SUPPORTS = Supports(
    forms=FLAT | {Form.EQUALITY, Form.STRUCTURE, Form.SIZES},
    queries=frozenset({Task.ENUMERATE, Task.OPTIMISE}),
    distinct=True,
    combinations=NAMED,
    degree=WIDE,
    product="clauses",
)
# literals, exactly one of them true, each with an integer weight
Choice = Sequence[tuple[int, int]]


class CnfBuilder(ABC):
    """A flat model, added to a backend that accepts clauses and sums."""

    def __init__(self, model: Model, pause: Callable[[], None]) -> None:
        self.pause = pause
        self.model = model
        self.domains: Mapping[Variable, Domain] = self.model.domains
        self.literals: dict[Variable, tuple[int, ...]] = {}
        self.top = TRUE  # the largest literal
        self.apart: set[tuple[int, int]] = (
            set()
        )  # of which clauses forbid that both are true, that of the lesser number first
        self.sizes: list[
            tuple[RegionSizes, Sequence[int]]
        ] = []  # with the literals of their links, for cuts
        self._codes: dict[Variable, Mapping[Value, int]] = {}
        self._known: dict[tuple[Variable, Value], int] = {}
        self._truths: set[Variable] = set()  # the variables with two values

    def fresh(self) -> int:
        """Return a new literal."""
        self.top += 1
        return self.top

    def named(self) -> int:
        """Return a new literal for a value of a variable."""
        return self.fresh()

    @abstractmethod
    def clause(self, literals: Iterable[int]) -> None:
        """Require at least one of these."""

    def plain(self, clauses: Iterable[list[int]]) -> None:
        """Add clauses that contain neither TRUE nor FALSE among other literals."""
        for clause in clauses:
            self.clause(clause)

    def clauses_over(self, literals: Collection[int], clauses: Iterable[list[int]]) -> None:
        """Add clauses that contain only these literals and their negations."""
        if TRUE in literals or FALSE in literals:
            for clause in clauses:
                self.clause(clause)
        else:
            self.plain(clauses)

    @abstractmethod
    def at_most_one(self, literals: Sequence[int]) -> None:
        """Forbid any two of these."""

    @abstractmethod
    def total(self, choices: Sequence[Choice], low: int, high: int) -> None:
        """Require a total weight of the true literals from `low` to `high`; weights are ≥ 0."""

    def count(self, literals: Sequence[int], low: int, high: int) -> None:
        """Require `low` to `high` true ones of literals that are independent of each other."""
        self._between([((-literal, 0), (literal, 1)) for literal in literals], 0, low, high)

    @abstractmethod
    def shape(self, shape: Connected | Circuit | Acyclic, flags: Sequence[int]) -> None:
        """Handle a shape constraint over these literals. Degrees of circuits are already added."""

    def state(self) -> None:
        """Add the variables and constraints of the model."""
        self.extend(self.domains, self.model.constraints)

    def extend(self, domains: Mapping[Variable, Domain], constraints: Iterable[Constraint]) -> None:
        """Add variables that are new, and constraints."""
        self.domains = {**self.domains, **domains}
        for variable, domain in domains.items():
            self.pause()
            literals = self.literals[variable] = self._values(domain)
            if len(domain) == 2:
                self._truths.add(variable)
                self._known[variable, domain[0]], self._known[variable, domain[1]] = literals
        for number, constraint in enumerate(constraints):
            if number % BETWEEN_PAUSES == 0:
                self.pause()
            condition = constraint.condition
            if type(condition) is Cardinality:  # the most frequent one
                self._cardinality(condition.literals, condition.low, condition.high)
            else:
                self._constraint(condition)

    def _values(self, domain: Domain) -> tuple[int, ...]:
        if len(domain) == 1:
            return (TRUE,)
        if len(domain) == 2:
            one = self.named()
            return -one, one
        literals = tuple(self.named() for _ in domain)
        self.clause(literals)
        self.at_most_one(literals)
        return literals

    def literal(self, variable: Variable, value: Value) -> int:
        """Return the literal that is true if and only if the variable has the value."""
        known = self._known.get((variable, value))
        if known is None:
            known = self._known[variable, value] = self._found(variable, value)
        return known

    def _found(self, variable: Variable, value: Value) -> int:
        domain = self.domains[variable]
        if len(domain) < 3:
            literals = self.literals[variable]
            return (
                literals[0]
                if domain[0] == value
                else literals[-1]
                if domain[-1] == value
                else FALSE
            )
        if variable not in self._codes:
            self._codes[variable] = {known: code for code, known in enumerate(domain)}
        code = self._codes[variable].get(value)
        return FALSE if code is None else self.literals[variable][code]

    def literal_of(self, term: Term) -> int:
        """Return the literal that is true if and only if a term of a shape is."""
        if isinstance(term, Constant):
            return TRUE if term.constant else FALSE
        plain = (
            (term, True)
            if type(term) is Variable
            else (term.condition, False)
            if type(term) is Not
            else None
        )
        if plain in self._known:  # of a variable with two values; the most frequent case
            return self._known[plain]
        known = literal_of(term, self.domains)
        assert known is not None, "a presolved model has shapes over literals"
        return self.literal(*known)

    def size_cuts(
        self, shape: RegionSizes, links: Sequence[int], holds: Callable[[int], bool]
    ) -> Iterator[list[int]]:
        """Yield clauses on sizes of regions that a model of the solver violates."""
        terms = shape.terms[len(links) :]
        choices = [
            list(zip(self.literals[term], self.domains[term]))
            if isinstance(term, Variable)
            else [(TRUE, term.value({}))]
            for term in terms
        ]
        sizes = [next(value for literal, value in choice if holds(literal)) for choice in choices]
        for cut in wrong_sizes(shape, lambda place: holds(links[place]), sizes):
            taken = {*cut.sizes(value for _, value in choices[cut.size])}
            clause = [-links[place] for place in cut.no] + [links[place] for place in cut.yes]
            yield clause + [literal for literal, value in choices[cut.size] if value in taken]

    def values(self, true: Iterable[int]) -> Layered:
        """Return the values of all variables from the true positive literals."""
        return Layered(self._common, dict(filter(None, map(self._decoded.get, true))))

    @cached_property
    def _common(self) -> Mapping[Variable, Value]:
        """The values if no literal is true: the first one of each variable with two values."""
        return {
            variable: self.domains[variable][0]
            for variable, literals in self.literals.items()
            if len(literals) < 3
        }

    @cached_property
    def _decoded(self) -> Mapping[int, tuple[Variable, Value]]:
        """The variable and value of each positive literal."""
        return {
            literal: (variable, value)
            for variable, literals in self.literals.items()
            for literal, value in zip(literals, self.domains[variable])
            if literal > 0 and len(literals) > 1
        }

    def weights(self, weighted: Iterable[tuple[int, Variable]]) -> tuple[list[Choice], int]:
        """Return a weighted sum of variables as choices with weights ≥ 0, and a constant."""
        every: dict[Variable, list[int]] = {}
        for weight, variable in weighted:
            own = every.setdefault(variable, [0] * len(self.domains[variable]))
            for code, value in enumerate(self.domains[variable]):
                own[code] += weight * int(value)
        return self._choices(every)

    def _choices(self, every: Mapping[Variable, Sequence[int]]) -> tuple[list[Choice], int]:
        choices: list[Choice] = []
        constant = 0
        for variable, own in every.items():
            least = min(own)
            constant += least
            if max(own) > least:
                choices.append(
                    [
                        (literal, weight - least)
                        for literal, weight in zip(self.literals[variable], own)
                    ]
                )
        return choices, constant

    def costs(self) -> list[tuple[int, int]]:
        """Return literals with weights ≥ 0: the goal is best if the true ones weigh least."""
        return [pair for choice in self.goal() for pair in choice if pair[1]]

    def goal(self) -> list[Choice]:
        """Return the choices whose weight is least when the goal is best."""
        goal = self.model.goal
        assert goal is not None and isinstance(goal.term, Sum), "a flat goal is a sum"
        sign = -1 if goal.maximise else 1
        weighted = [
            (sign * weight, term)
            for weight, term in goal.term.weighted
            if isinstance(term, Variable)
        ]
        return self.weights(weighted)[0]

    def _constraint(self, condition: Term) -> None:
        match condition:
            case Table():
                self._table(condition)
            case AllDifferent(terms):
                self._all_different([cast(Variable, term) for term in terms])
            case Linear(weighted, lowest, highest):
                self._between(*self.weights(weighted), lowest, highest)
            case Comparison():
                self._equality(FALSE, condition)
            case Or((unless, Comparison() as equality)):
                self._equality(self.literal_of(unless), equality)
            case Connected() | Circuit() | Acyclic():
                flags = [self.literal_of(term) for term in condition.terms]
                if isinstance(condition, Circuit):
                    self._degrees(condition, flags)
                self.shape(condition, flags)
            case RegionSizes(terms, links):
                self.sizes.append(
                    (condition, [self.literal_of(term) for term in terms[: len(links)]])
                )
            case _:
                raise AssertionError(f"{type(condition).__name__} is not left by flatten")

    def _all_different(self, variables: Sequence[Variable]) -> None:
        values = dict.fromkeys(value for variable in variables for value in self.domains[variable])
        if len(values) < len(variables):
            self.clause(())
        for value in values:
            holders = [
                literal
                for literal in (self.literal(v, value) for v in variables)
                if literal != FALSE
            ]
            self.at_most_one(holders)
            if len(values) == len(variables):
                self.clause(holders)

    def _equality(self, unless: int, condition: Comparison) -> None:
        """Require that two variables are equal, or that they differ, unless a literal is true."""
        one, other = cast(Variable, condition.left), cast(Variable, condition.right)
        if condition.operator == "==":
            self._implied(unless, one, other, 1)
            self._implied(unless, other, one, 1)
        else:
            self._implied(unless, one, other, -1)

    def _implied(self, unless: int, one: Variable, other: Variable, sign: int) -> None:
        """Require for each value of a variable that another one has it too (1) or not (-1)."""
        beside = dict(zip(self.domains[other], self.literals[other]))
        held = list(zip(self.domains[one], self.literals[one]))
        made = [
            [unless, -literal, sign * beside[value]] for value, literal in held if value in beside
        ]
        if sign == 1:
            made += [[unless, -literal] for value, literal in held if value not in beside]
        self.clauses_over({unless, *self.literals[one], *self.literals[other]}, made)

    def _cardinality(self, literals: Sequence[tuple[Variable, Value]], low: int, high: int) -> None:
        known: list[Any] = [*map(self._known.get, literals)]
        if None in known:
            known = [self.literal(*literal) for literal in literals]
        if low == 1 and high >= len(known):
            self.clause(known)
            return
        variables = dict(literals)
        if (
            len(variables) == len(known)
            and self._truths.issuperset(variables)
            and FALSE not in known
        ):
            self.count(known, max(0, low), min(high, len(known)))
            return
        every: dict[Variable, list[int]] = {}
        for variable, value in literals:
            own = every.setdefault(variable, [0] * len(self.domains[variable]))
            for code, held in enumerate(self.domains[variable]):
                own[code] += held == value
        self._between(*self._choices(every), low, high)

    def _between(
        self, choices: Sequence[Choice], constant: int, low: int | None, high: int | None
    ) -> None:
        most = sum(max(weight for _, weight in choice) for choice in choices)
        at_least = max(0, low - constant) if low is not None else 0
        at_most = min(most, high - constant) if high is not None else most
        if at_least > at_most:
            self.clause(())
        elif len(choices) == 2 and (at_least > 0 or at_most < most):
            self._pair(choices[0], choices[1], at_least, at_most)
        elif at_least > 0 or at_most < most:
            self.total(choices, at_least, at_most)

    def _pair(self, one: Choice, other: Choice, low: int, high: int) -> None:
        first, second = (
            np.array([weight for _, weight in choice], dtype=object) for choice in (one, other)
        )
        sums = first[:, None] + second[None, :]
        rows = np.argwhere((sums >= low) & (sums <= high))
        self._supports([[literal for literal, _ in choice] for choice in (one, other)], rows)

    def _table(self, table: Table) -> None:
        columns = [self.literals[cast(Variable, term)] for term in table.terms]
        if not len(table.rows):
            self.clause(())
        elif len(columns) == 2:
            self._supports(columns, table.rows)
        elif columns:
            clauses = prime_clauses(tuple(map(len, columns)), table.rows)
            if clauses is None:
                self._large_table(columns, table.rows)
            else:
                for held, implied in clauses:
                    negated = [-columns[place][code] for place, code in held]
                    self.clause(negated + [columns[place][code] for place, code in implied])

    def _large_table(self, columns: Sequence[Sequence[int]], rows: NDArray[Any]) -> None:
        clauses = function_clauses(tuple(map(len, columns)), rows)
        if clauses is None:
            self._rows(columns, rows)
            return
        literals = [literal for column in columns for literal in column]
        known = np.array([0, *literals], dtype=np.int64)
        for numbers in clauses:
            self.pause()
            self.clauses_over(literals, (np.sign(numbers) * known[np.abs(numbers)]).tolist())

    def _degrees(self, circuit: Circuit, flags: Sequence[int]) -> None:
        """Require zero or two true edges at each vertex."""
        for places in circuit_graph(circuit).edges_at:
            if len(places) < WIDE:
                self.plain(none_or_two([flags[place] for place in places], TRUE))

    def _supports(self, columns: Sequence[Sequence[int]], rows: NDArray[Any]) -> None:
        """Require for each value of either variable one of the values that rows pair with it."""
        for one, other in ((0, 1), (1, 0)):
            beside: list[list[int]] = [[] for _ in columns[one]]
            for code, partner in zip(rows[:, one].tolist(), rows[:, other].tolist()):
                beside[code].append(columns[other][partner])
            for literal, partners in zip(columns[one], beside):
                if len(set(partners)) < len(columns[other]):
                    self.clause((-literal, *partners))

    def _rows(self, columns: Sequence[Sequence[int]], rows: NDArray[Any]) -> None:
        """Add a literal per row: it implies its values, and a value implies one of its rows."""
        selectors = [self.fresh() for _ in rows]
        for place, literals in enumerate(columns):
            self.pause()
            holders: list[list[int]] = [[] for _ in literals]
            for selector, code in zip(selectors, rows[:, place].tolist()):
                self.clause((-selector, literals[code]))
                holders[code].append(selector)
            for literal, selected in zip(literals, holders):
                self.clause((-literal, *selected))
