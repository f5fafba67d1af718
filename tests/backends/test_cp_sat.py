"""CP-SAT: what is particular to it."""

import sys
import threading
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

import puzzlekit
from puzzlekit.backends import BACKENDS, Budget, load_backend
from puzzlekit.errors import InputError, Stopped, Unsupported
from puzzlekit.model import (
    And,
    Automaton,
    Circuit,
    Comparison,
    Constant,
    Constraint,
    Linear,
    Model,
    Objective,
    Operation,
    Or,
    Origin,
    Sum,
    Table,
    Variable,
)
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.query import Presolve, Query
from tests.backends.hard_models import many, parities
from tests.model.asking import search, solutions
from tests.model.random_models import whole_solutions


def test_arithmetic_that_no_table_can_hold_is_native() -> None:
    a, b, c = (Variable(name) for name in "abc")
    product = Operation("*", (Operation("*", (a, b)), c))
    rules = [
        Comparison("==", product, Constant(30)),
        Comparison("==", Operation("%", (Sum(((1, a),)), Constant(3))), Constant(0)),
    ]
    model = Model(
        dict.fromkeys((a, b, c), tuple(range(1, 32))),
        tuple(Constraint(rule, Origin("rule")) for rule in rules),
    )
    found = list(solutions("cp-sat", model))
    assert len(found) == len({tuple(values.values()) for values in found})
    assert {values[a] for values in found} == {3, 6, 15, 30}
    assert all(rule.value(values) for values in found for rule in rules)


def test_a_cycle_is_one_solution_whichever_way_it_is_walked() -> None:
    edges = tuple((a, b) for a in range(4) for b in range(a))
    flags = tuple(Variable(f"{a}-{b}") for a, b in edges)
    model = presolve(
        Model(
            dict.fromkeys(flags, (False, True)),
            (Constraint(Circuit(flags, edges), Origin("circuit")),),
        )
    )
    assert len(list(solutions("cp-sat", model))) == 4 + 3  # triangles, and squares


@pytest.mark.parametrize(
    "backend", [name for name in BACKENDS if name not in ("dlx", "xcover", "exact-cover")]
)
def test_the_truth_of_an_automaton_or_a_table_may_be_the_goal(backend: str) -> None:
    x, y = Variable("x"), Variable("y")
    alternating = Automaton((x, y), ({0: 1, 1: 2}, {1: 3}, {0: 3}, {}), frozenset({3}))
    table = Table((x, y), np.array([[0, 1], [1, 0]], dtype=np.uint32), ((0, 1), (0, 1)))
    for goal in (alternating, table):
        rule = Constraint(Comparison("<=", x, y), Origin("rule"))
        model = Model({x: (0, 1), y: (0, 1)}, (rule,), Objective("agree", goal, maximise=False))
        *_, last = search(model, backend, level=Presolve.NONE).run(Query("optimise"))
        assert last[x] == last[y]


def test_numbers_that_are_too_large_are_refused() -> None:
    a, b = Variable("a"), Variable("b")
    model = Model(
        {a: (1, 2**50), b: (1, 2**50)}, (Constraint(Comparison("==", a, b), Origin("equal")),)
    )
    with pytest.raises(Unsupported):
        list(solutions("cp-sat", model))


def test_nothing_runs_on_after_a_stream_is_closed() -> None:
    before = threading.active_count()
    stream = solutions("cp-sat", many())
    assert isinstance(stream, Iterator)
    assert all(one is not other for one, other in pairwise(next(stream) for _ in range(20)))
    stream.close()  # type: ignore[attr-defined]
    with pytest.raises(Stopped):
        list(solutions("cp-sat", parities(), Budget.of(0.2)))
    assert threading.active_count() == before


def test_a_sum_without_unknowns_is_not_lost() -> None:
    a, b = Variable("a"), Variable("b")
    rule = Comparison("==", b, Linear((), 1, None))
    cancelled = Comparison("==", b, Comparison("<", Sum(((1, a), (-1, a))), Constant(0)))
    for condition in (rule, cancelled):
        model = Model({a: (1, 2), b: (False, True)}, (Constraint(condition, Origin("rule")),))
        assert all(not values[b] for values in solutions("cp-sat", model))
    never = Model({a: (1, 2)}, (Constraint(Linear(((0, a),), 1, None), Origin("never")),))
    assert not list(solutions("cp-sat", never))


def test_tables_may_hold_texts() -> None:
    a, b = Variable("a"), Variable("b")
    rows = np.array([[0, 0], [1, 1]], dtype=np.uint8)
    table = Table((a, b), rows, (("x", "y"), (1, "x")))
    model = Model({a: ("x", "y"), b: (1, "x")}, (Constraint(table, Origin("table")),))
    found = {(values[a], values[b]) for values in solutions("cp-sat", model)}
    assert found == {("x", 1), ("y", "x")}


def test_no_rows_of_a_long_table_with_texts_are_lost() -> None:
    x, y, t, v, q = (Variable(name) for name in "xytvq")
    few = Table(
        (x, y, t),
        np.array([[0, 0, 0], [1, 1, 1], [2, 1, 0]], dtype=np.uint8),
        ((0, 1, 2), (3, 4), ("a", "b", 1)),
    )
    rule = Or((few, And((v, q))))
    domains = {x: (0, 1, 2, 3), y: (3, 4), t: ("a", "b", 1), v: (False, True), q: (False, True)}
    model = Model(domains, (Constraint(rule, Origin("either")),))
    assert len(list(solutions("cp-sat", model))) == len(whole_solutions(model))


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("ortools.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    monkeypatch.delitem(sys.modules, "puzzlekit.backends.cp_sat", raising=False)
    with pytest.raises(
        InputError,
        match=(
            r"^the backend cp-sat requires an extra: "
            r"pip install -e '\.\[cp-sat\]' in the clone of puzzlekit$"
        ),
    ):
        load_backend("cp-sat")


def test_no_solution_of_an_automaton_is_repeated() -> None:
    puzzle = puzzlekit.load("abc_end_view", "specs/abc_end_view/first.yaml")
    assert len(list(puzzle.solve(limit=3, backend="cp-sat"))) == 1
