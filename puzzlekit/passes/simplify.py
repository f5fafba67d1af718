"""Make a model smaller before any engine sees it: domains filtered, tables cut, functions worked out.

Conditions on one variable filter its domain. Tables are cut by masks over whole columns; what a rule computes from the
variables of one table becomes columns of that table. All of it repeats until nothing changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from puzzlekit.errors import Refused
from puzzlekit.model import (
    AllDifferent,
    Apply,
    Cardinality,
    Comparison,
    Component,
    Constant,
    Constraint,
    Linear,
    Model,
    Origin,
    Table,
    Term,
    Value,
    Variable,
    variables_of,
)
from puzzlekit.passes.columns import Column, Sheet
from puzzlekit.passes.cuts import cut_by_counts, cut_by_difference, cut_by_pairs
from puzzlekit.passes.domains import Contradiction, Domains, Propagator
from puzzlekit.passes.normalise import normalise
from puzzlekit.passes.propagators import Codes, Counted, Different, Rows, Weighed
from puzzlekit.passes.rewrite import substitute

P = TypeVar("P")
SMALL = 4_096  # combinations of values up to which a condition is kept in step as a table of its truth
MOST = 400_000  # combinations on which a function of unknowns may be worked out


def simplify(model: Model) -> Model:
    """A smaller model with the same answers.

    Needs:  any model.
    Leaves: domains in which every value passes every one-variable condition; no `Apply`; tables over at least two variables
            that are not fixed, with rows that fit the domains; no constraint that always holds. The variables are the same
            objects, with auxiliary ones added, so an answer needs no lift.
    Raises: Contradiction where a domain becomes empty (the model has no answer); Refused for a function of too many.
    """
    work = _Work(normalise(model))
    work.reduce()
    return work.result()


@dataclass
class _Work:
    """The state of one run of `simplify`."""

    model: Model
    domains: Domains = field(init=False)
    tables: list[Rows] = field(default_factory=list)
    truths: list[tuple[Rows, Constraint]] = field(default_factory=list)
    known: list[tuple[Propagator, Constraint]] = field(default_factory=list)
    loose: list[Constraint] = field(default_factory=list)
    opaque: list[Constraint] = field(default_factory=list)
    added: list[Variable] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.domains = Domains(self.model.domains)

    def reduce(self) -> None:
        later: list[Constraint] = []
        for constraint in self.model.constraints:  # what is about one variable makes all else smaller
            self.domains.origin = constraint.origin
            if len(variables_of(constraint.condition)) == 1 and not isinstance(constraint.condition, Table):
                self.filter(constraint)
            else:
                later.append(constraint)
        for constraint in later:
            self.domains.origin = constraint.origin
            self.take(constraint)
        self.domains.settle()
        cut_by_difference(self.domains, self.tables, self._propagators(Different))
        self.domains.settle()
        self.work_out()
        self.domains.settle()
        before = -1
        while before != (before := self._measure()):
            cut_by_counts(self.domains, self.tables, self._propagators(Counted))
            cut_by_pairs(self.domains, self.tables, [rows for rows, _ in self.truths])
            self.domains.settle()
            loose, self.loose = self.loose, []
            for constraint in loose:
                self.take(constraint)
            self.domains.settle()

    def _measure(self) -> int:
        return sum(map(len, self.tables)) + sum(mask.bit_count() for mask in self.domains.live.values())

    def _propagators(self, kind: type[P]) -> list[P]:
        return [propagator for propagator, _ in self.known if isinstance(propagator, kind)]

    def filter(self, constraint: Constraint) -> None:
        """Run a condition on each value of its one variable."""
        (variable,) = variables_of(constraint.condition)
        column = self.domains.column(variable)
        self.domains.keep(variable, Sheet({variable: column}, len(column)).column(constraint.condition).astype(bool))

    def take(self, constraint: Constraint) -> None:
        """Find the propagator for a constraint, or put it aside."""
        condition, origin = constraint.condition, constraint.origin
        match condition:
            case Table():
                self._take_table(condition, origin)
            case AllDifferent(terms) if all(isinstance(term, Variable) for term in terms):
                self._know(Different(condition, origin), constraint)
            case Cardinality():
                self._know(Counted(condition, origin), constraint)
            case Linear():
                self._know(Weighed(condition, origin), constraint)
            case _ if not variables_of(condition):
                if not condition.value({}):
                    raise Contradiction(next(iter(self.domains.values), Variable("nothing")), origin)
            case _ if _opaque(condition):
                self.opaque.append(constraint)
            case _ if self._combinations(variables_of(condition)) <= SMALL:
                rows = self._truth(variables_of(condition), condition, origin)
                self.truths.append((rows, constraint))
                self.domains.watch(rows)
            case _:
                self.loose.append(constraint)

    def _know(self, propagator: Propagator, constraint: Constraint) -> None:
        self.known.append((propagator, constraint))
        self.domains.watch(propagator)

    def _combinations(self, variables: Sequence[Variable]) -> int:
        return math.prod(self.domains.size(variable) for variable in variables)

    def _grid(self, variables: Sequence[Variable]) -> list[Codes]:
        """Every combination of live codes, a column for each variable."""
        alive = [np.flatnonzero(self.domains.alive(variable)) for variable in variables]
        return [axis.ravel().astype(np.uint32) for axis in np.meshgrid(*alive, indexing="ij")]

    def _sheet(self, variables: Sequence[Variable], columns: Sequence[Codes]) -> Sheet:
        values = {v: self.domains.column(v)[column] for v, column in zip(variables, columns)}
        return Sheet(values, len(columns[0]))

    def _truth(self, variables: Sequence[Variable], condition: Term, origin: Origin) -> Rows:
        columns = self._grid(variables)
        holds = self._sheet(variables, columns).column(condition).astype(bool)
        if not holds.any():
            raise Contradiction(variables[0], origin)
        return Rows(variables, [column[holds] for column in columns], origin)

    def _take_table(self, table: Table, origin: Origin) -> None:
        """Recode a table to the domains, without its constants, repeated terms and impossible rows."""
        columns: dict[Variable, Codes] = {}
        rows = table.rows
        for position, (term, book) in enumerate(zip(table.terms, table.books, strict=True)):
            if isinstance(term, Constant):
                rows, columns = _rows_with(rows, columns, _equal_codes(rows[:, position], book, term.constant))
                continue
            variable = term if isinstance(term, Variable) else self.name(term, tuple(book), origin)
            codes = self.domains.codes(variable)
            recode = np.array([codes.get(value, -1) for value in book], dtype=np.int64)
            column = recode[rows[:, position]]
            fits = column >= 0
            if variable in columns:
                fits &= column == columns[variable]
            else:
                columns[variable] = column.astype(np.uint32)
            rows, columns = _rows_with(rows, columns, fits)
        if not len(rows):
            raise Contradiction(next(iter(columns), Variable("nothing")), origin)
        if columns:
            self._add_rows(Rows(list(columns), list(columns.values()), origin))

    def _add_rows(self, rows: Rows) -> None:
        self.tables.append(rows)
        self.domains.watch(rows)

    def name(self, term: Term, values: tuple[Value, ...], origin: Origin) -> Variable:
        """A new auxiliary variable that always equals the term."""
        variable = self.new_variable(values)
        self.take(Constraint(Comparison("==", variable, term), origin))
        return variable

    def new_variable(self, values: tuple[Value, ...]) -> Variable:
        """A new auxiliary variable with these values."""
        variable = Variable(f"(value {len(self.added) + 1})")
        self.added.append(variable)
        self.domains.add(variable, values)
        return variable

    def work_out(self) -> None:
        """Put what functions say into tables, until no function is left."""
        while self.opaque:
            constraints, self.opaque = self.opaque, []
            groups: dict[Rows, list[Constraint]] = {}
            for constraint in constraints:
                groups.setdefault(self._home(constraint), []).append(constraint)
            for table, group in groups.items():
                self._join(table, group)

    def _home(self, constraint: Constraint) -> Rows:
        """The table that binds all that the condition, or a function in it, depends on; made if it is small enough."""
        condition = constraint.condition
        inner = _computed_side(condition) or (None, condition)
        for wanted in (variables_of(condition), variables_of(inner[1]), variables_of(next(_calls(condition)))):
            for table in self.tables:
                if set(wanted) <= set(table.variables):
                    return table
        if self._combinations(wanted) > MOST:
            raise Refused(f"{constraint.origin}: a function of unknowns with more than {MOST} combinations of values")
        table = Rows(wanted, self._grid(wanted), constraint.origin)
        self._add_rows(table)
        return table

    def _join(self, table: Rows, constraints: Sequence[Constraint]) -> None:
        sheet = self._sheet(table.variables, table.columns)
        kept = np.ones(len(table), dtype=bool)
        new: dict[Variable, Column] = {}
        for constraint in constraints:
            condition = constraint.condition
            side = _computed_side(condition)
            if set(variables_of(condition)) <= set(table.variables):
                kept &= sheet.column(condition).astype(bool)
            elif side and side[0] not in table.variables and set(variables_of(side[1])) <= set(table.variables):
                column = self._coded(side[0], sheet.column(side[1]))
                kept &= (column >= 0) & ((new[side[0]] == column) if side[0] in new else True)
                new.setdefault(side[0], column)
            else:
                self._name_calls(table, sheet, constraint, new)
        table.variables.extend(new)
        table.columns.extend(np.maximum(column, 0).astype(np.uint32) for column in new.values())
        self.domains.origin = constraints[0].origin
        table.cut(kept, self.domains)
        self.domains.watch(table)

    def _coded(self, variable: Variable, values: Column) -> Column:
        codes = self.domains.codes(variable)
        distinct, inverse = np.unique(values, return_inverse=True)
        return np.array([codes.get(value, -1) for value in distinct.tolist()], dtype=np.int64)[inverse]

    def _name_calls(self, table: Rows, sheet: Sheet, constraint: Constraint, new: dict[Variable, Column]) -> None:
        """Exchange the functions that this table binds for new variables, each a column of it."""
        names: dict[Term, Term] = {}
        for call in _calls(constraint.condition):
            if set(variables_of(call)) <= set(table.variables):
                values = sheet.column(call)
                variable = self.new_variable(tuple(np.unique(values).tolist()))
                new[variable] = self._coded(variable, values)
                names[call] = variable
        self.take(replace(constraint, condition=substitute(constraint.condition, names)))

    def result(self) -> Model:
        """The model that is left."""
        domains = {variable: self.domains.left(variable) for variable in self.domains.values}
        constraints = [Constraint(table, rows.origin or Origin("")) for rows in self.tables for table in self._table(rows)]
        constraints += [constraint for rows, constraint in self.truths if not rows.full(self.domains)]
        constraints += [c for propagator, known in self.known for c in self._rest(propagator, known)]
        constraints += self.loose
        auxiliary = self.model.auxiliary | frozenset(self.added)
        return Model(domains, tuple(constraints), self.model.goal, auxiliary)

    def _table(self, rows: Rows) -> Iterator[Table]:
        open_ = [i for i, variable in enumerate(rows.variables) if not self.domains.fixed(variable)]
        if len(open_) < 2 or rows.full(self.domains):
            return
        array = np.stack([rows.columns[i] for i in open_], axis=1)
        variables = tuple(rows.variables[i] for i in open_)
        yield Table(variables, array, tuple(self.domains.values[variable] for variable in variables))

    def _rest(self, propagator: Propagator, constraint: Constraint) -> Iterator[Constraint]:
        """What a constraint still asks of the variables that are not fixed."""
        match propagator:
            case Different():
                left = [v for v in propagator.variables if not self.domains.fixed(v)]
                if sum(map(self.domains.size, left)) > len({x for v in left for x in self.domains.left(v)}):
                    yield replace(constraint, condition=AllDifferent(tuple(left)))
            case Counted():
                held, _ = propagator.state(self.domains)
                literals = tuple(
                    (variable, value)
                    for variable, value in propagator.constraint.literals
                    if self.domains.bit(variable, value) & self.domains.live[variable] and not self.domains.fixed(variable)
                )
                low, high = max(propagator.constraint.low - held, 0), propagator.constraint.high - held
                if low > 0 or high < len(literals):
                    yield replace(constraint, condition=Cardinality(literals, low, min(high, len(literals))))
            case Weighed():
                yield from self._rest_of_sum(propagator, constraint)
            case _:
                yield constraint

    def _rest_of_sum(self, propagator: Weighed, constraint: Constraint) -> Iterator[Constraint]:
        low, high = propagator.constraint.low, propagator.constraint.high
        spans = propagator.bounds(self.domains)
        most, least = sum(span[1] for span in spans), sum(span[0] for span in spans)
        if (low is None or least >= low) and (high is None or most <= high):
            return
        weighted = []
        for (weight, variable), (small, _) in zip(propagator.constraint.weighted, spans):
            if self.domains.fixed(variable):
                low = None if low is None else low - small
                high = None if high is None else high - small
            else:
                weighted.append((weight, variable))
        yield replace(constraint, condition=Linear(tuple(weighted), low, high))


def _rows_with(rows: Codes, columns: Mapping[Variable, Codes], fits: NDArray[np.bool_]) -> tuple[Codes, dict[Variable, Codes]]:
    if fits.all():
        return rows, dict(columns)
    return rows[fits], {variable: column[fits] for variable, column in columns.items()}


def _equal_codes(column: Codes, book: Sequence[Value], value: Value) -> NDArray[np.bool_]:
    return np.isin(column, [code for code, entry in enumerate(book) if entry == value])


def _computed_side(condition: Term) -> tuple[Variable, Term] | None:
    """`variable == term`, either way round, if the condition is that."""
    match condition:
        case Comparison("==", Variable() as variable, term) | Comparison("==", term, Variable() as variable):
            return variable, term
        case _:
            return None


def _calls(term: Term) -> Iterator[Term]:
    """The functions of unknowns in a term: each component of one that gives a tuple, else the call itself."""
    stack = [term]
    while stack:
        part = stack.pop()
        if isinstance(part, Apply) or (isinstance(part, Component) and isinstance(part.whole, Apply)):
            yield part
        else:
            stack.extend(part.parts())


def _opaque(term: Term) -> bool:
    return any(True for _ in _calls(term))
