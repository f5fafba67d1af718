"""Terms that may have no value: that they have one is stated where they are evaluated,
and nothing else changes.
"""

from dataclasses import replace

import pytest

from puzzlekit.model import And, IfElse, Model, Not, Objective, Or, Sum, Term
from puzzlekit.presolve.rewrites import require_values
from tests.model.node_models import (
    AT,
    CONDITIONS,
    NOWHERE,
    NUMBERS,
    SOMEWHERE,
    P,
    Q,
    W,
    X,
    less,
    model,
    models,
    same,
)
from tests.model.random_models import all_have_values, combinations, whole_solutions

SOME = same(AT, 2)
EARLIER = [  # a part that is decided before the one that may have no value
    Or((P, SOME)),
    Or((Not(P), Q, SOME)),
    Or((SOME, P)),
    Not(And((P, SOME))),
    Not(And((P, Q, Not(SOME)))),
    Not(And((SOME, P))),
    Or((SOME, same(IfElse(P, AT, W), 1))),
    IfElse(P, SOME, Q),
    IfElse(SOME, P, Q),
    Or((Q, And((SOMEWHERE, Or((P, SOME)))))),
    Not(Or((NOWHERE, And((P, SOME))))),
]


def require_same(plain: Model) -> None:
    """The solutions stay, and where all rules hold that have a value, each rule has one."""
    required = require_values(plain)
    assert whole_solutions(required) == whole_solutions(plain)
    rules = [constraint.condition for constraint in required.constraints]
    for values in combinations(required):
        valued = [each for each in rules if all_have_values([each], values)]
        assert len(valued) == len(rules) or not all(each.value(values) for each in valued)


@pytest.mark.parametrize("node", [*dict.fromkeys((*CONDITIONS, *NUMBERS))])
def test_every_node_keeps_its_solutions(node: str) -> None:
    for each in models(node):
        require_same(each)


@pytest.mark.parametrize("rule", EARLIER, ids=range(len(EARLIER)))
def test_what_is_not_evaluated_needs_no_value(rule: Term) -> None:
    require_same(model([rule]))


@pytest.mark.parametrize("aim", [AT, Sum(((2, AT), (1, W))), IfElse(less(X, 1), AT, W)])
def test_a_solution_has_a_value_of_the_goal(aim: Term) -> None:
    plain = model([less(X, 3), Or((P, less(W, 3)))])
    aimed = replace(plain, domains={**plain.domains, **model([same(aim, 2)]).domains})
    required = require_values(replace(aimed, goal=Objective("aim", aim, maximise=True)))
    assert whole_solutions(replace(required, goal=None)) == [
        values for values in whole_solutions(aimed) if all_have_values([aim], values)
    ]
    assert required.goal is not None and (required.goal.name, required.goal.maximise) == (
        "aim",
        True,
    )
    assert all(
        required.goal.term.value(values) == aim.value(values)
        for values in whole_solutions(replace(required, goal=None))
    )
    assert {str(constraint.origin) for constraint in required.constraints[2:]} == {"goal aim"}
