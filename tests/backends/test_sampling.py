"""Solutions drawn at random: each is a solution, each as likely, and a seed makes them come again."""

from collections import Counter

import pytest

from puzzlekit.limits import limits, replaced
from puzzlekit.model import Cardinality, Constraint, Model, Origin, Variable
from puzzlekit.query import Kind, Query
from tests.model.asking import search
from tests.model.drawn import solved
from tests.model.random_models import shown, story, visible_solutions

STEPS = limits().counting.counter_steps


def drawn(model: Model, name: str, number: int, seed: int) -> list[tuple[object, ...]]:
    return [shown(model, values) for values in search(model, name).run(Query(Kind.SAMPLE, number, seed=seed))]


@pytest.mark.parametrize("name, steps", [("exact-cover", STEPS), ("exact-cover", 0), ("sat", 0), ("auto", 0)])
def test_what_is_drawn_is_a_solution(name: str, steps: int) -> None:
    for model, wanted in solved(60):
        with replaced(counter_steps=steps):  # of none the frontier draws, where there are no colours
            found = drawn(model, name, 5, 1)
            assert len(found) == (5 if wanted else 0), story(model)
            assert set(found) <= wanted, story(model)
            assert found == drawn(model, name, 5, 1), story(model)


@pytest.mark.parametrize("name, steps", [("exact-cover", STEPS), ("exact-cover", 0), ("z3", STEPS)])
def test_each_solution_is_as_likely(name: str, steps: int) -> None:
    """Ways to choose from 6 flags where a chain makes some first choices far likelier than others to fail."""
    flags = [Variable(f"x{number}") for number in range(6)]
    groups = [(0, 1, 2), (2, 3), (3, 4, 5), (0, 5)]
    rules = tuple(
        Constraint(Cardinality(tuple((flags[i], True) for i in group), 0, 1), Origin("one at most")) for group in groups
    )
    model = Model(dict.fromkeys(flags, (False, True)), rules)
    solutions = visible_solutions(model)
    with replaced(counter_steps=steps):  # of none the frontier draws
        counts = Counter(drawn(model, name, 200 * len(solutions), 5))
    assert set(counts) == solutions
    assert all(130 < count < 280 for count in counts.values())  # 200 each, more than four deviations either way
