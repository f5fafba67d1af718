"""Recode tables to the codes of domains, and cut rows that no solution contains."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from puzzlekit.model import Constant, Or, Table, Term, Value, Variable
from puzzlekit.presolve.domains import Domains
from puzzlekit.presolve.propagators import AllDifferentPropagator, CardinalityPropagator, Rows

Codes = NDArray[np.unsignedinteger[Any]]


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


def is_choice(condition: Term) -> TypeGuard[Or]:
    """Return whether it is an `Or` with tables, each over variables and constants only."""
    tables = [part for part in condition.conditions if isinstance(part, Table)] if isinstance(condition, Or) else []
    return bool(tables) and all(isinstance(term, Variable | Constant) for table in tables for term in table.terms)


def every_combination(axes: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
    """Return the cross product of the axes, one column per axis; the last one changes fastest.

    The number of axes is not limited; one numpy array would allow 32 at most.

    >>> axes = [np.array([1, 2]), np.array([7]), np.array([3, 4])]
    >>> [column.tolist() for column in every_combination(axes)]
    [[1, 1, 2, 2], [7, 7, 7, 7], [3, 4, 3, 4]]
    """
    inner, columns = math.prod(map(len, axes)), []
    outer = 1
    for axis in axes:
        inner //= max(len(axis), 1)
        columns.append(np.tile(np.repeat(axis, inner), outer))
        outer *= len(axis)
    return columns


def cut_by_difference(domains: Domains, tables: Sequence[Rows], differences: Sequence[AllDifferentPropagator]) -> None:
    """Cut the rows that give two all-different variables the same value."""
    for different in differences:
        domains.check()
        members = set(different.variables)
        for table in tables:
            shared = [v for v in table.variables if v in members]
            if len(shared) < 2:
                continue
            columns = [domains.column(v)[table.columns[table.variables.index(v)]] for v in shared]
            kept = np.ones(len(table), dtype=bool)
            for one, other in combinations(columns, 2):
                kept &= one != other
            domains.origin = different.origin
            table.cut(kept, domains)


def cut_by_counts(domains: Domains, tables: Sequence[Rows], counts: Sequence[CardinalityPropagator]) -> None:
    """Cut the rows with more or fewer literals of a cardinality than the others allow."""
    for counted in counts:
        domains.check()
        at: dict[Variable, list[int]] = {}
        for variable, value in counted.constraint.literals:
            at.setdefault(variable, []).append(domains.bit(variable, value))
        held, undecided = counted.state(domains)
        for table in tables:
            shared = [(i, at[v]) for i, v in enumerate(table.variables) if v in at and not domains.fixed(v)]
            if not shared:
                continue
            inside = np.zeros(len(table), dtype=np.int64)
            own = 0
            for position, bits in shared:
                variable = table.variables[position]
                hits = np.zeros(len(domains.values[variable]), dtype=np.int64)
                for bit in bits:
                    if bit & domains.live[variable]:
                        hits[bit.bit_length() - 1] += 1
                        own += 1
                inside += hits[table.columns[position]]
            elsewhere = len(undecided) - own
            low, high = counted.constraint.low - held - elsewhere, counted.constraint.high - held
            kept = (inside >= low) & (inside <= high)
            if not kept.all():
                domains.origin = counted.origin
                table.cut(kept, domains)
                held, undecided = counted.state(domains)


def cut_by_pairs(domains: Domains, tables: Sequence[Rows], truths: Sequence[Rows]) -> None:
    """Cut the pairs of a binary condition that two tables do not support on a shared variable.

    If p is in one table, q in the other, and both tables contain x, then the pair (p, q) needs a
    value of x that occurs with p in the first and with q in the second.
    """
    homes: dict[Variable, list[Rows]] = {}
    for table in tables:
        for variable in table.variables:
            homes.setdefault(variable, []).append(table)
    for truth in truths:
        if len(truth.variables) != 2:
            continue
        domains.check()
        first, second = truth.variables
        kept = np.ones(len(truth), dtype=bool)
        for one in homes.get(first, ()):
            for other in homes.get(second, ()):
                if one is other:
                    continue
                for shared in (set(one.variables) & set(other.variables)) - {first, second}:
                    left = _beside(domains, one, first, shared)
                    right = _beside(domains, other, second, shared)
                    together = (left.astype(np.int64) @ right.T.astype(np.int64)) > 0
                    kept &= together[truth.columns[0], truth.columns[1]]
        if not kept.all():
            domains.origin = truth.origin
            truth.cut(kept, domains)


def _beside(domains: Domains, table: Rows, variable: Variable, shared: Variable) -> NDArray[np.bool_]:
    """Return which values of two variables share a row, as an array (variable, shared)."""
    found = np.zeros((len(domains.values[variable]), len(domains.values[shared])), dtype=bool)
    found[table.columns[table.variables.index(variable)], table.columns[table.variables.index(shared)]] = True
    return found
