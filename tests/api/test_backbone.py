"""What all solutions have in common: against all solutions, on every backend;
and what is said where that is not settled.
"""

from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from puzzlekit.api import Query, QueryOptions, backbone as module, load
from puzzlekit.api.backbone import LISTED_SOLUTIONS, Backbone
from puzzlekit.backends import BACKENDS
from puzzlekit.errors import Stopped, Undecided
from puzzlekit.query import Task
from tests.limits import replaced

SMALL = """
puzzle: small
variables:
  x[i]: between(0, 3) for i in range(4)
  loose: bool
  flag: bool
auxiliary:
  spare: between(1, 2)
rules:
  order: increasing(x[range(3)])
  first: x[0] == 0
  sum: x[1] + x[2] >= 4
  last: x[3] == x[1] or x[3] == x[2]
  spare: spare > x[1] - 2
  flag: flag or x[2] != 3
goals:
  low: minimise(x[1])
show:
  x:
  ends: "[x[0] + x[2], x[1]]"
"""
LISTED_ALL = LISTED_SOLUTIONS


def puzzle(tmp_path: Path, text: str) -> Any:
    kind, spec = tmp_path / "small.yaml", tmp_path / "spec.yaml"
    kind.write_text(text)
    spec.write_text("title: a spec\n")
    return load(str(kind), spec)


@pytest.mark.parametrize("listed", [LISTED_ALL, 1])
@pytest.mark.parametrize("name", ["auto", *BACKENDS])
def test_it_is_what_all_solutions_share(name: str, listed: int, tmp_path: Path) -> None:
    """Seen from a list of all solutions, and asked for each unknown where only one solution is
    listed.
    """
    small = puzzle(tmp_path, SMALL)
    taken: dict[str, set[object]] = {}
    for solution in small.solve("exact-cover"):
        for variable, value in solution.key():
            taken.setdefault(variable, set()).add(value)
    with replaced(listed_solutions=listed):
        found = Backbone(small, Query(limit=1), name)
    assert {v.name: set(values) for v, values in found.seen.items() if v in found.fixed} == {
        name: values for name, values in taken.items() if len(values) == 1
    }
    assert {v.name for v in found.open} == {
        name for name, values in taken.items() if len(values) > 1
    }
    assert (found.status, found.any, found.unsettled) == ("complete", True, [])
    assert found.basis == ("all" if listed == LISTED_ALL else "sample")


def test_what_tells_most_divides_the_solutions_best(tmp_path: Path) -> None:
    small = puzzle(tmp_path, SMALL)
    solutions = list(small.solve())
    found = Backbone(small, Query(limit=1))
    differences = {one.subject: one for one in found.differences()}
    assert differences["x[3]"].values == Counter(str(solution["x"][3]) for solution in solutions)
    assert differences["ends[1]"].values == differences["x[1]"].values
    assert differences["loose"].bits == 1
    assert "x[0]" not in differences and "spare" not in differences
    assert [t.bits for t in found.differences()] == sorted(
        (t.bits for t in found.differences()), reverse=True
    )


def test_parts_of_a_shown_mapping_are_told_by_their_keys(tmp_path: Path) -> None:
    show = 'show:\n  twice: "{i: 2 * x[i] for i in range(2)}"\n  odd: odd\n'
    text = (
        "puzzle: p\nvariables:\n  x[i]: between(1, 3) for i in range(2)\ndefine:\n"
        "  odd[i]: x[i] % 2 == 1 for i in range(2)\n"
    )
    found = Backbone(puzzle(tmp_path, text + "rules:\n  r: x[0] <= x[1]\n" + show), Query(limit=1))
    values = {one.subject: one.values for one in found.differences()}
    assert values["twice[1]"] == {"2": 1, "4": 2, "6": 3} and values["odd[1]"] == {
        "True": 4,
        "False": 2,
    }
    assert values["x[1]"] == {"1": 1, "2": 2, "3": 3}


def test_it_may_be_about_the_best_solutions(tmp_path: Path) -> None:
    small = puzzle(tmp_path, SMALL)
    found = Backbone(small, Query(Task.OPTIMISE, 1, "low"))
    best = list(small.solve(goal="low"))
    assert found.value == min(solution["x"][1] for solution in small.solve()) == 1
    assert len(found.solutions) == len(best)
    assert {v.name for v in found.open} == {"loose", "x[3]"}


def test_there_may_be_no_solution(tmp_path: Path) -> None:
    for goal in (None, "low"):
        found = Backbone(
            puzzle(tmp_path, SMALL.replace("x[0] == 0", "x[0] == 3")), QueryOptions(goal).query()
        )
        assert (found.any, found.status, found.solutions, found.fixed, found.open) == (
            False,
            "complete",
            [],
            set(),
            [],
        )
        assert "leaves no value" in found.conflict


def test_what_is_not_settled_in_time_is_said(tmp_path: Path) -> None:
    found = Backbone(puzzle(tmp_path, SMALL), Query(limit=1), timeout=0.0)
    assert (found.status, found.any, found.fixed) == ("stopped", False, set())
    assert len(found.unsettled) == len(found.seen)


@pytest.mark.parametrize(
    ("reason", "status"), [(Stopped("enough"), "stopped"), (Undecided("who knows"), "undecided")]
)
def test_a_backend_may_give_up_on_the_way(reason: Exception, status: str, tmp_path: Path) -> None:
    small, asked = puzzle(tmp_path, SMALL), []
    real: Any = module.ModelSearch.run

    def failing(search: Any, *query: Any) -> Any:
        asked.append(search)
        if len(asked) > 2:  # after the first solution and the list
            raise reason
        return real(search, *query)

    with replaced(listed_solutions=1), patch.object(module.ModelSearch, "run", failing):
        found = Backbone(small, Query(limit=1), "exact-cover")
    assert (found.status, found.reason, found.any) == (status, reason, True)
    assert {v.name for v in found.unsettled} and not found.interrupted


def test_it_is_interrupted_like_a_run(tmp_path: Path) -> None:
    def stop(*_: object) -> Any:
        raise KeyboardInterrupt

    with patch.object(module.ModelSearch, "run", stop):
        found = Backbone(puzzle(tmp_path, SMALL), Query(limit=1), "exact-cover")
    assert (found.status, found.interrupted, found.any) == ("stopped", True, False)
