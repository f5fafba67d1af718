"""Backends that somebody is writing: what is wrong with one is said, with its name."""

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from puzzlekit import BackendBug, load
from puzzlekit.api.backbone import Backbone
from puzzlekit.api.comparison import Comparison
from puzzlekit.backends import BACKENDS, Backend, load_backend
from puzzlekit.lowering.planner import PRESOLVED, Supports
from puzzlekit.query import Query
from tests.commands import ROOT, Command

QUEENS = "specs/queens/n4.yaml"


class Whole(Backend):
    name, about, supports = "mine", "", Supports(forms=PRESOLVED)

    def run(self, *_: Any) -> Iterator[Any]:
        return iter(())


class Lacking(Backend):
    name, about = "mine", ""


class Wrong(Whole):
    def run(self, model: Any, *_: Any) -> Iterator[Any]:
        yield {variable: domain[0] for variable, domain in model.domains.items()}


class Failing(Whole):
    def run(self, *_: Any) -> Iterator[Any]:
        raise ZeroDivisionError("no luck")


@pytest.fixture
def mine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("puzzlekit.backends.mine")
    module.Mine = request.param  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(BACKENDS, "mine", ("mine", "Mine", None))


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (Lacking, "its class Mine lacks supports, run"),
        (object, "its module mine has no class Mine that is a Backend"),
        (None, "its module mine has no class Mine"),
    ],
    indirect=["mine"],
)
def test_a_class_that_is_not_whole_is_refused(mine: None, said: str, puzzlekit: Command) -> None:
    with pytest.raises(BackendBug, match=f"the backend mine: {said}"):
        load_backend("mine")
    assert said in puzzlekit("solve", QUEENS, "--backend", "mine").stderr
    assert said in " ".join(puzzlekit("compare", QUEENS, "--backends", "mine,sat").stdout.split())


def test_a_module_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BACKENDS, "mine", ("nowhere", "Mine", None))
    with pytest.raises(
        BackendBug, match=r"the backend mine: No module named 'puzzlekit\.backends\.nowhere'"
    ):
        load_backend("mine")


@pytest.mark.parametrize("mine", [Wrong], indirect=True)
def test_a_wrong_solution_names_its_backend(mine: None) -> None:
    puzzle = load(None, ROOT / QUEENS)
    for ask in (
        lambda: puzzle.sample(1, backend="mine"),
        lambda: [*puzzle.solve("mine")],
        lambda: Backbone(puzzle, Query(limit=1), "mine"),
    ):
        with pytest.raises(BackendBug, match="the backend mine: a solution violates the rule: "):
            ask()


@pytest.mark.parametrize("mine", [Failing], indirect=True)
def test_an_error_in_another_process_names_its_backend(mine: None) -> None:
    comparison = Comparison(load(None, ROOT / QUEENS), Query())
    comparison.ask(["mine"])
    assert (
        comparison.results["mine"].reason
        == "the backend mine: it failed: ZeroDivisionError('no luck')"
    )
