"""The backend that CONTRIBUTING.md shows is a complete one."""

import re
from pathlib import Path
from typing import Any

import pytest

import puzzlekit
from puzzlekit.backends.base import Backend, Budget
from puzzlekit.errors import Unsupported
from puzzlekit.query import Kind, Query
from puzzlekit.solve.search import Search
from puzzlekit.solve.solver import Planned

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def brute() -> Backend:
    (text,) = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL)
    scope: dict[str, Any] = {"__name__": "brute"}
    exec(compile(text, "CONTRIBUTING.md", "exec"), scope)
    made: Backend = scope["Brute"]()
    return made


def test_it_lists_and_counts(brute: Backend) -> None:
    search = Search(puzzlekit.load("queens", settings={"size": 4}).model, Planned(brute), Budget())
    assert sum(1 for _ in search.run(Query())) == search.count() == 2


TYPE = """
puzzle: three
variables:
  x[i]: range(4) for i in range(3)
rules:
  they differ: all_different(x)
  the first is not the largest: x[0] < max(x)
goals:
  most: maximise(2 * x[0] + x[1] - x[2])
"""


def test_it_optimises(brute: Backend) -> None:
    run = puzzlekit.load(TYPE).run(Query(Kind.OPTIMISE, 1, "most"))
    run.solver = Planned(brute)
    (found,) = run
    assert (run.optimal, run.value, found["x"]) == (True, 7, [2, 3, 0])


def test_it_refuses_what_is_too_large(brute: Backend) -> None:
    with pytest.raises(Unsupported, match="a million"):
        list(Search(puzzlekit.load("queens", settings={"size": 12}).model, Planned(brute), Budget()).run(Query()))
