"""A few terms for each node, over the same unknowns: small enough for plain search,
one for each way to lower the node.
"""

from collections.abc import Mapping, Sequence

import numpy as np

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
    Value,
    Variable,
    variables_of,
)

X, Y, Z, W = (Variable(name) for name in "xyzw")
T, U = Variable("t"), Variable("u")
P, Q, R, S, V = FLAGS = tuple(Variable(name) for name in "pqrsv")
DOMAINS: Mapping[Variable, tuple[Value, ...]] = {
    X: (-3, -1, 0, 2, 3),
    Y: (1, 2, 4),
    Z: (-2, 0, 1, 5),
    W: (1, 2, 3),
    T: ("a", "b", 1),
    U: ("b", "a", "c"),
    **dict.fromkeys(FLAGS, (False, True)),
}
ONE, TWO = Constant(1), Constant(2)
SQUARE = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2))  # a square and one diagonal
BESIDE = ((0, 1),) * 10
STEPS = ((0, 1, 0), (1, 2, 1), (2, 0, 2))  # across three edges between two nodes
ROW = ((0, 1), (1, 2), (2, 3), (3, 4))
PAIR = Function("pair", lambda a, b: (a == b, f"{a}{b}"))
AFTER = Function(
    "after", lambda *rest: sum(place * int(value) for place, value in enumerate(rest)) % 3
)
SUMMED = Function("summed", lambda a, b: (2 * a + b) % 3, lambda a, b: (2 * a + b) % 3)
FIRST = Function("first", lambda both: both[0] == both[1])


def same(left: Term, right: Term | int) -> Term:
    return Comparison("==", left, right if isinstance(right, Term) else Constant(right))


def less(left: Term, right: Term | int) -> Term:
    return Comparison("<", left, right if isinstance(right, Term) else Constant(right))


def table(terms: Sequence[Term], *rows: tuple[Value, ...]) -> Table:
    books = tuple(tuple(dict.fromkeys([*column, 7])) for column in zip(*rows))
    codes = [[book.index(value) for value, book in zip(row, books)] for row in rows]
    return Table(tuple(terms), np.array(codes, dtype=np.uint8), books)


def total(*weighted: tuple[int, Term], constant: int = 0) -> Sum:
    return Sum(weighted, constant)


SIZES = Regions((P, Not(Q), same(Y, 2), R), (*ROW[:3], (0, 3)), 4)
AT = Element((0, 2, 3), (Y, TWO, W), X)  # nothing stands at the other values of x
SOMEWHERE, NOWHERE = less(Constant(-1), X), less(X, 0)
EVEN_ONES = ({1: 1, 2: 0, 3: 0, 4: 0, "a": 0}, {1: 0, 2: 1, 3: 1, 4: 1, "b": 0})
NO_REPEAT = ({False: 0, True: 1}, {False: 0})
PARITY = (
    (True, True, False),
    (True, False, True),
    (False, True, True),
    (False, False, False),
    (True, True, True),
)
HOPS = ({True: 1, False: 0}, {True: 2, False: 1}, {False: 2})

NUMBERS: Mapping[str, Sequence[Term]] = {
    "Sum": [
        total((2, X), (-1, Y), constant=3),
        total((1, X), (3, P), (1, X), (1, Z), constant=-2),
        total((1, P), (1, Q), (-2, R)),
    ],
    "Operation *": [Operation("*", (X, Z)), Operation("*", (total((1, X), constant=1), Y))],
    "Operation //": [
        Operation("//", (X, TWO)),
        Operation("//", (Z, Constant(-2))),
        Operation("//", (X, Z)),
    ],
    "Operation %": [
        Operation("%", (X, TWO)),
        Operation("%", (Z, Constant(-3))),
        Operation("%", (X, Z)),
    ],
    "Operation % of sums": [
        Operation("%", (total(*((1, flag) for flag in FLAGS)), TWO)),
        Operation("%", (total((2, X), (-1, Y), (3, P), (1, same(Y, 2)), constant=3), TWO)),
        Operation("%", (total((1, X), (4, Y), (-2, P), (1, less(X, Y))), Constant(3))),
    ],
    "Operation abs": [Operation("abs", (X,)), Operation("abs", (total((1, X), (-1, Y)),))],
    "Operation min": [
        Operation("min", (X, Y)),
        Operation("min", (Z, Y, X)),
        Operation("min", (Z, Y, X, W)),
        Operation("min", (X, P)),
    ],
    "Operation max": [
        Operation("max", (X, Y)),
        Operation("max", (Z, W, X)),
        Operation("max", (Z, Y, X, W)),
        Operation("max", (X, P)),
    ],
    "IfElse": [IfElse(P, X, Y), IfElse(less(X, Y), total((2, X)), Z)],
    "Element": [
        Element((1, 2, 4), (X, Z, ONE), Y),
        Element((0, 2, 3, 5), (Y, TWO, Z, Y), X),
        Element((1, 2, 4), (total((1, X), constant=2), Z, ONE), Y),
    ],
    "Apply": [
        Apply(AFTER, (X, Y, Z)),
        Apply(AFTER, (W, P, Q)),
        Apply(SUMMED, (X, Y)),
        total((-2, Apply(AFTER, (X, Y))), (1, Y)),
    ],
    "Component": [Component(Apply(PAIR, (X, Z)), 0)],
    "Regions": [
        Component(Regions((P, Q, R), ((0, 1), (1, 2), (2, 0)), 4), 1),
        total((2, Component(SIZES, 0)), (-1, Component(SIZES, 3))),
    ],
}
CONDITIONS: Mapping[str, Sequence[Term]] = {
    "Constant": [Constant(True), Constant(False), Or((P, And((Q, Constant(False)))))],
    "Comparison": [
        same(X, Z),
        Comparison("!=", X, Y),
        less(X, Y),
        Comparison("<=", Y, W),
        less(total((1, X), (1, Z)), Y),
        Comparison("<=", total((1, X), (2, P)), total((1, W))),
        less(T, TWO),
        Comparison("!=", T, U),
        same(U, Y),
        Comparison("!=", total((1, X), (1, Y)), Z),
        same(Operation("*", (X, Y)), Z),
        less(Operation("*", (X, Y)), Z),
    ],
    "Sum": [
        Comparison("<=", total((1, P), (1, Q), (1, R)), ONE),
        Member(total((2, X), (1, Y), (-1, Z), (1, W), constant=1), frozenset({0, 1, 4})),
        same(total((1, X), (1, Operation("abs", (Z,)))), Y),
        same(total((1, P), (1, Q), (1, R)), 2),
        Comparison("<=", TWO, total((1, P), (1, Q), (1, R), (1, S))),
        same(Operation("abs", (total((1, P), (1, Q), (-1, R), (-1, S), (2, V), constant=-2),)), 2),
    ],
    "IfElse": [
        same(total((1, X)), IfElse(P, Y, T)),
        same(IfElse(NOWHERE, Y, AT), 2),
        same(IfElse(SOMEWHERE, AT, Y), 2),
    ],
    "Element": [
        Member(Element((1, 2, 4), (X, Z, W), Y), frozenset({1, 2, 0})),
        same(total((1, X)), Element((False, True), (Y, T), P)),
    ],
    "Not": [
        Or((P, Not(Or((Q, R))))),
        Not(P),
        Not(same(X, 2)),
        Not(Not(less(X, Y))),
        Not(And((P, less(X, Y)))),
        Not(Or((P, same(X, 2), Q))),
    ],
    "And": [
        Or((And((less(X, Y), Or((Q, less(Y, W))))), R)),
        And((P, Q, same(Y, 2))),
        And((less(X, Y), Or((P, Q)))),
        And(()),
        Not(And((SOMEWHERE, same(AT, 2)))),
    ],
    "Or": [
        Or((same(X, 3), same(Y, 4), P)),
        Or((P, Q, same(Y, 2))),
        Or((And((P, less(X, Y))), Not(Q), And((Q, R)))),
        Or((Not(P), R)),
        Or((same(X, Z),)),
        Or(()),
        Or((NOWHERE, same(AT, 2))),
        Or((same(AT, 2), NOWHERE)),
        Or((P, same(X, -1), same(Element((1, 2), (X, Z), AT), 0))),
    ],
    "Member": [
        Member(X, frozenset({2, 3, 5})),
        Member(total((1, X), (1, Y)), frozenset({0, 3})),
        Member(T, frozenset({"a", 1})),
        Member(Operation("abs", (X,)), frozenset({1, 3})),
    ],
    "AllDifferent": [
        AllDifferent((Y, W, X)),
        AllDifferent((T, U)),
        AllDifferent((Y, W, total((1, X), constant=1))),
        AllDifferent((P, Q, R)),
        AllDifferent((X, X)),
        AllDifferent((X, Z)),
        AllDifferent((P, Q)),
    ],
    "Cardinality": [
        Cardinality(((P, True), (Q, True), (R, False), (S, True)), 2, 3),
        Cardinality(((X, 2), (X, 3), (Y, 2), (T, "a")), 1, 1),
        Cardinality(((P, True), (Q, True), (P, True), (R, True)), 2, 2),
        Cardinality(((P, True), (Q, True), (R, True), (S, True)), 0, 1),
        Cardinality(((P, True), (Q, True), (R, True)), 3, 3),
        Cardinality(tuple((flag, True) for flag in FLAGS), 3, 4),
        Cardinality(((X, 2), (Y, 2), (T, "a")), 1, 1),
        same(total((1, P), (1, Q), (1, R), constant=1), 2),
        Comparison("<=", total((1, P), (1, Not(Q)), (1, same(Y, 1))), ONE),
    ],
    "Linear": [
        Linear(((2, X), (-1, Y), (1, P)), -3, 1),
        Linear(((1, X), (1, Y), (1, Z)), 2, 2),
        Linear(((1, X), (2, X), (-3, Q)), None, 0),
        Linear(((3, Y), (1, W)), 9, None),
        Linear(((2, X), (-1, X), (1, Y), (1, Z)), 1, 2),
        Linear(((3, Y), (1, W), (2, Z)), 13, None),
    ],
    "Table": [
        table((X, Y, T), (2, 1, "a"), (2, 4, "b"), (-1, 1, "b"), (0, 2, 1), (3, 9, "a")),
        table((X, Y), (2, 1), (2, 2), (-1, 1), (0, 2), (3, 4)),
        table((total((1, X), (1, Y)), P), (3, True), (4, False), (1, True)),
        table((Y, TWO, W), (1, 2, 1), (2, 2, 3), (4, 1, 1)),
        table(
            (P, Q, R, S),
            *((True, q, r, q != r) for q in (False, True) for r in (False, True)),
            (False, True, True, True),
        ),
    ],
    "Automaton": [
        Automaton((Y, W, Y, T), EVEN_ONES, frozenset({1})),
        Automaton((P, Q, R, S), NO_REPEAT, frozenset({0, 1})),
        Automaton((P, Q, R, S, V), HOPS, frozenset({2})),
        Automaton((P, Not(Q), Constant(True), S), HOPS, frozenset({1})),
    ],
    "Connected": [
        Connected((P, Q, R, S, V), ROW),
        Connected((P, Q, R, S), (*ROW[:3], (0, 3))),
        Connected((P, Not(Q), same(Y, 2), S, Constant(True)), ROW),
        Connected((P, Q, Constant(False), S), ROW[:3]),
        Connected((P, less(X, Y), Q), ((0, 1), (1, 2))),
    ],
    "Circuit": [
        Circuit(FLAGS, SQUARE),
        Circuit((P, Q, R, S, V), ((0, 1), (1, 0), (2, 3), (3, 4), (4, 2))),
        Circuit((P, Q, R, S), ((0, 1), (1, 2), (2, 0), (3, 3))),
        Circuit(FLAGS, ((0, 1), (2, 1), (2, 3), (0, 3), (0, 2))),
        Circuit((P, Not(Q), same(Y, 2), Constant(True)), ((0, 1), (1, 2), (2, 0), (0, 1))),
        Circuit((P, Q, P, R, Not(R), S), ((0, 1), (1, 2), (2, 0), (2, 3), (3, 0), (1, 1))),
        Circuit((*FLAGS, Not(P), same(X, 1), same(X, 2), same(Y, 1), same(Y, 3)), BESIDE),
    ],
    "Acyclic": [
        Acyclic(FLAGS, SQUARE),
        Acyclic((P, Q, R, S), ((0, 1), (1, 0), (2, 2), (1, 2))),
        Acyclic((P, Not(Q), same(Y, 2), Constant(True)), ((0, 1), (1, 2), (2, 0), (0, 3))),
        Acyclic((P, less(X, Y), Q), ((0, 1), (1, 2), (2, 0))),
    ],
    "Apply": [
        Apply(FIRST, ((T, U),)),
        Apply(FIRST, ((X, Z),)),
        Or((Apply(FIRST, ((Constant("a"), Constant("b")),)), R)),
        same(W, Apply(AFTER, (ONE, P, Q, R))),
    ],
    "RegionSizes": [
        RegionSizes((P, Q, R, Y, W), ROW[:3], (0, 3)),
        RegionSizes((P, Not(Q), same(Y, 2), TWO, W), ROW[:3], (1, 2)),
        RegionSizes((P, Q, R, S, X), SQUARE[:4], (2,)),
        RegionSizes((less(X, Y), Q, W), ROW[:2], (1,)),
        RegionSizes((P, Constant(True), Q, Constant(3), Constant(1)), ROW[:3], (1, 3)),
        RegionSizes(
            (P, Q, R, R, total((1, Y), (-1, P)), Y, Y), ((0, 1), (1, 0), (2, 3), (1, 1)), (0, 2, 3)
        ),
    ],
    "Inside": [
        Component(Inside((P, Q, R), BESIDE[:3], STEPS, 3), 2),
        same(Component(Inside((P, Not(Q), same(Y, 2)), BESIDE[:3], STEPS, 3), 1), S),
        Or(
            (
                Component(
                    Inside((P, Q, R), BESIDE[:3], ((0, 1, 0), (1, 3, -1), (3, 2, 1), (2, 0, 2)), 4),
                    3,
                ),
                Q,
            )
        ),
    ],
    "Component": [
        same(Component(Apply(PAIR, (Y, W)), 1), Constant("22")),
        Component(Apply(PAIR, (T, U)), 0),
    ],
}
TOGETHER: Mapping[str, Sequence[Sequence[Term]]] = {  # rules that narrow each other
    "AllDifferent": [
        [same(W, 2), AllDifferent((Y, W, X))],
        [table((Y, W), (1, 1), (1, 2), (2, 1), (4, 3)), AllDifferent((Y, W))],
        [table((Y, W), (1, 1), (1, 2), (2, 1), (4, 3)), AllDifferent((Y, X, W)), less(X, Y)],
    ],
    "Cardinality": [
        [P, Cardinality(((P, True), (Q, True), (R, True), (S, True)), 0, 2)],
        [Not(P), Cardinality(((P, True), (Q, True), (R, True), (S, True)), 2, 2)],
        [
            Cardinality(tuple((flag, True) for flag in some), 1, 1)
            for some in ((P, V, Q, S), (P, V, R))
        ],
        [table((P, Q, R), *PARITY), Cardinality(((P, True), (Q, True), (R, True)), 1, 2)],
        [
            table((P, Q, R), *PARITY),
            Cardinality(((P, True), (Q, True), (R, True), (S, True)), 2, 3),
        ],
    ],
    "Or": [[Or((same(X, 3), same(Y, 4), P)), Or((same(X, -3), same(Y, 4), Q))]],
    "Linear": [
        [Member(X, frozenset({2})), Linear(((2, X), (-1, Y), (1, Z)), 3, 5)],
        [less(Y, W), Linear(((3, X), (-2, Y), (1, W)), 0, 4)],
    ],
    "Table": [
        [
            table((Y, X), (1, 2), (2, 2), (4, 3), (1, 0)),
            table((W, X), (1, 2), (3, 2), (2, 3), (2, 0)),
            less(Y, W),
        ],
        [table((Y, X), (1, 2), (2, 2), (4, 3), (1, 0)), less(X, Y), Or((P, same(Y, 4)))],
    ],
    "Automaton": [
        [
            Automaton((P, Q, R, S, V), HOPS, frozenset({2})),
            Q,
            Cardinality(((R, True), (S, True)), 0, 1),
        ]
    ],
    "Connected": [
        [P, Connected(FLAGS, ROW), Cardinality(tuple((flag, True) for flag in FLAGS), 0, 3)],
        [P, S, Connected(FLAGS, (*ROW, (0, 4)))],
        [Not(Q), Connected(FLAGS, ROW)],
        [P, R, Connected((P, Q, R, S), (*ROW[:3], (0, 3)))],
    ],
    "Circuit": [
        [Circuit(FLAGS, SQUARE), Or((P, same(Y, 1), less(W, Y)))],
        [V, Circuit(FLAGS, SQUARE)],
        [Not(Q), Circuit(FLAGS, SQUARE)],
        [Not(V), Circuit(FLAGS, SQUARE)],
        [P, Circuit(FLAGS, SQUARE), Cardinality(tuple((flag, True) for flag in FLAGS), 0, 4)],
    ],
    "RegionSizes": [
        [P, RegionSizes((P, Q, R, W, X), ROW[:3], (0, 3))],
        [same(W, 3), RegionSizes((P, Q, R, W, Y), ROW[:3], (0, 3))],
        [Not(P), same(Y, 2), RegionSizes((P, Q, R, S, Y), (*ROW[:3], (0, 3)), (0,))],
        [RegionSizes((P, Q, R, W, W), ROW[:3], (1, 2)), less(Y, W)],
        [
            RegionSizes((*FLAGS, Y, W), (*ROW, (4, 0)), (0, 2)),
            Cardinality(tuple((flag, True) for flag in FLAGS), 2, 4),
        ],
    ],
    "Regions": [
        [
            same(Component(SIZES, 0), Y),
            same(W, Component(SIZES, 0)),
            same(Component(SIZES, 3), Component(SIZES, 1)),
        ],
        [same(Component(SIZES, 0), Z), Comparison("!=", Component(SIZES, 2), Z)],
    ],
    "Inside": [
        [Component(Inside((P, Q, R), BESIDE[:3], STEPS, 3), place), Circuit((P, Q, R), BESIDE[:3])]
        for place in (1, 2)
    ],
    "Acyclic": [
        [V, P, Acyclic(FLAGS, SQUARE)],
        [Cardinality(tuple((flag, True) for flag in FLAGS), 3, 5), Acyclic(FLAGS, SQUARE)],
    ],
}
GOALS: Mapping[
    str, Sequence[tuple[Term, Term]]
] = {  # a rule under which the parts of the goal stand against each other
    "Sum": [
        (
            Cardinality(((P, True), (Q, True), (R, True)), 2, 2),
            total((1, P), (5, Q), (-2, R), constant=4),
        ),
        (AllDifferent((Y, W, X)), total((3, Y), (-2, W), (1, X), constant=-1)),
        (Or((And((P, Q)), And((R, S)))), total((3, P), (1, Q), (2, R), (4, S))),
        (Or((And((P, Q)), And((R, S)))), total((-3, P), (-1, Q), (-2, R), (-4, S), constant=7)),
        (Or((And((P, Q)), And((R, S)))), total((-4, P), (-2, Q), (-1, R), (-3, S), constant=7)),
    ],
}


def models(node: str) -> list[Model]:
    """Each term of the node as a rule, and inside one;
    a number is compared with one and with an unknown.
    """
    found = []
    for number in NUMBERS.get(node, ()):
        other = (
            next(v for v in (Z, Y, W) if v not in variables_of(number))
            if len(variables_of(number)) < 3
            else ONE
        )
        found += [
            [same(number, other)],
            [Comparison("<=", number, ONE)],
            [Or((less(TWO, number), Q))],
        ]
    for condition in CONDITIONS.get(node, ()):
        found += [
            [condition],
            [Not(condition)],
            [Or((condition, And((V, Q))))],
            [same(condition, S), Or((P, Q))],
        ]
    found += map(list, TOGETHER.get(node, ()))
    hidden = [model([condition], 1) for condition in CONDITIONS.get(node, ())]
    hidden += [model(rules, 1) for rules in TOGETHER.get(node, ())]
    return [*map(model, found), *hidden]


def model(rules: Sequence[Term], hidden: int = 0) -> Model:
    """A model of the unknowns in these rules, of which the first ones are no part of a solution."""
    constraints = tuple(Constraint(rule, Origin(f"rule {i}")) for i, rule in enumerate(rules))
    variables = variables_of(*rules)
    return Model(
        {v: DOMAINS[v] for v in variables}, constraints, None, frozenset(variables[:hidden])
    )
