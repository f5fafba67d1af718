"""Propagators for tables: rows as columns of codes, and rows as bits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlekit.model import Constant, Origin, Value, Variable
from puzzlekit.presolve.bit_graph import bits
from puzzlekit.presolve.domains import DomainStore, Inconsistent

Codes = NDArray[np.unsignedinteger[Any]]
# for each literal, the rows in which it is false and those in which it is true
Truths = Sequence[tuple[int, int]]
MEMO = 2_000  # combinations of domains in the cache of a table


class Rows:
    """A table: the rows that are still possible, one column of codes per variable (no repeats).

    Simple tabular reduction (Ullmann, "Partition search for non-binary constraint satisfaction",
    2007): rows with a removed value are dropped, then values without a row.
    """

    costly = False

    def __init__(
        self, variables: Sequence[Variable], columns: Sequence[Codes], origin: Origin | None
    ) -> None:
        self.variables = list(variables)
        self.columns = list(columns)
        self.origin: Origin | None = origin
        self._seen: dict[Variable, int] = {}  # the live masks after the last cut

    @property
    def watched(self) -> Iterable[Variable]:
        return self.variables

    def __len__(self) -> int:
        return len(self.columns[0])

    def run(self, domains: DomainStore) -> None:
        retained: NDArray[np.bool_] | None = None
        for variable, column in zip(self.variables, self.columns):
            if self._seen.get(variable, -1) != domains.masks[variable]:
                fits = domains.alive(variable)[column]
                retained = fits if retained is None else retained & fits
        if retained is not None:
            self.cut(retained, domains)

    def cut(self, retained: NDArray[np.bool_], domains: DomainStore) -> None:
        """Retain these rows, and remove the values that occur in none."""
        if not retained.all():
            self.columns = [column[retained] for column in self.columns]
        if not len(self):
            raise Inconsistent(next(iter(self.variables), None), domains.origin or self.origin)
        for variable, column in zip(self.variables, self.columns):
            occurs = np.zeros(len(domains.values[variable]), dtype=bool)
            occurs[column] = True
            self._seen[variable] = domains.keep(variable, occurs)

    def full(self, domains: DomainStore) -> bool:
        """Return whether every combination of live values is allowed: it is redundant then."""
        return len(self) == math.prod(domains.size(variable) for variable in self.variables)


class RowBits:
    """Which rows of a table have which value. Tables with the same rows share a cache.

    The supports are sets of bits, as in Compact-Table (Demeulenaere et al., 2016).

    Args:
        columns: For each variable, the rows with each value, as bits, by the mask of the value.
        count: The number of rows.
    """

    def __init__(self, columns: Sequence[Mapping[int, int]], count: int) -> None:
        self._columns = columns
        self._all = (1 << count) - 1
        self._cache: dict[tuple[int, ...], tuple[int, tuple[int, ...]]] = {}

    def among(self, masks: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """Return the rows with values in these masks, and the values that occur in them."""
        supported = self._cache.get(masks)
        if supported is None:
            if len(self._cache) >= MEMO:
                self._cache.clear()
            supported = self._cache[masks] = self._among(masks)
        return supported

    def _among(self, masks: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        alive = self._all
        columns = []
        for rows, mask in zip(self._columns, masks):
            if 4 * mask.bit_count() < len(rows):
                column = [(bit, rows[bit]) for bit in bits(mask) if bit in rows]
            else:
                column = [(bit, having) for bit, having in rows.items() if bit & mask]
            supports = 0
            for _, having in column:
                supports |= having
            alive &= supports
            columns.append(column)
        remaining = []
        for column in columns:
            supported = 0
            for bit, having in column:
                if having & alive:
                    supported |= bit
            remaining.append(supported)
        return alive, tuple(remaining)


class TruthTable:
    """A table of few values, with the rows of each as bits."""

    costly = False

    def __init__(self, variables: Sequence[Variable], supports: RowBits, origin: Origin) -> None:
        self.variables = variables
        self.supports = supports
        self.origin: Origin | None = origin

    @property
    def watched(self) -> Iterable[Variable]:
        return self.variables

    def rests(self, domains: DomainStore) -> bool:
        """Return whether it removes no value before the first change of a domain.

        Raises Inconsistent.
        """
        masks = tuple([domains.masks[variable] for variable in self.variables])
        rows, remaining = self.supports.among(masks)
        if not rows:
            raise Inconsistent(self.variables[0], self.origin)
        return remaining == masks

    def run(self, domains: DomainStore) -> None:
        masks = tuple([domains.masks[variable] for variable in self.variables])
        rows, remaining = self.supports.among(masks)
        if not rows:
            raise Inconsistent(self.variables[0], self.origin)
        for variable, mask, supported in zip(self.variables, masks, remaining):
            if supported != mask:
                domains.restrict(variable, supported)

    def full(self, domains: DomainStore) -> bool:
        """Return whether every combination of live values is allowed: it is redundant then."""
        masks = tuple([domains.masks[variable] for variable in self.variables])
        rows, _ = self.supports.among(masks)
        return rows.bit_count() == math.prod(map(domains.size, self.variables))


class LiteralTable:
    """The truth table of a condition on literals.

    `supports[i]` has the rows in which literal i is false and those in which it is true, as bits.
    No two literals have one variable, so that the table removes the same values as one of all
    values. It has no state, so that domains may be set back.
    """

    costly = False

    def __init__(
        self, literals: Sequence[tuple[Variable, int]], supports: Truths, count: int, origin: Origin
    ) -> None:
        self.literals = literals
        self.supports = supports
        self.rows = (1 << count) - 1
        self.origin: Origin | None = origin

    @property
    def watched(self) -> Iterable[tuple[Variable, int]]:
        return self.literals

    def remaining(self, domains: DomainStore) -> tuple[int, list[tuple[Variable, int, int, int]]]:
        """Return the remaining rows, and the open literals, each with its rows."""
        rows, open_literals = self.rows, []
        for (variable, bit), (no, yes) in zip(self.literals, self.supports):
            mask = domains.masks[variable]
            if not mask & bit:
                rows &= no
            elif mask == bit:
                rows &= yes
            else:
                open_literals.append((variable, bit, no, yes))
        return rows, open_literals

    def run(self, domains: DomainStore) -> None:
        rows, open_literals = self.remaining(domains)
        if not rows:
            raise Inconsistent(self.literals[0][0], self.origin)
        for variable, bit, no, yes in open_literals:
            if not rows & yes:
                domains.restrict(variable, ~bit)
            elif not rows & no:
                domains.restrict(variable, bit)

    def full(self, domains: DomainStore) -> bool:
        """Return whether the condition holds for all values of the open literals."""
        rows, open_literals = self.remaining(domains)
        return rows.bit_count() == 1 << len(open_literals)


def fitted(
    terms: Sequence[Variable | Constant],
    rows: Codes,
    dictionaries: Sequence[Sequence[Value]],
    codes: Callable[[Variable], Mapping[Value, int]],
) -> tuple[dict[Variable, Codes], int]:
    """Return a column of domain codes per variable, and the number of rows that fit the domains.

    `codes` returns the position of each value in a variable's domain.
    """
    if not len(rows):  # an empty array need not have columns
        rows = rows.reshape(0, len(terms))
    pairs = zip(terms, dictionaries, strict=True)
    recoded = [_recoded(term, dictionary, codes) for term, dictionary in pairs]
    possible = [column >= 0 for column in recoded]
    selective = [position for position, fits in enumerate(possible) if not fits.all()]
    for position in sorted(selective, key=lambda position: possible[position].mean()):
        fits = possible[position][rows[:, position]]
        rows = rows.compress(fits, axis=0)
    columns: dict[Variable, Codes] = {}
    for position, term in enumerate(terms):
        if isinstance(term, Constant):
            continue
        column = recoded[position][rows[:, position]].astype(np.uint32)
        if term not in columns:
            columns[term] = column
            continue
        agrees = column == columns[term]
        if not agrees.all():
            rows = rows[agrees]
            columns = {variable: column[agrees] for variable, column in columns.items()}
    return columns, len(rows)


def _recoded(
    term: Variable | Constant,
    dictionary: Sequence[Value],
    codes: Callable[[Variable], Mapping[Value, int]],
) -> NDArray[np.int64]:
    """Return the domain code of each value of the dictionary, −1 for one that cannot be taken."""
    code_of = {term.constant: 0} if isinstance(term, Constant) else codes(term)
    return np.array([code_of.get(value, -1) for value in dictionary], dtype=np.int64)
