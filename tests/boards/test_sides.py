"""Sides and corners of cells."""

from collections.abc import Callable
from itertools import combinations, pairwise
from math import atan2, tau

import pytest
from hypothesis import given, settings, strategies as st

from puzzlekit.boards import (
    Cell,
    Cells,
    Corner,
    Grid,
    Side,
    board,
    edge,
    hex_board,
    hexagons,
    triangle_board,
    triangles,
)

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
    assert (str(Corner(1, 2)), repr(top), hash(top)) == (
        "+r1c2",
        "(+r1c1, +r1c2)",
        hash((Corner(1, 1), Corner(1, 2))),
    )


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
    assert [str(side) for side in board(1, 1).sides(Corner(1, 1))] == [
        "top of r1c1",
        "left of r1c1",
    ]


@QUICK
@given(BOARDS)
def test_each_side_stands_once_and_joins_two_corners(grid: Grid) -> None:
    _sound(grid)


def _sound(grid: Grid) -> None:
    """Check what holds on boards of every form."""
    whole = sum(len(grid.sides(cell)) for cell in grid.cells)
    assert len(set(grid.edges)) == len(grid.edges) == whole - len(grid.adjacent)
    assert {side for cell in grid.cells for side in grid.sides(cell)} == set(grid.edges)
    assert {corner for side in grid.edges for corner in side} == set(grid.corners)
    assert sorted(side for corner in grid.corners for side in grid.sides(corner)) == sorted(
        [*grid.edges] * 2
    )
    assert all(isinstance(side, Side) and side == edge(*side) for side in grid.edges)
    at = {corner: grid.around(corner) for corner in grid.corners}
    assert {(corner, cell) for corner, cells in at.items() for cell in cells} == {
        (corner, cell) for cell in grid.cells for side in grid.sides(cell) for corner in side
    }
    assert {pair for cells in at.values() for pair in combinations(cells, 2)} == {
        tuple(pair) for pair in grid.touching
    }
    assert len({str(side) for side in grid.edges}) == len(grid.edges)


def _ring(cell: Cell, form: str) -> list[tuple[int, int]]:
    """The corners of a cell in the plane, clockwise from the top: half cells to the right,
    and thirds or rows down.
    """
    row, column = cell
    if form == "hexagon":
        x, y = 2 * column + row, 3 * row
        return [
            (x, y - 2),
            (x + 1, y - 1),
            (x + 1, y + 1),
            (x, y + 2),
            (x - 1, y + 1),
            (x - 1, y - 1),
        ]
    if (row + column) % 2 == 0:
        return [(column, row), (column + 1, row + 1), (column - 1, row + 1)]
    return [(column - 1, row), (column + 1, row), (column, row + 1)]


@QUICK
@given(BOARDS, st.sampled_from([hexagons, triangles]))
def test_corners_are_one_where_they_are_one_point(
    grid: Grid, tiled: Callable[[Grid], Grid]
) -> None:
    world = tiled(grid)
    _sound(world)
    points: dict[Corner, tuple[int, int]] = {}
    for cell in world.cells:
        sides, ring = world.sides(cell), _ring(cell, world.form)
        assert len(sides) == len(ring)
        for before, side, point in zip((sides[-1], *sides), sides, ring):
            (shared,) = {*before} & {*side}
            assert points.setdefault(shared, point) == point
    assert len(set(points.values())) == len(points) == len(world.corners)
    assert max(len(world.sides(corner)) for corner in world.corners) <= (
        3 if world.form == "hexagon" else 6
    )
    for corner in world.corners:
        ends = [points[end] for side in world.sides(corner) for end in side if end != corner]
        x, y = points[corner]
        angles = [atan2(a - x, y - b) % tau for a, b in ends]
        assert all(one < other for one, other in pairwise(angles))


@pytest.mark.parametrize(
    "world",
    [
        board(3, 4),
        hex_board(1),
        hex_board(4),
        hexagons(board(3, 4)),
        triangle_board(5),
        triangles(board(3, 4)),
    ],
)
def test_corners_less_sides_and_cells_are_two_with_the_outside(world: Grid) -> None:
    assert len(world.corners) - len(world.edges) + len(world) + 1 == 2


def test_sides_of_hexagons_and_triangles_have_names() -> None:
    assert [str(side).split(" of")[0] for side in hex_board(1).sides(Cell(1, 1))] == [
        *("upper right", "right", "lower right", "lower left", "left", "upper left")
    ]
    assert [str(side) for side in triangles(board(1, 2)).edges] == [
        *("top of r1c2", "left of r1c1", "left of r1c2", "right of r1c2", "bottom of r1c1")
    ]
    assert str(hex_board(1).corners) == "(+r1c1, +r1c2, +r1c3, +r2c0, +r2c1, +r2c2)"
    assert Corner(1, 1) != Corner(1, 1, "hexagon") != Cell(1, 1)
