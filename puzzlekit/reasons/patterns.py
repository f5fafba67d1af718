"""Conditions as clauses over numbers of their own, made once for all conditions that differ only in
their unknowns.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.backends.base import Budget
from puzzlekit.backends.incremental_solver import IncrementalSolver
from puzzlekit.backends.sat import Clauses, Sat
from puzzlekit.clock import check
from puzzlekit.errors import Unsupported
from puzzlekit.lowering.planner import lower
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
    kinds_in,
    variables_of,
)
from puzzlekit.presolve.domains import Inconsistent
from puzzlekit.presolve.normal_form import pattern
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.query import Presolve
from puzzlekit.reasons.literals import FALSE, TRUE

WIDE_TABLE = 150  # rows; from here on they stay an array

Numbers = tuple[tuple[int, ...], ...]  # for each unknown the literals of its values


@dataclass
class Pattern:
    """What a condition says of its unknowns, which are numbered in order of occurrence.

    Attributes:
        values: For each unknown the literals of its values, over numbers of the pattern.
        clauses: What holds, over the same numbers, auxiliary ones among them.
        top: The largest number.
        said: The numbers of values that the condition tells from others.
        rows: Instead of clauses, the rows of a wide table: the place of each value in its domain.
        answers: What was found before of its instances.
    """

    values: Numbers
    clauses: list[list[int]]
    top: int
    distinguished: frozenset[int]
    rows: NDArray[Any] | None = None
    cache: dict[Hashable, Any] = field(default_factory=dict)
    _solver: IncrementalSolver | None = None

    @property
    def solver(self) -> IncrementalSolver:
        """The clauses, to be asked."""
        if self._solver is None:
            self._solver = IncrementalSolver(self.clauses)
        return self._solver


class Patterns:
    """The patterns of the conditions of a model."""

    def __init__(self, domains: Mapping[Variable, Domain]) -> None:
        self.domains = domains
        self._cached: dict[Hashable, Pattern] = {}
        self._referenced: list[object] = []  # whose ids stand in keys

    def of(self, conditions: Sequence[Term]) -> tuple[tuple[Variable, ...], Pattern]:
        """Return the unknowns of conditions that hold together, and their pattern. Raises
        Unsupported.
        """
        check()
        variables = variables_of(*conditions)
        key = self._key(conditions, variables)
        found = None if key is None else self._cached.get(key)
        if found is None:
            found = _made(conditions, variables, self.domains)
            if key is not None:
                self._cached[key] = found
        return variables, found

    def _key(self, conditions: Sequence[Term], variables: Sequence[Variable]) -> Hashable | None:
        parts: list[Hashable] = [tuple(self.domains[variable] for variable in variables)]
        numbers = {variable: number for number, variable in enumerate(variables)}
        for condition in conditions:
            match condition:
                case Table(terms, rows, books) if all(isinstance(term, Variable) for term in terms):
                    self._referenced += [rows, books]
                    parts.append(
                        (
                            id(rows),
                            *map(id, books),
                            *(numbers[term] for term in terms if isinstance(term, Variable)),
                        )
                    )
                case Automaton(terms, steps, accepting) if all(
                    isinstance(term, Variable) for term in terms
                ):
                    self._referenced.append(steps)
                    parts.append(
                        (
                            id(steps),
                            accepting,
                            *(numbers[term] for term in terms if isinstance(term, Variable)),
                        )
                    )
                case _:
                    own = pattern(condition, variables)
                    if own is None:
                        return None
                    parts.append(own)
        key = tuple(parts)
        try:
            hash(key)
        except TypeError:
            return None
        return key


def _made(
    conditions: Sequence[Term], variables: tuple[Variable, ...], domains: Mapping[Variable, Domain]
) -> Pattern:
    own = {variable: domains[variable] for variable in variables}
    model = Model(own, tuple(Constraint(condition, Origin("")) for condition in conditions))
    try:
        small = presolve(model, level=Presolve.NONE)
    except Inconsistent:
        return _numbered(own, [[FALSE]])
    if len(small.constraints) == 1 and isinstance(table := small.constraints[0].condition, Table):
        wide = len(table.rows) > WIDE_TABLE and all(term in own for term in table.terms)
        if wide or (len(table.rows) > WIDE_TABLE and Apply in kinds_in(conditions)):
            return _of_table(table, own)
    flat = lower(small, Sat.supports, check)
    made = Clauses(flat, Budget())
    if made.shapes or made.sizes:
        raise Unsupported("a shape in another condition has no reasons")
    return _of_clauses(made, own, len(Clauses(replace(flat, constraints=()), Budget()).made))


def _numbered(own: Mapping[Variable, Domain], clauses: list[list[int]]) -> Pattern:
    """Return a pattern with a number for each value."""
    values, top = [], TRUE
    for domain in own.values():
        values.append(tuple(range(top + 1, top + len(domain) + 1)))
        top += len(domain)
    return Pattern(tuple(values), clauses, top, frozenset(range(2, top + 1)))


def _of_table(table: Table, own: Mapping[Variable, Domain]) -> Pattern:
    """Return the pattern of a wide table: its columns are those of the unknowns, without repeated
    rows.
    """
    columns, kept = [], np.ones(len(table.rows), dtype=bool)
    places = {term: place for place, term in enumerate(table.terms)}
    for variable, domain in own.items():
        codes = {value: code for code, value in enumerate(domain)}
        if (place := places.get(variable)) is None:
            assert len(domain) == 1, "a table leaves out only unknowns with a single value"
            columns.append(np.zeros(len(table.rows), dtype=np.int64))
            continue
        recoded = np.array([codes.get(value, -1) for value in table.books[place]], dtype=np.int64)
        columns.append(recoded[table.rows[:, place]])
        kept &= columns[-1] >= 0
    made = _numbered(own, [])
    made.rows = np.unique(np.stack(columns, axis=1)[kept], axis=0)
    return made


def _of_clauses(made: Clauses, own: Mapping[Variable, Domain], of_domains: int) -> Pattern:
    """Return the pattern of clauses, the first of which only say that unknowns have one value.

    A value that has a constant for a literal gets a number of its own.
    """
    clauses = list(made.made)
    said = {abs(literal) for clause in clauses[of_domains:] for literal in clause}
    top, values = made.top, []
    for variable, domain in own.items():
        numbers = []
        for value in domain:
            literal = made.literal(variable, value)
            if abs(literal) == TRUE and len(domain) > 1:
                top += 1
                clauses.append([top if literal == TRUE else -top])
                literal = top
                said.add(top)
            numbers.append(literal)
        values.append(tuple(numbers))
    return Pattern(tuple(values), clauses, top, frozenset(said))
