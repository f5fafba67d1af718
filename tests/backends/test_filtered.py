"""Covers with rows that differ: listed without these rules, and what breaks one is dropped."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from puzzlekit.backends.base import Budget
from puzzlekit.model import And, Comparison, Constraint, Model, Not, Origin, Table, Term, Variable
from puzzlekit.query import Query
from puzzlekit.solve.auto import SUMS, classify, is_inequality, solver, without_inequalities
from tests.model.asking import search
from tests.model.random_models import shown, visible_solutions

ONCE = Origin("no word twice")


def differ(one: list[Variable], other: list[Variable]) -> Constraint:
    return Constraint(Not(And(tuple(Comparison("==", a, b) for a, b in zip(one, other)))), ONCE)


def square(seed: int, size: int = 3) -> Model:
    """A word square of random words, all of whose rows and columns differ."""
    random = Random(seed)
    cells = [[Variable(f"r{r}c{c}") for c in range(size)] for r in range(size)]
    lines = [*cells, *([row[c] for row in cells] for c in range(size))]
    rows = np.unique(
        [[random.randrange(2) for _ in range(size)] for _ in range(12)], axis=0
    ).astype(np.uint8)
    rules = [
        Constraint(Table(tuple(line), rows, (("a", "b"),) * size), Origin("a word"))
        for line in lines
    ]
    rules += [differ(one, other) for one, other in combinations(lines, 2)]
    return Model({cell: ("a", "b") for row in cells for cell in row}, tuple(rules))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", range(12))
def test_the_solutions_are_those_of_plain_search(seed: int) -> None:
    model = square(seed)
    assert classify(model) == SUMS and len(without_inequalities(model).constraints) == 6
    wanted = visible_solutions(model)
    auto = solver("auto")
    found = [shown(model, values) for values in auto.ask(model, Query(), Budget())]
    assert len(found) == len(set(found)) and set(found) == wanted
    assert auto.name == "exact-cover"
    assert search(model, "auto").count() == len(wanted)


def test_only_rows_of_visible_variables_are_left_out() -> None:
    model = square(1)
    x, y, *_ = model.domains
    (rule, *_) = (constraint for constraint in model.constraints if constraint.origin is ONCE)
    assert is_inequality(rule, model)
    hidden = Model(model.domains, model.constraints, auxiliary=frozenset(model.domains))
    others: list[Term] = [
        Comparison("!=", x, y),
        Not(Comparison("==", x, y)),
        next(rule.condition.subterms()),
    ]
    assert not is_inequality(rule, hidden)
    assert not any(is_inequality(Constraint(other, ONCE), model) for other in others)
