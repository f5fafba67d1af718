"""What the nodes mean: the referee of every engine."""

import numpy as np
import pytest

from puzzlekit.model import Comparison, Constant, Element, Operation, Table, Variable, compare, variables_of

X, Y = Variable("x"), Variable("y")


def test_a_text_and_a_number_are_never_equal_and_neither_is_less() -> None:
    assert not compare("==", "1", 1)
    assert compare("!=", "1", 1)
    assert not compare("<", "1", 2)
    assert not compare("<=", 2, "1")
    assert Comparison("<", X, Constant("a")).value({X: 1}) is False


def test_division_rounds_down() -> None:
    assert Operation("//", (X, Y)).value({X: -7, Y: 2}) == -4
    assert Operation("%", (X, Y)).value({X: -7, Y: 2}) == 1
    assert Operation("//", (X, Y)).value({X: 7, Y: -2}) == -4


def test_an_index_that_is_no_key_has_no_item() -> None:
    chosen = Element((1, 2), (Constant("a"), Y), X)
    assert chosen.value({X: 2, Y: 5}) == 5
    with pytest.raises(ValueError, match="not in"):
        chosen.value({X: 3, Y: 5})


def test_a_table_holds_where_the_terms_stand_in_a_row() -> None:
    table = Table((X, X, Constant("b")), np.array([[0, 0, 1], [0, 1, 1]], dtype=np.uint8), ((4, 5), (4, 5), ("a", "b")))
    assert table.value({X: 4})
    assert not table.value({X: 5})


def test_variables_stand_in_the_order_in_which_they_are_first_named() -> None:
    assert variables_of(Comparison("==", Y, Operation("+", (X, Y)))) == (Y, X)  # type: ignore[arg-type]
