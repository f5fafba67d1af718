"""Counts rest in presolve until one of their variables changes,
and models that do not fall apart are one part.
"""

import pytest

from puzzlekit.model import (
    Cardinality,
    Connected,
    Constant,
    Constraint,
    Model,
    Objective,
    Origin,
    Sum,
    Term,
    Variable,
)
from puzzlekit.presolve.components import split
from puzzlekit.presolve.domains import Inconsistent
from puzzlekit.presolve.pipeline import presolve

A, B, C, D = NAMES = [Variable(name) for name in "abcd"]
TRUTH = (False, True)


def count(names: str, low: int, high: int, truth: bool = True) -> Cardinality:
    return Cardinality(
        tuple((variable, truth) for variable in NAMES if variable.name in names), low, high
    )


def presolved(*conditions: Term, **domains: tuple[object, ...]) -> Model:
    known = {variable: domains.get(variable.name, TRUTH) for variable in NAMES}
    return presolve(
        Model(known, tuple(Constraint(condition, Origin("rule")) for condition in conditions))
    )


def fixed(model: Model) -> dict[str, object]:
    return {
        str(variable): domain[0] for variable, domain in model.domains.items() if len(domain) == 1
    }


def test_counts_of_which_nothing_follows_are_left_as_they_are() -> None:
    one, other = count("abc", 1, 1), count("bcd", 1, 2)
    assert [each.condition for each in presolved(one, other).constraints] == [one, other]


@pytest.mark.parametrize(
    ("conditions", "domains", "wanted"),
    [
        ([count("ab", 2, 2)], {}, {"a": True, "b": True}),
        ([count("ab", 0, 0)], {}, {"a": False, "b": False}),
        ([count("ab", 2, 2, truth=False)], {}, {"a": False, "b": False}),
        ([count("abc", 1, 1)], {"a": (True,)}, {"a": True, "b": False, "c": False}),
        ([count("ab", 1, 2)], {"a": (False,)}, {"a": False, "b": True}),
        ([count("a", 1, 1), count("abc", 1, 1)], {}, {"a": True, "b": False, "c": False}),
        ([Cardinality(((A, True), (B, "no truth")), 1, 2)], {}, {"a": True}),
        ([Cardinality(((A, True), (A, True)), 1, 2)], {}, {"a": True}),
    ],
)
def test_what_follows_at_once_is_found(
    conditions: list[Term], domains: dict[str, tuple[object, ...]], wanted: object
) -> None:
    assert fixed(presolved(*conditions, **domains)) == wanted


def test_a_count_over_the_values_of_one_variable_does_not_rest() -> None:
    assert not presolved(Cardinality(((A, True), (A, False)), 1, 2)).constraints
    with pytest.raises(Inconsistent):
        presolved(Cardinality(((A, True), (A, True)), 1, 1))


def test_a_count_that_rests_wakes_when_a_variable_of_it_changes() -> None:
    after = presolved(count("abc", 1, 1), count("ad", 2, 2))
    assert fixed(after) == {"a": True, "b": False, "c": False, "d": True}
    assert not after.constraints


def test_a_count_wakes_when_a_structure_removes_the_first_value() -> None:
    apart = Connected((Constant(True), Constant(False), A), ((0, 1), (1, 2)))
    assert fixed(presolved(count("ab", 1, 2), apart)) == {"a": False, "b": True}


def test_a_count_that_rests_again_wakes_again() -> None:
    after = presolved(count("cd", 1, 2), count("bc", 1, 1), count("ab", 2, 2))
    assert fixed(after) == {"a": True, "b": True, "c": False, "d": True}
    assert not after.constraints


def test_a_count_that_woke_loses_what_is_decided() -> None:
    (left,) = presolved(count("bcd", 1, 2), count("ab", 2, 2)).constraints
    assert isinstance(left.condition, Cardinality)
    assert (left.condition.literals, left.condition.low, left.condition.high) == (
        ((C, True), (D, True)),
        0,
        1,
    )


def test_a_model_that_does_not_fall_apart_is_one_part_with_its_goal() -> None:
    goal = Objective("least", Sum(((2, A), (3, B))))
    model = Model(
        dict.fromkeys((A, B), TRUTH), (Constraint(count("ab", 1, 2), Origin("rule")),), goal
    )
    known, (part,) = split(model)
    assert known == {}
    assert (part.domains, part.constraints) == (model.domains, model.constraints)
    assert part.goal is not None
    assert [part.goal.term.value({A: a, B: b}) for a, b in ((True, False), (True, True))] == [2, 5]


def test_a_part_has_no_variable_that_is_decided_elsewhere() -> None:
    model = Model(
        {A: TRUTH, B: TRUTH, C: (True,)}, (Constraint(count("ab", 1, 2), Origin("rule")),)
    )
    known, (part,) = split(model)
    assert known == {C: True}
    assert list(part.domains) == [A, B]
