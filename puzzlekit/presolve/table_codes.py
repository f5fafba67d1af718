"""Tables brought into the codes of the domains."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from puzzlekit.model import Constant, Or, Table, Term, Value, Variable

Codes = NDArray[np.unsignedinteger[Any]]


def fitted(
    terms: Sequence[Variable | Constant],
    rows: Codes,
    books: Sequence[Sequence[Value]],
    codes: Callable[[Variable], Mapping[Value, int]],
) -> tuple[dict[Variable, Codes], int]:
    """A column of domain codes for each variable, once, and how many rows: those in which every value can be.

    `codes` gives the position of each value in a variable's domain.
    """
    columns: dict[Variable, Codes] = {}
    for place, (term, book) in enumerate(zip(terms, books, strict=True)):
        if isinstance(term, Constant):
            fits = np.isin(rows[:, place], [code for code, entry in enumerate(book) if entry == term.constant])
        else:
            known = codes(term)
            column = np.array([known.get(value, -1) for value in book], dtype=np.int64)[rows[:, place]]
            fits = column >= 0
            if term in columns:
                fits &= column == columns[term]
            else:
                columns[term] = column.astype(np.uint32)
        if not fits.all():
            rows = rows[fits]
            columns = {variable: column[fits] for variable, column in columns.items()}
    return columns, len(rows)


def is_choice(condition: Term) -> TypeGuard[Or]:
    """Whether it is a choice with tables, each of them of variables and constants."""
    tables = [part for part in condition.conditions if isinstance(part, Table)] if isinstance(condition, Or) else []
    return bool(tables) and all(isinstance(term, Variable | Constant) for table in tables for term in table.terms)


def every_combination(axes: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
    """Every combination of an item of each axis, a column for each axis; the last one changes fastest.

    There may be any number of axes: those of an array of their own would be 32 at most.

    >>> [column.tolist() for column in every_combination([np.array([1, 2]), np.array([7]), np.array([3, 4])])]
    [[1, 1, 2, 2], [7, 7, 7, 7], [3, 4, 3, 4]]
    """
    inner, columns = math.prod(map(len, axes)), []
    outer = 1
    for axis in axes:
        inner //= max(len(axis), 1)
        columns.append(np.tile(np.repeat(axis, inner), outer))
        outer *= len(axis)
    return columns
