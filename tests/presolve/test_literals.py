"""Conditions on literals, and disjunctions: no solution is lost, and what cannot be is removed."""

from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from puzzlekit.model import (
    And,
    Comparison,
    Constant,
    Constraint,
    Model,
    Not,
    Or,
    Origin,
    Sum,
    Term,
    Variable,
)
from puzzlekit.presolve.domains import Inconsistent
from puzzlekit.presolve.pipeline import presolve
from tests.limits import replaced

SIX = tuple(range(6))


def model_of(*conditions: Term, variables: list[Variable], domain: tuple[int, ...] = SIX) -> Model:
    constraints = tuple(Constraint(condition, Origin("rule")) for condition in conditions)
    return Model(dict.fromkeys(variables, domain), constraints)


def solutions(model: Model, variables: list[Variable]) -> set[tuple[int, ...]]:
    rows = product(*(model.domains[variable] for variable in variables))
    return {row for row in rows if model.violated(dict(zip(variables, row))) is None}


def on_literals(random: Random, variables: list[Variable]) -> Term:
    """A random condition that only compares variables with values."""

    def literal() -> Term:
        return Comparison(
            random.choice(["==", "!="]), random.choice(variables), Constant(random.choice(SIX))
        )

    def joined(depth: int) -> Term:
        if not depth:
            return literal()
        parts = tuple(joined(depth - 1) for _ in range(2))
        return random.choice([And(parts), Or(parts), Not(parts[0]), Comparison("==", *parts)])

    return joined(random.choice([1, 2, 2]))


def on_pairs(random: Random, variables: list[Variable]) -> Term:
    """A random disjunction of conditions on one or two variables."""

    def part() -> Term:
        one, other = random.sample(variables, 2)
        right = random.choice(
            [Constant(random.choice(SIX)), Sum(((1, other),), random.choice([-4, -2, 1, 3]))]
        )
        return Comparison(random.choice(["==", "==", "<"]), one, right)

    return Or(tuple(part() for _ in range(random.choice([2, 2, 3]))))


@pytest.mark.parametrize("tracked", [1, 4_096])
@pytest.mark.parametrize("kind", [on_literals, on_pairs])
def test_no_solution_is_lost_or_added(
    kind: Callable[[Random, list[Variable]], Term], tracked: int
) -> None:
    fallen = 0
    for seed in range(150):
        random = Random(seed)
        variables = [Variable(name) for name in "xyz"]
        model = model_of(*(kind(random, variables) for _ in range(4)), variables=variables)
        wanted = solutions(model, variables)
        try:
            with replaced(tracked_combinations=tracked):
                after = presolve(model)
        except Inconsistent:
            assert not wanted
            continue
        assert solutions(after, variables) == wanted
        fallen += any(len(domain) < 6 for domain in after.domains.values())
    assert fallen > 20


def test_equal_literals_decide_each_other() -> None:
    x, y = Variable("x"), Variable("y")
    same = Comparison("==", Comparison("==", x, Constant(3)), Comparison("==", y, Constant(4)))
    after = presolve(model_of(same, Comparison("==", x, Constant(3)), variables=[x, y]))
    assert (after.domains[x], after.domains[y]) == ((3,), (4,))
    after = presolve(model_of(same, Comparison("!=", y, Constant(4)), variables=[x, y]))
    assert (after.domains[x], after.domains[y]) == ((0, 1, 2, 4, 5), (0, 1, 2, 3, 5))
    assert not after.constraints


@pytest.mark.parametrize(
    ("sign", "y_left", "z_left"), [("==", (4,), (2,)), ("!=", (0, 1, 2, 3, 5), (0, 1, 3, 4, 5))]
)
def test_a_literal_that_is_decided_later_decides_others(
    sign: str, y_left: tuple[int, ...], z_left: tuple[int, ...]
) -> None:
    x, y, z = (Variable(name) for name in "xyz")
    pairs = [((y, 4), (z, 2)), ((x, 3), (y, 4))]
    same = [
        Comparison("==", *(Comparison("==", one, Constant(value)) for one, value in pair))
        for pair in pairs
    ]
    after = presolve(model_of(*same, Comparison(sign, x, Constant(3)), variables=[x, y, z]))
    assert (after.domains[y], after.domains[z], after.constraints) == (y_left, z_left, ())
