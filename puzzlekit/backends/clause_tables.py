"""Small tables and the vertex degrees of cycles as clauses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

PRIME_COLUMNS = 11  # of a table that is encoded without row literals
PRIME_COMBINATIONS = 2_048  # of values of such a table
ROW_LITERALS = 150  # rows of a table, beyond which one with a function has none
PRIME_CLAUSES = 4  # per row of such a table

Literals = tuple[tuple[int, int], ...]  # (column, code): not all of these hold
Implication = tuple[Literals, Literals]  # if all of the first hold, one of the second does


def prime_clauses(shape: tuple[int, ...], rows: NDArray[Any]) -> tuple[Implication, ...] | None:
    """Return the minimal combinations of values that no row contains: the prime implicates.

    They are the prime implicants of the complement (Quine 1952, McCluskey 1956), read off an array
    of all partial combinations.

    `shape` gives the number of codes of each column. Combinations that differ in one value are
    joined: the others imply one of the values that are left, if these are fewer. Returns None if
    the table is large or there are many combinations.
    """
    if len(shape) > PRIME_COLUMNS or prod(shape) > PRIME_COMBINATIONS:
        return None
    allowed = np.zeros(shape, dtype=bool)
    allowed[tuple(rows.T.astype(np.intp))] = True
    return _primes(shape, allowed.tobytes(), PRIME_CLAUSES * len(rows) + 16)


@lru_cache(maxsize=4_096)
def _primes(shape: tuple[int, ...], cells: bytes, most: int) -> tuple[Implication, ...] | None:
    forbidden = np.logical_not(np.frombuffer(cells, dtype=bool).reshape(shape))
    for column in range(
        len(shape)
    ):  # a last code in each column, for a combination without the column
        forbidden = np.concatenate(
            [forbidden, forbidden.all(axis=column, keepdims=True)], axis=column
        )
    minimal = forbidden.copy()
    for column, width in enumerate(shape):
        codes, without = (np.moveaxis(cube, column, 0) for cube in (minimal, forbidden))
        codes[:width] &= ~without[width]
    if np.count_nonzero(minimal) > most:
        return None
    found = (
        tuple((column, code) for column, code in enumerate(cell) if code < shape[column])
        for cell in np.argwhere(minimal).tolist()
    )
    return tuple(_joined(shape, sorted(found, key=len)))


def _joined(shape: tuple[int, ...], forbidden: Sequence[Literals]) -> Iterator[Implication]:
    """Join combinations that differ in the value of one column, if they have most of its values.

    So a flag that implies the equality of two variables is two clauses per value, not one for each
    pair of different values.
    """
    taken: dict[tuple[Literals, int], set[int]] = {}
    for clause in forbidden:
        for rest, column, code in _without_one(clause):
            taken.setdefault((rest, column), set()).add(code)
    joined = {key: codes for key, codes in taken.items() if 2 * len(codes) > shape[key[1]]}
    for (rest, column), codes in joined.items():
        yield rest, tuple((column, code) for code in range(shape[column]) if code not in codes)
    for clause in forbidden:
        if not any((rest, column) in joined for rest, column, _ in _without_one(clause)):
            yield clause, ()


def _without_one(clause: Literals) -> Iterator[tuple[Literals, int, int]]:
    """Yield the clause without each of its literals, and that literal's column and code."""
    for place, (column, code) in enumerate(clause):
        yield (*clause[:place], *clause[place + 1 :]), column, code


def function_clauses(shape: tuple[int, ...], rows: NDArray[Any]) -> list[NDArray[np.intp]] | None:
    """Return clauses for a large table of three columns, of which two have all pairs of values.

    Such a table names a function of two variables, or a condition on them. For each pair of values,
    a clause has the values of the third column beside them, or a clause forbids each of the others:
    whichever is shorter. The clauses come as arrays, one clause per line, of numbers of literals:
    the literals of the columns are numbered from 1 on, and a negative number negates one. Returns
    None for other tables, and if a literal per row is about as short.
    """
    if len(shape) != 3 or len(rows) <= ROW_LITERALS:
        return None
    allowed = np.zeros(shape, dtype=bool)
    allowed[tuple(rows.T.astype(np.intp))] = True
    if not any(allowed.any(axis=place).all() for place in range(3)):
        return None
    return _function_clauses(shape, allowed.tobytes(), 6 * len(rows))


@lru_cache(maxsize=256)
def _function_clauses(
    shape: tuple[int, ...], cells: bytes, most: int
) -> list[NDArray[np.intp]] | None:
    allowed = np.frombuffer(cells, dtype=bool).reshape(shape)
    costs = []
    for place in range(3):
        beside, width = allowed.sum(axis=place), shape[place]
        costs.append(
            int(np.minimum(np.where(beside < width, beside + 2, 0), 3 * (width - beside)).sum())
        )
    if min(costs) > most:
        return None
    first = np.cumsum([1, *shape])[:3]
    found: dict[tuple[int, ...], None] = {}
    for place in range(3):
        if costs[place] == min(costs):
            found.update(dict.fromkeys(_beside(np.moveaxis(allowed, place, -1), place, first)))
    sizes: dict[int, list[tuple[int, ...]]] = {}
    for clause in found:
        sizes.setdefault(len(clause), []).append(clause)
    return [np.array(clauses, dtype=np.intp) for clauses in sizes.values()]


def _beside(
    allowed: NDArray[np.bool_], place: int, first: NDArray[np.intp]
) -> Iterator[tuple[int, ...]]:
    """Yield the clauses for each pair of values; the last axis is that of the third column."""
    one, other, own = *(first[column] for column in range(3) if column != place), first[place]
    for code, partner in np.argwhere(~allowed.all(axis=2)):
        row = allowed[code, partner]
        pair = (-one - code, -other - partner)
        values, missing = np.flatnonzero(row), np.flatnonzero(~row)
        if len(values) + 2 <= 3 * len(missing):
            yield (*pair, *(own + values).tolist())
        else:
            yield from (tuple(sorted((*pair, -own - value))) for value in missing)


def none_or_two(literals: Sequence[int], true: int) -> Iterator[list[int]]:
    """Yield clauses for "zero or two of these literals"; a repeated literal counts twice.

    `true` is the literal that always holds; its negation never does. Use it for few literals: the
    number of clauses is cubic.
    """
    counts = Counter(literal for literal in literals if abs(literal) != true)
    held = literals.count(true)
    single = [literal for literal, count in counts.items() if count == 1]
    double = [literal for literal, count in counts.items() if count == 2]
    yield from ([-literal] for literal, count in counts.items() if count > 2)
    if held > 2:
        yield [-true]
    elif held == 2:
        yield from ([-literal] for literal in (*single, *double))
    elif held == 1:
        yield single or [-true]
        yield from ([-one, -other] for one, other in combinations(single, 2))
        yield from ([-literal] for literal in double)
    else:
        for place, one in enumerate(single):
            yield [-one, *single[:place], *single[place + 1 :]]
        yield from ([-one, -two, -three] for one, two, three in combinations(single, 3))
        for place, two in enumerate(double):
            yield from ([-two, -other] for other in (*single, *double[place + 1 :]))
