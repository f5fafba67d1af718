"""Patterns of terms: equal for terms that are alike but for their variables, and for no others."""

import numpy as np
import pytest

from puzzlekit.model import (
    And,
    Automaton,
    Cardinality,
    Comparison,
    Constant,
    Element,
    Member,
    Not,
    Or,
    Sum,
    Table,
    Term,
    Variable,
    pattern_of,
    variables_of,
)
from tests.model.drawn import MODELS, drawn

A, B = Variable("a"), Variable("b")
STRUCTURES = [
    lambda a, b: a,
    lambda a, b: Not(a),
    lambda a, b: Constant(1),
    lambda a, b: Constant(True),
    lambda a, b: Constant((1, 2)),
    lambda a, b: Constant((True, 2)),
    lambda a, b: Comparison("<", a, b),
    lambda a, b: Comparison("<=", a, b),
    lambda a, b: Comparison("==", a, Constant(1)),
    lambda a, b: Comparison("==", a, Constant(True)),
    lambda a, b: Comparison("==", a, Constant("1")),
    lambda a, b: Comparison("==", Constant(1), a),
    lambda a, b: Comparison("!=", a, Constant(1)),
    lambda a, b: Member(a, frozenset({1, 2})),
    lambda a, b: Cardinality(((a, 1), (b, 2)), 1, 2),
    lambda a, b: Cardinality(((a, 1), (b, 2)), 0, 1),
    lambda a, b: Element((1, 2), (a, b), a),
    lambda a, b: Element((1, 2), (b, a), a),
    lambda a, b: Sum(((1, a), (2, b))),
    lambda a, b: Sum(((1, a), (2, b)), 1),
    lambda a, b: Sum(((2, a), (1, b))),
    lambda a, b: And((a, Not(b))),
    lambda a, b: And((a, Not(a))),
    lambda a, b: Or((a, And((b,)), a)),
    lambda a, b: Or((a, And((b, a)))),
]


def test_only_terms_that_are_alike_have_equal_keys() -> None:
    keys = [pattern_of(structure(A, B)).key for structure in STRUCTURES]
    assert keys == [pattern_of(structure(B, A)).key for structure in STRUCTURES]
    assert len(set(keys)) == len(keys)


def test_the_literals_of_a_term() -> None:
    first, second = Comparison("==", A, Constant(1)), Comparison("!=", B, Constant(2))
    assert pattern_of(Or((first, Not(second), first))).literals == ((A, 1), (B, 2))
    for term in (A, Comparison("<", A, Constant(1)), Comparison("==", Constant(1), A)):
        assert pattern_of(Or((first, term))).literals is None


def test_terms_of_one_structure_compare_with_values_of_their_own() -> None:
    first, second = (
        pattern_of(Not(Comparison("==", variable, Constant(value))))
        for variable, value in ((A, 1), (B, 7))
    )
    assert first.structure == second.structure
    assert first.key != second.key


@pytest.mark.parametrize(
    "term",
    [
        Table((B, A), np.array([[0, 0]], dtype=np.uint8), ((1, 2), (1, 2))),
        Automaton((B, A), ({1: 0}, {1: 0}), frozenset({0})),
    ],
    ids=["table", "automaton"],
)
def test_a_term_that_is_not_comparable_has_no_key(term: Term) -> None:
    pattern = pattern_of(Or((Not(term), A)))
    assert pattern.key is None
    assert pattern.variables == (B, A)


def test_the_variables_of_random_terms() -> None:
    for model in drawn(MODELS, 200):
        for constraint in model.constraints:
            assert pattern_of(constraint.condition).variables == variables_of(constraint.condition)
