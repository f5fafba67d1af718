"""Dancing cells: what is particular to them."""

import numpy as np
import pytest

from puzzlekit.backends.xcover_backend import covers
from puzzlekit.lowering.cover import PLAIN, Cover
from puzzlekit.model import Comparison, Connected, Constraint, Model, Objective, Origin, Variable
from puzzlekit.query import ObjectiveBound
from tests.backends.hard_models import permutations
from tests.model.asking import counted, improving, solutions
from tests.test_processes import running


def cover_of(options: int, primary: int, entries: list[tuple[int, int]]) -> Cover:
    option, item = (np.array([entry[side] for entry in entries], dtype=np.int64) for side in (0, 1))
    return Cover(primary, primary, options, option, item, np.full(len(entries), PLAIN))


@pytest.mark.parametrize(
    ("cover", "wanted"),
    [
        (
            cover_of(2, 1, [(0, 0), (1, 0)]),
            [[0], [1]],
        ),  # one item: xcover by itself gives the empty cover
        (cover_of(0, 0, []), [[]]),  # no item: xcover by itself fails
        (cover_of(0, 1, []), []),
    ],
)
def test_the_smallest_covers(cover: Cover, wanted: list[list[int]]) -> None:
    own = [
        [option for option in found if option < cover.options] for found in covers(cover)
    ]  # without one that is no option
    assert sorted(own) == wanted


@pytest.mark.parametrize("name", ["dlx", "xcover"])
def test_a_goal_that_only_auxiliary_values_decide_is_seen_beside_a_shape(name: str) -> None:
    flags = tuple(Variable(f"x{place}") for place in range(3))
    number = Variable("number")
    rules = (Connected(flags, ((0, 1), (1, 2))), Comparison("<=", flags[0], number))
    constraints = tuple(Constraint(rule, Origin("rule")) for rule in rules)
    domains = {**dict.fromkeys(flags, (False, True)), number: (0, 1, 2)}
    for maximise, value in ((False, 0), (True, 2)):
        model = Model(
            domains, constraints, Objective("number", number, maximise), frozenset([number])
        )
        *_, last = improving(name, model)
        assert last[number] == value
        assert counted(name, model, ObjectiveBound(value, optimal=True)) == len(
            list(solutions("z3", model, bound=ObjectiveBound(value, optimal=True)))
        )


@pytest.fixture
def in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small a cover is, another process searches it."""
    monkeypatch.setattr("puzzlekit.backends.xcover_backend.INLINE_OPTIONS", 0)


@pytest.mark.usefixtures("in_a_process")
def test_no_process_is_left_when_a_stream_is_closed() -> None:
    stream = solutions("xcover", permutations())
    assert next(stream)
    assert running()
    stream.close()  # type: ignore[attr-defined]
    assert not running()


@pytest.mark.usefixtures("in_a_process")
def test_a_stream_that_is_dropped_leaves_no_process() -> None:
    assert next(solutions("xcover", permutations()))
    assert not running()
