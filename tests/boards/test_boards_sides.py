"""Sides and corners of cells."""

from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlekit.boards import Cell, Cells, Corner, Grid, Side, board, edge

QUICK = settings(derandomize=True, deadline=None, max_examples=60)
BOARDS = st.sets(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1).map(
    lambda cells: Grid({Cell(*cell): None for cell in cells})
)


def test_sides_are_named_after_a_cell_that_is_there() -> None:
    assert [str(side) for side in board(1, 2).edges] == [
        *("top of r1c1", "left of r1c1", "top of r1c2", "left of r1c2"),
        *("right of r1c2", "bottom of r1c1", "bottom of r1c2"),
    ]
    assert [str(side) for side in board(1, 2).sides(Cell(1, 1))] == [
        *("top of r1c1", "left of r1c2", "bottom of r1c1", "left of r1c1")
    ]


def test_a_side_is_a_pair_of_corners() -> None:
    top = board(1, 1).sides(Cell(1, 1))[0]
    assert top == (Corner(1, 1), Corner(1, 2)) == edge(Corner(1, 2), Corner(1, 1))
    assert (str(Corner(1, 2)), repr(top), hash(top)) == ("+r1c2", "(+r1c1, +r1c2)", hash((Corner(1, 1), Corner(1, 2))))


def test_an_edge_is_the_pair_that_the_board_has() -> None:
    square = board(3, 3)
    for pair in (*square.adjacent, *square.touching):
        assert edge(*pair) == edge(*reversed(pair)) == pair
    assert str(edge(Cell(1, 2), Cell(1, 1))) == "r1c1–r1c2" == str(square.adjacent[0])
    assert isinstance(edge(Cell(1, 2), Cell(1, 1)), Cells)


def test_sides_at_a_corner_go_round_it() -> None:
    assert [str(side) for side in board(2, 2).sides(Corner(2, 2))] == [
        *("left of r1c2", "top of r2c2", "left of r2c2", "top of r2c1")
    ]
    assert [str(side) for side in board(1, 1).sides(Corner(1, 1))] == ["top of r1c1", "left of r1c1"]


@QUICK
@given(BOARDS)
def test_each_side_stands_once_and_joins_two_corners(grid: Grid) -> None:
    assert len(set(grid.edges)) == len(grid.edges) == 4 * len(grid) - len(grid.adjacent)
    assert {side for cell in grid.cells for side in grid.sides(cell)} == set(grid.edges)
    assert {corner for side in grid.edges for corner in side} == set(grid.corners)
    assert sorted(side for corner in grid.corners for side in grid.sides(corner)) == sorted([*grid.edges] * 2)
    assert all(isinstance(side, Side) and side == edge(*side) for side in grid.edges)
    assert len({str(side) for side in grid.edges}) == len(grid.edges)
