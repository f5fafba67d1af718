"""Propagators for tables, all-different, cardinality and linear constraints."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.model import AllDifferent, Cardinality, Constant, Linear, Origin, Value, Variable
from puzzlekit.presolve.domains import Contradiction, Domains

Codes = NDArray[np.unsignedinteger[Any]]
Supports = Sequence[Sequence[int]]


class Rows:
    """A table: the rows that are still possible, one column of codes per variable (no repeats)."""

    costly = False

    def __init__(self, variables: Sequence[Variable], columns: Sequence[Codes], origin: Origin | None) -> None:
        self.variables = list(variables)
        self.columns = list(columns)
        self.origin: Origin | None = origin
        self._seen: dict[Variable, int] = {}  # the live masks after the last cut

    @property
    def watched(self) -> Iterable[Variable]:
        return self.variables

    def __len__(self) -> int:
        return len(self.columns[0])

    def run(self, domains: Domains) -> None:
        kept: NDArray[np.bool_] | None = None
        for variable, column in zip(self.variables, self.columns):
            if self._seen.get(variable, -1) != domains.live[variable]:
                fits = domains.alive(variable)[column]
                kept = fits if kept is None else kept & fits
        if kept is not None:
            self.cut(kept, domains)

    def cut(self, kept: NDArray[np.bool_], domains: Domains) -> None:
        """Keep these rows, and remove the values that occur in none."""
        if not kept.all():
            self.columns = [column[kept] for column in self.columns]
        if not len(self):
            raise Contradiction(next(iter(self.variables), None), domains.origin or self.origin)
        for variable, column in zip(self.variables, self.columns):
            found = np.zeros(len(domains.values[variable]), dtype=bool)
            found[column] = True
            self._seen[variable] = domains.keep(variable, found)

    def full(self, domains: Domains) -> bool:
        """Return whether every combination of live values is allowed: it is redundant then."""
        return len(self) == math.prod(domains.size(variable) for variable in self.variables)


class TruthTable:
    """A table of few values: `supports[i][code]` are the rows, as bits, with that value at i."""

    costly = False

    def __init__(self, variables: Sequence[Variable], supports: Supports, count: int, origin: Origin) -> None:
        self.variables = variables
        self.supports = supports
        self.rows = (1 << count) - 1
        self.origin: Origin | None = origin

    @property
    def watched(self) -> Iterable[Variable]:
        return self.variables

    def run(self, domains: Domains) -> None:
        for variable, supports in zip(self.variables, self.supports):
            live = domains.live[variable]
            self.rows &= sum(rows for code, rows in enumerate(supports) if live >> code & 1)
        if not self.rows:
            raise Contradiction(self.variables[0], self.origin)
        for variable, supports in zip(self.variables, self.supports):
            domains.restrict(variable, sum(1 << code for code, rows in enumerate(supports) if rows & self.rows))

    def full(self, domains: Domains) -> bool:
        """Return whether every combination of live values is allowed: it is redundant then."""
        return self.rows.bit_count() == math.prod(map(domains.size, self.variables))


class LiteralTable:
    """The truth table of a condition on literals: `supports[i]` has the rows in which literal i is
    false and those in which it is true, as bits. Literals of one variable are taken as independent.
    """

    costly = False

    def __init__(self, literals: Sequence[tuple[Variable, int]], supports: Supports, count: int, origin: Origin) -> None:
        self.literals = literals
        self.supports = supports
        self.rows = (1 << count) - 1
        self.origin: Origin | None = origin
        self._open = [(*literal, no, yes) for literal, (no, yes) in zip(literals, supports)]
        self._new = True

    @property
    def watched(self) -> Iterable[Variable]:
        return dict(self.literals)

    def run(self, domains: Domains) -> None:
        open_: list[tuple[Variable, int, int, int]] = []
        for literal in self._open:
            variable, bit, no, yes = literal
            live = domains.live[variable]
            if not live & bit:
                self.rows &= no
            elif live == bit:
                self.rows &= yes
            else:
                open_.append(literal)
        if len(open_) == len(self._open) and not self._new:
            return
        self._open, self._new = open_, False
        if not self.rows:
            raise Contradiction(self.literals[0][0], self.origin)
        for variable, bit, no, yes in open_:
            if not self.rows & yes:
                domains.restrict(variable, ~bit)
            elif not self.rows & no:
                domains.restrict(variable, bit)

    def full(self, domains: Domains) -> bool:
        """Return whether the condition holds for all values of the literals that are open."""
        undecided = sum(1 for variable, bit in self.literals if domains.live[variable] & bit not in (0, domains.live[variable]))
        return self.rows.bit_count() == 1 << undecided


class AllDifferentPropagator:
    """All-different: fixed values are removed from the others; n variables need n values."""

    costly = False

    def __init__(self, constraint: AllDifferent, origin: Origin) -> None:
        self.variables = [term for term in constraint.terms if isinstance(term, Variable)]
        self.origin: Origin | None = origin
        self._used: set[Variable] = set()

    @property
    def watched(self) -> Iterable[Variable]:
        return self.variables

    def run(self, domains: Domains) -> None:
        again = True
        while again:
            again = False
            for variable in self.variables:
                if variable not in self._used and domains.fixed(variable):
                    self._used.add(variable)
                    again = True
                    self._take(variable, domains)
        if self._number_of_values(domains) < len(self.variables):
            raise Contradiction(self.variables[0], self.origin)

    def _number_of_values(self, domains: Domains) -> int:
        first = domains.values[self.variables[0]] if self.variables else ()
        if all(domains.values[variable] is first for variable in self.variables):
            live = 0
            for variable in self.variables:
                live |= domains.live[variable]
            return live.bit_count()
        return len({value for variable in self.variables for value in domains.live_values(variable)})

    def _take(self, taken: Variable, domains: Domains) -> None:
        value = domains.live_values(taken)[0]
        for variable in self.variables:
            if variable is not taken:
                domains.restrict(variable, ~domains.bit(variable, value))


class CardinalityPropagator:
    """A cardinality: once the true literals reach a bound, the open ones are decided.

    `idle`: all literals were open when it was posted, and no variable of them has changed since.
    """

    costly = False

    def __init__(self, constraint: Cardinality, origin: Origin) -> None:
        self.constraint = constraint
        self.origin: Origin | None = origin
        self.idle = False
        self.settled: tuple[int, list[tuple[Variable, int]]] | None = None  # its state in the last run
        self._bits: list[tuple[Variable, int]] | None = None

    @property
    def watched(self) -> Iterable[Variable]:
        return dict(self.constraint.literals)

    def state(self, domains: Domains) -> tuple[int, list[tuple[Variable, int]]]:
        """Return the number of true literals, and the open ones, each with its value's mask."""
        if self._bits is None:
            self._bits = domains.bits(self.constraint.literals)
        held, undecided = 0, []
        for variable, bit in self._bits:
            live = domains.live[variable]
            if bit == live:
                held += 1
            elif bit & live:
                undecided.append((variable, bit))
        return held, undecided

    def run(self, domains: Domains) -> None:
        self.idle = False
        held, undecided = self.settled = self.state(domains)
        low, high = self.constraint.low, self.constraint.high
        if held > high or held + len(undecided) < low:
            raise Contradiction(next(iter(self.watched), None), self.origin)
        if undecided and held == high:
            for variable, bit in undecided:
                domains.restrict(variable, ~bit)
        elif undecided and held + len(undecided) == low:
            for variable, bit in undecided:
                domains.restrict(variable, bit)


def at_rest(count: Cardinality, domains: Domains) -> bool:
    """Return whether nothing follows as long as no domain changes: all literals are open truths, no bound is reached."""
    literals, live, values = count.literals, domains.live, domains.values
    if count.low >= len(literals) or count.high <= 0:
        return False
    for variable, value in literals:
        domain = values[variable]
        if live[variable] != 0b11 or len(domain) != 2 or value not in domain:
            return False
    return True


class LinearPropagator:
    """A linear constraint, propagated on bounds."""

    costly = False

    def __init__(self, constraint: Linear, origin: Origin) -> None:
        self.constraint = constraint
        self.origin: Origin | None = origin

    @property
    def watched(self) -> Iterable[Variable]:
        return [variable for _, variable in self.constraint.weighted]

    def bounds(self, domains: Domains) -> list[tuple[int, int]]:
        """Return the least and the greatest contribution of each weighted variable."""
        spans = []
        for weight, variable in self.constraint.weighted:
            ends = [weight * int(value) for value in domains.live_values(variable)]
            spans.append((min(ends), max(ends)))
        return spans

    def run(self, domains: Domains) -> None:
        low, high = self.constraint.low, self.constraint.high
        spans = self.bounds(domains)
        least, most = sum(span[0] for span in spans), sum(span[1] for span in spans)
        if (high is not None and least > high) or (low is not None and most < low):
            raise Contradiction(next(iter(self.watched), None), self.origin)
        for (weight, variable), (small, large) in zip(self.constraint.weighted, spans):
            if domains.fixed(variable):
                continue
            top = None if high is None else high - (least - small)
            bottom = None if low is None else low - (most - large)
            if (top is not None and large > top) or (bottom is not None and small < bottom):
                mask = 0
                for code, value in enumerate(domains.values[variable]):
                    part = weight * int(value)
                    if (top is None or part <= top) and (bottom is None or part >= bottom):
                        mask |= 1 << code
                domains.restrict(variable, mask)


def fitted(
    terms: Sequence[Variable | Constant],
    rows: Codes,
    books: Sequence[Sequence[Value]],
    codes: Callable[[Variable], Mapping[Value, int]],
) -> tuple[dict[Variable, Codes], int]:
    """Return a column of domain codes per variable, and the number of rows that fit the domains.

    `codes` returns the position of each value in a variable's domain.
    """
    recoded = [_recoded(term, book, codes) for term, book in zip(terms, books, strict=True)]
    possible = [column >= 0 for column in recoded]
    selective = [place for place, fits in enumerate(possible) if not fits.all()]
    for place in sorted(selective, key=lambda place: possible[place].mean()):
        rows = rows.compress(possible[place][rows[:, place]], axis=0)
    columns: dict[Variable, Codes] = {}
    for place, term in enumerate(terms):
        if isinstance(term, Constant):
            continue
        column = recoded[place][rows[:, place]].astype(np.uint32)
        if term not in columns:
            columns[term] = column
        elif not (same := column == columns[term]).all():
            rows = rows[same]
            columns = {variable: other[same] for variable, other in columns.items()}
    return columns, len(rows)


def _recoded(
    term: Variable | Constant, book: Sequence[Value], codes: Callable[[Variable], Mapping[Value, int]]
) -> NDArray[np.int64]:
    """Return the domain code of each value in the book, −1 for one that the term cannot take."""
    known = {term.constant: 0} if isinstance(term, Constant) else codes(term)
    return np.array([known.get(value, -1) for value in book], dtype=np.int64)
