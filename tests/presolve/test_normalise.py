"""Conditions on truths become counts of literals."""

import pytest

from puzzlekit.model import (
    And,
    Cardinality,
    Comparison,
    Constant,
    Constraint,
    Model,
    Not,
    Or,
    Origin,
    Sum,
    Term,
    Variable,
)
from puzzlekit.presolve.normal_form import normalise

A, B, C = map(Variable, "abc")


def normal(condition: Term) -> list[Term]:
    domains = dict.fromkeys((A, B, C), (False, True))
    return [
        each.condition
        for each in normalise(Model(domains, (Constraint(condition, Origin("rule")),))).constraints
    ]


def total(*terms: Term) -> Sum:
    return Sum(tuple((1, term) for term in terms))


@pytest.mark.parametrize(
    ("condition", "literals", "low", "high"),
    [
        (Or((A, B)), ((A, True), (B, True)), 1, 2),
        (Not(And((A, B))), ((A, False), (B, False)), 1, 2),
        (Not(And((A, B, C))), ((A, False), (B, False), (C, False)), 1, 3),
        (Or((A, Not(B))), ((A, True), (B, False)), 1, 2),
        (Not(And((A, Not(B)))), ((A, False), (B, True)), 1, 2),
        (Comparison("==", total(Not(A), B), Constant(1)), ((A, False), (B, True)), 1, 1),
        (Comparison("<=", total(A, Not(B)), Constant(1)), ((A, True), (B, False)), 0, 1),
    ],
)
def test_truths_are_counted(
    condition: Term, literals: tuple[object, ...], low: int, high: int
) -> None:
    (found,) = normal(condition)
    assert isinstance(found, Cardinality)
    assert (found.literals, found.low, found.high) == (literals, low, high)


@pytest.mark.parametrize("condition", [Or((A, Not(A))), Or((A, B, Not(A))), Not(And((A, Not(A))))])
def test_a_truth_and_its_negation_are_two_literals(condition: Term) -> None:
    assert all(
        each.value({A: a, B: b})
        for each in normal(condition)
        for a in (False, True)
        for b in (False, True)
    )


def test_a_count_that_always_holds_is_dropped() -> None:
    assert normal(Comparison("<=", total(A, Not(B)), Constant(2))) == []
