"""Indexes at which nothing stands: a rule that comes to one does not hold,
as docs/language.md says under *Missing values*.
"""

from pathlib import Path
from textwrap import dedent

from puzzlekit import load
from puzzlekit.api import Query
from puzzlekit.cli.run_report import nothing
from puzzlekit.query import Task
from tests.lang.languages import refusal

VARIABLES = "x[i]: between(0, 2) for i in range(3)\ny: between(0, 5)"


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


def test_that_a_goal_never_has_a_value_is_said(tmp_path: Path) -> None:
    path = tmp_path / "missing.yaml"
    path.write_text(TYPE.replace("r: x[0] == x[1]", "r: y > 1"))
    run = load(str(path)).run(Query(Task.OPTIMISE, 1, "low"))
    assert not list(run)
    assert (
        "this excludes solutions in which the goal low has no value; --goal none includes them"
        in nothing(run)
    )
