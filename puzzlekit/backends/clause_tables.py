"""Small tables and the vertex degrees of cycles as clauses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import inf, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

PRIME_COLUMNS = 11  # of a table that is encoded without row literals
PRIME_COMBINATIONS = 2_048  # of values of such a table
ROW_LITERALS = 150  # rows of a table, beyond which one with a function has none
FUNCTION_LITERALS = 6  # per row of a table with a function, in its clauses
PRIME_CLAUSES = 4  # per row of such a table

TableLiteral = tuple[int, int]  # (column, code): the column has the value with this code
Literals = tuple[TableLiteral, ...]  # of a clause: not all of these are true
Implication = tuple[Literals, Literals]  # all of the first imply one of the second


def prime_clauses(shape: tuple[int, ...], rows: NDArray[Any]) -> tuple[Implication, ...] | None:
    """Return the minimal combinations of values that no row contains: the prime implicates.

    They are the prime implicants of the complement (Quine 1952, McCluskey 1956), read off an array
    of all partial combinations.

    `shape` gives the number of codes of each column. Combinations that differ in one value are
    joined: the other values imply one of the remaining values of that column, if these are fewer.
    Returns None if the table is large or there are many combinations.
    """
    if len(shape) > PRIME_COLUMNS or prod(shape) > PRIME_COMBINATIONS:
        return None
    allowed = np.zeros(shape, dtype=bool)
    allowed[tuple(rows.T.astype(np.intp))] = True
    return _primes(shape, allowed.tobytes(), PRIME_CLAUSES * len(rows) + 16)


@lru_cache(maxsize=4_096)
def _primes(shape: tuple[int, ...], cells: bytes, most: int) -> tuple[Implication, ...] | None:
    allowed = np.frombuffer(cells, dtype=bool).reshape(shape)
    forbidden = ~allowed
    for column in range(len(shape)):
        # a last code in each column, for a combination without the column
        without_column = forbidden.all(axis=column, keepdims=True)
        forbidden = np.concatenate([forbidden, without_column], axis=column)
    minimal = forbidden.copy()
    for column, width in enumerate(shape):
        codes = np.moveaxis(minimal, column, 0)
        forbidden_codes = np.moveaxis(forbidden, column, 0)
        codes[:width] &= ~forbidden_codes[width]
    if np.count_nonzero(minimal) > most:
        return None
    primes = []
    for cell in np.argwhere(minimal).tolist():
        literals = [(column, code) for column, code in enumerate(cell) if code < shape[column]]
        primes.append(tuple(literals))
    primes.sort(key=len)
    return tuple(_joined(shape, primes))


def _joined(shape: tuple[int, ...], forbidden: Sequence[Literals]) -> Iterator[Implication]:
    """Join combinations that differ in the value of one column, if they have most of its values.

    So a flag that implies the equality of two variables is two clauses per value, not one for each
    pair of different values.
    """
    forbidden_codes: dict[tuple[Literals, int], set[int]] = {}  # by the rest and the column
    for clause in forbidden:
        for rest, column, code in _without_each_literal(clause):
            forbidden_codes.setdefault((rest, column), set()).add(code)
    joined = set()
    for (rest, column), codes in forbidden_codes.items():
        if 2 * len(codes) > shape[column]:
            joined.add((rest, column))
            remaining_codes = [code for code in range(shape[column]) if code not in codes]
            yield rest, tuple([(column, code) for code in remaining_codes])
    for clause in forbidden:
        shortened = _without_each_literal(clause)
        is_joined = any((rest, column) in joined for rest, column, _ in shortened)
        if not is_joined:
            yield clause, ()


def _without_each_literal(clause: Literals) -> Iterator[tuple[Literals, int, int]]:
    """Yield the clause without each of its literals, and that literal's column and code."""
    for index, (column, code) in enumerate(clause):
        rest = (*clause[:index], *clause[index + 1 :])
        yield rest, column, code


def function_clauses(shape: tuple[int, ...], rows: NDArray[Any]) -> list[NDArray[np.intp]] | None:
    """Return clauses for a large table of three columns, of which two have all pairs of values.

    Such a table names a function of two variables, or a condition on them. For each pair of values,
    a clause has the values that the third column may have with them, or a clause forbids each of
    its other values: whichever is shorter. The clauses come as arrays, one clause per line, of
    numbers of literals: the literals of the columns are numbered from 1 on, and a negative number
    negates one. Returns None for other tables, and if a literal per row is about as short.
    """
    if len(shape) != 3 or len(rows) <= ROW_LITERALS:
        return None
    allowed = np.zeros(shape, dtype=bool)
    allowed[tuple(rows.T.astype(np.intp))] = True
    has_all_pairs = any(allowed.any(axis=column).all() for column in range(3))
    if not has_all_pairs:
        return None
    return _function_clauses(shape, allowed.tobytes(), FUNCTION_LITERALS * len(rows))


@lru_cache(maxsize=256)
def _function_clauses(
    shape: tuple[int, ...], cells: bytes, most: int
) -> list[NDArray[np.intp]] | None:
    allowed = np.frombuffer(cells, dtype=bool).reshape(shape)
    costs = [_literals_needed(allowed, column) for column in range(3)]
    least_cost = min(costs)
    if least_cost > most:
        return None
    first_literals = np.cumsum([1, *shape])[:3]
    clauses: dict[tuple[int, ...], None] = {}
    for column, cost in enumerate(costs):
        if cost == least_cost:
            pairs_first = np.moveaxis(allowed, column, -1)
            clauses.update(dict.fromkeys(_implied_values(pairs_first, column, first_literals)))
    by_length: dict[int, list[tuple[int, ...]]] = {}
    for clause in clauses:
        by_length.setdefault(len(clause), []).append(clause)
    return [np.array(group, dtype=np.intp) for group in by_length.values()]


def _literals_needed(allowed: NDArray[np.bool_], column: int) -> int:
    """Return the number of literals in the clauses for each pair of values of the other columns."""
    width = allowed.shape[column]
    counts = allowed.sum(axis=column)  # of the values of the column, for each pair
    in_implications = np.where(counts < width, counts + 2, 0)
    in_prohibitions = 3 * (width - counts)
    return int(np.minimum(in_implications, in_prohibitions).sum())


def _implied_values(
    allowed: NDArray[np.bool_], column: int, first_literals: NDArray[np.intp]
) -> Iterator[tuple[int, ...]]:
    """Yield the clauses for each pair of values; the last axis is that of the implied column."""
    first, second = (first_literals[index] for index in range(3) if index != column)
    implied = first_literals[column]
    for code, partner in np.argwhere(~allowed.all(axis=2)):
        row = allowed[code, partner]
        pair = (-first - code, -second - partner)
        values = np.flatnonzero(row)
        missing = np.flatnonzero(~row)
        if len(values) + 2 <= 3 * len(missing):
            implied_literals = (implied + values).tolist()
            yield (*pair, *implied_literals)
        else:
            for value in missing:
                yield tuple(sorted((*pair, -implied - value)))


@lru_cache(maxsize=1_024)
def sets_within(
    values: tuple[int, ...], size: int, low: int | None, high: int | None
) -> list[frozenset[int]]:
    """Return the sets of so many of the values whose sum is within bounds."""
    least = -inf if low is None else low
    largest = inf if high is None else high
    chosen = combinations(values, size)
    return [frozenset(members) for members in chosen if least <= sum(members) <= largest]


def none_or_two(literals: Sequence[int], true: int) -> Iterable[list[int]]:
    """Return clauses for "zero or two of these literals"; a repeated literal counts twice.

    `true` is the literal that is always true; its negation never is. Use it for few literals: the
    number of clauses is cubic.
    """
    if len({true, *map(abs, literals)}) <= len(literals):
        return _none_or_two(literals, true)
    # the most frequent case; negative positions count from the end
    by_position = [true, *literals, *[-literal for literal in reversed(literals)]]
    return [[by_position[position] for position in clause] for clause in _positions(len(literals))]


@lru_cache(maxsize=64)
def _positions(number: int) -> list[list[int]]:
    """Return these clauses for so many different literals, which are given by their positions.

    Positions begin at 1; that of a negated literal is negative.
    """
    first = 2  # other than the literal that is true
    return [
        [literal - 1 if literal > 0 else literal + 1 for literal in clause]
        for clause in _none_or_two(range(first, first + number), 1)
    ]


def _none_or_two(literals: Sequence[int], true: int) -> Iterator[list[int]]:
    variables = [literal for literal in literals if abs(literal) != true]
    counts = Counter(variables)
    true_count = literals.count(true)
    single = [literal for literal, count in counts.items() if count == 1]
    double = [literal for literal, count in counts.items() if count == 2]
    for literal, count in counts.items():
        if count > 2:
            yield [-literal]
    if true_count > 2:
        yield [-true]
    elif true_count == 2:
        for literal in (*single, *double):
            yield [-literal]
    elif true_count == 1:
        yield single or [-true]
        for first, second in combinations(single, 2):
            yield [-first, -second]
        for literal in double:
            yield [-literal]
    else:
        for index, literal in enumerate(single):
            yield [-literal, *single[:index], *single[index + 1 :]]
        for first, second, third in combinations(single, 3):
            yield [-first, -second, -third]
        for index, literal in enumerate(double):
            for second in (*single, *double[index + 1 :]):
                yield [-literal, -second]
