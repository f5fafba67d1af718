"""Boards whose cells lie otherwise."""

import pytest

from puzzlekit.boards import Cell, hex_board, torus
from puzzlekit.errors import InputError


def test_a_torus_goes_on_at_the_opposite_edge() -> None:
    ring = torus(3, 4)
    assert all(len(ring.neighbours(cell)) == 4 and len(ring.around(cell)) == 8 for cell in ring.cells)
    assert len(ring.adjacent) == 24 and len(ring.touching) == 48
    assert str(ring.adjacent[0]) == "r1c1–r3c1"
    assert len(torus(2, 2).adjacent) == 4 and torus(1, 1).neighbours(Cell(1, 1)) == () and torus(1, 1).adjacent == ()
    assert [len(ray) for ray in ring.rays(Cell(1, 1))] == [0, 3, 2, 0]


def test_a_hexagon_of_hexagons() -> None:
    comb = hex_board(3)
    for lines in (comb.rows, comb.columns, comb.diagonals):
        assert [len(line) for line in lines] == [3, 4, 5, 4, 3]
    assert len(comb) == 19 and len(comb.adjacent) == 42 == len(comb.touching)
    assert comb.neighbours(Cell(3, 3)) == comb.around(Cell(3, 3)) and len(comb.neighbours(Cell(3, 3))) == 6
    assert len(comb.neighbours(comb.cells[0])) == 3
    assert all(cell in comb.neighbours(other) for cell in comb.cells for other in comb.neighbours(cell))
    for ask in (lambda: comb.edges, lambda: comb.corners, lambda: comb.sides(Cell(3, 3))):
        with pytest.raises(InputError, match="boards of hexagons have no sides"):
            ask()
