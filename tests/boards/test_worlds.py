"""Boards whose cells lie otherwise."""

import pytest

from puzzlekit.boards import Cell, Grid, board, hex_board, torus, triangle_board
from puzzlekit.errors import InputError


def test_a_torus_goes_on_at_the_opposite_edge() -> None:
    ring = torus(3, 4)
    assert all(
        len(ring.neighbours(cell)) == 4 and len(ring.around(cell)) == 8 for cell in ring.cells
    )
    assert len(ring.adjacent) == 24 and len(ring.touching) == 48
    assert "r1c1–r3c1" in map(str, ring.adjacent)
    assert (
        len(torus(2, 2).adjacent) == 4
        and torus(1, 1).neighbours(Cell(1, 1)) == ()
        and torus(1, 1).adjacent == ()
    )
    assert [len(ray) for ray in ring.rays(Cell(1, 1))] == [0, 3, 2, 0]


@pytest.mark.parametrize(
    "world", [board(3, 4), torus(3, 4), torus(1, 2), torus(2, 2), hex_board(3), triangle_board(4)]
)
def test_links_are_the_adjacent_pairs_with_a_cell(world: Grid) -> None:
    for cell in world.cells:
        assert world.links(cell) == tuple(pair for pair in world.adjacent if cell in pair)
        assert {other for pair in world.links(cell) for other in pair} - {cell} == set(
            world.neighbours(cell)
        )
    with pytest.raises(InputError, match="this board has no cell r9c9"):
        world.links(Cell(9, 9))


def test_a_hexagon_of_hexagons() -> None:
    comb = hex_board(3)
    for lines in (comb.rows, comb.columns, comb.diagonals):
        assert [len(line) for line in lines] == [3, 4, 5, 4, 3]
    assert len(comb) == 19 and len(comb.adjacent) == 42 == len(comb.touching)
    assert (
        comb.neighbours(Cell(3, 3)) == comb.around(Cell(3, 3))
        and len(comb.neighbours(Cell(3, 3))) == 6
    )
    assert len(comb.neighbours(comb.cells[0])) == 3
    assert all(
        cell in comb.neighbours(other) for cell in comb.cells for other in comb.neighbours(cell)
    )


def corners_of(cell: Cell) -> set[tuple[int, int]]:
    """The corners of a triangle, in half columns."""
    row, column = cell
    level, point = (row + 1, row) if (row + column) % 2 == 0 else (row, row + 1)
    return {(level, column - 1), (level, column + 1), (point, column)}


@pytest.mark.parametrize("side", [1, 2, 3, 5])
def test_triangles_are_neighbours_where_they_share_corners(side: int) -> None:
    board = triangle_board(side)
    assert [len(row) for row in board.rows] == [2 * k + 1 for k in range(side)] and len(
        board
    ) == side * side
    for cell in board.cells:
        shared = {
            other: len(corners_of(cell) & corners_of(other))
            for other in board.cells
            if other != cell
        }
        assert set(board.neighbours(cell)) == {
            other for other, number in shared.items() if number == 2
        }
        assert set(board.around(cell)) == {other for other, number in shared.items() if number}
    assert len(board.adjacent) == 3 * side * (side - 1) // 2


def test_strips_of_triangles_are_the_rows_of_the_turned_board() -> None:
    board = triangle_board(4)
    strips = board.diagonals
    assert sorted(map(len, strips)) == sorted(2 * list(map(len, board.rows)))
    for strip in strips:
        links = [pair for pair in board.adjacent if set(pair) <= set(strip)]
        assert len(links) == len(strip) - 1  # each is a path
