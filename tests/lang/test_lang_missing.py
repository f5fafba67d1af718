"""Indexes at which nothing stands: a rule that comes to one does not hold, as docs/language.md says under *Missing values*."""

# ruff: noqa: SIM201, SIM222 (a rule in Python is written as in the language)

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from puzzlekit import load
from puzzlekit.api import Query
from puzzlekit.cli.run_report import nothing
from puzzlekit.query import Kind
from tests.lang.languages import build, only, refusal, values

VARIABLES = "x[i]: between(0, 2) for i in range(3)\ny: between(0, 5)"
HOLDS = [  # a rule, and the same in Python, where x is a dict
    ("x[y] == 1", lambda x, y: x[y] == 1),
    ("not x[y] == 1", lambda x, y: not x[y] == 1),
    ("x[y] == 1 or True", lambda x, y: x[y] == 1 or True),
    ("True or x[y] == 1", lambda x, y: True or x[y] == 1),
    ("y > 2 or x[y] == 1", lambda x, y: y > 2 or x[y] == 1),
    ("x[0] == 1 or x[y] == 1", lambda x, y: x[0] == 1 or x[y] == 1),
    ("x[0] == 1 and x[y] == 1", lambda x, y: x[0] == 1 and x[y] == 1),
    ("not (x[0] == 1 and x[y] == 1)", lambda x, y: not (x[0] == 1 and x[y] == 1)),
    ("any((x[y] == 1, True))", lambda x, y: any((x[y] == 1, True))),
    ("any(x[y + i] == 1 for i in range(2))", lambda x, y: any(x[y + i] == 1 for i in range(2))),
    ("all(x[y + i] == 1 for i in range(2))", lambda x, y: all(x[y + i] == 1 for i in range(2))),
    ("implies(x[y] == 1, True)", lambda x, y: not x[y] == 1 or True),
    ("implies(y < 3, x[y] == 1)", lambda x, y: not y < 3 or x[y] == 1),
    ("(x[y] if y < 3 else 0) == 0", lambda x, y: (x[y] if y < 3 else 0) == 0),
    ("(0 if x[0] == 1 else x[y]) == 0", lambda x, y: (0 if x[0] == 1 else x[y]) == 0),
    ("x[0] < y < x[y]", lambda x, y: x[0] < y < x[y]),
    ("1 < x[0] < x[y]", lambda x, y: 1 < x[0] < x[y]),
    ("all_equal((x[y],))", lambda x, y: (x[y],) == (x[y],)),
    ("increasing((x[y],))", lambda x, y: (x[y],) == (x[y],)),
    ("len((x[y],)) == 1", lambda x, y: len((x[y],)) == 1),
    ("first((0, x[y])) == 0", lambda x, y: (0, x[y])[0] == 0),
    ("(0, x[y])[:1] == (0,)", lambda x, y: (0, x[y])[:1] == (0,)),
    ("(x[y], x[0]) == (1,)", lambda x, y: (x[y], x[0]) == (1,)),
    ("runs((x[y] == 1,)) == [2]", lambda x, y: [x[y] == 1] == 2),
    ("zip((1,), (x[y],))[0][0] == 1", lambda x, y: (1, x[y])[0] == 1),
    ("lex_less((x[y],), (x[0], 1))", lambda x, y: (x[y],) < (x[0], 1)),
    ("x[x[y]] == 1", lambda x, y: x[x[y]] == 1),
    ("v == v for v in (x[y], 1)", lambda x, y: (x[y], 1) == (x[y], 1)),
    ("v == v for v in (x[y], 1) if False", lambda x, y: (x[y], 1) == (x[y], 1)),
    ("(0, 1, 2)[y - 4] == 2", lambda x, y: (0, 1, 2)[y - 4] == 2),
    ("'abc'[y - 1] == 'c'", lambda x, y: "abc"[y - 1] == "c"),
    ("(x[0], x[1], x[2])[-1] == 1", lambda x, y: (x[0], x[1], x[2])[-1] == 1),
    ("x in [(1, 0, 1), (2, 2, 2)]", lambda x, y: tuple(x.values()) in [(1, 0, 1), (2, 2, 2)]),
]


def holds(meaning: Callable[[Mapping[int, int], int], bool], x: Sequence[int], y: int) -> bool:
    try:
        return meaning(dict(enumerate(x)), y)
    except LookupError:
        return False


@pytest.mark.parametrize(("rule", "meaning"), HOLDS, ids=[rule for rule, _ in HOLDS])
def test_a_rule_that_comes_to_a_missing_value_does_not_hold(rule: str, meaning: Any, tmp_path: Path) -> None:
    wanted = sorted((*x, y) for *x, y in product(*[range(3)] * 3, range(6)) if holds(meaning, x, y))
    made = build(rule, variables=VARIABLES)
    assert values(only(made, "x", "y"), "x[0]", "x[1]", "x[2]", "y") == wanted
    path = tmp_path / "t.yaml"
    path.write_text(f"puzzle: t\nvariables:\n{indent(VARIABLES, '  ')}\nrules:\n  r: |\n    {rule}\n")
    puzzle = load(str(path))
    assert puzzle.count() == len([*puzzle.solve()]) == len(wanted)


TYPE = dedent(
    """
    puzzle: missing
    variables:
      x[i]: between(1, 2) for i in range(2)
      y: between(0, 3)
    rules:
      r: x[0] == x[1]
    goals:
      low: minimise(x[y] - y)
      one: minimise(len((x[y],)))
    show:
      y:
      z: x[y]
    """
)


def test_a_goal_has_a_value_and_what_is_shown_may_have_none(tmp_path: Path) -> None:
    path = tmp_path / "missing.yaml"
    path.write_text(TYPE)
    puzzle = load(str(path))
    assert puzzle.count() == 8
    assert {(solution["y"], solution["z"]) for solution in puzzle.solve()} == {
        (0, 1),
        (0, 2),
        (1, 1),
        (1, 2),
        (2, None),
        (3, None),
    }
    assert [solution["y"] for solution in puzzle.solve(goal="low")] == [1]
    assert {solution["y"] for solution in puzzle.solve(goal="one")} == {0, 1}


def test_a_known_index_at_which_nothing_stands_is_a_mistake() -> None:
    assert refusal("flag[0] or x[3] == 1").message == "x has no member at 3"


def test_implies_with_named_arguments_is_worked_out_as_far() -> None:
    rules = ("implies(y < 3, x[y] == 1)", "implies(p=y < 3, q=x[y] == 1)", "implies(q=x[y] == 1, p=y < 3)")
    found = [values(only(build(rule, variables=VARIABLES), "x", "y"), "x[0]", "x[1]", "x[2]", "y") for rule in rules]
    assert found[0] == found[1] == found[2] and len(found[0]) == 27 + 81


def test_that_a_goal_never_has_a_value_is_said(tmp_path: Path) -> None:
    path = tmp_path / "missing.yaml"
    path.write_text(TYPE.replace("r: x[0] == x[1]", "r: y > 1"))
    run = load(str(path)).run(Query(Kind.OPTIMISE, 1, "low"))
    assert not list(run)
    assert "this excludes solutions in which the goal low has no value; --goal none includes them" in nothing(run)
