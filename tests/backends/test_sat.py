"""Counts, sums and small tables in clauses, each against its meaning."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from pysat.solvers import Minicard

from puzzlekit.backends import Budget
from puzzlekit.backends.clause_tables import function_clauses, none_or_two, prime_clauses
from puzzlekit.backends.sat import Clauses, HalfReifiedClauses
from puzzlekit.errors import BackendBug
from puzzlekit.lowering.flattening import flatten
from puzzlekit.lowering.lazy_cuts import island_cuts, solve_with_cuts, violated_cuts
from puzzlekit.model import (
    AllDifferent,
    And,
    Cardinality,
    Comparison,
    Connected,
    Constant,
    Constraint,
    Linear,
    Model,
    Not,
    Objective,
    Or,
    Origin,
    Sum,
    Term,
    Variable,
)
from tests.limits import replaced
from tests.model.asking import improving, solutions

WIDTHS = [  # bounds, clauses, a totalizer, a network; a diagram, binary
    {"native_bound": 4, "count_clauses": 3, "totalizer_size": 50_000, "diagram_edges": 150_000},
    {"native_bound": 0, "count_clauses": 100, "totalizer_size": 50_000, "diagram_edges": 150_000},
    {"native_bound": 0, "count_clauses": 3, "totalizer_size": 50_000, "diagram_edges": 150_000},
    {"native_bound": 0, "count_clauses": 3, "totalizer_size": 1, "diagram_edges": 150_000},
    {"native_bound": 0, "count_clauses": 3, "totalizer_size": 1, "diagram_edges": 0},
]


def meant(model: Model) -> set[tuple[object, ...]]:
    rows = product(*model.domains.values())
    return {row for row in rows if model.violated(dict(zip(model.domains, row))) is None}


def said(model: Model) -> set[tuple[object, ...]]:
    """What the clauses and bounds allow: every row is asked by itself."""
    clauses = Clauses(model, Budget(), bounds=True)
    with Minicard(bootstrap_with=clauses.cnf) as solver:
        for literals, most in clauses.bounds:
            solver.add_atmost(literals, most)
        return {
            row
            for row in product(*model.domains.values())
            if solver.solve(
                assumptions=[clauses.literal(v, value) for v, value in zip(model.domains, row)]
            )
        }


def sums_of_different(data: st.DataObject) -> tuple[Model, Constraint]:
    """A model in which four variables all differ, and a sum of three or four of these."""
    variables = [Variable(name) for name in "abcd"]
    numbers = st.lists(st.integers(-2, 5), min_size=1, max_size=4, unique=True)
    domains = {variable: tuple(data.draw(numbers)) for variable in variables}
    weight = data.draw(st.sampled_from([1, -1, 2]))
    terms = tuple((weight, variable) for variable in variables[: data.draw(st.integers(3, 4))])
    bound = st.none() | st.integers(-8, 14)
    total = Linear(terms, data.draw(bound), data.draw(bound))
    different = Constraint(AllDifferent(tuple(variables)), Origin("different"))
    return Model(domains, (different,)), Constraint(total, Origin("sum"))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(data=st.data())
def test_a_sum_of_variables_that_differ_is_one_of_few_sets(data: st.DataObject) -> None:
    different, total = sums_of_different(data)
    model = Model(different.domains, (total, *different.constraints))
    assert said(model) == meant(model)
    for sets in (0, 2):
        with replaced(different_sets=sets):
            assert said(model) == meant(model)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(data=st.data())
def test_what_differs_under_a_literal_differs_nowhere_else(data: st.DataObject) -> None:
    different, total = sums_of_different(data)
    model = Model(different.domains, (total,))
    clauses = HalfReifiedClauses(Model(different.domains, ()), Budget())
    stated = [*clauses.half_reified(different.constraints)[1]]
    literal, under_literal = clauses.half_reified((total,))
    with Minicard(bootstrap_with=[*clauses.cnf, *stated, *under_literal]) as solver:
        for row in product(*model.domains.values()):
            values = dict(zip(model.domains, row))
            assumed = [clauses.literal(variable, value) for variable, value in values.items()]
            is_allowed = model.violated(values) is None
            assert solver.solve(assumptions=[literal, *assumed]) is is_allowed


def test_a_pair_in_two_counts_is_stated_once() -> None:
    """In either order, and the pairs of only one count are stated, too."""
    a, b, c, d = variables = [Variable(name) for name in "abcd"]
    counts = [Cardinality(tuple((v, True) for v in some), 0, 1) for some in ([a, b, c], [d, c, b])]
    model = Model(
        dict.fromkeys(variables, (False, True)),
        tuple(Constraint(count, Origin("once")) for count in counts),
    )
    clauses = Clauses(model, Budget())
    pairs = [
        frozenset(-literal for literal in clause) for clause in clauses.cnf if len(clause) == 2
    ]
    number = {v: clauses.literal(v, True) for v in variables}
    wanted = [{a, b}, {a, c}, {b, c}, {d, c}, {d, b}]
    assert len(pairs) == 5 and {*pairs} == {frozenset(number[v] for v in pair) for pair in wanted}


def model_of(domains: list[tuple[int, ...]], condition: Term, variables: list[Variable]) -> Model:
    return Model(dict(zip(variables, domains)), (Constraint(condition, Origin("rule")),))


@pytest.mark.parametrize("widths", WIDTHS)
@settings(max_examples=100, deadline=None, derandomize=True)
@given(data=st.data())
def test_a_sum_allows_what_it_means(widths: dict[str, int], data: st.DataObject) -> None:
    domain = st.sampled_from([(False, True), (0, 1), (0, 3), (1, 2, 4), (-2, 0, 1, 5)])
    domains = data.draw(st.lists(domain, min_size=1, max_size=6))
    variables = [Variable(f"x{i}") for i in range(len(domains))]
    weights = data.draw(
        st.lists(
            st.sampled_from([-3, -1, 1, 1, 2, 7]), min_size=len(domains), max_size=len(domains)
        )
    )
    low, high = (data.draw(st.none() | st.integers(-12, 20)) for _ in range(2))
    model = model_of(domains, Linear(tuple(zip(weights, variables)), low, high), variables)
    with replaced(**widths):
        assert said(model) == meant(model)


@pytest.mark.parametrize("widths", WIDTHS)
@pytest.mark.parametrize("number", [1, 2, 7, pytest.param(9, marks=pytest.mark.slow)])
def test_a_count_allows_what_it_means(widths: dict[str, int], number: int) -> None:
    variables = [Variable(f"x{i}") for i in range(number)]
    for low, high in product(range(number + 1), repeat=2):
        condition = Cardinality(tuple((variable, True) for variable in variables), low, high)
        model = model_of([(False, True)] * number, condition, variables)
        with replaced(**widths):
            assert said(model) == meant(model), (low, high)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(shape=st.lists(st.integers(1, 4), min_size=1, max_size=4), data=st.data())
def test_the_clauses_of_a_table_forbid_what_it_does_not_have(
    shape: list[int], data: st.DataObject
) -> None:
    cells = list(product(*map(range, shape)))
    rows = data.draw(st.lists(st.sampled_from(cells), min_size=1, unique=True))
    clauses = prime_clauses(tuple(shape), np.array(rows))
    if clauses is not None:
        has = lambda cell, literals: [cell[column] == code for column, code in literals]  # noqa: E731
        kept = {
            cell
            for cell in cells
            if all(not all(has(cell, held)) or any(has(cell, implied)) for held, implied in clauses)
        }
        assert kept == set(rows)
        alone = [set(held) for held, implied in clauses if not implied]
        assert not any(one < other for one, other in product(alone, repeat=2))


def test_clauses_are_the_shortest() -> None:
    even = np.array([row for row in product(range(2), repeat=4) if sum(row) in (0, 2)])
    found = prime_clauses((2, 2, 2, 2), even)
    assert found is not None
    assert (
        sorted(len(held) for held, _ in found) == [3] * 4 + [4] * 4
    )  # no three are true; one alone is not


def test_clauses_that_differ_in_one_value_are_joined() -> None:
    equal = np.array(
        [(flag, x, y) for flag, x, y in product(range(2), range(5), range(5)) if not flag or x == y]
    )
    found = prime_clauses((2, 5, 5), equal)
    assert found is not None
    assert {implied for _, implied in found} == {
        ((column, code),) for column in (1, 2) for code in range(5)
    }
    assert len(found) == 10


@pytest.mark.parametrize(("operator", "met"), [("==", 17), ("!=", 17 * 16)])
def test_a_flag_that_decides_whether_wide_variables_are_equal_needs_no_names(
    operator: Any, met: int
) -> None:
    flag, *pair = variables = [Variable(name) for name in ("flag", "x", "y")]
    numbers = tuple(range(17))
    model = model_of(
        [(False, True), numbers, numbers], Or((Not(flag), Comparison(operator, *pair))), variables
    )
    lowered = flatten(model, small=512, equalities=True)
    assert lowered.domains == model.domains
    assert len(said(lowered)) == 17 * 17 + met


FLAG, X, Y = (Variable(name) for name in ("flag", "x", "y"))
NUMBERS, NAMES = tuple(range(150)), tuple(f"n{number}" for number in range(150))


@pytest.mark.parametrize("name", ["sat", "asp"])
@pytest.mark.parametrize(
    ("values", "condition", "wanted"),
    [
        (
            NUMBERS,
            And((Comparison("<", X, Y), Comparison("<=", Constant(296), Sum(((1, X), (1, Y)))))),
            {(147, 149), (148, 149)},
        ),
        (NAMES, Comparison("==", X, Y), {(name, name) for name in NAMES}),
        (
            NAMES,
            And((Comparison("==", FLAG, Comparison("!=", X, Y)), Not(FLAG))),
            {(name, name) for name in NAMES},
        ),
    ],
    ids=["less", "equal", "named"],
)
def test_variables_are_compared_that_have_too_many_pairs_for_a_table(
    name: str, values: tuple[Any, ...], condition: Term, wanted: set[tuple[Any, Any]]
) -> None:
    model = model_of([(False, True), values, values], condition, [FLAG, X, Y])
    assert {(found[X], found[Y]) for found in solutions(name, model)} == wanted


@pytest.mark.parametrize("name", ["sat", "asp"])
def test_weights_of_any_size(name: str) -> None:
    xs = [Variable(f"x{i}") for i in range(12)]
    weighted = tuple((3**i * 10**5, x) for i, x in enumerate(xs))
    wanted = sum(weight for weight, _ in weighted[::2])
    rules = (Constraint(Linear(weighted, wanted - 1, wanted + 1), Origin("rule")),)
    model = Model(
        dict.fromkeys(xs, (False, True)), rules, Objective("most", Sum(weighted), maximise=True)
    )
    found = list(solutions(name, model))
    assert [[values[x] for x in xs] for values in found] == [[True, False] * 6]
    best = [*improving(name, model)][-1]
    assert model.goal is not None and model.goal.term.value(best) == wanted


@given(st.lists(st.sampled_from((1, -1, 2, -2, 3, -3, 4, 5)), max_size=6))
def test_the_clauses_of_a_degree_say_none_or_two(literals: list[int]) -> None:
    clauses = [*none_or_two(literals, 1)]
    for held in product((False, True), repeat=4):
        true = {1, *(number if value else -number for number, value in enumerate(held, 2))}
        wanted = sum(literal in true for literal in literals) in (0, 2)
        assert all(not true.isdisjoint(clause) for clause in clauses) == wanted


@pytest.mark.parametrize(
    "values_of",
    [
        lambda a, b: [a + b],
        lambda a, b: [a == b + 1],
        lambda a, b: [a < b],
        lambda a, b: [max(a, b)],
        lambda a, b: [a * b % 3],
        lambda a, b: [a, b, 14] if a != b else range(15),
    ],
    ids=["sum", "next", "less", "most", "rest", "one of"],
)
def test_the_clauses_of_a_large_table_allow_its_rows_and_no_others(
    values_of: Callable[[int, int], list[int]],
) -> None:
    every = [(a, b, int(value)) for a in range(14) for b in range(13) for value in values_of(a, b)]
    values = sorted({row[2] for row in every})
    rows = np.array([(a, b, values.index(value)) for a, b, value in every])
    shape = (14, 13, len(values))
    clauses = function_clauses(shape, rows)
    assert clauses is not None
    allowed = set(map(tuple, rows.tolist()))
    for codes in product(*map(range, shape)):
        true = {1 + codes[0], 15 + codes[1], 28 + codes[2]}
        met = all(
            ((array > 0) == np.isin(np.abs(array), list(true))).any(axis=1).all()
            for array in clauses
        )
        assert met == (codes in allowed)


def test_a_table_without_a_function_keeps_its_rows() -> None:
    rows = np.array([(a, (a + b) % 20, (3 * a + b) % 20) for a in range(20) for b in range(9)])
    assert function_clauses((20, 20, 20), rows) is None


def test_a_call_that_is_not_done_soon_goes_on_in_a_thread() -> None:
    pigeons = [Variable(f"p{number}") for number in range(5)]
    places = tuple(range(4))
    apart = [
        Constraint(Cardinality(tuple((p, place) for p in pigeons), 0, 1), Origin("one in each"))
        for place in places
    ]
    none = Model(dict.fromkeys(pigeons, places), tuple(apart))
    some = Model(dict.fromkeys(pigeons[1:], places), ())
    for most in (1, 1_000):
        with replaced(short_conflicts=most, short_propagations=1_000 * most):
            assert list(solutions("sat", none)) == []
            assert len(list(solutions("sat", some))) == 4**4


def grid_links(side: int) -> tuple[tuple[int, int], ...]:
    cells = [(row, column) for row in range(side) for column in range(side)]
    near = [
        (one, other)
        for one in cells
        for other in cells
        if one < other and abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1
    ]
    return tuple((side * a + b, side * c + d) for (a, b), (c, d) in near)


def test_connected_flags_meet_the_cuts_of_lonely_ones() -> None:
    shape = Connected(tuple(Variable(f"c{place}") for place in range(9)), grid_links(3))
    corners = np.array([True, False, True, False, False, False, True, False, True])
    cuts = [*island_cuts(shape, corners, [*violated_cuts(shape, corners)])]
    assert cuts
    for row in product([False, True], repeat=9):
        met = all(
            any(not row[place] for place in no) or any(row[place] for place in yes)
            for no, yes in cuts
        )
        assert met or [*violated_cuts(shape, np.array(row))]


def test_cuts_of_lonely_flags_are_only_given_where_most_pieces_are_single() -> None:
    shape = Connected(tuple(Variable(f"c{place}") for place in range(9)), grid_links(3))
    bars = np.array([True] * 3 + [False] * 3 + [True] * 3)
    assert not [*island_cuts(shape, bars, [*violated_cuts(shape, bars)])]


def test_lonely_flags_keep_every_solution() -> None:
    flags = tuple(Variable(f"c{place}") for place in range(9))
    some = [
        Constraint(
            Cardinality(tuple((flags[place], True) for place in places), 1, 2), Origin("rule")
        )
        for places in ((0, 1), (8, 7))
    ]
    apart = Constraint(
        Cardinality(((flags[4], True), (flags[2], True), (flags[6], True)), 0, 1), Origin("rule")
    )
    one = Constraint(Connected(flags, grid_links(3)), Origin("connected"))
    model = Model(dict.fromkeys(flags, (False, True)), (*some, apart, one))
    wanted = {
        row
        for row in product([False, True], repeat=9)
        if model.violated(dict(zip(flags, row))) is None
    }
    found = [tuple(values[flag] for flag in flags) for values in solutions("sat", model)]
    assert len(found) == len(wanted) == len({*found} & wanted) > 10


def test_a_solver_that_breaks_its_cuts_is_a_bug_and_no_endless_search() -> None:
    with pytest.raises(BackendBug, match="told to exclude"):
        solve_with_cuts(lambda: "the same", lambda found: [[1, 2]], lambda cuts: None)
    answers = iter(["wrong", "wrong otherwise", "right"])
    cuts = {"wrong": [[1]], "wrong otherwise": [[2]], "right": []}
    assert solve_with_cuts(lambda: next(answers), cuts.__getitem__, lambda cuts: None) == "right"
