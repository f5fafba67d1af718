"""The backends that CONTRIBUTING.md and docs/backends.md show are complete,
and get the nodes that are named there.
"""

import re
import tomllib
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import puzzlekit
from puzzlekit.backends import BACKENDS
from puzzlekit.backends.base import Backend, Budget
from puzzlekit.errors import Unsupported
from puzzlekit.lowering.lazy_cuts import lower_shapes
from puzzlekit.lowering.planner import FLAT, Form, Supports, chain, lower
from puzzlekit.model import (
    AllDifferent,
    Cardinality,
    Comparison,
    Constant,
    Linear,
    Model,
    Or,
    Table,
    Term,
    Variable,
)
from puzzlekit.presolve.domains import Inconsistent
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.query import Query, Task
from puzzlekit.solve.search import ModelSearch
from puzzlekit.solve.solvers import LoweredSolver
from tests import conftest
from tests.limits import replaced
from tests.model.node_models import CONDITIONS, NUMBERS, models
from tests.model.random_models import shown, story, visible_solutions

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"Brute": "CONTRIBUTING.md", "DepthFirst": "docs/backends.md"}
SMALLEST = frozenset({Form.TABLE, Form.ALL_DIFFERENT, Form.CHOICE})
NODES = [*dict.fromkeys((*CONDITIONS, *NUMBERS))]


def example(name: str) -> Backend:
    """The backend that a page shows."""
    (text,) = re.findall(
        r"```python\n(.*?)```", (ROOT / PAGES[name]).read_text(encoding="utf-8"), re.DOTALL
    )
    scope: dict[str, Any] = {"__name__": name}
    exec(compile(text, PAGES[name], "exec"), scope)
    made: Backend = scope[name]()
    return made


@pytest.fixture(scope="module", params=PAGES)
def backend(request: pytest.FixtureRequest) -> Backend:
    return example(request.param)


def test_it_lists_and_counts(backend: Backend) -> None:
    search = ModelSearch(
        puzzlekit.load("queens", settings={"size": 4}).model, LoweredSolver(backend), Budget()
    )
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


def test_it_optimises(backend: Backend) -> None:
    run = puzzlekit.load(TYPE).run(Query(Task.OPTIMISE, 1, "most"))
    run.solver = LoweredSolver(backend)
    (found,) = run
    assert (run.optimal, run.value, found["x"]) == (True, 7, [2, 3, 0])


def test_it_refuses_what_is_too_large() -> None:
    model = puzzlekit.load("queens", settings={"size": 12}).model
    with pytest.raises(Unsupported, match="a million"):
        list(ModelSearch(model, LoweredSolver(example("Brute")), Budget()).run(Query()))


@pytest.mark.parametrize(
    "node",
    ["Table", "AllDifferent", "Cardinality", "Linear", "Automaton", "Circuit", "RegionSizes"],
)
def test_it_finds_what_plain_search_finds(node: str) -> None:
    depth_first = LoweredSolver(example("DepthFirst"))
    complete = 0
    for model in models(node):
        with (
            replaced(tracked_combinations=4),
            replaced(table_combinations=17),
            suppress(Unsupported),
        ):
            found = [
                shown(model, values)
                for values in ModelSearch(model, depth_first, Budget()).run(Query())
            ]
            assert len(found) == len(set(found)) and set(found) == visible_solutions(model), story(
                model
            )
            complete += 1
    assert complete > len(models(node)) / 2


@pytest.mark.parametrize(
    "supports",
    [
        Supports(SMALLEST),
        Supports(FLAT),
        Supports(FLAT | {Form.EQUALITY}, combinations=4),
        Supports(SMALLEST, at_once=True),
    ],
    ids=["smallest", "flat", "equality", "at once"],
)
def test_the_nodes_are_those_of_the_table(supports: Supports) -> None:
    met = set()
    for model in (model for node in NODES for model in models(node)):
        with replaced(tracked_combinations=4), replaced(table_combinations=17):
            try:
                small = presolve(model)
                lowered = lower(
                    small if supports.at_once else lower_shapes(small)[0], supports, lambda: None
                )
            except (Inconsistent, Unsupported):
                continue
        met |= {form_of(constraint.condition, lowered) for constraint in lowered.constraints}
    assert met == supports.forms


def form_of(condition: Term, model: Model) -> Form | None:
    """The form of a node, if it is as the table in docs/backends.md describes it."""
    match condition:
        case Table(terms, _, books) if len(set(terms)) == len(terms):
            return (
                Form.TABLE
                if [*books] == [model.domains[term] for term in terms if isinstance(term, Variable)]
                else None
            )
        case AllDifferent(terms) if len(set(terms)) == len(terms) and all(
            isinstance(term, Variable) for term in terms
        ):
            return Form.ALL_DIFFERENT
        case Cardinality(literals, 0 | 1, 1) if len(set(literals)) == len(literals):
            return Form.CHOICE
        case Cardinality():
            return Form.COUNT
        case Linear():
            return Form.SUM
        case Comparison("==" | "!=", Variable(), Variable()):
            return Form.EQUALITY
        case Or(
            (
                Comparison("==", Variable(), Constant()),
                Comparison("==" | "!=", Variable(), Variable()),
            )
        ):
            return Form.EQUALITY
        case _:
            return None


def test_the_smallest_set_of_forms_is_that_of_the_page() -> None:
    assert "**Every set of forms has `TABLE`, `ALL_DIFFERENT` and `CHOICE`**" in (
        ROOT / PAGES["DepthFirst"]
    ).read_text("utf-8")
    assert chain(Supports(SMALLEST))
    for form in SMALLEST:
        with pytest.raises(TypeError, match=form.name):
            chain(Supports(frozenset(Form) - {form}))


def test_what_a_new_backend_refuses_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "brute", ("brute", "Brute", None))
    expected = {"brute": pytest.skip.Exception} | dict.fromkeys(conftest.COMPLETE, Unsupported)
    assert expected.keys() == BACKENDS.keys()
    for name, error in expected.items():
        item = SimpleNamespace(
            callspec=SimpleNamespace(params={"spec": "tiny", "backend": name, "number": 3})
        )
        test = conftest.pytest_runtest_call(item)  # type: ignore[arg-type]
        next(test)
        with pytest.raises(error, match="a million at most"):
            test.throw(Unsupported("a million at most"))


def test_the_table_of_backends_names_extras_that_there_are() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    assert {extra for _, _, extra in BACKENDS.values() if extra is not None} <= extras.keys()
