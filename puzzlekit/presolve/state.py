"""What `presolve` works on: domains, tables, and the propagator of each constraint."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import TypeGuard, TypeVar

import numpy as np

from puzzlekit.model import (
    Acyclic,
    AllDifferent,
    Apply,
    Automaton,
    Cardinality,
    Circuit,
    Comparison,
    Component,
    Connected,
    Constant,
    Constraint,
    Linear,
    Model,
    Or,
    Origin,
    RegionSizes,
    Table,
    Term,
    TermPattern,
    Value,
    Variable,
    classes_in,
    has_variables,
    pattern_of,
)
from puzzlekit.presolve.bit_graph import bits_of
from puzzlekit.presolve.domains import DomainStore, Inconsistent, Propagator
from puzzlekit.presolve.normal_form import (
    Literal,
    literal_of,
    on_flags,
    substitute,
)
from puzzlekit.presolve.propagators import (
    AllDifferentPropagator,
    CardinalityPropagator,
    LinearPropagator,
    at_rest,
)
from puzzlekit.presolve.region_sizes import RegionSizesPropagator
from puzzlekit.presolve.rewrites import PARTIAL
from puzzlekit.presolve.structure_propagators import (
    AcyclicPropagator,
    AutomatonPropagator,
    ConnectivityPropagator,
)
from puzzlekit.presolve.tables import Codes, LiteralTable, RowBits, Rows, Truths, TruthTable, fitted
from puzzlekit.presolve.vector_eval import ColumnEvaluator, every_combination

TRUTH_BITS = 8  # values of a variable up to which such a table is stored as bits
LITERAL_GAIN = 2  # combinations of values per combination of literals, to track those
ONE_BY_ONE = 64  # rows up to which their bits are put together without numpy
SHARED_COMBINATIONS = 1_024  # of all values up to which conditions of one pattern share a table
TRACKED_COMBINATIONS = 4_096  # of values up to which a truth table tracks a condition
CACHED_TRUTHS = 500  # patterns of conditions whose supports are cached

P = TypeVar("P")
_supports_of: dict[Hashable, RowBits | None] = {}  # by a pattern and the domains of its variables


class PresolveStore:
    """The domains and the propagators. `post` files each constraint in exactly one of the lists.

    Unless it `propagates`, constraints are only brought into the forms that lowering takes.
    """

    def __init__(self, model: Model, check: Callable[[], None], propagates: bool = True) -> None:
        self.model = model
        self.propagates = propagates
        self.auxiliary = model.auxiliary
        self.goal = model.goal
        self.domains = DomainStore(model.domains, check)
        # counts that get a propagator once a domain has changed
        self.resting: list[Constraint] = []
        self.tables: list[Rows] = []
        # conditions on few values, each with its truth table
        self.truths: list[tuple[Rows | TruthTable | LiteralTable, Constraint]] = []
        self.propagated: list[tuple[Propagator, Constraint]] = []
        self.choices: list[tuple[Or, Origin]] = []  # optional tables
        self.unpropagated: list[Constraint] = []  # not propagated yet
        self.opaque: list[Constraint] = []  # with functions of unknowns
        self.joined: list[Constraint] = []  # those that became columns and cuts of tables
        self.added: list[Variable] = []
        self._patterns: dict[Term, TermPattern] = {}
        # optional tables, each with its table over shadows
        self.shadows: dict[Hashable, tuple[Table, Rows | bool]] = {}
        # the values for which a condition on one variable holds, by its pattern and the domain
        self._filters: dict[Hashable, int] = {}
        # by the patterns of condition and domains
        self._truth_of: dict[Hashable, tuple[list[Codes], RowBits | None]] = {}
        # the same for all values; None where there is no such table
        self._shared_truths: dict[Hashable, RowBits | None] = {}
        # by the patterns of conditions on literals
        self._literals_of: dict[Hashable, tuple[Truths, int]] = {}

    def propagators(self, propagator_class: type[P]) -> list[P]:
        """Return the propagators of a class; those that rest are posted for it."""
        if propagator_class is CardinalityPropagator:
            self._wake()
        propagators = [propagator for propagator, _ in self.propagated]
        return [each for each in propagators if isinstance(each, propagator_class)]

    def counts(self) -> Iterator[Cardinality]:
        """Yield the cardinalities that propagate or rest."""
        propagated = [constraint for _, constraint in self.propagated]
        for constraint in chain(self.resting, propagated):
            if isinstance(constraint.condition, Cardinality):
                yield constraint.condition

    def rests(self, constraint: Constraint) -> bool:
        """Set the constraint aside if nothing follows from it before the first change of a domain;
        return whether.
        """
        condition = constraint.condition
        if not self.propagates or self.domains.changed or type(condition) is not Cardinality:
            return False
        literals = condition.literals
        if literals[0][0] is literals[-1][0]:  # mostly of one variable
            return False
        resting = at_rest(condition, self.domains)
        if resting:
            self.resting.append(constraint)
        return resting

    def propagate_to_fixpoint(self) -> None:
        """Run propagators to a fixpoint."""
        self.domains.propagate_to_fixpoint()
        if self.resting and self.domains.changed:
            self._wake()
            self.domains.propagate_to_fixpoint()

    def _wake(self) -> None:
        resting, self.resting = self.resting, []
        for constraint in resting:
            self.post(constraint)

    def pattern_of(self, condition: Term) -> TermPattern:
        """Return the pattern of a condition, which is read once."""
        pattern = self._patterns.get(condition)
        if pattern is None:
            pattern = self._patterns[condition] = pattern_of(condition)
        return pattern

    def filter(self, constraint: Constraint) -> None:
        """Evaluate a condition on each value of its only variable."""
        pattern = self.pattern_of(constraint.condition)
        (variable,) = pattern.variables
        key = (pattern.key, id(self.domains.values[variable]))
        mask = self._filters.get(key)
        if mask is None or pattern.key is None:
            column = self.domains.column(variable)
            evaluator = ColumnEvaluator({variable: column}, len(column))
            mask = self._filters[key] = bits_of(evaluator.is_true(constraint.condition))
        self.domains.restrict(variable, mask)

    def post(self, constraint: Constraint) -> None:
        """Find the propagator for a constraint, or set the constraint aside."""
        condition, origin = constraint.condition, constraint.origin
        match condition:
            case Cardinality():  # the most frequent class
                self._post_count(CardinalityPropagator(condition, origin), constraint)
            case Table():
                self._post_table(condition, origin)
            case AllDifferent(terms) if all(isinstance(term, Variable) for term in terms):
                self._propagate(AllDifferentPropagator(condition, origin, self.domains), constraint)
            case Linear():
                self._propagate(LinearPropagator(condition, origin), constraint)
            case Automaton() | Connected() | Circuit() | Acyclic() if has_variables(condition):
                self._post_structure(condition, origin)
            case RegionSizes() if has_variables(condition):
                self._post_sizes(condition, origin)
            case _:
                self._post_condition(constraint, self.pattern_of(condition))

    def _post_count(self, count: CardinalityPropagator, constraint: Constraint) -> None:
        if self.propagates and at_rest(count.constraint, self.domains):
            count.idle = True
            self.propagated.append((count, constraint))
            self.domains.watch_changes(count)
        else:
            self._propagate(count, constraint)

    def _post_condition(self, constraint: Constraint, pattern: TermPattern) -> None:
        """Post a condition that has no propagator for its class."""
        condition, origin = constraint.condition, constraint.origin
        variables = pattern.variables
        if not variables:
            if not condition.value({}):
                raise Inconsistent(None, origin)
        elif pattern.has_calls:
            self._post_opaque(constraint)
        elif self.propagates and self._post_literals(constraint, pattern):
            return
        elif self.combinations(variables) <= TRACKED_COMBINATIONS:
            self._post_truth(constraint, pattern)
        elif is_choice(condition):
            self.choices.append((condition, origin))
        else:
            self.unpropagated.append(constraint)

    def _post_truth(self, constraint: Constraint, pattern: TermPattern) -> None:
        if not self.propagates:
            self.unpropagated.append(constraint)
            return
        rows = self._truth(pattern, constraint.condition, constraint.origin)
        self.truths.append((rows, constraint))
        if isinstance(rows, TruthTable) and rows.rests(self.domains):
            self.domains.watch_changes(rows)
        else:
            self.domains.watch(rows)

    def _post_literals(self, constraint: Constraint, pattern: TermPattern) -> bool:
        """Propagate a condition on few literals of variables with many values, one literal each.

        Returns whether it is such a condition.
        """
        literals = pattern.literals
        if literals is None or len(literals) > len(pattern.variables):
            return False
        most = min(TRACKED_COMBINATIONS, self.combinations(pattern.variables) // LITERAL_GAIN)
        if 1 << len(literals) > most:
            return False
        key = pattern.structure
        if key not in self._literals_of:
            self._literals_of[key] = _literal_truths(constraint.condition, literals)
        supports, count = self._literals_of[key]
        table = LiteralTable(self.domains.bits(literals), supports, count, constraint.origin)
        self.truths.append((table, constraint))
        self.domains.watch(table)
        return True

    def _post_structure(
        self, structure: Automaton | Connected | Circuit | Acyclic, origin: Origin
    ) -> None:
        """Name the terms that are not literals, so that the structure can be propagated."""
        if isinstance(structure, Automaton):
            values = tuple({value: None for step in structure.steps for value in step})
            terms = [self._named(term, values, origin) for term in structure.terms]
        else:
            terms = [self._named_flag(term, origin) for term in structure.terms]
        structure = replace(structure, terms=tuple(terms))
        propagator: Propagator
        match structure:
            case Automaton():
                propagator = AutomatonPropagator(structure, origin, self.domains)
            case Acyclic():
                propagator = AcyclicPropagator(structure, origin, self.domains)
            case _:
                propagator = ConnectivityPropagator(structure, origin, self.domains)
        self._propagate(propagator, Constraint(structure, origin))

    def _post_sizes(self, structure: RegionSizes, origin: Origin) -> None:
        """Name the links that are not literals, and the sizes that are not unknowns."""
        number = len(structure.links)
        links = [self._named_flag(term, origin) for term in structure.terms[:number]]
        possible = tuple(range(1, number + 2))
        sizes = [self._named(term, possible, origin) for term in structure.terms[number:]]
        for size in sizes:
            if isinstance(size, Variable):
                mask = sum([self.domains.bit(size, value) for value in possible])
                self.domains.restrict(size, mask)
            elif size.value({}) not in possible:
                raise Inconsistent(None, origin)
        structure = replace(structure, terms=(*links, *sizes))
        propagator = RegionSizesPropagator(structure, origin, self.domains)
        self._propagate(propagator, Constraint(structure, origin))

    def _named(self, term: Term, values: tuple[Value, ...], origin: Origin) -> Term:
        """Return a variable or a constant: this term, or its name."""
        if isinstance(term, Variable | Constant):
            return term
        return self.name(term, values, origin)

    def _named_flag(self, term: Term, origin: Origin) -> Term:
        """Return a condition that is a literal or a constant: this one, or its name."""
        if isinstance(term, Constant) or literal_of(term, self.domains.values) is not None:
            return term
        return self.name(term, (False, True), origin)

    def _post_opaque(self, constraint: Constraint) -> None:
        condition = constraint.condition
        constant_calls = [call for call in calls(condition) if not has_variables(call)]
        if not constant_calls:
            self.opaque.append(constraint)
            return
        constants = {call: Constant(call.value({})) for call in constant_calls}
        self.post(replace(constraint, condition=substitute(condition, constants)))

    def _propagate(self, propagator: Propagator, constraint: Constraint) -> None:
        self.propagated.append((propagator, constraint))
        self.domains.watch(propagator)

    def combinations(self, variables: Sequence[Variable]) -> int:
        """Return the number of combinations of live values."""
        return math.prod(self.domains.size(variable) for variable in variables)

    def grid(self, variables: Sequence[Variable]) -> list[Codes]:
        """Return every combination of live codes, one column per variable."""
        axes = [np.flatnonzero(self.domains.alive(variable)) for variable in variables]
        return every_combination([codes.astype(np.uint32) for codes in axes])

    def evaluator(self, variables: Sequence[Variable], columns: Sequence[Codes]) -> ColumnEvaluator:
        """Return an evaluator over columns of codes."""
        values = {v: self.domains.column(v)[column] for v, column in zip(variables, columns)}
        return ColumnEvaluator(values, len(columns[0]))

    def _truth(self, pattern: TermPattern, condition: Term, origin: Origin) -> Rows | TruthTable:
        variables = pattern.variables
        shared = self._shared_supports(pattern, condition)
        if shared is not None:
            return TruthTable(variables, shared, origin)
        domains = [(id(self.domains.values[v]), self.domains.masks[v]) for v in variables]
        key = (pattern.key, *domains)
        if pattern.key is None or key not in self._truth_of:
            grid = self.grid(variables)
            is_true = self.evaluator(variables, grid).is_true(condition)
            columns = [column[is_true] for column in grid]
            self._truth_of[key] = columns, self._supports(variables, columns)
        columns, supports = self._truth_of[key]
        if not len(columns[0]):
            raise Inconsistent(variables[0], origin)
        if supports:
            return TruthTable(variables, supports, origin)
        return Rows(variables, columns, origin)

    def _shared_supports(self, pattern: TermPattern, condition: Term) -> RowBits | None:
        """Return the supports of a condition for all values of its variables, dead ones included.

        Conditions of the same pattern share them. Returns None if their table would be large, or a
        term may have no value for a dead one.
        """
        variables = pattern.variables
        domains = [self.domains.values[variable] for variable in variables]
        sizes = [len(domain) for domain in domains]
        if not pattern.is_comparable or math.prod(sizes) > SHARED_COMBINATIONS:
            return None
        key = (pattern.key, *map(id, domains))
        if key not in self._shared_truths:
            self._shared_truths[key] = self._cached_supports(pattern, condition)
        return self._shared_truths[key]

    def _cached_supports(self, pattern: TermPattern, condition: Term) -> RowBits | None:
        """Return the same supports; those of the last models are cached for all models."""
        variables = pattern.variables
        domains = [self.domains.values[variable] for variable in variables]
        key = (pattern.key, *domains, *[tuple(map(type, domain)) for domain in domains])
        if key in _supports_of:
            return _supports_of[key]
        supports = None
        sizes = [len(domain) for domain in domains]
        if max(sizes) <= TRUTH_BITS and PARTIAL.isdisjoint(classes_in([condition])):
            grid = every_combination([np.arange(size, dtype=np.uint32) for size in sizes])
            is_true = self.evaluator(variables, grid).is_true(condition)
            columns = [column[is_true] for column in grid]
            supports = self._supports(variables, columns)
        if len(_supports_of) >= CACHED_TRUTHS:
            _supports_of.clear()
        _supports_of[key] = supports
        return supports

    def _supports(self, variables: Sequence[Variable], columns: Sequence[Codes]) -> RowBits | None:
        """Return the supports for `TruthTable`; None for many values, where a table is better."""
        sizes = [len(self.domains.values[variable]) for variable in variables]
        if max(sizes) > TRUTH_BITS:
            return None
        return RowBits(_rows_with(sizes, columns), len(columns[0]))

    def _post_table(self, table: Table, origin: Origin) -> None:
        """Recode a table to the domains, without constants, repeated terms and impossible rows."""
        terms: list[Variable | Constant] = []
        for term, dictionary in zip(table.terms, table.dictionaries):
            if not isinstance(term, Variable | Constant):
                term = self.name(term, tuple(dictionary), origin)
            terms.append(term)
        columns, count = fitted(terms, table.rows, table.dictionaries, self.domains.codes)
        if not count:
            raise Inconsistent(next(iter(columns), None), origin)
        if columns:
            self.add_table(Rows(list(columns), list(columns.values()), origin))

    def add_table(self, rows: Rows) -> None:
        """Register a table and propagate it."""
        self.tables.append(rows)
        self.domains.watch(rows)

    def name(self, term: Term, values: tuple[Value, ...], origin: Origin) -> Variable:
        """Return a new auxiliary variable that equals the term."""
        variable = self.new_variable(values)
        self.post(Constraint(Comparison("==", variable, term), origin))
        return variable

    def new_variable(self, values: tuple[Value, ...]) -> Variable:
        """Return a new auxiliary variable with these values."""
        variable = Variable(f"(value {len(self.added) + 1})")
        self.added.append(variable)
        self.domains.add(variable, values)
        return variable


def _rows_with(sizes: Sequence[int], columns: Sequence[Codes]) -> list[dict[int, int]]:
    """Return for each column the rows with each code, as bits, by the mask of the code."""
    if len(columns[0]) > ONE_BY_ONE:
        return [
            {1 << code: bits_of(column == code) for code in range(size)}
            for size, column in zip(sizes, columns)
        ]
    supports = [dict.fromkeys([1 << code for code in range(size)], 0) for size in sizes]
    for rows, column in zip(supports, columns):
        for row, code in enumerate(column.tolist()):
            rows[1 << code] |= 1 << row
    return supports


def _literal_truths(condition: Term, literals: Sequence[Literal]) -> tuple[Truths, int]:
    """Return the supports of each literal in the truth table of a condition, and its rows."""
    condition, flags = on_flags(condition, literals)
    grid = every_combination([np.arange(2, dtype=np.uint32)] * len(flags))
    columns = {flag: column.astype(bool) for flag, column in zip(flags, grid)}
    is_true = ColumnEvaluator(columns, len(grid[0])).is_true(condition)
    supports = _rows_with([2] * len(flags), [column[is_true] for column in grid])
    return [(rows[0b01], rows[0b10]) for rows in supports], int(is_true.sum())


def calls(term: Term) -> Iterator[Term]:
    """Yield the outermost functions of unknowns in a term, components of tuples included."""
    stack = [term]
    while stack:
        subterm = stack.pop()
        if isinstance(subterm, Apply | Component):
            yield subterm
        else:
            stack.extend(subterm.subterms())


def is_choice(condition: Term) -> TypeGuard[Or]:
    """Return whether it is an `Or` with tables, each over variables and constants only."""
    if not isinstance(condition, Or):
        return False
    tables = [operand for operand in condition.conditions if isinstance(operand, Table)]
    terms = [term for table in tables for term in table.terms]
    return bool(tables) and all(isinstance(term, Variable | Constant) for term in terms)


def bound_sizes(store: PresolveStore) -> None:
    """Give each connected structure the bound that a cardinality sets on its true flags."""
    structures = store.propagators(ConnectivityPropagator)
    flags = []
    for structure in structures:
        literals = structure.flags.literals
        flags.append(frozenset(each for each in literals if not isinstance(each, bool)))
    sizes = set(map(len, flags))
    bounds: dict[frozenset[Literal], int] = {}
    for count in store.counts():
        if len(count.literals) in sizes:
            counted = frozenset(count.literals)
            bounds[counted] = min(count.high, bounds.get(counted, count.high))
    for structure, open_flags in zip(structures, flags):
        if open_flags in bounds:
            true = sum(literal is True for literal in structure.flags.literals)
            structure.most = bounds[open_flags] + true


def cut_by_difference(store: PresolveStore) -> None:
    """Cut the rows that give two all-different variables the same value."""
    domains = store.domains
    for difference in store.propagators(AllDifferentPropagator):
        domains.check()
        members = set(difference.variables)
        for table in store.tables:
            columns = []
            for variable, codes in zip(table.variables, table.columns):
                if variable in members:
                    columns.append(domains.column(variable)[codes])
            if len(columns) < 2:
                continue
            retained = np.ones(len(table), dtype=bool)
            for first, second in combinations(columns, 2):
                retained &= first != second
            domains.origin = difference.origin
            table.cut(retained, domains)
