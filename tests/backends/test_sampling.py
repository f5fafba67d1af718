"""Solutions drawn at random: each is a solution, each as likely,
and a seed makes them come again.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise
from random import Random

import pytest

from puzzlekit.api import load
from puzzlekit.backends import exact_cover
from puzzlekit.model import Cardinality, Constraint, Model, Origin, Values, Variable
from puzzlekit.query import Query, Task
from puzzlekit.solve.search import nearly_uniform
from tests.limits import replaced
from tests.model.asking import search
from tests.model.drawn import solved
from tests.model.random_models import shown, story, visible_solutions

STEPS, NONE = exact_cover.COUNTER_STEPS, 0.5


def drawn(model: Model, name: str, number: int, seed: int) -> list[tuple[object, ...]]:
    return [
        shown(model, values)
        for values in search(model, name).run(Query(Task.SAMPLE, number, seed=seed))
    ]


@pytest.mark.parametrize(
    "name, steps", [("exact-cover", STEPS), ("exact-cover", NONE), ("sat", NONE), ("auto", NONE)]
)
def test_what_is_drawn_is_a_solution(
    name: str, steps: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        exact_cover, "COUNTER_STEPS", steps
    )  # of none the frontier draws, where there are no colours
    for model, wanted in solved(60):
        found = drawn(model, name, 5, 1)
        assert len(found) == (5 if wanted else 0), story(model)
        assert set(found) <= wanted, story(model)
        assert found == drawn(model, name, 5, 1), story(model)


@pytest.mark.parametrize(
    "name, steps", [("exact-cover", STEPS), ("exact-cover", NONE), ("z3", STEPS)]
)
def test_each_solution_is_as_likely(
    name: str, steps: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ways to choose from 6 flags where a chain makes some first choices far likelier than others
    to fail.
    """
    flags = [Variable(f"x{number}") for number in range(6)]
    groups = [(0, 1, 2), (2, 3), (3, 4, 5), (0, 5)]
    rules = tuple(
        Constraint(Cardinality(tuple((flags[i], True) for i in group), 0, 1), Origin("one at most"))
        for group in groups
    )
    model = Model(dict.fromkeys(flags, (False, True)), rules)
    solutions = visible_solutions(model)
    monkeypatch.setattr(exact_cover, "COUNTER_STEPS", steps)  # of none the frontier draws
    counts = Counter(drawn(model, name, 200 * len(solutions), 5))
    assert set(counts) == solutions
    assert all(
        130 < count < 280 for count in counts.values()
    )  # 200 each, more than four deviations either way


@pytest.mark.parametrize("name", ["auto", "sat"])
def test_what_is_drawn_nearly_uniformly_is_a_solution(name: str) -> None:
    for model, wanted in solved(20):
        with replaced(exact_seconds=0.0, tuned_blocks=2, refilled_blocks=2):
            one = search(model, name)
            found = [shown(model, values) for values in one.run(Query(Task.SAMPLE, 3, seed=1))]
            assert len(found) == (3 if wanted else 0), story(model)
            assert set(found) <= wanted, story(model)
            assert found == drawn(model, name, 3, 1), story(model)


def test_refilled_blocks_make_draws_nearly_as_likely() -> None:
    """Each draw begins at the same solution, and no block of more than six ways is refilled."""
    flags = [Variable(f"x{number}") for number in range(8)]
    pairs = [Cardinality(tuple((flag, True) for flag in pair), 0, 1) for pair in pairwise(flags)]
    model = Model(
        dict.fromkeys(flags, (False, True)),
        tuple(Constraint(pair, Origin("one at most")) for pair in pairs),
    )
    known = [dict(zip(flags, values)) for values in sorted(visible_solutions(model))]
    assert len(known) == 55  # Fibonacci

    def listed(part: Model) -> Iterator[Values]:
        ways = (
            way
            for way in known
            if all(way[flag] in domain for flag, domain in part.domains.items())
        )
        return iter(sorted(ways, key=lambda way: sum(map(bool, way.values()))))

    with replaced(listed_fillings=6, refilled_blocks=20):
        counts = Counter(
            tuple(values.values())
            for values in islice(nearly_uniform(model, Random(1), listed), 2_200)
        )
    assert len(counts) == 55 and all(
        15 < count < 72 for count in counts.values()
    )  # 40 each, four deviations and more


def test_trials_of_both_kinds_of_draws_take_turns() -> None:
    puzzle = load("queens", settings={"size": 6})
    with replaced(exact_seconds=1e-6, nearly_seconds=1e-9):
        run = puzzle.run(Query(Task.SAMPLE, 2, seed=1))
        assert len(list(run)) == 2
        assert run.uniform is True


def test_a_sample_says_whether_it_is_uniform() -> None:
    puzzle = load("queens", settings={"size": 6})
    for query, wanted in [
        (Query(Task.SAMPLE, 2, seed=1), False),
        (Query(Task.SAMPLE, 2, seed=1, uniform=True), True),
        (Query(), None),
    ]:
        with replaced(exact_seconds=0.0):
            run = puzzle.run(query)
            assert len(list(run)) == (2 if query.limit else 4)
        assert run.uniform is wanted
