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

from puzzlekit.backends.clause_tables import (
    function_clauses,
    none_or_two,
    prime_clauses,
    sets_within,
)
from puzzlekit.lowering import FLAT, Form, Supports
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
from puzzlekit.presolve import graph_of_circuit, literal_of, wrong_sizes
from puzzlekit.query import Task

TRUE, FALSE = 1, -1  # a literal that every backend sets first, and its negation
# the number of edges at a vertex from which their count is a cardinality instead of clauses
WIDE = 9
# beyond this many combinations of values, a condition is decomposed instead of tabulated
NAMED = 512
# of variables that all differ: up to so many values of all together, and sets of values with a sum,
# such a sum is encoded by these sets
DIFFERENT_VALUES = 12
DIFFERENT_SETS = 40
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
        # literals that are never both true, by clauses; that of the lesser number first
        self.exclusive_pairs: set[tuple[int, int]] = set()
        # with the literals of their links, for cuts
        self.sizes: list[tuple[RegionSizes, Sequence[int]]] = []
        self._codes: dict[Variable, Mapping[Value, int]] = {}
        self._literal_cache: dict[tuple[Variable, Value], int] = {}
        self._two_valued: set[Variable] = set()
        # for each variable: the variables from which it differs, and which all differ
        self.different: dict[Variable, list[frozenset[Variable]]] = {}

    def new_literal(self) -> int:
        """Return a new literal."""
        self.top += 1
        return self.top

    def new_value_literal(self) -> int:
        """Return a new literal for a value of a variable."""
        return self.new_literal()

    @abstractmethod
    def clause(self, literals: Iterable[int]) -> None:
        """Require at least one of these."""

    def add_plain_clauses(self, clauses: Iterable[list[int]]) -> None:
        """Add clauses that contain neither TRUE nor FALSE among other literals."""
        for clause in clauses:
            self.clause(clause)

    def clauses_over(self, literals: Collection[int], clauses: Iterable[list[int]]) -> None:
        """Add clauses that contain only these literals and their negations."""
        if TRUE in literals or FALSE in literals:
            for clause in clauses:
                self.clause(clause)
        else:
            self.add_plain_clauses(clauses)

    @abstractmethod
    def at_most_one(self, literals: Sequence[int]) -> None:
        """Forbid any two of these."""

    @abstractmethod
    def total(self, choices: Sequence[Choice], low: int, high: int) -> None:
        """Require a total weight of the true literals from `low` to `high`; weights are ≥ 0."""

    def count(self, literals: Sequence[int], low: int, high: int) -> None:
        """Require `low` to `high` true ones of literals that are independent of each other."""
        choices = [((-literal, 0), (literal, 1)) for literal in literals]
        self._between(choices, 0, low, high)

    @abstractmethod
    def shape(self, shape: Connected | Circuit | Acyclic, flags: Sequence[int]) -> None:
        """Handle a shape constraint over these literals. Degrees of circuits are already added."""

    def post_model(self) -> None:
        """Add the variables and constraints of the model."""
        self.extend(self.domains, self.model.constraints)

    def extend(self, domains: Mapping[Variable, Domain], constraints: Sequence[Constraint]) -> None:
        """Add variables that are new, and constraints."""
        self.domains = {**self.domains, **domains}
        for variable, domain in domains.items():
            self.pause()
            literals = self._value_literals(domain)
            self.literals[variable] = literals
            if len(domain) == 2:
                self._two_valued.add(variable)
                first, second = domain
                self._literal_cache[variable, first] = literals[0]
                self._literal_cache[variable, second] = literals[1]
        self._note_different(constraints)
        for number, constraint in enumerate(constraints):
            if number % BETWEEN_PAUSES == 0:
                self.pause()
            condition = constraint.condition
            if type(condition) is Cardinality:  # the most frequent one
                self._cardinality(condition.literals, condition.low, condition.high)
            else:
                self._constraint(condition)

    def _note_different(self, constraints: Iterable[Constraint]) -> None:
        """Note which variables all differ."""
        for constraint in constraints:
            if type(constraint.condition) is AllDifferent:
                group = frozenset(cast(tuple[Variable, ...], constraint.condition.terms))
                for variable in group:
                    self.different.setdefault(variable, []).append(group)

    def _value_literals(self, domain: Domain) -> tuple[int, ...]:
        if len(domain) == 1:
            return (TRUE,)
        if len(domain) == 2:
            literal = self.new_value_literal()
            return -literal, literal
        literals = tuple([self.new_value_literal() for _ in domain])
        self.clause(literals)
        self.at_most_one(literals)
        return literals

    def literal(self, variable: Variable, value: Value) -> int:
        """Return the literal that is true if and only if the variable has the value."""
        literal = self._literal_cache.get((variable, value))
        if literal is None:
            literal = self._value_literal(variable, value)
            self._literal_cache[variable, value] = literal
        return literal

    def _value_literal(self, variable: Variable, value: Value) -> int:
        domain = self.domains[variable]
        literals = self.literals[variable]
        if len(domain) < 3:
            if domain[0] == value:
                return literals[0]
            return literals[-1] if domain[-1] == value else FALSE
        if variable not in self._codes:
            self._codes[variable] = {member: code for code, member in enumerate(domain)}
        code = self._codes[variable].get(value)
        return FALSE if code is None else literals[code]

    def literal_of(self, term: Term) -> int:
        """Return the literal that is true if and only if a term of a shape is."""
        if isinstance(term, Constant):
            return TRUE if term.constant else FALSE
        key: Any = None
        if type(term) is Variable:
            key = (term, True)
        elif type(term) is Not:
            key = (term.condition, False)
        if key in self._literal_cache:  # of a variable with two values; the most frequent case
            return self._literal_cache[key]
        literal = literal_of(term, self.domains)
        assert literal is not None, "a presolved model has shapes over literals"
        return self.literal(*literal)

    def size_cuts(
        self, shape: RegionSizes, links: Sequence[int], is_true: Callable[[int], bool]
    ) -> Iterator[list[int]]:
        """Yield clauses on sizes of regions that a model of the solver violates."""
        choices = [self._size_choices(term) for term in shape.terms[len(links) :]]
        sizes = [next(size for literal, size in choice if is_true(literal)) for choice in choices]
        for cut in wrong_sizes(shape, lambda link: is_true(links[link]), sizes):
            choice = choices[cut.size]
            allowed_sizes = {*cut.sizes(size for _, size in choice)}
            clause = [-links[link] for link in cut.no]
            clause += [links[link] for link in cut.yes]
            clause += [literal for literal, size in choice if size in allowed_sizes]
            yield clause

    def _size_choices(self, term: Term) -> list[tuple[int, Value]]:
        """Return the values of a term, each with the literal that is true if the term has it."""
        if isinstance(term, Variable):
            return list(zip(self.literals[term], self.domains[term]))
        return [(TRUE, term.value({}))]

    def values(self, true: Iterable[int]) -> Layered:
        """Return the values of all variables from the true positive literals."""
        pairs = map(self._decoded.get, true)
        return Layered(self._common, dict(filter(None, pairs)))

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
        decoded: dict[int, tuple[Variable, Value]] = {}
        for variable, literals in self.literals.items():
            if len(literals) > 1:
                for literal, value in zip(literals, self.domains[variable]):
                    if literal > 0:
                        decoded[literal] = (variable, value)
        return decoded

    def weights(self, weighted: Iterable[tuple[int, Variable]]) -> tuple[list[Choice], int]:
        """Return a weighted sum of variables as choices with weights ≥ 0, and a constant."""
        weights: dict[Variable, list[int]] = {}  # of the values of each variable
        for weight, variable in weighted:
            domain = self.domains[variable]
            totals = weights.setdefault(variable, [0] * len(domain))
            for code, value in enumerate(domain):
                totals[code] += weight * int(value)
        return self._choices(weights)

    def _choices(self, weights: Mapping[Variable, Sequence[int]]) -> tuple[list[Choice], int]:
        choices: list[Choice] = []
        constant = 0
        for variable, totals in weights.items():
            least = min(totals)
            constant += least
            if max(totals) > least:
                pairs = zip(self.literals[variable], totals)
                choices.append([(literal, weight - least) for literal, weight in pairs])
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
        choices, _ = self.weights(weighted)
        return choices

    def _constraint(self, condition: Term) -> None:
        match condition:
            case Table():
                self._table(condition)
            case AllDifferent(terms):
                self._all_different([cast(Variable, term) for term in terms])
            case Linear():
                self._linear(condition)
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
                link_literals = [self.literal_of(term) for term in terms[: len(links)]]
                self.sizes.append((condition, link_literals))
            case _:
                raise AssertionError(f"{type(condition).__name__} is not left by flatten")

    def _all_different(self, variables: Sequence[Variable]) -> None:
        values = dict.fromkeys([v for variable in variables for v in self.domains[variable]])
        if len(values) < len(variables):
            self.clause(())
        for value in values:
            literals = [self.literal(variable, value) for variable in variables]
            holders = [literal for literal in literals if literal != FALSE]
            self.at_most_one(holders)
            if len(values) == len(variables):
                self.clause(holders)

    def _linear(self, linear: Linear) -> None:
        if not self._sum_of_different(linear):
            choices, constant = self.weights(linear.weighted)
            self._between(choices, constant, linear.low, linear.high)

    def _sum_of_different(self, linear: Linear) -> bool:
        """Require a sum whose variables all differ; return False, and add nothing, for others.

        Its values are one of a few sets. A literal for each value is true if a variable has it, and
        a literal for each set if its values are those of the variables.
        """
        weights = {weight for weight, _ in linear.weighted}
        variables = {variable for _, variable in linear.weighted}
        if len(weights) != 1 or len(variables) < max(3, len(linear.weighted)):
            return False
        groups = self.different.get(linear.weighted[0][1], ())
        if not any(variables <= group for group in groups):
            return False
        (weight,) = weights
        holders: dict[int, list[int]] = {}  # by the value: the literals of the variables
        for _, variable in linear.weighted:
            for value, literal in zip(self.domains[variable], self.literals[variable]):
                holders.setdefault(weight * int(value), []).append(literal)
        if len(holders) > DIFFERENT_VALUES:
            return False
        values = tuple(sorted(holders))
        sets = sets_within(values, len(variables), linear.low, linear.high)
        if len(sets) > DIFFERENT_SETS:
            return False
        self._one_of_sets(holders, sets)
        return True

    def _one_of_sets(
        self, holders: Mapping[int, Sequence[int]], sets: Sequence[Collection[int]]
    ) -> None:
        """Require that the values that are there are one of the sets.

        Args:
            holders: The literals of which one is true if the value is there, by the value.
            sets: The sets of values.
        """
        selectors = [self.new_literal() for _ in sets]
        self.clause(selectors)
        for value, literals in sorted(holders.items()):
            is_there = self.new_literal()
            self.clause((-is_there, *literals))
            for literal in literals:
                self.clause((-literal, is_there))
            with_value: list[int] = []
            without_value: list[int] = []
            for selector, values in zip(selectors, sets):
                if value in values:
                    with_value.append(selector)
                    self.clause((-selector, is_there))
                else:
                    without_value.append(selector)
                    self.clause((-selector, -is_there))
            self.clause((-is_there, *with_value))
            self.clause((is_there, *without_value))

    def _equality(self, unless: int, condition: Comparison) -> None:
        """Require that two variables are equal, or that they differ, unless a literal is true."""
        left = cast(Variable, condition.left)
        right = cast(Variable, condition.right)
        if condition.operator == "==":
            self._implied(unless, left, right, 1)
            self._implied(unless, right, left, 1)
        else:
            self._implied(unless, left, right, -1)

    def _implied(self, unless: int, first: Variable, second: Variable, sign: int) -> None:
        """Require for each value of the first variable that the second has it (1) or not (-1)."""
        partners = dict(zip(self.domains[second], self.literals[second]))
        pairs = list(zip(self.domains[first], self.literals[first]))
        clauses = [
            [unless, -literal, sign * partners[value]]
            for value, literal in pairs
            if value in partners
        ]
        if sign == 1:
            clauses += [[unless, -literal] for value, literal in pairs if value not in partners]
        self.clauses_over({unless, *self.literals[first], *self.literals[second]}, clauses)

    def _cardinality(self, literals: Sequence[tuple[Variable, Value]], low: int, high: int) -> None:
        numbers: list[Any] = [*map(self._literal_cache.get, literals)]
        if None in numbers:
            numbers = [self.literal(*literal) for literal in literals]
        if low == 1 and high >= len(numbers):
            self.clause(numbers)
            return
        variables = dict(literals)
        are_distinct = len(variables) == len(numbers)
        if are_distinct and self._two_valued.issuperset(variables) and FALSE not in numbers:
            self.count(numbers, max(0, low), min(high, len(numbers)))
            return
        weights: dict[Variable, list[int]] = {}  # of the values of each variable
        for variable, value in literals:
            domain = self.domains[variable]
            totals = weights.setdefault(variable, [0] * len(domain))
            for code, member in enumerate(domain):
                totals[code] += member == value
        choices, constant = self._choices(weights)
        self._between(choices, constant, low, high)

    def _between(
        self, choices: Sequence[Choice], constant: int, low: int | None, high: int | None
    ) -> None:
        largest = sum([max([weight for _, weight in choice]) for choice in choices])
        at_least = max(0, low - constant) if low is not None else 0
        at_most = min(largest, high - constant) if high is not None else largest
        is_bounded = at_least > 0 or at_most < largest
        if at_least > at_most:
            self.clause(())
        elif len(choices) == 2 and is_bounded:
            self._pair(choices[0], choices[1], at_least, at_most)
        elif is_bounded:
            self.total(choices, at_least, at_most)

    def _pair(self, first: Choice, second: Choice, low: int, high: int) -> None:
        first_weights = np.array([weight for _, weight in first], dtype=object)
        second_weights = np.array([weight for _, weight in second], dtype=object)
        sums = first_weights[:, None] + second_weights[None, :]
        rows = np.argwhere((sums >= low) & (sums <= high))
        columns = [[literal for literal, _ in choice] for choice in (first, second)]
        self._supports(columns, rows)

    def _table(self, table: Table) -> None:
        columns = [self.literals[cast(Variable, term)] for term in table.terms]
        if not len(table.rows):
            self.clause(())
            return
        if not columns:
            return
        if len(columns) == 2:
            self._supports(columns, table.rows)
            return
        implications = prime_clauses(tuple(map(len, columns)), table.rows)
        if implications is None:
            self._large_table(columns, table.rows)
            return
        for premises, implied in implications:
            clause = [-columns[column][code] for column, code in premises]
            clause += [columns[column][code] for column, code in implied]
            self.clause(clause)

    def _large_table(self, columns: Sequence[Sequence[int]], rows: NDArray[Any]) -> None:
        clauses = function_clauses(tuple(map(len, columns)), rows)
        if clauses is None:
            self._rows(columns, rows)
            return
        literals = [literal for column in columns for literal in column]
        by_number = np.array([0, *literals], dtype=np.int64)
        for numbers in clauses:
            self.pause()
            signed = np.sign(numbers) * by_number[np.abs(numbers)]
            self.clauses_over(literals, signed.tolist())

    def _degrees(self, circuit: Circuit, flags: Sequence[int]) -> None:
        """Require zero or two true edges at each vertex."""
        for edges in graph_of_circuit(circuit).edges_at:
            if len(edges) < WIDE:
                self.add_plain_clauses(none_or_two([flags[edge] for edge in edges], TRUE))

    def _supports(self, columns: Sequence[Sequence[int]], rows: NDArray[Any]) -> None:
        """Require for each value of either variable one of the values that rows pair with it."""
        for first, second in ((0, 1), (1, 0)):
            supports: list[list[int]] = [[] for _ in columns[first]]
            for code, partner in zip(rows[:, first].tolist(), rows[:, second].tolist()):
                supports[code].append(columns[second][partner])
            for literal, partners in zip(columns[first], supports):
                if len(set(partners)) < len(columns[second]):
                    self.clause((-literal, *partners))

    def _rows(self, columns: Sequence[Sequence[int]], rows: NDArray[Any]) -> None:
        """Add a literal per row: it implies its values, and a value implies one of its rows."""
        selectors = [self.new_literal() for _ in rows]
        for column, literals in enumerate(columns):
            self.pause()
            supports: list[list[int]] = [[] for _ in literals]
            for selector, code in zip(selectors, rows[:, column].tolist()):
                self.clause((-selector, literals[code]))
                supports[code].append(selector)
            for literal, selectors_of_value in zip(literals, supports):
                self.clause((-literal, *selectors_of_value))
