"""Conditions as clauses over numbers of their own, made once for all conditions that differ only in
their unknowns.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends import Budget, Clauses, IncrementalSolver, Sat
from puzzlekit.clock import check
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import Unsupported
from puzzlekit.lowering import lower
from puzzlekit.model import (
    Apply,
    Automaton,
    Constraint,
    Domain,
    Model,
    Origin,
    Table,
    Term,
    Variable,
    classes_in,
    pattern_of,
    variables_of,
)
from puzzlekit.presolve import Inconsistent, presolve
from puzzlekit.query import Presolve
from puzzlekit.reasons.literals import FALSE, TRUE
from puzzlekit.reasons.solver_pool import POOL

WIDE_TABLE = 150  # rows; from here on they stay an array

Numbers = tuple[tuple[int, ...], ...]  # for each unknown the literals of its values


@dataclass(eq=False)
class Pattern:
    """What a condition says of its unknowns, which are numbered in order of occurrence.

    Attributes:
        values: For each unknown the literals of its values, over numbers of the pattern.
        clauses: What holds, over the same numbers, auxiliary ones among them.
        top: The largest number.
        distinguished: The numbers of values that the condition tells from others.
        rows: Instead of clauses, the rows of a wide table: the index of each value in its domain.
        cache: Answers about its instances.
    """

    values: Numbers
    clauses: list[list[int]]
    top: int
    distinguished: frozenset[int]
    rows: NDArray[Any] | None = None
    cache: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def solver(self) -> IncrementalSolver:
        """The clauses, to be asked."""
        return POOL.solver(self, lambda: IncrementalSolver(self.clauses))


PatternCache = dict[Hashable, Pattern]
MOST_SHARED = 4_000  # patterns that models share


class Patterns:
    """The patterns of the conditions of a model.

    Args:
        domains: The domains of the unknowns.
        shared: Patterns that are also those of other models; without it, there are none.
    """

    def __init__(
        self, domains: Mapping[Variable, Domain], shared: PatternCache | None = None
    ) -> None:
        self.domains = domains
        self._cached: PatternCache = {}
        self._shared = shared
        self._referenced: list[object] = []  # whose identities stand in keys

    def of(self, conditions: Sequence[Term]) -> tuple[tuple[Variable, ...], Pattern]:
        """Return the unknowns of conditions that hold together, and their pattern. Raises
        Unsupported.
        """
        check()
        variables = variables_of(*conditions)
        references = len(self._referenced)
        key = self._key(conditions, variables)
        if key is None:
            return variables, _pattern_of(conditions, self._domains_of(variables))
        cached = self._cached
        if self._shared is not None and len(self._referenced) == references:
            cached = self._shared
        if key not in cached:
            if len(cached) > MOST_SHARED:
                cached.clear()
            cached[key] = _pattern_of(conditions, self._domains_of(variables))
        return variables, cached[key]

    def _domains_of(self, variables: Iterable[Variable]) -> dict[Variable, Domain]:
        return {variable: self.domains[variable] for variable in variables}

    def _key(self, conditions: Sequence[Term], variables: Sequence[Variable]) -> Hashable | None:
        """Return what conditions are but for their unknowns; None if that cannot be compared."""
        components: list[Hashable] = [tuple(self.domains[variable] for variable in variables)]
        numbers: dict[Term, int] = {variable: number for number, variable in enumerate(variables)}
        for condition in conditions:
            component = self._key_of_condition(condition, numbers)
            if component is None:
                return None
            components.append(component)
        key = tuple(components)
        try:
            hash(key)
        except TypeError:
            return None
        return key

    def _key_of_condition(self, condition: Term, numbers: Mapping[Term, int]) -> Hashable | None:
        """Return what a condition is but for its unknowns; a table is told by its identity."""
        match condition:
            case Table(terms, rows, books) if _are_variables(terms):
                self._referenced += [rows, books]
                return id(rows), *map(id, books), *(numbers[term] for term in terms)
            case Automaton(terms, steps, accepting) if _are_variables(terms):
                self._referenced.append(steps)
                return id(steps), accepting, *(numbers[term] for term in terms)
            case _:
                pattern = pattern_of(condition)
                if not pattern.is_comparable:
                    return None
                return pattern.key, *(numbers[variable] for variable in pattern.variables)


def _are_variables(terms: Sequence[Term]) -> bool:
    return all(isinstance(term, Variable) for term in terms)


def _pattern_of(conditions: Sequence[Term], domains: Mapping[Variable, Domain]) -> Pattern:
    """Return the pattern of conditions on the unknowns that have these domains."""
    constraints = tuple(Constraint(condition, Origin("")) for condition in conditions)
    try:
        presolved = presolve(Model(domains, constraints), level=Presolve.NONE)
    except Inconsistent:
        return _numbered(domains, [[FALSE]])
    first = presolved.constraints[0].condition if presolved.constraints else None
    if len(presolved.constraints) == 1 and isinstance(first, Table):
        is_plain = all(term in domains for term in first.terms)
        if len(first.rows) > WIDE_TABLE and (is_plain or Apply in classes_in(conditions)):
            return _of_table(first, domains)
    lowered = lower(presolved, Sat.supports, check)
    clauses = Clauses(lowered, Budget())
    if clauses.shapes or clauses.sizes:
        raise Unsupported("a shape in another condition has no reasons")
    of_domains = Clauses(replace(lowered, constraints=()), Budget())
    return _of_clauses(clauses, domains, len(of_domains.cnf))


def _numbered(domains: Mapping[Variable, Domain], clauses: list[list[int]]) -> Pattern:
    """Return a pattern with a number for each value."""
    values = []
    top = TRUE
    for domain in domains.values():
        numbers = range(top + 1, top + len(domain) + 1)
        values.append(tuple(numbers))
        top += len(domain)
    return Pattern(tuple(values), clauses, top, frozenset(range(2, top + 1)))


def _of_table(table: Table, domains: Mapping[Variable, Domain]) -> Pattern:
    """Return the pattern of a wide table: its columns are those of the unknowns, without repeated
    rows.
    """
    columns = []
    is_allowed = np.ones(len(table.rows), dtype=bool)
    positions = {term: position for position, term in enumerate(table.terms)}
    for variable, domain in domains.items():
        if variable not in positions:
            assert len(domain) == 1, "a table leaves out only unknowns with a single value"
            columns.append(np.zeros(len(table.rows), dtype=np.int64))
            continue
        position = positions[variable]
        codes = {value: code for code, value in enumerate(domain)}
        book = [codes.get(value, -1) for value in table.dictionaries[position]]
        column = np.array(book, dtype=np.int64)[table.rows[:, position]]
        columns.append(column)
        is_allowed &= column >= 0
    table_pattern = _numbered(domains, [])
    table_pattern.rows = np.unique(np.stack(columns, axis=1)[is_allowed], axis=0)
    return table_pattern


def _of_clauses(
    encoded: Clauses, domains: Mapping[Variable, Domain], domain_clauses: int
) -> Pattern:
    """Return the pattern of clauses, the first of which only say that unknowns have one value.

    A value that has a constant for a literal gets a number of its own.
    """
    clauses = list(encoded.cnf)
    of_conditions = clauses[domain_clauses:]
    distinguished = {abs(literal) for clause in of_conditions for literal in clause}
    top = encoded.top
    values = []
    for variable, domain in domains.items():
        literals = []
        for value in domain:
            literal = encoded.literal(variable, value)
            if abs(literal) == TRUE and len(domain) > 1:
                top += 1
                clauses.append([top if literal == TRUE else -top])
                literal = top
                distinguished.add(top)
            literals.append(literal)
        values.append(tuple(literals))
    return Pattern(tuple(values), clauses, top, frozenset(distinguished))
