"""What the nodes mean: the referee of every backend."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from puzzlekit.errors import FunctionError
from puzzlekit.model import (
    Acyclic,
    AllDifferent,
    And,
    Apply,
    Automaton,
    Cardinality,
    Circuit,
    Comparison,
    Component,
    Connected,
    Constant,
    Constraint,
    Element,
    Function,
    IfElse,
    Inside,
    Linear,
    Member,
    Model,
    Not,
    Operation,
    Or,
    Origin,
    Regions,
    RegionSizes,
    Sum,
    Table,
    Term,
    Variable,
    compare,
    variables_of,
)
from tests.model.random_models import NODES, models

X, Y = Variable("x"), Variable("y")
A, B, C, D = flags = tuple(Variable(name) for name in "abcd")
PATH = ((0, 1), (1, 2), (2, 3))
RING = ((0, 1), (1, 2), (2, 0), (3, 3))


def truths(*held: int) -> dict[Variable, bool]:
    """The flags of these places are true."""
    return {flag: place in held for place, flag in enumerate(flags)}


THETA = Inside((A, B, C), ((0, 1),) * 3, ((0, 1, 0), (1, 2, 1), (2, 3, -1), (2, 1, 2)), 4)
ACROSS = [  # true edges, a face, whether it lies inside
    ((0,), 1, True),
    ((0,), 2, True),
    ((2,), 1, False),
    ((0, 1), 1, True),
    ((0, 1), 2, False),
    ((1, 2), 1, False),
    ((1, 2), 3, True),
]
MEANINGS: list[tuple[Term, dict[Variable, Any], Any]] = [
    (Constant("a"), {}, "a"),
    (Sum(((2, X), (-1, Y), (3, Not(A))), 4), {X: 5, Y: 3, A: False}, 14),
    (Operation("*", (X, Y)), {X: -3, Y: 5}, -15),
    (Operation("//", (X, Y)), {X: -7, Y: 2}, -4),
    (Operation("//", (X, Y)), {X: 7, Y: -2}, -4),
    (Operation("%", (X, Y)), {X: -7, Y: 2}, 1),
    (Operation("%", (X, Y)), {X: 7, Y: -3}, -2),
    (Operation("abs", (X,)), {X: -7}, 7),
    (Operation("min", (X, Y)), {X: 3, Y: 2}, 2),
    (Operation("max", (X, Y)), {X: 3, Y: 4}, 4),
    (IfElse(A, X, Y), {A: True, X: 1, Y: 2}, 1),
    (IfElse(A, X, Y), {A: False, X: 1, Y: 2}, 2),
    (Element((3, 1, 2), (Constant("a"), Constant("b"), Y), X), {X: 3, Y: 0}, "a"),
    (
        Apply(Function("last", lambda row, more: row[-1] + more), ((X, Y), X)),
        {X: "p", Y: "q"},
        "qp",
    ),
    (Component(Apply(Function("both", lambda one: (one, -one)), (X,)), 1), {X: 3}, -3),
    (Comparison("==", X, Y), {X: 2, Y: 2}, True),
    (Comparison("!=", X, Y), {X: 3, Y: 2}, True),
    (Comparison("!=", X, Y), {X: 2, Y: 2}, False),
    (Comparison("<", X, Y), {X: 2, Y: 2}, False),
    (Comparison("<=", X, Y), {X: 2, Y: 2}, True),
    (Comparison("<=", X, Y), {X: 3, Y: 2}, False),
    (Not(A), {A: False}, True),
    (And((A, B)), truths(0), False),
    (And((A, B)), truths(0, 1), True),
    (And(()), {}, True),
    (Or((A, B)), truths(1), True),
    (Or((A, B)), truths(), False),
    (Or(()), {}, False),
    (Member(X, frozenset({1, 2})), {X: 2}, True),
    (Member(X, frozenset({1, 2})), {X: 3}, False),
    (AllDifferent((X, Y, Constant(1))), {X: 2, Y: 3}, True),
    (AllDifferent((X, Y, Constant(1))), {X: 2, Y: 1}, False),
    *[
        (Cardinality(((A, True), (B, True), (C, False)), 1, 2), truths(*held), True)
        for held in ((2, 0), (), (0,))
    ],
    *[
        (Cardinality(((A, True), (B, True), (C, False)), 1, 2), truths(*held), False)
        for held in ((2,), (0, 1))
    ],
    *[
        (Cardinality(((A, True), (B, True), (C, False)), 0, 0), truths(*held), held == (2,))
        for held in ((2,), (0, 1), (1,))
    ],
    *[
        (Linear(((2, X), (-1, Y)), 1, 3), {X: 2, Y: y}, held)
        for y, held in ((0, False), (1, True), (3, True), (4, False))
    ],
    (Linear(((2, X),), None, None), {X: 99}, True),
    *[
        (Table((X, Y), np.array([[0, 1], [1, 0]]), ((4, 5), (6, 7))), {X: x, Y: y}, x + y == 11)
        for x in (4, 5)
        for y in (6, 7)
    ],
    (Table((), np.zeros((1, 0)), ()), {}, True),
    (Automaton((X, Y), ({0: 1, 1: 0}, {1: 1}), frozenset({1})), {X: 0, Y: 1}, True),
    (Automaton((X, Y), ({0: 1, 1: 0}, {1: 1}), frozenset({1})), {X: 1, Y: 1}, False),
    (Automaton((X, Y), ({0: 1, 1: 0}, {1: 1}), frozenset({1})), {X: 0, Y: 0}, False),
    *[(Connected(flags, PATH), truths(*held), True) for held in ((), (2,), (1, 2), (0, 1, 2, 3))],
    *[(Connected(flags, PATH), truths(*held), False) for held in ((0, 2), (0, 1, 3))],
    *[(Circuit(flags, RING), truths(*held), True) for held in ((0, 1, 2), (3,))],
    *[(Circuit(flags, RING), truths(*held), False) for held in ((), (0, 1), (0, 1, 2, 3), (0,))],
    *[(Acyclic(flags, RING), truths(*held), True) for held in ((), (0,), (0, 2))],
    *[(Acyclic(flags, RING), truths(*held), False) for held in ((3,), (0, 1, 2), (0, 3))],
    *[
        (RegionSizes((*flags, X), (*PATH, (3, 3)), (1,)), {**truths(0, 1), X: x}, x == 3)
        for x in (2, 3, 4)
    ],
    (RegionSizes((A, X, Y), ((0, 1),), (1, 2)), {A: True, X: 2, Y: 1}, True),
    (Component(Regions((A, B), ((0, 1), (2, 3)), 5), 1), truths(0), 2),
    (Component(Regions((A, B), ((0, 1), (2, 3)), 5), 3), truths(0), 1),
    (Component(Regions((A, B), ((0, 1), (2, 3)), 5), 4), truths(0, 1), 1),
    *[(Component(THETA, face), truths(*held), wanted) for held, face, wanted in ACROSS],
]


@pytest.mark.parametrize(
    ("term", "values", "wanted"), MEANINGS, ids=[type(term).__name__ for term, _, _ in MEANINGS]
)
def test_a_node_means_what_it_says(term: Term, values: dict[Variable, Any], wanted: Any) -> None:
    assert term.value(values) == wanted


def kind(term: Term) -> str:
    return f"Operation {term.operator}" if isinstance(term, Operation) else type(term).__name__


def every_part(term: Term) -> Iterator[Term]:
    for part in term.subterms():
        yield part
        yield from every_part(part)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("node", NODES)
def test_random_models_of_a_node_hold_it(node: str) -> None:
    """As a rule or a side of one, or deeper inside.

    Other models may lack it: what is drawn repeats itself.
    """
    outer = inner = 0

    @settings(
        max_examples=35,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(model=models(node=node))
    def draw(model: Model) -> None:
        nonlocal outer, inner
        rules = [constraint.condition for constraint in model.constraints]
        sides = [side for rule in rules if isinstance(rule, Comparison) for side in rule.subterms()]
        outer += node in map(kind, (*rules, *sides))
        inner += node in {
            kind(part) for rule in rules for term in rule.subterms() for part in every_part(term)
        }

    draw()
    assert outer + inner >= 4


def test_a_tuple_that_several_conditions_ask_for_is_found_once_for_a_check() -> None:
    asked: list[int] = []

    def pair(x: int) -> tuple[int, int]:
        asked.append(x)
        return x, x + 1

    both = Apply(Function("pair", pair), (X,))
    conditions = [
        Comparison("==", Component(both, place), Constant(5 + place)) for place in (0, 1, 0, 1)
    ]
    model = Model(
        {X: (5, 6)}, tuple(Constraint(condition, Origin("both")) for condition in conditions)
    )
    assert model.violated({X: 5}) is None
    assert model.violated({X: 6}) is model.constraints[0]
    assert asked == [5, 6]


def test_a_text_and_a_number_are_never_equal_and_neither_is_less() -> None:
    assert not compare("==", "1", 1)
    assert compare("!=", "1", 1)
    assert not compare("<", "1", 2)
    assert not compare("<=", 2, "1")
    assert Comparison("<", X, Constant("a")).value({X: 1}) is False


def test_an_index_that_is_no_key_has_no_item() -> None:
    chosen = Element((1, 2), (Constant("a"), Y), X)
    assert chosen.value({X: 2, Y: 5}) == 5
    with pytest.raises(ValueError, match="not in"):
        chosen.value({X: 3, Y: 5})


def test_a_table_holds_where_the_terms_stand_in_a_row() -> None:
    table = Table(
        (X, X, Constant("b")),
        np.array([[0, 0, 1], [0, 1, 1]], dtype=np.uint8),
        ((4, 5), (4, 5), ("a", "b")),
    )
    assert table.value({X: 4})
    assert not table.value({X: 5})


def test_variables_stand_in_the_order_in_which_they_are_first_named() -> None:
    assert variables_of(Comparison("==", Y, Operation("+", (X, Y)))) == (Y, X)  # type: ignore[arg-type]
    assert variables_of(Apply(Function("last", lambda row: row[-1]), ((Y, (A, X)),))) == (Y, A, X)


def test_a_function_that_fails_says_of_what() -> None:
    def fail(*values: object) -> None:
        raise ZeroDivisionError("why")

    with pytest.raises(FunctionError) as failed:
        Apply(Function("broken", fail), (X, Constant(2))).value({X: 1})
    assert (failed.value.function, failed.value.arguments, failed.value.reason) == (
        "broken",
        (1, 2),
        "why",
    )
