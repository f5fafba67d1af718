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
Truths = Sequence[
    tuple[int, int]
]  # for each literal, the rows in which it is false and those in which it is true
MEMO = 50_000  # domains of a table for which the result is kept


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
        kept: NDArray[np.bool_] | None = None
        for variable, column in zip(self.variables, self.columns):
            if self._seen.get(variable, -1) != domains.masks[variable]:
                fits = domains.alive(variable)[column]
                kept = fits if kept is None else kept & fits
        if kept is not None:
            self.cut(kept, domains)

    def cut(self, retained: NDArray[np.bool_], domains: DomainStore) -> None:
        """Keep these rows, and remove the values that occur in none."""
        if not retained.all():
            self.columns = [column[retained] for column in self.columns]
        if not len(self):
            raise Inconsistent(next(iter(self.variables), None), domains.origin or self.origin)
        for variable, column in zip(self.variables, self.columns):
            found = np.zeros(len(domains.values[variable]), dtype=bool)
            found[column] = True
            self._seen[variable] = domains.keep(variable, found)

    def full(self, domains: DomainStore) -> bool:
        """Return whether every combination of live values is allowed: it is redundant then."""
        return len(self) == math.prod(domains.size(variable) for variable in self.variables)


class RowBits:
    """Which rows of a table have which value. Tables with the same rows share what was found.

    The supports are sets of bits, as in Compact-Table (Demeulenaere et al., 2016).

    Args:
        columns: For each variable, the rows with each value, as bits, by the mask of the value.
        count: The number of rows.
    """

    def __init__(self, columns: Sequence[Mapping[int, int]], count: int) -> None:
        self._columns = columns
        self._all = (1 << count) - 1
        self._known: dict[tuple[int, ...], tuple[int, Sequence[int]]] = {}

    def among(self, masks: tuple[int, ...]) -> tuple[int, Sequence[int]]:
        """Return the rows with values in these masks, and the values that occur in them."""
        found = self._known.get(masks)
        if found is None:
            if len(self._known) >= MEMO:
                self._known.clear()
            found = self._known[masks] = self._among(masks)
        return found

    def _among(self, masks: tuple[int, ...]) -> tuple[int, Sequence[int]]:
        alive, live = self._all, []
        for rows, mask in zip(self._columns, masks):
            if 4 * mask.bit_count() < len(rows):
                column = [(bit, rows[bit]) for bit in bits(mask) if bit in rows]
            else:
                column = [(bit, having) for bit, having in rows.items() if bit & mask]
            here = 0
            for _, having in column:
                here |= having
            alive &= here
            live.append(column)
        kept = []
        for column in live:
            stays = 0
            for bit, having in column:
                if having & alive:
                    stays |= bit
            kept.append(stays)
        return alive, kept


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

    def run(self, domains: DomainStore) -> None:
        masks = tuple([domains.masks[variable] for variable in self.variables])
        rows, kept = self.supports.among(masks)
        if not rows:
            raise Inconsistent(self.variables[0], self.origin)
        for variable, mask, stays in zip(self.variables, masks, kept):
            if stays != mask:
                domains.restrict(variable, stays)

    def full(self, domains: DomainStore) -> bool:
        """Return whether every combination of live values is allowed: it is redundant then."""
        rows, _ = self.supports.among(
            tuple([domains.masks[variable] for variable in self.variables])
        )
        return rows.bit_count() == math.prod(map(domains.size, self.variables))


class LiteralTable:
    """The truth table of a condition on literals: `supports[i]` has the rows in which literal i is
    false and those in which it is true, as bits. Each literal has a variable of its own, so that it
    removes the same values as a table of all values. It keeps no state, so that domains may be set
    back.
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
        """Return the rows that are left, and the literals that are open, each with its rows."""
        rows, open_ = self.rows, []
        for (variable, bit), (no, yes) in zip(self.literals, self.supports):
            live = domains.masks[variable]
            if not live & bit:
                rows &= no
            elif live == bit:
                rows &= yes
            else:
                open_.append((variable, bit, no, yes))
        return rows, open_

    def run(self, domains: DomainStore) -> None:
        rows, open_ = self.remaining(domains)
        if not rows:
            raise Inconsistent(self.literals[0][0], self.origin)
        for variable, bit, no, yes in open_:
            if not rows & yes:
                domains.restrict(variable, ~bit)
            elif not rows & no:
                domains.restrict(variable, bit)

    def full(self, domains: DomainStore) -> bool:
        """Return whether the condition holds for all values of the literals that are open."""
        rows, open_ = self.remaining(domains)
        return rows.bit_count() == 1 << len(open_)


def fitted(
    terms: Sequence[Variable | Constant],
    rows: Codes,
    dictionaries: Sequence[Sequence[Value]],
    codes: Callable[[Variable], Mapping[Value, int]],
) -> tuple[dict[Variable, Codes], int]:
    """Return a column of domain codes per variable, and the number of rows that fit the domains.

    `codes` returns the position of each value in a variable's domain.
    """
    recoded = [_recoded(term, book, codes) for term, book in zip(terms, dictionaries, strict=True)]
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
    term: Variable | Constant,
    book: Sequence[Value],
    codes: Callable[[Variable], Mapping[Value, int]],
) -> NDArray[np.int64]:
    """Return the domain code of each value in the book, −1 for one that the term cannot take."""
    known = {term.constant: 0} if isinstance(term, Constant) else codes(term)
    return np.array([known.get(value, -1) for value in book], dtype=np.int64)
