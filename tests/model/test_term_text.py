"""Terms as people read them."""

import pytest

from puzzlekit.model import (
    AllDifferent,
    And,
    Automaton,
    Cardinality,
    Circuit,
    Comparison,
    Connected,
    Constant,
    Element,
    IfElse,
    Linear,
    Member,
    Not,
    Operation,
    Or,
    Sum,
    Term,
    Variable,
)
from puzzlekit.model.formatting import OMISSION, term_text

A, B, C = (Variable(name) for name in "abc")
MANY = tuple(Variable(f"x[{i}]") for i in range(20))

TEXTS: list[tuple[Term, str]] = [
    (Sum(((1, A), (-1, B), (3, C)), -2), "a - b + 3 * c - 2"),
    (Sum(((-2, A),)), "-2 * a"),
    (Sum((), 4), "4"),
    (
        Comparison("==", Sum(tuple((1, x) for x in MANY)), Constant(3)),
        "x[0] + x[1] + x[2] + x[3] + … (20 in all) == 3",
    ),
    (Operation("abs", (Sum(((1, A), (-1, B))),)), "abs(a - b)"),
    (Operation("*", (A, Sum(((1, B),), 1))), "a * (b + 1)"),
    (IfElse(A, B, Constant("z")), "b if a else 'z'"),
    (Element((1, 2), (A, B), C), "{1: a, 2: b}[c]"),
    (Not(And((A, Or((B, Not(C)))))), "not (a and (b or not c))"),
    (Member(A, frozenset({3, 1})), "a in (1, 3)"),
    (AllDifferent(MANY), "all_different(x[0], x[1], x[2], x[3], … (20 in all))"),
    (Cardinality(((A, True), (B, 2)), 1, 1), "1 of (a == True, b == 2)"),
    (Linear(((1, A), (2, B)), None, 5), "a + 2 * b <= 5"),
    (Automaton((A, B), ({}, {}), frozenset()), "(a, b) is accepted by an automaton of 2 states"),
    (Connected((A, B), ()), "connected(a, b)"),
    (Circuit((A, B), ()), "single_loop(a, b)"),
]


@pytest.mark.parametrize(("term", "text"), TEXTS, ids=[text for _, text in TEXTS])
def test_terms_read_nearly_as_the_language_writes_them(term: Term, text: str) -> None:
    assert term_text(term) == text


def test_deep_terms_are_cut() -> None:
    term: Term = A
    for _ in range(5_000):
        term = Not(term)
    assert term_text(term) == "not " * 7 + OMISSION
