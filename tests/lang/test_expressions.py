"""Every part of the syntax, on plain values and on unknowns;
the model and the rules must agree on every assignment.
"""

from collections.abc import Callable
from itertools import product

import pytest

from puzzlekit.lang.expressions.interpreter import Interpreter
from tests.lang.languages import build, only, values

PLAIN = [
    "1 + 2 * 3 - 4 == 3",
    "7 // 2 == 3 and 7 % 2 == 1 and -7 // 2 == -4",
    "-n == 0 - 3 and +n == 3",
    "'ab' + 'c' == 'abc' and 'ab' * 2 == 'abab' and 2 * 'ab' == 'abab'",
    "(1, 2) + (3,) == (1, 2, 3) and [1] + [2] == (1, 2) and [0] * 3 == (0, 0, 0)",
    "{1, 2, 3} - {2} == {1, 3}",
    "1 < n <= 3 != 4 and not 1 > 2 and 2 >= 2",
    "n == 3 or 1 // 0 == 1",
    "not (n != 3 and 1 // 0 == 1)",
    "(1 if n == 3 else 1 // 0) == 1",
    "2 in (1, 2) and 4 not in [1, 2] and 'a' in 'abc' and 'ab' not in 'abc'",
    "1 in {1: 2} and {1: 2}[1] == 2 and {c: 1 for c in 'ab'}['b'] == 1",
    "'abcd'[1:3] == 'bc' and [1, 2, 3][::2] == (1, 3) and (1, 2, 3)[-1] == 3 and 'abc'[:2] == 'ab'",
    "[i * j for i in range(3) for j in range(i) if i > j] == [0, 0, 2]",
    "{i % 2 for i in range(5)} == {0, 1}",
    "(i for i in range(3)) == (0, 1, 2)",
    "[(i for i in range(2)) for j in range(2)] == [(0, 1), (0, 1)]",
    "[a + b for a, b in [(1, 2), (3, 4)]] == [3, 7]",
    "[a + b + c for a, (b, c) in [(1, (2, 3))]] == [6]",
    "[n for n in range(2)] == [0, 1] and n == 3",
    "all(n == 3 for letters in letters)",
    "None == None and True != False",
    "(1, 'a') == (1, 'a') and ('a', 'b') == 'ab'",
    "[i for i in {3, 1, 2}] == [1, 2, 3]",
    "letters[letters.cells] == 'abc' and letters[first(letters.cells)] == 'a'",
    "b.rows[0][0].column == 1 and len(b.cells) == 9",
    "board(rows=2, columns=1).rows == ((first(b.cells),), (b.columns[0][1],))",
    "names == ('up', 'down')",
    (
        "[len(names) + i for i in range(2)] == [2, 3] and [max(range(i + n)) "
        "for i in range(2)] == [2, 3]"
    ),
    (
        "[sum(1 for j in range(n)) for i in range(2)] == [3, 3] and [[n for n in range(n)] "
        "for i in range(1)] == [[0, 1, 2]]"
    ),
    "0x10 == 16 and 1_000 == 1000",
    "'it''s' == \"its\"",
]


@pytest.mark.parametrize("rule", PLAIN)
def test_plain_values_work_as_in_python(rule: str) -> None:
    assert build(rule).model.constraints == ()


X2 = [(a, b) for a in range(3) for b in range(3)]
SYMBOLIC = [
    ("x[0] + x[1] == 3", lambda a, b: a + b == 3),
    ("x[0] - x[1] == 1", lambda a, b: a - b == 1),
    ("1 - x[0] == -x[1]", lambda a, b: 1 - a == -b),
    ("x[0] + 1 + x[1] - 2 + 3 * x[0] == 4", lambda a, b: 4 * a + b - 1 == 4),
    (
        "all(implies(x[1] == i, abs((1, 2)[x[0]]) == 1) for i in range(2))",
        lambda a, b: a == 0 or b == 2,
    ),
    ("x[0] * x[1] == 2 and 2 * x[0] == 2", lambda a, b: a * b == 2 and a == 1),
    ("x[0] // 2 == x[1] % 2", lambda a, b: a // 2 == b % 2),
    ("x[0] < x[1]", lambda a, b: a < b),
    ("0 < x[0] <= x[1] < 2", lambda a, b: 0 < a <= b < 2),
    ("1 > x[0] and x[1] >= 1", lambda a, b: a < 1 <= b),
    ("x[0] != x[1]", lambda a, b: a != b),
    ("x[0] == 1 or x[1] == 1", lambda a, b: 1 in (a, b)),
    ("n == 3 and x[0] == 1", lambda a, b: a == 1),
    ("not x[0] == x[1]", lambda a, b: a != b),
    ("(x[0] if x[1] == 1 else 2) == 2", lambda a, b: (a if b == 1 else 2) == 2),
    (
        "((x[0], 1) if x[1] == 1 else (2, x[1])) == (2, 1)",
        lambda a, b: ((a, 1) if b == 1 else (2, b)) == (2, 1),
    ),
    ("x[0] in (1, 2) and x[1] not in {1}", lambda a, b: a in (1, 2) and b != 1),
    ("x[0] in [x[1], 2]", lambda a, b: a in (b, 2)),
    ("2 in (x[0], x[1])", lambda a, b: 2 in (a, b)),
    ("x[0] in range(1, 3)", lambda a, b: a in (1, 2)),
    ("(x[0], x[1]) in [(0, 1), (2, 2), (1, 2, 3)]", lambda a, b: (a, b) in [(0, 1), (2, 2)]),
    ("(x[0], x[1]) in {(i, i) for i in range(3)}", lambda a, b: a == b),
    ("(x[0], x[1]) == (1, 2)", lambda a, b: (a, b) == (1, 2)),
    ("[x[0], x[1]] != [1, 2]", lambda a, b: (a, b) != (1, 2)),
    ("(x[0], 1) == (x[1], 1, 2)", lambda a, b: False),
    ("[2, 0, 1][x[0]] == x[1]", lambda a, b: [2, 0, 1][a] == b),
    ("{0: 1, 1: 2, 2: 0}[x[0]] == x[1]", lambda a, b: {0: 1, 1: 2, 2: 0}[a] == b),
    ("'cab'[x[0]] == 'a' and x[1] == 0", lambda a, b: (a, b) == (1, 0)),
    ("x[x[0]] == 1 and x[1] == 1", lambda a, b: (a, b) == (1, 1)),
    ("sum(x[i] for i in range(2)) == 2 and x[2] == 0", lambda a, b: a + b == 2),
    ("x[range(2)] == (1, 2)", lambda a, b: (a, b) == (1, 2)),
    ("x == (1, 2, 0)", lambda a, b: (a, b) == (1, 2)),
    ("x[...] == [1, 2, 0]", lambda a, b: (a, b) == (1, 2)),
    ("x[i] <= x[i + 1] for i in range(1)", lambda a, b: a <= b),
    ("[(1, 2), (0, 0)][n - 3] == (x[0], x[1])", lambda a, b: (a, b) == (1, 2)),
]


@pytest.mark.parametrize(("rule", "holds"), SYMBOLIC, ids=[rule for rule, _ in SYMBOLIC])
def test_unknowns_stand_where_values_may(rule, holds) -> None:
    found = values([a for a in only(build(rule), "x") if a["x[2]"] == 0], "x[0]", "x[1]")
    assert found == [(a, b) for a, b in X2 if holds(a, b)]


LOOPS = [  # over what is known, over unknowns, and over both
    ("x[i] < x[i + 1] for i in range(2)", lambda a, b, c: a < b < c),
    ("v < 2 for v in x", lambda a, b, c: max(a, b, c) < 2),
    ("x < 2 for x in x", lambda a, b, c: max(a, b, c) < 2),
    (
        "v != i for i in range(2) for v in x[range(i, 3)]",
        lambda a, b, c: 0 not in (a, b, c) and 1 not in (b, c),
    ),
    ("a != b for a, b in [(x[0], x[1]), (x[1], 2)]", lambda a, b, c: a != b != 2),
    ("x[i] != j for i in range(3) if i != 1 for j in range(i)", lambda a, b, c: c not in (0, 1)),
]


@pytest.mark.parametrize("most_kept", [0, 3, 100])
@pytest.mark.parametrize(("rule", "holds"), LOOPS)
def test_the_loops_of_a_rule_are_the_same_for_each_solution(
    rule: str,
    holds: Callable[[int, int, int], bool],
    most_kept: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = [found for found in product(range(3), repeat=3) if holds(*found)]
    monkeypatch.setattr("puzzlekit.lang.evaluation.CACHED_BINDINGS", most_kept)
    assert values(only(build(rule), "x"), "x[0]", "x[1]", "x[2]") == expected


def test_the_loops_of_a_rule_run_once_where_they_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = build("x[i] != j for i in range(3) for j in range(2)")
    answer = dict.fromkeys(instance.model.domains, 2)
    monkeypatch.setitem(instance.scope, "_iterate", None)
    assert instance.check(answer) is None
    assert str(instance.check({**answer, next(iter(answer)): 1})) == "r (i = 0, j = 1)"


def test_an_index_of_several_parts() -> None:
    assert values(only(build("p[1, ...] == (2, 0)"), "p"), "p[1, 0]", "p[1, 1]") == [(2, 0)]
    assert values(only(build("p[..., 1] == (2, 0)"), "p"), "p[0, 1]", "p[1, 1]") == [(2, 0)]
    assert values(only(build("p[0, k] == 2"), "p", "k"), "k", "p[0, 0]") == [
        (0, 2),
        (1, 0),
        (1, 1),
        (1, 2),
    ]


def test_element_constraints_nest() -> None:
    variables = (
        "house[v]: between(0, 2) for v in range(2)\ncost[h]: between(0, 4) for h in range(3)"
    )
    rule = "cost[house[v]] == 3 + v for v in range(2)"
    found = only(build(rule, variables=variables), "house", "cost")
    assert found
    assert all(a[f"cost[{a['house[0]']}]"] == 3 and a[f"cost[{a['house[1]']}]"] == 4 for a in found)


def test_letters_and_words() -> None:
    assert len(only(build("w[range(2)] in ['ab', 'ca', 'abc']"), "w")) == 6
    assert len(only(build("w == 'abc'"), "w")) == 1
    assert len(only(build("count(w, 'a') == 2"), "w")) == 6


def test_bools_count_as_numbers_and_stand_as_conditions() -> None:
    assert len(only(build("sum(flag) == 2 and (flag[0] or flag[1]) and flag[0] == 1"), "flag")) == 2
    assert len(only(build("flag[0] if flag[1] else not flag[2]"), "flag")) == 4


def test_a_rule_that_gives_no_condition_asks_nothing() -> None:
    assert build("x[i] == 1 for i in range(0)").model.constraints == ()
    assert build("all(x[i] == 1 for i in ())").model.constraints == ()


def test_a_rule_that_the_data_breaks_is_a_constraint_that_never_holds() -> None:
    (constraint,) = build("n == 4").model.constraints
    assert constraint.condition.value({}) is False


def test_origins_keep_name_loop_values_and_place() -> None:
    origins = [
        c.origin for c in build("x[i] == j for i in range(2) for j in range(1)").model.constraints
    ]
    assert [str(origin) for origin in origins] == ["r (i = 0, j = 0)", "r (i = 1, j = 0)"]
    assert str(origins[0].position).startswith("type.yaml:")


def test_a_name_shows_its_loop_variables() -> None:
    text = (
        "puzzle: t\nvariables:\n  x[i]: bool for i in range(2)\nrules:\n"
        "  cell {i} holds: x[i] for i in range(2)\n"
    )
    from puzzlekit.lang import bind, read_spec, type_of_text

    made = bind(type_of_text("t", text), read_spec("s", "title: a"))
    assert [str(c.origin) for c in made.model.constraints] == ["cell 0 holds", "cell 1 holds"]


@pytest.mark.parametrize("name", ["from", "class", "import", "async", "del", "match", "print"])
def test_fields_may_have_names_that_python_reserves(name: str) -> None:
    rule = f"x[0] == {name} and 'a {name} b' != 'x' and sum({name} for i in range(2)) == 2"
    assert values(only(build(rule, data=f"{name}: int = 1", let="one: 1"), "x"), "x[0]") == [(1,)]
    assert (
        build(f"all({name} == 1 for {name} in (1, 1))", data="n: int = 1").model.constraints == ()
    )


def test_a_name_of_a_type_may_hide_a_function_but_no_other_name() -> None:
    assert build("count == 2", data="count: int = 2").model.constraints == ()


def test_a_call_without_loop_variables_is_made_once_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, through = [], Interpreter.through
    monkeypatch.setattr(
        Interpreter, "through", lambda self, groups: calls.append(groups) or through(self, groups)
    )
    bound = build(
        "any(flag[i] for i in through([(0, 1), (1, 2)])[k][0]) "
        "and len(through([(k,)])[k]) == 1 for k in range(3)"
    )
    assert len(bound.model.constraints) == 3
    assert calls == [((0, 1), (1, 2)), *[((k,),) for k in range(3)]]
    assert (
        bound.check({variable: domain[-1] for variable, domain in bound.model.domains.items()})
        is None
    )
    assert len(calls) == 8
