"""Keys of terms: equal for equal structures, different for different ones."""

import numpy as np
import pytest

from puzzlekit.model import (
    And,
    Automaton,
    Comparison,
    Constant,
    Member,
    Not,
    Sum,
    Table,
    Term,
    Variable,
    key_of,
)

A, B = Variable("a"), Variable("b")


def table(rows: list[list[int]]) -> Table:
    return Table((A, B), np.array(rows, dtype=np.uint8), ((1, 2), (1, 2)))


STRUCTURES = [
    lambda: A,
    lambda: B,
    lambda: Not(A),
    lambda: Not(Not(A)),
    lambda: Constant(1),
    lambda: Constant(True),
    lambda: Constant((1, 2)),
    lambda: Comparison("<", A, B),
    lambda: Comparison("<", B, A),
    lambda: Comparison("<=", A, B),
    lambda: Member(A, frozenset({1, 2})),
    lambda: Member(A, frozenset({1, 3})),
    lambda: Sum(((1, A), (2, B))),
    lambda: Sum(((2, A), (1, B))),
    lambda: And((A, Not(B))),
    lambda: table([[0, 1], [1, 0]]),
    lambda: table([[0, 1], [1, 1]]),
    lambda: table([[0, 1]]),
    lambda: Automaton((A, B), ({1: 0, 2: 1}, {1: 1}), frozenset({1})),
    lambda: Automaton((A, B), ({1: 0, 2: 1}, {2: 1}), frozenset({1})),
]


def test_only_equal_structures_have_equal_keys() -> None:
    keys = [key_of(structure()) for structure in STRUCTURES]
    assert keys == [key_of(structure()) for structure in STRUCTURES]
    assert len(set(keys)) == len(keys)


def test_shared_subterms_are_visited_once() -> None:
    term: Term = A
    for _ in range(200):
        term = And((term, term))
    visited = dict[int, object]()
    key_of(term, keys=visited)  # type: ignore[arg-type]
    assert len(visited) == 200


def test_a_value_that_cannot_be_hashed_has_no_key() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        key_of(Constant([1]))  # type: ignore[arg-type]
