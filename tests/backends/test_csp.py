"""Backtracking: what is particular to it."""

from puzzlekit.model import (
    Comparison,
    Constant,
    Constraint,
    Model,
    Objective,
    Operation,
    Origin,
    Variable,
)
from tests.model.asking import improving, solutions
from tests.model.random_models import whole_solutions


def test_a_condition_that_no_table_can_hold_is_checked_when_one_variable_is_left() -> None:
    a, b, c = (Variable(name) for name in "abc")
    product = Operation("*", (Operation("*", (a, b)), c))
    rule = Constraint(Comparison("==", product, Constant(30)), Origin("product"))
    model = Model(dict.fromkeys((a, b, c), tuple(range(1, 32))), (rule,))
    found = list(solutions("csp", model))
    assert len(found) == 27
    assert all(rule.condition.value(values) for values in found)


def test_each_solution_bounds_the_rest_of_the_search() -> None:
    a, b = Variable("a"), Variable("b")
    rule = Constraint(Comparison("<", a, b), Origin("order"))
    model = Model({a: (1, 2, 3), b: (1, 2, 3)}, (rule,), Objective("least", a))
    reached = [values[a] for values in improving("csp", model)]
    assert reached == sorted(set(reached), reverse=True)
    assert reached[-1] == min(values[a] for values in whole_solutions(model))
