"""What models share is presolved once: each one is left as if it were presolved alone."""

from collections.abc import Iterator
from random import Random

from puzzlekit.model import (
    AllDifferent,
    Cardinality,
    Constraint,
    Linear,
    Model,
    Origin,
    Term,
    Variable,
)
from puzzlekit.model.formatting import term_text
from puzzlekit.presolve.domains import Inconsistent, no_clock
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.presolve.shared import BasePresolve
from tests.presolve.test_literals import SIX, on_literals, on_pairs

FLAGS = [Variable(name) for name in "abcdef"]
NUMBERS = [Variable(name) for name in "uvwxyz"]
DOMAINS = {**dict.fromkeys(FLAGS, (False, True)), **dict.fromkeys(NUMBERS, SIX)}


def _condition(random: Random) -> Term:
    some, flags = random.sample(NUMBERS, 3), random.sample(FLAGS, random.choice([1, 3, 4]))
    low = random.randint(0, 2)
    return random.choice(
        [
            AllDifferent(tuple(some)),
            Cardinality(tuple((flag, True) for flag in flags), low, random.randint(low, 3)),
            Linear(
                tuple((random.choice([-1, 1, 2]), each) for each in some), -3, random.randint(0, 9)
            ),
            on_literals(random, some),
            on_pairs(random, some),
        ]
    )


def _some(random: Random, number: int) -> list[Constraint]:
    return [Constraint(_condition(random), Origin(f"rule {place}")) for place in range(number)]


def _told(model: Model) -> tuple[object, list[str]]:
    return {each: model.domains[each] for each in DOMAINS}, sorted(
        term_text(each.condition) for each in model.constraints
    )


def _sequences() -> Iterator[tuple[list[Constraint], list[list[Constraint]]]]:
    for seed in range(60):
        random = Random(seed)
        yield _some(random, 5), [_some(random, 3) for _ in range(6)]


def test_models_are_left_as_if_each_were_presolved_alone() -> None:
    compared = contradictions = 0
    for common, several in _sequences():
        try:
            shared = BasePresolve(Model(DOMAINS, tuple(common)), no_clock)
        except Inconsistent:
            continue
        for own in several:
            try:
                wanted = presolve(Model(DOMAINS, (*common, *own)))
            except Inconsistent:
                wanted = None
            try:
                with shared.propagated([shared.addition(each) for each in own]):
                    found = shared.remaining()
            except Inconsistent:
                found = None
            assert (found and _told(found)) == (wanted and _told(wanted))
            compared, contradictions = (
                compared + (wanted is not None),
                contradictions + (wanted is None),
            )
    assert compared > 100 and contradictions > 20
