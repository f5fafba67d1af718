"""Every node on every backend: as a rule and inside one, in each of the ways to lower it,
against plain search.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import pytest

from puzzlekit.backends import BACKENDS, load_backend
from puzzlekit.errors import Unsupported
from puzzlekit.model import Model, Objective, Or
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.query import Query, Task
from tests.limits import replaced
from tests.model.asking import improving, search
from tests.model.node_models import CONDITIONS, GOALS, NUMBERS, TWO, Q, less, model, models
from tests.model.random_models import best, shown, story, visible_solutions

EVERY = [*dict.fromkeys((*CONDITIONS, *NUMBERS))]
pytestmark = pytest.mark.usefixtures("unwatched")

# What is small is stated in one way, what is large in another: with these bounds even these models
# are large. They are for all backends, or for one that has bounds of its own; each may make
# something too large for all.
BOUNDS: dict[str, tuple[Callable[[], AbstractContextManager[object]], ...]] = {
    "as it is": (),
    "small tables": (
        lambda: replaced(tracked_combinations=4),
        lambda: replaced(table_combinations=64),
    ),
    "tiny tables": (
        lambda: replaced(tracked_combinations=4),
        lambda: replaced(table_combinations=17),
    ),
}


def taken_apart(name: str) -> AbstractContextManager[object]:
    """The backend wants conditions of a few combinations of values taken apart already."""
    backend = type(load_backend(name))
    return patch.object(backend, "supports", replace(backend.supports, combinations=4))


OWN: dict[str, dict[str, tuple[Callable[[], AbstractContextManager[object]], ...]]] = {
    "z3": {"integers": (*BOUNDS["small tables"], lambda: replaced(choice_pairs=4))},
    "sat": {
        "named": (
            *BOUNDS["small tables"],
            lambda: taken_apart("sat"),
            lambda: replaced(native_bound=0, count_clauses=1),
        ),
        "rows": (lambda: replaced(prime_combinations=2), lambda: replaced(pairwise_literals=4)),
        "networks": (
            lambda: replaced(native_bound=0, count_clauses=0),
            lambda: replaced(totalizer_size=0),
        ),
        "binary": (lambda: taken_apart("sat"), lambda: replaced(diagram_edges=0)),
    },
    "asp": {
        "named": (*BOUNDS["small tables"], lambda: taken_apart("asp")),
        "rows": (lambda: replaced(prime_combinations=2),),
    },
}


MANY = (
    130  # solutions: one model in seventeen has more, and these have nearly half of all solutions
)
LIKE_EXACT_COVER = ("dlx", "xcover")  # other bounds lower a model in the same way for all three
BETWEEN = "small tables"  # most models are stated under it as under the bounds before or after it


def ways(name: str) -> dict[str, tuple[Callable[[], AbstractContextManager[object]], ...]]:
    found = {**BOUNDS, **OWN.get(name, {})}
    if (
        name == "z3"
    ):  # nothing is flattened for it, so that only presolve's bound counts, which is the same
        del found["tiny tables"]
    return found


def quick(name: str, number: int, solutions: int = 0) -> list[str]:
    """The way that `make test` takes for a model: as it is, and every second time another one,
    by turns, on every second backend.

    `slower` has the others, and all for a model with many solutions.
    """
    if solutions > MANY or (number + list(BACKENDS).index(name)) % 2:
        return []
    as_it_is, *others = (way for way in ways(name) if way != BETWEEN)
    turn = number + number // 4  # a term has four models, one after the other
    return (
        [as_it_is]
        if name in LIKE_EXACT_COVER or turn % 2 == 0
        else [others[number // 2 % len(others)]]
    )


def slower(name: str, number: int, solutions: int = 0) -> list[str]:
    return [way for way in ways(name) if way not in quick(name, number, solutions)]


IN_BOTH = pytest.mark.parametrize("chosen", [quick, pytest.param(slower, marks=pytest.mark.slow)])


@cache
def referee(node: str) -> list[tuple[Model, set[tuple[object, ...]]]]:
    """The models of a node, with their solutions by plain search: the same for all backends.

    Those that `aimed` has, too, are asked for all solutions there.
    """
    asked_there = {each.constraints for each, *_ in aimed(node)} if node in NUMBERS else set()
    alone = [each for each in models(node) if each.constraints not in asked_there]
    return [(each, visible_solutions(each)) for each in alone]


@cache
def aimed(node: str) -> list[tuple[Model, set[tuple[object, ...]], int | None]]:
    """Models with a number of the node as their goal, with their solutions and their optimum."""
    rules = [(Or((less(TWO, number), Q)), number) for number in NUMBERS[node]]
    both = [
        replace(model([rule]), goal=Objective("aim", term, maximise))
        for rule, term in (*rules, *GOALS.get(node, ()))
        for maximise in (False, True)
    ]
    return [(each, visible_solutions(each), best(each)) for each in both]


def found_within(name: str, way: str, run: Callable[[], None]) -> bool:
    """Whether it ran under these bounds; nothing is refused but under the smallest."""
    with ExitStack() as stack:
        for bound in ways(name)[way]:
            stack.enter_context(bound())
        try:
            run()
        except Unsupported as refusal:
            assert way in ("small tables", "tiny tables", "integers", "named"), refusal
            return False
    return True


@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("node", EVERY)
@IN_BOTH
def test_every_node_means_what_plain_search_says(
    node: str, name: str, chosen: Callable[..., list[str]]
) -> None:
    for number, (each, wanted) in enumerate(referee(node)):
        for way in chosen(name, number, len(wanted)):

            def run(
                model: Model = each, wanted: set[tuple[object, ...]] = wanted, way: str = way
            ) -> None:
                found = [shown(model, values) for values in search(model, name).run(Query())]
                assert len(found) == len(set(found)), (way, story(model))
                assert set(found) == wanted, (way, story(model))

            found_within(name, way, run)


@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("node", NUMBERS)
@IN_BOTH
def test_every_number_may_be_a_goal(node: str, name: str, chosen: Callable[..., list[str]]) -> None:
    for number, (each, solutions, optimum) in enumerate(aimed(node)):
        for way in chosen(name, number // 2 + number % 2):

            def run(
                model: Model = each,
                solutions: set[tuple[object, ...]] = solutions,
                optimum: int | None = optimum,
                way: str = way,
            ) -> None:
                assert model.goal is not None
                asked = search(model, name)  # lowered once, for both queries
                if not model.goal.maximise:
                    listed = [shown(model, values) for values in asked.run(Query())]
                    assert len(listed) == len(solutions), (way, story(model))
                    assert set(listed) == solutions, (way, story(model))
                reached = [
                    model.goal.term.value(values) for values in asked.run(Query(Task.OPTIMISE))
                ]
                assert (reached[-1] if reached else None) == optimum, (way, story(model))

            found_within(name, way, run)


@pytest.mark.parametrize("name", BACKENDS)
def test_a_goal_may_have_a_constant(name: str) -> None:
    """The backend alone: what splits a model leaves the constant out."""
    for rule, term in GOALS["Sum"]:
        for maximise in (False, True):
            aimed = presolve(replace(model([rule]), goal=Objective("aim", term, maximise)))
            found = [term.value(values) for values in improving(name, aimed)]
            assert found[-1] == best(aimed), story(aimed)
