"""Tables that need not hold: the solutions are the same, on every backend,
and no table stays inside another condition.
"""

import numpy as np
import pytest

from puzzlekit.backends import BACKENDS
from puzzlekit.model import (
    AllDifferent,
    Cardinality,
    Comparison,
    Constant,
    Constraint,
    IfElse,
    Model,
    Or,
    Origin,
    Table,
    Term,
    Variable,
)
from puzzlekit.presolve.derived_tables import has_optional_tables
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.query import Query
from tests.limits import replaced
from tests.model.asking import search
from tests.model.random_models import shown, visible_solutions

X, Y, Z, FLAG, OTHER = (Variable(name) for name in ("x", "y", "z", "flag", "other"))
LETTERS = tuple("abc")
DOMAINS = {X: LETTERS, Y: LETTERS, Z: LETTERS, FLAG: (False, True), OTHER: (False, True)}
# combinations: more than a shadow and its variable have, fewer than a table and what else there is
SMALL = 16


def table(terms: tuple[Term, ...], *words: str) -> Table:
    rows = np.array([[LETTERS.index(letter) for letter in word] for word in words], dtype=np.uint32)
    return Table(terms, rows.reshape(len(words), len(terms)), (LETTERS,) * len(terms))


def model(*conditions: Term) -> Model:
    return Model(
        DOMAINS, tuple(Constraint(condition, Origin("a rule")) for condition in conditions)
    )


CHOICES = [
    model(Or((FLAG, table((X, Y, Z), "abc", "bca")))),
    model(Or((FLAG, table((X, Y, X), "aba", "abc", "bcb"))), AllDifferent((X, Y, Z))),
    model(Or((table((X, Y, Z), "aaa", "abc"), table((Z, Y), "ba", "cc")))),
    model(
        Or((FLAG, table((X, Y, Z), "abc", "bca", "cab"))),
        Or((OTHER, table((Z, X, Y), "abc", "acb"))),
        Cardinality(((FLAG, True), (OTHER, True)), 0, 1),
    ),
    model(Or((FLAG, table((X, Constant("b"), Y), "abc", "bca")))),
    model(Or((FLAG, table((X, Y, Z)), Comparison("==", X, Y)))),
    model(Or((Comparison("==", X, Constant("a")), table((X, Y, Z), "bbb", "abc")))),
    model(Or((OTHER, table((IfElse(FLAG, X, Y), Z), "ab", "bc")))),
]


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("name", BACKENDS)
def test_the_solutions_are_the_same(choice: Model, name: str) -> None:
    with replaced(tracked_combinations=SMALL):
        found = [shown(choice, values) for values in search(choice, name).run(Query())]
        counted = search(choice, name).count()
    assert len(found) == len(set(found)) == counted
    assert set(found) == visible_solutions(choice)


def test_a_table_that_need_not_hold_becomes_one_that_holds() -> None:
    with replaced(tracked_combinations=SMALL):
        made = presolve(CHOICES[0])
    assert has_optional_tables(made)
    assert not has_optional_tables(CHOICES[0])
    assert not any(
        isinstance(part, Table) for c in made.constraints for part in c.condition.subterms()
    )


def test_what_is_known_to_be_false_is_no_choice() -> None:
    known = Constraint(Comparison("==", FLAG, Constant(False)), Origin("known"))
    choice = CHOICES[0]
    with replaced(tracked_combinations=SMALL):
        made = presolve(Model(DOMAINS, (*choice.constraints, known)))
    assert not has_optional_tables(made)
    assert {shown(choice, values) for values in search(made, "exact-cover").run(Query())} == {
        (*word, False, other) for word in ("abc", "bca") for other in (False, True)
    }
